use crate::{Graphic, GraphicId, Layer, Question, Scene, Shape, Size, Sound, Way};
use std::collections::BTreeSet;
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
    Ended(Option<Vec<u8>>),
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
    if old.ranks != new.ranks {
        changes.push(Change::Ended(new.ranks.clone()));
    }
    changes.extend(sounds(old, new).into_iter().map(Change::Heard));
    changes
}

/// What is heard when one scene becomes another, each sound once.
fn sounds(old: &Scene, new: &Scene) -> BTreeSet<Sound> {
    let mut heard = BTreeSet::new();
    // Numbers, marks and backs come and go without being played.
    let is_piece = |graphic: &Graphic| graphic.layer == Layer::Things && graphic.id.starts_with(['t', 'm', 'v']);
    for (id, graphic) in &new.graphics {
        let before = old.graphics.get(id);
        let is_seed = || graphic.shape == Shape::Image("seed");
        match before {
            _ if graphic.class == "die" && before != Some(graphic) => heard.insert(Sound::Dice),
            None if is_piece(graphic) || is_seed() => heard.insert(Sound::Placed),
            Some(before) if is_piece(graphic) && before.at != graphic.at && before.on != graphic.on => {
                heard.insert(Sound::Moved)
            }
            _ => false,
        };
    }
    if old.graphics.values().any(|graphic| is_piece(graphic) && !new.graphics.contains_key(&graphic.id)) {
        heard.insert(Sound::Captured);
    }
    if old.ranks.is_none() && new.ranks.is_some() {
        heard.insert(Sound::Won);
    }
    heard
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
                Change::Ended(ranks) => self.ranks.clone_from(ranks),
                Change::Heard(_) => {}
            }
        }
        Ok(())
    }
}
