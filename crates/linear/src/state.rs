//! A state of play in the net: what is there, and kept beside it what can happen.
//!
//! A change is told to the transitions that want the atom, bucket by bucket. A bucket that is closed is told as long as that
//! is cheaper than to look at all of it when it opens.

use std::sync::atomic::{AtomicU64, Ordering};

use houserules_kernel::Generator;

use crate::course::Course;
use crate::facts::weigh;
use crate::fault::Fault;
use crate::net::Net;
use crate::program::StageId;
use crate::race::{Field, Race, Stop};
use crate::sprint::Sprint;
use crate::store::AtomId;

#[derive(Default)]
pub struct NetState {
    pub stage: StageId,
    hash: u64,
    counts: Vec<u32>,
    /// Per transition, how many of its wants besides the guard are not met.
    missing: Vec<u16>,
    /// Per effect, how many of its transitions can fire but for the guard.
    ways: Vec<u32>,
    bits: Vec<u64>,
    /// Per bucket, how many of its effects could come about if it were open.
    alive: Vec<u32>,
    /// Per bucket: [`OPEN`], or one more than what it was told since it closed, or [`STALE`].
    told: Vec<u32>,
    /// Per group, how many effects of open buckets can come about.
    n_alive: Vec<u32>,
    /// Who has the same counts the same; nobody has 0.
    mark: u64,
    /// Keeps its memory from one random match to the next.
    random: Option<Box<Random>>,
    /// Random play has come to the end, and only what it left and the stage know of it: most ends are never looked at.
    is_over: bool,
}

/// What random play needs of a state.
#[derive(Default)]
struct Random {
    sprint: Option<Sprint>,
    /// Where it began the last time, with the mark and the stage there.
    began: Option<(u64, StageId, Begin)>,
    /// How often each atom was there when it stopped.
    last: Vec<u32>,
}

/// Where random play begins on a course.
#[derive(Clone, Copy)]
pub(crate) struct Begin {
    pub spot: u32,
    /// What is there as a word, if it fits.
    facts: Option<u64>,
}

static MARKS: AtomicU64 = AtomicU64::new(1);

const OPEN: u32 = 0;
/// Closed, and no longer told.
const STALE: u32 = u32::MAX;

impl NetState {
    pub fn new(net: &Net, initial: &[AtomId], stage: StageId) -> NetState {
        let mut state = NetState {
            stage,
            hash: 0,
            counts: vec![0; net.n_atoms],
            missing: vec![0; net.n_transitions()],
            ways: vec![0; net.effects.len()],
            bits: vec![0; net.effects.len().div_ceil(64)],
            alive: vec![0; net.buckets.len()],
            told: net.buckets.iter().map(|bucket| if bucket.guard.is_none() { OPEN } else { STALE }).collect(),
            n_alive: vec![0; net.groups.len()],
            mark: 0,
            random: None,
            is_over: false,
        };
        for bucket in 0..net.buckets.len() {
            if state.told[bucket] == OPEN {
                state.look(net, bucket);
            }
        }
        for &atom in initial {
            state.change(net, atom, 1);
        }
        state
    }

    /// Follows from the facts alone.
    pub fn hash(&self, net: &Net) -> u64 {
        if !self.is_over {
            return self.hash;
        }
        self.atoms().fold(0, |sum, (atom, count)| sum.wrapping_add(weigh(net.store.atom_hash(atom), u64::from(count))))
    }

    pub fn count(&self, atom: AtomId) -> u32 {
        self.counts().get(atom as usize).copied().unwrap_or(0)
    }

    fn counts(&self) -> &[u32] {
        self.ended().unwrap_or(&self.counts)
    }

    /// How often each atom was there when random play came to its end.
    fn ended(&self) -> Option<&[u32]> {
        self.random.as_ref().filter(|_| self.is_over).map(|random| &random.last[..])
    }

