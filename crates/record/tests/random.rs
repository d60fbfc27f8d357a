//! Random matches with undos, forks and rule switches, of every game in the library.

mod common;

use common::{play_one, play_random, reload, rest};
use houserules_kernel::Generator;
use houserules_model::Mode;
use houserules_record::{Change, Head, Match, MessageLog, Record, Replay, Source, Which, open};

/// So many for each game; whoever has the time asks for thousands.
fn n_matches() -> u64 {
    std::env::var("HOUSERULES_MATCHES").ok().and_then(|n| n.parse().ok()).unwrap_or(4)
}

const MOST_EVENTS: usize = 60;
/// With some rules off there are thousands of choices at a time; a few such decisions are enough.
const MOST_CHOICES: usize = 3_000;
/// Two records of so many are opened as a stranger's would be, by finding and compiling their rules, and explained by the
/// interpreter.
const OPENED_ANEW: u64 = 16;

/// [BG-2] [BG-3] [BG-64] [FR-5] Whatever was done in a match, its record gives the same position: directly, after
/// writing and reading, and from a match that was saved in the middle.
#[test]
fn every_record_replays_to_the_same_fingerprint() {
    for game in houserules_library::list() {
        // The usual size of some boards would only take longer.
        let settings = if game.starts_with("go") { common::pairs(&[("size", "5")]) } else { Vec::new() };
        let began = std::time::Instant::now();
        let head = Head { settings, ..Head::default() };
        let embedded = common::start_with(&game, head.clone(), Source::Embedded);
        let referred = common::start_with(&game, head, Source::Digest);
        for seed in 0..n_matches() {
            follow(&game, if seed.is_multiple_of(2) { &embedded } else { &referred }, seed);
        }
        println!("{game}: {} matches, {:.1} s", n_matches(), began.elapsed().as_secs_f32());
    }
}

fn follow(game: &str, of: &Match, seed: u64) {
    let mut random = Generator::new(seed * 7919 + 5 * game.len() as u64);
    let mut now = Match::new(Head { seed: Some(seed), ..of.head().clone() }, of.start().duplicate());
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
            3 => change_one(&mut now, &mut random),
            4 => now.note("2026-01-31T12:00:00Z", "somebody", "a \\ note\nin two lines"),
            5 => {
                let mut fork = now.fork(&format!("fork {}", now.log().len()));
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
    let anew = seed % OPENED_ANEW < 2;
    let read = |text: &str| if anew { reload(text) } else { replayed(of, text) };
    let text = now.record().to_string();
    let mut again = read(&text);
    assert_eq!(again.fingerprint(), now.fingerprint(), "{game} {seed}\n{text}");
    assert_eq!(again.log(), now.log(), "{game} {seed}\n{text}");
    if anew {
        assert_eq!(again.record().to_string(), text, "{game} {seed}");
        for (_, told) in MessageLog::new(&now).catch_up(&now) {
            assert!(!told.is_err_and(|lost| lost.contains("another way")), "{game} {seed}\n{text}");
        }
    }
    assert_eq!(again.n_undone(), now.n_undone(), "{game} {seed}");
    assert_eq!(again.rules(), now.rules(), "{game} {seed}\n{text}");
    if let Some((at, saved)) = middle {
        let mut on = read(&saved);
        for event in rest(&now, at) {
            on.apply(&event).unwrap_or_else(|refused| panic!("{game} {seed}: {refused}"));
        }
        assert_eq!(on.fingerprint(), now.fingerprint(), "{game} {seed}, from the middle");
        assert_eq!(on.log(), now.log(), "{game} {seed}, from the middle");
    }
}

/// Text to record to match, from a start that is known.
#[track_caller]
fn replayed(of: &Match, text: &str) -> Match {
    let parsed = Record::parse(text);
    assert_eq!(parsed.fault, None, "{text}");
    let mut replay = Replay::new(parsed.record, of.start().duplicate()).unwrap();
    assert_eq!(replay.run(), None, "{text}");
    replay.into_match()
}

/// Whatever is done to the text of a record, it is told and not crashed over; what can be played is.
#[test]
fn mangled_records_are_told() {
    let mut random = Generator::new(17);
    let mut now = common::start_with("dice-race", Head { seed: Some(1), ..Head::default() }, Source::Embedded);
    for _ in 0..12 {
        play_random(&mut now, &mut random);
    }
    change_one(&mut now, &mut random);
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

/// Switches some rule, changes a setting or adds a property; what does not fit is refused and changes nothing.
fn change_one(now: &mut Match, random: &mut Generator) {
    let settings: Vec<String> = match now.running().as_defined() {
        Some(defined) => defined.definition().settings().map(|setting| setting.name.to_string()).collect(),
        None => Vec::new(),
    };
    let rules = now.rules();
    let change = match (random.below(5), settings.is_empty(), rules.is_empty()) {
        // Everything comes to lie elsewhere in memory.
        (4, ..) => Change::Text(format!("#property wind{} {}", random.below(3), random.below(3))),
        (0, false, _) => {
            let name = settings[random.below(settings.len() as u64) as usize].clone();
            Change::Setting { name, value: (1 + random.below(6)).to_string() }
        }
        (_, _, false) => {
            let rule = &rules[random.below(rules.len() as u64) as usize];
            let mode = match (rule.mode, random.below(4)) {
                (Mode::Enforced, 0) => Mode::Advised,
                (Mode::Enforced, _) => Mode::Off,
                (Mode::Advised | Mode::Off, _) => Mode::Enforced,
            };
            Change::Mode { rule: rule.name.clone(), mode }
        }
        _ => return,
    };
    let (before, events) = (now.fingerprint(), now.log().len());
    if now.change(change).is_err() {
        assert_eq!((now.fingerprint(), now.log().len()), (before, events));
    }
}
