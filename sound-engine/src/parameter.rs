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
