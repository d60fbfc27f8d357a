//! `record check` and `record export`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use houserules_kernel::Viewer;
use houserules_scene::Theme;

use super::replay::{ends, viewer};
use crate::args::{From, Output};
use crate::draw;
use crate::failure::Failure;
use crate::paint::Paint;
use crate::picture;
use crate::play::saved;

pub fn check(out: &mut dyn Write, records: &[PathBuf], from: &From, output: Output) -> Result<ExitCode, Failure> {
    let mut all = Vec::new();
    let mut good = true;
    for path in records {
        let mut ready = match saved::ready(path, from.game.as_deref(), from.which.into()) {
            Ok(ready) => ready,
            // One file that is no record is no reason to leave the others unchecked.
            Err(Failure::Input(message)) if records.len() > 1 && !output.json => {
                writeln!(out, "{message}")?;
                good = false;
                continue;
            }
            Err(failure) => return Err(failure),
        };
        let ends = ends(path, &mut ready);
        good &= ends.fault.is_none();
        if !output.json {
            let place = path.display();
            for note in &ends.notes {
                writeln!(out, "{place}: {note}")?;
            }
            match &ends.fault {
                Some(fault) => writeln!(
                    out,
                    "{place}:{}: {} What comes before it can be replayed: {} moves.",
                    fault.line, fault.reason, ends.moves
                )?,
                None => {
                    let result = ends.result.as_deref().unwrap_or("Not over.");
                    writeln!(out, "{place}: {} moves, replays to {}. {result}", ends.moves, ends.fingerprint)?;
                }
            }
        }
        all.push(ends);
    }
    if output.json {
        serde_json::to_writer(&mut *out, &all)?;
        writeln!(out)?;
    }
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

pub struct Export {
    pub at: Option<usize>,
    pub viewer: Option<String>,
    pub file: Option<PathBuf>,
    pub svg: Option<PathBuf>,
    pub theme: Theme,
}

pub fn export(out: &mut dyn Write, path: &Path, from: &From, wanted: &Export) -> Result<(), Failure> {
    let mut replay = saved::ready(path, from.game.as_deref(), from.which.into())?.replay;
    reach(&mut replay, wanted.at)?;
    let seats = replay.now().seats();
    let viewer = match &wanted.viewer {
        Some(name) => viewer(name, &seats)?,
        None => Viewer::All,
    };
    let now = replay.now();
    let mut picture = || picture::of_match(now, viewer, wanted.theme);
    let (file, text) = match (&wanted.svg, &wanted.file) {
        (Some(file), _) => (file, picture()),
        (None, Some(file)) if file.extension().is_some_and(|kind| kind.eq_ignore_ascii_case("svg")) => {
            (file, picture())
        }
        (None, Some(file)) => (file, format!("{}\n", draw::view(&now.position().view(viewer), &seats, Paint::Plain))),
        (None, None) => {
            writeln!(out, "{}", draw::view(&now.position().view(viewer), &seats, Paint::for_stdout()))?;
            return Ok(());
        }
    };
    std::fs::write(file, text).map_err(|error| format!("{} cannot be written: {error}.", file.display()))?;
    Ok(())
}

/// Goes to after some lines; an error says how far it goes.
pub(super) fn reach(replay: &mut houserules_record::Replay, at: Option<usize>) -> Result<(), Failure> {
    let wanted = at.unwrap_or(replay.len());
    if wanted > replay.len() {
        return Err(Failure::Input(format!(
            "There is no line {wanted}; the record has {} after its head.",
            replay.len()
        )));
    }
    if replay.jump(wanted) < wanted
        && let Err(fault) = replay.advance()
    {
        return Err(Failure::Input(format!("{fault} `--at {}` is the last position before it.", replay.at())));
    }
    Ok(())
}
