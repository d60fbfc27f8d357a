use crate::drawing::Asking;
use crate::{Graphic, GraphicId, Layer, Question, Scene, Shape, Size, Sound, Way};
use std::collections::{BTreeMap, BTreeSet};
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
    let asking = Asking { ranks: new.ranks.as_deref(), question: new.question.as_ref(), ways: &new.ways };
    compare(old, old.graphics.keys(), &new.graphics, new.size, asking)
}

/// The same, where only some graphics can differ: the names of those that were, and those that are.
pub(crate) fn compare<'a>(
    scene: &Scene,
    old: impl IntoIterator<Item = &'a GraphicId>,
    new: &BTreeMap<GraphicId, Graphic>,
    size: Size,
    asking: Asking,
) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut heard = BTreeSet::new();
    if scene.size != size {
        changes.push(Change::Sized(size));
    }
    for id in old.into_iter().filter(|id| !new.contains_key(*id)) {
        let Some(graphic) = scene.graphics.get(id) else { continue };
        if is_piece(graphic) {
            heard.insert(Sound::Captured);
        }
        changes.push(Change::Gone(id.clone()));
    }
    for (id, graphic) in new {
        let before = scene.graphics.get(id);
        if before == Some(graphic) {
            continue;
        }
        heard.extend(sound(before, graphic));
        changes.push(match before {
            None => Change::Made(graphic.clone()),
            Some(_) => Change::Changed(graphic.clone()),
        });
    }
    if scene.question.as_ref() != asking.question {
        changes.push(Change::Asked(asking.question.cloned()));
    }
    if scene.ways != asking.ways {
        changes.push(Change::Offered(asking.ways.to_vec()));
    }
    if scene.ranks.as_deref() != asking.ranks {
        changes.push(Change::Ended(asking.ranks.map(<[u8]>::to_vec)));
    }
    if scene.ranks.is_none() && asking.ranks.is_some() {
        heard.insert(Sound::Won);
    }
    changes.extend(heard.into_iter().map(Change::Heard));
    changes
}

/// Numbers, marks and backs come and go without being played.
fn is_piece(graphic: &Graphic) -> bool {
    graphic.layer == Layer::Things && graphic.id.starts_with(['t', 'm', 'v'])
}

/// What is heard when a graphic appears or becomes another.
fn sound(before: Option<&Graphic>, graphic: &Graphic) -> Option<Sound> {
    match before {
        _ if graphic.class == "die" => Some(Sound::Dice),
        None if is_piece(graphic) || graphic.shape == Shape::Image("seed") => Some(Sound::Placed),
        Some(before) if is_piece(graphic) && before.at != graphic.at && before.on != graphic.on => Some(Sound::Moved),
        _ => None,
    }
}

impl Scene {
    /// Carries out changes one after the other; at the first that does not fit it stops.
    pub fn apply(&mut self, changes: &[Change]) -> Result<(), Unknown> {
        self.apply_noting(changes, |_, _| ())
    }

    /// The same, and says of each graphic that became another what it was; none: it was not there.
    pub(crate) fn apply_noting(
        &mut self,
        changes: &[Change],
        mut note: impl FnMut(&GraphicId, Option<Graphic>),
    ) -> Result<(), Unknown> {
        for change in changes {
            match change {
                Change::Made(graphic) if self.graphics.contains_key(&graphic.id) => {
                    return Err(Unknown(graphic.id.clone()));
                }
                Change::Changed(graphic) if !self.graphics.contains_key(&graphic.id) => {
                    return Err(Unknown(graphic.id.clone()));
                }
                Change::Made(graphic) | Change::Changed(graphic) => {
                    note(&graphic.id, self.graphics.insert(graphic.id.clone(), graphic.clone()));
                }
                Change::Gone(id) => {
                    note(id, Some(self.graphics.remove(id).ok_or_else(|| Unknown(id.clone()))?));
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
