use super::words::{escaped, one_line, quoted};
use super::{Head, LineKind, Record};
use houserules_model::Mode;
use std::fmt::Write;

pub(super) fn record(record: &Record) -> String {
    let mut text = String::new();
    head(&mut text, &record.head);
    for line in &record.lines {
        self::line(&mut text, &line.kind);
    }
    text
}

/// One line, or a block of them, without the end of the last.
pub(super) fn one(kind: &LineKind) -> String {
    let mut text = String::new();
    line(&mut text, kind);
    text.truncate(text.trim_end_matches('\n').len());
    text
}

fn head(text: &mut String, head: &Head) {
    let mut say = |word: &str, rest: &str| {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{word} {rest}");
    };
    say(Record::BEGINNING, "1");
    for (word, value) in [("id", &head.id), ("game", &head.game), ("title", &head.title), ("digest", &head.digest)] {
        if !value.is_empty() {
            say(word, &one_line(value));
        }
    }
    head.variants.iter().for_each(|variant| say("variant", variant));
    head.off.iter().for_each(|rule| say("off", rule));
    head.advised.iter().for_each(|rule| say("advised", rule));
    head.settings.iter().for_each(|(name, value)| say("set", &format!("{name}={value}")));
    head.position.iter().for_each(|position| say("position", &one_line(position)));
    head.players.iter().for_each(|players| say("players", &players.to_string()));
    head.seed.iter().for_each(|seed| say("seed", &seed.to_string()));
    head.referee.iter().for_each(|referee| say("referee", &one_line(referee)));
    head.forks.iter().for_each(|fork| say("fork", &format!("{} after {}", fork.of, fork.after)));
    for (path, rules) in &head.rules {
        block(text, "rules", rules, &one_line(path));
    }
    for seat in &head.seats {
        let _ = writeln!(text, "{}", format!("S {} {}", quoted(&seat.seat), one_line(&seat.sitter)).trim_end());
    }
}

/// Lines of another language, counted, so that a missing one is noticed.
fn block(text: &mut String, word: &str, lines: &str, more: &str) {
    let lines: Vec<&str> = lines.split('\n').collect();
    let _ = writeln!(text, "{}", format!("{word} {} {more}", lines.len()).trim_end());
    for line in lines {
        let _ = if line.is_empty() { writeln!(text, "|") } else { writeln!(text, "| {line}") };
    }
}

fn line(text: &mut String, kind: &LineKind) {
    let _ = match kind {
        LineKind::Choice { seat, words } => writeln!(text, "A {} {}", quoted(seat), one_line(words)),
        LineKind::Chance { index, words } => writeln!(text, "R {index} - {}", one_line(words)),
        LineKind::Rule { mode, rule } => writeln!(text, "rule {} {}", mode_word(*mode), one_line(rule)),
        LineKind::Set { name, value } => writeln!(text, "set {name}={}", one_line(value)),
        LineKind::Change { text: lines } => {
            block(text, "change", lines, "");
            Ok(())
        }
        LineKind::Hand { entity, statements } => writeln!(text, "hand {} {}", quoted(entity), one_line(statements)),
        LineKind::Undo(n) => writeln!(text, "undo {n}"),
        LineKind::Redo(n) => writeln!(text, "redo {n}"),
        LineKind::Note { time, by, text: note } => {
            let time = if time.is_empty() { "-" } else { time };
            writeln!(text, "note {} {}: {}", quoted(time), quoted(by), escaped(note))
        }
        LineKind::Ruling { allowed, by, seat, words, rule } => {
            let verdict = if *allowed { "allowed" } else { "denied" };
            let (by, seat) = (quoted(by), quoted(seat));
            writeln!(text, "ruling {verdict} by {by}: {seat} {} -- {}", one_line(words), one_line(rule))
        }
        LineKind::Result(ranks) => {
            let ranks: Vec<String> = ranks.iter().map(|(seat, rank)| format!("{} {rank}", quoted(seat))).collect();
            writeln!(text, "result {}", ranks.join(", "))
        }
        LineKind::Fingerprint(fingerprint) => writeln!(text, "fingerprint {fingerprint:016x}"),
    };
}

/// As it is written and typed.
pub fn mode_word(mode: Mode) -> &'static str {
    match mode {
        Mode::Enforced => "on",
        Mode::Advised => "advised",
        Mode::Off => "off",
    }
}
