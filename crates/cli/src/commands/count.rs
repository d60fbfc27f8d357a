//! `moves`, `perft` and `playout`: what can be done, in how many ways, and what comes of it at random.

use std::io::Write;
use std::time::Instant;

use houserules_kernel::{By, Decision, Rulebook, SeatId, Standing, Viewer, Who, divide, perft as count_plies};
use serde::Serialize;

use crate::args::{Output, Rules, Table};
use crate::draw;
use crate::failure::Failure;
use crate::games;
use crate::paint::Paint;
use crate::playout as random;
use crate::terminal;
use crate::typed;

pub(super) fn compiled(game: &str, rules: &Rules, table: Table) -> Result<(String, Box<dyn Rulebook>), Failure> {
    let found = games::find(game)?;
    let rulebook = found.compile(&rules.options(table.n_seats))?;
    Ok((found.name().to_owned(), rulebook))
}

pub fn moves(
    out: &mut dyn Write,
    game: &str,
    rules: &Rules,
    table: Table,
    after: &str,
    output: Output,
) -> Result<(), Failure> {
    #[derive(Serialize)]
    struct Asked {
        who: String,
        choices: Vec<String>,
    }
    #[derive(Serialize)]
    struct Moves {
        game: String,
        over: bool,
        asked: Vec<Asked>,
    }
    let (name, rulebook) = compiled(game, rules, table)?;
    let seats = rulebook.seats();
    let mut position = rulebook.open()?;
    typed::play_moves(&mut *position, after)?;
    let decision = position.decision();
    let mut asked = Vec::new();
    for who in decision.open_to() {
        let choices = position.choices(who);
        let choices = choices.iter().map(|choice| position.words(who, choice)).collect();
        asked.push(Asked { who: name_of(who, &seats), choices });
    }
    if output.json {
        serde_json::to_writer(&mut *out, &Moves { game: name, over: decision.is_over(), asked })?;
        writeln!(out)?;
        return Ok(());
    }
    let paint = Paint::for_stdout();
    writeln!(out, "{}\n", draw::view(&position.view(Viewer::Public), &seats, paint))?;
    if let Decision::Over(outcome) = &decision {
        writeln!(out, "{}", result(outcome, &seats))?;
    }
    for Asked { who, choices } in asked {
        writeln!(out, "{who}: {} {}", position.prompt(), paint.faint(&format!("({} choices)", choices.len())))?;
        for line in terminal::columns(&numbered(&choices), terminal::width()) {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

/// ` 1 place a1`, as the play loop shows them.
pub fn numbered(choices: &[String]) -> Vec<String> {
    let width = choices.len().to_string().len();
    choices.iter().enumerate().map(|(idx, words)| format!("{:>width$}  {words}", idx + 1)).collect()
}

pub fn name_of(who: Who, seats: &[String]) -> String {
    match who {
        Who::Seat(seat) => seats.get(usize::from(seat.0)).cloned().unwrap_or_else(|| format!("seat {}", seat.0 + 1)),
        Who::Nature => "Chance".into(),
    }
}

/// How a match ended, in a sentence.
pub fn result(outcome: &houserules_kernel::Outcome, seats: &[String]) -> String {
    let winners: Vec<&str> = (0..seats.len())
        .filter(|&seat| outcome.standing(SeatId(seat as u8)) == Standing::Won)
        .map(|seat| seats[seat].as_str())
        .collect();
    match winners.as_slice() {
        [] => "A draw.".into(),
        [winner] => format!("{winner} wins."),
        [others @ .., last] => format!("{} and {last} win.", others.join(", ")),
    }
}

pub struct Perft {
    pub depth: u32,
    pub by: By,
    pub divide: bool,
}

pub fn perft(
    out: &mut dyn Write,
    game: &str,
    rules: &Rules,
    table: Table,
    Perft { depth, by, divide: divided }: &Perft,
    output: Output,
) -> Result<(), Failure> {
    #[derive(Serialize)]
    struct Part {
        moves: String,
        nodes: u64,
    }
    #[derive(Serialize)]
    struct Counted {
        game: String,
        depth: u32,
        nodes: Vec<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        divide: Option<Vec<Part>>,
    }
    let (name, rulebook) = compiled(game, rules, table)?;
    let mut position = rulebook.open()?;
    let began = Instant::now();
    let parts = match divided {
        true => Some(divide(&mut *position, *depth as usize, *by)?),
        false => None,
    };
    if output.json {
        let nodes = count_plies(&mut *position, *depth as usize, *by)?;
        let divide = parts.map(|parts| parts.into_iter().map(|(moves, nodes)| Part { moves, nodes }).collect());
        serde_json::to_writer(&mut *out, &Counted { game: name, depth: *depth, nodes, divide })?;
        writeln!(out)?;
        return Ok(());
    }
    if let Some(parts) = parts {
        let width = parts.iter().map(|(words, _)| words.chars().count()).max().unwrap_or(0);
        for (words, nodes) in &parts {
            writeln!(out, "{words:width$}  {nodes}")?;
        }
        writeln!(out, "depth {depth}  nodes {}", parts.iter().map(|(_, nodes)| nodes).sum::<u64>())?;
    } else {
        let nodes = count_plies(&mut *position, *depth as usize, *by)?;
        for (idx, nodes) in nodes.iter().enumerate() {
            writeln!(out, "depth {:<2}  nodes {nodes}", idx + 1)?;
        }
    }
    writeln!(out, "{}", Paint::for_stdout().faint(&format!("in {:.2} seconds", began.elapsed().as_secs_f64())))?;
    Ok(())
}

pub fn playout(
    out: &mut dyn Write,
    game: &str,
    rules: &Rules,
    table: Table,
    until: random::Until,
    seed: u64,
    output: Output,
) -> Result<(), Failure> {
    #[derive(Serialize)]
    struct Played {
        game: String,
        playouts: u64,
        moves: u64,
        seconds: f64,
        playouts_per_second: f64,
        moves_per_playout: f64,
        results: serde_json::Map<String, serde_json::Value>,
    }
    let (name, rulebook) = compiled(game, rules, table)?;
    let seats = rulebook.seats();
    let found = random::run(&*rulebook, until, seed)?;
    if output.json {
        let mut results: serde_json::Map<_, _> =
            seats.iter().zip(&found.wins).map(|(seat, &wins)| (seat.clone(), wins.into())).collect();
        results.insert("draw".into(), found.draws.into());
        results.insert("cut".into(), found.cut.into());
        let played = Played {
            game: name,
            playouts: found.playouts,
            moves: found.moves,
            seconds: found.seconds,
            playouts_per_second: found.per_second(),
            moves_per_playout: found.average_length(),
            results,
        };
        serde_json::to_writer(&mut *out, &played)?;
        writeln!(out)?;
        return Ok(());
    }
    if found.playouts == 0 {
        writeln!(
            out,
            "No match came to an end in {:.2} seconds; {} moves were played. `--matches 1` plays one to its end, or to {} moves.",
            found.seconds,
            found.unfinished,
            random::LONGEST
        )?;
        return Ok(());
    }
    writeln!(out, "playouts   {} in {:.2} seconds", found.playouts, found.seconds)?;
    writeln!(out, "speed      {:.0} playouts a second", found.per_second())?;
    writeln!(out, "length     {:.1} moves on average, {} in all", found.average_length(), found.moves)?;
    let share = |number: u64| format!("{:5.1} %  {number}", 100.0 * number as f64 / found.playouts.max(1) as f64);
    let width = seats.iter().map(|seat| seat.chars().count() + 5).max().unwrap_or(0).max(4);
    for (seat, &wins) in seats.iter().zip(&found.wins) {
        writeln!(out, "{:width$}  {}", format!("{seat} wins"), share(wins))?;
    }
    writeln!(out, "{:width$}  {}", "draw", share(found.draws))?;
    if found.cut > 0 {
        writeln!(out, "{:width$}  {}  not over after {} moves", "cut", share(found.cut), random::LONGEST)?;
    }
    Ok(())
}
