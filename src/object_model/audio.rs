//! What is known of audio files: found out before a call is applied, because nothing that holds the Set's guard reads a
//! disk.

use std::collections::BTreeMap;
use std::sync::Arc;

/// Bytes of all samples of a Set together, as 32-bit floats: some 46 minutes of stereo at 48 kHz.
pub const MAX_DECODED_BYTES: u64 = 1 << 30;

/// The shape of an audio file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AudioFacts {
    /// Sample frames, one for all channels; at least one.
    pub frames: u64,
    pub sample_rate_hz: f64,
    pub channels: u16,
    /// The tempo at which it goes, where it is known to go at one.
    pub tempo_bpm: Option<f64>,
}

/// The last part of a path, which may come from another system.
pub fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Why sound of that many channels is not played.
pub fn too_many_channels(channels: u16) -> Option<String> {
    (channels > 2).then(|| format!("it has {channels} channels, and files of 1 or 2 are played"))
}

impl AudioFacts {
    /// Of a file that states no tempo.
    pub fn new(frames: u64, sample_rate_hz: f64, channels: u16) -> AudioFacts {
        AudioFacts { frames, sample_rate_hz, channels, tempo_bpm: None }
    }

    pub fn seconds(&self) -> f64 {
        self.frames as f64 / self.sample_rate_hz
    }

    /// Why a file like this is not played.
    pub fn fault(&self) -> Option<String> {
        too_many_channels(self.channels).or_else(|| self.too_long())
    }

    /// Why the file of that path will not be played, behind its name.
    pub fn why_not_played(&self, path: &str) -> Option<String> {
        self.fault().map(|why| format!("{}: {why}", file_name(path)))
    }

    fn too_long(&self) -> Option<String> {
        let bytes = self.frames.saturating_mul(u64::from(self.channels)).saturating_mul(4);
        (bytes > MAX_DECODED_BYTES).then(|| {
            format!(
                "it takes {} MB as it is played, and at most {} MB are kept in memory: cut it into shorter files",
                bytes >> 20,
                MAX_DECODED_BYTES >> 20
            )
        })
    }
}

/// What became of the files that a call names, by path as the call spells it: facts, or why there are none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AudioFiles(Arc<BTreeMap<String, Result<AudioFacts, String>>>);

impl AudioFiles {
    /// `None`: nobody looked at that file.
    pub fn get(&self, path: &str) -> Option<Result<AudioFacts, &str>> {
        self.0.get(path).map(|found| found.as_ref().copied().map_err(String::as_str))
    }
}

impl AudioFiles {
    /// The same files, what is known of each changed.
    pub fn map_facts(&self, change: impl Fn(&str, AudioFacts) -> AudioFacts) -> AudioFiles {
        let changed = |(path, found): (&String, &Result<AudioFacts, String>)| {
            (path.clone(), found.clone().map(|facts| change(path, facts)))
        };
        self.0.iter().map(changed).collect()
    }
}

impl FromIterator<(String, Result<AudioFacts, String>)> for AudioFiles {
    fn from_iter<T: IntoIterator<Item = (String, Result<AudioFacts, String>)>>(files: T) -> Self {
        AudioFiles(Arc::new(files.into_iter().collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_files_are_not_played() {
        let minutes = |count: u64| AudioFacts::new(count * 60 * 44_100, 44_100.0, 2);
        assert_eq!(minutes(50).fault(), None);
        let why = minutes(60).why_not_played("/x/mix.wav").unwrap();
        assert!(why.starts_with("mix.wav: it takes 1211 MB as it is played, and at most 1024 MB"), "{why}");
    }
}
