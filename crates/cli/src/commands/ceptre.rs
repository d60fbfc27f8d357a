//! `run` and `diagram`: programs in Ceptre, run and drawn.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use houserules_kernel::Generator;
use houserules_library::linear::run::{End, Next, Running, Step};
use houserules_library::linear::{Budget, Diagram, print};
use serde::Serialize;

use crate::args::Output;
use crate::failure::Failure;
use crate::games;

pub struct Wanted {
    pub seed: u64,
    pub choose: String,
    pub trace: bool,
}

/// As another program reads it.
#[derive(Serialize)]
struct Ran {
    /// How many rules have fired, links among them.
    fired: u64,
    stage: String,
    /// Every fact as often as it is there, in Ceptre's spelling.
    r#final: Vec<String>,
    /// What is offered, where somebody has to choose.
    options: Vec<String>,
    log: Vec<Logged>,
    /// Why it stopped: nothing more can happen, somebody is asked, option 0, or the limit of the trace.
    end: &'static str,
}

#[derive(Serialize)]
struct Logged {
    rule: String,
    removed: Vec<String>,
    added: Vec<String>,
}

pub fn run(out: &mut dyn Write, file: &str, wanted: &Wanted, output: Output) -> Result<(), Failure> {
    let choices = numbers(&wanted.choose)?;
    let found = games::find(file)?;
    let program = found.program()?;
    let program = Arc::new(program);
    let limit = program.queries.first().and_then(|query| query.limit);
    let told = |fault: houserules_library::linear::Fault| Failure::Input(fault.to_string());
    let mut running = Running::start(program.clone(), 0, Budget::default()).map_err(told)?;
    let mut log = Vec::new();
    let mut lines = Vec::new();
    let mut note = |running: &Running, step: Step| {
        if wanted.trace && !output.json {
            let list = |facts: &[String]| if facts.is_empty() { "nothing".to_owned() } else { facts.join(", ") };
            lines.push(format!(
                "{}\n    used up  {}\n    made     {}",
                step.fired,
                list(&step.removed),
                list(&step.added)
            ));
            lines.push(format!("    state    {}", state(running)));
        }
        if output.json {
            log.push(Logged { rule: step.fired, removed: step.removed, added: step.added });
        }
    };
    let end = running.run(limit, &choices, &mut Generator::new(wanted.seed), &mut note);
    for line in lines {
        writeln!(out, "{line}")?;
    }
    let end = end.map_err(told)?;
    let options: Vec<String> = match end {
        End::Asked | End::Stopped => {
            let options = running.options(Next::Choice).map_err(told)?;
            options.iter().map(|(instance, _)| print::instance(&program, &running.store, instance)).collect()
        }
        End::Quiet | End::Limit => Vec::new(),
    };
    let why = match end {
        End::Quiet => "quiet",
        End::Asked => "asked",
        End::Stopped => "stopped",
        End::Limit => "limit",
    };
    let stage = program.stages[running.stage].name.clone();
    if output.json {
        let ran = Ran { fired: running.fired, stage, r#final: running.shown(), options, log, end: why };
        serde_json::to_writer(&mut *out, &ran)?;
        writeln!(out)?;
        return Ok(());
    }
    let times = if running.fired == 1 { "rule has" } else { "rules have" };
    writeln!(out, "{} {times} fired; stage {stage}.", running.fired)?;
    writeln!(out, "{}", state(&running))?;
    if end == End::Limit {
        writeln!(out, "The limit of the trace is reached.")?;
    }
    if !options.is_empty() {
        writeln!(out, "\n0: (quiesce)")?;
        for (at, option) in options.iter().enumerate() {
            writeln!(out, "{}: {option}", at + 1)?;
        }
        writeln!(out, "\nhouserules run {file} --choose \"{}\"", format!("{} 1", wanted.choose.trim()).trim())?;
    }
    Ok(())
}

fn state(running: &Running) -> String {
    format!("{{{}}}", running.shown().join(", "))
}

fn numbers(text: &str) -> Result<Vec<usize>, Failure> {
    let number = |word: &str| {
        word.parse().map_err(|_| Failure::Input(format!("“{word}” is no number of an option; --choose \"1 1 2\" is.")))
    };
    text.split([' ', ',']).filter(|word| !word.is_empty()).map(number).collect()
}

/// The diagram as text, or as a picture in a file.
pub fn diagram(out: &mut dyn Write, game: &str, file: Option<&Path>) -> Result<(), Failure> {
    let found = games::find(game)?;
    let diagram = match found.ceptre() {
        Some(_) => Diagram::of_program(&found.program()?),
        None => houserules_library::diagram(&found.arranged(&games::Options::default())?),
    };
    match file {
        Some(file) => std::fs::write(file, diagram.svg())
            .map_err(|error| Failure::Input(format!("{} cannot be written: {error}.", file.display()))),
        None => Ok(write!(out, "{}", diagram.text())?),
    }
}
