//! What a match is, whatever the game and whatever the language it was written in.
//!
//! Start reading at [`Position`]: it says whose decision is open, lists the choices, plays one, takes
//! it back, and shows a viewer what that viewer may know. A [`Rulebook`] opens positions. [`twin`] is a
//! whole game written by hand, and [`laws`] tests any implementer in one line.
//!
//! There is no language, no file, no clock and no randomness of its own in here. Chance is a decision
//! like any other, open to [`Who::Nature`], and the caller answers it.

mod choice;
mod decision;
mod follow;
mod outcome;
mod position;
mod random;
mod refusal;
mod told;
mod view;

pub mod laws;
mod perft;
mod plies;
pub mod twin;

pub use choice::Choice;
pub use decision::{Decision, QuestionKind, SeatId, Who};
pub use follow::{Followed, Touched};
pub use outcome::{Outcome, Standing};
pub use perft::{By, divide, perft};
pub use plies::Plies;
pub use position::{Fingerprint, Offer, Picking, Position, Rulebook};
pub use random::Generator;
pub use refusal::{OpenError, Refusal, RefusalKind};
pub use told::{Witnessed, has_secrets, told};
pub use view::{BoardView, CellView, Link, Mark, Shape, Shown, ThingId, ThingView, View, Viewer};
