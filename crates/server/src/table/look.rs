//! What each viewer sees, and what changed of it.

use super::eyes::Eyes;
use super::task::{Out, Roles, Viewing};
use super::{Table, following};
use crate::to_wire;
use axum::extract::ws::Utf8Bytes;
use houserules_kernel::{Decision, Position, QuestionKind as Kind, SeatId, Viewer, Who};
use houserules_protocol::play::{
    Chose, LogLine, LogWhat, Question, QuestionKind, Result as Ending, Warning, Way, Ways, Words, Yours,
};
use houserules_protocol::proposal::Proposal;
use houserules_protocol::replay::{RuleDid, Traced};
use houserules_protocol::scene::{Gone, Scene, SceneChange};
use houserules_protocol::socket::You;
use houserules_protocol::socket::result_after;
use houserules_protocol::table::{Clocks, Phase, Presence, SeatInfo, TableChange, TableInfo};
use houserules_protocol::{PROTOCOL, Refusal, ToClient, Update, Welcome};
use houserules_record::{Head, Match};
use houserules_scene::{Sight, draw};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

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
    /// Of those who see everything later; what others were told, who follows the match knows.
    scene: Option<Scene>,
    question: Option<Question>,
    result: Option<Ending>,
    proposals: Vec<Proposal>,
    /// What was told of the table.
    info: Option<Arc<TableInfo>>,
    /// Of those who see everything later, as they stood then.
    clocks: Option<Clocks>,
    /// The last ways of each seat that everybody with this key was told.
    ways: BTreeMap<u8, Vec<Way>>,
    /// What everybody with this key has seen go.
    gone: Gone,
}

impl Seen {
    /// The ways that the question tells are known to all with that key.
    fn remember_ways(&mut self) {
        for yours in self.question.iter().flat_map(|question| &question.yours) {
            if let Ways::Ways(ways) = &yours.ways {
                self.ways.insert(yours.seat, ways.clone());
            }
        }
    }
}

/// Viewers who see the same from now on: as before, or with other eyes than before.
#[derive(Default)]
struct Group {
    same: Vec<usize>,
    others: BTreeMap<Key, Vec<usize>>,
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

    pub(super) fn is_late(&self, key: &Key) -> bool {
        self.about.manners().spectator_delay > 0 && key.seats.is_empty()
    }

    /// What a key sees now.
    fn see(&mut self, key: &Key) -> Seen {
        let question = self.question(key);
        Seen {
            n: self.n,
            step: self.step,
            scene: None,
            question,
            result: self.result.clone(),
            proposals: self.shown_proposals(),
            info: Some(self.shown_info()),
            clocks: None,
            ways: BTreeMap::new(),
            gone: Gone::default(),
        }
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
        Some(Question { asked, kind, prompt: Some(prompt), yours })
    }

    fn yours(&mut self, seat: u8) -> Yours {
        let drawn = self.ways(seat);
        let ways = drawn.iter().map(|way| way.points.iter().map(|thing| thing.0).collect()).collect();
        let told = |(at, way): (usize, houserules_scene::Way)| Some(Words(at as u32, way.words?));
        let words = drawn.into_iter().enumerate().filter_map(told).collect();
        let picking = self.now.look().picking(SeatId(seat)).map(to_wire::picking);
        Yours { seat, warnings: self.told_warnings(seat), words, ways: Ways::Ways(ways), picking }
    }

    fn told_warnings(&mut self, seat: u8) -> Vec<Warning> {
        let who = Who::Seat(SeatId(seat));
        let warnings = self.now.warnings(who);
        if warnings.is_empty() {
            return Vec::new();
        }
        let choices = self.now.choices(who);
        let told = warnings.into_iter().filter_map(|warning| {
            let choice = choices.iter().position(|choice| *choice == warning.choice)? as u32;
            Some(Warning { choice, rule: warning.rule().to_owned(), reason: warning.refusal.reason.clone() })
        });
        told.collect()
    }

