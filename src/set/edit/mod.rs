//! Edits of a document, each of which keeps its index right; and what a whole document goes through: being made,
//! checked, saved and stepped back.

pub mod chosen_sounds;
pub mod clip_overlap;
pub mod default_set;
pub mod device_edits;
mod import_set;
pub mod lane_edits;
pub mod objects;
pub mod put_set;
pub mod reorder;
mod same_objects;
pub mod saved_changes;
pub mod saved_set;
pub mod set_changes;
pub mod undo_history;
pub mod validate;
