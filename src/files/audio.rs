//! Audio files: length, rate and channels of WAV, AIFF, FLAC, MP3 and Ogg Vorbis. See D11 in `docs/decisions.md`.

use super::read_budget::{BoundedFile, LimitReached, ReadBudget, ReadLimits};
use super::stated_tempo::stated_tempo;
use crate::disk::{leads_into, open_plain};
use crate::object_model::audio::{AudioFacts, AudioFiles, NOT_DECODED};
use crate::paths::{AllowedFolders, NOT_TOLD};
use std::collections::BTreeSet;
use std::path::Path;
use symphonia::core::codecs::audio::AudioDecoderOptions;
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
    #[error("{NOT_DECODED}")]
    NotDecoded,
    #[error("too long to be read: {0}")]
    TooLong(LimitReached),
}

impl From<LimitReached> for ProbeError {
    fn from(limit: LimitReached) -> Self {
        ProbeError::TooLong(limit)
    }
}

/// Length, rate, channels and stated tempo of one audio file. Reads the head of the file; of an MP3, whose head need
/// not tell its length, and of a file that was cut off, all of it, within the limits of `budget`.
pub fn probe(path: &str, budget: &ReadBudget) -> Result<AudioFacts, ProbeError> {
    let (mut reader, file_bytes) = open_audio(Path::new(path), budget)?;
    let mut facts = read_facts(reader.as_mut(), file_bytes, budget)?;
    facts.tempo_bpm = stated_tempo(Path::new(path), reader.as_mut(), facts.seconds());
    Ok(facts)
}

/// Opens an audio file to be read within the limits of `budget`; gives its reader and its size in bytes.
pub fn open_audio<'a>(
    path: &Path,
    budget: &'a ReadBudget<'a>,
) -> Result<(Box<dyn FormatReader + 'a>, u64), ProbeError> {
    if !path.is_absolute() {
        return Err(ProbeError::NotAbsolute);
    }
    if !std::fs::metadata(path).map_err(|e| unopened(&e))?.is_file() {
        return Err(ProbeError::NotAFile);
    }
    let file = open_plain(path).map_err(|e| unopened(&e))?;
    let about = file.metadata().map_err(|e| unopened(&e))?;
    let mut hint = Hint::new();
    if let Some(extension) = path.extension().and_then(|e| e.to_str()) {
        hint.with_extension(extension);
    }
    let file = BoundedFile::new(file, about.len(), budget);
    let stream = MediaSourceStream::new(Box::new(file), Default::default());
    let probed = symphonia::default::get_probe().probe(&hint, stream, Default::default(), Default::default());
    let unknown = |_| budget.reached().map_or(ProbeError::NotAudio, ProbeError::TooLong);
    Ok((probed.map_err(unknown)?, about.len()))
}

/// Reads a file that a call or a Set names. Outside the folders that the user has named, what is not there, what may
/// not be opened and what is no audio are one, and what lies on a server is not asked for.
pub fn read_named<T>(
    path: &str,
    folders: &AllowedFolders,
    read: impl FnOnce() -> Result<T, ProbeError>,
) -> Result<T, String> {
    let is_told = folders.holds(Path::new(path)) && leads_into(folders.iter(), Path::new(path));
    if !folders.may_ask(Path::new(path)) {
        return Err(NOT_TOLD.to_owned());
    }
    read().map_err(|why| match why {
        ProbeError::NotAbsolute | ProbeError::TooLong(_) => why.to_string(),
        why if is_told => why.to_string(),
        _ => NOT_TOLD.to_owned(),
    })
}

