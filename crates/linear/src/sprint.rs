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
use crate::net::Net;
use crate::race::{Field, Race, Stop, Turns};
use crate::store::AtomId;

/// What is there, and what waits for what.
#[derive(Clone)]
pub(crate) struct Sprint {
    /// The token is left as it was at the beginning.
    pub counts: Vec<u32>,
    /// Per firing, whether one of its ways could fire when last looked at.
    bits: Vec<u64>,
    /// Per atom the first way that waits for it, and per way the next one.
    first: Vec<u32>,
    next: Vec<u32>,
    waits: Vec<bool>,
    /// How many of the group that was looked at last can come about.
    n: u32,
}

const NONE: u32 = u32::MAX;

impl Sprint {
    pub fn new(course: &Course, n_atoms: usize) -> Sprint {
        let mut sprint = Sprint {
            counts: vec![0; n_atoms],
            bits: vec![0; course.firings.len().div_ceil(64)],
            first: vec![NONE; n_atoms],
            next: vec![NONE; course.ways.len()],
            waits: vec![false; course.ways.len()],
            n: 0,
        };
        (0..course.ways.len() as u32).for_each(|way| sprint.file(course, way));
        sprint
    }

    /// Begins with these facts.
    pub fn begin(&mut self, course: &Course, counts: &[u32]) {
        for (atom, &count) in counts.iter().enumerate() {
            let before = std::mem::replace(&mut self.counts[atom], count);
            if count > before {
                // Some that come with it may not be counted yet; whoever waits for those hears of them then.
                self.wake(course, atom as AtomId);
            }
        }
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
        let mut needs = course.needs_of(way).iter();
        needs.find(|&&(atom, n)| self.counts[atom as usize] < n).map(|(atom, _)| *atom)
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
}

impl Field for Sprint {
    /// Those that cannot are filed.
    fn look(&mut self, course: &Course, group: &Range<u32>) -> bool {
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
        self.n = n;
        n > 0
    }

    fn n(&self) -> u32 {
        self.n
    }

    fn is_one(&self) -> bool {
        self.n == 1
    }

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

    fn each(&self, group: &Range<u32>, mut found: impl FnMut(u32)) {
        for word in words(group) {
            let mut left = self.bits[word];
            while left != 0 {
                found(word as u32 * 64 + left.trailing_zeros());
                left &= left - 1;
            }
        }
    }

    fn weight(&self, net: &Net, course: &Course, token: Option<AtomId>, firing: u32) -> u64 {
        let ways = course.firings[firing as usize].ways.clone();
        let can = ways.filter(|&way| !self.waits[way as usize] && self.lacks(course, way).is_none());
        let count = |atom: AtomId| match course.is_token(atom) {
            true => u32::from(token == Some(atom)),
            false => self.counts[atom as usize],
        };
        can.map(|way| net.transitions[course.ways[way as usize].transition as usize].weight(net, count))
            .fold(0, u64::saturating_add)
    }

    fn fire(&mut self, course: &Course, firing: u32) -> bool {
        for &(atom, by) in course.deltas_of(firing as usize) {
            let count = &mut self.counts[atom as usize];
            *count = count.wrapping_add_signed(by);
            if by > 0 && self.first[atom as usize] != NONE {
                self.wake(course, atom);
            }
        }
        true
    }
}

/// How often each atom came between two choices in a few random matches: what comes seldom is best waited for.
pub(crate) fn appearances(net: &Net, course: &Course) -> Vec<u32> {
    const MATCHES: u64 = 8;
    const MOST_CHOICES: u64 = 200;
    const MOST_FIRINGS: u64 = 10_000;
    let mut came = vec![0_u32; net.n_atoms];
    let start = net.start();
    let begin: Vec<u32> = (0..net.n_atoms as AtomId).map(|atom| start.count(atom)).collect();
    let Some(spot) = course.find(start.stage, |atom| begin[atom as usize]) else { return came };
    let mut sprint = Sprint::new(course, net.n_atoms);
    for seed in 0..MATCHES {
        sprint.begin(course, &begin);
        let mut race = Race::new(net, course, spot, Turns { last: None, n: 0 });
        let mut generator = Generator::new(seed);
        let mut before = begin.clone();
        // What fires for ever is told of when somebody plays.
        while let Ok(Stop::Enough) = race.run(&mut sprint, &mut generator, race.n_choices + 1, MOST_FIRINGS) {
            for (atom, count) in sprint.counts.iter().enumerate() {
                came[atom] += u32::from(*count > before[atom]);
            }
            before.copy_from_slice(&sprint.counts);
            if race.n_choices >= MOST_CHOICES {
                break;
            }
        }
    }
    came
}

/// The words of bits of a group.
fn words(group: &Range<u32>) -> Range<usize> {
    group.start as usize / 64..(group.end as usize).div_ceil(64)
}
