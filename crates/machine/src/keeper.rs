//! Candidates that are kept from move to move.
//!
//! Many laws look at the receiver and its neighbours only: "only empty cells". For actions without attributes the
//! receivers that pass such laws are kept as a set of bits; a slot that changes brings only those into question that
//! read it. Random play then draws from the set. Nothing here decides what is legal: a candidate drawn is still tried.

use crate::bits::select;
use crate::code::*;
use crate::derived::{Follows, InStep};
use crate::facts::reader::{self, Domain, Way};
use crate::guard::{Guards, MOST_SEATS};
use crate::layout::{self, Layout};
use crate::memory::Memory;
use crate::program::{Handler, Program};
use crate::shortcut::Shortcut;
use crate::value::Value;
use crate::vm::{Machine, Stop, copy_list};
use crate::world::{EntityId, World};

/// Which candidates read which slots.
#[derive(Clone, Debug, Default)]
pub struct Keeper {
    /// For each slot where its candidates begin in `readers`; one more at the end.
    starts: Vec<u32>,
    readers: Vec<u16>,
    /// No slot before this one is read: those of the turn come first.
    first: usize,
    /// For each candidate how its laws are asked.
    pub(crate) asked: Vec<Asked>,
    pub(crate) guards: Option<Guards>,
}

/// How it is found out whether a candidate is kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked {
    pub law: Law,
    /// The slot of its state, if that decides who answers. Only of the first state are the laws known; a candidate in
    /// another one is kept.
    pub state: u32,
}

/// How the laws about a candidate's neighbourhood are asked.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Law {
    /// There are none.
    None,
    /// It only matters which of a few slots hold a certain word, nil or a number: each combination has a bit that says
    /// whether it passes.
    Table {
        slots: [u32; MOST_SLOTS],
        words: [u64; MOST_SLOTS],
        passes: u16,
    },
    Code(FuncId),
}

/// Slots of a table.
const MOST_SLOTS: usize = 3;

/// Words whose counts are looked through at once.
pub(crate) const LANES: usize = 8;

/// The candidates of one position that pass the laws kept.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    pub(crate) bits: Vec<u64>,
    /// How many there are up to the end of each word; what follows the last word says the same as it. Only where there
    /// are several words.
    upto: Vec<[u16; LANES]>,
    pub(crate) count: u32,
    /// Changes up to here are in the bits.
    pub(crate) step: InStep,
    /// Slots changed since, no longer in the journal.
    stale: Vec<u32>,
    /// The candidates open to each seat, while random play goes on.
    pub(crate) open: Option<[u64; MOST_SEATS]>,
    /// Where there are few, those in another state than their first one.
    pub(crate) elsewhere: u64,
}

impl Keeper {
    /// None where no candidate is worth keeping.
    pub fn of(program: &Program) -> Option<Keeper> {
        if program.plain.is_empty() || program.plain.len() > usize::from(u16::MAX) {
            return None;
        }
        let mut asked = Vec::new();
        let mut by_slot: Vec<Vec<u16>> = vec![Vec::new(); program.layout.made_base as usize];
        for (at, &(action, receiver)) in program.plain.iter().enumerate() {
            let thing = &program.world.entities[receiver as usize];
            if thing.board.is_none() && thing.kind > 1 {
                return None;
            }
            let label = program.actions[action as usize].label;
            let (keep, by_state) = match &program.handlers[label as usize][thing.kind as usize] {
                Handler::Single(woven) => (woven.keep, None),
                Handler::ByState(states) => (states[0].and_then(|woven| woven.keep), Some(layout::STATE)),
                Handler::None => (None, None),
            };
            let state = by_state.and_then(|prop| program.layout.slot(prop, receiver));
            let ask = |law: Law| Asked { law, state: state.unwrap_or(layout::NOTHING) };
            let Some(func) = keep else {
                asked.push(ask(Law::None));
                continue;
            };
            {
                let function = &program.functions[func as usize];
                let read = reads(&program.layout, &program.world, function, &program.pools, receiver)?;
                asked.push(ask(table(program, function, receiver, &read).unwrap_or(Law::Code(func))));
                for slot in read.into_iter().chain(state) {
                    if !by_slot[slot as usize].contains(&(at as u16)) {
                        by_slot[slot as usize].push(at as u16);
                    }
                }
            }
        }
        if asked.iter().all(|asked| matches!(asked.law, Law::None)) {
            return None;
        }
        let mut keeper = Keeper {
            asked,
            guards: program.may(Shortcut::Guard).then(|| Guards::of(program)).flatten(),
            ..Keeper::default()
        };
        for readers in by_slot {
            keeper.starts.push(keeper.readers.len() as u32);
            keeper.readers.extend(readers);
        }
        keeper.starts.push(keeper.readers.len() as u32);
        keeper.first = keeper.starts.iter().rposition(|&start| start == 0).unwrap_or(0);
        Some(keeper)
    }

