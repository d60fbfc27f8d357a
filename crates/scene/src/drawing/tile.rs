//! A thing by itself as a sheet: its name, what is known of it line by line, and what lies upon it.

use super::Drawing;
use super::block::Block;
use super::{facts, pieces};
use crate::svg::text_width;
use crate::{Align, Font, Graphic, Layer, Place, Shape};
use houserules_kernel::{SeatId, Shown, ThingView, View};

const TITLE: i32 = 26;
const LETTER: i32 = 21;
const LINE: i32 = 34;
const EDGE: i32 = 16;
const PIECE: i32 = 48;
/// Across a picture that the game brings: large enough for what is in it.
const BROUGHT: i32 = 72;
/// Pieces beside each other; more go into another row.
const ROW: usize = 6;
/// More pieces than this are told by their number.
const DRAWN: usize = 24;
/// A longer list of numbers is written, and not drawn.
const BOXES: usize = 8;
const BOX: i32 = 30;

pub(super) struct Tile<'a> {
    thing: &'a ThingView,
    /// How large the picture beside its name is; 0: there is none.
    picture: i32,
    lines: Vec<Line>,
}

/// Something that is known of a thing.
enum Line {
    Told {
        name: String,
        value: String,
    },
    /// Numbers in their order, such as the prices of places.
    Row {
        name: String,
        numbers: Vec<String>,
    },
    /// What each seat has here.
    Seats {
        name: String,
        shares: Vec<(SeatId, String)>,
    },
}

impl Line {
    fn name(&self) -> &str {
        match self {
            Line::Told { name, .. } | Line::Row { name, .. } | Line::Seats { name, .. } => name,
        }
    }

    fn value_wide(&self) -> i32 {
        match self {
            Line::Told { value, .. } => text_width(value, LETTER, Font::Bold) + 4,
            Line::Row { numbers, .. } => (BOX + 4) * numbers.len() as i32,
            Line::Seats { shares, .. } => 52 * shares.len() as i32,
        }
    }
}

impl<'a> Tile<'a> {
    pub fn of(drawing: &Drawing, thing: &'a ThingView) -> Tile<'a> {
        let is_coordinate = |name: &str| super::plane::is_coordinate(name);
        let known = thing.properties.iter().filter(|(name, _)| !is_coordinate(name));
        let lines = known.filter_map(|(name, shown)| line(drawing, name, shown)).collect();
        let picture = match super::plane::file(thing) {
            Some(_) => BROUGHT,
            None => i32::from(pieces::portrait(thing).is_some()) * PIECE,
        };
        Tile { thing, picture, lines }
    }

    /// Whether it has the same lines as another, so that both can be equally large.
    pub fn is_like(&self, other: &Tile) -> bool {
        self.thing.kind == other.thing.kind
            && self.lines.len() == other.lines.len()
            && self.lines.iter().zip(&other.lines).all(|(own, line)| own.name() == line.name())
    }

    /// Whether there is more to say than a name.
    pub fn is_telling(&self) -> bool {
        !self.lines.is_empty()
    }

    fn held(&self) -> &'a [ThingView] {
        self.thing.contents.as_deref().unwrap_or_default()
    }

    fn shown(&self) -> usize {
        self.held().len().min(DRAWN)
    }

    /// How high the line with its name is.
    fn head(&self) -> i32 {
        if self.picture > 0 { self.picture + 4 } else { TITLE + 12 }
    }

    pub fn size(&self) -> Place {
        let left = if self.picture > 0 { self.picture + 8 } else { 0 };
        let title = left + text_width(&self.thing.name, TITLE, Font::Bold) + 6;
        let known = self.lines.iter().map(|line| text_width(line.name(), LETTER, Font::Plain) + 24 + line.value_wide());
        let held = self.shown().min(ROW) as i32 * (PIECE + 6);
        let wide = known.max().unwrap_or(0).max(title).max(held).max(96) + 2 * EDGE;
        let rows = self.shown().div_ceil(ROW) as i32;
        let head = self.head();
        Place::new(wide, EDGE + head + LINE * self.lines.len() as i32 + rows * (PIECE + 6) + EDGE - 6)
    }

