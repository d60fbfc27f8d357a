use crate::drawing::{Asking, Easel, News, Since};
use crate::sight::{asked, own_ways, seat_of};
use crate::stage::{Fault, Memory, Reaction, Stage, Watching};
use crate::told::{Before, Told};
use crate::{Change, Question, Scene, Sight, Way, diff, ways};
use houserules_kernel::{Choice, Decision, Followed, Position, QuestionKind, SeatId, Touched, View, Viewer, Who};
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
    /// Whether anybody hears what becomes of scenes at every step, and does not only ask for it with [`Audience::told`].
    is_heard: bool,
    /// What can be chosen, where the position does not say so.
    offers: Option<Vec<(SeatId, Vec<Choice>)>>,
}

/// What the position asks, and how it ended.
struct Asked {
    question: Option<Question>,
    ranks: Option<Vec<u8>>,
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
    /// Since this viewer was told.
    before: Before,
    /// The usual drawing with what the definition draws by itself in it; none where it draws nothing.
    dressed: Option<Scene>,
    /// What views remember of clicks since the last step: nobody else sees that.
    touched: Option<Memory>,
    /// Whoever looks through the same eyes, from the same side, and is asked as little.
    like: Option<usize>,
}

impl Audience {
    /// Nobody looks yet, and nobody will hear what becomes of scenes at each step: [`Audience::told`] says it.
    pub fn new(seats: &[String]) -> Audience {
        let (eyes, viewers, offers) = Default::default();
        Audience { seats: seats.to_vec(), eyes, viewers, at_action: false, is_heard: false, offers }
    }

    /// Everybody looks at a position.
    pub fn open(position: &mut dyn Position, seats: &[String], viewers: &[Viewer]) -> Audience {
        let mut audience = Audience { is_heard: true, ..Audience::new(seats) };
        for &viewer in viewers {
            audience.add(position, viewer);
        }
        audience.jumped(position);
        audience
    }

    /// One more looks, after all others have seen this position; gives their number. Where the definition draws something
    /// by itself, [`Audience::staged`] and [`Audience::jumped`] have to follow.
    pub fn join(&mut self, position: &mut dyn Position, viewer: Viewer) -> usize {
        let n_eyes = self.eyes.len();
        let at = self.add(position, viewer);
        for eyes in &mut self.eyes[n_eyes..] {
            eyes.jumped(position);
        }
        self.at_action = is_action(position);
        if self.viewers[at].like.is_none() {
            let asked = Asked::of(position);
            self.draw_one(at, position, &asked, &Touched::All);
        }
        at
    }

    fn add(&mut self, position: &dyn Position, viewer: Viewer) -> usize {
        let through = if position.is_open() { Viewer::All } else { viewer };
        let eyes = self.eyes_of(through);
        let seat = seat_of(viewer);
        let like = |other: &Looker| other.eyes == eyes && seat.is_none() && seat_of(other.viewer).is_none();
        let like = self.viewers.iter().position(like);
        let easel = Easel::new(&self.seats, seat);
        let (dressed, touched, before) = Default::default();
        self.viewers.push(Looker { viewer, eyes, easel, before, dressed, touched, like });
        self.viewers.len() - 1
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
                self.viewers[at].before = self.viewers[like].before.clone();
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

    /// The same beside what it was when this viewer was told of it last.
    pub fn told(&self, viewer: usize) -> Told<'_> {
        let looker = &self.viewers[self.viewers[viewer].like.unwrap_or(viewer)];
        Told::new(looker.scene(), &looker.before)
    }

    /// A viewer has been told all that they see.
    pub fn tell(&mut self, viewer: usize) {
        let at = self.viewers[viewer].like.unwrap_or(viewer);
        self.viewers[at].before = Before::default();
    }

