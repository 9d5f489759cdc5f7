//! Recorded sound in memory.

use std::sync::Arc;

/// Frames of one or two channels. Cloning shares them.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Interleaved.
    data: Arc<[f32]>,
    channels: usize,
    rate: f32,
}

/// Why data is no sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SampleError {
    /// Only one and two channels are played.
    Channels(usize),
    /// The data is no whole number of frames.
    Cut,
    /// Below 1,000 or above 768,000 frames a second, or no number.
    Rate(f32),
    /// A value, by its index, is no number or endless: filters would keep it for ever.
    NotFinite(usize),
}

impl std::fmt::Display for SampleError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SampleError::Channels(count) => write!(f, "a sample has 1 or 2 channels, not {count}"),
            SampleError::Cut => write!(f, "the last frame of the sample is not whole"),
            SampleError::NotFinite(at) => write!(f, "value {at} of the sample is no number"),
            SampleError::Rate(rate) => write!(f, "the sample rate has to be 1,000 to 768,000 Hz, not {rate}"),
        }
    }
}

impl std::error::Error for SampleError {}

/// What is the same in memory is not looked at.
impl PartialEq for Sample {
    fn eq(&self, other: &Sample) -> bool {
        let same_data = || Arc::ptr_eq(&self.data, &other.data) || self.data == other.data;
        self.channels == other.channels && self.rate == other.rate && same_data()
    }
}

impl Sample {
    /// `data` interleaved, `rate` frames a second.
    pub fn new(data: Arc<[f32]>, channels: usize, rate: f32) -> Result<Sample, SampleError> {
        if !(1..=2).contains(&channels) {
            return Err(SampleError::Channels(channels));
        }
        if !data.len().is_multiple_of(channels) {
            return Err(SampleError::Cut);
        }
        if !(1_000.0..=768_000.0).contains(&rate) {
            return Err(SampleError::Rate(rate));
        }
        if let Some(at) = data.iter().position(|value| !value.is_finite()) {
            return Err(SampleError::NotFinite(at));
        }
        Ok(Sample { data, channels, rate })
    }

    pub fn frames(&self) -> usize {
        self.data.len() / self.channels
    }

    /// Frames a second.
    pub fn rate(&self) -> f32 {
        self.rate
    }

    pub fn channels(&self) -> usize {
        self.channels
    }

    /// Interleaved.
    pub fn data(&self) -> &[f32] {
        &self.data
    }

    /// Both channels' values of a frame; silence outside, the one channel twice of a mono sample.
    #[inline]
    pub fn frame(&self, index: i64) -> (f32, f32) {
        let Ok(index) = usize::try_from(index) else { return (0.0, 0.0) };
        let at = index * self.channels;
        let left = self.data.get(at).copied().unwrap_or_default();
        if self.channels == 2 { (left, self.data.get(at + 1).copied().unwrap_or_default()) } else { (left, left) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_sample_is_refused() {
        for (data, channels, rate, meant) in [
            (vec![0.0; 4], 3, 48_000.0, Some(SampleError::Channels(3))),
            (vec![0.0; 3], 2, 48_000.0, Some(SampleError::Cut)),
            (vec![0.0; 4], 2, 0.0, Some(SampleError::Rate(0.0))),
            (vec![0.0, 0.5, f32::NAN], 1, 44_100.0, Some(SampleError::NotFinite(2))),
            (vec![0.0; 4], 2, 44_100.0, None),
        ] {
            assert_eq!(Sample::new(data.into(), channels, rate).err(), meant);
        }
    }
}
