use std::fmt;
use std::time::Duration;

use crate::greedy::Greedy;
use crate::limits::{Clock, Limits};
use crate::mcts::Mcts;
use crate::player::Player;
use crate::random::Random;

/// How well a computer player plays, from 1 to 10.
///
/// Level 1 chooses at random and level 2 looks one choice ahead. From level 3 on, matches are played out from here, three
/// times as many with each level; where matches are long, the plies in them are counted instead, so that nobody waits
/// for Go as many times longer as it has more plies than Connect Four.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Level(u8);

/// Matches played out at level 3.
const AT_LEVEL_3: u64 = 40;
/// Plies in them, at most; with each level 9 for 4.
const PLIES_AT_LEVEL_3: u64 = 4_000;
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
        match self.0 {
            1 => Box::new(Random::new(seed)),
            2 => Box::new(Greedy::new(seed)),
            level => {
                let above = u32::from(level) - 3;
                let plies = PLIES_AT_LEVEL_3 * 9_u64.pow(above) / 4_u64.pow(above);
                let limits = Limits::nodes(AT_LEVEL_3 * 3_u64.pow(above)).and_plies(plies);
                let limits = match clock {
                    Some(clock) => limits.within(Duration::from_secs(MOST_SECONDS), clock),
                    None => limits,
                };
                Box::new(Mcts::new(seed, limits).on_threads(n_threads))
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
