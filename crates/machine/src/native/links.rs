//! Lines of a board that is drawn as links, each of which is a line.

use super::emit::*;
use crate::code::*;
use crate::program::Program;
use crate::value::Value;
use crate::world::EntityId;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{BlockArg, InstBuilder};

/// For each entity the lines through it: each as its length and its places, a length of 0 at the end.
pub(crate) struct Links {
    _lines: Vec<Box<[u64]>>,
    by_place: Box<[u64]>,
}

impl Links {
    pub fn of(program: &Program) -> Links {
        let through = |place: EntityId| {
            let mut words = Vec::new();
            for line in program.world.boards.iter().take(1).flat_map(|board| &board.lines) {
                if line.contains(&place) {
                    words.push(line.len() as u64);
                    words.extend(line.iter().map(|&place| Value::entity(place).0));
                }
            }
            words.push(0);
            words.into_boxed_slice()
        };
        let lines: Vec<Box<[u64]>> = (0..program.world.entities.len() as EntityId).map(through).collect();
        Links { by_place: lines.iter().map(|lines| lines.as_ptr() as u64).collect(), _lines: lines }
    }
}

impl Emit<'_, '_> {
    /// Whether a line is looked for among the links of the only board.
    pub(super) fn is_linked_line(&self) -> bool {
        matches!(self.program.world.boards.as_slice(), [board] if board.compass.is_empty())
    }

    /// Looks for a line of links. Only one that is there is listed, as the interpreter does it.
    pub(super) fn linked_line(&mut self, dst: Reg, line: &Line, op: &Op) {
        let tables = self.tables;
        let board = &self.program.world.boards[0];
        let (n, through) = (self.get(line.n), self.get(line.through));
        let (odd, out) = (self.cold(), self.b.create_block());
        let only_asked = self.only_asked(dst);
        let nil = self.nil();
        self.set(dst, nil);
        let whole = self.is_whole(n);
        let on_board = self.is_among(through, board.first, board.first + board.n);
        let usual = self.b.ins().band(whole, on_board);
        let go_on = self.b.create_block();
        self.b.ins().brif(usual, go_on, &[], odd, &[]);
        self.at(go_on);
        let value = self.measure(line.measure, through, true);
        let some = self.b.create_block();
        self.b.ins().brif(value, some, &[], out, &[]);
        self.at(some);
        let in_heap = self.in_heap(value);
        let plain = self.b.create_block();
        self.b.ins().brif(in_heap, odd, &[], plain, &[]);
        self.at(plain);
        let wanted = self.number_of(n);
        let lines = self.tabled(&tables.links.by_place, through);
        // Each line in turn: `at` is where it begins.
        let (head, one, long, next) =
            (self.b.create_block(), self.b.create_block(), self.b.create_block(), self.b.create_block());
        let at = self.b.append_block_param(head, I64);
        self.b.ins().jump(head, &[BlockArg::Value(lines)]);
        self.at(head);
        let length = self.load(at, 0);
        self.b.ins().brif(length, one, &[], out, &[]);
        self.at(one);
        let compared = if line.exactly { IntCC::Equal } else { IntCC::SignedGreaterThanOrEqual };
        let fits = self.b.ins().icmp(compared, length, wanted);
        self.b.ins().brif(fits, long, &[], next, &[]);
        self.at(next);
        let bytes = self.b.ins().ishl_imm_u(length, 3);
        let behind = self.b.ins().iadd(at, bytes);
        let behind = self.b.ins().iadd_imm_s(behind, 8);
        self.b.ins().jump(head, &[BlockArg::Value(behind)]);
        self.at(long);
        self.spend(length);
        let (look, found) = (self.b.create_block(), self.b.create_block());
        let index = self.b.append_block_param(look, I64);
        let zero = self.constant(0);
        self.b.ins().jump(look, &[BlockArg::Value(zero)]);
        self.at(look);
        let offset = self.b.ins().ishl_imm_u(index, 3);
        let address = self.b.ins().iadd(at, offset);
        let place = self.load(address, 8);
        let other = self.measure(line.measure, place, true);
        let same = self.b.ins().icmp(IntCC::Equal, other, value);
        let on = self.b.create_block();
        self.b.ins().brif(same, on, &[], next, &[]);
        self.at(on);
        let following = self.b.ins().iadd_imm_s(index, 1);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, following, length);
        self.b.ins().brif(more, look, &[BlockArg::Value(following)], found, &[]);
        if only_asked {
            return self.end_line(dst, true, (found, odd, out), op);
        }
        self.at(found);
        // The line as it lies in the table is the list.
        let list = self.lay(at);
        self.set(dst, list);
        self.b.ins().jump(out, &[]);
        self.at(odd);
        self.simple(op);
        self.b.ins().jump(out, &[]);
        self.at(out);
    }
}
