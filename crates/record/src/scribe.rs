use crate::text::one_line;
use crate::{Change, Event, Line, LineKind, Match};
use houserules_kernel::{Choice, Decision, Who};

/// Puts events into words.
///
/// While a match is played only numbers are kept, because looking up words would slow it down; the scribe follows in a
/// match of its own when the record is wanted.
pub(crate) struct Scribe {
    shadow: Match,
    lines: Vec<Line>,
}

impl Scribe {
    /// The match is one from the same start in which nothing has happened.
    pub fn new(shadow: Match) -> Self {
        Scribe { shadow, lines: Vec::new() }
    }

    pub fn catch_up(&mut self, log: &[Event]) {
        for event in &log[self.lines.len()..] {
            let kind = line_of(&mut self.shadow, event);
            self.lines.push(Line { at: 0, kind });
            self.shadow.apply(event).expect("what has happened can happen again");
        }
    }

    /// The lines, and how things stand now.
    pub fn ending(&self, of: &mut Match) -> Vec<Line> {
        let mut lines = self.lines.clone();
        if let Decision::Over(outcome) = of.decision() {
            let ranks = of.seats().into_iter().zip(outcome.ranks).collect();
            lines.push(Line { at: 0, kind: LineKind::Result(ranks) });
        }
        lines.push(Line { at: 0, kind: LineKind::Fingerprint(of.fingerprint().0) });
        lines
    }
}

/// What a record will say of an event that is about to happen in a match.
pub fn line_of(shadow: &mut Match, event: &Event) -> LineKind {
    match event {
        Event::Play { who: Who::Nature, choice, .. } => {
            let choices = shadow.position().choices(Who::Nature);
            let index = choices.iter().position(|known| known == choice).unwrap_or(0) as u64;
            LineKind::Chance { index, words: one_line(&shadow.look().words(Who::Nature, choice)) }
        }
        Event::Play { who, choice, .. } => {
            LineKind::Choice { seat: seat(shadow, *who), words: unambiguous(shadow, *who, choice) }
        }
        Event::Change(Change::Mode { rule, mode }) => LineKind::Rule { mode: *mode, rule: rule.clone() },
        Event::Change(Change::Setting { name, value }) => LineKind::Set { name: name.clone(), value: value.clone() },
        Event::Change(Change::Text(text)) => LineKind::Change { text: text.replace('\r', "") },
        Event::Hand { entity, statements } => LineKind::Hand { entity: entity.clone(), statements: statements.clone() },
        Event::Undo(n) => LineKind::Undo(*n),
        Event::Redo(n) => LineKind::Redo(*n),
        Event::Note(note) => {
            LineKind::Note { time: note.time.clone(), by: note.by.clone(), text: note.text.replace('\r', "") }
        }
        Event::Ruling(ruling) => LineKind::Ruling {
            allowed: ruling.allowed,
            by: ruling.by.clone(),
            seat: seat(shadow, ruling.who),
            words: unambiguous(shadow, ruling.who, &ruling.choice),
            rule: one_line(&ruling.rule),
        },
    }
}

fn seat(shadow: &Match, who: Who) -> String {
    match who {
        Who::Seat(seat) => shadow.seats().get(usize::from(seat.0)).cloned().unwrap_or_default(),
        Who::Nature => String::new(),
    }
}

/// The words of a choice; where several choices share them, with a number.
fn unambiguous(shadow: &mut Match, who: Who, choice: &Choice) -> String {
    let words = one_line(&shadow.look().words(who, choice));
    let mut before = 0;
    for other in shadow.choices(who) {
        if other == *choice {
            break;
        }
        if one_line(&shadow.look().words(who, &other)) == words {
            before += 1;
        }
    }
    if before == 0 { words } else { format!("{words} #{}", before + 1) }
}
