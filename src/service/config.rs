//! `/config`: the settings as one JSON object, and a change of them that is checked whole before any of it is applied.

use super::access::Token;
use super::hosts::HostChoice;
use super::permissions::PERMISSION_REQUEST;
use super::settings::{MAX_CONTEXT_CHARS, MAX_FOLDERS, MAX_TIMEOUT_MS, Settings, check_folder, check_listed_folder};
use super::types::ConfigRefusal;
use crate::disk::folder_fault;
use crate::music::excerpt::{excerpt, excerpt_of_list};
use crate::notation::Notation;
use crate::tools;
use crate::tools::live_api::LIVE_API_TOOL;
use serde_json::{Map, Value, json};
use std::path::Path;

/// Members without a meaning that an answer names.
const MAX_LISTED_MEMBERS: usize = 20;

/// The member that has a device drop a state it cannot read. It is no setting; it is checked here, so that one bad
/// member refuses the whole change, and carried out by the device.
pub const START_FRESH: &str = "startFresh";

/// The member that sets the token, or takes it away with `null`. It is no setting that travels: no answer shows it.
pub const TOKEN: &str = "token";

/// The member that says whose Set the tools work on.
pub const HOST_CHOICE: &str = "hostChoice";

/// The member that takes what a journal offers, or turns it down; carried out like [`START_FRESH`].
pub const RECOVERY: &str = "recovery";

/// The settings as `GET /config` shows them.
pub fn to_json(settings: &Settings, instance: &str) -> Value {
    json!({
        "projectContext": settings.project_context,
        "sampleFolder": settings.sample_folder(),
        "smallModelMode": settings.small_model_mode,
        "jsonOutput": settings.json_output,
        "liveApiEnabled": settings.live_api_enabled(),
        "notation": settings.notation.name(),
        "tools": enabled_tools(settings),
        "port": settings.port,
        "timeoutMs": settings.timeout_ms,
        "allowedFolders": settings.allowed_folders(),
        HOST_CHOICE: settings.host_choice.name(),
        "ownClock": settings.own_clock,
        "sound": settings.sound == Some(true),
        "midiOut": settings.midi_out,
        PERMISSION_REQUEST: settings.permission_request_json(),
        "instance": instance,
        "version": crate::VERSION,
    })
}

/// Names of the tools that the device shows.
pub fn enabled_tools(settings: &Settings) -> Vec<&'static str> {
    let on =
        |name: &str| !settings.disabled_tools.contains(name) && (name != LIVE_API_TOOL || settings.live_api_enabled());
    tools::registry::all().iter().map(|tool| tool.name).filter(|name| on(name)).collect()
}

