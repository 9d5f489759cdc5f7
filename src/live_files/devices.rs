//! Devices: native ones with the values of their parameters, racks with what they hold, plug-ins and Max devices by
//! name, and of kinds that are not known here the class and the name.

use super::device_samples::{read_one, read_referenced, read_samples};
use super::device_values::{Reading, Readings, unit_between};
use super::error::ReadError;
use super::impulse_slots::{IMPULSE, ImpulseSlots};
use super::limits::Countable;
use super::racks::{Inside, RackParts, read_chains};
use super::references::Source;
use super::settings::{Setting, read_setting_part};
use super::side_chains;
use super::walk::Walk;
use super::xml_reader::Element;
use crate::object_model::native_devices;
use crate::set::document::device_tree::{Chain, Device, MAX_RACK_DEPTH, MacroMapping};
use crate::set::document::ids::{IdParts, Serial};
use crate::set::document::sound_zones::SampleZone;
use std::path::Path;
use std::sync::Arc;

/// Elements inside one another in which settings of a device stand; some ten in Live's own.
const MAX_SETTING_DEPTH: usize = 24;
/// Settings of one device; Live's largest have some 250.
const MAX_SETTINGS: usize = 4_000;
const SIMPLER: &str = "OriginalSimpler";
const DRUM_SAMPLER: &str = "DrumCell";
/// How the classes of racks end.
const RACK_ENDING: &str = "GroupDevice";

/// A device that is being read.
struct DeviceParts {
    class: String,
    /// Racks around it.
    depth: usize,
    name: String,
    settings: Vec<Setting>,
    rack: RackParts,
    samples: Vec<SampleZone>,
    slots: ImpulseSlots,
    /// What a plug-in calls itself, or the file of a Max device.
    outside_name: String,
    playback_mode: Option<u8>,
    retrigger: Option<bool>,
    /// What it listens to, where that is anything.
    source: Option<String>,
}

/// Reads a list of devices, which stand in that many racks.
pub fn read_devices(walk: &mut Walk, element: &Element, depth: usize) -> Result<Vec<Arc<Device>>, ReadError> {
    let mut devices = Vec::new();
    while let Some(child) = walk.next_child(element)? {
        if depth >= MAX_RACK_DEPTH && child.name().ends_with(RACK_ENDING) {
            walk.report.count_left_out(&format!("racks more than {MAX_RACK_DEPTH} deep in one another"), 1);
            continue;
        }
        devices.push(Arc::new(read_device(walk, &child, depth)?));
    }
    Ok(devices)
}

/// Reads one device.
pub fn read_device(walk: &mut Walk, element: &Element, depth: usize) -> Result<Device, ReadError> {
    Ok(read_device_apart(walk, element, depth)?.finish(walk))
}

/// Reads one device whose chains may stand elsewhere.
pub fn read_device_apart(walk: &mut Walk, element: &Element, depth: usize) -> Result<RackAround, ReadError> {
    walk.count(Countable::Devices)?;
    let serial = walk.serial();
    let mut parts = DeviceParts {
        class: element.name().to_owned(),
        depth,
        name: String::new(),
        settings: Vec::new(),
        rack: RackParts::default(),
        samples: Vec::new(),
        slots: ImpulseSlots::default(),
        outside_name: String::new(),
        playback_mode: None,
        retrigger: None,
        source: None,
    };
    gather(walk, element, &mut String::new(), &mut parts)?;
    Ok(RackAround { serial, parts })
}

/// A device that was read, but perhaps for its chains.
pub struct RackAround {
    serial: Serial,
    parts: DeviceParts,
}

impl RackAround {
    /// Takes chains, and what is mapped to macros in them.
    pub fn take_chains(&mut self, chains: Vec<Chain>, mut mappings: Vec<MacroMapping>, are_returns: bool) {
        let rack = &mut self.parts.rack;
        if are_returns {
            rack.return_chains = chains
        } else {
            rack.chains = chains
        }
        rack.mappings.append(&mut mappings);
    }

    pub fn finish(self, walk: &mut Walk) -> Device {
        finish(walk, self.serial, self.parts)
    }
}

/// Goes through a device: its settings by the elements they stand in, and what it holds beside them.
fn gather(walk: &mut Walk, element: &Element, place: &mut String, parts: &mut DeviceParts) -> Result<(), ReadError> {
    while let Some(child) = walk.next_child(element)? {
        if place.is_empty() && read_own(walk, &child, parts)? || read_inner(walk, &child, place, parts)? {
            continue;
        }
        if !place.is_empty() && Setting::is_part(child.name()) {
            let at = match parts.settings.last() {
                Some(last) if last.place == *place => parts.settings.len().saturating_sub(1),
                _ if parts.settings.len() >= MAX_SETTINGS => {
                    return Err(ReadError::TooLarge { what: "settings of one device", limit: MAX_SETTINGS as u64 });
                }
                _ => {
                    parts.settings.push(Setting::at(place));
                    parts.settings.len().saturating_sub(1)
                }
            };
            if let Some(setting) = parts.settings.get_mut(at) {
                read_setting_part(walk, &child, setting)?;
            }
            continue;
        }
        let length = place.len();
        if place.matches('/').count() < MAX_SETTING_DEPTH {
            if length > 0 {
                place.push('/');
            }
            place.push_str(child.name());
            parts.slots.enter(walk, &child)?;
            gather(walk, &child, place, parts)?;
            parts.slots.leave();
            place.truncate(length);
        }
    }
    Ok(())
}

