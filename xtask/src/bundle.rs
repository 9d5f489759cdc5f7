//! Building the plugin's library and laying it out as hosts look for it.
//!
//! Invariant: what lies in a bundle was built with the plugin's own features alone; those that tests ask of
//! dependencies change what a library does (with one of tokio's it leaves sockets open when it goes). And two feature
//! sets of one `cdylib` share one output file in a target folder, where cargo does not always see that the other one
//! lies there; so the file is removed before a build, and cargo links it again. It is the small package in
//! `plugin-library/`: only its link is done twice.

use crate::needs::Purpose;
use crate::platform::{Format, Platform, System};
use crate::setup;
use crate::shell::{self, Outcome, Problem, While, run};
use crate::universal::{self, UNIVERSAL_TRIPLE};
use crate::workspace::{PACKAGE, PLUGIN_PACKAGE, Workspace};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub const RELEASE: &str = "release";

/// The bundles of one build.
pub struct Bundles {
    pub clap: PathBuf,
    pub vst3: PathBuf,
}

/// `cargo xtask bundle [--target T]`.
pub fn command(workspace: &Workspace, arguments: &[String]) -> Outcome<()> {
    let target = match arguments {
        [] => None,
        [flag, target] if flag == "--target" => Some(target.as_str()),
        _ => return Err(Problem::new("takes nothing, or `--target` and the name of a Rust target")),
    };
    let bundles = release(workspace, target)?;
    println!("{}\n{}", bundles.clap.display(), bundles.vst3.display());
    if let Some(target) = target.filter(|target| target.contains("-windows-")) {
        // Whoever has Windows seldom has a compiler.
        println!("{}", program(workspace, RELEASE, target, &bundled_for(workspace, Some(target)))?.display());
    }
    Ok(())
}

/// The plugins as a user gets them, in `target/bundled` (for another system in a folder of that name inside it).
pub fn release(workspace: &Workspace, target: Option<&str>) -> Outcome<Bundles> {
    if target == Some(UNIVERSAL_TRIPLE) {
        let library = universal::join(workspace, |triple| build_for(workspace, RELEASE, Some(triple)))?;
        let platform = Platform::from_triple(UNIVERSAL_TRIPLE)?;
        return make(workspace, &library, &bundled_for(workspace, target), platform);
    }
    build(workspace, RELEASE, target, &bundled_for(workspace, target))
}

fn bundled_for(workspace: &Workspace, target: Option<&str>) -> PathBuf {
    target.map_or_else(|| workspace.bundled(), |triple| workspace.bundled().join(triple))
}

/// The plugins of a profile, for this system or another one, in this folder.
pub fn build(workspace: &Workspace, profile: &str, target: Option<&str>, folder: &Path) -> Outcome<Bundles> {
    let platform = target.map_or_else(Platform::host, Platform::from_triple)?;
    make(workspace, &build_for(workspace, profile, target)?, folder, platform)
}

fn build_for(workspace: &Workspace, profile: &str, target: Option<&str>) -> Outcome<PathBuf> {
    let mut built = workspace.target();
    let mut build = cargo_build(workspace);
    build.args(["--profile", profile]);
    let platform = target.map_or_else(Platform::host, Platform::from_triple)?;
    if let Some(triple) = target {
        set_up_target(workspace, triple)?;
        build.args(["--target", triple]);
        built.push(triple);
    }
    build_library(&mut build, &built.join(profile), platform)
}

/// `svc-device` for another system, in this folder.
pub fn program(workspace: &Workspace, profile: &str, triple: &str, folder: &Path) -> Outcome<PathBuf> {
    set_up_target(workspace, triple)?;
    let file = format!("{PACKAGE}{}", Platform::from_triple(triple)?.program_ending());
    let mut build = shell::cargo();
    build.args(["build", "--package", PACKAGE, "--bin", PACKAGE, "--features", "standalone", "--profile", profile]);
    build.args(["--target", triple, "--target-dir"]).arg(workspace.target()).current_dir(&workspace.root);
    run(&mut build)?;
    let built = workspace.target().join(triple).join(profile).join(&file);
    let place = folder.join(&file);
    replace(&place, |fresh| {
        fs::copy(&built, fresh).map(drop).while_doing(|| format!("could not copy {}", built.display()))
    })?;
    Ok(place)
}

pub fn set_up_target(workspace: &Workspace, triple: &str) -> Outcome<()> {
    setup::rust_targets(workspace, &[triple])?;
    if triple.ends_with("-windows-gnu") { setup::system_packages(&[Purpose::Mingw]) } else { Ok(()) }
}

/// Debug plugins that abort on an allocation in `process` and carry the test tools, in `target/bundled-rtcheck`. Most
/// of their dependencies are those of the tests, in the same target folder.
pub fn rtcheck(workspace: &Workspace) -> Outcome<Bundles> {
    let platform = Platform::host()?;
    let mut build = cargo_build(workspace);
    build.args(["--features", "rtcheck,test-tools"]);
    let library = build_library(&mut build, &workspace.target().join("debug"), platform)?;
    make(workspace, &library, &workspace.bundled_rtcheck(), platform)
}

