use houserules_kernel::{Decision, Outcome, Position, SeatId, Standing};

/// Says how good a position is for a seat.
///
/// Whatever can be copied and implements this can be given to any player: each core thinks with a copy of its own.
pub trait Evaluator: Send {
    /// Between −1 and 1; more is better. Asked only where the match is not over.
    fn evaluate(&mut self, position: &mut dyn Position, seat: SeatId) -> f64;

    /// What a position is worth, finished or not. A finished one is 1, 0 or −1.
    fn rate(&mut self, position: &mut dyn Position, seat: SeatId) -> f64 {
        match position.decision() {
            Decision::Over(outcome) => outcome_value(&outcome, seat),
            _ => self.evaluate(position, seat).clamp(-MOST, MOST),
        }
    }
}

/// A hope is never worth as much as a win.
const MOST: f64 = 0.99;

/// 1 for a win, 0 for a draw, −1 for a loss.
pub fn outcome_value(outcome: &Outcome, seat: SeatId) -> f64 {
    match outcome.standing(seat) {
        Standing::Won => 1.0,
        Standing::Drew => 0.0,
        Standing::Lost => -1.0,
    }
}

/// An evaluator of any kind that can be copied.
pub(crate) trait Copied: Evaluator {
    fn copied(&self) -> Box<dyn Copied>;
    fn as_evaluator(&mut self) -> &mut dyn Evaluator;
}

impl<E: Evaluator + Clone + 'static> Copied for E {
    fn copied(&self) -> Box<dyn Copied> {
        Box::new(self.clone())
    }

    fn as_evaluator(&mut self) -> &mut dyn Evaluator {
        self
    }
}

/// The default: knows only how a match ended.
#[derive(Clone, Copy, Debug, Default)]
pub struct AtTheEnd;

impl Evaluator for AtTheEnd {
    fn evaluate(&mut self, _position: &mut dyn Position, _seat: SeatId) -> f64 {
        0.0
    }
}

/// An evaluator that the definition of the game supplies. Its numbers may be of any size; they are bent into −1 to 1.
#[derive(Clone, Debug)]
pub struct Defined {
    name: String,
    against_others: bool,
}

impl Defined {
    /// A seat's number alone: for who looks only one choice ahead.
    pub fn alone(name: impl Into<String>) -> Self {
        Defined { name: name.into(), against_others: false }
    }

    /// A seat's number less the best of the others': what one gains another loses.
    pub fn against_others(name: impl Into<String>) -> Self {
        Defined { name: name.into(), against_others: true }
    }
}

impl Evaluator for Defined {
    fn evaluate(&mut self, position: &mut dyn Position, seat: SeatId) -> f64 {
        let Some(own) = position.evaluate(&self.name, seat) else { return 0.0 };
        let mut best: Option<f64> = None;
        if self.against_others {
            for other in (0..=u8::MAX).map(SeatId) {
                let Some(value) = position.evaluate(&self.name, other) else { break };
                if other != seat {
                    best = Some(best.map_or(value, |best| best.max(value)));
                }
            }
        }
        bent(own - best.unwrap_or(0.0), 1.0)
    }
}

/// Into −1 to 1; as much as `half` is bent to a half.
pub(crate) fn bent(lead: f64, half: f64) -> f64 {
    lead / (half + lead.abs())
}
