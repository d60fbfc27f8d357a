//! Where every property of every thing lies in memory.
//!
//! The things that exist from the start have one column per property: all marks of all cells stand side by side.
//! Things made in play follow behind, one block each.

use crate::code::PropId;
use crate::needs::Needs;
use crate::world::{EntityId, KindId, PLAYER_KIND, World};
use houserules_model::*;
use std::collections::BTreeMap;

// Predefined properties come first.
pub const OWNER: PropId = 0;
pub const PLACE: PropId = 1;
pub const STATE: PropId = 2;
/// The newest thing in a place, and for each thing the one beneath it: a place's contents are a chain.
pub const TOP: PropId = 3;
pub const UNDER: PropId = 4;
/// Set when a thing has left the game.
pub const GONE: PropId = 5;
pub const PREDEFINED: [&str; 6] = ["owner", "place", "state", "#top", "#under", "#gone"];

// The first slots are not properties.
/// Where in the order of play the turn stands.
pub const HEAD: u32 = 0;
/// How many are still in.
pub const IN_PLAY: u32 = 1;
pub const ACTOR: u32 = 2;
pub const AGAIN: u32 = 3;
pub const ENDED: u32 = 4;
pub const OVER: u32 = 5;
/// How many turns have begun.
pub const TURN: u32 = 6;
/// How many things were made in play.
pub const MADE: u32 = 7;
/// How many positions the history holds.
pub const SEEN: u32 = 8;
/// Holds nothing, ever: what lies beyond the edge of a board.
pub const NOTHING: u32 = 9;
/// The order of play begins here, the ranks follow it.
pub const ORDER: u32 = 10;

#[derive(Clone, Debug)]
pub struct Layout {
    pub props: Vec<PropInfo>,
    pub n_seats: u32,
    /// Things with a number from here on were made in play.
    pub first_made: EntityId,
    /// Where their blocks begin, and how long a block is. The first slot of a block is the kind.
    pub made_base: u32,
    pub made_stride: u32,
}

#[derive(Clone, Debug)]
pub struct PropInfo {
    pub name: Name,
    pub untracked: bool,
    /// The kinds that have it.
    pub kinds: Vec<bool>,
    /// Those for which it is a relation: another kind may have a property of the same name.
    relations: Vec<bool>,
    first: EntityId,
    end: EntityId,
    base: u32,
    /// Where it lies in the block of a thing made in play; 0: nowhere.
    made: u32,
}

/// Where a property of the things of one kind lies, all of which have it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Column {
    /// Its slot for a thing of the start, before the number of the thing is added.
    base: u32,
    /// Its slot in the block of a thing made in play.
    made: u32,
}

impl Layout {
    pub fn new(world: &World, needs: Needs) -> Layout {
        let mut props: Vec<PropInfo> = PREDEFINED.iter().map(|name| prop(name, world)).collect();
        let all = vec![true; world.kinds.len()];
        let wanted = [needs.owner, needs.places, needs.states, needs.places, needs.places, needs.removal];
        for (at, wanted) in wanted.into_iter().enumerate() {
            if wanted {
                props[at].kinds.clone_from(&all);
            }
        }
        if needs.score {
            let mut score = prop("score", world);
            score.kinds[PLAYER_KIND as usize] = true;
            props.push(score);
        }
        let mut known: BTreeMap<Name, usize> =
            props.iter().enumerate().map(|(at, prop)| (prop.name.clone(), at)).collect();
        for (kind, definition) in world.kinds.iter().enumerate() {
            for property in &definition.properties {
                let at = *known.entry(property.name.clone()).or_insert_with(|| {
                    props.push(prop(&property.name, world));
                    props.len() - 1
                });
                props[at].kinds[kind] = true;
                props[at].untracked |= property.untracked;
                props[at].relations[kind] = property.role == Role::Relation;
            }
        }
        for (player, name, ..) in &world.granted {
            let at = props.iter().position(|known| known.name == *name).unwrap_or_else(|| {
                props.push(prop(name, world));
                props.len() - 1
            });
            props[at].kinds[world.entities[*player as usize].kind as usize] = true;
        }
        let mut base = ORDER + 2 * world.n_seats;
        for prop in &mut props {
            let having = || {
                world
                    .entities
                    .iter()
                    .enumerate()
                    .filter(|(_, thing)| prop.kinds[thing.kind as usize])
                    .map(|(at, _)| at as u32)
            };
            let (Some(first), Some(last)) = (having().min(), having().max()) else { continue };
            prop.first = first;
            prop.end = last + 1;
            prop.base = base;
            base += prop.end - prop.first;
        }
        let mut stride = 1;
        if needs.making {
            for prop in &mut props {
                if prop.kinds.iter().skip(2).any(|&has| has) {
                    prop.made = stride;
                    stride += 1;
                }
            }
        }
        Layout {
            props,
            n_seats: world.n_seats,
            first_made: world.entities.len() as EntityId,
            made_base: base,
            made_stride: stride,
        }
    }

