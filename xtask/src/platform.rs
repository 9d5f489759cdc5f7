//! The systems a bundle can be for, and how a bundle looks there.

use crate::shell::{Outcome, Problem};
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    Linux,
    Windows,
    MacOs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Processor {
    X86_64,
    Aarch64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Platform {
    pub system: System,
    pub processor: Processor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Clap,
    Vst3,
}

impl Platform {
    /// From Rust's name for a target (`x86_64-pc-windows-gnu`).
    pub fn from_triple(triple: &str) -> Outcome<Platform> {
        let unknown = || Problem::new(format!("no bundle is defined for the target `{triple}`"));
        let mut parts = triple.split('-');
        let processor = match parts.next() {
            // Both processors in one file: nothing of a bundle's layout tells them apart.
            Some("universal") if triple == crate::universal::UNIVERSAL_TRIPLE => Processor::Aarch64,
            Some("x86_64") => Processor::X86_64,
            Some("aarch64") => Processor::Aarch64,
            _ => return Err(unknown()),
        };
        let system = match (parts.next(), parts.next()) {
            (_, Some("linux")) => System::Linux,
            (_, Some("windows")) => System::Windows,
            (Some("apple"), Some("darwin")) => System::MacOs,
            _ => return Err(unknown()),
        };
        Ok(Platform { system, processor })
    }

    /// The machine this runs on.
    pub fn host() -> Outcome<Platform> {
        let system = match std::env::consts::OS {
            "linux" => System::Linux,
            "windows" => System::Windows,
            "macos" => System::MacOs,
            other => return Err(Problem::new(format!("plugins for {other} are not supported"))),
        };
        let processor = match std::env::consts::ARCH {
            "x86_64" => Processor::X86_64,
            "aarch64" => Processor::Aarch64,
            other => return Err(Problem::new(format!("plugins for {other} processors are not supported"))),
        };
        Ok(Platform { system, processor })
    }

    /// What the compiler calls the library of a crate.
    pub fn library_file(self, krate: &str) -> String {
        let stem = krate.replace('-', "_");
        match self.system {
            System::Linux => format!("lib{stem}.so"),
            System::Windows => format!("{stem}.dll"),
            System::MacOs => format!("lib{stem}.dylib"),
        }
    }
}

impl Processor {
    /// Rust's name for it.
    pub fn name(self) -> &'static str {
        match self {
            Processor::X86_64 => "x86_64",
            Processor::Aarch64 => "aarch64",
        }
    }
}

impl Platform {
    /// What the name of a program ends in.
    pub fn program_ending(self) -> &'static str {
        if self.system == System::Windows { ".exe" } else { "" }
    }
}

impl Format {
    pub const BOTH: [Format; 2] = [Format::Clap, Format::Vst3];

    pub fn ending(self) -> &'static str {
        match self {
            Format::Clap => "clap",
            Format::Vst3 => "vst3",
        }
    }

    /// The symbol by which a host enters the library.
    pub fn entry_symbol(self) -> &'static str {
        match self {
            Format::Clap => "clap_entry",
            Format::Vst3 => "GetPluginFactory",
        }
    }

    /// The bundle's own name: a file or a folder.
    pub fn bundle_file(self, name: &str) -> String {
        format!("{name}.{}", self.ending())
    }

    /// Where the library lies inside the bundle; empty where the bundle is the library itself.
    pub fn library_inside(self, platform: Platform, name: &str) -> PathBuf {
        let processor = match (platform.system, platform.processor) {
            (_, Processor::X86_64) => "x86_64",
            (System::Windows, Processor::Aarch64) => "arm_64",
            (_, Processor::Aarch64) => "aarch64",
        };
        let contents = Path::new("Contents");
        match (self, platform.system) {
            (_, System::MacOs) => contents.join("MacOS").join(name),
            (Format::Clap, _) => PathBuf::new(),
            (Format::Vst3, System::Linux) => contents.join(format!("{processor}-linux")).join(format!("{name}.so")),
            (Format::Vst3, System::Windows) => contents.join(format!("{processor}-win")).join(format!("{name}.vst3")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_are_those_that_hosts_look_for() {
        use Format::*;
        for (triple, format, library, inside) in [
            ("x86_64-unknown-linux-gnu", Clap, "libsvc_device.so", ""),
            ("x86_64-unknown-linux-gnu", Vst3, "libsvc_device.so", "Contents/x86_64-linux/X.so"),
            ("aarch64-unknown-linux-gnu", Vst3, "libsvc_device.so", "Contents/aarch64-linux/X.so"),
            ("x86_64-pc-windows-gnu", Clap, "svc_device.dll", ""),
            ("x86_64-pc-windows-msvc", Vst3, "svc_device.dll", "Contents/x86_64-win/X.vst3"),
            ("aarch64-pc-windows-msvc", Vst3, "svc_device.dll", "Contents/arm_64-win/X.vst3"),
            ("aarch64-apple-darwin", Clap, "libsvc_device.dylib", "Contents/MacOS/X"),
            ("x86_64-apple-darwin", Vst3, "libsvc_device.dylib", "Contents/MacOS/X"),
            ("universal-apple-darwin", Vst3, "libsvc_device.dylib", "Contents/MacOS/X"),
        ] {
            let platform = Platform::from_triple(triple).expect(triple);
            assert_eq!(platform.library_file("svc-device"), library, "{triple}");
            assert_eq!(format.library_inside(platform, "X"), Path::new(inside), "{triple} {format:?}");
        }
    }

    #[test]
    fn other_targets_are_refused() {
        for triple in ["", "x86_64", "riscv64gc-unknown-linux-gnu", "universal-pc-windows-gnu", "aarch64-apple-ios"] {
            assert!(Platform::from_triple(triple).is_err(), "{triple}");
        }
    }
}
