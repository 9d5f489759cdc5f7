//! The plugins as files: laid out as hosts look for them, entered by the right symbols, and in need of nothing but the
//! C runtime.
//!
//! `cargo xtask test` names the bundles in `SVC_CLAP`, `SVC_VST3` and, for the checked debug build, `SVC_CLAP_RTCHECK`
//! and `SVC_VST3_RTCHECK`. A plain `cargo test` takes what `cargo xtask bundle` left in `target/bundled`.

use std::fs;
use std::path::{Path, PathBuf};

const NAME: &str = "SVC Device";

/// Which build of the plugin.
#[derive(Clone, Copy)]
pub enum Build {
    Release,
    /// A debug build that aborts on an allocation in `process` and has the test tools.
    Checked,
}

/// The library of the CLAP plugin.
pub fn clap(build: Build) -> PathBuf {
    library_in_clap(&match build {
        Build::Release => bundle("SVC_CLAP", "bundled", "clap"),
        Build::Checked => bundle("SVC_CLAP_RTCHECK", "bundled-rtcheck", "clap"),
    })
}

/// The library of the VST3 plugin.
pub fn vst3(build: Build) -> PathBuf {
    library_in_vst3(&match build {
        Build::Release => vst3_bundle(),
        Build::Checked => bundle("SVC_VST3_RTCHECK", "bundled-rtcheck", "vst3"),
    })
}

/// The whole bundle of the VST3 plugin's release build, for hosts that look for the library themselves.
pub fn vst3_bundle() -> PathBuf {
    bundle("SVC_VST3", "bundled", "vst3")
}

/// The bundle that this variable names, or the one in a folder of `target`.
fn bundle(variable: &str, folder: &str, ending: &str) -> PathBuf {
    let path = std::env::var_os(variable).map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("target").join(folder).join(format!("{NAME}.{ending}")),
        PathBuf::from,
    );
    assert!(path.exists(), "{} is missing: run `cargo xtask test`, or `cargo xtask bundle` once", path.display());
    path
}

/// The library in a VST3 bundle on this system.
fn library_in_vst3(bundle: &Path) -> PathBuf {
    let arch = std::env::consts::ARCH;
    bundle.join("Contents").join(match std::env::consts::OS {
        "macos" => format!("MacOS/{NAME}"),
        "windows" => format!("{}-win/{NAME}.vst3", if arch == "aarch64" { "arm_64" } else { arch }),
        _ => format!("{arch}-linux/{NAME}.so"),
    })
}

/// The library in a CLAP bundle on this system.
fn library_in_clap(bundle: &Path) -> PathBuf {
    if cfg!(target_os = "macos") { bundle.join("Contents/MacOS").join(NAME) } else { bundle.to_owned() }
}

fn release_libraries() -> [PathBuf; 2] {
    [clap(Build::Release), vst3(Build::Release)]
}

/// Not on macOS, where each bundle's signature lies in its library.
#[cfg(not(target_os = "macos"))]
#[test]
fn both_bundles_hold_the_same_library() {
    let [clap, vst3] = release_libraries();
    let read = |path: &Path| fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert!(read(&clap) == read(&vst3), "{} and {} differ", clap.display(), vst3.display());
}

#[test]
fn the_library_tells_its_version() {
    let marker = concat!("svc-device-version=", env!("CARGO_PKG_VERSION"), ";");
    for library in release_libraries() {
        let bytes = fs::read(&library).expect("a bundle's library is readable");
        let found = bytes.windows(marker.len()).any(|window| window == marker.as_bytes());
        assert!(found, "{} does not hold the text `{marker}`", library.display());
    }
}

