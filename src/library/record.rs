//! What is known of one file or folder of the library.

use super::analysis::{Analysis, AnalyzedSound, FileStamp, Unreadable};
use super::kind::{ContentKind, FileSource, SampleType};
use super::names::parser::{NameMetadata, parse_name};
use super::path_key::{PathHash, path_bytes};
use crate::files::spellings::composed;
use std::path::{Path, PathBuf};

/// One file or folder of the library.
#[derive(Clone, Debug)]
pub struct Record {
    pub path: PathBuf,
    pub source: FileSource,
    pub kind: ContentKind,
    pub stamp: FileStamp,
    pub analysis: Analysis,
    /// The file's name; what is not Unicode in it is replaced.
    pub name: String,
    /// The folder it lies in, from the root on, with `/` between; empty at the top.
    pub folder: String,
    pub tags: Vec<String>,
    own_tag_count: usize,
    pub sample_type: Option<SampleType>,
    /// Heard, not read in the name; of loops, and of what is long and steady.
    pub tempo_bpm: Option<f64>,
    /// Name, folder and tags in lower case with spaces for `_` and `-`, a line each.
    pub(super) folded: String,
    /// Length of the name in `folded`.
    folded_name_bytes: usize,
    /// The hash of the path, by which uses are counted.
    pub path_hash: PathHash,
    /// The path is not Unicode, so JSON cannot carry it to a caller and back.
    pub has_non_unicode_path: bool,
}

/// Where a file lies: `path` begins with `root`, the folder that is indexed.
pub struct FileLocation<'a> {
    pub root: &'a Path,
    pub source: FileSource,
    pub path: &'a Path,
}

impl Record {
    pub fn new(location: &FileLocation, kind: ContentKind, stamp: FileStamp, analysis: Analysis) -> Record {
        let FileLocation { root, source, path } = *location;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let inside = path.parent().and_then(|parent| parent.strip_prefix(root).ok()).unwrap_or(Path::new(""));
        let folders: Vec<String> = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let stem = if kind == ContentKind::Folder { name.as_str() } else { stem(&name) };
        let metadata = parse_name(stem, &folders.iter().map(String::as_str).collect::<Vec<_>>());
        let mut record = Record {
            path: path.to_owned(),
            source,
            kind,
            stamp,
            analysis: Analysis::Pending,
            folder: folders.join("/"),
            tags: Vec::new(),
            own_tag_count: 0,
            sample_type: None,
            tempo_bpm: None,
            folded: String::new(),
            folded_name_bytes: 0,
            path_hash: PathHash::of(path_bytes(path)),
            has_non_unicode_path: path.to_str().is_none(),
            name,
        };
        record.apply_analysis(analysis, metadata);
        record
    }

    /// The same file, analyzed.
    pub fn with_analysis(&self, root: &Path, analysis: Analysis) -> Record {
        Record::new(&FileLocation { root, source: self.source, path: &self.path }, self.kind, self.stamp, analysis)
    }

    fn apply_analysis(&mut self, analysis: Analysis, mut metadata: NameMetadata) {
        let seconds = match &analysis {
            Analysis::Sound(sound) => Some(sound.seconds()),
            _ => None,
        };
        // A number that stands alone is a tempo when the length fits it.
        if metadata.bpm.is_none()
            && let (Some(bpm), Some(seconds)) = (metadata.possible_bpm, seconds)
            && is_whole_bars(seconds, bpm)
        {
            metadata.bpm = Some(bpm);
            metadata.tags.push(format!("{bpm} BPM"));
        }
        self.sample_type = if self.kind == ContentKind::Audio { sample_type_of(&metadata, seconds) } else { None };
        self.tempo_bpm = match &analysis {
            Analysis::Sound(sound) => sound.traits.tempo_of(sound.seconds(), self.sample_type, metadata.bpm),
            _ => None,
        };
        self.own_tag_count = metadata.own_tag_count;
        self.tags = metadata.tags;
        self.analysis = analysis;
        let name = fold_for_search(&self.name);
        self.folded_name_bytes = name.len();
        self.folded = [name, fold_for_search(&self.folder), fold_for_search(&self.tags.join(" "))].join("\n");
    }

