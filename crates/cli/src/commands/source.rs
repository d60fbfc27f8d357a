//! `check`, `fmt`, `convert`, `split` and `join`: what is done with the text of definitions.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use houserules_library::Found;
use houserules_model::{Diagnostic, Severity};
use serde::Serialize;

use crate::args::Output;
use crate::failure::Failure;
use crate::games;
use crate::paint::Paint;

/// All files are looked at, whatever the first one is like. Status 1 when one cannot be played.
pub fn check(out: &mut dyn Write, paths: &[String], output: Output) -> Result<ExitCode, Failure> {
    let colour = Paint::for_stdout() == Paint::Colour;
    let mut checked = Vec::new();
    let mut unreadable = Vec::new();
    for path in paths {
        match games::check(path, colour) {
            Ok(games) => checked.extend(games),
            Err(message) => unreadable.push(message),
        }
    }
    let said: Vec<&Diagnostic> = checked.iter().flat_map(|checked| &checked.found.diagnostics).collect();
    let of = |severity: Severity| said.iter().filter(|diagnostic| diagnostic.severity == severity).count();
    let (n_errors, n_to_do) = (of(Severity::Error), of(Severity::ToDo));
    if output.json {
        let messages: Vec<Message> = checked.iter().flat_map(|checked| Message::all(&checked.found)).collect();
        serde_json::to_writer(&mut *out, &messages)?;
        writeln!(out)?;
    } else {
        for checked in &checked {
            write!(out, "{}", checked.messages)?;
        }
        let games = if checked.len() == 1 { checked[0].path.clone() } else { format!("{} games", checked.len()) };
        if !checked.is_empty() {
            let to_do = if n_to_do == 0 { String::new() } else { format!(", {n_to_do} to do") };
            let (errors, warnings) = (counted(n_errors, "error"), counted(of(Severity::Warning), "warning"));
            writeln!(out, "{games}: {errors}{to_do}, {warnings}.")?;
        }
    }
    if !unreadable.is_empty() {
        out.flush()?;
        return Err(Failure::Input(unreadable.join("\n")));
    }
    Ok(if n_errors + n_to_do == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A message as another program reads it.
#[derive(Serialize)]
struct Message {
    severity: &'static str,
    code: &'static str,
    title: String,
    file: String,
    line: usize,
    column: usize,
    text: String,
    notes: Vec<String>,
    hint: Option<String>,
}

impl Message {
    fn all(found: &Found) -> Vec<Message> {
        let message = |diagnostic: &Diagnostic| {
            let label = diagnostic.labels.first();
            let sources = &found.loaded.sources;
            let place = label.and_then(|label| sources.place(label.origin));
            Message {
                severity: match diagnostic.severity {
                    Severity::Error => "error",
                    Severity::ToDo => "to do",
                    Severity::Warning => "warning",
                },
                code: diagnostic.code,
                title: diagnostic.title.clone(),
                file: label.and_then(|label| sources.get(label.origin.file)).map_or(String::new(), |s| s.name.clone()),
                line: place.map_or(0, |place| place.line),
                column: place.map_or(0, |place| place.column),
                text: label.map_or(String::new(), |label| label.text.clone()),
                notes: diagnostic.notes.clone(),
                hint: diagnostic.hint.clone(),
            }
        };
        found.diagnostics.iter().map(message).collect()
    }
}

fn counted(number: usize, word: &str) -> String {
    match number {
        0 => format!("no {word}s"),
        1 => format!("1 {word}"),
        _ => format!("{number} {word}s"),
    }
}

/// Writes only what changes. With `only_check` nothing is written, and status 1 says that something would be.
pub fn format(out: &mut dyn Write, paths: &[PathBuf], only_check: bool) -> Result<ExitCode, Failure> {
    let mut would_change = false;
    let mut failed = Vec::new();
    let mut files = Vec::new();
    for path in paths {
        match games::files(path) {
            Ok(inside) => files.extend(inside),
            Err(message) => failed.push(message),
        }
    }
    for path in &files {
        match games::format(path) {
            Ok(formatted) if formatted.before == formatted.after => {}
            Ok(_) if only_check => {
                would_change = true;
                writeln!(out, "{}", path.display())?;
            }
            Ok(formatted) => match std::fs::write(path, formatted.after) {
                Ok(()) => writeln!(out, "{}", path.display())?,
                Err(error) => failed.push(format!("{} cannot be written: {error}.", path.display())),
            },
            Err(message) => failed.push(message),
        }
    }
    if !failed.is_empty() {
        return Err(Failure::Input(failed.join("\n")));
    }
    Ok(if would_change { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Prints a game in another language, or writes it to a file that is not there yet.
pub fn convert(
    out: &mut dyn Write,
    game: &str,
    to: games::Language,
    options: &games::Options,
    file: Option<&Path>,
) -> Result<(), Failure> {
    put(out, &games::convert(game, to, options)?, file)
}

/// Writes the two parts of a game file beside it.
pub fn split(out: &mut dyn Write, file: &Path) -> Result<(), Failure> {
    let [logic, look] = games::split(file)?;
    for (path, _) in [&logic, &look] {
        is_free(path)?;
    }
    for (path, text) in [logic, look] {
        put(out, &text, Some(&path))?;
        writeln!(out, "{}", path.display())?;
    }
    Ok(())
}

pub fn join(out: &mut dyn Write, logic: &Path, look: &Path, file: Option<&Path>) -> Result<(), Failure> {
    put(out, &games::join(logic, look)?, file)
}

fn put(out: &mut dyn Write, text: &str, file: Option<&Path>) -> Result<(), Failure> {
    let Some(file) = file else { return Ok(write!(out, "{text}")?) };
    is_free(file)?;
    std::fs::write(file, text)
        .map_err(|error| Failure::Input(format!("{} cannot be written: {error}.", file.display())))
}

fn is_free(file: &Path) -> Result<(), Failure> {
    match file.exists() {
        true => Err(Failure::Input(format!("{} is there already; name another file.", file.display()))),
        false => Ok(()),
    }
}
