//! Random play: how fast a game is, how long it lasts and who wins.

use std::time::{Duration, Instant};

use houserules_kernel::{Decision, Generator, Rulebook, SeatId, Standing};

use crate::failure::Failure;

/// What random play found.
#[derive(Clone, Debug, PartialEq)]
pub struct Playouts {
    pub playouts: u64,
    pub moves: u64,
    pub seconds: f64,
    /// Matches won by each seat.
    pub wins: Vec<u64>,
    pub draws: u64,
    /// Matches given up because they went on and on.
    pub cut: u64,
    /// Moves of a match that was not over when the time was up.
    pub unfinished: u64,
}

impl Playouts {
    pub fn per_second(&self) -> f64 {
        self.playouts as f64 / self.seconds
    }

    pub fn average_length(&self) -> f64 {
        self.moves as f64 / self.playouts.max(1) as f64
    }
}

/// Moves between two looks at the clock.
const AT_ONCE: u64 = 1024;

/// A match that is not over after so many moves is cut: at random some games never end.
pub const LONGEST: u64 = 50_000;

/// When random play stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    Matches(u64),
    /// A match that is not over when the time is up is not counted.
    Elapsed(Duration),
}

/// Plays uniformly random matches.
pub fn run(rulebook: &dyn Rulebook, until: Until, seed: u64) -> Result<Playouts, Failure> {
    let (most, duration) = match until {
        Until::Matches(most) => (most, Duration::MAX),
        Until::Elapsed(duration) => (u64::MAX, duration),
    };
    let start = rulebook.open()?;
    let n_seats = rulebook.seats().len();
    let mut generator = Generator::new(seed);
    let mut found =
        Playouts { playouts: 0, moves: 0, seconds: 0.0, wins: vec![0; n_seats], draws: 0, cut: 0, unfinished: 0 };
    let began = Instant::now();
    let mut position = start.duplicate();
    let mut since: u64 = 0;
    'playouts: while found.playouts < most {
        // Looking at the clock costs as much as a move of a small game.
        if since >= AT_ONCE || found.playouts == 0 {
            since = 0;
            if began.elapsed() >= duration {
                break;
            }
        }
        if !position.copy_from(&*start) {
            position = start.duplicate();
        }
        let mut n_moves: u64 = 0;
        while !position.is_over() && n_moves < LONGEST {
            let moves = position.playout(&mut generator, AT_ONCE)?;
            n_moves += moves;
            // A game that never ends at random must not outlast the clock.
            if n_moves >= AT_ONCE && began.elapsed() >= duration {
                found.unfinished = n_moves;
                break 'playouts;
            }
            // Where nobody can move there is nothing to wait for.
            if moves == 0 {
                break;
            }
        }
        found.playouts += 1;
        found.moves += n_moves;
        since += n_moves + 1;
        if let Decision::Over(outcome) = position.decision() {
            let mut won = false;
            for seat in 0..n_seats {
                if outcome.standing(SeatId(seat as u8)) == Standing::Won {
                    found.wins[seat] += 1;
                    won = true;
                }
            }
            found.draws += u64::from(!won);
        } else {
            found.cut += 1;
        }
    }
    found.seconds = began.elapsed().as_secs_f64();
    Ok(found)
}
