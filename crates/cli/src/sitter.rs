//! Who decides for a seat.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Instant;

use houserules_arena::Chair;
use houserules_model::nearest;
use houserules_players::{Clock, Player, Recipe, Registry};

/// A person, random choice or a player of some strength.
#[derive(Clone, PartialEq, Debug)]
pub enum Sitter {
    /// A person at this terminal.
    Human,
    /// Any legal choice, all equally likely.
    Random,
    /// Whoever the recipe makes.
    Player(Recipe),
}

/// Who plays where nobody is named: one person against somebody who looks ahead and does not keep him waiting.
pub const DEFAULT_SEATS: &str = "human,level3";

const KNOWN: &str = "`human`, `random`, `greedy`, `level1` to `level10`, `mcts:N` or `alpha-beta:N`";

impl Sitter {
    /// [`DEFAULT_SEATS`].
    pub fn usual() -> Vec<Sitter> {
        DEFAULT_SEATS.split(',').map(|sitter| sitter.parse().expect("the usual sitters are known")).collect()
    }

    /// Whoever looks ahead for this sitter; people and random choice need nobody.
    pub fn player(&self, seed: u64) -> Option<Box<dyn Player>> {
        match self {
            Sitter::Human | Sitter::Random => None,
            Sitter::Player(recipe) => Registry::standard().make(recipe, seed, Some(clock())).ok(),
        }
    }
}

impl From<&Chair> for Sitter {
    fn from(chair: &Chair) -> Self {
        match chair {
            Chair::Human => Sitter::Human,
            Chair::Player(recipe) if recipe.kind == "random" => Sitter::Random,
            Chair::Player(recipe) => Sitter::Player(recipe.clone()),
        }
    }
}

fn clock() -> Clock {
    let began = Instant::now();
    Arc::new(move || began.elapsed())
}

/// As it is typed.
impl fmt::Display for Sitter {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Sitter::Human => f.write_str("human"),
            Sitter::Random => f.write_str("random"),
            Sitter::Player(recipe) => {
                // How many threads it gets depends on the computer and is not typed.
                let mut typed = recipe.clone();
                typed.settings.threads = None;
                typed.fmt(f)
            }
        }
    }
}

impl FromStr for Sitter {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "human" {
            return Ok(Sitter::Human);
        }
        let mut recipe: Recipe = text.parse()?;
        let registry = Registry::standard();
        if registry.check(&recipe).is_err() {
            let names = registry.names();
            return Err(match nearest(&recipe.kind, names.iter().map(String::as_str).chain(["human"])) {
                Some(near) => format!("did you mean `{near}`? A sitter is {KNOWN}"),
                None => format!("a sitter is {KNOWN}"),
            });
        }
        if recipe.kind == "random" {
            return Ok(Sitter::Random);
        }
        if recipe.kind == "level" {
            // A person waits for it, so it may use what there is.
            recipe.settings.threads = Some(houserules_arena::crew::cores() as u32);
        }
        Ok(Sitter::Player(recipe))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sitters_are_read_and_mistakes_are_told() {
        for typed in ["level10", "mcts:500", "alphabeta:3", "alpha-beta:3", "greedy"] {
            let sitter: Sitter = typed.parse().unwrap();
            assert!(sitter.player(1).is_some(), "{typed}");
            assert_eq!(sitter.to_string().parse(), Ok(sitter), "{typed}");
        }
        assert_eq!(("human".parse(), "random".parse()), (Ok(Sitter::Human), Ok(Sitter::Random)));
        for (typed, told) in [
            ("level11", "levels go from 1 to 10"),
            ("level", "levels go from 1 to 10"),
            ("mcts", "needs a number"),
            ("mcts:0", "no number above 0"),
            ("randon", "did you mean `random`?"),
            ("", "a sitter is"),
        ] {
            let message = typed.parse::<Sitter>().unwrap_err();
            assert!(message.contains(told), "{typed}: {message}");
        }
    }
}
