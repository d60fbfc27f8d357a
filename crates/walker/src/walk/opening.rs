//! The state before anything has happened: the world's things with their first values.

use super::run::{Frame, Runner};
use super::state::{Life, State, Thing};
use super::stop::Stop;
use super::value::Value;
use crate::world::{EntityId, Initial, KindId, NOBODY};
use houserules_model::Name;
use std::collections::BTreeMap;
use std::sync::Arc;

impl State {
    pub fn empty(n_seats: u32, first: u32) -> State {
        State {
            things: Vec::new(),
            players: (0..n_seats).map(|seat| 1 + (seat + first) % n_seats).collect(),
            out: Vec::new(),
            outcome: None,
            turn: 0,
            kept: false,
            passed: false,
            history: Arc::default(),
            been: Arc::default(),
            said: Vec::new(),
        }
    }
}

impl<'a> Runner<'a> {
    /// Makes everything that exists at the start. A first value may use another that is not computed yet.
    pub fn open_world(&mut self) -> Result<(), Stop> {
        let world = &self.book.world;
        for thing in &world.entities {
            let owner = Some(thing.owner).filter(|&owner| owner != NOBODY);
            let mut made = self.blank(thing.kind, thing.name.clone(), thing.number, owner);
            if let Some(state) = &thing.state {
                made.state = state.clone();
            }
            self.state.things.push(Arc::new(made));
        }
        let n = world.entities.len() as EntityId;
        for entity in 0..n {
            self.expect_values(entity);
        }
        for (player, name, things, list) in &world.granted {
            let value = match things.as_slice() {
                [only] if !list => Value::Entity(*only),
                things => Value::entities(things.iter().copied()),
            };
            self.give(*player, name, value);
        }
        for entity in 0..n {
            for (name, initial) in &world.entities[entity as usize].with {
                match initial {
                    Initial::Known(constant) if self.is_relation(entity, name) => {
                        self.pending.remove(&(entity, name.clone()));
                        self.set_property(entity, name, Value::constant(constant), true)?;
                    }
                    Initial::Known(constant) => self.give(entity, name, Value::constant(constant)),
                    Initial::Entity(other) => self.give(entity, name, Value::Entity(*other)),
                    Initial::Computed(expr) => {
                        let thing = self.state.thing_mut(entity);
                        thing.properties.entry(name.clone()).or_insert(Value::Nil);
                        self.pending.insert((entity, name.clone()), expr);
                    }
                }
            }
        }
        // First values may ask where a drawn piece stands.
        for entity in 0..n {
            if let Some(Initial::Entity(place)) = world.entities[entity as usize].at {
                self.move_to(entity, Some(place))?;
            }
        }
        while let Some((entity, name)) = self.pending.keys().next().cloned() {
            self.property(entity, &name)?;
        }
        for entity in 0..n {
            if let Some(Initial::Computed(expr)) = &world.entities[entity as usize].at {
                let value = self.eval(expr, &mut Frame::new(entity, None))?;
                if let Some(place) = self.opt_entity(&value)? {
                    self.move_to(entity, Some(place))?;
                }
            }
        }
        for (entity, name, seat) in &world.marks {
            let player = world.seat_entity(*seat);
            self.give(*entity, name, Value::Entity(player));
        }
        for entity in 0..n {
            self.resupply(entity)?;
        }
        Ok(())
    }

    fn give(&mut self, entity: EntityId, name: &Name, value: Value) {
        self.pending.remove(&(entity, name.clone()));
        let thing = self.state.thing_mut(entity);
        if &**name == "owner" {
            thing.owner = value.entity();
        } else {
            thing.properties.insert(name.clone(), value);
        }
    }

    /// A thing with all its properties, each nil.
    pub fn blank(&self, kind: KindId, name: Name, number: u32, owner: Option<EntityId>) -> Thing {
        let mut properties = BTreeMap::new();
        if kind == crate::world::PLAYER_KIND {
            properties.insert("score".into(), Value::Whole(0));
            let seat = number - 1;
            let team = self.book.world.teams.iter().find(|team| team.contains(&seat));
            let team = team.map_or(vec![1 + seat], |team| team.iter().map(|&seat| 1 + seat).collect());
            properties.insert("team".into(), Value::entities(team));
        }
        for property in &self.book.world.kinds[kind as usize].properties {
            if &*property.name != "owner" {
                properties.entry(property.name.clone()).or_insert(Value::Nil);
            }
        }
        Thing {
            kind,
            name,
            number,
            state: self.book.world.kinds[kind as usize].state.clone().unwrap_or_else(|| "default".into()),
            owner,
            place: None,
            contents: Vec::new(),
            properties,
            life: Life::Here,
            supplied: 0,
        }
    }

    fn expect_values(&mut self, entity: EntityId) {
        let kind = self.state.thing(entity).kind;
        for property in &self.book.world.kinds[kind as usize].properties {
            if let Some(value) = &property.value {
                self.pending.insert((entity, property.name.clone()), value);
            }
        }
    }

    /// Computes the first values of a new thing.
    pub fn first_values(&mut self, entity: EntityId) -> Result<(), Stop> {
        self.expect_values(entity);
        let kind = self.state.thing(entity).kind;
        for property in &self.book.world.kinds[kind as usize].properties {
            self.property(entity, &property.name)?;
        }
        Ok(())
    }
}
