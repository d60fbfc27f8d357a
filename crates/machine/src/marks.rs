//! Who has which places of a small board, as sets of bits.
//!
//! The sets are learned from the journal when somebody asks, so whoever changes a place need not know of them.

use crate::code::{Measure, PropId, Walk, Ways};
use crate::derived::{Follows, InStep};
use crate::memory::{Change, Memory};
use crate::program::Program;
use crate::value::Value;
use crate::vm::Machine;
use crate::world::EntityId;

/// The property of a small board whose marks are known as sets of places: one that lines are looked for along, or that
/// walks go by.
#[derive(Clone, Copy, Debug)]
pub struct Marked {
    pub prop: PropId,
    /// The first place, and how many there are.
    pub first: EntityId,
    pub n: u32,
    /// The slot of the first place.
    pub base: u32,
    /// Whether nobody but these places has the property.
    pub alone: bool,
}

impl Marked {
    /// None where no line is looked for, or where the board does not suit.
    pub fn of_lines(program: &Program) -> Option<Marked> {
        Marked::of(
            program,
            program.pools.lines.iter().find_map(|line| match line.measure {
                Measure::Property(prop) => Some(prop),
                _ => None,
            })?,
        )
    }

    /// The same of walks.
    pub fn of_walks(program: &Program) -> Option<Marked> {
        let of_walk = |walk: &Walk| Marked::of(program, walk.while_.property()?).filter(|marked| marked.tells(walk));
        program.pools.walks.iter().find_map(of_walk)
    }

    /// Whether the sets tell all that a walk asks of places, as far as it goes.
    pub fn tells(&self, walk: &Walk) -> bool {
        let mut tests = [Some(walk.while_), walk.until, walk.then].into_iter().flatten();
        walk.most.is_none()
            && matches!(walk.ways, Ways::Set(_) | Ways::Direction(_))
            && tests.all(|test| test.property() == Some(self.prop))
            && (walk.until.is_none() || walk.then.is_none())
    }

    /// The places of the board as a set.
    #[inline]
    pub fn all(&self) -> u64 {
        all(self.n)
    }

    fn of(program: &Program, prop: PropId) -> Option<Marked> {
        let [board] = &program.world.boards[..] else { return None };
        let (from, end, base) = program.layout.column(prop);
        let (first, n) = (board.first, board.n);
        let suits = program.world.n_seats == 2 && (1..=MOST_PLACES).contains(&n) && from <= first && end >= first + n;
        suits.then(|| Marked { prop, first, n, base: base + first - from, alone: (from, end) == (first, first + n) })
    }
}

/// For one property of the places of a board: the places that hold nothing, and those that hold each of two players.
///
/// A place that holds anything else is in no set.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Marks {
    pub sets: [u64; 3],
    /// Where native code puts places that are in no set.
    others: u64,
    /// Changes of the journal up to here are in the sets.
    pub step: InStep,
    /// The first slot of the property, and how many there are.
    base: u32,
    n: u32,
}

/// Each has a bit.
pub(crate) const MOST_PLACES: u32 = 64;

/// So many places as a set; there is at least one.
fn all(n: u32) -> u64 {
    u64::MAX >> (MOST_PLACES - n)
}

impl Default for Marks {
    fn default() -> Marks {
        Marks { sets: [0; 3], others: 0, step: InStep::NOWHERE, base: 0, n: 0 }
    }
}

impl Marks {
    /// Whether all changes are in the sets.
    #[inline]
    pub fn knows(&self, memory: &Memory) -> bool {
        self.step.knows(memory)
    }

