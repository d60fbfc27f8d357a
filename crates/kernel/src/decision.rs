use crate::Outcome;

/// A place at the table, numbered from 0 in the order of the definition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SeatId(pub u8);

/// Who answers a decision: a seat, or the chance of dice and decks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Who {
    Seat(SeatId),
    Nature,
}

/// What a position waits for.
///
/// All choices of a decision are legal and their order is fixed: "choice 3" is the same choice on
/// every machine and in every record. A decision is never empty. When several seats are asked, what
/// one answers changes nothing for the others and stays hidden until all have answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decision {
    Seats { asked: Vec<SeatId>, kind: QuestionKind },
    Nature,
    Over(Outcome),
}

/// An action begins a ply; an answer is given in the middle of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QuestionKind {
    Action,
    Answer,
}

impl Decision {
    pub fn is_over(&self) -> bool {
        matches!(self, Decision::Over(_))
    }

    /// Everyone who may answer now.
    pub fn open_to(&self) -> Vec<Who> {
        match self {
            Decision::Seats { asked, .. } => asked.iter().map(|&seat| Who::Seat(seat)).collect(),
            Decision::Nature => vec![Who::Nature],
            Decision::Over(_) => Vec::new(),
        }
    }

    /// True where a new ply begins, or the match is over.
    pub fn ends_ply(&self) -> bool {
        match self {
            Decision::Seats { kind, .. } => *kind == QuestionKind::Action,
            Decision::Nature => false,
            Decision::Over(_) => true,
        }
    }
}
