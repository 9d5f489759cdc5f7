//! The embedded Set: plain immutable values with structural sharing, edits, undo, launch state, and its object model.
pub mod device;
pub mod document;
pub mod ids;
