//! `cargo xtask bench --instructions`: what a random move costs, counted and not timed.
//!
//! Seconds differ from computer to computer and from run to run; instructions hardly do. The program runs twice under
//! `valgrind`, and plays more matches the second time: what both do, such as compiling, is not in the difference.

use std::path::Path;
use std::process::Command;

use crate::cargo;

/// What is played, and how many matches the first and the second time.
struct Count {
    game: &'static str,
    options: &'static [&'static str],
    matches: [u64; 2],
}

const fn count(game: &'static str, matches: [u64; 2]) -> Count {
    Count { game, options: &[], matches }
}

const COUNTS: &[Count] = &[
    count("tic-tac-toe", [1_000, 11_000]),
    count("connect-four", [300, 3_300]),
    count("othello", [100, 400]),
    count("awele", [100, 600]),
    count("breakthrough", [100, 600]),
    count("hex", [100, 600]),
    Count { options: &["--set", "size=9"], ..count("go", [50, 250]) },
    Count { options: &["--variant", "repetition goes on"], ..count("chess", [5, 25]) },
    count("gomoku", [100, 1_100]),
    count("yavalath", [300, 3_300]),
    Count { options: &["--variant", "twenty quiet moves"], ..count("english-draughts", [100, 600]) },
    Count { options: &["--variant", "twenty quiet moves"], ..count("nine-mens-morris", [100, 600]) },
    count("amazons", [20, 80]),
    count("backgammon", [5, 15]),
];

pub fn run(only: Option<&str>) -> Result<(), String> {
    let chosen = || COUNTS.iter().filter(|count| only.is_none_or(|game| game == count.game));
    if chosen().next().is_none() {
        let games: Vec<&str> = COUNTS.iter().map(|count| count.game).collect();
        return Err(format!("Instructions are counted for these games:\n    {}", games.join("  ")));
    }
    println!("{:42}  {:>12}  {:>8}", "game", "instructions", "moves");
    for count in chosen() {
        let [few, many] = count.matches.map(|matches| ran(count, matches));
        let ((less, some), (more, all)) = (few?, many?);
        let title = [&[count.game], count.options].concat().join(" ");
        println!("{title:42}  {:>12}  {:>8}", (more - less) / (all - some).max(1), all - some);
    }
    println!("Instructions a move in random play, as the difference of a short and a long run.");
    Ok(())
}

/// The instructions of so many matches, and their moves.
fn ran(count: &Count, matches: u64) -> Result<(u64, u64), String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let program = program.parent().unwrap_or(Path::new(".")).join("houserules");
    let ran = Command::new("valgrind")
        .args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"])
        .arg(&program)
        .args(["playout", count.game, "--json", "--matches", &matches.to_string()])
        .args(count.options)
        .current_dir(cargo::root())
        .output()
        .map_err(|error| format!("`valgrind` could not be started: {error}.\nHint: apt-get install valgrind"))?;
    let told = String::from_utf8_lossy(&ran.stderr);
    let moves = serde_json::from_slice::<serde_json::Value>(&ran.stdout).ok().and_then(|json| json["moves"].as_u64());
    // A program that valgrind stops in the middle has counted instructions too.
    match (ran.status.success(), refs(&told), moves) {
        (true, Some(refs), Some(moves)) => Ok((refs, moves)),
        _ => Err(format!("{} under valgrind did not come to its end:\n{told}", program.display())),
    }
}

/// The number behind `I   refs:`.
fn refs(told: &str) -> Option<u64> {
    let line = told.lines().find(|line| line.contains("refs:"))?;
    line.rsplit(' ').next()?.replace(',', "").parse().ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_number_is_read_off_what_valgrind_tells() {
        let told = "==7== Cachegrind\n==7== \n==7== I   refs:      1,234,567\n";
        assert_eq!(super::refs(told), Some(1_234_567));
        assert_eq!(super::refs("valgrind: no such tool"), None);
    }
}
