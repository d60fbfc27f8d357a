//! The one document of the studio: a definition's text, which every view is drawn from and every change is an edit of.
//!
//! Start reading at [`Document`]: it takes a [`Change`] and makes [`TextEdit`]s of it, of which it knows the inverse.
//! [`Picture`] is what is drawn of a document, [`Blocks`] what is drawn of one directive's statements, [`Around`] what
//! runs around a behavior; [`Names`] knows every place that means a name; [`fit`] says what a running match must be told.

mod add;
mod around;
mod blocks;
mod change;
mod document;
mod editor_lines;
mod file;
pub mod fit;
mod given;
mod graph;
mod held;
mod inside;
mod layout;
mod names;
mod picture;
mod place;
mod refactor;
mod rename;
mod text;
mod workspace;

pub use around::{Around, AroundRule};
pub use blocks::{Block, Blocks, Group, Kind, NameAt, Part, fresh, kind};
pub use change::{Change, Deed, Side, What};
pub use document::{Document, Place, Reading, Refused, Step, Stepped, Stroke};
pub use file::game_file;
pub use graph::{Graph, Link, Relation};
pub use held::{Held, Lying, ValueKind};
pub use names::{Meaning, Names, Sort, Use};
pub use picture::{Entry, Message, ModelEntry, Picture, Row, StateEntry, There, called};
pub use text::{Span, TextEdit, apply, difference, inverse};
pub use workspace::{GroupEntry, LayerEntry, Looks, SlotEntry, Workspace};
