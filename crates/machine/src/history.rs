//! What a position is called in the history: a sum over what counts, kept from move to move.

use crate::derived::{Follows, InStep};
use crate::layout::{self, Column};
use crate::memory::{Change, Memory};
use crate::program::{HistoryCode, Program};
use crate::shortcut::Shortcut;
use crate::value::{SHIFT, Value};
use crate::vm::{Machine, Run, copy_list, mix};
use crate::world::{EntityId, GAME, KindId, NOBODY};

/// What counts for the history, laid out to be summed quickly.
#[derive(Clone, Debug, Default)]
pub struct Counted {
    /// For each slot of a thing that can move or leave the thing, `ITSELF` for a slot of a thing that stays where it is
    /// if it counts; `NOBODY` for the others.
    whose: Vec<EntityId>,
    /// How each slot of a thing that stays where it is counts.
    keys: Vec<Key>,
    /// Whether every slot that counts has a bit of its own.
    few: bool,
    /// Whether nothing that counts can move, leave or be made.
    in_place: bool,
    /// Whether a sum is brought up to date; otherwise it is made anew.
    goes_on: bool,
    ranges: Vec<(u32, u32)>,
    /// Things of the start that can move or leave.
    movable: Vec<EntityId>,
    /// The properties that count, by kind.
    props: Vec<Vec<u16>>,
    /// How a thing that can move, or was made in play, is summed, by kind.
    shapes: Vec<Shape>,
}

/// How one slot counts.
#[derive(Clone, Copy, Debug, Default)]
struct Key {
    /// By what its word is multiplied before that is summed; nothing where it does not count.
    key: u64,
    /// Tells the slots met from the others; where many count, several have the same.
    bit: u64,
}

/// The slot counts for itself.
const ITSELF: EntityId = NOBODY - 1;

/// What counts of the things of a kind.
#[derive(Clone, Debug, Default)]
struct Shape {
    counts: bool,
    gone: Option<Column>,
    place: Option<Column>,
    /// The kind as it is in the sum.
    key: u64,
    /// The properties that count, and as what.
    columns: Vec<(u64, Column)>,
}

impl Counted {
    pub fn of(program: &Program) -> Counted {
        let mut counted = Counted::default();
        let Some(history) = &program.history else { return counted };
        let layout = &program.layout;
        counted.keys = vec![Key::default(); layout.made_base as usize];
        let mut n = 0;
        counted.whose = vec![NOBODY; layout.made_base as usize];
        for (kind, &counts) in history.kinds.iter().enumerate() {
            let tracked = |prop: &u16| {
                let info = &layout.props[*prop as usize];
                counts && !info.untracked && !matches!(*prop, layout::TOP | layout::UNDER) && info.kinds[kind]
            };
            let props: Vec<u16> = (0..layout.props.len() as u16).filter(tracked).collect();
            let kind = kind as KindId;
            let column = |&prop: &u16| Some((mix(1, u64::from(prop)) | 1, layout.column_of(prop, kind)?));
            counted.shapes.push(Shape {
                counts,
                gone: layout.column_of(layout::GONE, kind),
                place: layout.column_of(layout::PLACE, kind),
                key: mix(2, u64::from(kind)),
                columns: props.iter().filter_map(column).collect(),
            });
            counted.props.push(props);
        }
        for (at, thing) in program.world.entities.iter().enumerate() {
            if !history.kinds[thing.kind as usize] {
                continue;
            }
            let moves = thing.board.is_none() && thing.kind > 1;
            if moves {
                counted.movable.push(at as EntityId);
            }
            for &prop in &counted.props[thing.kind as usize] {
                if let Some(slot) = layout.slot(prop, at as EntityId) {
                    counted.whose[slot as usize] = if moves { at as EntityId } else { ITSELF };
                    if !moves {
                        counted.keys[slot as usize] = Key { key: mix(7, u64::from(slot)) | 1, bit: 1 << (n % 64) };
                        n += 1;
                    }
                }
            }
        }
        counted.goes_on = program.may(Shortcut::History);
        counted.few = n <= 64;
        counted.in_place = counted.movable.is_empty() && layout.made_stride <= 1;
        let (mut from, end) = (0, counted.whose.len());
        while from < end {
            let to = (from..end).find(|&at| counted.whose[at] != ITSELF).unwrap_or(end);
            if to > from {
                counted.ranges.push((from as u32, to as u32));
            }
            from = to + 1;
        }
        counted
    }

    /// Whether a sum is brought up to date; otherwise it is made anew.
    pub fn goes_on(&self) -> bool {
        self.goes_on
    }

