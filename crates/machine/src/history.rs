//! What a position is called in the history: a sum over what counts, kept from move to move.

use crate::layout;
use crate::program::Program;
use crate::value::Value;
use crate::vm::{Machine, Run, mix};
use crate::world::{EntityId, GAME};

/// What counts for the history, laid out to be summed quickly.
#[derive(Clone, Debug, Default)]
pub struct Counted {
    /// Whether a slot of a thing that stays where it is counts.
    slots: Vec<bool>,
    /// What each slot adds to its word before it is summed.
    keys: Vec<u64>,
    ranges: Vec<(u32, u32)>,
    /// Things of the start that can move or leave.
    movable: Vec<EntityId>,
    /// The properties that count, by kind.
    props: Vec<Vec<u16>>,
}

impl Counted {
    pub fn of(program: &Program) -> Counted {
        let mut counted = Counted::default();
        let Some(history) = &program.history else { return counted };
        let layout = &program.layout;
        counted.slots = vec![false; layout.made_base as usize];
        counted.keys = (0..u64::from(layout.made_base)).map(|slot| mix(7, slot)).collect();
        for (kind, &counts) in history.kinds.iter().enumerate() {
            let tracked = |prop: &u16| {
                let info = &layout.props[*prop as usize];
                counts && !info.untracked && !matches!(*prop, layout::TOP | layout::UNDER) && info.kinds[kind]
            };
            counted.props.push((0..layout.props.len() as u16).filter(tracked).collect());
        }
        for (at, thing) in program.world.entities.iter().enumerate() {
            if !history.kinds[thing.kind as usize] {
                continue;
            }
            if thing.board.is_none() && thing.kind > 1 {
                counted.movable.push(at as EntityId);
                continue;
            }
            for &prop in &counted.props[thing.kind as usize] {
                if let Some(slot) = layout.slot(prop, at as EntityId) {
                    counted.slots[slot as usize] = true;
                }
            }
        }
        let mut from = 0;
        while from < counted.slots.len() {
            let to = (from..counted.slots.len()).find(|&at| !counted.slots[at]).unwrap_or(counted.slots.len());
            if to > from {
                counted.ranges.push((from as u32, to as u32));
            }
            from = to + 1;
        }
        counted
    }

    fn counts(&self, slot: u64) -> bool {
        self.slots.get(slot as usize).copied().unwrap_or(false)
    }
}

/// The sum over what stays in its place, as it was when the journal was so long.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    sum: u64,
    at: usize,
    known: bool,
}

/// Sums made earlier, from which the next one is quickly found.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// At the end of the last action.
    settled: Sum,
    /// When it was last asked for; an action that is only tried takes it back.
    recent: Sum,
}

impl Sum {
    #[inline]
    fn cut(&mut self, journal: usize) {
        self.known &= self.at <= journal;
    }

    #[inline]
    fn forget(&mut self, journal: usize) {
        self.known &= self.at == journal;
        self.at = 0;
    }
}

impl Tally {
    /// Changes are taken back as far as this.
    #[inline]
    pub fn cut(&mut self, journal: usize) {
        self.settled.cut(journal);
        self.recent.cut(journal);
    }

    /// The journal begins anew.
    #[inline]
    pub fn forget(&mut self, journal: usize) {
        self.settled.forget(journal);
        self.recent.known = false;
    }
}

/// With more changes than this the sum is made anew.
const MOST_CHANGES: usize = 24;

impl Machine {
    #[inline]
    fn share(&self, counted: &Counted, slot: u64, value: u64) -> u64 {
        let key = counted.keys[slot as usize];
        match Value(value) {
            Value::NIL => 0,
            value if value.in_heap() => self.hash_value(value, key),
            value => mix(key, value.0),
        }
    }

    /// The sum over the slots of things that stay where they are.
    fn tallied(&mut self, counted: &Counted) -> u64 {
        let sum = self.summed(counted);
        self.tally.recent = Sum { sum, at: self.mem.journal.len(), known: true };
        sum
    }

