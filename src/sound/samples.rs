//! Decoded samples in memory, by the file they come from, when it changed and how long it is.
//!
//! Files are looked at and read where it may take its time: never on the audio thread, never with the right to change
//! the Set. Loaded samples take at most [`MAX_DECODED_BYTES`]; those that the Set does not name any more make room
//! first.

use crate::files::audio::{ProbeError, probe};
use crate::files::decode::decode;
use crate::files::read_budget::{ReadBudget, ReadLimits};
use crate::files::spellings::spelled_as_there;
use crate::object_model::audio::{MAX_DECODED_BYTES, too_many_channels};
use crate::object_model::native_devices::DeviceCategory;
use crate::paths::AllowedFolders;
use crate::set::document::device_tree::Device;
use crate::set::document::{Clip, Document};
use crate::set::runtime::sample_faults::SampleFaults;
use parking_lot::Mutex;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;
use svc_sound::sample::Sample;

/// For one file: nobody waits for it, but the files behind it do.
const READ_LIMITS: ReadLimits = ReadLimits::INDEXED_FILE;

/// What a file was when somebody looked; `None`: it could not be looked at.
type Stamp = Option<(SystemTime, u64)>;

/// A sample that the Set names and that is not loaded, or whose file changed since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WantedSample {
    pub path: String,
    stamp: Stamp,
}

/// A sample of a Set that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampleFault {
    pub path: String,
    /// In words without the path.
    pub why: String,
    /// There is no such file.
    pub is_missing: bool,
}

/// What there is of a sample.
#[derive(Clone, Debug, PartialEq)]
pub enum SampleState {
    Ready(Sample),
    /// Nobody has read it yet.
    NotReady,
    /// Why it cannot be played, in words without the path.
    Unplayable(String),
}

/// See the [module](self). Shared between who loads and who makes mixes.
pub struct SampleCache {
    limit: u64,
    faults: Arc<SampleFaults>,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    files: BTreeMap<String, File>,
    /// Counts the questions what is wanted.
    turn: u64,
    /// Counts what was found.
    generation: u64,
}

struct File {
    stamp: Stamp,
    found: Result<Sample, Unplayable>,
    /// The last turn in which the Set named it.
    turn: u64,
}

#[derive(Clone)]
enum Unplayable {
    Reason(String),
    /// There was no room for so many bytes.
    NoRoom(u64),
}

impl Unplayable {
    fn text(&self, limit: u64) -> String {
        match self {
            Unplayable::Reason(why) => why.clone(),
            Unplayable::NoRoom(_) => {
                format!("the Set's samples take more than the {} MB that are kept in memory", limit >> 20)
            }
        }
    }
}

impl Default for SampleCache {
    fn default() -> SampleCache {
        SampleCache::with_limit(MAX_DECODED_BYTES)
    }
}

impl SampleCache {
    /// A cache that holds at most `limit` bytes of samples.
    pub fn with_limit(limit: u64) -> SampleCache {
        SampleCache { limit, faults: Arc::default(), kept: Mutex::default() }
    }

    /// A cache that tells `faults` which samples cannot be played: those of the Set that reads speak of.
    pub fn telling(faults: Arc<SampleFaults>) -> SampleCache {
        SampleCache { faults, ..SampleCache::default() }
    }

    /// What the Set names and [`load`](Self::load) has not read as it is now on the disk. Looks at each file, but for
    /// those on servers that no folder of `told` lies on, so not to be asked where a disk must not be waited for.
    pub fn wanted(&self, document: &Document, told: &AllowedFolders) -> Vec<WantedSample> {
        let named = sample_paths(document);
        let looked = |path: &String| {
            let may_ask = told.may_ask(Path::new(path));
            WantedSample { path: path.clone(), stamp: if may_ask { stamp(Path::new(path)) } else { None } }
        };
        let looked: Vec<WantedSample> = named.iter().map(looked).collect();
        let mut kept = self.kept.lock();
        kept.turn += 1;
        let turn = kept.turn;
        for path in &named {
            if let Some(file) = kept.files.get_mut(path) {
                file.turn = turn;
            }
        }
        let room = self.limit.saturating_sub(kept.bytes_in_use());
        looked
            .into_iter()
            .filter(|wanted| match kept.files.get(&wanted.path) {
                Some(File { stamp, .. }) if *stamp != wanted.stamp => true,
                Some(File { found: Err(Unplayable::NoRoom(bytes)), .. }) => *bytes <= room,
                Some(_) => false,
                None => true,
            })
            .collect()
    }

