//! Which things may receive each action, kept from move to move.
//!
//! Laws such as "only your own pieces" read nothing but the receiver's own properties and who plays. For each action and
//! seat the things that pass them are kept as a set of bits; a change brings only the thing into question whose property
//! it was. Nothing here decides what is legal: whatever is drawn or listed from these sets is still asked for the rest.

use crate::bits::select;
use crate::code::*;
use crate::derived::{Follows, InStep};
use crate::layout::{self, Column};
use crate::memory::Memory;
use crate::own::OwnTable;
use crate::program::{ActionCode, Handler, Program, Receivers, Woven};
use crate::vm::{Machine, Run, copy_list};
use crate::world::{EntityId, GAME, KindId, NOBODY};

/// Which changes bring which things into question.
#[derive(Clone, Debug, Default)]
pub struct Roster {
    /// For each slot of a thing of the start the thing, or `NOBODY` where nothing depends on it.
    things: Vec<EntityId>,
    /// The same for the block of a thing made in play.
    made: Vec<bool>,
    /// For each kind how laws are asked, and the sets, of an action and a seat, for which they decide.
    laws: Vec<Vec<(OwnLaw, Vec<u32>)>>,
    /// For each kind where it is kept whether a thing has left.
    gone: Vec<Option<Column>>,
}

/// How the laws about a receiver's own properties are asked.
#[derive(Clone, Copy, PartialEq, Debug)]
enum OwnLaw {
    Always,
    Table(OwnTable),
    Code,
}

/// The things that may receive each action, as far as their own properties say.
#[derive(Clone, Debug, Default)]
pub struct Enrolled {
    /// For each action and seat so many words of bits, one bit for each thing.
    bits: Vec<u64>,
    counts: Vec<u32>,
    words: usize,
    /// Things with a smaller number have been asked.
    upto: EntityId,
    /// Changes up to here are in the bits.
    step: InStep,
    /// Some law has a fault: it has to be told, so everything is listed.
    faulty: bool,
    /// While it is found out what a player can do: the player, and a bit for each action known to be impossible.
    asking: Option<EntityId>,
    unable: u64,
}

impl Roster {
    /// None where receivers are computed, or where no action has attributes.
    pub fn of(program: &Program) -> Option<Roster> {
        let layout = &program.layout;
        let mut matters = vec![false; layout.props.len()];
        matters[layout::GONE as usize] = true;
        let mut receives = vec![false; program.world.kinds.len()];
        for action in &program.actions {
            if program.labels[action.label as usize].attributes.len() >= crate::code::MOST_ARGS {
                return None;
            }
            for (kind, handler) in program.handlers[action.label as usize].iter().enumerate() {
                if !goes_to(program, action, kind)? {
                    continue;
                }
                let woven: Vec<Woven> = match handler {
                    Handler::None => continue,
                    Handler::Single(woven) => vec![*woven],
                    Handler::ByState(states) => {
                        matters[layout::STATE as usize] = true;
                        states.iter().flatten().copied().collect()
                    }
                };
                receives[kind] = true;
                for own in woven.iter().map(|woven| Some(woven.split?.own)).collect::<Option<Vec<_>>>()? {
                    let Some(own) = own else { continue };
                    for prop in own_properties(&program.functions[own as usize])? {
                        matters[prop as usize] = true;
                    }
                }
            }
        }
        let mut roster = Roster {
            things: vec![NOBODY; layout.made_base as usize],
            made: vec![false; layout.made_stride as usize],
            laws: vec![Vec::new(); program.world.kinds.len()],
            gone: (0..receives.len()).map(|kind| layout.column_of(layout::GONE, kind as KindId)).collect(),
        };
        for (at, action) in program.actions.iter().enumerate() {
            for (kind, handler) in program.handlers[action.label as usize].iter().enumerate() {
                if !goes_to(program, action, kind)? {
                    continue;
                }
                for seat in 0..program.world.n_seats {
                    let player = program.world.seat_entity(seat);
                    let law = match handler {
                        Handler::None => continue,
                        Handler::ByState(_) => OwnLaw::Code,
                        Handler::Single(woven) => match woven.split.and_then(|split| split.own) {
                            None => OwnLaw::Always,
                            Some(own) => OwnTable::of(
                                &program.functions[own as usize],
                                &program.pools,
                                player,
                                layout,
                                kind as KindId,
                            )
                            .map_or(OwnLaw::Code, OwnLaw::Table),
                        },
                    };
                    let set = at as u32 * program.world.n_seats + seat;
                    // Most laws ask the same for every seat, or for every action.
                    match roster.laws[kind].iter_mut().find(|(known, _)| *known == law && law != OwnLaw::Code) {
                        Some((_, sets)) => sets.push(set),
                        None => roster.laws[kind].push((law, vec![set])),
                    }
                }
            }
        }
        for prop in (0..matters.len()).filter(|&prop| matters[prop]) {
            let (first, end, _) = layout.column(prop as PropId);
            for thing in (first..end).filter(|&thing| receives[program.kinds[thing as usize] as usize]) {
                roster.things[layout.slot(prop as PropId, thing)? as usize] = thing;
            }
            match layout.made_offset(prop as PropId) {
                0 => {}
                at => roster.made[at as usize] = true,
            }
        }
        Some(roster)
    }

