//! A device, a chain or a pad in full. What a rack holds is in [`rack_fields`].

use crate::object_model::scope::{Part, Shape};
use crate::object_model::{ObjectId, Session};
use crate::tools::address::device_targets::{self, DevicePart};
use crate::tools::address::model_read::{flag, flag_if_any, int, text};
use crate::tools::address::path_resolve;
use crate::tools::address::target_origin;
use crate::tools::address::targets::Target;
use crate::tools::device::device_actions;
use crate::tools::error::ToolError;
use crate::tools::parameter::{macros, pad_sample, read as params, virtual_table};
use crate::tools::read::device_options;
use crate::tools::read::device_summary::{DeviceInclude, summary};
use crate::tools::read::gathered::Gathered;
use crate::tools::read::rack_fields::{self, Inside};
use serde_json::{Value, json};

/// What is read of a target.
pub fn part(session: &dyn Session, target: &Target, include: &DeviceInclude) -> Result<Part, ToolError> {
    if let Some(of) = target_origin::origin(target) {
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
        if !include.param_search.is_empty() {
            parameter = parameter.with(&["is_quantized", "value_items"]);
        }
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

fn device(session: &dyn Session, device: ObjectId, include: &DeviceInclude) -> Result<Gathered, ToolError> {
    let mut out = summary(session, device)?;
    if let Some(remark) = session.remark(device)? {
        out.set("detail", remark);
    }
    let is_rack = flag_if_any(session, device, "can_have_chains")?;
    if is_rack {
        rack_fields::rack(session, device, include, &mut out)?;
    }
    if let Some(notation) = include.drum_map {
        match path_resolve::drum_rack(session, device, 0)? {
            Some(drums) => rack_fields::drum_map_of(session, drums, notation, &mut out)?,
            None if include.says_no_drum_map => out.set("drumMap", Value::Null),
            None => {}
        }
    }
    if include.params {
        out.set("parameters", params::list(session, device, &include.param_search, include.param_values)?);
        if is_rack {
            let selected = int(session, device, "selected_variation_index")?;
            let selected = if selected < 0 { Value::Null } else { json!(selected) };
            out.set("variations", json!({ "count": int(session, device, "variation_count")?, "selected": selected }));
            let mut of_macros = json!({
                "count": int(session, device, "visible_macro_count")?,
                "hasMappings": flag(session, device, "has_macro_mappings")?,
            });
            let mappings = macros::list(session, device)?;
            if let Some(fields) = of_macros.as_object_mut().filter(|_| !mappings.is_empty()) {
                fields.insert("mappings".to_owned(), mappings.into());
            }
            out.set("macros", of_macros);
        }
        if flag_if_any(session, device, "can_compare_ab")? {
            out.set("abCompare", if flag(session, device, "is_using_compare_preset_b")? { "b" } else { "a" });
        }
    }
    if include.sample
        && let Some(sample) = pad_sample::sample_of(session, device)?
    {
        out.set("sample", text(session, sample, "file_path")?);
    }
    if include.actions {
        out.set("actions", device_actions::list(session, device)?);
    }
    if include.options {
        device_options::set(session, device, &virtual_table::virtual_params_of(session, device)?, &mut out)?;
    }
    Ok(out)
}
