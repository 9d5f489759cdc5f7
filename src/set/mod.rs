//! The embedded Set: plain immutable values with structural sharing, edits, undo, launch state, and its object model.

pub mod document;
pub mod edit;
pub mod model;
pub mod runtime;
pub mod tables;

pub use document::Document;
pub use model::SetState;
