//! What one viewer sees, and how that changes.
//!
//! Coordinates are whole numbers, a hundred to the side of a cell; x grows to the right, y downwards. No graphic holds
//! markup, a link or a file.

use serde::de::{SeqAccess, Visitor};
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;

/// What one viewer sees.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Scene {
    /// From the upper left corner, which is at 0, 0.
    pub size: Point,
    /// In the order of their ids; drawn by layer, then by `z`, then by id.
    pub graphics: Vec<Graphic>,
}

/// Across and down.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Point(pub i32, pub i32);

/// One thing to draw. Its id stays while it is the same thing, wherever it goes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Graphic {
    pub id: String,
    pub layer: Layer,
    /// Within a layer: more lies above.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub z: i32,
    pub shape: Shape,
    /// The middle; of lines, polygons and paths the point from which theirs count.
    pub at: Point,
    pub size: Point,
    /// In degrees, clockwise.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub turn: i32,
    /// A name of the theme, or `#rrggbb`; missing: none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub fill: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub stroke: Option<Stroke>,
    /// For what is drawn upon the fill of a picture.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub ink: String,
    /// From 0 to 100, which is left out.
    #[serde(default = "hundred", skip_serializing_if = "is_hundred")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub opacity: u8,
    /// What it is to a theme, in words with spaces between: `stone seat-2`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub class: String,
    /// For screen readers; missing: it is decoration.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub label: String,
    #[serde(default, skip_serializing_if = "Motion::is_still")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub motion: Motion,
    /// The thing it shows: whoever points at the graphic points at it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub thing: Option<u32>,
    /// Where that thing lies, which is pointed at as well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub on: Option<u32>,
    /// It answers a click by itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub clickable: bool,
    /// How it is marked where a choice can begin at its thing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub target: Option<Target>,
}

/// A mark where something can be chosen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Target {
    /// A name of the theme.
    pub paint: String,
    /// How wide a ring around it is.
    pub across: i32,
    /// Always a ring; otherwise a dot where nothing stands.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub ring: bool,
}

/// What lies over what, in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Layer {
    Ground,
    Places,
    Writing,
    Traces,
    Things,
    Targets,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum Shape {
    Rectangle {
        /// The radius of its corners.
        #[serde(default, skip_serializing_if = "is_zero")]
        #[cfg_attr(test, ts(optional, as = "Option<_>"))]
        round: i32,
    },
    Circle,
    Ellipse,
    Polygon {
        points: Vec<Point>,
    },
    /// As the `d` of an SVG path: letters of commands and numbers, nothing else.
    Path {
        d: String,
    },
    Line {
        points: Vec<Point>,
    },
    /// One line, as high as the graphic.
    Text {
        text: String,
        align: Align,
        font: Font,
    },
    /// One of our own pictures, by its name.
    Image {
        name: String,
    },
    /// A picture that the game brings, by the bare name of its file; `GET /api/games/{game}/pictures/{name}` has it.
    File {
        name: String,
    },
    Group,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Align {
    Left,
    Middle,
    Right,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Font {
    Plain,
    Bold,
    Serif,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Stroke {
    pub paint: String,
    pub width: i32,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub dashed: bool,
}

/// How a graphic goes from what it was to what it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Motion {
    #[default]
    Still,
    Glide,
    Fade,
    Drop,
}

impl Motion {
    fn is_still(&self) -> bool {
        *self == Motion::Still
    }
}

/// What became of a scene. Graphics mostly look as another one did that was there: that one is named, and not all it is
/// made of.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SceneChange {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub size: Option<Point>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub gone: Vec<String>,
    /// New ones, each with all it is made of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub made: Vec<Graphic>,
    /// New ones that look as another did before this change.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub alike: Vec<Alike>,
    /// These look from now on as others did before this change: id of the one, id of the other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub turned: Vec<(String, String)>,
    /// Where these are now, and where their things lie; -1: nowhere.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub moved: Vec<Moved>,
    /// What else became another.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub changed: Vec<GraphicPatch>,
}

/// A graphic by one that looks the same: id, id of that one, across, down, thing, on, label. -1 and an empty word: none;
/// a label that is missing: that of the other.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(type = "[string, string, number, number, number, number, string?]"))]
pub struct Alike(pub String, pub String, pub i32, pub i32, pub i32, pub i32, pub Option<String>);

/// Id, across, down, and what its thing lies on; missing: nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(type = "[string, number, number, number?]"))]
pub struct Moved(pub String, pub i32, pub i32, pub Option<u32>);

/// Serde writes every part of a tuple; these leave the last one out.
impl Serialize for Alike {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Alike(id, like, x, y, thing, on, label) = self;
        let mut parts = serializer.serialize_seq(None)?;
        parts.serialize_element(id)?;
        parts.serialize_element(like)?;
        for number in [x, y, thing, on] {
            parts.serialize_element(number)?;
        }
        label.iter().try_for_each(|label| parts.serialize_element(label))?;
        parts.end()
    }
}

