//! A table: one task that owns a match and the people at it.
//!
//! Start reading at [`Table`], which is what the kept [`Entry`]s make of it: live and on waking, the same
//! [`absorb`](Table::absorb) is used. [`task`] receives messages, [`play`] plays, [`consent`] lets people agree, [`following`]
//! keeps up to date what is seen, [`look`] tells each viewer what changed, [`watching`] what the rules did.

mod consent;
pub mod entry;
pub mod eyes;
mod following;
mod judging;
mod look;
mod play;
mod rules;
pub mod task;
mod watching;

pub use following::seen;
pub use look::picture;

use crate::clock::Clock;
use crate::hall::Shared;
use entry::{About, Entry};
use eyes::Set;
use houserules_kernel::{Choice, Decision, Generator, SeatId, Who};
use houserules_library::Found;
use houserules_protocol::play::{How, LogWhat, Result as Ending};
use houserules_protocol::proposal::Wish;
use houserules_protocol::table::{Phase, SitterKind, TableInfo};
use houserules_protocol::{Code, Refusal};
use houserules_record::{Event, Head, Match, Record, Seat as HeadSeat, Start, line_of, resolve};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// A table in memory.
///
/// # Invariants
/// - It follows from what is kept of it: [`Table::wake`] on the same entries gives the same.
/// - What a viewer was sent last stands in `seen`; an update is the difference to it.
pub struct Table {
    pub id: String,
    pub about: About,
    /// Shown with everything that is written; none: nobody else can write.
    pub fence: Option<houserules_store::Fence>,
    shared: Arc<Shared>,
    /// A match before anything has happened; a rematch begins with it.
    start: Start,
    /// The game as it was read; all tables of it share that.
    found: Arc<Found>,
    secrets: bool,
    /// Rules were typed here, or something was done by hand: what is played is a stranger's.
    typed: bool,
    /// The number of the last entry.
    n: u32,
    now: Match,
    /// From 1, once a match has begun.
    number: u32,
    chairs: Vec<Chair>,
    /// The chair of each seat.
    order: Vec<u8>,
    phase: Phase,
    result: Option<Ending>,
    hints: bool,
    clock: Clock,
    told: Vec<Told>,
    proposals: Vec<Open>,
    /// The number of the entry that led to this position.
    step: u32,
    /// Raised when what everybody may know of the table has changed.
    version: u32,
    /// As of which version.
    shown_info: Option<(u32, Arc<TableInfo>)>,
    /// Of the last things said, so that nothing is said twice.
    keys: VecDeque<String>,
    generator: Generator,
    viewers: Vec<task::Viewing>,
    /// Whose command is being carried out, and its number, as long as nothing has answered it.
    answering: Option<(u64, u32)>,
    /// Where the last command came from: that address has the machine think.
    from: Option<std::net::IpAddr>,
    following: Option<following::Following>,
    seen: BTreeMap<look::Key, look::Seen>,
    late: look::Late,
    /// Who is being thought for, and how to stop it.
    thinking: Vec<crate::thinking::Thinking>,
    /// Who asked for a hint. Not stopped when the position changes: who asked is answered.
    hinting: Vec<(u64, crate::thinking::Thinking)>,
    /// A step that is being judged, and how to stop it.
    judging: Option<crate::thinking::Thinking>,
    /// None: nobody has asked what the rules do.
    watching: Option<watching::Watching>,
    /// When each chair was last connected, in milliseconds; 0: is.
    away_since: Vec<u64>,
    /// When what is being dealt with came in: it is kept with the same time that it was played with.
    moment: u64,
}

/// A match before anything has happened.
pub struct Begun {
    pub start: Start,
    pub found: Arc<Found>,
    /// Whether anything may be hidden from somebody.
    pub secrets: bool,
}

#[derive(Clone, PartialEq, Debug)]
struct Chair {
    sitter: SitterKind,
    /// Of the person, even while the machine stands in.
    name: String,
    /// The machine was put there by others.
    away: bool,
}

/// Something told to some of the viewers.
struct Told {
    n: u32,
    /// How many events of the match's log had happened with it.
    event: u32,
    to: Set,
    what: LogWhat,
}

/// A proposal that is not settled.
#[derive(Clone, PartialEq, Debug)]
struct Open {
    id: u32,
    chair: Option<u8>,
    wish: Wish,
    agreed: Vec<u8>,
}

pub(crate) fn refuse<T>(code: Code) -> Result<T, Refusal> {
    Err(Refusal::new(code, code.meaning()))
}

