use crate::event::{Note, Ruling};
use crate::text::{bare, one_line};
use crate::trail::{Changed, changes, seen_changes};
use crate::{Change, Event, Fault, Line, LineKind, Match, Record, Running};
use houserules_kernel::{Choice, Decision, SeatId, Viewer, Who};

/// A record being gone through.
pub struct Replay {
    record: Record,
    start: Box<dyn Running>,
    now: Match,
    /// How many lines have been played.
    at: usize,
    /// What the lines mean, as far as they were played once: the second time needs no words.
    events: Vec<Option<Event>>,
}

/// What a line of a record did.
#[derive(Clone, PartialEq, Debug)]
pub struct Happened {
    pub line: Line,
    pub changed: Vec<Changed>,
    /// What each seat could see of it, and somebody without a seat.
    pub seen: Vec<(Viewer, Vec<Changed>)>,
    /// What was said to everybody who may hear everything.
    pub said: Vec<String>,
}

impl Replay {
    /// The running game is one from the start that the record tells of.
    pub fn new(record: Record, start: Box<dyn Running>) -> Result<Self, Fault> {
        let seats = start.seats();
        for seat in &record.head.seats {
            if !seats.contains(&seat.seat) {
                let reason = format!("There is no seat “{}” in this game; it has {}.", seat.seat, seats.join(", "));
                return Err(Fault { line: seat.at, reason });
            }
        }
        let now = Match::new(record.head.clone(), start.duplicate());
        Ok(Replay { record, start, now, at: 0, events: Vec::new() })
    }

    pub fn record(&self) -> &Record {
        &self.record
    }

    /// How many lines have been played.
    pub fn at(&self) -> usize {
        self.at
    }

    pub fn len(&self) -> usize {
        self.record.lines.len()
    }

    pub fn is_empty(&self) -> bool {
        self.record.lines.is_empty()
    }

    /// What the next line means, once it was played.
    pub fn event(&self, at: usize) -> Option<&Event> {
        self.events.get(at)?.as_ref()
    }

    /// The game as it was before the first line.
    pub fn start(&self) -> &dyn Running {
        &*self.start
    }

    /// The match as it stands after the lines played; to look at.
    pub fn now(&mut self) -> &mut Match {
        &mut self.now
    }

    /// The match, to go on with.
    pub fn into_match(self) -> Match {
        self.now
    }

    /// Plays one line and tells what it did; nothing at the end. A fault leaves everything as it was.
    pub fn step(&mut self) -> Result<Option<Happened>, Fault> {
        let Some(line) = self.record.lines.get(self.at).cloned() else { return Ok(None) };
        let n_seats = self.now.seats().len();
        let viewers: Vec<Viewer> =
            (0..n_seats).map(|seat| Viewer::Seat(SeatId(seat as u8))).chain([Viewer::Public]).collect();
        let before = self.now.running().properties();
        let views: Vec<_> = viewers.iter().map(|&viewer| self.now.position().view(viewer)).collect();
        self.advance()?;
        let after = self.now.running().properties();
        let seen = viewers.iter().zip(views).map(|(&viewer, before)| {
            let after = self.now.position().view(viewer);
            (viewer, seen_changes(&before, &after))
        });
        let seen = seen.collect();
        let said = match line.kind {
            LineKind::Choice { .. } | LineKind::Chance { .. } => self.now.look().said(Viewer::All),
            _ => Vec::new(),
        };
        Ok(Some(Happened { line, changed: changes(&before, &after), seen, said }))
    }

    /// Plays one line without telling; false at the end.
    pub fn advance(&mut self) -> Result<bool, Fault> {
        let Some(line) = self.record.lines.get(self.at) else { return Ok(false) };
        let fault = |reason: String| Fault { line: line.at, reason };
        let event = match self.events.get(self.at) {
            Some(known) => known.clone(),
            None => {
                let event = resolve(&mut self.now, &line.kind).map_err(fault)?;
                self.events.push(event.clone());
                event
            }
        };
        if let Some(event) = event
            && let Err(refused) = self.now.apply(&event)
        {
            self.events.truncate(self.at);
            return Err(fault(refused.to_string()));
        }
        self.at += 1;
        Ok(true)
    }

