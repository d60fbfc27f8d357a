//! Register code → native code, one function at a time.

use super::memos::{self, Memo};
use super::supposing::Open;
use super::{Tables, helpers};
use crate::buffer::Buffer;
use crate::code::*;
use crate::facts::types::{self, Known, Mask, Row, States};
use crate::facts::{self, Facts};
use crate::memory::{Change, Memory};
use crate::program::Program;
use crate::vm::{Checkpoints, Machine};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{
    self, Block as Label, BlockArg, FuncRef, InstBuilder, MemFlagsData, SigRef, StackSlotData, StackSlotKind,
};
use cranelift_codegen::isa::TargetIsa;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use std::collections::BTreeMap;
use std::mem::offset_of;

pub(super) type Word = ir::Value;

pub(super) const SLOTS: usize = offset_of!(Machine, mem) + offset_of!(Memory, slots) + Buffer::<u64>::PTR;
pub(super) const HEAP: usize = offset_of!(Machine, mem) + offset_of!(Memory, heap) + Buffer::<u64>::PTR;
pub(super) const HEAP_LEN: usize = offset_of!(Machine, mem) + offset_of!(Memory, heap) + Buffer::<u64>::LEN;
pub(super) const STORED: usize = offset_of!(Machine, mem) + offset_of!(Memory, stored);
pub(super) const JOURNAL: usize = offset_of!(Machine, mem) + offset_of!(Memory, journal) + Buffer::<Change>::PTR;
pub(super) const JOURNAL_LEN: usize = offset_of!(Machine, mem) + offset_of!(Memory, journal) + Buffer::<Change>::LEN;
pub(super) const JOURNAL_ROOM: usize = offset_of!(Machine, mem) + offset_of!(Memory, journal) + Buffer::<Change>::ROOM;
pub(super) const REGS: usize = offset_of!(Machine, regs) + Buffer::<u64>::PTR;
pub(super) const REGS_LEN: usize = offset_of!(Machine, regs) + Buffer::<u64>::LEN;
pub(super) const IN_ACTION: usize = offset_of!(Machine, in_action);
pub(super) const BEGAN: usize = offset_of!(Machine, checkpoints) + Checkpoints::BEGAN;
pub(super) const TOP: usize = offset_of!(Machine, top);
pub(super) const STEPS: usize = offset_of!(Machine, steps);
pub(super) const DEPTH: usize = offset_of!(Machine, depth);
pub(super) const DEEPEST: usize = offset_of!(Machine, deepest);
pub(super) const LIMIT: usize = offset_of!(Machine, stack_limit);
pub(super) const GATHERED: usize = offset_of!(Machine, gathered) + Buffer::<u64>::PTR;
pub(super) const GATHERED_ROOM: usize = offset_of!(Machine, gathered) + Buffer::<u64>::ROOM;
pub(super) const GATHERED_LEN: usize = offset_of!(Machine, gathered) + Buffer::<u64>::LEN;

pub(super) const MEMOS: usize = offset_of!(Machine, derived.memos.list) + Buffer::<Memo>::PTR;
pub(super) const MEMOS_LEN: usize = offset_of!(Machine, derived.memos.list) + Buffer::<Memo>::LEN;

pub(super) const TAG: u32 = 48;
pub(super) const WHOLE_TAG: u64 = 1 << TAG;
pub(super) const ENTITY_TAG: u64 = 2 << TAG;
pub(super) const DIRECTION_TAG: u64 = 4;
pub(super) const KIND_TAG: u64 = 5;
pub(super) const LIST_TAG: u64 = 6;
pub(super) const PAYLOAD: u64 = WHOLE_TAG - 1;

/// Where the result of a block of code goes.
#[derive(Clone, Copy)]
pub(super) struct BlockExit {
    pub value: Variable,
    pub to: Label,
}