fn cargo_build(workspace: &Workspace) -> Command {
    let mut command = shell::cargo();
    command
        .args(["build", "--package", PLUGIN_PACKAGE, "--lib", "--target-dir"])
        .arg(workspace.target())
        .current_dir(&workspace.root);
    command
}

/// Runs a build that makes the plugin's library in this folder, never taking what another build left there.
fn build_library(build: &mut Command, folder: &Path, platform: Platform) -> Outcome<PathBuf> {
    let file = platform.library_file(PLUGIN_PACKAGE);
    let library = folder.join(&file);
    remove(&library)?;
    remove(&folder.join("deps").join(&file))?;
    run(build)?;
    Ok(library)
}

fn make(workspace: &Workspace, library: &Path, folder: &Path, platform: Platform) -> Outcome<Bundles> {
    let name = workspace.bundle_name()?;
    check_entries(library)?;
    let made = |format| write(library, folder, &name, &workspace.manifest.version, format, platform);
    Ok(Bundles { clap: made(Format::Clap)?, vst3: made(Format::Vst3)? })
}

/// A library without its entry would be a bundle that every host passes over in silence.
fn check_entries(library: &Path) -> Outcome<()> {
    let bytes = fs::read(library).while_doing(|| format!("could not read the built library {}", library.display()))?;
    for format in Format::BOTH {
        let symbol = format.entry_symbol();
        if !contains(&bytes, format!("{symbol}\0").as_bytes()) {
            return Err(Problem::new(format!(
                "{} does not export `{symbol}`, so no host would see a {} plugin in it",
                library.display(),
                format.ending().to_uppercase()
            )));
        }
    }
    Ok(())
}

fn contains(haystack: &[u8], needle: &[u8]) -> bool {
    haystack.windows(needle.len()).any(|window| window == needle)
}

/// Lays out one bundle and puts it in place of an older one; returns its path.
fn write(
    library: &Path,
    folder: &Path,
    name: &str,
    version: &str,
    format: Format,
    platform: Platform,
) -> Outcome<PathBuf> {
    let bundle = folder.join(format.bundle_file(name));
    replace(&bundle, |fresh| {
        let binary = match format.library_inside(platform, name) {
            inside if inside.as_os_str().is_empty() => fresh.to_owned(),
            inside => fresh.join(inside),
        };
        if let Some(parent) = binary.parent() {
            fs::create_dir_all(parent).while_doing(|| format!("could not make {}", parent.display()))?;
        }
        fs::copy(library, &binary)
            .while_doing(|| format!("could not copy {} to {}", library.display(), binary.display()))?;
        if platform.system == System::MacOs {
            let contents = fresh.join("Contents");
            for (file, text) in [("PkgInfo", "BNDL????".to_owned()), ("Info.plist", info_plist(name, version, format))]
            {
                fs::write(contents.join(file), text).while_doing(|| format!("could not write {file}"))?;
            }
            if cfg!(target_os = "macos") {
                // An unsigned library does not load on Apple's own processors; `-` is a signature without an identity.
                run(Command::new("codesign").args(["--force", "--sign", "-"]).arg(fresh))?;
            }
        }
        Ok(())
    })?;
    Ok(bundle)
}

/// Makes a file or folder beside the old one and exchanges them by renaming, so that nobody ever sees half of it and a
/// host that has the old library open keeps it.
pub fn replace(place: &Path, make: impl FnOnce(&Path) -> Outcome<()>) -> Outcome<()> {
    let (Some(folder), Some(name)) = (place.parent(), place.file_name()) else {
        return Err(Problem::new(format!("{} is no place for a bundle", place.display())));
    };
    fs::create_dir_all(folder).while_doing(|| format!("could not make {}", folder.display()))?;
    let beside = |what: &str| folder.join(format!(".{}.{what}-{}", name.to_string_lossy(), std::process::id()));
    let (fresh, old) = (beside("new"), beside("old"));
    remove(&fresh)?;
    remove(&old)?;
    let exchanged = make(&fresh).and_then(|()| {
        let had_old = place.symlink_metadata().is_ok();
        if had_old {
            fs::rename(place, &old).while_doing(|| format!("could not move the old {} away", place.display()))?;
        }
        let placed = fs::rename(&fresh, place).while_doing(|| format!("could not put {} in place", place.display()));
        if placed.is_err() && had_old {
            fs::rename(&old, place).while_doing(|| format!("could not put the old {} back", place.display()))?;
        }
        placed
    });
    if exchanged.is_err() {
        remove(&fresh)?;
        return exchanged;
    }
    remove(&old)
}

fn remove(path: &Path) -> Outcome<()> {
    let removed = match path.symlink_metadata() {
        Err(_) => return Ok(()),
        Ok(data) if data.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
    };
    removed.while_doing(|| format!("could not remove {}", path.display()))
}

