//! Ways that go around a cross: a lane into the middle in each arm, and a corner for each seat between the arms.

use super::Drawing;
use super::laid::Laid;
use super::pieces;
use super::sides::Side;
use crate::{Graphic, Layer, Place, Shape};
use houserules_kernel::{SeatId, ThingView};

/// From field to field.
pub(super) const STEP: i32 = 104;
pub(super) const FIELD: i32 = 92;

/// Where the fields of a cross lie.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Cross {
    /// Fields from the middle to the end of an arm, without these.
    arm: i32,
    /// The upper left corner, to the middle of the field there.
    corner: Place,
    /// The board has lanes of its own; otherwise what belongs to the seats lies there.
    has_lanes: bool,
}

impl Cross {
    /// A cross around which so many fields go; none if there is none.
    pub fn around(n: usize) -> Option<Cross> {
        let fits = n >= 24 && n.is_multiple_of(8) && n <= 80;
        fits.then(|| Cross { arm: n as i32 / 8 - 1, corner: Place::default(), has_lanes: false })
    }

    pub fn moved(self, corner: Place) -> Cross {
        Cross { corner, ..self }
    }

    pub fn with_lanes(self) -> Cross {
        Cross { has_lanes: true, ..self }
    }

    /// Fields of a quarter of the way.
    pub fn quarter(self) -> usize {
        2 * self.arm as usize + 2
    }

    pub fn arm(self) -> usize {
        self.arm as usize
    }

    /// From edge field to edge field.
    pub fn across(self) -> i32 {
        (2 * self.arm + 2) * STEP
    }

    /// A field of the way: the first one is where the lower arm turns upwards.
    pub fn field(self, nth: usize) -> Place {
        let quarter = self.quarter();
        let step = (nth % quarter) as i32;
        let (arm, middle) = (self.arm, self.arm + 1);
        let (x, y) = match step {
            _ if step <= arm => (2 * (middle - 1), 2 * (2 * middle - step)),
            _ if step <= 2 * arm => (2 * (middle - 1 - (step - arm)), 2 * (middle + 1)),
            _ => (0, 2 * middle),
        };
        self.turned(nth / quarter, x, y)
    }

    /// A field of the lane that leads into the middle from the last field before this quarter.
    pub fn lane(self, quarter: usize, nth: usize) -> Place {
        let middle = self.arm + 1;
        self.turned(quarter, 2 * middle, 2 * (2 * middle - 1 - nth as i32))
    }

    /// The room beside the first fields of a quarter.
    fn nook(self, quarter: usize) -> Place {
        let middle = self.arm + 1;
        self.turned(quarter, self.arm - 1, 4 * middle - (self.arm - 1))
    }

    /// A place in half steps, turned by quarters about the middle.
    fn turned(self, quarters: usize, x: i32, y: i32) -> Place {
        let middle = 2 * (self.arm + 1);
        let (mut dx, mut dy) = (x - middle, y - middle);
        for _ in 0..quarters % 4 {
            (dx, dy) = (-dy, dx);
        }
        self.corner.by((middle + dx) * STEP / 2, (middle + dy) * STEP / 2)
    }

    /// Two sit opposite each other, unless lanes say where everybody sits.
    fn quarter_of(self, seat: SeatId, n_seats: usize) -> usize {
        let seat = usize::from(seat.0);
        if n_seats == 2 && !self.has_lanes { 2 * seat } else { seat }
    }
}

