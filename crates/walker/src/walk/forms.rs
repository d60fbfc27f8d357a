//! What each form means, shelf by shelf as in the table of forms.

pub mod arithmetic;
pub mod asking;
pub mod board;
pub mod doing;
pub mod flow;
pub mod keeping;
pub mod lists;
pub mod logic;
pub mod looking;
pub mod messaging;
pub mod ruling;
pub mod supposing;
