//! What an editor asks about a definition while it is typed, in the language server's protocol.
//!
//! Start reading at [`Session`]: it hears one message and says some. [`diagnose`] reads and checks a text, a whole one
//! or a rule within a game; [`complete`] knows which words can follow, [`hover`] what a word means; [`text`] counts
//! as editors count.

mod complete;
mod diagnose;
mod hover;
mod session;
mod text;

pub use diagnose::{Context, Found, diagnose};
pub use session::Session;
