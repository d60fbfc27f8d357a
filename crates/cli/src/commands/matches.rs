//! `match` and `tournament`: matches put together by a file.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use houserules_arena::elo::Rating;
use houserules_arena::{Arena, Fault, MatchFile, Pairing, Referee, Rounds, Step, Tournament, Watcher, crew};
use houserules_kernel::{Outcome, Position, Viewer};
use houserules_players::{Player, Registry};
use serde::Serialize;

use crate::args::{Output, Rules, Sitter};
use crate::commands::worker::{self, Sent};
use crate::commands::{name_of, result};
use crate::draw;
use crate::failure::Failure;
use crate::games;
use crate::interrupt;
use crate::paint::Paint;
use crate::play::{self, Series, Wanted};
use crate::terminal::Terminal;
use crate::thinking::thinks;

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Failure::Input(fault.to_string())
    }
}

/// Plays the match of a file: board by board for one, result by result for more.
pub fn matches(out: &mut dyn Write, path: &Path, quiet: bool, output: Output) -> Result<(), Failure> {
    #[derive(Serialize)]
    struct Played<'a> {
        number: u64,
        players: &'a [String],
        ranks: Option<Vec<u8>>,
        choices: u64,
    }
    let registry = Registry::standard();
    let mut file = MatchFile::read(path, &registry)?;
    file.tournament = None;
    let arena = Arena::build(file, registry)?;
    if arena.has_humans() {
        return match (quiet, output.json) {
            (false, false) => with_people(&arena),
            // A person could not play what is not shown.
            _ => Err(Failure::Input("A person sits at this match: leave out --quiet and --json.".into())),
        };
    }
    let (names, seats) = (arena.names(), arena.rulebook.seats());
    let shown = !quiet && !output.json && arena.file.matches == 1;
    let stop = interrupt::flag();
    for number in 0..arena.file.matches {
        if stop.load(std::sync::atomic::Ordering::Relaxed) {
            break;
        }
        let seed = |lane: u64| crew::seed_of(arena.file.seed, lane, number);
        let players = (0..names.len()).filter_map(|idx| arena.player(idx, seed(1 + idx as u64)));
        let mut players: Vec<Box<dyn Player>> = players.collect();
        let referee = Referee { rulebook: &*arena.rulebook, seed: seed(0), longest: arena.file.longest };
        let mut board =
            Board { out: &mut *out, seats: &seats, names: &names, paint: Paint::for_stdout(), failed: None };
        let played = match shown {
            true => referee.play(&mut players, &mut board)?,
            false => referee.play(&mut players, &mut ())?,
        };
        if let Some(error) = board.failed {
            return Err(error.into());
        }
        if output.json {
            let ranks = played.outcome.map(|outcome| outcome.ranks.to_vec());
            let line = Played { number: number + 1, players: &names, ranks, choices: played.choices };
            serde_json::to_writer(&mut *out, &line)?;
            writeln!(out)?;
            continue;
        }
        if arena.file.matches > 1 {
            write!(out, "{:>4}  ", number + 1)?;
        }
        writeln!(out, "{}", ended(played.outcome.as_ref(), played.choices, &seats, &names))?;
        out.flush()?;
    }
    Ok(())
}

fn ended(outcome: Option<&Outcome>, choices: u64, seats: &[String], names: &[String]) -> String {
    match outcome {
        Some(outcome) => {
            let both: Vec<String> = seats.iter().zip(names).map(|(seat, name)| format!("{seat} ({name})")).collect();
            format!("{} ({choices} choices)", result(outcome, &both))
        }
        None => format!("Cut after {choices} choices without a result."),
    }
}

/// People sit at the terminal, so it is a session as of `play`.
fn with_people(arena: &Arena) -> Result<(), Failure> {
    let options = &arena.options;
    let rules = Rules {
        variants: options.variants.clone(),
        off: options.off.clone(),
        settings: options.settings.clone(),
        precedence: None,
        position: options.position.clone(),
    };
    let seats = arena.file.players.iter().map(|player| Sitter::from(&player.who.is)).collect();
    let wanted = Wanted {
        game: arena.file.game.is.clone(),
        rules,
        seats,
        seed: Some(arena.file.seed),
        recording: Default::default(),
        series: Series { matches: arena.file.matches, longest: Some(arena.file.longest) },
    };
    play::play(&mut Terminal::standard(), &wanted)?;
    Ok(())
}

/// Shows a match as it is played.
struct Board<'a> {
    out: &'a mut dyn Write,
    seats: &'a [String],
    names: &'a [String],
    paint: Paint,
    failed: Option<io::Error>,
}

impl Board<'_> {
    fn show(&mut self, position: &mut dyn Position) {
        let drawn = draw::view(&position.view(Viewer::All), self.seats, self.paint);
        self.write(&format!("{drawn}\n"));
    }

    fn write(&mut self, text: &str) {
        if self.failed.is_none() {
            self.failed = writeln!(self.out, "{text}").err();
        }
    }
}

impl Watcher for Board<'_> {
    fn begin(&mut self, position: &mut dyn Position) {
        self.show(position);
    }

    fn played(&mut self, position: &mut dyn Position, step: &Step) {
        let name = match step.who {
            houserules_kernel::Who::Seat(seat) => self.names.get(usize::from(seat.0)),
            houserules_kernel::Who::Nature => None,
        };
        let name = name.map(|name| format!(" ({name})")).unwrap_or_default();
        self.write(&format!("{}{name}: {}", name_of(step.who, self.seats), step.words));
        if let Some(thinks) = step.thought.and_then(thinks) {
            self.write(&self.paint.faint(&format!("  {thinks}")));
        }
        self.show(position);
    }
}

