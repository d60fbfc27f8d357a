//! A position of the interpreter under changed rules, for whoever follows a match to explain it.

use super::book::Book;
use super::carry::Carry;
use super::position::WalkPosition;
use super::run::Runner;
use super::state::State;
use super::{WalkRulebook, rulebook};
use crate::constant::Const;
use crate::hand;
use crate::numbers::Numbers;
use crate::renewed::Renewed;
use crate::world::{EntityId, Setup};
use houserules_model::{Definition, Diagnostic, Origin};
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
        self.adopt(rulebook(definition, settings, seats, setup)?, renewed)
    }

    /// The same under rules that were read already.
    pub fn adopt(&self, rules: WalkRulebook, renewed: &[Renewed]) -> Result<WalkPosition, Vec<Diagnostic>> {
        let unfit =
            |reason: &str| vec![Diagnostic::error("change/unfit", "This change does not fit", Origin::NONE, reason)];
        if !self.at_rest() {
            return Err(unfit("An action is stopped in the middle."));
        }
        let WalkRulebook { book, .. } = rules;
        let first = |book: &Book| {
            let mut runner = Runner::new(book, State::empty(book.world.n_seats, book.world.first));
            let opened = runner.open_world().map(|_| runner.state);
            opened.map_err(|_| unfit("The first values of its properties cannot be computed."))
        };
        let (before, fresh) = (first(self.book())?, first(&book)?);
        let numbers = Numbers::between(&self.book().world, &book.world).map_err(|reason| unfit(&reason))?;
        let carry = Carry { numbers: &numbers, world: &book.world, before: &before, fresh: &fresh, renewed };
        let mut state = carry.over(self.state());
        let been = state.been.iter().map(|been| Arc::new((been.0, carry.over(&been.1))));
        state.been = Arc::new(been.collect());
        let mut runner = Runner::new(&book, state);
        let added = (0..book.world.entities.len() as EntityId).filter(|&thing| numbers.before(thing).is_none());
        for thing in added {
            runner.resupply(thing).map_err(|_| unfit("What it supplies has no room."))?;
        }
        runner.recall().map_err(|_| unfit("What it asks about earlier positions cannot be told."))?;
        let state = runner.state;
        WalkPosition::resumed(book, state).map_err(|refusal| unfit(&refusal.reason))
    }

    /// As [`MachinePosition::by_hand`](../../houserules_machine/struct.MachinePosition.html#method.by_hand) leaves it, but still under `with`.
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