    /// Plays on to the end, or to the first fault.
    pub fn run(&mut self) -> Option<Fault> {
        loop {
            match self.advance() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(fault) => return Some(fault),
            }
        }
    }

    /// Goes to after the first `n` lines, or as far as it goes; says where it is then.
    pub fn jump(&mut self, n: usize) -> usize {
        if n < self.at {
            self.now = Match::new(self.record.head.clone(), self.start.duplicate());
            self.at = 0;
        }
        while self.at < n && matches!(self.advance(), Ok(true)) {}
        self.at
    }
}

/// What a line means in the match as it stands; nothing for a line that only states how things stand, if it is right.
pub fn resolve(now: &mut Match, kind: &LineKind) -> Result<Option<Event>, String> {
    Ok(Some(match kind {
        LineKind::Choice { seat, words } => {
            let (who, choice, overruled) = meant(now, seat, words)?;
            Event::Play { who, choice, overruled }
        }
        LineKind::Chance { index, words } => {
            Event::Play { who: Who::Nature, choice: drawn(now, *index, words)?, overruled: false }
        }
        LineKind::Rule { mode, rule } => Event::Change(Change::Mode { rule: rule.clone(), mode: *mode }),
        LineKind::Set { name, value } => Event::Change(Change::Setting { name: name.clone(), value: value.clone() }),
        LineKind::Change { text } => Event::Change(Change::Text(text.clone())),
        LineKind::Hand { entity, statements } => Event::Hand { entity: entity.clone(), statements: statements.clone() },
        LineKind::Undo(n) => Event::Undo(*n),
        LineKind::Redo(n) => Event::Redo(*n),
        LineKind::Note { time, by, text } => {
            Event::Note(Box::new(Note { time: time.clone(), by: by.clone(), text: text.clone() }))
        }
        LineKind::Ruling { allowed, by, seat, words, rule } => {
            let who = seat_of(now, seat).ok_or_else(|| unknown_seat(now, seat))?;
            let choice = find(now, who, words)?;
            Event::Ruling(Box::new(Ruling { who, choice, allowed: *allowed, by: by.clone(), rule: rule.clone() }))
        }
        LineKind::Result(ranks) => {
            let Decision::Over(outcome) = now.decision() else {
                return Err("The record gives a result, and the match is not over here.".into());
            };
            let found: Vec<(String, u8)> = now.seats().into_iter().zip(outcome.ranks).collect();
            if found != *ranks {
                let told: Vec<String> = found.iter().map(|(seat, rank)| format!("{seat} {rank}")).collect();
                return Err(format!("The match ends otherwise than the record says: {}.", told.join(", ")));
            }
            return Ok(None);
        }
        LineKind::Fingerprint(fingerprint) => {
            let found = now.fingerprint().0;
            if found != *fingerprint {
                return Err(format!(
                    "The position is another one than when this was written: {found:016x}, not {fingerprint:016x}."
                ));
            }
            return Ok(None);
        }
    }))
}

/// Who chose what. Recordings of another program name the action first and then the seat.
fn meant(now: &mut Match, seat: &str, words: &str) -> Result<(Who, Choice, bool), String> {
    let (who, words) = match seat_of(now, seat) {
        Some(who) => (who, words.to_owned()),
        None => {
            let swapped = bare(words).and_then(|(second, rest)| {
                seat_of(now, &second).map(|who| (who, format!("{seat} {rest}").trim().to_owned()))
            });
            swapped.ok_or_else(|| unknown_seat(now, seat))?
        }
    };
    let decision = now.decision();
    if !decision.open_to().contains(&who) {
        let seats = now.seats();
        let name = |who: &Who| match who {
            Who::Seat(seat) => seats[usize::from(seat.0)].clone(),
            Who::Nature => "chance".into(),
        };
        return Err(match &decision {
            Decision::Over(_) => "The match is over before this.".into(),
            Decision::Nature => "Chance decides here; a line `R` is missing.".into(),
            Decision::Seats { .. } => {
                let asked: Vec<String> = decision.open_to().iter().map(name).collect();
                format!("{} is not asked here; {} decides.", name(&who), asked.join(" or "))
            }
        });
    }
    let choice = find(now, who, &words)?;
    let overruled = now.warnings(who).iter().any(|warning| warning.choice == choice);
    if overruled && !now.permits(who, &choice) {
        return Err(format!("An advised rule is against “{words}”, and there is no ruling that allows it."));
    }
    Ok((who, choice, overruled))
}

