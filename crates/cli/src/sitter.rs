//! Who decides for a seat.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Instant;

use houserules_model::nearest;
use houserules_players::{AlphaBeta, Clock, Greedy, Level, Limits, Mcts, Player};

/// A person, random choice or a player of some strength.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sitter {
    /// A person at this terminal.
    Human,
    /// Any legal choice, all equally likely.
    Random,
    /// Takes what looks best at once.
    Greedy,
    Level(Level),
    /// Plays so many matches out before each choice.
    Mcts(u64),
    /// Looks so many choices ahead.
    AlphaBeta(u32),
}

const KNOWN: &str = "`human`, `random`, `greedy`, `level1` to `level10`, `mcts:N` or `alphabeta:N`";

impl Sitter {
    /// Whoever looks ahead for this sitter; people and random choice need nobody.
    pub fn player(self, seed: u64) -> Option<Box<dyn Player>> {
        match self {
            Sitter::Human | Sitter::Random => None,
            Sitter::Greedy => Some(Box::new(Greedy::new(seed))),
            Sitter::Level(level) => Some(level.player(seed, Some(clock()))),
            Sitter::Mcts(nodes) => Some(Box::new(Mcts::new(seed, Limits::nodes(nodes)))),
            Sitter::AlphaBeta(depth) => Some(Box::new(AlphaBeta::new(seed, Limits::depth(depth)))),
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
            Sitter::Greedy => f.write_str("greedy"),
            Sitter::Level(level) => level.fmt(f),
            Sitter::Mcts(nodes) => write!(f, "mcts:{nodes}"),
            Sitter::AlphaBeta(depth) => write!(f, "alphabeta:{depth}"),
        }
    }
}

impl FromStr for Sitter {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, number) = match text.split_once(':') {
            Some((name, number)) => (name, Some(number)),
            None => (text, None),
        };
        let count = |number: &str| match number.parse::<u32>() {
            Ok(number) if number > 0 => Ok(number),
            _ => Err(format!("“{number}” is no number above 0, as in `mcts:1000` or `alphabeta:4`")),
        };
        match (name, number) {
            ("human", None) => Ok(Sitter::Human),
            ("random", None) => Ok(Sitter::Random),
            ("greedy", None) => Ok(Sitter::Greedy),
            ("mcts", Some(number)) => Ok(Sitter::Mcts(count(number)?.into())),
            ("alphabeta", Some(number)) => Ok(Sitter::AlphaBeta(count(number)?)),
            ("mcts" | "alphabeta", None) => Err(format!("`{name}` needs a number, as in `mcts:1000` or `alphabeta:4`")),
            _ => match (name.strip_prefix("level"), number) {
                (Some(level), None) => level
                    .parse()
                    .ok()
                    .and_then(Level::new)
                    .map(Sitter::Level)
                    .ok_or_else(|| format!("there is no level “{level}”; levels go from 1 to 10, as in `level5`")),
                _ => Err(match nearest(name, ["human", "random", "greedy", "mcts", "alphabeta"]) {
                    Some(near) => format!("did you mean `{near}`? A sitter is {KNOWN}"),
                    None => format!("a sitter is {KNOWN}"),
                }),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sitters_are_read_and_mistakes_are_told() {
        assert_eq!("level10".parse(), Ok(Sitter::Level(Level::new(10).unwrap())));
        assert_eq!("mcts:500".parse(), Ok(Sitter::Mcts(500)));
        assert_eq!("alphabeta:3".parse(), Ok(Sitter::AlphaBeta(3)));
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
