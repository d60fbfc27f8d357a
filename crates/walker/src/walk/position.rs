//! A state of play as the kernel sees it: decisions, choices, play and undo.

use super::book::Book;
use super::choices::encode;
use super::forms::asking::DONE;
use super::history::canonical;
use super::run::{Frame, Runner};
use super::state::State;
use super::stop::{Halt, Options, Question, Refused};
use super::turns::Stage;
use super::value::{Message, Value};
use crate::world::{EntityId, GAME};
use houserules_kernel::{
    Choice, Decision, Fingerprint, Generator, Offer, OpenError, Outcome, Position, QuestionKind, Refusal, RefusalKind,
    SeatId, View, Viewer, Who,
};
use houserules_model::{Item, ItemKind};
use std::sync::Arc;

/// A position of a game that is interpreted.
///
/// In the middle of an action it is the state before that action, the action, and the answers given so far; in the
/// same way for the messages of the machine.
#[derive(Clone)]
pub struct WalkPosition {
    book: Arc<Book>,
    now: Arc<Moment>,
    past: Vec<Arc<Moment>>,
}

/// One position of the match, with all that is needed to go on from it.
#[derive(Clone)]
struct Moment {
    /// The state the interrupted stage began with; at rest, the state itself.
    base: Arc<State>,
    /// What a question interrupted, and the answers given in it so far.
    stage: Option<Stage>,
    answers: Vec<(Who, Choice)>,
    open: Open,
    /// The state as it stands here.
    state: Arc<State>,
    /// How many of its lines had been said before the last play.
    said_before: usize,
}

#[derive(Clone)]
enum Open {
    Actions(Vec<SeatId>),
    Question(Question),
    Over(Outcome),
}

impl WalkPosition {
    pub(super) fn open(book: Arc<Book>) -> Result<WalkPosition, OpenError> {
        let mut runner = Runner::new(&book, State::empty(book.world.n_seats, book.world.first));
        runner.open_world().map_err(|stop| OpenError(refusal(*stop).to_string()))?;
        let base = Arc::new(runner.state);
        let now = go_on(&book, &base, Stage::Setup, Vec::new(), 0).map_err(|refusal| OpenError(refusal.reason))?;
        Ok(WalkPosition { book, now: Arc::new(now), past: Vec::new() })
    }

    /// Whether no question interrupts anything here.
    pub(super) fn at_rest(&self) -> bool {
        self.now.stage.is_none()
    }

    pub(super) fn state(&self) -> &State {
        &self.now.state
    }

    /// A state of play at rest, under whatever rules.
    pub(super) fn resumed(book: Arc<Book>, state: State) -> Result<WalkPosition, Refusal> {
        if let Some(outcome) = state.outcome.clone() {
            let state = Arc::new(state);
            let open = Open::Over(outcome);
            let now = Moment { base: state.clone(), stage: None, answers: Vec::new(), open, state, said_before: 0 };
            return Ok(WalkPosition { book, now: Arc::new(now), past: Vec::new() });
        }
        let now = go_on(&book, &Arc::new(state), Stage::Settle { idle: 0 }, Vec::new(), 0)?;
        Ok(WalkPosition { book, now: Arc::new(now), past: Vec::new() })
    }

    /// A position that the definition opens.
    pub fn begin(rulebook: &super::WalkRulebook) -> Result<WalkPosition, OpenError> {
        WalkPosition::open(rulebook.book.clone())
    }

    pub(super) fn book(&self) -> &Book {
        &self.book
    }

    /// After a message that nobody chose, between two actions.
    pub(super) fn told(&self, label: &str, to: EntityId) -> Result<WalkPosition, Refusal> {
        let mut runner = self.runner();
        runner.state.said.clear();
        runner.state.begin();
        let message = Message {
            label: label.into(),
            to: Some(to),
            attributes: Default::default(),
            ignoring: Vec::new(),
            numbers: Vec::new(),
        };
        match runner.send(message, to, None).map_err(|stop| *stop) {
            Ok(_) | Err(Halt::Finished) => {}
            Err(halt) => return Err(refusal(halt)),
        }
        let stage = runner.after_message(0);
        let now = go_on(&self.book, &Arc::new(runner.state), stage, Vec::new(), 0)?;
        Ok(WalkPosition { book: self.book.clone(), now: Arc::new(now), past: Vec::new() })
    }

