//! Presets that Live saved: of one device (`.adv`), and of a rack with what it holds (`.adg`). A rack's chains stand
//! beside it there, each device in an element of its own.

use super::chain_mixer::read_chain_mixer;
use super::devices::{RackAround, read_device, read_device_apart};
use super::error::ReadError;
use super::limits::Countable;
use super::plug_in_presets;
use super::racks::read_pad_part;
use super::walk::Walk;
use super::xml_reader::Element;
use super::zones::read_zones;
use crate::set::document::device_tree::{Chain, Device, MAX_RACK_DEPTH};
use std::sync::Arc;

const RACK: &str = "GroupDevicePreset";
const WRAPPED: &str = "AbletonDevicePreset";

/// What other files of Live hold.
const OTHER_FILES: [(&str, &str); 4] = [
    ("Groove", "a groove (.agr)"),
    ("GroovePool", "a pool of grooves"),
    ("SkinManager", "a theme (.ask)"),
    ("Theme", "a theme (.ask)"),
];

/// What says nothing of the sound.
const OF_PRESETS: [&str; 14] = [
    "OverwriteProtectionNumber",
    "PresetRef",
    "PresetLockId",
    "LomId",
    "IsSelected",
    "SessionViewBranchWidth",
    "DocumentColorIndex",
    "AutoColorScheme",
    "SourceContext",
    "LastPresetRef",
    "IsHighlightedInSessionView",
    "DrumBranchGUID",
    "BranchGUID",
    "ViewData",
];

/// The kind of a file of Live's by the element in its root; `None` for Sets and presets.
pub fn other_kind(element: &str) -> Option<&'static str> {
    OTHER_FILES.iter().find(|(name, _)| *name == element).map(|(_, kind)| *kind)
}

/// Reads the device that the file is of; `None` where it holds none.
pub fn read_preset(walk: &mut Walk, root: &Element) -> Result<Option<Device>, ReadError> {
    let mut device = None;
    while let Some(child) = walk.next_child(root)? {
        match child.name() {
            "LiveSet" => {
                return Err(ReadError::NotASet(
                    "it is a Live Set, and no preset of a device: svc-manage opens it, and imports the track of a Live \
                     Clip (.alc)"
                        .to_owned(),
                ));
            }
            name if other_kind(name).is_some() => {
                let what = other_kind(name).unwrap_or_default();
                return Err(ReadError::NotASet(format!("it is {what}, and no preset of a device")));
            }
            _ if device.is_some() => walk.report.count_unknown("Ableton", child.name()),
            RACK => device = read_rack(walk, &child, 0)?,
            name if plug_in_presets::class_of(name).is_some() => {
                device = read_plug_in(walk, &child)?;
            }
            WRAPPED => device = read_wrapped(walk, &child, 0)?.pop(),
            _ => device = Some(read_device(walk, &child, 0)?),
        }
    }
    Ok(device)
}

/// A rack, whose own element comes first.
fn read_rack(walk: &mut Walk, element: &Element, depth: usize) -> Result<Option<Device>, ReadError> {
    let mut rack: Option<RackAround> = None;
    while let Some(child) = walk.next_child(element)? {
        match (child.name(), &mut rack) {
            ("Device", None) => {
                while let Some(own) = walk.next_child(&child)? {
                    rack = Some(read_device_apart(walk, &own, depth)?);
                }
            }
            ("BranchPresets" | "ReturnBranchPresets", Some(rack)) => {
                let outer = std::mem::take(&mut walk.macro_mappings);
                let chains = read_branches(walk, &child, depth + 1)?;
                let mappings = std::mem::replace(&mut walk.macro_mappings, outer);
                rack.take_chains(chains, mappings, child.name() == "ReturnBranchPresets");
            }
            _ => walk.pass_over(RACK, &child, &OF_PRESETS)?,
        }
    }
    Ok(rack.map(|rack| rack.finish(walk)))
}

fn read_branches(walk: &mut Walk, element: &Element, depth: usize) -> Result<Vec<Chain>, ReadError> {
    let mut chains = Vec::new();
    while let Some(branch) = walk.next_child(element)? {
        walk.count(Countable::Chains)?;
        let mut chain = Chain::new(walk.serial(), 0, 0);
        while let Some(child) = walk.next_child(&branch)? {
            read_part(walk, &child, &mut chain, depth)?;
        }
        chains.push(chain);
    }
    Ok(chains)
}

fn read_part(walk: &mut Walk, child: &Element, chain: &mut Chain, depth: usize) -> Result<(), ReadError> {
    match child.name() {
        "Name" => {
            let name = walk.text(child)?;
            if !name.is_empty() {
                chain.name = name;
            }
        }
        "IsSoloed" => chain.solo = walk.boolean(child)?,
        "AutoColored" => chain.auto_colored = walk.boolean(child)?,
        "Color" | "ColorIndex" => chain.color = walk.color(child)?.unwrap_or_default(),
        "DevicePresets" => chain.devices = read_devices(walk, child, depth)?,
        "MixerPreset" => {
            // The mixer stands in a preset of its own, as a device does.
            while let Some(preset) = walk.next_child(child)? {
                while let Some(holder) = walk.next_child(&preset)? {
                    if holder.name() != "Device" {
                        walk.pass_over("MixerPreset", &holder, &OF_PRESETS)?;
                        continue;
                    }
                    while let Some(mixer) = walk.next_child(&holder)? {
                        read_chain_mixer(walk, &mixer, chain)?;
                    }
                }
            }
        }
        // Ranges of notes, or, of a pad, its note.
        "ZoneSettings" => {
            while let Some(part) = walk.next_child(child)? {
                if !read_zones(walk, &part, &mut chain.zones)? {
                    read_pad_part(walk, &part, chain)?;
                }
            }
        }
        _ if read_zones(walk, child, &mut chain.zones)? => {}
        _ => walk.pass_over("BranchPreset", child, &OF_PRESETS)?,
    }
    Ok(())
}

fn read_devices(walk: &mut Walk, element: &Element, depth: usize) -> Result<Vec<Arc<Device>>, ReadError> {
    let mut devices = Vec::new();
    while let Some(preset) = walk.next_child(element)? {
        if preset.name() == RACK {
            if depth >= MAX_RACK_DEPTH {
                walk.report.count_left_out(&format!("racks more than {MAX_RACK_DEPTH} deep in one another"), 1);
                continue;
            }
            devices.extend(read_rack(walk, &preset, depth)?.map(Arc::new));
            continue;
        }
        if let Some(device) = read_plug_in(walk, &preset)? {
            devices.push(Arc::new(device));
            continue;
        }
        devices.extend(read_wrapped(walk, &preset, depth)?.into_iter().map(Arc::new));
    }
    Ok(devices)
}

fn read_plug_in(walk: &mut Walk, preset: &Element) -> Result<Option<Device>, ReadError> {
    let class = plug_in_presets::class_of(preset.name());
    class.map(|class| plug_in_presets::read_plug_in(walk, preset, class)).transpose()
}

/// A device in an element of its own, with how its preset is kept.
fn read_wrapped(walk: &mut Walk, preset: &Element, depth: usize) -> Result<Vec<Device>, ReadError> {
    let mut devices = Vec::new();
    while let Some(holder) = walk.next_child(preset)? {
        if holder.name() != "Device" {
            walk.pass_over(preset.name(), &holder, &OF_PRESETS)?;
            continue;
        }
        while let Some(device) = walk.next_child(&holder)? {
            devices.push(read_device(walk, &device, depth)?);
        }
    }
    Ok(devices)
}
