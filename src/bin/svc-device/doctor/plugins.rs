//! The plugins where hosts look for them, and the lists in which hosts note what they scanned.

use super::finding::Finding;
use std::env::consts::{ARCH, OS};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

const PLUGIN: &str = "plugin";
const SCAN: &str = "scan";

/// Stands in the plugin's library, followed by the version and a semicolon.
const VERSION_MARK: &[u8] = b"svc-device-version=";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Clap,
    Vst3,
}

impl Format {
    fn name(self) -> &'static str {
        match self {
            Format::Clap => "CLAP",
            Format::Vst3 => "VST3",
        }
    }

    fn file(self) -> &'static str {
        match self {
            Format::Clap => "SVC Device.clap",
            Format::Vst3 => "SVC Device.vst3",
        }
    }

    /// The library in a bundle.
    fn library(self, bundle: &Path) -> PathBuf {
        let processor = if OS == "windows" && ARCH == "aarch64" { "arm_64" } else { ARCH };
        match (OS, self) {
            ("macos", _) => bundle.join("Contents/MacOS/SVC Device"),
            (_, Format::Clap) => bundle.to_owned(),
            ("windows", Format::Vst3) => bundle.join(format!("Contents/{processor}-win/SVC Device.vst3")),
            (_, Format::Vst3) => bundle.join(format!("Contents/{processor}-linux/SVC Device.so")),
        }
    }
}

/// Looks where hosts look. `variable` gives a variable of the environment.
pub fn look(variable: impl Fn(&str) -> Option<OsString>) -> Vec<Finding> {
    let folder = |name: &str| variable(name).map(PathBuf::from).filter(|folder| folder.is_absolute());
    let mut findings = Vec::new();
    let mut missing = Vec::new();
    for format in [Format::Clap, Format::Vst3] {
        let folders = plugin_folders(format, &folder);
        let places: Vec<PathBuf> =
            folders.iter().map(|folder| folder.join(format.file())).filter(|place| place.exists()).collect();
        findings.extend(places.iter().map(|place| judge(format, place)));
        match places.as_slice() {
            [] => missing.push((format, folders)),
            [_] => {}
            several => {
                let shown: Vec<String> = several.iter().map(|place| place.display().to_string()).collect();
                let text = format!("{} is there twice, and a host loads either: {}", format.name(), shown.join(", "));
                findings.push(Finding::note(PLUGIN, text));
            }
        }
    }
    if !findings.is_empty() {
        findings.push(scan(&folder));
    }
    findings.extend(missing.into_iter().map(|(format, folders)| not_there(format, &folders)));
    findings
}

/// Where hosts look for this format, the user's own folder first.
fn plugin_folders(format: Format, folder: &impl Fn(&str) -> Option<PathBuf>) -> Vec<PathBuf> {
    let name = format.name();
    let own = |base: &str, inside: &str| folder(base).map(|base| base.join(inside));
    let found = match OS {
        "windows" => vec![own("LOCALAPPDATA", &format!(r"Programs\Common\{name}")), own("COMMONPROGRAMFILES", name)],
        "macos" => {
            let inside = format!("Library/Audio/Plug-Ins/{name}");
            vec![own("HOME", &inside), Some(Path::new("/").join(inside))]
        }
        _ => {
            let lower = name.to_lowercase();
            let system = |prefix: &str| Some(Path::new(prefix).join(&lower));
            vec![own("HOME", &format!(".{lower}")), system("/usr/lib"), system("/usr/local/lib")]
        }
    };
    found.into_iter().flatten().collect()
}

fn judge(format: Format, place: &Path) -> Finding {
    let (name, shown) = (format.name(), place.display());
    let own = svc_device::VERSION;
    match fs::read(format.library(place)).ok().map(|library| version_in(&library)) {
        Some(Some(version)) if version == own => Finding::fine(PLUGIN, format!("{name} {version} in {shown}")),
        Some(Some(version)) => Finding::wrong(
            PLUGIN,
            format!(
                "{shown} is version {version}, and this program is {own}: put the plugin of this version in its place, \
                 and start the DAW anew"
            ),
        ),
        Some(None) => Finding::wrong(PLUGIN, format!("{shown} is no SVC Device; put the plugin in its place")),
        None => Finding::wrong(
            PLUGIN,
            format!("{shown} holds nothing for {OS} {ARCH} that can be read; put the plugin for it in its place"),
        ),
    }
}

