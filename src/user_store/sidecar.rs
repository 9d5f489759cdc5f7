//! The copy of a project's context beside the project: a device that was replaced gets it back.

use super::MAX_CONTENT_CHARS;
use super::files::{Odd, WRITING, read_text, remove, remove_halves, write_whole};
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

/// What happened to the device's context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moment {
    /// Its project was opened.
    Opened,
    /// Somebody wrote it.
    Edited,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Act {
    Nothing,
    /// Put this text into the device.
    Restore(String),
    Write,
    Delete,
}

/// The rule. Opening a project never changes a sidecar that is there, and only an edit removes one.
fn decide(moment: Moment, device: &str, sidecar: Option<&str>) -> Act {
    let blank = |text: &str| text.trim().is_empty();
    match (moment, sidecar) {
        (_, None) if !blank(device) => Act::Write,
        (_, None) => Act::Nothing,
        (Moment::Opened, Some(text)) if blank(device) && !blank(text) => Act::Restore(text.to_owned()),
        (Moment::Opened, Some(_)) => Act::Nothing,
        (Moment::Edited, Some(_)) if blank(device) => Act::Delete,
        (Moment::Edited, Some(text)) if text != device => Act::Write,
        (Moment::Edited, Some(_)) => Act::Nothing,
    }
}

impl Sidecar {
    pub fn new(project: &Path) -> Sidecar {
        Sidecar { file: project.join(FILE_NAME), known: Mutex::new(None) }
    }

    pub(super) fn tidy(&self) {
        if let Some(folder) = self.file.parent() {
            remove_halves(folder, FILE_NAME);
        }
    }

    /// The project was opened with this context: what is to be put in its place, if anything. The error is a remark for
    /// people.
    pub fn opened(&self, device: &str) -> Result<Option<String>, String> {
        let mut known = self.known.lock();
        *known = Some(device.to_owned());
        match self.act(Moment::Opened, device)? {
            Some(restored) => {
                *known = Some(restored.clone());
                Ok(Some(restored))
            }
            None => Ok(None),
        }
    }

    /// The context is this now; nothing happens unless it is new. The error is a remark for people.
    pub fn follow(&self, device: &str) -> Result<(), String> {
        let mut known = self.known.lock();
        if known.as_deref().is_none_or(|known| known == device) {
            return Ok(());
        }
        *known = Some(device.to_owned());
        self.act(Moment::Edited, device).map(|_| ())
    }

    fn act(&self, moment: Moment, device: &str) -> Result<Option<String>, String> {
        let _alone = WRITING.lock();
        let sidecar = read_text(&self.file).and_then(|text| match text {
            Some(text) if text.chars().count() > MAX_CONTENT_CHARS => Err(Odd::TooLong(MAX_CONTENT_CHARS)),
            text => Ok(text),
        });
        let sidecar = sidecar.map_err(|why| {
            format!("{FILE_NAME} beside the project {why}; it is left as it is, and the project's context is kept without it")
        })?;
        let done = match decide(moment, device, sidecar.as_deref()) {
            Act::Nothing => Ok(()),
            Act::Restore(text) => return Ok(Some(text)),
            Act::Write => write_whole(&self.file, device.as_bytes()),
            Act::Delete => remove(&self.file),
        };
        done.map_err(|e| format!("{FILE_NAME} beside the project could not be written: {}", e.kind()))?;
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_rule() {
        use Act::{Delete, Nothing, Write};
        use Moment::{Edited, Opened};
        let restore = |text: &str| Act::Restore(text.to_owned());
        for (moment, device, sidecar, act) in [
            (Opened, "", None, Nothing),
            (Opened, "a", None, Write),
            (Opened, "", Some("b"), restore("b")),
            (Opened, " \n", Some("b"), restore("b")),
            (Opened, "", Some(" "), Nothing),
            (Opened, "a", Some("a"), Nothing),
            (Opened, "a", Some("b"), Nothing),
            (Opened, "a", Some(""), Nothing),
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

    #[test]
    fn one_that_cannot_be_read_is_left_alone() {
        for bytes in [b"\xff".to_vec(), vec![b'x'; MAX_CONTENT_CHARS + 1], vec![b'x'; 100_000]] {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join(FILE_NAME);
            fs::write(&file, &bytes).unwrap();
            let sidecar = Sidecar::new(folder.path());
            assert!(sidecar.opened("").is_err());
            for edit in ["new", ""] {
                let remark = sidecar.follow(edit).unwrap_err();
                assert!(remark.contains(FILE_NAME) && !remark.contains(folder.path().to_str().unwrap()), "{remark}");
                assert_eq!(fs::read(&file).unwrap(), bytes);
            }
        }
    }
}
