//! The port and the device on it, and the folders that it may read.

use super::finding::Finding;
use super::port_holder::holder;
use crate::device_client::{DeviceClient, PortAnswer};
use serde_json::Value;
use std::fs;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use svc_device::http::StartError;
use svc_device::service::Settings;
use svc_device::service::access::Token;

const ANOTHER_PORT: &str = "choose another in the settings, or with --port N";

/// Who has the port; gives what the device there says of itself, if one is there.
pub fn look(port: u16, token: Option<Token>, findings: &mut Vec<Finding>) -> Option<Value> {
    const SUBJECT: &str = "port";
    let client = match DeviceClient::new(port, token) {
        Ok(client) => client,
        Err(why) => {
            findings.push(Finding::wrong(SUBJECT, why));
            return None;
        }
    };
    let by = || holder(port).unwrap_or_else(|| "another program".to_owned());
    match client.who() {
        PortAnswer::Other => {
            findings.push(Finding::wrong(SUBJECT, format!("{port} is taken by {}; {ANOTHER_PORT}", by())));
            None
        }
        PortAnswer::Silence => {
            findings.push(match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
                Ok(_) => Finding::fine(SUBJECT, format!("{port} is free: no device runs on it")),
                Err(why) => Finding::wrong(SUBJECT, unanswered(port, holder(port), why, cfg!(windows))),
            });
            None
        }
        PortAnswer::Device { version } => match client.config() {
            Err(why) => {
                findings.push(Finding::wrong(SUBJECT, format!("{port}: a device {version} runs, but {why}")));
                None
            }
            Ok(config) => {
                device(port, &version, &config, findings);
                Some(config)
            }
        },
    }
}

/// Why a port that answers nothing cannot be had either.
fn unanswered(port: u16, holder: Option<String>, why: std::io::Error, windows: bool) -> String {
    if holder.is_none() && why.kind() != ErrorKind::AddrInUse {
        return format!("{}; {ANOTHER_PORT}", StartError::of_bind_on(windows, port, why));
    }
    let holder = holder.unwrap_or_else(|| "another program".to_owned());
    let text = format!("{port} is taken by {holder}, which answers nothing; {ANOTHER_PORT}");
    match windows {
        true => format!(
            "{text}. If that is svc-device or a DAW with the plugin, a firewall or another security program stands \
             between: have it allow connections on 127.0.0.1"
        ),
        false => text,
    }
}

/// What the device on the port says of itself.
fn device(port: u16, version: &str, config: &Value, findings: &mut Vec<Finding>) {
    let instance = config["instance"].as_str().unwrap_or("a device");
    let text = format!("{port}: {instance}, svc-device {version}");
    findings.push(match version == svc_device::VERSION {
        true => Finding::fine("port", text),
        false => Finding::note(
            "port",
            format!("{text}; this program is {}: close it and start it anew", svc_device::VERSION),
        ),
    });
    if let Some(why) = config["saveFailure"].as_str() {
        findings.push(Finding::wrong("saving", why));
    }
    if let Some(why) = config["heldState"].as_str() {
        findings.push(Finding::wrong("saved Set", why));
    }
    if let Some(text) = sound_text(config) {
        findings.push(text);
    }
    if let Some(changes) = config["recovery"]["newerChanges"].as_u64() {
        let text = format!("{changes} changes are newer than the project; choose Restore or Dismiss in the window");
        findings.push(Finding::note("saved Set", text));
    }
    // `null` where nothing is asked for.
    if let Some(request) = config.get("permissionRequest").filter(|request| !request.is_null()) {
        let asked = request.as_str().map_or_else(|| request.to_string(), str::to_owned);
        findings
            .push(Finding::note("permission", format!("the open project asks for {asked}; answer it in the window")));
    }
}

/// By what the device is heard, how late, and whether it breaks off. In a plugin that is the host's matter.
fn sound_text(config: &Value) -> Option<Finding> {
    const SUBJECT: &str = "sound";
    if config["sound"] == false {
        return Some(Finding::note(SUBJECT, "is off: switch it on in Setup, or POST /config {\"sound\": true}"));
    }
    if config["soundStatus"]["isUnheard"] == true {
        return Some(Finding::note(SUBJECT, config["soundStatus"]["text"].as_str().unwrap_or_default()));
    }
    let output = config.get("soundOutput").filter(|output| output.is_object())?;
    let text = format!(
        "{}, {} Hz, {} ms late, {} underruns",
        output["name"].as_str().unwrap_or_default(),
        output["sampleRate"],
        output["latencyMs"],
        output["underruns"]
    );
    Some(match output["underruns"].as_u64() {
        Some(0) | None => Finding::fine(SUBJECT, text),
        Some(_) => Finding::note(SUBJECT, format!("{text}: other programs may take the processor's time")),
    })
}

/// The folders of samples that may be read.
#[derive(Debug, Default, PartialEq)]
pub struct Folders {
    sample: String,
    allowed: Vec<String>,
}

impl Folders {
    pub fn of_config(config: &Value) -> Folders {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let allowed = config["allowedFolders"].as_array().into_iter().flatten().map(text).collect();
        Folders { sample: text(&config["sampleFolder"]), allowed }
    }

    pub fn of_settings(settings: &Settings) -> Folders {
        Folders { sample: settings.sample_folder().to_owned(), allowed: settings.allowed_folders().to_vec() }
    }

    /// Whether each can be listed, and the index of what is in them.
    pub fn look(&self, data_folder: &Path, findings: &mut Vec<Finding>) {
        let sample = [&self.sample].into_iter().filter(|folder| !folder.is_empty());
        let mut count = 0;
        for folder in sample.chain(&self.allowed) {
            count += 1;
            if let Err(e) = fs::read_dir(folder) {
                let text = format!(
                    "{folder} cannot be listed ({}); plug its disk in, give this program the right to read it, or take it \
                     out of the settings",
                    e.kind()
                );
                findings.push(Finding::wrong("folders", text));
            }
        }
        findings.push(match (count, fs::metadata(data_folder.join("library.redb"))) {
            (0, _) => {
                Finding::note("library", "no sample folder is set, so svc-library finds nothing; Setup has a field")
            }
            (_, Ok(about)) => {
                let megabytes = about.len() as f64 / 1_000_000.0;
                Finding::fine("library", format!("folders: {count}; the index has {megabytes:.1} MB"))
            }
            (_, Err(_)) => Finding::note("library", format!("folders: {count}; they are indexed once a device runs")),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Error;

    #[test]
    fn a_port_that_answers_nothing_is_told_with_who_has_it() {
        let live = || Some("Ableton Live.exe (process 7)".to_owned());
        for (holder, kind, windows, parts) in [
            (live(), ErrorKind::AddrInUse, false, &["taken by Ableton Live.exe (process 7)", "--port N"][..]),
            (
                live(),
                ErrorKind::AddrInUse,
                true,
                &["taken by Ableton Live.exe", "a firewall or another security program"],
            ),
            // Whoever has it for itself alone is told so by Windows.
            (live(), ErrorKind::PermissionDenied, true, &["taken by Ableton Live.exe"]),
            (None, ErrorKind::AddrInUse, false, &["taken by another program"]),
            (None, ErrorKind::PermissionDenied, true, &["Hyper-V", "excludedportrange", "--port N"]),
            (None, ErrorKind::PermissionDenied, false, &["cannot listen on 127.0.0.1:3350"]),
        ] {
            let text = unanswered(3350, holder, Error::from(kind), windows);
            for part in parts {
                assert!(text.contains(part), "{kind} {windows}: {text}");
            }
            assert!(windows || !text.contains("firewall"), "{text}");
        }
    }
}
