//! SVC Device: a music session behind a local HTTP server.
//!
//! `docs/architecture.md` is the map of the house; each module's own comment says what the room is for and which
//! invariant it keeps.

pub mod music;
pub mod notation;
pub mod object_model;
pub mod service;
pub mod set;
