//! Candidates that lie side by side: all of them are asked in one go.

use super::watching::{Slots, Watch};
use crate::layout;

/// A slot for each of a few candidates, one beside the other, which laws compare with the same word; and their states.
#[derive(Clone, Copy, Debug)]
pub(super) struct Even {
    n: u32,
    first: u32,
    word: u64,
    /// The candidates that are kept if their slot holds the word, and if it does not: all of them or none.
    if_same: u64,
    if_other: u64,
    /// The slot of the first one's state, if that matters.
    state: Option<u32>,
}

impl Even {
    /// None where laws look at more than one slot, or differ from candidate to candidate.
    pub fn of(watches: &[Watch]) -> Option<Even> {
        let first = watches.first()?;
        let beside = |slot: u32, at: usize| if slot == layout::NOTHING { slot } else { slot + at as u32 };
        let alike = |(at, watch): (usize, &Watch)| {
            watch.slots == [beside(first.slots[0], at), layout::NOTHING, layout::NOTHING]
                && watch.state == beside(first.state, at)
                && (watch.words[0], watch.passes & 0b11) == (first.words[0], first.passes & 0b11)
        };
        if watches.len() > 64 || first.slots[0] == layout::NOTHING || !watches.iter().enumerate().all(alike) {
            return None;
        }
        let all = u64::MAX >> (64 - watches.len());
        let kept = |others: u32| if first.passes >> others & 1 == 1 { all } else { 0 };
        Some(Even {
            n: watches.len() as u32,
            first: first.slots[0],
            word: first.words[0],
            if_same: kept(0),
            if_other: kept(1),
            state: Some(first.state).filter(|&state| state != layout::NOTHING),
        })
    }

    /// The candidates that pass the laws about them in their first state, and those in another one.
    #[inline(always)]
    pub fn look(&self, slots: Slots) -> (u64, u64) {
        let others = self.unlike(slots, self.first, self.word);
        let elsewhere = match self.state {
            // Mostly there are none.
            Some(state) if (0..self.n).fold(0, |any, at| any | slots.get(state + at)) != 0 => {
                self.unlike(slots, state, 0)
            }
            _ => 0,
        };
        (others & self.if_other | !others & self.if_same, elsewhere)
    }

    /// For each candidate whether a slot holds another word.
    #[inline(always)]
    fn unlike(&self, slots: Slots, first: u32, word: u64) -> u64 {
        (0..self.n).rev().fold(0, |unlike, at| unlike << 1 | u64::from(slots.get(first + at) != word))
    }

    /// As `Watched::easiest`, among those in their first state.
    #[inline(always)]
    pub fn easiest(&self, mut among: u64, slots: Slots) -> Option<usize> {
        let mut best = u64::MAX;
        // Who is the smallest cannot be foreseen: number and candidate are compared as one word, which those that are not
        // kept have at its largest.
        let [same, other] = [self.if_same, self.if_other].map(|kept| if kept == 0 { u64::MAX } else { 0 });
        while among != 0 {
            let candidate = among.trailing_zeros();
            let number = slots.get(self.first + candidate);
            let out = if number == self.word { same } else { other };
            best = best.min(number << 16 | u64::from(candidate) | out);
            among &= among - 1;
        }
        (best != u64::MAX).then_some(best as u16 as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Value;

    #[test]
    fn all_are_asked_as_each_would_be() {
        let watch = |at: u32, passes| Watch {
            words: [Value::small(0).0, 0, 0],
            slots: [20 + at, layout::NOTHING, layout::NOTHING],
            state: 30 + at,
            passes,
        };
        for passes in [0b10, 0b01, 0b11, 0b00] {
            let watches: Vec<Watch> = (0..5).map(|at| watch(at, passes)).collect();
            let even = Even::of(&watches).expect("they lie side by side");
            let mut memory: crate::buffer::Buffer<u64> = vec![0; 40].into();
            for (at, number) in [3, 0, 2, 7, 0].into_iter().enumerate() {
                memory[20 + at] = Value::small(number).0;
            }
            memory[33] = 1;
            let slots = Slots::of(&mut memory);
            let passing = |at: &usize| watches[*at].passes::<3>(slots);
            let kept = (0..5).filter(passing).fold(0, |set, at| set | 1 << at);
            assert_eq!(even.look(slots), (kept, 0b1000));
            let easiest = |among: u64| {
                let tried = (0..5).filter(|&at| among >> at & 1 == 1).filter(passing);
                tried.min_by_key(|&at| slots.get(watches[at].slots[0]))
            };
            for among in 0..32 {
                assert_eq!(even.easiest(among, slots), easiest(among), "{among:b}");
            }
        }
        let uneven = [watch(0, 0b10), watch(2, 0b10)];
        assert!(Even::of(&uneven).is_none());
        assert!(Even::of(&[watch(0, 0b10), watch(1, 0b01)]).is_none());
    }
}
