use std::fmt;

use crate::{Choice, Decision, Fingerprint, View};

/// All that can be seen of a position.
pub(super) struct Snapshot {
    pub(super) fingerprint: Fingerprint,
    pub(super) decision: Decision,
    pub(super) prompt: String,
    pub(super) turn: u64,
    pub(super) choices: Vec<Vec<Choice>>,
    pub(super) views: Vec<View>,
}

impl Snapshot {
    /// The first thing that differs, in words.
    pub(super) fn difference(&self, other: &Snapshot) -> Option<String> {
        let changed = |what: &str, before: &dyn fmt::Debug, after: &dyn fmt::Debug| {
            Some(format!("{what} changed from {before:?} to {after:?}"))
        };
        if self.decision != other.decision {
            return changed("The decision", &self.decision, &other.decision);
        }
        if self.choices != other.choices {
            return changed("The choices", &self.choices, &other.choices);
        }
        if self.turn != other.turn {
            return changed("The turn", &self.turn, &other.turn);
        }
        if self.prompt != other.prompt {
            return changed("The prompt", &self.prompt, &other.prompt);
        }
        if self.views != other.views {
            return changed("A view", &self.views, &other.views);
        }
        if self.fingerprint != other.fingerprint {
            return changed("The fingerprint", &self.fingerprint, &other.fingerprint);
        }
        None
    }
}
