//! A file while it comes: written beside where it will lie, and gone again unless it comes whole.

use super::file_names::{clean, ending, numbered};
use super::kept_files::{HAS_LOCKS, files_in, has_room, make_room, new_partial, remove_left_partials};
use super::{FileUse, MAX_UPLOADS_AT_A_TIME, SET_ENDINGS, TransferError, Transfers, shown};
use crate::disk::{Access, make_folder, private_file};
use crate::files::SOUND_ENDINGS;
use crate::files::audio::{ProbeError, probe};
use crate::files::read_budget::{ReadBudget, ReadLimits};
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Files of one name that are told apart by a number.
const MOST_OF_ONE_NAME: usize = 10_000;

/// A file that has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrived {
    /// Where it lies: what tools are told.
    pub file: PathBuf,
    pub name: String,
    pub bytes: u64,
    pub is_for: FileUse,
}

/// A file that is coming. Dropped before [`Upload::finish`], nothing is left of it.
pub struct Upload {
    seat: Seat,
    name: String,
    is_for: FileUse,
    partial: PathBuf,
    sink: Box<dyn Write + Send>,
    /// Keeps it locked until it has its name.
    _lock: Option<File>,
    bytes: u64,
}

/// One of the files that may come at a time.
struct Seat(Arc<Transfers>);

