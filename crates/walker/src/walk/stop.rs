//! Why a body does not run to its end.

use super::value::{Message, Value};
use houserules_kernel::SeatId;
use houserules_model::Name;

/// Everything but a value that an expression can come to. Boxed, because every expression returns one.
pub type Stop = Box<Halt>;

#[derive(Clone, Debug)]
pub enum Halt {
    /// `(return v)`.
    Return(Value),
    Break,
    Continue,
    /// A law refuses its message, or something rolls the action back.
    Refused(Refused),
    /// A question after the end of the game: nothing more happens.
    Finished,
    /// An answer is missing.
    Need(Question),
    /// The definition asks for something that has no meaning.
    Fault(String),
    /// Steps or depth are used up.
    Spent(String),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Refused {
    /// The rule that refused, where one did.
    pub law: Option<Name>,
    pub reason: String,
    /// Refused by a law on its own message, which ends quietly there if it is not the action.
    pub quiet: bool,
}

/// A question in the middle of something.
#[derive(Clone, Debug)]
pub enum Question {
    /// Nature picks one of so many.
    Chance { prompt: String, options: Vec<Value> },
    /// Each of these seats answers, unseen by the others.
    Seats { prompt: String, asked: Vec<Asked> },
}

#[derive(Clone, Debug)]
pub struct Asked {
    pub seat: SeatId,
    pub options: Options,
}

#[derive(Clone, Debug)]
pub enum Options {
    /// Members of a list, with their positions in it; and whether "that is all" may be said.
    /// With how many there are in all, and of how many different ones to be named these are the next.
    Members { from: Vec<(u64, Value)>, done: bool, n: usize, left: Option<usize> },
    /// Actions, as `let` offers them.
    Actions(Vec<Message>),
}

/// A budget is used up. Where that is, each way to run a game counts for itself.
pub fn spent(reason: impl Into<String>) -> Stop {
    super::met::ran_out();
    Box::new(Halt::Spent(reason.into()))
}

pub fn fault(reason: impl Into<String>) -> Stop {
    Box::new(Halt::Fault(reason.into()))
}
