//! The journal: each change of a Set that lives in a plugin host's project is also written to `~/.svc/recovery/`,
//! because the framework cannot tell the host that the project has changed, and a host that
//! knows of no change may save none.
//!
//! A Set is known by its id, and counts its changes. When a project is loaded whose journal has counted further, the
//! journal is *offered*; it is never put in place by itself. See D35 in `docs/decisions.md`.

use crate::disk::Access;
use crate::user_store::write_atomically;
use parking_lot::Mutex;
use serde::Deserialize;
use std::collections::HashSet;
use std::fs;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// Journals kept at most; the oldest go first.
const MAX_JOURNALS: usize = 50;

/// Ids of the Sets that are open in this process, so that a copied project does not write its original's journal.
static OPEN_SETS: LazyLock<Mutex<HashSet<String>>> = LazyLock::new(Mutex::default);

/// Which Set this is, and how many changes it has seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetIdentity {
    pub id: String,
    /// Changes counted when the Set was loaded or made.
    pub base_changes: u64,
    /// The device's own count of commits at that moment.
    pub base_revision: u64,
}

impl SetIdentity {
    pub fn fresh() -> SetIdentity {
        loop {
            let part = || RandomState::new().build_hasher().finish();
            let id = format!("{:016x}{:016x}", part(), part());
            if OPEN_SETS.lock().insert(id.clone()) {
                return SetIdentity { id, base_changes: 0, base_revision: 0 };
            }
        }
    }

    /// The identity that a saved state names; a fresh one if that Set is open already or the name is none.
    pub fn claim(id: &str, base_changes: u64, base_revision: u64) -> SetIdentity {
        let is_valid = id.len() == 32 && id.bytes().all(|b| b.is_ascii_hexdigit());
        if is_valid && OPEN_SETS.lock().insert(id.to_owned()) {
            return SetIdentity { id: id.to_owned(), base_changes, base_revision };
        }
        SetIdentity { base_changes, base_revision, ..SetIdentity::fresh() }
    }

    /// Changes so far, given the device's present count of commits.
    pub fn changes(&self, revision: u64) -> u64 {
        self.base_changes + revision.saturating_sub(self.base_revision)
    }

    /// The Set is closed.
    pub fn release(&self) {
        OPEN_SETS.lock().remove(&self.id);
    }
}

/// What is asked of a journal before it is offered; the rest is passed over.
#[derive(Deserialize)]
struct Counted {
    revision: u64,
}

/// A journal newer than the project it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalOffer {
    /// How many changes it is ahead.
    pub changes: u64,
    /// The state, as text.
    pub text: String,
    file: PathBuf,
}

/// The folder of the journals.
#[derive(Clone, Debug)]
pub struct JournalFolder {
    folder: PathBuf,
}

impl JournalFolder {
    pub fn in_folder(folder: PathBuf) -> JournalFolder {
        JournalFolder { folder }
    }

    /// In the user's own folder; `None` when there is none.
    pub fn of_user() -> Option<JournalFolder> {
        user_folder().map(|home| JournalFolder { folder: home.join("recovery") })
    }

    /// The user's own folder, in which the journals have theirs.
    pub fn user_folder(&self) -> Option<&Path> {
        self.folder.parent()
    }

    fn file(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.json"))
    }

    pub fn write(&self, id: &str, state: &str) -> io::Result<()> {
        let file = self.file(id);
        let first = !file.exists();
        write_atomically(&file, state.as_bytes(), Access::OwnerOnly)?;
        if first {
            self.prune();
        }
        Ok(())
    }

    /// The journal of a Set, if it has counted further than `base_changes`. It is moved aside, so that new changes do
    /// not write over what is offered.
    pub fn offer(&self, id: &str, base_changes: u64) -> Option<JournalOffer> {
        let aside = self.folder.join(format!("{id}.offer.json"));
        let ahead = |file: &Path| {
            let text = fs::read_to_string(file).ok()?;
            let counted = serde_json::from_str::<Counted>(&text).ok()?.revision;
            (counted > base_changes).then(|| (counted - base_changes, text))
        };
        let journal = self.file(id);
        if let Some((changes, text)) = ahead(&journal) {
            fs::rename(&journal, &aside).ok()?;
            return Some(JournalOffer { changes, text, file: aside });
        }
        ahead(&aside).map(|(changes, text)| JournalOffer { changes, text, file: aside })
    }

    /// Forgets an offer that was taken or turned down.
    pub fn forget(&self, offer: &JournalOffer) {
        // A file that is gone already is forgotten.
        let _ = fs::remove_file(&offer.file);
    }

    fn prune(&self) {
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        let mut files: Vec<_> = entries
            .flatten()
            .filter(|entry| entry.path().extension().is_some_and(|ext| ext == "json"))
            .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
            .collect();
        files.sort();
        let surplus = files.len().saturating_sub(MAX_JOURNALS);
        for (_, file) in files.into_iter().take(surplus) {
            let _ = fs::remove_file(file);
        }
    }
}

/// `~/.svc`.
pub fn user_folder() -> Option<PathBuf> {
    let home = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
    std::env::var_os(home).filter(|home| !home.is_empty()).map(|home| PathBuf::from(home).join(".svc"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newer_journal_is_offered_until_it_is_forgotten() {
        let dir = tempfile::tempdir().unwrap();
        let journals = JournalFolder::in_folder(dir.path().join("recovery"));
        let id = SetIdentity::fresh().id;
        assert_eq!(journals.offer(&id, 0), None);
        journals.write(&id, r#"{"revision":5}"#).unwrap();
        assert_eq!(journals.offer(&id, 5), None);
        let offer = journals.offer(&id, 3).unwrap();
        assert_eq!((offer.changes, offer.text.as_str()), (2, r#"{"revision":5}"#));
        journals.write(&id, r#"{"revision":4}"#).unwrap();
        assert_eq!(journals.offer(&id, 4).map(|o| o.changes), Some(1), "still there beside newer changes");
        journals.forget(&offer);
        assert_eq!(journals.offer(&id, 4), None);
    }

    #[test]
    fn one_set_has_one_journal_in_a_process() {
        let first = SetIdentity::claim("0123456789abcdef0123456789abcdef", 7, 0);
        assert_eq!(first.changes(3), 10);
        let copy = SetIdentity::claim(&first.id, 7, 0);
        assert_ne!(copy.id, first.id);
        first.release();
        assert_eq!(SetIdentity::claim(&first.id, 7, 0).id, first.id);
        assert_ne!(SetIdentity::claim("../../etc/passwd", 0, 0).id, "../../etc/passwd");
    }

    #[test]
    fn old_journals_go() {
        let dir = tempfile::tempdir().unwrap();
        let journals = JournalFolder::in_folder(dir.path().to_owned());
        for n in 0..MAX_JOURNALS + 5 {
            journals.write(&format!("{n:032x}"), "{}").unwrap();
        }
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), MAX_JOURNALS);
    }
}
