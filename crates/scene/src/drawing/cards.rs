//! Cards: rank and suit in the corner, the suit large; hands as fans, backs for what is hidden.

use super::Drawing;
use super::block::Block;
use super::pieces;
use crate::svg::text_width;
use crate::{Align, Font, Graphic, Layer, Motion, Place, Shape};
use houserules_kernel::{Shown, ThingId, ThingView};

pub(super) const WIDE: i32 = 100;
pub(super) const HIGH: i32 = 144;
/// How far a card that can be played stands out.
const RAISED: i32 = 22;
/// How large cards are that lie beside a hand, in percent.
const ASIDE: i32 = 58;
/// How large one's own cards are on a table of cards, and those that lie in the middle, in percent.
const OWN: i32 = 145;
const MIDDLE: i32 = 125;
/// Backs shown of a hand that is hidden.
const BACKS: u32 = 13;

/// Something with a suit, or that is called a card, or that has a word for a sign: no counter has room for it.
pub(super) fn is_card(thing: &ThingView) -> bool {
    thing.kind.eq_ignore_ascii_case("card")
        || property(thing, "suit").is_some()
        || text(thing).is_some_and(|text| text.chars().count() > 3 && text.chars().any(char::is_alphabetic))
}

fn text(thing: &ThingView) -> Option<&str> {
    thing.look.iter().find(|(attribute, _)| attribute == "text").map(|(_, text)| &**text)
}

fn property<'a>(thing: &'a ThingView, wanted: &str) -> Option<&'a str> {
    thing.properties.iter().find(|(name, _)| name == wanted).and_then(|(_, shown)| match shown {
        Shown::Value(value) if value != "nil" => Some(&**value),
        _ => None,
    })
}

/// What stands in the corner, and the picture of the suit with its colour.
fn face(card: &ThingView) -> (String, Option<(&'static str, &'static str)>) {
    let rank = text(card).or_else(|| ["face", "rank", "value"].iter().find_map(|name| property(card, name)));
    let suit = match property(card, "suit").map(str::to_lowercase).as_deref() {
        Some("♣" | "clubs" | "club") => Some(("club", "card-black")),
        Some("♦" | "diamonds" | "diamond") => Some(("diamonds", "card-red")),
        Some("♥" | "hearts" | "heart") => Some(("heart", "card-red")),
        Some("♠" | "spades" | "spade") => Some(("spade", "card-black")),
        _ => None,
    };
    (rank.unwrap_or(&card.name).to_owned(), suit)
}

pub(super) fn card(block: &mut Block, card: &ThingView, on: ThingId, at: Place, z: i32, turn: i32, dim: bool) {
    let (rank, suit) = face(card);
    let id = format!("t{}", card.id.0);
    let dress = |graphic: Graphic, up: i32| {
        let graphic = graphic.of(card.id, Some(on)).motion(Motion::Glide).z(5 * z + up).turned(turn);
        if dim { graphic.opacity(62) } else { graphic }
    };
    let sheet = Graphic::new(&*id, Layer::Things, Shape::Rectangle { round: 9 }, at, Place::new(WIDE, HIGH));
    let paper = sheet.clone().fill("card").stroke("card-edge", 2).label(card.name.clone());
    // What lies under a card must not shine through one that is dimmed.
    if dim {
        let under = Graphic { id: format!("{id}.u"), ..sheet }.fill("felt-edge").z(5 * z).turned(turn);
        block.put(under.motion(Motion::Glide));
    }
    block.put(dress(paper, 1));
    let ink = suit.map_or("card-black", |(_, ink)| ink);
    // A word goes across the card, a number into its corner.
    let is_word = rank.chars().count() > 3;
    let corner = if is_word { Place::new(0, -HIGH / 4) } else { Place::new(-WIDE / 2 + 22, -HIGH / 2 + 24) };
    let fits = |high: &&i32| text_width(&rank, **high, Font::Bold) <= WIDE - 14;
    let high = [26, 23, 20].iter().find(fits).copied().unwrap_or(17);
    let room = if is_word { Place::new(WIDE - 12, high) } else { Place::new(38, 34) };
    let text = Shape::Text { text: rank, align: Align::Middle, font: Font::Bold };
    let letters = Graphic::new(format!("{id}.r"), Layer::Things, text, around(at, corner, turn), room);
    block.put(dress(letters.fill(ink), 2));
    if let Some((image, ink)) = suit {
        let small = around(at, Place::new(-WIDE / 2 + 22, -HIGH / 2 + 56), turn);
        let large = around(at, Place::new(14, 22), turn);
        for (part, place, across) in [("s", small, 24), ("l", large, 56)] {
            let size = Place::new(across, across);
            let sign = Graphic::new(format!("{id}.{part}"), Layer::Things, Shape::Image(image), place, size);
            block.put(dress(sign.fill(ink), 2));
        }
    }
}

