//! What a position is called in the history: a sum over what counts, kept from move to move.

use crate::layout::{self, Column};
use crate::memory::Change;
use crate::program::Program;
use crate::value::Value;
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
    /// What it gives to its word before that is summed; nothing where it does not count.
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
            let column = |&prop: &u16| Some((mix(1, u64::from(prop)), layout.column_of(prop, kind)?));
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
        counted.few = n <= 64;
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
    at: usize,
    known: bool,
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
    #[inline]
    fn cut(&mut self, journal: usize) {
        self.known &= self.at <= journal;
    }

    /// Whether little has changed since.
    fn is_near(&self, journal: usize) -> bool {
        self.known && self.at <= journal && journal - self.at <= MOST_CHANGES
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
        self.settled.known &= self.settled.at == journal;
        self.settled.at = 0;
        self.recent.known = false;
    }

    /// Becomes a copy of another, in the memory it has.
    pub fn copy_from(&mut self, other: &Tally) {
        (self.settled, self.recent) = (other.settled, Sum::default());
        copy_list(&mut self.shares, &other.shares);
    }
}

/// With more changes than this the sum is made anew.
const MOST_CHANGES: usize = 24;

/// A word with its bits spread: half of what `mix` does, for words that are told apart by a key of their own.
#[inline]
fn fold(word: u64) -> u64 {
    let product = u128::from(word) * 0x9fb2_1c65_1e98_df25;
    (product as u64) ^ (product >> 64) as u64
}

impl Machine {
    #[inline]
    fn share(&self, key: u64, value: u64) -> u64 {
        match Value(value) {
            Value::NIL => 0,
            value if value.in_heap() => self.hash_value(value, key),
            value => fold(key ^ value.0),
        }
    }

    /// What a thing that can move, or was made in play, has in the sum.
    fn share_of(&self, program: &Program, entity: EntityId) -> u64 {
        let shape = &program.counted.shapes[self.kind_of(program, entity) as usize];
        let value = |column: Column| self.mem.get(program.layout.slot_in(column, entity));
        if !shape.counts || shape.gone.is_some_and(|gone| !value(gone).is_nil()) {
            return 0;
        }
        // Things that lie somewhere are told apart by what and where they are, not by their number.
        let nowhere = shape.place.is_none_or(|place| value(place).is_nil());
        let own = if nowhere { mix(1, u64::from(entity)) } else { shape.key };
        shape.columns.iter().fold(own, |own, &(key, column)| match value(column) {
            Value::NIL => own,
            value => self.hash_value(value, own ^ key),
        })
    }

    /// The sum over what counts. `settle` keeps it for the next action.
    fn tallied(&mut self, program: &Program, settle: bool) -> u64 {
        let n = self.mem.journal.len();
        if program.counted.movable.is_empty() && program.layout.made_stride <= 1 {
            let sum = match (&self.tally.recent, &self.tally.settled) {
                (recent, _) if recent.is_near(n) => self.tallied_in_place(&program.counted, recent.sum, recent.at),
                (_, settled) if settled.is_near(n) => self.tallied_in_place(&program.counted, settled.sum, settled.at),
                _ => return self.tallied_anew(program),
            };
            return self.tallied_as(sum, settle);
        }
        let Sum { mut sum, at: from, .. } = match (&self.tally.recent, &self.tally.settled) {
            (recent, _) if recent.is_near(n) => *recent,
            (_, settled) if settled.is_near(n) => {
                self.tally.changed.clear();
                *settled
            }
            _ => return self.tallied_anew(program),
        };
        let mut changed = std::mem::take(&mut self.tally.changed);
        if from < n {
            sum = self.tallied_on(program, sum, from, &mut changed);
        }
        if settle {
            for &(thing, share) in &changed {
                if self.tally.shares.len() <= thing as usize {
                    self.tally.shares.resize(thing as usize + 1, 0);
                }
                self.tally.shares[thing as usize] = share;
            }
            changed.clear();
        }
        self.tally.changed = changed;
        self.tallied_as(sum, settle)
    }

