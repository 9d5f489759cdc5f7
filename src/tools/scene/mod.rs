//! Scenes: their names, and what is written to one.

pub mod name;
pub mod values;
