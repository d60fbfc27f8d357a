//! Dice with pips.

use super::block::Block;
use crate::{Align, Font, Graphic, Layer, Motion, Place, Shape};
use houserules_kernel::{Shown, ThingView};

const DIE: i32 = 76;

/// The dice among what the game knows: a property that is called so, with one number or several.
pub(super) fn thrown(fact: &ThingView) -> Option<(&str, Vec<i64>)> {
    fact.properties.iter().find_map(|(name, shown)| {
        let Shown::Value(value) = shown else { return None };
        if !matches!(&**name, "die" | "dice" | "roll" | "rolled") {
            return None;
        }
        let inner = value.strip_prefix('(').and_then(|value| value.strip_suffix(')')).unwrap_or(value);
        let numbers: Option<Vec<i64>> = inner.split_whitespace().map(|word| word.parse().ok()).collect();
        Some((&**name, numbers.filter(|numbers| numbers.len() <= 12)?))
    })
}

pub(super) fn block(name: &str, numbers: &[i64]) -> Block {
    let mut block = Block::default();
    for (idx, &number) in numbers.iter().enumerate() {
        let mut die = Block::sized(DIE + 8, DIE + 8);
        let mut drawn = cube(&format!("d{idx}"), number, Place::new(DIE / 2 + 4, DIE / 2 + 4), DIE);
        drawn[0].label = format!("{name} {number}");
        drawn[0].motion = Motion::Drop;
        die.graphics = drawn;
        block.beside(die, 14);
    }
    block
}

/// A die that shows a number: by pips up to six.
pub(super) fn cube(id: &str, number: i64, at: Place, across: i32) -> Vec<Graphic> {
    let shape = Shape::Rectangle { round: across / 5 };
    let cube = Graphic::new(id, Layer::Things, shape, at, Place::new(across, across));
    let mut drawn = vec![cube.fill("die").stroke("die-edge", 3).class("die")];
    let spots: &[(i32, i32)] = match number {
        1 => &[(0, 0)],
        2 => &[(-1, -1), (1, 1)],
        3 => &[(-1, -1), (0, 0), (1, 1)],
        4 => &[(-1, -1), (1, -1), (-1, 1), (1, 1)],
        5 => &[(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
        6 => &[(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
        _ => {
            let text = Shape::Text { text: number.to_string(), align: Align::Middle, font: Font::Bold };
            let room = Place::new(across * 84 / 100, across * 55 / 100);
            drawn
                .push(Graphic::new(format!("{id}.n"), Layer::Things, text, at, room).fill("die-pip").z(1).class("die"));
            return drawn;
        }
    };
    let (away, wide) = (across * 28 / 100, across / 5);
    for (idx, (x, y)) in spots.iter().enumerate() {
        let spot = at.by(x * away, y * away);
        let pip = Graphic::new(format!("{id}.{idx}"), Layer::Things, Shape::Circle, spot, Place::new(wide, wide));
        drawn.push(pip.fill("die-pip").z(1).class("die"));
    }
    drawn
}
