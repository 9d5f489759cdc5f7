//! The narrow waist: objects with ids, reached by paths, with properties, children and functions.
//!
//! Tools speak only this language; hosts (the embedded Set, a running Live) answer it. What exists, its type, access
//! and range is a [table](class::table) that all hosts share, and [`check`] is the one place that compares a read, a
//! write or a call with it. A host adds only behaviour.

pub mod audio;
pub mod check;
pub mod class;
pub mod clip_facts;
#[cfg(test)]
mod curves_page;
pub mod default_sound;
pub mod device_sounds;
pub mod error;
pub mod faders;
pub mod history;
pub mod host_edits;
pub mod host_values;
pub mod id;
pub mod info;
pub mod limits;
pub mod model;
pub mod moving_parameters;
pub mod native_devices;
pub mod palette;
pub mod parameter_curves;
pub mod path;
pub mod routing_choices;
pub mod scope;
pub mod value;
pub mod wrapper;

pub use class::Class;
pub use error::ModelError;
pub use host_edits::{HostEdits, MacroEdit};
pub use host_values::{Capability, EnvelopePoint, MacroTarget, MidiOutput, Readout};
pub use id::ObjectId;
pub use model::{HostFacts, ObjectModel, Session};
pub use scope::Scope;
pub use value::Value;
