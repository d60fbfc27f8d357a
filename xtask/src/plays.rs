//! `cargo xtask plays`: writes `games/*/plays/first.play` anew, a match that a player of the game can proofread.

use std::fmt::Write;
use std::fs;

use houserules::commands::{name_of, result};
use houserules::draw;
use houserules::paint::Paint;
use houserules_kernel::{Decision, Generator, Position, Rulebook, SeatId, Viewer, Who};
use houserules_library::Options;

use crate::games::{self, Folder};

/// The match that is shown.
const SEED: u64 = 1;
/// Decisions shown from the start.
const SHOWN: usize = 12;
/// Choices named at each decision.
const NAMED: usize = 12;
/// A match that is not over after so many choices is left.
const MOST: usize = 3000;

pub fn run() -> Result<(), String> {
    for folder in games::folders()? {
        let path = folder.path.join("plays/first.play");
        let told = |error: std::io::Error| format!("{} cannot be written: {error}.", path.display());
        fs::create_dir_all(folder.path.join("plays")).map_err(told)?;
        fs::write(&path, play(&folder)?).map_err(told)?;
        println!("games/{}/plays/first.play", folder.name);
    }
    Ok(())
}

/// The play file of a game as it should be.
pub fn play(folder: &Folder) -> Result<String, String> {
    let game = games::compile(&folder.name, &Options::default())?;
    let seats = game.seats();
    let mut position = game.open().map_err(|error| format!("{}: {error}", folder.name))?;
    let mut generator = Generator::new(SEED);
    let mut page = format!("{}, played at random (seed {SEED})\nWritten by `cargo xtask plays`\n", game.name());
    let mut n_choices = 0;
    while !position.decision().is_over() && n_choices < MOST {
        let told =
            |refusal: houserules_kernel::Refusal| format!("{}, choice {}: {refusal}", folder.name, n_choices + 1);
        if n_choices < SHOWN {
            let choice = shown(&mut *position, &seats, n_choices + 1, &mut page, &mut generator);
            let (who, choice) = choice.ok_or_else(|| format!("{}: nobody can choose.", folder.name))?;
            position.play(who, &choice).map_err(told)?;
            for line in position.said(Viewer::Public) {
                let _ = writeln!(page, "“{line}”");
            }
        } else {
            position.play_random(&mut generator).map_err(told)?;
            position.forget();
        }
        n_choices += 1;
    }
    let _ = write!(page, "\nAfter {n_choices} choices\n\n");
    drawing(&mut *position, Viewer::All, &seats, &mut page);
    let _ = match position.decision() {
        Decision::Over(outcome) => writeln!(page, "{}", result(&outcome, &seats)),
        _ => writeln!(page, "The match goes on."),
    };
    Ok(page)
}

/// One decision in full; gives the choice that was drawn.
fn shown(
    position: &mut dyn Position,
    seats: &[String],
    number: usize,
    page: &mut String,
    generator: &mut Generator,
) -> Option<(Who, houserules_kernel::Choice)> {
    let _ = write!(page, "\nChoice {number}\n\n");
    drawing(position, Viewer::Public, seats, page);
    let public = position.view(Viewer::Public);
    for seat in 0..seats.len() {
        let viewer = Viewer::Seat(SeatId(seat as u8));
        if position.view(viewer) != public {
            let _ = writeln!(page, "{} sees", seats[seat]);
            drawing(position, viewer, seats, page);
        }
    }
    let open = position.decision().open_to();
    for &who in &open {
        let choices = position.choices(who);
        let named: Vec<String> = choices.iter().take(NAMED).map(|choice| position.words(who, choice)).collect();
        let more = if choices.len() > NAMED { format!(" … {} in all", choices.len()) } else { String::new() };
        let _ = writeln!(page, "{}: {}\n  {}{more}", name_of(who, seats), position.prompt(), named.join(" · "));
    }
    let who = *open.first()?;
    let choices = position.choices(who);
    let weights: Vec<u64> =
        choices.iter().map(|choice| if who == Who::Nature { u64::from(position.weight(choice)) } else { 1 }).collect();
    let mut at = generator.below(weights.iter().sum::<u64>().max(1));
    for (choice, weight) in choices.into_iter().zip(weights) {
        if at < weight {
            let _ = writeln!(page, "→ {}: {}", name_of(who, seats), position.words(who, &choice));
            return Some((who, choice));
        }
        at -= weight;
    }
    None
}

fn drawing(position: &mut dyn Position, viewer: Viewer, seats: &[String], page: &mut String) {
    let drawn = draw::view(&position.view(viewer), seats, Paint::Plain);
    for line in drawn.lines() {
        let _ = writeln!(page, "{}", format!("    {line}").trim_end());
    }
    page.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_a_play_file_that_is_up_to_date() {
        for folder in games::folders().unwrap() {
            let path = folder.path.join("plays/first.play");
            let Ok(written) = fs::read_to_string(&path) else {
                panic!("games/{} has no plays/first.play; `cargo xtask plays` writes it.", folder.name);
            };
            let now = play(&folder).unwrap();
            let differs = written.lines().zip(now.lines()).position(|(written, now)| written != now);
            assert!(
                written == now,
                "games/{}/plays/first.play differs from line {} on; `cargo xtask plays` writes it anew.",
                folder.name,
                differs.map_or(written.lines().count().min(now.lines().count()), |idx| idx) + 1
            );
        }
    }
}
