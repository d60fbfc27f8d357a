//! A scene as a picture that stands alone.
//!
//! Everything goes through [`Writer`], which escapes whatever it is given: names and texts are a stranger's.

use crate::art::{self, Part, Role};
use crate::theme;
use crate::{Align, Font, Graphic, Paint, Place, Scene, Shape, targets};
use houserules_kernel::ThingId;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Which colours the names of the theme stand for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Theme {
    Light,
    Dark,
}

/// Where a picture beside the game is found, by the name of its file: an address with all of it inside, or the name.
pub type Pictures<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The scene as SVG.
pub fn svg(scene: &Scene, theme: Theme) -> String {
    let (wide, high) = (scene.size.x.max(1), scene.size.y.max(1));
    drawn(scene, theme, &|name| Some(name.to_owned()), [0, 0, wide, high], Some("table"), |_| true)
}

/// The board alone, on no ground: without the names of seats around it and what else stands beside it. Cards lie around
/// a cloth where the names say whose they are, and a game without a board is nothing but names: these are drawn whole.
pub fn board_svg(scene: &Scene, theme: Theme, pictures: Pictures) -> String {
    let on_board = |graphic: &Graphic| !stands_beside(&graphic.id);
    let cloth = scene.graphics.values().any(|graphic| graphic.id == "cloth");
    let boxes: Vec<[i32; 4]> = scene.graphics.values().filter(|graphic| on_board(graphic)).filter_map(around).collect();
    if cloth || boxes.is_empty() {
        return drawn(scene, theme, pictures, [0, 0, scene.size.x.max(1), scene.size.y.max(1)], None, |_| true);
    }
    let least = |side: usize| boxes.iter().map(|sides| sides[side]).min().unwrap_or(0);
    let most = |side: usize| boxes.iter().map(|sides| sides[side]).max().unwrap_or(0);
    let (x, y) = ((least(0) - EDGE).max(0), (least(1) - EDGE).max(0));
    let (right, low) = ((most(2) + EDGE).min(scene.size.x), (most(3) + EDGE).min(scene.size.y));
    drawn(scene, theme, pictures, [x, y, (right - x).max(1), (low - y).max(1)], None, on_board)
}

const EDGE: i32 = 8;

