//! The devices that can be made, by name.

use crate::object_model::native_devices::{DeviceCategory, table};
use crate::tools::arguments::nearest;
use crate::tools::error::ToolError;
use serde_json::{Value, json};

/// Every native device by kind, in order.
pub fn list() -> Value {
    let of = |kind: DeviceCategory| -> Vec<&str> {
        let mut names: Vec<&str> =
            table().devices.iter().filter(|(_, class)| class.category == kind).map(|(name, _)| name.as_str()).collect();
        names.sort_unstable_by_key(|name| name.to_lowercase());
        names
    };
    json!({
        "instruments": of(DeviceCategory::Instrument),
        "midiEffects": of(DeviceCategory::MidiEffect),
        "audioEffects": of(DeviceCategory::AudioEffect),
    })
}

/// Devices that Live has and that can't be made here, and why.
const ELSEWHERE: [(&str, &str); 3] = [
    ("External Instrument", "it needs the audio inputs of a running Live"),
    ("External Audio Effect", "it needs the audio inputs of a running Live"),
    ("Max", "Max devices are made in a running Live"),
];

/// The native device that a text means: its name in any case, with or without blanks and signs.
pub fn find(wanted: &str) -> Result<&'static str, ToolError> {
    let packed =
        |name: &str| name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    let names = || table().devices.keys().map(String::as_str);
    let same = packed(wanted);
    if let Some(name) = names().find(|name| packed(name) == same && !same.is_empty()) {
        return Ok(name);
    }
    let shown: String = wanted.chars().take(80).collect();
    let why = match ELSEWHERE.iter().find(|(name, _)| packed(name) == same || *name == "Max" && same.starts_with("max"))
    {
        Some((_, why)) => format!("; {why}"),
        None => format!("{}; svc-create-device without device lists them all", nearest::hint(wanted, names())),
    };
    Err(ToolError::about("device", format!("there is no native device \"{shown}\"{why}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_any_spelling() {
        for (wanted, name) in [
            ("Operator", "Operator"),
            ("eq eight", "EQ Eight"),
            ("AutoFilter", "Auto Filter"),
            ("DrumSampler", "Drum Sampler"),
            ("chorus ensemble", "Chorus-Ensemble"),
        ] {
            assert_eq!(find(wanted).unwrap(), name);
        }
        for (wanted, why) in [
            ("Opperator", "the nearest is \"Operator\""),
            ("External Instrument", "running Live"),
            ("Serum 2", "lists them all"),
            ("--", "no native device"),
        ] {
            let error = find(wanted).unwrap_err().text;
            assert!(error.contains(why), "{wanted}: {error}");
        }
    }
}
