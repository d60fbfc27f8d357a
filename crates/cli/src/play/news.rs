use houserules_kernel::{Choice, Position, SeatId, View, Viewer, Who};

use crate::commands::name_of;

/// What happened since each person last looked at the screen.
pub struct News {
    /// The people; without any, somebody who watches.
    viewers: Vec<Viewer>,
    /// For each of them, with when it happened.
    lines: Vec<Vec<(u64, String)>>,
    now: u64,
}

impl News {
    pub fn new(humans: &[SeatId]) -> Self {
        let mut viewers: Vec<Viewer> = humans.iter().map(|&seat| Viewer::Seat(seat)).collect();
        if viewers.is_empty() {
            viewers.push(Viewer::All);
        }
        News { lines: vec![Vec::new(); viewers.len()], viewers, now: 0 }
    }

    /// Those who will not see what was chosen. To be asked before it is played.
    pub fn unaware(&self, position: &mut dyn Position, who: Who, choice: &Choice) -> Vec<Viewer> {
        self.viewers.iter().copied().filter(|&viewer| unaware(position, viewer, who, choice)).collect()
    }

    /// After `who` played. What somebody chose in secret is not told, only that it was chosen.
    pub fn add(&mut self, position: &dyn Position, who: Who, words: &str, unaware: &[Viewer], seats: &[String]) {
        self.now += 1;
        for (&viewer, lines) in self.viewers.iter().zip(&mut self.lines) {
            let mut tell = |line: String| lines.push((self.now, line));
            let own = matches!(who, Who::Seat(seat) if viewer == Viewer::Seat(seat));
            match (own, unaware.contains(&viewer), who) {
                (true, _, _) | (false, true, Who::Nature) => {}
                (false, true, Who::Seat(_)) => tell(format!("{} has chosen.", name_of(who, seats))),
                (false, false, _) => tell(format!("{}: {words}", name_of(who, seats))),
            }
            position.said(viewer).into_iter().for_each(tell);
        }
    }

    /// What a player thought when it chose.
    pub fn think(&mut self, told: &str) {
        self.lines.iter_mut().for_each(|lines| lines.push((self.now, told.to_owned())));
    }

    /// What a viewer has not seen yet; from now on it has.
    pub fn take(&mut self, viewer: Viewer) -> Vec<String> {
        match self.viewers.iter().position(|&known| known == viewer) {
            Some(idx) => std::mem::take(&mut self.lines[idx]).into_iter().map(|(_, line)| line).collect(),
            None => Vec::new(),
        }
    }

    /// At the end of a match all that anybody has not seen yet, in order; what several have not seen is told once.
    pub fn take_rest(&mut self) -> Vec<String> {
        let mut rest: Vec<(u64, String)> = Vec::new();
        for line in self.lines.iter_mut().flat_map(std::mem::take) {
            if !rest.contains(&line) {
                rest.push(line);
            }
        }
        rest.sort_by_key(|(at, _)| *at);
        rest.into_iter().map(|(_, line)| line).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_happens_twice_is_told_twice_and_to_all_at_once() {
        let rulebook = houserules_library::find("tic-tac-toe").unwrap().compile(&Default::default()).unwrap();
        let position = rulebook.start().unwrap();
        let seats = ["X".to_owned(), "O".to_owned()];
        let mut news = News::new(&[SeatId(0), SeatId(1)]);
        for _ in 0..2 {
            for seat in 0..2 {
                news.add(&position, Who::Seat(SeatId(seat)), "knock", &[], &seats);
            }
        }
        news.think("Nobody thinks.");
        let rest = ["X: knock", "O: knock", "X: knock", "O: knock", "Nobody thinks."];
        assert_eq!(news.take_rest(), rest);
        assert!(news.take_rest().is_empty());
    }
}
