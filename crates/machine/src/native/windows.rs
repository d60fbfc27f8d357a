//! Lines on a small board: a line through a place is a set of places that one player has all of.

use super::emit::{Emit, JOURNAL_LEN, Word};
use crate::code::*;
use crate::facts;
use crate::facts::types::{self, Mask};
use crate::marks::{MOST_PLACES, Marked, Marks};
use crate::program::Program;
use crate::shortcut::Shortcut;
use crate::value::Value;
use crate::vm::Machine;
use crate::world::NOBODY;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block as Label, InstBuilder};
use std::collections::BTreeMap;
use std::mem::offset_of;

pub(super) const SETS: usize = offset_of!(Machine, derived.marks.sets);
const SYNCED: usize = offset_of!(Machine, derived.marks.step);

/// More windows than this through one place are looked for by walking.
const MOST_WINDOWS: usize = 16;

/// The property whose marks are known as sets of places, and the lines that are looked for along it.
pub(crate) struct Tracked {
    marked: Marked,
    /// For each length of a line.
    windows: BTreeMap<u32, Windows>,
}

/// The sets of so many places in a row.
struct Windows {
    /// How many there are for each place. Where there are fewer, sets stand in that nobody has.
    most: usize,
    sets: Box<[u64]>,
}

impl Tracked {
    pub fn of(program: &Program, rounds: &[bool]) -> Option<Tracked> {
        let marked = program.marked.filter(|_| program.may(Shortcut::Windows))?;
        let compass = &program.world.boards[0].compass;
        let mut windows = BTreeMap::new();
        // With all bits in use a set could be full: windows that are nowhere would fit into it.
        if marked.n == MOST_PLACES || compass.is_empty() || compass.iter().any(|&way| rounds[way as usize]) {
            return Some(Tracked { marked, windows });
        }
        for function in &program.functions {
            for (pc, op) in function.code.iter().enumerate() {
                if let Op::Line { line, .. } = *op
                    && let line = &program.pools.lines[line as usize]
                    && line.measure == Measure::Property(marked.prop)
                    && let Some(length) = length(&function.code[..pc], &program.pools, line)
                    && let Some(found) = Windows::of(program, length)
                {
                    windows.insert(length, found);
                }
            }
        }
        Some(Tracked { marked, windows })
    }

    /// Whether the sets learn of each mark of a property where native code writes it.
    fn follows(&self, prop: PropId) -> bool {
        self.marked.prop == prop && self.marked.alone
    }
}

/// How long a line is, as far as the code before it says. Code that leads here from elsewhere may say otherwise.
fn length(before: &[Op], pools: &Pools, line: &Line) -> Option<u32> {
    let last = before.iter().rev().find(|op| facts::operands(op, pools).dst == Some(line.n))?;
    match *last {
        Op::Const { value, .. } => u32::try_from(value.as_whole()?).ok().filter(|&length| length >= 1),
        _ => None,
    }
}

impl Windows {
    /// None where there are too many.
    fn of(program: &Program, length: u32) -> Option<Windows> {
        let (world, board) = (&program.world, &program.world.boards[0]);
        let mut through: Vec<Vec<u64>> = vec![Vec::new(); board.n as usize];
        for from in board.first..board.first + board.n {
            for at in 0..board.compass.len() / 2 {
                let (mut set, mut place) = (0u64, from);
                for _ in 0..length {
                    if place == NOBODY {
                        break;
                    }
                    set |= 1 << (place - board.first);
                    place = world.directions.step(board.compass[at], place);
                }
                if set.count_ones() == length {
                    let places = (0..board.n as usize).filter(|place| set >> place & 1 == 1);
                    places.for_each(|place| through[place].push(set));
                }
            }
        }
        let most = through.iter().map(Vec::len).max()?;
        let padded = through.into_iter().flat_map(|sets| {
            let missing = most - sets.len();
            sets.into_iter().chain(std::iter::repeat_n(u64::MAX, missing))
        });
        (most <= MOST_WINDOWS).then(|| Windows { most, sets: padded.collect() })
    }
}