    /// How many candidates are asked by a table, and how many by code.
    pub(crate) fn n_asked(&self) -> (usize, usize) {
        let n = |wanted: fn(&Law) -> bool| self.asked.iter().filter(|asked| wanted(&asked.law)).count();
        (n(|law| matches!(law, Law::Table { .. })), n(|law| matches!(law, Law::Code(_))))
    }

    #[inline]
    pub(crate) fn readers(&self, slot: usize) -> &[u16] {
        match self.starts.get(slot..slot + 2) {
            Some(&[from, to]) => &self.readers[from as usize..to as usize],
            _ => &[],
        }
    }
}

/// The slots that laws read for one receiver, if they read nothing else.
pub fn reads(
    layout: &Layout,
    world: &World,
    function: &Function,
    pools: &Pools,
    receiver: EntityId,
) -> Option<Vec<u32>> {
    let mut reading = Reading { layout, world, slots: Vec::new() };
    let mut first = vec![None; reader::n_regs(function)];
    first[0] = Some(Value::entity(receiver));
    reader::flow(function, pools, first, &mut reading)?;
    let mut slots = reading.slots;
    slots.sort_unstable();
    slots.dedup();
    Some(slots)
}

/// Of each register the value it has, where that is always the same for one receiver.
struct Reading<'a> {
    layout: &'a Layout,
    world: &'a World,
    slots: Vec<u32>,
}

impl Reading<'_> {
    fn read(&mut self, of: Value, prop: PropId) -> Option<()> {
        if !of.is_nil() {
            self.slots.extend(self.layout.slot(prop, of.as_entity()?));
        }
        Some(())
    }
}

impl Domain for Reading<'_> {
    type Sign = Option<Value>;

    fn constant(&mut self, value: Value) -> Option<Value> {
        Some(value)
    }

    fn sign(&mut self, op: &Op, regs: &[Option<Value>]) -> Option<Option<Value>> {
        let known = |reg: Reg| regs[reg as usize];
        match *op {
            Op::GetProp { entity, prop, .. } => self.read(known(entity)?, prop)?,
            Op::GetField { entity, field: Field::Top | Field::Empty, .. } => self.read(known(entity)?, layout::TOP)?,
            Op::GetField { entity, field: Field::Row | Field::Column | Field::Number, .. } => drop(known(entity)?),
            Op::Step { entity, direction, .. } => {
                return Some(Some(match known(entity)? {
                    Value::NIL => Value::NIL,
                    place => Value::maybe(self.world.directions.step(direction, place.as_entity()?)),
                }));
            }
            Op::Add { .. }
            | Op::Sub { .. }
            | Op::Eq { .. }
            | Op::Ne { .. }
            | Op::Lt { .. }
            | Op::Le { .. }
            | Op::Not { .. } => {}
            _ => return None,
        }
        Some(None)
    }

    fn either(&mut self, one: &Option<Value>, other: &Option<Value>) -> Option<Value> {
        one.filter(|one| Some(*one) == *other)
    }
}

/// What a register holds, as far as a table goes.
#[derive(Clone, Copy, PartialEq)]
enum Sign {
    Known(Value),
    /// What a slot holds.
    Slot(usize),
    /// Whether a slot is nil.
    NilSlot(usize),
    Unknown,
}

/// Asks the laws for each combination of slots that hold their word or another one; none if more than that matters.
fn table(program: &Program, function: &Function, receiver: EntityId, read: &[u32]) -> Option<Law> {
    if read.len() > MOST_SLOTS {
        return None;
    }
    let mut asking = Asking { program, read, words: [None; MOST_SLOTS], other: 0 };
    let mut passes = 0;
    for other in 0..1u16 << MOST_SLOTS {
        asking.other = other;
        let mut first = vec![Sign::Unknown; reader::n_regs(function)];
        first[0] = Sign::Known(Value::entity(receiver));
        passes |= u16::from(reader::passes(function, &program.pools, first, &mut asking)?) << other;
    }
    let mut slots = [layout::NOTHING; MOST_SLOTS];
    slots[..read.len()].copy_from_slice(read);
    Some(Law::Table { slots, words: asking.words.map(|word| word.unwrap_or(0)), passes })
}