    /// Whether the same properties count.
    pub fn tracks_like(&self, other: &Counted) -> bool {
        self.props == other.props
    }

    /// The thing that can move or leave, or was made in play, whose slot this is; or `ITSELF`, or `NOBODY`.
    #[inline]
    fn whose(&self, program: &Program, slot: u64) -> EntityId {
        match self.whose.get(slot as usize) {
            Some(&thing) => thing,
            None => {
                let block = (slot as u32 - program.layout.made_base) / program.layout.made_stride;
                program.layout.first_made + block
            }
        }
    }
}

/// The sum over what counts, as it was when the journal was so long.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    sum: u64,
    step: InStep,
}

/// Sums made earlier, from which the next one is quickly found.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// At the end of the last action.
    settled: Sum,
    /// What each thing that can move, or was made in play, has in it.
    shares: Vec<u64>,
    /// When it was last asked for; an action that is only tried takes it back.
    recent: Sum,
    /// The things that have something else in the recent sum, and what.
    changed: Vec<(EntityId, u64)>,
}

impl Sum {
    /// Whether little has changed since.
    fn is_near(&self, memory: &Memory) -> bool {
        self.step.missed(memory).is_some_and(|missed| missed.len() <= MOST_CHANGES)
    }
}

impl Tally {
    /// What a thing has in the recent sum; it has another share from now on.
    #[inline]
    fn exchange(&mut self, thing: EntityId, share: u64) -> u64 {
        match self.changed.iter_mut().find(|(known, _)| *known == thing) {
            Some((_, known)) => std::mem::replace(known, share),
            None => {
                self.changed.push((thing, share));
                self.shares.get(thing as usize).copied().unwrap_or(0)
            }
        }
    }

    #[inline]
    fn settle_shares(&mut self) {
        for &(thing, share) in &self.changed {
            if self.shares.len() <= thing as usize {
                self.shares.resize(thing as usize + 1, 0);
            }
            self.shares[thing as usize] = share;
        }
        self.changed.clear();
    }
}

impl Follows for Tally {
    #[inline]
    fn cut(&mut self, _: &Memory, journal: usize) {
        self.settled.step.cut(journal);
        self.recent.step.cut(journal);
    }

    #[inline]
    fn settle(&mut self, memory: &Memory) {
        self.recent.step = InStep::NOWHERE;
        if self.settled.step.is_known() {
            // Whose turn it is, and who acts, has nothing in the sum.
            let counts_not = |change: &Change| change.slot < u64::from(layout::ORDER);
            let missed = self.settled.step.missed(memory);
            let holds = missed.is_some_and(|missed| missed.iter().all(counts_not));
            self.settled.step = if holds { InStep::BEGINNING } else { InStep::NOWHERE };
        }
    }

    fn copy_from(&mut self, other: &Tally) {
        (self.settled, self.recent) = (other.settled, Sum::default());
        copy_list(&mut self.shares, &other.shares);
    }

    /// The sum is found from the one before, at the end of each action.
    fn catch_up(_: &mut Machine, _: &Program) {}

    #[cfg(debug_assertions)]
    fn differs(machine: &mut Machine, program: &Program) -> Option<String> {
        if program.history.is_none() || !(machine.derived.tally.settled.step.is_known()) {
            return None;
        }
        let kept = machine.tallied(program);
        machine.derived.tally = Tally::default();
        let anew = machine.tallied(program);
        (kept != anew).then(|| format!("{kept:x}, anew {anew:x}"))
    }
}

/// With more changes than this the sum is made anew.
const MOST_CHANGES: usize = 24;

/// A word as it is multiplied by a key: what tells values apart, their kind above all, is to be low, because what is high
/// leaves little of the key.
#[inline]
fn spread(word: u64) -> u64 {
    word.rotate_left(u64::BITS - SHIFT)
}

impl Machine {
    /// What a value gives to a sum.
    #[inline]
    fn share(&self, key: u64, word: u64) -> u64 {
        match Value(word).in_heap() {
            true => self.hash_value(Value(word), key),
            false => key.wrapping_mul(spread(word)),
        }
    }

    /// What a sum gains when a slot that held one word holds another.
    #[inline]
    fn gain(&self, key: u64, old: u64, new: u64) -> u64 {
        // One look at both: what is no number, thing, text or truth is rare.
        if old | new >= Value::FIRST_IN_HEAP {
            return self.gain_by_content(key, old, new);
        }
        key.wrapping_mul(spread(new).wrapping_sub(spread(old)))
    }

