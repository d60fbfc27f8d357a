//! `cargo xtask minutes`: how long people need for a match of each game whose definition does not say it.

use std::fmt::Write;
use std::fs;
use std::sync::atomic::AtomicBool;

use houserules_arena::{Referee, crew};
use houserules_kernel::Refusal;
use houserules_library::{Options, find, list, list_bgd, list_ceptre, list_files};
use houserules_players::{Level, Player};

use crate::cargo;

/// Random play is no guide: it wanders.
const LEVEL: u8 = 3;
const MATCHES: u64 = 3;
/// A match that does not end is cut.
const LONGEST: u64 = 600;
/// What a person thinks about a choice.
const SECONDS: u64 = 10;

pub fn run() -> Result<(), String> {
    let mut table = String::new();
    for name in [list(), list_bgd(), list_ceptre(), list_files()].concat() {
        let found = find(&name)?;
        let says =
            found.about(&Options::default()).is_ok_and(|about| about.info.iter().any(|(key, _)| key == "minutes"));
        let Some(minutes) = (if says { None } else { minutes(&name)? }) else { continue };
        println!("{name:24}  {minutes} minutes");
        let _ = writeln!(table, "{name} {minutes}");
    }
    let path = cargo::root().join("games/minutes.txt");
    fs::write(&path, table).map_err(|error| format!("{} cannot be written: {error}.", path.display()))
}

/// None for what is no match, such as a game in which only a referee does anything.
fn minutes(name: &str) -> Result<Option<u64>, String> {
    let game = find(name)?.rulebook(&Options::default()).map_err(|messages| format!("{name}:\n{messages}"))?;
    let Some(level) = Level::new(LEVEL) else { return Ok(None) };
    let n_seats = game.seats().len() as u64;
    let play = |number: u64| -> Result<u64, Refusal> {
        let seed = |lane| crew::seed_of(1, lane, number);
        let mut players: Vec<Box<dyn Player>> = (1..=n_seats).map(|seat| level.player(seed(seat), None)).collect();
        Referee { rulebook: &*game, seed: seed(0), longest: LONGEST }
            .play(&mut players, &mut ())
            .map(|played| played.choices)
    };
    let mut choices = 0;
    crew::run(0..MATCHES, crew::cores(), &AtomicBool::new(false), play, |played| {
        choices += played.map_err(|refusal| refusal.to_string())?;
        Ok::<(), String>(())
    })?;
    let minutes = (choices * SECONDS).div_ceil(60 * MATCHES);
    // Nobody believes 67 minutes.
    Ok((choices > 0).then_some(if minutes > 20 { minutes.div_ceil(5) * 5 } else { minutes }))
}
