//! Plug-ins on this machine: the CLAP and VST3 bundles in their standard folders. Nothing is loaded or run; what a
//! bundle does not say of itself in a file stays unknown.

use serde_json::Value;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// How deep folders inside folders are searched; vendors put their plug-ins into folders of their own.
const MAX_DEPTH: usize = 4;
/// A bundle's description is never longer than this.
const MAX_MODULE_INFO_BYTES: u64 = 4 * 1024 * 1024;

/// An installed plug-in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InstalledPlugin {
    pub name: String,
    pub vendor: Option<String>,
    pub version: Option<String>,
    /// `CLAP` or `VST3`.
    pub format: String,
    /// `Instrument` or `Audio Effect`, where the bundle says so.
    pub category: Option<String>,
    pub subcategories: Vec<String>,
}

/// The standard folders, those the user named in the environment first.
pub fn standard_folders() -> Vec<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let mut folders: Vec<PathBuf> = variable("CLAP_PATH").iter().flat_map(std::env::split_paths).collect();
    let mut add = |root: Option<PathBuf>, names: &[&str]| {
        folders.extend(root.into_iter().flat_map(|root| names.iter().map(move |name| root.join(name))));
    };
    if cfg!(windows) {
        add(variable("COMMONPROGRAMFILES").map(PathBuf::from), &["CLAP", "VST3"]);
        let local = variable("LOCALAPPDATA").map(|local| PathBuf::from(local).join("Programs").join("Common"));
        add(local, &["CLAP", "VST3"]);
    } else if cfg!(target_os = "macos") {
        let home = variable("HOME").map(PathBuf::from);
        for root in [Some(PathBuf::from("/")), home] {
            add(root.map(|root| root.join("Library/Audio/Plug-Ins")), &["CLAP", "VST3"]);
        }
    } else {
        add(variable("HOME").map(PathBuf::from), &[".clap", ".vst3"]);
        for root in ["/usr/local/lib", "/usr/lib"] {
            add(Some(PathBuf::from(root)), &["clap", "vst3"]);
        }
    }
    folders
}

/// Every plug-in in these folders, by name.
pub fn installed(folders: &[PathBuf]) -> Vec<InstalledPlugin> {
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    let mut open: Vec<(PathBuf, usize)> = folders.iter().map(|folder| (folder.clone(), 0)).collect();
    while let Some((folder, depth)) = open.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for path in entries.flatten().map(|entry| entry.path()) {
            let extension = path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase);
            match extension.as_deref() {
                // A bundle may be a link to where it was built.
                Some(format @ ("clap" | "vst3")) if path.exists() => {
                    if seen.insert(fs::canonicalize(&path).unwrap_or_else(|_| path.clone())) {
                        found.extend(read_bundle(&path, format));
                    }
                }
                _ => {
                    let folder = fs::symlink_metadata(&path).is_ok_and(|about| about.is_dir());
                    if folder && depth < MAX_DEPTH {
                        open.push((path, depth + 1));
                    }
                }
            }
        }
    }
    found.sort_by_cached_key(|plugin| (plugin.name.to_lowercase(), plugin.format.clone()));
    found
}

/// What is in a bundle.
fn read_bundle(path: &Path, format: &str) -> Vec<InstalledPlugin> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let bare = InstalledPlugin { name, format: format.to_uppercase(), ..InstalledPlugin::default() };
    // Newer bundles have the description among the resources, older ones beside them.
    let places = ["Contents/Resources/moduleinfo.json", "Contents/moduleinfo.json"];
    let described =
        places.iter().find_map(|place| read_module_info(&path.join(place), &bare)).filter(|list| !list.is_empty());
    described.unwrap_or_else(|| vec![bare])
}

/// The plug-ins that a `moduleinfo.json` lists.
fn read_module_info(file: &Path, bare: &InstalledPlugin) -> Option<Vec<InstalledPlugin>> {
    fs::metadata(file).ok().filter(|about| about.is_file() && about.len() <= MAX_MODULE_INFO_BYTES)?;
    let text = fs::read_to_string(file).ok()?;
    let info: Value = serde_json::from_str(&to_strict_json(&text)).ok()?;
    let text = |value: &Value, key: &str| {
        value.get(key).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
    };
    let maker = info.get("Factory Info").and_then(|factory| text(factory, "Vendor"));
    let classes = info.get("Classes")?.as_array()?.iter();
    let audible = classes.filter(|class| text(class, "Category").as_deref() == Some("Audio Module Class"));
    let plugins = audible.map(|class| {
        let sub = class.get("Sub Categories").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let mut sub: Vec<String> = sub.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        let instrument = sub.iter().any(|word| word == "Instrument");
        let effect = sub.iter().any(|word| word == "Fx");
        sub.retain(|word| word != "Instrument" && word != "Fx");
        let category = match (instrument, effect) {
            (true, _) => Some("Instrument"),
            (_, true) => Some("Audio Effect"),
            _ => None,
        };
        InstalledPlugin {
            name: text(class, "Name").unwrap_or_else(|| bare.name.clone()),
            vendor: text(class, "Vendor").or_else(|| maker.clone()),
            version: text(class, "Version").or_else(|| text(&info, "Version")),
            format: bare.format.clone(),
            category: category.map(str::to_owned),
            subcategories: sub,
        }
    });
    Some(plugins.collect())
}

