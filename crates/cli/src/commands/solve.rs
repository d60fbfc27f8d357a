//! `solve`: how a match ends when everybody plays as well as can be.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use houserules_players::{Progress, Solver, Unsolved};
use serde::Serialize;

use crate::args::{Output, Rules, Table};
use crate::commands::count::compiled;
use crate::failure::Failure;
use crate::paint::Paint;
use crate::typed;

pub struct Wanted {
    pub after: String,
    /// Megabytes.
    pub memory: u32,
    pub seconds: Option<f64>,
}

/// Status 1 says that the time was not enough.
pub fn solve(
    out: &mut dyn Write,
    game: &str,
    rules: &Rules,
    table: Table,
    wanted: &Wanted,
    output: Output,
) -> Result<ExitCode, Failure> {
    #[derive(Serialize)]
    struct Solved {
        game: String,
        value: serde_json::Map<String, serde_json::Value>,
        line: Vec<String>,
        nodes: u64,
        remembered: usize,
        seconds: f64,
    }
    let (name, rulebook) = compiled(game, rules, table)?;
    let seats = rulebook.seats();
    let mut position = rulebook.open()?;
    typed::play_moves(&mut *position, &wanted.after)?;
    let began = Instant::now();
    let stop = AtomicBool::new(false);
    let shown = io::stderr().is_terminal();
    let mut last = Duration::ZERO;
    let progress = |progress: Progress| {
        let passed = began.elapsed();
        if wanted.seconds.is_some_and(|seconds| passed.as_secs_f64() >= seconds) {
            stop.store(true, Ordering::Relaxed);
        }
        if shown && passed - last > Duration::from_millis(250) {
            last = passed;
            let full = 100 * progress.remembered / progress.room;
            // Nothing can be done about a closed error stream.
            let _ = write!(io::stderr(), "\r{} positions, memory {full} % full ", progress.nodes);
        }
    };
    let solver = Solver::new().with_memory((wanted.memory as usize) << 20).until(&stop).with_progress(progress);
    let solved = solver.solve(&mut *position, seats.len());
    if last > Duration::ZERO {
        let _ = write!(io::stderr(), "\r{:60}\r", "");
    }
    let solution = match solved {
        Ok(solution) => solution,
        Err(unsolved @ Unsolved::Interrupted(_)) => {
            let _ = writeln!(io::stderr(), "houserules: {unsolved}");
            return Ok(ExitCode::FAILURE);
        }
        Err(unsolved) => return Err(Failure::Input(unsolved.to_string())),
    };
    let seconds = began.elapsed().as_secs_f64();
    if output.json {
        let value = seats.iter().cloned().zip(solution.value.iter().map(|&value| value.into())).collect();
        let (line, nodes, remembered) = (solution.line, solution.nodes, solution.remembered);
        serde_json::to_writer(&mut *out, &Solved { game: name, value, line, nodes, remembered, seconds })?;
        writeln!(out)?;
        return Ok(ExitCode::SUCCESS);
    }
    match solution.value.iter().position(|&value| value > 0) {
        Some(winner) => writeln!(out, "{} wins.", seats[winner])?,
        None if solution.value.iter().all(|&value| value == 0) => writeln!(out, "A draw.")?,
        None => writeln!(out, "Nobody can win.")?,
    }
    if !solution.line.is_empty() {
        writeln!(out, "line   {}", solution.line.join(", "))?;
    }
    writeln!(out, "nodes  {} ({} remembered)", solution.nodes, solution.remembered)?;
    writeln!(out, "{}", Paint::for_stdout().faint(&format!("in {seconds:.2} seconds")))?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
