//! Decoding an audio file packet by packet: only one packet is in memory at a time, however long the file is.

use super::audio::{self, ProbeError};
use super::read_budget::ReadBudget;
use std::ops::ControlFlow;
use std::path::Path;
use symphonia::core::codecs::audio::AudioDecoderOptions;
use symphonia::core::errors::Error;
use symphonia::core::formats::TrackType;

/// The format of a packet's samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleFormat {
    pub sample_rate_hz: u32,
    pub channels: u16,
}

/// Gives the samples of a file to `take`, packet by packet, interleaved, full scale being ±1. Damaged packets are left
/// out. Returns the number of frames and their format; ends early when `take` breaks. A file that is longer than
/// `budget` has room for is refused, also when part of it was taken.
pub fn decode(
    path: &Path,
    budget: &ReadBudget,
    mut take: impl FnMut(&[f32], SampleFormat) -> ControlFlow<()>,
) -> Result<(u64, SampleFormat), ProbeError> {
    let (mut reader, _) = audio::open_audio(path, budget)?;
    let track = reader.default_track(TrackType::Audio).ok_or(ProbeError::NotAudio)?;
    let id = track.id;
    let params = track.codec_params.as_ref().and_then(|params| params.audio()).ok_or(ProbeError::NotAudio)?;
    let decoder = symphonia::default::get_codecs().make_audio_decoder(params, &AudioDecoderOptions::default());
    let mut decoder = decoder.map_err(|_| ProbeError::NotDecoded)?;
    let (mut frames, mut format, mut samples) = (0_u64, None, Vec::<f32>::new());
    // A packet that cannot be read is the end of a file that was cut off.
    while let Ok(Some(packet)) = reader.next_packet() {
        if !budget.count_packet() {
            break;
        }
        if packet.track_id != id {
            continue;
        }
        let sound = match decoder.decode(&packet) {
            Ok(sound) => sound,
            Err(Error::DecodeError(_)) => continue,
            Err(_) => break,
        };
        let channels = u16::try_from(sound.spec().channels().count()).unwrap_or(0);
        let now = SampleFormat { sample_rate_hz: sound.spec().rate(), channels };
        if now.channels == 0 || now.sample_rate_hz == 0 || *format.get_or_insert(now) != now {
            break;
        }
        frames = frames.saturating_add(sound.frames() as u64);
        sound.copy_to_vec_interleaved(&mut samples);
        if take(&samples, now).is_break() {
            break;
        }
    }
    match (budget.reached(), format) {
        (Some(limit), _) => Err(limit.into()),
        (None, Some(format)) if frames > 0 => Ok((frames, format)),
        _ => Err(ProbeError::Empty),
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
            ("half.mp3", 4_000..=6_500, 8_000, 1),
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
