use houserules_kernel::{Choice, Generator, Position, Refusal, Who};

/// Somebody who chooses.
///
/// The position comes back as it was. Equal seeds, limits and positions give equal thoughts, unless a clock cuts them short.
pub trait Player: Send {
    /// What it is, in a few words.
    fn name(&self) -> String;
    /// One of the choices of `who`; refused if `who` is not asked or a rule has a fault.
    fn choose(&mut self, position: &mut dyn Position, who: Who) -> Result<Thought, Refusal>;
}

/// A choice, and what was thought about it.
#[derive(Clone, PartialEq, Debug)]
pub struct Thought {
    pub choice: Choice,
    /// From −1, lost, to 1, won; none where nothing was looked at.
    pub value: Option<f64>,
    /// How play is expected to go on, in words, beginning with the choice.
    pub line: Vec<String>,
    /// Positions looked at, or matches played out.
    pub nodes: u64,
}

impl Thought {
    /// A choice made without looking.
    pub(crate) fn blind(position: &dyn Position, who: Who, choice: Choice) -> Self {
        let line = vec![position.words(who, &choice)];
        Thought { choice, value: None, line, nodes: 0 }
    }
}

/// The choices of one who is asked.
pub(crate) fn choices(position: &mut dyn Position, who: Who) -> Result<Vec<Choice>, Refusal> {
    let choices = position.choices(who);
    if choices.is_empty() {
        return Err(Refusal::not_offered("There is nothing to choose from here."));
    }
    Ok(choices)
}

/// Any of the choices: a seat's with equal chances, Nature's by weight.
pub(crate) fn lots(position: &mut dyn Position, who: Who, generator: &mut Generator) -> Result<Thought, Refusal> {
    let choices = choices(position, who)?;
    let idx = draw(position, who, &choices, generator);
    Ok(Thought::blind(position, who, choices[idx].clone()))
}

pub(crate) fn draw(position: &dyn Position, who: Who, choices: &[Choice], generator: &mut Generator) -> usize {
    if who != Who::Nature {
        return generator.below(choices.len() as u64) as usize;
    }
    let weights: Vec<u64> = choices.iter().map(|choice| u64::from(position.weight(choice))).collect();
    let mut at = generator.below(weights.iter().sum::<u64>().max(1));
    for (idx, weight) in weights.into_iter().enumerate() {
        if at < weight {
            return idx;
        }
        at -= weight;
    }
    0
}

/// The seat that may look ahead here; none for Nature and for a seat from which something is hidden.
pub(crate) fn looking(position: &mut dyn Position, who: Who) -> Option<houserules_kernel::SeatId> {
    match who {
        Who::Seat(seat) if position.sees_all(seat) => Some(seat),
        _ => None,
    }
}
