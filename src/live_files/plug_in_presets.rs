//! Plug-ins as presets hold them, alone or in the chains of a rack: each in an element of its format, by its name.

use super::error::ReadError;
use super::limits::Countable;
use super::walk::Walk;
use super::xml_reader::Element;
use crate::set::document::device_tree::Device;

/// The macro of a plug-in's setting where there is none.
const NO_MACRO: &str = "-1";

/// The class that a plug-in has in a Set; `None` for what is no preset of a plug-in.
pub fn class_of(preset: &str) -> Option<&'static str> {
    match preset {
        "VstPreset" | "Vst3Preset" => Some("PluginDevice"),
        "AuPreset" => Some("AuPluginDevice"),
        _ => None,
    }
}

/// Reads one, of that class.
pub fn read_plug_in(walk: &mut Walk, element: &Element, class: &str) -> Result<Device, ReadError> {
    walk.count(Countable::Devices)?;
    let mut device = Device::opaque(walk.serial(), class, false);
    let mut mapped = 0;
    while let Some(child) = walk.next_child(element)? {
        match child.name() {
            "IsOn" => device.set_switched_off(!walk.boolean(&child)?),
            "Name" | "PlugName" => {
                let name = walk.text(&child)?;
                if !name.is_empty() {
                    device.name = Some(name);
                }
            }
            "ParameterSettings" => mapped += read_parameters(walk, &child)?,
            "PowerMacroControlIndex" => mapped += u64::from(walk.text(&child)? != NO_MACRO),
            // The state, how it was saved and shown: counted together.
            _ => {}
        }
    }
    walk.report.count_left_out("macro mappings of settings that are not read", mapped);
    walk.report.count_left_out("states of plug-ins and Max devices", 1);
    Ok(device)
}

/// How many of its parameters a macro moves.
fn read_parameters(walk: &mut Walk, element: &Element) -> Result<u64, ReadError> {
    let (mut mapped, mut all) = (0, 0);
    while let Some(parameter) = walk.next_child(element)? {
        all += 1;
        while let Some(child) = walk.next_child(&parameter)? {
            if child.name() == "MacroControlIndex" {
                mapped += u64::from(walk.text(&child)? != NO_MACRO);
            }
        }
    }
    walk.report.count_left_out("lists of parameters of plug-ins and Max devices", u64::from(all > 0));
    Ok(mapped)
}
