//! Memory as native code reads and writes it: slots, properties, fields, who plays.

use super::emit::*;
use super::helpers;
use crate::code::*;
use crate::facts::types::{self, Mask};
use crate::layout;
use crate::memory::Change;
use crate::value::Value;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{self, BlockArg, InstBuilder, MemFlagsData};
use std::mem::offset_of;

impl Emit<'_, '_> {
    pub(super) fn slots(&mut self) -> Word {
        // Where nothing can be made in play the slots stay where they are: it is enough to find them once.
        let flags = match self.program.layout.made_stride <= 1 {
            true => MemFlagsData::trusted().with_readonly().with_can_move(),
            false => MemFlagsData::trusted(),
        };
        self.b.ins().load(I64, flags, self.machine, SLOTS as i32)
    }

    pub(super) fn slot(&mut self, slot: u32) -> Word {
        let slots = self.slots();
        self.load(slots, 8 * slot as usize)
    }

    /// Writes a slot and keeps what it held. `index` counts slots.
    pub(super) fn write(&mut self, index: Word, value: Word, mask: Mask) {
        self.write_and(index, value, mask, false, |_, _| {});
    }

    /// The same, `fresh` if the slot surely holds nil and something else is written; what else is to be done where the slot
    /// held something else is told how many changes there were before.
    fn write_and(&mut self, index: Word, value: Word, mask: Mask, fresh: bool, also: impl FnOnce(&mut Self, Word)) {
        let slots = self.slots();
        let offset = self.b.ins().ishl_imm_u(index, 3);
        let address = self.b.ins().iadd(slots, offset);
        let old = if fresh { self.nil() } else { self.load(address, 0) };
        let done = self.b.create_block();
        if !fresh {
            let same = self.b.ins().icmp(IntCC::Equal, old, value);
            let change = self.b.create_block();
            self.b.ins().brif(same, done, &[], change, &[]);
            self.at(change);
        }
        self.store(value, address, 0);
        let n = self.load(self.machine, JOURNAL_LEN);
        let room = self.load(self.machine, JOURNAL_ROOM);
        let full = self.b.ins().icmp(IntCC::Equal, n, room);
        let (more, note) = (self.cold(), self.b.create_block());
        self.b.ins().brif(full, more, &[], note, &[]);
        self.at(more);
        self.helper(helpers::more_journal as *const () as usize, &[self.machine], false);
        self.b.ins().jump(note, &[]);
        self.at(note);
        let journal = self.load(self.machine, JOURNAL);
        let offset = self.b.ins().ishl_imm_u(n, 4);
        let entry = self.b.ins().iadd(journal, offset);
        self.store(index, entry, offset_of!(Change, slot));
        self.store(old, entry, offset_of!(Change, old));
        let more = self.b.ins().iadd_imm_s(n, 1);
        self.store(more, self.machine, JOURNAL_LEN);
        also(self, n);
        if mask & types::HEAP != 0 {
            let tag = self.b.ins().ushr_imm_u(value, i64::from(TAG));
            let above = self.b.ins().iadd_imm_s(tag, -6);
            let in_heap = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThanOrEqual, above, 2);
            let known = self.b.ins().load(ir::types::I8, MemFlagsData::trusted(), self.machine, STORED as i32);
            let now = self.b.ins().bor(known, in_heap);
            self.b.ins().store(MemFlagsData::trusted(), now, self.machine, STORED as i32);
        }
        self.b.ins().jump(done, &[]);
        self.at(done);
    }

    /// How far an entity lies behind another, if the value is an entity at all: compared without sign, anything else
    /// is far away.
    pub(super) fn behind(&mut self, value: Word, first: u32) -> Word {
        let first = self.constant(ENTITY_TAG | u64::from(first));
        self.b.ins().isub(value, first)
    }

    /// A property of whatever the value is.
    pub(super) fn property(&mut self, of: Word, mask: Mask, prop: PropId) -> Word {
        self.property_or(of, mask, prop, |emit| {
            let number = emit.constant(u64::from(prop));
            emit.helper_here(helpers::get_prop as *const () as usize, &[of, number])
        })
    }

    /// As `property`, with another way for what is not a thing or nil.
    pub(super) fn property_or(
        &mut self,
        of: Word,
        mask: Mask,
        prop: PropId,
        slow: impl FnOnce(&mut Self) -> Word,
    ) -> Word {
        let layout = &self.program.layout;
        let (first, end, base) = layout.column(prop);
        let made = layout.made_offset(prop);
        let done = self.b.create_block();
        let result = self.b.append_block_param(done, I64);
        if end > first {
            let behind = self.behind(of, first);
            let here = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, behind, i64::from(end - first));
            let (fast, other) = (self.b.create_block(), self.cold());
            self.b.ins().brif(here, fast, &[], other, &[]);
            self.at(fast);
            let slots = self.slots();
            let offset = self.b.ins().ishl_imm_u(behind, 3);
            let address = self.b.ins().iadd(slots, offset);
            let value = self.load(address, 8 * base as usize);
            self.b.ins().jump(done, &[BlockArg::Value(value)]);
            self.at(other);
        }
        if made != 0 {
            let behind = self.behind(of, layout.first_made);
            let here = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, behind, i64::from(u32::MAX));
            let (fast, other) = (self.b.create_block(), self.b.create_block());
            self.b.ins().brif(here, fast, &[], other, &[]);
            self.at(fast);
            let slots = self.slots();
            let offset = self.b.ins().imul_imm_s(behind, 8 * i64::from(layout.made_stride));
            let address = self.b.ins().iadd(slots, offset);
            let value = self.load(address, 8 * (layout.made_base + made) as usize);
            self.b.ins().jump(done, &[BlockArg::Value(value)]);
            self.at(other);
        }
        if mask & types::NIL != 0 {
            let nil = self.constant(0);
            let other = self.cold();
            self.b.ins().brif(of, other, &[], done, &[BlockArg::Value(nil)]);
            self.at(other);
        }
        let value = slow(self);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(done);
        result
    }

    /// A field that is the same word for all places of the only board.
    pub(super) fn field_of(&mut self, of: Word, field: Field, op: &Op) -> Word {
        let tables = self.tables;
        let (table, boards): (&[u64], _) = match field {
            Field::Row => (&tables.rows, &self.program.world.boards),
            Field::Column => (&tables.columns, &self.program.world.boards),
            Field::Number => (&tables.numbers, &self.program.world.boards),
            _ => return self.calling(op),
        };
        let [board] = boards.as_slice() else { return self.calling(op) };
        let done = self.b.create_block();
        let result = self.b.append_block_param(done, I64);
        let (fast, other) = (self.b.create_block(), self.cold());
        let here = self.is_among(of, board.first, board.first + board.n);
        self.b.ins().brif(here, fast, &[], other, &[]);
        self.at(fast);
        let address = self.constant(table.as_ptr() as u64);
        let value = self.next_place(address, of);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(other);
        let value = self.calling(op);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(done);
        result
    }

    /// A step in a direction that depends on whose thing asks; the player's, if it is nobody's.
    pub(super) fn step_relative(&mut self, dst: Reg, entity: Reg, turn: u8, op: &Op) {
        let n_seats = self.program.world.n_seats;
        let (of, asker, mask) = (self.get(entity), self.get(0), self.mask(0));
        let owner = self.property(asker, mask, layout::OWNER);
        let player = self.player();
        let facing = self.b.ins().select(owner, owner, player);
        let seat = self.behind(facing, 1);
        let known = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, seat, i64::from(n_seats));
        let board = &self.program.world.boards[0];
        let here = self.is_among(of, board.first, board.first + board.n);
        let usual = self.b.ins().band(known, here);
        let done = self.b.create_block();
        let result = self.b.append_block_param(done, I64);
        let (fast, other, step) = (self.b.create_block(), self.cold(), self.b.create_block());
        self.b.ins().brif(usual, fast, &[], other, &[]);
        self.at(fast);
        let tables = self.tables;
        let address = self.constant(tables.relative[turn as usize].as_ptr() as u64);
        let offset = self.b.ins().ishl_imm_u(seat, 3);
        let address = self.b.ins().iadd(address, offset);
        let table = self.load(address, 0);
        let nil = self.constant(0);
        self.b.ins().brif(table, step, &[], done, &[BlockArg::Value(nil)]);
        self.at(step);
        let value = self.next_place(table, of);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(other);
        self.simple(op);
        let value = self.get(dst);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(done);
        self.set(dst, result);
    }

    /// Puts a thing into a state; the first state is stored as nothing.
    pub(super) fn change_state(&mut self, entity: Reg, state: Reg, op: &Op) {
        let (of, state) = (self.get(entity), self.get(state));
        let (first, end, base) = self.program.layout.column(layout::STATE);
        let done = self.b.create_block();
        let other = self.cold();
        let surely = self.is_surely_among(entity, first, end);
        if !surely {
            let fast = self.b.create_block();
            let here = self.is_among(of, first, end);
            self.b.ins().brif(here, fast, &[], other, &[]);
            self.at(fast);
        }
        let default = self.constant(Value::text(self.program.states[0]).0);
        let is_default = self.b.ins().icmp(IntCC::Equal, state, default);
        let nil = self.nil();
        let value = self.b.ins().select(is_default, nil, state);
        let behind = self.behind(of, first);
        let index = self.b.ins().iadd_imm_s(behind, i64::from(base));
        self.write(index, value, types::TEXT | types::NIL);
        self.b.ins().jump(done, &[]);
        if !surely {
            self.at(other);
            self.simple(op);
            self.b.ins().jump(done, &[]);
        }
        self.at(done);
    }

    /// Whether setting this property needs no more than writing a slot: every thing in its column has it, none of
    /// them can leave, and it may hold anything.
    pub(super) fn plainly_set(&self, prop: PropId) -> bool {
        let (first, end, _) = self.program.layout.column(prop);
        let info = &self.program.layout.props[prop as usize];
        prop > layout::GONE
            && (first..end).all(|entity| {
                let thing = &self.program.world.entities[entity as usize];
                info.kinds[thing.kind as usize]
                    && !self.program.layout.is_relation(prop, thing.kind)
                    && (thing.board.is_some() || thing.kind <= 1)
            })
    }

    pub(super) fn set_property(&mut self, entity: Reg, prop: PropId, src: Reg) {
        let (of, value, mask) = (self.get(entity), self.get(src), self.mask(src));
        let (first, end, base) = self.program.layout.column(prop);
        let plainly = end > first && self.plainly_set(prop);
        if plainly && self.is_surely_among(entity, first, end) {
            let behind = self.behind(of, first);
            let index = self.b.ins().iadd_imm_s(behind, i64::from(base));
            let fresh = mask & types::NIL == 0 && self.is_surely_nil(entity, prop);
            return self.write_and(index, value, mask, fresh, |emit, changes| {
                emit.mark_place(prop, behind, (value, mask), fresh, changes);
            });
        }
        let done = self.b.create_block();
        if plainly {
            let behind = self.behind(of, first);
            let here = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, behind, i64::from(end - first));
            let (fast, other) = (self.b.create_block(), self.cold());
            self.b.ins().brif(here, fast, &[], other, &[]);
            self.at(fast);
            let index = self.b.ins().iadd_imm_s(behind, i64::from(base));
            self.write_and(index, value, mask, false, |emit, changes| {
                emit.mark_place(prop, behind, (value, mask), false, changes);
            });
            self.b.ins().jump(done, &[]);
            self.at(other);
        }
        let number = self.constant(u64::from(prop));
        self.helper_here(helpers::set_prop as *const () as usize, &[of, number, value]);
        self.b.ins().jump(done, &[]);
        self.at(done);
    }

    /// Something of each entity, from a table; otherwise as the interpreter does it, or nil for nil.
    pub(super) fn table(&mut self, of: Word, mask: Mask, table: &[u64], slow: impl FnOnce(&mut Self) -> Word) -> Word {
        let done = self.b.create_block();
        let result = self.b.append_block_param(done, I64);
        let behind = self.behind(of, 0);
        let known = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, behind, table.len() as i64);
        let (fast, other) = (self.b.create_block(), self.cold());
        self.b.ins().brif(known, fast, &[], other, &[]);
        self.at(fast);
        let value = self.known_in_table(of, table);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(other);
        if mask & types::NIL != 0 {
            let nil = self.constant(0);
            let slower = self.cold();
            self.b.ins().brif(of, slower, &[], done, &[BlockArg::Value(nil)]);
            self.at(slower);
        }
        let value = slow(self);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(done);
        result
    }

    /// The same of one that is sure to be in the table.
    pub(super) fn known_in_table(&mut self, of: Word, table: &[u64]) -> Word {
        let behind = self.behind(of, 0);
        let address = self.constant(table.as_ptr() as u64);
        let offset = self.b.ins().ishl_imm_u(behind, 3);
        let address = self.b.ins().iadd(address, offset);
        self.b.ins().load(I64, MemFlagsData::trusted().with_readonly(), address, 0)
    }

    pub(super) fn player(&mut self) -> Word {
        if let Some(player) = self.sides.0 {
            return player;
        }
        let actor = self.slot(layout::ACTOR);
        let first = self.first_player();
        self.b.ins().select(actor, actor, first)
    }

    pub(super) fn first_player(&mut self) -> Word {
        let head = self.slot(layout::HEAD);
        let slots = self.slots();
        let offset = self.b.ins().ishl_imm_u(head, 3);
        let address = self.b.ins().iadd(slots, offset);
        self.load(address, 8 * layout::ORDER as usize)
    }

    /// Passes the turn to the next in order, unless this action keeps it.
    pub(super) fn end_turn(&mut self) {
        let again = self.slot(layout::AGAIN);
        let (pass, done) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(again, done, &[], pass, &[]);
        self.at(pass);
        let (head, n, turn) = (self.slot(layout::HEAD), self.slot(layout::IN_PLAY), self.slot(layout::TURN));
        let next = self.b.ins().iadd_imm_s(head, 1);
        let round = self.b.ins().icmp(IntCC::Equal, next, n);
        let first = self.constant(0);
        let next = self.b.ins().select(round, first, next);
        let (yes, turn) = (self.constant(Value::TRUE.0), self.b.ins().iadd_imm_s(turn, 1));
        for (slot, word) in [(layout::HEAD, next), (layout::ENDED, yes), (layout::TURN, turn)] {
            let index = self.constant(u64::from(slot));
            self.write(index, word, types::TRUE);
        }
        self.b.ins().jump(done, &[]);
        self.at(done);
    }

    pub(super) fn opponent(&mut self) -> Word {
        if let Some(opponent) = self.sides.1 {
            return opponent;
        }
        let player = self.player();
        let done = self.b.create_block();
        let result = self.b.append_block_param(done, I64);
        let n = self.slot(layout::IN_PLAY);
        let two = self.b.ins().icmp_imm_u(IntCC::Equal, n, 2);
        let (fast, slow) = (self.b.create_block(), self.cold());
        self.b.ins().brif(two, fast, &[], slow, &[]);
        self.at(fast);
        let (one, other) = (self.slot(layout::ORDER), self.slot(layout::ORDER + 1));
        let is_one = self.b.ins().icmp(IntCC::Equal, player, one);
        let is_other = self.b.ins().icmp(IntCC::Equal, player, other);
        // Whoever plays no more has nobody against them.
        let nobody = self.nil();
        let value = self.b.ins().select(is_other, one, nobody);
        let value = self.b.ins().select(is_one, other, value);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(slow);
        let value = self.helper(helpers::next_player as *const () as usize, &[self.machine, player], false);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(done);
        result
    }

    /// Whether a place holds nothing; nothing is said of what is no place.
    pub(super) fn empty(&mut self, of: Word, mask: Mask, op: &Op) -> Word {
        let (first, end, _) = self.program.layout.column(layout::TOP);
        let done = self.b.create_block();
        let result = self.b.append_block_param(done, I64);
        let (fast, other) = (self.b.create_block(), self.cold());
        let here = self.is_among(of, first, end);
        self.b.ins().brif(here, fast, &[], other, &[]);
        self.at(fast);
        let top = self.property(of, mask, layout::TOP);
        let empty = self.b.ins().icmp_imm_u(IntCC::Equal, top, 0);
        let value = self.truth(empty);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(other);
        let value = self.field_slowly(op);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.at(done);
        result
    }

    /// A field or step of something that is in no table.
    pub(super) fn field_slowly(&mut self, op: &Op) -> Word {
        let (Op::GetField { entity, .. } | Op::Step { entity, .. }) = *op else { unreachable!("only these") };
        let of = self.get(entity);
        self.helper_here(helpers::field as *const () as usize, &[of])
    }

    /// Where a list begins in the heap.
    pub(super) fn list_address(&mut self, list: Word) -> Word {
        let heap = self.load(self.machine, HEAP);
        let offset = self.b.ins().band_imm_u(list, i64::from(u32::MAX));
        let offset = self.b.ins().ishl_imm_u(offset, 3);
        self.b.ins().iadd(heap, offset)
    }

    pub(super) fn heap_len(&mut self) -> Word {
        self.load(self.machine, HEAP_LEN)
    }

    pub(super) fn set_heap_len(&mut self, len: Word) {
        self.store(len, self.machine, HEAP_LEN);
    }
}
