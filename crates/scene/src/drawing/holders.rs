//! Things that lie on no board: hands, decks, supplies, and whatever they hold.

use super::Drawing;
use super::block::Block;
use super::tile::Tile;
use super::{cards, facts, pieces};
use crate::{Align, Font, Graphic, Layer, Place, Shape};
use houserules_kernel::ThingView;

const PIECE: i32 = 64;
/// Pieces beside each other in a tray; more go into another row.
const ROW: usize = 8;
/// More pieces than this are told by their number.
const DRAWN: usize = 32;

/// Each of some things with all that lies in it; sheets of one kind are equally large.
pub(super) fn blocks<'a>(drawing: &Drawing, things: &[&'a ThingView], narrow: bool) -> Vec<Block> {
    let tile = |thing: &&'a ThingView| is_tile(drawing, thing).then(|| Tile::of(drawing, thing));
    let tiles: Vec<Option<Tile>> = things.iter().map(tile).collect();
    let most = |tile: &Tile| {
        let alike = tiles.iter().flatten().filter(|other| tile.is_like(other)).map(Tile::size);
        alike.fold(Place::default(), |most, size| Place::new(most.x.max(size.x), most.y.max(size.y)))
    };
    let block = |(thing, tile): (&&ThingView, &Option<Tile>)| match tile {
        Some(tile) => tile.block(drawing, most(tile)),
        None => block(drawing, thing, narrow),
    };
    things.iter().zip(&tiles).map(block).collect()
}

/// Whether there is something to read of a thing, or nothing else to draw.
fn is_tile(drawing: &Drawing, thing: &ThingView) -> bool {
    let holds_cards = thing.contents.iter().flatten().any(cards::is_card);
    let is_hidden = thing.contents.is_none() && thing.count.is_some();
    if cards::is_card(thing) || thing.kind == "deck" || is_hidden || holds_cards {
        return false;
    }
    thing.contents.is_none() || Tile::of(drawing, thing).is_telling()
}

/// One thing with all that lies in it.
fn block(drawing: &Drawing, thing: &ThingView, narrow: bool) -> Block {
    let contents = thing.contents.as_deref().unwrap_or_default();
    let holds_cards = contents.iter().any(cards::is_card);
    let is_hidden = thing.contents.is_none() && thing.count.is_some();
    if cards::is_card(thing) {
        let mut block = Block::sized(cards::WIDE + 20, cards::HIGH + 20);
        let at = Place::new(cards::WIDE / 2 + 10, cards::HIGH / 2 + 10);
        cards::card(&mut block, thing, thing.id, at, 0, 0, false);
        return block;
    }
    if thing.kind == "deck" || is_hidden && thing.owner.is_none() {
        let mut block = cards::deck(thing);
        if thing.kind != "deck" {
            cards::titled(drawing, &mut block, thing, &thing.name);
        }
        return block;
    }
    if is_hidden || holds_cards && thing.owner.is_some() {
        return cards::hand(drawing, thing, narrow);
    }
    if holds_cards {
        return cards::trick(drawing, thing, contents);
    }
    tray(drawing, thing, contents)
}

/// Whether there is anything to see of a thing.
pub(super) fn is_shown(drawing: &Drawing, thing: &ThingView) -> bool {
    // A player whom nobody plays is no thing to look at.
    if thing.kind == "neutral" {
        return false;
    }
    thing.contents.is_some()
        || thing.count.is_some()
        || cards::is_card(thing)
        || !thing.look.is_empty()
        || thing.properties.iter().any(|(_, shown)| facts::is_telling(shown))
        || drawing.begins.contains(&thing.id)
}

fn tray(drawing: &Drawing, thing: &ThingView, contents: &[ThingView]) -> Block {
    let shown = contents.len().min(DRAWN);
    let columns = shown.clamp(1, ROW) as i32;
    let rows = shown.div_ceil(ROW).max(1) as i32;
    let mut block = Block::sized(columns.max(2) * (PIECE + 8) + 16, rows * (PIECE + 8) + 44);
    let middle = Place::new(block.size.x / 2, block.size.y / 2);
    let board =
        Graphic::new(format!("c{}", thing.id.0), Layer::Places, Shape::Rectangle { round: 12 }, middle, block.size);
    let board = board.fill("paper-b").stroke("paper-line", 2).of(thing.id, None).label(thing.name.clone());
    block.put(board.ringed("paper-target", PIECE));
    for (idx, piece) in contents.iter().take(shown).enumerate() {
        let (column, row) = ((idx % ROW) as i32, (idx / ROW) as i32);
        let at = Place::new(8 + (PIECE + 8) * column + PIECE / 2 + 4, 8 + (PIECE + 8) * row + PIECE / 2 + 4);
        block.graphics.extend(pieces::piece(drawing, piece, thing.id, at, PIECE));
    }
    if contents.len() > shown {
        let corner = Place::new(block.size.x - 40, block.size.y - 60);
        block.graphics.extend(pieces::number(&format!("n{}", thing.id.0), contents.len() as i64, corner, 26));
    }
    // Whose it is says the place where it lies.
    let words = if thing.owner.is_some() { thing.kind.clone() } else { thing.name.clone() };
    let text = Shape::Text { text: words, align: Align::Middle, font: Font::Plain };
    let low = Place::new(middle.x, block.size.y - 18);
    let name = Graphic::new(format!("x{}", thing.id.0), Layer::Writing, text, low, Place::new(block.size.x - 12, 20));
    block.put(name.fill("paper-ink"));
    block
}
