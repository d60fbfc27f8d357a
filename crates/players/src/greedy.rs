use houserules_kernel::{Generator, Position, Refusal, Who};

use crate::evaluator::{AtTheEnd, Defined, Evaluator};
use crate::player::{Player, Thought, choices, looking, lots};

/// Takes what looks best right after its choice; among equals any.
pub struct Greedy {
    /// None: the first evaluator that the game supplies, or how it ended.
    evaluator: Option<Box<dyn Evaluator>>,
    generator: Generator,
}

impl Greedy {
    pub fn new(seed: u64) -> Self {
        Greedy { evaluator: None, generator: Generator::new(seed) }
    }

    pub fn with_evaluator(mut self, evaluator: impl Evaluator + 'static) -> Self {
        self.evaluator = Some(Box::new(evaluator));
        self
    }
}

impl Player for Greedy {
    fn name(&self) -> String {
        "greedy".into()
    }

    fn choose(&mut self, position: &mut dyn Position, who: Who) -> Result<Thought, Refusal> {
        let Some(seat) = looking(position, who) else { return lots(position, who, &mut self.generator) };
        let mut supplied: Box<dyn Evaluator> = match position.evaluators().into_iter().next() {
            Some(name) => Box::new(Defined::alone(name)),
            None => Box::new(AtTheEnd),
        };
        let evaluator = self.evaluator.as_mut().unwrap_or(&mut supplied);
        let choices = choices(position, who)?;
        let mut best: Vec<usize> = Vec::new();
        let mut best_value = f64::NEG_INFINITY;
        for (idx, choice) in choices.iter().enumerate() {
            position.play(who, choice)?;
            let value = evaluator.rate(position, seat);
            position.undo();
            if value > best_value {
                best_value = value;
                best.clear();
            }
            if value == best_value {
                best.push(idx);
            }
        }
        let idx = best[self.generator.below(best.len() as u64) as usize];
        let thought = Thought::blind(position, who, choices[idx].clone());
        Ok(Thought { value: Some(best_value), nodes: choices.len() as u64, ..thought })
    }
}