    /// The atoms that are there, with how often.
    pub fn atoms(&self) -> impl Iterator<Item = (AtomId, u32)> + '_ {
        let counts = self.counts().iter().enumerate();
        counts.filter(|(_, count)| **count > 0).map(|(atom, &count)| (atom as AtomId, count))
    }

    pub fn n_alive(&self, group: usize) -> u32 {
        if self.is_over { 0 } else { self.n_alive[group] }
    }

    /// The effects of a group that can come about, in their order.
    pub fn alive<'a>(&'a self, net: &'a Net, group: usize) -> impl Iterator<Item = usize> + 'a {
        self.words(net, group).flat_map(move |word| {
            let mut bits = self.bits[word];
            std::iter::from_fn(move || {
                let bit = bits.trailing_zeros();
                (bits != 0).then(|| {
                    bits &= bits - 1;
                    word * 64 + bit as usize
                })
            })
        })
    }

    /// The words of bits of the open buckets of a group.
    fn words<'a>(&'a self, net: &'a Net, group: usize) -> impl Iterator<Item = usize> + 'a {
        let is_open = |bucket: &usize| !self.is_over && self.told[*bucket] == OPEN && self.alive[*bucket] > 0;
        let open = net.groups[group].clone().filter(is_open);
        open.flat_map(|bucket| {
            let effects = &net.buckets[bucket].effects;
            effects.start / 64..effects.end.div_ceil(64)
        })
    }

    /// Whether a transition can fire.
    pub fn is_enabled(&self, net: &Net, transition: u32) -> bool {
        let effect = &net.effects[net.transitions[transition as usize].effect as usize];
        !self.is_over && self.told[effect.bucket as usize] == OPEN && self.missing[transition as usize] == 0
    }

    pub fn is_alive(&self, net: &Net, effect: usize) -> bool {
        let bucket = net.effects.get(effect).and_then(|effect| self.told.get(effect.bucket as usize));
        !self.is_over && bucket == Some(&OPEN) && self.bits[effect / 64] >> (effect % 64) & 1 == 1
    }

    /// In how many ways an effect that can come about can do so now.
    pub fn weight(&self, net: &Net, effect: usize) -> u64 {
        let count = |atom: AtomId| self.counts[atom as usize];
        let ways = net.effects[effect].transitions.iter().filter(|&&id| self.missing[id as usize] == 0);
        ways.map(|&id| net.transitions[id as usize].weight(net, count)).fold(0, u64::saturating_add)
    }

    /// Lets an effect come about; it must not lead out of the net. The stage before is what `take_back` wants.
    #[inline]
    pub fn fire(&mut self, net: &Net, effect: usize) -> StageId {
        let before = self.stage;
        let known = &net.effects[effect];
        for &(atom, by) in &known.deltas {
            self.change(net, atom, by);
        }
        if let Some(next) = known.next {
            self.stage = next;
        }
        before
    }

    pub fn take_back(&mut self, net: &Net, effect: usize, stage: StageId) {
        for &(atom, by) in net.effects[effect].deltas.iter().rev() {
            self.change(net, atom, -by);
        }
        self.stage = stage;
    }

    #[inline]
    fn change(&mut self, net: &Net, atom: AtomId, by: i32) {
        let at = atom as usize;
        self.mark = 0;
        debug_assert!(!self.is_over, "nothing comes after the end");
        let before = self.counts[at];
        let after = before.wrapping_add_signed(by);
        self.counts[at] = after;
        let share = |count: u32| match count {
            0 => 0,
            1 => net.once[at],
            _ => weigh(net.store.atom_hash(atom), u64::from(count)),
        };
        self.hash = self.hash.wrapping_sub(share(before)).wrapping_add(share(after));
        if (before == 0) != (after == 0) {
            for &bucket in &net.guarded[at] {
                if after > 0 { self.open(net, bucket as usize) } else { self.close(net, bucket as usize) }
            }
        }
        for (bucket, watchers) in &net.watchers[at] {
            let told = &mut self.told[*bucket as usize];
            if *told != OPEN {
                if *told >= net.buckets[*bucket as usize].cost {
                    *told = STALE;
                    continue;
                }
                *told += watchers.len() as u32;
            }
            self.tell(net, watchers, before, after);
        }
    }

    #[inline]
    fn tell(&mut self, net: &Net, watchers: &[(u32, u32)], before: u32, after: u32) {
        if after > before {
            for &(transition, need) in watchers {
                if before < need && after >= need {
                    self.missing[transition as usize] -= 1;
                    if self.missing[transition as usize] == 0 {
                        self.enable(net, transition);
                    }
                }
            }
        } else {
            for &(transition, need) in watchers {
                if before >= need && after < need {
                    if self.missing[transition as usize] == 0 {
                        self.disable(net, transition);
                    }
                    self.missing[transition as usize] += 1;
                }
            }
        }
    }

    fn open(&mut self, net: &Net, bucket: usize) {
        if self.told[bucket] == STALE {
            self.look(net, bucket);
        }
        self.told[bucket] = OPEN;
        self.n_alive[net.buckets[bucket].group] += self.alive[bucket];
    }

    fn close(&mut self, net: &Net, bucket: usize) {
        self.told[bucket] = OPEN + 1;
        self.n_alive[net.buckets[bucket].group] -= self.alive[bucket];
    }

    /// Looks at all of a bucket anew.
    fn look(&mut self, net: &Net, bucket: usize) {
        let own = &net.buckets[bucket];
        self.ways[own.effects.clone()].fill(0);
        self.bits[own.effects.start / 64..own.effects.end.div_ceil(64)].fill(0);
        self.alive[bucket] = 0;
        for id in own.transitions.clone() {
            let needs = &net.transitions[id].needs;
            let missing = needs.iter().filter(|&&(atom, need)| self.counts[atom as usize] < need).count();
            self.missing[id] = missing as u16;
            if missing == 0 {
                self.enable(net, id as u32);
            }
        }
    }

    fn enable(&mut self, net: &Net, transition: u32) {
        let effect = net.transitions[transition as usize].effect as usize;
        self.ways[effect] += 1;
        if self.ways[effect] == 1 {
            let known = &net.effects[effect];
            self.bits[effect / 64] |= 1 << (effect % 64);
            self.alive[known.bucket as usize] += 1;
            self.n_alive[known.group as usize] += u32::from(self.told[known.bucket as usize] == OPEN);
        }
    }

    fn disable(&mut self, net: &Net, transition: u32) {
        let effect = net.transitions[transition as usize].effect as usize;
        self.ways[effect] -= 1;
        if self.ways[effect] == 0 {
            let known = &net.effects[effect];
            self.bits[effect / 64] &= !(1 << (effect % 64));
            self.alive[known.bucket as usize] -= 1;
            self.n_alive[known.group as usize] -= u32::from(self.told[known.bucket as usize] == OPEN);
        }
    }

    /// Becomes the state with these counts in this stage.
    pub fn become_counts(&mut self, net: &Net, stage: StageId, wanted: &[u32]) {
        self.stage = stage;
        for (atom, &count) in wanted.iter().enumerate() {
            let by = i64::from(count) - i64::from(self.counts[atom]);
            if by != 0 {
                self.change(net, atom as AtomId, by as i32);
            }
        }
    }

    /// Copies of this state are recognized: random matches begin with one after the other.
    pub fn remember(&mut self) {
        self.mark = MARKS.fetch_add(1, Ordering::Relaxed);
    }

    /// Where random play begins; none where the course does not know this state.
    pub(crate) fn begin(&mut self, course: &Course) -> Option<Begin> {
        if self.is_over {
            return None;
        }
        let random = self.random.get_or_insert_default();
        if let Some((mark, stage, begin)) = random.began
            && (mark, stage) == (self.mark, self.stage)
            && mark != 0
        {
            return Some(begin);
        }
        let spot = course.find(self.stage, |atom| self.counts[atom as usize])?;
        let facts = course.dash.as_ref().and_then(|dash| dash.facts(&self.counts));
        let begin = Begin { spot, facts };
        random.began = Some((self.mark, self.stage, begin));
        Some(begin)
    }

    /// Plays at random; `end` or `arrive` says afterwards what has become of it.
    pub(crate) fn race(
        &mut self,
        race: &mut Race,
        begin: Begin,
        generator: &mut Generator,
        most: u64,
        firings: u64,
    ) -> Result<Stop, Fault> {
        let course = race.course;
        let random = self.random.get_or_insert_default();
        let mut refused = None;
        random.last.resize(self.counts.len(), 0);
        if let Some((dash, facts)) = course.dash.as_ref().zip(begin.facts) {
            let mut word = dash.with(facts);
            let stop = race.run(&mut word, generator, most, firings)?;
            word.tell(race.token(), &mut random.last);
            match stop {
                Stop::Refused(firing) => refused = Some(firing),
                _ => return Ok(stop),
            }
        } else {
            random.last.copy_from_slice(&self.counts);
        }
        let sprint = random.sprint.get_or_insert_with(|| Sprint::new(course, race.net.n_atoms));
        sprint.begin(course, &random.last);
        let began = race.token();
        if let Some(firing) = refused {
            sprint.fire(course, firing);
            race.spot = course.firings[firing as usize].next;
        }
        let stop = race.run(sprint, generator, most, firings)?;
        random.last.copy_from_slice(&sprint.counts);
        began.into_iter().for_each(|token| random.last[token as usize] = 0);
        race.token().into_iter().for_each(|token| random.last[token as usize] = 1);
        Ok(stop)
    }

    /// Random play has come to its end.
    pub(crate) fn end(&mut self, stage: StageId) {
        (self.stage, self.is_over) = (stage, true);
    }

    /// Random play has come to something that is not its end.
    pub(crate) fn arrive(&mut self, net: &Net, stage: StageId) {
        let random = self.random.take();
        if let Some(random) = &random {
            self.become_counts(net, stage, &random.last);
        }
        self.random = random;
    }

    /// Becomes another one, in the memory it has.
    pub fn copy_from(&mut self, other: &NetState) {
        self.stage = other.stage;
        self.is_over = other.is_over;
        if let Some(ended) = other.ended() {
            let random = self.random.get_or_insert_default();
            random.last.clear();
            random.last.extend_from_slice(ended);
        }
        if self.mark == other.mark && self.mark != 0 {
            return;
        }
        self.mark = other.mark;
        self.hash = other.hash;
        self.counts.copy_from_slice(&other.counts);
        self.missing.copy_from_slice(&other.missing);
        self.ways.copy_from_slice(&other.ways);
        self.bits.copy_from_slice(&other.bits);
        self.alive.copy_from_slice(&other.alive);
        self.told.copy_from_slice(&other.told);
        self.n_alive.copy_from_slice(&other.n_alive);
    }
}

impl Clone for NetState {
    fn clone(&self) -> Self {
        NetState {
            stage: self.stage,
            hash: self.hash,
            counts: self.counts.clone(),
            missing: self.missing.clone(),
            ways: self.ways.clone(),
            bits: self.bits.clone(),
            alive: self.alive.clone(),
            told: self.told.clone(),
            n_alive: self.n_alive.clone(),
            mark: self.mark,
            random: self.ended().map(|last| Box::new(Random { last: last.to_vec(), ..Random::default() })),
            is_over: self.is_over,
        }
    }
}
