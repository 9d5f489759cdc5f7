//! A running Ableton Live as a host: the bridge to the script inside it, and the object model asked over that bridge.
//!
//! The script (`live-script/SvcDevice/`) connects, the device listens; the wire is told in `docs/live-protocol.md`. One
//! request is in hand at a time, and whoever sends one waits for it: on a thread of ours, never on Live's.

pub mod bridge;
pub mod bridge_file;
mod clip_edits;
mod exchange;
mod frames;
mod host_edits;
mod host_facts;
mod known;
mod link;
mod messages;
mod moved_places;
mod placed_edits;
mod read_plan;
mod read_tables;
mod refusals;
pub mod session;
#[cfg(test)]
mod tests;
mod track_copies;
mod wire_value;
mod write_effects;

pub use bridge::{Bridge, LinkState};
pub use link::RequestError;
pub use messages::{Beat, BridgeNews, Hello, PROTOCOL};