/// The version that a library carries.
fn version_in(library: &[u8]) -> Option<String> {
    // The mark may stand in it without a version, too, where code looks for it.
    memchr::memmem::find_iter(library, VERSION_MARK).find_map(|at| {
        let rest = library.get(at + VERSION_MARK.len()..)?;
        let end = rest.iter().take(64).position(|byte| *byte == b';')?;
        let version = std::str::from_utf8(rest.get(..end)?).ok()?;
        version.starts_with(|c: char| c.is_ascii_digit()).then(|| version.to_owned())
    })
}

fn not_there(format: Format, folders: &[PathBuf]) -> Finding {
    let Some(first) = folders.first() else {
        return Finding::note(PLUGIN, format!("there is no folder to look for the {} plugin in", format.name()));
    };
    let rest: String = folders.iter().skip(1).map(|folder| format!(" or {}", folder.display())).collect();
    let text = format!(
        "no {} in {}{rest}; copy \"{}\" there and scan in your DAW, if it loads {}",
        format.name(),
        first.display(),
        format.file(),
        format.name()
    );
    Finding::note(PLUGIN, text)
}

/// Which hosts have it in their lists.
fn scan(folder: &impl Fn(&str) -> Option<PathBuf>) -> Finding {
    let lists = scan_lists(folder);
    let mut hosts: Vec<&str> = lists.iter().filter(|(_, file)| names_the_plugin(file)).map(|(host, _)| *host).collect();
    hosts.sort_unstable();
    hosts.dedup();
    if hosts.is_empty() {
        let text = "no list of Ardour, REAPER or Live names it: scan for plugins in your DAW; of other hosts nothing is \
                    known here";
        return Finding::note(SCAN, text);
    }
    Finding::fine(SCAN, format!("scanned by {}", hosts.join(", ")))
}

/// The files in which hosts keep what they found, as far as they are known: host, and file.
fn scan_lists(folder: &impl Fn(&str) -> Option<PathBuf>) -> Vec<(&'static str, PathBuf)> {
    let at = |base: &str, inside: &str| folder(base).map(|base| base.join(inside));
    let caches = || folder("XDG_CACHE_HOME").or_else(|| at("HOME", ".cache"));
    let (reaper, live, ardour) = match OS {
        "windows" => (at("APPDATA", "REAPER"), at("LOCALAPPDATA", r"Ableton\Live Database"), None),
        "macos" => (
            at("HOME", "Library/Application Support/REAPER"),
            at("HOME", "Library/Application Support/Ableton/Live Database"),
            at("HOME", "Library/Caches"),
        ),
        _ => (folder("XDG_CONFIG_HOME").or_else(|| at("HOME", ".config")).map(|f| f.join("REAPER")), None, caches()),
    };
    let mut lists = Vec::new();
    for (host, place, starts) in
        [("REAPER", &reaper, &["reaper-vstplugins", "reaper-clap"][..]), ("Live", &live, &["Live-plugins"][..])]
    {
        let files = place.iter().flat_map(|place| files_in(place));
        lists.extend(files.filter(|file| has_name(file, starts)).map(|file| (host, file)));
    }
    for version in ["ardour7", "ardour8", "Ardour7", "Ardour8"] {
        let files = ardour.iter().flat_map(|caches| files_in(&caches.join(version).join("vst")));
        lists.extend(files.map(|file| ("Ardour", file)));
    }
    lists
}

fn files_in(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_file())
        .collect()
}

fn has_name(file: &Path, starts: &[&str]) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    starts.iter().any(|start| name.starts_with(start))
}

/// REAPER writes an underscore for a space.
fn names_the_plugin(list: &Path) -> bool {
    let Ok(bytes) = fs::read(list) else { return false };
    ["SVC Device.vst3", "SVC Device.clap", "SVC_Device.vst3", "SVC_Device.clap"]
        .iter()
        .any(|name| memchr::memmem::find(&bytes, name.as_bytes()).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_found_among_other_bytes() {
        for (bytes, expected) in [
            (&b"\xff\0svc-device-version=1.2.3;\0"[..], Some("1.2.3")),
            (b"svc-device-version=\0..svc-device-version=0.1.0-rc.1;", Some("0.1.0-rc.1")),
            (b"svc-device-version={};svc-device-version=2.0.0;", Some("2.0.0")),
            (b"svc-device-version=1.2.3", None),
            (b"", None),
        ] {
            assert_eq!(version_in(bytes).as_deref(), expected, "{}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn without_a_home_nothing_is_looked_for_in_relative_folders() {
        let relative = |_: &str| Some(OsString::from("relative"));
        for format in [Format::Clap, Format::Vst3] {
            let folder = |name: &str| relative(name).map(PathBuf::from).filter(|folder| folder.is_absolute());
            assert!(plugin_folders(format, &folder).iter().all(|folder| folder.is_absolute()));
        }
    }
}
