//! Playing in the terminal.

mod command;
pub mod news;
mod referee;
pub mod saved;
mod session;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

pub use session::Ended;

use houserules_record::{Head, Match, Seat, Source, Which};

use crate::args::{Rules, Sitter};
use crate::clock;
use crate::failure::Failure;
use crate::games::{self, Options};
use crate::seating::Seating;
use crate::terminal::Terminal;
use session::Session;

/// What to play and with whom.
#[derive(Clone)]
pub struct Wanted {
    pub game: String,
    pub rules: Rules,
    pub seats: Vec<Sitter>,
    pub seed: Option<u64>,
    pub recording: Recording,
    pub series: Series,
}

/// How many matches are to be played, and how long one may last.
#[derive(Clone, Copy, Debug)]
pub struct Series {
    /// So many follow each other before anybody is asked for another.
    pub matches: u64,
    /// A match is cut after so many choices of seats; none: it lasts as long as people like.
    pub longest: Option<u64>,
}

impl Default for Series {
    fn default() -> Self {
        Series { matches: 1, longest: None }
    }
}

/// Whether and how a match is written down while it is played.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    pub file: Option<PathBuf>,
    /// The record only names its rules.
    pub digest_only: bool,
    /// Rules that are only advised.
    pub advised: Vec<String>,
    /// Who decides about them.
    pub referee: Option<String>,
    /// Everything the rules do is shown.
    pub trace: bool,
}

/// Plays match after match until people have had enough. Instead of a game it may be a saved match that goes on.
pub fn play(terminal: &mut Terminal, wanted: &Wanted) -> Result<Ended, Failure> {
    if saved::read(Path::new(&wanted.game)).is_some() {
        return go_on(terminal, wanted);
    }
    let mut options = wanted.rules.options(None);
    let found = games::find(&wanted.game)?;
    let about = found.about(&options)?;
    options.seats = Seating::n_seats(&wanted.seats, about.n_seats);
    let rulebook = found.compile(&options)?;
    let seating = Seating::new(&wanted.seats, &rulebook.seats())?;
    let mut seed = wanted.seed.unwrap_or_else(clock::seed);
    let mut file = wanted.recording.file.clone();
    if let Some(file) = &file {
        saved::is_free(file)?;
    }
    let Series { matches, longest } = wanted.series;
    let mut number = 0;
    loop {
        number += 1;
        if matches > 1 && number <= matches {
            let line = format!("Match {number} of {matches}.");
            terminal.line(&terminal.paint.faint(&line))?;
        }
        let head = head(wanted, &options, &seating, &rulebook.seats(), seed);
        let now = found.start(head, wanted.recording.source())?;
        let mut session = Session::new(terminal, now, seating.clone(), seed, file.clone());
        if let Some((_, rules)) = about.info.iter().find(|(key, _)| key == "rules") {
            session.tell_rules(rules);
        }
        let session = session.tracing(wanted.recording.trace).within(longest).before(matches.saturating_sub(number));
        match session.run()? {
            Ended::Again => seed = seed.wrapping_add(1),
            ended => return Ok(ended),
        }
        file = file.map(|file| saved::another(&file));
    }
}

impl Recording {
    fn source(&self) -> Source {
        if self.digest_only { Source::Digest } else { Source::Embedded }
    }
}

fn head(wanted: &Wanted, options: &Options, seating: &Seating, seats: &[String], seed: u64) -> Head {
    let sitters = seating.names();
    let seats = seats.iter().zip(sitters).map(|(seat, sitter)| Seat { seat: seat.clone(), sitter, at: 0 }).collect();
    Head {
        variants: options.variants.clone(),
        off: options.off.clone(),
        advised: wanted.recording.advised.clone(),
        settings: options.settings.clone(),
        position: options.position.clone(),
        players: options.seats,
        seed: Some(seed),
        referee: wanted.recording.referee.clone(),
        seats,
        ..Head::default()
    }
}

/// A saved match is played again and goes on. What cannot be played is told, and it goes on from before that.
fn go_on(terminal: &mut Terminal, wanted: &Wanted) -> Result<Ended, Failure> {
    let path = Path::new(&wanted.game);
    // A match that goes on may go on in its own file.
    if let Some(file) = wanted.recording.file.as_deref().filter(|file| *file != path) {
        saved::is_free(file)?;
    }
    let mut ready = saved::ready(path, None, Which::Made)?;
    for note in &ready.notes {
        terminal.line(note)?;
    }
    if let Some(fault) = ready.replay.run().or(ready.fault) {
        terminal.line(&format!("{}: {fault}\nThe match goes on from before that.", path.display()))?;
    }
    let mut now = ready.replay.into_match();
    let seating = Seating::new(&wanted.seats, &now.seats())?;
    for (seat, sitter) in now.head_mut().seats.iter_mut().zip(seating.names()) {
        seat.sitter = sitter;
    }
    if wanted.recording.referee.is_some() {
        now.head_mut().referee.clone_from(&wanted.recording.referee);
    }
    let seed = wanted.seed.or(now.head().seed).unwrap_or_else(clock::seed);
    let game = now.head().game.clone();
    let again = Wanted {
        game: String::new(),
        rules: rules(&now),
        seed: Some(seed.wrapping_add(1)),
        recording: Recording { file: wanted.recording.file.as_deref().map(saved::another), ..wanted.recording.clone() },
        ..wanted.clone()
    };
    let session = Session::new(terminal, now, seating, seed, wanted.recording.file.clone());
    match session.tracing(wanted.recording.trace).run()? {
        // What a record names is looked for in its own folder only.
        Ended::Again => play(terminal, &Wanted { game: games::named_in(path, &game)?, ..again }),
        ended => Ok(ended),
    }
}

/// The options of a match, as they would be typed.
fn rules(now: &Match) -> Rules {
    let head = now.head();
    Rules {
        variants: head.variants.clone(),
        off: head.off.clone(),
        settings: head.settings.clone(),
        precedence: None,
        position: head.position.clone(),
    }
}
