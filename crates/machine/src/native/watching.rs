//! What the candidates kept learn from what an action has changed.

#![allow(unsafe_code, reason = "slots that stay where they are are read without looking at their number again")]

use super::even::Even;
use super::lane::Lane;
use crate::buffer::Buffer;
use crate::derived::InStep;
use crate::keeper::{Asked, Keeper, Law};
use crate::layout;
use crate::marks::Marked;
use crate::program::Program;
use crate::shortcut::Shortcut;
use crate::value::Value;
use crate::vm::Machine;

/// What the keeper knows, laid out for reading without looking at lengths.
#[derive(Debug)]
pub(super) struct Watched {
    /// For each slot where its candidates begin in `readers`; one more at the end.
    starts: Box<[u32]>,
    readers: Box<[u16]>,
    pub watches: Box<[Watch]>,
    pub way: Way,
    /// Where all candidates can be asked in one go.
    pub even: Option<Even>,
}

/// How much has to be looked at to learn what changed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Way {
    /// The machine knows as a set which places hold no mark.
    Sets(Sets),
    /// One slot a candidate, or two, and all candidates in one word of bits.
    OneSlot,
    OneSlotAndState,
    TwoSlots,
    /// One slot a candidate, which may be nobody else's.
    OwnSlotOfMany,
    OneSlotOfMany,
    All,
}

/// Candidates that are all places of a board, in their order, whose laws ask which of two hold no mark: the place itself,
/// and one that lies equally far from each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sets {
    /// How far the other place is behind the first one, around the word.
    other: u32,
    /// Who passes where the other place is marked, and who else or not where it is not: first where the place itself holds
    /// no mark, then where it does.
    passes: [u64; 2],
    differ: [u64; 2],
}

/// How the laws about one candidate are asked: see [`Law::Table`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    pub words: [u64; 3],
    pub slots: [u32; 3],
    pub state: u32,
    pub passes: u32,
}

impl Watched {
    pub fn of(program: &Program, keeper: &Keeper) -> Option<Watched> {
        let watch = |asked: &Asked| match asked.law {
            Law::None => {
                Some(Watch { words: [0; 3], slots: [layout::NOTHING; 3], state: layout::NOTHING, passes: 255 })
            }
            Law::Table { slots, words, passes } => {
                Some(Watch { words, slots, state: asked.state, passes: u32::from(passes) })
            }
            Law::Code(_) => None,
        };
        let watches: Box<[Watch]> = keeper.asked.iter().map(watch).collect::<Option<_>>()?;
        let (mut starts, mut readers) = (vec![0], Vec::new());
        for slot in 0..program.layout.made_base as usize {
            readers.extend_from_slice(keeper.readers(slot));
            starts.push(readers.len() as u32);
        }
        let width =
            |watch: &Watch| watch.slots.iter().rposition(|&slot| slot != layout::NOTHING).map_or(0, |at| at + 1);
        let widest = watches.iter().map(width).max().unwrap_or(0);
        let by_state = watches.iter().any(|watch| watch.state != layout::NOTHING);
        let sets = program.marked.filter(|_| !by_state).and_then(|marked| Sets::of(&watches, marked));
        let own = |(at, watch): (usize, &Watch)| keeper.readers(watch.slots[0] as usize) == [at as u16];
        let way = match (sets, widest, by_state, watches.len() <= 64) {
            (Some(sets), ..) => Way::Sets(sets),
            (_, 0 | 1, false, true) => Way::OneSlot,
            (_, 0 | 1, true, true) => Way::OneSlotAndState,
            (_, 2, false, true) => Way::TwoSlots,
            (_, 1, false, false) if watches.iter().enumerate().all(own) => Way::OwnSlotOfMany,
            (_, 0 | 1, false, false) => Way::OneSlotOfMany,
            _ => Way::All,
        };
        let even = Even::of(&watches);
        Some(Watched { starts: starts.into(), readers: readers.into(), watches, way, even })
    }
}

