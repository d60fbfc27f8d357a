//! `cargo xtask laws`: the laws of play, on thousands of random matches of every game.

use crate::cargo;

/// Crate, file and name of each law that is tried.
const TESTS: [(&str, &str, &str); 4] = [
    ("houserules-library", "laws", "thousands"),
    ("houserules-library", "in_bgd", "thousands"),
    ("houserules-scene", "audience", "thousands"),
    ("houserules-scene", "laws", "hidden_things"),
];
/// Matches of each game, unless something else is said.
const MATCHES: u64 = 2000;

/// The laws of play, then what is never created or lost, then those of scenes: who follows a match sees what a replay shows, and nothing of what is hidden.
pub fn run(mut options: &[&str]) -> Result<(), String> {
    let mut wanted: Vec<(&str, String)> = vec![("HOUSERULES_MATCHES", MATCHES.to_string())];
    loop {
        options = match options {
            [] => break,
            ["--matches", number, rest @ ..] => {
                let matches = number.parse::<u64>().ok().filter(|&matches| matches > 0);
                let matches = matches.ok_or_else(|| format!("“{number}” is no number of matches."))?;
                wanted.push(("HOUSERULES_MATCHES", matches.to_string()));
                rest
            }
            ["--game", game, rest @ ..] => {
                houserules_library::find(game)?;
                wanted.push(("HOUSERULES_GAME", (*game).to_owned()));
                rest
            }
            [other, ..] => {
                return Err(format!(
                    "`cargo xtask laws` does not know `{other}`, or it lacks a value; `cargo xtask` lists what it does."
                ));
            }
        };
    }
    for (package, file, law) in TESTS {
        let args =
            ["test", "--release", "--package", package, "--test", file, "--", "--include-ignored", "--nocapture", law];
        match cargo::cargo(&args).envs(wanted.iter().cloned()).status() {
            Ok(status) if status.success() => {}
            Ok(_) => return Err("A law of play is broken; see above.".into()),
            Err(error) => return Err(format!("The test could not be started: {error}.")),
        }
    }
    Ok(())
}
