//! By which way the sound leaves, as who plays it says.

use arc_swap::ArcSwapOption;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// An output of our own; a plugin's is its host's.
#[derive(Clone, Debug, PartialEq)]
pub struct SoundOutput {
    /// Such as `JACK` or `sound card Built-in Audio`.
    pub name: String,
    /// Frames a second.
    pub sample_rate: u32,
    /// Frames from a block's making to its being heard, as far as the output says.
    pub latency_frames: u32,
}

#[derive(Default)]
pub struct OutputStatus {
    output: ArcSwapOption<SoundOutput>,
    underruns: AtomicU64,
}

impl OutputStatus {
    /// What the sound leaves by from now on; `None`: nobody hears it.
    pub fn set(&self, output: Option<SoundOutput>) {
        self.output.store(output.map(Arc::new));
    }

    /// The sound broke off for a moment. Never waits.
    pub fn count_underrun(&self) {
        self.underruns.fetch_add(1, Ordering::Relaxed);
    }

    /// As `/config` shows it; `null` where there is none.
    pub fn to_json(&self) -> Value {
        self.output.load().as_deref().map_or(Value::Null, |output| {
            json!({
                "name": output.name,
                "sampleRate": output.sample_rate,
                "latencyFrames": output.latency_frames,
                "latencyMs": (f64::from(output.latency_frames) * 10_000.0 / f64::from(output.sample_rate.max(1))).round() / 10.0,
                "underruns": self.underruns.load(Ordering::Relaxed),
            })
        })
    }
}
