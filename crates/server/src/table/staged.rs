//! Games that draw themselves: what their `#view`s show depends on all that happened, for each viewer.

use super::eyes::{self, Eyes};
use super::{Table, look};
use crate::to_wire;
use houserules_kernel::{Decision, Position, Viewer};
use houserules_protocol::scene::Scene;
use houserules_record::{Event, Match};
use houserules_scene::stage::{Stage, Watching};
use houserules_scene::{Question, Sight, Way};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Who watches a game that draws itself.
#[derive(Default)]
pub(super) struct Staged {
    /// Whether it does, by the rules as they stand.
    draws_itself: bool,
    watching: BTreeMap<Eyes, Watching>,
}

impl Table {
    /// An event has changed the position.
    pub(super) fn watch(&mut self, event: &Event) {
        match event {
            Event::Play { .. } => {
                for (eyes, watching) in self.staged.iter_mut().flat_map(|staged| &mut staged.watching) {
                    watching.step(self.now.position().view(eyes::viewer(*eyes)));
                }
            }
            // What there is to see may be another, or what led to it.
            _ => self.staged = None,
        }
    }

    pub(super) fn draws_itself(&mut self) -> bool {
        if self.staged.is_none() {
            let draws_itself = stage(&mut self.now).is_some();
            self.staged = Some(Staged { draws_itself, ..Staged::default() });
        }
        self.staged.as_ref().is_some_and(|staged| staged.draws_itself)
    }

    /// What these eyes see of a game that draws itself.
    pub(super) fn staged_scene(&mut self, eyes: Eyes, ways: Vec<Way>) -> Option<Scene> {
        let viewer = eyes::viewer(eyes);
        let known = self.staged.as_mut().and_then(|staged| staged.watching.remove(&eyes));
        let watching = known.or_else(|| watched(&self.now, viewer))?;
        let seats = self.now.seats();
        let scene = to_wire::scene(&watching.scene(&sight(self.now.position(), seats, viewer, ways)));
        if let Some(staged) = &mut self.staged {
            // Who has gone is not followed any longer.
            staged.watching.retain(|eyes, _| self.viewers.iter().any(|viewing| viewing.key.eyes == *eyes));
            staged.watching.insert(eyes, watching);
        }
        Some(scene)
    }
}

/// What a viewer sees of a position, with the ways to make their own choices.
pub(super) fn sight(position: &mut dyn Position, seats: Vec<String>, viewer: Viewer, ways: Vec<Way>) -> Sight {
    let decision = position.decision();
    let near = match viewer {
        Viewer::Seat(seat) => Some(seat),
        _ => None,
    };
    let question = match &decision {
        Decision::Seats { asked, .. } => Some(Question { prompt: position.prompt(), asked: asked.clone() }),
        _ => None,
    };
    let ranks = match &decision {
        Decision::Over(outcome) => Some(outcome.ranks.to_vec()),
        _ => None,
    };
    let before = Sight::before(position, viewer);
    Sight { view: position.view(viewer), before, seats, near, ranks, question, ways }
}

/// What a viewer sees of a match that nobody plays on.
pub(super) fn scene_of(now: &mut Match, viewer: Viewer) -> Scene {
    let seats = now.seats();
    match stage(now).and_then(|_| watched(now, viewer)) {
        Some(watching) => to_wire::scene(&watching.scene(&sight(now.position(), seats, viewer, Vec::new()))),
        None => look::picture(now.position(), seats, viewer, Vec::new()),
    }
}

fn stage(now: &mut Match) -> Option<Stage> {
    now.running().as_defined().and_then(|defined| Stage::of(defined.definition()))
}

/// What a viewer's representations have come to show: all steps in effect are gone through again. None if it does not come
/// that far.
pub fn watched(now: &Match, viewer: Viewer) -> Option<Watching> {
    let mut again = now.fork_at("watched", 0).ok()?;
    let mut known = stage(&mut again);
    let mut watching = Watching::open(known.clone().map(Arc::new), again.position().view(viewer));
    for step in now.steps() {
        again.apply(step).ok()?;
        let (next, view) = (stage(&mut again), again.position().view(viewer));
        if next == known {
            watching.step(view);
        } else {
            watching.change(next.clone().map(Arc::new), view);
            known = next;
        }
    }
    Some(watching)
}
