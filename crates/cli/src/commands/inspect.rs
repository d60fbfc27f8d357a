//! `inspect`: every property of everything, now and before.

use std::io::Write;
use std::path::Path;

use houserules_record::{History, Property, history};
use serde::Serialize;

use super::record::reach;
use crate::args::{From, Output};
use crate::failure::Failure;
use crate::play::saved;

pub struct Wanted {
    pub at: Option<usize>,
    pub of: String,
    pub history: bool,
}

#[derive(Serialize)]
struct Known {
    entity: String,
    property: String,
    value: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    history: Vec<Was>,
}

#[derive(Serialize)]
struct Was {
    line: usize,
    value: Option<String>,
}

pub fn inspect(out: &mut dyn Write, path: &Path, from: &From, wanted: &Wanted, output: Output) -> Result<(), Failure> {
    let mut replay = saved::ready(path, from.game.as_deref(), from.which.into())?.replay;
    reach(&mut replay, wanted.at)?;
    let at = replay.at();
    let known: Vec<Known> = if wanted.history {
        let (known, _) = history(&mut replay);
        known.into_iter().map(|found| was(found, at)).collect()
    } else {
        replay.now().running().properties().into_iter().map(is).collect()
    };
    let of = wanted.of.to_lowercase();
    let fits = |known: &Known| format!("{} {}", known.entity, known.property).to_lowercase().contains(&of);
    let known: Vec<Known> = known.into_iter().filter(fits).collect();
    if known.is_empty() {
        return Err(Failure::Input(format!("There is nothing called “{}” here.", wanted.of)));
    }
    if output.json {
        serde_json::to_writer(&mut *out, &known)?;
        writeln!(out)?;
        return Ok(());
    }
    let shown = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".into());
    for Known { entity, property, value, history } in known {
        if history.is_empty() {
            writeln!(out, "{entity} {property}: {}", shown(&value))?;
        } else {
            let values: Vec<String> =
                history.iter().map(|was| format!("{} ({})", shown(&was.value), was.line)).collect();
            writeln!(out, "{entity} {property}: {}", values.join(" → "))?;
        }
    }
    Ok(())
}

fn is(found: Property) -> Known {
    Known { entity: found.entity, property: found.property, value: Some(found.value), history: Vec::new() }
}

fn was(found: History, until: usize) -> Known {
    let values = found.values.into_iter().filter(|(line, _)| *line <= until);
    let history: Vec<Was> = values.map(|(line, value)| Was { line, value }).collect();
    let value = history.last().and_then(|was| was.value.clone());
    Known { entity: found.entity, property: found.property, value, history }
}
