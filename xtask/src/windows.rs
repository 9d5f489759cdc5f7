//! The programs and plugins for Windows, built on Linux with mingw, and the wine that the tests run them in.
//!
//! The tests take the `quick` profile: what they look at (imports, files, locks, consoles, the host's calls) is the
//! same in every profile, and a release build would take twice the time. See D111 in `docs/decisions.md`.

use crate::bundle;
use crate::needs::{self, Purpose};
use crate::setup;
use crate::shell::{self, Outcome, Problem, While, capture, run};
use crate::workspace::Workspace;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The Windows that mingw builds for.
pub const TARGET: &str = "x86_64-pc-windows-gnu";
const PROFILE: &str = "quick";
/// Holds the VST3 and CLAP plugins, and the device's console.
const HOST_PACKAGE: &str = "svc-device-windows-host";
const COMPILER: &str = "x86_64-w64-mingw32-gcc";

/// What the tests and the benchmark are given.
pub struct WindowsTests {
    /// The bundles, `svc-device.exe` and the test host.
    pub folder: PathBuf,
    pub wine: PathBuf,
    pub prefix: PathBuf,
}

impl WindowsTests {
    /// Tells a program of them, which runs what was built.
    pub fn name_in(&self, command: &mut Command) {
        command.env("SVC_WINDOWS", &self.folder).env("SVC_WINE", &self.wine).env("SVC_WINE_PREFIX", &self.prefix);
    }
}

/// `cargo xtask windows`: what `cargo xtask test` does for these tests, without the tests.
pub fn command(workspace: &Workspace) -> Outcome<()> {
    if !is_possible() {
        return Err(Problem::new("only Linux on x86-64 builds for Windows and runs wine here"));
    }
    let folder = build(workspace)?;
    let WindowsTests { folder, wine, prefix } = prepare(workspace, folder)?;
    println!(
        "To run these tests alone:\n  SVC_WINDOWS='{}' SVC_WINE='{}' SVC_WINE_PREFIX='{}' \\\n    cargo test --features \
         standalone,test-tools --test it windows::",
        folder.display(),
        wine.display(),
        prefix.display()
    );
    Ok(())
}

/// Whether Windows programs can be built and run here.
pub fn is_possible() -> bool {
    cfg!(all(target_os = "linux", target_arch = "x86_64"))
}

/// Builds everything for Windows that the tests run.
pub fn build(workspace: &Workspace) -> Outcome<PathBuf> {
    setup::rust_targets(workspace, &[TARGET])?;
    let folder = workspace.target().join("windows");
    bundle::build(workspace, PROFILE, Some(TARGET), &folder)?;
    bundle::program(workspace, PROFILE, TARGET, &folder)?;
    let name = format!("{HOST_PACKAGE}.exe");
    let mut cargo = shell::cargo();
    cargo.args(["build", "--profile", PROFILE, "--target", TARGET, "--package", HOST_PACKAGE, "--target-dir"]);
    run(cargo.arg(workspace.target()).current_dir(&workspace.root))?;
    copy(&workspace.target().join(TARGET).join(PROFILE).join(&name), &folder.join(&name))?;
    Ok(folder)
}

/// The device as it ships, and a wine that is ready to run it.
pub fn for_bench(workspace: &Workspace) -> Outcome<WindowsTests> {
    let folder = workspace.bundled().join(TARGET);
    bundle::program(workspace, bundle::RELEASE, TARGET, &folder)?;
    prepare(workspace, folder)
}

/// A wine that is ready to run what was built.
pub fn prepare(workspace: &Workspace, folder: PathBuf) -> Outcome<WindowsTests> {
    setup::system_packages(&[Purpose::Wine])?;
    let wine = needs::wine().ok_or_else(|| Problem::new("the tests of the Windows plugins need wine: `wine64`"))?;
    let prefix = workspace.target().join("wine");
    make_prefix(&wine, &prefix)?;
    add_missing_library(workspace, &prefix)?;
    Ok(WindowsTests { folder, wine, prefix })
}

/// Wine's folder with a C: drive of its own: made once for each version of wine, which takes some ten seconds.
fn make_prefix(wine: &Path, prefix: &Path) -> Outcome<()> {
    let version = capture(Command::new(wine).arg("--version")).unwrap_or_default();
    let stamp = prefix.join("made-by.txt");
    if fs::read_to_string(&stamp).is_ok_and(|text| text == version) {
        return Ok(());
    }
    println!("making a folder for wine in target/wine");
    if prefix.exists() {
        fs::remove_dir_all(prefix).while_doing(|| format!("could not remove {}", prefix.display()))?;
    }
    fs::create_dir_all(prefix).while_doing(|| format!("could not make {}", prefix.display()))?;
    run(&mut in_wine(wine, prefix, &["wineboot", "--init"]))?;
    // A crash is a test's failure; nobody is there to close a window about it.
    let crash_window = r"HKCU\Software\Wine\WineDbg";
    let silent = ["reg", "add", crash_window, "/v", "ShowCrashDialog", "/t", "REG_DWORD", "/d", "0", "/f"];
    run(&mut in_wine(wine, prefix, &silent))?;
    fs::write(&stamp, version).while_doing(|| format!("could not write {}", stamp.display()))
}

/// A command of Windows', without sound, without a window, and without what wine would offer to download.
fn in_wine(wine: &Path, prefix: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(wine);
    command
        .args(arguments)
        .env("WINEPREFIX", prefix)
        .env("WINEDEBUG", "-all")
        .env("WINEDLLOVERRIDES", "mscoree=;mshtml=;winemenubuilder.exe=")
        .env_remove("DISPLAY")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// Wine 8 has no `bcryptprimitives.dll`, which Rust's programs take their random bytes from. It gets one of ours, in
/// its own folder: no bundle ever holds it.
fn add_missing_library(workspace: &Workspace, prefix: &Path) -> Outcome<()> {
    let source = workspace.root.join("tests/windows_host/bcryptprimitives.c");
    let library = prefix.join("drive_c/windows/system32/bcryptprimitives.dll");
    let time = |path: &Path| fs::metadata(path).and_then(|about| about.modified()).ok();
    if time(&library).is_some_and(|made| time(&source).is_some_and(|written| made >= written)) {
        return Ok(());
    }
    run(Command::new(COMPILER).args(["-shared", "-s", "-O1", "-o"]).arg(&library).arg(&source).arg("-ladvapi32"))
}

fn copy(from: &Path, to: &Path) -> Outcome<()> {
    fs::copy(from, to).map(drop).while_doing(|| format!("could not copy {} to {}", from.display(), to.display()))
}