    #[inline]
    pub fn rank(&self, seat: u32) -> u32 {
        ORDER + self.n_seats + seat
    }

    pub fn find(&self, name: &str) -> Option<PropId> {
        self.props.iter().position(|prop| &*prop.name == name).map(|at| at as PropId)
    }

    pub fn has(&self, prop: PropId, kind: KindId) -> bool {
        self.props[prop as usize].kinds[kind as usize]
    }

    /// Whether things of this kind hold nothing but things in it.
    pub fn is_relation(&self, prop: PropId, kind: KindId) -> bool {
        self.props[prop as usize].relations[kind as usize]
    }

    /// Where a property of a thing lies; none if the thing can have no such property.
    #[inline]
    pub fn slot(&self, prop: PropId, entity: EntityId) -> Option<u32> {
        let info = &self.props[prop as usize];
        if entity < self.first_made {
            return (entity >= info.first && entity < info.end).then(|| info.base + (entity - info.first));
        }
        (info.made != 0).then(|| self.made_block(entity) + info.made)
    }

    /// Where it lies in the block of a thing made in play; 0: nowhere.
    pub fn made_offset(&self, prop: PropId) -> u32 {
        self.props[prop as usize].made
    }

    #[inline]
    pub fn made_block(&self, entity: EntityId) -> u32 {
        self.made_base + (entity - self.first_made) * self.made_stride
    }

    /// Where a property of the things of a kind lies; none if they have no such property.
    pub fn column_of(&self, prop: PropId, kind: KindId) -> Option<Column> {
        let info = &self.props[prop as usize];
        let lies = info.kinds[kind as usize] && (info.end > info.first || info.made != 0);
        lies.then_some(Column { base: info.base.wrapping_sub(info.first), made: info.made })
    }

    /// Where a property of a thing lies whose kind has it.
    #[inline]
    pub fn slot_in(&self, column: Column, entity: EntityId) -> u32 {
        match entity < self.first_made {
            true => self.slot_at_start(column, entity),
            false => self.made_block(entity) + column.made,
        }
    }

    /// The same for a thing of the start.
    #[inline]
    pub fn slot_at_start(&self, column: Column, entity: EntityId) -> u32 {
        column.base.wrapping_add(entity)
    }

    /// The first slot and first entity of a column, for forms that run over it.
    #[inline]
    pub fn column(&self, prop: PropId) -> (EntityId, EntityId, u32) {
        let info = &self.props[prop as usize];
        (info.first, info.end, info.base)
    }
}

fn prop(name: &str, world: &World) -> PropInfo {
    PropInfo {
        name: name.into(),
        untracked: false,
        kinds: vec![false; world.kinds.len()],
        relations: vec![false; world.kinds.len()],
        first: 0,
        end: 0,
        base: 0,
        made: 0,
    }
}