/// What stands directly in a device and is no setting.
fn read_own(walk: &mut Walk, child: &Element, parts: &mut DeviceParts) -> Result<bool, ReadError> {
    match child.name() {
        "UserName" => parts.name = walk.text(child)?,
        "Annotation" => walk.pass_over(&parts.class, child, &[])?,
        "Branches" | "ReturnBranches" => {
            let outer = std::mem::take(&mut walk.macro_mappings);
            let chains = read_chains(walk, child, Inside { depth: parts.depth + 1, read_devices })?;
            parts.rack.mappings.append(&mut std::mem::replace(&mut walk.macro_mappings, outer));
            match child.name() {
                "Branches" => parts.rack.chains = chains,
                _ => parts.rack.return_chains = chains,
            }
        }
        "PluginDesc" => parts.outside_name = read_plug_in_name(walk, child)?,
        "ParameterList" | "ParameterSettings" if is_outside(&parts.class) => {
            let mut count = 0;
            while walk.next_child(child)?.is_some() {
                count += 1;
            }
            walk.report.count_left_out("lists of parameters of plug-ins and Max devices", u64::from(count > 0));
        }
        // Views and where a preset came from.
        "LastPresetRef" | "SourceContext" | "ViewData" | "LockedScripts" | "Pointee" => {}
        _ => return parts.rack.read(walk, child),
    }
    Ok(true)
}

/// What stands deeper in a device and is no setting.
fn read_inner(walk: &mut Walk, child: &Element, place: &str, parts: &mut DeviceParts) -> Result<bool, ReadError> {
    if parts.class == IMPULSE && parts.slots.read(walk, child)? {
        return Ok(true);
    }
    match (child.name(), place) {
        ("SampleParts", _) if parts.class == SIMPLER || has_zones(&parts.class) => {
            parts.samples.append(&mut read_samples(walk, child)?);
        }
        ("MultiSamplePart", _) if has_zones(&parts.class) => parts.samples.extend(read_one(walk, child)?),
        // Of others there is no place for them.
        ("MultiSamplePart", _) => walk.report.count_left_out(&format!("samples of {}", parts.class), 1),
        ("PlaybackMode", "Globals") => parts.playback_mode = Some(walk.small(child, 2)?),
        ("RetriggerMode", "Globals") => parts.retrigger = Some(walk.boolean(child)?),
        // Live 8 to 10 write the name of the file alone, later ones the way to it.
        ("Path" | "Name", place) if place.starts_with("PatchSlot/") && place.ends_with("FileRef") => {
            let name = file_stem(&walk.text(child)?);
            if !name.is_empty() {
                parts.outside_name = name;
            }
        }
        ("Routable", place) if place.ends_with("RoutedInput") => {
            while let Some(target) = walk.next_child(child)? {
                if target.name() == "Target" {
                    parts.source = Some(walk.text(&target)?).filter(|target| !side_chains::is_none(target));
                }
            }
        }
        ("SampleRef", "UserSample/Value") if parts.class == DRUM_SAMPLER => {
            parts.samples.extend(read_referenced(walk, child)?);
        }
        // What was read from the disk when it was saved, and routings of what a device listens to.
        ("SampleRef", _) => walk.report.count_left_out(&format!("samples of {}", parts.class), 1),
        ("FileRef" | "Routable" | "RoutingHelper", _) if !place.starts_with("PatchSlot") => {}
        _ => return Ok(false),
    }
    Ok(true)
}

/// Whether each of its samples has zones, and a place in the document.
fn has_zones(class: &str) -> bool {
    matches!(class, "MultiSampler" | DRUM_SAMPLER)
}

/// Plug-ins and Max devices have parameters of their own, which no table here knows.
fn is_outside(class: &str) -> bool {
    matches!(class, "PluginDevice" | "AuPluginDevice") || class.starts_with("MxDevice")
}

/// Each format of plug-in has a description of its own.
fn read_plug_in_name(walk: &mut Walk, element: &Element) -> Result<String, ReadError> {
    let mut name = String::new();
    while let Some(description) = walk.next_child(element)? {
        while let Some(child) = walk.next_child(&description)? {
            if matches!(child.name(), "PlugName" | "Name") {
                name = walk.text(&child)?;
            }
        }
    }
    Ok(name)
}

