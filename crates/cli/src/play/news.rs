use houserules_kernel::{Choice, Position, SeatId, View, Viewer, Who};

use crate::commands::name_of;

/// What happened since each person last looked at the screen.
pub struct News {
    /// The people; without any, somebody who watches.
    viewers: Vec<Viewer>,
    lines: Vec<Vec<String>>,
}

impl News {
    pub fn new(humans: &[SeatId]) -> Self {
        let mut viewers: Vec<Viewer> = humans.iter().map(|&seat| Viewer::Seat(seat)).collect();
        if viewers.is_empty() {
            viewers.push(Viewer::All);
        }
        News { lines: vec![Vec::new(); viewers.len()], viewers }
    }

    /// Those who will not see what was chosen. To be asked before it is played.
    pub fn unaware(&self, position: &mut dyn Position, who: Who, choice: &Choice) -> Vec<Viewer> {
        self.viewers.iter().copied().filter(|&viewer| unaware(position, viewer, who, choice)).collect()
    }

    /// After `who` played. What somebody chose in secret is not told, only that it was chosen.
    pub fn add(&mut self, position: &dyn Position, who: Who, words: &str, unaware: &[Viewer], seats: &[String]) {
        for (&viewer, lines) in self.viewers.iter().zip(&mut self.lines) {
            let own = matches!(who, Who::Seat(seat) if viewer == Viewer::Seat(seat));
            match (own, unaware.contains(&viewer), who) {
                (true, _, _) | (false, true, Who::Nature) => {}
                (false, true, Who::Seat(_)) => lines.push(format!("{} has chosen.", name_of(who, seats))),
                (false, false, _) => lines.push(format!("{}: {words}", name_of(who, seats))),
            }
            lines.extend(position.said(viewer));
        }
    }

    /// What a player thought when it chose.
    pub fn think(&mut self, told: &str) {
        self.lines.iter_mut().for_each(|lines| lines.push(told.to_owned()));
    }

    /// What a viewer has not seen yet; from now on it has.
    pub fn take(&mut self, viewer: Viewer) -> Vec<String> {
        match self.viewers.iter().position(|&known| known == viewer) {
            Some(idx) => std::mem::take(&mut self.lines[idx]),
            None => Vec::new(),
        }
    }

    /// What nobody has seen at the end of a match: all that anybody has not.
    pub fn take_rest(&mut self) -> Vec<String> {
        let mut rest: Vec<String> = Vec::new();
        for line in self.lines.iter_mut().flat_map(std::mem::take) {
            if !rest.contains(&line) {
                rest.push(line);
            }
        }
        rest
    }

    pub fn forget(&mut self) {
        self.lines.iter_mut().for_each(Vec::clear);
    }
}

/// Whether another choice would look the same to a viewer.
pub fn unaware(position: &mut dyn Position, viewer: Viewer, who: Who, choice: &Choice) -> bool {
    let choices = position.choices(who);
    // The last card of a deck is no news.
    if who == Who::Nature && choices.len() == 1 {
        return true;
    }
    if viewer == Viewer::All {
        return false;
    }
    let seen = seen_after(position, viewer, who, choice);
    choices.iter().any(|other| other != choice && seen_after(position, viewer, who, other) == seen)
}

/// What a viewer sees when something has been chosen; nothing if it is refused.
fn seen_after(position: &mut dyn Position, viewer: Viewer, who: Who, choice: &Choice) -> Option<View> {
    position.play(who, choice).ok()?;
    let view = position.view(viewer);
    position.undo();
    Some(view)
}
