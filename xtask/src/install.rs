//! Putting the bundles where a user's hosts look for plugins.

use crate::bundle::{self, replace};
use crate::platform::{Format, Platform, System};
use crate::shell::{Outcome, Problem, While};
use crate::workspace::Workspace;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// `cargo xtask install`: bundles, then copies. Each bundle is exchanged as a whole.
pub fn install(workspace: &Workspace) -> Outcome<()> {
    let platform = Platform::host()?;
    let bundles = bundle::release(workspace, None)?;
    for (format, source) in [(Format::Clap, &bundles.clap), (Format::Vst3, &bundles.vst3)] {
        let places = places(workspace, format, platform.system)?;
        let place = chosen(&places, |place| place.parent().is_some_and(can_write))?;
        replace(place, |fresh| copy(source, fresh))?;
        println!("installed {}", place.display());
        if places.first().is_some_and(|first| first != place) {
            println!(
                "That is your own plugin folder, for the one of all users takes an administrator's rights. If your host \
                 does not look there, name it in the host's settings, or run this in a terminal opened as administrator."
            );
        }
        for other in places.iter().filter(|other| *other != place && other.exists()) {
            println!("An older copy lies in {}: remove it, or hosts may load that one.", other.display());
        }
    }
    println!("Scan for new plugins in your host; one that has the old plugin loaded keeps it until it is restarted.");
    Ok(())
}

/// Where the bundle of this format lies on this machine, or would be put.
pub fn place(workspace: &Workspace, format: Format, system: System) -> Outcome<PathBuf> {
    let places = places(workspace, format, system)?;
    chosen(&places, |place| place.exists()).cloned()
}

fn places(workspace: &Workspace, format: Format, system: System) -> Outcome<Vec<PathBuf>> {
    let name = format.bundle_file(&workspace.bundle_name()?);
    let folders = plugin_folders(format, system, |name| std::env::var_os(name))?;
    Ok(folders.into_iter().map(|folder| folder.join(&name)).collect())
}

/// The first that fits, else the first.
fn chosen(places: &[PathBuf], fits: impl Fn(&Path) -> bool) -> Outcome<&PathBuf> {
    let fitting = places.iter().find(|place| fits(place)).or(places.first());
    fitting.ok_or_else(|| Problem::new("this system has no folder for plugins"))
}

/// Whether something can be put into a folder, which is made if it is missing.
fn can_write(folder: &Path) -> bool {
    let probe = folder.join(format!(".svc-device.{}", std::process::id()));
    fs::create_dir_all(folder).is_ok() && fs::write(&probe, "").is_ok() && fs::remove_file(&probe).is_ok()
}

/// The folders that hosts search, the one that every host searches first.
fn plugin_folders(
    format: Format,
    system: System,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Outcome<Vec<PathBuf>> {
    let known: &[(&str, &str)] = match (system, format) {
        (System::Linux, Format::Clap) => &[("HOME", ".clap")],
        (System::Linux, Format::Vst3) => &[("HOME", ".vst3")],
        (System::MacOs, Format::Clap) => &[("HOME", "Library/Audio/Plug-Ins/CLAP")],
        (System::MacOs, Format::Vst3) => &[("HOME", "Library/Audio/Plug-Ins/VST3")],
        (System::Windows, Format::Clap) => &[("COMMONPROGRAMFILES", "CLAP"), ("LOCALAPPDATA", "Programs/Common/CLAP")],
        (System::Windows, Format::Vst3) => &[("COMMONPROGRAMFILES", "VST3"), ("LOCALAPPDATA", "Programs/Common/VST3")],
    };
    let folders: Vec<PathBuf> = known
        .iter()
        .filter_map(|(base, inside)| {
            let base = variable(base).filter(|folder| Path::new(folder).is_absolute())?;
            Some(inside.split('/').fold(PathBuf::from(base), |folder, name| folder.join(name)))
        })
        .collect();
    if folders.is_empty() {
        let names: Vec<&str> = known.iter().map(|(base, _)| *base).collect();
        let names = names.join(" or ");
        return Err(Problem::new(format!("the environment variable {names} must name a folder; plugins go below it")));
    }
    Ok(folders)
}

/// Copies a file, or a folder with all that is in it.
pub fn copy(from: &Path, to: &Path) -> Outcome<()> {
    let failed = || format!("could not copy {} to {}", from.display(), to.display());
    if !from.is_dir() {
        return fs::copy(from, to).map(drop).while_doing(failed);
    }
    fs::create_dir_all(to).while_doing(failed)?;
    for entry in fs::read_dir(from).while_doing(failed)? {
        let name = entry.while_doing(failed)?.file_name();
        copy(&from.join(&name), &to.join(&name))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_the_ones_hosts_search() {
        let home = |name: &str| (name == "HOME").then(|| OsString::from("/u"));
        for (format, system, expected) in [
            (Format::Clap, System::Linux, "/u/.clap"),
            (Format::Vst3, System::Linux, "/u/.vst3"),
            (Format::Clap, System::MacOs, "/u/Library/Audio/Plug-Ins/CLAP"),
            (Format::Vst3, System::MacOs, "/u/Library/Audio/Plug-Ins/VST3"),
        ] {
            assert_eq!(plugin_folders(format, system, home).expect("known"), [Path::new(expected)]);
        }
        assert!(plugin_folders(Format::Clap, System::Windows, home).is_err());
        // As this system spells absolute folders.
        let windows = |name: &str| match name {
            "COMMONPROGRAMFILES" => Some(OsString::from("/c")),
            "LOCALAPPDATA" => Some(OsString::from("/l")),
            _ => None,
        };
        for (format, expected) in [
            (Format::Clap, ["/c/CLAP", "/l/Programs/Common/CLAP"]),
            (Format::Vst3, ["/c/VST3", "/l/Programs/Common/VST3"]),
        ] {
            let folders = plugin_folders(format, System::Windows, windows).expect("known");
            assert_eq!(folders, expected.map(PathBuf::from));
            assert_eq!(chosen(&folders, |place| place.starts_with("/l")).expect("one"), &folders[1]);
            assert_eq!(chosen(&folders, |_| false).expect("one"), &folders[0]);
        }
        for bad in ["", "relative"] {
            assert!(plugin_folders(Format::Clap, System::Linux, |_| Some(bad.into())).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_folder_is_copied_with_all_in_it() {
        let folder = std::env::temp_dir().join(format!("svc-xtask-copy-{}", std::process::id()));
        fs::create_dir_all(folder.join("a/b")).expect("made");
        fs::write(folder.join("a/b/c"), "text").expect("written");
        copy(&folder.join("a"), &folder.join("z")).expect("copied");
        assert_eq!(fs::read_to_string(folder.join("z/b/c")).expect("there"), "text");
        assert!(copy(&folder.join("none"), &folder.join("y")).is_err());
        fs::remove_dir_all(&folder).expect("removed");
    }
}
