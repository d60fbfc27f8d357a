//! What exists at the start of a match, numbered: kinds, entities, directions, seats, settings.
//!
//! The tree-walker and the compiled machine both build on this numbering, so that "choice 3" is the same
//! choice in both.

mod boards;
mod build;
mod pictures;
mod setups;

pub use boards::{BoardInfo, Directions, Layout as BoardLayout, RELATIVE, leaps};
pub use build::build;
pub use setups::Setup;

use crate::constant::Const;
use houserules_model::*;
use std::collections::BTreeMap;

pub type EntityId = u32;
pub type KindId = u16;
pub type DirId = u16;

pub const NOBODY: EntityId = u32::MAX;
pub const GAME: EntityId = 0;
pub const GAME_KIND: KindId = 0;
pub const PLAYER_KIND: KindId = 1;

/// No definition needs more; a stranger's `#board cell grid 100000 100000` must not take the machine down.
pub const MOST_ENTITIES: usize = houserules_model::Budget::THINGS;

#[derive(Clone, Debug)]
pub struct World {
    /// `game`, `player`, then the models in the order of the definition.
    pub kinds: Vec<Kind>,
    /// The game, the players by seat, then boards, entities and pictured pieces in the order of the definition.
    pub entities: Vec<Thing>,
    pub names: BTreeMap<Name, EntityId>,
    pub settings: Vec<(Name, Const)>,
    pub n_seats: u32,
    /// Whose turn it is at the start.
    pub first: u32,
    /// The start, where a player typed one.
    pub setup: Option<Setup>,
    /// Whether the definition speaks of scores.
    pub scores: bool,
    pub turns: Turns,
    pub teams: Vec<Vec<u32>>,
    pub boards: Vec<BoardInfo>,
    pub directions: Directions,
    /// What lies between two neighbouring places, the one with the smaller number first.
    pub edges: BTreeMap<(EntityId, EntityId), EntityId>,
    /// The same the other way round.
    pub between: BTreeMap<EntityId, [EntityId; 2]>,
    /// Marks drawn by `#picture PROPERTY`: entity, property, seat.
    pub marks: Vec<(EntityId, Name, u32)>,
    /// `for each player` gives a player a property of the model's name: player, property, things, whether it is a list.
    pub granted: Vec<(EntityId, Name, Vec<EntityId>, bool)>,
}

#[derive(Clone, Debug)]
pub struct Kind {
    pub name: Name,
    pub parent: Option<KindId>,
    /// Own and inherited, parents' first; the value is the one nearest to this kind.
    pub properties: Vec<Property>,
    pub symbols: Vec<Signs>,
    /// The state in which its things begin; none: `default`.
    pub state: Option<Name>,
    pub capacity: Option<i64>,
    /// `top` of such a place is never nil: what it makes, and how many at most.
    pub supply: Option<(KindId, Option<i64>)>,
    pub seen: Option<Sight>,
    pub counted: Option<Sight>,
    /// How its things want to be drawn: what is said of which attribute.
    pub looks: Vec<(Name, Expr)>,
}

impl Kind {
    /// Whether its things are meant to hold others: the definition says something about their contents.
    pub fn holds(&self) -> bool {
        self.seen.is_some() || self.counted.is_some() || self.capacity.is_some() || self.supply.is_some()
    }
}

#[derive(Clone, Debug)]
pub struct Thing {
    pub kind: KindId,
    pub name: Name,
    /// 1, 2 … within its board, its seat, or among those made by one line.
    pub number: u32,
    pub column: i32,
    pub row: i32,
    pub board: Option<u16>,
    /// The player entity it belongs to from the start.
    pub owner: EntityId,
    pub state: Option<Name>,
    /// Properties with a value of their own: from `with`, or from `for each P in LIST`.
    pub with: Vec<(Name, Initial)>,
    /// Where it lies at the start.
    pub at: Option<Initial>,
}

/// A first value: known already, or computed for the entity at the start.
#[derive(Clone, Debug)]
pub enum Initial {
    Known(Const),
    Entity(EntityId),
    Computed(Expr),
}

impl World {
    /// The thing between two places.
    pub fn edge(&self, a: EntityId, b: EntityId) -> Option<EntityId> {
        self.edges.get(&(a.min(b), a.max(b))).copied()
    }

    /// Whether a thing lies between two places: like a place it is told from others by where it is.
    pub fn is_edge(&self, entity: EntityId) -> bool {
        !self.edges.is_empty() && self.ends(entity).is_some()
    }

    /// The places that an edge lies between.
    pub fn ends(&self, edge: EntityId) -> Option<[EntityId; 2]> {
        self.between.get(&edge).copied()
    }

    /// The direction so many turns further clockwise, on the first board that has it.
    pub fn turned_by(&self, direction: DirId, by: i64) -> Option<DirId> {
        let compass = self.boards.iter().map(|board| &board.compass).find(|compass| compass.contains(&direction))?;
        let at = compass.iter().position(|&known| known == direction)? as i64;
        Some(compass[(at + by.rem_euclid(compass.len() as i64)) as usize % compass.len()])
    }

    pub fn kind(&self, name: &str) -> Option<KindId> {
        self.kinds.iter().position(|kind| &*kind.name == name).map(|at| at as KindId)
    }

    /// Whether things of a kind can receive an action; the body of the action answers for them.
    pub fn goes_to(&self, action: &Action, kind: KindId) -> bool {
        match &action.to {
            None => kind == GAME_KIND,
            Some(expr) => self.kind_meant(expr).is_none_or(|of| self.is_a(kind, of)),
        }
    }

    /// The model that an expression takes things from, where it says so: `cell`, `(all cell where …)`.
    fn kind_meant(&self, expr: &Expr) -> Option<KindId> {
        match &expr.kind {
            ExprKind::Word(word) => self.kind(word),
            ExprKind::Form(Form::All, slots) => match &slots[0] {
                Slot::Domain { list, .. } => self.kind_meant(list),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a kind is another one or descends from it.
    pub fn is_a(&self, kind: KindId, of: KindId) -> bool {
        let mut at = Some(kind);
        while let Some(kind) = at {
            if kind == of {
                return true;
            }
            at = self.kinds[kind as usize].parent;
        }
        false
    }

    /// The kind and its ancestors, nearest first.
    pub fn line(&self, kind: KindId) -> impl Iterator<Item = KindId> + '_ {
        std::iter::successors(Some(kind), |&kind| self.kinds[kind as usize].parent)
    }

    pub fn seat_entity(&self, seat: u32) -> EntityId {
        1 + seat
    }

    pub fn entity_seat(&self, entity: EntityId) -> Option<u32> {
        (1..=self.n_seats).contains(&entity).then(|| entity - 1)
    }

    pub fn setting(&self, name: &str) -> Option<&Const> {
        self.settings.iter().find(|(known, _)| &**known == name).map(|(_, value)| value)
    }
}
