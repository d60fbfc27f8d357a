//! What a word means for a place of the only board, whose kind is known.

use super::emit::*;
use super::helpers;
use crate::code::*;
use crate::facts::{self, types};
use crate::layout;
use crate::value::Value;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{BlockArg, InstBuilder};

impl Emit<'_, '_> {
    /// The word asked of a place of the only board, if that can be told in place; `other` for whatever else it is asked
    /// of. None if places have no such answer.
    pub(super) fn asked_of_place(
        &mut self,
        of: Word,
        name: NameId,
        other: impl FnOnce(&mut Self) -> Word,
    ) -> Option<Word> {
        let [board] = self.program.world.boards.as_slice() else { return None };
        let answer = self.program.answers.get(&name)?[board.kind as usize]?;
        let (first, end) = (board.first, board.first + board.n);
        let tellable = match answer {
            Answer::Property(prop) => {
                let column = self.program.layout.column(prop);
                prop != layout::STATE && column.0 <= first && end <= column.1
            }
            Answer::Field(Field::Top | Field::Empty) => {
                let column = self.program.layout.column(layout::TOP);
                column.0 <= first && end <= column.1
            }
            Answer::Field(Field::Row | Field::Column | Field::Number) => true,
            Answer::Field(_) => false,
            Answer::Define(func) => {
                self.ids[func as usize].is_some() && self.program.functions[func as usize].n_args == 1
            }
            Answer::Direction(_) | Answer::Set(_) | Answer::Relative(_) | Answer::RelativeSet(_) => true,
        };
        if !tellable {
            return None;
        }
        let done = self.b.create_block();
        let result = self.b.append_block_param(done, I64);
        let (here, elsewhere) = (self.b.create_block(), self.cold());
        let among = self.is_among(of, first, end);
        self.b.ins().brif(among, here, &[], elsewhere, &[]);
        self.at(elsewhere);
        let value = other(self);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(here);
        let value = self.told(answer, of);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(done);
        Some(result)
    }

    /// The places around one, in the directions of a set.
    pub(super) fn around(&mut self, dst: Reg, entity: Reg, op: &Op) {
        let answer = match *op {
            Op::StepSet { set, .. } => Answer::Set(set),
            Op::StepRelativeSet { set, .. } => Answer::RelativeSet(set),
            _ => unreachable!("only these are native"),
        };
        let [board] = self.program.world.boards.as_slice() else { return self.simple(op) };
        let of = self.get(entity);
        let done = self.b.create_block();
        let result = self.b.append_block_param(done, I64);
        let (here, elsewhere) = (self.b.create_block(), self.cold());
        let among = self.is_among(of, board.first, board.first + board.n);
        self.b.ins().brif(among, here, &[], elsewhere, &[]);
        self.at(elsewhere);
        self.simple(op);
        let value = self.get(dst);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(here);
        let value = self.told(answer, of);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(done);
        self.set(dst, result);
    }

    /// The places that leaps lead to.
    pub(super) fn leap(&mut self, dst: Reg, (a, b): (Reg, Reg), from: Reg, op: &Op) {
        let (tables, program) = (self.tables, self.program);
        let far = super::laid::leap(&self.code[..self.pc], &program.pools, (a, b));
        let table = far.and_then(|far| tables.laid.leaps.get(&far).map(|table| (far, table)));
        let (Some(((across, up), table)), [board]) = (table, program.world.boards.as_slice()) else {
            return self.simple(op);
        };
        let (of, a, b) = (self.get(from), self.get(a), self.get(b));
        let among = self.is_among(of, board.first, board.first + board.n);
        let mut usual = among;
        for (word, number) in [(a, across), (b, up)] {
            let number = Value::whole(number).unwrap_or(Value::NIL).0;
            let same = self.b.ins().icmp_imm_s(IntCC::Equal, word, number as i64);
            usual = self.b.ins().band(usual, same);
        }
        let (here, elsewhere, done) = (self.b.create_block(), self.cold(), self.b.create_block());
        self.b.ins().brif(usual, here, &[], elsewhere, &[]);
        self.at(elsewhere);
        self.simple(op);
        self.b.ins().jump(done, &[]);
        self.at(here);
        let list = self.tabled(table, of);
        let value = self.lay(list);
        self.set(dst, value);
        self.b.ins().jump(done, &[]);
        self.at(done);
    }

