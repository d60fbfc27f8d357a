//! Towns and roads on land: houses for how large a town is, what lies there beside it, and the lands between them.

use super::Drawing;
use super::block::Block;
use super::links::Line;
use super::{graph, news, pieces};
use crate::svg::text_width;
use crate::{Align, Font, Graphic, Layer, Motion, Place, Shape};
use houserules_kernel::{BoardView, CellView, Shown, ThingView};

pub(super) const TOWN: i32 = 68;
/// What the strip takes that says which line is which.
pub(super) const LEGEND: i32 = 44;
const GOOD: i32 = 34;
const TRAVELLER: i32 = 58;
/// Goods beside each other above a town; more are told by their number.
const ROW: usize = 6;

pub(super) fn lay(drawing: &Drawing, block: &mut Block, nth: usize, board: &BoardView, places: &[Place]) {
    let lands = lands(drawing, board, places);
    let taken: Vec<Place> = places.iter().copied().chain(lands.iter().map(|(_, at)| *at)).collect();
    hills(block, nth, &taken);
}

/// What lies in a town, apart from the town itself.
pub(super) fn town(drawing: &Drawing, graphics: &mut Vec<Graphic>, cell: &CellView, at: Place) {
    let size = news::number(cell).filter(|n| (1..=4).contains(n)).unwrap_or(0) as i32;
    for nth in 0..size {
        let id = format!("w{}.{nth}", cell.id.0);
        let x = at.x + 19 * nth - 19 * (size - 1) / 2;
        let house = Graphic::new(id, Layer::Places, Shape::Image("house"), Place::new(x, at.y), Place::new(24, 24));
        graphics.push(house.fill("map-ink").stroke("map-town", 4).z(1));
    }
    let held = cell.pieces.as_deref().unwrap_or_default();
    let whose = |piece: &&ThingView| piece.mark.seat.or(piece.owner).is_some();
    let orders: Vec<(&ThingView, Vec<&str>)> =
        held.iter().filter(|piece| !whose(piece)).filter_map(|piece| Some((piece, asked(piece)?))).collect();
    let is_order = |piece: &ThingView| orders.iter().any(|(order, _)| order.id == piece.id);
    let goods: Vec<&ThingView> = held.iter().filter(|piece| !whose(piece) && !is_order(piece)).collect();
    let n = goods.len().min(ROW) as i32;
    for (nth, good) in goods.iter().enumerate() {
        let across = (GOOD - 4) * (nth.min(ROW - 1) as i32) - (GOOD - 4) * (n - 1) / 2;
        let mut drawn = pieces::piece(drawing, good, cell.id, at.by(across, -54), GOOD);
        drawn.iter_mut().for_each(|graphic| graphic.z += nth as i32);
        graphics.extend(drawn);
    }
    if goods.len() > ROW {
        let corner = at.by((GOOD - 4) * n / 2 + 14, -60);
        graphics.extend(pieces::number(&format!("n{}", cell.id.0), goods.len() as i64, corner, 20));
    }
    for (nth, (order, asked)) in orders.iter().enumerate() {
        let up = -54 - 40 * nth as i32;
        let text = asked.join(" ");
        let wide = text_width(&text, 22, Font::Bold) + 26;
        let id = format!("t{}", order.id.0);
        let shape = Shape::Rectangle { round: 6 };
        let sheet = Graphic::new(&*id, Layer::Things, shape, at.by(0, up), Place::new(wide, 32));
        let sheet = sheet.fill("map-town").stroke("map-ink", 3).of(order.id, Some(cell.id)).motion(Motion::Fade);
        graphics.push(sheet.label(format!("{}: {text}", order.kind)));
        let shape = Shape::Text { text, align: Align::Middle, font: Font::Bold };
        let words = Graphic::new(format!("{id}.s"), Layer::Things, shape, at.by(0, up), Place::new(wide - 8, 22));
        graphics.push(words.fill("map-ink").of(order.id, Some(cell.id)).z(1).motion(Motion::Fade));
    }
    for (nth, traveller) in held.iter().filter(whose).enumerate() {
        let side = if nth % 2 == 0 { 1 } else { -1 };
        let spot = at.by(side * (44 + 26 * (nth as i32 / 4)), -18 + 34 * (nth as i32 / 2 % 2));
        let mut drawn = pieces::piece(drawing, traveller, cell.id, spot, TRAVELLER);
        drawn.iter_mut().for_each(|graphic| graphic.z += 20 + 2 * nth as i32);
        graphics.extend(drawn);
    }
}

/// What something asks for: a list of numbers among its properties.
fn asked(piece: &ThingView) -> Option<Vec<&str>> {
    piece.properties.iter().find_map(|(_, shown)| {
        let Shown::Value(value) = shown else { return None };
        let words: Vec<&str> = value.strip_prefix('(')?.strip_suffix(')')?.split_whitespace().collect();
        (!words.is_empty() && words.iter().all(|word| word.parse::<i64>().is_ok())).then_some(words)
    })
}