pub(super) struct Emit<'a, 'b> {
    pub program: &'a Program,
    pub facts: &'a [Facts],
    pub tables: &'a Tables,
    pub ids: &'a [Option<cranelift_module::FuncId>],
    pub func: FuncId,
    pub code: &'a [Op],
    pub states: States,
    pub b: FunctionBuilder<'b>,
    pub isa: &'a dyn TargetIsa,
    pub vars: Vec<Variable>,
    pub machine: Word,
    pub action: Word,
    /// How many rules were left out when the function began, if it leaves out any itself.
    pub n_skipped: Option<Word>,
    pub labels: BTreeMap<u32, Label>,
    pub regions: BTreeMap<u32, u32>,
    pub exits: Vec<BlockExit>,
    pub refs: BTreeMap<FuncId, FuncRef>,
    pub sigs: BTreeMap<usize, SigRef>,
    /// Nothing can follow in the present block.
    pub ended: bool,
    /// The instruction being written.
    pub pc: usize,
    /// Where a function that is written in place of its call goes with its value.
    pub inlined: Option<BlockExit>,
    pub inlined_deep: u32,
    /// Who plays and who does not, where that cannot change.
    pub sides: (Option<Word>, Option<Word>),
    /// Registers that hold one of a row of things.
    pub inside: Vec<(Reg, u32, u32)>,
    /// Set where several instructions were written at once: the one after them.
    pub written: usize,
    /// Where rows and columns stand for lists.
    pub spans: super::spans::Spans,
    /// What has to be ended before the function is left.
    pub open: Vec<Open>,
    /// Which walk is to be drawn from instead of being listed, and the number of the place wanted.
    pub pick: Option<(usize, Word)>,
    /// Only the members of the value of the function written in place are wanted, behind what was gathered.
    pub sink: bool,
    /// The same of the next function to be written in place.
    pub sinking: bool,
    /// While an action is listed: the list that never changes whose members a receiver's values are, and whether there
    /// can be one.
    pub laid: Option<(Variable, bool)>,
    /// The same: where it goes on when a law written in place refuses.
    pub refused: Option<Label>,
    /// Lists of directions are given as tables of steps; the registers that hold such tables.
    pub routed: bool,
    pub routes: Vec<Reg>,
    /// The number of a define whose value is kept, and who is asked.
    pub memo: Option<(usize, Word)>,
    /// Of the walk of the function written in place it is only wanted whether it finds anything.
    pub finding: bool,
    /// How deep recursion was before the function, if it recurs.
    pub depth: Option<Word>,
    /// Where the function begins once its arguments are known.
    pub head: Option<Label>,
}

/// What functions are compiled with.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub program: &'a Program,
    pub facts: &'a [Facts],
    pub tables: &'a Tables,
    pub ids: &'a [Option<cranelift_module::FuncId>],
    pub isa: &'a dyn TargetIsa,
}

pub(super) fn function(source: Source, func: FuncId, into: &mut ir::Function, context: &mut FunctionBuilderContext) {
    let config = source.isa.frontend_config();
    let (mut emit, params) = begin(source, func, into, context);
    let n_regs = emit.vars.len();
    emit.find_labels();
    emit.find_spans();
    emit.recall(&params[2..]);
    emit.prologue(&params[2..], n_regs);
    emit.range(0, emit.code.len() as u32);
    if !emit.ended {
        let nil = emit.constant(0);
        emit.leave(nil);
    }
    emit.b.seal_all_blocks();
    emit.b.finalize(config);
}

/// Begins to write a function; gives what it is called with.
pub(super) fn begin<'a, 'b>(
    source: Source<'a>,
    func: FuncId,
    into: &'b mut ir::Function,
    context: &'b mut FunctionBuilderContext,
) -> (Emit<'a, 'b>, Vec<Word>) {
    let Source { program, facts, tables, ids, isa } = source;
    let function = &program.functions[func as usize];
    let mut b = FunctionBuilder::new(into, context);
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    let params = b.block_params(entry).to_vec();
    let n_regs = function.n_regs.max(function.n_args) as usize;
    let vars: Vec<Variable> = (0..n_regs).map(|_| b.declare_var(I64)).collect();
    let emit = Emit {
        program,
        facts,
        tables,
        ids,
        func,
        code: &function.code,
        states: types::infer(program, function, &[Known::among(tables.receivers[func as usize])]),
        b,
        isa,
        vars,
        machine: params[0],
        action: params[1],
        n_skipped: None,
        labels: BTreeMap::new(),
        regions: BTreeMap::new(),
        exits: Vec::new(),
        refs: BTreeMap::new(),
        sigs: BTreeMap::new(),
        ended: false,
        pc: 0,
        written: 0,
        spans: Default::default(),
        inlined: None,
        inlined_deep: 0,
        sides: (None, None),
        inside: Vec::new(),
        open: Vec::new(),
        pick: None,
        sink: false,
        sinking: false,
        laid: None,
        refused: None,
        routed: false,
        routes: Vec::new(),
        memo: None,
        finding: false,
        depth: None,
        head: None,
    };
    (emit, params)
}

