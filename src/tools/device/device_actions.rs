//! What can be done with a device beside writing to it: the actions of single classes, as `svc-read-device` lists them
//! and `svc-update-device` carries them out ([`run`]). Written in call syntax ([`syntax`]): `reverse`, `warpAs(4)`.

pub mod run;
pub mod syntax;

use crate::object_model::host_values::Capability;
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read::class;
use serde_json::{Value, json};

/// One action.
#[derive(Debug, PartialEq, Eq)]
pub struct DeviceAction {
    pub name: &'static str,
    /// As it is written, with what goes between the brackets.
    pub signature: &'static str,
    pub description: &'static str,
    /// The function of the object model that it is; none where it is more than one call.
    pub function: Option<&'static str>,
    /// Why it is refused where there is no running Live.
    pub only_live: Option<&'static str>,
}

const fn action(
    name: &'static str,
    signature: &'static str,
    function: Option<&'static str>,
    description: &'static str,
) -> DeviceAction {
    DeviceAction { name, signature, description, function, only_live: None }
}

const fn only_live(name: &'static str, function: &'static str, why: &'static str, about: &'static str) -> DeviceAction {
    DeviceAction { name, signature: name, description: about, function: Some(function), only_live: Some(why) }
}

const NEW_FILE: &str = "it writes a new audio file, which only a running Live does";
const ENGINE: &str = "it needs the audio engine of a running Live";

/// The sources of Wavetable's modulation matrix, in the order of its columns: as they are read, and as its own heads
/// abbreviate them, which may be written too.
pub const MODULATION_SOURCES: [(&str, &str); 13] = [
    ("Amp", "Amp"),
    ("Env 2", "Env 2"),
    ("Env 3", "Env 3"),
    ("LFO 1", "LFO 1"),
    ("LFO 2", "LFO 2"),
    ("Velocity", "Vel"),
    ("Key", "Key"),
    ("Pitch Bend", "PB"),
    ("Pressure", "Press"),
    ("Mod Wheel", "Mod"),
    ("Random", "Rand"),
    ("Note PB", "Note PB"),
    ("Slide", "Slide"),
];

/// Of every device.
static EVERY: [DeviceAction; 1] = [action(
    "savePreset",
    "savePreset(\"name\")",
    None,
    "saves the device as a preset of this name, for preset of svc-create-device and svc-update-device",
)];

static SIMPLER: [DeviceAction; 12] = [
    action("warpAs", "warpAs(beats)", Some("warp_as"), "warps the sample to last so many beats, a whole number"),
    action("warpDouble", "warpDouble", Some("warp_double"), "doubles the tempo of the warped sample"),
    action("warpHalf", "warpHalf", Some("warp_half"), "halves the tempo of the warped sample"),
    only_live("crop", "crop", NEW_FILE, "cuts the sample to its region"),
    only_live("reverse", "reverse", NEW_FILE, "plays the sample backwards"),
    action("insertSlice", "insertSlice(frame)", Some("insert_slice"), "a slice from that sample frame on"),
    action("removeSlice", "removeSlice(frame)", Some("remove_slice"), "takes the slice at that frame away"),
    action("moveSlice", "moveSlice(from, to)", Some("move_slice"), "moves a slice between frames"),
    action("clearSlices", "clearSlices", Some("clear_slices"), "takes the slices away that were set by hand"),
    action("resetSlices", "resetSlices", Some("reset_slices"), "takes back every edit of the slices"),
    action("warpOn", "warpOn", None, "switches warping of the sample on"),
    action("warpOff", "warpOff", None, "switches warping of the sample off"),
];

static WAVETABLE: [DeviceAction; 2] = [
    action(
        "setModulation",
        "setModulation(\"target\", \"source\", amount)",
        None,
        "routes a source to a parameter, amount -1 to 1; adds the target's row where it is missing",
    ),
    action(
        "addModulationTarget",
        "addModulationTarget(\"target\")",
        Some("add_parameter_to_modulation_matrix"),
        "shows a parameter in the modulation matrix",
    ),
];

