//! What the threads around the sound tell each other: a handful of atomics, and a bell for the thread that makes plans.

use super::output_status::{OutputStatus, SoundStatus};
use crossbeam_channel::{Receiver, Sender, bounded};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use svc_sound::mixer::Loudness;

/// Shared by the device, by who makes plans and by the audio thread. Nothing here waits.
pub struct SoundControl {
    is_on: AtomicBool,
    /// Another host's Set is worked on: this one is not heard, whatever the settings say.
    is_silenced: AtomicBool,
    /// The device is being closed.
    is_closed: AtomicBool,
    midi_is_on: AtomicBool,
    /// Frames a second, as the bits of a float; 0 until somebody plays.
    rate: AtomicU32,
    /// Blocks are being made just now, so that what the meters say is true.
    is_running: AtomicBool,
    /// How loud the main output is, as long as somebody makes it.
    loudness: OnceLock<Weak<Loudness>>,
    /// By which way the sound leaves.
    pub output: OutputStatus,
    /// How often the sound was switched off: what sounded then is over, however soon it is switched on again.
    ends: AtomicU64,
    /// Plans made over the device's life.
    plans: AtomicU64,
    bell: Sender<()>,
    /// The bell was rung and nobody has come yet.
    has_rung: AtomicBool,
}

impl SoundControl {
    /// The receiver is for the thread that makes plans: see [`wait`](Self::wait).
    pub fn new() -> (Arc<SoundControl>, Receiver<()>) {
        let (bell, rings) = bounded(1);
        let control = SoundControl {
            is_on: AtomicBool::new(false),
            is_silenced: AtomicBool::new(false),
            is_closed: AtomicBool::new(false),
            midi_is_on: AtomicBool::new(true),
            rate: AtomicU32::new(0),
            is_running: AtomicBool::new(false),
            ends: AtomicU64::new(0),
            plans: AtomicU64::new(0),
            bell,
            loudness: OnceLock::new(),
            output: OutputStatus::default(),
            has_rung: AtomicBool::new(false),
        };
        (Arc::new(control), rings)
    }

    /// Whether the Set is to be heard.
    pub fn is_on(&self) -> bool {
        self.is_on.load(Ordering::Acquire) && !self.is_silenced.load(Ordering::Acquire)
    }

    pub fn set_on(&self, on: bool) {
        if self.is_on.swap(on, Ordering::AcqRel) != on {
            self.switched(!on);
        }
    }

    /// Nothing is heard while another host's Set is worked on.
    pub fn set_silenced(&self, silenced: bool) {
        if self.is_silenced.swap(silenced, Ordering::AcqRel) != silenced {
            self.switched(silenced);
        }
    }

    fn switched(&self, is_end: bool) {
        self.ends.fetch_add(u64::from(is_end), Ordering::AcqRel);
        self.ring();
    }

    /// Plans of before the last end are not played any more.
    pub fn ends(&self) -> u64 {
        self.ends.load(Ordering::Acquire)
    }

    /// The thread that makes plans is to end.
    pub fn close(&self) {
        self.is_closed.store(true, Ordering::Release);
        self.ring();
    }

    pub fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Acquire)
    }

    /// Whether notes leave as MIDI.
    pub fn midi_is_on(&self) -> bool {
        self.midi_is_on.load(Ordering::Relaxed)
    }

    pub fn set_midi_on(&self, on: bool) {
        self.midi_is_on.store(on, Ordering::Relaxed);
    }

    /// Frames a second of who plays; `None` while nobody does.
    pub fn rate(&self) -> Option<f32> {
        Some(f32::from_bits(self.rate.load(Ordering::Acquire))).filter(|rate| *rate > 0.0)
    }

    /// Somebody is about to play at this rate. Not for the audio thread: the bell may wake another one.
    pub fn set_rate(&self, rate: f32) {
        self.note_rate(rate);
        self.ring();
    }

    /// As [`set_rate`](Self::set_rate), heard of at the next look: for the audio thread.
    pub fn note_rate(&self, rate: f32) {
        self.rate.store(rate.to_bits(), Ordering::Release);
    }

    pub fn is_running(&self) -> bool {
        self.is_running.load(Ordering::Relaxed)
    }

    /// Says where the loudness of the main output is told.
    pub fn tell_loudness_by(&self, loudness: &Arc<Loudness>) {
        let _ = self.loudness.set(Arc::downgrade(loudness));
    }

    /// How loud the main output is. It is measured only while somebody keeps what this gives.
    pub fn loudness(&self) -> Option<Arc<Loudness>> {
        self.loudness.get()?.upgrade()
    }

    /// Whether somebody makes the sound just now, so that what the meters say is true.
    pub fn is_heard(&self) -> bool {
        self.is_on() && self.is_running()
    }

    /// How the Set is heard now, or why it is not.
    pub fn status(&self) -> SoundStatus {
        let quiet = |text: &str| SoundStatus { text: text.to_owned(), is_unheard: false };
        if !self.is_on.load(Ordering::Acquire) {
            return quiet("Switched off.");
        }
        if self.is_silenced.load(Ordering::Acquire) {
            return quiet("Silent while the tools work on Ableton Live.");
        }
        self.output.words()
    }

    pub fn set_running(&self, running: bool) {
        self.is_running.store(running, Ordering::Relaxed);
    }

    /// Something changed that may sound otherwise. Costs nothing where nobody listens, or the bell was rung already.
    pub fn changed(&self) {
        if self.is_on() && self.rate().is_some() {
            self.ring();
        }
    }

    /// How many plans were made: edits that nobody hears make none.
    pub fn plans(&self) -> u64 {
        self.plans.load(Ordering::Acquire)
    }

    pub fn count_plan(&self) {
        self.plans.fetch_add(1, Ordering::AcqRel);
    }

    fn ring(&self) {
        if !self.has_rung.swap(true, Ordering::AcqRel) {
            // A full channel holds a ring that was not heard yet.
            let _ = self.bell.try_send(());
        }
    }

    /// The thread that makes plans is about to look: what changes from here on rings again.
    pub fn heard(&self) {
        // Read and written at once: a change that did not ring for this flag is seen by whoever looks now.
        self.has_rung.swap(false, Ordering::AcqRel);
    }
}
