//! Properties whose first value a change of rules has renewed.

use crate::world::{KindId, World};

/// A property whose first value is another one after a change: of all things of a model, or of one of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Renewed {
    pub model: String,
    pub entity: Option<String>,
    pub property: String,
}

impl Renewed {
    pub fn is_of(&self, world: &World, kind: KindId, name: &str) -> bool {
        *world.kinds[kind as usize].name == *self.model && self.entity.as_ref().is_none_or(|entity| entity == name)
    }
}
