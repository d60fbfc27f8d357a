//! A position of the interpreter under changed rules, for whoever follows a match to explain it.

use super::position::WalkPosition;
use super::run::Runner;
use super::state::State;
use super::{WalkRulebook, rulebook};
use crate::constant::Const;
use crate::world::Setup;
use houserules_model::{Definition, Diagnostic, Origin};
use std::sync::Arc;

impl WalkPosition {
    /// The same state of play under another definition: properties are carried over by name, new ones get their first
    /// value. Refused in the middle of an action, which is begun again and would then run by two sets of rules.
    pub fn change_rules(
        &self,
        definition: &Definition,
        settings: &[(String, Const)],
        seats: Option<u32>,
        setup: Option<&Setup>,
    ) -> Result<WalkPosition, Vec<Diagnostic>> {
        let unfit =
            |reason: &str| vec![Diagnostic::error("change/unfit", "This change does not fit", Origin::NONE, reason)];
        if !self.at_rest() {
            return Err(unfit("An action is stopped in the middle."));
        }
        let WalkRulebook { book, .. } = rulebook(definition, settings, seats, setup)?;
        let mut runner = Runner::new(&book, State::empty(book.world.n_seats, book.world.first));
        runner.open_world().map_err(|_| unfit("The first values of its properties cannot be computed."))?;
        let fresh = runner.state;
        let mut state = self.state().clone();
        for (old, new) in state.things.iter_mut().zip(&fresh.things) {
            if old.kind != new.kind || old.name != new.name {
                return Err(unfit("The change needs other things than there are."));
            }
            let old = Arc::make_mut(old);
            for (name, value) in &new.properties {
                old.properties.entry(name.clone()).or_insert_with(|| value.clone());
            }
        }
        WalkPosition::resumed(book, state).map_err(|refusal| unfit(&refusal.reason))
    }
}
