use crate::{Change, Graphic, GraphicId, Scene, Size};
use std::collections::BTreeMap;
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
        let graphics = &mut self.graphics;
        let done = scene.apply_noting(changes, |id, was| {
            if !graphics.contains_key(id) {
                graphics.insert(id.clone(), was);
            }
        });
        if scene.size != size {
            self.size.get_or_insert(size);
        }
        done.is_ok()
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
