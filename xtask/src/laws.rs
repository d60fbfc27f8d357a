//! `cargo xtask laws`: the laws of play, on thousands of random matches of every game.

use crate::cargo;

/// Runs the long test of `library`, which prints a line for each game and variant.
pub fn run(mut options: &[&str]) -> Result<(), String> {
    let mut command = cargo::cargo(&[
        "test",
        "--release",
        "--package",
        "houserules-library",
        "--test",
        "laws",
        "--",
        "--ignored",
        "--nocapture",
        "thousands",
    ]);
    loop {
        options = match options {
            [] => break,
            ["--matches", number, rest @ ..] => {
                let matches = number.parse::<u64>().ok().filter(|&matches| matches > 0);
                let matches = matches.ok_or_else(|| format!("“{number}” is no number of matches."))?;
                command.env("HOUSERULES_MATCHES", matches.to_string());
                rest
            }
            ["--game", game, rest @ ..] => {
                houserules_library::find(game)?;
                command.env("HOUSERULES_GAME", game);
                rest
            }
            [other, ..] => {
                return Err(format!(
                    "`cargo xtask laws` does not know `{other}`, or it lacks a value; `cargo xtask` lists what it does."
                ));
            }
        };
    }
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err("A law of play is broken; see above.".into()),
        Err(error) => Err(format!("The test could not be started: {error}.")),
    }
}
