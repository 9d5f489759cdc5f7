//! The embedded Set as an object model.
//!
//! [`SetState`] is the value a call works on: the document, what runs beside it, its history. The class table decides
//! what a member is and what may be written ([`check`](crate::object_model::check)); the folders of this room add
//! behaviour, one class a file. A member of the table with no behaviour here is stored and read back, starting from the
//! table's default.

mod child_lists;
mod class_dispatch;
mod clip;
mod device;
pub mod findings;
mod host_impl;
mod kept_words;
mod member_answer;
pub mod note_routes;
mod object_lookup;
mod object_model_impl;
mod object_paths;
mod object_ref;
mod object_tree;
mod restore;
pub mod routing_ids;
mod set_state;
pub mod soloed_returns;
mod song;
mod sounds;
mod step_history;
mod stored_members;
mod track;

#[cfg(test)]
mod tests;

pub use object_ref::ObjectRef;
pub use set_state::SetState;
