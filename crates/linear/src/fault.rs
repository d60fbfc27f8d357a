//! What goes wrong while a program runs.

use std::fmt;

/// A budget that ran out, or a rule that cannot be carried out; the rule is named.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault(pub String);

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Fault {}

/// How much a program may use: strangers' rules are ordinary input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Firings between two decisions.
    pub firings: u64,
    /// Facts in the state.
    pub facts: u64,
    /// Ways in which the rules of a stage can fire at once.
    pub ways: usize,
    /// Facts tried for the premises of rules, between two decisions: a rule may have no way to fire and be looked through for
    /// ever.
    pub tries: u64,
    /// Steps of one backward proof.
    pub proof: u64,
    /// Looks at what could happen next, between two decisions: at each, whether the order matters is tried out.
    pub looks: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Budget {
            firings: 1_000_000,
            facts: 1_000_000,
            ways: 200_000,
            tries: 100_000_000,
            proof: 2_000_000,
            looks: 50_000_000,
        }
    }
}
