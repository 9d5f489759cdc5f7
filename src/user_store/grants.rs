//! What this user has granted to which Set: `grants.json`. Each grant is a Set's id and one permission with its exact
//! value.

use super::atomic_files::{read_plain, write_atomically};
use super::folder_lock::lock_folder;
use crate::disk::Access;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

const GRANTS_FILE: &str = "grants.json";
/// Grants that are kept; the oldest go first.
const MAX_GRANTS: usize = 1000;
const MAX_FILE_BYTES: u64 = 16 * 1024 * 1024;

/// One permission that one Set has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Grant {
    set: String,
    permission: Value,
}

/// The grants that are known. Only [`Grants::read`] and [`Grants::write`] touch the disk.
#[derive(Debug, Default)]
pub struct Grants {
    folder: Option<PathBuf>,
    known: Mutex<Vec<Grant>>,
    /// Something was granted that the file does not hold yet.
    unsaved: AtomicBool,
}

impl Grants {
    /// Opens nothing yet. Without a folder, grants last as long as the device.
    pub fn new(folder: Option<PathBuf>) -> Grants {
        Grants { folder, ..Grants::default() }
    }

    /// Whether the Set was granted this permission, as far as is known in memory.
    pub fn holds(&self, set: &str, permission: &Value) -> bool {
        !set.is_empty() && self.known.lock().iter().any(|grant| grant.set == set && grant.permission == *permission)
    }

    /// Notes grants in memory.
    pub fn add(&self, set: &str, permissions: &[Value]) {
        let new = permissions.iter().filter(|permission| !self.holds(set, permission));
        let new: Vec<Grant> =
            new.map(|permission| Grant { set: set.to_owned(), permission: permission.clone() }).collect();
        if !new.is_empty() {
            merge(&mut self.known.lock(), new);
            self.unsaved.store(true, Ordering::Release);
        }
    }

    /// Takes in what the file holds: another device may have granted something. The error is a remark for the user.
    pub fn read(&self) -> Result<(), String> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let Some(text) = read_plain(&folder.join(GRANTS_FILE), MAX_FILE_BYTES).map_err(remark)? else { return Ok(()) };
        let read: Vec<Grant> =
            serde_json::from_str(&text).map_err(|_| remark("is no list of grants and was left alone".to_owned()))?;
        let mut known = self.known.lock();
        let newer = std::mem::replace(&mut *known, read);
        merge(&mut known, newer);
        Ok(())
    }

    /// Writes what is known, if anything was granted since, with what others have written meanwhile. A file that cannot
    /// be read is not written over; what could not be written is tried again with the next grant.
    pub fn write(&self) -> Result<(), String> {
        if !self.unsaved.swap(false, Ordering::AcqRel) {
            return Ok(());
        }
        let Some(folder) = &self.folder else { return Ok(()) };
        let not_written = |e: std::io::Error| remark(format!("cannot be written ({})", e.kind()));
        let _lock = lock_folder(folder).map_err(not_written)?;
        self.read()?;
        // Plain values: this cannot fail.
        let text = serde_json::to_string_pretty(&*self.known.lock()).unwrap_or_default();
        write_atomically(&folder.join(GRANTS_FILE), text.as_bytes(), Access::OwnerOnly).map_err(not_written)
    }
}

fn remark(why: String) -> String {
    format!("{GRANTS_FILE} {why}")
}

fn merge(known: &mut Vec<Grant>, new: Vec<Grant>) {
    for grant in new {
        if !known.contains(&grant) {
            known.push(grant);
        }
    }
    let surplus = known.len().saturating_sub(MAX_GRANTS);
    known.drain(..surplus);
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::fs;

    #[test]
    fn a_grant_is_for_one_set_and_one_value() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("deep");
        let (one, other) = (Grants::new(Some(deep.clone())), Grants::new(Some(deep.clone())));
        let folders = json!({ "allowedFolders": ["/a"] });
        one.write().unwrap();
        assert!(!deep.exists(), "there is nothing to write");
        one.add("x", std::slice::from_ref(&folders));
        one.write().unwrap();
        assert!(!other.holds("x", &folders));
        other.add("y", &[json!({ "liveApiEnabled": true })]);
        other.write().unwrap();
        let third = Grants::new(Some(deep.clone()));
        third.read().unwrap();
        for (set, permission, held) in [
            ("x", folders.clone(), true),
            ("y", json!({ "liveApiEnabled": true }), true),
            ("y", folders, false),
            ("x", json!({ "allowedFolders": ["/a", "/b"] }), false),
            ("x", json!({ "sampleFolder": "/a" }), false),
        ] {
            assert_eq!(third.holds(set, &permission), held, "{set} {permission}");
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(deep.join(GRANTS_FILE)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }

    #[test]
    fn the_oldest_go_and_odd_files_stay() {
        let folder = tempfile::tempdir().unwrap();
        let grants = Grants::new(Some(folder.path().to_owned()));
        let many: Vec<Value> = (0..=MAX_GRANTS).map(|n| json!(n)).collect();
        grants.add("x", &many);
        assert!(!grants.holds("x", &json!(0)) && grants.holds("x", &json!(MAX_GRANTS)));
        let file = folder.path().join(GRANTS_FILE);
        for odd in [&b"{}"[..], b"\xff", b"[{\"set\":1}]"] {
            fs::write(&file, odd).unwrap();
            grants.add("x", &[json!(String::from_utf8_lossy(odd))]);
            assert!(grants.write().is_err_and(|why| why.starts_with("grants.json ")));
            assert_eq!(fs::read(&file).unwrap(), odd);
        }
        assert!(Grants::default().write().is_ok());
    }
}
