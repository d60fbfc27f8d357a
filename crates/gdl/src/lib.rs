//! The Game Definition Language: text to model and back.
//!
//! Reading goes in four steps, each a module: [`lexer`] makes tokens, [`parse()`] a tree that holds every byte,
//! `datum` takes the layout away, `read` makes items of directives and forms. Broken text is ordinary text:
//! each step always gives a result, and a list of what is wrong.

mod datum;
mod files;
mod format;
mod lexer;
mod load;
mod parse;
mod read;
mod refactor;
mod reference;
mod render;
mod sources;
mod syntax;

pub use files::{Disk, Files, Memory, read_file};
pub use format::format;
pub use load::{Loaded, load, read_items, read_text};
pub use parse::{DEEPEST, Parsed, parse};
pub use refactor::{Splice, push_up, spliced};
pub use reference::{ASKED, explain, reference, words};
pub use render::{render, render_all, render_each};
pub use sources::{LineColumn, Source, Sources};
pub use syntax::{Gdl, SyntaxElement, SyntaxKind, SyntaxNode, SyntaxToken};
