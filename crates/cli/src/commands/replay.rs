//! `replay`: a record gone through, forwards and backwards.

mod walkthrough;

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use houserules_kernel::{Decision, Viewer};
use houserules_model::Mode;
use houserules_record::{Changed, Fault, Happened, LineKind, Replay, Tracer};
use serde::Serialize;

use super::result;
use crate::args::{From, Output};
use crate::draw;
use crate::failure::Failure;
use crate::paint::Paint;
use crate::play::saved::{self, Ready};
use crate::terminal::Terminal;
use crate::traced;
use walkthrough::Walkthrough;
pub(super) use walkthrough::viewer;

pub struct Wanted {
    pub all: bool,
    pub trace: bool,
}

/// What a record comes to.
#[derive(Serialize)]
pub(super) struct Ends {
    pub record: String,
    pub game: String,
    pub moves: usize,
    pub fingerprint: String,
    pub result: Option<String>,
    pub ranks: Option<Vec<u8>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<Wrong>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Line by line, where that is wanted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Step>,
}

/// A line of a record, and what it did.
#[derive(Serialize)]
pub(super) struct Step {
    line: usize,
    words: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    trace: Vec<String>,
    changed: Vec<Property>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    said: Vec<String>,
}

/// A property that is not what it was; nothing on one side: it was not there.
#[derive(Serialize)]
pub(super) struct Property {
    entity: String,
    property: String,
    old: Option<String>,
    new: Option<String>,
}

#[derive(Serialize)]
pub(super) struct Wrong {
    pub line: usize,
    pub reason: String,
}

/// Plays a record to its end, or to the line that does not fit.
pub(super) fn ends(path: &Path, ready: &mut Ready) -> Ends {
    ends_after(path, ready, Vec::new())
}

fn ends_after(path: &Path, ready: &mut Ready, steps: Vec<Step>) -> Ends {
    let fault = ready.replay.run().or_else(|| ready.fault.take());
    let now = ready.replay.now();
    let seats = now.seats();
    let outcome = match now.decision() {
        Decision::Over(outcome) => Some(outcome),
        _ => None,
    };
    let head = now.head();
    Ends {
        record: path.display().to_string(),
        game: if head.game.is_empty() { head.title.clone() } else { head.game.clone() },
        moves: now.n_moves(),
        fingerprint: format!("{:016x}", now.fingerprint().0),
        result: outcome.as_ref().map(|outcome| result(outcome, &seats)),
        ranks: outcome.map(|outcome| outcome.ranks.to_vec()),
        fault: fault.map(|Fault { line, reason }| Wrong { line, reason }),
        notes: ready.notes.clone(),
        steps,
    }
}

pub fn replay(
    out: &mut dyn Write,
    path: &Path,
    from: &From,
    wanted: &Wanted,
    output: Output,
) -> Result<ExitCode, Failure> {
    let mut ready = saved::ready(path, from.game.as_deref(), from.which.into())?;
    if output.json {
        let mut steps = Vec::new();
        if wanted.all || wanted.trace {
            // A fault comes again at the end.
            let _ = each(&mut ready.replay, wanted.trace, |line, happened, trace| {
                steps.push(Step::new(line, happened, trace));
                Ok(())
            })?;
        }
        let ends = ends_after(path, &mut ready, steps);
        serde_json::to_writer(&mut *out, &ends)?;
        writeln!(out)?;
        return Ok(status(ends.fault.is_none()));
    }
    if wanted.all || wanted.trace {
        return all(out, path, ready, wanted.trace);
    }
    out.flush()?;
    let mut terminal = Terminal::standard();
    for note in &ready.notes {
        terminal.line(note)?;
    }
    Walkthrough::new(&mut terminal, path, ready).run()?;
    Ok(ExitCode::SUCCESS)
}

