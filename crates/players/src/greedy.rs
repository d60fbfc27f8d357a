use houserules_kernel::{Generator, Position, Refusal, SeatId, Who};

use crate::evaluator::{AtTheEnd, Copied, Defined, Evaluator};
use crate::hidden::Memory;
use crate::player::{Considered, Player, Thought, choices, lots, vote};

/// Takes what looks best right after its choice; among equals any.
pub struct Greedy {
    /// None: the first evaluator that the game supplies, or how it ended.
    evaluator: Option<Box<dyn Copied>>,
    generator: Generator,
    memory: Memory,
}

impl Greedy {
    pub fn new(seed: u64) -> Self {
        Greedy { evaluator: None, generator: Generator::new(seed), memory: Memory::default() }
    }

    pub fn with_evaluator(mut self, evaluator: impl Evaluator + Clone + 'static) -> Self {
        self.evaluator = Some(Box::new(evaluator));
        self
    }

    pub(crate) fn rate_with(&mut self, evaluator: Option<Box<dyn Copied>>) {
        self.evaluator = evaluator;
    }
}

impl Player for Greedy {
    fn name(&self) -> String {
        "greedy".into()
    }

    fn about(&self) -> String {
        "Takes what looks best right after its choice.".into()
    }

    fn choose(&mut self, position: &mut dyn Position, who: Who) -> Result<Thought, Refusal> {
        let Who::Seat(seat) = who else { return lots(position, who, &mut self.generator) };
        let mut evaluator: Box<dyn Copied> = match (&self.evaluator, position.evaluators().into_iter().next()) {
            (Some(evaluator), _) => evaluator.copied(),
            (None, Some(name)) => Box::new(Defined::alone(name)),
            (None, None) => Box::new(AtTheEnd),
        };
        let evaluator = evaluator.as_evaluator();
        if position.sees_all(seat) {
            return take(position, seat, evaluator, &mut self.generator);
        }
        let mut lots = Generator::new(self.generator.next());
        vote(position, seat, &mut self.memory, &mut self.generator, |world| take(world, seat, evaluator, &mut lots))
    }
}

/// What looks best right after it is played.
fn take(
    position: &mut dyn Position,
    seat: SeatId,
    evaluator: &mut dyn Evaluator,
    generator: &mut Generator,
) -> Result<Thought, Refusal> {
    let who = Who::Seat(seat);
    let choices = choices(position, who)?;
    let mut considered = Vec::new();
    let mut best: Vec<usize> = Vec::new();
    let mut best_value = f64::NEG_INFINITY;
    for (idx, choice) in choices.iter().enumerate() {
        let words = position.words(who, choice);
        position.play(who, choice)?;
        let value = evaluator.rate(position, seat);
        position.undo();
        considered.push(Considered { words, visits: 1, value });
        if value > best_value {
            best_value = value;
            best.clear();
        }
        if value == best_value {
            best.push(idx);
        }
    }
    considered.sort_by(|one, other| other.value.total_cmp(&one.value));
    let idx = best[generator.below(best.len() as u64) as usize];
    let thought = Thought::blind(position, who, choices[idx].clone());
    Ok(Thought { value: Some(best_value), nodes: choices.len() as u64, considered, ..thought })
}