    #[cold]
    fn gain_by_content(&self, key: u64, old: u64, new: u64) -> u64 {
        match key {
            0 => 0,
            key => self.share(key, new).wrapping_sub(self.share(key, old)),
        }
    }

    /// What a thing that can move, or was made in play, has in the sum.
    fn share_of(&self, program: &Program, entity: EntityId) -> u64 {
        let shape = &program.counted.shapes[self.kind_of(program, entity) as usize];
        match entity < program.layout.first_made {
            true => self.share_as(shape, entity, |column| program.layout.slot_at_start(column, entity)),
            false => self.share_as(shape, entity, |column| program.layout.slot_in(column, entity)),
        }
    }

    #[inline(always)]
    fn share_as(&self, shape: &Shape, entity: EntityId, slot: impl Fn(Column) -> u32) -> u64 {
        let slots = &*self.mem.slots;
        let word = |column: Column| slots[slot(column) as usize];
        if !shape.counts || shape.gone.is_some_and(|gone| word(gone) != 0) {
            return 0;
        }
        // Things that lie somewhere are told apart by what and where they are, not by their number.
        let nowhere = shape.place.is_none_or(|place| word(place) == 0);
        let own = if nowhere { mix(1, u64::from(entity)) } else { shape.key };
        let add = |sum: u64, &(key, column): &(u64, Column)| sum.wrapping_add(self.gain(key, 0, word(column)));
        // Mixed, because two things that exchange their places give the same sum of words.
        mix(own, shape.columns.iter().fold(own, add))
    }

    /// The sum over what counts.
    #[inline]
    fn tallied(&mut self, program: &Program) -> u64 {
        let Sum { sum, step } = self.derived.tally.recent;
        match step.knows(&self.mem) {
            true => sum,
            false => self.tally_changes(program),
        }
    }

    /// Brings the sum up to date.
    fn tally_changes(&mut self, program: &Program) -> u64 {
        let counted = &program.counted;
        if !counted.goes_on {
            return self.tallied_anew(program);
        }
        if !self.derived.tally.recent.is_near(&self.mem) {
            if !self.derived.tally.settled.is_near(&self.mem) {
                return self.tallied_anew(program);
            }
            self.derived.tally.recent = self.derived.tally.settled;
            self.derived.tally.changed.clear();
        }
        program.permits.take(Shortcut::History);
        let Sum { sum, step } = self.derived.tally.recent;
        let from = step.0 as usize;
        let sum = match (counted.in_place, counted.few) {
            (true, true) => self.tallied_in_place::<true>(counted, sum, from),
            (true, false) => self.tallied_in_place::<false>(counted, sum, from),
            (false, _) => self.tallied_on(program, sum, from),
        };
        self.derived.tally.recent = Sum { sum, step: InStep::now(&self.mem) };
        sum
    }

    /// A sum brought up to date where everything that counts stays in its place. `FEW`: each slot has a bit of its own.
    #[inline]
    fn tallied_in_place<const FEW: bool>(&self, counted: &Counted, mut sum: u64, from: usize) -> u64 {
        let changes = &self.mem.journal[from..];
        // Most actions end by passing the turn.
        let n = changes.iter().rposition(|change| change.slot >= u64::from(layout::ORDER)).map_or(0, |last| last + 1);
        let changes = &changes[..n];
        let keys = counted.keys.as_slice();
        let slots = &self.mem.slots[..keys.len()];
        let mut met = 0u64;
        for (at, &Change { slot, old }) in changes.iter().enumerate() {
            let Some(&Key { key, bit }) = keys.get(slot as usize) else { continue };
            let known = met & bit != 0 && (FEW || changes[..at].iter().any(|earlier| earlier.slot == slot));
            met |= bit;
            // The first change of a slot knows what it was, the slot itself what it is. Which slots change cannot be
            // foreseen: instead of leaving out those that do not count, nothing is gained by them.
            sum = sum.wrapping_add(self.gain(key & u64::from(known).wrapping_sub(1), old, slots[slot as usize]));
        }
        sum
    }

