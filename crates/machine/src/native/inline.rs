//! Short functions written in place of their calls.

use super::emit::{BlockExit, Emit, Word};
use crate::code::*;
use crate::facts;
use crate::facts::types::{self, Known};
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block as Label, InstBuilder};
use std::mem::{replace, take};

/// Longer functions are called.
const LONGEST: usize = 24;
/// So deep one is written inside another.
const DEEPEST: u32 = 3;

impl Emit<'_, '_> {
    /// Whether a function is short, and needs neither registers in memory nor a frame of its own.
    pub(super) fn inlines(&self, func: FuncId) -> bool {
        let function = &self.program.functions[func as usize];
        !function.code.iter().any(|op| matches!(op, Op::Refuse { .. })) && self.inlines_law(func)
    }

    /// The same of laws, where it is known what comes of a refusal.
    pub(super) fn inlines_law(&self, func: FuncId) -> bool {
        let function = &self.program.functions[func as usize];
        let own = |op: &Op| matches!(op, Op::Rollback { .. } | Op::EnterRule { .. });
        self.inlined_deep < DEEPEST
            && self.tables.memos.number(func).is_none()
            && function.code.len() <= LONGEST
            && !self.facts[func as usize].recurs
            && !self.facts[func as usize].writes
            && !function.code.iter().any(|op| self.by_helper(op) || own(op))
    }

    pub(super) fn inline(&mut self, func: FuncId, args: &[Word]) -> Word {
        self.inline_knowing(func, args, &[])
    }

    /// The same where something is known of the arguments.
    pub(super) fn inline_knowing(&mut self, func: FuncId, args: &[Word], known: &[Known]) -> Word {
        self.inline_upto(func, args, known, self.program.functions[func as usize].code.len())
    }

    /// Where a function begins with a law: the instruction after it, if all up to there can be written in place.
    pub(super) fn first_law(&self, func: FuncId) -> Option<usize> {
        let code = &self.program.functions[func as usize].code;
        let end = 1 + code.iter().position(|op| matches!(op, Op::Refuse { .. }))?;
        let plain = |op: &Op| match *op {
            Op::Refuse { .. } => true,
            Op::Call { func, .. } => self.inlines(func),
            Op::Return { .. } | Op::Rollback { .. } | Op::EnterRule { .. } | Op::Send { .. } => false,
            ref op => !facts::effects(op).writes && !self.by_helper(op),
        };
        let within = |op: &Op| op.target().is_none_or(|to| to as usize <= end);
        let fits = end <= LONGEST && self.inlined_deep < DEEPEST;
        (fits && code[..end].iter().all(|op| plain(op) && within(op))).then_some(end)
    }

    /// Goes to `refused` if the law refuses that a function begins with.
    pub(super) fn ask_first_law(&mut self, func: FuncId, args: &[Word], known: &[Known], end: usize, refused: Label) {
        let outer = self.refused.replace(refused);
        self.inline_upto(func, args, known, end);
        self.refused = outer;
    }

    /// Writes a function up to an instruction.
    fn inline_upto(&mut self, func: FuncId, args: &[Word], known: &[Known], end: usize) -> Word {
        let function = &self.program.functions[func as usize];
        let n_regs = function.n_regs.max(function.n_args) as usize;
        let vars = (0..n_regs).map(|_| self.b.declare_var(I64)).collect();
        let exit = BlockExit { value: self.b.declare_var(I64), to: self.b.create_block() };
        let states = types::infer(self.program, function, known);
        let outer = (
            replace(&mut self.func, func),
            replace(&mut self.code, &function.code[..end]),
            replace(&mut self.states, states),
            replace(&mut self.vars, vars),
            take(&mut self.labels),
            take(&mut self.regions),
            take(&mut self.exits),
            self.pc,
        );
        // Who plays is known already where the function around this one cannot change it.
        let around = (self.inlined.replace(exit), self.sides, take(&mut self.inside));
        let sinking = take(&mut self.sinking);
        let handed = (replace(&mut self.sink, sinking), take(&mut self.routes));
        self.inlined_deep += 1;
        self.find_labels();
        let nil = self.nil();
        for at in 0..n_regs {
            let value = args.get(at).copied().filter(|_| at < function.n_args as usize).unwrap_or(nil);
            self.b.def_var(self.vars[at], value);
        }
        self.fix_sides();
        self.range(0, end as u32);
        if let Some(&label) = self.labels.get(&(end as u32)) {
            if !self.ended {
                self.b.ins().jump(label, &[]);
            }
            self.at(label);
        }
        if !self.ended {
            let nil = self.nil();
            self.leave(nil);
        }
        self.inlined_deep -= 1;
        (self.inlined, self.sides, self.inside) = around;
        (self.sink, self.routes) = handed;
        (self.func, self.code, self.states, self.vars, self.labels, self.regions, self.exits, self.pc) = outer;
        self.at(exit.to);
        self.b.use_var(exit.value)
    }
}
