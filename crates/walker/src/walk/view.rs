//! The interpreter's state as views are made of it.

use super::position::WalkPosition;
use super::run::{Frame, Runner};
use super::state::Life;
use super::value::Value;
use crate::meaning;
use crate::view::{Glance, Told};
use crate::world::{EntityId, KindId, World};
use houserules_kernel::Position;
use houserules_model::Expr;

impl Runner<'_> {
    fn shown(&self, value: &Value) -> Told {
        match value {
            Value::Nil => Told::Nil,
            Value::True => Told::True,
            Value::Entity(entity) => Told::Entity(*entity),
            Value::List(list) => Told::List(list.iter().map(|member| self.shown(member)).collect()),
            Value::Dictionary(entries) => {
                Told::Pairs(entries.iter().map(|(key, value)| (self.shown(key), self.shown(value))).collect())
            }
            other => Told::Text(self.told(other)),
        }
    }
}

impl WalkPosition {
    /// As the machine tells it.
    pub fn meaning(&self) -> String {
        meaning::told(&self.runner(), self.is_over(), self.turn())
    }
}

impl Glance for Runner<'_> {
    fn world(&self) -> &World {
        &self.book.world
    }

    fn n_things(&self) -> EntityId {
        self.state.things.len() as EntityId
    }

    fn kind_of(&self, entity: EntityId) -> KindId {
        self.state.thing(entity).kind
    }

    fn name(&self, entity: EntityId) -> String {
        self.state.thing(entity).name.to_string()
    }

    fn is_gone(&self, entity: EntityId) -> bool {
        self.state.thing(entity).life != Life::Here
    }

    fn state(&self, entity: EntityId) -> String {
        self.state.thing(entity).state.to_string()
    }

    fn owner(&self, entity: EntityId) -> Option<EntityId> {
        self.state.thing(entity).owner
    }

    fn place(&self, entity: EntityId) -> Option<EntityId> {
        self.state.thing(entity).place
    }

    fn contents(&self, entity: EntityId) -> Vec<EntityId> {
        self.state.thing(entity).contents.clone()
    }

    fn first_player(&self) -> Option<EntityId> {
        self.state.first()
    }

    fn order(&self) -> Vec<EntityId> {
        self.state.players.clone()
    }

    fn out(&self) -> Vec<EntityId> {
        self.state.out.clone()
    }

    fn recurrence(&self) -> Vec<usize> {
        meaning::recurrence(&self.state.history)
    }

    fn property(&self, entity: EntityId, name: &str) -> Told {
        match name {
            "owner" => self.state.thing(entity).owner.map_or(Told::Nil, Told::Entity),
            _ => self.state.thing(entity).properties.get(name).map_or(Told::Nil, |value| self.shown(value)),
        }
    }

    fn computed(&mut self, expr: &Expr, of: EntityId) -> Option<Told> {
        let value = self.eval(expr, &mut Frame::new(of, None)).ok()?;
        Some(self.shown(&value))
    }
}