impl Table {
    /// What a table is, by what was kept of it. The error says which entry does not fit.
    pub fn wake(
        id: &str,
        about: About,
        log: &[houserules_store::Entry],
        Begun { start, found, secrets }: Begun,
        shared: Arc<Shared>,
    ) -> Result<Self, String> {
        let n_seats = start.running().seats().len();
        let chair = Chair { sitter: SitterKind::Open, name: String::new(), away: false };
        let now = Match::new(Head::default(), start.running().duplicate());
        let clock = Clock::new(about.manners().clock, n_seats);
        let mut seed = [0; 8];
        getrandom::fill(&mut seed).map_err(|error| format!("The system gives no randomness: {error}."))?;
        let mut table = Table {
            id: id.to_owned(),
            hints: about.manners().hints,
            about,
            fence: None,
            shared,
            start,
            found,
            secrets,
            typed: false,
            n: 0,
            now,
            number: 0,
            chairs: vec![chair; n_seats],
            order: (0..n_seats).map(|seat| seat as u8).collect(),
            phase: Phase::Lobby,
            result: None,
            clock,
            told: Vec::new(),
            proposals: Vec::new(),
            step: 0,
            version: 0,
            shown_info: None,
            keys: VecDeque::new(),
            generator: Generator::new(u64::from_le_bytes(seed)),
            viewers: Vec::new(),
            answering: None,
            from: None,
            following: None,
            seen: BTreeMap::new(),
            late: look::Late::default(),
            thinking: Vec::new(),
            hinting: Vec::new(),
            judging: None,
            watching: None,
            away_since: vec![crate::clock::now(); n_seats],
            moment: crate::clock::now(),
        };
        for kept in log {
            let fault = |reason: String| format!("entry {}: {reason}", kept.number);
            let entry: Entry = serde_json::from_str(&kept.body).map_err(|error| fault(error.to_string()))?;
            if kept.number != table.n + 1 {
                return Err(fault("it does not follow the one before".into()));
            }
            table.absorb(&entry, kept.at).map_err(fault)?;
            table.advance_late();
        }
        table.clock.wake(table.moment);
        Ok(table)
    }

    /// Becomes what the table is after an entry. Lines of the record are played here.
    fn absorb(&mut self, entry: &Entry, at: u64) -> Result<(), String> {
        self.n += 1;
        match entry {
            Entry::Line { line, by, agreed } => {
                let parsed = Record::parse(&format!("{} 1\n{line}\n", Record::BEGINNING));
                if let Some(fault) = parsed.fault {
                    return Err(fault.to_string());
                }
                for line in parsed.record.lines {
                    if let Some(event) = resolve(&mut self.now, &line.kind)? {
                        self.happen(&event, by, agreed, at).map_err(|refusal| refusal.to_string())?;
                    }
                }
            }
            other => self.note(other, at),
        }
        Ok(())
    }

