//! The user's own folder: who may look into it, whether it can be written, the settings in it, the token.

use super::finding::Finding;
use super::windows_rights::{self, Rights};
use std::fs;
use std::io;
use std::path::Path;
use std::time::SystemTime;
use svc_device::device::state_file::StateFile;
use svc_device::service::Settings;
use svc_device::service::access::{Token, read_token, token_file};

const DATA_FOLDER: &str = "data folder";

/// The folder itself.
pub fn data_folder(folder: &Path) -> Finding {
    const SUBJECT: &str = DATA_FOLDER;
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
    if let Err(why) = can_write(folder) {
        return Finding::wrong(
            SUBJECT,
            format!("{shown} cannot be written ({}); see who owns it, and whether the disk is full", why.kind()),
        );
    }
    let rights = if cfg!(unix) { Rights::Own } else { windows_rights::of_folder(folder) };
    can_be_written(folder, rights)
}

/// Of a folder that can be written, who else may look into it.
fn can_be_written(folder: &Path, rights: Rights) -> Finding {
    let shown = folder.display();
    match rights {
        Rights::Own => Finding::fine(DATA_FOLDER, format!("{shown}, for you alone, can be written")),
        Rights::Others(others) => Finding::wrong(
            DATA_FOLDER,
            format!(
                "others may look into {shown} ({}), where a token and grants lie: {}",
                others.join(", "),
                windows_rights::remedy(folder)
            ),
        ),
        Rights::Unknown => Finding::note(
            DATA_FOLDER,
            format!("{shown} can be written; the system does not tell who else may look into it"),
        ),
    }
}

/// The rights that others have on Unix, if they have any.
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

/// When the standalone last wrote its Set, and the journals of projects that lie in the folder.
pub fn last_save(folder: &Path) -> Vec<Finding> {
    let file = StateFile::new(folder, None);
    let logs = file.logs().into_iter().map(|name| file.log_path(&name));
    let own = [file.path().to_owned()].into_iter().chain(logs).filter_map(|file| written(&file)).max();
    let text = match own {
        Some(time) => format!("the device without a DAW wrote its Set {}", ago(time)),
        None => "the device without a DAW has saved nothing yet".to_owned(),
    };
    let journals: Vec<SystemTime> = fs::read_dir(folder.join("recovery"))
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| written(&entry.path()))
        .collect();
    let newest = journals.iter().max().map(|time| {
        let text = format!("journals of Sets in projects: {}, the newest written {}", journals.len(), ago(*time));
        Finding::fine("recovery", text)
    });
    [Finding::fine("last save", text)].into_iter().chain(newest).collect()
}

fn written(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).ok()?.modified().ok()
}

/// How long ago, in the largest unit of which there is one.
fn ago(time: SystemTime) -> String {
    // A clock that was set back makes a file of the future; it is as new as can be.
    let seconds = time.elapsed().map_or(0, |elapsed| elapsed.as_secs());
    let (count, unit) = match seconds {
        0..60 => return "less than a minute ago".to_owned(),
        60..3_600 => (seconds / 60, "minute"),
        3_600..86_400 => (seconds / 3_600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    format!("{count} {unit}{} ago", if count == 1 { "" } else { "s" })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::finding::Level;
    use std::time::Duration;

    #[test]
    fn a_folder_is_said_to_be_ones_own_only_where_it_is() {
        let told = |rights| can_be_written(Path::new("C:/svc"), rights);
        let (own, unknown) = (told(Rights::Own), told(Rights::Unknown));
        assert_eq!((own.level, unknown.level), (Level::Fine, Level::Note));
        assert!(own.text.contains("for you alone") && !unknown.text.contains("for you alone"), "{unknown:?}");
        let others = told(Rights::Others(vec!["everyone".to_owned(), "guests".to_owned()]));
        assert_eq!(others.level, Level::Wrong);
        for part in ["(everyone, guests)", "icacls \"C:/svc\" /inheritance:r"] {
            assert!(others.text.contains(part), "{others:?}");
        }
    }

    #[test]
    fn times_are_told_in_their_largest_unit() {
        for (seconds, expected) in [
            (0, "less than a minute ago"),
            (59, "less than a minute ago"),
            (60, "1 minute ago"),
            (3_599, "59 minutes ago"),
            (7_200, "2 hours ago"),
            (86_400, "1 day ago"),
            (864_000, "10 days ago"),
        ] {
            assert_eq!(ago(SystemTime::now() - Duration::from_secs(seconds)), expected, "{seconds}");
        }
        assert_eq!(ago(SystemTime::now() + Duration::from_secs(600)), "less than a minute ago");
    }
}
