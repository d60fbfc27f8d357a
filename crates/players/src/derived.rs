//! Evaluators for games that supply none: read off what a seat may see.

use houserules_kernel::{Position, SeatId, Shown, View, Viewer, Who};

use crate::evaluator::{AtTheEnd, Copied, Defined, Evaluator, bent};

/// Names that every game knows; the others are the game's own.
pub const DERIVED: [&str; 4] = ["end", "score", "material", "mobility"];

/// An evaluator by its name: one that the game supplies, or else one of [`DERIVED`].
pub(crate) fn named(name: &str) -> Box<dyn Copied> {
    Box::new(Named { name: name.into(), own: Defined::against_others(name) })
}

#[derive(Clone)]
struct Named {
    name: String,
    own: Defined,
}

impl Evaluator for Named {
    fn evaluate(&mut self, position: &mut dyn Position, seat: SeatId) -> f64 {
        match self.name.as_str() {
            // What the game calls so knows more of it.
            own if position.evaluate(own, seat).is_some() => self.own.evaluate(position, seat),
            "score" => Score.evaluate(position, seat),
            "material" => Material.evaluate(position, seat),
            "mobility" => Mobility.evaluate(position, seat),
            _ => AtTheEnd.evaluate(position, seat),
        }
    }
}

/// The score of a seat against the best of the others.
#[derive(Clone, Copy, Debug, Default)]
pub struct Score;

impl Evaluator for Score {
    fn evaluate(&mut self, position: &mut dyn Position, seat: SeatId) -> f64 {
        let view = position.view(Viewer::Seat(seat));
        let scores: Vec<f64> = view
            .facts
            .iter()
            .filter_map(|fact| {
                let (_, shown) = fact.properties.iter().find(|(name, _)| name == "score")?;
                match shown {
                    Shown::Value(text) => text.parse().ok(),
                    Shown::Hidden => Some(0.0),
                }
            })
            .collect();
        lead(&scores, seat)
    }
}

/// What of a seat stands on the boards: a cell counts for whose mark is on it, and things count for their owners.
#[derive(Clone, Copy, Debug, Default)]
pub struct Material;

impl Evaluator for Material {
    fn evaluate(&mut self, position: &mut dyn Position, seat: SeatId) -> f64 {
        lead(&material(&position.view(Viewer::Seat(seat))), seat)
    }
}

fn material(view: &View) -> Vec<f64> {
    let cells = view.boards.iter().flat_map(|board| &board.cells).filter_map(|cell| cell.mark.seat);
    let things = view.things.iter().filter_map(|thing| thing.owner);
    let mut owned = Vec::new();
    for SeatId(owner) in cells.chain(things) {
        owned.resize(owned.len().max(usize::from(owner) + 1), 0.0);
        owned[usize::from(owner)] += 1.0;
    }
    owned
}

fn lead(by_seat: &[f64], seat: SeatId) -> f64 {
    let own = by_seat.get(usize::from(seat.0)).copied().unwrap_or(0.0);
    let others = by_seat.iter().enumerate().filter(|&(other, _)| other != usize::from(seat.0));
    let best = others.map(|(_, &value)| value).reduce(f64::max).unwrap_or(0.0);
    bent(own - best, 4.0)
}

/// How much there is to choose from: good for whoever is to choose, bad for the others.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mobility;

impl Evaluator for Mobility {
    fn evaluate(&mut self, position: &mut dyn Position, seat: SeatId) -> f64 {
        let asked = position.decision().open_to();
        let Some(&Who::Seat(chooser)) = asked.iter().find(|&&who| who == Who::Seat(seat)).or(asked.first()) else {
            return 0.0;
        };
        let n = position.choices(Who::Seat(chooser)).len() as f64;
        if chooser == seat { bent(n, 20.0) } else { -bent(n, 20.0) }
    }
}
