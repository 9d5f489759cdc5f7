//! The interface of every reader of sound.

use super::probe_error::ProbeError;

/// The format of a packet's samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleFormat {
    pub sample_rate_hz: u32,
    pub channels: u16,
}

/// Sound that is read from front to back.
pub trait SoundReader {
    fn format(&self) -> SampleFormat;

    /// The frames that reading all of it gives, where the head says so for certain.
    fn known_frames(&mut self) -> Result<Option<u64>, ProbeError>;

    /// Adds the next frames to `out`, interleaved, and gives their number; 0 at the end.
    fn read(&mut self, out: &mut Vec<f32>) -> Result<u64, ProbeError>;

    /// Gives the number of frames that [`SoundReader::read`] would, and passes them over.
    fn skim(&mut self) -> Result<u64, ProbeError>;
}

/// The tempo that a file's chunks state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StatedTempo {
    Missing,
    OneShot,
    Bpm(f64),
    /// So many beats in all of it.
    Beats(u32),
}
