//! Groups of which only rows and columns are asked for.
//!
//! “Is 1 in the rows of my chain” is written as a list of places, a list of their rows, and a look into it. Where a
//! register can hold nothing but such a group, or such numbers of it, it holds their rows as bits instead, with the
//! columns beside them.

use super::chains;
use super::emit::{Emit, Word};
use super::regions::{Region, Span};
use crate::code::*;
use crate::facts::{self, types};
use crate::program::Program;
use crate::shortcut::Shortcut;
use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_frontend::Variable;
use std::collections::BTreeMap;
use std::mem::offset_of;

/// What is done with rows and columns instead of lists.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Step {
    Group,
    Copy,
    Rows,
    Columns,
    /// Whether a number is among them.
    Has(u32),
}

/// Where the code of a function deals with rows and columns.
#[derive(Default)]
pub(super) struct Spans {
    steps: BTreeMap<usize, Step>,
    /// For each register the columns beside what it holds.
    columns: BTreeMap<Reg, Variable>,
}

/// What a register holds.
#[derive(Clone, Copy, PartialEq)]
enum Held {
    Group,
    Numbers,
}

/// Where what a register holds from an instruction on is used.
fn uses(program: &Program, code: &[Op], from: Vec<usize>, reg: Reg) -> Vec<usize> {
    let (mut open, mut seen, mut found) = (from, vec![false; code.len() + 1], Vec::new());
    while let Some(pc) = open.pop() {
        if pc >= code.len() || std::mem::replace(&mut seen[pc], true) {
            continue;
        }
        let operands = facts::operands(&code[pc], &program.pools);
        if operands.uses.contains(&reg) {
            found.push(pc);
        }
        open.extend(operands.blocks.iter().map(|block| block.start as usize));
        // What looks through things writes what it found once it has asked them all.
        if operands.dst == Some(reg) && (operands.blocks.is_empty() || matches!(code[pc], Op::Look { .. })) {
            // On the other way it is not written.
            if let Op::GetIfHas { missing: to, .. } | Op::Next { end: to, .. } = code[pc] {
                open.push(to as usize);
            }
            continue;
        }
        open.extend(code[pc].target().map(|to| to as usize));
        if code[pc].falls_through() {
            open.push(pc + 1);
        }
    }
    found
}

/// The row or column of each member, if that is what is looked for.
fn field_of_each(program: &Program, code: &[Op], look: &Look) -> Option<Step> {
    let [board] = program.world.boards.as_slice() else { return None };
    let Measure::Code(Block { start, it }) = look.measure else { return None };
    let Op::GetIfHas { dst, entity, name, .. } = code[start as usize] else { return None };
    let Op::Jump { to } = code[start as usize + 1] else { return None };
    let Op::BlockEnd { src } = code[to as usize] else { return None };
    if look.quantifier != Quantifier::All || look.test != Test::Always || entity != it || src != dst {
        return None;
    }
    match program.answers.get(&name)?.get(board.kind as usize)? {
        Some(Answer::Field(Field::Row)) => Some(Step::Rows),
        Some(Answer::Field(Field::Column)) => Some(Step::Columns),
        _ => None,
    }
}

impl Spans {
    /// Nothing where a list may be needed.
    pub fn of(program: &Program, code: &[Op], region: impl Fn(&Group) -> bool) -> Spans {
        let mut steps = BTreeMap::new();
        for (pc, op) in code.iter().enumerate() {
            if let Op::Group { dst, group } = *op
                && region(&program.pools.groups[group as usize])
            {
                let known = steps.clone();
                steps.insert(pc, Step::Group);
                if follow(program, code, (pc, dst), &mut steps).is_none() {
                    steps = known;
                }
            }
        }
        // Only if whatever reaches them is dealt with alike.
        let alone = steps.iter().all(|(&pc, &step)| {
            let reg = match code[pc] {
                Op::Move { src, .. } | Op::Members { src, .. } => src,
                Op::IsIn { list, .. } => list,
                Op::Look { look, .. } => match program.pools.looks[look as usize].domain {
                    Domain::Reg(reg) => reg,
                    Domain::Kind(_) => return false,
                },
                _ => return step == Step::Group,
            };
            let held = |pc: usize| match steps.get(&pc) {
                Some(Step::Group | Step::Copy) => true,
                Some(Step::Rows | Step::Columns) => matches!(step, Step::Copy | Step::Has(_)),
                _ => false,
            };
            let reaches = |from: usize| uses(program, code, vec![from], reg).contains(&pc);
            let written =
                code.iter().enumerate().filter(|(_, op)| facts::operands(op, &program.pools).dst == Some(reg));
            !reaches(0) && written.into_iter().all(|(at, _)| held(at) || !reaches(at + 1))
        });
        Spans { steps: if alone { steps } else { BTreeMap::new() }, columns: BTreeMap::new() }
    }
}

