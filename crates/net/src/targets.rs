//! What coverage-guided fuzzing feeds: each takes any bytes and panics only where something is wrong.
//!
//! The targets in `fuzz/` do nothing but call these; a test of this crate feeds them the corpus that is kept.

use houserules_arena::MatchFile;
use houserules_kernel::{Generator, Position, Viewer};
use houserules_machine::{Options, compile};
use houserules_model::{Budget, Mode};
use houserules_players::Registry;
use houserules_record::{Change, Head, Match, Record, Source, Which, begin, open};

/// A target by the name of its corpus.
pub type Target = (&'static str, fn(&[u8]));

pub const ALL: &[Target] = &[
    ("definition", definition),
    ("record", record),
    ("match-file", match_file),
    ("changes", changes),
    ("game-file", game_file),
];

/// A stranger's rules get little to use, so that thousands are tried in a minute.
const BUDGET: Budget = Budget { steps: 100_000, depth: 200, words: 100_000 };
/// Longer input is the same again.
const LONGEST: usize = 1 << 12;
const MOST_CHOICES: u32 = 8;

/// The text of a definition: read, checked, compiled, played and taken back.
pub fn definition(data: &[u8]) {
    let text = text(data);
    let loaded = houserules_gdl::read_text("fuzz", &text);
    for diagnostic in &loaded.diagnostics {
        houserules_gdl::render(diagnostic, &loaded.sources, false);
    }
    houserules_check::check(&loaded.definition);
    let Ok(game) = compile(&loaded.definition, &Options { budget: BUDGET, ..Options::default() }) else { return };
    let Ok(mut position) = game.start() else { return };
    let mut random = Generator::new(data.len() as u64);
    let start = position.fingerprint();
    let mut played = 0;
    while played < MOST_CHOICES && position.play_random(&mut random).unwrap_or(false) {
        played += 1;
        position.view(Viewer::Public);
    }
    for _ in 0..played {
        assert!(position.undo(), "what was played can be undone");
    }
    assert_eq!(position.fingerprint(), start, "undone, it is the position it was");
}

/// The text of a record: read, written and read again, and replayed by its own rules.
pub fn record(data: &[u8]) {
    let parsed = Record::parse(&text(data));
    let written = parsed.record.to_string();
    let again = Record::parse(&written);
    assert_eq!(again.record.to_string(), written, "what was written is read as it is");
    if let Ok(mut opened) = open(parsed.record, None, Which::Embedded) {
        opened.replay.run();
    }
}

/// The text of a match file.
pub fn match_file(data: &[u8]) {
    if let Err(fault) = MatchFile::parse("fuzz", &text(data), &Registry::standard()) {
        assert!(!fault.to_string().is_empty(), "a fault is told");
    }
}

/// Changes of rules during a match, a line `---` between two: what is typed, or `off RULE`, `on RULE`, `set NAME VALUE`.
pub fn changes(data: &[u8]) {
    let found = houserules_library::find("tic-tac-toe").expect("it is in the library");
    let mut now = begin(&found, Head::default(), Source::Embedded).expect("the library can be played");
    let mut random = Generator::new(data.len() as u64);
    for typed in text(data).split("\n---\n").take(6) {
        let before = now.fingerprint();
        if now.change(change(typed)).is_err() {
            assert_eq!(now.fingerprint(), before, "a change that is refused leaves the match as it was");
        }
        play_one(&mut now, &mut random);
    }
    let (record, end) = (now.record().to_string(), now.fingerprint());
    let opened = open(Record::parse(&record).record, None, Which::Made).map(|opened| opened.replay);
    let mut replay = opened.unwrap_or_else(|reason| panic!("what was played can be opened again: {reason}\n{record}"));
    if let Some(fault) = replay.run() {
        panic!("what was played can be replayed: {fault}\n{record}");
    }
    assert_eq!(replay.now().fingerprint(), end, "the record ends where the match did\n{record}");
}

/// A game file in XML: read as far as it goes, written in both languages, and read again.
pub fn game_file(data: &[u8]) {
    use houserules_library::gdf::{read, to_gdl, write};
    let reading = read("fuzz", &text(data));
    for diagnostic in &reading.loaded.diagnostics {
        houserules_gdl::render(diagnostic, &reading.loaded.sources, false);
    }
    let definition = &reading.loaded.definition;
    let written = write(definition, &reading.remarks);
    let again = read("fuzz", &written);
    let broken = again.loaded.diagnostics.iter().any(|told| ["gdf/xml", "gdf/dtd", "gdf/root"].contains(&told.code));
    assert!(!broken, "what was written can be read\n{written}");
    if !reading.loaded.has_errors() {
        assert!(
            again.loaded.definition.for_play() == definition.for_play(),
            "what was written says the same\n{written}"
        );
        assert_eq!(write(&again.loaded.definition, &again.remarks), written, "written again it is the same");
    }
    houserules_gdl::read_text("fuzz", &to_gdl(definition, &reading.remarks));
    houserules_check::check(definition);
}

fn change(typed: &str) -> Change {
    match typed.trim().split_once(' ') {
        Some(("off", rule)) => Change::Mode { rule: rule.into(), mode: Mode::Off },
        Some(("on", rule)) => Change::Mode { rule: rule.into(), mode: Mode::Enforced },
        Some(("advise", rule)) => Change::Mode { rule: rule.into(), mode: Mode::Advised },
        Some(("set", rest)) if rest.contains(' ') => {
            let (name, value) = rest.split_once(' ').expect("it was just found");
            Change::Setting { name: name.into(), value: value.into() }
        }
        _ => Change::Text(typed.into()),
    }
}

fn play_one(now: &mut Match, random: &mut Generator) {
    let Some(&who) = now.decision().open_to().first() else { return };
    let choices = now.choices(who);
    if !choices.is_empty() {
        let choice = choices[random.below(choices.len() as u64) as usize].clone();
        // What is advised against waits for a ruling, and what has a fault is refused.
        let _ = now.play(who, &choice);
    }
}

fn text(data: &[u8]) -> String {
    String::from_utf8_lossy(&data[..data.len().min(LONGEST)]).into_owned()
}
