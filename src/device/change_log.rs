//! The log of changes beside a state file: each line says what changed since the line before. Appending one costs what
//! the change cost, however large the Set is; the whole state is written now and then, and a new log goes on from it.
//! See D42 in `docs/decisions.md`.
//!
//! A line is a checksum, a space, and JSON. Reading ends at a line that is not whole: the process was killed while it
//! wrote that one.

use crate::disk::{open_plain, private_file};
use crate::metered_json::{self, Meter};
use crate::service::Settings;
use crate::set::Document;
use crate::set::edit::saved_changes::SavedChanges;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// One line.
#[derive(Serialize)]
pub struct Change<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set: Option<&'a SavedChanges>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settings: Option<&'a Settings>,
}

#[derive(Deserialize)]
struct ChangeRead {
    set: Option<SavedChanges>,
    settings: Option<Value>,
}

/// A name for a log that no other has.
pub fn new_name() -> String {
    format!("{:016x}", RandomState::new().build_hasher().finish())
}

/// Whether a state may name a log so: it becomes a part of a file's name.
pub fn is_name(name: &str) -> bool {
    name.len() == 16 && name.bytes().all(|b| b.is_ascii_hexdigit())
}

/// A log that is being written.
pub struct ChangeLog {
    path: PathBuf,
    file: File,
    /// Bytes of whole lines.
    length: u64,
    /// What lies behind those could not be taken back.
    is_torn: bool,
}

impl ChangeLog {
    /// A new one, empty.
    pub fn create(path: PathBuf) -> io::Result<ChangeLog> {
        let file = private_file().create_new(true).append(true).open(&path)?;
        Ok(ChangeLog { path, file, length: 0, is_torn: false })
    }

    /// Goes on with one whose first `length` bytes are good.
    pub fn go_on(path: PathBuf, length: u64) -> io::Result<ChangeLog> {
        let file = File::options().append(true).open(&path)?;
        file.set_len(length)?;
        Ok(ChangeLog { path, file, length, is_torn: false })
    }

    /// Appends a line. What fails leaves the log as it was.
    pub fn append(&mut self, change: &Change) -> io::Result<()> {
        let line = line(change)?;
        if self.is_torn {
            self.file.set_len(self.length)?;
            self.is_torn = false;
        }
        match self.file.write_all(&line) {
            Ok(()) => self.length += line.len() as u64,
            Err(e) => {
                self.is_torn = self.file.set_len(self.length).is_err();
                return Err(e);
            }
        }
        Ok(())
    }

    pub fn length(&self) -> u64 {
        self.length
    }

    /// Removes it: a state holds all of it now.
    pub fn remove(self) {
        // One that stays is known as ended by the state that goes on from it.
        let _ = fs::remove_file(&self.path);
    }
}

fn line(change: &Change) -> io::Result<Vec<u8>> {
    let mut line = vec![b'0'; CHECKSUM_LENGTH];
    line.push(b' ');
    serde_json::to_writer(&mut line, change)?;
    let sum = format!("{:016x}", checksum(line.get(CHECKSUM_LENGTH + 1..).unwrap_or_default()));
    if let Some(place) = line.get_mut(..CHECKSUM_LENGTH) {
        place.copy_from_slice(sum.as_bytes());
    }
    line.push(b'\n');
    match line.len() as u64 > MAX_LINE_BYTES {
        true => Err(io::Error::other("the change is too long for the log beside it")),
        false => Ok(line),
    }
}

const CHECKSUM_LENGTH: usize = 16;
/// A longer line is neither written nor read: far more than the change that brings a whole Set.
const MAX_LINE_BYTES: u64 = 512 << 20;

/// FNV-1a: it tells a line that was cut or mixed up from a whole one; nobody forges it.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3))
}

/// What reading a log gave.
#[derive(Debug, Default, PartialEq)]
pub struct Replayed {
    pub changes: u64,
    /// Bytes of the lines that were read.
    pub length: u64,
    /// Why the lines behind those were not read, where that is more than a line cut short.
    pub damage: Option<String>,
}

