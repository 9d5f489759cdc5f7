//! The script in Ableton Live, and the devices that wait for it.

use super::finding::Finding;
use crate::arguments::Options;
use crate::device_client::running_script;
use crate::live::{INSTALL, sentence, setup};
use serde_json::Value;
use std::fs;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::Path;
use std::time::Duration;
use svc_device::live_script::ScriptState;

const SUBJECT: &str = "Live script";

const LINK: &str = "Live link";

/// How it stands in the User Library. `config` is what the device on the port says of itself, if one is there.
pub fn script(options: &Options, config: Option<&Value>) -> Finding {
    let running = config.and_then(running_script);
    match setup(options).look(options.user_library.as_deref(), running.as_ref()) {
        Err(problem) if problem.is_without_live => Finding::fine(SUBJECT, format!("{}.", problem.why)),
        // Nobody has to have Live; a folder that was named has to be there.
        Err(problem) if options.user_library.is_none() => Finding::note(SUBJECT, format!("{}.", sentence(problem))),
        Err(problem) => Finding::wrong(SUBJECT, format!("{}.", sentence(problem))),
        Ok((_, status)) => {
            let text = format!("{} {}", status.sentence(), status.next_step(INSTALL));
            match status.state {
                ScriptState::Installed => Finding::fine(SUBJECT, text),
                ScriptState::NotInstalled => Finding::note(SUBJECT, text),
                _ => Finding::wrong(SUBJECT, text),
            }
        }
    }
}

/// Whose Set the tools of the device on the port work on, and how it stands with its link to Live; nothing of a device
/// that tells neither.
pub fn host(config: &Value) -> Vec<Finding> {
    let host = &config["host"];
    let (Some(state), Some(text)) = (host["live"]["state"].as_str(), host["live"]["text"].as_str()) else {
        return Vec::new();
    };
    let drives_live = host["kind"] == "live";
    let whose = if drives_live { "the tools work on Live's Set" } else { "the tools work on the device's own Set" };
    let text = format!("{whose}; {text}");
    let link = match state {
        "linked" => Finding::fine(LINK, text),
        "refused" => Finding::wrong(LINK, text),
        _ if drives_live => Finding::wrong(LINK, text),
        _ => Finding::note(LINK, text),
    };
    [link].into_iter().chain(host["offer"].as_str().map(|offer| Finding::note(LINK, offer))).collect()
}

/// The devices that wait for the script, as their files tell it where they listen.
pub fn links(data_folder: &Path) -> Vec<Finding> {
    let entries = fs::read_dir(data_folder.join("bridge")).into_iter().flatten().flatten();
    let files: Vec<_> =
        entries.map(|entry| entry.path()).filter(|file| file.extension().is_some_and(|e| e == "json")).collect();
    if files.is_empty() {
        return vec![Finding::fine(LINK, "no device waits for the script in Live")];
    }
    let told = |file: &Path| -> Option<(u16, String)> {
        let told: Value = serde_json::from_slice(&fs::read(file).ok()?).ok()?;
        let port = u16::try_from(told["port"].as_u64()?).ok()?;
        Some((port, format!("{}, process {}", told["kind"].as_str()?, told["pid"].as_u64()?)))
    };
    let look = |file: &Path| match told(file) {
        None => Finding::wrong(LINK, format!("{} is no file of a device; remove it", file.display())),
        Some((port, who)) => {
            let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
            match TcpStream::connect_timeout(&address, Duration::from_secs(1)) {
                Ok(_) => Finding::fine(LINK, format!("{who} listens for the script on port {port}")),
                Err(_) => Finding::note(
                    LINK,
                    format!(
                        "{} was left behind ({who}): nobody listens on port {port}; it can be removed",
                        file.display()
                    ),
                ),
            }
        }
    };
    files.iter().map(|file| look(file)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::finding::Level;
    use serde_json::json;
    use svc_device::live_script::RunningScript;

    #[test]
    fn the_link_is_told_by_what_the_device_says() {
        for (kind, state, level) in [
            ("live", "linked", Level::Fine),
            ("embedded", "linked", Level::Fine),
            ("live", "lost", Level::Wrong),
            ("live", "stalled", Level::Wrong),
            ("live", "notSeen", Level::Wrong),
            ("embedded", "notSeen", Level::Note),
            ("embedded", "refused", Level::Wrong),
        ] {
            let config = json!({"host": {"kind": kind, "offer": null, "live": {"state": state, "text": "as it is"}}});
            let told = host(&config);
            assert_eq!((told.len(), told[0].level), (1, level), "{kind} {state}");
            assert!(told[0].text.ends_with("; as it is"), "{told:?}");
        }
        let offered = json!({"host": {"kind": "embedded", "offer": "switch", "live": {"state": "linked", "text": ""}}});
        assert_eq!(host(&offered)[1], Finding::note("Live link", "switch"));
        assert_eq!(host(&json!({"port": 1})), []);
    }

    #[test]
    fn what_runs_in_live_is_what_the_device_tells() {
        let told = |live: Value| running_script(&json!({ "host": { "live": live } }));
        let script = |version: &str, hash: &str| {
            Some(RunningScript { version: version.to_owned(), source_hash: hash.to_owned() })
        };
        assert_eq!(told(json!({"scriptVersion": "0.1.0"})), script("0.1.0", ""));
        assert_eq!(told(json!({"scriptVersion": "0.1.0", "sourceHash": "ab"})), script("0.1.0", "ab"));
        assert_eq!((told(json!({"scriptVersion": null})), told(Value::Null)), (None, None));
    }
}
