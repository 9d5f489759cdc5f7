//! Actions of devices: what a device does when told to, beside its parameters. The one table of what there is: reads list it,
//! and a text in call syntax (`warpAs(4)`) carries one out.

mod syntax;

pub use syntax::{Argument, Call};

use super::objects::{child, class, count, named, text};
use super::path::{self, Path};
use super::{objects, path::TrackPath};
use crate::object_model::{ObjectId, Session, Value};
use crate::tools::ToolError;
use serde_json::json;

/// The sources of Wavetable's modulation matrix, in its order.
pub const MODULATION_SOURCES: [&str; 13] =
    ["Amp", "Env 2", "Env 3", "LFO 1", "LFO 2", "Vel", "Key", "PB", "Press", "Mod", "Rand", "Note PB", "Slide"];

/// What a device can be told to do.
pub struct Action {
    pub name: &'static str,
    /// As it is called, such as `warpAs(beats)`.
    pub signature: &'static str,
    pub description: &'static str,
    work: Work,
}

enum Work {
    /// A function without arguments, of the device.
    Plain(&'static str),
    /// A function of the sample that the device plays; its arguments are whole numbers.
    OfSample(&'static str, usize),
    Own(fn(&mut dyn Session, ObjectId, &[Argument]) -> Result<(), ToolError>),
    SavePreset,
}

/// What an action left to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    Done,
    /// Save what the device is now as a preset of that name: a file, which is written after the call is kept.
    SavePreset(String),
}

const fn plain(
    name: &'static str,
    signature: &'static str,
    function: &'static str,
    description: &'static str,
) -> Action {
    Action { name, signature, description, work: Work::Plain(function) }
}

const fn of_sample(
    name: &'static str,
    signature: &'static str,
    function: &'static str,
    arguments: usize,
    description: &'static str,
) -> Action {
    Action { name, signature, description, work: Work::OfSample(function, arguments) }
}

/// What every device can do.
static EVERY: [Action; 1] = [Action {
    name: "savePreset",
    signature: "savePreset(\"name\")",
    description: "keeps the device as it is under that name; preset loads it again",
    work: Work::SavePreset,
}];

static SIMPLER: [Action; 10] = [
    plain("reverse", "reverse()", "reverse", "plays the sample backwards"),
    plain("crop", "crop()", "crop", "cuts the sample down to its region"),
    Action {
        name: "warpAs",
        signature: "warpAs(beats)",
        description: "warps the region to that many beats, a whole number",
        work: Work::Own(warp_as),
    },
    plain("warpDouble", "warpDouble()", "warp_double", "twice the tempo"),
    plain("warpHalf", "warpHalf()", "warp_half", "half the tempo"),
    of_sample("insertSlice", "insertSlice(frame)", "insert_slice", 1, "a slice begins at that frame of the sample"),
    of_sample("moveSlice", "moveSlice(from, to)", "move_slice", 2, "moves where a slice begins, in frames"),
    of_sample("removeSlice", "removeSlice(frame)", "remove_slice", 1, "joins the slice there to the one before"),
    of_sample("clearSlices", "clearSlices()", "clear_slices", 0, "removes the slices set by hand"),
    of_sample("resetSlices", "resetSlices()", "reset_slices", 0, "goes back to the slices found in the sample"),
];

static LOOPER: [Action; 11] = [
    plain("record", "record()", "record", "begins recording"),
    plain("overdub", "overdub()", "overdub", "records on top"),
    plain("play", "play()", "play", "plays the loop"),
    plain("stop", "stop()", "stop", "stops"),
    plain("undo", "undo()", "undo", "drops the last overdub; again restores it"),
    plain("clear", "clear()", "clear", "erases the loop"),
    plain("doubleSpeed", "doubleSpeed()", "double_speed", "twice as fast"),
    plain("halfSpeed", "halfSpeed()", "half_speed", "half as fast"),
    plain("doubleLength", "doubleLength()", "double_length", "twice as long"),
    plain("halfLength", "halfLength()", "half_length", "half as long"),
    Action {
        name: "exportToClipSlot",
        signature: "exportToClipSlot(\"t0/s0\")",
        description: "makes the loop a clip in an empty slot of an audio track",
        work: Work::Own(export),
    },
];

static WAVETABLE: [Action; 1] = [Action {
    name: "modulate",
    signature: "modulate(\"parameter\", \"source\", amount)",
    description: "how far a source moves a parameter, -1 to 1; 0 is not at all",
    work: Work::Own(modulate),
}];

static CC_CONTROL: [Action; 1] = [plain("resend", "resend()", "resend", "sends all its values again")];

/// What a device can be told to do.
pub fn of(session: &dyn Session, device: ObjectId) -> Vec<&'static Action> {
    let own: &'static [Action] = match class(session, device) {
        Some("SimplerDevice") => &SIMPLER,
        Some("LooperDevice") => &LOOPER,
        Some("WavetableDevice") => &WAVETABLE,
        Some("CcControlDevice") => &CC_CONTROL,
        _ => &[],
    };
    own.iter().chain(&EVERY).collect()
}

