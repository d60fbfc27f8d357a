use crate::bits::Bits;
use crate::{Question, Way};
use houserules_kernel::{Choice, Decision, Position, QuestionKind, SeatId, ThingId, ThingView, View, Viewer, Who};

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
        let near = seat_of(viewer);
        let (question, ranks) = asked(position);
        let view = position.view(viewer);
        let ways = near.map(|seat| own_ways(position, seat, &view)).unwrap_or_default();
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

/// The seat of whoever has one.
pub(crate) fn seat_of(viewer: Viewer) -> Option<SeatId> {
    match viewer {
        Viewer::Seat(seat) => Some(seat),
        Viewer::Public | Viewer::All => None,
    }
}

/// What is asked now, and how it ended.
pub(crate) fn asked(position: &dyn Position) -> (Option<Question>, Option<Vec<u8>>) {
    match position.decision() {
        Decision::Seats { asked, .. } => (Some(Question { prompt: position.prompt(), asked }), None),
        Decision::Nature => (None, None),
        Decision::Over(outcome) => (None, Some(outcome.ranks.to_vec())),
    }
}

/// How the choices of a seat are made on a screen; none if it is not asked.
pub(crate) fn own_ways(position: &mut dyn Position, seat: SeatId, view: &View) -> Vec<Way> {
    let choices = position.choices(Who::Seat(seat));
    ways(position, Who::Seat(seat), &choices, view)
}

/// How choices are made on a screen that shows a view.
pub fn ways(position: &dyn Position, who: Who, choices: &[Choice], view: &View) -> Vec<Way> {
    let points: Vec<Vec<ThingId>> = choices.iter().map(|choice| position.points(who, choice)).collect();
    let alike = alike(&points);
    let seen = seen(view);
    let tell = |at: usize, points: &[ThingId]| {
        points.is_empty()
            || alike.get(at).is_some_and(|&alike| alike)
            || points.iter().any(|thing| !seen.contains(thing))
    };
    let words: Vec<Option<String>> = (choices.iter().zip(&points).enumerate())
        .map(|(at, (choice, points))| tell(at, points).then(|| position.words(who, choice)))
        .collect();
    points.into_iter().zip(words).map(|(points, words)| Way { points, words }).collect()
}

/// Which of them point at the same things as another; empty: none.
fn alike(points: &[Vec<ThingId>]) -> Vec<bool> {
    // Mostly they are in order already.
    if points.is_sorted_by(|one, next| one < next) {
        return Vec::new();
    }
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by_key(|&at| &points[at]);
    let mut alike = vec![false; points.len()];
    for pair in order.windows(2).filter(|pair| points[pair[0]] == points[pair[1]]) {
        (alike[pair[0]], alike[pair[1]]) = (true, true);
    }
    alike
}

/// Everything that can be pointed at.
fn seen(view: &View) -> Bits {
    fn add(seen: &mut Bits, thing: &ThingView) {
        seen.insert(thing.id);
        thing.contents.iter().flatten().for_each(|inner| add(seen, inner));
    }
    let mut seen = Bits::default();
    for cell in view.boards.iter().flat_map(|board| &board.cells) {
        seen.insert(cell.id);
        cell.pieces.iter().flatten().for_each(|piece| add(&mut seen, piece));
    }
    let players = view.facts.iter().filter(|fact| fact.kind == "player");
    players.chain(&view.things).for_each(|thing| add(&mut seen, thing));
    seen
}