impl Serialize for Moved {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Moved(id, x, y, on) = self;
        let mut parts = serializer.serialize_seq(None)?;
        parts.serialize_element(id)?;
        parts.serialize_element(x)?;
        parts.serialize_element(y)?;
        on.iter().try_for_each(|on| parts.serialize_element(on))?;
        parts.end()
    }
}

/// The parts of a short list, one after the other.
struct Parts<T>(std::marker::PhantomData<T>);

trait FromParts: Sized {
    const PARTS: &str;
    /// None where one is missing.
    fn from_parts<'de, A: SeqAccess<'de>>(parts: &mut A) -> Result<Option<Self>, A::Error>;
}

impl<'de, T: FromParts> Visitor<'de> for Parts<T> {
    type Value = T;

    fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(T::PARTS)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<T, A::Error> {
        T::from_parts(&mut parts)?.ok_or_else(|| serde::de::Error::custom(T::PARTS))
    }
}

macro_rules! next {
    ($parts:ident) => {
        match $parts.next_element()? {
            Some(part) => part,
            None => return Ok(None),
        }
    };
}

impl FromParts for Alike {
    const PARTS: &str = "two ids, four numbers and perhaps a label";

    fn from_parts<'de, A: SeqAccess<'de>>(parts: &mut A) -> Result<Option<Self>, A::Error> {
        let (id, like) = (next!(parts), next!(parts));
        let (x, y, thing, on) = (next!(parts), next!(parts), next!(parts), next!(parts));
        Ok(Some(Alike(id, like, x, y, thing, on, parts.next_element()?)))
    }
}

impl FromParts for Moved {
    const PARTS: &str = "an id, two numbers and perhaps a third";

    fn from_parts<'de, A: SeqAccess<'de>>(parts: &mut A) -> Result<Option<Self>, A::Error> {
        Ok(Some(Moved(next!(parts), next!(parts), next!(parts), parts.next_element()?)))
    }
}

impl<'de> Deserialize<'de> for Alike {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Parts(std::marker::PhantomData))
    }
}

impl<'de> Deserialize<'de> for Moved {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Parts(std::marker::PhantomData))
    }
}

impl Graphic {
    /// Whether two differ in nothing but in what they show and where.
    pub fn looks_like(&self, other: &Graphic) -> bool {
        self.layer == other.layer
            && self.z == other.z
            && self.size == other.size
            && self.turn == other.turn
            && self.opacity == other.opacity
            && self.motion == other.motion
            && self.clickable == other.clickable
            && self.shape == other.shape
            && self.fill == other.fill
            && self.stroke == other.stroke
            && self.ink == other.ink
            && self.class == other.class
            && self.target == other.target
    }

    /// The same, looking like another.
    fn as_like(&self, other: &Graphic) -> Graphic {
        let Graphic { id, at, label, thing, on, .. } = self.clone();
        Graphic { id, at, label, thing, on, ..other.clone() }
    }
}

fn number(thing: Option<u32>) -> i32 {
    thing.map_or(-1, |thing| thing as i32)
}

fn thing(number: i32) -> Option<u32> {
    u32::try_from(number).ok()
}

