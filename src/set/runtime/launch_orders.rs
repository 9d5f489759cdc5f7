//! Launching: the newest order of each track, and what playback reports of it.
//!
//! An order carries a number that only ever grows. Playback reads the newest order of each track out of its snapshot,
//! carries it out at its boundary and writes the number into the track's [`TrackCell`]; until then the clip is *fired*.
//! None of this is part of the undoable value: undo never starts or stops anything.
//!
//! The cells are atomics that neither side ever waits for.

use crate::music::Beats;
use crate::set::document::ids::Serial;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What a launch waits for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LaunchQuantum {
    /// Nothing: the start of the block that first sees the order.
    None,
    /// The next multiple of this many quarter beats, counted from beat 0. Not above 0, or not a number, is
    /// [`LaunchQuantum::None`].
    Beats(Beats),
    /// The next multiple of this many bars of the leading clock. 0 is [`LaunchQuantum::None`].
    Bars(u32),
}

/// A track's latest order, and the cell in which the engine answers.
#[derive(Clone, Debug)]
pub struct TrackLaunch {
    pub track: Serial,
    pub order: LaunchOrder,
    /// An order before it that needs no boundary and that playback may not have seen yet: it was shown as done, so it
    /// is carried out before the newest one waits.
    pub before: Option<LaunchOrder>,
    /// The launch button is held on a clip that repeats: the clip of `order` starts over at each of these boundaries.
    pub repeat: Option<LaunchQuantum>,
    /// The latest move within the playing clip.
    pub skip: ClipJump,
    /// The scene of the slot whose stop button gave the order; nothing to playback.
    pub stop_slot: Option<Serial>,
    /// Always the same one for a track, over its whole life.
    pub cell: Arc<TrackCell>,
}

impl TrackLaunch {
    pub fn new(track: Serial, order: LaunchOrder) -> TrackLaunch {
        TrackLaunch {
            track,
            order,
            before: None,
            repeat: None,
            skip: ClipJump::default(),
            stop_slot: None,
            cell: Arc::default(),
        }
    }
}

/// A move within the clip that plays. Numbered like orders; one older than the clip's launch never acts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClipJump {
    pub number: u64,
    /// Quarter beats, forward or back; the clip's loop folds them.
    pub by: Beats,
}

/// An order to a track. One that is replaced while it waits for its boundary never acts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LaunchOrder {
    /// Counts up over the device's whole life, below 2^38; 0 means that nothing was ever ordered.
    pub number: u64,
    pub action: LaunchAction,
    pub quantum: LaunchQuantum,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LaunchAction {
    /// Waits while the clock stands, then for its boundary. `legato`: takes over the position of the clip that plays.
    Play { clip: Serial, legato: bool },
    /// Waits for its boundary; at once while the clock stands.
    Stop,
    /// Takes back an order that still waits: the track goes on as it was.
    Keep,
}

/// The latest order for the engine's own clock; without effect while a host's leads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TransportOrder {
    /// Counts up over the device's whole life; 0 means that nothing was ever ordered.
    pub number: u64,
    pub action: TransportAction,
}

/// Positions are quarter beats.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TransportAction {
    /// From `at`, also while it runs. Playing clips start over from the last launch boundary before it.
    Start {
        at: Beats,
    },
    /// From where it stands; clips go on from where they are.
    Continue,
    Stop,
    /// As a host's jump.
    Jump {
        to: Beats,
    },
    /// Stops, and stands there.
    Park {
        at: Beats,
    },
}

const SERIAL_BITS: u32 = 25;
const SERIAL_MASK: u64 = (1 << SERIAL_BITS) - 1;
const ENDED_BIT: u64 = 1 << SERIAL_BITS;
const NUMBER_SHIFT: u32 = SERIAL_BITS + 1;
/// Order numbers are below this, 2^38.
pub const NUMBER_END: u64 = 1 << (64 - NUMBER_SHIFT);

/// A float that two threads share.
#[derive(Debug, Default)]
pub struct AtomicF64(AtomicU64);

impl AtomicF64 {
    pub fn get(&self) -> f64 {
        f64::from_bits(self.0.load(Ordering::Relaxed))
    }

    pub fn set(&self, value: f64) {
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
    /// The engine's own memory of the track: kept here, so that any number of tracks plays without an allocation.
    pub memory: [AtomicF64; 8],
}

/// What a [`TrackCell`] holds.
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

    /// Called by the engine alone.
    pub fn write(&self, state: &TrackState) {
        self.position.set(state.position_beats);
        self.start.set(state.start_beats);
        let ended = if state.ended_by_itself { ENDED_BIT } else { 0 };
        let serial = u64::from(state.playing.unwrap_or(0)) & SERIAL_MASK;
        self.state.store(state.handled << NUMBER_SHIFT | ended | serial, Ordering::Release);
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
    host_led: AtomicBool,
    handled: AtomicU64,
    blocks: AtomicU64,
}

/// What a [`ClockCell`] holds.
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
    /// `playing` and `position_beats` are the host's transport's; otherwise they are of the Set's own clock.
    pub host_led: bool,
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
            host_led: self.host_led.load(Ordering::Relaxed),
            handled: self.handled.load(Ordering::Relaxed),
            blocks,
        }
    }

    /// No block is being made for a while: the clock stands.
    pub fn mark_stopped(&self) {
        self.playing.store(false, Ordering::Relaxed);
    }

    /// Writes everything but `blocks`, which counts up by one.
    pub fn store(&self, state: &ClockState) {
        self.playing.store(state.playing, Ordering::Relaxed);
        self.position.set(state.position_beats);
        self.tempo.set(state.tempo_bpm);
        self.meter.store(u64::from(state.meter.0) << 32 | u64::from(state.meter.1), Ordering::Relaxed);
        self.host_present.store(state.host_present, Ordering::Relaxed);
        self.host_led.store(state.host_led, Ordering::Relaxed);
        self.handled.store(state.handled, Ordering::Relaxed);
        self.blocks.fetch_add(1, Ordering::Release);
    }
}
