//! Which number a thing of one program has in another.

use crate::world::{EntityId, World};
use houserules_model::Name;
use std::collections::BTreeMap;

/// Things are the same if they are of one model and have one name; of several that share it, in their order.
pub struct Numbers {
    after: Vec<EntityId>,
    before: Vec<Option<EntityId>>,
    kept: bool,
}

/// So many of the missing things are named.
const NAMED: usize = 5;

/// The first of them in a row.
fn few(mut names: Vec<String>) -> String {
    let more = if names.len() > NAMED { ", …" } else { "" };
    names.truncate(NAMED);
    format!("{}{more}", names.join(", "))
}

/// Refused where names are gone or stand in another order.
fn stay(what: &str, old: &[Name], new: &[Name]) -> Result<(), String> {
    let gone: Vec<String> = old.iter().filter(|name| !new.contains(name)).map(|name| format!("“{name}”")).collect();
    if !gone.is_empty() {
        return Err(format!("The change takes away {what} that are in use: {}.", few(gone)));
    }
    match old.iter().zip(new).find(|(left, right)| left != right) {
        None => Ok(()),
        Some((left, right)) => Err(format!(
            "The change reorders {what} that are in use: “{right}” stands where “{left}” stood. New ones go behind the others."
        )),
    }
}

impl Numbers {
    /// Refused where something that exists would not exist any more.
    pub fn between(old: &World, new: &World) -> Result<Numbers, String> {
        if old.n_seats != new.n_seats {
            return Err("The number of players cannot change during a match.".into());
        }
        // Values name models and directions by number.
        let kinds = |world: &World| world.kinds.iter().map(|kind| kind.name.clone()).collect::<Vec<_>>();
        stay("models", &kinds(old), &kinds(new))?;
        stay("directions", &old.directions.names, &new.directions.names)?;
        let mut known: BTreeMap<_, Vec<EntityId>> = BTreeMap::new();
        for (at, thing) in new.entities.iter().enumerate().rev() {
            known.entry((thing.kind, &thing.name)).or_default().push(at as EntityId);
        }
        let (mut after, mut missing) = (Vec::new(), Vec::new());
        let mut before = vec![None; new.entities.len()];
        for (at, thing) in old.entities.iter().enumerate() {
            match known.get_mut(&(thing.kind, &thing.name)).and_then(Vec::pop) {
                Some(to) => {
                    before[to as usize] = Some(at as EntityId);
                    after.push(to);
                }
                None => missing.push(format!("“{}”", thing.name)),
            }
        }
        if !missing.is_empty() {
            return Err(format!("The change takes away things that are in the match: {}.", few(missing)));
        }
        let kept = after.len() == before.len() && after.iter().enumerate().all(|(at, &to)| at as EntityId == to);
        Ok(Numbers { after, before, kept })
    }

    /// Whether everything has the number it had, and nothing is new.
    pub fn are_kept(&self) -> bool {
        self.kept
    }

    /// Things made in play come behind all others.
    pub fn after(&self, thing: EntityId) -> EntityId {
        match self.after.get(thing as usize) {
            Some(&after) => after,
            None => thing - self.after.len() as EntityId + self.before.len() as EntityId,
        }
    }

    /// None: it was not there. Only for things that were not made in play.
    pub fn before(&self, thing: EntityId) -> Option<EntityId> {
        self.before[thing as usize]
    }
}
