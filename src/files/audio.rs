//! Audio files: length, rate and channels of WAV, AIFF, FLAC, MP3 and Ogg Vorbis. See D11 in `docs/decisions.md`.

use crate::object_model::audio::{AudioFacts, AudioFiles};
use std::collections::BTreeSet;
use std::fs::File;
use std::path::Path;
use symphonia::core::formats::probe::Hint;
use symphonia::core::formats::well_known::FORMAT_ID_MP3;
use symphonia::core::formats::{FormatReader, TrackType};
use symphonia::core::io::MediaSourceStream;

/// Why nothing is known of a file. The texts leave out the path: the caller knows it, and logs should not have it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ProbeError {
    #[error("an audio file is named by its absolute path")]
    NotAbsolute,
    #[error("there is no such file")]
    Missing,
    #[error("the path is no file")]
    NotAFile,
    #[error("the file cannot be opened: {0}")]
    Unreadable(String),
    #[error("the file is no WAV, AIFF, FLAC, MP3 or Ogg Vorbis audio, or it is damaged")]
    NotAudio,
    #[error("the file holds no sound")]
    Empty,
}

/// Length, rate and channels of one audio file. Reads the head of the file; of an MP3, whose head need not tell its
/// length, and of a file that was cut off, all of it.
pub fn probe(path: &str) -> Result<AudioFacts, ProbeError> {
    let (mut reader, file_bytes) = open_audio(Path::new(path))?;
    read_facts(reader.as_mut(), file_bytes)
}

/// Opens an audio file; gives its reader and its size in bytes.
pub fn open_audio(path: &Path) -> Result<(Box<dyn FormatReader>, u64), ProbeError> {
    if !path.is_absolute() {
        return Err(ProbeError::NotAbsolute);
    }
    // Checked before it is opened: opening a pipe waits for its other end.
    let about = std::fs::metadata(path).map_err(|e| unopened(&e))?;
    if !about.is_file() {
        return Err(ProbeError::NotAFile);
    }
    let file = File::open(path).map_err(|e| unopened(&e))?;
    let mut hint = Hint::new();
    if let Some(extension) = path.extension().and_then(|e| e.to_str()) {
        hint.with_extension(extension);
    }
    let stream = MediaSourceStream::new(Box::new(file), Default::default());
    let probed = symphonia::default::get_probe().probe(&hint, stream, Default::default(), Default::default());
    Ok((probed.map_err(|_| ProbeError::NotAudio)?, about.len()))
}

/// Probes several files, each path once.
pub fn probe_all(paths: impl IntoIterator<Item = String>) -> AudioFiles {
    let paths: BTreeSet<String> = paths.into_iter().collect();
    paths
        .into_iter()
        .map(|path| {
            let found = probe(&path).map_err(|e| e.to_string());
            (path, found)
        })
        .collect()
}

fn unopened(error: &std::io::Error) -> ProbeError {
    match error.kind() {
        std::io::ErrorKind::NotFound => ProbeError::Missing,
        kind => ProbeError::Unreadable(kind.to_string()),
    }
}

fn read_facts(reader: &mut dyn FormatReader, file_bytes: u64) -> Result<AudioFacts, ProbeError> {
    let track = reader.default_track(TrackType::Audio).ok_or(ProbeError::NotAudio)?;
    let id = track.id;
    let params = track.codec_params.as_ref().and_then(|params| params.audio()).ok_or(ProbeError::NotAudio)?;
    let sample_rate_hz = params.sample_rate.filter(|rate| *rate > 0).ok_or(ProbeError::NotAudio)?;
    let channels = params.channels.as_ref().map_or(0, |channels| channels.count());
    let channels = u16::try_from(channels).ok().filter(|count| *count > 0).ok_or(ProbeError::NotAudio)?;
    // Only uncompressed sound has a fixed number of bits per sample.
    let bits = params.bits_per_coded_sample.map(u64::from).filter(|bits| *bits >= 8);
    let frame_bytes = bits.map(|bits| bits.div_ceil(8) * u64::from(channels));
    // The head of a file that was cut off states more frames than there are.
    let room = frame_bytes.map_or(u64::MAX, |bytes| file_bytes / bytes);
    let stated = track.num_frames.filter(|frames| *frames <= room);
    // Only some encoders write the count into an MP3; without it, it would be a guess from the first frame's bit rate.
    let frames = match stated.filter(|_| reader.format_info().format != FORMAT_ID_MP3) {
        Some(frames) => frames,
        None => count_frames(reader, id, frame_bytes),
    };
    if frames == 0 {
        return Err(ProbeError::Empty);
    }
    Ok(AudioFacts { frames, sample_rate_hz: sample_rate_hz.into(), channels })
}

