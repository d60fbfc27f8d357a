//! What each viewer sees, and what changed of it.

use super::eyes::Eyes;
use super::task::{Out, Viewing};
use super::{Table, eyes};
use crate::{clock, to_wire};
use axum::extract::ws::Utf8Bytes;
use houserules_kernel::{Decision, Position, QuestionKind as Kind, SeatId, Viewer, Who};
use houserules_protocol::play::{
    LogLine, LogWhat, Question, QuestionKind, Result as Ending, Warning, Way, Ways, Words, Yours,
};
use houserules_protocol::proposal::Proposal;
use houserules_protocol::scene::Scene;
use houserules_protocol::socket::You;
use houserules_protocol::table::{Phase, Presence, SeatInfo, TableInfo};
use houserules_protocol::{PROTOCOL, Refusal, ToClient, Update, Welcome};
use houserules_scene::{Sight, draw};
use std::collections::{BTreeMap, VecDeque};

/// Viewers with the same key are sent the same.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Key {
    pub eyes: Eyes,
    pub seats: Vec<u8>,
}

/// All that viewers of a key have been sent.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Seen {
    pub n: u32,
    step: u32,
    scene: Scene,
    question: Option<Question>,
    result: Option<Ending>,
    proposals: Vec<Proposal>,
    version: u32,
    /// The last ways of each seat that everybody with this key was told.
    ways: BTreeMap<u8, Vec<Way>>,
}

/// What spectators see who see everything some moves later.
#[derive(Default)]
pub struct Late {
    /// What they will see, with the number of moves made until then.
    waiting: VecDeque<(u32, Seen)>,
    /// What they see now.
    shown: Option<Seen>,
}

impl Table {
    pub(super) fn key(&self, viewing: &Viewing) -> Key {
        let mut seats: Vec<u8> = viewing.roles.chairs.iter().map(|&chair| self.seat_of_chair(chair)).collect();
        seats.sort_unstable();
        let eyes = match viewing.look {
            Some(Some(chair)) => Some(self.seat_of_chair(chair)),
            Some(None) => None,
            None => seats.first().copied(),
        };
        Key { eyes, seats }
    }

    fn is_late(&self, key: &Key) -> bool {
        self.about.manners().spectator_delay > 0 && key.seats.is_empty()
    }

    /// What a key sees now.
    fn see(&mut self, key: &Key) -> Seen {
        let question = self.question(key);
        let scene = self.scene(key.eyes, question.as_ref());
        Seen {
            n: self.n,
            step: self.step,
            scene,
            question,
            result: self.result.clone(),
            proposals: self.shown_proposals(),
            version: self.version,
            ways: BTreeMap::new(),
        }
    }

    fn scene(&mut self, eyes: Eyes, question: Option<&Question>) -> Scene {
        let viewer = Self::eyes_viewer(eyes);
        let seats = self.now.seats();
        let ways = question.into_iter().flat_map(|question| &question.yours).find(|yours| Some(yours.seat) == eyes);
        let ways = ways.map(drawn_ways).unwrap_or_default();
        picture(self.now.position(), seats, viewer, ways)
    }

    fn question(&mut self, key: &Key) -> Option<Question> {
        let (asked, kind) = match (self.phase, self.now.decision()) {
            (Phase::Lobby, _) => return None,
            (Phase::Playing, Decision::Seats { asked, kind }) => {
                let kind = if kind == Kind::Action { QuestionKind::Action } else { QuestionKind::Answer };
                (asked.into_iter().map(|seat| seat.0).collect::<Vec<u8>>(), kind)
            }
            (Phase::Over, _) => (Vec::new(), QuestionKind::Over),
            _ => (Vec::new(), QuestionKind::Action),
        };
        let prompt = if asked.is_empty() { String::new() } else { self.now.look().prompt() };
        let own: Vec<u8> = asked.iter().copied().filter(|seat| key.seats.contains(seat)).collect();
        let yours = own.into_iter().map(|seat| self.yours(seat)).collect();
        Some(Question { asked, kind, prompt, yours })
    }

