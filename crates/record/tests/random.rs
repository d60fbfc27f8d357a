//! Random matches with undos, forks and rule switches, of every game in the library.

mod common;

use common::{play_random, reload, rest};
use houserules_kernel::Generator;
use houserules_model::Mode;
use houserules_record::{Change, Head, Match, Source};

/// So many for each game; a long test asks for thousands.
fn n_matches() -> u64 {
    std::env::var("HOUSERULES_MATCHES").ok().and_then(|n| n.parse().ok()).unwrap_or(1)
}

const MOST_EVENTS: usize = 60;

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
    let mut random = Generator::new(seed * 7919 + game.len() as u64);
    let source = if seed % 2 == 0 { Source::Embedded } else { Source::Digest };
    // The usual size of some boards would only take longer.
    let settings = if game.starts_with("go") { common::pairs(&[("size", "5")]) } else { Vec::new() };
    let mut now = common::start_with(game, Head { settings, seed: Some(seed), ..Head::default() }, source);
    let mut middle: Option<(usize, String)> = None;
    let save_at = random.below(MOST_EVENTS as u64) as usize;
    while now.log().len() < MOST_EVENTS {
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
                if !play_random(&mut now, &mut random) && now.undo(2) == 0 {
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

/// Switches some rule; one that does not fit is refused and changes nothing.
fn switch_one(now: &mut Match, random: &mut Generator) {
    let rules = now.rules();
    if rules.is_empty() {
        return;
    }
    let rule = &rules[random.below(rules.len() as u64) as usize];
    let mode = if rule.mode == Mode::Off { Mode::Enforced } else { Mode::Off };
    let (before, events) = (now.fingerprint(), now.log().len());
    if now.change(Change::Mode { rule: rule.name.clone(), mode }).is_err() {
        assert_eq!((now.fingerprint(), now.log().len()), (before, events));
    }
}
