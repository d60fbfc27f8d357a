//! `annotate`: what each move of a record was worth.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use houserules_kernel::{Choice, Decision, Position, Refusal, SeatId, Who};
use houserules_players::{Player, outcome_value};
use houserules_record::{Event, Line, LineKind};
use serde::Serialize;

use crate::args::{From, Output, Sitter};
use crate::failure::Failure;
use crate::paint::Paint;
use crate::play::saved;

pub struct Wanted {
    pub player: Sitter,
    pub alternatives: usize,
    pub seed: u64,
    pub file: Option<PathBuf>,
}

/// A move and how good it was for who made it: from −1, lost, to 1, won.
#[derive(Serialize)]
struct Judged {
    line: usize,
    seat: String,
    choice: String,
    value: f64,
    /// How much less than the best choice.
    loss: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<&'static str>,
    best: Vec<Alternative>,
}

#[derive(Serialize, Clone)]
struct Alternative {
    choice: String,
    value: f64,
}

/// From so much less than the best on, a move is called so.
const VERDICTS: [(f64, &str); 3] = [(0.6, "blunder"), (0.3, "mistake"), (0.15, "inaccuracy")];
/// Of more outcomes of chance than this, only some are looked at.
const MOST_OUTCOMES: usize = 36;

pub fn annotate(
    out: &mut dyn Write,
    path: &Path,
    from: &From,
    wanted: &Wanted,
    output: Output,
) -> Result<ExitCode, Failure> {
    let Some(mut player) = judge(wanted)? else {
        return Err(Failure::Input(
            "A person cannot judge by command; name a player, as in `--player mcts:500`.".into(),
        ));
    };
    let mut ready = saved::ready(path, from.game.as_deref(), from.which.into())?;
    let seats = ready.replay.now().seats();
    let paint = Paint::for_stdout();
    let mut judged = Vec::new();
    let mut lines: Vec<Line> = Vec::new();
    let fault = loop {
        let Some(line) = ready.replay.record().lines.get(ready.replay.at()).cloned() else { break ready.fault.take() };
        let before = ready.replay.now().look().duplicate();
        match ready.replay.advance() {
            Ok(_) => lines.push(line.clone()),
            Err(fault) => break Some(fault),
        }
        let played = ready.replay.event(ready.replay.at() - 1).cloned();
        let Some(Event::Play { who: Who::Seat(seat), choice, .. }) = played else { continue };
        let found = weigh(&mut *player, before, seat, &choice, wanted.alternatives)?;
        let found = Judged { line: ready.replay.at(), seat: seats[usize::from(seat.0)].clone(), ..found };
        if !output.json {
            writeln!(out, "{}", told(&found, paint))?;
        }
        let text = told(&found, Paint::Plain).trim_start().to_owned();
        let by = wanted.player.to_string();
        lines.push(Line { at: 0, kind: LineKind::Note { time: String::new(), by, text } });
        judged.push(found);
    };
    if output.json {
        serde_json::to_writer(&mut *out, &judged)?;
        writeln!(out)?;
    } else {
        for (_, verdict) in VERDICTS {
            let n = judged.iter().filter(|judged| judged.verdict == Some(verdict)).count();
            if n > 0 {
                let plural = if verdict.ends_with('y') { "inaccuracies".to_owned() } else { format!("{verdict}s") };
                writeln!(out, "{n} {}", if n == 1 { verdict } else { &plural })?;
            }
        }
    }
    if let Some(file) = &wanted.file {
        let mut record = ready.replay.record().clone();
        record.lines = lines;
        saved::save(&record, file)?;
    }
    if let Some(fault) = &fault {
        writeln!(out, "{}", paint.warning(&format!("{}: {fault}", path.display())))?;
    }
    Ok(if fault.is_none() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Who judges; random choice would judge nothing.
fn judge(wanted: &Wanted) -> Result<Option<Box<dyn Player>>, Failure> {
    match &wanted.player {
        Sitter::Random => {
            Err(Failure::Input("Random choice has no opinion; name a player, as in `--player mcts:500`.".into()))
        }
        player => Ok(player.player(wanted.seed)),
    }
}

fn told(judged: &Judged, paint: Paint) -> String {
    let mut line = format!("{:>4}  {}: {}  {:+.2}", judged.line, judged.seat, judged.choice, judged.value);
    if let Some(verdict) = judged.verdict {
        line += &format!("  {}", paint.warning(verdict));
    }
    let better: Vec<String> = judged.best.iter().map(|other| format!("{} {:+.2}", other.choice, other.value)).collect();
    if !better.is_empty() {
        line += &format!("  better: {}", better.join(", "));
    }
    line
}

/// The value of every choice, and of the one that was made.
fn weigh(
    player: &mut dyn Player,
    mut before: Box<dyn Position>,
    seat: SeatId,
    played: &Choice,
    alternatives: usize,
) -> Result<Judged, Failure> {
    let who = Who::Seat(seat);
    let mut values = Vec::new();
    let mut choices = before.choices(who);
    if !choices.contains(played) {
        choices.push(played.clone());
    }
    for choice in choices {
        let mut after = before.duplicate();
        // Against an advised rule, or a rule has a fault: it cannot be compared.
        if after.play(who, &choice).is_err() {
            continue;
        }
        let value = value(player, after, seat)?;
        values.push((before.words(who, &choice), choice, value));
    }
    let own = values.iter().find(|(_, choice, _)| choice == played).map_or(0.0, |(.., value)| *value);
    let best = values.iter().map(|(.., value)| *value).fold(own, f64::max);
    let mut better: Vec<Alternative> = values
        .iter()
        .filter(|(_, choice, value)| choice != played && *value > own + 0.01)
        .map(|(words, _, value)| Alternative { choice: words.clone(), value: *value })
        .collect();
    better.sort_by(|one, other| other.value.total_cmp(&one.value));
    better.truncate(alternatives);
    let loss = best - own;
    let verdict = VERDICTS.iter().find(|(least, _)| loss >= *least).map(|(_, verdict)| *verdict);
    let choice = before.words(who, played);
    Ok(Judged { line: 0, seat: String::new(), choice, value: own, loss, verdict, best: better })
}

/// How good a position is for a seat, by whoever is asked next.
fn value(player: &mut dyn Player, mut position: Box<dyn Position>, seat: SeatId) -> Result<f64, Refusal> {
    match position.decision() {
        Decision::Over(outcome) => Ok(outcome_value(&outcome, seat)),
        Decision::Nature => {
            let outcomes = position.choices(Who::Nature);
            let step = outcomes.len().div_ceil(MOST_OUTCOMES).max(1);
            let (mut sum, mut weights) = (0.0, 0.0);
            for outcome in outcomes.iter().step_by(step) {
                let weight = f64::from(position.weight(outcome));
                let mut after = position.duplicate();
                after.play(Who::Nature, outcome)?;
                sum += weight * value(player, after, seat)?;
                weights += weight;
            }
            Ok(if weights > 0.0 { sum / weights } else { 0.0 })
        }
        Decision::Seats { asked, .. } => {
            let next = asked[0];
            let thought = player.choose(&mut *position, Who::Seat(next))?;
            let theirs = thought.value.unwrap_or(0.0);
            Ok(if next == seat { theirs } else { -theirs })
        }
    }
}