/// Carries out the changes of a log on the state that it goes on from. Without a log there are none. The document's
/// index is not kept up.
pub fn replay(path: &Path, document: &mut Document, settings: &mut Settings) -> io::Result<Replayed> {
    let file = match open_plain(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Replayed::default()),
        file => file?,
    };
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let (mut replayed, mut line) = (Replayed::default(), Vec::new());
    // All its lines together take no more than a Set of their length may.
    let meter = Meter::growing_with(Rc::default());
    loop {
        line.clear();
        let length = (&mut reader).take(MAX_LINE_BYTES).read_until(b'\n', &mut line)?;
        meter.has_read(length as u64);
        if length as u64 == MAX_LINE_BYTES && line.last() != Some(&b'\n') {
            replayed.damage = Some(format!("its line {} is too long", replayed.changes + 1));
            return Ok(replayed);
        }
        if line.last() != Some(&b'\n') {
            return Ok(replayed);
        }
        if let Err(why) = carry_out(&line, &meter, document, settings) {
            replayed.damage = Some(format!("its line {} {why}", replayed.changes + 1));
            return Ok(replayed);
        }
        replayed.changes += 1;
        replayed.length += length as u64;
    }
}

fn carry_out(line: &[u8], meter: &Meter, document: &mut Document, settings: &mut Settings) -> Result<(), String> {
    let json = whole(line).ok_or("is not whole")?;
    let change: ChangeRead = metered_json::from_slice(json, meter).map_err(|e| format!("is no change: {e}"))?;
    let settings_after = change.settings.map(|settings| Settings::from_json(&settings)).transpose()?;
    if let Some(changes) = change.set {
        let mut next = document.clone();
        changes.apply(&mut next).map_err(|why| format!("does not fit: {why}"))?;
        *document = next;
    }
    *settings = settings_after.unwrap_or_else(|| settings.clone());
    Ok(())
}

/// The JSON of a line whose checksum is right.
fn whole(line: &[u8]) -> Option<&[u8]> {
    let (sum, rest) = line.split_at_checked(CHECKSUM_LENGTH)?;
    let json = rest.strip_prefix(b" ")?.strip_suffix(b"\n")?;
    let sum = u64::from_str_radix(std::str::from_utf8(sum).ok()?, 16).ok()?;
    (sum == checksum(json)).then_some(json)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn named(base: &Document, name: &str) -> Document {
        let mut next = base.clone();
        Arc::make_mut(&mut next.song).name = name.to_owned();
        next
    }

    fn change(before: &Document, after: &Document) -> SavedChanges {
        SavedChanges::between(before, after).expect("they differ")
    }

    #[test]
    fn a_log_is_read_up_to_its_last_whole_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let base = Document::new_set();
        let (one, two) = (named(&base, "one"), named(&base, "two"));
        let settings = Settings { port: 4000, ..Settings::default() };
        let mut log = ChangeLog::create(path.clone()).unwrap();
        log.append(&Change { set: Some(&change(&base, &one)), settings: None }).unwrap();
        let first = log.length();
        log.append(&Change { set: Some(&change(&one, &two)), settings: Some(&settings) }).unwrap();
        let whole = fs::read(&path).unwrap();
        assert_eq!(whole.len() as u64, log.length());
        let read = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            let (mut document, mut settings) = (base.clone(), Settings::default());
            let replayed = replay(&path, &mut document, &mut settings).unwrap();
            (document.song.name.clone(), settings.port, replayed.changes, replayed.length, replayed.damage.is_some())
        };
        assert_eq!(read(&whole), ("two".to_owned(), 4000, 2, whole.len() as u64, false));
        for cut in first as usize..whole.len() {
            assert_eq!(read(&whole[..cut]), ("one".to_owned(), 3350, 1, first, false), "cut at {cut}");
        }
        for at in first as usize..whole.len() - 1 {
            let mut mixed = whole.clone();
            mixed[at] ^= 1;
            let (name, port, changes, length, _) = read(&mixed);
            assert_eq!((name.as_str(), port, changes, length), ("one", 3350, 1, first), "at {at}");
        }
        // One that was cut is gone on with from its last whole line.
        fs::write(&path, &whole[..whole.len() - 5]).unwrap();
        let mut log = ChangeLog::go_on(path.clone(), first).unwrap();
        log.append(&Change { set: Some(&change(&one, &two)), settings: Some(&settings) }).unwrap();
        assert_eq!(fs::read(&path).unwrap(), whole);
        log.remove();
        let nothing = replay(&path, &mut base.clone(), &mut Settings::default()).unwrap();
        assert_eq!(nothing, Replayed::default());
    }
}
