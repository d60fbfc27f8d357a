//! Things that stand on places: pieces, stones, marks.

use super::Drawing;
use super::dice;
use super::places::Style;
use super::plane;
use super::sides::Side;
use crate::art;
use crate::{Align, Font, Graphic, Layer, Motion, Place, Shape, Target};
use houserules_kernel::{CellView, Shown, ThingId, ThingView};

/// A piece that lies somewhere.
///
/// Its label does not say where it lies: that is the label of the place, and a move changes only where it is.
pub(super) fn piece(drawing: &Drawing, piece: &ThingView, on: ThingId, at: Place, across: i32) -> Vec<Graphic> {
    let seat = piece.mark.seat.or(piece.owner);
    let wanted = piece.look.iter().find(|(attribute, _)| attribute == "fill");
    let side = drawing.sides.seat(seat).coloured(wanted.map_or("", |(_, colour)| colour));
    let id = format!("t{}", piece.id.0);
    let whose_name = seat.and_then(|seat| drawing.seats.get(usize::from(seat.0)));
    let whose = whose_name.map(|name| format!("{name} ")).unwrap_or_default();
    let state = piece.state.as_ref().map(|state| format!("{state} ")).unwrap_or_default();
    let owned = whose_name.is_some_and(|name| says_whose(piece, name));
    let own = plane::file(piece);
    let mut graphics = match (portrait(piece), exits(piece)) {
        _ if own.is_some() => brought(&id, own.unwrap_or_default(), side, seat.is_some(), at, across),
        _ if pips(piece).is_some() => dice::cube(&id, pips(piece).unwrap_or_default(), at, across * 9 / 10),
        (Some(image), _) => portrayed(&id, image, side, at, across),
        (None, Some(exits)) => tile(&id, &exits, at, across),
        (None, None) if owned => signed(&id, "", side.counter(), side, at, across),
        (None, None) => signed(&id, sign(piece), "counter", side, at, across),
    };
    graphics[0].label = format!("{whose}{state}{}", piece.kind);
    for graphic in &mut graphics {
        graphic.thing = Some(piece.id);
        graphic.on = Some(on);
        graphic.motion = Motion::Glide;
    }
    graphics[0].target = Some(Target { paint: "b-select", across: across * 104 / 100, ring: true });
    graphics
}

/// What a die shows.
fn pips(piece: &ThingView) -> Option<i64> {
    let is_die = matches!(&*piece.kind.to_lowercase(), "die" | "dice");
    sign(piece).parse().ok().filter(|_| is_die)
}

/// A sign that says no more than the kind of thing is left out where a picture does.
fn sign(piece: &ThingView) -> &str {
    let text = piece.look.iter().find(|(attribute, _)| attribute == "text");
    text.map_or(&piece.mark.sign, |(_, text)| text)
}

/// The picture of a piece: what its look says, or its state, or its kind.
pub(super) fn portrait(piece: &ThingView) -> Option<&'static str> {
    let look = piece.look.iter().find(|(attribute, _)| attribute == "shape");
    if let Some(name) = look.and_then(|(_, value)| art::named(value)) {
        return Some(name);
    }
    if let Some(name) = piece.state.as_deref().and_then(art::named) {
        return Some(name);
    }
    match &*piece.kind.to_lowercase() {
        "arrow" | "wall" | "rock" => Some("block"),
        kind => classic(kind),
    }
}

/// The picture of a kind of piece that everybody knows.
fn classic(kind: &str) -> Option<&'static str> {
    match kind {
        "amazon" => Some("queen"),
        "checker" => Some("man"),
        "king" | "queen" | "rook" | "bishop" | "knight" | "pawn" | "man" | "stone" | "seed" | "stick" => {
            art::named(kind)
        }
        _ => None,
    }
}

/// The picture of what a place knows to bear, if its sign stands for that: a hand that is shown, a piece by its name or by
/// the letter of chess.
fn borne(on: &CellView) -> Option<&'static str> {
    let word = on.properties.iter().find_map(|(_, shown)| match shown {
        Shown::Value(value) => value
            .rsplit(' ')
            .next()
            .filter(|word| word.chars().next().is_some_and(|first| first.to_uppercase().eq(on.mark.sign.chars()))),
        Shown::Hidden => None,
    })?;
    match word {
        "rock" | "paper" | "scissors" => art::named(word),
        "k" => Some("king"),
        "q" => Some("queen"),
        "r" => Some("rook"),
        "b" => Some("bishop"),
        "n" => Some("knight"),
        "p" => Some("pawn"),
        word => classic(word),
    }
}

