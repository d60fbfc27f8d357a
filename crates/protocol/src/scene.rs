//! What one viewer sees, and how that changes.
//!
//! Coordinates are whole numbers, a hundred to the side of a cell; x grows to the right, y downwards. No graphic holds
//! markup, a link or a file.

use serde::{Deserialize, Serialize};

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

/// One thing that became of a scene.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum SceneChange {
    Made(Graphic),
    /// What is given takes the place of what was; the rest stays.
    Changed(Box<GraphicPatch>),
    Gone(String),
    Sized(Point),
    /// To be heard once: `placed`, `moved`, `captured`, `dice`, `won`.
    Heard(String),
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
                let id = |thing: Option<u32>| thing.map_or(-1, |thing| thing as i32);
                GraphicPatch {
                    id: new.id.clone(),
                    $($field: (old.$field != new.$field).then(|| new.$field.clone()),)*
                    stroke: (old.stroke != new.stroke).then(|| new.stroke.clone().unwrap_or_else(none)),
                    thing: (old.thing != new.thing).then(|| id(new.thing)),
                    on: (old.on != new.on).then(|| id(new.on)),
                }
            }

            pub fn apply(&self, to: &mut Graphic) {
                $(if let Some(value) = &self.$field { to.$field = value.clone(); })*
                if let Some(stroke) = &self.stroke {
                    to.stroke = Some(stroke.clone()).filter(|stroke| stroke.width != 0);
                }
                if let Some(thing) = self.thing {
                    to.thing = u32::try_from(thing).ok();
                }
                if let Some(on) = self.on {
                    to.on = u32::try_from(on).ok();
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
    /// Carries out a change; false if it does not fit this scene: ask for the whole scene again.
    pub fn apply(&mut self, change: &SceneChange) -> bool {
        let at = |graphics: &[Graphic], id: &str| graphics.binary_search_by(|graphic| graphic.id.as_str().cmp(id));
        match change {
            SceneChange::Made(graphic) => match at(&self.graphics, &graphic.id) {
                Ok(_) => return false,
                Err(place) => self.graphics.insert(place, graphic.clone()),
            },
            SceneChange::Changed(patch) => match at(&self.graphics, &patch.id) {
                Ok(place) => patch.apply(&mut self.graphics[place]),
                Err(_) => return false,
            },
            SceneChange::Gone(id) => match at(&self.graphics, id) {
                Ok(place) => drop(self.graphics.remove(place)),
                Err(_) => return false,
            },
            SceneChange::Sized(size) => self.size = *size,
            SceneChange::Heard(_) => {}
        }
        true
    }

    /// What leads from one scene to another: what is gone first, then what is changed or made, by id.
    pub fn changes_to(&self, new: &Scene) -> Vec<SceneChange> {
        let mut changes = Vec::new();
        if self.size != new.size {
            changes.push(SceneChange::Sized(new.size));
        }
        let (mut old, mut now) = (self.graphics.iter().peekable(), new.graphics.iter().peekable());
        let mut after = Vec::new();
        loop {
            let order = match (old.peek(), now.peek()) {
                (None, None) => break,
                (Some(_), None) => std::cmp::Ordering::Less,
                (None, Some(_)) => std::cmp::Ordering::Greater,
                (Some(old), Some(now)) => old.id.cmp(&now.id),
            };
            match order {
                std::cmp::Ordering::Less => changes.extend(old.next().map(|gone| SceneChange::Gone(gone.id.clone()))),
                std::cmp::Ordering::Greater => after.extend(now.next().map(|made| SceneChange::Made(made.clone()))),
                std::cmp::Ordering::Equal => {
                    if let (Some(old), Some(now)) = (old.next(), now.next())
                        && old != now
                    {
                        after.push(SceneChange::Changed(Box::new(GraphicPatch::between(old, now))));
                    }
                }
            }
        }
        changes.extend(after);
        changes
    }
}

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
        }
    }

    #[test]
    fn changes_lead_from_one_scene_to_another_and_are_small() {
        let old = Scene { size: Point(1, 1), graphics: vec![graphic("a", 0), graphic("b", 0), graphic("d", 0)] };
        let mut moved = graphic("b", 7);
        (moved.thing, moved.stroke) = (None, Some(Stroke { paint: "seat-1".into(), width: 2, dashed: true }));
        let new = Scene { size: Point(2, 1), graphics: vec![moved, graphic("c", 1), graphic("d", 0)] };
        for (from, to) in [(&old, &new), (&new, &old)] {
            let changes = from.changes_to(to);
            assert_eq!(changes.len(), 4);
            let mut scene = from.clone();
            for change in &changes {
                let sent = serde_json::to_string(change).unwrap();
                assert!(scene.apply(&serde_json::from_str(&sent).unwrap()), "{sent}");
            }
            assert_eq!(scene, *to);
        }
        let one = old.graphics[0].clone();
        let patch = GraphicPatch::between(&one, &Graphic { at: Point(5, 6), ..one.clone() });
        assert_eq!(
            serde_json::to_string(&SceneChange::Changed(Box::new(patch))).unwrap(),
            r#"{"changed":{"id":"a","at":[5,6]}}"#
        );
        assert!(!old.clone().apply(&SceneChange::Gone("z".into())));
    }
}
