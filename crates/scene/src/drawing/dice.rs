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
        let at = Place::new(DIE / 2 + 4, DIE / 2 + 4);
        let id = format!("d{idx}");
        let cube = Graphic::new(&*id, Layer::Things, Shape::Rectangle { round: 15 }, at, Place::new(DIE, DIE));
        die.put(
            cube.fill("die").stroke("die-edge", 3).label(format!("{name} {number}")).motion(Motion::Drop).class("die"),
        );
        pips(&mut die, &id, number, at);
        block.beside(die, 14);
    }
    block
}

fn pips(block: &mut Block, id: &str, number: i64, at: Place) {
    const AWAY: i32 = 21;
    let spots: &[(i32, i32)] = match number {
        1 => &[(0, 0)],
        2 => &[(-1, -1), (1, 1)],
        3 => &[(-1, -1), (0, 0), (1, 1)],
        4 => &[(-1, -1), (1, -1), (-1, 1), (1, 1)],
        5 => &[(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
        6 => &[(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
        _ => {
            let text = Shape::Text { text: number.to_string(), align: Align::Middle, font: Font::Bold };
            let digits = Graphic::new(format!("{id}.n"), Layer::Things, text, at, Place::new(DIE - 12, 42));
            block.put(digits.fill("die-pip").z(1).class("die"));
            return;
        }
    };
    for (idx, (x, y)) in spots.iter().enumerate() {
        let place = at.by(x * AWAY, y * AWAY);
        let pip = Graphic::new(format!("{id}.{idx}"), Layer::Things, Shape::Circle, place, Place::new(15, 15));
        block.put(pip.fill("die-pip").z(1).class("die"));
    }
}