    /// Drawn as large as the largest of its kind, so that they stand in rows.
    pub fn block(&self, drawing: &Drawing, size: Place) -> Block {
        let mut block = Block::sized(size.x, size.y);
        let thing = self.thing;
        let middle = Place::new(size.x / 2, size.y / 2);
        let sheet =
            Graphic::new(format!("c{}", thing.id.0), Layer::Places, Shape::Rectangle { round: 12 }, middle, size);
        let sheet = sheet.fill("surface").stroke("line", 2).of(thing.id, None).label(self.label());
        block.put(sheet.ringed("paper-target", size.y.min(size.x) * 8 / 10));
        let mut y = EDGE + TITLE / 2 + 2;
        let mut left = EDGE;
        if self.picture > 0 {
            let at = Place::new(EDGE + self.picture / 2, EDGE + self.picture / 2);
            block.graphics.extend(pieces::piece(drawing, thing, thing.id, at, self.picture));
            (left, y) = (EDGE + self.picture + 8, EDGE + self.picture / 2);
        }
        let room = size.x - left - EDGE;
        write(
            &mut block,
            thing,
            "n",
            &thing.name,
            (Align::Left, Font::Bold, "ink"),
            Place::new(left, y),
            (room, TITLE),
        );
        y = EDGE + self.head() + LINE / 2;
        for (idx, line) in self.lines.iter().enumerate() {
            self.line(drawing, &mut block, idx, line, y);
            y += LINE;
        }
        let top = y - LINE / 2 + PIECE / 2 + 2;
        for (idx, piece) in self.held().iter().take(self.shown()).enumerate() {
            let (column, row) = ((idx % ROW) as i32, (idx / ROW) as i32);
            let at = Place::new(EDGE + PIECE / 2 + (PIECE + 6) * column, top + (PIECE + 6) * row);
            block.graphics.extend(pieces::piece(drawing, piece, thing.id, at, PIECE));
        }
        if self.held().len() > self.shown() {
            let corner = Place::new(size.x - 34, size.y - 24);
            block.graphics.extend(pieces::number(&format!("n{}", thing.id.0), self.held().len() as i64, corner, 24));
        }
        block
    }

    fn line(&self, drawing: &Drawing, block: &mut Block, idx: usize, line: &Line, y: i32) {
        let (thing, right) = (self.thing, block.size.x - EDGE);
        let room = text_width(line.name(), LETTER, Font::Plain) + 8;
        let name = (Align::Left, Font::Plain, "ink-3");
        write(block, thing, &format!("k{idx}"), line.name(), name, Place::new(EDGE, y), (room, LETTER));
        match line {
            Line::Told { value, .. } => {
                let look = (Align::Right, Font::Bold, "ink");
                let room = (line.value_wide(), LETTER);
                write(block, thing, &format!("v{idx}"), value, look, Place::new(right, y), room);
            }
            Line::Row { numbers, .. } => {
                for (nth, number) in numbers.iter().enumerate() {
                    let at = Place::new(right - (BOX + 4) * (numbers.len() - nth) as i32 + BOX / 2 + 4, y);
                    let id = format!("x{}.b{idx}.{nth}", thing.id.0);
                    let shape = Shape::Rectangle { round: 7 };
                    let square = Graphic::new(id, Layer::Writing, shape, at, Place::new(BOX, BOX));
                    block.put(square.fill("bg").stroke("line-strong", 2));
                    let look = (Align::Middle, Font::Bold, "ink");
                    write(block, thing, &format!("b{idx}.{nth}.n"), number, look, at, (BOX - 2, LETTER - 2));
                }
            }
            Line::Seats { shares, .. } => {
                for (nth, (seat, share)) in shares.iter().enumerate() {
                    let at = Place::new(right - 52 * (shares.len() - nth) as i32 + 20, y);
                    let side = drawing.sides.seat(Some(*seat));
                    let id = format!("x{}.b{idx}.{nth}", thing.id.0);
                    let sign = Graphic::new(id, Layer::Writing, Shape::Image(side.badge), at, Place::new(20, 20));
                    block.put(sign.fill(side.fill).stroke(side.edge, 4));
                    let look = (Align::Left, Font::Bold, "ink");
                    write(block, thing, &format!("b{idx}.{nth}.n"), share, look, at.by(14, 0), (24, LETTER));
                }
            }
        }
    }

