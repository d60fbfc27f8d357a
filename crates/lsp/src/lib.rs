//! What an editor asks about a definition while it is typed, in the language server's protocol.
//!
//! Start reading at [`Session`]: it hears one message and says some. [`diagnose`] reads and checks a text, a whole one
//! or a rule within a game; [`complete`] knows which words can follow, [`hover`] what a word means, [`find`] where a name is
//! made and used; [`studio`] lets a text be changed by looking and clicking; [`text`] counts as editors count.
//! [`wire`] is the only one that reads and writes: for editors that start a program of their own.

mod complete;
mod diagnose;
mod find;
mod hover;
mod session;
mod studio;
mod text;
pub mod wire;

pub use diagnose::{Context, Found, diagnose};
pub use session::Session;