    /// Plays an event and tells of it. The entry has its number already. Refused, nothing has changed.
    fn happen(
        &mut self,
        event: &Event,
        by: &str,
        agreed: &[String],
        at: u64,
    ) -> Result<(), houserules_record::Refused> {
        let mut moved = None;
        let mut chosen = Vec::new();
        let what = match event {
            Event::Play { who, choice, .. } => {
                if let Who::Seat(seat) = who {
                    moved = Some(seat.0);
                }
                let number = self.now.n_moves() as u32 + 1;
                for (to, words) in self.chosen(*who, choice) {
                    match (who, words) {
                        (Who::Seat(seat), words) => chosen.push((to, LogWhat::Chose { seat: seat.0, number, words })),
                        (Who::Nature, Some(words)) => chosen.push((to, LogWhat::Chance { words })),
                        (Who::Nature, None) => {}
                    }
                }
                None
            }
            Event::Change(change) => Some(LogWhat::Changed {
                change: crate::from_wire::told(change),
                by: by.to_owned(),
                agreed: agreed.to_vec(),
            }),
            Event::Hand { entity, statements } => {
                Some(LogWhat::Hand { by: by.to_owned(), entity: entity.clone(), statements: statements.clone() })
            }
            Event::Undo(_) | Event::Redo(_) => None,
            Event::Note(_) => None,
            Event::Ruling(ruling) => Some(LogWhat::Ruled {
                seat: seat_of(ruling.who),
                words: self.now.look().words(ruling.who, &ruling.choice),
                rule: ruling.rule.clone(),
                allowed: ruling.allowed,
                by: ruling.by.clone(),
            }),
        };
        self.now.apply(event)?;
        let what = what.or_else(|| {
            let moves = self.now.n_moves() as u32;
            match event {
                Event::Undo(steps) => Some(LogWhat::Undone { steps: *steps, moves }),
                Event::Redo(steps) => Some(LogWhat::Redone { steps: *steps, moves }),
                _ => None,
            }
        });
        chosen.extend(what.map(|what| (Set::ALL, what)));
        for (to, what) in chosen {
            self.tell(to, what);
        }
        if matches!(event, Event::Play { .. }) {
            self.tell_said();
        }
        if matches!(event, Event::Note(_) | Event::Ruling(_)) {
            return Ok(());
        }
        self.step = self.n;
        self.typed |= matches!(event, Event::Change(houserules_record::Change::Text(_)) | Event::Hand { .. });
        if matches!(event, Event::Change(_)) {
            self.version += 1;
            // A rule may hide what was open; what was hidden once stays a secret.
            let definition =
                self.now.running().as_defined().map(|defined| crate::games::has_secrets(defined.definition()));
            self.secrets |= definition.unwrap_or(false);
        }
        // What was asked about another position has no meaning any more.
        let mover = moved.map(|seat| self.order[usize::from(seat)]);
        self.proposals.retain(|open| match open.wish {
            Wish::Ruling { .. } | Wish::Redo { .. } => false,
            Wish::Undo { .. } | Wish::Draw => mover.is_none() || mover == open.chair,
            _ => true,
        });
        self.settle_phase();
        let asked = self.asked();
        self.clock.turn(&asked, moved, at);
        self.follow(event);
        Ok(())
    }

    fn tell_said(&mut self) {
        let position = self.now.look();
        let mut said: Vec<(Set, String)> = Vec::new();
        for eyes in (0..self.chairs.len()).map(|seat| Some(seat as u8)).chain([None]) {
            for text in position.said(eyes::viewer(eyes)) {
                match said.iter_mut().find(|(to, known)| *known == text && !to.has(eyes)) {
                    Some((to, _)) => *to = to.with(eyes),
                    None => said.push((Set::one(eyes), text)),
                }
            }
        }
        for (to, text) in said {
            self.tell(to, LogWhat::Said { text });
        }
    }

    fn tell(&mut self, to: Set, what: LogWhat) {
        let event = self.now.log().len() as u32;
        self.told.push(Told { n: self.n, event, to, what });
    }

    /// Over by the rules or not: undo may lead back.
    fn settle_phase(&mut self) {
        let ended_otherwise = self.result.as_ref().is_some_and(|result| result.how != How::Played);
        if ended_otherwise || matches!(self.phase, Phase::Lobby) {
            return;
        }
        match self.now.decision() {
            Decision::Over(outcome) => {
                let ranks = outcome.ranks.to_vec();
                let result = self.ending(ranks, How::Played);
                self.reveal();
                self.tell(Set::ALL, LogWhat::Ended { result: result.clone() });
                self.result = Some(result);
                self.phase = Phase::Over;
                self.version += 1;
            }
            _ if self.phase == Phase::Over => {
                self.result = None;
                self.phase = Phase::Playing;
                self.version += 1;
            }
            _ => {}
        }
    }

    /// Tells everybody what was chosen in secret: the match is over, and its record says so as well.
    fn reveal(&mut self) {
        let began = self.told.iter().rposition(|told| matches!(told.what, LogWhat::Began { .. })).unwrap_or(0);
        // Each move as it was made last: what was taken back and chosen anew is another one.
        let mut moves: BTreeMap<u32, (u32, u8, Option<String>, Set)> = BTreeMap::new();
        for told in &self.told[began..] {
            let LogWhat::Chose { seat, number, words } = &told.what else { continue };
            let made = moves.entry(*number).or_insert((told.n, *seat, None, Set::default()));
            if made.0 != told.n {
                *made = (told.n, *seat, None, Set::default());
            }
            match words {
                Some(words) => made.2 = Some(words.clone()),
                None => made.3 = Set(made.3.0 | told.to.0),
            }
        }
        let n_moves = self.now.n_moves() as u32;
        for (number, (_, seat, words, unknown)) in moves {
            if number <= n_moves && words.is_some() && unknown != Set::default() {
                self.tell(unknown, LogWhat::Chose { seat, number, words });
            }
        }
    }

