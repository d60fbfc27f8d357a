//! No command: the library, open at the first page.

use crate::args::{Rules, Sitter};
use crate::failure::Failure;
use crate::games;
use crate::play::{self, Wanted};
use crate::terminal::{Terminal, hanging};
use crate::typed::{Meaning, meaning};

/// Lets a person choose a game and opponents, and plays, until there is enough.
pub fn open_library(terminal: &mut Terminal) -> Result<(), Failure> {
    loop {
        terminal.clear()?;
        terminal.line(&terminal.paint.strong("Houserules"))?;
        terminal.line("Describe a board game, play it, change its rules.\n")?;
        let games = games::list();
        let names: Vec<String> = games.iter().map(|entry| entry.name.clone()).collect();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        for (idx, entry) in games.iter().enumerate() {
            let name = terminal.paint.strong(&format!("{:width$}", entry.name));
            terminal.line(&hanging(&format!("{:>3}  {name}  ", idx + 1), width + 7, &entry.summary))?;
        }
        terminal.line("  0  quit\n")?;
        let Some(game) = choose(terminal, &names)? else { return Ok(()) };
        let Some(seats) = choose_seats(terminal)? else { return Ok(()) };
        let wanted = Wanted {
            game,
            rules: Rules::default(),
            seats,
            seed: None,
            recording: play::Recording::default(),
            series: play::Series::default(),
        };
        if play::play(terminal, &wanted)? == play::Ended::NoInput {
            return Ok(());
        }
    }
}

fn choose(terminal: &mut Terminal, names: &[String]) -> Result<Option<String>, Failure> {
    loop {
        let Some(typed) = terminal.ask("Which game?")? else { return Ok(None) };
        match (typed.as_str(), meaning(&typed, names)) {
            ("0" | "quit" | "q", _) => return Ok(None),
            (_, Meaning::One(idx)) => return Ok(Some(names[idx].clone())),
            ("", _) => {}
            (_, Meaning::Many(_)) => terminal.line("Several games fit; type more of the name.")?,
            // A path works as well as a name.
            (_, Meaning::Nothing) => match games::find(&typed) {
                Ok(_) => return Ok(Some(typed)),
                Err(message) => terminal.line(&message)?,
            },
        }
    }
}

fn choose_seats(terminal: &mut Terminal) -> Result<Option<Vec<Sitter>>, Failure> {
    loop {
        let question = "Who plays?  1 you against the computer  2 people at one screen  3 watch a random match";
        terminal.line(question)?;
        let Some(typed) = terminal.ask("[1]")? else { return Ok(None) };
        match typed.as_str() {
            "" | "1" => return Ok(Some(Sitter::usual())),
            "2" => return Ok(Some(vec![Sitter::Human])),
            "3" => return Ok(Some(vec![Sitter::Random])),
            "0" | "quit" | "q" => return Ok(None),
            _ => terminal.line("1, 2 or 3; 0 quits.")?,
        }
    }
}
