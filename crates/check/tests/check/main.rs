//! Every message of the checker, shown in full next to its source; and what must be met with silence.

mod shown;

mod chance;
mod game;
mod laws;
mod messages;
mod models;
mod names;
mod privacy;
mod random_edits;
mod ten;
mod types;
mod unused;
mod variants;
mod views;
