use std::sync::Arc;

use houserules_kernel::Rulebook;
use houserules_players::{Player, Recipe, Registry};

/// What is studied, and how.
pub struct Plan {
    /// The name of the game.
    pub title: String,
    /// The game and its variants, each compared with the first.
    pub subjects: Vec<Subject>,
    /// Who plays. With fewer players than seats they sit down again in turn.
    pub players: Vec<Recipe>,
    /// Matches of each subject.
    pub matches: u64,
    pub seed: u64,
    /// A match is cut after so many choices, and counted as such.
    pub longest: u64,
    /// In so many matches of each subject it is looked at what each rule changes.
    pub rule_matches: u64,
}

/// A game under some house rules.
pub struct Subject {
    /// What the variant is called.
    pub label: String,
    pub rulebook: Arc<dyn Rulebook>,
    /// The rules that are in force.
    pub rules: Vec<Rule>,
}

/// A rule of a subject, and the game without it.
pub struct Rule {
    pub name: String,
    pub kind: RuleKind,
    /// The same game without the rule; none if it cannot do without.
    pub without: Option<Arc<dyn Rulebook>>,
}

/// Whether a rule forbids or does something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RuleKind {
    Law,
    SideEffect,
}

impl Plan {
    /// Tells one study from another: a journal belongs to one.
    ///
    /// The number of matches plays no part, so that a study can be made longer.
    pub fn digest(&self) -> String {
        let books: Vec<String> = self.subjects.iter().map(|subject| subject.rulebook.digest()).collect();
        let said = format!("{books:?} {:?} {} {} {}", self.players, self.seed, self.longest, self.rule_matches);
        blake3::hash(said.as_bytes()).to_hex().to_string()
    }

    /// Which player sits on each seat: they move up by one from match to match, so that strength does not look like luck
    /// of the seat.
    pub fn seating(&self, n_seats: usize, number: u64) -> Vec<usize> {
        let n = self.players.len().max(1);
        (0..n_seats).map(|seat| (seat + number as usize) % n.max(n_seats) % n).collect()
    }

    pub(crate) fn player(&self, idx: usize, seed: u64) -> Box<dyn Player> {
        let recipe = self.players.get(idx);
        let made = recipe.and_then(|recipe| Registry::standard().make(recipe, seed, None).ok());
        made.unwrap_or_else(|| Box::new(houserules_players::Random::new(seed)))
    }

    /// Whether a match is among those in which rules are switched off one by one.
    pub(crate) fn looks_at_rules(&self, number: u64) -> bool {
        number < self.rule_matches
    }
}
