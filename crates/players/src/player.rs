use std::collections::BTreeMap;

use houserules_kernel::{Choice, Decision, Generator, Position, Refusal, SeatId, Who};

use crate::hidden::Memory;

/// Somebody who chooses.
///
/// The position comes back as it was. Equal seeds, limits and positions give equal thoughts, unless a clock cuts them short.
pub trait Player: Send {
    /// What it is, in a word.
    fn name(&self) -> String;
    /// What it does, in a sentence.
    fn about(&self) -> String;
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
    /// The choices that were weighed, the most visited first; empty where they were not weighed one by one.
    pub considered: Vec<Considered>,
}

/// One of the choices that a player weighed.
#[derive(Clone, PartialEq, Debug)]
pub struct Considered {
    pub words: String,
    /// How often it was tried.
    pub visits: u64,
    pub value: f64,
}

impl Thought {
    /// A choice made without looking.
    pub(crate) fn blind(position: &dyn Position, who: Who, choice: Choice) -> Self {
        let line = vec![position.words(who, &choice)];
        Thought { choice, value: None, line, nodes: 0, considered: Vec::new() }
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

/// The first of those who are asked; none at the end.
pub(crate) fn first_asked(decision: &Decision) -> Option<Who> {
    match decision {
        Decision::Seats { asked, .. } => asked.first().map(|&seat| Who::Seat(seat)),
        Decision::Nature => Some(Who::Nature),
        Decision::Over(_) => None,
    }
}

/// Any of the choices, each as often as its lot says.
pub(crate) fn lots(position: &mut dyn Position, who: Who, generator: &mut Generator) -> Result<Thought, Refusal> {
    let choices = choices(position, who)?;
    let idx = draw(position, who, &choices, generator);
    Ok(Thought::blind(position, who, choices[idx].clone()))
}

pub(crate) fn draw(position: &dyn Position, who: Who, choices: &[Choice], generator: &mut Generator) -> usize {
    let weights: Vec<u64> = choices.iter().map(|choice| u64::from(position.lot(who, choice))).collect();
    let mut at = generator.below(weights.iter().sum::<u64>().max(1));
    for (idx, weight) in weights.into_iter().enumerate() {
        if at < weight {
            return idx;
        }
        at -= weight;
    }
    0
}

/// Where something is hidden from the seat: looks ahead in several positions that the seat cannot tell from this one, and
/// takes what was chosen most often. Lots where nothing can be guessed.
pub(crate) fn vote(
    position: &mut dyn Position,
    seat: SeatId,
    memory: &mut Memory,
    generator: &mut Generator,
    mut look: impl FnMut(&mut dyn Position) -> Result<Thought, Refusal>,
) -> Result<Thought, Refusal> {
    let who = Who::Seat(seat);
    let choices = choices(position, who)?;
    let mut votes: BTreeMap<Choice, (u64, f64)> = BTreeMap::new();
    let mut nodes = 0;
    for mut world in memory.worlds(position, seat, &choices, VOTERS, generator) {
        // A position that was only guessed may have a fault that the true one has not.
        let Ok(thought) = look(&mut *world) else { continue };
        let vote = votes.entry(thought.choice).or_default();
        nodes += thought.nodes;
        *vote = (vote.0 + 1, vote.1 + thought.value.unwrap_or(0.0));
    }
    let considered = |(choice, &(n, sum)): (&Choice, &(u64, f64))| Considered {
        words: position.words(who, choice),
        visits: n,
        value: sum / n as f64,
    };
    let mut considered: Vec<(Considered, &Choice)> = votes.iter().map(|vote| (considered(vote), vote.0)).collect();
    considered.sort_by(|(one, _), (other, _)| other.visits.cmp(&one.visits).then(other.value.total_cmp(&one.value)));
    let Some((first, choice)) = considered.first() else { return lots(position, who, generator) };
    let (value, line, choice) = (Some(first.value), vec![first.words.clone()], (*choice).clone());
    memory.note(position, &choice);
    let considered = considered.into_iter().map(|(considered, _)| considered).collect();
    Ok(Thought { choice, value, line, nodes, considered })
}

/// Positions guessed for one vote.
pub(crate) const VOTERS: usize = 8;