    /// A sum brought up to date with what the journal holds from an entry on.
    fn tallied_on(&mut self, program: &Program, mut sum: u64, from: usize) -> u64 {
        let counted = &program.counted;
        let (mut met, mut met_things) = (0u64, 0u64);
        for at in from..self.mem.journal.len() {
            let Change { slot, old } = self.mem.journal[at];
            let thing = counted.whose(program, slot);
            if thing == NOBODY {
                continue;
            }
            let earlier = || self.mem.journal[from..at].iter();
            if thing == ITSELF {
                let Key { key, bit } = counted.keys[slot as usize];
                // The first change of a slot knows what it was, the slot itself what it is.
                if met & bit == 0 || !earlier().any(|earlier| earlier.slot == slot) {
                    sum = sum.wrapping_add(self.gain(key, old, self.mem.slots[slot as usize]));
                }
                met |= bit;
                continue;
            }
            let bit = 1 << (thing % 64);
            let known = met_things & bit != 0 && earlier().any(|change| counted.whose(program, change.slot) == thing);
            met_things |= bit;
            if !known {
                let is = self.share_of(program, thing);
                sum = sum.wrapping_sub(self.derived.tally.exchange(thing, is)).wrapping_add(is);
            }
        }
        sum
    }

    /// The recent sum is that of the end of an action.
    #[inline]
    fn settle_tally(&mut self) {
        self.derived.tally.settled = self.derived.tally.recent;
        self.derived.tally.settle_shares();
    }

    fn tallied_anew(&mut self, program: &Program) -> u64 {
        let mut sum = 0u64;
        for &(from, to) in &program.counted.ranges {
            for slot in from..to {
                let key = program.counted.keys[slot as usize].key;
                sum = sum.wrapping_add(self.share(key, self.mem.slots[slot as usize]));
            }
        }
        let first = program.layout.first_made;
        let end = first + self.mem.get(layout::MADE).0 as u32;
        self.derived.tally.changed.clear();
        self.derived.tally.shares.clear();
        self.derived.tally.shares.resize(end as usize, 0);
        for thing in program.counted.movable.iter().copied().chain(first..end) {
            let share = self.share_of(program, thing);
            sum = sum.wrapping_add(share);
            self.derived.tally.shares[thing as usize] = share;
        }
        self.derived.tally.recent = Sum { sum, step: InStep::now(&self.mem) };
        self.settle_tally();
        sum
    }

    /// Whether the sum is that of the present position, as it was kept.
    pub(crate) fn is_tallied(&self) -> bool {
        self.derived.tally.settled.step.knows(&self.mem)
    }

    /// What was changed since has nothing in the sum.
    pub(crate) fn stay_tallied(&mut self) {
        self.derived.tally.settled.step = InStep::now(&self.mem);
        self.derived.tally.recent.step = InStep::NOWHERE;
    }

    /// What the present position is called in the history.
    #[inline]
    pub(crate) fn history_key(&mut self, program: &Program, mover: Value) -> Run<u64> {
        let Some(history) = &program.history else { return Ok(0) };
        let mover = if history.by_player { mover.0 } else { 0 };
        let key = mix(mover ^ 0x5eed, self.tallied(program));
        match history.props.is_empty() && history.defines.is_empty() {
            true => Ok(key),
            false => self.history_key_of_game(program, history, key),
        }
    }

    /// The same with what counts of the game itself.
    fn history_key_of_game(&mut self, program: &Program, history: &HistoryCode, mut key: u64) -> Run<u64> {
        for &prop in &history.props {
            key = self.hash_value(self.prop(program, prop, GAME), key);
        }
        for &func in &history.defines {
            let value = self.call(program, func, &[Value::entity(GAME)])?;
            key = self.hash_value(value, key);
        }
        Ok(key)
    }

    /// Writes the present position into the history.
    pub fn remember(&mut self, program: &Program, mover: Value) -> Run<()> {
        let seen = self.mem.slots[layout::SEEN as usize];
        if program.history.is_none() {
            // A change of rules may ask for it later: the journal says where it was.
            self.mem.journal.push(Change { slot: u64::from(layout::SEEN), old: seen });
            return Ok(());
        }
        let key = self.history_key(program, mover)?;
        self.settle_tally();
        let n = seen as usize;
        self.mem.remember(n, key);
        // What follows in the journal is told by the slots themselves.
        self.mem.set(layout::SEEN, Value(n as u64 + 1));
        self.stay_tallied();
        Ok(())
    }

    pub(crate) fn seen(&mut self, program: &Program, within: Option<Value>) -> Run<Value> {
        let key = self.history_key(program, self.player())?;
        let n = self.mem.slots[layout::SEEN as usize] as usize;
        let within = match within {
            Some(within) => self.position(program, within)?.unwrap_or(0),
            None => n,
        };
        let seen = self.mem.times(n.saturating_sub(within), n, key);
        Ok(Value::small(seen as u32))
    }
}
