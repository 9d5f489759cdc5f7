//! Files that hold a Set, whoever saved them: Ableton Live (`.als`), or a device (`.svcset`, JSON). What a file is, its
//! content says, not its name.

use super::change_log::{self, Replayed};
use super::collected_samples::{Copies, found_beside};
use super::matched_sets;
use super::packed_state::is_packed;
use super::state::{LoadedState, StateParts};
use super::state_file::StateFile;
use super::watched_file::{WatchedFile, WatchedWriter};
use crate::disk::open_plain;
use crate::live_files::{self, Damage, LiveSetFile, Report};
use crate::object_model::host_values::SetVersion;
use crate::paths::AllowedFolders;
use crate::service::Settings;
use crate::set::Document;
use crate::set::edit::validate::validate;
use crate::sound::samples::{SampleCache, SampleFault};
use crate::tools::request::{ComparedSets, FileWork, ReadDevice, ReadSet, SetFiles, SetToWrite, Unwatched, WrittenSet};
use crate::transfers::Transfers;
use flate2::bufread::GzDecoder;
use serde_json::{Map, Value};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How the names of Live Sets end, and of Live Clips, which are Sets of one track with its clip and devices.
const LIVE_ENDINGS: [&str; 2] = ["als", "alc"];
/// Bytes of a file, inflated, that tell XML from JSON: a mark of the byte order and white space may stand before.
const HEAD_BYTES: u64 = 256;

/// A Set that was read from a file.
#[derive(Debug)]
pub enum SetFile {
    Live(Box<LiveSetFile>),
    /// With the changes that the log beside it holds.
    Own(Box<LoadedState>),
}

impl SetFile {
    pub fn document(&self) -> &Document {
        match self {
            SetFile::Live(file) => &file.document,
            SetFile::Own(state) => &state.document,
        }
    }

    /// What was read of a Live Set, and what did not come along; of our own all does.
    pub fn report(&self) -> Option<&Report> {
        match self {
            SetFile::Live(file) => Some(&file.report),
            SetFile::Own(_) => None,
        }
    }

    /// What wrote the file.
    pub fn creator(&self) -> &str {
        match self {
            SetFile::Live(file) => &file.creator,
            SetFile::Own(_) => "SVC Device",
        }
    }
}

/// Reads a file; nothing is changed, and no lock is taken. Samples on a server are looked for only in `folders` and
/// beside the file. The error is a clause, without the file's name.
pub fn read_set_file(path: &Path, folders: &AllowedFolders) -> Result<SetFile, String> {
    read_damaged_file(path, folders, Damage::Refused)
}

/// The same of one that may be damaged; of those of our own none is cut off.
pub fn read_damaged_file(path: &Path, folders: &AllowedFolders, damage: Damage) -> Result<SetFile, String> {
    // The user names the file here: links are followed, once. Windows may resolve a drive to a server, or the reverse.
    let real = path.canonicalize();
    let folders = path.parent().map_or_else(|| folders.clone(), |folder| folders.and(&[folder.to_owned()]));
    read_watched(real.as_deref().unwrap_or(path), &folders, damage, &Unwatched)
}

fn read_watched(path: &Path, folders: &AllowedFolders, damage: Damage, work: &dyn FileWork) -> Result<SetFile, String> {
    if is_live_set(path) {
        let read = live_files::read_file_through(path, folders, damage, |file| Box::new(WatchedFile::new(file, work)));
        let read = read.map_err(|why| why.to_string())?;
        return Ok(SetFile::Live(Box::new(read)));
    }
    if path.is_dir() {
        return Err("it is no file".to_owned());
    }
    let file = StateFile::of_real(path);
    file.check_kind()?;
    let read = file
        .read_through(|file| Box::new(WatchedFile::new(file, work)))
        .map_err(|error| format!("the file could not be read: {error}"))?;
    let state = read.ok_or("there is no such file")?.map_err(|error| error.to_string())?;
    Ok(SetFile::Own(Box::new(with_log(&file, state)?)))
}

/// A Set as it is read from its own file: samples that were collected beside it are there where they were moved with
/// it.
pub fn with_samples_beside(file: &Path, document: &Document) -> Document {
    // The settings of who opens it are not known yet: what lies on a server is looked for beside the file alone.
    found_beside(file, document, &AllowedFolders::default())
}

/// What tools read and write of Sets in files.
pub struct FilesOnDisk {
    /// Told which samples of a Set that is read are not there.
    pub samples: Arc<SampleCache>,
    /// Told of what is written, as it may be meant for a browser.
    pub transfers: Option<Arc<Transfers>>,
}

impl SetFiles for FilesOnDisk {
    fn read(
        &self,
        file: &Path,
        folders: &AllowedFolders,
        salvage: bool,
        work: &dyn FileWork,
    ) -> Result<ReadSet, String> {
        let damage = if salvage { Damage::CutOff } else { Damage::Refused };
        let read = read_watched(file, folders, damage, work)?;
        let document = found_beside(file, read.document(), folders);
        let mut told = Map::new();
        told.insert("savedBy".to_owned(), read.creator().into());
        told.insert("tracks".to_owned(), document.tracks.len().into());
        told.insert("returns".to_owned(), document.returns.len().into());
        told.insert("scenes".to_owned(), document.scenes.len().into());
        // The report of a Live Set names them already.
        let faults = self.samples.find_faults(&document, folders);
        let report = read.report().map_or_else(|| naming(&faults), Report::in_short);
        if read.report().is_some() {
            told.insert("willSoundDifferent".to_owned(), report.heard().into());
        }
        if let Ok(Value::Object(report)) = serde_json::to_value(report) {
            told.extend(report.into_iter().filter(|(_, value)| !says_nothing(value)));
        }
        Ok(ReadSet { set: SetVersion(Arc::new(document)), told })
    }