/// What macOS wants to know about a bundle.
fn info_plist(name: &str, version: &str, format: Format) -> String {
    let identifier = format!("com.svc-device.svc-device.{}", format.ending());
    let entries: String = [
        ("CFBundleDevelopmentRegion", "en"),
        ("CFBundleExecutable", name),
        ("CFBundleIdentifier", &identifier),
        ("CFBundleInfoDictionaryVersion", "6.0"),
        ("CFBundleName", name),
        ("CFBundlePackageType", "BNDL"),
        ("CFBundleShortVersionString", version),
        ("CFBundleSignature", "????"),
        ("CFBundleVersion", version),
    ]
    .iter()
    .map(|(key, value)| format!("\t<key>{key}</key>\n\t<string>{value}</string>\n"))
    .collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n\
         <plist version=\"1.0\">\n<dict>\n{entries}</dict>\n</plist>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of this test's own, gone when it ends.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Scratch {
            let folder = std::env::temp_dir().join(format!("svc-xtask-{name}-{}", std::process::id()));
            fs::create_dir_all(&folder).expect("a folder for the test");
            Scratch(folder)
        }

        fn files(&self) -> Vec<String> {
            fn walk(folder: &Path, root: &Path, found: &mut Vec<String>) {
                for entry in fs::read_dir(folder).expect("readable").flatten() {
                    if entry.path().is_dir() {
                        walk(&entry.path(), root, found);
                    } else {
                        found.push(entry.path().strip_prefix(root).expect("inside").display().to_string());
                    }
                }
            }
            let mut found = Vec::new();
            walk(&self.0, &self.0, &mut found);
            found.sort();
            found
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_new_bundle_takes_the_place_of_the_old_one_whole() {
        let scratch = Scratch::new("bundle");
        let library = scratch.0.join("lib");
        let out = scratch.0.join("out");
        let linux = Platform::from_triple("x86_64-unknown-linux-gnu").expect("known");
        let mac = Platform::from_triple("aarch64-apple-darwin").expect("known");
        for (text, platform) in [("one", mac), ("two", linux)] {
            fs::write(&library, text).expect("written");
            for format in Format::BOTH {
                write(&library, &out, "X", "1.0.0", format, platform).expect("bundled");
            }
        }
        assert_eq!(scratch.files(), ["lib", "out/X.clap", "out/X.vst3/Contents/x86_64-linux/X.so"]);
        assert_eq!(fs::read_to_string(out.join("X.clap")).expect("there"), "two");
    }

    #[test]
    fn a_failed_making_leaves_the_old_one_and_no_rubbish() {
        let scratch = Scratch::new("failed");
        let place = scratch.0.join("X.clap");
        fs::write(&place, "old").expect("written");
        let outcome = replace(&place, |fresh| {
            fs::write(fresh, "half").expect("written");
            Err(Problem::new("no"))
        });
        assert!(outcome.is_err());
        assert_eq!(scratch.files(), ["X.clap"]);
        assert_eq!(fs::read_to_string(&place).expect("there"), "old");
    }

    #[test]
    fn macos_bundles_carry_their_identity() {
        let scratch = Scratch::new("mac");
        let library = scratch.0.join("lib");
        fs::write(&library, "code").expect("written");
        let mac = Platform::from_triple("aarch64-apple-darwin").expect("known");
        if cfg!(target_os = "macos") {
            return; // codesign refuses what is no library
        }
        write(&library, &scratch.0, "X", "1.0.0", Format::Clap, mac).expect("bundled");
        assert_eq!(
            scratch.files(),
            ["X.clap/Contents/Info.plist", "X.clap/Contents/MacOS/X", "X.clap/Contents/PkgInfo", "lib"]
        );
        assert_eq!(fs::read(scratch.0.join("X.clap/Contents/PkgInfo")).expect("there"), b"BNDL????");
    }

    #[test]
    fn the_plist_names_executable_identifier_and_version() {
        let text = info_plist("SVC Device", "1.2.3", Format::Vst3);
        for (key, value) in [
            ("CFBundleExecutable", "SVC Device"),
            ("CFBundleIdentifier", "com.svc-device.svc-device.vst3"),
            ("CFBundlePackageType", "BNDL"),
            ("CFBundleVersion", "1.2.3"),
            ("CFBundleShortVersionString", "1.2.3"),
        ] {
            assert!(text.contains(&format!("<key>{key}</key>\n\t<string>{value}</string>")), "{key}: {text}");
        }
        assert!(info_plist("X", "1", Format::Clap).contains("com.svc-device.svc-device.clap"));
    }

    #[test]
    fn a_library_without_an_entry_is_refused() {
        let scratch = Scratch::new("entries");
        let library = scratch.0.join("lib");
        for (bytes, missing) in [
            (&b"..clap_entry\0GetPluginFactory\0"[..], None),
            (b"..clap_entry\0", Some("GetPluginFactory")),
            (b"GetPluginFactory\0clap_entry_other\0", Some("clap_entry")),
            (b"", Some("clap_entry")),
        ] {
            fs::write(&library, bytes).expect("written");
            let problem = check_entries(&library).err().map(|problem| problem.to_string());
            assert_eq!(problem.is_some(), missing.is_some(), "{bytes:?}");
            if let (Some(text), Some(symbol)) = (problem, missing) {
                assert!(text.contains(&format!("`{symbol}`")), "{text}");
            }
        }
    }
}