/// Where a point of a turned thing comes to lie.
fn around(at: Place, away: Place, degrees: i32) -> Place {
    let angle = f64::from(degrees).to_radians();
    let (sin, cos) = (libm::sin(angle), libm::cos(angle));
    let (x, y) = (f64::from(away.x), f64::from(away.y));
    at.by(libm::round(x * cos - y * sin) as i32, libm::round(x * sin + y * cos) as i32)
}

pub(super) fn back(block: &mut Block, id: String, on: ThingId, at: Place, z: i32) {
    let card = Graphic::new(&*id, Layer::Things, Shape::Rectangle { round: 9 }, at, Place::new(WIDE, HIGH));
    block.put(Graphic { on: Some(on), ..card }.fill("card-back").stroke("card", 3).z(3 * z).motion(Motion::Fade));
    let inner = Shape::Path(
        "M-34 -40L34 28M-34 -8L34 60M-34 24L4 62M-4 -58L34 -20M-34 28L34 -40M-34 60L34 -8M-4 62L34 24M-34 -20L4 -58"
            .into(),
    );
    let lines = Graphic::new(format!("{id}.b"), Layer::Things, inner, at, Place::new(WIDE, HIGH));
    block.put(
        Graphic { on: Some(on), ..lines }.stroke("card-back-line", 2).opacity(70).z(3 * z + 1).motion(Motion::Fade),
    );
}

/// A hand: face up as a fan, face down as backs with their number.
pub(super) fn hand(drawing: &Drawing, holder: &ThingView, narrow: bool) -> Block {
    let mut block = match &holder.contents {
        Some(cards) if !cards.is_empty() => fan(drawing, holder, cards),
        Some(_) => empty(holder),
        None => backs(holder, narrow),
    };
    // What somebody has won, or passes on, lies small beside the hand as long as nothing of it can be played.
    let is_aside = holder.kind != "hand" && holder.contents.is_some();
    let is_played = holder.contents.iter().flatten().any(|card| drawing.begins.contains(&card.id));
    if is_aside && !is_played {
        block.grow(ASIDE);
    } else if holder.contents.is_some() && holder.owner == drawing.own && drawing.view.boards.is_empty() {
        block.grow(OWN);
    }
    block
}

fn fan(drawing: &Drawing, holder: &ThingView, cards: &[ThingView]) -> Block {
    let mut cards: Vec<&ThingView> = cards.iter().collect();
    cards.sort_by_key(|card| card.id);
    let n = cards.len() as i32;
    // Words go across the card, and would be covered.
    let words = cards.iter().any(|card| face(card).0.chars().count() > 3);
    let step = if words { WIDE + 6 } else { (760 / n.max(1)).clamp(28, 66) };
    let choosing = cards.iter().any(|card| drawing.begins.contains(&card.id));
    let mut block = Block::sized(step * (n - 1) + WIDE + 40, HIGH + RAISED + 34);
    let middle = n - 1;
    for (idx, card) in cards.iter().enumerate() {
        let off = 2 * idx as i32 - middle;
        let playable = drawing.begins.contains(&card.id);
        let up = if playable { RAISED } else { 0 };
        let y = HIGH / 2 + RAISED + 12 + off * off / 12 - up;
        let at = Place::new(20 + WIDE / 2 + step * idx as i32, y);
        self::card(&mut block, card, holder.id, at, idx as i32, off * 6 / 10, choosing && !playable);
    }
    block
}

