//! Random play on a course.
//!
//! Each way in which a rule could fire waits for one fact that it lacks, and hears of no other. That fact coming, it looks
//! what else it lacks and waits for that, or it can fire. A fact that goes is told to nobody: what could fire is looked at
//! before it is drawn. So a change costs what waits for it, and most of what a large board could do waits for something else.
//!
//! The idea is that of watched literals in solvers of satisfiability (Moskewicz and others, Chaff, 2001).

use std::ops::Range;

use houserules_kernel::Generator;

use crate::course::Course;
use crate::fault::Fault;
use crate::net::Net;
use crate::program::StageId;
use crate::run::endless;
use crate::store::AtomId;

/// What is there, and what waits for what. Which draws are made follows from what is there, not from what was before.
#[derive(Clone)]
pub(crate) struct Sprint {
    pub counts: Vec<u32>,
    spot: u32,
    /// Per firing, whether one of its ways could fire when last looked at.
    bits: Vec<u64>,
    /// Per atom the first way that waits for it, and per way the next one.
    first: Vec<u32>,
    next: Vec<u32>,
    waits: Vec<bool>,
    weights: Vec<(u32, u64)>,
}

/// Why a sprint has stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    /// Nothing more can happen.
    Over,
    /// As many choices as were wanted.
    Enough,
    /// An effect is next that makes facts the net does not know.
    Leaves(usize),
}

/// Who has chosen and how often that was another one.
pub(crate) struct Turns {
    pub last: Option<usize>,
    pub n: u64,
}

const NONE: u32 = u32::MAX;

impl Sprint {
    pub fn new(course: &Course, n_atoms: usize) -> Sprint {
        let mut sprint = Sprint {
            counts: vec![0; n_atoms],
            spot: 0,
            bits: vec![0; course.firings.len().div_ceil(64)],
            first: vec![NONE; n_atoms],
            next: vec![NONE; course.ways.len()],
            waits: vec![false; course.ways.len()],
            weights: Vec::new(),
        };
        (0..course.ways.len() as u32).for_each(|way| sprint.file(course, way));
        sprint
    }

    /// Begins on a spot with these facts.
    pub fn begin(&mut self, course: &Course, spot: u32, counts: &[u32]) {
        self.spot = spot;
        for (atom, &count) in counts.iter().enumerate() {
            let before = std::mem::replace(&mut self.counts[atom], count);
            if count > before {
                // Some that come with it may not be counted yet; whoever waits for those hears of them then.
                self.wake(course, atom as AtomId);
            }
        }
    }

    pub fn stage(&self, course: &Course) -> StageId {
        course.spots[self.spot as usize].stage
    }

    /// Plays until nothing more can happen or so many choices are made. Afterwards the counts are whole again.
    pub fn run(
        &mut self,
        (net, course): (&Net, &Course),
        generator: &mut Generator,
        most: u64,
        firings: u64,
        turns: &mut Turns,
    ) -> Result<(u64, Stop), Fault> {
        let token = course.spots[self.spot as usize].token;
        let done = self.play((net, course), generator, most, firings, turns);
        if let Some(token) = token {
            self.counts[token as usize] -= 1;
        }
        if let Some(token) = course.spots[self.spot as usize].token {
            self.counts[token as usize] += 1;
        }
        done
    }

    fn play(
        &mut self,
        (net, course): (&Net, &Course),
        generator: &mut Generator,
        most: u64,
        firings: u64,
        turns: &mut Turns,
    ) -> Result<(u64, Stop), Fault> {
        let mut n_choices = 0;
        let mut n_fired = 0;
        loop {
            let spot = &course.spots[self.spot as usize];
            let mut found = None;
            for (seat, own) in spot.own.iter().enumerate() {
                let n = self.look(course, own);
                if n > 0 {
                    found = Some((own, n, seat));
                    break;
                }
            }
            let drawn = match found {
                Some((own, n, seat)) if spot.interactive => {
                    if n_choices == most {
                        return Ok((n_choices, Stop::Enough));
                    }
                    n_choices += 1;
                    n_fired = 0;
                    turns.n += u64::from(turns.last.replace(seat) != Some(seat));
                    let at = if n == 1 { 0 } else { generator.below(u64::from(n)) };
                    self.nth(own, at as u32)
                }
                Some((own, n, _)) => self.by_lot(net, course, own, n, generator),
                None => match self.look(course, &spot.links) {
                    0 => return Ok((n_choices, Stop::Over)),
                    n => self.by_lot(net, course, &spot.links, n, generator),
                },
            };
            let firing = &course.firings[drawn as usize];
            n_fired += u64::from(firing.fires);
            if n_fired > firings {
                let rule = &net.program.rules[net.spoken(firing.effect as usize).rule].name;
                return Err(endless(&net.program, firings, rule, spot.stage));
            }
            if firing.leaves {
                return Ok((n_choices, Stop::Leaves(firing.effect as usize)));
            }
            for &(atom, by) in &course.deltas[firing.deltas.start as usize..firing.deltas.end as usize] {
                let count = &mut self.counts[atom as usize];
                *count = count.wrapping_add_signed(by);
                if by > 0 && self.first[atom as usize] != NONE {
                    self.wake(course, atom);
                }
            }
            self.spot = firing.next;
        }
    }

    /// How many firings of a group can come about; those that cannot are filed.
    fn look(&mut self, course: &Course, group: &Range<u32>) -> u32 {
        let mut n = 0;
        for word in words(group) {
            let mut left = self.bits[word];
            while left != 0 {
                let bit = left.trailing_zeros();
                left &= left - 1;
                match self.can_fire(course, word as u32 * 64 + bit) {
                    true => n += 1,
                    false => self.bits[word] &= !(1 << bit),
                }
            }
        }
        n
    }

