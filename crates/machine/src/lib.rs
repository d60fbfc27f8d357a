//! Runs a model: world, lowering, weaving, code, positions.

pub mod constant;
pub mod walk;
pub mod world;
