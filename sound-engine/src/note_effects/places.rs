//! Which settings of note effects move while they play.

use super::arpeggiator::ArpeggiatorSettings;
use super::chord::ChordSettings;
use super::note_effect::NoteEffectSettings;
use super::note_length::NoteLengthSettings;
use super::random::RandomSettings;
use super::velocity::VelocitySettings;
use crate::parameter::{Parameter, places};

places! {
    ArpeggiatorSettings { Gate => gate, Amount => swing_amount }
    ChordSettings { Time => strum_ms, Shape => tension, Amount => crescendo }
    NoteLengthSettings { Gate => gate }
    RandomSettings { Amount => chance }
    VelocitySettings {
        Drive => drive, Shape => compand, Amount => random, GainHigh => out_high, GainLow => out_low, Floor => lowest,
        Range => range,
    }
}

impl NoteEffectSettings {
    /// The setting that a parameter moves, or `None` where there is none (of that name, or now).
    pub fn place(&mut self, parameter: Parameter) -> Option<&mut f32> {
        match self {
            NoteEffectSettings::Arpeggiator(settings) => settings.place(parameter),
            NoteEffectSettings::Chord(settings) => settings.place(parameter),
            NoteEffectSettings::NoteLength(settings) => settings.place(parameter),
            NoteEffectSettings::Random(settings) => settings.place(parameter),
            NoteEffectSettings::Velocity(settings) => settings.place(parameter),
            NoteEffectSettings::Pitch(_) | NoteEffectSettings::Scale(_) => None,
        }
    }
}