/// Whether the sign of a piece stands for its owner and not for what it is: the shape of the seat says that better.
fn says_whose(piece: &ThingView, owner: &str) -> bool {
    let sign = sign(piece).to_lowercase();
    sign.chars().count() == 1 && owner.to_lowercase().contains(&sign) && !piece.kind.to_lowercase().starts_with(&sign)
}

/// The sides to which the roads of a tile lead: a property that lists nothing but directions.
fn exits(piece: &ThingView) -> Option<Vec<Place>> {
    let way = |word: &str| match word {
        "north" => Some(Place::new(0, -1)),
        "east" => Some(Place::new(1, 0)),
        "south" => Some(Place::new(0, 1)),
        "west" => Some(Place::new(-1, 0)),
        _ => None,
    };
    piece.properties.iter().find_map(|(_, shown)| {
        let Shown::Value(value) = shown else { return None };
        let inner = value.strip_prefix('(')?.strip_suffix(')')?;
        inner.split_whitespace().map(way).collect::<Option<Vec<Place>>>().filter(|exits| !exits.is_empty())
    })
}

/// A square that fills its place, with a road from its middle to some of its sides.
fn tile(id: &str, exits: &[Place], at: Place, across: i32) -> Vec<Graphic> {
    let across = across * 112 / 100;
    let half = across / 2;
    let square = Graphic::new(id, Layer::Things, Shape::Rectangle { round: 6 }, at, Place::new(across, across));
    let path: String = exits.iter().map(|way| format!("M0 0L{} {}", way.x * half, way.y * half)).collect();
    let road = Graphic::new(format!("{id}.s"), Layer::Things, Shape::Path(path), at, Place::new(across, across));
    let size = Place::new(across * 30 / 100, across * 30 / 100);
    let middle = Graphic::new(format!("{id}.m"), Layer::Things, Shape::Circle, at, size);
    vec![
        square.fill("felt-field").stroke("felt-edge", 3),
        road.stroke("paper-field", across * 26 / 100).z(1),
        middle.fill("paper-field").z(1),
    ]
}

/// A picture; where only colour would tell sides apart, with the sign of the seat.
fn portrayed(id: &str, image: &'static str, side: Side, at: Place, across: i32) -> Vec<Graphic> {
    let size = Place::new(across, across);
    let picture = Graphic::new(id, Layer::Things, Shape::Image(image), at, size);
    let mut graphics = vec![picture.fill(side.fill).stroke(side.edge, 4).ink(side.ink)];
    if let Some(shape) = side.shape {
        let small = Place::new(across * 26 / 100, across * 26 / 100);
        let low = at.by(0, across * 14 / 100);
        let sign = Graphic::new(format!("{id}.s"), Layer::Things, Shape::Image(shape), low, small);
        graphics.push(sign.fill(side.ink).z(1));
    }
    graphics
}

/// A picture that the game brings; what belongs to a seat bears the sign of it.
fn brought(id: &str, file: &str, side: Side, is_owned: bool, at: Place, across: i32) -> Vec<Graphic> {
    let picture = Graphic::new(id, Layer::Things, Shape::File(file.to_owned()), at, Place::new(across, across));
    let mut graphics = vec![picture];
    if is_owned {
        let small = Place::new(across * 30 / 100, across * 30 / 100);
        let corner = at.by(across * 34 / 100, across * 34 / 100);
        let sign = Graphic::new(format!("{id}.s"), Layer::Things, Shape::Image(side.badge), corner, small);
        graphics.push(sign.fill(side.fill).stroke(side.edge, 8).z(1));
    }
    graphics
}

/// A counter with a letter.
fn signed(id: &str, sign: &str, image: &'static str, side: Side, at: Place, across: i32) -> Vec<Graphic> {
    let size = Place::new(across, across);
    let disc = Graphic::new(id, Layer::Things, Shape::Image(image), at, size);
    let disc = disc.fill(side.fill).stroke(side.edge, 4).ink(side.ink);
    if sign.is_empty() {
        return vec![disc];
    }
    let text = Shape::Text { text: sign.into(), align: Align::Middle, font: Font::Bold };
    let letter =
        Graphic::new(format!("{id}.s"), Layer::Things, text, at, Place::new(across * 2 / 3, across * 46 / 100));
    vec![disc, letter.fill(side.ink).z(1)]
}

