//! What is known of one file, in memory and as the bytes that are kept.

use super::kind::{Kind, Playback, Source};
use super::spectrum::{PRINT_BYTES, Print};
use super::store;
use super::uses::PathHash;
use super::words::{self, Told};
use std::path::{Path, PathBuf};

/// What listening to a file gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// It is still to be read.
    NotYet,
    /// There is nothing to hear: it is no audio file.
    Nothing,
    /// It cannot be read.
    Broken,
    Sound(Box<Sound>),
}

/// An audio file's facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sound {
    pub frames: u64,
    pub sample_rate_hz: u32,
    pub channels: u16,
    /// Of the decoded samples: equal for equal sound, whatever file it lies in.
    pub hash: u128,
    /// `None` for silence, which sounds like nothing.
    pub print: Option<Print>,
}

impl Sound {
    pub fn seconds(&self) -> f64 {
        self.frames as f64 / f64::from(self.sample_rate_hz.max(1))
    }
}

/// How a file lay on the disk when it was read: another size or time means that it must be read again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    pub bytes: u64,
    /// Nanoseconds since 1970; 0 where the system does not say.
    pub modified_ns: u64,
}

/// One file of the library.
#[derive(Clone, Debug)]
pub struct Record {
    pub path: PathBuf,
    pub source: Source,
    pub kind: Kind,
    pub stamp: Stamp,
    pub heard: Heard,
    /// The file's name, with what is no Unicode replaced.
    pub name: String,
    /// The folder it lies in, from the root on, with `/` between; empty at the top.
    pub folder: String,
    pub tags: Vec<String>,
    own_tags: usize,
    pub playback: Option<Playback>,
    /// Name, folder and tags in lower case with spaces for `_` and `-`, a line each.
    pub(super) folded: String,
    /// Length of the name in `folded`.
    folded_name_bytes: usize,
    /// Of the path, as the counts of use know it.
    pub path_hash: PathHash,
    /// The path is not Unicode: it cannot be said in JSON so that it could be sent back.
    pub odd_name: bool,
}

/// What a file is called inside a root: `path` begins with `root`.
pub struct Place<'a> {
    pub root: &'a Path,
    pub source: Source,
    pub path: &'a Path,
}

impl Record {
    pub fn new(place: &Place, kind: Kind, stamp: Stamp, heard: Heard) -> Record {
        let Place { root, source, path } = *place;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let inside = path.parent().and_then(|parent| parent.strip_prefix(root).ok()).unwrap_or(Path::new(""));
        let folders: Vec<String> = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let stem = if kind == Kind::Folder { name.as_str() } else { stem(&name) };
        let told = words::read(stem, &folders.iter().map(String::as_str).collect::<Vec<_>>());
        let mut record = Record {
            path: path.to_owned(),
            source,
            kind,
            stamp,
            heard: Heard::NotYet,
            folder: folders.join("/"),
            tags: Vec::new(),
            own_tags: 0,
            playback: None,
            folded: String::new(),
            folded_name_bytes: 0,
            path_hash: PathHash::of(store::key_bytes(path)),
            odd_name: path.to_str().is_none(),
            name,
        };
        record.hear(heard, told);
        record
    }

    /// The same file, listened to.
    pub fn heard_now(&self, root: &Path, heard: Heard) -> Record {
        Record::new(&Place { root, source: self.source, path: &self.path }, self.kind, self.stamp, heard)
    }

    fn hear(&mut self, heard: Heard, mut told: Told) {
        let seconds = match &heard {
            Heard::Sound(sound) => Some(sound.seconds()),
            _ => None,
        };
        // A number that stands alone is a tempo when the length fits it.
        if told.bpm.is_none()
            && let (Some(bpm), Some(seconds)) = (told.maybe_bpm, seconds)
            && whole_bars(seconds, bpm)
        {
            told.bpm = Some(bpm);
            told.tags.push(format!("{bpm} BPM"));
        }
        self.playback = if self.kind == Kind::Audio { playback(&told, seconds) } else { None };
        self.own_tags = told.own_tags;
        self.tags = told.tags;
        self.heard = heard;
        let name = fold(&self.name);
        self.folded_name_bytes = name.len();
        self.folded = [name, fold(&self.folder), fold(&self.tags.join(" "))].join("\n");
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
        self.tags.get(..self.own_tags).unwrap_or_default()
    }

    pub fn is_broken(&self) -> bool {
        self.heard == Heard::Broken
    }

    pub fn sound(&self) -> Option<&Sound> {
        match &self.heard {
            Heard::Sound(sound) => Some(sound),
            _ => None,
        }
    }
}

pub fn fold(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).map(|c| if matches!(c, '_' | '-') { ' ' } else { c }).collect()
}

fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Longest sample that is a one-shot where nothing else is told.
const ONE_SHOT_SECONDS: f64 = 3.0;

/// Loop or one-shot: what the name says, then whether the length is whole bars of its tempo, then the length alone. A long
/// sound of which nothing is told is neither.
fn playback(told: &Told, seconds: Option<f64>) -> Option<Playback> {
    match seconds {
        _ if told.says_impulse => Some(Playback::ImpulseResponse),
        _ if told.says_one_shot => Some(Playback::OneShot),
        _ if told.says_loop => Some(Playback::Loop),
        Some(seconds) if told.bpm.is_some_and(|bpm| whole_bars(seconds, bpm)) => Some(Playback::Loop),
        Some(seconds) if seconds <= ONE_SHOT_SECONDS => Some(Playback::OneShot),
        _ => None,
    }
}

