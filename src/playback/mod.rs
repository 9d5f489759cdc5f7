//! Which notes sound when: snapshots of the Set and launch orders in, timed notes out.
//!
//! The only room whose code runs on the audio thread. [`Engine::process`] takes no lock, allocates and frees nothing,
//! makes no system call, writes no log and has no path that panics. It reads the clips' notes where they lie in the
//! published [`Document`](crate::set::document::Document); nothing is copied or compiled first.
//!
//! How a block is made:
//!
//! 1. [`clock`] decides which beats the block covers, from the host's transport or the engine's own.
//!    Where the song's loop ends, the block is cut: each stretch is made as if it were a block.
//! 2. [`track_player`] gives each track that may sound its next frame at which something happens: a launch, an end, a
//!    note. A track that launched nothing follows the Arrangement ([`arrangement_notes`]); from a launch on it has the
//!    Session's clip, until it is left to the Arrangement again.
//! 3. [`engine`] walks from one such frame to the next; at each, all note-offs go out before the note-ons. There is no
//!    event buffer, so none can overflow.
//! 4. [`active_notes`] knows every note the host was sent, and sends its off on the channel its on went to.
//!
//! Time is cut at the middle between two samples: an event belongs to the sample it rounds to, and whether that sample
//! is in this block or the next depends on nothing but the event. So the events of a stretch of music do not depend on
//! the host's block size.

mod active_notes;
mod arrangement_notes;
mod clock;
mod engine;
mod launch_grid;
mod phase;
mod prepared;
mod publisher;
#[cfg(test)]
mod tests;
mod track_memory;
mod track_player;
mod xorshift;

pub use crate::set::runtime::launch_orders::{
    ClockCell, ClockState, LaunchAction, LaunchOrder, LaunchQuantum, TrackCell, TrackLaunch, TrackState,
    TransportAction, TransportOrder,
};
pub use engine::Engine;
pub use publisher::{Publisher, Snapshot, channel};

/// A frame of the block being made, or [`NEVER`].
type Frame = u32;

/// Later than this block.
const NEVER: Frame = Frame::MAX;

/// One stretch of audio time that the host asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    /// Frames a second; a number outside 1,000..=10,000,000 is read as 44,100.
    pub sample_rate: f64,
    /// Length in frames; a block of 0 frames changes nothing and makes no event.
    pub frames: u32,
    /// What the host says of its transport. `None`: there is no host clock at all, the engine's own runs.
    pub host: Option<HostTransport>,
}

/// The host's transport at the start of a block. Hosts leave out, zero or spoil any of these; each has a fallback.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HostTransport {
    pub playing: bool,
    /// Quarter beats a minute. Fallback: the Set's tempo.
    pub tempo_bpm: Option<f64>,
    /// Quarter beats from the song's start. Fallback: the engine counts on.
    pub position_beats: Option<f64>,
    /// Numerator and denominator. Fallback: the Set's meter.
    pub meter: Option<(u32, u32)>,
    /// Where the bar at `position_beats` began, in quarter beats. Fallback: bars count from beat 0.
    pub bar_start_beats: Option<f64>,
}

/// A note event at a frame of its block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// `sample` 0..frames, `channel` 0..=15, `pitch` 0..=127, `velocity` above 0, up to 1.
    NoteOn { sample: u32, channel: u8, pitch: u8, velocity: f32 },
    /// As above; `velocity` is the release velocity, 0..=1.
    NoteOff { sample: u32, channel: u8, pitch: u8, velocity: f32 },
}