    /// The thing that a change of this slot brings into question.
    #[inline]
    fn thing_of(&self, program: &Program, slot: u64) -> Option<EntityId> {
        if let Some(&thing) = self.things.get(slot as usize) {
            return (thing != NOBODY).then_some(thing);
        }
        let behind = slot as u32 - program.layout.made_base;
        let (thing, at) = (behind / program.layout.made_stride, behind % program.layout.made_stride);
        self.made[at as usize].then_some(program.layout.first_made + thing)
    }
}

/// Whether an action can go to things of a kind; none if that has to be computed.
fn goes_to(program: &Program, action: &ActionCode, kind: usize) -> Option<bool> {
    match action.to {
        Receivers::Game => Some(kind == crate::world::GAME_KIND as usize),
        Receivers::Kind(wanted) => Some(program.is_a[kind][wanted as usize]),
        Receivers::Computed(_) => None,
    }
}

/// Whether laws say the same whoever receives the action.
pub fn reads_no_receiver(function: &Function, pools: &Pools) -> bool {
    function.code.iter().all(|op| !crate::facts::operands(op, pools).uses.contains(&0))
}

/// The properties of the receiver that laws read, if they read nothing else but who plays.
pub fn own_properties(function: &Function) -> Option<Vec<PropId>> {
    let mut read = Vec::new();
    for op in &function.code {
        match *op {
            Op::GetProp { entity: 0, prop, .. } => read.push(prop),
            Op::GetField { entity: 0, field: Field::Top | Field::Empty, .. } => read.push(layout::TOP),
            Op::GetField { entity: 0, field: Field::Row | Field::Column | Field::Number | Field::Kind, .. } => {}
            Op::GetState { entity: 0, .. } => read.push(layout::STATE),
            Op::Const { .. }
            | Op::Move { .. }
            | Op::Jump { .. }
            | Op::JumpNil { .. }
            | Op::JumpSome { .. }
            | Op::JumpEq { .. }
            | Op::JumpNe { .. }
            | Op::Player { .. }
            | Op::Eq { .. }
            | Op::Ne { .. }
            | Op::Not { .. }
            | Op::Refuse { .. }
            | Op::Return { .. } => {}
            _ => return None,
        }
    }
    Some(read)
}

impl Enrolled {
    /// From here on the position stays as it is until it is known what a player can do.
    pub fn begin_asking(&mut self, player: EntityId) {
        (self.asking, self.unable) = (Some(player), 0);
    }

    pub fn end_asking(&mut self) {
        (self.asking, self.unable) = (None, 0);
    }

    /// Whether it was found that nobody can receive an action of the player.
    pub fn is_unable(&self, action: usize) -> bool {
        action < 64 && self.unable >> action & 1 == 1
    }

    /// Nobody can receive an action of a player, whatever rules are left out.
    pub fn note_unable(&mut self, player: EntityId, action: usize) {
        if self.asking == Some(player) && action < 64 {
            self.unable |= 1 << action;
        }
    }

    /// How many things may receive an action of a seat.
    #[inline]
    pub fn count(&self, set: usize) -> u32 {
        self.counts[set]
    }

    /// The thing with so many others before it.
    #[inline]
    pub fn select(&self, set: usize, mut rank: u32) -> EntityId {
        for (at, &word) in self.bits[set * self.words..][..self.words].iter().enumerate() {
            let n = word.count_ones();
            if rank < n {
                return 64 * at as EntityId + select(word, rank);
            }
            rank -= n;
        }
        NOBODY
    }

    /// The things that may receive an action of a seat.
    pub fn list<T: From<EntityId>>(&self, set: usize, into: &mut Vec<T>) {
        for (at, &word) in self.bits[set * self.words..][..self.words].iter().enumerate() {
            let mut word = word;
            while word != 0 {
                into.push((64 * at as EntityId + word.trailing_zeros()).into());
                word &= word - 1;
            }
        }
    }

