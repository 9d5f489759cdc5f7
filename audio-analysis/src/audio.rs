//! Sound to be looked at.

/// Two channels of sound in memory; the shorter one counts.
#[derive(Clone, Copy, Debug)]
pub struct Audio<'a> {
    pub left: &'a [f32],
    pub right: &'a [f32],
    /// Frames a second.
    pub rate_hz: f64,
}

impl<'a> Audio<'a> {
    pub fn new(left: &'a [f32], right: &'a [f32], rate_hz: f64) -> Audio<'a> {
        Audio { left, right, rate_hz }
    }

    pub fn frames(&self) -> usize {
        self.left.len().min(self.right.len())
    }

    pub fn seconds(&self) -> f64 {
        self.frames() as f64 / self.rate_hz
    }

    /// Left and right of each frame.
    pub fn pairs(&self) -> impl Iterator<Item = (f32, f32)> + use<'a> {
        self.left.iter().copied().zip(self.right.iter().copied())
    }

    /// The mean of both channels.
    pub fn mono(&self) -> Vec<f32> {
        self.pairs().map(|(left, right)| 0.5 * (left + right)).collect()
    }
}

/// An amplitude in dB of full scale; `None` for silence.
pub fn amplitude_db(amplitude: f64) -> Option<f64> {
    (amplitude > 0.0).then(|| 20.0 * amplitude.log10())
}

/// A power in dB; `None` for silence.
pub fn power_db(power: f64) -> Option<f64> {
    (power > 0.0).then(|| 10.0 * power.log10())
}