    fn summed(&self, counted: &Counted) -> u64 {
        let journal = &self.mem.journal;
        let near = |known: &Sum| known.known && known.at <= journal.len() && journal.len() - known.at <= MOST_CHANGES;
        if let Some(&Sum { sum, at, .. }) =
            [&self.tally.recent, &self.tally.settled].into_iter().find(|known| near(known))
        {
            let changes = &journal[at..];
            let mut sum = sum;
            // One bit for several slots: without it a slot was not met yet.
            let mut met = 0u64;
            for (at, change) in changes.iter().enumerate() {
                if !counted.counts(change.slot) {
                    continue;
                }
                let bit = 1 << (change.slot % 64);
                let known = met & bit != 0 && changes[..at].iter().any(|earlier| earlier.slot == change.slot);
                met |= bit;
                // The first change of a slot knows what it was, the slot itself what it is.
                if !known {
                    sum = sum.wrapping_sub(self.share(counted, change.slot, change.old));
                    sum = sum.wrapping_add(self.share(counted, change.slot, self.mem.slots[change.slot as usize]));
                }
            }
            return sum;
        }
        let mut sum = 0u64;
        for &(from, to) in &counted.ranges {
            for slot in from..to {
                sum = sum.wrapping_add(self.share(counted, u64::from(slot), self.mem.slots[slot as usize]));
            }
        }
        sum
    }

    /// What the present position is called in the history.
    fn history_key(&mut self, program: &Program, mover: Value) -> Run<u64> {
        let Some(history) = &program.history else { return Ok(0) };
        let mut hash = 0x5eed;
        if history.by_player {
            hash = mix(hash, mover.0);
        }
        let mut sum = self.tallied(&program.counted);
        let first = program.layout.first_made;
        let made = first..first + self.mem.get(layout::MADE).0 as u32;
        for entity in program.counted.movable.iter().copied().chain(made) {
            let kind = self.kind_of(program, entity);
            if !history.kinds[kind as usize] || self.is_gone(program, entity) {
                continue;
            }
            let place = self.prop(program, layout::PLACE, entity);
            // Things that lie somewhere are told apart by what and where they are, not by their number.
            let mut own = if place.is_nil() { mix(1, u64::from(entity)) } else { mix(2, u64::from(kind)) };
            for &prop in &program.counted.props[kind as usize] {
                let value = self.prop(program, prop, entity);
                if !value.is_nil() {
                    own = self.hash_value(value, mix(own, u64::from(prop)));
                }
            }
            sum = sum.wrapping_add(mix(own, 3));
        }
        hash = mix(hash, sum);
        for &prop in &history.props {
            hash = self.hash_value(self.prop(program, prop, GAME), hash);
        }
        for &func in &history.defines {
            let value = self.call(program, func, &[Value::entity(GAME)])?;
            hash = self.hash_value(value, hash);
        }
        Ok(hash)
    }

    /// Writes the present position into the history.
    pub fn remember(&mut self, program: &Program, mover: Value) -> Run<()> {
        if program.history.is_none() {
            return Ok(());
        }
        let key = self.history_key(program, mover)?;
        let n = self.mem.slots[layout::SEEN as usize] as usize;
        self.mem.history.truncate(n);
        self.mem.history.push(key);
        self.mem.set(layout::SEEN, Value(n as u64 + 1));
        let sum = self.tallied(&program.counted);
        self.tally.settled = Sum { sum, at: self.mem.journal.len(), known: true };
        Ok(())
    }

    pub(crate) fn seen(&mut self, program: &Program, within: Option<Value>) -> Run<Value> {
        let key = self.history_key(program, self.player())?;
        let n = self.mem.slots[layout::SEEN as usize] as usize;
        let within = match within {
            Some(within) => self.position(program, within)?.unwrap_or(0),
            None => n,
        };
        let recent = &self.mem.history[n - within.min(n)..n];
        let seen = recent.iter().filter(|&&known| known == key).count();
        Ok(Value::small(seen as u32))
    }
}
