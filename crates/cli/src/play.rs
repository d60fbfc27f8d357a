//! Playing in the terminal.

mod command;
mod news;
mod record;
mod saved;
mod session;
#[cfg(test)]
mod tests;

use std::path::Path;
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

/// Plays match after match until people have had enough. Instead of a game it may be a saved match that goes on.
pub fn play(terminal: &mut Terminal, wanted: &Wanted) -> Result<Ended, Failure> {
    let mut saved = match saved::read(Path::new(&wanted.game)) {
        Some(saved) => Some(saved?),
        None => None,
    };
    let (game, mut options) = match &saved {
        Some(saved) => (saved.game.as_str(), saved.options.clone()),
        None => (wanted.game.as_str(), wanted.rules.options(None)),
    };
    let found = games::find(game)?;
    let about = found.about(&options)?;
    if saved.is_none() {
        options.seats = Seating::n_seats(&wanted.seats, about.n_seats);
    }
    let rulebook = found.compile(&options)?;
    let seating = Seating::new(&wanted.seats, &rulebook.seats())?;
    let mut seed = wanted.seed.or(saved.as_ref().map(|saved| saved.seed)).unwrap_or_else(clock);
    loop {
        let record = Record::new(found.name(), &options, seed);
        let running = found.start(&options)?;
        let mut session = Session::new(terminal, &rulebook, Box::new(running), seating.clone(), record, seed);
        if let Some((_, rules)) = about.info.iter().find(|(key, _)| key == "rules") {
            session.tell_rules(rules);
        }
        if let Some(saved) = saved.take() {
            session.replay(&saved.steps)?;
        }
        match session.run()? {
            Ended::Again => seed = seed.wrapping_add(1),
            ended => return Ok(ended),
        }
    }
}

fn clock() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_nanos() as u64)
}
