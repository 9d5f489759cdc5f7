//! The copy of a project's context beside the project, from which a device that replaces another gets the context back.

use super::atomic_files::{FileProblem, read_text, remove_if_present, remove_partial_writes, write_atomically};
use super::folder_lock::PROCESS_LOCK;
use super::limits::MAX_CONTENT_CHARS;
use crate::disk::Access;
use parking_lot::Mutex;
use std::path::{Path, PathBuf};

/// The one file of a project's folder.
pub const FILE_NAME: &str = "svc-context.md";

/// A project's sidecar.
#[derive(Debug)]
pub struct Sidecar {
    file: PathBuf,
    /// The device's context when it was last compared; `None` until the project was opened.
    known: Mutex<Option<String>>,
}

/// What went wrong with a sidecar, in a sentence for people.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SidecarProblem {
    /// What lies there is no text of ours, and stays as it is.
    #[error("{FILE_NAME} beside the project {0}; it is left as it is, and the project's context is kept without it")]
    Odd(FileProblem),
    /// The context is not in the file; the next one is tried again.
    #[error("{FILE_NAME} beside the project could not be written: {0}; it does not hold this context")]
    NotWritten(std::io::ErrorKind),
}

/// What happened to the device's context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ContextEvent {
    /// Its project was opened.
    ProjectOpened,
    /// Somebody wrote it.
    Edited,
}

/// What to do about the sidecar.
#[derive(Clone, Debug, PartialEq, Eq)]
enum SidecarAction {
    Nothing,
    /// Put this text into the device.
    Restore(String),
    Write,
    Delete,
}

/// The rule. Opening a project never changes a sidecar that is there, and only an edit removes one.
fn decide(moment: ContextEvent, device: &str, sidecar: Option<&str>) -> SidecarAction {
    let blank = |text: &str| text.trim().is_empty();
    match (moment, sidecar) {
        (_, None) if !blank(device) => SidecarAction::Write,
        (_, None) => SidecarAction::Nothing,
        (ContextEvent::ProjectOpened, Some(text)) if blank(device) && !blank(text) => {
            SidecarAction::Restore(text.to_owned())
        }
        (ContextEvent::ProjectOpened, Some(_)) => SidecarAction::Nothing,
        (ContextEvent::Edited, Some(_)) if blank(device) => SidecarAction::Delete,
        (ContextEvent::Edited, Some(text)) if text != device => SidecarAction::Write,
        (ContextEvent::Edited, Some(_)) => SidecarAction::Nothing,
    }
}

impl Sidecar {
    pub fn new(project: &Path) -> Sidecar {
        Sidecar { file: project.join(FILE_NAME), known: Mutex::new(None) }
    }

    pub(super) fn remove_partial_writes(&self) {
        if let Some(folder) = self.file.parent() {
            remove_partial_writes(folder, FILE_NAME);
        }
    }

    /// To be called when the project was opened with this context; gives what is to replace it, if anything.
    pub fn opened(&self, device: &str) -> Result<Option<String>, SidecarProblem> {
        let mut known = self.known.lock();
        *known = Some(device.to_owned());
        match self.act(ContextEvent::ProjectOpened, device)? {
            Some(restored) => {
                *known = Some(restored.clone());
                Ok(Some(restored))
            }
            None => Ok(None),
        }
    }

    /// To be called with the context as it is now; nothing happens unless it is new, or could not be
    /// written the last time.
    pub fn follow(&self, device: &str) -> Result<(), SidecarProblem> {
        let mut known = self.known.lock();
        if known.as_deref().is_none_or(|known| known == device) {
            return Ok(());
        }
        let done = self.act(ContextEvent::Edited, device);
        if !matches!(done, Err(SidecarProblem::NotWritten(_))) {
            *known = Some(device.to_owned());
        }
        done.map(|_| ())
    }

