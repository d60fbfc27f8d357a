//! `check` and `fmt`: what is done with the text of definitions.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::failure::Failure;
use crate::games;

/// All files are looked at, whatever the first one is like. Status 1 when one has an error.
pub fn check(out: &mut dyn Write, paths: &[PathBuf]) -> Result<ExitCode, Failure> {
    let (mut n_errors, mut n_warnings) = (0, 0);
    let mut unreadable = Vec::new();
    for path in paths {
        match games::check(path) {
            Ok(checked) => {
                write!(out, "{}", checked.messages)?;
                n_errors += checked.n_errors;
                n_warnings += checked.n_warnings;
            }
            Err(message) => unreadable.push(message),
        }
    }
    if !unreadable.is_empty() {
        return Err(Failure::Input(unreadable.join("\n")));
    }
    let files = if paths.len() == 1 { "1 file".into() } else { format!("{} files", paths.len()) };
    writeln!(out, "{files}: {}, {}.", counted(n_errors, "error"), counted(n_warnings, "warning"))?;
    Ok(if n_errors == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
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
    for path in paths {
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