    /// Where the bits of a set lie, and how many words of them there are.
    pub fn bits_of(&self, set: usize) -> (*const u64, usize) {
        (self.bits[set * self.words..][..self.words].as_ptr(), self.words)
    }

    #[inline]
    fn put(&mut self, set: usize, thing: EntityId, enrolled: bool) {
        let word = &mut self.bits[set * self.words + thing as usize / 64];
        let other = (*word >> (thing % 64) & 1) ^ u64::from(enrolled);
        *word ^= other << (thing % 64);
        let change = other as u32;
        self.counts[set] = self.counts[set].wrapping_add(if enrolled { change } else { change.wrapping_neg() });
    }
}

impl Follows for Enrolled {
    #[inline]
    fn cut(&mut self, _: &Memory, journal: usize) {
        self.step.cut(journal);
    }

    #[inline]
    fn settle(&mut self, memory: &Memory) {
        self.step.settle(memory);
    }

    fn copy_from(&mut self, other: &Enrolled) {
        let Enrolled { bits, counts, words, upto, step, faulty, .. } = other;
        copy_list(&mut self.bits, bits);
        copy_list(&mut self.counts, counts);
        (self.words, self.upto, self.step, self.faulty) = (*words, *upto, *step, *faulty);
    }

    fn catch_up(machine: &mut Machine, program: &Program) {
        if !machine.derived.standing.suffices() {
            machine.sync_roster(program);
        }
    }

    #[cfg(debug_assertions)]
    fn differs(machine: &mut Machine, program: &Program) -> Option<String> {
        // A fault once met is told by whoever lists everything, for as long as the roster lasts.
        if !machine.derived.enrolled.step.is_known() || !machine.sync_roster(program) {
            return None;
        }
        let kept = std::mem::take(&mut machine.derived.enrolled);
        machine.sync_roster(program);
        let anew = &machine.derived.enrolled;
        let things = |enrolled: &Enrolled, set: usize| {
            let mut things: Vec<EntityId> = Vec::new();
            enrolled.list(set, &mut things);
            things
        };
        let differs = |&set: &usize| {
            things(&kept, set) != things(anew, set) || kept.counts[set] != anew.counts[set] || anew.faulty
        };
        let set = (0..anew.counts.len()).find(differs)?;
        Some(format!("set {set}: {:?}, anew {:?}", things(&kept, set), things(anew, set)))
    }
}

impl Machine {
    /// Brings the roster up to date; false where there is none or where a law has a fault.
    #[inline]
    pub(crate) fn sync_roster(&mut self, program: &Program) -> bool {
        match self.derived.enrolled.step.knows(&self.mem) {
            // Nothing is made without the journal.
            true => !self.derived.enrolled.faulty,
            false => self.sync_changed_roster(program),
        }
    }

    fn sync_changed_roster(&mut self, program: &Program) -> bool {
        let Some(roster) = &program.roster else { return false };
        let things = program.layout.first_made + self.mem.slots[layout::MADE as usize] as EntityId;
        let room = things as usize <= 64 * self.derived.enrolled.words;
        let first = self.derived.enrolled.step.0 as usize;
        if !room || first > self.mem.journal.len() {
            self.call_roll(program, things);
        } else {
            let mut last = NOBODY;
            for at in first..self.mem.journal.len() {
                if let Some(thing) = roster.thing_of(program, self.mem.journal[at].slot)
                    && thing != last
                    && thing < self.derived.enrolled.upto
                {
                    self.enrol(program, thing);
                    last = thing;
                }
            }
            for thing in self.derived.enrolled.upto..things {
                self.enrol(program, thing);
            }
        }
        self.derived.enrolled.upto = things;
        self.derived.enrolled.step = InStep::now(&self.mem);
        !self.derived.enrolled.faulty
    }

    /// Whether the roster knows of every change.
    pub(crate) fn knows_roster(&self) -> bool {
        let enrolled = &self.derived.enrolled;
        enrolled.step.knows(&self.mem) && !enrolled.faulty
    }