/// Things that name three places or more lie in the middle of these: lands, seas, provinces.
pub(super) fn lands<'a>(drawing: &Drawing<'a>, board: &BoardView, places: &[Place]) -> Vec<(&'a ThingView, Place)> {
    let spot = |name: &str| board.cells.iter().position(|cell| cell.name == name).and_then(|cell| places.get(cell));
    let middle = |value: &str| {
        let names = value.strip_prefix('(')?.strip_suffix(')')?.split_whitespace();
        let spots: Vec<&Place> = names.map(spot).collect::<Option<_>>()?;
        let n = spots.len() as i32;
        let mean = |along: fn(&Place) -> i32| spots.iter().map(|spot| along(spot)).sum::<i32>() / n;
        (n >= 3).then(|| Place::new(mean(|at| at.x), mean(|at| at.y)))
    };
    let of = |thing: &'a ThingView| {
        let told = thing.properties.iter().find_map(|(_, shown)| match shown {
            Shown::Value(value) => middle(value),
            Shown::Hidden => None,
        });
        Some((thing, told?))
    };
    drawing
        .view
        .things
        .iter()
        .filter(|thing| thing.contents.is_none() && thing.owner.is_none())
        .filter_map(of)
        .collect()
}

/// The names of the lands, and what the seats have there.
pub(super) fn put(drawing: &Drawing, graphics: &mut Vec<Graphic>, board: &BoardView, places: &[Place]) {
    for (land, at) in lands(drawing, board, places) {
        let id = format!("c{}", land.id.0);
        let shares: Vec<_> =
            land.properties.iter().filter_map(|(_, shown)| super::tile::shares(drawing, shown)).flatten().collect();
        let wide = text_width(&land.name, 22, Font::Serif).max(46 * shares.len() as i32) + 20;
        let room = Graphic::new(&*id, Layer::Places, Shape::Rectangle { round: 14 }, at, Place::new(wide, 60));
        let told: Vec<String> = shares
            .iter()
            .map(|(seat, n)| format!("{} {n}", drawing.seats.get(usize::from(seat.0)).map_or("", |name| name)))
            .collect();
        let label = [vec![land.name.clone()], told].concat().join(", ");
        graphics.push(room.of(land.id, None).label(label).ringed("paper-target", 60));
        let text = Shape::Text { text: land.name.clone(), align: Align::Middle, font: Font::Serif };
        let up = if shares.is_empty() { 0 } else { -14 };
        let name = Graphic::new(format!("x{}", land.id.0), Layer::Writing, text, at.by(0, up), Place::new(wide, 22));
        graphics.push(name.fill("map-ink").opacity(80));
        for (nth, (seat, n)) in shares.iter().enumerate() {
            let spot = at.by(46 * nth as i32 - 23 * (shares.len() as i32 - 1) - 10, 14);
            let side = drawing.sides.seat(Some(*seat));
            let sign = format!("x{}.s{}", land.id.0, seat.0);
            let badge = Graphic::new(&*sign, Layer::Writing, Shape::Image(side.badge), spot, Place::new(22, 22));
            graphics.push(badge.fill(side.fill).stroke(side.edge, 4));
            let text = Shape::Text { text: n.clone(), align: Align::Left, font: Font::Bold };
            let number = Graphic::new(format!("{sign}.n"), Layer::Writing, text, spot.by(14, 0), Place::new(24, 20));
            graphics.push(number.fill("map-ink"));
        }
    }
}

/// Which line is which, along the lower edge.
pub(super) fn legend(block: &mut Block, nth: usize, kinds: &[&str]) {
    let y = block.size.y - LEGEND / 2 - 4;
    let mut x = 34;
    for (idx, kind) in kinds.iter().enumerate().filter(|(_, kind)| !kind.is_empty()) {
        let line = Line::of(Some(idx), graph::Ground::Map, 9, "map-earth").straight();
        let id = format!("b{nth}.k{idx}");
        block.put(line.drawn(id.clone(), Place::new(x, y), Place::new(x + 66, y), block.size));
        let wide = text_width(kind, 22, Font::Plain) + 8;
        let text = Shape::Text { text: (*kind).to_owned(), align: Align::Left, font: Font::Plain };
        let word = Graphic::new(format!("{id}.n"), Layer::Writing, text, Place::new(x + 78, y), Place::new(wide, 22));
        block.put(word.fill("map-ink"));
        x += 78 + wide + 34;
    }
}

/// Hills where no town lies.
fn hills(block: &mut Block, nth: usize, taken: &[Place]) {
    let (wide, high) = (block.size.x, block.size.y);
    let is_free = |at: Place| {
        let near = |other: &Place| (other.x - at.x).pow(2) + (other.y - at.y).pow(2) < 130 * 130;
        !taken.iter().any(near)
    };
    let spots = (0..high / 170).flat_map(|row| (0..wide / 190).map(move |column| (column, row)));
    let spots = spots.map(|(column, row)| Place::new(100 + 190 * column + 70 * (row % 2), 90 + 170 * row));
    let free = spots.filter(|at| is_free(*at) && at.x + 70 < wide && at.y + 40 < high);
    for (idx, at) in free.enumerate() {
        let part = |id: String, path: &str, paint: &'static str| {
            Graphic::new(id, Layer::Ground, Shape::Path(path.into()), at, Place::new(110, 60)).fill(paint)
        };
        block.put(part(format!("b{nth}.m{idx}"), "M-54 30L-14 -30L8 2L22 -14L54 30Z", "map-hill"));
        block.put(part(format!("b{nth}.n{idx}"), "M-14 -30L-24 -14L-14 -18L-6 -10L-3 -14Z", "map-snow").z(1));
    }
}
