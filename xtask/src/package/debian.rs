//! The Debian package: the plugins where every host looks for them, and the program on the path.

use super::archive::dated;
use super::contents::{Contents, inside};
use crate::install::copy;
use crate::platform::Processor;
use crate::shell::{Outcome, Problem, While, find_program, run};
use crate::workspace::{PACKAGE, Workspace};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Puts the package into `folder`; `tree` is an empty folder to lay it out in.
pub fn package(workspace: &Workspace, contents: &Contents, tree: &Path, folder: &Path) -> Outcome<PathBuf> {
    if find_program("dpkg-deb").is_none() {
        return Err(Problem::new("a Debian package is made by `dpkg-deb`; install the package dpkg"));
    }
    lay_out(workspace, contents, tree)?;
    let architecture = architecture(contents.platform.processor);
    let package = folder.join(format!("{PACKAGE}_{}_{architecture}.deb", contents.version));
    // What is umasked here must not be missing there.
    run(Command::new("chmod").args(["--recursive", "u=rwX,go=rX"]).arg(tree))?;
    let mut command = Command::new("dpkg-deb");
    command.args(["--build", "--root-owner-group", "-Zxz"]).arg(tree).arg(&package).stdout(Stdio::null());
    run(dated(workspace, &mut command))?;
    Ok(package)
}

fn lay_out(workspace: &Workspace, contents: &Contents, tree: &Path) -> Outcome<()> {
    let documents = tree.join("usr/share/doc").join(PACKAGE);
    let places = [tree.join("usr/lib/clap"), tree.join("usr/lib/vst3"), tree.join("usr/bin")];
    for folder in places.iter().chain([&documents]) {
        fs::create_dir_all(folder).while_doing(|| format!("could not make {}", folder.display()))?;
    }
    for (folder, built) in places.iter().zip([&contents.bundles.clap, &contents.bundles.vst3, contents.program]) {
        copy(built, &inside(folder, built)?)?;
    }
    let mut licences = fs::read_to_string(workspace.root.join("LICENSE-MIT"))
        .while_doing(|| "could not read LICENSE-MIT".to_owned())?;
    licences.push_str("\nOr, as you like, Apache-2.0: /usr/share/common-licenses/Apache-2.0\n\n");
    licences.push_str(&contents.components.licence_texts());
    write(&documents.join("copyright"), &licences)?;
    for name in ["README.md", "CHANGELOG.md"] {
        copy(&workspace.root.join(name), &documents.join(name))?;
    }
    // On Linux the CLAP plugin is its library.
    let control = control(contents, size_kib(tree)?, &glibc_version(&[&contents.bundles.clap, contents.program])?);
    let folder = tree.join("DEBIAN");
    fs::create_dir_all(&folder).while_doing(|| format!("could not make {}", folder.display()))?;
    write(&folder.join("control"), &control)
}

fn control(contents: &Contents, size_kib: u64, glibc: &str) -> String {
    // The name of ALSA's library changed with its package; both are met by the old name. The window's libraries are
    // looked for when it opens: without them the plugin plays on.
    format!(
        "Package: {PACKAGE}\n\
         Version: {}\n\
         Architecture: {}\n\
         Maintainer: SVC Device <svc-device@users.noreply.github.com>\n\
         Section: sound\n\
         Priority: optional\n\
         Installed-Size: {size_kib}\n\
         Depends: libc6 (>= {glibc}), libgcc-s1, libasound2\n\
         Recommends: libgl1, libx11-6, libx11-xcb1, libxcb1, libxkbcommon0, libxkbcommon-x11-0\n\
         Suggests: ardour, jackd\n\
         Homepage: https://github.com/svc-device/svc-device\n\
         Description: script your music session over HTTP\n \
         A CLAP and VST3 plugin, and a program without a DAW. It opens a server on this\n \
         machine with a list of named tools that read and change a session of tracks,\n \
         scenes and clips, which are heard by a sound engine of its own and played as\n \
         MIDI. It opens Sets of Ableton Live.\n",
        contents.version,
        architecture(contents.platform.processor)
    )
}

fn architecture(processor: Processor) -> &'static str {
    match processor {
        Processor::X86_64 => "amd64",
        Processor::Aarch64 => "arm64",
    }
}

fn size_kib(folder: &Path) -> Outcome<u64> {
    let failed = || format!("could not list {}", folder.display());
    let mut size = 0;
    for entry in fs::read_dir(folder).while_doing(failed)? {
        let entry = entry.while_doing(failed)?;
        let about = entry.metadata().while_doing(failed)?;
        size += if about.is_dir() { size_kib(&entry.path())? } else { about.len().div_ceil(1024) };
    }
    Ok(size)
}

/// The newest version of the C library that a file asks for; the loader refuses an older one.
fn glibc_version(files: &[&Path]) -> Outcome<String> {
    let mut newest = (0, 0);
    for file in files {
        let bytes = fs::read(file).while_doing(|| format!("could not read {}", file.display()))?;
        newest = newest.max(newest_symbol_version(&bytes));
    }
    match newest {
        (0, 0) => Err(Problem::new("the built files ask for no version of the C library; are they for Linux?")),
        (major, minor) => Ok(format!("{major}.{minor}")),
    }
}

fn newest_symbol_version(bytes: &[u8]) -> (u32, u32) {
    const MARK: &[u8] = b"GLIBC_";
    let mut newest = (0, 0);
    for (at, _) in bytes.windows(MARK.len()).enumerate().filter(|(_, window)| *window == MARK) {
        let rest = bytes.get(at + MARK.len()..).unwrap_or_default();
        let name: String =
            rest.iter().take(8).map(|byte| char::from(*byte)).take_while(|c| c.is_ascii_digit() || *c == '.').collect();
        let mut numbers = name.split('.').map(|number| number.parse().unwrap_or(0));
        newest = newest.max((numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)));
    }
    newest
}

fn write(file: &Path, text: &str) -> Outcome<()> {
    fs::write(file, text).while_doing(|| format!("could not write {}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_version_counts_by_number() {
        for (bytes, expected) in
            [(&b"GLIBC_2.2.5\0GLIBC_2.34\0GLIBC_2.9\0"[..], (2, 34)), (b"..GLIBC_PRIVATE\0", (0, 0)), (b"", (0, 0))]
        {
            assert_eq!(newest_symbol_version(bytes), expected);
        }
    }
}
