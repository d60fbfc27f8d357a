//! Playing in the terminal.

mod command;
mod news;
mod record;
mod session;
#[cfg(test)]
mod tests;

use std::time::{SystemTime, UNIX_EPOCH};

pub use session::Ended;

use houserules_kernel::Rulebook;

use crate::args::{Rules, Sitter};
use crate::failure::Failure;
use crate::games;
use crate::seating::Seating;
use crate::terminal::Terminal;
use record::Record;
use session::Session;

/// What to play and with whom.
pub struct Wanted {
    pub game: String,
    pub rules: Rules,
    pub seats: Vec<Sitter>,
    pub seed: Option<u64>,
}

/// Plays match after match until people have had enough.
pub fn play(terminal: &mut Terminal, wanted: &Wanted) -> Result<Ended, Failure> {
    let found = games::find(&wanted.game)?;
    let options = wanted.rules.options(None);
    let rulebook = found.compile(&options)?;
    let seating = Seating::new(&wanted.seats, &rulebook.seats())?;
    let mut seed = wanted.seed.unwrap_or_else(clock);
    loop {
        let record = Record::new(found.name(), &options, seed);
        let running = found.start(&options)?;
        match Session::new(terminal, &rulebook, Box::new(running), seating.clone(), record, seed).run()? {
            Ended::Again => seed = seed.wrapping_add(1),
            ended => return Ok(ended),
        }
    }
}

fn clock() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_nanos() as u64)
}