macro_rules! patch {
    ($($field:ident: $type:ty),* $(,)?) => {
        /// What became another about a graphic. An empty word, `still` and so on stand for what is left out of a graphic.
        #[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
        #[cfg_attr(test, derive(ts_rs::TS))]
        pub struct GraphicPatch {
            pub id: String,
            $(
                #[serde(default, skip_serializing_if = "Option::is_none")]
                #[cfg_attr(test, ts(optional))]
                pub $field: Option<$type>,
            )*
            /// Of what was a text and is one: nothing else of its shape is another.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            #[cfg_attr(test, ts(optional))]
            pub text: Option<String>,
            /// Across 0: none.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            #[cfg_attr(test, ts(optional))]
            pub target: Option<Target>,
            /// A stroke of width 0 is none.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            #[cfg_attr(test, ts(optional))]
            pub stroke: Option<Stroke>,
            /// -1: none.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            #[cfg_attr(test, ts(optional))]
            pub thing: Option<i32>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            #[cfg_attr(test, ts(optional))]
            pub on: Option<i32>,
        }

        impl GraphicPatch {
            /// What makes one graphic of another.
            pub fn between(old: &Graphic, new: &Graphic) -> Self {
                let none = || Stroke { paint: String::new(), width: 0, dashed: false };
                let no_target = || Target { paint: String::new(), across: 0, ring: false };
                let mut patch = GraphicPatch {
                    id: new.id.clone(),
                    $($field: (old.$field != new.$field).then(|| new.$field.clone()),)*
                    text: None,
                    stroke: (old.stroke != new.stroke).then(|| new.stroke.clone().unwrap_or_else(none)),
                    target: (old.target != new.target).then(|| new.target.clone().unwrap_or_else(no_target)),
                    thing: (old.thing != new.thing).then(|| number(new.thing)),
                    on: (old.on != new.on).then(|| number(new.on)),
                };
                if let (Some(Shape::Text { text, align, font }), Shape::Text { align: was, font: had, .. }) =
                    (&patch.shape, &old.shape)
                    && (align, font) == (was, had)
                {
                    patch.text = Some(text.clone());
                    patch.shape = None;
                }
                patch
            }

            pub fn apply(&self, to: &mut Graphic) {
                $(if let Some(value) = &self.$field { to.$field = value.clone(); })*
                if let (Some(new), Shape::Text { text, .. }) = (&self.text, &mut to.shape) {
                    text.clone_from(new);
                }
                if let Some(stroke) = &self.stroke {
                    to.stroke = Some(stroke.clone()).filter(|stroke| stroke.width != 0);
                }
                if let Some(target) = &self.target {
                    to.target = Some(target.clone()).filter(|target| target.across != 0);
                }
                if let Some(shown) = self.thing {
                    to.thing = thing(shown);
                }
                if let Some(on) = self.on {
                    to.on = thing(on);
                }
            }
        }
    };
}

patch! {
    layer: Layer, z: i32, shape: Shape, at: Point, size: Point, turn: i32, fill: String, ink: String, opacity: u8,
    class: String, label: String, motion: Motion, clickable: bool,
}

impl Scene {
    pub fn find(&self, id: &str) -> Option<&Graphic> {
        self.place(id).ok().map(|place| &self.graphics[place])
    }

    fn place(&self, id: &str) -> std::result::Result<usize, usize> {
        self.graphics.binary_search_by(|graphic| graphic.id.as_str().cmp(id))
    }

    /// Carries out a change; false if it does not fit this scene: ask for the whole scene again. What goes is laid aside.
    pub fn apply(&mut self, change: &SceneChange, gone: &mut Gone) -> bool {
        self.try_apply(change, gone).is_some()
    }

    fn try_apply(&mut self, change: &SceneChange, gone: &mut Gone) -> Option<()> {
        let mut made = change.made.clone();
        let known = |like: &str| self.find(like).or_else(|| gone.graphics.get(like));
        for Alike(id, like, x, y, shown, on, label) in &change.alike {
            let other = known(like)?.clone();
            let (id, at, label) = (id.clone(), Point(*x, *y), label.clone().unwrap_or(other.label));
            made.push(Graphic { id, at, label, thing: thing(*shown), on: thing(*on), ..other });
        }
        let turned: Option<Vec<(usize, Graphic)>> = (change.turned.iter())
            .map(|(id, like)| Some((self.place(id).ok()?, self.find(id)?.as_like(known(like)?))))
            .collect();
        for (place, graphic) in turned? {
            self.graphics[place] = graphic;
        }
        for Moved(id, x, y, on) in &change.moved {
            let place = self.place(id).ok()?;
            (self.graphics[place].at, self.graphics[place].on) = (Point(*x, *y), *on);
        }
        for patch in &change.changed {
            let place = self.place(&patch.id).ok()?;
            patch.apply(&mut self.graphics[place]);
        }
        for id in &change.gone {
            gone.graphics.insert(id.clone(), self.graphics.remove(self.place(id).ok()?));
        }
        for graphic in made {
            gone.graphics.remove(&graphic.id);
            self.graphics.insert(self.place(&graphic.id).err()?, graphic);
        }
        self.size = change.size.unwrap_or(self.size);
        Some(())
    }

