//! By which way the sound leaves, as who plays it says.

use arc_swap::ArcSwap;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

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

impl SoundOutput {
    /// To a tenth.
    fn latency_ms(&self) -> f64 {
        (f64::from(self.latency_frames) * 10_000.0 / f64::from(self.sample_rate.max(1))).round() / 10.0
    }
}

/// Where the sound goes.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum SoundWay {
    /// Nobody plays, or not yet.
    #[default]
    None,
    /// To the host of the plugin.
    Host,
    Own(SoundOutput),
    /// A clock runs, and nobody hears what plays; why.
    Nowhere(String),
}

/// How the Set is heard, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SoundStatus {
    pub text: String,
    /// It is switched on, and nobody hears it all the same.
    pub is_unheard: bool,
}

#[derive(Default)]
pub struct OutputStatus {
    way: ArcSwap<SoundWay>,
    underruns: AtomicU64,
    on_change: OnceLock<Box<dyn Fn() + Send + Sync>>,
}

impl OutputStatus {
    /// What is called when the sound leaves by another way; it must not wait. Only the first one is.
    pub fn tell_by(&self, on_change: Box<dyn Fn() + Send + Sync>) {
        let _ = self.on_change.set(on_change);
    }

    /// What the sound leaves by from now on. Not for the audio thread.
    pub fn set(&self, way: SoundWay) {
        self.way.store(Arc::new(way));
        if let Some(on_change) = self.on_change.get() {
            on_change();
        }
    }

    /// The sound broke off for a moment. Never waits.
    pub fn count_underrun(&self) {
        self.underruns.fetch_add(1, Ordering::Relaxed);
    }

    /// The output as `/config` shows it; `null` where there is none of our own.
    pub fn to_json(&self) -> Value {
        let SoundWay::Own(output) = &**self.way.load() else { return Value::Null };
        json!({
            "name": output.name,
            "sampleRate": output.sample_rate,
            "latencyFrames": output.latency_frames,
            "latencyMs": output.latency_ms(),
            "underruns": self.underruns.load(Ordering::Relaxed),
        })
    }

    /// How a Set is heard that is to be heard.
    pub fn words(&self) -> SoundStatus {
        let way = self.way.load();
        let text = match &**way {
            SoundWay::None => "Nobody plays it yet.".to_owned(),
            SoundWay::Host => "It leaves by the plugin's output.".to_owned(),
            SoundWay::Own(output) => {
                let SoundOutput { name, sample_rate, .. } = output;
                format!("It leaves by {name}, {sample_rate} Hz, {:.1} ms behind.", output.latency_ms())
            }
            SoundWay::Nowhere(why) => format!("Nobody hears it ({why}); clips run all the same."),
        };
        SoundStatus { text, is_unheard: matches!(**way, SoundWay::Nowhere(_)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_true() {
        let jack = SoundOutput { name: "JACK".to_owned(), sample_rate: 48_000, latency_frames: 256 };
        let nowhere = SoundWay::Nowhere("no JACK server, no sound card".to_owned());
        let unheard = "Nobody hears it (no JACK server, no sound card); clips run all the same.";
        let told = Arc::new(AtomicU64::new(0));
        let (status, count) = (OutputStatus::default(), told.clone());
        status.tell_by(Box::new(move || {
            count.fetch_add(1, Ordering::Relaxed);
        }));
        for (way, text, is_unheard, name) in [
            (SoundWay::None, "Nobody plays it yet.", false, Value::Null),
            (SoundWay::Host, "It leaves by the plugin's output.", false, Value::Null),
            (SoundWay::Own(jack), "It leaves by JACK, 48000 Hz, 5.3 ms behind.", false, json!("JACK")),
            (nowhere, unheard, true, Value::Null),
        ] {
            status.set(way);
            assert_eq!(status.words(), SoundStatus { text: text.to_owned(), is_unheard });
            assert_eq!(status.to_json().get("name").cloned().unwrap_or_default(), name);
        }
        assert_eq!(told.load(Ordering::Relaxed), 4);
    }
}