    fn ending(&self, ranks: Vec<u8>, how: How) -> Ending {
        let seats = self.now.seats();
        let first: Vec<&str> =
            ranks.iter().zip(&seats).filter(|(rank, _)| **rank == 1).map(|(_, seat)| seat.as_str()).collect();
        let words = match first.as_slice() {
            all if all.len() == seats.len() && seats.len() > 1 => "A draw.".to_owned(),
            [one] => format!("{one} wins."),
            several => format!("{} win.", several.join(" and ")),
        };
        Ending { ranks, how, words }
    }

    /// Everything but lines.
    fn note(&mut self, entry: &Entry, at: u64) {
        let n = self.n;
        match entry {
            Entry::Line { .. } => unreachable!("lines are played"),
            Entry::Begin { seats } => {
                self.order.clone_from(seats);
                self.number += 1;
                self.now = Match::new(self.head(), self.start.running().duplicate());
                self.phase = Phase::Playing;
                self.result = None;
                self.proposals.clear();
                self.step = n;
                self.clock = Clock::new(self.about.manners().clock, self.chairs.len());
                self.version += 1;
                self.tell(Set::ALL, LogWhat::Began { number: self.number });
                self.settle_phase();
                let asked = self.asked();
                self.clock.turn(&asked, None, at);
                let following = self.following.take();
                self.follow_anew(following);
            }
            Entry::Swapped { one, other } => {
                let (one, other) = (self.seat_of_chair(*one), self.seat_of_chair(*other));
                self.order.swap(usize::from(one), usize::from(other));
                self.version += 1;
            }
            Entry::Sat { chair, name } => {
                self.seat_chair(*chair, Chair { sitter: SitterKind::Person, name: name.clone(), away: false });
            }
            Entry::Bot { chair, level, away } => {
                let before = self.chairs[usize::from(*chair)].clone();
                let person = !before.name.is_empty();
                let sitter = SitterKind::Bot { level: *level, stands_in: person };
                self.seat_chair(*chair, Chair { sitter, name: before.name, away: *away });
            }
            Entry::Back { chair } => {
                let name = self.chairs[usize::from(*chair)].name.clone();
                self.seat_chair(*chair, Chair { sitter: SitterKind::Person, name, away: false });
            }
            Entry::Left { chair } => {
                let before = &mut self.chairs[usize::from(*chair)];
                let name = std::mem::take(&mut before.name);
                *before = Chair { sitter: SitterKind::Open, name: String::new(), away: false };
                let seat = self.seat_of_chair(*chair);
                self.tell(Set::ALL, LogWhat::Left { seat, name });
                self.version += 1;
            }
            Entry::Proposed { chair, wish } => {
                let by = self.name_of(*chair);
                self.proposals.push(Open { id: n, chair: *chair, wish: wish.clone(), agreed: Vec::new() });
                self.tell(Set::ALL, LogWhat::Proposed { proposal: n, by, what: consent::words(wish) });
            }
            Entry::Agreed { proposal, chair } => {
                if let Some(open) = self.proposals.iter_mut().find(|open| open.id == *proposal) {
                    open.agreed.push(*chair);
                }
            }
            Entry::Settled { proposal, agreed, by } => {
                let at = self.proposals.iter().position(|open| open.id == *proposal);
                if let Some(open) = at.map(|at| self.proposals.remove(at)) {
                    let what = consent::words(&open.wish);
                    self.tell(
                        Set::ALL,
                        LogWhat::Settled { proposal: *proposal, agreed: *agreed, by: by.clone(), what },
                    );
                }
            }
            Entry::Talk { chair, by, text, key } => {
                let seat = chair.map(|chair| self.seat_of_chair(chair));
                self.keys.push_back(key.clone());
                if self.keys.len() > MOST_KEYS {
                    self.keys.pop_front();
                }
                let (by, text) = (by.clone(), text.clone());
                let to = match self.about.manners().spectators_talk {
                    true => Set::ALL,
                    false => Set::ALL.without(Set::one(None)),
                };
                self.tell(to, LogWhat::Talk { by, seat, text, at });
            }
            Entry::Paused { by } => {
                self.phase = Phase::Paused;
                self.version += 1;
                self.clock.turn(&[], None, at);
                self.tell(Set::ALL, LogWhat::Paused { by: by.clone() });
            }
            Entry::Resumed { by } => {
                self.phase = Phase::Playing;
                self.version += 1;
                let asked = self.asked();
                self.clock.turn(&asked, None, at);
                self.tell(Set::ALL, LogWhat::Resumed { by: by.clone() });
            }
            Entry::Hints { on } => {
                self.hints = *on;
                self.version += 1;
            }
            Entry::Ended { ranks, how } => {
                let result = self.ending(ranks.clone(), *how);
                self.reveal();
                self.tell(Set::ALL, LogWhat::Ended { result: result.clone() });
                self.result = Some(result);
                self.phase = Phase::Over;
                self.proposals.clear();
                self.step = n;
                self.version += 1;
                self.clock.turn(&[], None, at);
            }
        }
    }