pub struct Wished {
    /// Where results are kept; beside the file, if nothing is said.
    pub results: Option<PathBuf>,
    pub threads: Option<usize>,
    /// Where matches are handed out; none: they are played here.
    pub bus: Option<String>,
}

/// Whoever asks for a tournament gets one, whatever the file says.
pub fn as_tournament(mut file: MatchFile) -> MatchFile {
    let rounds = file.matches;
    file.tournament.get_or_insert(Rounds { pairing: Pairing::RoundRobin, rounds });
    file
}

/// Plays the tournament of a file, or what is left of it. Status 1 says that it was interrupted.
pub fn tournament(out: &mut dyn Write, path: &Path, wished: &Wished, output: Output) -> Result<ExitCode, Failure> {
    let registry = Registry::standard();
    let arena = Arena::build(as_tournament(MatchFile::read(path, &registry)?), registry)?;
    if arena.has_humans() {
        let line = arena.file.players.iter().find(|player| player.who.is == houserules_arena::Chair::Human);
        let fault = Fault {
            file: arena.file.file.clone(),
            line: line.map(|player| player.who.line),
            message: "A tournament is for players without people; `houserules match` takes a `human`.".into(),
        };
        return Err(fault.into());
    }
    let kept = wished.results.clone().unwrap_or_else(|| {
        let mut name = path.as_os_str().to_owned();
        name.push(".results.jsonl");
        name.into()
    });
    let mut tournament = Tournament::open(&arena, &kept).map_err(|error| Failure::Input(error.to_string()))?;
    let (total, before) = (tournament.len(), tournament.done().len());
    let shown = io::stderr().is_terminal();
    let told = |n: usize| {
        if shown {
            // Nothing can be done about a closed error stream.
            let _ = write!(io::stderr(), "\r{n} of {total} matches ");
        }
    };
    let mut n = before;
    told(n);
    let mut each = || {
        n += 1;
        told(n);
    };
    let played = match &wished.bus {
        None => {
            let threads = wished.threads.unwrap_or_else(crew::cores);
            let run = tournament.run(threads, interrupt::flag(), |_| each());
            run.map_err(|stopped| Failure::Input(stopped.to_string()))
        }
        Some(bus) => {
            let told = |error: io::Error| Failure::Input(format!("{} cannot be read: {error}.", path.display()));
            let text = std::fs::read_to_string(path).map_err(told)?;
            let found = games::find(&arena.file.game.is)?;
            worker::hand_out_tournament(&mut tournament, &arena, (Sent::of(&found), text), bus, each)
        }
    };
    if shown {
        let _ = write!(io::stderr(), "\r{:40}\r", "");
    }
    played?;
    let done = tournament.done().len();
    tell(out, &arena, &tournament, output)?;
    if done < total {
        let _ = writeln!(
            io::stderr(),
            "houserules: stopped after {done} of {total} matches. The same command goes on; {} holds what is done.",
            kept.display()
        );
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

fn tell(out: &mut dyn Write, arena: &Arena, tournament: &Tournament, output: Output) -> Result<(), Failure> {
    #[derive(Serialize)]
    struct Line<'a> {
        name: &'a str,
        elo: f64,
        error: f64,
        points: f64,
        games: u64,
        /// Points against each player, in the order in which the players stand here.
        against: Vec<f64>,
    }
    #[derive(Serialize)]
    struct Table<'a> {
        game: &'a str,
        matches: usize,
        of: usize,
        cut: usize,
        players: Vec<Line<'a>>,
    }
    let (names, results) = (arena.names(), tournament.results());
    let ratings: Vec<Rating> = results.ratings();
    let cut = tournament.done().iter().filter(|meeting| meeting.ranks.is_empty()).count();
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by(|&one, &other| ratings[other].elo.total_cmp(&ratings[one].elo));
    if output.json {
        let line = |&idx: &usize| Line {
            name: &names[idx],
            elo: ratings[idx].elo,
            error: ratings[idx].error,
            points: ratings[idx].points,
            games: ratings[idx].games,
            against: order.iter().map(|&other| results.points(idx, other)).collect(),
        };
        let (matches, of) = (tournament.done().len(), tournament.len());
        let players = order.iter().map(line).collect();
        serde_json::to_writer(&mut *out, &Table { game: arena.rulebook.name(), matches, of, cut, players })?;
        writeln!(out)?;
        return Ok(());
    }
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
    write!(out, "{:width$}  {:>5}  {:>5}  {:>8}  {:>5}", "player", "Elo", "±", "points", "games")?;
    for place in 1..=order.len() {
        write!(out, "  {place:>6}")?;
    }
    writeln!(out)?;
    for (place, &idx) in order.iter().enumerate() {
        let rating = &ratings[idx];
        write!(
            out,
            "{:width$}  {:>5.0}  {:>5.0}  {:>8.1}  {:>5}",
            names[idx],
            // Rounded to nothing there is no sign.
            rating.elo.round() + 0.0,
            rating.error,
            rating.points,
            rating.games
        )?;
        for (column, &other) in order.iter().enumerate() {
            match column == place || results.games(idx, other) == 0.0 {
                true => write!(out, "  {:>6}", "–")?,
                false => write!(out, "  {:>6.1}", results.points(idx, other))?,
            }
        }
        writeln!(out)?;
    }
    let note = "Elo against the average of all; with 95 in 100 it lies within ±. On the right, points against each.";
    writeln!(out, "{}", Paint::for_stdout().faint(note))?;
    if cut > 0 {
        writeln!(out, "{cut} matches were cut after {} choices and count as draws.", arena.file.longest)?;
    }
    Ok(())
}
