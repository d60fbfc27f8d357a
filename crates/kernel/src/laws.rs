//! The laws of play: what holds for every game, tried on random matches.
//!
//! An implementer runs them in one line: `laws::hold(&rulebook, 1, 1_000, 200).unwrap()`. What fails is
//! told with the seed of the match and the moves that lead there.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::AddAssign;

use crate::{Fingerprint, Generator, Position, Rulebook};

mod scrutiny;
mod snapshot;
mod trial;

use trial::Trial;

/// Plays `matches` random matches of at most `max_plies` choices and tests the laws of play all along.
///
/// Match `n` uses the seed `seed + n`: `hold(rulebook, seed + n, 1, max_plies)` plays it again.
pub fn hold(rulebook: &dyn Rulebook, seed: u64, matches: u64, max_plies: usize) -> Result<Tally, Broken> {
    hold_sampled(rulebook, seed, matches, max_plies, USUALLY)
}

/// As [`hold`], with the dear laws tested less often: for thousands of matches of a game with many choices.
///
/// Every match is listed choice by choice, played to its end, replayed, taken back to the start, and its seed is
/// played twice. Every listed choice is tried and undone, with all views, once in `one_in` positions; words, offers
/// and two choices are looked at eight times as often.
pub fn hold_sampled(
    rulebook: &dyn Rulebook,
    seed: u64,
    matches: u64,
    max_plies: usize,
    one_in: u64,
) -> Result<Tally, Broken> {
    let mut tally = Tally::default();
    for number in 0..matches {
        let seed = seed.wrapping_add(number);
        Trial::open(rulebook, seed, one_in)?.run(max_plies, &mut tally)?;
        a_seed_gives_one_match(rulebook, seed, max_plies)?;
        tally.matches += 1;
    }
    Ok(tally)
}

/// Trying everything everywhere would make hundreds of matches of a wide game take hours.
const USUALLY: u64 = 8;

/// What was done while the laws of play held.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    pub matches: u64,
    /// Matches that were played to their end.
    pub over: u64,
    /// Choices played in them.
    pub played: u64,
    /// Positions in which every law was tested.
    pub searched: u64,
    /// Listed choices that were tried and undone.
    pub tried: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.matches += other.matches;
        self.over += other.over;
        self.played += other.played;
        self.searched += other.searched;
        self.tried += other.tried;
    }
}

/// Tests that `play_random` draws each choice of the open decision as often as its lot says.
///
/// Pearson's chi-squared over `draws` draws, allowed five standard deviations: a fair draw fails about
/// once in a million seeds, and with a fixed seed always or never.
pub fn uniform(position: &mut dyn Position, seed: u64, draws: u32) -> Result<(), Broken> {
    let broken =
        |what: String| Broken { law: "Random play is uniform over the choices", what, seed, words: Vec::new() };
    let Some(&who) = position.decision().open_to().first() else {
        return Err(broken("The position is over, there is nothing to draw.".into()));
    };
    // Choices that lead to equal positions cannot be told apart from outside; they are counted together.
    let mut expected: BTreeMap<Fingerprint, u64> = BTreeMap::new();
    for choice in position.choices(who) {
        let weight = u64::from(position.lot(who, &choice));
        position.play(who, &choice).map_err(|refusal| broken(refusal.to_string()))?;
        *expected.entry(position.fingerprint()).or_default() += weight;
        position.undo();
    }
    let mut drawn: BTreeMap<Fingerprint, u64> = BTreeMap::new();
    let mut generator = Generator::new(seed);
    for _ in 0..draws {
        position.play_random(&mut generator).map_err(|refusal| broken(refusal.to_string()))?;
        *drawn.entry(position.fingerprint()).or_default() += 1;
        position.undo();
    }
    if let Some(stray) = drawn.keys().find(|fingerprint| expected.get(fingerprint).is_none_or(|&weight| weight == 0)) {
        return Err(broken(format!("A draw led to {stray:?}, and no listed choice leads there.")));
    }
    let total: u64 = expected.values().sum();
    let chi_squared: f64 = expected
        .iter()
        .filter(|&(_, &weight)| weight > 0)
        .map(|(fingerprint, &weight)| {
            let expected = f64::from(draws) * weight as f64 / total as f64;
            let difference = drawn.get(fingerprint).copied().unwrap_or(0) as f64 - expected;
            difference * difference / expected
        })
        .sum();
    let freedom = expected.len().saturating_sub(1) as f64;
    let allowed = freedom + 5.0 * (2.0 * freedom).sqrt() + 5.0;
    if chi_squared > allowed {
        return Err(broken(format!("Chi-squared is {chi_squared:.1}, at most {allowed:.1} is credible: {drawn:?}")));
    }
    Ok(())
}

/// A law of play that does not hold, and how to see it again.
#[derive(Clone, PartialEq, Eq)]
pub struct Broken {
    /// The law.
    pub law: &'static str,
    /// What was found instead.
    pub what: String,
    pub seed: u64,
    /// The moves that lead there, in words.
    pub words: Vec<String>,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "A law of play is broken: {}.", self.law)?;
        writeln!(f, "  found  {}", self.what)?;
        writeln!(f, "  seed   {}", self.seed)?;
        write!(f, "  moves  {}", if self.words.is_empty() { "none".into() } else { self.words.join(" · ") })
    }
}

/// As for people, because `unwrap` in a test prints this one.
impl fmt::Debug for Broken {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl std::error::Error for Broken {}

fn a_seed_gives_one_match(rulebook: &dyn Rulebook, seed: u64, max_plies: usize) -> Result<(), Broken> {
    let play = || -> Option<Vec<Fingerprint>> {
        let mut position = rulebook.open().ok()?;
        let mut generator = Generator::new(seed);
        let mut passed = Vec::new();
        while passed.len() < max_plies && position.play_random(&mut generator).ok()? {
            passed.push(position.fingerprint());
        }
        Some(passed)
    };
    let (first, second) = (play(), play());
    if first.is_some() && first == second {
        return Ok(());
    }
    let what = match first {
        None => "Random play fails.".into(),
        Some(_) => "Two matches with this seed differ.".into(),
    };
    Err(Broken { law: "The same seed gives the same match", what, seed, words: Vec::new() })
}