    /// As [`Position::redeal`] of the machine.
    pub fn dealt_anew(&self, seat: SeatId, generator: &mut Generator) -> Option<WalkPosition> {
        let moves = crate::redeal::moves(&mut self.runner(), seat, generator)?;
        let mut dealt = self.clone();
        let now = Arc::make_mut(&mut dealt.now);
        let state = Arc::make_mut(&mut now.state);
        for (thing, place) in moves {
            state.put(thing, Some(place));
        }
        if now.stage.is_none() {
            now.base = now.state.clone();
        }
        Some(dealt)
    }

    /// Choices in words. All at once, for to find out what one of them says is to list what can be said.
    pub fn all_words(&self, who: Who, choices: &[Choice]) -> Vec<String> {
        let mut runner = self.runner();
        let (messages, others): (Vec<Message>, Vec<(Choice, String)>) = match &self.now.open {
            Open::Actions(_) => {
                let candidates = self.player(who).map(|player| runner.candidates(player, None));
                (candidates.and_then(Result::ok).unwrap_or_default(), Vec::new())
            }
            _ => {
                let mut messages = Vec::new();
                let mut others: Vec<(Choice, String)> = Vec::new();
                let mut told: Vec<String> = Vec::new();
                for (choice, answer) in self.answers(who) {
                    match answer {
                        Answer::Action(message) => messages.push(message),
                        Answer::Done => others.push((choice, "done".into())),
                        Answer::Member(value) => {
                            let words = runner.member_words(&value);
                            let before = told.iter().filter(|other| **other == words).count();
                            told.push(words.clone());
                            let words = if before > 0 { format!("{words} ({})", before + 1) } else { words };
                            others.push((choice, words));
                        }
                    }
                }
                (messages, others)
            }
        };
        let runner = self.runner();
        let player = self.player(who).unwrap_or_default();
        let messages: Vec<(Choice, Message)> =
            messages.into_iter().map(|message| (encode(&message), message)).collect();
        let words = |choice: &Choice| {
            if let Some((_, words)) = others.iter().find(|(other, _)| other == choice) {
                return words.clone();
            }
            let message = messages.iter().find(|(encoded, _)| encoded == choice);
            message.map_or_else(|| format!("{:?}", choice.0), |(_, message)| runner.words(message, player))
        };
        choices.iter().map(words).collect()
    }

    pub(super) fn runner(&self) -> Runner<'_> {
        Runner::new(&self.book, (*self.now.state).clone())
    }

    fn player(&self, who: Who) -> Option<EntityId> {
        match who {
            Who::Seat(seat) => Some(self.book.world.seat_entity(seat.0.into())),
            Who::Nature => None,
        }
    }

    /// What this one may answer to the open question, with the values behind the numbers.
    fn answers(&self, who: Who) -> Vec<(Choice, Answer)> {
        match (&self.now.open, who) {
            (Open::Question(Question::Chance { options, .. }), Who::Nature) => options
                .iter()
                .enumerate()
                .map(|(at, value)| (Choice::of(&[at as u64]), Answer::Member(value.clone())))
                .collect(),
            (Open::Question(Question::Seats { asked, .. }), Who::Seat(seat)) => {
                match asked.iter().find(|asked| asked.seat == seat).map(|asked| &asked.options) {
                    Some(Options::Members { from, done, .. }) => from
                        .iter()
                        .map(|(at, value)| (Choice::of(&[*at]), Answer::Member(value.clone())))
                        .chain(done.then(|| (Choice::of(&[DONE]), Answer::Done)))
                        .collect(),
                    Some(Options::Actions(messages)) => {
                        messages.iter().map(|message| (encode(message), Answer::Action(message.clone()))).collect()
                    }
                    None => Vec::new(),
                }
            }
            _ => Vec::new(),
        }
    }

    /// The candidate a choice of an action stands for.
    fn candidate(&self, player: EntityId, choice: &Choice) -> Option<Message> {
        let label = self.book.actions.get(*choice.0.first()? as usize)?.label.clone();
        let found = self.runner().candidates(player, Some(&[label])).ok()?;
        found.into_iter().find(|message| encode(message) == *choice)
    }

    fn start(&self, who: Who, choice: &Choice) -> Result<Moment, Refusal> {
        let not_offered = || Refusal::not_offered("That is not among the choices.");
        let player = self.player(who).ok_or_else(not_offered)?;
        let message = self.candidate(player, choice).ok_or_else(not_offered)?;
        let offered = self.book.action(&message.label).is_some_and(|(_, action)| !action.when_asked);
        if !offered {
            return Err(not_offered());
        }
        let legal = self.runner().legal(&message, player);
        if let Some(refused) = legal.map_err(|stop| refusal(*stop))? {
            return Err(by_law(refused));
        }
        let stage = Stage::Action { player, message };
        go_on(&self.book, &self.now.state, stage, Vec::new(), 0)
    }

    fn go_on_with(&self, who: Who, choice: &Choice) -> Result<Moment, Refusal> {
        let offered = self.answers(who).iter().any(|(offered, _)| offered == choice);
        let Some(stage) = self.now.stage.clone().filter(|_| offered) else {
            return Err(Refusal::not_offered("That is not among the answers."));
        };
        let mut answers = self.now.answers.clone();
        answers.push((who, choice.clone()));
        go_on(&self.book, &self.now.base, stage, answers, self.now.state.said.len())
    }
}

