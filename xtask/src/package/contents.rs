//! What lies in the archive of a release.

use super::components::Components;
use crate::bundle::Bundles;
use crate::install::copy;
use crate::platform::{Platform, System};
use crate::shell::{Outcome, Problem, While};
use crate::workspace::Workspace;
use std::fs;
use std::path::{Path, PathBuf};

const HOME_PAGE: &str = "https://github.com/svc-device/svc-device";

/// What was built.
pub struct Contents<'a> {
    pub bundles: &'a Bundles,
    pub program: &'a Path,
    pub platform: Platform,
    pub version: &'a str,
    pub components: &'a Components,
}

impl Contents<'_> {
    /// The plugins, the program, how to install them, and the licences.
    pub fn lay_out(&self, workspace: &Workspace, folder: &Path) -> Outcome<()> {
        for built in [&self.bundles.clap, &self.bundles.vst3, self.program] {
            copy(built, &inside(folder, built)?)?;
        }
        for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
            copy(&workspace.root.join(name), &folder.join(format!("{name}.txt")))?;
        }
        for (name, text) in [
            ("THIRD-PARTY-LICENSES.txt", self.components.licence_texts()),
            ("README.txt", read_me(self.platform.system)),
        ] {
            // Windows' own editor shows both kinds of line ends.
            fs::write(folder.join(name), text).while_doing(|| format!("could not write {name}"))?;
        }
        Ok(())
    }
}

/// The file or bundle of this name in another folder.
pub fn inside(folder: &Path, built: &Path) -> Outcome<PathBuf> {
    let name = built.file_name().ok_or_else(|| Problem::new(format!("{} has no name", built.display())))?;
    Ok(folder.join(name))
}

/// Two lines: how to install it, and where to go on.
pub fn read_me(system: System) -> String {
    let (clap, vst3, more, program) = match system {
        System::Linux => ("~/.clap", "~/.vst3", "(make the folders if there are none)", "./svc-device"),
        System::Windows => (
            r"C:\Program Files\Common Files\CLAP",
            r"C:\Program Files\Common Files\VST3",
            "(make the folders if there are none; Windows asks for an administrator)",
            // PowerShell runs nothing of the folder it is in without the dot.
            r".\svc-device",
        ),
        System::MacOs => (
            "~/Library/Audio/Plug-Ins/CLAP",
            "~/Library/Audio/Plug-Ins/VST3",
            "after `xattr -dr com.apple.quarantine .` in a terminal in this folder, because no company has signed them",
            "./svc-device",
        ),
    };
    format!(
        "Copy \"SVC Device.clap\" to {clap} and \"SVC Device.vst3\" to {vst3} {more}, scan for plugins in your DAW and put \
         SVC Device on an instrument track.\n`{program} doctor` in a terminal in this folder says what is right and what is not, \
         `{program}` runs it without a DAW; all else is at {HOME_PAGE}\n"
    )
}
