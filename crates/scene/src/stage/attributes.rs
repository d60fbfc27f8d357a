//! What can be said of a graphic, and what becomes of it.

use super::Value;
use crate::{Align, Font, Graphic, Layer, Motion, Paint, Place, Shape, Stroke, art, is_picture, theme};
use houserules_model::{Name, nearest};
use std::collections::BTreeMap;

/// The attributes of a graphic.
const KNOWN: [&str; 21] = [
    "shape",
    "image",
    "text",
    "points",
    "x",
    "y",
    "dx",
    "dy",
    "size",
    "width",
    "height",
    "rotation",
    "fill",
    "stroke",
    "line",
    "opacity",
    "z",
    "label",
    "class",
    "transition",
    "round",
];
/// Farther than this nothing lies, and nothing is larger.
const FARTHEST: f64 = 20_000.0;
const LETTERS: usize = 200;
const POINTS: usize = 200;

/// Whether an attribute can have a value; else why not.
pub(super) fn check(name: &str, value: &Value) -> Result<(), String> {
    if !KNOWN.contains(&name) {
        let near = nearest(name, KNOWN.iter().copied());
        let hint =
            near.map_or_else(|| format!("There are {}.", KNOWN.join(", ")), |near| format!("Did you mean `{near}`?"));
        return Err(format!("A graphic has no attribute `{name}`. {hint}"));
    }
    let attributes = BTreeMap::from([(Name::from(name), value.clone())]);
    graphic("trial", &attributes, Place::default()).map(|_| ())
}

/// The graphic that the attributes tell of; without `x` and `y` it stands where its thing does.
pub(super) fn graphic(id: &str, attributes: &BTreeMap<Name, Value>, home: Place) -> Result<Graphic, String> {
    let said = Said(attributes);
    let size = said.number("size", 60.0)?;
    let (wide, high) = (said.number("width", size)?, said.number("height", size)?);
    if wide < 0.0 || high < 0.0 {
        return Err("A size is not below nought.".into());
    }
    let at = Place::new(said.whole("x", home.x)?, said.whole("y", home.y)?);
    let at = at.by(said.whole("dx", 0)?, said.whole("dy", 0)?);
    let mut graphic = Graphic::new(id, Layer::Things, said.shape(high)?, at, Place::new(wide as i32, high as i32));
    graphic.turn = said.whole("rotation", 0)? % 360;
    graphic.fill = said.paint("fill")?.unwrap_or(Paint::Theme("ink"));
    let line = said.whole("line", 3)?;
    graphic.stroke =
        Stroke { paint: said.paint("stroke")?.unwrap_or_default(), width: line.clamp(0, 100), dashed: false };
    if matches!(graphic.shape, Shape::Line(_)) {
        graphic.stroke.paint = said.paint("stroke")?.unwrap_or_else(|| graphic.fill.clone());
        graphic.fill = Paint::None;
    }
    graphic.ink =
        if graphic.stroke.paint == Paint::None { Paint::Theme("surface") } else { graphic.stroke.paint.clone() };
    graphic.opacity = said.number("opacity", 100.0)?.clamp(0.0, 100.0) as u8;
    graphic.z = said.whole("z", 0)?;
    graphic.label = said.text("label").unwrap_or_default();
    graphic.class = said
        .text("class")
        .unwrap_or_default()
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || "- _".contains(*c))
        .collect();
    graphic.motion = match said.text("transition").as_deref() {
        None | Some("glide") => Motion::Glide,
        Some("fade") => Motion::Fade,
        Some("drop") => Motion::Drop,
        Some("still" | "none") => Motion::Still,
        Some(other) => return Err(format!("There is no transition `{other}`: glide, fade, drop and still.")),
    };
    Ok(graphic)
}

struct Said<'a>(&'a BTreeMap<Name, Value>);