    fn read_device(&self, file: &Path, folders: &AllowedFolders, work: &dyn FileWork) -> Result<ReadDevice, String> {
        let read = live_files::read_preset_file_through(file, folders, |file| Box::new(WatchedFile::new(file, work)));
        let read = read.map_err(|why| why.to_string())?;
        let saved = serde_json::to_value(&read.device).map_err(|why| why.to_string())?;
        let device = read.device.class_display_name().to_owned();
        Ok(ReadDevice { device, saved, remark: read.report.remark() })
    }

    fn compare(&self, before: &SetVersion, after: &SetVersion, most: usize) -> Result<ComparedSets, String> {
        let document =
            |set: &SetVersion| set.0.downcast_ref::<Document>().ok_or("the Set is in another program").cloned();
        matched_sets::compare(&document(before)?, &document(after)?, false, most)
    }

    fn write(&self, file: &Path, set: &SetToWrite, work: &dyn FileWork) -> Result<WrittenSet, String> {
        let document = set.set.0.downcast_ref::<Document>().ok_or("the Set is in another program")?;
        let state = StateFile::of_real(file);
        if state.path().exists() && (is_live_set(state.path()) || is_no_set(state.path())) {
            return Err("what lies there is no Set of this device, and stays as it is".to_owned());
        }
        state.take_lock().map_err(|_| "a device has it open, and saves it by itself")?;
        let mut written = WrittenSet::default();
        let mut copies = Copies::beside(file);
        let document = match &set.collected {
            Some(collected) => copies.collect(document, collected, &mut written, work)?,
            None => document.clone(),
        };
        let settings = Settings { project_context: set.context.clone(), ..Settings::default() };
        let parts = StateParts { settings: &settings, document: &document, id: "", revision: 0, log: None };
        let disk = |error: std::io::Error| format!("it could not be written: {error}");
        let staged = state.stage(|to| {
            let mut to = WatchedWriter::new(to, work);
            parts.write(&mut to)?;
            to.finish();
            Ok(())
        });
        let staged = staged.map_err(disk)?;
        written.bytes = staged.file().metadata().map_or(0, |about| about.len());
        if !work.commit() {
            return Err("the job was cancelled".to_owned());
        }
        state.put_in_place(staged).map_err(disk)?;
        copies.keep();
        if let Some(transfers) = &self.transfers {
            transfers.wrote(state.path());
        }
        Ok(written)
    }
}

fn naming(faults: &[SampleFault]) -> Report {
    let mut report = Report::default();
    for SampleFault { path, why, is_missing } in faults {
        match is_missing {
            true => report.name_missing(path),
            false => report.name_unplayable(path, why),
        }
    }
    report
}

fn is_no_set(path: &Path) -> bool {
    read_set_file(path, &AllowedFolders::default()).is_err()
}

fn says_nothing(value: &Value) -> bool {
    match value {
        Value::Object(members) => members.is_empty(),
        Value::Array(items) => items.is_empty(),
        value => *value == 0,
    }
}

/// Whether a file is a Live Set: XML, mostly behind gzip, or called one.
pub fn is_live_set(path: &Path) -> bool {
    let is_named =
        path.extension().is_some_and(|ending| LIVE_ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)));
    is_named || is_xml(path).unwrap_or(false)
}

/// The file beside a Live Set that its changes are kept in.
pub fn own_file_beside(live_set: &Path) -> PathBuf {
    live_set.with_extension(super::packed_state::ENDING)
}

/// Carries out a log on copies; gives them where it held anything.
pub fn replayed(
    path: &Path,
    document: &Document,
    settings: &Settings,
) -> Result<(Replayed, Option<(Document, Settings)>), String> {
    let (mut document, mut settings) = (document.clone(), settings.clone());
    let replayed = change_log::replay(path, &mut document, &mut settings).map_err(|e| e.to_string())?;
    if replayed.changes == 0 {
        return Ok((replayed, None));
    }
    document.rebuild_index();
    validate(&document)?;
    Ok((replayed, Some((document, settings))))
}

fn with_log(file: &StateFile, state: LoadedState) -> Result<LoadedState, String> {
    if !change_log::is_name(&state.log) {
        return Ok(state);
    }
    let replayed = replayed(&file.log_path(&state.log), &state.document, &state.settings);
    let (_, changed) = replayed.map_err(|why| format!("the changes beside it could not be read: {why}"))?;
    Ok(match changed {
        Some((document, settings)) => LoadedState { document, settings, ..state },
        None => state,
    })
}

fn is_xml(path: &Path) -> Option<bool> {
    let mut file = BufReader::new(open_plain(path).ok()?);
    let mut head = Vec::new();
    // Of a file that was cut off, what could be inflated tells.
    let _ = match is_packed(std::io::BufRead::fill_buf(&mut file).ok()?) {
        true => GzDecoder::new(file).take(HEAD_BYTES).read_to_end(&mut head),
        false => file.take(HEAD_BYTES).read_to_end(&mut head),
    };
    let text = String::from_utf8_lossy(&head);
    Some(text.trim_start_matches('\u{FEFF}').trim_start().starts_with('<'))
}
