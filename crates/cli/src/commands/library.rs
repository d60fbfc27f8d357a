//! `list` and `show`.

use std::io::Write;

use houserules_kernel::Viewer;
use serde::Serialize;

use crate::args::{Output, Rules};
use crate::draw;
use crate::failure::Failure;
use crate::games;
use crate::paint::Paint;

pub fn list(out: &mut dyn Write, output: Output) -> Result<(), Failure> {
    #[derive(Serialize)]
    struct Listed {
        name: String,
        summary: String,
    }
    let games = games::list();
    if output.json {
        let games: Vec<Listed> =
            games.into_iter().map(|entry| Listed { name: entry.name, summary: entry.summary }).collect();
        serde_json::to_writer(&mut *out, &games)?;
        writeln!(out)?;
        return Ok(());
    }
    let paint = Paint::for_stdout();
    let width = games.iter().map(|entry| entry.name.chars().count()).max().unwrap_or(0);
    for entry in games {
        writeln!(out, "{}  {}", paint.strong(&format!("{:width$}", entry.name)), entry.summary)?;
    }
    Ok(())
}

pub fn show(out: &mut dyn Write, game: &str, rules: &Rules) -> Result<(), Failure> {
    let paint = Paint::for_stdout();
    let found = games::find(game)?;
    let about = found.about();
    let rulebook = found.compile(&rules.options(None))?;
    let seats = rulebook.seats();
    let mut position = rulebook.open()?;
    writeln!(out, "{}\n{}\n", paint.strong(&about.title), about.summary)?;
    writeln!(out, "{}\n", draw::view(&position.view(Viewer::Public), &seats, paint))?;
    writeln!(out, "Players   {}", seats.join(", "))?;
    for (idx, variant) in about.variants.iter().enumerate() {
        writeln!(out, "{}{variant}", if idx == 0 { "Variants  " } else { "          " })?;
    }
    for (idx, setting) in about.settings.iter().enumerate() {
        let title = if idx == 0 { "Settings  " } else { "          " };
        let range = paint.faint(&format!("({})", setting.range));
        writeln!(out, "{title}{}={}  {range}", setting.name, setting.default)?;
    }
    for (idx, rule) in about.rules.iter().enumerate() {
        let off = !rule.on || rules.off.iter().any(|name| name.eq_ignore_ascii_case(&rule.name));
        let title = if idx == 0 { "Rules     " } else { "          " };
        writeln!(out, "{title}{}{}", rule.name, if off { " (off)" } else { "" })?;
    }
    writeln!(out, "\n{}", paint.faint(&format!("houserules play {game}")))?;
    Ok(())
}
