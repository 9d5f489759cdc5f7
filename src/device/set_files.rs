//! Files that hold a Set, whoever saved them: Ableton Live (`.als`), or a device (`.svcset`, JSON). What a file is, its
//! content says, not its name.

use super::change_log::{self, Replayed};
use super::packed_state::is_packed;
use super::state::LoadedState;
use super::state_file::StateFile;
use crate::live_files::{self, LiveSetFile, Report};
use crate::service::Settings;
use crate::set::Document;
use crate::set::edit::validate::validate;
use flate2::bufread::GzDecoder;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

/// How the names of Live Sets end.
const LIVE_ENDING: &str = "als";
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

/// Reads a file; nothing is changed, and no lock is taken. The error is a clause, without the file's name.
pub fn read_set_file(path: &Path) -> Result<SetFile, String> {
    if is_live_set(path) {
        let read = live_files::read_file(path).map_err(|why| why.to_string())?;
        return Ok(SetFile::Live(Box::new(read)));
    }
    if path.is_dir() {
        return Err("it is no file".to_owned());
    }
    let file = StateFile::new(Path::new(""), Some(path.to_owned()));
    file.check_kind()?;
    let read = file.read().map_err(|error| format!("the file could not be read: {error}"))?;
    let state = read.ok_or("there is no such file")?.map_err(|error| error.to_string())?;
    Ok(SetFile::Own(Box::new(with_log(&file, state)?)))
}

/// Whether a file is a Live Set: XML behind gzip, or called one.
pub fn is_live_set(path: &Path) -> bool {
    let is_named = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(LIVE_ENDING));
    is_named || is_packed_xml(path).unwrap_or(false)
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

fn is_packed_xml(path: &Path) -> Option<bool> {
    // Opening a pipe waits for its other end.
    if !std::fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let mut file = BufReader::new(File::open(path).ok()?);
    let mut head = Vec::new();
    if !is_packed(std::io::BufRead::fill_buf(&mut file).ok()?) {
        return Some(false);
    }
    // Of a file that was cut off, what could be inflated tells.
    let _ = GzDecoder::new(file).take(HEAD_BYTES).read_to_end(&mut head);
    let text = String::from_utf8_lossy(&head);
    Some(text.trim_start_matches('\u{FEFF}').trim_start().starts_with('<'))
}