/// A Max device is called after its file.
fn file_stem(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    Path::new(name).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned()
}

fn finish(walk: &mut Walk, serial: Serial, parts: DeviceParts) -> Device {
    let class = native_devices::by_class(&parts.class);
    let mut device = class
        .and_then(|(name, _)| Device::native(serial, name))
        .unwrap_or_else(|| Device::opaque(serial, &parts.class, !is_outside(&parts.class)));
    device.name = [&parts.name, &parts.outside_name].into_iter().find(|name| !name.is_empty()).cloned();
    if let Some(target) = parts.source {
        walk.sources.push(Source { device: serial, class: parts.class.clone(), target });
    }
    if device.specs().is_empty() {
        take_switch(walk, &mut device, &parts.settings);
    }
    if is_outside(&parts.class) {
        walk.report.count_left_out("states of plug-ins and Max devices", 1);
    } else if device.is_opaque {
        walk.report.count_unknown("device", &parts.class);
    } else {
        take_values(walk, &mut device, &parts.settings);
    }
    if let Some(rack) = &mut device.rack {
        *rack = Arc::new(parts.rack.finish(walk, device.values.get(1..).unwrap_or_default()));
    }
    let samples: Vec<Arc<SampleZone>> = parts.samples.into_iter().map(Arc::new).collect();
    if parts.class == SIMPLER {
        device.sample = samples.first().map(|zone| Arc::new(zone.sample.clone()));
        if let Some(mode) = parts.playback_mode.filter(|mode| *mode > 0) {
            device.stored.insert("playback_mode".to_owned(), mode.into());
        }
        if parts.retrigger == Some(true) {
            device.stored.insert("retrigger".to_owned(), true.into());
        }
    }
    // A Simpler's only sample plays wherever its zones say.
    if has_zones(&parts.class) || samples.len() > 1 {
        device.sample_zones = samples;
    }
    if parts.class == IMPULSE {
        let (slots, beyond) = parts.slots.finish();
        device.sample_zones = slots.into_iter().map(Arc::new).collect();
        walk.report.count_left_out(&format!("samples of {}", parts.class), beyond as u64);
    }
    device
}

/// Of a device without parameters here, whether it is on, and what of it macros move.
fn take_switch(walk: &mut Walk, device: &mut Device, settings: &[Setting]) {
    let switch = settings.iter().find(|setting| setting.place == "On");
    device.set_switched_off(switch.and_then(|switch| switch.value.as_deref()) == Some("false"));
    let mapped = settings.iter().filter(|setting| setting.macro_index.is_some()).count();
    walk.report.count_left_out("macro mappings of settings that are not read", mapped as u64);
}

/// Puts values in their places; those that have none are counted.
fn take_values(walk: &mut Walk, device: &mut Device, settings: &[Setting]) {
    let (mut unread, specs) = (0, device.specs());
    let mut told = vec![false; specs.len()];
    let readings = Readings::of(&device.class_name, |place| settings.iter().any(|setting| setting.place == place));
    for setting in settings {
        let Some(value) = &setting.value else { continue };
        let known = readings.at(&setting.place).and_then(|(index, how)| {
            let spec = specs.get(index)?;
            Some((index, spec, unit_between(how, spec, setting.ends())?))
        });
        let Some((index, spec, reading)) = known else {
            unread += 1;
            walk.report.count_left_out(
                "macro mappings of settings that are not read",
                setting.macro_index.iter().count() as u64,
            );
            continue;
        };
        match (reading.raw(spec, value), device.values.get_mut(index)) {
            (Some(raw), Some(place)) => {
                *place = raw;
                if let Some(told) = told.get_mut(index) {
                    *told = true;
                }
            }
            _ => unread += 1,
        }
        let parameter = u16::try_from(index).unwrap_or_default();
        if let Some(target) = setting.automation_target {
            let id = IdParts::Parameter { device: device.serial, index: parameter }.id();
            walk.automated.insert(target, (id, Reading::Of(spec, reading)));
        }
        if let Some(macro_index) = setting.macro_index {
            let (from, to) = &setting.range;
            let end = |text: &Option<String>, otherwise: f64| {
                text.as_ref().and_then(|text| reading.raw(spec, text)).unwrap_or(otherwise)
            };
            let target = IdParts::Parameter { device: device.serial, index: parameter };
            let ends = (end(from, spec.min), end(to, spec.max));
            walk.macro_mappings.extend(MacroMapping::of(macro_index, target, ends));
        }
    }
    walk.report.count_left_out(&format!("settings of {}", device.class_name), unread);
    // The macros of a rack are all there is to it; older versions had fewer.
    if device.rack.is_none() {
        let positions = told.iter().zip(0_u16..).filter(|(told, _)| !**told);
        device.unread = positions.map(|(_, at)| at).collect();
    }
}
