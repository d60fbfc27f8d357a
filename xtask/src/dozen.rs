//! `cargo xtask bench --dozen`: random matches a second of a dozen small games, each of another style, and their median.
//!
//! Nothing is tuned on them: they are measured as they were first written, and not changed when something becomes faster.

use std::path::PathBuf;

use houserules::playout::{self, Until};
use houserules_library::Options;

use crate::cargo;

pub fn run(only: Option<&str>, seconds: f64) -> Result<(), String> {
    println!("{:16}  {:>9}  {:>6}  {:>9}", "game", "matches/s", "length", "moves/s");
    let mut speeds = Vec::new();
    for path in games()? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if only.is_some_and(|only| only != name) {
            continue;
        }
        let game = houserules_library::find(&path.to_string_lossy())?.rulebook(&Options::default())?;
        let until = Until::Elapsed(std::time::Duration::from_secs_f64(seconds));
        let found = playout::run(&*game, until, 1).map_err(|failure| format!("{name}: {failure:?}"))?;
        let (speed, length) = (found.per_second(), found.average_length());
        println!("{name:16}  {speed:>9.0}  {length:>6.1}  {:>9.0}", speed * length);
        speeds.push(speed);
    }
    match median(&mut speeds) {
        Some(median) => println!("{:16}  {median:>9.0}", "median"),
        None => println!("There is no such game in xtask/dozen."),
    }
    Ok(())
}

fn games() -> Result<Vec<PathBuf>, String> {
    let folder = cargo::root().join("xtask/dozen");
    let told = |error: std::io::Error| format!("{}: {error}", folder.display());
    let entries = std::fs::read_dir(&folder).map_err(told)?;
    let mut paths =
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>().map_err(told)?;
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "gdl"));
    paths.sort();
    Ok(paths)
}

/// The middle one; of an even number the lower of the two in the middle.
fn median(speeds: &mut [f64]) -> Option<f64> {
    speeds.sort_by(f64::total_cmp);
    speeds.get(speeds.len().checked_sub(1)? / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dozen_games_end() {
        let games = games().unwrap();
        assert_eq!(games.len(), 12);
        for path in games {
            let found = houserules_library::find(&path.to_string_lossy()).unwrap();
            let game = found.rulebook(&Options::default()).unwrap();
            let found = playout::run(&*game, Until::Matches(5), 1).unwrap();
            assert_eq!((found.playouts, found.cut), (5, 0), "{}", path.display());
        }
    }

    #[test]
    fn the_median_is_the_middle_one() {
        assert_eq!(median(&mut [3.0, 9.0, 1.0]), Some(3.0));
        assert_eq!(median(&mut []), None);
    }
}
