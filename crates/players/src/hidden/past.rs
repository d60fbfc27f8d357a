//! A match as one seat has seen it.

use std::collections::BTreeMap;

use houserules_kernel::{Choice, Position, SeatId, View, Viewer, Who};

pub(super) struct Past {
    pub start: Box<dyn Position>,
    pub steps: Vec<Step>,
}

#[derive(PartialEq)]
pub(super) struct Step {
    pub who: Who,
    /// What was chosen, where the seat did it itself.
    pub own: Option<Choice>,
    pub after: Seen,
}

/// What a seat knows after something was played.
#[derive(PartialEq)]
pub(super) struct Seen {
    asked: Vec<Who>,
    view: View,
    said: Vec<String>,
}

impl Past {
    /// The match so far, if it can be taken back to its very start; `chosen` says what is known of own choices.
    pub fn of(position: &mut dyn Position, seat: SeatId, chosen: &BTreeMap<u64, Choice>) -> Option<Past> {
        let start = position.opening()?;
        let mut past = position.duplicate();
        let mut steps = Vec::new();
        let (mut after, mut reached) = (Seen::of(&mut *past, seat), past.fingerprint());
        while past.undo() {
            let before = Seen::of(&mut *past, seat);
            let (who, own) = step(&mut *past, seat, (&before.asked, &after.asked), reached.0, chosen)?;
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
}

impl Seen {
    pub fn of(position: &mut dyn Position, seat: SeatId) -> Self {
        let viewer = Viewer::Seat(seat);
        Seen { asked: position.decision().open_to(), view: position.view(viewer), said: position.said(viewer) }
    }

    pub fn agrees(&self, position: &mut dyn Position, seat: SeatId) -> bool {
        // Views are dear, so they come last.
        self.sounds_like(position, seat) && position.view(Viewer::Seat(seat)) == self.view
    }

    /// Whether the same are asked and the same was said, whatever lies on the table.
    pub fn sounds_like(&self, position: &dyn Position, seat: SeatId) -> bool {
        position.decision().open_to() == self.asked && position.said(Viewer::Seat(seat)) == self.said
    }

    /// How much is otherwise: what was said, who is asked, and everything on the table by itself.
    pub fn n_apart(&self, position: &mut dyn Position, seat: SeatId) -> usize {
        fn apart<T: PartialEq>(one: &[T], other: &[T]) -> usize {
            let pairs = one.iter().zip(other).filter(|(one, other)| one != other).count();
            pairs + one.len().abs_diff(other.len())
        }
        let View { boards, facts, things, turn } = position.view(Viewer::Seat(seat));
        let cells = self.view.boards.iter().zip(&boards).map(|(one, other)| apart(&one.cells, &other.cells));
        cells.sum::<usize>()
            + apart(&self.view.facts, &facts)
            + apart(&self.view.things, &things)
            + usize::from(self.view.turn != turn)
            + usize::from(!self.sounds_like(position, seat))
    }
}

/// Who played, and what if it was the seat itself.
fn step(
    past: &mut dyn Position,
    seat: SeatId,
    (before, after): (&[Who], &[Who]),
    reached: u64,
    chosen: &BTreeMap<u64, Choice>,
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
    let own = match chosen.get(&past.fingerprint().0) {
        Some(choice) => choice.clone(),
        None => played(past, who, reached)?,
    };
    Some((who, Some(own)))
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
