use crate::{
    Choice, Decision, Followed, Generator, OpenError, Plies, Refusal, SeatId, ThingId, Touched, View, Viewer, Who,
    Witnessed,
};

/// The rules of one game, compiled and ready to play.
///
/// A rulebook is a value: it never changes, and equals another exactly when their digests are equal.
/// Seats are numbered in the order of the definition.
pub trait Rulebook: Send + Sync {
    fn name(&self) -> &str;
    /// The name of each seat.
    fn seats(&self) -> Vec<String>;
    /// Records refer to a rulebook by this. A new digest for an old definition is a breaking change.
    fn digest(&self) -> String;
    /// A position at the start. Chance in the set-up is a decision of Nature, so no seed is needed here.
    fn open(&self) -> Result<Box<dyn Position>, OpenError>;
}

/// A state of play.
///
/// # Invariants
/// - A position is over exactly when it has no open decision.
/// - `play` that refuses leaves the position as it was.
/// - `undo` after `play` restores everything, the fingerprint included.
///
/// Some methods that only look take `&mut self`: testing a choice may try it and take it back.
pub trait Position: Send {
    fn decision(&self) -> Decision;
    /// The question in words: what is asked of whom.
    fn prompt(&self) -> String;
    /// The legal choices in their fixed order; empty if `who` is not asked.
    fn choices(&mut self, who: Who) -> Vec<Choice>;
    /// How likely Nature's choice is, in proportion to the others of its decision.
    fn weight(&self, _choice: &Choice) -> u32 {
        1
    }
    /// How often a choice is drawn by lot, in proportion to the others of its decision. Who names several things one after
    /// the other has as many ways on as the rest can be named in, so that every selection is equally likely.
    fn lot(&self, who: Who, choice: &Choice) -> u32 {
        match who {
            Who::Nature => self.weight(choice),
            Who::Seat(_) => 1,
        }
    }
    fn words(&self, who: Who, choice: &Choice) -> String;
    /// What an action is called, whoever receives it; none for answers and for chance.
    fn label(&self, _choice: &Choice) -> Option<String> {
        None
    }
    /// The things a choice names, in the order in which somebody would point at them: who receives the action, then its
    /// attributes. Numbered as in the view of whoever may choose; empty where there is nothing to point at.
    fn points(&self, _who: Who, _choice: &Choice) -> Vec<ThingId> {
        Vec::new()
    }
    /// Where a seat answers one question by several choices in turn: what it has named so far, and out of what.
    fn picking(&self, _seat: SeatId) -> Option<Picking> {
        None
    }
    /// Every candidate, legal or not, the refused ones with their reason.
    fn offers(&mut self, seat: SeatId) -> Vec<Offer>;
    fn play(&mut self, who: Who, choice: &Choice) -> Result<(), Refusal>;
    /// Takes back the last `play`; false at the start.
    fn undo(&mut self) -> bool;
    /// Forgets what `undo` would need.
    fn forget(&mut self) {}
    /// Counts the turns that have begun. All actions of one player's turn share a number.
    fn turn(&self) -> u64;
    fn view(&mut self, viewer: Viewer) -> View;
    /// Brings what a viewer saw of another position of the match up to date, and says where it may be different. An
    /// implementer that knows what differs need not look at everything again, as the default does.
    fn follow(&mut self, viewer: Viewer, followed: &mut Followed) -> Touched {
        *followed = Followed { view: self.view(viewer), trace: None };
        Touched::All
    }
    /// Whether all viewers see the same, in every position of the match.
    fn is_open(&self) -> bool {
        false
    }
    /// Equal for positions with equal futures.
    fn fingerprint(&self) -> Fingerprint;
    fn duplicate(&self) -> Box<dyn Position>;
    /// Becomes what another position is, in the memory it has; false if it cannot, and then nothing has changed.
    /// Whoever plays many matches from one position saves the cost of a new one each time.
    fn copy_from(&mut self, _other: &dyn Position) -> bool {
        false
    }
    /// The position as what it is, for [`Position::copy_from`].
    fn as_any(&self) -> Option<&dyn std::any::Any> {
        None
    }
    fn is_over(&self) -> bool {
        self.decision().is_over()
    }
    /// Answers the open decision at random, each choice as often as its [`lot`](Position::lot) says. False when over.
    ///
    /// The default lists the choices; an implementer may draw and try instead, as long as it draws alike.
    fn play_random(&mut self, generator: &mut Generator) -> Result<bool, Refusal> {
        let open = self.decision().open_to();
        let Some(&who) = open.first() else { return Ok(false) };
        let choices = self.choices(who);
        if choices.is_empty() {
            return Err(Refusal::not_offered("Nobody can choose anything here, and the match is not over."));
        }
        let total: u64 = choices.iter().map(|choice| u64::from(self.lot(who, choice))).sum();
        let mut at = generator.below(total);
        for choice in &choices {
            let weight = u64::from(self.lot(who, choice));
            if at < weight {
                self.play(who, choice)?;
                return Ok(true);
            }
            at -= weight;
        }
        unreachable!("a draw below the total weight falls on a choice")
    }
    /// Plays at random to the end, or for `most` plies, and says how many were played. Need not keep what `undo` needs.
    ///
    /// A ply is what [`perft`](crate::perft) counts by action: an action with the answers given during it. Rolls of dice
    /// are none, nor is a turn that passes because nobody can choose.
    fn playout(&mut self, generator: &mut Generator, most: u64) -> Result<u64, Refusal> {
        let mut plies = Plies::default();
        let mut n_plies = 0;
        let mut n_answers = 0;
        loop {
            let begins = plies.begins(&self.decision());
            if begins && n_plies == most || !self.play_random(generator)? {
                return Ok(n_plies);
            }
            n_plies += u64::from(begins);
            n_answers = if begins { 0 } else { n_answers + 1 };
            if n_answers > Plies::MOST_ANSWERS {
                return Err(Plies::endless());
            }
            self.forget();
        }
    }
    /// True if nothing that matters here is hidden from a seat: it could play on with everything face up and know no more.
    ///
    /// Asked at the same time as somebody else, a seat does not know the other's answer, even when that was given first.
    /// The default looks one `play` back for that, and compares views; an implementer that cannot be undone must say more.
    fn sees_all(&mut self, seat: SeatId) -> bool {
        let with_others = |decision: Decision| {
            let asked = decision.open_to();
            asked.len() > 1 && asked.contains(&Who::Seat(seat))
        };
        let mut before = self.duplicate();
        if with_others(self.decision()) || (before.undo() && with_others(before.decision())) {
            return false;
        }
        self.view(Viewer::Seat(seat)) == self.view(Viewer::All)
    }
    /// Whether what is asked now was asked of several at the same time, whoever has answered already: such answers are
    /// secret. The default looks one `play` back.
    fn at_once(&self) -> bool {
        crate::told::at_once(&self.decision(), self.duplicate())
    }
    /// What a viewer sees of a choice that is about to be played, none if nothing at all; [`told`](crate::told()) decides
    /// whether that may be told.
    fn witnessed(&mut self, _viewer: Viewer, who: Who, choice: &Choice) -> Option<Witnessed> {
        Some(Witnessed { words: self.words(who, choice), openly: false })
    }
    /// The position that the rulebook opens; none if the implementer does not know it.
    fn opening(&self) -> Option<Box<dyn Position>> {
        None
    }
    /// A position that looks the same to a seat, with what lies face down for it dealt anew; none if nothing can be.
    ///
    /// Positions that are equal in the seat's view give equal answers to equal generators.
    fn redeal(&mut self, _seat: SeatId, _generator: &mut Generator) -> Option<Box<dyn Position>> {
        None
    }
    /// True if nobody could choose anything after the last `play`, so that the game had to say what follows, or it is a draw.
    fn was_stuck(&self) -> bool {
        false
    }
    /// The names of the evaluators that the game itself supplies.
    fn evaluators(&self) -> Vec<String> {
        Vec::new()
    }
    /// How good the position is for a seat by one of `evaluators`; more is better, on a scale of its own.
    /// None if there is no such evaluator or seat, or it has a fault.
    fn evaluate(&mut self, _evaluator: &str, _seat: SeatId) -> Option<f64> {
        None
    }
    /// Lines said to the viewer by the last `play`.
    fn said(&self, _viewer: Viewer) -> Vec<String> {
        Vec::new()
    }
}

/// A candidate choice, and what forbids it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    pub choice: Choice,
    pub words: String,
    pub refused: Option<Refusal>,
}

/// A question that one seat answers by naming several things one after the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picking {
    /// All that was on offer at first, in words, in the order of the choices.
    pub options: Vec<String>,
    /// What was named so far, as places in that order.
    pub picked: Vec<u32>,
    /// How many are named in all; none where one may stop at any time.
    pub wanted: Option<u32>,
    /// Each may be named again; else what is named next stands after what was named last.
    pub again: bool,
}

/// Tells positions apart; equal positions have equal fingerprints on every machine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Fingerprint(pub u64);