impl Sets {
    /// None where laws ask for something else.
    fn of(watches: &[Watch], marked: Marked) -> Option<Sets> {
        let mut other = None;
        let mut passing = [0u64; 4];
        for (at, watch) in watches.iter().enumerate() {
            let own = watch.slots.iter().position(|&slot| slot == marked.base + at as u32)?;
            let asked = watch.slots.iter().filter(|&&slot| slot != layout::NOTHING).count();
            if asked > 2 || own > 1 || watch.words[..asked].iter().any(|&word| word != Value::NIL.0) {
                return None;
            }
            if asked == 2 {
                let beside = watch.slots[1 - own].checked_sub(marked.base).filter(|&place| place < marked.n)?;
                let far = beside.wrapping_sub(at as u32) % 64;
                if *other.get_or_insert(far) != far {
                    return None;
                }
            }
            for (bits, passing) in passing.iter_mut().enumerate() {
                // Whether the place itself is marked, and the other one.
                let others = (bits & 1) << own | (bits >> 1) << (1 - own);
                *passing |= u64::from(watch.passes >> others & 1) << at;
            }
        }
        let [neither, itself, beside, both] = passing;
        let suits = watches.len() == marked.n as usize;
        let (passes, differ) = ([beside, both], [neither ^ beside, itself ^ both]);
        suits.then(|| Sets { other: other.unwrap_or(0), passes, differ })
    }

    /// Who passes, by the places that hold no mark.
    #[inline(always)]
    pub fn passing(&self, unmarked: u64) -> u64 {
        let beside = unmarked.rotate_right(self.other);
        let free = self.passes[0] ^ self.differ[0] & beside;
        let taken = self.passes[1] ^ self.differ[1] & beside;
        taken ^ (free ^ taken) & unmarked
    }
}

impl Watch {
    /// Whether a candidate in its first state passes the laws about it.
    #[inline(always)]
    pub fn passes<const WIDEST: usize>(&self, slots: Slots) -> bool {
        let other = |at: usize| u32::from(slots.get(self.slots[at]) != self.words[at]) << at;
        self.passes >> (0..WIDEST).fold(0, |others, at| others | other(at)) & 1 != 0
    }
}

/// The slots of a position in which nothing is made: they stay where they are.
#[derive(Clone, Copy)]
pub(super) struct Slots {
    first: *mut u64,
    #[cfg(debug_assertions)]
    n: usize,
}

impl Slots {
    #[inline]
    pub fn of(slots: &mut Buffer<u64>) -> Slots {
        Slots {
            first: slots.as_mut_ptr(),
            #[cfg(debug_assertions)]
            n: slots.len(),
        }
    }

    #[inline]
    pub fn get(self, slot: u32) -> u64 {
        #[cfg(debug_assertions)]
        assert!((slot as usize) < self.n, "slots of the layout only");
        // SAFETY: asked for slots of the layout only, and nobody holds them borrowed meanwhile.
        unsafe { *self.first.add(slot as usize) }
    }

    #[inline]
    pub fn put(self, slot: u32, word: u64) {
        #[cfg(debug_assertions)]
        assert!((slot as usize) < self.n, "slots of the layout only");
        // SAFETY: as above.
        unsafe { *self.first.add(slot as usize) = word };
    }
}

impl Machine {
    /// Brings the candidates kept up to date.
    #[inline(always)]
    pub(crate) fn catch_up(&mut self, program: &Program, lane: &Lane) {
        if lane.watched().is_some() {
            program.permits.take(Shortcut::Watching);
        }
        match lane.watched() {
            Some(watched) if self.derived.kept.is_ready() && !self.derived.kept.is_stale() => {
                let slots = Slots::of(&mut self.mem.slots);
                match watched.way {
                    Way::Sets(sets) if self.derived.marks.knows(&self.mem) => {
                        self.derived.kept.put_few(sets.passing(self.derived.marks.sets[0]));
                        self.derived.kept.step = InStep::now(&self.mem);
                    }
                    Way::OneSlot => self.learn::<1, false, true>(watched, slots),
                    Way::Sets(_) | Way::TwoSlots => self.learn::<2, false, true>(watched, slots),
                    Way::OneSlotAndState => self.learn::<1, true, true>(watched, slots),
                    Way::OwnSlotOfMany | Way::OneSlotOfMany => self.learn::<1, false, false>(watched, slots),
                    Way::All => self.learn::<3, true, false>(watched, slots),
                }
            }
            // A law needs code, or what was asked in the middle of an action is no longer so.
            _ => drop(self.sync_kept(program)),
        }
    }

