//! Decoding an audio file packet by packet: only one packet is in memory at a time, however long the file is.

use super::audio::{self, ProbeError};
use super::read_budget::ReadBudget;
use super::sound::SoundReader;
use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;

pub use super::sound::SampleFormat;

/// Gives the samples of a file to `take`, packet by packet, interleaved, full scale being ±1. Damaged packets are
/// silence. Returns the number of frames and their format; ends early when `take` breaks. A file that is longer than
/// `budget` has room for is refused, also when part of it was taken.
pub fn decode(
    path: &Path,
    budget: &ReadBudget,
    take: impl FnMut(&[f32], SampleFormat) -> ControlFlow<()>,
) -> Result<(u64, SampleFormat), ProbeError> {
    decode_from(audio::open_sound(path, budget).map(|(sound, _)| sound), budget, take)
}

/// The same of a file that is open, and is read from where it stands.
pub fn decode_file(
    file: File,
    budget: &ReadBudget,
    take: impl FnMut(&[f32], SampleFormat) -> ControlFlow<()>,
) -> Result<(u64, SampleFormat), ProbeError> {
    decode_from(audio::sound_in(file, budget), budget, take)
}

fn decode_from<'a>(
    sound: Result<Box<dyn SoundReader + 'a>, ProbeError>,
    budget: &ReadBudget,
    mut take: impl FnMut(&[f32], SampleFormat) -> ControlFlow<()>,
) -> Result<(u64, SampleFormat), ProbeError> {
    let decoded = sound.and_then(|mut sound| {
        let (mut frames, mut samples, format) = (0_u64, Vec::<f32>::new(), sound.format());
        loop {
            samples.clear();
            match sound.read(&mut samples)? {
                0 => break,
                more => frames = frames.saturating_add(more),
            }
            if !budget.count_packet() || take(&samples, format).is_break() {
                break;
            }
        }
        Ok((frames, format))
    });
    match (budget.reached(), decoded) {
        (Some(limit), _) => Err(limit.into()),
        (None, Ok((0, _))) => Err(ProbeError::Empty),
        (None, decoded) => decoded,
    }
}

/// Decodes a file to mono (the mean of its channels) and gives it to `take` packet by packet until that returns false,
/// within the limits of `budget`. Returns the sample rate in Hz.
pub fn decode_mono(
    path: &str,
    budget: &ReadBudget,
    mut take: impl FnMut(&[f32], f64) -> bool,
) -> Result<f64, ProbeError> {
    let mut mono: Vec<f32> = Vec::new();
    let (_, format) = decode(Path::new(path), budget, |frames, format| {
        let channels = usize::from(format.channels.max(1));
        mono.clear();
        mono.extend(frames.chunks(channels).map(|frame| frame.iter().sum::<f32>() / channels as f32));
        if take(&mono, f64::from(format.sample_rate_hz)) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    Ok(f64::from(format.sample_rate_hz))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::read_budget::ReadLimits;
    use std::path::PathBuf;

    fn fixture(name: &str) -> PathBuf {
        PathBuf::from(format!("{}/tests/fixtures/audio/{name}", env!("CARGO_MANIFEST_DIR")))
    }

    #[test]
    fn every_format_is_decoded_whole() {
        for (name, frames, rate, channels) in [
            ("half.wav", 11_025..=11_025, 22_050, 1),
            ("half.aiff", 4_000..=4_000, 8_000, 2),
            ("half.flac", 4_000..=4_000, 8_000, 2),
            ("half.ogg", 4_000..=4_000, 8_000, 1),
            ("half.mp3", 4_000..=4_000, 8_000, 1),
        ] {
            let mut taken = 0;
            let (counted, format) = decode(&fixture(name), &ReadBudget::new(ReadLimits::CALL), |samples, format| {
                taken += samples.len() as u64 / u64::from(format.channels);
                assert!(samples.iter().all(|s| s.abs() <= 1.5), "{name}");
                ControlFlow::Continue(())
            })
            .unwrap();
            assert!(frames.contains(&counted), "{name}: {counted}");
            assert_eq!((counted, format), (taken, SampleFormat { sample_rate_hz: rate, channels }), "{name}");
        }
    }

    #[test]
    fn it_ends_when_it_is_told_to() {
        let mut packets = 0;
        let _ = decode(&fixture("half.wav"), &ReadBudget::new(ReadLimits::CALL), |_, _| {
            packets += 1;
            ControlFlow::Break(())
        });
        assert_eq!(packets, 1);
    }
}