/// Counts the frames of all packets up to the first damaged one.
fn count_frames(reader: &mut dyn FormatReader, track: u32, frame_bytes: Option<u64>) -> u64 {
    let mut frames: u64 = 0;
    while let Ok(Some(packet)) = reader.next_packet() {
        if packet.track_id == track {
            let held = frame_bytes.map_or(u64::MAX, |bytes| packet.data.len() as u64 / bytes);
            frames = frames.saturating_add(packet.dur.get().min(held));
        }
    }
    frames
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixture(name: &str) -> String {
        format!("{}/tests/fixtures/audio/{name}", env!("CARGO_MANIFEST_DIR"))
    }

    #[test]
    fn each_format_tells_its_length_rate_and_channels() {
        // The frames that were written; an MP3 holds the encoder's delay and padding too, which is not sound.
        for (name, frames, rate, channels) in [
            ("half.wav", 11_025, 22_050.0, 1),
            ("half.aiff", 4_000, 8_000.0, 2),
            ("half.flac", 4_000, 8_000.0, 2),
            ("half.ogg", 4_000, 8_000.0, 1),
        ] {
            let facts = probe(&fixture(name)).unwrap();
            assert_eq!((facts.frames, facts.sample_rate_hz, facts.channels), (frames, rate, channels), "{name}");
        }
        let mp3 = probe(&fixture("half.mp3")).unwrap();
        assert_eq!((mp3.sample_rate_hz, mp3.channels), (8_000.0, 1));
        assert!((4_000..6_500).contains(&mp3.frames), "{mp3:?}");
    }

    #[test]
    fn a_file_that_was_cut_off_has_no_more_than_is_left() {
        let whole = std::fs::read(fixture("half.wav")).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cut.wav");
        std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
        let facts = probe(path.to_str().unwrap()).unwrap();
        assert!((5_400..5_535).contains(&facts.frames), "{facts:?}");
    }

    #[test]
    fn what_is_no_audio_file_is_refused_with_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            path.to_str().unwrap().to_owned()
        };
        let whole = std::fs::read(fixture("half.wav")).unwrap();
        let cases = [
            ("half.wav".to_owned(), ProbeError::NotAbsolute),
            (String::new(), ProbeError::NotAbsolute),
            (folder.path().join("nothing.wav").to_str().unwrap().to_owned(), ProbeError::Missing),
            (folder.path().to_str().unwrap().to_owned(), ProbeError::NotAFile),
            (file("empty.wav", b""), ProbeError::NotAudio),
            (file("text.wav", b"not a sound at all"), ProbeError::NotAudio),
            (file("head.wav", &whole[..20]), ProbeError::NotAudio),
        ];
        for (path, why) in cases {
            assert_eq!(probe(&path), Err(why), "{path}");
        }
        let silent = probe(&file("silent.wav", &whole[..44]));
        assert!(matches!(silent, Err(ProbeError::Empty | ProbeError::NotAudio)), "{silent:?}");
    }

    #[test]
    fn files_are_told_apart_by_their_paths() {
        let files = probe_all([fixture("half.wav"), fixture("none.wav"), fixture("half.wav")]);
        assert!(matches!(files.get(&fixture("half.wav")), Some(Ok(facts)) if facts.frames == 11_025));
        assert_eq!(files.get(&fixture("none.wav")), Some(Err("there is no such file")));
        assert_eq!(files.get("elsewhere.wav"), None);
    }
}
