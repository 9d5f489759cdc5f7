//! The system packages the project needs, as a table, and how to see whether they are there.
//!
//! Each is looked for by what it gives (a program, a library), not by its name in a package manager, so that the table
//! works on any Linux. The plugin itself needs none of them to build: only the device without a DAW and the tests do. A
//! C linker is not listed, because without one cargo could not have built this very program.

use crate::shell::{capture, find_program};
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To build `svc-device`, the device without a DAW.
    Build,
    /// To show its window.
    Window,
    /// To run the tests.
    Test,
    /// To run the tests in a DAW, which say so and pass where there is none.
    Daw,
    /// To run the tests of the page, which say so and pass where there is none.
    Browser,
    /// To measure beside what others use; a benchmark says so where there is none.
    Bench,
    /// To build for Windows.
    Mingw,
    /// To run what was built for Windows.
    Wine,
}

#[derive(Clone, Copy, Debug)]
enum Probe {
    Program(&'static str),
    /// Any of these programs.
    OneOf(&'static [&'static str]),
    /// Known to `pkg-config`.
    PkgConfig(&'static str),
    /// A shared library that is loaded at run time.
    Library(&'static str),
    PythonModules(&'static str),
    /// Wine for programs of 64 bits.
    Wine,
}

#[derive(Debug)]
pub struct Need {
    pub purpose: Purpose,
    probe: Probe,
    pub debian_package: &'static str,
    /// For a person on another system.
    pub what: &'static str,
}

use Probe::{Library, OneOf, PkgConfig, Program, PythonModules, Wine};

#[rustfmt::skip]
pub const LINUX: [Need; 20] = [
    need(Purpose::Build, Program("pkg-config"), "pkg-config", "the program pkg-config"),
    need(Purpose::Build, PkgConfig("alsa"), "libasound2-dev", "the ALSA development files (alsa.pc)"),
    need(Purpose::Build, PkgConfig("jack"), "libjack-jackd2-dev", "the JACK development files (jack.pc)"),
    need(Purpose::Window, Library("libX11.so.6"), "libx11-6", "the library libX11"),
    need(Purpose::Window, Library("libX11-xcb.so.1"), "libx11-xcb1", "the library libX11-xcb"),
    need(Purpose::Window, Library("libxcb.so.1"), "libxcb1", "the library libxcb"),
    need(Purpose::Window, Library("libxkbcommon.so.0"), "libxkbcommon0", "the library libxkbcommon"),
    need(Purpose::Window, Library("libxkbcommon-x11.so.0"), "libxkbcommon-x11-0", "the library libxkbcommon-x11"),
    need(Purpose::Window, Library("libGL.so.1"), "libgl1", "OpenGL (libGL)"),
    need(Purpose::Test, Program("Xvfb"), "xvfb", "the program Xvfb, a display without a screen"),
    need(Purpose::Test, Program("jackd"), "jackd2", "the JACK server (jackd)"),
    need(Purpose::Test, Program("python3"), "python3", "Python 3"),
    need(Purpose::Test, PythonModules("venv, ensurepip"), "python3-venv", "Python's modules venv and ensurepip"),
    need(Purpose::Test, Program("node"), "nodejs", "Node.js"),
    need(Purpose::Daw, OneOf(&["ardour7-lua", "ardour8-lua", "ardour9-lua"]), "ardour", "Ardour, a DAW, with the program that runs its scripts"),
    need(Purpose::Browser, OneOf(&["chromium", "chromium-browser", "google-chrome"]), "chromium", "Chromium, a browser"),
    need(Purpose::Bench, Program("python3"), "python3", "Python 3"),
    need(Purpose::Bench, Program("ffprobe"), "ffmpeg", "the program ffprobe"),
    need(Purpose::Mingw, Program("x86_64-w64-mingw32-gcc"), "gcc-mingw-w64-x86-64-win32", "mingw, the C compiler for Windows (x86_64-w64-mingw32-gcc)"),
    need(Purpose::Wine, Wine, "wine64", "wine for Windows programs of 64 bits (wine64)"),
];

/// Only where `xtask/env/package.json` names packages: Debian's npm brings several hundred packages of its own.
pub const NPM: Need = need(Purpose::Test, Program("npm"), "npm", "npm");

const fn need(purpose: Purpose, probe: Probe, debian_package: &'static str, what: &'static str) -> Need {
    Need { purpose, probe, debian_package, what }
}

impl Need {
    pub fn is_met(&self) -> bool {
        match self.probe {
            Program(name) => find_program(name).is_some(),
            OneOf(names) => names.iter().any(|name| find_program(name).is_some()),
            PkgConfig(name) => capture(Command::new("pkg-config").args(["--exists", name])).is_some(),
            Library(name) => library_folders().iter().any(|folder| Path::new(folder).join(name).exists()),
            Wine => wine().is_some(),
            PythonModules(names) => capture(Command::new("python3").args(["-c", &format!("import {names}")])).is_some(),
        }
    }
}

/// Wine's loader. Debian has it beside its libraries; what it puts on the path asks for the loader of 32 bits too.
pub fn wine() -> Option<PathBuf> {
    let debian = PathBuf::from("/usr/lib/wine/wine64");
    debian.is_file().then_some(debian).or_else(|| find_program("wine64"))
}

fn library_folders() -> [String; 7] {
    let multiarch = format!("{}-linux-gnu", std::env::consts::ARCH);
    [
        "/lib".to_owned(),
        "/lib64".to_owned(),
        "/usr/lib".to_owned(),
        "/usr/lib64".to_owned(),
        "/usr/local/lib".to_owned(),
        format!("/lib/{multiarch}"),
        format!("/usr/lib/{multiarch}"),
    ]
}

/// The Debian packages that would meet these needs, each once.
pub fn debian_packages(needs: &[&Need]) -> Vec<&'static str> {
    let mut packages: Vec<_> = needs.iter().map(|need| need.debian_package).collect();
    packages.sort_unstable();
    packages.dedup();
    packages
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_is_not_met() {
        for probe in [
            Program("svc-no-such-program"),
            PkgConfig("svc-no-such-module"),
            Library("libsvc-no-such.so.1"),
            PythonModules("svc_no_such_module"),
            OneOf(&["svc-no-such-program", "svc-nor-this"]),
        ] {
            assert!(!need(Purpose::Test, probe, "x", "x").is_met(), "{probe:?}");
        }
        for probe in [Program("cargo"), OneOf(&["svc-no-such-program", "cargo"])] {
            assert!(need(Purpose::Test, probe, "x", "x").is_met());
        }
    }

    #[test]
    fn packages_are_named_once() {
        let twice = need(Purpose::Test, Program("b"), "b", "b");
        let once = need(Purpose::Test, Program("a"), "a", "a");
        assert_eq!(debian_packages(&[&twice, &once, &twice]), ["a", "b"]);
    }
}
