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
        let place = place(workspace, format, platform.system)?;
        replace(&place, |fresh| copy(source, fresh)).map_err(|problem| match platform.system {
            System::Windows => Problem::new(format!("{problem}. Open the terminal as administrator and try again")),
            _ => problem,
        })?;
        println!("installed {}", place.display());
    }
    println!("Scan for new plugins in your host; one that has the old plugin loaded keeps it until it is restarted.");
    Ok(())
}

/// Where the bundle of this format belongs on this machine.
pub fn place(workspace: &Workspace, format: Format, system: System) -> Outcome<PathBuf> {
    let folder = plugin_folder(format, system, |name| std::env::var_os(name))?;
    Ok(folder.join(format.bundle_file(&workspace.bundle_name()?)))
}

fn plugin_folder(format: Format, system: System, variable: impl Fn(&str) -> Option<OsString>) -> Outcome<PathBuf> {
    let (base, inside) = match (system, format) {
        (System::Linux, Format::Clap) => ("HOME", ".clap"),
        (System::Linux, Format::Vst3) => ("HOME", ".vst3"),
        (System::MacOs, Format::Clap) => ("HOME", "Library/Audio/Plug-Ins/CLAP"),
        (System::MacOs, Format::Vst3) => ("HOME", "Library/Audio/Plug-Ins/VST3"),
        (System::Windows, Format::Clap) => ("COMMONPROGRAMFILES", "CLAP"),
        (System::Windows, Format::Vst3) => ("COMMONPROGRAMFILES", "VST3"),
    };
    match variable(base) {
        Some(folder) if Path::new(&folder).is_absolute() => Ok(Path::new(&folder).join(inside)),
        _ => Err(Problem::new(format!("the environment variable {base} must name a folder; plugins go below it"))),
    }
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
            assert_eq!(plugin_folder(format, system, home).expect("known"), Path::new(expected));
        }
        assert!(plugin_folder(Format::Clap, System::Windows, home).is_err());
        for bad in ["", "relative"] {
            assert!(plugin_folder(Format::Clap, System::Linux, |_| Some(bad.into())).is_err(), "{bad:?}");
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
