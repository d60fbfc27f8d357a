use houserules_kernel::{SeatId, Viewer, Who};
use houserules_record::Told;

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

    /// Who is to be told.
    pub fn viewers(&self) -> &[Viewer] {
        &self.viewers
    }

    /// What each of the viewers is told of something; who chose it knows it.
    pub fn add(&mut self, told: Vec<Vec<Told>>, seats: &[String]) {
        self.now += 1;
        for ((&viewer, lines), told) in self.viewers.iter().zip(&mut self.lines).zip(told) {
            let own =
                |told: &Told| matches!(told, Told::Chose { who: Who::Seat(seat), .. } if viewer == Viewer::Seat(*seat));
            let news = told.iter().filter(|told| !own(told)).filter_map(|told| told.line(seats));
            lines.extend(news.map(|line| (self.now, line)));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_happens_twice_is_told_twice_and_to_all_at_once() {
        let seats = ["X".to_owned(), "O".to_owned()];
        let mut news = News::new(&[SeatId(0), SeatId(1)]);
        for _ in 0..2 {
            for seat in 0..2 {
                let knock = Told::Chose { who: Who::Seat(SeatId(seat)), words: Some("knock".into()) };
                news.add(vec![vec![knock.clone()], vec![knock]], &seats);
            }
        }
        news.think("Nobody thinks.");
        let rest = ["X: knock", "O: knock", "X: knock", "O: knock", "Nobody thinks."];
        assert_eq!(news.take_rest(), rest);
        assert!(news.take_rest().is_empty());
    }
}
