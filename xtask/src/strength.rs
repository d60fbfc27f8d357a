//! `cargo xtask strength`: how often a level beats another, game by game.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use houserules_arena::{Referee, crew};
use houserules_kernel::{Refusal, SeatId, Standing};
use houserules_library::{Game, Options, find};
use houserules_players::{Level, Player};

use crate::cargo;

/// Who meets whom, and how often.
#[derive(Clone, Copy)]
pub struct Meeting {
    pub level: u8,
    pub against: u8,
    pub matches: u64,
}

/// Names and values.
type Settings = &'static [(&'static str, &'static str)];

/// The games, each with a variant or a setting that makes it the usual size for this.
const GAMES: [(&str, &str, Settings); 9] = [
    ("connect-four", "", &[]),
    ("othello", "", &[]),
    ("breakthrough", "", &[]),
    ("awele", "", &[]),
    ("hex", "", &[("size", "7")]),
    ("go", "9x9", &[]),
    ("english-draughts", "", &[]),
    ("hedges", "", &[("size", "5"), ("hedges", "4")]),
    ("star-halma", "", &[("rounds", "60")]),
];

/// Every level from 2 to `most` against the one below it, in every game; a level that is weaker is named at the end.
pub fn ladder(most: u8, matches: u64, only: Option<&str>) -> Result<(), String> {
    if cfg!(debug_assertions) {
        let numbers = [u64::from(most), matches].map(|number| number.to_string());
        let mut args = vec!["run", "--release", "--package", "xtask", "--", "strength", "--ladder", &numbers[0]];
        args.extend(["--matches", &numbers[1]]);
        args.extend(only.iter().flat_map(|game| ["--game", game]));
        return cargo::run(&args);
    }
    let mut weaker = Vec::new();
    for level in 2..=most {
        let meeting = Meeting { level, against: level - 1, matches };
        for (name, counted) in meet(meeting, only)? {
            // As much as chance gives away in so many matches, and more.
            if (counted.lost - counted.lost.min(counted.won)).pow(2) > 4 * matches {
                weaker.push(format!("{name}: level {level} won {} and lost {}", counted.won, counted.lost));
            }
        }
    }
    if weaker.is_empty() { Ok(()) } else { Err(format!("Weaker than the level below:\n{}", weaker.join("\n"))) }
}

pub fn run(meeting: Meeting, only: Option<&str>) -> Result<(), String> {
    if cfg!(debug_assertions) {
        // Chores are built for testing; a level is what players get.
        let numbers =
            [meeting.level.into(), meeting.against.into(), meeting.matches].map(|number: u64| number.to_string());
        let [level, against, matches] = &numbers;
        let mut args = vec!["run", "--release", "--package", "xtask", "--", "strength"];
        args.extend(["--level", level, "--against", against, "--matches", matches]);
        args.extend(only.iter().flat_map(|game| ["--game", game]));
        return cargo::run(&args);
    }
    meet(meeting, only).map(|_| ())
}

/// One line for each game.
fn meet(meeting: Meeting, only: Option<&str>) -> Result<Vec<(&'static str, Counted)>, String> {
    println!("Level {} against level {}, seats in turn:", meeting.level, meeting.against);
    let mut met = Vec::new();
    for (name, variant, settings) in GAMES.into_iter().filter(|(name, ..)| only.is_none_or(|only| only == *name)) {
        let variants = if variant.is_empty() { Vec::new() } else { vec![variant.to_owned()] };
        let settings = settings.iter().map(|&(name, value)| (name.into(), value.into())).collect();
        let game = find(name)?.compile(&Options { variants, settings, ..Options::default() })?;
        let began = Instant::now();
        let counted = count(&game, meeting, crew::cores())?;
        println!(
            "{name:14}  won {:>3}  drawn {:>3}  lost {:>3}  {:.2} seconds a match",
            counted.won,
            counted.drawn,
            counted.lost,
            began.elapsed().as_secs_f64() / meeting.matches.max(1) as f64
        );
        met.push((name, counted));
    }
    Ok(met)
}

#[derive(Default, Debug, PartialEq)]
pub struct Counted {
    pub won: u64,
    pub drawn: u64,
    pub lost: u64,
}

/// A match that does not end counts as drawn.
const LONGEST: u64 = 2_000;

pub fn count(game: &Game, meeting: Meeting, n_threads: usize) -> Result<Counted, String> {
    let (Some(level), Some(against)) = (Level::new(meeting.level), Level::new(meeting.against)) else {
        return Err("Levels go from 1 to 10.".into());
    };
    let play = |number: u64| -> Result<Standing, Refusal> {
        let own = (number % 2) as u8;
        let seed = |lane| crew::seed_of(1, lane, number);
        let player = |seat: u8| if seat == own { level } else { against }.player(seed(1 + u64::from(seat)), None);
        let mut players: Vec<Box<dyn Player>> = vec![player(0), player(1)];
        let referee = Referee { rulebook: game, seed: seed(0), longest: LONGEST };
        let played = referee.play(&mut players, &mut ())?;
        Ok(played.outcome.map_or(Standing::Drew, |outcome| outcome.standing(SeatId(own))))
    };
    let mut counted = Counted::default();
    crew::run(0..meeting.matches, n_threads, &AtomicBool::new(false), play, |standing| {
        match standing.map_err(|refusal| refusal.to_string())? {
            Standing::Won => counted.won += 1,
            Standing::Drew => counted.drawn += 1,
            Standing::Lost => counted.lost += 1,
        }
        Ok::<(), String>(())
    })?;
    Ok(counted)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Far below what the chore shows: enough to see that a level that thinks beats one that does not.
    #[test]
    fn a_level_that_looks_ahead_beats_one_that_does_not() {
        let game = find("connect-four").unwrap().compile(&Options::default()).unwrap();
        let counted = count(&game, Meeting { level: 4, against: 1, matches: 10 }, 2).unwrap();
        assert!(counted.won >= 9, "{counted:?}");
        assert!(count(&game, Meeting { level: 11, against: 1, matches: 1 }, 1).is_err());
    }
}