/// The choice with these words, or which choices there are.
fn find(now: &mut Match, who: Who, words: &str) -> Result<Choice, String> {
    let wanted = one_line(words);
    let choices = now.choices(who);
    if let Some(choice) = nth(now, who, &choices, &wanted, 1) {
        return Ok(choice);
    }
    if let Some((words, number)) = wanted.rsplit_once(" #")
        && let Ok(n) = number.parse::<usize>()
        && let Some(choice) = nth(now, who, &choices, words, n)
    {
        return Ok(choice);
    }
    let spelled: Vec<Vec<String>> = choices.iter().map(|choice| lower(&now.look().words(who, choice))).collect();
    for foreign in [plain(&wanted), values(&wanted)] {
        let mut fitting = choices.iter().zip(&spelled).filter(|(_, words)| **words == foreign);
        if let (Some((only, _)), None) = (fitting.next(), fitting.next()) {
            return Ok(only.clone());
        }
    }
    if let Who::Seat(seat) = who {
        let offers = now.position().offers(seat);
        if let Some(refusal) =
            offers.into_iter().find(|offer| one_line(&offer.words) == wanted).and_then(|offer| offer.refused)
        {
            return Err(format!("“{wanted}” cannot be played here. {refusal}"));
        }
    }
    let shown: Vec<String> = choices.iter().take(8).map(|choice| now.look().words(who, choice)).collect();
    let more = if choices.len() > shown.len() { ", …" } else { "" };
    Err(match shown.is_empty() {
        true => format!("“{wanted}” is no choice here."),
        false => format!("“{wanted}” is no choice here. There are: {}{more}.", shown.join(", ")),
    })
}

fn nth(now: &Match, who: Who, choices: &[Choice], words: &str, n: usize) -> Option<Choice> {
    let position = now.look();
    let fits = |choice: &&Choice| {
        let found = position.words(who, choice);
        found == words || one_line(&found) == words
    };
    choices.iter().filter(fits).nth(n.checked_sub(1)?).cloned()
}

fn lower(words: &str) -> Vec<String> {
    words.split_whitespace().map(str::to_lowercase).collect()
}

/// Words without the types that recordings of another program put before each value.
fn plain(words: &str) -> Vec<String> {
    lower(words).into_iter().filter(|word| !word.ends_with(':')).collect()
}

/// The same, with one word for each value: `Player: Bo c.b. Bob` says besides who plays Bo.
fn values(words: &str) -> Vec<String> {
    let mut values = Vec::new();
    let (mut typed, mut taken) = (false, false);
    for word in lower(words) {
        if word.ends_with(':') {
            (typed, taken) = (true, false);
        } else if !typed || !taken {
            values.push(word);
            taken = true;
        }
    }
    values
}

fn drawn(now: &mut Match, index: u64, words: &str) -> Result<Choice, String> {
    let decision = now.decision();
    if decision != Decision::Nature {
        return Err(match decision {
            Decision::Over(_) => "The match is over before this.".into(),
            _ => "Nothing is left to chance here.".to_owned(),
        });
    }
    let choices = now.position().choices(Who::Nature);
    let choice = usize::try_from(index).ok().and_then(|index| choices.get(index));
    let choice = choice.ok_or_else(|| format!("There is no outcome {index}; they go up to {}.", choices.len() - 1))?;
    let found = one_line(&now.look().words(Who::Nature, choice));
    let told = one_line(words);
    let value = told.split_once(": ").map_or(told.as_str(), |(_, value)| value);
    if !told.is_empty() && found != told && found.to_lowercase() != value.to_lowercase() {
        return Err(format!("Outcome {index} is “{found}”, and the record says “{told}”."));
    }
    Ok(choice.clone())
}

fn seat_of(now: &Match, name: &str) -> Option<Who> {
    let at = now.seats().iter().position(|seat| one_line(seat) == name)?;
    Some(Who::Seat(SeatId(at as u8)))
}

fn unknown_seat(now: &Match, name: &str) -> String {
    format!("There is no seat “{name}” in this game; it has {}.", now.seats().join(", "))
}