fn empty(holder: &ThingView) -> Block {
    let mut block = Block::sized(WIDE + 40, HIGH + 20);
    let at = Place::new(WIDE / 2 + 20, HIGH / 2 + 10);
    let id = format!("c{}", holder.id.0);
    let place = Graphic::new(id, Layer::Places, Shape::Rectangle { round: 9 }, at, Place::new(WIDE, HIGH));
    block.put(place.stroke("felt-line", 3).dashed().of(holder.id, None).label(format!("{}, empty", holder.name)));
    block
}

fn backs(holder: &ThingView, narrow: bool) -> Block {
    let Some(count) = holder.count else { return empty(holder) };
    if count == 0 {
        return empty(holder);
    }
    let n = count.min(BACKS) as i32;
    let step = if narrow { 9 } else { 24 };
    let mut block = Block::sized(step * (n - 1) + WIDE + 40, HIGH + 24);
    for idx in 0..n {
        let at = Place::new(20 + WIDE / 2 + step * idx, HIGH / 2 + 12);
        back(&mut block, format!("h{}.{idx}", holder.id.0), holder.id, at, idx);
    }
    let at = Place::new(20 + step * (n - 1) + WIDE / 2, HIGH / 2 + 12);
    block.graphics.extend(pieces::number(&format!("n{}", holder.id.0), i64::from(count), at, 28));
    block
}

/// A deck: a pile with its number, the top card face up where it may be seen.
pub(super) fn deck(holder: &ThingView) -> Block {
    let n = holder.count.or(holder.contents.as_ref().map(|cards| cards.len() as u32));
    let (Some(count), top) = (n, holder.contents.as_ref().and_then(|cards| cards.last())) else { return empty(holder) };
    if count == 0 {
        return empty(holder);
    }
    let mut block = Block::sized(WIDE + 60, HIGH + 40);
    let layers = (count as i32 / 8).clamp(1, 5);
    for layer in 0..layers {
        let at = Place::new(WIDE / 2 + 20 + 4 * layer, HIGH / 2 + 30 - 4 * layer);
        match top {
            Some(top) if layer + 1 == layers => card(&mut block, top, holder.id, at, layer, 0, false),
            _ => back(&mut block, format!("h{}.{layer}", holder.id.0), holder.id, at, layer),
        }
    }
    let at = Place::new(WIDE / 2 + 20, HIGH / 2 + 24);
    if top.is_none() || count > 1 {
        block.graphics.extend(pieces::number(
            &format!("n{}", holder.id.0),
            i64::from(count),
            at.by(0, HIGH / 2 - 20),
            26,
        ));
    }
    block
}

/// Cards on the table, each towards whoever laid it there.
pub(super) fn trick(drawing: &Drawing, holder: &ThingView, cards: &[ThingView]) -> Block {
    let n_seats = drawing.seats.len().max(1) as i32;
    let by_seat = cards.len() as i32 <= n_seats && cards.iter().all(|card| card.owner.is_some()) && n_seats <= 4;
    if !by_seat {
        let mut row = Block::default();
        for (idx, laid) in cards.iter().enumerate() {
            let mut one = Block::sized(WIDE + 12, HIGH + 12);
            let at = Place::new(WIDE / 2 + 6, HIGH / 2 + 6);
            card(&mut one, laid, holder.id, at, idx as i32, 0, false);
            row.beside(one, 0);
        }
        return row;
    }
    let mut block = Block::sized(4 * WIDE, 2 * HIGH + 70);
    let middle = Place::new(block.size.x / 2, block.size.y / 2);
    let rug =
        Graphic::new(format!("c{}", holder.id.0), Layer::Places, Shape::Rectangle { round: 30 }, middle, block.size);
    block.put(rug.stroke("felt-line", 2).of(holder.id, None).label(holder.name.clone()));
    for (idx, laid) in cards.iter().enumerate() {
        let seat = i32::from(laid.owner.map_or(0, |seat| seat.0));
        let steps = (seat - i32::from(drawing.near().0)).rem_euclid(n_seats);
        let (x, y) = match (n_seats, steps) {
            (_, 0) => (0, HIGH / 2 + 8),
            (2, _) | (4, 2) => (0, -HIGH / 2 - 8),
            (_, 1) => (-WIDE - 20, 0),
            _ => (WIDE + 20, 0),
        };
        card(&mut block, laid, holder.id, middle.by(x, y), idx as i32, 0, false);
    }
    block.grow(MIDDLE);
    block
}
