//! `cargo xtask doctor`: what is right and what is wrong, a line each, with what to do about it.
//!
//! It changes nothing. *wrong* is what keeps something from working; *note* is what one may want to know.

use crate::http;
use crate::needs::{self, Purpose};
use crate::platform::{Format, Platform};
use crate::port::{self, Port};
use crate::shell::{Outcome, Problem};
use crate::workspace::Workspace;
use crate::{install, setup};
use std::fmt;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

const DEFAULT_PORT: u16 = 3350;
/// Stands in the plugin's library, followed by the version and a semicolon.
const VERSION_MARKER: &[u8] = b"svc-device-version=";

#[derive(Debug, PartialEq)]
enum Finding {
    Ok(String),
    Note(String),
    Wrong(String),
}

use Finding::{Note, Wrong};

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::Ok(text) => write!(f, "ok     {text}"),
            Note(text) => write!(f, "note   {text}"),
            Wrong(text) => write!(f, "wrong  {text}"),
        }
    }
}

/// Code 0 if nothing is wrong, else 1.
pub fn doctor(workspace: &Workspace, arguments: &[String]) -> Outcome<ExitCode> {
    let port = match arguments {
        [] => DEFAULT_PORT,
        [flag, port] if flag == "--port" => port
            .parse()
            .ok()
            .filter(|port| *port != 0)
            .ok_or_else(|| Problem::new(format!("`{port}` is no port; a number from 1 to 65535 is")))?,
        _ => return Err(Problem::new("takes nothing, or `--port` and a number")),
    };
    let mut findings = vec![rust(setup::rust_version(), &workspace.manifest.rust_version)];
    findings.extend(system_packages());
    findings.extend(installed(workspace)?);
    findings.extend(device(port, &workspace.manifest.version));
    for finding in &findings {
        println!("{finding}");
    }
    let wrong = findings.iter().any(|finding| matches!(finding, Wrong(_)));
    Ok(if wrong { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn rust(version: Option<String>, needed: &str) -> Finding {
    match version {
        None => Wrong("there is no Rust compiler; install Rust from https://rustup.rs".to_owned()),
        Some(version) if is_at_least(&version, needed) => Finding::Ok(format!("Rust {version}")),
        Some(version) => Wrong(format!("Rust {version} is too old, {needed} is needed; run `rustup update`")),
    }
}

/// Compares `1.95.0` with `1.95`, number by number; what follows a dash does not count.
fn is_at_least(version: &str, needed: &str) -> bool {
    let numbers = |text: &str| -> Vec<u32> {
        text.split('-').next().unwrap_or_default().split('.').map_while(|part| part.parse().ok()).collect()
    };
    numbers(version) >= numbers(needed)
}

fn system_packages() -> Vec<Finding> {
    if !cfg!(target_os = "linux") {
        return vec![Finding::Ok("no system packages are needed on this system".to_owned())];
    }
    [
        (Purpose::Build, "building `svc-device`", "`cargo xtask run` installs it on Debian and Ubuntu"),
        (Purpose::Window, "showing the window", "`cargo xtask run` installs it on Debian and Ubuntu"),
        (Purpose::Test, "the tests", "`cargo xtask test` installs it on Debian and Ubuntu"),
        (Purpose::Daw, "the tests in a DAW", "`cargo xtask test` installs it on Debian and Ubuntu"),
        (Purpose::Browser, "the tests of the page", "`cargo xtask test` installs it on Debian and Ubuntu"),
        (Purpose::Bench, "measuring beside others", "`cargo xtask bench files` installs it on Debian and Ubuntu"),
        (Purpose::Mingw, "building for Windows", "`cargo xtask test` installs it on Debian and Ubuntu"),
        (Purpose::Wine, "running what was built for Windows", "`cargo xtask test` installs it on Debian and Ubuntu"),
    ]
    .into_iter()
    .map(|(purpose, doing, cure)| {
        let missing: Vec<&str> =
            needs::LINUX.iter().filter(|n| n.purpose == purpose && !n.is_met()).map(|n| n.what).collect();
        match (missing.is_empty(), purpose) {
            (true, _) => Finding::Ok(format!("the system packages for {doing}")),
            (false, Purpose::Build) => Wrong(format!("{doing} lacks {}; {cure}", missing.join(", "))),
            (false, _) => Note(format!("{doing} lacks {}; {cure}", missing.join(", "))),
        }
    })
    .collect()
}

fn installed(workspace: &Workspace) -> Outcome<Vec<Finding>> {
    let platform = Platform::host()?;
    let name = workspace.bundle_name()?;
    let mut findings = Vec::new();
    for format in Format::BOTH {
        let place = install::place(workspace, format, platform.system)?;
        let inside = format.library_inside(platform, &name);
        let library = if inside.as_os_str().is_empty() { place.clone() } else { place.join(inside) };
        let version = fs::read(&library).ok().map(|bytes| version_in(&bytes));
        findings.push(plugin(&place, version, &workspace.manifest.version));
    }
    Ok(findings)
}

/// Judges an installed bundle; `version` is `None` if it can't be read, and `Some(None)` if it tells no version.
fn plugin(place: &Path, version: Option<Option<String>>, expected: &str) -> Finding {
    let shown = place.display();
    match version {
        Some(Some(version)) if version == expected => Finding::Ok(format!("{shown}, version {version}")),
        Some(Some(version)) => {
            Wrong(format!("{shown} is version {version}, but this is {expected}; run `cargo xtask install`"))
        }
        Some(None) => Wrong(format!("{shown} does not tell its version; run `cargo xtask install`")),
        None if place.exists() => Wrong(format!("{shown} holds no plugin for this machine; run `cargo xtask install`")),
        None => Note(format!("{shown} is not installed; `cargo xtask install` does it")),
    }
}

/// The version that a plugin's library carries.
fn version_in(library: &[u8]) -> Option<String> {
    let mut rest = library;
    loop {
        let start = rest.windows(VERSION_MARKER.len()).position(|window| window == VERSION_MARKER)?;
        rest = rest.get(start + VERSION_MARKER.len()..)?;
        // The marker without a version may stand in the library too, where code looks for it.
        let version = rest.iter().take(64).position(|byte| *byte == b';').and_then(|end| rest.get(..end));
        let version = version.and_then(|bytes| std::str::from_utf8(bytes).ok());
        if let Some(version) = version.filter(|v| v.starts_with(|c: char| c.is_ascii_digit())) {
            return Some(version.to_owned());
        }
    }
}

fn device(port: u16, expected: &str) -> Vec<Finding> {
    let address = format!("http://127.0.0.1:{port}");
    match port::look(port) {
        Port::Free => vec![
            Finding::Ok(format!("port {port} is free")),
            Note(format!("no device answers at {address}; load the plugin in a host, or run `cargo xtask run`")),
        ],
        Port::Unclear(reason) => vec![Wrong(format!("port {port} can be neither used nor reached: {reason}"))],
        Port::Taken(holder) => match http::get(port, "/config") {
            Ok(answer) => judge(port, &holder, &answer, expected),
            Err(reason) => vec![stranger(port, &holder, &reason)],
        },
    }
}

fn judge(port: u16, holder: &str, answer: &http::Answer, expected: &str) -> Vec<Finding> {
    let text = |member| http::json_text(&answer.body, member);
    // Every device has this member, also one that tells neither its instance nor its version.
    if answer.status != 200 || !answer.body.contains("\"liveApiEnabled\"") {
        return vec![stranger(port, holder, &format!("GET /config is answered with status {}", answer.status))];
    }
    let instance = text("instance").map_or(String::new(), |instance| format!(", instance {instance}"));
    let reached = Finding::Ok(format!("a device answers at http://127.0.0.1:{port}: {holder}{instance}"));
    let version = match text("version") {
        Some(version) if version == expected => Finding::Ok(format!("it runs version {version}")),
        Some(version) => Wrong(format!(
            "it runs version {version}, but this is {expected}; run `cargo xtask install` and restart the host"
        )),
        None => Note("it does not tell its version".to_owned()),
    };
    vec![reached, version]
}

fn stranger(port: u16, holder: &str, reason: &str) -> Finding {
    Wrong(format!(
        "port {port} is taken by {holder}, which is no SVC Device ({reason}); end it, or give the device another port"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_by_number() {
        for (version, needed, expected) in [
            ("1.95.0", "1.95", true),
            ("1.100.0", "1.95", true),
            ("1.94.9", "1.95", false),
            ("2.0.0-nightly", "1.95", true),
            ("1.95.0-beta.1", "1.95.1", false),
            ("", "1.95", false),
        ] {
            assert_eq!(is_at_least(version, needed), expected, "{version} {needed}");
        }
        assert!(matches!(rust(None, "1.95"), Wrong(_)));
        assert!(matches!(rust(Some("1.80.1".to_owned()), "1.95"), Wrong(_)));
        assert!(matches!(rust(Some("1.95.0".to_owned()), "1.95"), Finding::Ok(_)));
    }

    #[test]
    fn the_marker_is_found_among_other_bytes() {
        for (bytes, expected) in [
            (&b"\xff\0svc-device-version=1.2.3;\0"[..], Some("1.2.3")),
            (b"svc-device-version=\0..svc-device-version=0.1.0-rc.1;", Some("0.1.0-rc.1")),
            (b"svc-device-version={};svc-device-version=2.0.0;", Some("2.0.0")),
            (b"svc-device-version=1.2.3", None),
            (b"svc-device-version", None),
            (b"", None),
        ] {
            assert_eq!(version_in(bytes).as_deref(), expected, "{}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn installed_plugins_are_judged() {
        let (here, nowhere) = (std::env::temp_dir(), Path::new("/no/such/X.clap"));
        let some = |text: &str| Some(Some(text.to_owned()));
        for (place, version, expected) in [
            (nowhere, None, "note   /no/such/X.clap is not installed; "),
            (nowhere, some("1.0.0"), "ok     /no/such/X.clap, version 1.0.0"),
            (nowhere, some("0.9.0"), "wrong  /no/such/X.clap is version 0.9.0, but this is 1.0.0; "),
            (nowhere, Some(None), "wrong  /no/such/X.clap does not tell its version; "),
        ] {
            let shown = plugin(place, version, "1.0.0").to_string();
            assert!(shown.starts_with(expected), "{shown}");
        }
        assert!(matches!(plugin(&here, None, "1.0.0"), Wrong(_)));
    }

    #[test]
    fn a_device_is_told_from_a_stranger_and_its_version_is_compared() {
        let lines = |status, body: &str| {
            let answer = http::Answer { status, body: body.to_owned() };
            judge(3350, "X (process 1)", &answer, "1.0.0").iter().map(Finding::to_string).collect::<Vec<_>>()
        };
        let same = lines(200, r#"{"liveApiEnabled":false,"instance":"Lead","version":"1.0.0"}"#);
        assert_eq!(
            same,
            [
                "ok     a device answers at http://127.0.0.1:3350: X (process 1), instance Lead",
                "ok     it runs version 1.0.0"
            ]
        );
        let other = lines(200, r#"{"liveApiEnabled":false,"version":"0.9.0"}"#);
        assert!(other[1].starts_with("wrong  it runs version 0.9.0, but this is 1.0.0"), "{other:?}");
        assert_eq!(lines(200, r#"{"liveApiEnabled":false}"#)[1], "note   it does not tell its version");
        for (status, body) in [(404, r#"{"liveApiEnabled":false}"#), (200, "<html>"), (200, "{}")] {
            assert!(
                lines(status, body)[0].starts_with("wrong  port 3350 is taken by X (process 1)"),
                "{status} {body}"
            );
        }
    }
}