/// What belongs to the seats and lies beside the way: one thing each in the corners, a few each in the lanes.
pub(super) fn beside<'a>(drawing: &Drawing<'a>, cross: Cross) -> Vec<(&'a ThingView, Spot)> {
    let n_seats = drawing.seats.len();
    if !(2..=4).contains(&n_seats) {
        return Vec::new();
    }
    let owned: Vec<&ThingView> = drawing.view.things.iter().filter(|thing| thing.owner.is_some()).collect();
    let of = |kind: &str, seat: usize| {
        let is_it = |thing: &&&ThingView| thing.kind == kind && thing.owner == Some(SeatId(seat as u8));
        owned.iter().copied().filter(|thing| is_it(&thing)).collect::<Vec<_>>()
    };
    let mut spots: Vec<(&ThingView, Spot)> = Vec::new();
    let mut kinds: Vec<&str> = Vec::new();
    let (mut nooks, mut lanes) = (false, cross.has_lanes);
    for thing in &owned {
        if kinds.contains(&&*thing.kind) {
            continue;
        }
        kinds.push(&thing.kind);
        let each: Vec<Vec<&ThingView>> = (0..n_seats).map(|seat| of(&thing.kind, seat)).collect();
        let n = each[0].len();
        let alike = each.iter().all(|own| own.len() == n);
        let holds = each.iter().flatten().any(|thing| thing.contents.is_some());
        if alike && holds && n == 1 && !nooks {
            nooks = true;
        } else if alike && n > 1 && n <= cross.arm() && !lanes {
            lanes = true;
        } else {
            continue;
        }
        for (seat, own) in each.into_iter().enumerate() {
            let seat = SeatId(seat as u8);
            let quarter = cross.quarter_of(seat, n_seats);
            for (nth, thing) in own.into_iter().enumerate() {
                let at = if n == 1 { cross.nook(quarter) } else { cross.lane(quarter, nth) };
                let across = if n == 1 { (cross.arm - 1).max(1) * STEP } else { FIELD };
                spots.push((thing, Spot { at, across, seat, is_nook: n == 1 }));
            }
        }
    }
    spots
}

/// Where something of a seat lies beside the way.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    at: Place,
    across: i32,
    seat: SeatId,
    is_nook: bool,
}

/// The things of the seats in their places, and their colours on the fields where they begin.
pub(super) fn put(drawing: &Drawing, graphics: &mut Vec<Graphic>, nth: usize, laid: &Laid) {
    let Some(cross) = laid.cross else { return };
    let spots = beside(drawing, cross);
    if spots.is_empty() {
        return;
    }
    for seat in 0..drawing.seats.len() {
        let side = drawing.sides.seat(Some(SeatId(seat as u8)));
        let quarter = cross.quarter_of(SeatId(seat as u8), drawing.seats.len());
        let at = cross.field(quarter * cross.quarter());
        let start = Graphic::new(format!("b{nth}.q{seat}"), Layer::Places, Shape::Circle, at, Place::new(FIELD, FIELD));
        graphics.push(start.fill(side.fill).opacity(45).z(1));
    }
    for (thing, spot) in &spots {
        place(drawing, graphics, thing, *spot);
    }
}

fn place(drawing: &Drawing, graphics: &mut Vec<Graphic>, thing: &ThingView, spot: Spot) {
    let side: Side = drawing.sides.seat(Some(spot.seat));
    let shape = || if spot.is_nook { Shape::Rectangle { round: 40 } } else { Shape::Circle };
    let size = Place::new(spot.across, spot.across);
    let id = format!("c{}", thing.id.0);
    let tint = Graphic::new(format!("{id}.t"), Layer::Ground, shape(), spot.at, size);
    graphics.push(tint.fill(side.fill).opacity(32).z(2));
    let field = Graphic::new(&*id, Layer::Places, shape(), spot.at, size);
    let field = field.stroke(side.edge, 4).of(thing.id, None).label(thing.name.clone());
    graphics.push(if spot.is_nook {
        field.ringed("paper-target", spot.across)
    } else {
        field.target("paper-target", FIELD)
    });
    let held = thing.contents.as_deref().unwrap_or_default();
    let (across, away) = if spot.is_nook { (84, spot.across / 5) } else { (78, 0) };
    let spots = [(-away, -away), (away, -away), (-away, away), (away, away)];
    for (nth, piece) in held.iter().enumerate() {
        let (x, y) = if held.len() == 1 && !spot.is_nook { (0, 0) } else { spots[nth % 4] };
        let mut drawn = pieces::piece(drawing, piece, thing.id, spot.at.by(x, y), across);
        drawn.iter_mut().for_each(|graphic| graphic.z += (nth / 4) as i32 * 2);
        graphics.extend(drawn);
    }
    if held.len() > 4 {
        graphics.extend(pieces::number(&format!("n{}", thing.id.0), held.len() as i64, spot.at, 26));
    }
}
