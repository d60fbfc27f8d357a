//! Records as text: ours, and those of another program.

use houserules_model::Mode;
use houserules_record::{Fault, Fork, Head, Line, LineKind, Record, Seat};

fn kinds(text: &str) -> Vec<LineKind> {
    let parsed = Record::parse(text);
    assert_eq!(parsed.fault, None);
    parsed.record.lines.into_iter().map(|line| line.kind).collect()
}

fn fault(text: &str) -> Fault {
    Record::parse(text).fault.expect("something is wrong with it")
}

fn choice(seat: &str, words: &str) -> LineKind {
    LineKind::Choice { seat: seat.into(), words: words.into() }
}

fn chance(index: u64, words: &str) -> LineKind {
    LineKind::Chance { index, words: words.into() }
}

/// The first moves of a match of Mens-erger-je-niet as they were printed, blank lines and a broken line included.
const PRINTED: &str = "S B Peter\n\nS G Klaas\n\nR 2: Int: 3\n\nA B Pass\n\nR 1: Int: 2\n\nA G Pass\n\nR 5: Int: 6\n\n\
    A B StartPawn Object: PawnB1 Location:\n\nB3\n\nR 1: Int: 2\n\nA B MovePawn Object: PawnB1 Location: B3\n";

/// [BG-61] [BG-62] [BG-63] Seats, chance and actions are read as they were printed.
#[test]
fn a_printed_recording_is_read() {
    let parsed = Record::parse(PRINTED);
    assert_eq!(parsed.fault, None);
    let seats: Vec<(&str, &str)> =
        parsed.record.head.seats.iter().map(|seat| (seat.seat.as_str(), seat.sitter.as_str())).collect();
    assert_eq!(seats, [("B", "Peter"), ("G", "Klaas")]);
    assert_eq!(
        kinds(PRINTED),
        [
            chance(2, "Int: 3"),
            choice("B", "Pass"),
            chance(1, "Int: 2"),
            choice("G", "Pass"),
            chance(5, "Int: 6"),
            choice("B", "StartPawn Object: PawnB1 Location: B3"),
            chance(1, "Int: 2"),
            choice("B", "MovePawn Object: PawnB1 Location: B3"),
        ]
    );
    assert_eq!(parsed.record.lines[5].at, 15);
}

/// [BG-62] [BG-63] The spellings a program wrote, comments and line ends included.
#[test]
fn both_spellings_are_read() {
    let text = "// a comment\r\nS Ann Anna\r\nR 0 - Bool: false\r\nA Ann Take Int: 5 Player: Bo c.b. Bob\r\nR 2\r\nA Take Ann 5\r\n";
    assert_eq!(
        kinds(text),
        [
            chance(0, "Bool: false"),
            choice("Ann", "Take Int: 5 Player: Bo c.b. Bob"),
            chance(2, ""),
            choice("Take", "Ann 5")
        ]
    );
}

fn whole() -> Record {
    let line = |kind| Line { at: 0, kind };
    Record {
        head: Head {
            id: "ab12".into(),
            game: "awele".into(),
            title: "Awele".into(),
            digest: "5b0e".into(),
            variants: vec!["grand slam: all".into()],
            off: vec!["Chain Reaction".into()],
            advised: vec!["Last Seed".into()],
            settings: vec![("goal".into(), "20".into())],
            position: Some("4/4 South".into()),
            players: Some(2),
            seed: Some(7),
            referee: Some("Ann the judge".into()),
            forks: vec![Fork { of: "aa".into(), after: 12 }],
            rules: vec![("games/awele/game.gdl".into(), "#game \"Awele\"\n\n  | odd \n".into())],
            seats: vec![
                Seat { seat: "Player 1".into(), sitter: "human".into(), at: 0 },
                Seat { seat: "O".into(), sitter: String::new(), at: 0 },
            ],
        },
        lines: vec![
            line(choice("Player 1", "hole 3")),
            line(chance(2, "3")),
            line(LineKind::Rule { mode: Mode::Advised, rule: "Last Seed".into() }),
            line(LineKind::Set { name: "goal".into(), value: "20".into() }),
            line(LineKind::Change { text: "#law \"L\" on m\n  (require nil)".into() }),
            line(LineKind::Hand { entity: "hole 3".into(), statements: "(set stones to 4)".into() }),
            line(LineKind::Undo(2)),
            line(LineKind::Redo(1)),
            line(LineKind::Note { time: String::new(), by: "Ann: B".into(), text: "two\nlines \\".into() }),
            line(LineKind::Ruling {
                allowed: false,
                by: "consent".into(),
                seat: "Player 1".into(),
                words: "hole 4".into(),
                rule: "Last Seed".into(),
            }),
            line(LineKind::Result(vec![("Player 1".into(), 1), ("O".into(), 2)])),
            line(LineKind::Fingerprint(0x00ab_cdef_0123_4567)),
        ],
    }
}

