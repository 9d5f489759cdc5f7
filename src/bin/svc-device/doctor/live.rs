//! The script in Ableton Live, and the devices that wait for it.

use super::finding::Finding;
use crate::arguments::Options;
use crate::live::{INSTALL, sentence, setup};
use serde_json::Value;
use std::fs;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::Path;
use std::time::Duration;
use svc_device::live_script::ScriptState;

const SUBJECT: &str = "Live script";

/// How it stands in the User Library.
pub fn script(options: &Options) -> Finding {
    match setup(options).look(options.user_library.as_deref(), None) {
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

/// The devices that wait for the script, as their files tell it where they listen.
pub fn links(data_folder: &Path) -> Vec<Finding> {
    const SUBJECT: &str = "Live link";
    let entries = fs::read_dir(data_folder.join("bridge")).into_iter().flatten().flatten();
    let files: Vec<_> =
        entries.map(|entry| entry.path()).filter(|file| file.extension().is_some_and(|e| e == "json")).collect();
    if files.is_empty() {
        return vec![Finding::fine(SUBJECT, "no device waits for the script in Live")];
    }
    let told = |file: &Path| -> Option<(u16, String)> {
        let told: Value = serde_json::from_slice(&fs::read(file).ok()?).ok()?;
        let port = u16::try_from(told["port"].as_u64()?).ok()?;
        Some((port, format!("{}, process {}", told["kind"].as_str()?, told["pid"].as_u64()?)))
    };
    let look = |file: &Path| match told(file) {
        None => Finding::wrong(SUBJECT, format!("{} is no file of a device; remove it", file.display())),
        Some((port, who)) => {
            let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
            match TcpStream::connect_timeout(&address, Duration::from_secs(1)) {
                Ok(_) => Finding::fine(SUBJECT, format!("{who} listens for the script on port {port}")),
                Err(_) => Finding::note(
                    SUBJECT,
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