    /// Brings the sets of these slots up to date.
    pub fn catch_up(&mut self, memory: &Memory, base: u32, n: u32) {
        debug_assert!(n <= MOST_PLACES);
        if self.step.is_known() && (self.base, self.n) == (base, n) {
            return self.learn(memory);
        }
        let slots = &memory.slots[base as usize..(base + n) as usize];
        let having = |word: Value| slots.iter().rev().fold(0, |set, &slot| set << 1 | u64::from(slot == word.0));
        // A match mostly begins with nobody anywhere, which is seen at a glance.
        self.sets = match slots.iter().fold(0, |all, &slot| all | slot) == Value::NIL.0 {
            true => [all(n), 0, 0],
            false => Marks::words().map(having),
        };
        (self.base, self.n, self.step) = (base, n, InStep::now(memory));
    }

    #[inline]
    pub fn words() -> [Value; 3] {
        [Value::NIL, Value::entity(1), Value::entity(2)]
    }

    fn learn(&mut self, memory: &Memory) {
        for change in self.step.missed(memory).unwrap_or_default() {
            self.put(change.slot, memory.slots[change.slot as usize]);
        }
        self.step = InStep::now(memory);
    }

    /// A slot holds this now. Native code does the same where it writes a mark.
    #[inline]
    fn put(&mut self, slot: u64, word: u64) {
        let place = slot.wrapping_sub(u64::from(self.base));
        if place < u64::from(self.n) {
            for (set, known) in self.sets.iter_mut().zip(Marks::words()) {
                *set = *set & !(1 << place) | u64::from(word == known.0) << place;
            }
        }
    }
}

impl Follows for Marks {
    #[inline]
    fn cut(&mut self, memory: &Memory, journal: usize) {
        if self.step.is_known() && self.step.0 > journal as u64 {
            for at in (journal..self.step.0 as usize).rev() {
                let Change { slot, old } = memory.journal[at];
                self.put(slot, old);
            }
            self.step = InStep(journal as u64);
        }
    }

    #[inline]
    fn settle(&mut self, memory: &Memory) {
        if self.step.is_known() {
            if !self.knows(memory) {
                self.learn(memory);
            }
            self.step = InStep::BEGINNING;
        }
    }

    #[inline]
    fn copy_from(&mut self, other: &Marks) {
        *self = *other;
    }

    /// Whoever asks catches up.
    fn catch_up(_: &mut Machine, _: &Program) {}

    #[cfg(debug_assertions)]
    fn differs(machine: &mut Machine, _: &Program) -> Option<String> {
        let (mut kept, mut anew) = (machine.derived.marks, Marks::default());
        if !kept.step.is_known() {
            return None;
        }
        kept.catch_up(&machine.mem, kept.base, kept.n);
        anew.catch_up(&machine.mem, kept.base, kept.n);
        (kept.sets != anew.sets).then(|| format!("{:x?}, anew {:x?}", kept.sets, anew.sets))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sets that are learned from the journal are those that are made anew.
    #[test]
    fn marks_follow_every_change() {
        let mut memory = Memory::of(vec![0; 12].into(), Vec::new().into());
        let mut marks = Marks::default();
        let values = [Value::NIL, Value::entity(1), Value::entity(2), Value::entity(3), Value::small(1)];
        let mut lot = 1u64;
        for turn in 0..500 {
            lot = lot.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            memory.set((lot >> 33) as u32 % 12, values[(lot >> 40) as usize % 5]);
            match turn % 7 {
                3 => {
                    let mark = memory.mark();
                    memory.set(5, Value::entity(1));
                    memory.set(5, Value::entity(2));
                    marks.catch_up(&memory, 2, 9);
                    marks.cut(&memory, Memory::changes_at(mark));
                    memory.rollback(mark);
                }
                5 => {
                    marks.settle(&memory);
                    memory.forget();
                }
                _ => {}
            }
            marks.catch_up(&memory, 2, 9);
            for (set, word) in marks.sets.iter().zip(Marks::words()) {
                let held: Vec<bool> = (0..9).map(|place| memory.get(2 + place) == word).collect();
                assert_eq!((0..9).map(|place| set >> place & 1 == 1).collect::<Vec<_>>(), held, "turn {turn}");
            }
        }
    }
}
