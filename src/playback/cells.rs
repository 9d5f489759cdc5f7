//! What the engine tells the model, as atomics that neither side ever waits for.
//!
//! The model makes a [`TrackCell`] for each track it launches and keeps it as long as the track may come back; the
//! engine also keeps its own memory of the track in it, so that any number of tracks plays without an allocation.

use super::grid::Quantum;
use super::phase::{Phase, Region};
use crate::music::Beats;
use crate::set::ids::Serial;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

const SERIAL_BITS: u32 = 25;
const SERIAL_MASK: u64 = (1 << SERIAL_BITS) - 1;
const ENDED_BIT: u64 = 1 << SERIAL_BITS;
const NUMBER_SHIFT: u32 = SERIAL_BITS + 1;
/// Order numbers are below this, 2^38.
pub(super) const NUMBER_END: u64 = 1 << (64 - NUMBER_SHIFT);

/// A float that two threads share.
#[derive(Debug, Default)]
struct AtomicF64(AtomicU64);

impl AtomicF64 {
    fn get(&self) -> f64 {
        f64::from_bits(self.0.load(Ordering::Relaxed))
    }

    fn set(&self, value: f64) {
        self.0.store(value.to_bits(), Ordering::Relaxed);
    }
}

/// One track's playback, written by the engine at the end of each block.
#[derive(Debug, Default)]
pub struct TrackCell {
    /// Order number, ended-by-itself and playing clip in one word, so that they always belong together.
    state: AtomicU64,
    position: AtomicF64,
    start: AtomicF64,
    // The engine's own memory.
    anchor: AtomicF64,
    enter: AtomicF64,
    quantum: AtomicF64,
    region_start: AtomicF64,
    region_end: AtomicF64,
    region_kind: AtomicU32,
    slot_hint: AtomicU32,
}

/// What a [`TrackCell`] says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrackState {
    /// The last order that took effect (or was void, its clip or track being gone). A higher number in the snapshot is
    /// an order that still waits: its slot shows as fired. 0: none ever did.
    pub handled: u64,
    /// The clip that plays.
    pub playing: Option<Serial>,
    /// Nothing plays, and not because of an order: the clip ran out, or was removed while it played.
    pub ended_by_itself: bool,
    /// Position in the clip, in quarter beats from its beat 0; of use while a clip plays.
    pub position_beats: Beats,
    /// Where on the leading clock the clip was launched (or last re-anchored), in quarter beats.
    pub start_beats: Beats,
}

impl TrackCell {
    pub fn read(&self) -> TrackState {
        let state = self.state.load(Ordering::Acquire);
        let serial = (state & SERIAL_MASK) as Serial;
        TrackState {
            handled: state >> NUMBER_SHIFT,
            playing: (serial != 0).then_some(serial),
            ended_by_itself: state & ENDED_BIT != 0,
            position_beats: self.position.get(),
            start_beats: self.start.get(),
        }
    }

    /// The engine's own view.
    pub(super) fn load(&self) -> Runtime {
        let TrackState { handled, playing, ended_by_itself, position_beats, start_beats } = self.read();
        Runtime {
            handled,
            playing,
            ended_by_itself,
            position_beats,
            start_beats,
            phase: Phase {
                anchor: self.anchor.get(),
                enter: self.enter.get(),
                region: match self.region_kind.load(Ordering::Relaxed) {
                    0 => Region::Empty,
                    1 => Region::Once { end: self.region_end.get() },
                    2 => Region::Loop { start: self.region_start.get(), end: self.region_end.get() },
                    _ => Region::PastLoop,
                },
            },
            quantum: Quantum::from_code(self.quantum.get()),
            slot_hint: self.slot_hint.load(Ordering::Relaxed),
        }
    }

    pub(super) fn store(&self, runtime: &Runtime) {
        self.position.set(runtime.position_beats);
        self.start.set(runtime.start_beats);
        self.anchor.set(runtime.phase.anchor);
        self.enter.set(runtime.phase.enter);
        self.quantum.set(runtime.quantum.code());
        let (kind, start, end) = match runtime.phase.region {
            Region::Empty => (0, 0.0, 0.0),
            Region::Once { end } => (1, 0.0, end),
            Region::Loop { start, end } => (2, start, end),
            Region::PastLoop => (3, 0.0, 0.0),
        };
        self.region_kind.store(kind, Ordering::Relaxed);
        self.region_start.set(start);
        self.region_end.set(end);
        self.slot_hint.store(runtime.slot_hint, Ordering::Relaxed);
        let ended = if runtime.ended_by_itself { ENDED_BIT } else { 0 };
        let serial = u64::from(runtime.playing.unwrap_or(0)) & SERIAL_MASK;
        self.state.store(runtime.handled << NUMBER_SHIFT | ended | serial, Ordering::Release);
    }
}

/// A [`TrackCell`]'s content while the engine works on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Runtime {
    pub handled: u64,
    pub playing: Option<Serial>,
    pub ended_by_itself: bool,
    pub position_beats: Beats,
    pub start_beats: Beats,
    pub phase: Phase,
    /// Of the launch that plays; its grid is the one that jumps and starts snap to.
    pub quantum: Quantum,
    /// Where in the track's clips the playing one was last found.
    pub slot_hint: u32,
}

impl Default for Runtime {
    fn default() -> Self {
        TrackCell::default().load()
    }
}

/// The leading clock, written by the engine in each block.
#[derive(Debug, Default)]
pub struct ClockCell {
    playing: AtomicBool,
    position: AtomicF64,
    tempo: AtomicF64,
    /// Numerator and denominator in one word.
    meter: AtomicU64,
    host_present: AtomicBool,
    handled: AtomicU64,
    blocks: AtomicU64,
}

/// What a [`ClockCell`] says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClockState {
    pub playing: bool,
    /// The position after the last block, in quarter beats.
    pub position_beats: Beats,
    /// 0 until the first block.
    pub tempo_bpm: f64,
    /// Numerator and denominator; 0 until the first block.
    pub meter: (u32, u32),
    /// A host's transport came with the last block, whether it leads or not.
    pub host_present: bool,
    /// The last transport order that was carried out, or dropped because the host leads.
    pub handled: u64,
    /// How many blocks were made: while this stands still, nothing is heard and no order takes effect.
    pub blocks: u64,
}

impl ClockCell {
    pub fn read(&self) -> ClockState {
        // First, so that what follows is at least as new as the count.
        let blocks = self.blocks.load(Ordering::Acquire);
        let meter = self.meter.load(Ordering::Relaxed);
        ClockState {
            playing: self.playing.load(Ordering::Relaxed),
            position_beats: self.position.get(),
            tempo_bpm: self.tempo.get(),
            meter: ((meter >> 32) as u32, meter as u32),
            host_present: self.host_present.load(Ordering::Relaxed),
            handled: self.handled.load(Ordering::Relaxed),
            blocks,
        }
    }

    /// Writes everything but `blocks`, which counts up by one.
    pub(super) fn store(&self, state: &ClockState) {
        self.playing.store(state.playing, Ordering::Relaxed);
        self.position.set(state.position_beats);
        self.tempo.set(state.tempo_bpm);
        self.meter.store(u64::from(state.meter.0) << 32 | u64::from(state.meter.1), Ordering::Relaxed);
        self.host_present.store(state.host_present, Ordering::Relaxed);
        self.handled.store(state.handled, Ordering::Relaxed);
        self.blocks.fetch_add(1, Ordering::Release);
    }
}
