use std::sync::Arc;
use std::time::Instant;

use houserules_kernel::Rulebook;
use houserules_library::{Found, Options, find};
use houserules_players::{Clock, DERIVED, Player, Registry};

use crate::fault::{Fault, unknown};
pub use crate::match_file::Chair;
use crate::match_file::{At, MatchFile};
use crate::xml_file::OWN_EVALUATOR;

/// A match file with everything looked up: the rulebook is compiled and every player can be made.
pub struct Arena {
    pub file: MatchFile,
    /// The house rules it is compiled with.
    pub options: Options,
    pub rulebook: Arc<dyn Rulebook>,
    pub registry: Registry,
}

impl Arena {
    /// Looks up what a file names; every mistake is told with its line and what is known.
    pub fn build(file: MatchFile, registry: Registry) -> Result<Arena, Fault> {
        let found = find(&file.game.is).map_err(|message| Fault {
            file: file.file.clone(),
            line: Some(file.game.line),
            message,
        })?;
        Self::of(&found, file, registry)
    }

    /// The same with a game that was found already.
    pub fn of(found: &Found, mut file: MatchFile, registry: Registry) -> Result<Arena, Fault> {
        let name = file.file.clone();
        let fault = |line: usize, message: String| Fault { file: name.clone(), line: Some(line), message };
        found.refuse_errors().map_err(|told| fault(file.game.line, told))?;
        let about = found.about(&Options::default()).map_err(|told| fault(file.game.line, told))?;
        let same = |one: &str, other: &str| one.to_lowercase() == other.to_lowercase();
        let listed =
            |what: &str, named: &At<String>, names: &[&str]| match names.iter().any(|known| same(known, &named.is)) {
                true => Ok(()),
                false => Err(fault(named.line, unknown(what, &named.is, names))),
            };
        let variants: Vec<&str> = about.variants.iter().map(String::as_str).collect();
        for variant in &file.variants {
            listed("variant", variant, &variants)?;
        }
        let settings: Vec<&str> = about.settings.iter().map(|setting| setting.name.as_str()).collect();
        for (setting, _) in &file.settings {
            listed("setting", setting, &settings)?;
        }
        let mut options = Options {
            variants: file.variants.iter().map(|variant| variant.is.clone()).collect(),
            settings: file.settings.iter().map(|(setting, value)| (setting.is.clone(), value.clone())).collect(),
            position: file.position.as_ref().map(|position| position.is.clone()),
            seats: file.seats.as_ref().map(|seats| seats.is),
            ..Options::default()
        };
        // A variant may bring rules of its own.
        let arranged = found.about(&options).map_err(|told| fault(culprit(found, &file), told))?;
        let rules: Vec<&str> = arranged.rules.iter().map(|rule| rule.name.as_str()).collect();
        for rule in &file.off {
            listed("rule", rule, &rules)?;
        }
        options.off = file.off.iter().map(|rule| rule.is.clone()).collect();
        let mut compiled = found.rulebook(&options);
        let n_players = file.players.len() as u32;
        let fits = compiled.as_ref().is_ok_and(|game| game.seats().len() == file.players.len());
        if file.tournament.is_none() && file.seats.is_none() && n_players > 0 && !fits {
            // A game for two to four has as many seats as there are players.
            let with_all = Options { seats: Some(n_players), ..options.clone() };
            if let Ok(game) = found.rulebook(&with_all) {
                (options, compiled) = (with_all, Ok(game));
            }
        }
        let rulebook = compiled.map_err(|told| fault(culprit(found, &file), told.trim_end().to_owned()))?;
        let start = rulebook.open().map_err(|error| fault(file.game.line, error.to_string()))?;
        let own = start.evaluators();
        for player in &mut file.players {
            let line = player.line_of(Some("evaluator"));
            let Chair::Player(recipe) = &mut player.who.is else { continue };
            let Some(evaluator) = &mut recipe.settings.evaluator else { continue };
            if evaluator == OWN_EVALUATOR
                && let Some(first) = own.first()
            {
                evaluator.clone_from(first);
            }
            let known: Vec<&str> = DERIVED.into_iter().chain(own.iter().map(String::as_str)).collect();
            if evaluator == OWN_EVALUATOR {
                let message = format!("{} supplies no evaluator of its own.", rulebook.name());
                return Err(fault(line, format!("{message} Known: {}.", crate::fault::known(known))));
            }
            if !known.contains(&evaluator.as_str()) {
                return Err(fault(line, unknown("evaluator", evaluator, &known)));
            }
        }
        let n_seats = rulebook.seats().len();
        // The first player too many, or the last one before those that are missing.
        let players = &file.players;
        let at = players.get(n_seats).or(players.last()).map_or(file.game.line, |player| player.who.line);
        let told = |message: String| fault(at, message);
        match file.tournament {
            None if file.players.len() != n_seats => {
                let message = format!(
                    "{} for {n_seats} seats: {}. Each seat needs a player of its own.",
                    count(file.players.len(), "player"),
                    rulebook.seats().join(", ")
                );
                return Err(told(message));
            }
            Some(_) if file.players.len() < 2 => {
                return Err(told("A tournament needs two players or more.".into()));
            }
            Some(_) if n_seats < 2 => {
                return Err(told("Nobody can meet anybody in a game with one seat.".into()));
            }
            _ => {}
        }
        Ok(Arena { file, options, rulebook: Arc::from(rulebook), registry })
    }

