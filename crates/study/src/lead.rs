//! Who is ahead in the course of a match.

use houserules_kernel::{Decision, Generator, Position, SeatId, Standing};
use serde::{Deserialize, Serialize};

/// By what it is said who is ahead.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// An evaluator of the game.
    Evaluator(String),
    /// Random matches played out from there.
    Playouts,
}

/// Matches played out for each look, where the game has no evaluator.
const PLAYOUTS: u64 = 16;
const LONGEST_PLAYOUT: u64 = 2_000;
/// A lead in playouts must be so many times its error.
const CLEARLY: f64 = 2.0;

impl Basis {
    pub fn of(position: &dyn Position) -> Basis {
        match position.evaluators().into_iter().next() {
            Some(name) => Basis::Evaluator(name),
            None => Basis::Playouts,
        }
    }

    /// How good the position is for each seat, and how much a lead must be to count.
    fn values(
        &self,
        position: &mut dyn Position,
        n_seats: usize,
        generator: &mut Generator,
    ) -> Option<(Vec<f64>, f64)> {
        match self {
            Basis::Evaluator(name) => {
                let values = (0..n_seats).map(|seat| position.evaluate(name, SeatId(seat as u8)));
                Some((values.collect::<Option<_>>()?, 0.0))
            }
            Basis::Playouts => {
                let mut wins = vec![0.0; n_seats];
                for _ in 0..PLAYOUTS {
                    let mut copy = position.duplicate();
                    copy.forget();
                    copy.playout(generator, LONGEST_PLAYOUT).ok()?;
                    let Decision::Over(outcome) = copy.decision() else { continue };
                    for (seat, wins) in wins.iter_mut().enumerate() {
                        *wins += match outcome.standing(SeatId(seat as u8)) {
                            Standing::Won => 1.0,
                            Standing::Drew => 0.5,
                            Standing::Lost => 0.0,
                        };
                    }
                }
                let share = wins.iter().map(|wins| wins / PLAYOUTS as f64).collect();
                // The error of a share near a half; the difference of two that exclude each other has twice that.
                Some((share, CLEARLY / (PLAYOUTS as f64).sqrt()))
            }
        }
    }

    /// The seat that is ahead; none if nobody is, or it cannot be told.
    pub(crate) fn leader(
        &self,
        position: &mut dyn Position,
        n_seats: usize,
        generator: &mut Generator,
    ) -> Option<usize> {
        let (values, least) = self.values(position, n_seats, generator)?;
        let best = (0..n_seats).max_by(|&one, &other| values[one].total_cmp(&values[other]).then(other.cmp(&one)))?;
        let others = (0..n_seats).filter(|&seat| seat != best).map(|seat| values[seat]);
        let next = others.reduce(f64::max)?;
        (values[best] - next > least).then_some(best)
    }
}

/// What the course of the lead says of a match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Course {
    /// How often somebody took the lead from somebody else.
    pub changes: u32,
    /// The part of the match during which somebody else than the winner was ahead; none without a winner.
    pub drama: Option<f64>,
    /// The part of the match after which nobody but the winner was ahead; none without a winner.
    pub decided: Option<f64>,
}

/// From who was ahead at evenly spaced moments of the match.
pub(crate) fn course(leaders: &[Option<usize>], winner: Option<usize>) -> Course {
    let mut changes = 0;
    let mut last = None;
    for leader in leaders.iter().flatten() {
        changes += u32::from(last.is_some_and(|last| last != leader));
        last = Some(leader);
    }
    let n = leaders.len().max(1) as f64;
    let behind = |winner: usize| leaders.iter().flatten().filter(|&&leader| leader != winner).count() as f64 / n;
    let decided = |winner: usize| {
        let still_open = leaders.iter().rposition(|&leader| leader != Some(winner));
        still_open.map_or(0.0, |at| (at + 1) as f64 / n)
    };
    Course { changes, drama: winner.map(behind), decided: winner.map(decided) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_course_of_a_lead_is_told_in_three_numbers() {
        let (one, other) = (Some(0), Some(1));
        let turned = course(&[None, other, other, one], one);
        assert_eq!(turned, Course { changes: 1, drama: Some(0.5), decided: Some(0.75) });
        let smooth = course(&[one, one, one, one], one);
        assert_eq!(smooth, Course { changes: 0, drama: Some(0.0), decided: Some(0.0) });
        assert_eq!(course(&[one, None, other, one], None), Course { changes: 2, drama: None, decided: None });
        let late = course(&[other, other], one);
        assert_eq!((late.drama, late.decided), (Some(1.0), Some(1.0)));
    }
}
