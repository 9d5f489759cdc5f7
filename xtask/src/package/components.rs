//! What the release was built of: every package that is linked into it, with its licence.

use super::page_parts::of_page;
use crate::shell::{self, Outcome, Problem, capture};
use crate::universal;
use crate::workspace::{PACKAGE, PLUGIN_PACKAGE, Workspace, read};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use toml::Table;

/// Folders inside one another that are looked into.
const MAX_DEPTH: usize = 8;

/// Of the licences under which a package may come without a text, but not without its authors' names.
const USUAL_TEXTS: [(&str, &str); 2] = [("MIT", include_str!("MIT.txt")), ("ISC", include_str!("ISC.txt"))];

/// The registries, by their names in a package URL.
pub const CARGO: &str = "cargo";
pub const NPM: &str = "npm";

/// A package of others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Component {
    pub registry: &'static str,
    pub name: String,
    pub version: String,
    /// As an expression of SPDX; empty where the package names none.
    pub licence: String,
    /// Of its archive in the registry, in hexadecimal digits.
    pub sha256: Option<String>,
    /// The text of its licence, where it does not lie with what cargo unpacked.
    pub text: Option<String>,
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
        let mut all = parse(&tree, &checksums(&lock));
        all.extend(of_page(workspace)?);
        Ok(Components(all))
    }

    /// The texts of their licences as their authors ship them, each text once with the packages that it covers. A
    /// package that ships none is listed by its licence's name and its authors, before the usual texts.
    pub fn licence_texts(&self) -> String {
        let mut by_text: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut without = Vec::new();
        for component in &self.0 {
            let title = format!("{} {}", component.name, component.version);
            let folder = source_folder(component);
            let texts = match &component.text {
                Some(text) => vec![text.trim().to_owned()],
                None => folder.as_deref().map(licence_files).unwrap_or_default(),
            };
            if texts.is_empty() {
                let by = folder.as_deref().and_then(authors).map(|by| format!(", by {by}")).unwrap_or_default();
                without.push(format!("{title}: {}{by}\n", component.licence));
            }
            for text in texts {
                by_text.entry(text).or_default().insert(title.clone());
            }
        }
        let rule = "-".repeat(80);
        let mut page =
            "SVC Device is built of the following packages, under these licences. The sources of each are at\n\
                        https://crates.io/crates/NAME/VERSION\n"
                .to_owned();
        for (text, packages) in by_text {
            let packages: Vec<String> = packages.into_iter().collect();
            page.push_str(&format!("\n{rule}\n{}\n{rule}\n\n{text}\n", packages.join("\n")));
        }
        if !without.is_empty() {
            page.push_str(&format!("\n{rule}\nWithout a text of their own\n{rule}\n\n{}", without.concat()));
            for (name, text) in USUAL_TEXTS {
                page.push_str(&format!("\n{name}:\n\n{}\n", text.trim()));
            }
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
        let (name, version) = key;
        Some(Component { registry: CARGO, name, version, licence: expression(licence), sha256, text: None })
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

/// As its manifest names them.
fn authors(folder: &Path) -> Option<String> {
    let manifest: Table = fs::read_to_string(folder.join("Cargo.toml")).ok()?.parse().ok()?;
    let authors = manifest.get("package")?.get("authors")?.as_array()?;
    let authors: Vec<&str> = authors.iter().filter_map(|author| author.as_str()).collect();
    (!authors.is_empty()).then(|| authors.join(", "))
}

/// The texts of all licences that lie in a package: its own, and those of what was put into it, such as fonts.
fn licence_files(folder: &Path) -> Vec<String> {
    let mut files = Vec::new();
    walk(folder, 0, &mut files);
    files.sort();
    let text = |file: PathBuf| Some(fs::read_to_string(file).ok()?.replace("\r\n", "\n").trim().to_owned());
    files.into_iter().filter_map(text).filter(|text| !text.is_empty()).collect()
}

fn walk(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    let ends_in = |path: &Path, endings: &[&str]| {
        path.extension().is_some_and(|ending| endings.iter().any(|one| ending.eq_ignore_ascii_case(one)))
    };
    // What is said of fonts lies beside them under any name.
    let has_fonts = entries.iter().any(|path| ends_in(path, &["ttf", "otf"]));
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_uppercase();
        if path.is_dir() {
            if depth < MAX_DEPTH && !name.starts_with('.') {
                walk(&path, depth + 1, found);
            }
        } else if (is_licence_name(&name) && !ends_in(&path, &["rs", "yml", "toml", "json"]))
            || (has_fonts && ends_in(&path, &["txt"]))
        {
            found.push(path);
        }
    }
}

fn is_licence_name(upper_case: &str) -> bool {
    ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"]
        .iter()
        .any(|start| upper_case.starts_with(start))
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
            registry: CARGO,
            text: None,
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
            registry: CARGO,
            text: None,
            name: "svc-no-such-package".to_owned(),
            version: "9.9.9".to_owned(),
            licence: "MIT".to_owned(),
            sha256: None,
        };
        let page = Components(vec![nowhere]).licence_texts();
        assert!(page.contains("\nsvc-no-such-package 9.9.9: MIT\n"), "{page}");
        assert!(page.contains("THE SOFTWARE IS PROVIDED \"AS IS\"") && page.contains("ISC:\n"), "{page}");
    }

    /// Of what is put into a package too: fonts come under licences of their own.
    #[test]
    fn all_texts_in_a_package_are_found() {
        let folder = std::env::temp_dir().join(format!("svc-xtask-licences-{}", std::process::id()));
        for (name, text) in [
            ("LICENSE-MIT", "of the package"),
            ("src/table/LICENSE-UNICODE", "of a table"),
            ("src/licence.rs", "no text"),
            (".github/copyrights.yml", "no text"),
            (".github/LICENSE", "no text"),
            ("fonts/A.ttf", "a font"),
            ("fonts/OFL.txt", "of a font"),
            ("notes.txt", "no text"),
            ("Cargo.toml", "[package]\nauthors = ['A <a@b>', 'C']"),
        ] {
            let file = folder.join(name);
            fs::create_dir_all(file.parent().expect("inside")).expect("a folder");
            fs::write(file, text).expect("written");
        }
        assert_eq!(licence_files(&folder), ["of the package", "of a font", "of a table"]);
        assert_eq!(authors(&folder).as_deref(), Some("A <a@b>, C"));
        fs::remove_dir_all(&folder).expect("removed");
    }
}
