//! Everything that can change in a match, in one plain struct. Trying something is cloning it.

use super::value::Value;
use crate::world::{EntityId, KindId, World};
use houserules_kernel::Outcome;
use houserules_model::Name;
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// By entity number: those of the world first, then the new ones as they were made. None is ever taken out.
    pub things: Vec<Arc<Thing>>,
    /// The players still in; the first one's turn.
    pub players: Vec<EntityId>,
    /// Who has lost and left the order of play, the first to go first.
    pub out: Vec<EntityId>,
    pub outcome: Option<Outcome>,
    /// How often the turn has passed.
    pub turn: u64,
    /// In this action the turn does not pass: `(again)`.
    pub kept: bool,
    /// In this action, or this message of the machine, the turn has passed.
    pub passed: bool,
    /// The positions that stood at the end of each action, the start first.
    pub history: Arc<Vec<String>>,
    /// The same as they stood, each with who had moved: a change of rules may ask for them otherwise.
    pub been: Arc<Vec<Arc<(EntityId, State)>>>,
    /// Lines for the table, or for one player.
    pub said: Vec<(Option<EntityId>, String)>,
}

/// One entity as it stands now.
#[derive(Clone, PartialEq, Debug)]
pub struct Thing {
    pub kind: KindId,
    pub name: Name,
    pub number: u32,
    pub state: Name,
    pub owner: Option<EntityId>,
    pub place: Option<EntityId>,
    /// What lies here, oldest first.
    pub contents: Vec<EntityId>,
    pub properties: BTreeMap<Name, Value>,
    pub life: Life,
    /// How many things a supply has made.
    pub supplied: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Life {
    /// In the game.
    Here,
    /// Removed in this action: quantifiers no longer meet it, but later rules can still read it.
    Leaving,
    /// Removed in an earlier action: all it can be asked is nil.
    Gone,
}

impl State {
    pub fn thing(&self, entity: EntityId) -> &Thing {
        &self.things[entity as usize]
    }

    pub fn thing_mut(&mut self, entity: EntityId) -> &mut Thing {
        Arc::make_mut(&mut self.things[entity as usize])
    }

    /// All living things of a kind and its children, in order of number.
    pub fn of_kind(&self, world: &World, kind: KindId) -> Vec<EntityId> {
        (0..self.things.len() as EntityId)
            .filter(|&entity| {
                let thing = self.thing(entity);
                thing.life == Life::Here && world.is_a(thing.kind, kind)
            })
            .collect()
    }

    /// A thing leaves its place and becomes the top of another, or lies nowhere.
    pub fn put(&mut self, entity: EntityId, place: Option<EntityId>) {
        if let Some(old) = self.thing(entity).place {
            self.thing_mut(old).contents.retain(|&other| other != entity);
        }
        self.thing_mut(entity).place = place;
        if let Some(new) = place {
            self.thing_mut(new).contents.push(entity);
        }
    }

    /// Whose turn it is.
    pub fn first(&self) -> Option<EntityId> {
        self.players.first().copied()
    }

    /// The player so many seats further on in the ring of those still in.
    pub fn beside(&self, player: EntityId, steps: usize) -> Option<EntityId> {
        let at = self.players.iter().position(|&other| other == player)?;
        Some(self.players[(at + steps) % self.players.len()])
    }

    /// Another order of play. If somebody else is first in it, the turn has passed.
    pub fn set_players(&mut self, players: Vec<EntityId>) {
        if players.first() != self.players.first() {
            self.passed = true;
            self.turn += 1;
        }
        self.players = players;
    }

    /// `(end turn)`: does nothing after `(again)`.
    pub fn end_turn(&mut self, to: Option<EntityId>) {
        if self.kept || self.players.is_empty() {
            return;
        }
        let steps = match to {
            Some(player) => self.players.iter().position(|&other| other == player).unwrap_or(0),
            None => 1,
        };
        let n = self.players.len();
        self.players.rotate_left(steps % n);
        self.passed = true;
        self.turn += 1;
    }

    /// Before an action or a message of the machine.
    pub fn begin(&mut self) {
        self.kept = false;
        self.passed = false;
        for thing in &mut self.things {
            if thing.life == Life::Leaving {
                let thing = Arc::make_mut(thing);
                thing.life = Life::Gone;
                // Nothing can read these any more, and equal positions should be equal values.
                thing.properties.clear();
                thing.owner = None;
                thing.place = None;
            }
        }
    }
}
