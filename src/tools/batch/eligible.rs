//! Which calls a batch may hold: those that read or change the Set, and nothing else.

use serde_json::{Map, Value};

/// Tools whose calls work on the Set alone.
const ON_THE_SET: &[&str] = &[
    "svc-read-live-set",
    "svc-update-live-set",
    "svc-read-track",
    "svc-create-track",
    "svc-update-track",
    "svc-read-scene",
    "svc-create-scene",
    "svc-update-scene",
    "svc-read-clip",
    "svc-create-clip",
    "svc-update-clip",
    "svc-read-device",
    "svc-create-device",
    "svc-update-device",
    "svc-delete",
    "svc-duplicate",
    "svc-select",
    "svc-playback",
    // Of test builds alone.
    "svc-test",
];

/// Tools that a batch does not hold, and why.
const ELSEWHERE: &[(&str, &str)] = &[
    ("svc-batch", "a batch holds no other; put its calls beside the others"),
    ("svc-connect", "it teaches, and hands over what is told once"),
    ("svc-manage", "it steps through what calls did; call it before or after the batch"),
    ("svc-library", "it looks for files, not at the Set"),
    ("svc-read-job", "it asks for work that goes on beside the Set"),
    ("svc-read-history", "it reads the steps that calls are, and a batch is one"),
    ("svc-render", "it writes a file of what is there when the batch is done"),
    ("svc-live-api", "the raw tool makes steps of its own"),
];

/// Why a batch does not hold such a call; `None` where it does, or where there may be no such tool.
pub fn refusal(tool: &str, arguments: Option<&Map<String, Value>>) -> Option<String> {
    let beside = |why: &str| format!("{tool} has no place in a batch: {why}");
    if let Some((_, why)) = ELSEWHERE.iter().find(|(name, _)| *name == tool) {
        return Some(beside(why));
    }
    let has = |name: &str, words: &[&str]| {
        let word = arguments.and_then(|arguments| arguments.get(name)?.as_str());
        word.is_some_and(|word| words.contains(&word))
    };
    match tool {
        "svc-context" if has("action", &["write", "delete"]) => {
            Some(beside("what it writes is no part of the Set, and no undo step; reading is possible"))
        }
        "svc-test" if has("behave", &["job", "step"]) => Some(beside("it starts a job")),
        // A tool that is none has another sentence.
        _ if holds(tool).unwrap_or(true) => None,
        _ => Some(beside("it does not work on the Set")),
    }
}

/// Whether a batch holds calls of the tool, some of them at least; `None` for a tool that nobody has decided on.
pub fn holds(tool: &str) -> Option<bool> {
    let elsewhere = ELSEWHERE.iter().any(|(name, _)| *name == tool);
    match ON_THE_SET.contains(&tool) || tool == "svc-context" {
        true => Some(true),
        false => elsewhere.then_some(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_batch_holds() {
        let refused = |tool: &str, arguments: Value| refusal(tool, arguments.as_object()).is_some();
        for (tool, arguments, expected) in [
            ("svc-create-clip", serde_json::json!({}), false),
            ("svc-playback", serde_json::json!({"action": "stop"}), false),
            ("svc-context", serde_json::json!({}), false),
            ("svc-context", serde_json::json!({"action": "write"}), true),
            ("svc-batch", serde_json::json!({}), true),
            ("svc-live-api", serde_json::json!({}), true),
            ("nonsense", serde_json::json!({}), false),
        ] {
            assert_eq!(refused(tool, arguments.clone()), expected, "{tool} {arguments}");
        }
        assert!(ON_THE_SET.iter().all(|name| ELSEWHERE.iter().all(|(other, _)| other != name)));
    }
}
