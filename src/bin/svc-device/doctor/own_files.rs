//! The user's own folder: who may look into it, whether it can be written, the settings in it, the token.

use super::finding::Finding;
use std::fs;
use std::io;
use std::path::Path;
use svc_device::device::state_file::StateFile;
use svc_device::service::Settings;
use svc_device::service::access::{Token, read_token, token_file};

/// The folder itself.
pub fn data_folder(folder: &Path) -> Finding {
    const SUBJECT: &str = "data folder";
    let shown = folder.display();
    let about = match fs::metadata(folder) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            return Finding::fine(SUBJECT, format!("{shown} is made at the first start"));
        }
        Err(e) => return Finding::wrong(SUBJECT, format!("{shown} cannot be read ({}); see who owns it", e.kind())),
        Ok(about) => about,
    };
    if !about.is_dir() {
        return Finding::wrong(SUBJECT, format!("{shown} is a file; move it away, or name a folder with --data-dir"));
    }
    if let Some(mode) = open_to_others(&about) {
        return Finding::wrong(
            SUBJECT,
            format!(
                "others may look into {shown} (mode {mode:o}), where a token and grants lie: chmod 700 \"{shown}\""
            ),
        );
    }
    match can_write(folder) {
        Ok(()) => Finding::fine(SUBJECT, format!("{shown}, for you alone, can be written")),
        Err(why) => Finding::wrong(
            SUBJECT,
            format!("{shown} cannot be written ({}); see who owns it, and whether the disk is full", why.kind()),
        ),
    }
}

/// The rights that others have, if they have any.
fn open_to_others(about: &fs::Metadata) -> Option<u32> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = about.permissions().mode() & 0o777;
        (mode & 0o077 != 0).then_some(mode)
    }
    #[cfg(not(unix))]
    {
        let _ = about;
        None
    }
}

fn can_write(folder: &Path) -> io::Result<()> {
    let probe = folder.join(format!(".doctor.{}", std::process::id()));
    fs::File::create_new(&probe)?;
    fs::remove_file(&probe)
}

/// The standalone's settings; what they are where nothing is saved.
pub fn settings(folder: &Path) -> (Settings, Finding) {
    const SUBJECT: &str = "settings";
    let file = StateFile::new(folder, None);
    let shown = file.path().display().to_string();
    match file.read() {
        Ok(None) => (
            Settings::default(),
            Finding::fine(SUBJECT, format!("none saved yet: there is no {shown}; the defaults hold")),
        ),
        Ok(Some(Ok(loaded))) => (loaded.settings, Finding::fine(SUBJECT, format!("{shown} is read"))),
        Ok(Some(Err(why))) => {
            let text = format!(
                "{shown} cannot be read ({why}); it is left alone, and a device starts without it. Move it away to keep \
                 it, or choose Start fresh in the window"
            );
            (Settings::default(), Finding::wrong(SUBJECT, text))
        }
        Err(e) => {
            (Settings::default(), Finding::wrong(SUBJECT, format!("{shown} cannot be read ({e}); see who owns it")))
        }
    }
}

/// The token that every call has to show.
pub fn token(folder: &Path, named: Option<&Path>) -> (Option<Token>, Finding) {
    const SUBJECT: &str = "token";
    let file = named.map_or_else(|| token_file(folder), Path::to_owned);
    match read_token(&file) {
        Err(why) => {
            (None, Finding::wrong(SUBJECT, format!("{why}: no call is taken. Write it anew, or remove the file")))
        }
        Ok(None) if named.is_some() => {
            (None, Finding::wrong(SUBJECT, format!("there is no file {} to read it from", file.display())))
        }
        Ok(None) => (None, Finding::fine(SUBJECT, "none is set: every program of this machine may call")),
        Ok(Some(token)) => match fs::metadata(&file).ok().and_then(|about| open_to_others(&about)) {
            Some(mode) => {
                let text = format!("others may read {0} (mode {mode:o}): chmod 600 \"{0}\"", file.display());
                (Some(token), Finding::wrong(SUBJECT, text))
            }
            None => (Some(token), Finding::fine(SUBJECT, format!("one is set, in {}", file.display()))),
        },
    }
}
