use crate::drawing::{Asking, Easel, News, Since};
use crate::sight::{asked, own_ways, seat_of};
use crate::stage::{Fault, Memory, Reaction, Stage, Watching};
use crate::{Change, Scene, Sight, diff};
use houserules_kernel::{Decision, Followed, Position, QuestionKind, SeatId, Touched, View, Viewer};
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
    /// What the definition draws by itself; none where it draws nothing.
    watching: Option<Watching>,
}

struct Looker {
    viewer: Viewer,
    eyes: usize,
    easel: Easel,
    /// The usual drawing with what the definition draws by itself in it; none where it draws nothing.
    dressed: Option<Scene>,
    /// What views remember of clicks since the last step: nobody else sees that.
    touched: Option<Memory>,
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
            let (easel, dressed, touched) = (Easel::new(seats, seat), None, None);
            audience.viewers.push(Looker { viewer, eyes, easel, dressed, touched, like });
        }
        audience.jumped(position);
        audience
    }

    fn eyes_of(&mut self, viewer: Viewer) -> usize {
        let known = self.eyes.iter().position(|eyes| eyes.viewer == viewer);
        known.unwrap_or_else(|| {
            let (followed, since, news, is_whole, before, watching) = Default::default();
            self.eyes.push(Eyes { viewer, followed, since, news, is_whole, before, watching });
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
            if let Some(like) = self.viewers[at].like {
                let shown = self.viewers[like].easel.scene().clone();
                self.viewers[at].easel = Easel::showing(&self.seats, seat_of(viewer), shown);
                self.viewers[at].dressed = self.viewers[like].dressed.clone();
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
        self.viewers[looker.like.unwrap_or(viewer)].scene()
    }

    /// Says what the definition draws by itself, to be followed by [`Audience::jumped`].
    ///
    /// Of the steps of the match that are in effect now, all but those after `n_known` were told as they are; the others
    /// are taken back, and what followed instead is told step by step. `look` goes there, in order, and says what the
    /// definition draws then, and what each of some viewers sees; where it says nothing, what was told before it stands.
    /// After a choice nothing has to be said: it is known what the views were.
    pub fn staged(
        &mut self,
        position: &dyn Position,
        n_known: usize,
        n_steps: usize,
        mut look: impl FnMut(usize, &[Viewer]) -> Option<(Option<Stage>, Vec<View>)>,
    ) {
        self.part(position);
        let viewers: Vec<Viewer> = self.eyes.iter().map(|eyes| eyes.viewer).collect();
        // Whoever looks with new eyes was told nothing.
        let mut told = n_known;
        if self.eyes.iter().any(|eyes| eyes.watching.is_none()) {
            let Some((stage, views)) = look(0, &viewers) else { return };
            let stage = stage.map(Arc::new);
            for (eyes, view) in self.eyes.iter_mut().zip(views) {
                eyes.watching = Some(Watching::open(stage.clone(), view));
            }
            told = 0;
        }
        for eyes in &mut self.eyes {
            eyes.watching.iter_mut().for_each(|watching| watching.take_back(told));
        }
        let known = self.eyes.first().and_then(|eyes| eyes.watching.as_ref()).map_or(0, Watching::n_steps);
        for step in known + 1..=n_steps {
            let Some((stage, views)) = look(step, &viewers) else { break };
            for (eyes, view) in self.eyes.iter_mut().zip(views) {
                eyes.watching.iter_mut().for_each(|watching| watching.go_on(stage.as_ref(), view.clone()));
            }
        }
    }

    /// Whether anything was ever drawn by the definition itself: then steps have to be told by [`Audience::staged`].
    pub fn is_staged(&self) -> bool {
        self.eyes.iter().any(|eyes| eyes.watching.is_some())
    }

    /// Views that were set aside, as one of the viewers is told.
    pub fn faults(&self, viewer: usize) -> &[Fault] {
        let watching = self.eyes[self.viewers[viewer].eyes].watching.as_ref();
        watching.map_or(&[], |watching| &watching.memory().faults)
    }

    /// Somebody with a seat clicks a graphic: what it asks of the match, and what becomes of the scene until the next step.
    pub fn click(&mut self, viewer: usize, id: &str) -> (Option<Reaction>, Vec<Change>) {
        let looker = &mut self.viewers[viewer];
        let eyes = &self.eyes[looker.eyes];
        let Some((watching, stage)) = eyes.watching.as_ref().and_then(|watching| Some((watching, watching.stage()?)))
        else {
            return (None, Vec::new());
        };
        // What spectators do would be seen by all of them.
        if seat_of(looker.viewer).is_none() {
            return (None, Vec::new());
        }
        let memory = looker.touched.as_ref().unwrap_or(watching.memory());
        let (memory, reaction) = stage.click(memory, &eyes.followed.view, id);
        looker.touched = Some(memory);
        (reaction, looker.dress(eyes).unwrap_or_default())
    }

    /// After one choice, of a seat or of chance: what became of the scene of each.
    pub fn played(&mut self, position: &mut dyn Position) -> Vec<Arc<[Change]>> {
        self.part(position);
        let touched = (self.eyes.iter_mut()).map(|eyes| eyes.played(position, self.at_action)).collect::<Vec<_>>();
        for eyes in &mut self.eyes {
            eyes.watching.iter_mut().for_each(|watching| watching.step(eyes.followed.view.clone()));
        }
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
                Some(seat) if is_asked(seat) => own_ways(position, seat, &eyes.followed.view),
                _ => Vec::new(),
            };
            let asking = Asking { ranks: ranks.as_deref(), question: question.as_ref(), ways: &ways };
            looker.touched = None;
            // What was shown until now, where the definition begins to draw by itself.
            let shown = (looker.dressed.is_none() && eyes.is_staged()).then(|| looker.easel.scene().clone());
            let changes = looker.easel.draw(&eyes.followed.view, &eyes.news, asking, &touched[looker.eyes]);
            looker.dressed = looker.dressed.take().or(shown);
            all.push(looker.dress(eyes).unwrap_or(changes).into());
        }
        all
    }
}

impl Looker {
    fn scene(&self) -> &Scene {
        self.dressed.as_ref().unwrap_or(self.easel.scene())
    }

    /// Puts what the definition draws into the usual drawing; none if that is what is shown.
    fn dress(&mut self, eyes: &Eyes) -> Option<Vec<Change>> {
        let shown = self.dressed.take()?;
        let watching = eyes.watching.as_ref().filter(|_| eyes.is_staged());
        let Some((watching, stage)) = watching.and_then(|watching| Some((watching, watching.stage()?))) else {
            return Some(diff(&shown, self.easel.scene()));
        };
        let mut scene = self.easel.scene().clone();
        stage.dress(&mut scene, self.touched.as_ref().unwrap_or(watching.memory()), &eyes.followed.view);
        let changes = diff(&shown, &scene);
        self.dressed = Some(scene);
        Some(changes)
    }
}

impl Eyes {
    /// Whether the definition draws something by itself now.
    fn is_staged(&self) -> bool {
        self.watching.as_ref().is_some_and(|watching| watching.stage().is_some())
    }

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