impl Emit<'_, '_> {
    pub(super) fn find_labels(&mut self) {
        for op in self.code {
            if let Op::Suppose { start, end, .. } = *op {
                self.regions.insert(start, end);
            } else {
                for block in facts::operands(op, &self.program.pools).blocks {
                    if let Some(Op::Jump { to }) = self.code.get((block.start as usize).wrapping_sub(1)) {
                        self.regions.insert(block.start, *to);
                    }
                }
            }
            if let Some(to) = op.target()
                && !self.labels.contains_key(&to)
            {
                let label = self.b.create_block();
                self.labels.insert(to, label);
            }
        }
    }

    /// A define that is kept gives what it gave before, if that still holds.
    fn recall(&mut self, args: &[Word]) {
        let Some(number) = self.tables.memos.number(self.func) else { return };
        let of = if self.tables.memos.is_by_player(number) { self.player() } else { args[0] };
        self.memo = Some((number, of));
        let (same, ask) = (self.b.create_block(), self.b.create_block());
        let value = self.b.append_block_param(same, I64);
        self.unless_changed(number, of, 0, same, ask);
        self.at(same);
        self.b.ins().return_(&[value]);
        self.at(ask);
        let (memos, number) = (self.memos_address(), self.constant(number as u64));
        let known = self.helper(memos::recall as *const () as usize, &[self.machine, memos, number, of], false);
        let missing = self.b.ins().icmp_imm_s(IntCC::Equal, known, super::MISSING as i64);
        let (anew, back) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(missing, anew, &[], back, &[]);
        self.at(back);
        self.b.ins().return_(&[known]);
        self.at(anew);
    }

