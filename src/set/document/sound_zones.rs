//! Where a chain of a rack, or a sample of a sampler, sounds: kept as a file of Ableton Live says it.

use crate::set::document::simpler_sample::Sample;
use serde::{Deserialize, Serialize};

const END: u8 = 127;

/// A range of keys, of velocities, or of a selector; between an end and its fade the sound gets softer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ZoneRange {
    pub low: u8,
    pub high: u8,
    pub fade_low: u8,
    pub fade_high: u8,
}

/// The zones of one chain or sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Zones {
    pub keys: ZoneRange,
    pub velocities: ZoneRange,
    pub selector: ZoneRange,
}

/// The keys that play the slots of an Impulse: the white ones from C3 to C4.
pub const IMPULSE_KEYS: [u8; 8] = [60, 62, 64, 65, 67, 69, 71, 72];

/// A sample of a Sampler, of a Drum Sampler or of an Impulse, whose zone is the key of its slot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SampleZone {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    pub sample: Sample,
    pub zones: Zones,
    /// The key that plays it as it was recorded.
    pub root_key: u8,
    pub detune_cents: f64,
    /// -1..=1.
    pub panning: f64,
    pub sustain_loop: SampleLoop,
    pub release_loop: SampleLoop,
}

/// A loop in a sample, in frames. What its mode means is Live's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SampleLoop {
    pub start: u64,
    pub end: u64,
    pub mode: u8,
    pub crossfade: f64,
    pub detune_cents: f64,
}

impl ZoneRange {
    /// In words, where it is other than `usual`.
    fn told(self, name: &str, usual: ZoneRange, write: &dyn Fn(u8) -> String) -> Option<String> {
        let ends = format!("{name} {} to {}", write(self.low), write(self.high));
        let is_faded = (self.fade_low, self.fade_high) != (self.low, self.high);
        let fades = || format!(" with fades from {} to {}", write(self.fade_low), write(self.fade_high));
        (self != usual).then(|| if is_faded { ends + &fades() } else { ends })
    }

    fn is_sound(self) -> bool {
        [self.low, self.high, self.fade_low, self.fade_high].into_iter().all(|end| end <= END)
    }
}

impl Zones {
    /// As a new chain has them.
    pub const OF_CHAINS: Zones = Zones {
        keys: ZoneRange { low: 0, high: END, fade_low: 0, fade_high: END },
        velocities: ZoneRange { low: 1, high: END, fade_low: 1, fade_high: END },
        selector: ZoneRange { low: 0, high: 0, fade_low: 0, fade_high: 0 },
    };

    /// As a new sample has them.
    pub const OF_SAMPLES: Zones =
        Zones { selector: ZoneRange { low: 0, high: END, fade_low: 0, fade_high: END }, ..Zones::OF_CHAINS };

    pub fn of_chains() -> Zones {
        Zones::OF_CHAINS
    }

    /// Whether a document need not say them.
    pub fn are_of_a_new_chain(&self) -> bool {
        *self == Zones::OF_CHAINS
    }

    pub fn are_sound(&self) -> bool {
        [self.keys, self.velocities, self.selector].into_iter().all(ZoneRange::is_sound)
    }

    /// What differs from those of something new, in words: `keys C1 to B2, velocities 1 to 63`; empty where nothing
    /// does. `pitch` names a key.
    pub fn told(&self, new: &Zones, pitch: impl Fn(u8) -> String) -> String {
        let number = |at: u8| at.to_string();
        let told = [
            self.keys.told("keys", new.keys, &pitch),
            self.velocities.told("velocities", new.velocities, &number),
            self.selector.told("chain selector", new.selector, &number),
        ];
        told.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

impl SampleZone {
    /// A sample as it is new.
    pub fn of(sample: Sample) -> SampleZone {
        SampleZone {
            name: String::new(),
            sample,
            zones: Zones::OF_SAMPLES,
            root_key: 60,
            detune_cents: 0.0,
            panning: 0.0,
            sustain_loop: SampleLoop::default(),
            release_loop: SampleLoop::default(),
        }
    }

    /// In a slot of an Impulse, counted from 0; `None` where there is no such slot.
    pub fn in_slot(self, slot: usize) -> Option<SampleZone> {
        let key = *IMPULSE_KEYS.get(slot)?;
        let keys = ZoneRange { low: key, high: key, fade_low: key, fade_high: key };
        Some(SampleZone { zones: Zones { keys, ..Zones::OF_SAMPLES }, root_key: key, ..self })
    }

    /// The slot of an Impulse that its zone is the key of.
    pub fn slot(&self) -> Option<usize> {
        let ZoneRange { low, high, .. } = self.zones.keys;
        IMPULSE_KEYS.iter().position(|key| (*key, *key) == (low, high))
    }

    /// Whether its values are possible: a document may bring any.
    pub fn is_sound(&self) -> bool {
        let frames = [self.sustain_loop, self.release_loop];
        self.sample.is_sound()
            && self.zones.are_sound()
            && self.root_key <= END
            && self.detune_cents.is_finite()
            && (-1.0..=1.0).contains(&self.panning)
            && frames.iter().all(|at| at.crossfade.is_finite() && at.detune_cents.is_finite())
    }
}
