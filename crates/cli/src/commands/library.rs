//! `list` and `show`.

use std::io::Write;
use std::path::Path;

use houserules_kernel::{Decision, Generator, Viewer, Who};
use houserules_library::{About, RuleAbout};
use houserules_model::{Mode, RuleKind};
use serde::Serialize;

use super::replay::viewer;
use crate::args::{Drawn, Output, Rules, Table};
use crate::draw;
use crate::failure::Failure;
use crate::games;
use crate::paint::Paint;
use crate::terminal::hanging;
use crate::{picture, typed};

pub fn list(out: &mut dyn Write, output: Output) -> Result<(), Failure> {
    #[derive(Serialize)]
    struct Listed {
        name: String,
        title: String,
        summary: String,
    }
    let games = games::list();
    if output.json {
        let listed = |entry: games::Entry| Listed { name: entry.name, title: entry.title, summary: entry.summary };
        let games: Vec<Listed> = games.into_iter().map(listed).collect();
        serde_json::to_writer(&mut *out, &games)?;
        writeln!(out)?;
        return Ok(());
    }
    let paint = Paint::for_stdout();
    let width = games.iter().map(|entry| entry.name.chars().count()).max().unwrap_or(0);
    for entry in games {
        let said = if entry.summary.is_empty() { entry.title } else { entry.summary };
        let head = format!("{}  ", paint.strong(&format!("{:width$}", entry.name)));
        writeln!(out, "{}", hanging(&head, width + 2, &said))?;
    }
    Ok(())
}

/// Writes a picture of a game: at its start, or after some moves.
pub fn picture(game: &str, rules: &Rules, table: Table, drawn: &Drawn, file: &Path) -> Result<(), Failure> {
    let (found, options) = (games::find(game)?, rules.options(table.n_seats));
    let (rulebook, stage) = (found.compile(&options)?, found.stage(&options)?);
    let seats = rulebook.seats();
    let viewer = match &drawn.viewer {
        Some(name) => viewer(name, &seats)?,
        None => Viewer::All,
    };
    let mut position = rulebook.open()?;
    let mut moves = typed::play_moves(&mut *position, drawn.after.as_deref().unwrap_or_default())?;
    // Before a deck is shuffled there is nothing to be seen of most games of cards.
    let mut generator = Generator::new(1);
    while position.decision() == Decision::Nature {
        let choices = position.choices(Who::Nature);
        let Some(choice) = choices.get(generator.below(choices.len().max(1) as u64) as usize) else { break };
        position.play(Who::Nature, choice).map_err(|refusal| refusal.to_string())?;
        moves.push((Who::Nature, choice.clone()));
    }
    let (text, faults) = picture::played(&*rulebook, stage, &moves, viewer, drawn.theme())?;
    for fault in faults {
        eprintln!("{fault}");
    }
    std::fs::write(file, text).map_err(|error| format!("{} cannot be written: {error}.", file.display()))?;
    Ok(())
}

pub fn show(out: &mut dyn Write, game: &str, rules: &Rules, table: Table, output: Output) -> Result<(), Failure> {
    let found = games::find(game)?;
    let options = rules.options(table.n_seats);
    let about = found.about(&options)?;
    let rulebook = found.compile(&options)?;
    let chosen = found.settings(&options)?;
    let seats = rulebook.seats();
    if output.json {
        let files = found.files();
        let shown = Shown::new(game, &about, &seats, &chosen, &files);
        serde_json::to_writer(&mut *out, &shown)?;
        writeln!(out)?;
        return Ok(());
    }
    let paint = Paint::for_stdout();
    let mut position = rulebook.open()?;
    writeln!(out, "{}", paint.strong(&about.title))?;
    for (key, text) in &about.info {
        let head = format!("{key}: ");
        writeln!(out, "{}", hanging(&paint.faint(&head), head.chars().count(), text))?;
    }
    writeln!(out, "\n{}\n", draw::view(&position.view(Viewer::Public), &seats, paint))?;
    let players = if about.players.is_empty() { seats.join(", ") } else { about.players.clone() };
    let settings = about.settings.iter().zip(&chosen).map(|(setting, chosen)| {
        let facts: Vec<&str> =
            [setting.range.as_str(), setting.text.as_str()].into_iter().filter(|fact| !fact.is_empty()).collect();
        format!("{}={chosen}  {}", setting.name, paint.faint(&facts.join("; ")))
    });
    let variants = about.variants.iter().zip(&about.variant_settings).map(|(variant, settings)| {
        let facts = if settings.is_empty() { String::new() } else { format!("with {}", settings.join(", ")) };
        format!("{variant}  {}", paint.faint(&facts))
    });
    for (title, lines) in [
        ("Players", vec![players]),
        ("Variants", variants.collect()),
        ("Settings", settings.collect()),
        ("Rules", about.rules.iter().map(|rule| rule_line(rule, paint)).collect()),
        ("Files", found.files()),
    ] {
        for (idx, line) in lines.iter().enumerate() {
            writeln!(out, "{:10}{}", if idx == 0 { title } else { "" }, line.trim_end())?;
        }
    }
    writeln!(out, "\n{}", paint.faint(&format!("houserules play {game}")))?;
    Ok(())
}

fn rule_line(rule: &RuleAbout, paint: Paint) -> String {
    let mode = match rule.mode {
        Mode::Enforced => "",
        Mode::Advised => " (advised)",
        Mode::Off => " (off)",
    };
    let labels = rule.labels.join(", ");
    format!("{}{mode}  {}", rule.name, paint.faint(&format!("{} {labels}", kind(rule.kind))))
}

fn kind(kind: RuleKind) -> &'static str {
    match kind {
        RuleKind::Law => "law on",
        RuleKind::AfterLaw => "law after",
        RuleKind::SideEffect => "side-effect on",
    }
}

#[derive(Serialize)]
struct Shown<'a> {
    name: &'a str,
    title: &'a str,
    info: serde_json::Map<String, serde_json::Value>,
    players: &'a [String],
    variants: &'a [String],
    settings: Vec<ShownSetting<'a>>,
    rules: Vec<ShownRule<'a>>,
    files: &'a [String],
}

#[derive(Serialize)]
struct ShownSetting<'a> {
    name: &'a str,
    value: &'a str,
    default: &'a str,
    range: &'a str,
    text: &'a str,
}

#[derive(Serialize)]
struct ShownRule<'a> {
    name: &'a str,
    kind: &'static str,
    mode: &'static str,
    labels: &'a [String],
}

impl<'a> Shown<'a> {
    fn new(name: &'a str, about: &'a About, seats: &'a [String], chosen: &'a [String], files: &'a [String]) -> Self {
        Shown {
            name,
            title: &about.title,
            info: about.info.iter().map(|(key, text)| (key.clone(), text.clone().into())).collect(),
            players: seats,
            variants: &about.variants,
            settings: about
                .settings
                .iter()
                .zip(chosen)
                .map(|(setting, value)| ShownSetting {
                    name: &setting.name,
                    value,
                    default: &setting.default,
                    range: &setting.range,
                    text: &setting.text,
                })
                .collect(),
            rules: about
                .rules
                .iter()
                .map(|rule| ShownRule {
                    name: &rule.name,
                    kind: match rule.kind {
                        RuleKind::Law => "law",
                        RuleKind::AfterLaw => "law after",
                        RuleKind::SideEffect => "side-effect",
                    },
                    mode: match rule.mode {
                        Mode::Enforced => "enforced",
                        Mode::Advised => "advised",
                        Mode::Off => "off",
                    },
                    labels: &rule.labels,
                })
                .collect(),
            files,
        }
    }
}
