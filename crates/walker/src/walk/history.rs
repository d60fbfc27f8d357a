//! What "the same position" means to `seen`, and what tells positions apart altogether.

use super::run::{Frame, Runner};
use super::state::{Life, State, Thing};
use super::stop::Stop;
use crate::world::{EntityId, GAME, World};
use houserules_model::*;
use std::fmt::Write;
use std::sync::Arc;

impl Runner<'_> {
    /// The part of the position that `#history` names, in one canonical form; everything where it names nothing.
    ///
    /// Things that lie somewhere count by what they are and where, not by which of several equal ones they are.
    pub fn snapshot(&mut self, mover: EntityId) -> Result<String, Stop> {
        let book = self.book;
        let mut parts = Vec::new();
        let (things, by_player) = match &book.history {
            Some(history) => (history.things.as_slice(), history.by_player),
            None => (&[] as &[_], true),
        };
        if things.is_empty() {
            for entity in 0..self.state.things.len() as EntityId {
                parts.extend(tracked(&book.world, &self.state, entity));
            }
        }
        for (name, _) in things {
            if let Some(kind) = book.world.kind(name) {
                for entity in self.state.of_kind(&book.world, kind) {
                    parts.extend(tracked(&book.world, &self.state, entity));
                }
            } else {
                let value = self.word(name, &mut Frame::new(GAME, Some(mover)))?;
                parts.push(format!("{name} {value:?}"));
            }
        }
        parts.sort();
        if by_player {
            parts.push(format!("by {mover}"));
        }
        Ok(parts.join("\n"))
    }

    /// Adds the present position to the history; in words only if anything ever asks for it.
    pub fn remember(&mut self, mover: EntityId) -> Result<(), Stop> {
        if self.book.asks_seen {
            let snapshot = self.snapshot(mover)?;
            Arc::make_mut(&mut self.state.history).push(snapshot);
        }
        let mut state = self.state.clone();
        (state.history, state.been) = Default::default();
        Arc::make_mut(&mut self.state.been).push(Arc::new((mover, state)));
        Ok(())
    }

    /// The history anew, as these rules tell it.
    pub fn recall(&mut self) -> Result<(), Stop> {
        let mut history = Vec::new();
        if self.book.asks_seen {
            for been in self.state.been.iter() {
                history.push(Runner::new(self.book, been.1.clone()).snapshot(been.0)?);
            }
        }
        self.state.history = history.into();
        Ok(())
    }
}

fn tracked(world: &World, state: &State, entity: EntityId) -> Option<String> {
    let thing = state.thing(entity);
    if thing.life != Life::Here {
        return None;
    }
    let mut text = match thing.place {
        Some(place) => format!("in {place}"),
        None => format!("entity {entity}"),
    };
    describe(&mut text, thing, &|name| {
        let properties = &world.kinds[thing.kind as usize].properties;
        !properties.iter().any(|property| property.name == *name && property.untracked)
    });
    Some(text)
}

fn describe(text: &mut String, thing: &Thing, keep: &dyn Fn(&Name) -> bool) {
    let _ = write!(text, " kind {} state {:?} owner {:?}", thing.kind, thing.state, thing.owner);
    for (name, value) in thing.properties.iter().filter(|(name, _)| keep(name)) {
        let _ = write!(text, " {name} {value:?}");
    }
}

/// All of a state that can matter for what happens next, in one canonical form.
pub fn canonical(state: &State) -> String {
    let mut text = format!("{:?} {:?} {:?}", state.players, state.out, state.outcome);
    for (entity, thing) in state.things.iter().enumerate() {
        if thing.life == Life::Here {
            let _ = write!(text, "\n{entity} in {:?} holds {:?}", thing.place, thing.contents);
            let _ = write!(text, " supplied {}", thing.supplied);
            describe(&mut text, thing, &|_| true);
        }
    }
    for entry in state.history.iter() {
        let _ = write!(text, "\n--\n{entry}");
    }
    text
}

/// Whether two states differ in nothing that a rule could see.
pub fn unchanged(before: &State, after: &State) -> bool {
    canonical(before) == canonical(after)
}
