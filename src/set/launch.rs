//! Launching: what is ordered of each track, and what playback says came of it.
//!
//! An order carries a number that only ever grows. Playback reads the newest order of each track out of its snapshot,
//! carries it out at its boundary and writes the number into the track's [`TrackCell`]; until then the clip is *fired*.
//! None of this is part of the undoable value: undo never starts or stops anything.

use super::document::Document;
use super::ids::Serial;
use crate::music::Beats;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

/// When an order takes effect.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quantum {
    /// At once.
    None,
    /// At the next multiple of this many quarter beats.
    Beats(Beats),
    /// At the next multiple of this many bars of the meter that leads.
    Bars(u32),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LaunchAction {
    Play { clip: Serial, legato: bool },
    Stop,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LaunchOrder {
    /// Grows strictly over the device's life; 0 means that nothing was ever ordered.
    pub number: u64,
    pub action: LaunchAction,
    pub quantum: Quantum,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TransportAction {
    Start { at: Beats },
    Continue,
    Stop,
    Jump { to: Beats },
}

/// What is ordered of the Set's own clock. A DAW that leads ignores it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TransportOrder {
    pub number: u64,
    pub action: TransportAction,
}

/// The newest order of one track, and where playback answers.
#[derive(Clone, Debug)]
pub struct TrackLaunch {
    pub track: Serial,
    pub order: LaunchOrder,
    pub cell: Arc<TrackCell>,
}

/// Written by playback, read by the model.
#[derive(Debug, Default)]
pub struct TrackCell {
    handled: AtomicU64,
    /// 0 = none.
    playing_clip: AtomicU32,
    position_beats: AtomicU64,
}

impl TrackCell {
    /// The number of the newest order carried out.
    pub fn handled(&self) -> u64 {
        self.handled.load(Ordering::Acquire)
    }

    pub fn playing_clip(&self) -> Option<Serial> {
        Some(self.playing_clip.load(Ordering::Acquire)).filter(|serial| *serial != 0)
    }

    /// Position inside the playing clip, in quarter beats from its beat 0.
    pub fn position_beats(&self) -> Beats {
        f64::from_bits(self.position_beats.load(Ordering::Relaxed))
    }
}

/// The clock as playback last saw it.
#[derive(Debug, Default)]
pub struct ClockCell {
    pub playing: AtomicBool,
    pub led_by_host: AtomicBool,
    pub position_beats: AtomicU64,
    pub tempo_bpm: AtomicU64,
    pub meter: AtomicU32,
    pub handled: AtomicU64,
    pub blocks: AtomicU64,
}

/// Everything playback needs: pointer copies, nothing computed.
#[derive(Clone, Debug)]
pub struct Snapshot {
    pub document: Document,
    /// Sorted by track.
    pub launches: Vec<TrackLaunch>,
    pub transport: TransportOrder,
    pub own_clock: bool,
}

impl ClockCell {
    pub fn playing(&self) -> bool {
        self.playing.load(Ordering::Acquire)
    }

    pub fn led_by_host(&self) -> bool {
        self.led_by_host.load(Ordering::Acquire)
    }

    pub fn handled(&self) -> u64 {
        self.handled.load(Ordering::Acquire)
    }

    pub fn position_beats(&self) -> Beats {
        f64::from_bits(self.position_beats.load(Ordering::Relaxed))
    }

    pub fn tempo_bpm(&self) -> f64 {
        f64::from_bits(self.tempo_bpm.load(Ordering::Relaxed))
    }

    /// Numerator and denominator, when the leading clock has told them.
    pub fn meter(&self) -> Option<(u32, u32)> {
        let packed = self.meter.load(Ordering::Relaxed);
        (packed != 0).then_some((packed >> 16, packed & 0xFFFF))
    }
}
