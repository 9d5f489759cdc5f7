//! Dry runs: a call that answers as if it had been made, and of which nothing is kept. See D70 in `docs/decisions.md`.

use super::error::ToolError;
use serde_json::{Map, Value};

/// Marks the answer of a dry run.
pub const WARNING: &str = "dry run: nothing was kept";

/// Refuses a call whose doing is outside the Set, where nothing can be done as if.
pub fn check(tool: &str, arguments: &Map<String, Value>) -> Result<(), ToolError> {
    let word = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or_default();
    let why = match tool {
        "svc-manage" => "it steps through what is kept, works on files, or ends a job",
        "svc-playback" => "what it starts and stops is heard",
        "svc-render" => "it writes a file",
        "svc-context" if matches!(word("action"), "write" | "delete") => "it writes a file",
        "svc-library" if word("action") == "reindex" => "it starts a job",
        "svc-update-device" if saves_preset(arguments) => "savePreset writes a file",
        "svc-test" if word("behave") == "job" => "it starts a job",
        _ => return Ok(()),
    };
    Err(ToolError::new(format!("there is no dry run of this: {why}")))
}

/// Whether a call saves a device as a preset.
pub fn saves_preset(arguments: &Map<String, Value>) -> bool {
    let actions = arguments.get("actions").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    actions.iter().filter_map(Value::as_str).any(|action| action.trim_start().starts_with("savePreset"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_has_no_dry_run() {
        for (tool, arguments, refused) in [
            ("svc-update-track", json!({"path": "t0"}), false),
            ("svc-manage", json!({"action": "undo"}), true),
            ("svc-playback", json!({"action": "stop"}), true),
            ("svc-context", json!({}), false),
            ("svc-context", json!({"action": "delete"}), true),
            ("svc-library", json!({"query": "kick"}), false),
            ("svc-library", json!({"action": "reindex"}), true),
            ("svc-update-device", json!({"actions": ["reverse"]}), false),
            ("svc-update-device", json!({"actions": ["reverse", " savePreset(\"x\")"]}), true),
            ("svc-connect", json!({}), false),
            ("svc-create-clip", json!({"auto": "play-clip"}), false),
        ] {
            let checked = check(tool, arguments.as_object().expect("an object"));
            assert_eq!(checked.is_err(), refused, "{tool} {arguments}");
        }
    }
}
