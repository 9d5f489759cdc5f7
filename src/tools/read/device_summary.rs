//! A device as lists show it, and what a read may add to it.

use crate::notation::Notation;
use crate::object_model::{ObjectId, Session};
use crate::tools::address::model_read::{class, flag, int, text};
use crate::tools::address::path_format;
use crate::tools::error::ToolError;
use crate::tools::read::gathered::Gathered;

/// What to add to a device, chain or pad.
#[derive(Clone, Debug, Default)]
pub struct DeviceInclude {
    pub actions: bool,
    pub chains: bool,
    pub return_chains: bool,
    pub drum_pads: bool,
    /// With pads named as this notation names pitches.
    pub drum_map: Option<Notation>,
    /// Asked for by its name, so that where there is none this is said.
    pub says_no_drum_map: bool,
    pub params: bool,
    pub param_values: bool,
    /// Only parameters that hold one of these, in any case; empty for all.
    pub param_search: Vec<String>,
    pub sample: bool,
    pub options: bool,
    /// How many levels of racks are opened; at 0 chains tell only how many devices they hold.
    pub max_depth: usize,
}

impl DeviceInclude {
    pub fn from_words(
        words: &[String],
        param_search: Option<String>,
        max_depth: usize,
        notation: Notation,
    ) -> DeviceInclude {
        let has = |word: &str| words.iter().any(|w| w == word || w == "*");
        let terms = param_search.iter().flat_map(|text| text.split(',')).map(str::trim);
        let param_search: Vec<String> = terms.filter(|term| !term.is_empty()).map(str::to_owned).collect();
        DeviceInclude {
            actions: has("actions"),
            chains: has("chains"),
            return_chains: has("return-chains"),
            drum_pads: has("drum-pads"),
            drum_map: has("drum-map").then_some(notation),
            says_no_drum_map: words.iter().any(|word| word == "drum-map"),
            params: has("params") || has("param-values") || !param_search.is_empty(),
            param_values: has("param-values"),
            param_search,
            sample: has("sample"),
            options: has("options"),
            max_depth,
        }
    }

    /// For what is inside: which chains to show, and nothing of the devices' own.
    pub fn inside(&self) -> DeviceInclude {
        DeviceInclude {
            chains: self.chains,
            return_chains: self.return_chains,
            drum_pads: self.drum_pads,
            max_depth: self.max_depth.saturating_sub(1),
            ..DeviceInclude::default()
        }
    }
}

/// A device as lists show it: what and where it is.
pub fn summary(session: &dyn Session, device: ObjectId) -> Result<Gathered, ToolError> {
    let mut out = Gathered::default();
    out.set("id", device.to_string());
    out.set("path", path_format::tool_path(session, device)?.unwrap_or_default());
    let (name, display) = (text(session, device, "name")?, text(session, device, "class_display_name")?);
    out.set("type", device_type(session, device, &display)?);
    if name != display {
        out.set("name", name);
    }
    out.set_if(!flag(session, device, "is_active")?, "deactivated");
    if let Some(sounds) = session.sounds(device)? {
        out.set("sounds", sounds);
    }
    Ok(out)
}

/// `instrument: Operator`; a rack's kind says all.
pub fn type_of(session: &dyn Session, device: ObjectId) -> Result<String, ToolError> {
    device_type(session, device, &text(session, device, "class_display_name")?)
}

fn device_type(session: &dyn Session, device: ObjectId, display: &str) -> Result<String, ToolError> {
    let kind = match text(session, device, "class_name")?.as_str() {
        "DrumGroupDevice" => return Ok("drum-rack".to_owned()),
        "InstrumentGroupDevice" => return Ok("instrument-rack".to_owned()),
        "AudioEffectGroupDevice" => return Ok("audio-effect-rack".to_owned()),
        "MidiEffectGroupDevice" => return Ok("midi-effect-rack".to_owned()),
        _ => match int(session, device, "type")? {
            1 => "instrument",
            2 => "audio-effect",
            4 => "midi-effect",
            _ => class(session, device)?.unwrap_or("device"),
        },
    };
    Ok(format!("{kind}: {display}"))
}
