use std::fmt;
use std::time::Duration;

use crate::evaluator::Copied;
use crate::greedy::Greedy;
use crate::limits::{Clock, Limits};
use crate::player::Player;
use crate::random::Random;
use crate::thinking::Thinking;

/// How well a computer player plays, from 1 to 10.
///
/// Level 1 chooses at random and level 2 looks one choice ahead. From level 3 on, matches are played out from here, three
/// times as many with each level; where matches are long, the plies in them are counted instead, so that nobody waits
/// for Go as many times longer as it has more plies than Connect Four. Where that leaves few matches and the game has an
/// evaluator, a level looks ahead with it instead, further than the level below.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Level(u8);

/// Matches played out at level 3.
const AT_LEVEL_3: u64 = 40;
/// Plies in them, at most; with each level 9 for 4.
const PLIES_AT_LEVEL_3: u64 = 4_000;
/// Positions looked at beyond the first choice, where a level looks ahead instead; with each level 9 for 4, too.
const POSITIONS_AT_LEVEL_3: u64 = 200;
/// With a clock, nobody waits longer than this.
const MOST_SECONDS: u64 = 20;

impl Level {
    pub const ALL: std::ops::RangeInclusive<u8> = 1..=10;

    /// None outside 1 to 10.
    pub fn new(level: u8) -> Option<Self> {
        Self::ALL.contains(&level).then_some(Level(level))
    }

    /// Somebody of this level. A clock cuts very long thoughts short; without one, everything follows from the seed.
    pub fn player(self, seed: u64, clock: Option<Clock>) -> Box<dyn Player> {
        self.player_on(1, seed, clock)
    }

    /// The same, thinking on several cores.
    pub fn player_on(self, n_threads: usize, seed: u64, clock: Option<Clock>) -> Box<dyn Player> {
        self.player_rating_with(None, n_threads, seed, clock)
    }

    /// The same, rating what is not over with this instead of the game's own evaluator.
    pub(crate) fn player_rating_with(
        self,
        evaluator: Option<Box<dyn Copied>>,
        n_threads: usize,
        seed: u64,
        clock: Option<Clock>,
    ) -> Box<dyn Player> {
        match self.0 {
            1 => Box::new(Random::new(seed)),
            2 => {
                let mut greedy = Greedy::new(seed);
                greedy.rate_with(evaluator);
                Box::new(greedy)
            }
            level => {
                let above = u32::from(level) - 3;
                let grown = |at_level_3: u64| at_level_3 * 9_u64.pow(above) / 4_u64.pow(above);
                let clocked = |limits: Limits| match &clock {
                    Some(clock) => limits.within(Duration::from_secs(MOST_SECONDS), clock.clone()),
                    None => limits,
                };
                let matches = clocked(Limits::nodes(AT_LEVEL_3 * 3_u64.pow(above)).and_plies(grown(PLIES_AT_LEVEL_3)));
                let positions = clocked(Limits::nodes(grown(POSITIONS_AT_LEVEL_3)));
                Box::new(Thinking::new(seed, n_threads, matches, positions, evaluator))
            }
        }
    }
}

impl Default for Level {
    /// In the middle.
    fn default() -> Self {
        Level(5)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "level{}", self.0)
    }
}
