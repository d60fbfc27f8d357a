//! Players by name, as match files and command lines write them.

use std::fmt;
use std::time::Duration;

use crate::alphabeta::AlphaBeta;
use crate::derived;
use crate::greedy::Greedy;
use crate::level::Level;
use crate::limits::{Clock, Limits};
use crate::mcts::Mcts;
use crate::player::Player;
use crate::random::Random;

/// Which player, and how it is set.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Recipe {
    /// One of the names that the registry knows.
    pub kind: String,
    pub settings: Settings,
}

/// What a player can be told. What is not given is left to the player.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Settings {
    /// From 1 to 10.
    pub level: Option<u8>,
    /// Choices looked ahead.
    pub depth: Option<u32>,
    /// Positions looked at, or matches played out.
    pub nodes: Option<u64>,
    /// Time for one choice.
    pub seconds: Option<f64>,
    /// Cores to think on.
    pub threads: Option<u32>,
    /// The name of an evaluator: one of [`DERIVED`](crate::DERIVED), or one of the game's own.
    pub evaluator: Option<String>,
}

/// The names of the settings, as they are written.
pub const SETTINGS: [&str; 6] = ["level", "depth", "nodes", "seconds", "threads", "evaluator"];

impl Settings {
    /// The names of those that are given.
    pub fn given(&self) -> Vec<&'static str> {
        let given = [
            self.level.is_some(),
            self.depth.is_some(),
            self.nodes.is_some(),
            self.seconds.is_some(),
            self.threads.is_some(),
            self.evaluator.is_some(),
        ];
        SETTINGS.into_iter().zip(given).filter_map(|(name, given)| given.then_some(name)).collect()
    }

    /// These, and those of another for what these leave open.
    pub fn and(self, other: Settings) -> Settings {
        Settings {
            level: self.level.or(other.level),
            depth: self.depth.or(other.depth),
            nodes: self.nodes.or(other.nodes),
            seconds: self.seconds.or(other.seconds),
            threads: self.threads.or(other.threads),
            evaluator: self.evaluator.or(other.evaluator),
        }
    }

    fn limits(&self, clock: Option<Clock>) -> Limits {
        let limits = Limits { depth: self.depth, nodes: self.nodes, ..Limits::default() };
        match (self.seconds, clock) {
            (Some(seconds), Some(clock)) => limits.within(Duration::from_secs_f64(seconds), clock),
            _ => limits,
        }
    }
}

/// How one kind of player is made.
pub struct Maker {
    /// What is written to get one.
    pub name: String,
    /// What it does, in a few words.
    pub about: String,
    /// The settings that mean something to it.
    pub takes: Vec<&'static str>,
    pub make: Box<Make>,
}

/// Settings, a seed and a clock for whoever has a limit by time.
pub type Make = dyn Fn(&Settings, u64, Option<Clock>) -> Box<dyn Player> + Send + Sync;

/// All kinds of players that can be named. New ones are added with [`Registry::with`] and nothing else changes.
pub struct Registry {
    makers: Vec<Maker>,
}

/// Why there is no such player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mistake {
    UnknownKind {
        kind: String,
        known: Vec<String>,
    },
    /// A setting that this player does not take.
    NotTaken {
        kind: String,
        setting: &'static str,
        takes: Vec<&'static str>,
    },
    /// A number out of its range; the words say which.
    OutOfRange {
        setting: &'static str,
        reason: String,
    },
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let quoted = |names: &[String]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        match self {
            Mistake::UnknownKind { kind, known } => {
                write!(f, "There is no player `{kind}`. There are: {}.", quoted(known))
            }
            Mistake::NotTaken { kind, setting, takes } if takes.is_empty() => {
                write!(f, "`{kind}` takes no `{setting}`, and no other setting.")
            }
            Mistake::NotTaken { kind, setting, takes } => {
                let takes: Vec<String> = takes.iter().map(ToString::to_string).collect();
                write!(f, "`{kind}` takes no `{setting}`. It takes: {}.", quoted(&takes))
            }
            Mistake::OutOfRange { reason, .. } => f.write_str(reason),
        }
    }
}

impl std::error::Error for Mistake {}

impl Mistake {
    /// The setting it is about; none if it is about the kind.
    pub fn setting(&self) -> Option<&'static str> {
        match self {
            Mistake::UnknownKind { .. } => None,
            Mistake::NotTaken { setting, .. } | Mistake::OutOfRange { setting, .. } => Some(setting),
        }
    }
}