    /// What leads from one scene to another, for somebody who has laid aside what is gone.
    pub fn changes_to(&self, new: &Scene, gone: &Gone) -> SceneChange {
        let alike = |graphic: &Graphic| self.alike(graphic).or_else(|| gone.alike(graphic));
        let mut change = SceneChange { size: (self.size != new.size).then_some(new.size), ..SceneChange::default() };
        let (mut old, mut now) = (self.graphics.iter().peekable(), new.graphics.iter().peekable());
        loop {
            let order = match (old.peek(), now.peek()) {
                (None, None) => break,
                (Some(_), None) => std::cmp::Ordering::Less,
                (None, Some(_)) => std::cmp::Ordering::Greater,
                (Some(old), Some(now)) => old.id.cmp(&now.id),
            };
            match order {
                std::cmp::Ordering::Less => change.gone.extend(old.next().map(|gone| gone.id.clone())),
                std::cmp::Ordering::Greater => {
                    if let Some(made) = now.next() {
                        let like = alike(made).map(|like| (like.id.clone(), like.label == made.label));
                        change.add_made(made.clone(), like);
                    }
                }
                std::cmp::Ordering::Equal => {
                    if let (Some(old), Some(now)) = (old.next(), now.next())
                        && old != now
                    {
                        change.add_changed(old, now, || alike(now).map(|like| like.id.clone()));
                    }
                }
            }
        }
        change
    }

    /// A graphic that looks the same, among those that are named alike: others hardly ever do.
    fn alike(&self, graphic: &Graphic) -> Option<&Graphic> {
        let family = |id: &str| id.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(id.len());
        let name = &graphic.id[..family(&graphic.id)];
        let from = self.graphics.partition_point(|known| known.id.as_str() < name);
        let named = self.graphics[from..].iter().take_while(|known| known.id.starts_with(name));
        named.take(MOST_COMPARED).find(|known| known.looks_like(graphic))
    }
}

/// Graphics that have gone, as they looked last: new ones may look like them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Gone {
    graphics: BTreeMap<String, Graphic>,
}

impl Gone {
    /// One that looks the same.
    pub fn alike(&self, graphic: &Graphic) -> Option<&Graphic> {
        self.graphics.values().find(|known| known.looks_like(graphic))
    }

    /// What a change lays aside, as far as it is worth naming: one of each look, and not too many.
    pub fn lay_aside(&mut self, change: &SceneChange, was: impl Fn(&str) -> Option<Graphic>) {
        for id in &change.gone {
            if self.graphics.len() < MOST_GONE
                && let Some(graphic) = was(id)
                && self.alike(&graphic).is_none()
            {
                self.graphics.insert(id.clone(), graphic);
            }
        }
        let made = change.made.iter().map(|graphic| &graphic.id);
        for id in made.chain(change.alike.iter().map(|Alike(id, ..)| id)) {
            self.graphics.remove(id);
        }
    }
}

/// So many looks are remembered of what is gone.
const MOST_GONE: usize = 32;

impl SceneChange {
    /// Says that a graphic is new: perhaps it looks like another one, and perhaps it has the label of that one.
    pub fn add_made(&mut self, made: Graphic, like: Option<(String, bool)>) {
        let Some((like, same)) = like else { return self.made.push(made) };
        let Graphic { id, at: Point(x, y), thing, on, label, .. } = made;
        self.alike.push(Alike(id, like, x, y, number(thing), number(on), (!same).then_some(label)));
    }

    /// Says what became of a graphic; `alike` finds one that looked as it does now.
    pub fn add_changed(&mut self, old: &Graphic, now: &Graphic, alike: impl FnOnce() -> Option<String>) {
        if old.at != now.at || old.on != now.on {
            self.moved.push(Moved(now.id.clone(), now.at.0, now.at.1, now.on));
        }
        let (shows_same, looks_same) = (old.label == now.label && old.thing == now.thing, old.looks_like(now));
        if shows_same && looks_same {
            return;
        }
        match (shows_same && !looks_same).then(alike).flatten() {
            Some(like) => self.turned.push((now.id.clone(), like)),
            None => {
                let moved = Graphic { at: now.at, on: now.on, ..old.clone() };
                self.changed.push(GraphicPatch::between(&moved, now));
            }
        }
    }
}

/// Among so many one is found mostly at once, or never.
const MOST_COMPARED: usize = 500;

fn is_zero(number: &i32) -> bool {
    *number == 0
}

fn hundred() -> u8 {
    100
}

