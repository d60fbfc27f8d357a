use crate::{Question, Way};
use houserules_kernel::{Decision, Position, QuestionKind, SeatId, ThingId, ThingView, View, Viewer, Who};
use std::collections::{BTreeMap, BTreeSet};

/// All that the drawing of a scene may know: what the viewer may see, and what the viewer is asked.
///
/// Nothing leads from here back to a position, so what is hidden cannot be drawn.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Sight {
    pub view: View,
    /// What the viewer saw before the last action: the difference is what is marked as new.
    pub before: Option<View>,
    /// The name of each seat.
    pub seats: Vec<String>,
    /// Whose side of the table is near.
    pub near: Option<SeatId>,
    /// The rank of each seat, once the match is over.
    pub ranks: Option<Vec<u8>>,
    pub question: Option<Question>,
    pub ways: Vec<Way>,
}

impl Sight {
    /// What a viewer sees of a position. `before` is what the same viewer saw before the last action; see [`Sight::before`].
    pub fn of(position: &mut dyn Position, seats: &[String], viewer: Viewer, before: Option<View>) -> Sight {
        let near = match viewer {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Public | Viewer::All => None,
        };
        let decision = position.decision();
        let question = match &decision {
            Decision::Seats { asked, .. } => Some(Question { prompt: position.prompt(), asked: asked.clone() }),
            Decision::Nature | Decision::Over(_) => None,
        };
        let ranks = match &decision {
            Decision::Over(outcome) => Some(outcome.ranks.to_vec()),
            _ => None,
        };
        let view = position.view(viewer);
        let ways = near.map(|seat| ways(position, Who::Seat(seat), &view)).unwrap_or_default();
        Sight { view, before, seats: seats.to_vec(), near, ranks, question, ways }
    }

    /// What a viewer saw when the last action was still to be chosen; none at the start, or where nothing can be undone.
    ///
    /// Answers given and dice thrown since then belong to that action.
    pub fn before(position: &dyn Position, viewer: Viewer) -> Option<View> {
        let mut earlier = position.duplicate();
        while earlier.undo() {
            if matches!(earlier.decision(), Decision::Seats { kind: QuestionKind::Action, .. }) {
                return Some(earlier.view(viewer));
            }
        }
        None
    }
}

/// How each open choice is made on a screen.
fn ways(position: &mut dyn Position, who: Who, view: &View) -> Vec<Way> {
    let choices = position.choices(who);
    let points: Vec<Vec<ThingId>> = choices.iter().map(|choice| position.points(who, choice)).collect();
    let mut n_alike: BTreeMap<&[ThingId], u32> = BTreeMap::new();
    for points in &points {
        *n_alike.entry(points).or_default() += 1;
    }
    let seen = seen(view);
    let tell = |points: &Vec<ThingId>| {
        points.is_empty() || n_alike[&**points] > 1 || points.iter().any(|thing| !seen.contains(thing))
    };
    let words: Vec<Option<String>> =
        choices.iter().zip(&points).map(|(choice, points)| tell(points).then(|| position.words(who, choice))).collect();
    points.into_iter().zip(words).map(|(points, words)| Way { points, words }).collect()
}

/// Everything that can be pointed at.
fn seen(view: &View) -> BTreeSet<ThingId> {
    fn add(seen: &mut BTreeSet<ThingId>, thing: &ThingView) {
        seen.insert(thing.id);
        thing.contents.iter().flatten().for_each(|inner| add(seen, inner));
    }
    let mut seen = BTreeSet::new();
    for cell in view.boards.iter().flat_map(|board| &board.cells) {
        seen.insert(cell.id);
        cell.pieces.iter().flatten().for_each(|piece| add(&mut seen, piece));
    }
    let players = view.facts.iter().filter(|fact| fact.kind == "player");
    players.chain(&view.things).for_each(|thing| add(&mut seen, thing));
    seen
}