enum Answer {
    Member(Value),
    Done,
    Action(Message),
}

/// Runs from a state, with the answers so far, to the next decision.
fn go_on(
    book: &Arc<Book>,
    base: &Arc<State>,
    stage: Stage,
    answers: Vec<(Who, Choice)>,
    said_before: usize,
) -> Result<Moment, Refusal> {
    let mut runner = Runner::new(book, (**base).clone());
    runner.answers = answers.into();
    match runner.run(stage) {
        Ok(asked) => {
            let state = Arc::new(runner.state);
            let open = match &state.outcome {
                Some(outcome) => Open::Over(outcome.clone()),
                None => Open::Actions(asked),
            };
            Ok(Moment { base: state.clone(), stage: None, answers: Vec::new(), open, state, said_before })
        }
        Err(stop) => match *stop {
            Halt::Need(question) => Ok(Moment {
                base: Arc::new(runner.base),
                stage: Some(runner.stage),
                answers: runner.log,
                open: Open::Question(question),
                state: Arc::new(runner.state),
                said_before,
            }),
            halt => Err(refusal(halt)),
        },
    }
}

fn by_law(refused: Refused) -> Refusal {
    Refusal { kind: RefusalKind::Law, law: refused.law.map(|law| law.to_string()), reason: refused.reason }
}

fn refusal(halt: Halt) -> Refusal {
    match halt {
        Halt::Refused(refused) => by_law(refused),
        Halt::Fault(reason) | Halt::Spent(reason) => Refusal { kind: RefusalKind::Fault, law: None, reason },
        _ => Refusal { kind: RefusalKind::Fault, law: None, reason: "A rule stopped where it cannot.".into() },
    }
}

impl Position for WalkPosition {
    fn decision(&self) -> Decision {
        match &self.now.open {
            Open::Actions(asked) => Decision::Seats { asked: asked.clone(), kind: QuestionKind::Action },
            Open::Question(Question::Chance { .. }) => Decision::Nature,
            Open::Question(Question::Seats { asked, .. }) => {
                Decision::Seats { asked: asked.iter().map(|asked| asked.seat).collect(), kind: QuestionKind::Answer }
            }
            Open::Over(outcome) => Decision::Over(outcome.clone()),
        }
    }

    fn prompt(&self) -> String {
        let names = |seats: &[SeatId]| {
            let names: Vec<String> =
                seats.iter().map(|seat| self.book.world.entities[1 + seat.0 as usize].name.to_string()).collect();
            names.join(", ")
        };
        match &self.now.open {
            Open::Actions(asked) => format!("{}: choose an action.", names(asked)),
            Open::Question(Question::Chance { prompt, .. }) => prompt.clone(),
            Open::Question(Question::Seats { prompt, asked }) => {
                let asked: Vec<SeatId> = asked.iter().map(|asked| asked.seat).collect();
                format!("{}: {prompt}", names(&asked))
            }
            Open::Over(_) => "The game is over.".into(),
        }
    }

    fn choices(&mut self, who: Who) -> Vec<Choice> {
        match (&self.now.open, who) {
            (Open::Actions(asked), Who::Seat(seat)) if asked.contains(&seat) => {
                let player = self.book.world.seat_entity(seat.0.into());
                let found = self.runner().open_choices(player, false);
                found.unwrap_or_default().iter().map(encode).collect()
            }
            _ => self.answers(who).into_iter().map(|(choice, _)| choice).collect(),
        }
    }

