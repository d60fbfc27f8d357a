//! Who plays, whose turn it is, and what each of them has.

use super::Drawing;
use super::block::Block;
use super::facts;
use crate::svg::text_width;
use crate::{Align, Font, Graphic, Layer, Motion, Place, Shape};
use houserules_kernel::{SeatId, Shown};

/// Pictures that stand for a value in words: what somebody shows with a hand.
const SHOWN: [&str; 3] = ["rock", "paper", "scissors"];
const HIGH: i32 = 56;
const LETTER: i32 = 28;
/// Where the name begins, behind the sign and the ring around it.
const NAME: i32 = 72;

/// What a player shows, where there is a picture of it.
pub(super) fn shown(drawing: &Drawing, seat: SeatId) -> Block {
    let Some(name) = drawing.seats.get(usize::from(seat.0)) else { return Block::default() };
    let mut block = Block::default();
    let facts = drawing.view.facts.iter().filter(|fact| fact.kind == "player" && fact.name == *name);
    for (idx, (property, value)) in facts.flat_map(|fact| &fact.properties).enumerate() {
        let Shown::Value(value) = value else { continue };
        let Some(image) = SHOWN.iter().find(|image| *image == value) else { continue };
        let side = drawing.sides.seat(Some(seat));
        let mut hand = Block::sized(170, 170);
        let id = format!("s{}.p{idx}", seat.0);
        let picture = Graphic::new(id, Layer::Things, Shape::Image(image), Place::new(85, 85), Place::new(160, 160));
        let picture = picture.fill("card").stroke(side.edge, 4).ink(side.edge);
        hand.put(picture.label(format!("{name}, {property}: {value}")).motion(Motion::Drop));
        block.beside(hand, 10);
    }
    block
}

/// A plate with the sign and the name of a seat, whether it is on, how it ended, and what it has.
pub(super) fn plate(drawing: &Drawing, seat: SeatId, without: Option<&str>, narrow: bool) -> Block {
    let at = usize::from(seat.0);
    let Some(name) = drawing.seats.get(at) else { return Block::default() };
    let side = drawing.sides.seat(Some(seat));
    let is_on = drawing.ranks.is_none()
        && match drawing.question {
            Some(question) => question.asked.contains(&seat),
            None => drawing.view.turn == Some(seat),
        };
    let mut words = Vec::new();
    let fact = drawing.view.facts.iter().find(|fact| fact.kind == "player" && fact.name == *name);
    if let Some(fact) = fact {
        for (name, shown) in
            fact.properties.iter().filter(|(name, shown)| facts::is_telling(shown) && Some(&**name) != without)
        {
            if let Shown::Value(value) = shown
                && !facts::names_places(drawing.view, value)
                && !(value == "0" && nobody_has(drawing, name))
            {
                words.push(facts::told(name, value));
            }
        }
    }
    let ended = drawing.ranks.and_then(|ranks| {
        let drawn = ranks.len() > 1 && ranks.iter().all(|rank| *rank == ranks[0]);
        match ranks.get(at)? {
            _ if drawn => Some("draw"),
            1 => Some("won"),
            _ => Some("lost"),
        }
    });
    let title = match ended {
        Some(ended) => format!("{name} · {ended}"),
        None => name.clone(),
    };
    let name_wide = text_width(&title, LETTER, Font::Bold) + 8;
    let words = words.join(" · ");
    let words_wide = if words.is_empty() { 0 } else { text_width(&words, 24, Font::Plain) + 24 };
    // Where there is little room beside each other, what somebody has stands under the name.
    let is_high = narrow && !words.is_empty();
    let (wide, high) = match is_high {
        true => (NAME + 26 + name_wide.max(words_wide - 16), HIGH + LETTER),
        false => (NAME + 26 + name_wide + words_wide, HIGH),
    };
    let mut block = Block::sized(wide, high);
    let id = format!("s{at}");
    let middle = Place::new(wide / 2, high / 2);
    let plate =
        Graphic::new(&*id, Layer::Writing, Shape::Rectangle { round: HIGH / 2 }, middle, Place::new(wide, high));
    let plate = plate.fill("surface").stroke("line", 2).label(name.clone());
    block.put(Graphic { thing: fact.map(|fact| fact.id), ..plate });
    let badge = Place::new(38, high / 2);
    // Black on a dark plate, and white on a light one, need something around them.
    let around = Graphic::new(format!("{id}.a"), Layer::Writing, Shape::Image(side.badge), badge, Place::new(36, 36));
    block.put(around.fill("line-strong").z(1));
    let sign = Graphic::new(format!("{id}.s"), Layer::Writing, Shape::Image(side.badge), badge, Place::new(29, 29));
    block.put(sign.fill(side.fill).z(1));
    if is_on {
        // One for each who is asked, and named by their order: when the turn passes, the mark goes over.
        let asked = drawing.question.map_or(&[][..], |question| &question.asked);
        let nth = asked.iter().position(|asked| *asked == seat).unwrap_or(0);
        let mark = Graphic::new(format!("turn{nth}"), Layer::Writing, Shape::Circle, badge, Place::new(44, 44));
        block.put(mark.stroke("accent", 6).z(2).class("turn").label("to choose"));
    }
    let text = Shape::Text { text: title, align: Align::Left, font: Font::Bold };
    let letters = Graphic::new(
        format!("{id}.n"),
        Layer::Writing,
        text,
        Place::new(NAME, if is_high { LETTER } else { HIGH / 2 }),
        Place::new(name_wide, LETTER),
    );
    block.put(letters.fill("ink").z(1));
    if !words.is_empty() {
        let text = Shape::Text { text: words, align: Align::Left, font: Font::Plain };
        let beside = Place::new(NAME + name_wide + 16, HIGH / 2);
        let at = if is_high { Place::new(NAME, high - LETTER) } else { beside };
        let letters = Graphic::new(format!("{id}.w"), Layer::Writing, text, at, Place::new(words_wide - 16, 24));
        block.put(letters.fill("ink-2").z(1));
    }
    block
}

/// What a seat has, with its sign before it, where it lies away from its plate.
pub(super) fn signed(drawing: &Drawing, seat: SeatId, held: Block) -> Block {
    let side = drawing.sides.seat(Some(seat));
    let mut block = Block::sized(40, 40);
    let whose = drawing.seats.get(usize::from(seat.0)).cloned().unwrap_or_default();
    let at = Place::new(20, 20);
    let sign = Graphic::new(format!("o{}", seat.0), Layer::Writing, Shape::Image(side.badge), at, Place::new(34, 34));
    block.put(sign.fill(side.fill).stroke(side.edge, 4).label(whose));
    block.beside(held, 8);
    block
}

/// Whether no player has any of something yet: what nobody has counts for nothing, and may never do so.
fn nobody_has(drawing: &Drawing, name: &str) -> bool {
    let players = drawing.view.facts.iter().filter(|fact| fact.kind == "player");
    let mut shown = players.flat_map(|fact| &fact.properties).filter(|(known, _)| known == name);
    shown.all(|(_, shown)| matches!(shown, Shown::Value(value) if value == "0" || value == "nil"))
}
