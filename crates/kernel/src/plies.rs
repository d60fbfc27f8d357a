use crate::{Decision, QuestionKind, Refusal, SeatId};

/// Tells where plies begin, in a match that is followed decision by decision from the beginning of one.
///
/// An action begins a ply; answers given during it belong to it, and so does chance. A question asked before any
/// action, in the set-up, is a ply of its own. Seats asked together answer in order, within one ply.
#[derive(Clone, Default, Debug)]
pub struct Plies {
    acted: bool,
    /// Asked together with the last one that answered, and still to answer.
    pending: Vec<SeatId>,
}

impl Plies {
    /// Rules that roll for ever would never let a count or a playout come back; no real ply has so many questions.
    pub const MOST_ANSWERS: usize = 2_000;

    /// What is said of a ply with more.
    pub fn endless() -> Refusal {
        Refusal::fault(format!("A ply does not end: {} answers and rolls were given in it.", Self::MOST_ANSWERS))
    }

    /// Whether the answer to this decision begins a ply.
    pub fn begins(&mut self, decision: &Decision) -> bool {
        let Decision::Seats { asked, kind } = decision else {
            self.pending.clear();
            return false;
        };
        let same_question = !asked.is_empty() && *asked == self.pending;
        self.pending = asked.get(1..).unwrap_or_default().to_vec();
        let begins = !same_question && (*kind == QuestionKind::Action || !self.acted);
        self.acted |= *kind == QuestionKind::Action;
        begins
    }

    /// As `begins` of an action of one seat, without making a decision of it.
    pub fn action(&mut self) -> bool {
        self.pending.clear();
        self.acted = true;
        true
    }

    /// Whether an action was seen; from then on answers belong to actions.
    pub fn acted(&self) -> bool {
        self.acted
    }
}