    /// A sum brought up to date where everything that counts stays in its place.
    #[inline]
    fn tallied_in_place(&self, counted: &Counted, mut sum: u64, from: usize) -> u64 {
        let changes = &self.mem.journal[from..];
        let mut met = 0u64;
        for (at, change) in changes.iter().enumerate() {
            let Some(&Key { key, bit }) = counted.keys.get(change.slot as usize) else { continue };
            if key == 0
                || met & bit != 0 && (counted.few || changes[..at].iter().any(|earlier| earlier.slot == change.slot))
            {
                continue;
            }
            met |= bit;
            // The first change of a slot knows what it was, the slot itself what it is.
            let new = self.mem.slots[change.slot as usize];
            if change.old != new {
                sum = sum.wrapping_sub(self.share(key, change.old)).wrapping_add(self.share(key, new));
            }
        }
        sum
    }

    /// A sum brought up to date with what the journal holds from an entry on.
    fn tallied_on(&mut self, program: &Program, mut sum: u64, from: usize, changed: &mut Vec<(EntityId, u64)>) -> u64 {
        let counted = &program.counted;
        let n = self.mem.journal.len();
        let mut met = 0u64;
        let (mut things, mut n_things) = ([NOBODY; MOST_CHANGES], 0);
        for at in from..n {
            let slot = self.mem.journal[at].slot;
            let thing = counted.whose(program, slot);
            if thing == ITSELF {
                let Key { key, bit } = counted.keys[slot as usize];
                let known = met & bit != 0 && self.mem.journal[from..at].iter().any(|earlier| earlier.slot == slot);
                met |= bit;
                // The first change of a slot knows what it was, the slot itself what it is.
                let (old, new) = (self.mem.journal[at].old, self.mem.slots[slot as usize]);
                if !known && old != new {
                    sum = sum.wrapping_sub(self.share(key, old)).wrapping_add(self.share(key, new));
                }
            } else if thing != NOBODY && !things[..n_things].contains(&thing) {
                things[n_things] = thing;
                n_things += 1;
                let is = self.share_of(program, thing);
                let was = match changed.iter_mut().find(|(known, _)| *known == thing) {
                    Some((_, share)) => std::mem::replace(share, is),
                    None => {
                        changed.push((thing, is));
                        self.tally.shares.get(thing as usize).copied().unwrap_or(0)
                    }
                };
                sum = sum.wrapping_sub(was).wrapping_add(is);
            }
        }
        sum
    }

    fn tallied_as(&mut self, sum: u64, settle: bool) -> u64 {
        let made = Sum { sum, at: self.mem.journal.len(), known: true };
        if settle {
            self.tally.settled = made;
        }
        self.tally.recent = made;
        sum
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
        self.tally.changed.clear();
        self.tally.shares.clear();
        self.tally.shares.resize(end as usize, 0);
        for thing in program.counted.movable.iter().copied().chain(first..end) {
            let share = self.share_of(program, thing);
            sum = sum.wrapping_add(share);
            self.tally.shares[thing as usize] = share;
        }
        self.tallied_as(sum, true)
    }

    /// Whether the sum is that of the present position, as it was kept.
    pub(crate) fn is_tallied(&self) -> bool {
        self.tally.settled.known && self.tally.settled.at == self.mem.journal.len()
    }

    /// What was changed since has nothing in the sum.
    pub(crate) fn stay_tallied(&mut self) {
        self.tally.settled.at = self.mem.journal.len();
        self.tally.recent.known = false;
    }

    /// What the present position is called in the history.
    pub(crate) fn history_key(&mut self, program: &Program, mover: Value, settle: bool) -> Run<u64> {
        let Some(history) = &program.history else { return Ok(0) };
        let mut hash = 0x5eed;
        if history.by_player {
            hash = mix(hash, mover.0);
        }
        hash = mix(hash, self.tallied(program, settle));
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
        let seen = self.mem.slots[layout::SEEN as usize];
        if program.history.is_none() {
            // A change of rules may ask for it later: the journal says where it was.
            self.mem.journal.push(Change { slot: u64::from(layout::SEEN), old: seen });
            return Ok(());
        }
        let key = self.history_key(program, mover, true)?;
        let n = seen as usize;
        self.mem.remember(n, key);
        // What follows in the journal is told by the slots themselves.
        self.mem.set(layout::SEEN, Value(n as u64 + 1));
        self.stay_tallied();
        Ok(())
    }

    pub(crate) fn seen(&mut self, program: &Program, within: Option<Value>) -> Run<Value> {
        let key = self.history_key(program, self.player(), false)?;
        let n = self.mem.slots[layout::SEEN as usize] as usize;
        let within = match within {
            Some(within) => self.position(program, within)?.unwrap_or(0),
            None => n,
        };
        let seen = self.mem.times(n.saturating_sub(within), n, key);
        Ok(Value::small(seen as u32))
    }
}