/// A try of the laws with some slots holding their word and the others anything else.
struct Asking<'a> {
    program: &'a Program,
    read: &'a [u32],
    /// The word that each slot is compared with.
    words: [Option<u64>; MOST_SLOTS],
    /// Which slots hold something else.
    other: u16,
}

impl Asking<'_> {
    /// Whether a slot holds this word; none if it was compared with another one.
    fn holds(&mut self, slot: usize, word: Value) -> Option<bool> {
        let known = *self.words[slot].get_or_insert(word.0);
        (known == word.0).then_some(self.other >> slot & 1 == 0)
    }

    fn is_nil(&mut self, sign: Sign) -> Option<bool> {
        match sign {
            Sign::Known(value) => Some(value.is_nil()),
            Sign::Slot(at) => self.holds(at, Value::NIL),
            Sign::NilSlot(at) => Some(!self.holds(at, Value::NIL)?),
            Sign::Unknown => None,
        }
    }
}

impl Domain for Asking<'_> {
    type Sign = Sign;

    fn constant(&mut self, value: Value) -> Sign {
        Sign::Known(value)
    }

    fn sign(&mut self, op: &Op, regs: &[Sign]) -> Option<Sign> {
        match *op {
            Op::GetProp { entity, prop, .. } => {
                let Sign::Known(of) = regs[entity as usize] else { return None };
                match of.as_entity().and_then(|of| self.program.layout.slot(prop, of)) {
                    Some(slot) => Some(Sign::Slot(self.read.iter().position(|&known| known == slot)?)),
                    None => Some(Sign::Known(Value::NIL)),
                }
            }
            Op::Step { entity, direction, .. } => {
                let Sign::Known(of) = regs[entity as usize] else { return None };
                Some(Sign::Known(match of.as_entity() {
                    Some(place) => Value::maybe(self.program.ahead.step(direction, place)),
                    None => Value::NIL,
                }))
            }
            Op::Not { a, .. } => match regs[a as usize] {
                Sign::Known(value) => Some(Sign::Known(Value::truth(value.is_nil()))),
                Sign::Slot(at) => Some(Sign::NilSlot(at)),
                _ => None,
            },
            _ => None,
        }
    }

    fn way(&mut self, op: &Op, regs: &[Sign]) -> Option<Way> {
        match *op {
            Op::JumpNil { src, .. } => self.is_nil(regs[src as usize]).map(Way::away_if),
            Op::JumpSome { src, .. } => self.is_nil(regs[src as usize]).map(|nil| Way::away_if(!nil)),
            Op::JumpLess { a, b, .. } | Op::JumpNotLess { a, b, .. } => {
                let (Sign::Known(number), Sign::Slot(slot)) = (regs[a as usize], regs[b as usize]) else { return None };
                number.as_whole()?;
                match self.holds(slot, number)? {
                    true => Some(Way::away_if(matches!(op, Op::JumpNotLess { .. }))),
                    // More or less: what may pass is kept.
                    false => Some(Way::Both),
                }
            }
            _ => None,
        }
    }

    fn either(&mut self, one: &Sign, other: &Sign) -> Sign {
        if one == other { *one } else { Sign::Unknown }
    }
}

/// The seat of a player, counted from none.
#[inline]
pub(crate) fn seat_at(player: u64) -> Option<usize> {
    let seat = player.wrapping_sub(Value::entity(1).0) as usize;
    (seat < MOST_SEATS).then_some(seat)
}

impl Kept {
    /// The candidate with so many kept ones before it.
    #[inline]
    pub fn select(&self, rank: u32) -> usize {
        self.select_with(rank, select)
    }

    /// The same with a way to find the set bit of a word that has so many before it.
    #[inline(always)]
    pub(crate) fn select_with(&self, rank: u32, select: impl Fn(u64, u32) -> u32) -> usize {
        // Without a way out of the loop: in which word it lies cannot be foreseen.
        let past = |lanes: &[u16; LANES]| lanes.iter().map(|&upto| u16::from(u32::from(upto) <= rank)).sum::<u16>();
        let at = self.upto.iter().map(past).sum::<u16>() as usize;
        let before = match at {
            0 => 0,
            _ => u32::from(self.upto.as_flattened()[at - 1]),
        };
        64 * at + select(self.bits[at], rank - before) as usize
    }

