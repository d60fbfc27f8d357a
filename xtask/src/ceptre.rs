//! `cargo xtask bench --ceptre`: random matches of the games in Ceptre a second, beside the interpreter the language comes
//! from.

use houserules::playout::{self, Until};
use houserules_library::Options;

use crate::clock::thread_seconds;

/// Random matches a second of the original, compiled by MLton, in one process and without its logs: the fastest it was
/// measured with.
const ORIGINAL: [(&str, f64); 4] =
    [("tic-tac-toe.cep", 1_936.0), ("connect-four.cep", 180.0), ("battleships.cep", 102.0), ("othello.cep", 2.1)];

/// The best of so many runs: what else the computer does only ever makes one slower.
const RUNS: u32 = 5;

pub fn run(only: Option<&str>, seconds: f64) -> Result<(), String> {
    println!("{:24}  {:>11}  {:>6}  {:>9}  {:>9}", "game", "matches/s", "length", "original", "faster");
    for name in houserules_library::list_ceptre() {
        if only.is_some_and(|only| name.trim_end_matches(".cep") != only.trim_end_matches(".cep")) {
            continue;
        }
        let game = houserules_library::find(&name)?.rulebook(&Options::default())?;
        let (mut best, mut length) = (0.0, 0.0);
        for seed in 0..RUNS {
            let until = Until::Elapsed(std::time::Duration::from_secs_f64(seconds / f64::from(RUNS)));
            let began = thread_seconds();
            let found =
                playout::run(&*game, until, u64::from(seed)).map_err(|failure| format!("{name}: {failure:?}"))?;
            let per_second = found.playouts as f64 / (thread_seconds() - began);
            if per_second > best {
                (best, length) = (per_second, found.average_length());
            }
        }
        println!("{}", line(&name, best, length));
    }
    println!(
        "A second is one of the thread, best of {RUNS} runs; length in choices. Dashes: the original was not measured."
    );
    Ok(())
}

fn line(name: &str, per_second: f64, length: f64) -> String {
    let original = ORIGINAL.iter().find(|(known, _)| *known == name).map(|(_, speed)| *speed);
    let (theirs, faster) = match original {
        Some(speed) => (format!("{speed}"), format!("{:.0}×", per_second / speed)),
        None => ("–".into(), "–".into()),
    };
    format!("{name:24}  {per_second:>11.0}  {length:>6.1}  {theirs:>9}  {faster:>9}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_much_faster() {
        assert!(line("othello.cep", 4_200.0, 60.0).ends_with("2.1      2000×"));
        assert!(line("nim.cep", 4_200.0, 6.0).ends_with("–          –"));
        for (name, _) in ORIGINAL {
            assert!(houserules_library::list_ceptre().iter().any(|known| known == name), "{name}");
        }
    }
}