    fn can_fire(&mut self, course: &Course, firing: u32) -> bool {
        for way in course.firings[firing as usize].ways.clone() {
            if !self.waits[way as usize] {
                match self.lacks(course, way) {
                    None => return true,
                    Some(atom) => self.wait(way, atom),
                }
            }
        }
        false
    }

    /// The first thing that is not there as often as a way wants it.
    #[inline]
    fn lacks(&self, course: &Course, way: u32) -> Option<AtomId> {
        let range = &course.ways[way as usize].needs;
        let needs = &course.needs[range.start as usize..range.end as usize];
        needs.iter().find(|&&(atom, n)| self.counts[atom as usize] < n).map(|(atom, _)| *atom)
    }

    #[inline]
    fn wait(&mut self, way: u32, atom: AtomId) {
        self.waits[way as usize] = true;
        self.next[way as usize] = std::mem::replace(&mut self.first[atom as usize], way);
    }

    /// Lets a way wait for what it lacks, or says that it can fire.
    #[inline]
    fn file(&mut self, course: &Course, way: u32) {
        match self.lacks(course, way) {
            Some(atom) => self.wait(way, atom),
            None => {
                let firing = course.ways[way as usize].firing;
                self.waits[way as usize] = false;
                self.bits[firing as usize / 64] |= 1 << (firing % 64);
            }
        }
    }

    /// More of an atom is there.
    fn wake(&mut self, course: &Course, atom: AtomId) {
        let mut way = std::mem::replace(&mut self.first[atom as usize], NONE);
        while way != NONE {
            let next = self.next[way as usize];
            self.file(course, way);
            way = next;
        }
    }

    /// The `n`th firing of a group that was just looked at.
    fn nth(&self, group: &Range<u32>, mut n: u32) -> u32 {
        for word in words(group) {
            let mut bits = self.bits[word];
            if bits.count_ones() > n {
                (0..n).for_each(|_| bits &= bits - 1);
                return word as u32 * 64 + bits.trailing_zeros();
            }
            n -= bits.count_ones();
        }
        unreachable!("a draw below their number falls on a firing")
    }

    /// One of the firings of a group that was just looked at, each as likely as its weight says.
    fn by_lot(&mut self, net: &Net, course: &Course, group: &Range<u32>, n: u32, generator: &mut Generator) -> u32 {
        if n == 1 {
            return self.nth(group, 0);
        }
        let mut weights = std::mem::take(&mut self.weights);
        weights.clear();
        for word in words(group) {
            let mut left = self.bits[word];
            while left != 0 {
                let firing = word as u32 * 64 + left.trailing_zeros();
                left &= left - 1;
                weights.push((firing, self.weight(net, course, firing)));
            }
        }
        let total = weights.iter().fold(0_u64, |sum, (_, weight)| sum.saturating_add(*weight));
        let mut at = generator.below(total.max(1));
        let drawn = weights.iter().find(|(_, weight)| {
            let falls = at < *weight;
            at = at.wrapping_sub(*weight);
            falls
        });
        let drawn = drawn.or(weights.last()).map_or(group.start, |(firing, _)| *firing);
        self.weights = weights;
        drawn
    }

    /// In how many ways a firing can come about.
    fn weight(&self, net: &Net, course: &Course, firing: u32) -> u64 {
        let ways = course.firings[firing as usize].ways.clone();
        let can = ways.filter(|&way| !self.waits[way as usize] && self.lacks(course, way).is_none());
        let token = course.spots[self.spot as usize].token;
        let count = |atom: AtomId| match course.is_token(atom) {
            true => u32::from(token == Some(atom)),
            false => self.counts[atom as usize],
        };
        can.map(|way| net.transitions[course.ways[way as usize].transition as usize].weight(net, count))
            .fold(0, u64::saturating_add)
    }
}

/// How often each atom came between two choices in a few random matches: what comes seldom is best waited for.
pub(crate) fn appearances(net: &Net, course: &Course) -> Vec<u32> {
    const MATCHES: u64 = 8;
    const MOST_CHOICES: usize = 1_000;
    const MOST_FIRINGS: u64 = 10_000;
    let mut came = vec![0_u32; net.n_atoms];
    let start = net.start();
    let mut first = start.clone();
    let Some(mut sprint) = first.sprint(net, course) else { return came };
    let begin: Vec<u32> = sprint.counts.clone();
    let mut n_choices = 0;
    for seed in 0..MATCHES {
        let Some(spot) = course.find(start.stage, |atom| begin[atom as usize]) else { break };
        sprint.begin(course, spot, &begin);
        let (mut generator, mut turns) = (Generator::new(seed), Turns { last: None, n: 0 });
        let mut before = begin.clone();
        // What fires for ever is told of when somebody plays.
        while let Ok((_, Stop::Enough)) = sprint.run((net, course), &mut generator, 1, MOST_FIRINGS, &mut turns) {
            for (atom, count) in sprint.counts.iter().enumerate() {
                came[atom] += u32::from(*count > before[atom]);
            }
            before.copy_from_slice(&sprint.counts);
            n_choices += 1;
            if n_choices >= MOST_CHOICES {
                return came;
            }
        }
    }
    came
}

/// The words of bits of a group.
fn words(group: &Range<u32>) -> Range<usize> {
    group.start as usize / 64..(group.end as usize).div_ceil(64)
}
