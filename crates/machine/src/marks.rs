//! Who has which places of a small board, as sets of bits.
//!
//! The sets are learned from the journal when somebody asks, so whoever changes a place need not know of them.

use crate::memory::Memory;
use crate::value::Value;

/// For one property of the places of a board: the places that hold nothing, and those that hold each of two players.
///
/// A place that holds anything else is in no set.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Marks {
    pub sets: [u64; 3],
    /// Changes of the journal up to here are in the sets.
    pub synced: u64,
    /// The first slot of the property, and how many there are.
    base: u32,
    n: u32,
}

/// Longer than any journal: nothing is known.
const UNKNOWN: u64 = u64::MAX;

/// A place more, and a set could be all bits: windows that are nowhere would fit into it.
pub(crate) const MOST_PLACES: u32 = 63;

impl Default for Marks {
    fn default() -> Marks {
        Marks { sets: [0; 3], synced: UNKNOWN, base: 0, n: 0 }
    }
}

impl Marks {
    /// Changes are taken back as far as this.
    #[inline]
    pub fn cut(&mut self, journal: usize) {
        if self.synced > journal as u64 {
            self.synced = UNKNOWN;
        }
    }

    /// The journal is about to begin anew.
    #[inline]
    pub fn settle(&mut self, memory: &Memory) {
        if self.synced != UNKNOWN {
            self.learn(memory);
            self.synced = 0;
        }
    }

    /// Brings the sets of these slots up to date.
    pub fn catch_up(&mut self, memory: &Memory, base: u32, n: u32) {
        debug_assert!(n <= MOST_PLACES);
        if self.synced != UNKNOWN && (self.base, self.n) == (base, n) {
            return self.learn(memory);
        }
        let slots = &memory.slots[base as usize..(base + n) as usize];
        let having = |word: Value| slots.iter().rev().fold(0, |set, &slot| set << 1 | u64::from(slot == word.0));
        // A match mostly begins with nobody anywhere, which is seen at a glance.
        self.sets = match slots.iter().fold(0, |all, &slot| all | slot) == Value::NIL.0 {
            true => [(1 << n) - 1, 0, 0],
            false => Marks::words().map(having),
        };
        (self.base, self.n, self.synced) = (base, n, memory.journal.len() as u64);
    }

    #[inline]
    fn words() -> [Value; 3] {
        [Value::NIL, Value::entity(1), Value::entity(2)]
    }

    #[inline]
    fn learn(&mut self, memory: &Memory) {
        for change in &memory.journal[self.synced as usize..] {
            let place = change.slot.wrapping_sub(u64::from(self.base));
            if place < u64::from(self.n) {
                let (word, [nil, one, other]) = (memory.slots[change.slot as usize], Marks::words());
                let put = |set: u64, known: Value| set & !(1 << place) | u64::from(word == known.0) << place;
                self.sets = [put(self.sets[0], nil), put(self.sets[1], one), put(self.sets[2], other)];
            }
        }
        self.synced = memory.journal.len() as u64;
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
                    marks.cut(Memory::changes_at(mark));
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