    /// Goes on at `same` with what a define that is kept gave of the game or a player, from a number on, if nothing at all
    /// has changed since, and mostly nothing has; at `ask` otherwise.
    pub(super) fn unless_changed(&mut self, number: usize, of: Word, first: u32, same: Label, ask: Label) {
        let n_askers = self.tables.memos.n_askers;
        let asker = self.behind(of, first);
        let among = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, asker, i64::from(n_askers - first));
        let n = self.load(self.machine, MEMOS_LEN);
        let made = self.b.ins().icmp_imm_u(IntCC::NotEqual, n, 0);
        let either = self.b.ins().band(among, made);
        let (look, known) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(either, look, &[], ask, &[]);
        self.at(look);
        let memos = self.load(self.machine, MEMOS);
        let offset = self.b.ins().ishl_imm_u(asker, i64::from(size_of::<Memo>().trailing_zeros()));
        let memo = self.b.ins().iadd(memos, offset);
        let first = size_of::<Memo>() * (number * n_askers as usize + first as usize);
        let at = self.load(memo, first + offset_of!(Memo, step));
        let now = self.load(self.machine, JOURNAL_LEN);
        let unchanged = self.b.ins().icmp(IntCC::Equal, at, now);
        self.b.ins().brif(unchanged, known, &[], ask, &[]);
        self.at(known);
        let value = self.load(memo, first + offset_of!(Memo, value));
        self.b.ins().jump(same, &[BlockArg::Value(value)]);
    }

    fn memos_address(&mut self) -> Word {
        self.constant(&raw const *self.tables.memos as u64)
    }

    pub(super) fn prologue(&mut self, args: &[Word], n_regs: usize) {
        if self.facts[self.func as usize].recurs {
            self.guard_depth(args);
        }
        if self.facts[self.func as usize].pays {
            self.spend_round(0, self.code.len());
        }
        if self.code.iter().any(|op| matches!(op, Op::EnterRule { .. })) {
            let n = self.helper(helpers::n_skipped as *const () as usize, &[self.machine], false);
            self.n_skipped = Some(n);
        }
        self.fix_sides();
        let nil = self.constant(0);
        for at in 0..n_regs {
            let value = args.get(at).copied().unwrap_or(nil);
            self.b.def_var(self.vars[at], value);
        }
        self.begin_head();
    }

    /// A function that does not change whose turn it is needs to find out only once.
    pub(super) fn fix_sides(&mut self) {
        if self.facts[self.func as usize].turns {
            self.sides = (None, None);
            return;
        }
        let code = self.code;
        let asks = |wanted: fn(&Op) -> bool| code.iter().filter(|op| wanted(op)).count();
        if self.sides.0.is_none() && asks(|op| matches!(op, Op::Player { .. })) > 1 {
            self.sides.0 = Some(self.player());
        }
        if self.sides.1.is_none() && asks(|op| matches!(op, Op::Opponent { .. })) > 0 {
            self.sides.1 = Some(self.opponent());
        }
    }

    /// Recursion takes the host's stack: too deep it faults, and where little is left it goes on on another one.
    pub(super) fn guard_depth(&mut self, args: &[Word]) {
        let depth = self.load(self.machine, DEPTH);
        let too_deep = self.go_deeper(depth);
        let stack = self.b.ins().get_stack_pointer(I64);
        let end = self.load(self.machine, LIMIT);
        let full = self.b.ins().icmp(IntCC::UnsignedLessThan, stack, end);
        let either = self.b.ins().bor(too_deep, full);
        self.depth = Some(depth);
        self.unless_too_deep(either, self.action, args);
    }

    /// One more that recurs; whether those are too many.
    pub(super) fn go_deeper(&mut self, depth: Word) -> Word {
        let deeper = self.b.ins().iadd_imm_s(depth, 1);
        self.store(deeper, self.machine, DEPTH);
        let limit = self.load(self.machine, DEEPEST);
        self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, depth, limit)
    }

    /// Faults, or goes on on another stack, where it is too deep.
    pub(super) fn unless_too_deep(&mut self, too_deep: Word, action: Word, args: &[Word]) {
        let (helped, go_on) = (self.cold(), self.b.create_block());
        self.b.ins().brif(too_deep, helped, &[], go_on, &[]);
        self.at(helped);
        let room = self.b.create_sized_stack_slot(StackSlotData::new(
            StackSlotKind::ExplicitSlot,
            8 * args.len().max(1) as u32,
            3,
        ));
        for (at, &arg) in args.iter().enumerate() {
            self.b.ins().stack_store(I64, arg, room, 8 * at as i32);
        }
        let program = self.program_address();
        let func = self.constant(u64::from(self.func));
        let laid = self.b.ins().stack_addr(I64, room, 0);
        let value =
            self.call_address(helpers::deeper as *const () as usize, &[self.machine, program, func, action, laid]);
        self.shallow_again();
        self.b.ins().return_(&[value]);
        self.at(go_on);
    }

    pub(super) fn leave(&mut self, value: Word) {
        if let Some(BlockExit { value: into, to }) = self.inlined {
            if self.sink {
                self.hand_over(value);
            }
            self.b.def_var(into, value);
            self.b.ins().jump(to, &[]);
            self.ended = true;
            return;
        }
        if let Some((number, of)) = self.memo {
            let (memos, number) = (self.memos_address(), self.constant(number as u64));
            self.helper(memos::keep as *const () as usize, &[self.machine, memos, number, of, value], false);
        }
        if let Some(n) = self.n_skipped {
            self.helper(helpers::unskip as *const () as usize, &[self.machine, n], false);
        }
        self.shallow_again();
        self.give_up(value);
        self.ended = true;
    }

    /// As deep as before the function.
    fn shallow_again(&mut self) {
        if let Some(depth) = self.depth {
            self.store(depth, self.machine, DEPTH);
        }
    }

    /// Writes the instructions of a range, blocks inside it apart.
    pub(super) fn range(&mut self, from: u32, to: u32) {
        let mut pc = from;
        while pc < to {
            if pc != from
                && let Some(&end) = self.regions.get(&pc)
            {
                pc = end;
                continue;
            }
            if let Some(&label) = self.labels.get(&pc) {
                if !self.ended {
                    self.b.ins().jump(label, &[]);
                }
                self.at(label);
            }
            if !self.ended && self.states[pc as usize].is_some() {
                self.pc = pc as usize;
                self.op(self.code[pc as usize]);
            } else if !self.ended {
                // Nothing arrives here.
                let nil = self.constant(0);
                self.b.ins().return_(&[nil]);
                self.ended = true;
            }
            pc = (std::mem::take(&mut self.written) as u32).max(pc + 1);
        }
    }

    /// Writes a block of code for one thing in place, and gives its value.
    pub(super) fn block(&mut self, block: Block, it: Word) -> Word {
        let end = self.regions[&block.start];
        let (value, to) = (self.b.declare_var(I64), self.b.create_block());
        self.b.def_var(self.vars[block.it as usize], it);
        self.exits.push(BlockExit { value, to });
        let pc = self.pc;
        self.range(block.start, end);
        self.pc = pc;
        self.exits.pop();
        if !self.ended {
            let nil = self.constant(0);
            self.b.def_var(value, nil);
            self.b.ins().jump(to, &[]);
        }
        self.at(to);
        self.b.use_var(value)
    }

    pub(super) fn at(&mut self, label: Label) {
        self.b.switch_to_block(label);
        self.ended = false;
    }

    pub(super) fn cold(&mut self) -> Label {
        let label = self.b.create_block();
        self.b.set_cold_block(label);
        label
    }

    pub(super) fn label(&self, pc: u32) -> Label {
        self.labels[&pc]
    }

    pub(super) fn constant(&mut self, word: u64) -> Word {
        self.b.ins().iconst(I64, word as i64)
    }

    pub(super) fn load(&mut self, from: Word, at: usize) -> Word {
        self.b.ins().load(I64, MemFlagsData::trusted(), from, at as i32)
    }

    pub(super) fn store(&mut self, word: Word, to: Word, at: usize) {
        self.b.ins().store(MemFlagsData::trusted(), word, to, at as i32);
    }

    pub(super) fn get(&mut self, reg: Reg) -> Word {
        self.b.use_var(self.vars[reg as usize])
    }

    pub(super) fn set(&mut self, reg: Reg, word: Word) {
        self.b.def_var(self.vars[reg as usize], word);
    }

    pub(super) fn mask(&self, reg: Reg) -> Mask {
        self.known(reg).mask
    }

    /// What is known of a register.
    pub(super) fn known(&self, reg: Reg) -> Known {
        self.states[self.pc].as_ref().map_or(Known::ANYTHING, |state| state[reg as usize])
    }

    /// The row of things that a register holds one of, if that is known.
    pub(super) fn among(&self, reg: Reg) -> Option<Row> {
        let inside = self.inside.iter().rev().find(|&&(known, ..)| known == reg).map(|&(_, from, to)| (from, to));
        inside.or(self.known(reg).row)
    }

    /// Whether a register is known to hold one of these things.
    pub(super) fn is_surely_among(&self, reg: Reg, first: u32, end: u32) -> bool {
        self.among(reg).is_some_and(|(from, to)| first <= from && to <= end)
    }

    pub(super) fn program_address(&mut self) -> Word {
        self.constant(self.program as *const Program as u64)
    }

    pub(super) fn site(&mut self) -> Word {
        self.constant(u64::from(self.func) << 32 | self.pc as u64)
    }

    /// Counts steps; gives up where none are left.
    pub(super) fn spend(&mut self, steps: Word) {
        let left = self.load(self.machine, STEPS);
        let tired = self.b.ins().icmp(IntCC::UnsignedLessThan, left, steps);
        let (out, go_on) = (self.cold(), self.b.create_block());
        self.b.ins().brif(tired, out, &[], go_on, &[]);
        self.at(out);
        let value = self.helper_here(helpers::tired as *const () as usize, &[]);
        self.give_up(value);
        self.at(go_on);
        let left = self.b.ins().isub(left, steps);
        self.store(left, self.machine, STEPS);
    }

    /// Counts what runs once more between two instructions.
    pub(super) fn spend_round(&mut self, from: usize, to: usize) {
        let cost = self.round_cost(from, to);
        let cost = self.constant(cost);
        self.spend(cost);
    }

    /// Steps for what runs once between two instructions. Much of it may be passed over: fewer than the interpreter
    /// counts, but not by more than a program is given fewer where it does not count exactly.
    pub(super) fn round_cost(&self, from: usize, to: usize) -> u64 {
        let code = &self.code[from.min(to)..to.min(self.code.len())];
        1 + u64::from(facts::cost(self.program, code, self.facts)) / crate::allotment::FEWER
    }
}
