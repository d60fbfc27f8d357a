//! Many matches of a game and its variants, and what they say.
//!
//! Start reading at [`Plan`]: what is studied, and by whom it is played. [`Study`] plays the matches on all cores and keeps
//! each in a journal. [`Sample`] is what is learned from one match, [`Summary`] what all of them say, each figure with its
//! error, and [`compare`] says which differences between variants are more than noise. [`report`] writes it all down.
//!
//! It knows a game only as a rulebook: a rule is judged by the rulebook without it.

mod compare;
mod examine;
mod figure;
mod lead;
mod matters;
mod plan;
pub mod report;
mod study;
mod summary;

pub use compare::{Comparison, Difference, compare};
pub use examine::Sample;
pub use figure::{Figure, Kind};
pub use lead::Basis;
pub use plan::{Plan, Rule, RuleKind, Subject};
pub use study::{Stopped, Study, play};
pub use summary::{RuleSummary, Summary, summarize};
