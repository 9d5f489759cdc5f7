//! SVC Device: a music session behind a local HTTP server.
//!
//! `docs/architecture.md` is the map: which modules there are and which may use which. Each module's own comment says
//! what it is for and which invariant it keeps.

/// The version of this device.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

// What tests share with a benchmark names this crate as that does.
#[cfg(test)]
extern crate self as svc_device;

pub mod device;
pub mod disk;
pub mod events;
pub mod files;
pub mod http;
pub mod jobs;
pub mod library;
pub mod live;
pub mod live_files;
pub mod live_script;
pub mod mcp;
pub mod metered_json;
pub mod music;
pub mod notation;
pub mod object_model;
pub mod paths;
pub mod picture;
pub mod playback;
pub mod render;
pub mod service;
pub mod set;
pub mod set_view;
pub mod skills;
pub mod sound;
pub mod tools;
pub mod transfers;
pub mod user_store;

#[cfg(feature = "plugin")]
mod plugin;
#[cfg(feature = "plugin")]
pub use plugin::SvcDevice;
#[cfg(feature = "plugin")]
pub mod window;
