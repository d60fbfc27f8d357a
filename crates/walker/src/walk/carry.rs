//! A state of play in a changed world: everything is carried over by name.

use super::state::{State, Thing};
use super::value::{Message, Value};
use crate::numbers::Numbers;
use crate::renewed::Renewed;
use crate::world::{EntityId, World};
use houserules_model::Name;
use std::sync::Arc;

pub(super) struct Carry<'a> {
    pub numbers: &'a Numbers,
    pub world: &'a World,
    /// The states in which the world before and the changed one begin.
    pub before: &'a State,
    pub fresh: &'a State,
    pub renewed: &'a [Renewed],
}

impl Carry<'_> {
    /// Properties keep their values; new ones get their first, and so do renewed ones that still had their earlier one.
    /// New things begin where the definition puts them, on top of what lies there.
    pub fn over(&self, state: &State) -> State {
        let n = self.world.entities.len();
        let mut carried = State { things: self.fresh.things[..n].to_vec(), ..state.clone() };
        let added: Vec<EntityId> = (0..n as EntityId).filter(|&at| self.numbers.before(at).is_none()).collect();
        for &thing in &added {
            let thing = carried.thing_mut(thing);
            thing.contents.clear();
            thing.supplied = 0;
        }
        for (at, old) in state.things.iter().enumerate() {
            let (at, to) = (at as EntityId, self.numbers.after(at as EntityId));
            let mut thing = self.renumbered(old);
            if (to as usize) < n {
                let fresh = self.fresh.thing(to);
                (thing.name, thing.number) = (fresh.name.clone(), fresh.number);
                self.renew(&mut thing, old, self.before.thing(at), fresh);
                carried.things[to as usize] = Arc::new(thing);
            } else {
                let alike = carried.things.iter().filter(|other| other.kind == thing.kind);
                thing.number = alike.count() as u32 + 1;
                thing.name = format!("{} {}", self.world.kinds[thing.kind as usize].name, thing.number).into();
                carried.things.push(Arc::new(thing));
            }
        }
        for thing in added {
            if let Some(place) = carried.thing(thing).place {
                carried.thing_mut(place).contents.push(thing);
            }
        }
        for (player, name, ..) in &self.world.granted {
            let held = state.thing(*player).properties.get(name);
            if held.is_some() && held == self.before.thing(*player).properties.get(name) {
                let now = self.fresh.thing(*player).properties[name].clone();
                carried.thing_mut(*player).properties.insert(name.clone(), now);
            }
        }
        carried
    }

    fn renew(&self, thing: &mut Thing, old: &Thing, before: &Thing, fresh: &Thing) {
        for (name, value) in &fresh.properties {
            thing.properties.entry(name.clone()).or_insert_with(|| value.clone());
        }
        for renewed in self.renewed.iter().filter(|renewed| renewed.is_of(self.world, fresh.kind, &fresh.name)) {
            let name = Name::from(renewed.property.as_str());
            if let Some(value) = fresh.properties.get(&name)
                && old.properties.get(&name) == before.properties.get(&name)
            {
                thing.properties.insert(name, value.clone());
            }
        }
    }

    fn renumbered(&self, thing: &Thing) -> Thing {
        let mut thing = thing.clone();
        if self.numbers.are_kept() {
            return thing;
        }
        let after = |thing: EntityId| self.numbers.after(thing);
        (thing.owner, thing.place) = (thing.owner.map(after), thing.place.map(after));
        thing.contents.iter_mut().for_each(|inside| *inside = after(*inside));
        thing.properties.values_mut().for_each(|value| *value = self.value(value));
        thing
    }

    fn value(&self, value: &Value) -> Value {
        match value {
            Value::Entity(thing) => Value::Entity(self.numbers.after(*thing)),
            Value::List(members) => Value::list(members.iter().map(|member| self.value(member)).collect()),
            Value::Dictionary(pairs) => {
                let pairs = pairs.iter().map(|(key, value)| (self.value(key), self.value(value)));
                Value::Dictionary(Arc::new(pairs.collect()))
            }
            Value::Message(message) => Value::Message(Arc::new(Message {
                to: message.to.map(|to| self.numbers.after(to)),
                attributes: message.attributes.iter().map(|(name, value)| (name.clone(), self.value(value))).collect(),
                ..(**message).clone()
            })),
            plain => plain.clone(),
        }
    }
}