impl Seat {
    fn take(transfers: Arc<Transfers>) -> Result<Seat, TransferError> {
        let free = |count: usize| (count < MAX_UPLOADS_AT_A_TIME).then_some(count + 1);
        let taken = transfers.under_way.fetch_update(Ordering::AcqRel, Ordering::Acquire, free);
        taken.map_err(|_| TransferError::TooManyAtATime)?;
        Ok(Seat(transfers))
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.under_way.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Upload {
    pub(super) fn begin(
        transfers: Arc<Transfers>,
        name: &str,
        announced: Option<u64>,
    ) -> Result<Upload, TransferError> {
        let name = clean(name);
        let known = ending(&name);
        let is_for = match known.as_str() {
            known if SET_ENDINGS.contains(&known) => FileUse::Set,
            known if SOUND_ENDINGS.contains(&known) => FileUse::Sample,
            _ => return Err(TransferError::Kind { name: shown(&name) }),
        };
        let limit = transfers.bounds.file_bytes;
        if announced.is_some_and(|bytes| bytes > limit) {
            return Err(TransferError::TooLarge { limit });
        }
        let seat = Seat::take(transfers)?;
        let folder = seat.0.folder_of(is_for);
        let failed = |error: std::io::Error| TransferError::of(&error);
        make_folder(folder, Access::OwnerOnly).map_err(failed)?;
        remove_left_partials(folder);
        if is_for == FileUse::Sample {
            seat.0.check_samples(announced.unwrap_or_default())?;
        }
        let (partial, file) = new_partial(folder).map_err(failed)?;
        let lock = HAS_LOCKS.then(|| file.try_clone()).transpose().map_err(failed)?;
        Ok(Upload { seat, name, is_for, partial, sink: Box::new(file), _lock: lock, bytes: 0 })
    }

    pub fn write(&mut self, bytes: &[u8]) -> Result<(), TransferError> {
        let limit = self.seat.0.bounds.file_bytes;
        self.bytes = self.bytes.saturating_add(bytes.len() as u64);
        if self.bytes > limit {
            return Err(TransferError::TooLarge { limit });
        }
        self.sink.write_all(bytes).map_err(|error| TransferError::of(&error))
    }

    /// All of it is here: it gets its name, or that name with a number where it is taken.
    pub fn finish(mut self) -> Result<Arrived, TransferError> {
        if self.bytes == 0 {
            return Err(TransferError::Empty);
        }
        let transfers = self.seat.0.clone();
        match self.is_for {
            FileUse::Set => make_room(&transfers.sets, self.bytes, transfers.bounds.sets),
            FileUse::Sample => transfers.check_samples(self.bytes)?,
        }
        let failed = |error: std::io::Error| TransferError::of(&error);
        self.sink.flush().map_err(failed)?;
        // Windows renames no file that is open.
        self.sink = Box::new(std::io::sink());
        let file = reserve(transfers.folder_of(self.is_for), &self.name).map_err(failed)?;
        if let Err(error) = fs::rename(&self.partial, &file) {
            let _ = fs::remove_file(&file);
            return Err(failed(error));
        }
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if let Some(why) = why_no_sample(&file).filter(|_| self.is_for == FileUse::Sample) {
            // Nothing could ever play it, so nobody would remove it.
            let _ = fs::remove_file(&file);
            return Err(TransferError::NoAudio { name: shown(&self.name), why });
        }
        Ok(Arrived { file, name, bytes: self.bytes, is_for: self.is_for })
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        self.sink = Box::new(std::io::sink());
        // Of one that came whole nothing lies there any more.
        let _ = fs::remove_file(&self.partial);
    }
}

impl Transfers {
    fn folder_of(&self, is_for: FileUse) -> &Path {
        match is_for {
            FileUse::Set => &self.sets,
            FileUse::Sample => &self.samples,
        }
    }

    fn check_samples(&self, more_bytes: u64) -> Result<(), TransferError> {
        let kept = self.bounds.samples;
        if has_room(&files_in(&self.samples), more_bytes, kept) {
            return Ok(());
        }
        let folder = self.samples.display().to_string();
        Err(TransferError::TooManySamples { folder, files: kept.files, megabytes: kept.bytes >> 20 })
    }
}

/// Why a file can be no sample, where that is certain: looked at as tools look at it.
fn why_no_sample(file: &Path) -> Option<String> {
    use ProbeError::{Changes, Empty, NotAudio, Packed};
    let why = probe(&file.to_string_lossy(), &ReadBudget::new(ReadLimits::CALL)).err()?;
    matches!(why, NotAudio | Empty | Packed(_) | Changes).then(|| why.to_string())
}

/// An empty file of that name that was not there before, or of the name with a number.
fn reserve(folder: &Path, name: &str) -> std::io::Result<PathBuf> {
    for number in 1..=MOST_OF_ONE_NAME {
        let file = folder.join(numbered(name, number));
        match private_file().create_new(true).write(true).open(&file) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            made => return made.map(|_| file),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests {
    use super::super::{Bounds, Kept};
    use super::*;
    use std::io;

    const SMALL: Bounds = Bounds {
        file_bytes: 100,
        sets: Kept { files: 3, bytes: 150 },
        samples: Kept { files: 2, bytes: 150 },
        downloads: Kept { files: 2, bytes: 150 },
    };

    fn sent(transfers: &Arc<Transfers>, name: &str, bytes: usize) -> Result<Arrived, TransferError> {
        let mut upload = transfers.begin(name, None)?;
        upload.write(&content(name, bytes))?;
        upload.finish()
    }

    /// So many bytes; of a sample a WAV, which has 46 at least.
    fn content(name: &str, bytes: usize) -> Vec<u8> {
        let mut content = vec![b'x'; bytes];
        if let Some(head) = content.get_mut(..44).filter(|_| name.ends_with(".wav")) {
            let size = |less: usize| u32::try_from(bytes.saturating_sub(less)).unwrap().to_le_bytes();
            // One channel of 16 bits at 44.1 kHz.
            let format = [16, 0, 0, 0, 1, 0, 1, 0, 0x44, 0xAC, 0, 0, 0x88, 0x58, 1, 0, 2, 0, 16, 0];
            let parts: [&[u8]; 6] = [b"RIFF", &size(8), b"WAVEfmt ", &format, b"data", &size(44)];
            head.copy_from_slice(&parts.concat());
        }
        content
    }

    fn names(folder: &Path) -> Vec<String> {
        let all = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut all: Vec<String> = all.collect();
        all.sort();
        all
    }

    #[test]
    fn the_newest_sets_are_kept_and_no_name_twice() {
        let root = tempfile::tempdir().unwrap();
        let transfers = Transfers::bounded(root.path(), SMALL);
        let old = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
        for (age, name) in ["song.als", "song.als", "song.als"].into_iter().enumerate() {
            let file = sent(&transfers, name, 10).unwrap().file;
            let file = fs::File::options().write(true).open(file).unwrap();
            file.set_modified(old + std::time::Duration::from_secs(age as u64)).unwrap();
        }
        assert_eq!(names(&transfers.sets), ["song (2).als", "song (3).als", "song.als"]);
        let newest = sent(&transfers, "song.als", 10).unwrap();
        assert_eq!(newest.name, "song.als", "the oldest is gone, and its name free");
        assert_eq!(names(&transfers.sets), ["song (2).als", "song (3).als", "song.als"]);
        sent(&transfers, "large.svcset", 100).unwrap();
        assert!(names(&transfers.sets).contains(&"large.svcset".to_owned()));
        let bytes: u64 = files_in(&transfers.sets).iter().map(|file| file.bytes).sum();
        assert!(bytes <= 150, "{bytes}");
    }

    #[test]
    fn samples_stay_and_one_too_many_is_refused() {
        let root = tempfile::tempdir().unwrap();
        let transfers = Transfers::bounded(root.path(), SMALL);
        sent(&transfers, "kick.wav", 90).unwrap();
        let refused = sent(&transfers, "long.wav", 90).unwrap_err();
        assert!(matches!(refused, TransferError::TooManySamples { files: 2, .. }), "{refused}");
        sent(&transfers, "hat.wav", 50).unwrap();
        assert!(sent(&transfers, "snare.wav", 1).is_err());
        assert_eq!(names(&transfers.samples), ["hat.wav", "kick.wav"]);
    }

    #[test]
    fn a_long_name_is_repeated_shortly() {
        let root = tempfile::tempdir().unwrap();
        let transfers = Transfers::bounded(root.path(), SMALL);
        for name in [format!("x.{}", "w".repeat(3_000)), format!("{}.txt", "\u{DC}".repeat(3_000))] {
            let refused = transfers.begin(&name, None).err().unwrap().to_string();
            assert!(refused.chars().count() < 300, "{refused}");
        }
    }

    #[test]
    fn a_sample_without_sound_is_refused_and_gone() {
        let root = tempfile::tempdir().unwrap();
        let transfers = Transfers::bounded(root.path(), SMALL);
        for (name, bytes) in [("notes.flac", 60), ("short.wav", 20), ("head.wav", 44)] {
            let refused = sent(&transfers, name, bytes).unwrap_err();
            assert!(matches!(&refused, TransferError::NoAudio { name: told, .. } if told == name), "{refused}");
        }
        assert!(names(&transfers.samples).is_empty(), "{:?}", names(&transfers.samples));
        sent(&transfers, "kick.wav", 60).unwrap();
    }

    #[test]
    fn what_does_not_come_whole_leaves_nothing() {
        let root = tempfile::tempdir().unwrap();
        let transfers = Transfers::bounded(root.path(), SMALL);
        assert_eq!(sent(&transfers, "a.wav", 101), Err(TransferError::TooLarge { limit: 100 }));
        assert_eq!(sent(&transfers, "a.wav", 0), Err(TransferError::Empty));
        drop(transfers.begin("a.wav", None).unwrap());
        let mut full = transfers.begin("a.wav", None).unwrap();
        full.sink = Box::new(FullDisk);
        assert_eq!(full.write(b"x"), Err(TransferError::DiskFull));
        drop(full);
        assert!(names(&transfers.samples).is_empty(), "{:?}", names(&transfers.samples));
        assert!(matches!(transfers.begin("a.txt", None), Err(TransferError::Kind { .. })));
        let coming: Vec<_> = (0..MAX_UPLOADS_AT_A_TIME).map(|_| transfers.begin("a.wav", None).unwrap()).collect();
        assert!(matches!(transfers.begin("a.wav", None), Err(TransferError::TooManyAtATime)));
        drop(coming);
        assert!(transfers.begin("a.wav", None).is_ok());
    }

    /// Devices share the folder: what still comes to another one stays, however long it takes.
    #[test]
    fn what_a_killed_device_left_goes_and_what_comes_to_another_stays() {
        let root = tempfile::tempdir().unwrap();
        let [transfers, other] = [(); 2].map(|()| Transfers::bounded(root.path(), SMALL));
        let mut comes = other.begin("a.wav", None).unwrap();
        let old = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
        File::options().write(true).open(&comes.partial).unwrap().set_modified(old).unwrap();
        let coming = comes.partial.file_name().unwrap().to_string_lossy().into_owned();
        fs::create_dir_all(&transfers.sets).unwrap();
        let left = |folder: &Path, name: &str, time| {
            File::create(folder.join(name)).unwrap().set_modified(time).unwrap();
        };
        left(&transfers.samples, ".upload-1-1.part", old);
        left(&transfers.samples, ".upload-1-2.part", std::time::SystemTime::now());
        left(&transfers.samples, ".other", old);
        left(&transfers.sets, ".upload-1-3.part", old);
        transfers.sweep();
        if HAS_LOCKS {
            assert_eq!(names(&transfers.samples), [".other", &coming]);
        } else {
            assert_eq!(names(&transfers.samples), [".other", ".upload-1-2.part"]);
        }
        assert!(names(&transfers.sets).is_empty(), "{:?}", names(&transfers.sets));
        if HAS_LOCKS {
            comes.write(&content("a.wav", 60)).unwrap();
            comes.finish().unwrap();
            assert_eq!(names(&transfers.samples), [".other", "a.wav"]);
        }
    }

    struct FullDisk;

    impl Write for FullDisk {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(ErrorKind::StorageFull.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
}