    /// In words for whoever does not see it.
    fn label(&self) -> String {
        let mut words = self.thing.name.clone();
        for line in &self.lines {
            let value = match line {
                Line::Told { value, .. } => value.clone(),
                Line::Row { numbers, .. } => numbers.join(" "),
                Line::Seats { shares, .. } => shares.iter().map(|(_, share)| &**share).collect::<Vec<_>>().join(" "),
            };
            words += &format!(", {} {value}", line.name());
        }
        words
    }
}

fn line(drawing: &Drawing, name: &str, shown: &Shown) -> Option<Line> {
    let Shown::Value(value) = shown else { return None };
    let told = || facts::told(name, "").trim_end().to_owned();
    if let Some(shares) = by_seat(drawing, value) {
        return (!shares.is_empty()).then(|| Line::Seats { name: told(), shares });
    }
    let is_said_elsewhere = facts::names_places(drawing.view, value)
        || names_things(drawing.view, value)
        || facts::is_on_plates(drawing.view, name, shown);
    if !facts::is_telling(shown) || is_said_elsewhere {
        return None;
    }
    let inner = value.strip_prefix('(').and_then(|value| value.strip_suffix(')'));
    let numbers: Vec<String> = inner.unwrap_or_default().split_whitespace().map(str::to_owned).collect();
    let is_row = (1..=BOXES).contains(&numbers.len())
        && numbers.iter().all(|word| word.len() < 3 && word.parse::<i64>().is_ok());
    if is_row {
        return Some(Line::Row { name: told(), numbers });
    }
    let value = if value == "true" { "✓".to_owned() } else { facts::told("", value).trim_start().to_owned() };
    Some(Line::Told { name: told(), value })
}

/// Whether a value is the name of another thing or of a player, or a list of such: what is meant stands there by itself.
fn names_things(view: &View, value: &str) -> bool {
    let is_name = |name: &str| view.things.iter().chain(&view.facts).any(|thing| thing.name == name);
    match value.strip_prefix('(').and_then(|value| value.strip_suffix(')')) {
        Some(inner) => !inner.is_empty() && inner.split_whitespace().all(is_name),
        None => is_name(value),
    }
}

/// What each seat has of something, where that is told by player.
pub(super) fn shares(drawing: &Drawing, shown: &Shown) -> Option<Vec<(SeatId, String)>> {
    match shown {
        Shown::Value(value) => by_seat(drawing, value),
        Shown::Hidden => None,
    }
}

/// A dictionary whose keys are players.
fn by_seat(drawing: &Drawing, value: &str) -> Option<Vec<(SeatId, String)>> {
    let inner = value.strip_prefix('{')?.strip_suffix('}')?;
    let entries = inner.split(", ").filter(|entry| !entry.is_empty());
    entries
        .map(|entry| {
            let (key, value) = entry.split_once(": ")?;
            let seat = drawing.seats.iter().position(|seat| seat == key)?;
            (value.len() < 4).then(|| (SeatId(seat as u8), value.to_owned()))
        })
        .collect()
}

type Look = (Align, Font, &'static str);

fn write(
    block: &mut Block,
    thing: &ThingView,
    part: &str,
    text: &str,
    look: Look,
    at: Place,
    (wide, high): (i32, i32),
) {
    let (align, font, ink) = look;
    let shape = Shape::Text { text: text.into(), align, font };
    let letters = Graphic::new(format!("x{}.{part}", thing.id.0), Layer::Writing, shape, at, Place::new(wide, high));
    block.put(letters.fill(ink).z(1));
}