/// Probes several files, each path once, all of them within the limits of one call, and no longer than until `is_over`.
pub fn probe_all(
    paths: impl IntoIterator<Item = String>,
    folders: &AllowedFolders,
    is_over: &(dyn Fn() -> bool + Sync),
) -> AudioFiles {
    let paths: BTreeSet<String> = paths.into_iter().collect();
    let budget = ReadBudget::new(ReadLimits::CALL).until(is_over);
    paths
        .into_iter()
        .map(|path| {
            let found = read_named(&path, folders, || probe(&path, &budget));
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

fn read_facts(reader: &mut dyn FormatReader, file_bytes: u64, budget: &ReadBudget) -> Result<AudioFacts, ProbeError> {
    let track = reader.default_track(TrackType::Audio).ok_or(ProbeError::NotAudio)?;
    let id = track.id;
    let params = track.codec_params.as_ref().and_then(|params| params.audio()).ok_or(ProbeError::NotAudio)?;
    let decoder = symphonia::default::get_codecs().make_audio_decoder(params, &AudioDecoderOptions::default());
    let is_decoded = decoder.is_ok();
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
        None => {
            budget.check_size(file_bytes)?;
            count_frames(reader, id, frame_bytes, budget)?
        }
    };
    if frames == 0 {
        return Err(ProbeError::Empty);
    }
    Ok(AudioFacts { frames, sample_rate_hz: sample_rate_hz.into(), channels, tempo_bpm: None, is_decoded })
}

/// Counts the frames of all packets up to the first damaged one.
fn count_frames(
    reader: &mut dyn FormatReader,
    track: u32,
    frame_bytes: Option<u64>,
    budget: &ReadBudget,
) -> Result<u64, LimitReached> {
    let mut frames: u64 = 0;
    while let Ok(Some(packet)) = reader.next_packet() {
        if !budget.count_packet() {
            break;
        }
        if packet.track_id == track {
            let held = frame_bytes.map_or(u64::MAX, |bytes| packet.data.len() as u64 / bytes);
            frames = frames.saturating_add(packet.dur.get().min(held));
        }
    }
    budget.reached().map_or(Ok(frames), Err)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn probe(path: &str) -> Result<AudioFacts, ProbeError> {
        super::probe(path, &ReadBudget::new(ReadLimits::CALL))
    }

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

    /// One second of sound at the front of 300 GB of nothing, which take no room on the disk.
    fn endless_mp3(folder: &tempfile::TempDir) -> String {
        let path = folder.path().join("endless.mp3");
        std::fs::copy(fixture("half.mp3"), &path).unwrap();
        std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(300_000_000_000).unwrap();
        path.to_str().unwrap().to_owned()
    }

    #[test]
    fn an_endless_file_is_refused_with_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let path = endless_mp3(&folder);
        let far = u64::MAX;
        let limits = ReadLimits { time: Duration::from_secs(600), ..ReadLimits::CALL };
        for (limits, why, most_bytes) in [
            (limits, LimitReached::FileSize { bytes: 300_000_000_000, most: limits.bytes }, 1_000_000),
            // What the size alone does not say is found out soon.
            (
                ReadLimits { bytes: far, bytes_without_packet: 2_000_000, ..limits },
                LimitReached::BytesWithoutPacket(2_000_000),
                4_000_000,
            ),
            (ReadLimits { bytes: far, packets: 3, ..limits }, LimitReached::Packets(3), 1_000_000),
            (ReadLimits { bytes: far, time: Duration::ZERO, ..limits }, LimitReached::Time(Duration::ZERO), 0),
        ] {
            let budget = ReadBudget::new(limits);
            assert_eq!(super::probe(&path, &budget), Err(ProbeError::TooLong(why)));
            assert!(budget.bytes_read() <= most_bytes, "{why}: {} bytes were read", budget.bytes_read());
        }
        let text = probe(&path).unwrap_err().to_string();
        assert_eq!(text, "too long to be read: it has 300 GB, and at most 2 GB are read");
    }

    #[test]
    fn one_endless_file_costs_the_others_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let endless = endless_mp3(&folder);
        let files = probe_all([endless.clone(), fixture("half.mp3"), fixture("half.wav")], &nowhere(), &|| false);
        assert!(matches!(files.get(&endless), Some(Err(why)) if why.starts_with("too long to be read")));
        for name in ["half.mp3", "half.wav"] {
            assert!(matches!(files.get(&fixture(name)), Some(Ok(_))), "{name}");
        }
    }

    #[test]
    fn nothing_is_read_for_a_call_that_is_over() {
        let is_over = || true;
        let budget = ReadBudget::new(ReadLimits::CALL).until(&is_over);
        assert!(super::probe(&fixture("half.mp3"), &budget).is_err());
        assert_eq!(budget.bytes_read(), 0);
        let files = probe_all([fixture("half.mp3")], &nowhere(), &is_over);
        assert!(matches!(files.get(&fixture("half.mp3")), Some(Err(_))));
    }

    #[test]
    fn files_are_told_apart_by_their_paths() {
        let allowed = AllowedFolders::new([fixture("")]);
        let files = probe_all([fixture("half.wav"), fixture("none.wav"), fixture("half.wav")], &allowed, &|| false);
        assert!(matches!(files.get(&fixture("half.wav")), Some(Ok(facts)) if facts.frames == 11_025));
        assert_eq!(files.get(&fixture("none.wav")), Some(Err("there is no such file")));
        assert_eq!(files.get("elsewhere.wav"), None);
    }

    /// What is there and what is not are one to whoever asks about the rest of the disk.
    #[test]
    fn of_files_outside_the_folders_no_reason_is_told() {
        let reasons = |folders: &AllowedFolders| {
            let folder = fixture("");
            let named = [folder.clone(), format!("{folder}none.wav"), format!("{folder}../../api/main.rs")];
            let files = probe_all(named.clone(), folders, &|| false);
            named.map(|path| files.get(&path).and_then(|found| found.err().map(str::to_owned)).unwrap_or_default())
        };
        assert_eq!(reasons(&nowhere()), [NOT_TOLD; 3]);
        let [folder, missing, climbs] = reasons(&AllowedFolders::new([fixture("")]));
        assert_eq!((folder.as_str(), missing.as_str()), ("the path is no file", "there is no such file"));
        assert_eq!(climbs, NOT_TOLD);
    }

    fn nowhere() -> AllowedFolders {
        AllowedFolders::default()
    }
}