/// Removes what these files may have and JSON does not allow: comments, and commas before a closing bracket.
fn to_strict_json(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    let mut comma = false;
    while let Some(c) = rest.chars().next() {
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        if rest.starts_with("//") {
            rest = rest.find('\n').and_then(|end| rest.get(end..)).unwrap_or_default();
            continue;
        }
        if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.find("*/").and_then(|end| comment.get(end.saturating_add(2)..)).unwrap_or_default();
            continue;
        }
        if c == '"' {
            let mut escaped = false;
            let end = after.char_indices().find(|(_, c)| {
                let ends = *c == '"' && !escaped;
                escaped = *c == '\\' && !escaped;
                ends
            });
            let end = end.map_or(rest.len(), |(at, _)| at.saturating_add(2)).min(rest.len());
            if std::mem::take(&mut comma) {
                plain.push(',');
            }
            plain.push_str(rest.get(..end).unwrap_or_default());
            rest = rest.get(end..).unwrap_or_default();
            continue;
        }
        match c {
            ',' => comma = true,
            c if c.is_whitespace() => plain.push(c),
            c => {
                if std::mem::take(&mut comma) && !matches!(c, ']' | '}') {
                    plain.push(',');
                }
                plain.push(c);
            }
        }
        rest = after;
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    const INFO: &str = r#"{
        "Name": "Synths", "Version": "2.1", // as built
        "Factory Info": { "Vendor": "Maker, Inc.", },
        "Classes": [
            { "CID": "1", "Category": "Audio Module Class", "Name": "Big // Synth", "Vendor": "",
              "Version": "2.1.3", "Sub Categories": ["Instrument", "Synth",], },
            { "CID": "2", "Category": "Component Controller Class", "Name": "Controller" },
            { "CID": "3", "Category": "Audio Module Class", "Name": "Echo \"x\"", "Sub Categories": ["Fx", "Delay"] /* , */ },
        ],
    }"#;

    #[test]
    fn bundles_are_found_and_described() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let bundle = root.join("Maker/Synths.vst3/Contents/Resources");
        fs::create_dir_all(&bundle).unwrap();
        fs::write(bundle.join("moduleinfo.json"), INFO).unwrap();
        fs::create_dir_all(root.join("Plain.vst3/Contents")).unwrap();
        fs::write(root.join("Plain.vst3/Contents/moduleinfo.json"), "no json").unwrap();
        fs::write(root.join("one.clap"), "not loaded").unwrap();
        fs::write(root.join("readme.txt"), "").unwrap();
        let found = installed(&[root.to_owned(), root.join("Maker"), root.join("none")]);
        let plugin = |name: &str, format: &str| InstalledPlugin {
            name: name.to_owned(),
            format: format.to_owned(),
            ..InstalledPlugin::default()
        };
        let said = |mut plugin: InstalledPlugin, version: &str, category: &str, sub: &str| {
            plugin.vendor = Some("Maker, Inc.".to_owned());
            plugin.version = Some(version.to_owned());
            plugin.category = Some(category.to_owned());
            plugin.subcategories = vec![sub.to_owned()];
            plugin
        };
        assert_eq!(
            found,
            [
                said(plugin("Big // Synth", "VST3"), "2.1.3", "Instrument", "Synth"),
                said(plugin("Echo \"x\"", "VST3"), "2.1", "Audio Effect", "Delay"),
                plugin("one", "CLAP"),
                plugin("Plain", "VST3"),
            ]
        );
    }

    #[test]
    fn json_is_made_plain() {
        for (text, plain) in [
            ("[1,]", "[1]"),
            ("[1, 2,\n]", "[1 ,2\n]"),
            (r#"{"a": "x,}" ,}"#, r#"{"a": "x,}" }"#),
            ("[1] // ,]", "[1] "),
            ("/* [ */ []", " []"),
            ("\"open", "\"open"),
            ("", ""),
        ] {
            let made = to_strict_json(text);
            assert_eq!(made, plain, "{text}");
        }
    }

    #[test]
    fn standard_folders_are_there() {
        assert!(standard_folders().iter().any(|folder| folder.to_string_lossy().to_lowercase().ends_with("vst3")));
    }
}
