//! Moving what lies on top of one place to another, written in place.

use super::emit::*;
use super::helpers;
use crate::code::*;
use crate::facts::types;
use crate::layout;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block as Label, InstBuilder};

/// Where a property of one thing lies.
#[derive(Clone, Copy)]
struct Slot(Word);

impl Emit<'_, '_> {
    /// `(move THING to PLACE)`: in place for a thing on top of a place of the only board, where no place counts or
    /// restocks what it holds.
    pub(super) fn move_to(&mut self, thing: Reg, place: Reg, op: &Op) {
        let kinds = &self.program.world.kinds;
        let plain = kinds.iter().all(|kind| kind.capacity.is_none() && kind.supply.is_none());
        let layout = &self.program.layout;
        let [board] = self.program.world.boards.as_slice() else {
            return self.direct(helpers::move_to as *const () as usize, op);
        };
        let (top_first, top_end, _) = layout.column(layout::TOP);
        if !plain || top_first > board.first || top_end < board.first + board.n {
            return self.direct(helpers::move_to as *const () as usize, op);
        }
        let (what, to) = (self.get(thing), self.get(place));
        let (odd, done, usual) = (self.cold(), self.b.create_block(), self.b.create_block());
        let on_board = self.is_among(to, board.first, board.first + board.n);
        self.b.ins().brif(on_board, usual, &[], odd, &[]);
        self.at(usual);
        let (first, end, _) = layout.column(layout::PLACE);
        if first < end {
            let (here, other) = (self.b.create_block(), self.b.create_block());
            let of_start = self.is_among(what, first.max(board.first + board.n), end);
            self.b.ins().brif(of_start, here, &[], other, &[]);
            self.at(here);
            self.move_on(what, to, (board.first, board.n), false, odd, done);
            self.at(other);
        }
        if layout.made_offset(layout::PLACE) != 0 {
            let here = self.b.create_block();
            let made = self.is_among(what, layout.first_made, u32::MAX);
            self.b.ins().brif(made, here, &[], odd, &[]);
            self.at(here);
            self.move_on(what, to, (board.first, board.n), true, odd, done);
        } else {
            self.b.ins().jump(odd, &[]);
        }
        self.at(odd);
        self.direct(helpers::move_to as *const () as usize, op);
        self.b.ins().jump(done, &[]);
        self.at(done);
    }

    /// Moves a thing of the start or one made in play, and goes on at `done`.
    fn move_on(&mut self, what: Word, to: Word, (first, n): (u32, u32), made: bool, odd: Label, done: Label) {
        let own = |emit: &mut Self, prop: PropId| {
            let layout = &emit.program.layout;
            Slot(match made {
                true => {
                    let behind = emit.behind(what, layout.first_made);
                    let block = emit.b.ins().imul_imm_s(behind, i64::from(layout.made_stride));
                    emit.b.ins().iadd_imm_s(block, i64::from(layout.made_base + layout.made_offset(prop)))
                }
                false => {
                    let (first, _, base) = layout.column(prop);
                    let behind = emit.behind(what, first);
                    emit.b.ins().iadd_imm_s(behind, i64::from(base))
                }
            })
        };
        let top = |emit: &mut Self, place: Word| {
            let (first, _, base) = emit.program.layout.column(layout::TOP);
            let behind = emit.behind(place, first);
            Slot(emit.b.ins().iadd_imm_s(behind, i64::from(base)))
        };
        let place_slot = own(self, layout::PLACE);
        let from = self.read(place_slot);
        let (lies, on_top) = (self.b.create_block(), self.b.create_block());
        let on_board = self.is_among(from, first, first + n);
        self.b.ins().brif(on_board, lies, &[], odd, &[]);
        self.at(lies);
        let left = top(self, from);
        let uppermost = self.read(left);
        let mut ordinary = self.b.ins().icmp(IntCC::Equal, uppermost, what);
        // A place that lies somewhere itself could be made to lie in itself.
        let (places, end, base) = self.program.layout.column(layout::PLACE);
        if places < first + n && end > first {
            let inside = self.behind(to, places);
            let slot = self.b.ins().iadd_imm_s(inside, i64::from(base));
            let around = self.read(Slot(slot));
            let free = self.b.ins().icmp_imm_u(IntCC::Equal, around, 0);
            ordinary = self.b.ins().band(ordinary, free);
        }
        self.b.ins().brif(ordinary, on_top, &[], odd, &[]);
        self.at(on_top);
        let thing = types::ENTITY | types::NIL;
        let under_slot = own(self, layout::UNDER);
        let under = self.read(under_slot);
        self.write(left.0, under, thing);
        let arrived = top(self, to);
        let beneath = self.read(arrived);
        self.write(under_slot.0, beneath, thing);
        self.write(arrived.0, what, thing);
        self.write(place_slot.0, to, thing);
        self.b.ins().jump(done, &[]);
    }

    fn read(&mut self, slot: Slot) -> Word {
        let slots = self.slots();
        let offset = self.b.ins().ishl_imm_u(slot.0, 3);
        let address = self.b.ins().iadd(slots, offset);
        self.load(address, 0)
    }
}
