//! `cargo xtask package`: what a release offers for download: an archive with the plugins and the program, a Debian
//! package, the bill of materials, and the sums of all files in the folder.

mod archive;
mod components;
mod contents;
mod debian;
mod page_parts;
mod sbom;

use crate::bundle::{self, Bundles};
use crate::needs::Purpose;
use crate::platform::{Platform, System};
use crate::setup;
use crate::shell::{self, Outcome, Problem, While, run};
use crate::universal::{self, UNIVERSAL_TRIPLE};
use crate::workspace::{PACKAGE, Workspace};
use components::Components;
use contents::Contents;
use std::fs;
use std::path::{Path, PathBuf};

/// `cargo xtask package [--target T]`, and `cargo xtask package --sums`, which only writes the sums anew, of whatever
/// lies in the folder by now.
pub fn command(workspace: &Workspace, arguments: &[String]) -> Outcome<()> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let folder = workspace.packages();
    let target = match words.as_slice() {
        ["--sums"] => return show(&[archive::write_sums(&folder)?]),
        [] => None,
        ["--target", target] => Some(*target),
        _ => return Err(Problem::new("takes nothing, `--target` and the name of a Rust target, or `--sums`")),
    };
    let platform = target.map_or_else(Platform::host, Platform::from_triple)?;
    if platform.system == System::Linux {
        setup::system_packages(&[Purpose::Build])?;
    }
    let bundles = bundle::release(workspace, target)?;
    let program = program(workspace, target, platform)?;
    let made = make(workspace, target, platform, &bundles, &program, &folder)?;
    show(&made)
}

fn show(files: &[PathBuf]) -> Outcome<()> {
    for file in files {
        println!("{}", file.display());
    }
    Ok(())
}

/// The program without a DAW, as a release.
fn program(workspace: &Workspace, target: Option<&str>, platform: Platform) -> Outcome<PathBuf> {
    let name = format!("{PACKAGE}{}", platform.program_ending());
    let build = |triple: Option<&str>| {
        let mut command = shell::cargo();
        command.args(["build", "--release", "--package", PACKAGE, "--bin", PACKAGE, "--features", "standalone"]);
        command.arg("--target-dir").arg(workspace.target()).current_dir(&workspace.root);
        let mut built = workspace.target();
        if let Some(triple) = triple {
            bundle::set_up_target(workspace, triple)?;
            command.args(["--target", triple]);
            built.push(triple);
        }
        run(&mut command)?;
        Ok(built.join("release").join(&name))
    };
    match target {
        Some(UNIVERSAL_TRIPLE) => universal::join(workspace, |triple| build(Some(triple))),
        target => build(target),
    }
}

/// Everything of one system, from what was built.
fn make(
    workspace: &Workspace,
    target: Option<&str>,
    platform: Platform,
    bundles: &Bundles,
    program: &Path,
    folder: &Path,
) -> Outcome<Vec<PathBuf>> {
    let components = Components::of_build(workspace, target)?;
    let version = &workspace.manifest.version;
    let system = label(target, platform);
    let name = format!("{PACKAGE}-{version}-{system}");
    fs::create_dir_all(folder).while_doing(|| format!("could not make {}", folder.display()))?;

    let contents = Contents { bundles, program, platform, version, components: &components };
    let staged = Staging::new(workspace, &name)?;
    contents.lay_out(workspace, &staged.0)?;
    let zip = folder.join(format!("{name}.zip"));
    archive::zip(workspace, &staged.0, &zip)?;
    let bill = folder.join(format!("{name}.cdx.json"));
    fs::write(&bill, sbom::cyclone_dx(workspace, &components))
        .while_doing(|| format!("could not write {}", bill.display()))?;
    let mut made = vec![zip, bill];
    if platform.system == System::Linux {
        let tree = Staging::new(workspace, &format!("{name}-debian"))?;
        made.push(debian::package(workspace, &contents, &tree.0, folder)?);
    }
    made.push(archive::write_sums(folder)?);
    Ok(made)
}

/// The system in the names of files.
fn label(target: Option<&str>, platform: Platform) -> String {
    let processor = match target {
        Some(UNIVERSAL_TRIPLE) => "universal",
        _ => platform.processor.name(),
    };
    let system = match platform.system {
        System::Linux => "linux",
        System::Windows => "windows",
        System::MacOs => "macos",
    };
    format!("{system}-{processor}")
}

/// An empty folder for what becomes one file, gone afterwards.
struct Staging(PathBuf);

impl Staging {
    fn new(workspace: &Workspace, name: &str) -> Outcome<Staging> {
        let folder = workspace.target().join("staging").join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder).while_doing(|| format!("could not empty {}", folder.display()))?;
        }
        fs::create_dir_all(&folder).while_doing(|| format!("could not make {}", folder.display()))?;
        Ok(Staging(folder))
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests;
