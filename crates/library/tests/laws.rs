//! The laws of play for every game of the library and each of its variants, on random matches.
//!
//! `HOUSERULES_MATCHES=2000 cargo test --release -p houserules-library --test laws` plays so many of each.

mod common;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use common::{small, variants};
use houserules_kernel::{Generator, Plies, Position, Rulebook, Who, laws};
use houserules_library::{Options, find, list};
use houserules_model::{Edit, Item, ItemKind, Mode, Origin};

/// Match `n` has the seed `SEED + n`; what fails is told with its seed.
const SEED: u64 = 2024;
const MATCHES: u64 = 300;
const MOST_CHOICES: usize = 200;
/// A variant that takes longer has been tried often enough.
const LONGEST: Duration = Duration::from_millis(700);

#[test]
fn the_laws_of_play_hold_for_every_game_and_variant() {
    assert!(!list().is_empty());
    let wanted = std::env::var("HOUSERULES_MATCHES").ok().and_then(|text| text.parse::<u64>().ok());
    let tried: Vec<(String, Vec<String>)> = list()
        .into_iter()
        .flat_map(|name| variants(&find(&name).unwrap()).into_iter().map(move |variants| (name.clone(), variants)))
        .collect();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((name, variants)) = tried.get(next.fetch_add(1, Ordering::Relaxed)) {
                    hold(name, variants, wanted);
                }
            });
        }
    });
}

/// Plays so many matches, or the usual number as far as the time goes.
fn hold(name: &str, variants: &[String], wanted: Option<u64>) {
    let game = find(name).unwrap().compile(&Options { variants: variants.to_vec(), ..small(name) });
    let game = game.unwrap_or_else(|messages| panic!("{name} {variants:?}:\n{messages}"));
    let began = Instant::now();
    for number in 0..wanted.unwrap_or(MATCHES) {
        if let Err(broken) = laws::hold(&game, SEED + number, 1, MOST_CHOICES) {
            panic!("{name} {variants:?}: {broken}");
        }
        if wanted.is_none() && number >= 10 && began.elapsed() > LONGEST {
            break;
        }
    }
    // Shown where somebody waits for thousands.
    println!("{name} {variants:?}: {:.1} s", began.elapsed().as_secs_f64());
}

/// Random play that draws and tries is as fair as random play that lists.
#[test]
fn random_play_is_uniform_in_every_game() {
    for name in list() {
        let game = find(&name).unwrap().compile(&small(&name)).unwrap();
        let mut position = game.open().unwrap();
        if let Err(broken) = laws::uniform(&mut *position, SEED, 4000) {
            panic!("{name}: {broken}");
        }
    }
}

/// Where places that a walk might reach are drawn, those that it does reach stay equally likely as the board fills.
#[test]
fn random_play_is_uniform_on_a_crowded_board() {
    let options = Options { settings: vec![("size".into(), "5".into())], ..Options::default() };
    let game = find("amazons").unwrap().compile(&options).unwrap();
    for plies in [0, 4, 8, 10] {
        let played = |seed: u64| {
            let (mut position, mut generator) = (game.open().unwrap(), Generator::new(seed));
            let goes_on = (0..plies).all(|_| position.play_random(&mut generator) == Ok(true));
            (goes_on && !position.is_over()).then_some(position)
        };
        let mut position = (SEED..).find_map(played).unwrap();
        if let Err(broken) = laws::uniform(&mut *position, SEED + plies, 20_000) {
            panic!("after {plies} plies: {broken}");
        }
    }
}

/// What a playout counts is what perft counts: actions with their answers, no rolls, no turn that nobody can use.
#[test]
fn a_playout_counts_plies() {
    let mut n_compared = 0;
    for name in list() {
        let game = find(&name).unwrap().compile(&small(&name)).unwrap();
        for seed in 0..3 {
            let mut played = game.open().unwrap();
            let n_plies = played.playout(&mut Generator::new(seed), 300).unwrap();
            let mut stepped = game.open().unwrap();
            let mut plies = Plies::default();
            let mut generator = Generator::new(seed);
            let mut n_begun = 0;
            while !stepped.decision().is_over() {
                n_begun += u64::from(plies.begins(&stepped.decision()));
                if n_begun > 300 {
                    break;
                }
                stepped.play_random(&mut generator).unwrap();
            }
            // Finding out that a player is stuck may take draws of its own; from there on these are different matches.
            if played.fingerprint() == stepped.fingerprint() {
                assert_eq!(n_plies, n_begun.min(300), "{name}, seed {seed}");
                n_compared += 1;
            }
        }
    }
    assert!(n_compared > 2 * list().len(), "only {n_compared} matches were the same");
}

/// [FR-3] A rule changes during a match. [FR-10] Switched off and on again it leaves everything as it was.
#[test]
fn a_rule_switched_off_and_on_again_changes_nothing() {
    for name in list() {
        let found = find(&name).unwrap();
        let options = found.options(&small(&name));
        let game = found.compile(&options).unwrap();
        let mut start = game.start().unwrap();
        let mut generator = Generator::new(SEED);
        for _ in 0..4 {
            start.play_random(&mut generator).unwrap();
        }
        for rule in found.definition().rules() {
            let mut position = start.clone();
            let original = rule.mode;
            for mode in [Mode::Off, original] {
                let mut definition = found.definition().clone();
                let change = Item::new(ItemKind::RuleMode { rule: rule.name.clone(), mode }, Origin::NONE);
                definition.apply(Edit::Put(change)).unwrap();
                let changed = position.change_rules(&definition, &options);
                // In the middle of a question some changes have to wait.
                let Ok((_, changed)) = changed else { break };
                position = changed;
            }
            assert_eq!(words(&mut position), words(&mut start.clone()), "{name}: “{}”", rule.name);
            assert_eq!(position.fingerprint(), start.fingerprint(), "{name}: “{}”", rule.name);
        }
    }
}

fn words(position: &mut dyn Position) -> Vec<(Who, String)> {
    let mut words = Vec::new();
    for who in position.decision().open_to() {
        for choice in position.choices(who) {
            words.push((who, position.words(who, &choice)));
        }
    }
    words
}

/// [FR-14] A change of a rule is there at once: well under 50 ms, here with room for a slow build.
#[test]
fn a_rule_is_switched_within_the_blink_of_an_eye() {
    for name in list() {
        let found = find(&name).unwrap();
        let options = found.options(&Options::default());
        let position = found.compile(&options).unwrap().start().unwrap();
        let began = Instant::now();
        position.change_rules(found.definition(), &options).unwrap();
        let took = began.elapsed();
        assert!(took < Duration::from_millis(500), "{name}: {took:?}");
    }
}

/// [FR-15] Several named variants of one game are kept side by side: each can be played.
#[test]
fn every_variant_of_every_game_opens() {
    for name in list() {
        let found = find(&name).unwrap();
        for variants in variants(&found) {
            let game = found.compile(&Options { variants: variants.clone(), ..Options::default() });
            let opened = game.map(|game| game.open().map(|_| ()));
            assert_eq!(opened, Ok(Ok(())), "{name} {variants:?}");
        }
    }
}

/// [FR-1] A game is described by data: its text alone, with nothing to say against it.
#[test]
fn the_checker_has_nothing_against_any_game() {
    for name in list() {
        let found = find(&name).unwrap();
        assert!(found.diagnostics.is_empty(), "{}", found.messages(false));
    }
}
