//! Players that know no game: random, greedy, alpha-beta, Monte Carlo tree search; and a solver.
//!
//! Start reading at [`Player`]. A player sees a game only as a `Position` of the kernel, so it plays every game in every
//! language. [`Level`] makes one out of a number from 1 to 10; [`Evaluator`] says how good an unfinished position is.
//!
//! [`Registry`] makes players by name.
//!
//! A seat that may not know everything is not played by looking at everything: where `Position::sees_all` is false, every
//! player here deals what is hidden anew, in ways that agree with all that the seat has seen, and looks ahead in those.
//!
//! There is no clock in here. With limits by depth or nodes a player follows from its seed; who wants a limit by time
//! hands in a [`Clock`].

mod alphabeta;
mod derived;
mod evaluator;
mod greedy;
mod hidden;
mod level;
mod limits;
mod mcts;
mod player;
mod random;
mod registry;
mod solver;
mod table;
mod thinking;
mod useful;

pub use alphabeta::AlphaBeta;
pub use derived::{DERIVED, Material, Mobility, Score};
pub use evaluator::{AtTheEnd, Defined, Evaluator, outcome_value};
pub use greedy::Greedy;
pub use level::Level;
pub use limits::{Clock, Limits};
pub use mcts::Mcts;
pub use player::{Considered, Player, Thought};
pub use random::Random;
pub use registry::{Make, Maker, Mistake, Recipe, Registry, SETTINGS, Settings};
pub use solver::{Progress, Solution, Solver, Unsolved};