impl Said<'_> {
    fn text(&self, name: &str) -> Option<String> {
        let value = self.0.get(name).filter(|value| value.holds())?;
        Some(value.to_string().chars().filter(|letter| !letter.is_control()).take(LETTERS).collect())
    }

    fn number(&self, name: &str, usual: f64) -> Result<f64, String> {
        match self.0.get(name) {
            None | Some(Value::Nil) => Ok(usual),
            Some(Value::Number(number)) if number.abs() <= FARTHEST => Ok(*number),
            Some(Value::Number(number)) => Err(format!("`{name}` is {number}, and {FARTHEST} is the most.")),
            Some(other) => Err(format!("`{name}` is a number, and not {other}.")),
        }
    }

    fn whole(&self, name: &str, usual: i32) -> Result<i32, String> {
        self.number(name, f64::from(usual)).map(|number| libm::round(number) as i32)
    }

    fn shape(&self, high: f64) -> Result<Shape, String> {
        let points = match self.0.get("points") {
            Some(Value::List(members)) if members.len() <= 2 * POINTS => {
                let numbers = members.iter().map(|member| match member {
                    Value::Number(number) if number.abs() <= FARTHEST => Ok(*number as i32),
                    other => Err(format!("`points` are numbers, and not {other}.")),
                });
                let numbers: Vec<i32> = numbers.collect::<Result<_, _>>()?;
                numbers.chunks_exact(2).map(|pair| Place::new(pair[0], pair[1])).collect()
            }
            None | Some(Value::Nil) => Vec::new(),
            Some(_) => return Err(format!("`points` is a list of at most {} numbers.", 2 * POINTS)),
        };
        let picture = |name: &str| {
            let beside = || is_picture(name).then(|| Shape::File(name.to_owned()));
            let found = art::named(name).map(Shape::Image).or_else(beside);
            found.ok_or_else(|| {
                let near = nearest(name, art::names());
                let near = near.map(|near| format!(" Did you mean `{near}`?")).unwrap_or_default();
                format!("There is no shape or picture `{name}`.{near}")
            })
        };
        if let Some(name) = self.text("image") {
            return picture(&name);
        }
        match (self.text("shape").as_deref(), self.text("text")) {
            (None, Some(text)) | (Some("text"), Some(text)) => {
                Ok(Shape::Text { text, align: Align::Middle, font: Font::Plain })
            }
            (Some("text"), None) => Ok(Shape::Text { text: String::new(), align: Align::Middle, font: Font::Plain }),
            (Some("rectangle"), _) => Ok(Shape::Rectangle { round: self.whole("round", 0)?.clamp(0, high as i32) }),
            (Some("circle") | None, _) => Ok(Shape::Circle),
            (Some("ellipse"), _) => Ok(Shape::Ellipse),
            (Some("polygon"), _) => Ok(Shape::Polygon(points)),
            (Some("line"), _) => Ok(Shape::Line(points)),
            (Some("group"), _) => Ok(Shape::Group),
            (Some(name), _) => picture(name),
        }
    }

    fn paint(&self, name: &str) -> Result<Option<Paint>, String> {
        let Some(text) = self.text(name) else { return Ok(None) };
        if let Some((known, ..)) = theme::colour(&text) {
            return Ok(Some(Paint::Theme(known)));
        }
        if text == "none" {
            return Ok(Some(Paint::None));
        }
        let named = NAMED.iter().find(|(known, _)| *known == text).map(|(_, colour)| *colour);
        let written = text.strip_prefix('#').filter(|digits| digits.len() == 6);
        let colour = named.or_else(|| written.and_then(|digits| u32::from_str_radix(digits, 16).ok()));
        let parts = |colour: u32| Paint::Own((colour >> 16) as u8, (colour >> 8) as u8, colour as u8);
        colour.map(|colour| Some(parts(colour))).ok_or_else(|| {
            let near = nearest(&text, NAMED.iter().map(|(name, _)| *name).chain(theme::COLOURS.iter().map(|c| c.0)));
            let near = near.map(|near| format!(" Did you mean `{near}`?")).unwrap_or_default();
            format!("There is no colour `{text}`: a name, or # and six digits.{near}")
        })
    }
}

const NAMED: [(&str, u32); 20] = [
    ("black", 0x1c2123),
    ("white", 0xffffff),
    ("red", 0xcf3b2b),
    ("blue", 0x2a66cf),
    ("green", 0x2a9160),
    ("yellow", 0xf2c230),
    ("orange", 0xe07b1a),
    ("purple", 0x7b3fa0),
    ("pink", 0xe08fcb),
    ("brown", 0x7b4a2a),
    ("grey", 0x808782),
    ("gray", 0x808782),
    ("silver", 0xc3c8c5),
    ("gold", 0xd9a520),
    ("cyan", 0x0b9bbd),
    ("teal", 0x0a7f7f),
    ("navy", 0x1d2f5e),
    ("maroon", 0x7c1a10),
    ("olive", 0x7a7a1e),
    ("beige", 0xefe3c6),
];
