use crate::{Graphic, GraphicId, Question, Scene, Size, Sound, Way};
use std::fmt;

/// One thing that became of a scene.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    Made(Graphic),
    /// The graphic as it is now; what it was is known by whoever has the scene.
    Changed(Graphic),
    Gone(GraphicId),
    Sized(Size),
    Asked(Option<Question>),
    Offered(Vec<Way>),
    /// Heard once, and part of no scene.
    Heard(Sound),
}

/// A change of a graphic that is not there, or makes one that is: it was meant for another scene.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unknown(pub GraphicId);

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "The change of `{}` does not fit this scene: ask for the whole scene again.", self.0)
    }
}

impl std::error::Error for Unknown {}

/// What leads from one scene to another: graphics that are gone, then changed and made ones by id, then the question.
pub fn diff(old: &Scene, new: &Scene) -> Vec<Change> {
    let mut changes = Vec::new();
    if old.size != new.size {
        changes.push(Change::Sized(new.size));
    }
    let gone = old.graphics.keys().filter(|id| !new.graphics.contains_key(*id));
    changes.extend(gone.map(|id| Change::Gone(id.clone())));
    for (id, graphic) in &new.graphics {
        match old.graphics.get(id) {
            None => changes.push(Change::Made(graphic.clone())),
            Some(before) if before != graphic => changes.push(Change::Changed(graphic.clone())),
            Some(_) => {}
        }
    }
    if old.question != new.question {
        changes.push(Change::Asked(new.question.clone()));
    }
    if old.ways != new.ways {
        changes.push(Change::Offered(new.ways.clone()));
    }
    changes
}

impl Scene {
    /// Carries out changes one after the other; at the first that does not fit it stops.
    pub fn apply(&mut self, changes: &[Change]) -> Result<(), Unknown> {
        for change in changes {
            match change {
                Change::Made(graphic) if self.graphics.contains_key(&graphic.id) => {
                    return Err(Unknown(graphic.id.clone()));
                }
                Change::Changed(graphic) if !self.graphics.contains_key(&graphic.id) => {
                    return Err(Unknown(graphic.id.clone()));
                }
                Change::Made(graphic) | Change::Changed(graphic) => self.put(graphic.clone()),
                Change::Gone(id) => {
                    self.graphics.remove(id).ok_or_else(|| Unknown(id.clone()))?;
                }
                Change::Sized(size) => self.size = *size,
                Change::Asked(question) => self.question.clone_from(question),
                Change::Offered(ways) => self.ways.clone_from(ways),
                Change::Heard(_) => {}
            }
        }
        Ok(())
    }
}