    fn yours(&mut self, seat: u8) -> Yours {
        let who = Who::Seat(SeatId(seat));
        let choices = self.now.choices(who);
        let position = self.now.look();
        let ways: Vec<Way> = choices
            .iter()
            .map(|choice| position.points(who, choice).into_iter().map(|thing| thing.0).collect())
            .collect();
        let mut alike: BTreeMap<&Way, u32> = BTreeMap::new();
        for way in &ways {
            *alike.entry(way).or_default() += 1;
        }
        let told = |(at, way): (usize, &Way)| {
            (way.is_empty() || alike[way] > 1).then(|| Words(at as u32, position.words(who, &choices[at])))
        };
        let words = ways.iter().enumerate().filter_map(told).collect();
        let warnings = self.now.warnings(who).into_iter().filter_map(|warning| {
            let choice = choices.iter().position(|choice| *choice == warning.choice)? as u32;
            Some(Warning { choice, rule: warning.rule().to_owned(), reason: warning.refusal.reason.clone() })
        });
        Yours { seat, warnings: warnings.collect(), words, ways: Ways::Ways(ways) }
    }

    /// Everything for somebody who comes, after what they say they know.
    pub(super) fn welcome(&mut self, viewing: &Viewing, last: Option<u32>) -> Utf8Bytes {
        let key = viewing.key.clone();
        let seen = match self.seen.get_mut(&key) {
            Some(seen) => {
                // Whoever comes now has not been told of older ones.
                seen.ways.clear();
                seen.clone()
            }
            None => {
                let seen = if self.is_late(&key) { self.seen_late() } else { self.see(&key) };
                self.seen.insert(key.clone(), seen.clone());
                seen
            }
        };
        // A number that was never given is of another table, or of a dream.
        let last = last.filter(|&last| last <= seen.n);
        let log = self.log(&key, last.unwrap_or(0), seen.n);
        self.remember_ways(&key);
        let welcome = Welcome {
            protocol: PROTOCOL,
            n: seen.n,
            you: self.you(viewing),
            table: self.info(),
            step: seen.step,
            scene: seen.scene.clone(),
            question: seen.question.clone(),
            log,
            proposals: self.shown_proposals(),
            presence: self.presence(),
            clocks: self.clock.shown(clock::now()),
            result: seen.result.clone(),
        };
        written(&ToClient::Welcome(Box::new(welcome)))
    }

    /// The ways that the question of a key tells are known to all with that key.
    fn remember_ways(&mut self, key: &Key) {
        if let Some(seen) = self.seen.get_mut(key)
            && let Some(question) = &seen.question
        {
            for yours in &question.yours {
                if let Ways::Ways(ways) = &yours.ways {
                    seen.ways.insert(yours.seat, ways.clone());
                }
            }
        }
    }

    /// What late spectators see now: as long as there is nothing they may see, the beginning.
    fn seen_late(&mut self) -> Seen {
        if let Some(seen) = &self.late.shown {
            return seen.clone();
        }
        let mut start = self.now.start().duplicate();
        let seats = start.seats();
        let scene = picture(start.position(), seats, Viewer::Public, Vec::new());
        Seen { scene, version: self.version, ..Seen::default() }
    }

    fn log(&self, key: &Key, after: u32, up_to: u32) -> Vec<LogLine> {
        let from = self.told.partition_point(|told| told.n <= after);
        let new = self.told[from..].iter().take_while(|told| told.n <= up_to);
        new.filter(|told| told.to.has(key.eyes)).map(|told| LogLine { n: told.n, what: told.what.clone() }).collect()
    }