    /// The words of bits and their counts, where there are several words, but few enough to look through all counts at
    /// once; and how many there are.
    #[inline(always)]
    pub(crate) fn several(&mut self) -> Option<(&mut [u64], &mut [u16; LANES], &mut u32)> {
        match self.upto.as_mut_slice() {
            [upto] => Some((&mut self.bits, upto, &mut self.count)),
            _ => None,
        }
    }

    /// The first candidate kept from this one on.
    pub fn next(&self, from: usize) -> Option<usize> {
        let mut at = from / 64;
        let mut word = self.bits.get(at)? & (u64::MAX << (from % 64));
        while word == 0 {
            at += 1;
            word = *self.bits.get(at)?;
        }
        Some(64 * at + word.trailing_zeros() as usize)
    }

    /// The same among those that are open.
    #[inline]
    pub fn next_open(&self, from: usize, open: Option<u64>) -> Option<usize> {
        let Some(open) = open else { return self.next(from) };
        let left = self.few() & open & u64::MAX.checked_shl(from as u32).unwrap_or(0);
        (left != 0).then(|| left.trailing_zeros() as usize)
    }

    /// The candidates kept among few, each a bit of one word.
    #[inline]
    pub(crate) fn few(&self) -> u64 {
        self.bits[0]
    }

    #[inline]
    pub(crate) fn put(&mut self, candidate: usize, kept: bool) {
        let (word, at) = (&mut self.bits[candidate / 64], candidate % 64);
        let was = *word >> at & 1;
        *word ^= (was ^ u64::from(kept)) << at;
        let change = u32::from(kept).wrapping_sub(was as u32);
        self.count = self.count.wrapping_add(change);
        if change != 0 {
            self.shift(candidate / 64, change as u16);
        }
    }

    /// Counts after one word has so many more.
    fn shift(&mut self, word: usize, change: u16) {
        for (from, lanes) in (0..).step_by(LANES).zip(&mut self.upto) {
            for (at, upto) in lanes.iter_mut().enumerate() {
                *upto = upto.wrapping_add(if from + at >= word { change } else { 0 });
            }
        }
    }

    /// All candidates of one word of bits at once.
    #[inline]
    pub(crate) fn put_few(&mut self, kept: u64) {
        self.count = kept.count_ones();
        self.bits[0] = kept;
    }

    /// Whether changes were taken back that the bits know.
    #[inline]
    pub fn is_stale(&self) -> bool {
        !self.stale.is_empty()
    }

    /// Slots that have changed are asked about later, when the journal no longer tells them.
    #[cold]
    fn note_missed(&mut self, memory: &Memory) {
        let synced = (self.step.0 as usize).min(memory.journal.len());
        self.stale.extend(memory.journal[synced..].iter().map(|change| change.slot as u32));
        // Nobody has drawn for long: to begin anew is less than to catch up.
        if self.stale.len() > 64 * self.bits.len() {
            *self = Kept::default();
        }
    }

    #[inline]
    pub fn is_ready(&self) -> bool {
        !self.bits.is_empty()
    }

    pub fn count(&self) -> u32 {
        self.count
    }
}

impl Follows for Kept {
    /// The bits may know some of what is taken back.
    #[inline]
    fn cut(&mut self, memory: &Memory, journal: usize) {
        let known = (self.step.0 as usize).min(memory.journal.len());
        if self.is_ready() && journal < known {
            self.stale.extend(memory.journal[journal..known].iter().map(|change| change.slot as u32));
            self.step = InStep(journal as u64);
        }
    }

    #[inline]
    fn settle(&mut self, memory: &Memory) {
        if !self.step.knows(memory) && self.is_ready() {
            self.note_missed(memory);
        }
        self.step = InStep::BEGINNING;
    }

    fn copy_from(&mut self, other: &Kept) {
        if let ([bits], [from]) = (self.bits.as_mut_slice(), other.bits.as_slice()) {
            *bits = *from;
        } else {
            copy_list(&mut self.bits, &other.bits);
            copy_list(&mut self.upto, &other.upto);
        }
        (self.count, self.step, self.elsewhere) = (other.count, other.step, other.elsewhere);
        copy_list(&mut self.stale, &other.stale);
    }

    fn catch_up(machine: &mut Machine, program: &Program) {
        machine.sync_kept(program);
    }

    #[cfg(debug_assertions)]
    fn differs(machine: &mut Machine, program: &Program) -> Option<String> {
        if !machine.derived.kept.is_ready() || !machine.sync_kept(program) {
            return None;
        }
        let kept = std::mem::take(&mut machine.derived.kept);
        machine.sync_kept(program);
        let told = |kept: &Kept| (kept.bits.clone(), kept.upto.clone(), kept.count, kept.elsewhere);
        let (kept, anew) = (told(&kept), told(&machine.derived.kept));
        (kept != anew).then(|| format!("{kept:?}, anew {anew:?}"))
    }
}

