//! The laws of play for every game of the library and each of its variants, on random matches.
//!
//! The usual run plays as many as fit in its time; `cargo xtask laws` plays thousands of every game.

mod common;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use common::{small, variants};
use houserules_kernel::laws::Tally;
use houserules_kernel::{Generator, Plies, Position, Rulebook, Who, laws};
use houserules_library::{Options, find, list, list_bgd};
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
    each(&subjects(|_| true), |subject| {
        let game = subject.compile();
        let began = Instant::now();
        for number in 0..MATCHES {
            if let Err(broken) = laws::hold(&game, SEED + number, 1, MOST_CHOICES) {
                panic!("{}: {broken}", subject.title());
            }
            if number >= 10 && began.elapsed() > LONGEST {
                break;
            }
        }
    });
}

/// A game under test: which, with which variants, on which board.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Subject {
    name: String,
    variants: Vec<String>,
    small: bool,
}

impl Subject {
    fn title(&self) -> String {
        let mut title = self.name.clone();
        for variant in &self.variants {
            title += &format!(", “{variant}”");
        }
        let settings: Vec<String> = self.settings().iter().map(|(name, value)| format!("{name}={value}")).collect();
        if settings.is_empty() { title } else { format!("{title} ({})", settings.join(" ")) }
    }

    fn settings(&self) -> Vec<(String, String)> {
        if self.small { small(&self.name).settings } else { Vec::new() }
    }

    fn compile(&self) -> houserules_library::Game {
        self.compile_for(None)
    }

    /// With each number of players that can take part, one after the other.
    fn seating(&self, number: u64) -> houserules_library::Game {
        let (least, most) = find(&self.name).unwrap().about(&Options::default()).unwrap().n_seats;
        self.compile_for(Some(least + (number % u64::from(most - least + 1)) as u32))
    }

    fn compile_for(&self, seats: Option<u32>) -> houserules_library::Game {
        let variants = self.variants.clone();
        let options = Options { variants, settings: self.settings(), seats, ..Options::default() };
        let game = find(&self.name).unwrap().compile(&options);
        game.unwrap_or_else(|messages| panic!("{}:\n{messages}", self.title()))
    }
}

/// Every game that is wanted, on a small board if there is one, and then each of its variants.
fn subjects(wanted: impl Fn(&str) -> bool) -> Vec<Subject> {
    let games = list().into_iter().filter(|name| wanted(name));
    let with_variants = games.flat_map(|name| {
        let variants = variants(&find(&name).unwrap());
        variants.into_iter().map(move |variants| Subject { name: name.clone(), variants, small: true })
    });
    with_variants.collect()
}

/// Does something with each, on all cores.
fn each<T: Sync>(tasks: &[T], work: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    work(task);
                }
            });
        }
    });
}

/// Thousands of matches of every game; `cargo xtask laws` runs it. A variant, and a game on its usual board where the
/// rest was played on a smaller one, gets a tenth of them.
#[test]
#[ignore = "takes minutes: `cargo xtask laws`"]
fn the_laws_of_play_hold_for_thousands_of_matches() {
    /// So that nearly every match of nearly every game comes to its end.
    const MOST_CHOICES: usize = 600;
    const CHUNK: u64 = 100;
    const ONE_IN: u64 = 64;
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let matches = number("HOUSERULES_MATCHES").unwrap_or(2000);
    let only = std::env::var("HOUSERULES_GAME").ok();
    let is_wanted = |name: &str| only.as_deref().is_none_or(|only| only == name);
    let mut subjects = subjects(is_wanted);
    // Texts in BGD have options instead of variants.
    let texts = list_bgd().into_iter().filter(|name| is_wanted(name));
    subjects.extend(texts.map(|name| Subject { name, variants: Vec::new(), small: true }));
    assert!(!subjects.is_empty(), "no such game: {only:?}");
    let great: Vec<Subject> = subjects
        .iter()
        .filter(|subject| subject.variants.is_empty() && !subject.settings().is_empty())
        .map(|subject| Subject { small: false, ..subject.clone() })
        .collect();
    subjects.extend(great);
    subjects.sort();
    let wanted = |subject: &Subject| {
        let whole = subject.variants.is_empty() && subject.small;
        if whole { matches } else { matches.div_ceil(10) }
    };
    let mut chunks: Vec<(&Subject, u64)> = Vec::new();
    for subject in &subjects {
        chunks.extend((0..wanted(subject)).step_by(CHUNK as usize).map(|first| (subject, first)));
    }
    println!("matches  over  choices  all tried in  tried  seconds  game");
    let done: Mutex<BTreeMap<&Subject, (Tally, Duration)>> = Mutex::default();
    each(&chunks, |&(subject, first)| {
        let game = subject.seating(first / CHUNK);
        let began = Instant::now();
        let n_matches = CHUNK.min(wanted(subject) - first);
        let tally = match laws::hold_sampled(&game, SEED + first, n_matches, MOST_CHOICES, ONE_IN) {
            Ok(tally) => tally,
            Err(broken) => panic!("{}: {broken}", subject.title()),
        };
        let mut done = done.lock().unwrap();
        let (total, took) = done.entry(subject).or_default();
        *total += tally;
        *took += began.elapsed();
        if total.matches == wanted(subject) {
            let Tally { matches, over, played, searched, tried } = total;
            let seconds = took.as_secs_f64();
            println!("{matches:7}  {over:4}  {played:7}  {searched:12}  {tried:5}  {seconds:7.1}  {}", subject.title());
        }
    });
    let total: u64 = done.into_inner().unwrap().values().map(|(tally, _)| tally.matches).sum();
    println!("{total} matches of {} games and variants: the laws of play hold.", subjects.len());
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

/// The same in the middle of matches, when pieces stand in each other's way, are crowned, must jump or cannot move.
#[test]
fn random_play_is_uniform_in_the_middle_of_every_game() {
    let mut n_tested = 0;
    for name in list() {
        let game = find(&name).unwrap().compile(&small(&name)).unwrap();
        for (seed, plies) in [(1, 5), (2, 17), (3, 40), (4, 41), (5, 64)] {
            let (mut position, mut generator) = (game.open().unwrap(), Generator::new(SEED + seed));
            let goes_on = (0..plies).all(|_| position.is_over() || position.play_random(&mut generator) == Ok(true));
            if !goes_on || position.is_over() {
                continue;
            }
            n_tested += 1;
            if let Err(broken) = laws::uniform(&mut *position, SEED, 1500) {
                panic!("{name} after {plies} plies: {broken}");
            }
        }
    }
    assert!(n_tested > 50, "only {n_tested} positions were tested");
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

#[test]
fn the_checker_has_nothing_against_any_game() {
    for name in list() {
        let found = find(&name).unwrap();
        assert!(found.diagnostics.is_empty(), "{}", found.messages(false));
    }
}
