//! Messages that are passed on as the last thing to do: the function begins anew instead of calling itself.

use super::emit::{DEPTH, Emit, Word};
use crate::code::*;
use crate::facts;
use crate::shortcut::Shortcut;
use crate::value::Value;
use cranelift_codegen::ir::InstBuilder;

/// What a register holds once a message is answered.
#[derive(Clone, Copy, PartialEq)]
enum Term {
    /// What it held when the message was sent.
    Held(Reg),
    Known(Value),
    Answer,
}

impl Emit<'_, '_> {
    /// Where a function that may begin anew does so. Who is the action itself, or leaves out rules, is no longer so when
    /// it begins anew.
    pub(super) fn begin_head(&mut self) {
        let own =
            |op: &Op| matches!(op, Op::Refuse { .. } | Op::Ask { .. } | Op::EnterRule { .. } | Op::Suppose { .. });
        if self.program.may(Shortcut::Tails)
            && self.depth.is_some()
            && self.memo.is_none()
            && !self.code.iter().any(own)
        {
            let head = self.b.create_block();
            self.b.ins().jump(head, &[]);
            self.at(head);
            self.head = Some(head);
        }
    }

    /// Whether nothing is left to do after the message being sent but to give back its answer.
    pub(super) fn passes_on(&self) -> bool {
        let Some(&Op::Send { dst, .. }) = self.code.get(self.pc) else { return false };
        if self.head.is_none() || self.inlined.is_some() || !self.exits.is_empty() {
            return false;
        }
        let different = self.known_to_differ();
        let mut terms: Vec<Term> = (0..self.vars.len() as Reg).map(Term::Held).collect();
        terms[dst as usize] = Term::Answer;
        let mut pc = self.pc + 1;
        // A way back would be a loop: as many steps as there are instructions are enough for every other way.
        for _ in 0..self.code.len() {
            let Some(&op) = self.code.get(pc) else { return false };
            pc += 1;
            match op {
                Op::Const { dst, value } => terms[dst as usize] = Term::Known(value),
                Op::Move { dst, src } => terms[dst as usize] = terms[src as usize],
                Op::Jump { to } => pc = to as usize,
                Op::JumpEq { a, b, to } | Op::JumpNe { a, b, to } => {
                    if !differ(&different, terms[a as usize], terms[b as usize]) {
                        return false;
                    }
                    if matches!(op, Op::JumpNe { .. }) {
                        pc = to as usize;
                    }
                }
                Op::Return { src } => return terms[src as usize] == Term::Answer,
                _ => return false,
            }
        }
        false
    }

    /// What differs by the branches on the only way to the present instruction, as far as nobody has written it since.
    fn known_to_differ(&self) -> Vec<(Term, Term)> {
        let mut different = Vec::new();
        let mut written: Vec<Reg> = Vec::new();
        for pc in (0..self.pc).rev() {
            // Another way leads here.
            if self.labels.contains_key(&(pc as u32 + 1)) {
                break;
            }
            let op = &self.code[pc];
            let term = |reg: Reg| match self.constant_before(pc, reg) {
                Some(value) => Some(Term::Known(value)),
                None => (!written.contains(&reg)).then_some(Term::Held(reg)),
            };
            match *op {
                Op::JumpNotLess { a, b, .. } | Op::JumpEq { a, b, .. } => different.extend(term(a).zip(term(b))),
                _ if !op.falls_through() => break,
                _ => {}
            }
            let operands = facts::operands(op, &self.program.pools);
            if !operands.blocks.is_empty() {
                break;
            }
            written.extend(operands.dst);
            if let Op::Next { at, .. } = *op {
                written.push(at);
            }
        }
        different
    }

    /// The value that was just written into a register.
    fn constant_before(&self, pc: usize, reg: Reg) -> Option<Value> {
        let before = pc.checked_sub(1).filter(|_| !self.labels.contains_key(&(pc as u32)))?;
        match self.code[before] {
            Op::Const { dst, value } if dst == reg => Some(value),
            _ => None,
        }
    }

    /// Goes to the beginning of the function as if it was called with these arguments. It counts as deeper all the same:
    /// what goes on for ever must come to an end.
    pub(super) fn begin_anew(&mut self, args: &[Word]) {
        self.program.permits.write(Shortcut::Tails);
        let head = self.head.expect("only who may begin anew does");
        let (depth, nil) = (self.load(self.machine, DEPTH), self.constant(0));
        let too_deep = self.go_deeper(depth);
        self.unless_too_deep(too_deep, nil, args);
        for at in 0..self.vars.len() {
            let value = args.get(at).copied().unwrap_or(nil);
            self.b.def_var(self.vars[at], value);
        }
        self.b.ins().jump(head, &[]);
        self.ended = true;
    }
}

fn differ(different: &[(Term, Term)], a: Term, b: Term) -> bool {
    match (a, b) {
        // What lies in the heap may be equal without being the same.
        (Term::Known(a), Term::Known(b)) => a != b && !a.in_heap() && !b.in_heap(),
        _ => different.contains(&(a, b)) || different.contains(&(b, a)),
    }
}