    fn call_roll(&mut self, program: &Program, things: EntityId) {
        let n_sets = program.actions.len() * program.world.n_seats as usize;
        // Room for some that are still to be made.
        self.derived.enrolled.words = (things as usize).div_ceil(64) + usize::from(program.layout.made_stride > 1);
        self.derived.enrolled.bits.clear();
        self.derived.enrolled.bits.resize(n_sets * self.derived.enrolled.words, 0);
        self.derived.enrolled.counts.clear();
        self.derived.enrolled.counts.resize(n_sets, 0);
        self.derived.enrolled.faulty = false;
        for thing in 0..things {
            self.enrol(program, thing);
        }
    }

    fn enrol(&mut self, program: &Program, thing: EntityId) {
        let Some(roster) = &program.roster else { return };
        let n_seats = program.world.n_seats;
        let kind = self.kind_of(program, thing) as usize;
        let gone = |column: Column| self.mem.slots[program.layout.slot_in(column, thing) as usize] != 0;
        let gone = roster.gone[kind].is_some_and(gone);
        for (law, sets) in &roster.laws[kind] {
            let enrolled = !gone
                && match law {
                    OwnLaw::Always => true,
                    OwnLaw::Table(table) => table.lets_pass(self, program, thing),
                    OwnLaw::Code => {
                        let set = sets[0];
                        let action = &program.actions[(set / n_seats) as usize];
                        let may = self.may_get(program, action, program.world.seat_entity(set % n_seats), thing);
                        self.derived.enrolled.faulty |= may.is_err();
                        may.unwrap_or(false)
                    }
                };
            for &set in sets {
                self.derived.enrolled.put(set as usize, thing, enrolled);
            }
        }
    }

    /// Whether a thing may receive an action of a player, as far as its own properties say.
    pub(crate) fn may_get(
        &mut self,
        program: &Program,
        action: &ActionCode,
        player: EntityId,
        thing: EntityId,
    ) -> Run<bool> {
        let kind = self.kind_of(program, thing) as usize;
        if !goes_to(program, action, kind).unwrap_or(false) || self.is_gone(program, thing) {
            return Ok(false);
        }
        let Some(woven) = self.handler(program, action.label, thing) else { return Ok(false) };
        let Some(own) = woven.split.and_then(|split| split.own) else { return Ok(true) };
        self.as_actor(player, |machine| machine.passes_laws(program, own, thing))
    }

    /// Where the things that may receive an action of a player are kept.
    #[inline]
    pub(crate) fn roster_set(&self, program: &Program, action: usize, player: EntityId) -> usize {
        let seat = program.world.entity_seat(player).unwrap_or(0);
        action * program.world.n_seats as usize + seat as usize
    }

    /// Whether the roster is that of the present position as well: nothing was changed since that it depends on.
    pub(crate) fn roster_holds(&self, program: &Program) -> bool {
        let Some(roster) = &program.roster else { return false };
        let enrolled = &self.derived.enrolled;
        let things = program.layout.first_made + self.mem.slots[layout::MADE as usize] as EntityId;
        !enrolled.faulty
            && enrolled.upto == things
            && enrolled
                .step
                .missed(&self.mem)
                .is_some_and(|changes| changes.iter().all(|change| roster.thing_of(program, change.slot).is_none()))
    }

    /// Goes through the things that may receive an action of a player, as far as their own properties say, until the
    /// answer is found; no if it is not. In the middle of an action they are asked one by one.
    pub(crate) fn any_enrolled(
        &mut self,
        program: &Program,
        action: usize,
        player: EntityId,
        mut answer: impl FnMut(&mut Self, EntityId) -> Run<Option<bool>>,
    ) -> Run<bool> {
        if self.roster_holds(program) {
            let set = self.roster_set(program, action, player);
            for at in 0..self.derived.enrolled.words {
                let mut word = self.derived.enrolled.bits[set * self.derived.enrolled.words + at];
                while word != 0 {
                    if let Some(found) = answer(self, 64 * at as EntityId + word.trailing_zeros())? {
                        return Ok(found);
                    }
                    word &= word - 1;
                }
            }
            return Ok(false);
        }
        let code = &program.actions[action];
        let first_made = program.layout.first_made;
        let made = first_made..first_made + self.mem.slots[layout::MADE as usize] as EntityId;
        let (from_start, made) = match code.to {
            Receivers::Kind(kind) => (&program.extents[kind as usize].things[..], made),
            _ => (&[GAME][..], 0..0),
        };
        for thing in from_start.iter().copied().chain(made) {
            // Most of what was made in play is of another kind.
            if goes_to(program, code, self.kind_of(program, thing) as usize) == Some(true)
                && self.may_get(program, code, player, thing)?
                && let Some(found) = answer(self, thing)?
            {
                return Ok(found);
            }
        }
        Ok(false)
    }
}