/// The settings after a change, and the members that mean nothing here. All members are checked first; one bad member
/// refuses the change.
pub fn change(settings: &Settings, body: &Map<String, Value>) -> Result<(Settings, Vec<String>), ConfigRefusal> {
    let mut next = settings.clone();
    let mut ignored = Vec::new();
    let mut bad: Vec<(String, String)> = Vec::new();
    let mut tool_names = None;
    for (member, value) in body {
        let result = match member.as_str() {
            "smallModelMode" => boolean(value).map(|on| next.small_model_mode = on),
            "jsonOutput" => boolean(value).map(|on| next.json_output = on),
            "liveApiEnabled" => boolean(value).map(|on| next.set_live_api_enabled(on)),
            START_FRESH => boolean(value).map(|_| ()),
            RECOVERY => match value.as_str() {
                Some("restore" | "dismiss") => Ok(()),
                _ => Err("must be restore or dismiss".to_owned()),
            },
            TOKEN => token(value).map(|_| ()),
            "ownClock" => boolean(value).map(|on| next.own_clock = on),
            "sound" => boolean(value).map(|on| next.sound = Some(on)),
            "midiOut" => boolean(value).map(|on| next.midi_out = on),
            HOST_CHOICE => {
                let named = value.as_str().and_then(HostChoice::from_name);
                named.map(|choice| next.host_choice = choice).ok_or_else(|| "must be auto, embedded or live".to_owned())
            }
            "notation" => {
                let named = value.as_str().and_then(Notation::from_name);
                named.map(|n| next.notation = n).ok_or_else(|| "must be barbeat, midi-json or stark".to_owned())
            }
            "projectContext" => text_or_null(value).and_then(|text| {
                if text.chars().count() > MAX_CONTEXT_CHARS {
                    return Err(format!("is longer than {MAX_CONTEXT_CHARS} characters"));
                }
                next.project_context = text;
                Ok(())
            }),
            "sampleFolder" => text_or_null(value).and_then(folder).map(|text| next.set_sample_folder(text)),
            "allowedFolders" => folders(value).map(|list| next.set_allowed_folders(list)),
            PERMISSION_REQUEST => settle_request(&mut next, value),
            "port" => {
                let port = whole(value).and_then(|n| u16::try_from(n).ok()).filter(|port| *port >= 1024);
                port.map(|port| next.port = port).ok_or_else(|| "must be a whole number from 1024 to 65535".to_owned())
            }
            "timeoutMs" => {
                let ms =
                    whole(value).and_then(|n| u32::try_from(n).ok()).filter(|ms| (1..=MAX_TIMEOUT_MS).contains(ms));
                ms.map(|ms| next.timeout_ms = ms)
                    .ok_or_else(|| format!("must be a whole number from 1 to {MAX_TIMEOUT_MS}"))
            }
            "tools" => texts(value).map(|list| tool_names = Some(list)),
            _ => {
                ignored.push(member.clone());
                Ok(())
            }
        };
        if let Err(why) = result {
            bad.push((member.clone(), why));
        }
    }
    let mut valid_tool_names = None;
    if let Some(list) = tool_names
        && let Err(why) = set_tools(&mut next, &list)
    {
        bad.push(("tools".to_owned(), why));
    }
    if bad.iter().any(|(member, _)| member == "tools") {
        let names = tools::registry::all()
            .iter()
            .map(|t| t.name)
            .filter(|name| *name != LIVE_API_TOOL || next.live_api_enabled());
        valid_tool_names = Some(names.map(str::to_owned).collect());
    }
    if bad.is_empty() { Ok((next, listed(ignored))) } else { Err(ConfigRefusal { fields: bad, valid_tool_names }) }
}