    /// Lower case, with spaces where names have `_` and `-`.
    pub fn folded_name(&self) -> &str {
        self.folded.get(..self.folded_name_bytes).unwrap_or_default()
    }

    /// Folder and tags, folded the same way.
    pub fn folded_context(&self) -> &str {
        self.folded.get(self.folded_name_bytes.saturating_add(1)..).unwrap_or_default()
    }

    /// The tags that the file's own name tells, not those of its folders.
    pub fn own_tags(&self) -> &[String] {
        self.tags.get(..self.own_tag_count).unwrap_or_default()
    }

    /// A file, not a folder.
    pub fn is_file(&self) -> bool {
        self.kind != ContentKind::Folder
    }

    /// It is still to be read.
    pub fn is_pending(&self) -> bool {
        self.analysis == Analysis::Pending
    }

    pub fn is_unreadable(&self) -> bool {
        self.analysis.is_unreadable()
    }

    /// Why it cannot be read, if it cannot.
    pub fn unreadable(&self) -> Option<&Unreadable> {
        match &self.analysis {
            Analysis::Unreadable(unreadable) => Some(unreadable),
            _ => None,
        }
    }

    pub fn sound(&self) -> Option<&AnalyzedSound> {
        match &self.analysis {
            Analysis::Sound(sound) => Some(sound),
            _ => None,
        }
    }
}

/// Lower case with spaces, each letter with its accents as one character.
pub fn fold_for_search(text: &str) -> String {
    composed(text).chars().flat_map(char::to_lowercase).map(|c| if matches!(c, '_' | '-') { ' ' } else { c }).collect()
}

fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Longest sample that is a one-shot where the name says nothing.
const MAX_ONE_SHOT_SECONDS: f64 = 3.0;

/// Loop or one-shot: what the name says, then whether the length is whole bars of its tempo, then the length alone. A
/// long sound whose name says nothing is neither.
fn sample_type_of(metadata: &NameMetadata, seconds: Option<f64>) -> Option<SampleType> {
    match seconds {
        _ if metadata.says_impulse_response => Some(SampleType::ImpulseResponse),
        _ if metadata.says_one_shot => Some(SampleType::OneShot),
        _ if metadata.says_loop => Some(SampleType::Loop),
        Some(seconds) if metadata.bpm.is_some_and(|bpm| is_whole_bars(seconds, bpm)) => Some(SampleType::Loop),
        Some(seconds) if seconds <= MAX_ONE_SHOT_SECONDS => Some(SampleType::OneShot),
        _ => None,
    }
}

/// One bar of four beats or more, to 1 %.
fn is_whole_bars(seconds: f64, bpm: u32) -> bool {
    let bars = seconds * f64::from(bpm) / 240.0;
    bars >= 0.99 && (bars - bars.round()).abs() <= 0.01 * bars.min(4.0)
}