/// A plugin must load on a machine that has no ALSA, no JACK and no display: whatever else it uses, it looks for when
/// it runs.
#[cfg(all(target_os = "linux", target_pointer_width = "64", target_endian = "little"))]
#[test]
fn the_libraries_need_only_the_c_runtime_and_export_both_entries() {
    const RUNTIME: [&str; 5] =
        ["libc.so.6", "libm.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"];
    let checked =
        [("SVC_CLAP_RTCHECK", false), ("SVC_VST3_RTCHECK", true)].into_iter().filter_map(|(name, is_vst3)| {
            let bundle = PathBuf::from(std::env::var_os(name)?);
            Some(if is_vst3 { library_in_vst3(&bundle) } else { library_in_clap(&bundle) })
        });
    for library in release_libraries().into_iter().chain(checked) {
        let bytes = fs::read(&library).unwrap_or_else(|error| panic!("{}: {error}", library.display()));
        let elf = elf::SharedObject::parse(&bytes).unwrap_or_else(|| panic!("{} is no library", library.display()));
        assert!(elf.needed.iter().any(|name| name == "libc.so.6"), "{} needs no libc: {elf:?}", library.display());
        let extra: Vec<_> = elf.needed.iter().filter(|name| !RUNTIME.contains(&name.as_str())).collect();
        assert!(extra.is_empty(), "{} needs {extra:?}", library.display());
        for entry in ["clap_entry", "GetPluginFactory"] {
            assert!(elf.exports.iter().any(|name| name == entry), "{} does not export {entry}", library.display());
        }
    }
}

/// Just enough of the ELF format (64 bit, little-endian) to tell what a library needs and what it exports.
#[cfg(all(target_os = "linux", target_pointer_width = "64", target_endian = "little"))]
mod elf {
    #[derive(Debug)]
    pub struct SharedObject {
        pub needed: Vec<String>,
        pub exports: Vec<String>,
    }

    struct Section<'a> {
        kind: u32,
        /// The index of the section with this one's texts.
        link: usize,
        bytes: &'a [u8],
    }

    const DYNAMIC: u32 = 6;
    const DYNAMIC_SYMBOLS: u32 = 11;
    const NEEDED: u64 = 1;

    impl SharedObject {
        pub fn parse(file: &[u8]) -> Option<SharedObject> {
            file.strip_prefix(b"\x7fELF\x02\x01")?;
            let sections = sections(file)?;
            let texts = |section: &Section| sections.get(section.link).map(|texts| texts.bytes);
            let dynamic = sections.iter().find(|section| section.kind == DYNAMIC)?;
            let symbols = sections.iter().find(|section| section.kind == DYNAMIC_SYMBOLS)?;
            let needed = dynamic
                .bytes
                .chunks_exact(16)
                .filter(|entry| number(entry, 0, 8) == Some(NEEDED))
                .map(|entry| text(texts(dynamic)?, number(entry, 8, 8)?))
                .collect::<Option<_>>()?;
            let exports = symbols
                .bytes
                .chunks_exact(24)
                // Bound to no section: a symbol that the library wants, not one that it gives.
                .filter(|symbol| number(symbol, 6, 2) != Some(0))
                .map(|symbol| text(texts(symbols)?, number(symbol, 0, 4)?))
                .collect::<Option<_>>()?;
            Some(SharedObject { needed, exports })
        }
    }

    fn sections(file: &[u8]) -> Option<Vec<Section<'_>>> {
        let start = usize::try_from(number(file, 40, 8)?).ok()?;
        let size = usize::try_from(number(file, 58, 2)?).ok()?;
        let count = usize::try_from(number(file, 60, 2)?).ok()?;
        let headers = file.get(start..)?.get(..size.checked_mul(count)?)?;
        let section = |header| {
            let offset = usize::try_from(number(header, 24, 8)?).ok()?;
            let length = usize::try_from(number(header, 32, 8)?).ok()?;
            let bytes = file.get(offset..).and_then(|rest| rest.get(..length)).unwrap_or_default();
            let kind = u32::try_from(number(header, 4, 4)?).ok()?;
            Some(Section { kind, link: usize::try_from(number(header, 40, 4)?).ok()?, bytes })
        };
        headers.chunks_exact(size).map(section).collect()
    }

    fn number(bytes: &[u8], at: usize, length: usize) -> Option<u64> {
        let bytes = bytes.get(at..)?.get(..length)?;
        Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn text(texts: &[u8], at: u64) -> Option<String> {
        let rest = texts.get(usize::try_from(at).ok()?..)?;
        let end = rest.iter().position(|byte| *byte == 0)?;
        Some(String::from_utf8_lossy(rest.get(..end)?).into_owned())
    }
}