impl Machine {
    /// The candidates that are not somebody else's, as far as that never changes in play. `first` is whose turn it is.
    #[inline]
    pub(crate) fn open_to(&self, keeper: &Keeper, actor: u64, first: u64) -> Option<u64> {
        let guards = keeper.guards.as_ref()?;
        let who = if guards.by_turn { first } else { actor };
        let known = self.derived.kept.open.and_then(|open| open.get(seat_at(who)?).copied());
        Some(known.unwrap_or_else(|| guards.open_to(&self.mem.slots, who)) | self.derived.kept.elsewhere)
    }

    /// Whose the candidates are is looked up once for many actions, or no longer known.
    #[inline]
    pub(crate) fn know_open(&mut self, program: &Program, known: bool) {
        let guards = program.keeper.as_ref().and_then(|keeper| keeper.guards.as_ref()).filter(|_| known);
        if guards.is_none() && self.derived.kept.open.is_none() {
            return;
        }
        self.derived.kept.open = guards.map(|guards| {
            let mut open = [0; MOST_SEATS];
            for (seat, open) in open.iter_mut().enumerate().take(program.world.n_seats as usize) {
                let player = program.world.seat_entity(seat as u32);
                *open = guards.open_to(&self.mem.slots, Value::entity(player).0);
            }
            open
        });
    }

    /// Brings the candidates kept up to date; false where none are kept.
    pub fn sync_kept(&mut self, program: &Program) -> bool {
        let Some(keeper) = &program.keeper else { return false };
        if self.mem.slots[layout::MADE as usize] != 0 {
            self.derived.kept = Kept::default();
            return false;
        }
        if !self.derived.kept.is_ready() {
            self.derived.kept.step = InStep::now(&self.mem);
            self.derived.kept.bits = vec![0; keeper.asked.len().div_ceil(64)];
            let lanes = if self.derived.kept.bits.len() > 1 { self.derived.kept.bits.len().div_ceil(LANES) } else { 0 };
            self.derived.kept.upto = vec![[0; LANES]; lanes];
            self.derived.kept.count = 0;
            for candidate in 0..keeper.asked.len() {
                self.ask_kept(program, keeper, candidate);
            }
            self.derived.kept.stale.clear();
        }
        while let Some(slot) = self.derived.kept.stale.pop() {
            for &candidate in keeper.readers(slot as usize) {
                self.ask_kept(program, keeper, usize::from(candidate));
            }
        }
        let first = (self.derived.kept.step.0 as usize).min(self.mem.journal.len());
        for at in first..self.mem.journal.len() {
            let slot = self.mem.journal[at].slot as usize;
            if slot < keeper.first {
                continue;
            }
            for &candidate in keeper.readers(slot) {
                self.ask_kept(program, keeper, usize::from(candidate));
            }
        }
        self.derived.kept.step = InStep::now(&self.mem);
        true
    }

    #[inline]
    fn ask_kept(&mut self, program: &Program, keeper: &Keeper, candidate: usize) {
        let asked = &keeper.asked[candidate];
        let kept = match &asked.law {
            Law::Table { slots, words, passes } => {
                let other = |at: usize| u16::from(self.mem.slots[slots[at] as usize] != words[at]) << at;
                passes >> (other(0) | other(1) | other(2)) & 1 == 1
            }
            Law::None => true,
            Law::Code(func) => self.is_let_through(program, *func, candidate),
        };
        let elsewhere = self.mem.slots[asked.state as usize] != 0;
        if candidate < 64 {
            self.derived.kept.elsewhere =
                self.derived.kept.elsewhere & !(1 << candidate) | u64::from(elsewhere) << candidate;
        }
        self.derived.kept.put(candidate, kept | elsewhere);
    }
}

impl Machine {
    /// Whether the laws do not refuse a candidate. A fault is met again, and told, when the candidate is tried.
    fn is_let_through(&mut self, program: &Program, func: FuncId, candidate: usize) -> bool {
        let receiver = program.plain[candidate].1;
        match program.native().and_then(|native| native.single(func)) {
            // Such laws call nobody, so the end of the stack is far.
            Some(address) => self.run_guarded(address, Value::entity(receiver).0) != crate::native::Outcome::Refused,
            None => !matches!(self.ask_laws(program, func, receiver), Err(Stop::Refused { .. })),
        }
    }
}