    /// What a place of the only board answers.
    fn told(&mut self, answer: Answer, of: Word) -> Word {
        let tables = self.tables;
        match answer {
            Answer::Property(prop) => self.property(of, types::ENTITY, prop),
            Answer::Field(Field::Empty) => {
                let top = self.property(of, types::ENTITY, layout::TOP);
                let empty = self.b.ins().icmp_imm_u(IntCC::Equal, top, 0);
                self.truth(empty)
            }
            Answer::Field(Field::Row) => self.tabled(&tables.rows, of),
            Answer::Field(Field::Column) => self.tabled(&tables.columns, of),
            Answer::Field(Field::Number) => self.tabled(&tables.numbers, of),
            Answer::Field(_) => self.property(of, types::ENTITY, layout::TOP),
            Answer::Define(func) => self.call(func, &[of]),
            Answer::Direction(way) => self.tabled(&tables.steps[way as usize], of),
            Answer::Set(set) => {
                let list = self.tabled(&tables.laid.around[set as usize], of);
                self.lay(list)
            }
            Answer::Relative(turn) => {
                let table = self.by_seat(&tables.relative[turn as usize]);
                self.step_by(table, of)
            }
            Answer::RelativeSet(set) => {
                let table = self.by_seat(&tables.laid.relative_around[set as usize]);
                let list = self.next_place(table, of);
                self.lay(list)
            }
        }
    }

    /// The word for an entity in a table of all of them.
    pub(super) fn tabled(&mut self, table: &[u64], of: Word) -> Word {
        let table = self.constant(table.as_ptr() as u64);
        self.next_place(table, of)
    }

    /// The next place by a table of steps; nil if there is no table.
    fn step_by(&mut self, table: Word, of: Word) -> Word {
        let done = self.b.create_block();
        let result = self.b.append_block_param(done, I64);
        let (nil, step) = (self.nil(), self.b.create_block());
        self.b.ins().brif(table, step, &[], done, &[BlockArg::Value(nil)]);
        self.at(step);
        let value = self.next_place(table, of);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(done);
        result
    }

