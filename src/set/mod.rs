//! The embedded Set: plain immutable values with structural sharing, edits, undo, launch state, and its object model.

pub mod check;
pub mod clips;
pub mod default_set;
pub mod device;
pub mod device_table;
pub mod display;
pub mod display_text;
pub mod document;
pub mod edit;
pub mod history;
pub mod idle;
pub mod ids;
pub mod index;
pub mod lane;
pub mod launch;
pub mod members;
pub mod model;
pub mod names;
pub mod notes;
pub mod ordered;
pub mod palette;
pub mod placing;
pub mod sample;
pub mod save;
pub mod sequence;
pub mod session;
pub mod tally;
pub mod timeline;
pub mod tree;
pub mod view;
pub mod warp;

pub use document::Document;
pub use model::SetState;