    /// Everything for somebody who comes, after what they say they know.
    pub(super) fn welcome(&mut self, viewing: &Viewing, last: Option<u32>) -> Utf8Bytes {
        let key = viewing.key.clone();
        let mut seen = match self.seen.remove(&key) {
            Some(seen) => seen,
            None => self.look_at(&key),
        };
        // Whoever comes now has not been told of older ones.
        seen.ways.clear();
        seen.gone = Gone::default();
        seen.remember_ways();
        self.seen.insert(key.clone(), seen.clone());
        // A number that was never given is of another table, or of a dream.
        let last = last.filter(|&last| last <= seen.n);
        let scene = self.told(&key, &seen);
        let log = self.log(&key, last.unwrap_or(0), seen.n);
        let (table, proposals, clocks) = match (self.is_late(&key), &seen.info) {
            (true, Some(info)) => ((**info).clone(), seen.proposals, seen.clocks),
            _ => (self.info(), self.shown_proposals(), self.clock.shown(self.moment)),
        };
        let welcome = Welcome {
            protocol: PROTOCOL,
            n: seen.n,
            you: self.you(viewing),
            table,
            step: seen.step,
            scene,
            question: seen.question,
            log,
            proposals,
            presence: self.presence(),
            clocks,
            result: seen.result,
        };
        written(&ToClient::Welcome(Box::new(welcome)))
    }

    /// What late spectators see now: as long as there is nothing they may see, the beginning.
    fn seen_late(&mut self) -> Seen {
        if let Some(seen) = &self.late.shown {
            return seen.clone();
        }
        let mut start = Match::new(Head::default(), self.now.start().duplicate());
        let scene = following::scene_of(&mut start, None);
        Seen { scene: Some(scene), info: Some(self.shown_info()), ..Seen::default() }
    }

    fn log(&self, key: &Key, after: u32, up_to: u32) -> Vec<LogLine> {
        let from = self.told.partition_point(|told| told.n <= after);
        let new = self.told[from..].iter().take_while(|told| told.n <= up_to);
        new.filter(|told| told.to.has(key.eyes))
            .map(|told| LogLine { n: Some(told.n), what: told.what.clone() })
            .collect()
    }

    /// Tells every viewer what has changed.
    pub(super) fn publish(&mut self) {
        let mut groups: BTreeMap<Key, Group> = BTreeMap::new();
        for (at, viewing) in self.viewers.iter().enumerate() {
            let key = self.key(viewing);
            let same = key == viewing.key;
            let group = groups.entry(key).or_default();
            if same { group.same.push(at) } else { group.others.entry(viewing.key.clone()).or_default().push(at) }
        }
        self.advance_late();
        let mut before = std::mem::take(&mut self.seen);
        // Those who come from other eyes are told the difference to what these saw.
        let mut known: BTreeMap<Key, (Seen, Scene)> = BTreeMap::new();
        for key in groups.values().flat_map(|group| group.others.keys()) {
            if let Some(seen) = before.get(key) {
                known.insert(key.clone(), (seen.clone(), self.told(key, seen)));
            }
        }
        for (key, Group { same, others }) in groups {
            let mut seen = before.remove(&key);
            if let Some(seen) = &mut seen {
                let before = seen.n;
                let update = self.advance(&key, seen);
                // Where nothing is new, nobody must notice that somebody else has looked at something.
                let is_new = update != Update { n: before, ..Update::default() };
                if !same.is_empty() && is_new {
                    self.send_update(&same, update);
                }
            }
            let mut now = seen.unwrap_or_else(|| self.look_at(&key));
            if !others.is_empty() {
                // Told to all with this key, so that the next difference is one for all of them.
                now.ways.clear();
                now.gone = Gone::default();
            }
            let one_group = same.is_empty() && others.len() == 1;
            now.remember_ways();
            let scene = if others.is_empty() { Default::default() } else { self.shown(&key, &now) };
            for (old, viewers) in others {
                let (old, old_scene) = known.get(&old).cloned().unwrap_or_default();
                let mut gone = old.gone.clone();
                let change = old_scene.changes_to(&scene, &gone);
                if one_group {
                    gone.lay_aside(&change, |id| old_scene.find(id).cloned());
                    now.gone = gone;
                }
                // What may be chosen was told of other seats.
                let old = Seen { n: old.n.min(now.n), ways: BTreeMap::new(), question: None, ..old };
                let update = self.difference(&key, &old, &now, change);
                for at in viewers {
                    self.viewers[at].key = key.clone();
                    let you = Some(self.you(&self.viewers[at]));
                    self.send_update(&[at], Update { you, ..update.clone() });
                }
            }
            self.seen.insert(key, now);
        }
        self.told_all();
        for viewing in &mut self.viewers {
            viewing.n = self.seen.get(&viewing.key).map_or(viewing.n, |seen| seen.n);
        }
    }

