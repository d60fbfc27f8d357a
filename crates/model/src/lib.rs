//! The entity model of a game: what a definition says, in whatever language it was written.
//!
//! A [`Definition`] is an ordered list of [`Item`]s: models, properties, behaviors, actions, rules, boards.
//! An item is the unit of change. Every edit is a value with an inverse, so undo comes for nothing, and a
//! variant or a rule changed in play is just items put into a definition.
//!
//! Bodies are trees of [`Expr`]. The forms they use stand in one table, [`forms`], which serves the reader,
//! the printer, the checker, the machine, the reference pages and the visual editor.

mod bench;
mod budget;
mod definition;
mod diagnostic;
pub mod directives;
mod edit;
pub mod examples;
mod expr;
pub mod forms;
mod item;
mod origin;
mod pattern;
pub mod print;
mod seated;
pub mod words;

pub use budget::Budget;
pub use definition::{Definition, VariantError};
pub use diagnostic::{Diagnostic, Label, Severity, nearest};
pub use edit::{Edit, EditError};
pub use expr::{Body, Case, Expr, ExprKind, NameRef, Number, Slot};
pub use forms::Form;
pub use item::*;
pub use origin::{FileId, Origin};
pub use pattern::{Element, Pattern, SlotKind, SlotRef};

/// A name in a definition. Case matters.
pub type Name = std::sync::Arc<str>;
