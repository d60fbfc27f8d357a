use houserules_kernel::SeatId;

/// How the things of a seat look: colours, and a shape that tells it apart without them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Side {
    pub fill: &'static str,
    pub edge: &'static str,
    /// Upon the fill.
    pub ink: &'static str,
    /// One of the seat shapes; black and white are told apart by how light they are.
    pub shape: Option<&'static str>,
    /// The same, for names and panels, where every seat has its shape.
    pub badge: &'static str,
}

pub(super) struct Sides(Vec<Side>);

const NOBODY: Side =
    Side { fill: "piece-neutral", edge: "piece-neutral-edge", ink: "piece-neutral-edge", shape: None, badge: "ring" };

/// Fill, edge and ink of seats that are not called by a colour.
const SEATS: [(&str, &str, &str); 8] = [
    ("seat-1", "seat-1-ink", "seat-1-on"),
    ("seat-2", "seat-2-ink", "seat-2-on"),
    ("seat-3", "seat-3-ink", "seat-3-on"),
    ("seat-4", "seat-4-ink", "seat-4-on"),
    ("seat-5", "seat-5-ink", "seat-5-on"),
    ("seat-6", "seat-6-ink", "seat-6-on"),
    ("seat-7", "seat-7-ink", "seat-7-on"),
    ("seat-8", "seat-8-ink", "seat-8-on"),
];

/// The shapes of the seats, in their order.
const SHAPES: [&str; 8] = ["disc", "square", "triangle", "diamond", "hexagon", "cross", "star", "ring"];

/// Seats that are called by the colour of their pieces.
const COLOURS: [(&str, &str, &str, &str); 6] = [
    ("white", "piece-white", "piece-white-edge", "piece-white-edge"),
    ("black", "piece-black", "piece-black-edge", "piece-black-shine"),
    ("red", "piece-red", "piece-red-edge", "piece-white"),
    ("blue", "piece-blue", "piece-blue-edge", "piece-white"),
    ("yellow", "piece-yellow", "piece-yellow-edge", "piece-yellow-edge"),
    ("green", "piece-green", "piece-green-edge", "piece-white"),
];

impl Sides {
    pub fn of(seats: &[String]) -> Sides {
        let side = |(at, name): (usize, &String)| {
            let shape = SHAPES[at % SHAPES.len()];
            let lower = name.to_lowercase();
            match COLOURS.iter().find(|(colour, ..)| *colour == lower) {
                Some(&(colour, fill, edge, ink)) => {
                    let plain = colour == "white" || colour == "black";
                    Side { fill, edge, ink, shape: (!plain).then_some(shape), badge: shape }
                }
                None => {
                    let (fill, edge, ink) = SEATS[at % SEATS.len()];
                    Side { fill, edge, ink, shape: Some(shape), badge: shape }
                }
            }
        };
        Sides(seats.iter().enumerate().map(side).collect())
    }

    pub fn seat(&self, seat: Option<SeatId>) -> Side {
        seat.and_then(|seat| self.0.get(usize::from(seat.0))).copied().unwrap_or(NOBODY)
    }
}

impl Side {
    /// In one of the colours that pieces have.
    pub fn coloured(self, colour: &str) -> Side {
        match COLOURS.iter().find(|(known, ..)| *known == colour) {
            Some(&(_, fill, edge, ink)) => Side { fill, edge, ink, ..self },
            None => self,
        }
    }

    /// A counter that shows the seat without colour.
    pub fn counter(self) -> &'static str {
        match self.shape {
            Some("disc") => "counter-disc",
            Some("square") => "counter-square",
            Some("triangle") => "counter-triangle",
            Some("diamond") => "counter-diamond",
            Some("hexagon") => "counter-hexagon",
            Some("cross") => "counter-cross",
            Some("star") => "counter-star",
            Some("ring") => "counter-ring",
            _ => "counter",
        }
    }
}