    /// All that a key sees now, for somebody who knows nothing.
    fn look_at(&mut self, key: &Key) -> Seen {
        if self.is_late(key) { self.seen_late() } else { self.see(key) }
    }

    /// The scene that a key was told last.
    fn told(&mut self, key: &Key, seen: &Seen) -> Scene {
        seen.scene.clone().unwrap_or_else(|| self.told_scene(key.eyes))
    }

    /// The scene that a key sees now.
    fn shown(&mut self, key: &Key, now: &Seen) -> Scene {
        now.scene.clone().unwrap_or_else(|| self.scene(key.eyes))
    }

    /// Brings what a key has seen up to date, and says what is new.
    fn advance(&mut self, key: &Key, seen: &mut Seen) -> Update {
        let mut now = self.look_at(key);
        let mut gone = std::mem::take(&mut seen.gone);
        let change = match (&seen.scene, &now.scene) {
            (Some(old), Some(now)) => {
                let change = old.changes_to(now, &gone);
                gone.lay_aside(&change, |id| old.find(id).cloned());
                change
            }
            _ => self.scene_change(key.eyes, &mut gone),
        };
        let update = self.difference(key, seen, &now, change);
        now.ways = std::mem::take(&mut seen.ways);
        now.gone = gone;
        *seen = now;
        update
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
        let clocks = self.clock.shown(self.moment);
        let seen = Seen { scene: Some(self.scene(None)), clocks, ..self.see(&Key::default()) };
        let moves = self.now.n_moves() as u32;
        self.late.waiting.push_back((moves, seen));
        let over = self.phase == Phase::Over;
        while self.late.waiting.front().is_some_and(|(made, _)| over || made + delay <= moves) {
            self.late.shown = self.late.waiting.pop_front().map(|(_, seen)| seen);
        }
    }

    fn difference(&mut self, key: &Key, before: &Seen, now: &Seen, change: SceneChange) -> Update {
        let moved = before.step != now.step;
        let same = |old: &Arc<TableInfo>| now.info.as_ref().is_some_and(|now| Arc::ptr_eq(old, now));
        let table = match (&before.info, &now.info) {
            (Some(old), _) if same(old) => None,
            (old, Some(now)) => {
                Some(now.changes_from(old.as_deref())).filter(|change| *change != TableChange::default())
            }
            (_, None) => None,
        };
        let table = table.map(Box::new);
        let is_asked = moved || before.question != now.question;
        let question = now.question.as_ref().filter(|_| is_asked).map(|question| question_after(before, question));
        let mut log = self.log(key, before.n, now.n);
        let result = result_after(before.result.as_ref(), log.iter().map(|line| &line.what));
        let result = now.result.clone().filter(|now| result != Some(now));
        for line in &mut log {
            line.n = line.n.filter(|&n| n != now.n);
        }
        let chose = log.first().filter(|line| line.n.is_none()).and_then(|line| match &line.what {
            LogWhat::Chose { seat, number, words: Some(words) } => Some(Chose::Open(*seat, *number, words.clone())),
            LogWhat::Chose { seat, number, words: None } => Some(Chose::Secret(*seat, *number)),
            _ => None,
        });
        if chose.is_some() {
            log.remove(0);
        }
        let update = Update {
            n: now.n,
            step: (question.is_some() && now.step != now.n).then_some(now.step),
            change,
            rules_changed: log.iter().any(|line| changes_rules(&line.what)),
            log,
            chose,
            you: None,
            proposals: (before.proposals != now.proposals).then(|| now.proposals.clone()),
            clocks: match moved || table.is_some() {
                true if self.is_late(key) => now.clocks.clone(),
                true => self.clock.shown(self.moment),
                false => None,
            },
            result,
            table,
            ..Update::default()
        };
        update.asking(question)
    }

