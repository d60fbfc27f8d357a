//! Guessing what is hidden: matches dealt anew that agree with all that a seat has seen.

use std::collections::BTreeMap;

use houserules_kernel::{Choice, Generator, Position, SeatId, View, Viewer, Who};

/// What a player remembers of its own choices, so that it need not find them out again.
///
/// Of the true position nothing is used here but what the seat may know: its views and what was said to it, who was asked
/// and has answered, and its own choices. Positions with an equal past in these give equal guesses.
#[derive(Default)]
pub(crate) struct Memory {
    chosen: BTreeMap<u64, Choice>,
    /// What was guessed for the last choice: those that still agree are guesses for the next one.
    guessed: Option<Guessed>,
}

/// A match as it was seen, and positions that agree with it.
struct Guessed {
    steps: Vec<Step>,
    worlds: Vec<Box<dyn Position>>,
}

/// How often a whole match is dealt for each guess that is wanted. Few agree where much was seen.
const TRIES: usize = 6;
/// How many answers of others are tried for one step before the whole match is given up.
const MOST_ANSWERS: usize = 24;

/// A match as one seat has seen it.
struct Past {
    start: Box<dyn Position>,
    steps: Vec<Step>,
}

#[derive(PartialEq)]
struct Step {
    who: Who,
    /// What was chosen, where the seat did it itself.
    own: Option<Choice>,
    after: Seen,
}

/// What a seat knows after something was played.
#[derive(PartialEq)]
struct Seen {
    asked: Vec<Who>,
    view: View,
    said: Vec<String>,
}

impl Seen {
    fn of(position: &mut dyn Position, seat: SeatId) -> Self {
        let viewer = Viewer::Seat(seat);
        Seen { asked: position.decision().open_to(), view: position.view(viewer), said: position.said(viewer) }
    }

    fn agrees(&self, position: &mut dyn Position, seat: SeatId) -> bool {
        // Views are dear, so they come last.
        let viewer = Viewer::Seat(seat);
        position.decision().open_to() == self.asked
            && position.said(viewer) == self.said
            && position.view(viewer) == self.view
    }
}

impl Memory {
    pub fn note(&mut self, position: &dyn Position, choice: &Choice) {
        self.chosen.insert(position.fingerprint().0, choice.clone());
    }

    /// Up to `n` positions that the seat cannot tell from this one; none if nothing could be guessed.
    pub fn worlds(
        &mut self,
        position: &mut dyn Position,
        seat: SeatId,
        choices: &[Choice],
        n: usize,
        generator: &mut Generator,
    ) -> Vec<Box<dyn Position>> {
        let mut worlds = Vec::new();
        let offers = |world: &mut Box<dyn Position>| world.choices(Who::Seat(seat)) == choices;
        if let Some(past) = self.past(position, seat) {
            if let Some(Guessed { steps, worlds: guessed }) = self.guessed.take()
                && past.steps.starts_with(&steps)
            {
                let later = &past.steps[steps.len()..];
                worlds.extend(guessed.into_iter().filter_map(|mut world| {
                    (agree(&mut *world, later, seat, generator) && offers(&mut world)).then_some(world)
                }));
            }
            for _ in 0..n * TRIES {
                if worlds.len() >= n {
                    break;
                }
                let mut world = past.start.duplicate();
                if agree(&mut *world, &past.steps, seat, generator) && offers(&mut world) {
                    worlds.push(world);
                }
            }
            if !worlds.is_empty() {
                let kept = worlds.iter().map(|world| world.duplicate()).collect();
                self.guessed = Some(Guessed { steps: past.steps, worlds: kept });
                return worlds;
            }
        }
        // Where no whole match agrees, at least what lies face down now can be dealt anew.
        let seen = Seen::of(position, seat);
        for _ in 0..2 * n {
            let dealt = position.redeal(seat, generator).filter(|_| worlds.len() < n);
            let Some(mut world) = dealt else { break };
            if seen.agrees(&mut *world, seat) && offers(&mut world) {
                worlds.push(world);
            }
        }
        worlds
    }

    /// The match so far, if it can be taken back to its very start.
    fn past(&self, position: &mut dyn Position, seat: SeatId) -> Option<Past> {
        let start = position.opening()?;
        let mut past = position.duplicate();
        let mut steps = Vec::new();
        let (mut after, mut reached) = (Seen::of(&mut *past, seat), past.fingerprint());
        while past.undo() {
            let before = Seen::of(&mut *past, seat);
            let (who, own) = self.step(&mut *past, seat, &before.asked, &after.asked, reached.0)?;
            steps.push(Step { who, own, after });
            (after, reached) = (before, past.fingerprint());
        }
        // Something was forgotten: what lies before is not known to be the start, and may hold secrets.
        if reached != start.fingerprint() {
            return None;
        }
        steps.reverse();
        Some(Past { start, steps })
    }

    /// Who played, and what if it was the seat itself.
    fn step(
        &self,
        past: &mut dyn Position,
        seat: SeatId,
        before: &[Who],
        after: &[Who],
        reached: u64,
    ) -> Option<(Who, Option<Choice>)> {
        let gone: Vec<Who> = before.iter().copied().filter(|who| !after.contains(who)).collect();
        let who = match (before, gone.as_slice()) {
            ([only], _) => *only,
            (_, [answered]) => *answered,
            _ => {
                let answered = before.iter().find(|&&who| played(past, who, reached).is_some());
                *answered?
            }
        };
        if who != Who::Seat(seat) {
            return Some((who, None));
        }
        let own = match self.chosen.get(&past.fingerprint().0) {
            Some(choice) => choice.clone(),
            None => played(past, who, reached)?,
        };
        Some((who, Some(own)))
    }
}

/// The choice that leads from one position to the next.
fn played(past: &mut dyn Position, who: Who, reached: u64) -> Option<Choice> {
    past.choices(who).into_iter().find(|choice| {
        if past.play(who, choice).is_err() {
            return false;
        }
        let here = past.fingerprint().0 == reached;
        past.undo();
        here
    })
}

/// Plays a guess on, with own choices as they were made and everything else drawn; false if what comes of it is not what
/// the seat has seen.
fn agree(world: &mut dyn Position, steps: &[Step], seat: SeatId, generator: &mut Generator) -> bool {
    steps.iter().all(|step| {
        if let Some(own) = &step.own {
            return world.play(step.who, own).is_ok() && step.after.agrees(world, seat);
        }
        let mut choices = world.choices(step.who);
        generator.shuffle(&mut choices);
        choices.retain(|choice| step.who != Who::Nature || world.weight(choice) > 0);
        choices.iter().take(MOST_ANSWERS).any(|choice| {
            if world.play(step.who, choice).is_err() {
                return false;
            }
            let agrees = step.after.agrees(world, seat);
            if !agrees {
                world.undo();
            }
            agrees
        })
    })
}
