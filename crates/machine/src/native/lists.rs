//! Lists and what lies in a place, without registers in memory.

use super::emit::*;
use super::helpers;
use crate::code::*;
use crate::layout;
use crate::program::Program;
use crate::value::Value;
use crate::vm::Machine;
use crate::world::BoardLayout;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{BlockArg, InstBuilder};

impl Emit<'_, '_> {
    fn is_list(&mut self, word: Word) -> Word {
        let tag = self.b.ins().ushr_imm_u(word, i64::from(TAG));
        self.b.ins().icmp_imm_u(IntCC::Equal, tag, LIST_TAG as i64)
    }

    /// The members a loop runs over: a list stands for itself.
    pub(super) fn members(&mut self, dst: Reg, src: Reg, op: &Op) {
        let value = self.get(src);
        let (other, done) = (self.cold(), self.b.create_block());
        let result = self.b.append_block_param(done, I64);
        let is_list = self.is_list(value);
        self.b.ins().brif(is_list, done, &[BlockArg::Value(value)], other, &[]);
        self.at(other);
        self.simple(op);
        let value = self.get(dst);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(done);
        self.set(dst, result);
    }

    /// The first member of a list.
    pub(super) fn first(&mut self, dst: Reg, list: Reg, op: &Op) {
        let (list, nil) = (self.get(list), self.nil());
        let (fast, some, other, done) =
            (self.b.create_block(), self.b.create_block(), self.cold(), self.b.create_block());
        let result = self.b.append_block_param(done, I64);
        let is_list = self.is_list(list);
        self.b.ins().brif(is_list, fast, &[], other, &[]);
        self.at(fast);
        let address = self.list_address(list);
        let n = self.load(address, 0);
        self.b.ins().brif(n, some, &[], done, &[BlockArg::Value(nil)]);
        self.at(some);
        let member = self.load(address, 8);
        self.b.ins().jump(done, &[BlockArg::Value(member)]);
        self.at(other);
        self.simple(op);
        let value = self.get(dst);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(done);
        self.set(dst, result);
    }

    /// The greater or smaller of two values; nil is neither.
    pub(super) fn extreme(&mut self, so_far: Word, value: Word, greatest: bool) -> Word {
        let (fast, other, done) = (self.b.create_block(), self.cold(), self.b.create_block());
        let result = self.b.append_block_param(done, I64);
        let first = self.b.ins().icmp_imm_u(IntCC::Equal, so_far, 0);
        let (known, whole) = (self.is_whole(so_far), self.is_whole(value));
        let plain = self.b.ins().bor(first, known);
        let plain = self.b.ins().band(plain, whole);
        self.b.ins().brif(plain, fast, &[], other, &[]);
        self.at(fast);
        let (left, right) = (self.raised(so_far), self.raised(value));
        let beyond = if greatest { IntCC::SignedLessThan } else { IntCC::SignedGreaterThan };
        let better = self.b.ins().icmp(beyond, left, right);
        let better = self.b.ins().bor(better, first);
        let best = self.b.ins().select(better, value, so_far);
        self.b.ins().jump(done, &[BlockArg::Value(best)]);
        self.at(other);
        let best = self.helper_here(helpers::number as *const () as usize, &[so_far, value]);
        self.b.ins().jump(done, &[BlockArg::Value(best)]);
        self.at(done);
        result
    }

    /// The place with a number on a board that is counted through.
    pub(super) fn place_at(&mut self, dst: Reg, place: &PlaceAt, op: &Op) {
        let program = self.program;
        let board = program.world.boards.iter().find(|board| board.kind == place.kind);
        let counted = |board: &&crate::world::BoardInfo| {
            let places = board.first..board.first + board.n;
            !matches!(board.layout, BoardLayout::Grid { .. })
                && places.zip(1..).all(|(place, number)| {
                    let thing = &program.world.entities[place as usize];
                    thing.column == number && thing.row == 1
                })
        };
        let (Some(board), [number]) = (board.filter(counted), place.at.as_slice()) else { return self.simple(op) };
        let number = self.get(*number);
        let (here, other, done) = (self.b.create_block(), self.cold(), self.b.create_block());
        let result = self.b.append_block_param(done, I64);
        let one = self.constant(Value::small(1).0);
        let behind = self.b.ins().isub(number, one);
        let among = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, behind, i64::from(board.n));
        self.b.ins().brif(among, here, &[], other, &[]);
        self.at(here);
        let found = self.b.ins().iadd_imm_s(behind, i64::from(board.first));
        let found = self.entity(found);
        self.b.ins().jump(done, &[BlockArg::Value(found)]);
        self.at(other);
        self.simple(op);
        let value = self.get(dst);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(done);
        self.set(dst, result);
    }

    /// A field that a word means for everything of the start, whatever its kind; none if it means more than that, or
    /// cannot be told in place.
    pub(super) fn field_of_all(&mut self, of: Word, name: NameId, op: &Op) -> Option<Word> {
        let program = self.program;
        let answers = program.answers.get(&name)?;
        let (first, end, _) = program.layout.column(layout::TOP);
        let mut kinds = (first..end).map(|thing| answers[program.kinds[thing as usize] as usize]);
        let Some(Answer::Field(field)) = kinds.next()? else { return None };
        if !kinds.all(|answer| answer == Some(Answer::Field(field))) {
            return None;
        }
        let (here, other, done) = (self.b.create_block(), self.cold(), self.b.create_block());
        let result = self.b.append_block_param(done, I64);
        match field {
            Field::Top | Field::Empty | Field::Contents => {}
            _ => return None,
        }
        let among = self.is_among(of, first, end);
        self.b.ins().brif(among, here, &[], other, &[]);
        self.at(here);
        let value = match field {
            Field::Contents => self.helper_here(contents as *const () as usize, &[of]),
            _ => {
                let top = self.column(of, Some((first, end)), layout::TOP);
                match field {
                    Field::Top => top,
                    _ => {
                        let empty = self.b.ins().icmp_imm_u(IntCC::Equal, top, 0);
                        self.truth(empty)
                    }
                }
            }
        };
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(other);
        let value = self.calling(op);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(done);
        Some(result)
    }
}

/// What lies in a place, as a list.
extern "C" fn contents(machine: &mut Machine, program: &Program, at: u64, of: u64) -> u64 {
    let result = machine.get_field(program, Value(of), Field::Contents);
    helpers::finish(machine, program, at, result)
}

/// The members of two lists as one.
pub extern "C" fn join(machine: &mut Machine, program: &Program, at: u64, one: u64, other: u64) -> u64 {
    let result = machine.join(program, Value(one), Value(other));
    helpers::finish(machine, program, at, result)
}

/// The different members of a list.
pub extern "C" fn different(machine: &mut Machine, program: &Program, at: u64, list: u64) -> u64 {
    let result = machine.different(program, Value(list));
    helpers::finish(machine, program, at, result)
}