/// Whether it belongs to a plate of a seat (`s0`, `s0.w`, `turn0`) or to what the game knows (`g0`, `g0.w`).
fn stands_beside(id: &str) -> bool {
    let name = id.split('.').next().unwrap_or_default();
    ["s", "turn", "g"]
        .iter()
        .filter_map(|kind| name.strip_prefix(kind))
        .any(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Left, upper, right and lower side of what a graphic covers; lines of a grid are never the outermost.
fn around(graphic: &Graphic) -> Option<[i32; 4]> {
    let (at, size) = (graphic.at, graphic.size);
    match &graphic.shape {
        Shape::Path(_) | Shape::Group => None,
        Shape::Polygon(points) | Shape::Line(points) => Some([
            at.x + points.iter().map(|point| point.x).min()?,
            at.y + points.iter().map(|point| point.y).min()?,
            at.x + points.iter().map(|point| point.x).max()?,
            at.y + points.iter().map(|point| point.y).max()?,
        ]),
        Shape::Text { align, .. } => {
            let left = match align {
                Align::Left => at.x,
                Align::Middle => at.x - size.x / 2,
                Align::Right => at.x - size.x,
            };
            Some([left, at.y - size.y / 2, left + size.x, at.y + size.y / 2])
        }
        _ => {
            let (wide, high) = if graphic.turn % 180 == 90 { (size.y, size.x) } else { (size.x, size.y) };
            Some([at.x - wide / 2, at.y - high / 2, at.x + wide / 2, at.y + high / 2])
        }
    }
}

fn drawn(
    scene: &Scene,
    theme: Theme,
    pictures: Pictures,
    [x, y, wide, high]: [i32; 4],
    ground: Option<&'static str>,
    wanted: impl Fn(&Graphic) -> bool,
) -> String {
    let mut writer = Writer { text: String::new(), theme, pictures };
    writer.open(
        "svg",
        &[
            ("xmlns", "http://www.w3.org/2000/svg"),
            ("viewBox", &format!("{x} {y} {wide} {high}")),
            ("width", &wide.to_string()),
            ("height", &high.to_string()),
            ("role", "img"),
        ],
    );
    if let Some(ground) = ground {
        let ground = writer.paint(&Paint::Theme(ground));
        writer.whole("rect", &[("width", &wide.to_string()), ("height", &high.to_string()), ("fill", &ground)]);
    }
    let marks = targets(scene);
    let mut graphics: Vec<&Graphic> = scene.in_order().into_iter().chain(&marks).filter(|one| wanted(one)).collect();
    graphics.sort_by_key(|graphic| (graphic.layer, graphic.z));
    let places: BTreeMap<ThingId, &str> = (scene.graphics.values())
        .filter(|graphic| graphic.on.is_none() && !graphic.label.is_empty())
        .filter_map(|graphic| Some((graphic.thing?, &*graphic.label)))
        .collect();
    for graphic in graphics {
        let on = graphic.on.and_then(|on| places.get(&on));
        let title = match on {
            Some(on) if !graphic.label.is_empty() => format!("{} on {on}", graphic.label),
            _ => graphic.label.clone(),
        };
        writer.graphic(graphic, &title);
    }
    writer.close("svg");
    writer.text
}

/// How wide a line of text is, as wide letters and narrow ones go.
pub fn text_width(text: &str, high: i32, font: Font) -> i32 {
    let per_mille = |letter: char| match letter {
        'i' | 'l' | 'j' | 'I' | '.' | ',' | ':' | ';' | '!' | '|' | '\'' => 300,
        'f' | 't' | 'r' | ' ' | '(' | ')' | '-' => 400,
        'm' | 'w' | 'M' | 'W' | '@' | '—' => 900,
        'A'..='Z' => 700,
        ' '..='~' => 580,
        _ => 1000,
    };
    let width: i64 = text.chars().map(per_mille).sum::<i64>() * i64::from(high) / 1000;
    let width = if font == Font::Bold { width * 107 / 100 } else { width };
    i32::try_from(width).unwrap_or(i32::MAX)
}

struct Writer<'a> {
    text: String,
    theme: Theme,
    pictures: Pictures<'a>,
}

impl Writer<'_> {
    fn graphic(&mut self, graphic: &Graphic, title: &str) {
        let titled = !title.is_empty();
        let opacity = format!("{}", f64::from(graphic.opacity.min(100)) / 100.0);
        let turn = format!("rotate({} {} {})", graphic.turn, graphic.at.x, graphic.at.y);
        let mut attributes: Vec<(&str, &str)> = Vec::new();
        if graphic.opacity < 100 {
            attributes.push(("opacity", &opacity));
        }
        if graphic.turn != 0 {
            attributes.push(("transform", &turn));
        }
        if titled || !attributes.is_empty() {
            self.open("g", &attributes);
        }
        if titled {
            self.words("title", &[], title);
        }
        self.shape(graphic);
        if titled || !attributes.is_empty() {
            self.close("g");
        }
    }

    fn shape(&mut self, graphic: &Graphic) {
        let (at, size) = (graphic.at, graphic.size);
        let fill = self.paint(&graphic.fill);
        let stroke = self.paint(&graphic.stroke.paint);
        let width = graphic.stroke.width.to_string();
        let dash = format!("{} {}", graphic.stroke.width * 3, graphic.stroke.width * 2);
        let mut look: Vec<(&str, &str)> = vec![("fill", &fill)];
        if graphic.stroke.width > 0 && graphic.stroke.paint != Paint::None {
            look.extend([("stroke", &*stroke), ("stroke-width", &*width), ("stroke-linejoin", "round")]);
            if graphic.stroke.dashed {
                look.push(("stroke-dasharray", &dash));
            }
        }
        let middle = |points: &[Place]| -> String {
            let points = points.iter().map(|point| format!("{},{}", at.x + point.x, at.y + point.y));
            points.collect::<Vec<_>>().join(" ")
        };
        match &graphic.shape {
            Shape::Group => {}
            Shape::Rectangle { round } => {
                let (x, y) = (half(2 * at.x - size.x), half(2 * at.y - size.y));
                let (wide, high, round) = (size.x.to_string(), size.y.to_string(), round.to_string());
                let corner = [("x", &*x), ("y", &*y), ("width", &*wide), ("height", &*high), ("rx", &*round)];
                self.whole("rect", &[&corner[..], &look].concat());
            }
            Shape::Circle | Shape::Ellipse => {
                let (x, y, rx, ry) = (at.x.to_string(), at.y.to_string(), half(size.x), half(size.y));
                let middle = [("cx", &*x), ("cy", &*y), ("rx", &*rx), ("ry", &*ry)];
                self.whole("ellipse", &[&middle[..], &look].concat());
            }
            Shape::Polygon(points) => {
                self.whole("polygon", &[&[("points", &*middle(points))][..], &look].concat());
            }
            Shape::Line(points) => {
                self.whole("polyline", &[&[("points", &*middle(points))][..], &look].concat());
            }
            Shape::Path(path) => {
                let shift = format!("translate({} {})", at.x, at.y);
                self.whole("path", &[&[("d", &**path), ("transform", &*shift)][..], &look].concat());
            }
            Shape::Text { text, align, font } => self.line(graphic, text, *align, *font, &fill),
            Shape::File(name) => {
                let Some(found) = (self.pictures)(name) else { return };
                let (x, y) = (half(2 * at.x - size.x), half(2 * at.y - size.y));
                let (wide, high) = (size.x.to_string(), size.y.to_string());
                let place = [("href", &*found), ("x", &*x), ("y", &*y), ("width", &*wide), ("height", &*high)];
                self.whole("image", &place);
            }
            Shape::Image(name) => {
                for part in art::art(name).unwrap_or_default() {
                    self.part(graphic, part);
                }
            }
        }
    }

    fn line(&mut self, graphic: &Graphic, text: &str, align: Align, font: Font, fill: &str) {
        let (at, size) = (graphic.at, graphic.size);
        // Words that are too long for their room are set smaller, and never cut off.
        let wide = text_width(text, size.y, font).max(1);
        let high = if wide > size.x && size.x > 0 {
            f64::from(size.y) * f64::from(size.x) / f64::from(wide)
        } else {
            size.y.into()
        };
        let anchor = match align {
            Align::Left => "start",
            Align::Middle => "middle",
            Align::Right => "end",
        };
        let family = if font == Font::Serif { SERIF } else { SANS };
        let weight = if font == Font::Plain { "400" } else { "680" };
        let attributes = [
            ("x", &*at.x.to_string()),
            ("y", &*at.y.to_string()),
            ("font-size", &*format!("{high:.1}")),
            ("font-family", family),
            ("font-weight", weight),
            ("text-anchor", anchor),
            ("dominant-baseline", "central"),
            ("fill", fill),
        ];
        self.words("text", &attributes, text);
    }

    fn part(&mut self, graphic: &Graphic, part: &Part) {
        let (wide, high) = (f64::from(graphic.size.x) / 100.0, f64::from(graphic.size.y) / 100.0);
        let left = f64::from(graphic.at.x) - 50.0 * wide;
        let top = f64::from(graphic.at.y) - 50.0 * high;
        let place = format!("translate({left:.2} {top:.2}) scale({wide:.4} {high:.4})");
        let (fill, fill_opacity) = self.role(graphic, part.fill);
        let mut attributes = vec![("d", part.path), ("transform", &*place), ("fill", &*fill)];
        if let Some(opacity) = &fill_opacity {
            attributes.push(("fill-opacity", opacity));
        }
        attributes.push(("fill-rule", "evenodd"));
        let (line, _) = self.role(graphic, part.line);
        let width = part.width.to_string();
        if part.line != Role::None {
            let drawn = [("stroke", &*line), ("stroke-width", &*width), ("stroke-linejoin", "round")];
            attributes.extend(drawn);
            attributes.push(("stroke-linecap", "round"));
        }
        self.whole("path", &attributes);
    }

    fn role(&self, graphic: &Graphic, role: Role) -> (String, Option<String>) {
        let tone = |colour: &str, percent: u8| (colour.to_owned(), Some(format!("{}", f64::from(percent) / 100.0)));
        match role {
            Role::None => ("none".into(), None),
            Role::Fill => (self.paint(&graphic.fill), None),
            Role::Edge => (self.paint(&graphic.stroke.paint), None),
            Role::Ink => (self.paint(&graphic.ink), None),
            Role::Light(percent) => tone("#ffffff", percent),
            Role::Shade(percent) => tone("#000000", percent),
        }
    }

    fn paint(&self, paint: &Paint) -> String {
        match paint {
            Paint::None => "none".into(),
            Paint::Own(red, green, blue) => format!("#{red:02x}{green:02x}{blue:02x}"),
            Paint::Theme(name) => match (theme::colour(name), self.theme) {
                (Some((_, light, _)), Theme::Light) => format!("#{light:06x}"),
                (Some((_, _, dark)), Theme::Dark) => format!("#{dark:06x}"),
                (None, _) => "none".into(),
            },
        }
    }

    fn open(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.tag(name, attributes, ">");
    }

    fn close(&mut self, name: &str) {
        // Writing to a string does not fail, here and below.
        let _ = writeln!(self.text, "</{name}>");
    }

    fn whole(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.tag(name, attributes, "/>\n");
    }

    fn words(&mut self, name: &str, attributes: &[(&str, &str)], words: &str) {
        self.tag(name, attributes, ">");
        self.escaped(words);
        self.close(name);
    }

    fn tag(&mut self, name: &str, attributes: &[(&str, &str)], end: &str) {
        let _ = write!(self.text, "<{name}");
        for (attribute, value) in attributes {
            let _ = write!(self.text, " {attribute}=\"");
            self.escaped(value);
            self.text.push('"');
        }
        self.text.push_str(end);
    }

    fn escaped(&mut self, words: &str) {
        for letter in words.chars() {
            match letter {
                '&' => self.text.push_str("&amp;"),
                '<' => self.text.push_str("&lt;"),
                '>' => self.text.push_str("&gt;"),
                '"' => self.text.push_str("&quot;"),
                '\'' => self.text.push_str("&#39;"),
                // XML has no way at all to write most of these.
                letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => self.text.push(' '),
                letter => self.text.push(letter),
            }
        }
    }
}

const SANS: &str = "Inter, system-ui, 'Noto Sans', 'Liberation Sans', 'DejaVu Sans', sans-serif";
const SERIF: &str = "'Source Serif 4', 'Noto Serif', 'DejaVu Serif', Georgia, serif";

/// Half a number, with `.5` where it is odd.
fn half(number: i32) -> String {
    if number % 2 == 0 { (number / 2).to_string() } else { format!("{:.1}", f64::from(number) / 2.0) }
}
