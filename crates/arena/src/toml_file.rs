//! A match file in TOML.

use std::collections::BTreeMap;

use houserules_players::{Recipe, Registry, Settings};
use serde::Deserialize;
use toml::Spanned;

use crate::fault::{Fault, unknown};
use crate::match_file::{At, Chair, MatchFile, Pairing, PlayerEntry, Rounds, USUAL_LONGEST};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    game: Spanned<String>,
    #[serde(default)]
    variants: Vec<Spanned<String>>,
    #[serde(default)]
    off: Vec<Spanned<String>>,
    #[serde(default)]
    settings: BTreeMap<Spanned<String>, toml::Value>,
    position: Option<Spanned<String>>,
    seats: Option<Spanned<u32>>,
    #[serde(default)]
    player: Vec<Player>,
    matches: Option<Spanned<u64>>,
    seed: Option<u64>,
    longest: Option<Spanned<u64>>,
    tournament: Option<Tournament>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Player {
    plays: Spanned<String>,
    name: Option<String>,
    level: Option<Spanned<u8>>,
    depth: Option<Spanned<u32>>,
    nodes: Option<Spanned<u64>>,
    seconds: Option<Spanned<f64>>,
    threads: Option<Spanned<u32>>,
    evaluator: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tournament {
    #[serde(default)]
    kind: Option<Spanned<String>>,
    rounds: Option<Spanned<u64>>,
}

pub(crate) fn parse(file: &str, text: &str, registry: &Registry) -> Result<MatchFile, Fault> {
    let line = |at: usize| 1 + text[..at.min(text.len())].matches('\n').count();
    let fault = |at: usize, message: String| Fault { file: file.into(), line: Some(line(at)), message };
    let parsed: File = toml::from_str(text).map_err(|error| Fault {
        file: file.into(),
        line: error.span().map(|span| line(span.start)),
        message: sentence(error.message()),
    })?;
    let at = |spanned: &Spanned<String>| At { line: line(spanned.span().start), is: spanned.get_ref().clone() };
    let above_0 = |number: Option<Spanned<u64>>, usual: u64, name: &str| match number {
        Some(number) if *number.get_ref() == 0 => {
            Err(fault(number.span().start, format!("`{name}` is a number above 0.")))
        }
        Some(number) => Ok(number.into_inner()),
        None => Ok(usual),
    };
    let mut players = Vec::new();
    for player in &parsed.player {
        let plays = at(&player.plays);
        let is = chair(player, registry).map_err(|told| fault(player.plays.span().start, told))?;
        let lines = player.places().into_iter().map(|(name, at)| (name, line(at))).collect();
        players.push(PlayerEntry { name: player.name.clone(), who: At { line: plays.line, is }, lines });
    }
    let tournament = match parsed.tournament {
        None => None,
        Some(Tournament { kind, rounds }) => Some(Rounds {
            pairing: match kind {
                None => Pairing::RoundRobin,
                Some(kind) => {
                    let known = Pairing::KNOWN.iter().find(|(name, _)| name == kind.get_ref());
                    let names = Pairing::KNOWN.map(|(name, _)| name);
                    let told = || fault(kind.span().start, unknown("kind of tournament", kind.get_ref(), &names));
                    known.ok_or_else(told)?.1
                }
            },
            rounds: above_0(rounds, 1, "rounds")?,
        }),
    };
    Ok(MatchFile {
        file: file.into(),
        game: at(&parsed.game),
        variants: parsed.variants.iter().map(at).collect(),
        off: parsed.off.iter().map(at).collect(),
        settings: parsed.settings.iter().map(|(name, value)| (at(name), words(value))).collect(),
        position: parsed.position.as_ref().map(at),
        seats: parsed.seats.map(|seats| At { line: line(seats.span().start), is: seats.into_inner() }),
        players,
        matches: above_0(parsed.matches, 1, "matches")?,
        seed: parsed.seed.unwrap_or(1),
        longest: above_0(parsed.longest, USUAL_LONGEST, "longest")?,
        tournament,
    })
}

impl Player {
    /// Where each setting stands that is given.
    fn places(&self) -> Vec<(&'static str, usize)> {
        fn place<T>(name: &'static str, value: &Option<Spanned<T>>) -> Option<(&'static str, usize)> {
            value.as_ref().map(|value| (name, value.span().start))
        }
        let numbers = [place("level", &self.level), place("depth", &self.depth), place("nodes", &self.nodes)];
        let others =
            [place("seconds", &self.seconds), place("threads", &self.threads), place("evaluator", &self.evaluator)];
        numbers.into_iter().chain(others).flatten().collect()
    }
}

fn chair(player: &Player, registry: &Registry) -> Result<Chair, String> {
    let settings = Settings {
        level: player.level.as_ref().map(|level| *level.get_ref()),
        depth: player.depth.as_ref().map(|depth| *depth.get_ref()),
        nodes: player.nodes.as_ref().map(|nodes| *nodes.get_ref()),
        seconds: player.seconds.as_ref().map(|seconds| *seconds.get_ref()),
        threads: player.threads.as_ref().map(|threads| *threads.get_ref()),
        evaluator: player.evaluator.as_ref().map(|evaluator| evaluator.get_ref().clone()),
    };
    let plays = player.plays.get_ref();
    if plays == "human" {
        return match settings.given().first() {
            Some(setting) => Err(format!("A person takes no `{setting}`.")),
            None => Ok(Chair::Human),
        };
    }
    named(plays, settings, registry).map(Chair::Player)
}

/// A player by the name of its kind, or as on the command line: `level5`, `mcts:1000`.
pub(crate) fn named(plays: &str, settings: Settings, registry: &Registry) -> Result<Recipe, String> {
    let names = registry.names();
    if names.iter().any(|name| name == plays) {
        return Ok(Recipe { kind: plays.into(), settings });
    }
    let kind = plays.split(':').next().unwrap_or(plays).trim_end_matches(|letter: char| letter.is_ascii_digit());
    let is_short = names.iter().any(|name| name == kind);
    match plays.parse::<Recipe>() {
        Ok(mut recipe) if names.contains(&recipe.kind) => {
            // A number that stands there twice could be meant either way.
            let short = recipe.settings.given();
            if let Some(twice) = settings.given().into_iter().find(|setting| short.contains(setting)) {
                return Err(format!("`{plays}` says the `{twice}` already, and it is given again."));
            }
            recipe.settings = recipe.settings.and(settings);
            Ok(recipe)
        }
        Err(told) if is_short => Err(sentence(&told)),
        _ => {
            let known: Vec<&str> = names.iter().map(String::as_str).chain(["human"]).collect();
            Err(unknown("player", plays, &known))
        }
    }
}

/// A value as it would be typed after `--set`.
fn words(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Array(members) => {
            format!("({})", members.iter().map(words).collect::<Vec<_>>().join(" "))
        }
        other => other.to_string(),
    }
}

const TYPES: [(&str, &str); 5] = [
    ("u64", "a whole number from 0 on"),
    ("u32", "a whole number from 0 on"),
    ("u8", "a whole number from 0 to 255"),
    ("f64", "a number"),
    ("a sequence", "a list"),
];

fn sentence(message: &str) -> String {
    // A match file has keys, as the guide calls them.
    let mut message = message.trim().replace('\n', " ").replace(" field `", " key `");
    // The library speaks of types of Rust, which nobody who writes a match file needs to know.
    for (rust, plain) in TYPES {
        message = message.replace(&format!("expected {rust}"), &format!("expected {plain}"));
    }
    // Where a name stands without quotes, the library tries to read it as something else.
    let taken_for = ["expected `true`", "expected `false`", "expected `nan`", "expected `inf`", "must be quoted"];
    if taken_for.iter().any(|told| message.contains(told)) {
        message = "text stands in quotes, as in `game = \"nim\"`".into();
    }
    let mut letters = message.chars();
    let first: String = letters.next().map(|letter| letter.to_uppercase().collect()).unwrap_or_default();
    let end = if message.ends_with('.') { "" } else { "." };
    format!("{first}{}{end}", letters.as_str())
}