impl Registry {
    /// The players of this crate.
    pub fn standard() -> Self {
        Registry { makers: Vec::new() }
            // Any player can be given an evaluator; this one has no use for it.
            .with("random", "any legal choice, all equally likely", &["evaluator"], |_, seed, _| {
                Box::new(Random::new(seed))
            })
            .with("greedy", "what looks best at once", &["evaluator"], |settings, seed, _| {
                let mut player = Greedy::new(seed);
                player.rate_with(settings.evaluator.as_deref().map(derived::named));
                Box::new(player)
            })
            .with(
                "alpha-beta",
                "looks ahead choice by choice",
                &["depth", "nodes", "seconds", "evaluator"],
                |settings, seed, clock| {
                    let mut player = AlphaBeta::new(seed, settings.limits(clock));
                    player.rate_with(settings.evaluator.as_deref().map(derived::named));
                    Box::new(player)
                },
            )
            .with(
                "mcts",
                "plays matches out and prefers what ended well",
                &["nodes", "seconds", "threads", "evaluator"],
                |settings, seed, clock| {
                    let threads = settings.threads.unwrap_or(1) as usize;
                    let mut player = Mcts::new(seed, settings.limits(clock)).on_threads(threads);
                    player.rate_with(settings.evaluator.as_deref().map(derived::named));
                    Box::new(player)
                },
            )
            .with("level", "a strength from 1 to 10", &["level", "threads", "evaluator"], |settings, seed, clock| {
                let level = settings.level.and_then(Level::new).unwrap_or_default();
                let evaluator = settings.evaluator.as_deref().map(derived::named);
                level.player_rating_with(evaluator, settings.threads.unwrap_or(1) as usize, seed, clock)
            })
    }

    /// One more kind; a name that is known already means the new one from now on.
    pub fn with(
        mut self,
        name: &str,
        about: &str,
        takes: &[&'static str],
        make: impl Fn(&Settings, u64, Option<Clock>) -> Box<dyn Player> + Send + Sync + 'static,
    ) -> Self {
        self.makers.retain(|maker| maker.name != name);
        let maker = Maker { name: name.into(), about: about.into(), takes: takes.to_vec(), make: Box::new(make) };
        self.makers.push(maker);
        self
    }

    pub fn makers(&self) -> &[Maker] {
        &self.makers
    }

    pub fn names(&self) -> Vec<String> {
        self.makers.iter().map(|maker| maker.name.clone()).collect()
    }

    /// Whether such a player can be made, and if not, why.
    pub fn check(&self, recipe: &Recipe) -> Result<(), Mistake> {
        self.maker(recipe).map(|_| ())
    }

    /// A player as the recipe says. Without a clock, limits by time are not kept.
    pub fn make(&self, recipe: &Recipe, seed: u64, clock: Option<Clock>) -> Result<Box<dyn Player>, Mistake> {
        Ok((self.maker(recipe)?.make)(&recipe.settings, seed, clock))
    }

    fn maker(&self, recipe: &Recipe) -> Result<&Maker, Mistake> {
        let settings = &recipe.settings;
        let Some(maker) = self.makers.iter().find(|maker| maker.name == recipe.kind) else {
            return Err(Mistake::UnknownKind { kind: recipe.kind.clone(), known: self.names() });
        };
        if let Some(setting) = settings.given().into_iter().find(|setting| !maker.takes.contains(setting)) {
            return Err(Mistake::NotTaken { kind: recipe.kind.clone(), setting, takes: maker.takes.clone() });
        }
        let out_of_range = |setting, reason: &str| Err(Mistake::OutOfRange { setting, reason: reason.into() });
        match settings {
            Settings { level: Some(level), .. } if Level::new(*level).is_none() => {
                out_of_range("level", &format!("There is no level {level}; levels go from 1 to 10."))
            }
            Settings { depth: Some(0), .. } => out_of_range("depth", "A depth is a number above 0."),
            Settings { nodes: Some(0), .. } => out_of_range("nodes", "Nodes are a number above 0."),
            Settings { threads: Some(threads), .. } if !(1..=256).contains(threads) => {
                out_of_range("threads", "Threads are a number from 1 to 256.")
            }
            Settings { seconds: Some(seconds), .. } if !(*seconds > 0.0 && *seconds <= 86_400.0) => {
                out_of_range("seconds", "Seconds are a number above 0, at most a day.")
            }
            _ => Ok(maker),
        }
    }
}

impl fmt::Display for Recipe {
    /// As it is typed after `--seats`.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Settings { level, depth, nodes, seconds, threads, evaluator } = &self.settings;
        f.write_str(&self.kind)?;
        let mut rest = Vec::new();
        match (self.kind.as_str(), level, depth, nodes) {
            ("level", Some(level), ..) => write!(f, "{level}")?,
            (_, _, Some(depth), _) => write!(f, ":{depth}")?,
            (_, _, _, Some(nodes)) => write!(f, ":{nodes}")?,
            _ => {}
        }
        if let (Some(_), Some(nodes)) = (depth, nodes) {
            rest.push(format!("nodes={nodes}"));
        }
        rest.extend(seconds.map(|seconds| format!("seconds={seconds}")));
        rest.extend(threads.map(|threads| format!("threads={threads}")));
        rest.extend(evaluator.as_ref().map(|evaluator| format!("evaluator={evaluator}")));
        if !rest.is_empty() {
            write!(f, " ({})", rest.join(" "))?;
        }
        Ok(())
    }
}

