use crate::drawing::{Asking, Easel, News, Since};
use crate::sight::{asked, seat_of, ways};
use crate::{Change, Scene, Sight};
use houserules_kernel::{Decision, Followed, Position, QuestionKind, SeatId, Touched, View, Viewer, Who};
use std::sync::Arc;

/// Those who follow a match, each with what they see of it.
///
/// A change follows what the move has touched and not how large the board is. Whoever sees the same shares the work: where
/// nothing is hidden the position is looked at once for all, and viewers without a seat have one drawing.
pub struct Audience {
    seats: Vec<String>,
    eyes: Vec<Eyes>,
    viewers: Vec<Looker>,
    /// Whether an action was awaited in the position that was seen last: the next choice begins something new.
    at_action: bool,
}

/// A view that one or several of them have.
struct Eyes {
    viewer: Viewer,
    followed: Followed,
    /// None before the first action: nothing has been played that could be marked.
    since: Option<Since>,
    news: News,
    /// Everything was looked at again the last time.
    is_whole: bool,
    /// What was seen before the last action, as long as that is so.
    before: Option<View>,
}

struct Looker {
    viewer: Viewer,
    eyes: usize,
    easel: Easel,
    /// Whoever looks through the same eyes, from the same side, and is asked as little.
    like: Option<usize>,
}

impl Audience {
    /// Everybody looks at a position.
    pub fn open(position: &mut dyn Position, seats: &[String], viewers: &[Viewer]) -> Audience {
        let mut audience = Audience { seats: seats.to_vec(), eyes: Vec::new(), viewers: Vec::new(), at_action: false };
        for &viewer in viewers {
            let through = if position.is_open() { Viewer::All } else { viewer };
            let eyes = audience.eyes_of(through);
            let seat = seat_of(viewer);
            let like = |other: &Looker| other.eyes == eyes && seat.is_none() && seat_of(other.viewer).is_none();
            let like = audience.viewers.iter().position(like);
            audience.viewers.push(Looker { viewer, eyes, easel: Easel::new(seats, seat), like });
        }
        audience.jumped(position);
        audience
    }

    fn eyes_of(&mut self, viewer: Viewer) -> usize {
        let known = self.eyes.iter().position(|eyes| eyes.viewer == viewer);
        known.unwrap_or_else(|| {
            let (followed, since, news, is_whole, before) = Default::default();
            self.eyes.push(Eyes { viewer, followed, since, news, is_whole, before });
            self.eyes.len() - 1
        })
    }

    /// After a change of rules something may be hidden that was not: nobody looks through another's eyes any longer.
    fn part(&mut self, position: &dyn Position) {
        if position.is_open() || self.viewers.iter().all(|looker| self.eyes[looker.eyes].viewer == looker.viewer) {
            return;
        }
        for at in 0..self.viewers.len() {
            let viewer = self.viewers[at].viewer;
            let eyes = self.eyes_of(viewer);
            if self.viewers[at].like.is_some() {
                let shown = self.scene(at).clone();
                self.viewers[at].easel = Easel::showing(&self.seats, seat_of(viewer), shown);
            }
            (self.viewers[at].eyes, self.viewers[at].like) = (eyes, None);
        }
    }

    pub fn seats(&self) -> &[String] {
        &self.seats
    }

    /// What one of them sees; they are numbered as they were given.
    pub fn scene(&self, viewer: usize) -> &Scene {
        let looker = &self.viewers[viewer];
        self.viewers[looker.like.unwrap_or(viewer)].easel.scene()
    }

    /// After one choice, of a seat or of chance: what became of the scene of each.
    pub fn played(&mut self, position: &mut dyn Position) -> Vec<Arc<[Change]>> {
        self.part(position);
        let touched = (self.eyes.iter_mut()).map(|eyes| eyes.played(position, self.at_action)).collect::<Vec<_>>();
        self.draw(position, &touched)
    }

    /// After anything else: steps taken back or done again, other rules, another place of the record.
    pub fn jumped(&mut self, position: &mut dyn Position) -> Vec<Arc<[Change]>> {
        self.part(position);
        let touched = self.eyes.iter_mut().map(|eyes| eyes.jumped(position)).collect::<Vec<_>>();
        self.draw(position, &touched)
    }

    fn draw(&mut self, position: &mut dyn Position, touched: &[Touched]) -> Vec<Arc<[Change]>> {
        let decision = position.decision();
        self.at_action = matches!(decision, Decision::Seats { kind: QuestionKind::Action, .. });
        let (question, ranks) = asked(position);
        let is_asked = |seat: SeatId| question.as_ref().is_some_and(|question| question.asked.contains(&seat));
        let mut all: Vec<Arc<[Change]>> = Vec::with_capacity(self.viewers.len());
        for looker in &mut self.viewers {
            if let Some(like) = looker.like {
                all.push(all[like].clone());
                continue;
            }
            let eyes = &self.eyes[looker.eyes];
            let ways = match seat_of(looker.viewer) {
                Some(seat) if is_asked(seat) => ways(position, Who::Seat(seat), &eyes.followed.view),
                _ => Vec::new(),
            };
            let asking = Asking { ranks: ranks.as_deref(), question: question.as_ref(), ways: &ways };
            let changes = looker.easel.draw(&eyes.followed.view, &eyes.news, asking, &touched[looker.eyes]);
            all.push(changes.into());
        }
        all
    }
}

impl Eyes {
    fn played(&mut self, position: &mut dyn Position, begins: bool) -> Touched {
        let old = self.is_whole.then(|| self.followed.view.clone());
        let touched = position.follow(self.viewer, &mut self.followed);
        self.is_whole = matches!(touched, Touched::All);
        match (&touched, old) {
            (Touched::All, Some(old)) => {
                let before = if begins { Some(old) } else { self.before.take() };
                self.compare(before);
            }
            (Touched::All, None) => self.compare(Sight::before(position, self.viewer)),
            (Touched::Parts { cells, things, .. }, _) => {
                if begins {
                    self.since = Some(Since::default());
                }
                if let Some(since) = &mut self.since {
                    since.add(cells, things.as_ref());
                    self.news = News::of(since, &self.followed.view);
                }
            }
        }
        touched
    }

    /// Finds out what the last action has changed by taking it back.
    fn jumped(&mut self, position: &mut dyn Position) -> Touched {
        let touched = position.follow(self.viewer, &mut self.followed);
        self.is_whole = matches!(touched, Touched::All);
        self.compare(Sight::before(position, self.viewer));
        touched
    }

    fn compare(&mut self, before: Option<View>) {
        self.since = before.as_ref().map(|before| Since::between(before, &self.followed.view));
        self.news = self.since.as_ref().map(|since| News::of(since, &self.followed.view)).unwrap_or_default();
        self.before = before;
    }
}