    /// Tells the candidates kept of what the journal holds beyond what they know. Watches look at so many slots at most;
    /// where all candidates are in one word of bits, it stays in a register.
    #[inline(always)]
    fn learn<const WIDEST: usize, const BY_STATE: bool, const ONE_WORD: bool>(
        &mut self,
        watched: &Watched,
        slots: Slots,
    ) {
        if ONE_WORD && self.mem.journal.len() - self.derived.kept.step.0 as usize > watched.watches.len() / 2 {
            return self.learn_anew::<WIDEST, BY_STATE>(watched, slots);
        }
        let mut only = if ONE_WORD { self.derived.kept.few() } else { 0 };
        let mut elsewhere = self.derived.kept.elsewhere;
        for at in self.derived.kept.step.0 as usize..self.mem.journal.len() {
            // SAFETY: the journal names slots of the layout only, as nothing is made; the lists of readers name
            // candidates only, and each has a watch and a bit.
            unsafe {
                let slot = self.mem.journal.get_unchecked(at).slot as usize;
                let from = *watched.starts.get_unchecked(slot) as usize;
                let to = *watched.starts.get_unchecked(slot + 1) as usize;
                for &candidate in watched.readers.get_unchecked(from..to) {
                    let candidate = usize::from(candidate);
                    let watch = watched.watches.get_unchecked(candidate);
                    let mut kept = u32::from(watch.passes::<WIDEST>(slots));
                    if BY_STATE {
                        let away = u32::from(slots.get(watch.state) != 0);
                        kept |= away;
                        if candidate < 64 {
                            elsewhere = elsewhere & !(1 << candidate) | u64::from(away) << candidate;
                        }
                    }
                    if ONE_WORD {
                        only = only & !(1 << candidate) | u64::from(kept) << candidate;
                        continue;
                    }
                    self.derived.kept.put(candidate, kept != 0);
                }
            }
        }
        if ONE_WORD {
            self.derived.kept.put_few(only);
        }
        if BY_STATE {
            self.derived.kept.elsewhere = elsewhere;
        }
        self.derived.kept.step = InStep::now(&self.mem);
    }

    /// Looks at all of a few candidates: there are hardly more of them than changes.
    #[inline(always)]
    fn learn_anew<const WIDEST: usize, const BY_STATE: bool>(&mut self, watched: &Watched, slots: Slots) {
        let (mut kept, mut elsewhere) = (0u64, 0u64);
        match &watched.even {
            Some(even) => (kept, elsewhere) = even.look(slots),
            None => {
                for watch in watched.watches.iter().rev() {
                    kept = kept << 1 | u64::from(watch.passes::<WIDEST>(slots));
                    elsewhere = elsewhere << 1 | u64::from(BY_STATE && slots.get(watch.state) != 0);
                }
            }
        }
        kept |= elsewhere;
        self.derived.kept.put_few(kept);
        if BY_STATE {
            self.derived.kept.elsewhere = elsewhere;
        }
        self.derived.kept.step = InStep::now(&self.mem);
    }

    /// Whether the only change is that of the slot of a candidate that was just played, which is no longer kept. None where
    /// more than its own slot has changed.
    #[inline(always)]
    pub(super) fn loses(&self, watched: &Watched, slots: Slots, candidate: usize) -> Option<bool> {
        // SAFETY: it was drawn, so it has a watch and a bit.
        let watch = unsafe { watched.watches.get_unchecked(candidate) };
        match &*self.mem.journal {
            [change] if change.slot == u64::from(watch.slots[0]) => Some(!watch.passes::<1>(slots)),
            [] => Some(false),
            _ => None,
        }
    }
}