    /// Reads a sample, unless `is_over`. Of files outside `told`, the folders whose contents the user lets be known,
    /// the reason does not say whether there is one; those on a server are not asked for.
    pub fn load(&self, wanted: &WantedSample, told: &AllowedFolders, is_over: &(dyn Fn() -> bool + Sync)) {
        let path = Path::new(&wanted.path);
        let outside = || Unplayable::Reason(OUTSIDE.to_owned());
        let found = match told.may_ask(path) {
            true => self.read(path, is_over).map_err(|why| match why {
                Unplayable::Reason(_) if !is_told(path, told) => outside(),
                why => why,
            }),
            false => Err(outside()),
        };
        if is_over() {
            return;
        }
        let mut kept = self.kept.lock();
        let turn = kept.turn;
        kept.files.remove(&wanted.path);
        let found = found.and_then(|sample| match kept.make_room(bytes_of(&sample), self.limit) {
            true => Ok(sample),
            false => Err(Unplayable::NoRoom(bytes_of(&sample))),
        });
        kept.files.insert(wanted.path.clone(), File { stamp: wanted.stamp, found, turn });
        self.tell(&mut kept);
    }

    /// Finds out which files of a Set cannot be played, before any is loaded, and why: in the order of their paths.
    /// Looks at the head of each file, so not to be asked where a disk must not be waited for.
    pub fn find_faults(&self, document: &Document, told: &AllowedFolders) -> Vec<SampleFault> {
        let budget = ReadBudget::new(ReadLimits::CALL);
        let fault = |path: String| {
            let (file, may_ask) = (Path::new(&path), told.may_ask(Path::new(&path)));
            let is_there = may_ask && spelled_as_there(file).is_file();
            let why = match is_there {
                true => match probe(&path, &budget) {
                    Ok(facts) => facts.fault()?,
                    // Whether it can be read is found when it is loaded.
                    Err(_) if budget.reached().is_some() => return None,
                    Err(why) => why.to_string(),
                },
                false => ProbeError::Missing.to_string(),
            };
            let why = if may_ask && is_told(file, told) { why } else { OUTSIDE.to_owned() };
            Some(SampleFault { path, why, is_missing: !is_there })
        };
        let mut paths = sample_paths(document);
        paths.extend(take_paths(document));
        let faults: Vec<SampleFault> = paths.into_iter().filter_map(fault).collect();
        if !faults.is_empty() {
            let mut kept = self.kept.lock();
            let turn = kept.turn;
            for SampleFault { path, why, .. } in &faults {
                // As a file that could not be looked at: one that comes is another one, and is read.
                let file = File { stamp: None, found: Err(Unplayable::Reason(why.clone())), turn };
                kept.files.insert(path.clone(), file);
            }
            self.tell(&mut kept);
        }
        faults
    }

    /// What was found is known from here on.
    fn tell(&self, kept: &mut Kept) {
        kept.generation += 1;
        let faults = kept.files.iter().filter_map(|(path, file)| {
            let why = file.found.as_ref().err()?;
            Some((path.clone(), why.text(self.limit)))
        });
        self.faults.set(faults.collect());
    }

    /// Why samples that a Set names cannot be played, by path.
    pub fn faults(&self, document: &Document) -> BTreeMap<String, String> {
        let named = sample_paths(document).into_iter();
        named
            .filter_map(|path| match self.state(&path) {
                SampleState::Unplayable(why) => Some((path, why)),
                SampleState::Ready(_) | SampleState::NotReady => None,
            })
            .collect()
    }

    /// Rises with every file that was read: a mix of another generation may have other samples.
    pub fn generation(&self) -> u64 {
        self.kept.lock().generation
    }

    /// What there is of the file of that name.
    pub fn state(&self, path: &str) -> SampleState {
        match self.kept.lock().files.get(path).map(|file| &file.found) {
            None => SampleState::NotReady,
            Some(Ok(sample)) => SampleState::Ready(sample.clone()),
            Some(Err(why)) => SampleState::Unplayable(why.text(self.limit)),
        }
    }

    /// The sample of that name, if it can be played.
    pub fn get(&self, path: &str) -> Option<Sample> {
        self.kept.lock().files.get(path).and_then(|file| file.found.as_ref().ok().cloned())
    }