    fn lot(&self, who: Who, choice: &Choice) -> u32 {
        let (Open::Question(Question::Seats { asked, .. }), Who::Seat(seat), [pick]) =
            (&self.now.open, who, choice.0.as_slice())
        else {
            return 1;
        };
        match asked.iter().find(|asked| asked.seat == seat).map(|asked| &asked.options) {
            Some(Options::Members { from, n, left: Some(left), .. }) => {
                let first = from.first().map_or(0, |(at, _)| *at);
                crate::lots::of_pick(*n as u64, first, *left as u64, *pick)
            }
            _ => 1,
        }
    }

    fn words(&self, who: Who, choice: &Choice) -> String {
        self.all_words(who, std::slice::from_ref(choice)).remove(0)
    }

    fn offers(&mut self, seat: SeatId) -> Vec<Offer> {
        let who = Who::Seat(seat);
        match &self.now.open {
            Open::Actions(asked) if asked.contains(&seat) => {
                let player = self.book.world.seat_entity(seat.0.into());
                let mut runner = self.runner();
                let candidates = runner.candidates(player, None).unwrap_or_default();
                let words: Vec<String> = candidates.iter().map(|message| runner.words(message, player)).collect();
                let mut offers = Vec::new();
                for (message, words) in candidates.iter().zip(words) {
                    let refused = match runner.legal(message, player) {
                        Ok(refused) => refused.map(by_law),
                        Err(stop) => Some(refusal(*stop)),
                    };
                    offers.push(Offer { choice: encode(message), words, refused });
                }
                offers
            }
            _ => {
                let choices = self.choices(who);
                let offer = |choice: Choice| Offer { words: self.words(who, &choice), choice, refused: None };
                choices.into_iter().map(offer).collect()
            }
        }
    }

    fn play(&mut self, who: Who, choice: &Choice) -> Result<(), Refusal> {
        if !self.decision().open_to().contains(&who) {
            return Err(Refusal::not_offered("It is not their decision."));
        }
        let next = match &self.now.open {
            Open::Actions(_) => self.start(who, choice)?,
            _ => self.go_on_with(who, choice)?,
        };
        self.past.push(std::mem::replace(&mut self.now, Arc::new(next)));
        Ok(())
    }

    fn undo(&mut self) -> bool {
        match self.past.pop() {
            Some(before) => {
                self.now = before;
                true
            }
            None => false,
        }
    }

    fn forget(&mut self) {
        self.past.clear();
    }

    fn turn(&self) -> u64 {
        self.now.state.turn
    }

    fn view(&mut self, viewer: Viewer) -> View {
        let mut runner = self.runner();
        crate::view::of(&mut runner, viewer)
    }

    fn fingerprint(&self) -> Fingerprint {
        let mut hasher = blake3::Hasher::new();
        hasher.update(canonical(&self.now.base).as_bytes());
        if let Some(stage) = &self.now.stage {
            hasher.update(format!("{stage:?} {:?}", self.now.answers).as_bytes());
        }
        let hash = hasher.finalize();
        let bytes = hash.as_bytes()[..8].try_into().expect("a hash has more than eight bytes");
        Fingerprint(u64::from_le_bytes(bytes))
    }

    fn duplicate(&self) -> Box<dyn Position> {
        Box::new(self.clone())
    }

    fn evaluators(&self) -> Vec<String> {
        let name = |item: &Item| match &item.kind {
            ItemKind::Evaluator { name, .. } => Some(name.to_string()),
            _ => None,
        };
        self.book.definition.items().iter().filter_map(name).collect()
    }

    fn evaluate(&mut self, evaluator: &str, seat: SeatId) -> Option<f64> {
        let value = self.book.definition.items().iter().find_map(|item| match &item.kind {
            ItemKind::Evaluator { name, value } if &**name == evaluator => Some(value),
            _ => None,
        })?;
        if u32::from(seat.0) >= self.book.world.n_seats {
            return None;
        }
        let mut frame = Frame::new(GAME, self.player(Who::Seat(seat)));
        self.runner().eval(value, &mut frame).ok()?.number()
    }

    fn said(&self, viewer: Viewer) -> Vec<String> {
        let lines = self.now.state.said.iter().skip(self.now.said_before);
        lines
            .filter(|(to, _)| match (to, viewer) {
                (None, _) | (_, Viewer::All) => true,
                (Some(player), Viewer::Seat(seat)) => self.book.world.entity_seat(*player) == Some(seat.0.into()),
                (Some(_), Viewer::Public) => false,
            })
            .map(|(_, line)| line.clone())
            .collect()
    }
}