/// One bar of four beats or more, to 1 %.
fn whole_bars(seconds: f64, bpm: u32) -> bool {
    let bars = seconds * f64::from(bpm) / 240.0;
    bars >= 0.99 && (bars - bars.round()).abs() <= 0.01 * bars.min(4.0)
}

/// What is kept of a file between runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    pub stamp: Stamp,
    pub heard: Heard,
}

const BROKEN: u8 = 0;
const SILENT: u8 = 1;
const SOUND: u8 = 2;

impl Kept {
    /// As bytes; `None` for what is not worth keeping, as it costs no reading.
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        let mut bytes = Vec::with_capacity(64 + PRINT_BYTES);
        bytes.extend(self.stamp.bytes.to_le_bytes());
        bytes.extend(self.stamp.modified_ns.to_le_bytes());
        match &self.heard {
            Heard::NotYet | Heard::Nothing => return None,
            Heard::Broken => bytes.push(BROKEN),
            Heard::Sound(sound) => {
                bytes.push(if sound.print.is_some() { SOUND } else { SILENT });
                bytes.extend(sound.frames.to_le_bytes());
                bytes.extend(sound.sample_rate_hz.to_le_bytes());
                bytes.extend(sound.channels.to_le_bytes());
                bytes.extend(sound.hash.to_le_bytes());
                if let Some(print) = &sound.print {
                    bytes.extend(print.to_bytes());
                }
            }
        }
        Some(bytes)
    }

    /// `None` for bytes that no version of ours wrote.
    pub fn from_bytes(bytes: &[u8]) -> Option<Kept> {
        let mut rest = bytes;
        let stamp =
            Stamp { bytes: u64::from_le_bytes(take(&mut rest)?), modified_ns: u64::from_le_bytes(take(&mut rest)?) };
        let heard = match take::<1>(&mut rest)? {
            [BROKEN] => Heard::Broken,
            [what @ (SILENT | SOUND)] => Heard::Sound(Box::new(Sound {
                frames: u64::from_le_bytes(take(&mut rest)?),
                sample_rate_hz: u32::from_le_bytes(take(&mut rest)?),
                channels: u16::from_le_bytes(take(&mut rest)?),
                hash: u128::from_le_bytes(take(&mut rest)?),
                print: if what == SOUND { Some(Print::from_bytes(take(&mut rest)?)) } else { None },
            })),
            _ => return None,
        };
        rest.is_empty().then_some(Kept { stamp, heard })
    }
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (head, tail) = rest.split_first_chunk::<N>()?;
    *rest = tail;
    Some(*head)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const STAMP: Stamp = Stamp { bytes: 1, modified_ns: 2 };

    fn sound(seconds: f64) -> Heard {
        Heard::Sound(Box::new(Sound {
            frames: (seconds * 44_100.0) as u64,
            sample_rate_hz: 44_100,
            channels: 1,
            hash: 7,
            print: None,
        }))
    }

    fn record(path: &str, heard: Heard) -> Record {
        let place = Place { root: Path::new("/smp"), source: Source::SampleFolder, path: Path::new(path) };
        Record::new(&place, Kind::Audio, STAMP, heard)
    }

    #[test]
    fn type_from_name_length_and_tempo() {
        use Playback::{ImpulseResponse, Loop, OneShot};
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
            assert_eq!(record(path, sound(seconds)).playback, want, "{path} {seconds}");
        }
        assert_eq!(record("/smp/kick.wav", Heard::NotYet).playback, None, "the length is not known yet");
        assert!(record("/smp/drums 120.wav", sound(4.0)).tags.contains(&"120 BPM".to_owned()));
    }

    #[test]
    fn names_folders_and_words() {
        let record = record("/smp/Drums/Kicks/Kick_02.wav", Heard::NotYet);
        assert_eq!((record.name.as_str(), record.folder.as_str()), ("Kick_02.wav", "Drums/Kicks"));
        assert_eq!(record.tags, ["Kick", "Drums"]);
        assert_eq!(record.folded, "kick 02.wav\ndrums/kicks\nkick drums");
        assert_eq!(record.folded_name(), "kick 02.wav");
        assert!(!record.odd_name);
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_no_unicode() {
        use std::os::unix::ffi::OsStrExt;
        let path = Path::new("/smp").join(std::ffi::OsStr::from_bytes(b"Kick \xff.wav"));
        let place = Place { root: Path::new("/smp"), source: Source::User, path: &path };
        let record = Record::new(&place, Kind::Audio, STAMP, Heard::NotYet);
        assert!(record.odd_name && record.name.starts_with("Kick ") && record.tags == ["Kick"]);
    }

    proptest! {
        #[test]
        fn what_is_kept_is_read_back(
            bytes: u64, modified_ns: u64, frames: u64, rate: u32, channels: u16, hash: u128, kind in 0..3, seed: u8,
        ) {
            let print = Print::from_bytes(std::array::from_fn(|at| (at as u8).wrapping_mul(seed)));
            let heard = match kind {
                0 => Heard::Broken,
                kind => Heard::Sound(Box::new(Sound {
                    frames, sample_rate_hz: rate, channels, hash, print: (kind == 1).then_some(print),
                })),
            };
            let kept = Kept { stamp: Stamp { bytes, modified_ns }, heard };
            let written = kept.to_bytes().unwrap();
            prop_assert_eq!(Kept::from_bytes(&written), Some(kept));
            prop_assert_eq!(Kept::from_bytes(&written[..written.len() - 1]), None);
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            let _ = Kept::from_bytes(&bytes);
        }
    }
}