impl Emit<'_, '_> {
    /// Looks for a line by the sets of what a player has, where it can be, `just_set` if the mark was written just before;
    /// goes on at `found` or `out`, or writes on
    /// where only walking tells.
    pub(super) fn line_by_sets(
        &mut self,
        line: &Line,
        (n, through, value): (Word, Word, Word),
        just_set: bool,
        (found, out): (Label, Label),
    ) {
        let tables = self.tables;
        let Some(tracked) = &tables.tracked else { return };
        let Some(length) = length(&self.code[..self.pc], &self.program.pools, line) else { return };
        let Some(windows) = tracked.windows.get(&length) else { return };
        if line.exactly || line.measure != Measure::Property(tracked.marked.prop) {
            return;
        }
        self.program.permits.write(Shortcut::Windows);
        self.program.permits.write(Shortcut::Marks);
        let (by_sets, by_walking) = (self.b.create_block(), self.cold());
        let wanted = self.b.ins().icmp_imm_s(IntCC::Equal, n, Value::small(length).0 as i64);
        let seat = self.behind(value, 1);
        let of_player = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, seat, 2);
        let ordinary = self.b.ins().band(wanted, of_player);
        self.b.ins().brif(ordinary, by_sets, &[], by_walking, &[]);
        self.at(by_sets);
        if !just_set || !tracked.follows(tracked.marked.prop) {
            self.catch_up_marks(tracked.marked);
        }
        let offset = self.b.ins().ishl_imm_u(seat, 3);
        let address = self.b.ins().iadd(self.machine, offset);
        let own = self.load(address, SETS + 8);
        let place = self.behind(through, tracked.marked.first);
        let offset = self.b.ins().imul_imm_s(place, 8 * windows.most as i64);
        let table = self.constant(windows.sets.as_ptr() as u64);
        let table = self.b.ins().iadd(table, offset);
        // Without a way out: which of them a player has cannot be foreseen.
        let mut any = None;
        for at in 0..windows.most {
            let window = self.load(table, 8 * at);
            let missing = self.b.ins().band_not(window, own);
            let whole = self.b.ins().icmp_imm_u(IntCC::Equal, missing, 0);
            any = Some(any.map_or(whole, |any| self.b.ins().bor(any, whole)));
        }
        match any {
            Some(any) => self.b.ins().brif(any, found, &[], out, &[]),
            None => self.b.ins().jump(out, &[]),
        };
        self.at(by_walking);
    }

    /// Whether all places, or none, hold something. None where the sets do not tell.
    pub(super) fn look_by_sets(&mut self, look: &Look, range: (u32, u32)) -> Option<Word> {
        let tables = self.tables;
        let tracked = tables.tracked.as_ref()?;
        let (every, some, prop) = match (look.quantifier, look.test) {
            (Quantifier::Every, Test::Some(prop)) => (true, true, prop),
            (Quantifier::Every, Test::Nil(prop)) => (true, false, prop),
            (Quantifier::None, Test::Some(prop)) => (false, true, prop),
            (Quantifier::None, Test::Nil(prop)) => (false, false, prop),
            _ => return None,
        };
        let marked = tracked.marked;
        if prop != marked.prop || range != (marked.first, marked.first + marked.n) {
            return None;
        }
        self.catch_up_marks(tracked.marked);
        let free = self.load(self.machine, SETS);
        let wanted = if every == some { 0 } else { marked.all() as i64 };
        let holds = self.b.ins().icmp_imm_s(IntCC::Equal, free, wanted);
        Some(self.truth(holds))
    }

    /// A place so far behind the first one holds another mark, which was the next change after so many, and held none
    /// before if it is `fresh`: the sets learn of it at once, because to find it in the journal takes longer.
    pub(super) fn mark_place(
        &mut self,
        prop: PropId,
        place: Word,
        (value, mask): (Word, Mask),
        fresh: bool,
        changes: Word,
    ) {
        let tables = self.tables;
        let Some(tracked) = tables.tracked.as_ref().filter(|tracked| tracked.follows(prop)) else { return };
        let (learn, late, go_on) = (self.b.create_block(), self.cold(), self.b.create_block());
        let synced = self.load(self.machine, SYNCED);
        let current = self.b.ins().icmp(IntCC::Equal, synced, changes);
        self.b.ins().brif(current, learn, &[], late, &[]);
        self.at(late);
        self.learn_marks(tracked.marked);
        self.b.ins().jump(go_on, &[]);
        self.at(learn);
        let one = self.constant(1);
        let bit = self.b.ins().ishl(one, place);
        for at in 0..if fresh { 1 } else { Marks::words().len() } {
            let set = self.load(self.machine, SETS + 8 * at);
            let mut others = self.b.ins().band_not(set, bit);
            if at == 0 && mask & types::NIL != 0 {
                let nil = self.b.ins().icmp_imm_u(IntCC::Equal, value, 0);
                let nil = self.b.ins().uextend(I64, nil);
                let own = self.b.ins().ishl(nil, place);
                others = self.b.ins().bor(others, own);
            }
            self.store(others, self.machine, SETS + 8 * at);
        }
        // Behind the sets of the players lies one for everything else.
        let (seat, last) = (self.behind(value, 1), self.constant(2));
        let own = self.b.ins().umin(seat, last);
        let offset = self.b.ins().ishl_imm_u(own, 3);
        let address = self.b.ins().iadd(self.machine, offset);
        let set = self.load(address, SETS + 8);
        let set = self.b.ins().bor(set, bit);
        self.store(set, address, SETS + 8);
        let changes = self.b.ins().iadd_imm_s(changes, 1);
        self.store(changes, self.machine, SYNCED);
        self.b.ins().jump(go_on, &[]);
        self.at(go_on);
    }

    /// Brings the sets up to date, unless they were just told.
    pub(super) fn catch_up_marks(&mut self, marked: Marked) {
        let (late, go_on) = (self.b.create_block(), self.b.create_block());
        let (synced, changes) = (self.load(self.machine, SYNCED), self.load(self.machine, JOURNAL_LEN));
        let known = self.b.ins().icmp(IntCC::Equal, synced, changes);
        self.b.ins().brif(known, go_on, &[], late, &[]);
        self.at(late);
        self.learn_marks(marked);
        self.b.ins().jump(go_on, &[]);
        self.at(go_on);
    }

    fn learn_marks(&mut self, marked: Marked) {
        let (base, n) = (self.constant(u64::from(marked.base)), self.constant(u64::from(marked.n)));
        self.helper(catch_up as *const () as usize, &[self.machine, base, n], false);
    }
}

extern "C" fn catch_up(machine: &mut Machine, base: u64, n: u64) -> u64 {
    machine.derived.marks.catch_up(&machine.mem, base as u32, n as u32);
    0
}
