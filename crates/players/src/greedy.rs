use houserules_kernel::{Choice, Generator, Position, Refusal, SeatId, Who};

use crate::evaluator::{AtTheEnd, Copied, Defined, Evaluator};
use crate::hidden::Memory;
use crate::player::{Considered, Player, Thought, choices, lots};

/// Takes what looks best right after its choice; among equals any. Where something is hidden: what looks best on average
/// over guesses.
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
        let choices = choices(position, who)?;
        let (values, n_worlds) = if position.sees_all(seat) {
            (values_after(position, seat, &choices, evaluator)?, 1)
        } else {
            let mut worlds = self.memory.worlds(position, seat, &choices, GUESSES, &mut self.generator);
            let Some(values) = on_average(&mut worlds, seat, &choices, evaluator) else {
                return lots(position, who, &mut self.generator);
            };
            (values, worlds.len())
        };
        let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let best: Vec<&Choice> =
            choices.iter().zip(&values).filter(|(_, value)| **value == highest).map(|(choice, _)| choice).collect();
        let choice = best[self.generator.below(best.len() as u64) as usize].clone();
        self.memory.note(position, &choice);
        let considered = |(choice, &value): (&Choice, &f64)| {
            let words = position.words(who, choice);
            Considered { words, visits: n_worlds as u64, value }
        };
        let mut considered: Vec<Considered> = choices.iter().zip(&values).map(considered).collect();
        considered.sort_by(|one, other| other.value.total_cmp(&one.value));
        let nodes = (n_worlds * choices.len()) as u64;
        Ok(Thought { value: Some(highest), nodes, considered, ..Thought::blind(position, who, choice) })
    }
}

/// Positions guessed where something is hidden.
const GUESSES: usize = 32;

/// What each choice is worth right after it is played.
fn values_after(
    position: &mut dyn Position,
    seat: SeatId,
    choices: &[Choice],
    evaluator: &mut dyn Evaluator,
) -> Result<Vec<f64>, Refusal> {
    let value = |choice: &Choice| {
        position.play(Who::Seat(seat), choice)?;
        let value = evaluator.rate(position, seat);
        position.undo();
        Ok(value)
    };
    choices.iter().map(value).collect()
}

/// The same on average over guesses; none if there are none without a fault, which the true position need not have.
pub(crate) fn on_average(
    worlds: &mut [Box<dyn Position>],
    seat: SeatId,
    choices: &[Choice],
    evaluator: &mut dyn Evaluator,
) -> Option<Vec<f64>> {
    let each = worlds.iter_mut().filter_map(|world| values_after(&mut **world, seat, choices, evaluator).ok());
    let (mut sums, mut n) = (vec![0.0; choices.len()], 0_u32);
    for values in each {
        n += 1;
        sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
    }
    (n > 0).then(|| sums.into_iter().map(|sum| sum / f64::from(n)).collect())
}
