//! The tree to items: which directive belongs where, and which files come into it.

mod cursor;
mod editor;
mod exprs;
mod finding;
mod game;
mod matching;
mod play;
mod sections;
mod slips;
mod things;

pub(crate) use sections::Reader;
