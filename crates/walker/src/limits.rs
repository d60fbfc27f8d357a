//! Where numbers, chance and lists end.

/// The largest whole number. Beyond it a result is a fault rather than silently inexact.
pub const MOST: i64 = houserules_model::Number::MOST;

/// The first member of a text with values, which is kept as a list of its pieces. No text of a definition reads so:
/// braces with nothing between them are refused.
pub const TELLING: &str = "{}";

/// Chance has no more outcomes than this at once, and no more dice.
pub const MOST_OUTCOMES: usize = 1_000_000;

pub const MOST_ROLLS: usize = 10_000;