/// [BG-2] A record with every kind of line survives writing and reading.
#[test]
fn a_record_survives_writing_and_reading() {
    let record = whole();
    let text = record.to_string();
    let parsed = Record::parse(&text);
    assert_eq!(parsed.fault, None, "{text}");
    let mut read = parsed.record;
    read.lines.iter_mut().for_each(|line| line.at = 0);
    read.head.seats.iter_mut().for_each(|seat| seat.at = 0);
    assert_eq!(read, record, "{text}");
}

/// [BG-65] Cut off after any line, it is a record that says less; cut off anywhere, it is no crash.
#[test]
fn every_beginning_is_a_record() {
    let text = whole().to_string();
    let whole = Record::parse(&text).record;
    for end in (0..=text.len()).filter(|&end| text.is_char_boundary(end)) {
        let parsed = Record::parse(&text[..end]);
        assert!(parsed.record.lines.len() <= whole.lines.len());
        let after_a_line = end == 0 || text[..end].ends_with('\n');
        let in_a_block = parsed.fault.as_ref().is_some_and(|fault| fault.reason.contains("the rest is missing"));
        if after_a_line && !in_a_block {
            assert_eq!(parsed.fault, None, "{}", &text[..end]);
            assert_eq!(parsed.record.lines, whole.lines[..parsed.record.lines.len()]);
        }
    }
}

#[test]
fn faults_name_their_line_and_what_to_type() {
    for (text, line, told) in [
        ("houserules record 1\ngame nim\nS A\nS A\n", 4, "taken already"),
        ("houserules record 2\n", 1, "reads version 1"),
        ("houserules record 1\nA X\n", 2, "may be cut off"),
        ("houserules record 1\nA X b2\nR x - 3\n", 3, "“x” is no index"),
        ("houserules record 1\nA X b2\nseed 3\n", 3, "belongs to the head"),
        ("houserules record 1\nA X b2\nrul off It\n", 3, "Did you mean `rule`?"),
        ("houserules record 1\nA X b2\nrule maybe It\n", 3, "`rule advised`"),
        ("houserules record 1\nA X b2\nundo much\n", 3, "“much” is no number"),
        ("houserules record 1\nA X b2\nchange 3\n| #law\n", 3, "ends after 1 of 3 lines"),
        ("houserules record 1\nA X b2\n| #law\n", 3, "where none is expected"),
        ("houserules record 1\nA X b2\nhouserules record 1\n", 3, "Another record"),
        ("houserules record 1\nset goal\n", 2, "set NAME=VALUE"),
        ("houserules record 1\nA X b2\nfingerprint xyz\n", 3, "no fingerprint"),
        ("#game \"Tic-tac-toe\"\n#players \"X\"\n", 1, "does not look like a record"),
    ] {
        let fault = fault(text);
        assert_eq!(fault.line, line, "{text}{fault}");
        assert!(fault.reason.contains(told), "{text}{fault}");
    }
}
