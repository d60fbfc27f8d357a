//! `cargo xtask bench --scaling`: what larger boards cost, in time and memory, and what more threads give.

use std::num::NonZero;
use std::thread;
use std::time::{Duration, Instant};

use houserules_kernel::{Generator, Position, Rulebook};
use houserules_library::{Game, Options};

use crate::{clock, games};

/// A game in several sizes.
struct Series {
    game: &'static str,
    variants: &'static [&'static str],
    setting: &'static str,
    sizes: &'static [u32],
}

const SERIES: &[Series] = &[
    Series { game: "go", variants: &[], setting: "size", sizes: &[9, 13, 19, 37] },
    Series { game: "hex", variants: &[], setting: "size", sizes: &[7, 11, 15, 19, 23, 27, 31] },
    // Half a ring each: rings of 6 to 100.
    Series { game: "awele", variants: &[], setting: "holes", sizes: &[3, 6, 12, 25, 50] },
];

/// Moves after which the memory of a table is looked at.
const LATER: u64 = 100;

/// Moves between two looks at the clock and at whether the match is over.
const AT_ONCE: u64 = 32;

pub fn run(game: Option<&str>, seconds: f64) -> Result<(), String> {
    let n_threads = thread::available_parallelism().map_or(1, NonZero::get);
    let threads = format!("{n_threads} threads");
    print!("{}", cells(["game", "moves/s", "µs/move", "position", "table", "1 thread", &threads, "times"]));
    for series in SERIES.iter().filter(|series| game.is_none_or(|game| game == series.game)) {
        for size in series.sizes {
            let options = Options {
                variants: series.variants.iter().map(|&variant| variant.to_owned()).collect(),
                settings: vec![(series.setting.to_owned(), size.to_string())],
                ..Options::default()
            };
            let game = games::compile(series.game, &options)?;
            let start = game.open().map_err(|error| error.to_string())?;
            let alone = moves_per_second(&*start, seconds)?;
            let (position, table) = memory(&game)?;
            let one = together(&*start, 1, seconds)?;
            let all = together(&*start, n_threads, seconds)?;
            print!(
                "{}",
                cells([
                    &format!("{} {}={size}", series.game, series.setting),
                    &format!("{alone:.0}"),
                    &format!("{:.2}", 1e6 / alone),
                    &position.to_string(),
                    &table.to_string(),
                    &format!("{one:.0}"),
                    &format!("{all:.0}"),
                    &format!("{:.2}", all / one),
                ])
            );
        }
    }
    println!(
        "Moves of random play a second of the thread; the last three columns by the clock on the wall.\n\
         Position: bytes at the start. Table: bytes {LATER} moves on, with all of them to undo."
    );
    Ok(())
}

/// A match in progress at random, begun again when it is over.
struct Running<'a> {
    start: &'a dyn Position,
    position: Box<dyn Position>,
    generator: Generator,
    moves: u64,
}

impl<'a> Running<'a> {
    fn new(start: &'a dyn Position, seed: u64) -> Self {
        Running { start, position: start.duplicate(), generator: Generator::new(seed), moves: 0 }
    }

    fn go_on(&mut self) -> Result<(), String> {
        self.moves += self.position.playout(&mut self.generator, AT_ONCE).map_err(|refusal| refusal.to_string())?;
        if self.position.is_over() && !self.position.copy_from(self.start) {
            self.position = self.start.duplicate();
        }
        Ok(())
    }
}

/// Whole matches one after the other; the last one may be cut off.
fn moves_per_second(start: &dyn Position, seconds: f64) -> Result<f64, String> {
    let mut running = Running::new(start, 1);
    let took = clock::repeat(seconds, || running.go_on())?;
    Ok(running.moves as f64 / took)
}

/// Moves a second of several threads, each with a match of its own.
fn together(start: &dyn Position, n_threads: usize, seconds: f64) -> Result<f64, String> {
    let starts: Vec<Box<dyn Position>> = (0..n_threads).map(|_| start.duplicate()).collect();
    let began = Instant::now();
    let most = Duration::from_secs_f64(seconds);
    let counts: Vec<Result<u64, String>> = thread::scope(|scope| {
        let play = |(seed, start): (usize, Box<dyn Position>)| {
            scope.spawn(move || {
                let mut running = Running::new(&*start, seed as u64 + 1);
                while began.elapsed() < most {
                    running.go_on()?;
                }
                Ok(running.moves)
            })
        };
        let threads: Vec<_> = starts.into_iter().enumerate().map(play).collect();
        threads.into_iter().map(|thread| thread.join().map_err(|_| "A thread stopped.".to_owned())?).collect()
    });
    let moves = counts.into_iter().sum::<Result<u64, String>>()?;
    Ok(moves as f64 / began.elapsed().as_secs_f64())
}

/// Bytes of a position at the start, and of one in the middle of a match that can be taken back to the start.
fn memory(game: &Game) -> Result<(usize, usize), String> {
    let mut position = game.start().map_err(|error| error.to_string())?;
    let start = position.bytes();
    let mut generator = Generator::new(1);
    for _ in 0..LATER {
        if !position.play_random(&mut generator).map_err(|refusal| refusal.to_string())? {
            break;
        }
    }
    Ok((start, position.bytes()))
}

fn cells(cells: [&str; 8]) -> String {
    let [game, moves, time, position, table, one, all, times] = cells;
    format!("{game:14}  {moves:>9}  {time:>8}  {position:>8}  {table:>8}  {one:>9}  {all:>9}  {times:>5}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex() -> Game {
        let size = ("size".to_owned(), "5".to_owned());
        games::compile("hex", &Options { settings: vec![size], ..Options::default() }).unwrap()
    }

    #[test]
    fn every_size_is_a_size_of_its_game() {
        for series in SERIES {
            let largest = series.sizes.iter().max().unwrap().to_string();
            let settings = vec![(series.setting.to_owned(), largest)];
            let game = games::compile(series.game, &Options { settings, ..Options::default() });
            assert!(game.is_ok(), "{:?}", game.err());
        }
    }

    #[test]
    fn threads_and_memory_are_measured() {
        let game = hex();
        let start = game.open().unwrap();
        assert!(moves_per_second(&*start, 0.01).unwrap() > 0.0);
        assert!(together(&*start, 2, 0.02).unwrap() > 0.0);
        let (position, table) = memory(&game).unwrap();
        // Twenty-five cells of a word each, and moves to undo on top.
        assert!(position > 8 * 25 && table > position, "{position} {table}");
    }
}