    fn seat_chair(&mut self, chair: u8, sits: Chair) {
        let (seat, name, sitter) = (self.seat_of_chair(chair), sits.name.clone(), sits.sitter);
        self.chairs[usize::from(chair)] = sits;
        self.version += 1;
        self.tell(Set::ALL, LogWhat::Sat { seat, name, sitter });
    }

    /// The head of the record of a match.
    fn head(&self) -> Head {
        let wanted = &self.about.wanted;
        let sitter = |chair: u8| {
            let chair = &self.chairs[usize::from(chair)];
            match chair.sitter {
                SitterKind::Bot { level, .. } => format!("level{level}"),
                _ => chair.name.clone(),
            }
        };
        let titles = self.start.running().seats();
        let seats = titles.into_iter().zip(&self.order);
        Head {
            id: format!("{}-{}", self.id, self.number),
            game: self.about.game.clone(),
            digest: self.start.digest().to_owned(),
            variants: wanted.variants.clone(),
            off: wanted.off.clone(),
            advised: wanted.advised.clone(),
            settings: wanted.settings.iter().map(|given| (given.name.clone(), given.value.clone())).collect(),
            position: wanted.position.clone(),
            players: wanted.n_seats.map(u32::from),
            seats: seats.map(|(seat, &chair)| HeadSeat { seat, sitter: sitter(chair), at: 0 }).collect(),
            ..Head::default()
        }
    }

    fn n_seats(&self) -> usize {
        self.chairs.len()
    }

    fn seat_of_chair(&self, chair: u8) -> u8 {
        self.order.iter().position(|&of| of == chair).map_or(chair, |seat| seat as u8)
    }

    fn sitter(&self, seat: u8) -> SitterKind {
        self.chairs[usize::from(self.order[usize::from(seat)])].sitter
    }

    fn name_of(&self, chair: Option<u8>) -> String {
        match chair {
            Some(chair) => {
                let name = &self.chairs[usize::from(chair)].name;
                match name.is_empty() {
                    true => self.now.seats()[usize::from(self.seat_of_chair(chair))].clone(),
                    false => name.clone(),
                }
            }
            None => "The host".into(),
        }
    }

    /// The seats that the match waits for; nobody before it begins, after it ends and while it is paused.
    fn asked(&self) -> Vec<u8> {
        if self.phase != Phase::Playing {
            return Vec::new();
        }
        match self.now.decision() {
            Decision::Seats { asked, .. } => asked.into_iter().map(|seat| seat.0).collect(),
            _ => Vec::new(),
        }
    }

    /// What is kept of an event that is about to happen: what a record says of it.
    fn entry_of(&mut self, event: &Event, by: &str, agreed: &[String]) -> Entry {
        let line = line_of(&mut self.now, event).to_string();
        Entry::Line { line, by: by.to_owned(), agreed: agreed.to_vec() }
    }

    /// Whether something is hidden from somebody now, or may be.
    fn is_secret(&self) -> bool {
        self.secrets || self.now.look().at_once()
    }

    /// Who is told what of a choice that is about to be played.
    fn chosen(&mut self, who: Who, choice: &Choice) -> Vec<(Set, Option<String>)> {
        if !self.is_secret() {
            return vec![(Set::ALL, Some(self.now.look().words(who, choice)))];
        }
        let mut groups: Vec<(Set, Option<String>)> = Vec::new();
        for eyes in (0..self.n_seats()).map(|seat| Some(seat as u8)).chain([None]) {
            let words = houserules_kernel::told(self.now.position(), eyes::viewer(eyes), who, choice);
            match groups.iter_mut().find(|(_, known)| *known == words) {
                Some((to, _)) => *to = to.with(eyes),
                None => groups.push((Set::one(eyes), words)),
            }
        }
        groups
    }
}

const MOST_KEYS: usize = 64;

fn seat_of(who: Who) -> u8 {
    match who {
        Who::Seat(SeatId(seat)) => seat,
        Who::Nature => 0,
    }
}
