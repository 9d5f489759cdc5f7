//! What the project's own files say about it: its folder, its version, the name of its bundles, its benchmarks.

use crate::shell::{Outcome, Problem, While};
use std::path::{Path, PathBuf};
use toml::Table;

/// The device: its library, its program, its tests and benchmarks.
pub const PACKAGE: &str = "svc-device";

/// The library that hosts load.
pub const PLUGIN_PACKAGE: &str = "svc-device-plugin";

/// The sound engine, which is built and measured alone.
pub const ENGINE_PACKAGE: &str = "svc-sound";

/// The page that keeps what the benchmarks print.
pub const MEASUREMENTS: &str = "docs/measurements.md";

pub struct Workspace {
    pub root: PathBuf,
    pub manifest: Manifest,
}

/// The parts of the workspace's `Cargo.toml` that the commands need.
#[derive(Debug, PartialEq)]
pub struct Manifest {
    pub version: String,
    /// The oldest Rust that builds the project, as `1.95`.
    pub rust_version: String,
    /// Of the device, and then those of the sound engine.
    pub benches: Vec<String>,
    pub engine_benches: Vec<String>,
}

impl Workspace {
    pub fn open() -> Outcome<Workspace> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .parent()
            .ok_or_else(|| Problem::new("the crate xtask has no folder above it"))?
            .to_owned();
        let mut manifest = Manifest::parse(&read(&root.join("Cargo.toml"))?)?;
        let engine = table("sound-engine/Cargo.toml", &read(&root.join("sound-engine/Cargo.toml"))?)?;
        manifest.engine_benches = benches(&engine);
        manifest.benches.extend_from_slice(&manifest.engine_benches);
        Ok(Workspace { root, manifest })
    }

    pub fn target(&self) -> PathBuf {
        self.root.join("target")
    }

    /// Release bundles, as a user gets them.
    pub fn bundled(&self) -> PathBuf {
        self.target().join("bundled")
    }

    /// What a release offers for download.
    pub fn packages(&self) -> PathBuf {
        self.target().join("packages")
    }

    /// Debug bundles that abort on an allocation in `process`, for the tests.
    pub fn bundled_rtcheck(&self) -> PathBuf {
        self.target().join("bundled-rtcheck")
    }

    /// The Python and Node environments of the tests, and the tools that set-up brings.
    pub fn tools(&self) -> PathBuf {
        self.target().join("xtask")
    }

    pub fn measurements(&self) -> PathBuf {
        self.root.join(MEASUREMENTS)
    }

    /// The name of the bundles, without an ending.
    pub fn bundle_name(&self) -> Outcome<String> {
        bundle_name(&read(&self.root.join("bundler.toml"))?)
    }
}

impl Manifest {
    fn parse(text: &str) -> Outcome<Manifest> {
        let table = table("Cargo.toml", text)?;
        let package = table.get("workspace").and_then(|w| w.get("package"));
        let field = |name: &str| {
            package
                .and_then(|p| p.get(name)?.as_str())
                .map(str::to_owned)
                .ok_or_else(|| Problem::new(format!("Cargo.toml has no text `{name}` under [workspace.package]")))
        };
        Ok(Manifest {
            version: field("version")?,
            rust_version: field("rust-version")?,
            benches: benches(&table),
            engine_benches: Vec::new(),
        })
    }
}

fn benches(table: &Table) -> Vec<String> {
    table.get("bench").and_then(|b| b.as_array()).map_or(Vec::new(), |list| {
        list.iter().filter_map(|bench| Some(bench.get("name")?.as_str()?.to_owned())).collect()
    })
}

fn bundle_name(text: &str) -> Outcome<String> {
    let name = table("bundler.toml", text)?
        .get(PLUGIN_PACKAGE)
        .and_then(|entry| entry.get("name")?.as_str())
        .map(str::to_owned)
        .ok_or_else(|| Problem::new(format!("bundler.toml has no text `name` under [{PLUGIN_PACKAGE}]")))?;
    // It becomes a file name on three systems.
    if name.trim().is_empty() || name.contains(['/', '\\', ':', '*', '?', '"', '<', '>', '|', '&']) {
        return Err(Problem::new(format!("bundler.toml: `{name}` can't be a file name on every system")));
    }
    Ok(name)
}

fn table(file: &str, text: &str) -> Outcome<Table> {
    text.parse().map_err(|error| Problem::new(format!("{file} is not valid TOML: {error}")))
}

pub fn read(path: &Path) -> Outcome<String> {
    std::fs::read_to_string(path).while_doing(|| format!("could not read {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifest_gives_version_rust_and_benches() {
        let text =
            "[workspace.package]\nversion='1.2.3'\nrust-version='1.95'\n[[bench]]\nname='a'\n[[bench]]\nname='b'";
        let expected = Manifest {
            version: "1.2.3".to_owned(),
            rust_version: "1.95".to_owned(),
            benches: vec!["a".to_owned(), "b".to_owned()],
            engine_benches: Vec::new(),
        };
        assert_eq!(Manifest::parse(text).expect("valid"), expected);
        assert!(Manifest::parse("[workspace.package]\nversion='1'").is_err());
        assert!(Manifest::parse("[workspace").is_err());
    }

    #[test]
    fn the_bundle_name_must_be_a_file_name() {
        for (text, expected) in [
            ("[svc-device-plugin]\nname = 'SVC Device'", Some("SVC Device")),
            ("[svc-device-plugin]\nname = 'a/b'", None),
            ("[svc-device-plugin]\nname = ' '", None),
            ("[svc-device-plugin]\nname = 3", None),
            ("[other]\nname = 'x'", None),
            ("", None),
        ] {
            assert_eq!(bundle_name(text).ok().as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn this_workspace_reads() {
        let workspace = Workspace::open().expect("the workspace's own files");
        assert_eq!(workspace.bundle_name().expect("bundler.toml"), "SVC Device");
    }
}