impl std::str::FromStr for Recipe {
    type Err = String;

    /// `random`, `greedy`, `level5`, `mcts:1000`, `alpha-beta:4`. Whether there is such a kind is for a registry to say.
    fn from_str(text: &str) -> Result<Self, String> {
        let (kind, number) = match text.split_once(':') {
            Some((kind, number)) => (kind, Some(number)),
            None => (text, None),
        };
        let kind = if kind == "alphabeta" { "alpha-beta" } else { kind };
        let count = |number: &str| match number.parse::<u32>() {
            Ok(number) if number > 0 => Ok(number),
            _ => Err(format!("“{number}” is no number above 0, as in `mcts:1000` or `alpha-beta:4`")),
        };
        let mut recipe = Recipe { kind: kind.into(), settings: Settings::default() };
        match (kind, number) {
            ("mcts", Some(number)) => recipe.settings.nodes = Some(count(number)?.into()),
            ("alpha-beta", Some(number)) => recipe.settings.depth = Some(count(number)?),
            ("mcts" | "alpha-beta", None) => {
                return Err(format!("`{kind}` needs a number, as in `mcts:1000` or `alpha-beta:4`"));
            }
            (_, Some(_)) => return Err(format!("`{kind}` takes no number")),
            (_, None) => {
                if let Some(level) = kind.strip_prefix("level") {
                    let told = || format!("there is no level “{level}”; levels go from 1 to 10, as in `level5`");
                    let level = level.parse().ok().filter(|&level| Level::new(level).is_some()).ok_or_else(told)?;
                    recipe = Recipe {
                        kind: "level".into(),
                        settings: Settings { level: Some(level), ..Settings::default() },
                    };
                }
            }
        }
        Ok(recipe)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recipes_are_read_as_they_are_written() {
        for text in ["random", "greedy", "level10", "mcts:500", "alpha-beta:3"] {
            let recipe: Recipe = text.parse().unwrap();
            assert_eq!(recipe.to_string(), text);
            assert_eq!(Registry::standard().check(&recipe), Ok(()));
        }
        for (text, told) in [
            ("level11", "levels go from 1 to 10"),
            ("level", "levels go from 1 to 10"),
            ("mcts", "needs a number"),
            ("mcts:0", "no number above 0"),
            ("random:3", "takes no number"),
        ] {
            let message = text.parse::<Recipe>().unwrap_err();
            assert!(message.contains(told), "{text}: {message}");
        }
    }

    #[test]
    fn mistakes_name_what_is_known() {
        let registry = Registry::standard();
        let recipe = |kind: &str, settings| Recipe { kind: kind.into(), settings };
        let told = |recipe: &Recipe| registry.check(recipe).unwrap_err().to_string();
        let unknown = told(&recipe("rando", Settings::default()));
        assert!(unknown.contains("`random`") && unknown.contains("`mcts`"), "{unknown}");
        let deep = Settings { depth: Some(3), ..Settings::default() };
        assert!(told(&recipe("mcts", deep.clone())).contains("It takes: `nodes`, `seconds`"));
        assert!(told(&recipe("random", deep.clone())).contains("It takes: `evaluator`"));
        let mute = Registry::standard().with("mute", "takes nothing", &[], |_, seed, _| Box::new(Random::new(seed)));
        let told_mute = mute.check(&recipe("mute", deep)).unwrap_err().to_string();
        assert!(told_mute.contains("no other setting"), "{told_mute}");
        let level = Settings { level: Some(11), ..Settings::default() };
        assert!(told(&recipe("level", level)).contains("from 1 to 10"));
    }

    /// A new player plugs in under a name, and nothing that is there changes.
    #[test]
    fn a_new_kind_of_player_plugs_in() {
        let registry = Registry::standard().with("mine", "mine", &[], |_, seed, _| Box::new(Random::new(seed)));
        let recipe = Recipe { kind: "mine".into(), settings: Settings::default() };
        assert_eq!(registry.make(&recipe, 1, None).unwrap().name(), "random");
        assert_eq!(registry.names().len(), Registry::standard().names().len() + 1);
    }
}
