//! The living things of a kind, gone through by number: those of the start, then those made in play.

use super::emit::*;
use super::laid::Laid;
use crate::facts::types;
use crate::layout;
use crate::world::KindId;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block as Label, InstBuilder, MemFlagsData};

impl Emit<'_, '_> {
    /// The first number to look at, and the one behind the last.
    pub(super) fn numbers_of(&mut self, kind: KindId) -> (Word, Word) {
        let (first, end, _) = Laid::range(self.program, kind);
        let layout = &self.program.layout;
        if layout.made_stride <= 1 {
            return (self.constant(u64::from(first)), self.constant(u64::from(end)));
        }
        let begin = if first == end { layout.first_made } else { first };
        let made = self.slot(layout::MADE);
        let end = self.b.ins().iadd_imm_s(made, i64::from(layout.first_made));
        (self.constant(u64::from(begin)), end)
    }

    /// The number to look at next: behind those of the start come those made in play.
    pub(super) fn past_start(&mut self, number: Word, kind: KindId) -> Word {
        let (_, end, _) = Laid::range(self.program, kind);
        let layout = &self.program.layout;
        if layout.made_stride <= 1 || end == layout.first_made || end == 0 {
            return number;
        }
        let over = self.b.ins().icmp_imm_u(IntCC::Equal, number, i64::from(end));
        let made = self.constant(u64::from(layout.first_made));
        self.b.ins().select(over, made, number)
    }

    /// Goes on at `next` unless the thing is of the kind and still there.
    pub(super) fn unless_living(&mut self, it: Word, kind: KindId, next: Label) {
        let layout = &self.program.layout;
        let (first, _, whole) = Laid::range(self.program, kind);
        let (of_start, of_made, living) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        let made = layout.made_stride > 1;
        match made {
            true => {
                let known = self.is_among(it, 0, layout.first_made);
                self.b.ins().brif(known, of_start, &[], of_made, &[]);
            }
            false => {
                self.b.ins().jump(of_start, &[]);
            }
        }
        self.at(of_start);
        if !whole {
            let tables = self.tables;
            let table = self.constant(tables.laid.members[kind as usize].as_ptr() as u64);
            let number = self.behind(it, 0);
            self.unless_marked(table, number, next);
        }
        let (from, end, base) = layout.column(layout::GONE);
        if from <= first && end > from {
            let behind = self.behind(it, from);
            let slots = self.slots();
            let offset = self.b.ins().ishl_imm_u(behind, 3);
            let address = self.b.ins().iadd(slots, offset);
            let gone = self.load(address, 8 * base as usize);
            self.b.ins().brif(gone, next, &[], living, &[]);
        } else {
            let gone = self.property(it, types::ENTITY, layout::GONE);
            self.b.ins().brif(gone, next, &[], living, &[]);
        }
        self.at(of_made);
        if made {
            let behind = self.behind(it, layout.first_made);
            let slots = self.slots();
            let offset = self.b.ins().imul_imm_s(behind, 8 * i64::from(layout.made_stride));
            let block = self.b.ins().iadd(slots, offset);
            // The first slot of a block is the kind.
            let of = self.load(block, 8 * layout.made_base as usize);
            let tables = self.tables;
            let table = self.constant(tables.laid.kinds[kind as usize].as_ptr() as u64);
            self.unless_marked(table, of, next);
            match layout.made_offset(layout::GONE) {
                0 => {
                    self.b.ins().jump(living, &[]);
                }
                at => {
                    let gone = self.load(block, 8 * (layout.made_base + at) as usize);
                    self.b.ins().brif(gone, next, &[], living, &[]);
                }
            }
        } else {
            self.b.ins().jump(living, &[]);
        }
        self.at(living);
    }

    /// Goes on at `next` unless a table of bytes marks the number.
    fn unless_marked(&mut self, table: Word, number: Word, next: Label) {
        let address = self.b.ins().iadd(table, number);
        let marked =
            self.b.ins().uload8(cranelift_codegen::ir::types::I64, MemFlagsData::trusted().with_readonly(), address, 0);
        let go_on = self.b.create_block();
        self.b.ins().brif(marked, go_on, &[], next, &[]);
        self.at(go_on);
    }
}