/// What is wrong with the folders that a change names, as the disk has them; `before` are the settings as they are. One
/// that is named already may be on a drive that is not plugged in. How they are written, [`change`] looks at.
pub fn new_folder_faults(body: &Map<String, Value>, before: &Value) -> Vec<(String, String)> {
    let named_before = |folder: &str| {
        let list = before.get("allowedFolders").and_then(Value::as_array).into_iter().flatten();
        list.chain(before.get("sampleFolder")).any(|known| known.as_str() == Some(folder))
    };
    let of_member = |member: &str, value: &Value| {
        let texts: Vec<&str> = match value {
            Value::String(text) if member == "sampleFolder" => vec![text],
            Value::Array(items) if member == "allowedFolders" => items.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        let texts: Vec<&str> = texts.into_iter().filter(|text| !text.is_empty()).collect();
        let is_written_well = |text: &&str| check_folder((*text).to_owned()).is_ok();
        if texts.len() > MAX_FOLDERS || !texts.iter().all(is_written_well) {
            return None;
        }
        let fault = |text: &&str| {
            let why = folder_fault(Path::new(*text)).filter(|_| !named_before(text))?;
            Some((member.to_owned(), format!("{why}: {}", excerpt(text))))
        };
        texts.iter().find_map(fault)
    };
    body.iter().filter_map(|(member, value)| of_member(member, value)).collect()
}

/// The first of the members that mean nothing, each cut short; a last entry counts the rest.
fn listed(mut ignored: Vec<String>) -> Vec<String> {
    let more = ignored.len().saturating_sub(MAX_LISTED_MEMBERS);
    ignored.truncate(MAX_LISTED_MEMBERS);
    let mut listed: Vec<String> = ignored.iter().map(|member| excerpt(member)).collect();
    listed.extend((more > 0).then(|| format!("and {more} more")));
    listed
}

/// A whole toolset. What is *disabled* is kept, so that tools of a later version appear.
fn set_tools(next: &mut Settings, list: &[String]) -> Result<(), String> {
    let known = |name: &str| {
        tools::registry::all().iter().any(|t| t.name == name) && (name != LIVE_API_TOOL || next.live_api_enabled())
    };
    let unknown: Vec<&str> = list.iter().map(String::as_str).filter(|name| !known(name)).collect();
    if !unknown.is_empty() {
        return Err(format!("unknown or not enabled: {}", excerpt_of_list(&unknown)));
    }
    let off = tools::registry::all().iter().map(|t| t.name).filter(|name| !list.iter().any(|l| l == name));
    next.disabled_tools = off.map(str::to_owned).collect();
    Ok(())
}

/// Grants what the project asks for, or drops it.
fn settle_request(next: &mut Settings, value: &Value) -> Result<(), String> {
    match value.as_str() {
        Some("grant") => next.grant(),
        Some("dismiss") => {
            next.drop_held();
            Ok(())
        }
        _ => Err("must be grant or dismiss".to_owned()),
    }
}

/// A token as the member says it; `None` takes it away.
pub fn token(value: &Value) -> Result<Option<Token>, String> {
    match value {
        Value::Null => Ok(None),
        Value::String(text) => Token::new(text).map(Some),
        _ => Err("must be a text or null".to_owned()),
    }
}

fn boolean(value: &Value) -> Result<bool, String> {
    value.as_bool().ok_or_else(|| "must be true or false".to_owned())
}

/// JSON knows no difference between 5 and 5.0.
fn whole(value: &Value) -> Option<u64> {
    let from_float = || value.as_f64().filter(|n| n.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(n));
    value.as_u64().or_else(|| from_float().map(|n| n as u64))
}

fn text_or_null(value: &Value) -> Result<String, String> {
    match value {
        Value::Null => Ok(String::new()),
        Value::String(text) => Ok(text.clone()),
        _ => Err("must be a text or null".to_owned()),
    }
}

fn folder(text: String) -> Result<String, String> {
    check_folder(text).map_err(str::to_owned)
}

fn folders(value: &Value) -> Result<Vec<String>, String> {
    let list = texts(value)?;
    if list.len() > MAX_FOLDERS {
        return Err(format!("takes at most {MAX_FOLDERS} folders, not {}", list.len()));
    }
    list.into_iter().map(|text| check_listed_folder(text).map_err(str::to_owned)).collect()
}

fn texts(value: &Value) -> Result<Vec<String>, String> {
    serde_json::from_value(value.clone()).map_err(|_| "must be a list of texts".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_whole_or_not_at_all() {
        let before = Settings::default();
        let body = |json: Value| json.as_object().cloned().unwrap();
        let (after, ignored) =
            change(&before, &body(json!({"liveApiEnabled": true, "notation": "midi-json", "port": 4000, "x": 1})))
                .unwrap();
        assert_eq!(
            (after.live_api_enabled(), after.notation, after.port, ignored),
            (true, Notation::MidiJson, 4000, vec!["x".to_owned()])
        );
        let refused = change(
            &before,
            &body(json!({"smallModelMode": "true", "notation": "abc", "timeoutMs": 55001, "jsonOutput": true})),
        )
        .unwrap_err();
        assert_eq!(
            refused.fields.iter().map(|(m, _)| m.as_str()).collect::<Vec<_>>(),
            ["smallModelMode", "notation", "timeoutMs"]
        );
    }

    #[test]
    fn the_toolset_keeps_what_is_off() {
        let body = |json: Value| json.as_object().cloned().unwrap();
        let (after, _) = change(&Settings::default(), &body(json!({"tools": ["svc-connect"]}))).unwrap();
        assert_eq!(enabled_tools(&after), ["svc-connect"]);
        let refused = change(&after, &body(json!({"tools": ["svc-live-api", "nope"]}))).unwrap_err();
        assert!(refused.fields[0].1.contains("svc-live-api") && refused.valid_tool_names.unwrap().len() >= 10);
        assert!(change(&after, &body(json!({"tools": ["svc-live-api"], "liveApiEnabled": true}))).is_ok());
    }
}
