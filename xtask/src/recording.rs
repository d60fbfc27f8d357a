//! `cargo xtask bench --records`: what recording costs, and how fast a long record is played again.

use std::time::Instant;

use crate::clock::thread_seconds;
use houserules_kernel::{Decision, Generator, Rulebook, Who};
use houserules_library::Options;
use houserules_record::{Head, Match, Record, Source, Which, begin, open};

/// Moves of the long record.
const LONG: usize = 10_000;

/// One game, or two that differ in how much a move does.
pub fn run(game: Option<&str>, seconds: f64) -> Result<(), String> {
    for game in game.map_or(vec!["tic-tac-toe", "awele"], |game| vec![game]) {
        print!("{}", report(game, seconds)?);
    }
    Ok(())
}

/// A paragraph about one game.
fn report(game: &str, seconds: f64) -> Result<String, String> {
    let (plain, recorded) = one_move(game, seconds)?;
    let (n_moves, bytes, written, read, replayed) = long(game)?;
    let cost = (recorded - plain) * 1e9;
    let milliseconds = |seconds: f64| 1000.0 * seconds;
    Ok(format!(
        "{game}: {:.0} ns a random move, {:.0} ns recorded, so {cost:.0} ns for recording.\n\
         A record of {n_moves} moves ({bytes} bytes): written in {:.0} ms, read in {:.0} ms, replayed in {:.0} ms.\n",
        plain * 1e9,
        recorded * 1e9,
        milliseconds(written),
        milliseconds(read),
        milliseconds(replayed),
    ))
}

/// Seconds for one random move chosen from the list of choices, without a record and with one.
///
/// Both play the same matches in turn, and only time that the computer gave to this thread counts.
fn one_move(game: &str, seconds: f64) -> Result<(f64, f64), String> {
    let rulebook = houserules_library::find(game)?.compile(&Options::default())?;
    let opened = rulebook.open().map_err(|error| error.to_string())?;
    let fresh = start(game)?;
    let (mut plain, mut recorded) = (0.0, 0.0);
    let (mut n_moves, mut seed) = (0_u64, 0);
    while plain + recorded < seconds {
        seed += 1;
        let (mut position, mut generator) = (opened.duplicate(), Generator::new(seed));
        let began = thread_seconds();
        while let Some(&who) = position.decision().open_to().first() {
            let choices = position.choices(who);
            let choice = &choices[generator.below(choices.len() as u64) as usize];
            position.play(who, choice).map_err(|refusal| refusal.to_string())?;
            n_moves += 1;
        }
        plain += thread_seconds() - began;
        let (mut now, mut generator) = (fresh.fork("bench"), Generator::new(seed));
        let began = thread_seconds();
        while let Some(&who) = now.decision().open_to().first() {
            random_move(&mut now, who, &mut generator)?;
        }
        recorded += thread_seconds() - began;
    }
    let each = |seconds: f64| seconds / n_moves as f64;
    Ok((each(plain), each(recorded)))
}

fn start(game: &str) -> Result<Match, String> {
    begin(&houserules_library::find(game)?, Head::default(), Source::Digest)
}

fn random_move(now: &mut Match, who: Who, generator: &mut Generator) -> Result<(), String> {
    let choices = now.choices(who);
    let choice = &choices[generator.below(choices.len() as u64) as usize];
    now.play(who, choice).map_err(|refused| refused.to_string())
}

/// A record with many moves: a match that is over is taken back and goes another way.
fn long(game: &str) -> Result<(usize, usize, f64, f64, f64), String> {
    let mut now = start(game)?;
    let mut generator = Generator::new(2);
    let mut n_moves = 0;
    while n_moves < LONG {
        match now.decision() {
            Decision::Over(_) => drop(now.undo(u32::MAX)),
            open => {
                random_move(&mut now, open.open_to()[0], &mut generator)?;
                n_moves += 1;
            }
        }
    }
    let began = Instant::now();
    let text = now.record().to_string();
    let written = began.elapsed().as_secs_f64();
    let began = Instant::now();
    let parsed = Record::parse(&text);
    let read = began.elapsed().as_secs_f64();
    let began = Instant::now();
    let mut replay = open(parsed.record, None, Which::Made)?.replay;
    if let Some(fault) = replay.run() {
        return Err(format!("{game}: {fault}"));
    }
    let replayed = began.elapsed().as_secs_f64();
    if replay.now().fingerprint() != now.fingerprint() {
        return Err(format!("{game}: the record ends elsewhere than the match."));
    }
    Ok((n_moves, text.len(), written, read, replayed))
}
