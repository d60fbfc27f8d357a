//! Random matches with undos, forks and rule switches, of every game in the library.

mod common;

use common::{play_one, play_random, reload, rest};
use houserules_kernel::Generator;
use houserules_model::Mode;
use houserules_record::{Change, Head, Match, Record, Source, Which, open};

/// So many for each game; a long test asks for thousands.
fn n_matches() -> u64 {
    std::env::var("HOUSERULES_MATCHES").ok().and_then(|n| n.parse().ok()).unwrap_or(1)
}

const MOST_EVENTS: usize = 60;
/// With some rules off there are thousands of choices at a time; a few such decisions are enough.
const MOST_CHOICES: usize = 6_000;

/// [BG-2] [BG-3] [BG-64] [FR-5] Whatever was done in a match, its record gives the same position: directly, after
/// writing and reading, and from a match that was saved in the middle.
#[test]
fn every_record_replays_to_the_same_fingerprint() {
    for game in houserules_library::list() {
        for seed in 0..n_matches() {
            follow(&game, seed);
        }
    }
}

fn follow(game: &str, seed: u64) {
    let mut random = Generator::new(seed * 7919 + 5 * game.len() as u64);
    let source = if seed.is_multiple_of(2) { Source::Embedded } else { Source::Digest };
    // The usual size of some boards would only take longer.
    let settings = if game.starts_with("go") { common::pairs(&[("size", "5")]) } else { Vec::new() };
    let mut now = common::start_with(game, Head { settings, seed: Some(seed), ..Head::default() }, source);
    let mut middle: Option<(usize, String)> = None;
    let save_at = random.below(MOST_EVENTS as u64) as usize;
    let mut n_choices = 0;
    while now.log().len() < MOST_EVENTS && n_choices < MOST_CHOICES {
        if middle.is_none() && now.log().len() >= save_at {
            middle = Some((now.log().len(), now.record().to_string()));
        }
        match random.below(30) {
            0 | 1 => drop(now.undo(1 + random.below(4) as u32)),
            2 => drop(now.redo(1 + random.below(4) as u32)),
            3 => switch_one(&mut now, &mut random),
            4 => now.note("2026-01-31T12:00:00Z", "somebody", "a \\ note\nin two lines"),
            5 => {
                let fork = now.fork(&format!("fork {}", now.log().len()));
                assert_eq!(fork.fingerprint(), now.fingerprint(), "{game} {seed}");
                now = fork;
            }
            _ => {
                if !play_one(&mut now, &mut random, &mut n_choices) && now.undo(2) == 0 {
                    break;
                }
            }
        }
    }
    let text = now.record().to_string();
    let mut again = reload(&text);
    assert_eq!(again.fingerprint(), now.fingerprint(), "{game} {seed}\n{text}");
    assert_eq!(again.record().to_string(), text, "{game} {seed}");
    assert_eq!(again.n_undone(), now.n_undone(), "{game} {seed}");
    if let Some((at, saved)) = middle {
        let mut on = reload(&saved);
        for event in rest(&now, at) {
            on.apply(&event).unwrap_or_else(|refused| panic!("{game} {seed}: {refused}"));
        }
        assert_eq!(on.fingerprint(), now.fingerprint(), "{game} {seed}, from the middle");
        assert_eq!(on.record().lines, now.record().lines, "{game} {seed}, from the middle");
    }
}

/// Whatever is done to the text of a record, it is told and not crashed over; what can be played is.
#[test]
fn mangled_records_are_told() {
    let mut random = Generator::new(17);
    let mut now = common::start_with("dice-race", Head { seed: Some(1), ..Head::default() }, Source::Embedded);
    for _ in 0..12 {
        play_random(&mut now, &mut random);
    }
    switch_one(&mut now, &mut random);
    now.undo(3);
    now.note("", "Ann", "hm");
    let text = now.record().to_string();
    let lines: Vec<&str> = text.lines().collect();
    let body = lines.iter().position(|line| line.starts_with("S ")).unwrap();
    for _ in 0..60 {
        let mut mangled: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
        for _ in 0..1 + random.below(3) {
            // Mostly among the moves, now and then in the head and the rules.
            let from = if random.below(6) == 0 { 0 } else { body };
            let at = from + random.below((mangled.len() - from) as u64) as usize;
            let other = from + random.below((mangled.len() - from) as u64) as usize;
            match random.below(5) {
                0 => drop(mangled.remove(at)),
                1 => mangled.swap(at, other),
                2 => mangled[at].insert(0, char::from(b'0' + random.below(70) as u8)),
                3 => mangled[at] = mangled[at].chars().rev().collect(),
                _ => mangled[at] = mangled[other].clone(),
            }
            if mangled.len() <= body + 1 {
                break;
            }
        }
        let parsed = Record::parse(&mangled.join("\n"));
        if let Ok(mut opened) = open(parsed.record, None, Which::Made) {
            let fault = opened.replay.run();
            assert_eq!(fault.is_some(), opened.replay.at() < opened.replay.len());
            assert!(fault.is_none_or(|fault| fault.line > 0 && !fault.reason.is_empty()));
        }
    }
}

/// Switches some rule; one that does not fit is refused and changes nothing.
fn switch_one(now: &mut Match, random: &mut Generator) {
    let rules = now.rules();
    if rules.is_empty() {
        return;
    }
    let rule = &rules[random.below(rules.len() as u64) as usize];
    let mode = match (rule.mode, random.below(4)) {
        (Mode::Enforced, 0) => Mode::Advised,
        (Mode::Enforced, _) => Mode::Off,
        (Mode::Advised | Mode::Off, _) => Mode::Enforced,
    };
    let (before, events) = (now.fingerprint(), now.log().len());
    if now.change(Change::Mode { rule: rule.name.clone(), mode }).is_err() {
        assert_eq!((now.fingerprint(), now.log().len()), (before, events));
    }
}