/// The tempo in the name of a file that is `seconds` long, or in that of its folder where the length fits it. None of a
/// file that is called a one-shot.
pub fn tempo_in_name(path: &Path, seconds: f64) -> Option<f64> {
    let name = |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let own = parse_name(&name(path)?, &[]);
    let folder = path.parent().and_then(name).map(|folder| parse_name(&folder, &[]));
    let fits = |bpm: &u32| is_whole_bars(seconds, *bpm);
    let of_folder = || folder.and_then(|folder| folder.bpm).filter(fits);
    let bpm = own.bpm.or(own.possible_bpm.filter(fits)).or_else(of_folder);
    bpm.filter(|_| !own.says_one_shot).map(f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::sound_traits::SoundTraits;

    const STAMP: FileStamp = FileStamp { bytes: 1, modified_ns: 2 };

    fn sound(seconds: f64) -> Analysis {
        Analysis::Sound(Box::new(AnalyzedSound {
            frames: (seconds * 44_100.0) as u64,
            sample_rate_hz: 44_100,
            channels: 1,
            sample_hash: 7,
            fingerprint: None,
            traits: SoundTraits::default(),
        }))
    }

    fn record(path: &str, analysis: Analysis) -> Record {
        let location =
            FileLocation { root: Path::new("/smp"), source: FileSource::SampleFolder, path: Path::new(path) };
        Record::new(&location, ContentKind::Audio, STAMP, analysis)
    }

    #[test]
    fn tempo_from_a_name() {
        for (path, seconds, bpm) in [
            ("/smp/loop_174bpm.wav", 11.0, Some(174.0)),
            ("/smp/drums 120.wav", 4.0, Some(120.0)),
            ("/smp/drums 120.wav", 4.3, None),
            ("/smp/Loops 140bpm/break.wav", 240.0 / 140.0, Some(140.0)),
            ("/smp/Kit 140bpm/kick.wav", 0.4, None),
            ("/smp/One Shot 120bpm.wav", 0.4, None),
            ("/smp/kick.wav", 0.4, None),
        ] {
            assert_eq!(tempo_in_name(Path::new(path), seconds), bpm, "{path}");
        }
    }

    #[test]
    fn type_from_name_length_and_tempo() {
        use SampleType::{ImpulseResponse, Loop, OneShot};
        for (path, seconds, want) in [
            ("/smp/kick.wav", 0.4, Some(OneShot)),
            ("/smp/drums 120bpm.wav", 8.0, Some(Loop)),
            ("/smp/drums 120bpm.wav", 2.0, Some(Loop)),
            ("/smp/drums 120bpm.wav", 0.5, Some(OneShot)),
            ("/smp/drums 120.wav", 4.0, Some(Loop)),
            ("/smp/drums 120.wav", 4.3, None),
            ("/smp/pad.wav", 20.0, None),
            ("/smp/pad loop.wav", 0.5, Some(Loop)),
            ("/smp/Loops/x.wav", 1.0, Some(Loop)),
            ("/smp/One Shots/x.wav", 9.0, Some(OneShot)),
            ("/smp/IR/hall.wav", 2.0, Some(ImpulseResponse)),
        ] {
            assert_eq!(record(path, sound(seconds)).sample_type, want, "{path} {seconds}");
        }
        assert_eq!(record("/smp/kick.wav", Analysis::Pending).sample_type, None, "the length is not known yet");
        assert!(record("/smp/drums 120.wav", sound(4.0)).tags.contains(&"120 BPM".to_owned()));
    }

    #[test]
    fn accents_of_either_spelling_match() {
        let record = record("/smp/U\u{308} kick.wav", Analysis::Pending);
        assert_eq!(record.folded_name(), fold_for_search("\u{DC} Kick.wav"));
    }

    #[test]
    fn names_folders_and_words() {
        let record = record("/smp/Drums/Kicks/Kick_02.wav", Analysis::Pending);
        assert_eq!((record.name.as_str(), record.folder.as_str()), ("Kick_02.wav", "Drums/Kicks"));
        assert_eq!(record.tags, ["Kick", "Drums"]);
        assert_eq!(record.folded, "kick 02.wav\ndrums/kicks\nkick drums");
        assert_eq!(record.folded_name(), "kick 02.wav");
        assert!(!record.has_non_unicode_path);
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_no_unicode() {
        use std::os::unix::ffi::OsStrExt;
        let path = Path::new("/smp").join(std::ffi::OsStr::from_bytes(b"Kick \xff.wav"));
        let location = FileLocation { root: Path::new("/smp"), source: FileSource::User, path: &path };
        let record = Record::new(&location, ContentKind::Audio, STAMP, Analysis::Pending);
        assert!(record.has_non_unicode_path && record.name.starts_with("Kick ") && record.tags == ["Kick"]);
    }
}