    /// Tells every viewer what has changed.
    pub(super) fn publish(&mut self) {
        let mut groups: BTreeMap<Key, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
        for (at, viewing) in self.viewers.iter().enumerate() {
            let key = self.key(viewing);
            let same = key == viewing.key;
            let (old, new) = groups.entry(key).or_default();
            if same { old.push(at) } else { new.push(at) }
        }
        self.seen.retain(|key, _| groups.contains_key(key));
        self.advance_late();
        for (key, (old, new)) in groups {
            let mut now = if self.is_late(&key) { self.seen_late() } else { self.see(&key) };
            let before = self.seen.remove(&key);
            if !old.is_empty()
                && let Some(before) = &before
            {
                let update = self.difference(&key, before, &now);
                let text = written(&ToClient::Update(Box::new(update)));
                self.send(&old, &text);
            }
            // Told to all with this key, so that the next difference is one for all of them.
            now.ways = match (&before, new.is_empty()) {
                (Some(before), true) => before.ways.clone(),
                _ => BTreeMap::new(),
            };
            self.seen.insert(key.clone(), now.clone());
            self.remember_ways(&key);
            for at in new {
                self.viewers[at].key = key.clone();
                let n = self.viewers[at].n.min(now.n);
                let mut update = self.difference(&key, &Seen { n, ..Seen::default() }, &now);
                update.scene = Some(Box::new(now.scene.clone()));
                update.change = None;
                update.you = Some(self.you(&self.viewers[at]));
                self.send(&[at], &written(&ToClient::Update(Box::new(update))));
            }
        }
        for viewing in &mut self.viewers {
            viewing.n = self.seen.get(&viewing.key).map_or(viewing.n, |seen| seen.n);
        }
    }

    /// Lets go of readers that do not keep up. They come back with their last number.
    pub(super) fn drop_lost(&mut self) {
        while self.viewers.iter().any(|viewing| viewing.is_lost) {
            let before = self.viewers.len();
            self.viewers.retain(|viewing| !viewing.is_lost);
            self.shared.figures.dropped(before - self.viewers.len());
            self.tell_presence();
        }
    }

    /// Notes what late spectators will see, and shows them what is old enough. After every entry, whether anybody watches or
    /// not: who comes sees what the others see.
    pub(super) fn advance_late(&mut self) {
        let delay = self.about.manners().spectator_delay;
        if delay == 0 {
            return;
        }
        let seen = self.see(&Key::default());
        let moves = self.now.n_moves() as u32;
        self.late.waiting.push_back((moves, seen));
        let over = self.phase == Phase::Over;
        while self.late.waiting.front().is_some_and(|(made, _)| over || made + delay <= moves) {
            self.late.shown = self.late.waiting.pop_front().map(|(_, seen)| seen);
        }
    }

    fn difference(&mut self, key: &Key, before: &Seen, now: &Seen) -> Update {
        let moved = before.step != now.step;
        let table = (before.version != now.version).then(|| Box::new(self.info()));
        let question = (before.question != now.question || moved).then(|| now.question.clone()).flatten();
        let question = question.map(|mut question| {
            for yours in &mut question.yours {
                if let (Ways::Ways(ways), Some(known)) = (&yours.ways, before.ways.get(&yours.seat)) {
                    yours.ways = Ways::between(known, ways);
                }
            }
            question
        });
        let log = self.log(key, before.n, now.n);
        Update {
            n: now.n,
            step: moved.then_some(now.step),
            change: (before.scene != now.scene).then(|| Box::new(before.scene.changes_to(&now.scene))),
            scene: None,
            question,
            rules_changed: log.iter().any(|line| changes_rules(&line.what)),
            log,
            you: None,
            proposals: (before.proposals != now.proposals).then(|| now.proposals.clone()),
            clocks: if moved || table.is_some() { self.clock.shown(clock::now()) } else { None },
            result: if before.result != now.result { now.result.clone() } else { None },
            table,
        }
    }

    pub(super) fn send(&mut self, to: &[usize], text: &Utf8Bytes) {
        for &at in to {
            let viewing = &mut self.viewers[at];
            if viewing.out.try_send(Out::Text(text.clone())).is_err() {
                viewing.is_lost = true;
            }
        }
    }

