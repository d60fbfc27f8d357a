//! What of a choice may be told to whom.

use crate::{Choice, Decision, Position, QuestionKind, Shown, View, Viewer, Who};

/// What a viewer saw of a choice while it was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witnessed {
    /// The choice in words; what lay face down for the viewer before and after is `?`.
    pub words: String,
    /// Something that the choice names was seen to move, so it is known whatever became of it.
    pub openly: bool,
}

/// A choice as a viewer may be told of it, asked before it is played; none where the viewer learns only that something
/// was chosen.
///
/// An event is shown to whom it was visible when it happened, with what was visible then. A choice is visible to whoever
/// saw move what it names, or could tell it from all other choices that read differently. What several are asked at the
/// same time is answered in secret, by the last one, too. Where there was no other choice, it is secret as soon as it
/// changed something that the viewer may not see.
pub fn told(position: &mut dyn Position, viewer: Viewer, who: Who, choice: &Choice) -> Option<String> {
    let choices = position.choices(who);
    // The last card of a deck is no news.
    if who == Who::Nature && choices.len() == 1 {
        return None;
    }
    if viewer == Viewer::All || matches!(who, Who::Seat(seat) if viewer == Viewer::Seat(seat)) {
        return Some(position.words(who, choice));
    }
    if position.at_once() {
        return None;
    }
    let before = Both::of(position, viewer);
    let Some(after) = after(position, viewer, who, choice) else { return Some(position.words(who, choice)) };
    // Where everything lies open there is nothing to compare.
    if before.open() && after.both.open() {
        return Some(position.words(who, choice));
    }
    let witnessed = position.witnessed(viewer, who, choice)?;
    let told = match choices.len() {
        _ if witnessed.openly => true,
        1 => !changes_unseen(&before, &after.both),
        _ => !choices.iter().filter(|other| *other != choice).any(|other| {
            self::after(position, viewer, who, other).is_some_and(|then| {
                then.looks_like(&after)
                    // An answer that goes nowhere but on to the next question is no secret; a deck being shuffled is.
                    && (who == Who::Nature || then.both.all != after.both.all)
                    && position.witnessed(viewer, who, other).is_some_and(|other| other.words != witnessed.words)
            })
        }),
    };
    told.then_some(witnessed.words)
}

/// Whether somebody at the table may not know something that another one knows: what is hidden now, or what is being
/// answered by several at the same time.
pub fn has_secrets(position: &mut dyn Position) -> bool {
    position.at_once() || position.view(Viewer::Public) != position.view(Viewer::All)
}

/// Of what is asked now, and the same position to go back in: the last of several looks as if asked alone.
pub(crate) fn at_once(now: &Decision, mut before: Box<dyn Position>) -> bool {
    let asked = |decision: &Decision| match decision {
        Decision::Seats { asked, kind: QuestionKind::Answer } => asked.clone(),
        _ => Vec::new(),
    };
    let now = asked(now);
    if now.len() > 1 {
        return true;
    }
    let then = if before.undo() { asked(&before.decision()) } else { Vec::new() };
    then.len() > 1 && !now.is_empty() && now.iter().all(|seat| then.contains(seat))
}

/// A position as a viewer sees it, and as it is.
struct Both {
    seen: View,
    all: View,
}

impl Both {
    fn of(position: &mut dyn Position, viewer: Viewer) -> Self {
        Both { seen: position.view(viewer), all: position.view(Viewer::All) }
    }

    fn open(&self) -> bool {
        self.seen == self.all
    }
}

/// What a choice leads to.
struct After {
    both: Both,
    said: Vec<String>,
    asked: Vec<Who>,
}

impl After {
    fn looks_like(&self, other: &After) -> bool {
        self.said == other.said && self.asked == other.asked && self.both.seen == other.both.seen
    }
}

/// None if it is refused.
fn after(position: &mut dyn Position, viewer: Viewer, who: Who, choice: &Choice) -> Option<After> {
    position.play(who, choice).ok()?;
    let (said, asked) = (position.said(viewer), position.decision().open_to());
    let after = After { both: Both::of(position, viewer), said, asked };
    position.undo();
    Some(after)
}

/// Whether a property is another than it was that the viewer may not see.
fn changes_unseen(before: &Both, after: &Both) -> bool {
    let hidden = |view: &View| -> Vec<bool> { properties(view).map(|(_, shown)| *shown == Shown::Hidden).collect() };
    let (was, is) = (hidden(&before.seen), hidden(&after.seen));
    let changed = properties(&before.all).zip(properties(&after.all)).map(|(before, after)| before != after);
    // Where things came or went the properties do not stand beside each other: nobody can say, so nothing is told.
    was.len() != is.len() || changed.zip(was.into_iter().zip(is)).any(|(changed, (was, is))| changed && was && is)
}

fn properties(view: &View) -> impl Iterator<Item = &(String, Shown)> {
    let cells = view.boards.iter().flat_map(|board| &board.cells).flat_map(|cell| &cell.properties);
    cells.chain(view.facts.iter().chain(&view.things).flat_map(|thing| &thing.properties))
}
