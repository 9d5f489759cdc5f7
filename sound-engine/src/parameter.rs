//! What can be moved while it sounds.

/// A parameter of a track, a chain or a device. Which ones a device has, its settings say (`place`); values are in the
/// unit of the setting of that name: `Frequency` is that of `hz`, `Attack` that of `attack_ms` or of an envelope's
/// seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// Of a device, a track or a chain: on from 0.5 up. A track that is off is muted.
    On,
    /// Of tracks and chains, dB; and -1 to 1.
    Volume,
    Pan,
    /// Of a track whose channels are panned apart, -1 to 1.
    PanLeft,
    PanRight,
    /// The send to a track (or, of a chain, to a return chain), dB.
    Send(u64),
    /// Of the main track, -1 (A) to 1 (B).
    Crossfade,
    /// Of a rack, 0 to 127.
    ChainSelector,
    /// A band of an EQ, counted from 0.
    BandFrequency(u8),
    BandGain(u8),
    BandQ(u8),
    Amount,
    Attack,
    Balance,
    Coarse,
    Crunch,
    Damping,
    Decay,
    Diffusion,
    Drive,
    EnvelopeAmount,
    Feedback,
    Fine,
    Floor,
    Frequency,
    FrequencyHigh,
    FrequencyLow,
    Gain,
    GainHigh,
    GainLow,
    GainMid,
    Gate,
    Glide,
    Hold,
    Knee,
    LfoAmount,
    LfoRate,
    Mix,
    Morph,
    Noise,
    Offset,
    Output,
    Phase,
    PreDelay,
    Range,
    Rate,
    Ratio,
    Reflections,
    Release,
    Resonance,
    Return,
    Shape,
    Size,
    Spread,
    Sustain,
    Threshold,
    Time,
    TimeRight,
    Transients,
    Transpose,
    Tune,
    Velocity,
    Warmth,
    Width,
}

impl Parameter {
    /// Every setting that a device may have, bands of an EQ from the first on. Not `On`, and not what only tracks,
    /// chains and racks have.
    pub fn of_devices() -> impl Iterator<Item = Parameter> {
        let single = [
            Parameter::Amount,
            Parameter::Attack,
            Parameter::Balance,
            Parameter::Coarse,
            Parameter::Crunch,
            Parameter::Damping,
            Parameter::Decay,
            Parameter::Diffusion,
            Parameter::Drive,
            Parameter::EnvelopeAmount,
            Parameter::Feedback,
            Parameter::Fine,
            Parameter::Floor,
            Parameter::Frequency,
            Parameter::FrequencyHigh,
            Parameter::FrequencyLow,
            Parameter::Gain,
            Parameter::GainHigh,
            Parameter::GainLow,
            Parameter::GainMid,
            Parameter::Gate,
            Parameter::Glide,
            Parameter::Hold,
            Parameter::Knee,
            Parameter::LfoAmount,
            Parameter::LfoRate,
            Parameter::Mix,
            Parameter::Morph,
            Parameter::Noise,
            Parameter::Offset,
            Parameter::Output,
            Parameter::Phase,
            Parameter::PreDelay,
            Parameter::Range,
            Parameter::Rate,
            Parameter::Ratio,
            Parameter::Reflections,
            Parameter::Release,
            Parameter::Resonance,
            Parameter::Return,
            Parameter::Shape,
            Parameter::Size,
            Parameter::Spread,
            Parameter::Sustain,
            Parameter::Threshold,
            Parameter::Time,
            Parameter::TimeRight,
            Parameter::Transients,
            Parameter::Transpose,
            Parameter::Tune,
            Parameter::Velocity,
            Parameter::Warmth,
            Parameter::Width,
        ];
        let bands = (0..BANDS)
            .flat_map(|band| [Parameter::BandFrequency(band), Parameter::BandGain(band), Parameter::BandQ(band)]);
        single.into_iter().chain(bands)
    }
}

/// Bands of the EQ that has the most.
const BANDS: u8 = 8;

/// Lists which setting a parameter moves: `place` gives it, or `None` where there is none (of that name, or now).
macro_rules! places {
    ($($settings:ty { $($parameter:ident => $($field:tt).+),* $(,)? })*) => {
        $(impl $settings {
            /// The setting that a parameter moves.
            pub fn place(&mut self, parameter: $crate::parameter::Parameter) -> Option<&mut f32> {
                match parameter {
                    $($crate::parameter::Parameter::$parameter => Some(&mut self.$($field).+),)*
                    _ => None,
                }
            }
        })*
    };
}
pub(crate) use places;
