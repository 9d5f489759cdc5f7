//! What the synthesizer is told of a sound.

use crate::dsp::envelope::EnvelopeTimes;
use crate::dsp::oscillator::Wave;
use crate::dsp::svf::Response;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Oscillator {
    pub wave: Wave,
    /// A factor; 0 is off.
    pub level: f32,
    pub semitones: f32,
}

impl Oscillator {
    pub const OFF: Oscillator = Oscillator { wave: Wave::Sine, level: 0.0, semitones: 0.0 };
}

/// A sine that another one bends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FmPair {
    pub level: f32,
    /// Of the note's frequency.
    pub carrier: f32,
    pub modulator: f32,
    /// Radians at full velocity.
    pub index: f32,
    /// How long the bending lasts, seconds to 60 dB below; 0: as long as the note.
    pub index_decay: f32,
}

impl FmPair {
    pub const OFF: FmPair = FmPair { level: 0.0, carrier: 1.0, modulator: 1.0, index: 0.0, index_decay: 0.0 };
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatchFilter {
    pub response: Response,
    pub hz: f32,
    pub q: f32,
    /// 24 dB an octave rather than 12.
    pub steep: bool,
    /// How far it follows the pitch, 0 to 1; from C3 (60) on.
    pub key_tracking: f32,
    /// Octaves that the second envelope opens it.
    pub envelope_octaves: f32,
    /// Octaves that full velocity opens it further than none.
    pub velocity_octaves: f32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vibrato {
    pub hz: f32,
    pub cents: f32,
    /// Seconds until it is there.
    pub delay: f32,
}

/// A sound of the synthesizer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patch {
    pub first: Oscillator,
    pub second: Oscillator,
    /// Copies of the first oscillator, 1 to 7.
    pub unison: u8,
    /// Between the outer copies, cents.
    pub unison_cents: f32,
    /// How far the copies stand apart, 0 to 1.
    pub width: f32,
    /// A sine an octave below.
    pub sub_level: f32,
    pub noise_level: f32,
    pub fm: [FmPair; 2],
    pub filter: PatchFilter,
    /// Factor into a soft bend before the filter; 0: none.
    pub drive: f32,
    pub amplitude: EnvelopeTimes,
    pub modulation: EnvelopeTimes,
    pub vibrato: Vibrato,
    /// One note at a time; one that overlaps slides there.
    pub mono: bool,
    /// Seconds to e^-1.
    pub glide: f32,
    /// How much velocity tells of the level, 0 to 1.
    pub velocity_to_level: f32,
    /// The whole, a factor.
    pub level: f32,
}

impl Patch {
    /// Whether its filter does anything.
    pub fn has_filter(&self) -> bool {
        self.filter.response != Response::Through
    }

    /// Whether anything but the first oscillator sounds.
    pub fn has_others(&self) -> bool {
        self.second.level > 0.0
            || self.sub_level > 0.0
            || self.noise_level > 0.0
            || self.fm.iter().any(|pair| pair.level != 0.0)
    }

    /// Whether its sides differ.
    pub fn is_stereo(&self) -> bool {
        self.first.level > 0.0 && self.unison > 1 && self.width > 0.0
    }

    /// A sine through an open filter.
    pub const PLAIN: Patch = Patch {
        first: Oscillator { wave: Wave::Sine, level: 1.0, semitones: 0.0 },
        second: Oscillator::OFF,
        unison: 1,
        unison_cents: 0.0,
        width: 0.0,
        sub_level: 0.0,
        noise_level: 0.0,
        fm: [FmPair::OFF; 2],
        filter: PatchFilter {
            response: Response::Through,
            hz: 20_000.0,
            q: 0.707,
            steep: false,
            key_tracking: 0.0,
            envelope_octaves: 0.0,
            velocity_octaves: 0.0,
        },
        drive: 0.0,
        amplitude: EnvelopeTimes::GATE,
        modulation: EnvelopeTimes::GATE,
        vibrato: Vibrato { hz: 5.0, cents: 0.0, delay: 0.0 },
        mono: false,
        glide: 0.0,
        velocity_to_level: 0.7,
        level: 0.25,
    };
}