    /// What each player is called in results: its own name, or its recipe, told apart by numbers.
    pub fn names(&self) -> Vec<String> {
        let plain: Vec<String> = self
            .file
            .players
            .iter()
            .map(|player| match (&player.name, &player.who.is) {
                (Some(name), _) => name.clone(),
                (None, Chair::Human) => "human".into(),
                (None, Chair::Player(recipe)) => recipe.to_string(),
            })
            .collect();
        let twice = |name: &String| plain.iter().filter(|other| *other == name).count() > 1;
        let name =
            |(idx, name): (usize, &String)| if twice(name) { format!("{name} #{}", idx + 1) } else { name.clone() };
        plain.iter().enumerate().map(name).collect()
    }

    /// The player of an entry, with a seed for one match; none for a person.
    pub fn player(&self, idx: usize, seed: u64) -> Option<Box<dyn Player>> {
        match &self.file.players[idx].who.is {
            Chair::Human => None,
            Chair::Player(recipe) => self.registry.make(recipe, seed, Some(clock())).ok(),
        }
    }

    pub fn has_humans(&self) -> bool {
        self.file.players.iter().any(|player| player.who.is == Chair::Human)
    }
}

/// A clock from now on, for limits by time.
fn clock() -> Clock {
    let began = Instant::now();
    Arc::new(move || began.elapsed())
}

/// The line because of which a game does not compile: that of a setting, of the position, of the seats, or of the game.
fn culprit(found: &houserules_library::Found, file: &MatchFile) -> usize {
    let variants: Vec<String> = file.variants.iter().map(|variant| variant.is.clone()).collect();
    let plain = Options { variants, ..Options::default() };
    let fails = |options: &Options| found.rulebook(options).is_err();
    if fails(&plain) {
        return file.game.line;
    }
    for (setting, value) in &file.settings {
        if fails(&Options { settings: vec![(setting.is.clone(), value.clone())], ..plain.clone() }) {
            return setting.line;
        }
    }
    let settings = file.settings.iter().map(|(setting, value)| (setting.is.clone(), value.clone())).collect();
    let set = Options { settings, ..plain };
    match (&file.position, &file.seats) {
        (Some(position), _) if fails(&Options { position: Some(position.is.clone()), ..set.clone() }) => position.line,
        (_, Some(seats)) if fails(&Options { seats: Some(seats.is), ..set }) => seats.line,
        _ => file.game.line,
    }
}

fn count(n: usize, what: &str) -> String {
    if n == 1 { format!("One {what}") } else { format!("{n} {what}s") }
}
