//! What a referee does: statements carried out between two actions, and every property of every thing looked up.

use crate::game::{Game, Options};
use crate::glance::MachineGlance;
use crate::layout;
use crate::position::MachinePosition;
use crate::view::Glance;
use crate::world::{EntityId, GAME, GAME_KIND, PLAYER_KIND};
use houserules_model::{Definition, Diagnostic, Origin};
pub use houserules_walker::hand::BY_HAND;
use houserules_walker::hand::listening;

/// One property of one thing, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PropertyState {
    pub entity: String,
    pub kind: String,
    pub property: String,
    pub value: String,
}

impl MachinePosition {
    /// A thing by its name as views show it, and the name of its model. Letters may be small or capital.
    pub fn find(&mut self, name: &str) -> Option<(EntityId, String)> {
        let program = self.program().clone();
        let glance = MachineGlance { program: &program, machine: &mut self.machine };
        let called = |entity: &EntityId| if *entity == GAME { "game".to_owned() } else { glance.name(*entity) };
        let there = || (0..glance.n_things()).filter(|&entity| !glance.is_gone(entity));
        let entity = there().find(|entity| called(entity) == name);
        let entity = entity.or_else(|| there().find(|entity| called(entity).to_lowercase() == name.to_lowercase()))?;
        Some((entity, program.world.kinds[glance.kind_of(entity) as usize].name.to_string()))
    }

    /// The position after the rules on [`BY_HAND`] that `with` has besides `definition`, sent to a thing; then back
    /// under `definition`.
    ///
    /// Refused in the middle of an action, when the statements refuse or have a fault, and when the match is over;
    /// then this position goes on as it was.
    pub fn by_hand(
        &self,
        to: (EntityId, &str),
        with: &Definition,
        definition: &Definition,
        options: &Options,
    ) -> Result<(Game, MachinePosition), Vec<Diagnostic>> {
        let told = |reason: String| {
            vec![Diagnostic::error("change/by-hand", "This cannot be done by hand now", Origin::NONE, reason)]
        };
        if !self.machine.frames.is_empty() || self.machine.is_over() {
            let over = self.machine.is_over();
            let reason = if over { "The match is over." } else { "An action is stopped in the middle. Answer first." };
            return Err(told(reason.into()));
        }
        let with = listening(with, to.1).map_err(told)?;
        let (_, mut position) = self.change_rules(&with, options)?;
        position.tell(BY_HAND, to.0).map_err(|refusal| told(refusal.to_string()))?;
        if !position.machine.frames.is_empty() {
            return Err(told("What is done by hand cannot ask a question or roll a die.".into()));
        }
        position.change_rules(definition, options)
    }

    /// Every property of everything that is still in the game, in a fixed order; predefined ones where they are used.
    pub fn properties(&mut self) -> Vec<PropertyState> {
        let program = self.program().clone();
        let glance = MachineGlance { program: &program, machine: &mut self.machine };
        let mut found = Vec::new();
        for entity in 0..glance.n_things() {
            if glance.is_gone(entity) {
                continue;
            }
            let kind = glance.kind_of(entity);
            let kind_name = program.world.kinds[kind as usize].name.to_string();
            let name = if entity == GAME { "game".to_owned() } else { glance.name(entity) };
            let mut add = |property: &str, value: String| {
                found.push(PropertyState {
                    entity: name.clone(),
                    kind: kind_name.clone(),
                    property: property.to_owned(),
                    value,
                });
            };
            for (at, info) in program.layout.props.iter().enumerate() {
                let internal = info.name.starts_with('#');
                if internal || !info.kinds[kind as usize] {
                    continue;
                }
                let prop = at as crate::code::PropId;
                let value = glance.machine.prop(&program, prop, entity);
                // Most things have no owner, place or state of their own: that is no news.
                let quiet = [layout::OWNER, layout::PLACE, layout::STATE].contains(&prop);
                if quiet && (value.is_nil() || kind == GAME_KIND || kind == PLAYER_KIND) {
                    continue;
                }
                add(&info.name, glance.machine.show(&program, value));
            }
        }
        found
    }
}