fn status(good: bool) -> ExitCode {
    if good { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

/// Every step with what it changed, then the board at the end.
fn all(out: &mut dyn Write, path: &Path, mut ready: Ready, trace: bool) -> Result<ExitCode, Failure> {
    let paint = Paint::for_stdout();
    for note in &ready.notes {
        writeln!(out, "{note}")?;
    }
    let replay = &mut ready.replay;
    let stopped = each(replay, trace, |line, happened, trace| {
        writeln!(out, "{line:>4}  {}", paint.strong(&words(&happened.line.kind)))?;
        for line in &trace {
            writeln!(out, "        {}", paint.faint(line))?;
        }
        for changed in &happened.changed {
            writeln!(out, "      {changed}")?;
        }
        for said in &happened.said {
            writeln!(out, "      “{said}”")?;
        }
        Ok(())
    })?;
    let fault = stopped.or_else(|| ready.fault.take());
    let replay = &mut ready.replay;
    let now = replay.now();
    let seats = now.seats();
    writeln!(out, "\n{}", draw::view(&now.position().view(Viewer::All), &seats, paint))?;
    if let Decision::Over(outcome) = now.decision() {
        writeln!(out, "\n{}", paint.strong(&result(&outcome, &seats)))?;
    }
    if let Some(fault) = &fault {
        writeln!(out, "\n{}", paint.warning(&format!("{}: {fault}", path.display())))?;
    }
    Ok(status(fault.is_none()))
}

impl Step {
    fn new(line: usize, happened: Happened, trace: Vec<String>) -> Self {
        let changed = happened.changed.into_iter();
        let changed = changed.map(|Changed { entity, property, old, new }| Property { entity, property, old, new });
        Step { line, words: words(&happened.line.kind), trace, changed: changed.collect(), said: happened.said }
    }
}

/// Goes through a record to its end, or to the line that does not fit, and tells of each line what it did.
fn each(
    replay: &mut Replay,
    trace: bool,
    mut tell: impl FnMut(usize, Happened, Vec<String>) -> Result<(), Failure>,
) -> Result<Option<Fault>, Failure> {
    let mut log = trace.then(|| Log::new(replay));
    loop {
        let line = replay.record().lines.get(replay.at()).map(|line| line.kind.clone());
        let trace = match (&mut log, &line) {
            (Some(log), Some(kind)) => log.next(replay, kind),
            _ => Vec::new(),
        };
        match replay.step() {
            Ok(None) => return Ok(None),
            Err(fault) => return Ok(Some(fault)),
            Ok(Some(happened)) => tell(replay.at(), happened, trace)?,
        }
    }
}

/// The message log of a record, step by step.
pub(super) struct Log {
    tracer: Option<Tracer>,
}

impl Log {
    /// The replay stands at its beginning.
    pub fn new(replay: &Replay) -> Self {
        Log { tracer: replay.start().as_defined().map(Tracer::new) }
    }

    /// What the rules do in the next line, in words.
    pub fn next(&mut self, replay: &mut Replay, kind: &LineKind) -> Vec<String> {
        let Some(tracer) = &mut self.tracer else {
            return vec!["This game has no rules that could be followed.".into()];
        };
        let Ok(Some(event)) = houserules_record::resolve(replay.now(), kind) else { return Vec::new() };
        match tracer.follow(replay.now(), &event) {
            Ok(traced) => traced.iter().map(traced::words).collect(),
            Err(reason) => vec![reason],
        }
    }
}

/// A line of a record as people say it.
pub(super) fn words(kind: &LineKind) -> String {
    match kind {
        LineKind::Choice { seat, words } => format!("{seat}: {words}"),
        LineKind::Chance { words, .. } => format!("Chance: {words}"),
        LineKind::Rule { mode, rule } => match mode {
            Mode::Enforced => format!("The rule “{rule}” is enforced."),
            Mode::Advised => format!("The rule “{rule}” is only advised."),
            Mode::Off => format!("The rule “{rule}” is switched off."),
        },
        LineKind::Set { name, value } => format!("The setting {name} becomes {value}."),
        LineKind::Change { text } => {
            let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
            format!("The rules change:\n        {}", lines.join("\n        "))
        }
        LineKind::Hand { entity, statements } => format!("By hand, {entity}: {statements}"),
        LineKind::Undo(n) => format!("{n} taken back."),
        LineKind::Redo(n) => format!("{n} done again."),
        LineKind::Note { time, by, text } => {
            let time = if time.is_empty() { String::new() } else { format!(" ({time})") };
            let by = if by.is_empty() { "Note" } else { by };
            format!("{by}{time}: “{}”", text.replace('\n', " / "))
        }
        LineKind::Ruling { allowed, by, seat, words, rule } => {
            let verdict = if *allowed { "allowed" } else { "not allowed" };
            format!("{seat} wants {words} against “{rule}”: {verdict} by {by}.")
        }
        LineKind::Result(ranks) => {
            let ranks: Vec<String> = ranks.iter().map(|(seat, rank)| format!("{seat} {rank}")).collect();
            format!("Result: {}", ranks.join(", "))
        }
        LineKind::Fingerprint(fingerprint) => format!("Fingerprint {fingerprint:016x}"),
    }
}
