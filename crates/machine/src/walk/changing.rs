//! A position of the interpreter under changed rules, for whoever follows a match to explain it.

use super::book::Book;
use super::position::WalkPosition;
use super::run::Runner;
use super::state::State;
use super::{WalkRulebook, rulebook};
use crate::adopt::Renewed;
use crate::constant::Const;
use crate::hand;
use crate::world::{EntityId, Setup};
use houserules_model::{Definition, Diagnostic, Name, Origin};
use std::sync::Arc;

impl WalkPosition {
    /// The same state of play under another definition: properties are carried over by name, new ones get their first
    /// value, and so do renewed ones that still had their earlier one. Refused in the middle of an action, which is begun
    /// again and would then run by two sets of rules.
    pub fn change_rules(
        &self,
        definition: &Definition,
        settings: &[(String, Const)],
        seats: Option<u32>,
        setup: Option<&Setup>,
        renewed: &[Renewed],
    ) -> Result<WalkPosition, Vec<Diagnostic>> {
        let unfit =
            |reason: &str| vec![Diagnostic::error("change/unfit", "This change does not fit", Origin::NONE, reason)];
        if !self.at_rest() {
            return Err(unfit("An action is stopped in the middle."));
        }
        let WalkRulebook { book, .. } = rulebook(definition, settings, seats, setup)?;
        let first = |book: &Book| {
            let mut runner = Runner::new(book, State::empty(book.world.n_seats, book.world.first));
            let opened = runner.open_world().map(|_| runner.state);
            opened.map_err(|_| unfit("The first values of its properties cannot be computed."))
        };
        let (before, fresh) = (first(self.book())?, first(&book)?);
        let mut state = self.state().clone();
        for ((old, new), before) in state.things.iter_mut().zip(&fresh.things).zip(&before.things) {
            if old.kind != new.kind || old.name != new.name {
                return Err(unfit("The change needs other things than there are."));
            }
            let old = Arc::make_mut(old);
            for (name, value) in &new.properties {
                old.properties.entry(name.clone()).or_insert_with(|| value.clone());
            }
            for property in renewed.iter().filter(|renewed| renewed.is_of(&book.world, new.kind, &new.name)) {
                let name = Name::from(property.property.as_str());
                if let Some(value) = new.properties.get(&name)
                    && old.properties.get(&name) == before.properties.get(&name)
                {
                    old.properties.insert(name, value.clone());
                }
            }
        }
        WalkPosition::resumed(book, state).map_err(|refusal| unfit(&refusal.reason))
    }

    /// As [`MachinePosition::by_hand`](crate::MachinePosition::by_hand) leaves it, but still under `with`.
    pub fn by_hand(
        &self,
        (to, model): (EntityId, &str),
        with: &Definition,
        settings: &[(String, Const)],
        seats: Option<u32>,
        setup: Option<&Setup>,
    ) -> Result<WalkPosition, Vec<Diagnostic>> {
        let unfit = |reason: String| vec![Diagnostic::error("change/by-hand", "Not by hand", Origin::NONE, reason)];
        let with = hand::listening(with, model).map_err(unfit)?;
        let position = self.change_rules(&with, settings, seats, setup, &[])?;
        position.told(hand::BY_HAND, to).map_err(|refusal| unfit(refusal.reason))
    }
}