/// Carries out one action.
pub fn run(session: &mut dyn Session, device: ObjectId, call: &Call) -> Result<Outcome, ToolError> {
    let all = of(session, device);
    let Some(action) = all.iter().find(|action| action.name.eq_ignore_ascii_case(&call.name)) else {
        let there = all.iter().map(|action| action.signature).collect::<Vec<_>>().join(", ");
        return Err(ToolError::new(format!(
            "{} has no action {}; there are {there}",
            named(session, device),
            call.name
        )));
    };
    action.run(session, device, &call.arguments)
}

impl Action {
    fn wrong(&self) -> ToolError {
        ToolError::new(format!("it is called {}", self.signature))
    }

    fn run(&self, session: &mut dyn Session, device: ObjectId, arguments: &[Argument]) -> Result<Outcome, ToolError> {
        match &self.work {
            Work::Plain(function) => {
                if !arguments.is_empty() {
                    return Err(self.wrong());
                }
                session.call(device, function, &[])?;
            }
            Work::OfSample(function, wanted) => {
                let frames: Option<Vec<Value>> = arguments.iter().map(|a| a.whole().map(Value::Int)).collect();
                let frames = frames.filter(|frames| frames.len() == *wanted).ok_or_else(|| self.wrong())?;
                let sample = child(session, device, "sample")?;
                let sample =
                    sample.ok_or_else(|| ToolError::new("it holds no sample; the parameter sample loads one"))?;
                session.call(sample, function, &frames)?;
            }
            Work::Own(run) => run(session, device, arguments).map_err(|error| match error.0.as_str() {
                "" => self.wrong(),
                _ => error,
            })?,
            Work::SavePreset => match arguments {
                [Argument::Text(name)] if !name.trim().is_empty() => {
                    return Ok(Outcome::SavePreset(name.trim().to_owned()));
                }
                _ => return Err(self.wrong()),
            },
        }
        Ok(Outcome::Done)
    }
}

/// The arguments are not what the signature says, which the caller tells.
fn misfit() -> ToolError {
    ToolError::new("")
}

fn warp_as(session: &mut dyn Session, device: ObjectId, arguments: &[Argument]) -> Result<(), ToolError> {
    let [beats] = arguments else { return Err(misfit()) };
    let beats = beats.whole().ok_or_else(misfit)?;
    session.call(device, "warp_as", &[Value::Int(beats)])?;
    Ok(())
}

fn export(session: &mut dyn Session, device: ObjectId, arguments: &[Argument]) -> Result<(), ToolError> {
    let [Argument::Text(place)] = arguments else { return Err(misfit()) };
    let Ok(Path::Slot { track, scene }) = path::parse(place) else { return Err(misfit()) };
    objects::track(session, TrackPath::Regular(track))?;
    let slot = objects::slot(session, track, scene)?;
    session.call(device, "export_to_clip_slot", &[Value::Text(format!("id {slot}"))])?;
    Ok(())
}

fn modulate(session: &mut dyn Session, device: ObjectId, arguments: &[Argument]) -> Result<(), ToolError> {
    let [Argument::Text(parameter), Argument::Text(source), Argument::Number(amount)] = arguments else {
        return Err(misfit());
    };
    if !(-1.0..=1.0).contains(amount) {
        return Err(ToolError::new(format!("an amount is from -1 to 1, not {amount}")));
    }
    let same = |a: &str, b: &str| a.trim().to_lowercase() == b.trim().to_lowercase();
    let source_at = MODULATION_SOURCES.iter().position(|name| same(name, source)).ok_or_else(|| {
        ToolError::new(format!("there is no source \"{source}\"; there are {}", MODULATION_SOURCES.join(", ")))
    })?;
    let parameters =
        (0..count(session, device, "parameters")).filter_map(|at| session.child_at(device, "parameters", at));
    let found = parameters.into_iter().find(|id| text(session, *id, "name").is_ok_and(|name| same(&name, parameter)));
    let found = found.ok_or_else(|| ToolError::new(format!("this device has no parameter \"{parameter}\"")))?;
    let target = Value::Text(format!("id {found}"));
    if session.call(device, "is_parameter_modulatable", std::slice::from_ref(&target))?.as_bool() != Some(true) {
        return Err(ToolError::new(format!("{parameter} cannot be modulated")));
    }
    let row = session.call(device, "add_parameter_to_modulation_matrix", &[target])?;
    let source_at = i64::try_from(source_at).unwrap_or_default();
    session.call(device, "set_modulation_value", &[row, Value::Int(source_at), Value::Float(*amount)])?;
    Ok(())
}

/// The `actions` that a read lists.
pub fn listed(session: &dyn Session, device: ObjectId) -> serde_json::Value {
    let entry = |action: &&Action| json!({ "name": action.name, "signature": action.signature, "description": action.description });
    of(session, device).iter().map(entry).collect()
}