/// What is done with a group that is made here; none if more is done than to look for rows and columns.
fn follow(program: &Program, code: &[Op], made: (usize, Reg), steps: &mut BTreeMap<usize, Step>) -> Option<()> {
    let mut open = vec![(made.0, made.1, Held::Group)];
    let mut seen = Vec::new();
    while let Some((pc, reg, held)) = open.pop() {
        if seen.contains(&(pc, reg)) {
            continue;
        }
        seen.push((pc, reg));
        for at in uses(program, code, vec![pc + 1], reg) {
            let (step, next) = match code[at] {
                Op::Move { dst, .. } => (Step::Copy, Some((dst, held))),
                Op::Members { dst, .. } if held == Held::Group => (Step::Copy, Some((dst, held))),
                Op::Look { dst, look } if held == Held::Group => {
                    let look = &program.pools.looks[look as usize];
                    if look.domain != Domain::Reg(reg) {
                        return None;
                    }
                    (field_of_each(program, code, look)?, Some((dst, Held::Numbers)))
                }
                Op::IsIn { a, list, .. } if held == Held::Numbers && list == reg && a != reg => {
                    (Step::Has(number(code, at, a)?), None)
                }
                _ => return None,
            };
            if *steps.entry(at).or_insert(step) != step {
                return None;
            }
            open.extend(next.map(|(dst, held)| (at, dst, held)));
        }
    }
    Some(())
}

/// The number that was written into a register just before.
fn number(code: &[Op], pc: usize, reg: Reg) -> Option<u32> {
    let before = pc.checked_sub(1)?;
    let meet = code.iter().any(|op| op.target() == Some(pc as u32));
    match code[before] {
        Op::Const { dst, value } if dst == reg && !meet => u32::try_from(value.as_whole()?).ok().filter(|&n| n < 64),
        _ => None,
    }
}

impl Emit<'_, '_> {
    pub(super) fn find_spans(&mut self) {
        let (program, tables) = (self.program, self.tables);
        if !program.may(Shortcut::Chains) {
            return;
        }
        self.spans = Spans::of(program, self.code, |group| tables.chained(group).is_some());
    }

    /// Writes an instruction that deals with rows and columns; false if it does not.
    pub(super) fn span(&mut self, op: &Op) -> bool {
        let Some(&step) = self.spans.steps.get(&self.pc).filter(|_| self.inlined.is_none()) else { return false };
        match (step, *op) {
            (Step::Group, Op::Group { dst, group }) => self.span_of_group(dst, group, op),
            (Step::Copy, Op::Move { dst, src } | Op::Members { dst, src }) => {
                let (rows, columns) = (self.get(src), self.columns_of(src));
                self.set_span(dst, rows, columns);
            }
            (Step::Rows | Step::Columns, Op::Look { dst, look }) => {
                let Domain::Reg(src) = self.program.pools.looks[look as usize].domain else { return false };
                let numbers = if step == Step::Rows { self.get(src) } else { self.columns_of(src) };
                self.set_span(dst, numbers, numbers);
            }
            (Step::Has(number), Op::IsIn { dst, list, .. }) => {
                let numbers = self.get(list);
                let bit = self.b.ins().band_imm_s(numbers, (1u64 << number) as i64);
                let among = self.b.ins().icmp_imm_u(IntCC::NotEqual, bit, 0);
                let value = self.truth(among);
                self.set(dst, value);
            }
            _ => return false,
        }
        true
    }

    fn columns_of(&mut self, reg: Reg) -> Word {
        let variable = self.column_variable(reg);
        self.b.use_var(variable)
    }

    fn column_variable(&mut self, reg: Reg) -> Variable {
        let b = &mut self.b;
        *self.spans.columns.entry(reg).or_insert_with(|| b.declare_var(I64))
    }

    fn set_span(&mut self, reg: Reg, rows: Word, columns: Word) {
        self.set(reg, rows);
        let variable = self.column_variable(reg);
        self.b.def_var(variable, columns);
    }

    fn span_of_group(&mut self, dst: Reg, group: u32, op: &Op) {
        self.program.permits.write(Shortcut::Chains);
        let (tables, group) = (self.tables, &self.program.pools.groups[group as usize]);
        let Some((region, wanted)) = tables.chained(group) else { unreachable!("it was found before") };
        let (from, wanted, wanted_mask) = (self.get(group.from), self.get(wanted), self.mask(wanted));
        let address = self.constant(region as *const Region as u64);
        let (ordinary, odd, done) = (self.b.create_block(), self.cold(), self.b.create_block());
        let found = self.b.append_block_param(done, I64);
        let inside = self.is_among(from, region.first, region.first + region.n);
        let mut plain = inside;
        if wanted_mask & (types::HEAP | types::NIL) != 0 {
            let in_heap = self.in_heap(wanted);
            let nil = self.b.ins().icmp_imm_u(IntCC::Equal, wanted, 0);
            let either = self.b.ins().bor(in_heap, nil);
            plain = self.b.ins().band_not(inside, either);
        }
        self.b.ins().brif(plain, ordinary, &[], odd, &[]);
        self.at(odd);
        self.simple(op);
        let list = self.get(dst);
        let args = [self.machine, address, list];
        let span = self.helper(chains::listed as *const () as usize, &args, false);
        self.b.ins().jump(done, &[span.into()]);
        self.at(ordinary);
        let steps = self.constant(u64::from(region.n));
        self.spend(steps);
        let args = [self.machine, address, from, wanted];
        let span = self.helper(chains::reached as *const () as usize, &args, false);
        self.b.ins().jump(done, &[span.into()]);
        self.at(done);
        let rows = self.load(found, offset_of!(Span, rows));
        let columns = self.load(found, offset_of!(Span, columns));
        self.set_span(dst, rows, columns);
    }
}
