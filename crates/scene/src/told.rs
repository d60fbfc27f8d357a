use crate::drawing::Asking;
use crate::{Change, Graphic, GraphicId, Scene, Size};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

/// What a scene was when somebody was told of it last, where it may be another by now.
#[derive(Clone, Default)]
pub(crate) struct Before {
    size: Option<Size>,
    /// None: it was not there.
    graphics: BTreeMap<GraphicId, Option<Graphic>>,
}

impl Before {
    /// Carries out changes of a scene and keeps what was before them. False if they do not fit.
    pub fn follow(&mut self, scene: &mut Scene, changes: &[Change]) -> bool {
        let size = scene.size;
        let done = scene.apply_noting(changes, |id, was| self.note(id, was));
        self.resize(size, scene.size);
        done.is_ok()
    }

    /// Puts into a scene what was drawn anew: names of graphics that may be gone, those that are, and the rest. What was
    /// there is kept.
    pub fn take(
        &mut self,
        scene: &mut Scene,
        old: BTreeSet<GraphicId>,
        new: BTreeMap<GraphicId, Graphic>,
        size: Size,
        asking: Asking,
    ) {
        for id in old.iter().filter(|id| !new.contains_key(*id)) {
            if let Some(was) = scene.graphics.remove(id) {
                self.note(id, Some(was));
            }
        }
        for (id, graphic) in new {
            match scene.graphics.get_mut(&id) {
                Some(known) if *known == graphic => {}
                Some(known) => self.note(&id, Some(std::mem::replace(known, graphic))),
                None => {
                    self.note(&id, None);
                    scene.graphics.insert(id, graphic);
                }
            }
        }
        self.resize(scene.size, size);
        scene.size = size;
        if scene.question.as_ref() != asking.question {
            scene.question = asking.question.cloned();
        }
        if scene.ways != asking.ways {
            scene.ways = asking.ways.to_vec();
        }
        if scene.ranks.as_deref() != asking.ranks {
            scene.ranks = asking.ranks.map(<[u8]>::to_vec);
        }
    }

    fn note(&mut self, id: &GraphicId, was: Option<Graphic>) {
        self.graphics.entry(id.clone()).or_insert(was);
    }

    fn resize(&mut self, was: Size, is: Size) {
        if was != is {
            self.size.get_or_insert(was);
        }
    }
}

/// A scene beside what it was when somebody was told of it last.
#[derive(Clone, Copy)]
pub struct Told<'a> {
    pub now: &'a Scene,
    before: &'a Before,
}

impl<'a> Told<'a> {
    pub(crate) fn new(now: &'a Scene, before: &'a Before) -> Self {
        Told { now, before }
    }

    /// How large it was.
    pub fn size(self) -> Size {
        self.before.size.unwrap_or(self.now.size)
    }

    /// All that is another: as it was, and as it is.
    pub fn differing(self) -> impl Iterator<Item = (&'a GraphicId, Option<&'a Graphic>, Option<&'a Graphic>)> {
        let pairs = self.before.graphics.iter().map(move |(id, was)| (id, was.as_ref(), self.now.graphics.get(id)));
        pairs.filter(|(_, was, is)| was != is)
    }

    /// A graphic as it was, where it is another now or gone.
    pub fn was(self, id: &str) -> Option<&'a Graphic> {
        self.before.graphics.get(id)?.as_ref()
    }

    /// The graphics as they were whose names begin like this, those that have stayed first.
    pub fn named(self, name: &'a str) -> impl Iterator<Item = &'a Graphic> {
        let (now, before) = (&self.now.graphics, &self.before.graphics);
        let from = (Bound::Included(name), Bound::Unbounded);
        let stayed = now.range::<str, _>(from).take_while(move |(id, _)| id.starts_with(name));
        let stayed = stayed.filter(|(id, _)| !before.contains_key(*id)).map(|(_, graphic)| graphic);
        let others = before.range::<str, _>(from).take_while(move |(id, _)| id.starts_with(name));
        stayed.chain(others.filter_map(|(_, was)| was.as_ref()))
    }

    /// All graphics as they were, in no order.
    pub fn graphics(self) -> impl Iterator<Item = &'a Graphic> {
        self.named("")
    }
}