    /// Says what can be chosen from now on, where the position does not: by rules that are only advised, or nothing while
    /// a match does not go on. None: as the position says.
    pub fn offer(&mut self, offers: Option<Vec<(SeatId, Vec<Choice>)>>) {
        self.offers = offers;
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

    /// Somebody with a seat clicks a graphic: either it asks something of the match, or it shows something else until the
    /// next step.
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
        if reaction.is_some() {
            // What is refused must not be seen, and what is played is seen anew.
            return (reaction, Vec::new());
        }
        looker.touched = Some(memory);
        (None, looker.dress(eyes).unwrap_or_default())
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
        self.at_action = is_action(position);
        let asked = Asked::of(position);
        let mut all: Vec<Arc<[Change]>> = Vec::with_capacity(self.viewers.len());
        for at in 0..self.viewers.len() {
            let changes = match self.viewers[at].like {
                Some(like) => all[like].clone(),
                None => self.draw_one(at, position, &asked, &touched[self.viewers[at].eyes]).into(),
            };
            all.push(changes);
        }
        all
    }

    fn draw_one(&mut self, at: usize, position: &mut dyn Position, asked: &Asked, touched: &Touched) -> Vec<Change> {
        let looker = &mut self.viewers[at];
        let eyes = &self.eyes[looker.eyes];
        let ways = match (seat_of(looker.viewer), &self.offers) {
            (Some(seat), Some(offers)) => {
                let own = offers.iter().find(|(of, _)| *of == seat).map(|(_, choices)| choices);
                own.map(|choices| ways(position, Who::Seat(seat), choices, &eyes.followed.view)).unwrap_or_default()
            }
            (Some(seat), None) if asked.has(seat) => own_ways(position, seat, &eyes.followed.view),
            _ => Vec::new(),
        };
        looker.draw(eyes, asked, &ways, touched, self.is_heard)
    }
}

fn is_action(position: &dyn Position) -> bool {
    matches!(position.decision(), Decision::Seats { kind: QuestionKind::Action, .. })
}

impl Asked {
    fn of(position: &dyn Position) -> Asked {
        let (question, ranks) = asked(position);
        Asked { question, ranks }
    }

    fn has(&self, seat: SeatId) -> bool {
        self.question.as_ref().is_some_and(|question| question.asked.contains(&seat))
    }
}

impl Looker {
    fn scene(&self) -> &Scene {
        self.dressed.as_ref().unwrap_or(self.easel.scene())
    }

    fn draw(&mut self, eyes: &Eyes, asked: &Asked, ways: &[Way], touched: &Touched, is_heard: bool) -> Vec<Change> {
        let asking = Asking { ranks: asked.ranks.as_deref(), question: asked.question.as_ref(), ways };
        self.touched = None;
        // What was shown until now, where the definition begins to draw by itself.
        let shown = (self.dressed.is_none() && eyes.is_staged()).then(|| self.easel.scene().clone());
        let is_dressed = self.dressed.is_some() || shown.is_some();
        let mut unseen = Before::default();
        let before = if is_dressed { &mut unseen } else { &mut self.before };
        let changes =
            self.easel.draw(&eyes.followed.view, &eyes.news, asking, touched, before, is_heard && !is_dressed);
        self.dressed = self.dressed.take().or(shown);
        self.dress(eyes).unwrap_or(changes)
    }

    /// Puts what the definition draws into the usual drawing; none if that is what is shown.
    fn dress(&mut self, eyes: &Eyes) -> Option<Vec<Change>> {
        let mut shown = self.dressed.take()?;
        let watching = eyes.watching.as_ref().filter(|_| eyes.is_staged());
        let stage = watching.and_then(|watching| Some((watching, watching.stage()?)));
        let changes = match &stage {
            Some((watching, stage)) => {
                let mut scene = self.easel.scene().clone();
                stage.dress(&mut scene, self.touched.as_ref().unwrap_or(watching.memory()), &eyes.followed.view);
                diff(&shown, &scene)
            }
            None => diff(&shown, self.easel.scene()),
        };
        let fits = self.before.follow(&mut shown, &changes);
        debug_assert!(fits, "{changes:?}");
        self.dressed = stage.is_some().then_some(shown);
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
