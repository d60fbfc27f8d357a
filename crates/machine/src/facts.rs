//! What is known about code without running it.
//!
//! [`effects`] says of each instruction what it may do, [`operands`] which registers it reads and writes; both name every
//! instruction, so one that is new does not compile until it is known there. [`functions`] puts that together for whole
//! functions with all they call. [`reader`] goes through code with something known about each register, whatever that
//! is: who wants to know a thing about code brings along what a register can be known as. [`types`] goes through it until
//! nothing changes any more.

pub(crate) mod alike;
pub(crate) mod bounds;
mod effects;
mod functions;
mod operands;
pub(crate) mod reader;
pub(crate) mod receivers;
pub(crate) mod types;

pub(crate) use effects::{Goes, of as effects};
pub(crate) use functions::{Facts, asks_at_once, called, cost, forbidding, of as of_functions, reached, refusals};
pub(crate) use operands::of as operands;