    fn act(&self, moment: ContextEvent, device: &str) -> Result<Option<String>, SidecarProblem> {
        let _lock = PROCESS_LOCK.lock();
        let sidecar = read_text(&self.file).and_then(|text| match text {
            Some(text) if text.chars().count() > MAX_CONTENT_CHARS => Err(FileProblem::TooLong(MAX_CONTENT_CHARS)),
            text => Ok(text),
        });
        let sidecar = sidecar.map_err(SidecarProblem::Odd)?;
        let done = match decide(moment, device, sidecar.as_deref()) {
            SidecarAction::Nothing => Ok(()),
            SidecarAction::Restore(text) => return Ok(Some(text)),
            SidecarAction::Write => write_atomically(&self.file, device.as_bytes(), Access::AsBefore),
            SidecarAction::Delete => remove_if_present(&self.file),
        };
        done.map_err(|e| SidecarProblem::NotWritten(e.kind()))?;
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_rule() {
        use ContextEvent::{Edited, ProjectOpened};
        use SidecarAction::{Delete, Nothing, Write};
        let restore = |text: &str| SidecarAction::Restore(text.to_owned());
        for (moment, device, sidecar, act) in [
            (ProjectOpened, "", None, Nothing),
            (ProjectOpened, "a", None, Write),
            (ProjectOpened, "", Some("b"), restore("b")),
            (ProjectOpened, " \n", Some("b"), restore("b")),
            (ProjectOpened, "", Some(" "), Nothing),
            (ProjectOpened, "a", Some("a"), Nothing),
            (ProjectOpened, "a", Some("b"), Nothing),
            (ProjectOpened, "a", Some(""), Nothing),
            (Edited, "", None, Nothing),
            (Edited, "a", None, Write),
            (Edited, "a", Some("a"), Nothing),
            (Edited, "a", Some("b"), Write),
            (Edited, "", Some("b"), Delete),
            (Edited, " ", Some(""), Delete),
        ] {
            assert_eq!(decide(moment, device, sidecar), act, "{moment:?} {device:?} {sidecar:?}");
        }
    }

    #[test]
    fn it_follows_the_project() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(FILE_NAME);
        let read = || fs::read_to_string(&file).ok();
        let sidecar = Sidecar::new(folder.path());
        assert_eq!((sidecar.opened(""), read()), (Ok(None), None));
        assert_eq!((sidecar.follow("one"), read().as_deref()), (Ok(()), Some("one")));
        fs::write(&file, "by hand").unwrap();
        assert_eq!((sidecar.follow("one"), read().as_deref()), (Ok(()), Some("by hand")), "no edit");
        assert_eq!((sidecar.follow("two"), read().as_deref()), (Ok(()), Some("two")));
        // A device that was replaced.
        let replaced = Sidecar::new(folder.path());
        assert_eq!(replaced.follow("not opened yet"), Ok(()));
        assert_eq!(replaced.opened(""), Ok(Some("two".to_owned())));
        assert_eq!((replaced.follow("two"), read().as_deref()), (Ok(()), Some("two")));
        assert_eq!((replaced.follow(""), read()), (Ok(()), None));
        // An older Set.
        fs::write(&file, "newer").unwrap();
        assert_eq!((Sidecar::new(folder.path()).opened("older"), read().as_deref()), (Ok(None), Some("newer")));
    }

    #[cfg(unix)]
    #[test]
    fn one_that_was_not_written_is_tried_again() {
        let folder = tempfile::tempdir().unwrap();
        let sidecar = Sidecar::new(folder.path());
        assert_eq!(sidecar.opened(""), Ok(None));
        // The folder's drive is gone for a while.
        let away = tempfile::tempdir().unwrap();
        let elsewhere = away.path().join("folder");
        fs::rename(folder.path(), &elsewhere).unwrap();
        std::os::unix::fs::symlink("/nowhere", folder.path()).unwrap();
        for context in ["one", "two", "two"] {
            assert!(matches!(sidecar.follow(context), Err(SidecarProblem::NotWritten(_))));
        }
        fs::remove_file(folder.path()).unwrap();
        fs::rename(&elsewhere, folder.path()).unwrap();
        assert_eq!(sidecar.follow("two"), Ok(()));
        assert_eq!(fs::read_to_string(folder.path().join(FILE_NAME)).unwrap(), "two");
    }

    #[test]
    fn one_that_cannot_be_read_is_left_alone() {
        for bytes in [b"\xff".to_vec(), vec![b'x'; MAX_CONTENT_CHARS + 1], vec![b'x'; 100_000]] {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join(FILE_NAME);
            fs::write(&file, &bytes).unwrap();
            let sidecar = Sidecar::new(folder.path());
            assert!(sidecar.opened("").is_err());
            for edit in ["new", ""] {
                let remark = sidecar.follow(edit).unwrap_err().to_string();
                assert!(remark.contains(FILE_NAME) && !remark.contains(folder.path().to_str().unwrap()), "{remark}");
                assert_eq!(fs::read(&file).unwrap(), bytes);
            }
        }
    }
}