    pub(super) fn send_all(&mut self, message: &ToClient) {
        let all: Vec<usize> = (0..self.viewers.len()).collect();
        self.send(&all, &written(message));
    }

    /// The last that all viewers hear.
    pub(super) fn say_goodbye(&mut self, refusal: Refusal) {
        let text = written(&ToClient::Bye { refusal });
        for viewing in &self.viewers {
            // Who cannot take it any more notices by the end of the connection.
            let _ = viewing.out.try_send(Out::Last(text.clone()));
        }
    }

    pub(super) fn you(&self, viewing: &Viewing) -> You {
        let name = viewing.roles.chairs.first().map(|&chair| self.name_of(Some(chair))).unwrap_or_default();
        let key = self.key(viewing);
        You { host: viewing.roles.host, seats: key.seats, eyes: key.eyes, name }
    }

    pub(super) fn presence(&self) -> Presence {
        let here = (0..self.n_seats()).map(|seat| self.is_here(self.order[seat])).collect();
        let spectators = self.viewers.iter().filter(|viewing| viewing.roles.chairs.is_empty()).count() as u32;
        Presence { here, spectators }
    }

    pub(super) fn is_here(&self, chair: u8) -> bool {
        self.viewers.iter().any(|viewing| viewing.roles.chairs.contains(&chair))
    }

    /// What everybody at the table may know of it.
    pub fn info(&self) -> TableInfo {
        let wanted = &self.about.wanted;
        let titles = self.now.seats();
        let seat = |(seat, title): (usize, String)| {
            let chair = self.order[seat];
            let Sitting { sitter, name } = self.sitting(chair);
            SeatInfo { seat: seat as u8, title, sitter, name, here: self.is_here(chair) }
        };
        let mut manners = wanted.manners.clone();
        manners.hints = self.hints;
        TableInfo {
            table: self.id.clone(),
            game: self.about.game.clone(),
            title: self.start.running().title(),
            digest: self.start.digest().to_owned(),
            variants: wanted.variants.clone(),
            settings: wanted.settings.clone(),
            off: wanted.off.clone(),
            advised: wanted.advised.clone(),
            manners,
            phase: self.phase,
            seats: titles.into_iter().enumerate().map(seat).collect(),
            number: self.number,
            n_changes: self.n_changes(),
            secrets: self.secrets,
            forked_from: self.about.forked_from.clone(),
        }
    }

    fn sitting(&self, chair: u8) -> Sitting {
        let chair = &self.chairs[usize::from(chair)];
        Sitting { sitter: chair.sitter, name: chair.name.clone() }
    }
}

struct Sitting {
    sitter: houserules_protocol::table::SitterKind,
    name: String,
}

/// What a viewer sees of a position, drawn, with the ways to point at their own choices.
pub fn picture(
    position: &mut dyn Position,
    seats: Vec<String>,
    viewer: Viewer,
    ways: Vec<houserules_scene::Way>,
) -> Scene {
    let decision = position.decision();
    let near = match viewer {
        Viewer::Seat(seat) => Some(seat),
        _ => None,
    };
    let question = match &decision {
        Decision::Seats { asked, .. } => {
            Some(houserules_scene::Question { prompt: position.prompt(), asked: asked.clone() })
        }
        _ => None,
    };
    let ranks = match &decision {
        Decision::Over(outcome) => Some(outcome.ranks.to_vec()),
        _ => None,
    };
    let before = Sight::before(position, viewer);
    to_wire::scene(&draw(&Sight { view: position.view(viewer), before, seats, near, ranks, question, ways }))
}

/// Whether rules and settings may be others after it.
fn changes_rules(what: &LogWhat) -> bool {
    matches!(what, LogWhat::Changed { .. } | LogWhat::Undone { .. } | LogWhat::Redone { .. } | LogWhat::Began { .. })
}