    /// The word for the seat that the asker faces as: its owner's, or else the player's.
    pub(super) fn by_seat(&mut self, table: &[u64]) -> Word {
        let (asker, mask) = (self.get(0), self.mask(0));
        let owner = self.property(asker, mask, layout::OWNER);
        let player = self.player();
        let facing = self.b.ins().select(owner, owner, player);
        let seat = self.behind(facing, 1);
        let known = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, seat, table.len() as i64);
        // Who is no player faces as the first one.
        let first = self.constant(0);
        let seat = self.b.ins().select(known, seat, first);
        let offset = self.b.ins().ishl_imm_u(seat, 3);
        let table = self.constant(table.as_ptr() as u64);
        let address = self.b.ins().iadd(table, offset);
        self.load(address, 0)
    }

    /// Lays a list that never changes into the heap.
    pub(super) fn lay(&mut self, list: Word) -> Word {
        self.helper(helpers::lay as *const () as usize, &[self.machine, list], false)
    }

    /// `(directions …)`: the same list for each seat, if nothing in it is computed.
    pub(super) fn direction_list(&mut self, dst: Reg, directions: u32) {
        let tables = self.tables;
        let table = match self.routed {
            true => &tables.laid.routes[directions as usize],
            false => &tables.laid.directions[directions as usize],
        };
        let turns = |ways: &Ways| matches!(ways, Ways::Relative(_) | Ways::RelativeSet(_));
        let list = match self.program.pools.directions[directions as usize].iter().any(turns) {
            true => self.by_seat(table),
            false => self.constant(table[0]),
        };
        let value = if self.routed { list } else { self.lay(list) };
        self.set(dst, value);
    }

    /// The state of a thing; the first state is stored as nothing.
    pub(super) fn state(&mut self, dst: Reg, entity: Reg, op: &Op) {
        let (of, mask) = (self.get(entity), self.mask(entity));
        let done = self.b.create_block();
        let result = self.b.append_block_param(done, I64);
        let (thing, other) = (self.b.create_block(), self.cold());
        let is_entity = match mask {
            types::ENTITY => self.constant(1),
            _ => self.is_entity(of),
        };
        self.b.ins().brif(is_entity, thing, &[], other, &[]);
        self.at(other);
        self.simple(op);
        let value = self.get(dst);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(thing);
        let state = self.property(of, types::ENTITY, layout::STATE);
        let first = self.constant(Value::text(self.program.states[0]).0);
        let value = self.b.ins().select(state, state, first);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(done);
        self.set(dst, result);
    }

    /// The direction from one place to another: by a table, if the board has one.
    pub(super) fn toward(&mut self, dst: Reg, a: Reg, b: Reg, op: &Op) {
        let table = &self.tables.laid.toward;
        let [board] = self.program.world.boards.as_slice() else {
            return self.direct(helpers::toward as *const () as usize, op);
        };
        if table.is_empty() {
            return self.direct(helpers::toward as *const () as usize, op);
        }
        let (from, to, table) = (self.get(a), self.get(b), table.as_ptr() as u64);
        let (fast, other, done) = (self.b.create_block(), self.cold(), self.b.create_block());
        let end = board.first + board.n;
        let (begins, ends) = (self.is_among(from, board.first, end), self.is_among(to, board.first, end));
        let both = self.b.ins().band(begins, ends);
        self.b.ins().brif(both, fast, &[], other, &[]);
        self.at(other);
        self.direct(helpers::toward as *const () as usize, op);
        self.b.ins().jump(done, &[]);
        self.at(fast);
        let row = self.behind(from, board.first);
        let row = self.b.ins().imul_imm_s(row, i64::from(board.n));
        let column = self.behind(to, board.first);
        let entry = self.b.ins().iadd(row, column);
        let offset = self.b.ins().ishl_imm_u(entry, 3);
        let table = self.constant(table);
        let address = self.b.ins().iadd(table, offset);
        let way = self.load(address, 0);
        self.set(dst, way);
        self.b.ins().jump(done, &[]);
        self.at(done);
    }

    /// A step in a direction that was computed.
    pub(super) fn step_value(&mut self, dst: Reg, direction: Reg, from: Reg, op: &Op) {
        let tables = self.tables;
        let (way, from) = (self.get(direction), self.get(from));
        let tag = self.b.ins().ushr_imm_u(way, i64::from(TAG));
        let is_way = self.b.ins().icmp_imm_u(IntCC::Equal, tag, DIRECTION_TAG as i64);
        let known = self.is_among(from, 0, self.program.world.entities.len() as u32);
        let plain = self.b.ins().band(is_way, known);
        let done = self.b.create_block();
        let result = self.b.append_block_param(done, I64);
        let (fast, other) = (self.b.create_block(), self.cold());
        self.b.ins().brif(plain, fast, &[], other, &[]);
        self.at(other);
        self.simple(op);
        let value = self.get(dst);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(fast);
        let table = self.constant(tables.ways.as_ptr() as u64);
        let table = self.table_of_way(table, way);
        let value = self.next_place(table, from);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(done);
        self.set(dst, result);
    }

    /// The table of steps of a direction, as a value.
    pub(super) fn table_of_way(&mut self, ways: Word, way: Word) -> Word {
        let number = self.b.ins().band_imm_u(way, i64::from(u32::MAX));
        let offset = self.b.ins().ishl_imm_u(number, 3);
        let address = self.b.ins().iadd(ways, offset);
        self.load(address, 0)
    }

    /// Whether something is among the members of a list.
    pub(super) fn is_in(&mut self, dst: Reg, a: Reg, list: Reg, op: &Op) {
        let (wanted, list) = (self.get(a), self.get(list));
        let tag = self.b.ins().ushr_imm_u(list, i64::from(TAG));
        let is_list = self.b.ins().icmp_imm_u(IntCC::Equal, tag, LIST_TAG as i64);
        let in_heap = self.in_heap(wanted);
        let plain = self.b.ins().bxor_imm_u(in_heap, 1);
        let plain = self.b.ins().band(plain, is_list);
        let done = self.b.create_block();
        let result = self.b.append_block_param(done, I64);
        let (fast, other) = (self.b.create_block(), self.cold());
        self.b.ins().brif(plain, fast, &[], other, &[]);
        self.at(other);
        self.simple(op);
        let value = self.get(dst);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(fast);
        let address = self.list_address(list);
        let n = self.load(address, 0);
        self.spend(n);
        let bytes = self.b.ins().ishl_imm_u(n, 3);
        let end = self.b.ins().iadd(address, bytes);
        let (head, look) = (self.b.create_block(), self.b.create_block());
        let at = self.b.append_block_param(head, I64);
        self.b.ins().jump(head, &[BlockArg::Value(address)]);
        self.at(head);
        let (nil, yes) = (self.nil(), self.constant(1));
        let over = self.b.ins().icmp(IntCC::Equal, at, end);
        self.b.ins().brif(over, done, &[BlockArg::Value(nil)], look, &[]);
        self.at(look);
        let member = self.load(at, 8);
        let next = self.b.ins().iadd_imm_s(at, 8);
        let same = self.b.ins().icmp(IntCC::Equal, member, wanted);
        self.b.ins().brif(same, done, &[BlockArg::Value(yes)], head, &[BlockArg::Value(next)]);
        self.at(done);
        self.set(dst, result);
    }

    /// An instruction on two values that has a helper of its own: no registers in memory, no looking up what it is.
    pub(super) fn direct(&mut self, helper: usize, op: &Op) {
        let operands = facts::operands(op, &self.program.pools);
        let args: Vec<Word> = operands.uses.iter().map(|&reg| self.get(reg)).collect();
        let value = self.helper_here(helper, &args);
        if let Some(dst) = operands.dst {
            self.set(dst, value);
        }
    }
}
