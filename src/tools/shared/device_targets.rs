//! The targets of the device tools: devices, chains, return chains and pads, by id or path.

use super::objects::{self, class};
use super::path::{Path, Segment};
use super::places::{self, Found};
use super::targets::{self, Named, Target, Wanted};
use crate::object_model::{ObjectId, Session};
use crate::tools::ToolError;

/// What a target of a device tool is.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    Device(ObjectId),
    /// A chain, return chain or layer of a pad.
    Chain(ObjectId),
    /// A pad with an object of its own.
    Pad(ObjectId),
    /// A pad of a Drum Rack inside another rack, or the catch-all pad: it is its chains, of which there is at least one.
    PadOf {
        rack: ObjectId,
        note: i64,
        layers: Vec<ObjectId>,
    },
}

/// Reads the target lists. What is written as no device, chain or pad ever is refuses the call.
pub fn read(id: Option<&String>, path: Option<&String>) -> Result<Vec<Target>, ToolError> {
    let targets = targets::read_any(Wanted::Device, id, path)?;
    for target in &targets {
        if let Some(why) = misfit(target) {
            return Err(ToolError::new(format!("path: {why}")));
        }
    }
    Ok(targets)
}

/// Why this target is no device, chain or pad, whatever the Set holds.
fn misfit(target: &Target) -> Option<String> {
    let Named::Path(path) = &target.named else { return None };
    match path {
        Path::Device(device) => match device.segments.last() {
            Some(Segment::NewDevice | Segment::NewChain) => target.misfit(Wanted::Device),
            _ => None,
        },
        Path::Track(_) => Some(format!(
            "{0} is a track; a device on it is written {0}/d0, and svc-read-track with devices lists them",
            target.spelling
        )),
        _ => Some(format!("{} names no device; write t0/d0, a chain t0/d0/c0 or a pad t0/d0/pC1", target.spelling)),
    }
}

/// What a target is, or why there is no such thing. Puts a warning where it was spelled as answers do not.
pub fn find(session: &dyn Session, target: &Target, warning: &mut Option<String>) -> Result<Subject, String> {
    let of_object = |id: ObjectId| {
        let class = class(session, id)?;
        match class {
            "Chain" | "DrumChain" => Some(Subject::Chain(id)),
            "DrumPad" => Some(Subject::Pad(id)),
            class if Wanted::Device.fits(class) => Some(Subject::Device(id)),
            _ => None,
        }
    };
    match &target.named {
        Named::Id(id) => of_object(*id).ok_or_else(|| match class(session, *id) {
            Some(class) => format!("id {id} is a {}, no device, chain or pad", targets::spoken(class)),
            None => format!("no object has the id {id} (any more)"),
        }),
        Named::Path(Path::Device(path)) => {
            let (found, told) = places::device(session, path).map_err(|e| e.0)?;
            if let Some(told) = told {
                warning.get_or_insert(told);
            }
            match found {
                Found::Object(id) => {
                    of_object(id).ok_or_else(|| format!("{} is no device, chain or pad", target.spelling))
                }
                Found::Pad(layers) => {
                    let first = layers.first().copied().ok_or_else(|| format!("{} is empty", target.spelling))?;
                    let rack = objects::child(session, first, "canonical_parent").ok().flatten();
                    let rack = rack.ok_or_else(|| format!("{} has no rack", target.spelling))?;
                    let note = super::spell::drum_note(session, first).unwrap_or(-1);
                    Ok(Subject::PadOf { rack, note, layers })
                }
            }
        }
        Named::Path(_) => Err(misfit(target).unwrap_or_else(|| format!("{} names no device", target.spelling))),
    }
}