    fn read(&self, path: &Path, is_over: &(dyn Fn() -> bool + Sync)) -> Result<Sample, Unplayable> {
        let budget = ReadBudget::new(READ_LIMITS).until(is_over);
        let (mut data, mut too_many) = (Vec::<f32>::new(), None);
        let room = usize::try_from(self.limit / 4).unwrap_or(usize::MAX);
        let read = decode(path, &budget, |samples, format| {
            if let Some(why) = too_many_channels(format.channels) {
                too_many = Some(Unplayable::Reason(why));
            } else if data.len() + samples.len() > room {
                too_many = Some(Unplayable::NoRoom(4 * (data.len() as u64 + samples.len() as u64)));
            } else {
                data.extend(samples.iter().map(|value| if value.is_finite() { *value } else { 0.0 }));
            }
            if too_many.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if let Some(why) = too_many {
            return Err(why);
        }
        let (_, format) = read.map_err(|why: ProbeError| Unplayable::Reason(why.to_string()))?;
        Sample::new(Arc::from(data), usize::from(format.channels), format.sample_rate_hz as f32)
            .map_err(|why| Unplayable::Reason(why.to_string()))
    }
}

/// Said of whatever is wrong with a file that lies elsewhere.
const OUTSIDE: &str = "the file cannot be played; why is told of files in the sample folder and in allowedFolders";

impl Kept {
    /// Bytes of the samples that the Set named last.
    fn bytes_in_use(&self) -> u64 {
        self.bytes(|file| file.turn == self.turn)
    }

    fn bytes(&self, counts: impl Fn(&File) -> bool) -> u64 {
        self.files.values().filter(|file| counts(file)).filter_map(|file| file.found.as_ref().ok()).map(bytes_of).sum()
    }

    /// Lets go of what the Set does not name any more, longest ago first, until there is room. `false`: there is none.
    fn make_room(&mut self, bytes: u64, limit: u64) -> bool {
        while self.bytes(|_| true) + bytes > limit {
            let turn = self.turn;
            let unnamed = self.files.iter().filter(|(_, file)| file.turn < turn && file.found.is_ok());
            let oldest = unnamed.min_by_key(|(_, file)| file.turn).map(|(path, _)| path.clone());
            match oldest {
                Some(path) => drop(self.files.remove(&path)),
                None => return false,
            }
        }
        true
    }
}

fn bytes_of(sample: &Sample) -> u64 {
    4 * sample.data().len() as u64
}

fn stamp(path: &Path) -> Stamp {
    let about = std::fs::metadata(spelled_as_there(path)).ok()?;
    Some((about.modified().ok()?, about.len()))
}

/// Whether a path, links followed, lies in one of the folders.
fn is_told(path: &Path, folders: &AllowedFolders) -> bool {
    // For a missing file, the nearest folder above it that exists decides.
    let real = spelled_as_there(path).ancestors().find_map(|above| above.canonicalize().ok());
    real.is_some_and(|real| {
        folders.iter().any(|folder| folder.canonicalize().is_ok_and(|folder| real.starts_with(folder)))
    })
}

/// The files that the Set plays, each once.
fn sample_paths(document: &Document) -> BTreeSet<String> {
    let mut paths = BTreeSet::new();
    for (track, _) in document.every_track() {
        let clips = track.session.iter().map(|entry| &entry.clip);
        let placed = track.arrangement.iter().map(|placed| &placed.clip);
        let audio = clips.chain(placed).filter_map(|clip: &Arc<Clip>| clip.audio());
        paths.extend(audio.map(|audio| audio.file_path.clone()));
        add_device_paths(&track.devices, &mut paths);
    }
    paths.remove("");
    paths
}

/// The files of take lanes, which play once they are moved to the track's own lane.
fn take_paths(document: &Document) -> impl Iterator<Item = String> {
    let lanes = document.every_track().flat_map(|(track, _)| &track.take_lanes);
    let clips = lanes.flat_map(|lane| lane.clips.iter());
    clips.filter_map(|placed| Some(placed.clip.audio()?.file_path.clone())).filter(|path| !path.is_empty())
}

fn add_device_paths(devices: &[Arc<Device>], paths: &mut BTreeSet<String>) {
    for device in devices.iter().filter(|device| device.category() == Some(DeviceCategory::Instrument)) {
        let of_zones = device.sample_zones.iter().map(|zone| &zone.sample);
        let own = device.sample.iter().map(|sample| &**sample);
        paths.extend(own.chain(of_zones).map(|sample| sample.file_path.clone()));
        for chain in device.rack.iter().flat_map(|rack| rack.every_chain()) {
            add_device_paths(&chain.devices, paths);
        }
    }
}

#[cfg(test)]
mod tests;