fn is_hundred(number: &u8) -> bool {
    *number == 100
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graphic(id: &str, x: i32) -> Graphic {
        let (at, size) = (Point(x, 0), Point(100, 100));
        let (fill, class, label, ink) = (String::new(), String::new(), String::new(), String::new());
        let (z, turn, opacity, motion, clickable) = (0, 0, 100, Motion::Still, false);
        let (layer, shape, stroke, thing, on) = (Layer::Things, Shape::Circle, None, Some(3), None);
        Graphic {
            id: id.into(),
            layer,
            z,
            shape,
            at,
            size,
            turn,
            fill,
            stroke,
            ink,
            opacity,
            class,
            label,
            motion,
            thing,
            on,
            clickable,
            target: None,
        }
    }

    #[test]
    fn changes_lead_from_one_scene_to_another_and_are_small() {
        let old = Scene { size: Point(1, 1), graphics: vec![graphic("a", 0), graphic("b", 0), graphic("d", 0)] };
        let mut moved = graphic("b", 7);
        (moved.thing, moved.stroke) = (None, Some(Stroke { paint: "seat-1".into(), width: 2, dashed: true }));
        let new = Scene { size: Point(2, 1), graphics: vec![moved, graphic("c", 1), graphic("d", 0)] };
        for (from, to) in [(&old, &new), (&new, &old)] {
            let sent = serde_json::to_string(&from.changes_to(to, &Gone::default())).unwrap();
            let mut scene = from.clone();
            assert!(scene.apply(&serde_json::from_str(&sent).unwrap(), &mut Gone::default()), "{sent}");
            assert_eq!(scene, *to, "{sent}");
        }
        let mut far = old.clone();
        far.graphics[0].at = Point(5, 6);
        assert_eq!(serde_json::to_string(&old.changes_to(&far, &Gone::default())).unwrap(), r#"{"moved":[["a",5,6]]}"#);
        let gone = SceneChange { gone: vec!["z".into()], ..SceneChange::default() };
        assert!(!old.clone().apply(&gone, &mut Gone::default()));
    }

    #[test]
    fn what_looks_like_something_that_is_gone_is_told_by_that() {
        let disc = |id: &str, fill: &str| Graphic { fill: fill.into(), ..graphic(id, 1) };
        let scene = |graphics: Vec<Graphic>| Scene { size: Point(9, 9), graphics };
        let full = scene(vec![disc("m1", "seat-1"), disc("m2", "seat-2"), disc("m3", "seat-1")]);
        let (empty, again) = (scene(Vec::new()), scene(vec![disc("m1", "seat-2"), disc("m2", "seat-1")]));
        // The one who tells remembers less than the one who is told.
        let (mut known, mut heard, mut shown) = (Gone::default(), Gone::default(), full.clone());
        let mut sent = Vec::new();
        for (from, to) in [(&full, &empty), (&empty, &again), (&again, &full)] {
            let change = from.changes_to(to, &known);
            known.lay_aside(&change, |id| from.find(id).cloned());
            assert!(shown.apply(&change, &mut heard), "{change:?}");
            assert_eq!(shown, *to);
            sent.push(serde_json::to_string(&change).unwrap());
        }
        assert_eq!(known.graphics.len(), 0);
        assert_eq!(sent[1], r#"{"alike":[["m1","m2",1,0,3,-1],["m2","m1",1,0,3,-1]]}"#);
    }

    #[test]
    fn of_a_text_that_is_another_only_that_is_told() {
        let text = |words: &str| {
            let shape = Shape::Text { text: words.into(), align: Align::Left, font: Font::Bold };
            Scene { size: Point(9, 9), graphics: vec![Graphic { shape, ..graphic("a", 0) }] }
        };
        let (old, new) = (text("Red"), text("Red · won"));
        let change = old.changes_to(&new, &Gone::default());
        assert_eq!(serde_json::to_string(&change).unwrap(), r#"{"changed":[{"id":"a","text":"Red · won"}]}"#);
        let mut scene = old;
        assert!(scene.apply(&change, &mut Gone::default()));
        assert_eq!(scene, new);
    }

    #[test]
    fn what_looks_like_another_is_told_by_it() {
        let disc = |id: &str, x: i32, fill: &str| Graphic { fill: fill.into(), ..graphic(id, x) };
        let old = Scene { size: Point(9, 9), graphics: vec![disc("m1", 0, "seat-1"), disc("m2", 1, "seat-2")] };
        let now = vec![disc("m1", 0, "seat-2"), disc("m2", 1, "seat-2"), disc("m3", 2, "seat-1")];
        let new = Scene { graphics: now, ..old.clone() };
        let mut gone = Gone::default();
        let change = old.changes_to(&new, &gone);
        assert_eq!(
            serde_json::to_string(&change).unwrap(),
            r#"{"alike":[["m3","m1",2,0,3,-1]],"turned":[["m1","m2"]]}"#,
            "as they looked before the change"
        );
        let mut scene = old.clone();
        assert!(scene.apply(&change, &mut gone));
        assert_eq!(scene, new);
        let nobody = SceneChange { turned: vec![("m1".into(), "m9".into())], ..SceneChange::default() };
        assert!(!scene.apply(&nobody, &mut gone));
    }
}