    /// Tells some what has happened; who has asked for it is told that it is done.
    fn send_update(&mut self, to: &[usize], update: Update) {
        let done = self.answering.filter(|(viewer, _)| to.iter().any(|&at| self.viewers[at].id == *viewer));
        let Some((viewer, id)) = done else {
            return self.send(to, &written(&ToClient::Update(Box::new(update))));
        };
        self.answering = None;
        let (asked, others): (Vec<usize>, Vec<usize>) = to.iter().partition(|&&at| self.viewers[at].id == viewer);
        if !others.is_empty() {
            self.send(&others, &written(&ToClient::Update(Box::new(update.clone()))));
        }
        self.send(&asked, &written(&ToClient::Update(Box::new(Update { done: Some(id), ..update }))));
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

    /// To those who see what happens now.
    pub(super) fn send_to_players(&mut self, message: &ToClient) {
        let now = |at: &usize| !self.is_late(&self.viewers[*at].key);
        let to: Vec<usize> = (0..self.viewers.len()).filter(now).collect();
        self.send(&to, &written(message));
    }

    /// What somebody may know of the table now.
    pub(super) fn told_info(&mut self, roles: &Roles) -> TableInfo {
        let info = match self.may_look_back(roles) {
            Ok(()) => None,
            Err(_) => self.seen_late().info,
        };
        info.map_or_else(|| self.info(), |info| (*info).clone())
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
        let invited = viewing.roles.invited.iter().map(|&chair| self.seat_of_chair(chair)).collect();
        You { host: viewing.roles.host, seats: key.seats, eyes: key.eyes, name, invited }
    }

    pub(super) fn presence(&self) -> Presence {
        let here = (0..self.n_seats()).map(|seat| self.is_here(self.order[seat])).collect();
        let spectators = self.viewers.iter().filter(|viewing| viewing.roles.chairs.is_empty()).count() as u32;
        Presence { here, spectators }
    }

    pub(super) fn is_here(&self, chair: u8) -> bool {
        self.viewers.iter().any(|viewing| viewing.roles.chairs.contains(&chair))
    }

    /// The same, shared until something of it changes.
    fn shown_info(&mut self) -> Arc<TableInfo> {
        if let Some((version, info)) = &self.shown_info
            && *version == self.version
        {
            return info.clone();
        }
        let info = Arc::new(self.info());
        self.shown_info = Some((self.version, info.clone()));
        info
    }

    /// What everybody at the table may know of it.
    pub fn info(&self) -> TableInfo {
        let wanted = &self.about.wanted;
        let titles = self.now.seats();
        let seat = |(seat, title): (usize, String)| {
            let chair = self.order[seat];
            let Sitting { sitter, name } = self.sitting(chair);
            let (seat, here) = (seat as u8, self.is_here(chair));
            SeatInfo { seat, title, chair: (chair != seat).then_some(chair), sitter, name, here }
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
    let before = Sight::before(position, viewer);
    to_wire::scene(&draw(&Sight { ways, ..Sight::of(position, &seats, viewer, before) }))
}

/// A question for viewers who know what was seen before.
fn question_after(before: &Seen, now: &Question) -> Question {
    let yours = |yours: &Yours| {
        let ways = match (&yours.ways, before.ways.get(&yours.seat)) {
            (Ways::Ways(ways), Some(known)) => Ways::between(known, ways),
            (Ways::Ways(ways), None) => Ways::whole(ways),
            (ways, _) => ways.clone(),
        };
        Yours {
            seat: yours.seat,
            ways,
            words: yours.words.clone(),
            warnings: yours.warnings.clone(),
            picking: yours.picking.clone(),
        }
    };
    let known = before.question.as_ref().and_then(|question| question.prompt.as_ref());
    let prompt = now.prompt.clone().filter(|prompt| Some(prompt) != known);
    Question { asked: now.asked.clone(), kind: now.kind, prompt, yours: now.yours.iter().map(yours).collect() }
}

/// Whether rules and settings may be others after it.
fn changes_rules(what: &LogWhat) -> bool {
    matches!(what, LogWhat::Changed { .. } | LogWhat::Undone { .. } | LogWhat::Redone { .. } | LogWhat::Began { .. })
}

pub(super) fn written(message: &ToClient) -> Utf8Bytes {
    message.written().into()
}

impl Table {
    /// A match gone through again: what happened, for one viewer.
    pub(super) fn outline(&self, eyes: Eyes) -> houserules_protocol::replay::ReplayOutline {
        let began = self.told.iter().rposition(|told| matches!(told.what, LogWhat::Began { .. }));
        let of_match = &self.told[began.unwrap_or(0)..];
        let line = |told: &super::Told| LogLine { n: Some(told.event), what: told.what.clone() };
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
        let scene = following::scene_of(&mut then, eyes);
        let rules = match (then.running().as_defined(), self.start.running().as_defined()) {
            (Some(defined), Some(printed)) => {
                crate::games::rules(defined.definition(), defined.sources(), printed.definition())
            }
            _ => Vec::new(),
        };
        let (trace, did) = self.trace(step);
        Some(houserules_protocol::replay::ReplayStep { step, scene, rules, trace, did })
    }

    /// What the rules did in the event before a step and in all until then, where nobody can learn a secret by it.
    fn trace(&self, step: u32) -> (Vec<Traced>, Vec<RuleDid>) {
        use houserules_record::{MessageLog, TracedWhat};
        if (self.is_secret() && self.phase != Phase::Over) || step == 0 || step > LONGEST_TRACE {
            return Default::default();
        }
        let Ok(until) = self.now.fork_at("", step as usize) else { return Default::default() };
        let told = MessageLog::new(&until).catch_up(&until);
        let mut did: Vec<RuleDid> = Vec::new();
        for traced in told.iter().filter_map(|(_, heard)| heard.as_ref().ok()).flatten() {
            let TracedWhat::Rule { name, refused, .. } = &traced.what else { continue };
            let at = did.iter().position(|known| known.name == *name).unwrap_or_else(|| {
                did.push(RuleDid { name: name.to_string(), asked: 0, refused: 0 });
                did.len() - 1
            });
            did[at].asked += 1;
            did[at].refused += u32::from(refused.is_some());
        }
        let Some((_, Ok(traced))) = told.last() else { return (Vec::new(), did) };
        let words = |what: &TracedWhat| match what {
            TracedWhat::Message { label, to, attributes, .. } => {
                let attributes: Vec<String> =
                    attributes.iter().map(|(name, value)| format!(" {name} {value}")).collect();
                format!("{label} to {to}{}", attributes.concat())
            }
            TracedWhat::Rule { name, refused: None, .. } => format!("“{name}”"),
            TracedWhat::Rule { name, refused: Some(reason), .. } => format!("“{name}” refuses: {reason}"),
            TracedWhat::Unanswered => "nobody answers".into(),
            TracedWhat::Wrote { thing, property, before, after } => format!("{thing} {property}: {before} → {after}"),
            TracedWhat::RolledBack { reason } => format!("taken back: {reason}"),
            TracedWhat::Stage => String::new(),
        };
        let wire =
            |traced: &houserules_record::Traced| Traced { depth: traced.depth as u32, words: words(&traced.what) };
        (traced.iter().take(MOST_TRACED).map(wire).collect(), did)
    }
}

/// Later steps are not traced: all before would be followed again.
const LONGEST_TRACE: u32 = 400;
const MOST_TRACED: usize = 500;
