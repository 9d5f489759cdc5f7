//! What the release was built of: every package that is linked into it, with its licence.

use crate::shell::{self, Outcome, Problem, capture};
use crate::universal;
use crate::workspace::{PACKAGE, PLUGIN_PACKAGE, Workspace, read};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use toml::Table;

/// A package of others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Component {
    pub name: String,
    pub version: String,
    /// As an expression of SPDX; empty where the package names none.
    pub licence: String,
    /// Of its archive in the registry, in hexadecimal digits.
    pub sha256: Option<String>,
}

pub struct Components(pub Vec<Component>);

impl Components {
    /// Those of the plugins and the program together, without what only builds or tests them.
    pub fn of_build(workspace: &Workspace, target: Option<&str>) -> Outcome<Components> {
        let features = format!("{PACKAGE}/standalone");
        let mut command = shell::cargo();
        command
            .args(["tree", "--quiet", "--locked", "--package", PACKAGE, "--package", PLUGIN_PACKAGE])
            .args(["--features", &features, "--edges", "normal,no-proc-macro", "--prefix", "none"])
            .args(["--format", "{p}|{l}"])
            .current_dir(&workspace.root);
        for triple in universal::parts(target) {
            command.args(["--target", triple]);
        }
        let tree =
            capture(&mut command).ok_or_else(|| Problem::new("`cargo tree` does not say what the build is made of"))?;
        let lock: Table = read(&workspace.root.join("Cargo.lock"))?
            .parse()
            .map_err(|error| Problem::new(format!("Cargo.lock is not valid TOML: {error}")))?;
        Ok(Components(parse(&tree, &checksums(&lock))))
    }

    /// The texts of their licences as their authors ship them, each text once with the packages that it covers. A
    /// package that ships none is listed by its licence's name.
    pub fn licence_texts(&self) -> String {
        let mut by_text: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut without = Vec::new();
        for component in &self.0 {
            let title = format!("{} {}", component.name, component.version);
            let texts = source_folder(component).map(|folder| licence_files(&folder)).unwrap_or_default();
            if texts.is_empty() {
                without.push(format!("{title}: {}\n", component.licence));
            }
            for text in texts {
                by_text.entry(text).or_default().insert(title.clone());
            }
        }
        let rule = "-".repeat(80);
        let mut page = "SVC Device is built of the following packages, under these licences.\n".to_owned();
        for (text, packages) in by_text {
            let packages: Vec<String> = packages.into_iter().collect();
            page.push_str(&format!("\n{rule}\n{}\n{rule}\n\n{text}\n", packages.join("\n")));
        }
        if !without.is_empty() {
            page.push_str(&format!("\n{rule}\nWithout a text of their own\n{rule}\n\n{}", without.concat()));
        }
        page
    }
}

/// The lines of `cargo tree`, each package once. The workspace's own packages have a path and are left out.
fn parse(tree: &str, checksums: &BTreeMap<(String, String), String>) -> Vec<Component> {
    let line = |line: &str| {
        let (package, licence) = line.split_once('|')?;
        let mut words = package.split(' ');
        let (name, version) = (words.next()?, words.next()?.strip_prefix('v')?);
        if package.contains(" (/") || package.contains(":\\") {
            return None;
        }
        let key = (name.to_owned(), version.to_owned());
        let sha256 = checksums.get(&key).cloned();
        Some(Component { name: key.0, version: key.1, licence: expression(licence), sha256 })
    };
    let found: BTreeSet<Component> = tree.lines().filter_map(line).collect();
    found.into_iter().collect()
}

/// Older packages write a slash for *or*, and a plus for *or later*.
fn expression(licence: &str) -> String {
    let licence = licence.trim_end_matches(" (*)").trim();
    let parts: Vec<&str> = licence.split('/').map(str::trim).collect();
    parts.join(" OR ").replace("MPL-2.0+", "MPL-2.0-or-later")
}

fn checksums(lock: &Table) -> BTreeMap<(String, String), String> {
    let packages = lock.get("package").and_then(|packages| packages.as_array()).into_iter().flatten();
    let text = |package: &toml::Value, member: &str| Some(package.get(member)?.as_str()?.to_owned());
    packages.filter_map(|p| Some(((text(p, "name")?, text(p, "version")?), text(p, "checksum")?))).collect()
}

/// Where cargo unpacked it.
fn source_folder(component: &Component) -> Option<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| {
        let home = std::env::var_os(if cfg!(windows) { "USERPROFILE" } else { "HOME" })?;
        Some(PathBuf::from(home).join(".cargo"))
    })?;
    let name = format!("{}-{}", component.name, component.version);
    let registries = fs::read_dir(home.join("registry/src")).ok()?.flatten();
    registries.map(|registry| registry.path().join(&name)).find(|folder| folder.is_dir())
}

fn licence_files(folder: &std::path::Path) -> Vec<String> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| {
            let name = entry.file_name().to_string_lossy().to_ascii_uppercase();
            ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"].iter().any(|s| name.starts_with(s))
        })
        .map(|entry| entry.path())
        .collect();
    files.sort();
    let text = |file: PathBuf| Some(fs::read_to_string(file).ok()?.replace("\r\n", "\n").trim().to_owned());
    files.into_iter().filter_map(text).filter(|text| !text.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_package_of_others_is_named_once() {
        let tree = "svc-device v0.1.0 (/home/x)|MIT OR Apache-2.0\nb v2.0.0|MIT/Apache-2.0\na v1.0.0|MIT\n\
                    a v1.0.0|MIT (*)\nplugin v0.1.0 (C:\\x)|MIT\nc v3.0.0|MPL-2.0+\n\n";
        let lock: Table = "[[package]]\nname='a'\nversion='1.0.0'\nchecksum='abc'\n[[package]]\nname='b'\nversion='1'"
            .parse()
            .expect("TOML");
        let component = |name: &str, version: &str, licence: &str, sha256: Option<&str>| Component {
            name: name.to_owned(),
            version: version.to_owned(),
            licence: licence.to_owned(),
            sha256: sha256.map(str::to_owned),
        };
        assert_eq!(
            parse(tree, &checksums(&lock)),
            [
                component("a", "1.0.0", "MIT", Some("abc")),
                component("b", "2.0.0", "MIT OR Apache-2.0", None),
                component("c", "3.0.0", "MPL-2.0-or-later", None),
            ]
        );
    }

    #[test]
    fn a_package_without_a_text_is_listed() {
        let nowhere = Component {
            name: "svc-no-such-package".to_owned(),
            version: "9.9.9".to_owned(),
            licence: "MIT".to_owned(),
            sha256: None,
        };
        let page = Components(vec![nowhere]).licence_texts();
        assert!(page.ends_with("svc-no-such-package 9.9.9: MIT\n"), "{page}");
    }
}
