//! Places and things of which nothing matters but how many counters they hold.

use super::Drawing;
use super::block::Block;
use super::news;
use crate::{Align, Font, Graphic, Layer, Motion, Place, Shape};
use houserules_kernel::BoardView;

const WIDE: i32 = 130;
/// Counters on each other before another column begins.
const HIGH: i64 = 10;
/// More than this are told by their number alone.
const DRAWN: i64 = 40;

/// A track of a few places, each with a number.
pub(super) fn are_heaps(board: &BoardView) -> bool {
    !board.cells.is_empty()
        && board.cells.len() <= 12
        && board.cells.iter().all(|cell| news::number(cell).is_some_and(|number| number >= 0))
}

pub(super) fn block(drawing: &Drawing, nth: usize, board: &BoardView) -> Block {
    let most = board.cells.iter().filter_map(news::number).max().unwrap_or(0).min(DRAWN);
    let columns = |n: i64| ((n + HIGH - 1) / HIGH).max(1) as i32;
    let each = WIDE.max(columns(most) * 72 + 40);
    let mut block = Block::sized(each * board.cells.len() as i32 + 60, 470);
    let middle = Place::new(block.size.x / 2, block.size.y / 2);
    let ground = Graphic::new(format!("b{nth}"), Layer::Ground, Shape::Rectangle { round: 24 }, middle, block.size);
    block.put(ground.fill("felt-field").stroke("felt-edge", 5).label(board.name.clone()));
    for (idx, cell) in board.cells.iter().enumerate() {
        let n = news::number(cell).unwrap_or(0);
        let at = Place::new(30 + each * idx as i32 + each / 2, 390);
        let room = Graphic::new(
            format!("c{}", cell.id.0),
            Layer::Places,
            Shape::Rectangle { round: 16 },
            Place::new(at.x, 235),
            Place::new(each - 14, 430),
        );
        block.put(
            room.fill("felt-field")
                .stroke("felt-line", 2)
                .of(cell.id, None)
                .label(format!("{}, {n}", cell.name))
                .ringed("felt-target", each - 20),
        );
        counters(&mut block, &format!("c{}", cell.id.0), n, at);
        let text = Shape::Text { text: n.to_string(), align: Align::Middle, font: Font::Bold };
        let number = Graphic::new(format!("n{}", cell.id.0), Layer::Writing, text, at.by(0, 36), Place::new(each, 34));
        block.put(number.fill("felt-ink"));
        if drawing.news.by.contains_key(&cell.id) {
            let ring = Graphic::new(
                format!("l{}", cell.id.0),
                Layer::Traces,
                Shape::Rectangle { round: 16 },
                Place::new(at.x, 235),
                Place::new(each - 24, 420),
            );
            block.put(ring.stroke("b-last", 5).dashed().class("last").motion(Motion::Fade));
        }
    }
    block
}

/// Counters on each other, from the bottom up.
fn counters(block: &mut Block, id: &str, n: i64, at: Place) {
    if n > DRAWN {
        return;
    }
    let columns = ((n + HIGH - 1) / HIGH).max(1) as i32;
    for idx in 0..n {
        let column = (idx / HIGH) as i32;
        let x = at.x + column * 72 - (columns - 1) * 36;
        let y = at.y - 8 - 32 * (idx % HIGH) as i32;
        let size = Place::new(64, 36);
        let counter = Graphic::new(format!("{id}.{idx}"), Layer::Things, Shape::Ellipse, Place::new(x, y), size);
        block.put(counter.fill("seed").stroke("seed-edge", 3).z(idx as i32).motion(Motion::Drop));
    }
}

/// Sticks in a row, for a number that is all there is of a game.
pub(super) fn sticks(name: &str, n: i64) -> Block {
    let n_drawn = n.clamp(0, DRAWN);
    let per_row = n_drawn.clamp(12, 21);
    let rows = ((n_drawn + per_row - 1) / per_row).max(1) as i32;
    let mut block = Block::sized(per_row as i32 * 40 + 80, rows * 170 + 120);
    let middle = Place::new(block.size.x / 2, block.size.y / 2);
    let ground = Graphic::new("heap", Layer::Ground, Shape::Rectangle { round: 24 }, middle, block.size);
    block.put(ground.fill("felt-field").stroke("felt-edge", 5).label(format!("{name} {n}")));
    for idx in 0..n_drawn {
        let at = Place::new(60 + 40 * (idx % per_row) as i32, 110 + 170 * (idx / per_row) as i32);
        let stick = Graphic::new(format!("heap.{idx}"), Layer::Things, Shape::Image("stick"), at, Place::new(40, 140));
        block.put(
            stick.fill("wood-field").stroke("wood-line", 3).turned(((idx * 7) % 5 - 2) as i32).motion(Motion::Fade),
        );
    }
    let text = Shape::Text { text: format!("{name} {n}"), align: Align::Middle, font: Font::Bold };
    let low = Place::new(block.size.x / 2, block.size.y - 44);
    block.put(Graphic::new("heap.n", Layer::Writing, text, low, Place::new(block.size.x - 60, 36)).fill("felt-ink"));
    block
}

/// Heaps that are facts told how often, `h1 (3 times), h2 (4 times)`: their names and how many they hold.
pub(super) fn counted(value: &str) -> Option<Vec<(&str, i64)>> {
    if !value.contains(" times)") {
        return None;
    }
    value
        .split(", ")
        .map(|part| match part.split_once(" (") {
            Some((name, times)) => Some((name, times.strip_suffix(" times)")?.parse().ok()?)),
            None => Some((part, 1)),
        })
        .collect()
}

/// Such heaps beside each other.
pub(super) fn beside(heaps: &[(&str, i64)]) -> Block {
    let most = heaps.iter().map(|(_, n)| *n).max().unwrap_or(0).min(DRAWN);
    let columns = |n: i64| ((n + HIGH - 1) / HIGH).max(1) as i32;
    let each = WIDE.max(columns(most) * 72 + 40);
    let mut block = Block::sized(each * heaps.len() as i32 + 60, 470);
    let middle = Place::new(block.size.x / 2, block.size.y / 2);
    let ground = Graphic::new("heaps", Layer::Ground, Shape::Rectangle { round: 24 }, middle, block.size);
    block.put(ground.fill("felt-field").stroke("felt-edge", 5));
    for (idx, (name, n)) in heaps.iter().enumerate() {
        let at = Place::new(30 + each * idx as i32 + each / 2, 390);
        let id = format!("heap{idx}");
        let room = Place::new(each - 14, 430);
        let place = Graphic::new(&*id, Layer::Ground, Shape::Rectangle { round: 16 }, Place::new(at.x, 235), room);
        block.put(place.fill("felt-field").stroke("felt-line", 2).label(format!("{name}, {n}")).z(1));
        counters(&mut block, &id, *n, at);
        let text = Shape::Text { text: format!("{name}: {n}"), align: Align::Middle, font: Font::Bold };
        let words = Graphic::new(format!("{id}.n"), Layer::Writing, text, at.by(0, 36), Place::new(each - 20, 30));
        block.put(words.fill("felt-ink"));
    }
    block
}