/// What a place shows by itself: the mark of a seat, or a sign.
pub(super) fn mark(drawing: &Drawing, on: &CellView, at: Place, style: Style) -> Vec<Graphic> {
    let id = format!("m{}", on.id.0);
    let size = Place::new(style.piece, style.piece);
    let (sign, seat) = (&*on.mark.sign, on.mark.seat);
    let side = drawing.sides.seat(seat);
    let name = seat.and_then(|seat| drawing.seats.get(usize::from(seat.0)));
    let image = |image: &'static str| {
        Graphic::new(id.clone(), Layer::Things, Shape::Image(image), at, size)
            .fill(side.fill)
            .stroke(side.edge, 4)
            .ink(side.ink)
    };
    // Signs are capital letters, and names of seats need not be.
    let belongs = name.is_some_and(|name| name.starts_with(sign) || name.to_uppercase().starts_with(sign));
    let graphics = match (name, sign) {
        (Some(_), _) if !belongs && borne(on).is_some() => {
            let hand = ["rock", "paper", "scissors"];
            let image = borne(on).unwrap_or("counter");
            // Hands are pale with lines of the seat's colour, as the other pictures of hands are.
            let hand = hand.contains(&image).then_some(("card", side.edge));
            let (fill, ink) = hand.unwrap_or((side.fill, side.ink));
            vec![
                Graphic::new(id.clone(), Layer::Things, Shape::Image(image), at, size)
                    .fill(fill)
                    .stroke(side.edge, 4)
                    .ink(ink),
            ]
        }
        (Some(_), _) if !belongs && sign.chars().count() == 1 && style.stones => {
            signed(&id, sign, "counter", side, at, style.piece)
        }
        (Some(name), _) if name == "X" => vec![image("x").fill("seat-1")],
        (Some(name), _) if name == "O" => vec![image("o").fill("seat-2")],
        (Some(_), _) if belongs && side.shape.is_none() && style.stones => vec![image("stone")],
        (Some(_), _) if belongs => vec![image(side.counter())],
        (None, "X" | "x") => vec![image("hit").fill("piece-red").stroke("piece-red-edge", 4).ink("piece-white")],
        (None, "o" | "O" | "0") => vec![image("splash").ink("sea-line")],
        _ => {
            let text = Shape::Text { text: sign.into(), align: Align::Middle, font: Font::Bold };
            let high = if sign.chars().count() > 3 { style.piece / 4 } else { style.piece / 2 };
            vec![Graphic::new(id, Layer::Things, text, at, Place::new(style.piece, high)).fill("paper-ink")]
        }
    };
    let label = match (name, borne(on)) {
        (Some(name), Some(image)) if !belongs => format!("{name} {image}"),
        (Some(name), _) if belongs => name.clone(),
        (Some(name), _) => format!("{name} {sign}"),
        (None, _) => sign.to_owned(),
    };
    let mark = |graphic: Graphic| Graphic { on: Some(on.id), motion: Motion::Drop, ..graphic };
    let mut graphics: Vec<Graphic> = graphics.into_iter().map(mark).collect();
    graphics[0].label = label;
    graphics
}

/// Something that lies there and may not be seen.
pub(super) fn hidden(on: ThingId, at: Place, across: i32) -> Graphic {
    let size = Place::new(across, across);
    let back = Graphic::new(format!("h{}", on.0), Layer::Things, Shape::Image("hidden"), at, size);
    let back = Graphic { on: Some(on), ..back };
    back.fill("card-back").stroke("card-edge", 4).ink("card-back-line").label("hidden")
}

/// A number on a dark pill.
pub(super) fn number(id: &str, number: i64, at: Place, high: i32) -> Vec<Graphic> {
    let text = number.to_string();
    let wide = (high * 6 / 10) * text.len() as i32 + high * 7 / 10;
    let pill =
        Graphic::new(id, Layer::Things, Shape::Rectangle { round: high / 2 + 2 }, at, Place::new(wide, high + 6));
    let shape = Shape::Text { text, align: Align::Middle, font: Font::Bold };
    let letters = Graphic::new(format!("{id}.n"), Layer::Things, shape, at, Place::new(wide, high));
    vec![pill.fill("rim-dark").stroke("rim-light", 2).z(900), letters.fill("rim-light").z(901)]
}
