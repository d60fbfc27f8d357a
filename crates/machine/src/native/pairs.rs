//! Lines on large boards: most places have no two alike in a row beside them, and then there is no line of four through
//! them. That is found out in all directions at once, because what lies in each of them cannot be foreseen.

use super::emit::{Emit, Word};
use crate::code::{Measure, PropId};
use crate::layout;
use crate::program::Program;
use crate::shortcut::Shortcut;
use crate::world::{DirId, EntityId, NOBODY};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData};
use std::collections::BTreeMap;

/// Shorter lines may have one on each side.
const SHORTEST: i64 = 4;

/// For each property that lines are looked for along, and each place, the slots of the first and the second place in each
/// direction and the opposite one; a slot that holds nothing beyond the edge.
pub(crate) struct Pairs {
    by_prop: BTreeMap<PropId, Box<[u32]>>,
    n_ways: usize,
}

impl Pairs {
    pub fn of(program: &Program, rounds: &[bool]) -> Pairs {
        let (world, mut by_prop) = (&program.world, BTreeMap::new());
        let ([board], true) = (world.boards.as_slice(), program.may(Shortcut::Pairs)) else {
            return Pairs { by_prop, n_ways: 0 };
        };
        let opposite = |way: DirId| world.directions.opposite[way as usize].unwrap_or(way);
        let ways: Vec<DirId> =
            board.compass[..board.compass.len() / 2].iter().flat_map(|&way| [way, opposite(way)]).collect();
        let props = program.pools.lines.iter().filter_map(|line| match line.measure {
            Measure::Property(prop) => Some(prop),
            _ => None,
        });
        for prop in props.filter(|_| !ways.iter().any(|&way| rounds[way as usize])) {
            let slot = |place: EntityId| match place {
                NOBODY => layout::NOTHING,
                place => program.layout.slot(prop, place).unwrap_or(layout::NOTHING),
            };
            let step = |way: DirId, from: EntityId| match from {
                NOBODY => NOBODY,
                from => world.directions.step(way, from),
            };
            let (first, end, _) = program.layout.column(prop);
            let slots = (first..end).flat_map(|from| {
                let beside = move |&way: &DirId| [step(way, from), step(way, step(way, from))].map(slot);
                ways.iter().flat_map(beside).collect::<Vec<u32>>()
            });
            by_prop.insert(prop, slots.collect());
        }
        Pairs { by_prop, n_ways: ways.len() }
    }
}

impl Emit<'_, '_> {
    /// Goes on at `out` where so few are alike beside a place that there is no line of this length through it; writes on
    /// where there may be one. `behind`: how far the place is behind the first one that has the property.
    pub(super) fn refuse_line(&mut self, prop: PropId, (behind, value, wanted): (Word, Word, Word), out: Block) {
        let tables = self.tables;
        let Some(slots) = tables.pairs.by_prop.get(&prop).filter(|slots| !slots.is_empty()) else { return };
        self.program.permits.write(Shortcut::Pairs);
        let stride = 8 * tables.pairs.n_ways as i64;
        let (table, offset) = (self.constant(slots.as_ptr() as u64), self.b.ins().imul_imm_s(behind, stride));
        let (row, base) = (self.b.ins().iadd(table, offset), self.slots());
        let mut found = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, wanted, SHORTEST);
        for way in 0..tables.pairs.n_ways {
            let alike = |emit: &mut Self, at: usize| {
                let flags = MemFlagsData::trusted().with_readonly();
                let slot = emit.b.ins().uload32(flags, row, 4 * (2 * way + at) as i32);
                let offset = emit.b.ins().ishl_imm_u(slot, 3);
                let address = emit.b.ins().iadd(base, offset);
                let other = emit.load(address, 0);
                emit.b.ins().icmp(IntCC::Equal, other, value)
            };
            let (one, two) = (alike(self, 0), alike(self, 1));
            let both = self.b.ins().band(one, two);
            found = self.b.ins().bor(found, both);
        }
        let walk = self.b.create_block();
        self.b.ins().brif(found, walk, &[], out, &[]);
        self.at(walk);
    }
}