static LOOPER: [DeviceAction; 11] = [
    action("stop", "stop", Some("stop"), "stops"),
    action("clear", "clear", Some("clear"), "empties the buffer"),
    only_live("record", "record", ENGINE, "records"),
    only_live("overdub", "overdub", ENGINE, "overdubs"),
    only_live("play", "play", ENGINE, "plays the buffer"),
    only_live("undo", "undo", ENGINE, "takes the last overdub back"),
    only_live("doubleSpeed", "double_speed", ENGINE, "plays twice as fast"),
    only_live("halfSpeed", "half_speed", ENGINE, "plays half as fast"),
    only_live("doubleLength", "double_length", ENGINE, "doubles the buffer"),
    only_live("halfLength", "half_length", ENGINE, "halves the buffer"),
    DeviceAction {
        name: "exportToClipSlot",
        signature: "exportToClipSlot(\"t0/s0\")",
        description: "makes the buffer a clip in an empty slot of an audio track",
        function: Some("export_to_clip_slot"),
        only_live: Some(ENGINE),
    },
];

/// Racks only, and where the host maps macros.
static RACK: [DeviceAction; 3] = [
    action(
        "mapMacro",
        "mapMacro(macro, \"c0/d0/Parameter\", from, to)",
        None,
        "a macro (1 to 16, or its name) moves a parameter inside the rack; without from and to over its whole range",
    ),
    action(
        "unmapMacro",
        "unmapMacro(macro, \"c0/d0/Parameter\")",
        None,
        "the macro moves it no more; without a parameter it moves nothing",
    ),
    action("nameMacro", "nameMacro(macro, \"name\")", None, "names a macro; blank gives back its own name"),
];

static CC_CONTROL: [DeviceAction; 1] = [action("resend", "resend", Some("resend"), "sends all its values again")];

/// What a device of that class of the object model can do.
pub fn of_class(class: &str) -> impl Iterator<Item = &'static DeviceAction> {
    let own: &[DeviceAction] = match class {
        "SimplerDevice" => &SIMPLER,
        "WavetableDevice" => &WAVETABLE,
        "LooperDevice" => &LOOPER,
        "CcControlDevice" => &CC_CONTROL,
        "RackDevice" => &RACK,
        _ => &[],
    };
    own.iter().chain(&EVERY)
}

/// What a device can do.
pub fn actions_of(session: &dyn Session, device: ObjectId) -> Result<Vec<&'static DeviceAction>, ModelError> {
    Ok(of_class(class(session, device)?.unwrap_or_default()).collect())
}

/// What a device can do on this host.
pub fn possible(session: &dyn Session, device: ObjectId) -> Result<Vec<&'static DeviceAction>, ModelError> {
    let embedded = session.kind() == "embedded";
    let mut can = actions_of(session, device)?;
    can.retain(|action| !embedded || action.only_live.is_none());
    if session.capability(Capability::SavedDevices).is_err() {
        can.retain(|action| !EVERY.contains(action));
    }
    if can.iter().any(|action| RACK.contains(action)) && session.macro_mappings(device)?.is_none() {
        can.retain(|action| !RACK.contains(action));
    }
    Ok(can)
}

/// As reads list them; those that this host refuses are left out.
pub fn list(session: &dyn Session, device: ObjectId) -> Result<Vec<Value>, ModelError> {
    let can = possible(session, device)?.into_iter();
    Ok(can.map(|a| json!({ "name": a.name, "signature": a.signature, "description": a.description })).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object_model::class::class;

    #[test]
    fn every_function_is_one_of_the_class_or_its_sample() {
        let mut looked_at = 0;
        for name in ["SimplerDevice", "WavetableDevice", "LooperDevice", "CcControlDevice", "Device"] {
            let table = class(name).expect(name);
            for action in of_class(name) {
                assert!(action.signature.starts_with(action.name), "{action:?}");
                let Some(function) = action.function else { continue };
                let sample = class("Sample").filter(|_| name == "SimplerDevice");
                let known = table.functions.get(function).is_some()
                    || sample.is_some_and(|sample| sample.functions.get(function).is_some());
                assert!(known, "{name}: {function}");
                looked_at += 1;
            }
        }
        assert!(looked_at > 15, "{looked_at}");
    }
}
