//! Random play on a course, however what is there is kept.
//!
//! Which draws are made follows from what is there alone: whoever keeps it differently plays the same matches.

use std::ops::Range;

use houserules_kernel::Generator;
use smallvec::SmallVec;

use crate::course::Course;
use crate::fault::Fault;
use crate::net::Net;
use crate::program::StageId;
use crate::run::endless;
use crate::store::AtomId;

/// What is there, kept so that it tells what can fire.
pub(crate) trait Field {
    /// Whether any firing of a group can come about.
    fn look(&mut self, course: &Course, group: &Range<u32>) -> bool;

    /// How many can, of the group that was looked at last.
    fn n(&self) -> u32;

    fn is_one(&self) -> bool;

    /// The `n`th of them.
    fn nth(&self, group: &Range<u32>, n: u32) -> u32;

    /// All of them, in their order.
    fn each(&self, group: &Range<u32>, found: impl FnMut(u32));

    /// In how many ways one of them can come about.
    fn weight(&self, net: &Net, course: &Course, token: Option<AtomId>, firing: u32) -> u64;

    /// Lets a firing come about; false, and nothing changes, where what is there then cannot be kept.
    fn fire(&mut self, course: &Course, firing: u32) -> bool;
}

/// Why random play has stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    /// Nothing more can happen.
    Over,
    /// As many choices as were wanted.
    Enough,
    /// An effect is next that makes facts the net does not know.
    Leaves(usize),
    /// This firing was drawn, and has to come about in a field that can keep what it makes.
    Refused(u32),
}

/// Who has chosen and how often that was another one.
pub(crate) struct Turns {
    pub last: Option<usize>,
    pub n: u64,
}

/// How far random play has come.
pub(crate) struct Race<'a> {
    pub net: &'a Net,
    pub course: &'a Course,
    pub spot: u32,
    pub n_choices: u64,
    /// Since the last choice.
    pub n_fired: u64,
    pub turns: Turns,
}

impl<'a> Race<'a> {
    pub fn new(net: &'a Net, course: &'a Course, spot: u32, turns: Turns) -> Self {
        Race { net, course, spot, n_choices: 0, n_fired: 0, turns }
    }

    pub fn stage(&self) -> StageId {
        self.course.spots[self.spot as usize].stage
    }

    pub fn token(&self) -> Option<AtomId> {
        self.course.spots[self.spot as usize].token
    }

    /// Plays until nothing more can happen or so many choices are made.
    pub fn run(
        &mut self,
        field: &mut impl Field,
        generator: &mut Generator,
        most: u64,
        firings: u64,
    ) -> Result<Stop, Fault> {
        let course = self.course;
        loop {
            let spot = &course.spots[self.spot as usize];
            let found = spot.own.iter().find(|(_, own)| field.look(course, own));
            let drawn = match found {
                Some((seat, own)) if spot.interactive => {
                    if self.n_choices == most {
                        return Ok(Stop::Enough);
                    }
                    self.n_choices += 1;
                    self.n_fired = 0;
                    self.turns.n += u64::from(self.turns.last.replace(*seat) != Some(*seat));
                    let n = field.n();
                    let at = if n == 1 { 0 } else { generator.below(u64::from(n)) };
                    field.nth(own, at as u32)
                }
                Some((_, own)) => self.by_lot(field, own, generator),
                None if field.look(course, &spot.links) => self.by_lot(field, &spot.links, generator),
                None => return Ok(Stop::Over),
            };
            let firing = &course.firings[drawn as usize];
            self.n_fired += u64::from(firing.fires);
            if self.n_fired > firings {
                let rule = &self.net.program.rules[self.net.spoken(firing.effect as usize).rule].name;
                return Err(endless(&self.net.program, firings, rule, spot.stage));
            }
            if firing.leaves {
                return Ok(Stop::Leaves(firing.effect as usize));
            }
            if !field.fire(course, drawn) {
                return Ok(Stop::Refused(drawn));
            }
            self.spot = firing.next;
        }
    }

    /// One of the firings of a group that was just looked at, each as likely as its weight says.
    fn by_lot(&self, field: &impl Field, group: &Range<u32>, generator: &mut Generator) -> u32 {
        if field.is_one() {
            return field.nth(group, 0);
        }
        let mut weights: SmallVec<[(u32, u64); 16]> = SmallVec::new();
        field.each(group, |firing| {
            weights.push((firing, field.weight(self.net, self.course, self.token(), firing)));
        });
        let total = weights.iter().fold(0_u64, |sum, (_, weight)| sum.saturating_add(*weight));
        let mut at = generator.below(total.max(1));
        let drawn = weights.iter().find(|(_, weight)| {
            let falls = at < *weight;
            at = at.wrapping_sub(*weight);
            falls
        });
        drawn.or(weights.last()).map_or(group.start, |(firing, _)| *firing)
    }
}
