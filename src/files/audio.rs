//! Audio files: length, rate and channels. See D11 in `docs/decisions.md`.

use super::probe_error::unopened;
use super::read_budget::{BoundedFile, ReadBudget, ReadLimits};
use super::sound::{SoundReader, StatedTempo};
use super::sound_reader;
use super::source::Source;
use super::spellings::spelled_as_there;
use super::stated_tempo::bpm_of;
use crate::disk::{leads_into, open_plain};
use crate::object_model::audio::{AudioFacts, AudioFiles};
use crate::paths::{AllowedFolders, NOT_TOLD};
use std::collections::BTreeSet;
use std::fs::File;
use std::path::Path;

pub use super::probe_error::ProbeError;

/// Length, rate, channels and stated tempo of one audio file. Reads the head of the file; where that need not tell the
/// length, as in an MP3 or a file that was cut off, all of it, within the limits of `budget`.
pub fn probe(path: &str, budget: &ReadBudget) -> Result<AudioFacts, ProbeError> {
    let path = spelled_as_there(Path::new(path));
    let found = open_sound(&path, budget).and_then(|(mut sound, tempo)| {
        let frames = match sound.known_frames()? {
            Some(frames) => frames,
            None => count_frames(sound.as_mut(), budget)?,
        };
        let format = sound.format();
        Ok((AudioFacts::new(frames, format.sample_rate_hz.into(), format.channels), tempo))
    });
    let (mut facts, tempo) = found.map_err(|why| budget.reached().map_or(why, ProbeError::TooLong))?;
    if facts.frames == 0 {
        return Err(ProbeError::Empty);
    }
    facts.tempo_bpm = bpm_of(tempo, facts.seconds(), || open_source(&path, budget).ok());
    Ok(facts)
}

/// Opens an audio file to be read within the limits of `budget`; gives its reader, and the tempo that its chunks state.
pub fn open_sound<'a>(
    path: &Path,
    budget: &'a ReadBudget<'a>,
) -> Result<(Box<dyn SoundReader + 'a>, StatedTempo), ProbeError> {
    let (file, bytes) = open_source(path, budget)?;
    sound_reader::open(Source::new(file, bytes))
}

/// Finds the sound in a file that is open.
pub fn sound_in<'a>(file: File, budget: &'a ReadBudget<'a>) -> Result<Box<dyn SoundReader + 'a>, ProbeError> {
    let bytes = file.metadata().map_err(|e| unopened(&e))?.len();
    sound_reader::open(Source::new(BoundedFile::new(file, bytes, budget), bytes)).map(|(sound, _)| sound)
}

/// The file of that path, whose accents may be written either way, and its size.
fn open_source<'a>(path: &Path, budget: &'a ReadBudget<'a>) -> Result<(BoundedFile<'a>, u64), ProbeError> {
    if !path.is_absolute() {
        return Err(ProbeError::NotAbsolute);
    }
    let path = spelled_as_there(path);
    // Checked before it is opened: opening a pipe waits for its other end.
    if !std::fs::metadata(&path).map_err(|e| unopened(&e))?.is_file() {
        return Err(ProbeError::NotAFile);
    }
    let file = open_plain(&path).map_err(|e| unopened(&e))?;
    let about = file.metadata().map_err(|e| unopened(&e))?;
    Ok((BoundedFile::new(file, about.len(), budget), about.len()))
}

/// Reads a file that a call or a Set names. Outside the folders that the user has named, what is not there, what may
/// not be opened and what is no audio are one, and what lies on a server is not asked for.
pub fn read_named<T>(
    path: &str,
    folders: &AllowedFolders,
    read: impl FnOnce() -> Result<T, ProbeError>,
) -> Result<T, String> {
    let path = Path::new(path);
    let is_in = |path: &Path| folders.holds(path) && leads_into(folders.iter(), path);
    if !folders.may_ask(path) {
        return Err(NOT_TOLD.to_owned());
    }
    let is_told = is_in(path) || is_in(&spelled_as_there(path));
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

/// Counts the frames that decoding would give.
fn count_frames(sound: &mut dyn SoundReader, budget: &ReadBudget) -> Result<u64, ProbeError> {
    budget.check_file()?;
    let mut frames: u64 = 0;
    loop {
        match sound.skim()? {
            0 => break,
            more => frames = frames.saturating_add(more),
        }
        if !budget.count_packet() {
            break;
        }
    }
    budget.reached().map_or(Ok(frames), |limit| Err(limit.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::read_budget::LimitReached;
    use std::time::Duration;

    fn probe(path: &str) -> Result<AudioFacts, ProbeError> {
        super::probe(path, &ReadBudget::new(ReadLimits::CALL))
    }

    fn fixture(name: &str) -> String {
        format!("{}/tests/fixtures/audio/{name}", env!("CARGO_MANIFEST_DIR"))
    }

    #[test]
    fn each_format_tells_its_length_rate_and_channels() {
        // The frames that were written.
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
