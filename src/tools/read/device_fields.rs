//! A device, as every read shows it; the chains and pads in it: [`read_rack`].

use crate::notation::Notation;
use crate::object_model::scope::{Part, Shape};
use crate::object_model::{ObjectId, Session};
use crate::tools::address::device_targets::{self, DevicePart};
use crate::tools::address::model_read::{class, flag, flag_if_any, int, text};
use crate::tools::address::path_format;
use crate::tools::address::path_resolve;
use crate::tools::address::targets::Target;
use crate::tools::device::device_actions;
use crate::tools::error::ToolError;
use crate::tools::parameter::{pad_sample, read as params, virtual_table};
use crate::tools::read::device_options;
use crate::tools::read::gathered::Gathered;
use crate::tools::read::rack_fields::{self, Inside};
use crate::tools::read::target_scope;
use serde_json::{Value, json};

/// What to add to a device, chain or pad.
#[derive(Clone, Debug, Default)]
pub struct DeviceInclude {
    pub actions: bool,
    pub chains: bool,
    pub return_chains: bool,
    pub drum_pads: bool,
    /// With pads named as this notation names pitches.
    pub drum_map: Option<Notation>,
    pub params: bool,
    pub param_values: bool,
    /// Only parameters whose names hold this, in any case.
    pub param_search: Option<String>,
    pub sample: bool,
    pub options: bool,
    /// How many levels of racks are opened; at 0 chains tell only how many devices they hold.
    pub max_depth: usize,
}

impl DeviceInclude {
    pub fn of(words: &[String], param_search: Option<String>, max_depth: usize, notation: Notation) -> DeviceInclude {
        let has = |word: &str| words.iter().any(|w| w == word || w == "*");
        let param_search = param_search.filter(|text| !text.trim().is_empty());
        DeviceInclude {
            actions: has("actions"),
            chains: has("chains"),
            return_chains: has("return-chains"),
            drum_pads: has("drum-pads"),
            drum_map: has("drum-map").then_some(notation),
            params: has("params") || has("param-values") || param_search.is_some(),
            param_values: has("param-values"),
            param_search: param_search.map(|text| text.trim().to_owned()),
            sample: has("sample"),
            options: has("options"),
            max_depth,
        }
    }

    /// For what is inside: which chains to show, and nothing of the devices' own.
    pub(super) fn inside(&self) -> DeviceInclude {
        DeviceInclude {
            chains: self.chains,
            return_chains: self.return_chains,
            drum_pads: self.drum_pads,
            max_depth: self.max_depth.saturating_sub(1),
            ..DeviceInclude::default()
        }
    }
}

/// What is read of a target.
pub fn part(session: &dyn Session, target: &Target, include: &DeviceInclude) -> Result<Part, ToolError> {
    if let Some(of) = target_scope::origin(target) {
        return Ok(Part { of, shape: shape(include).into() });
    }
    let (DevicePart::Device(id) | DevicePart::Chain(id) | DevicePart::Pad { rack: id, .. }) =
        DevicePart::find(session, target, &mut None)?;
    Ok(Part::of_id(id, shape(include)))
}

/// What is read of a device, chain or rack with pads: which of them it is shows only when it is read.
fn shape(include: &DeviceInclude) -> Shape {
    let depth = include.max_depth.saturating_add(1);
    let mut device = rack_fields::rack_shape(include, depth);
    if include.drum_map.is_some() {
        device.children.extend(rack_fields::drums_within().children);
    }
    device.all_properties = include.params || include.options;
    if include.params {
        let mut parameter = Shape::of(&["name", "original_name"]);
        if include.param_values {
            parameter = parameter
                .with(&["min", "max", "value", "display_value", "is_enabled", "is_quantized", "value_items"])
                .with(&["state", "automation_state"]);
            parameter.display = true;
        }
        device = device.below("parameters", parameter);
    }
    let sample = Shape::of(&["file_path", "start_marker", "end_marker", "sample_rate", "gain"]);
    let inside = rack_fields::chain_shape(rack_fields::rack_shape(include, depth));
    let device = device.below_if(include.sample || include.params, "sample", || sample);
    let Shape { properties, counts, children, .. } = inside;
    // What only a chain has, and a chain of a rack that has pads.
    let mut shape = device.with(&properties).counting(&counts);
    shape.children.extend(children);
    shape
}

pub fn gather(session: &dyn Session, part: DevicePart, include: &DeviceInclude) -> Result<Gathered, ToolError> {
    match part {
        DevicePart::Device(id) => device(session, id, include),
        DevicePart::Chain(id) => rack_fields::chain(session, id, include, Inside::Devices),
        DevicePart::Pad { rack, note } => {
            let layers = device_targets::layers(session, rack, note)?;
            rack_fields::pad(session, rack, note, part.id(session)?, &layers, include)
        }
    }
}

/// A device as lists show it: what and where it is.
pub fn shown(session: &dyn Session, device: ObjectId) -> Result<Gathered, ToolError> {
    let mut out = Gathered::default();
    out.set("id", device.to_string());
    out.set("path", path_format::tool_path(session, device)?.unwrap_or_default());
    let (name, display) = (text(session, device, "name")?, text(session, device, "class_display_name")?);
    out.set("type", device_type(session, device, &display)?);
    if name != display {
        out.set("name", name);
    }
    out.set_if(!flag(session, device, "is_active")?, "deactivated");
    Ok(out)
}

/// `instrument: Operator`; a rack's kind says all.
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

fn device(session: &dyn Session, device: ObjectId, include: &DeviceInclude) -> Result<Gathered, ToolError> {
    let mut out = shown(session, device)?;
    let is_rack = flag_if_any(session, device, "can_have_chains")?;
    if is_rack {
        rack_fields::rack(session, device, include, &mut out)?;
    }
    if let Some(notation) = include.drum_map
        && let Some(drums) = path_resolve::drum_rack(session, device, 0)?
    {
        rack_fields::drum_map_of(session, drums, notation, &mut out)?;
    }
    if include.params {
        let search = include.param_search.as_deref();
        out.set("parameters", params::list(session, device, search, include.param_values)?);
        if is_rack {
            let selected = int(session, device, "selected_variation_index")?;
            let selected = if selected < 0 { Value::Null } else { json!(selected) };
            out.set("variations", json!({ "count": int(session, device, "variation_count")?, "selected": selected }));
            out.set(
                "macros",
                json!({
                    "count": int(session, device, "visible_macro_count")?,
                    "hasMappings": flag(session, device, "has_macro_mappings")?,
                }),
            );
        }
        if flag_if_any(session, device, "can_compare_ab")? {
            out.set("abCompare", if flag(session, device, "is_using_compare_preset_b")? { "b" } else { "a" });
        }
    }
    if include.sample
        && let Some(sample) = pad_sample::of(session, device)?
    {
        out.set("sample", text(session, sample, "file_path")?);
    }
    if include.actions {
        out.set("actions", device_actions::list(session, device)?);
    }
    if include.options {
        device_options::set(session, device, &virtual_table::of(session, device)?, &mut out)?;
    }
    Ok(out)
}