fn drawn_ways(yours: &Yours) -> Vec<houserules_scene::Way> {
    let Ways::Ways(ways) = &yours.ways else { return Vec::new() };
    let words = |at: usize| yours.words.iter().find(|words| words.0 as usize == at).map(|words| words.1.clone());
    let way = |(at, way): (usize, &Way)| houserules_scene::Way {
        points: way.iter().map(|&thing| houserules_kernel::ThingId(thing)).collect(),
        words: words(at),
    };
    ways.iter().enumerate().map(way).collect()
}

pub(super) fn written(message: &ToClient) -> Utf8Bytes {
    serde_json::to_string(message).expect("messages are plain values").into()
}

impl Table {
    /// A match gone through again: what happened, for one viewer.
    pub(super) fn outline(&self, eyes: Eyes) -> houserules_protocol::replay::ReplayOutline {
        let began = self.told.iter().rposition(|told| matches!(told.what, LogWhat::Began { .. }));
        let of_match = &self.told[began.unwrap_or(0)..];
        let line = |told: &super::Told| LogLine { n: told.event, what: told.what.clone() };
        let talk = |told: &super::Told| matches!(told.what, LogWhat::Talk { .. });
        houserules_protocol::replay::ReplayOutline {
            n_steps: self.now.log().len() as u32,
            log: of_match.iter().filter(|told| told.to.has(eyes) && !talk(told)).map(line).collect(),
            result: self.result.clone(),
        }
    }

    /// How a match looked to a viewer after so many events.
    pub(super) fn step_of(&mut self, eyes: Eyes, step: u32) -> Option<houserules_protocol::replay::ReplayStep> {
        if step as usize > self.now.log().len() {
            return None;
        }
        let mut then = self.now.fork_at("", step as usize).ok()?;
        let viewer = eyes::viewer(eyes);
        let seats = then.seats();
        let scene = picture(then.position(), seats, viewer, Vec::new());
        let rules = match (then.running().as_defined(), self.start.running().as_defined()) {
            (Some(defined), Some(printed)) => {
                crate::games::rules(defined.definition(), defined.sources(), printed.definition())
            }
            _ => Vec::new(),
        };
        let trace = self.trace(step);
        Some(houserules_protocol::replay::ReplayStep { step, scene, rules, trace })
    }

    /// What the rules did in the event before a step, where nobody can learn a secret by it.
    fn trace(&self, step: u32) -> Vec<houserules_protocol::replay::Traced> {
        use houserules_record::{MessageLog, TracedWhat};
        if (self.secrets && self.phase != Phase::Over) || step == 0 || step > LONGEST_TRACE {
            return Vec::new();
        }
        let Ok(until) = self.now.fork_at("", step as usize) else { return Vec::new() };
        let told = MessageLog::new(&until).catch_up(&until).pop();
        let Some((_, Ok(traced))) = told else { return Vec::new() };
        let words = |what: &TracedWhat| match what {
            TracedWhat::Message { label, to, attributes } => {
                let attributes: Vec<String> =
                    attributes.iter().map(|(name, value)| format!(" {name} {value}")).collect();
                format!("{label} to {to}{}", attributes.concat())
            }
            TracedWhat::Rule { name, refused: None, .. } => format!("“{name}”"),
            TracedWhat::Rule { name, refused: Some(reason), .. } => format!("“{name}” refuses: {reason}"),
            TracedWhat::Unanswered => "nobody answers".into(),
            TracedWhat::Stage => String::new(),
        };
        let wire = |traced: &houserules_record::Traced| houserules_protocol::replay::Traced {
            depth: traced.depth as u32,
            words: words(&traced.what),
        };
        traced.iter().take(MOST_TRACED).map(wire).collect()
    }
}

/// Later steps are not traced: all before would be followed again.
const LONGEST_TRACE: u32 = 400;
const MOST_TRACED: usize = 500;
