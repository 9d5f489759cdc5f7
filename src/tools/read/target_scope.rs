//! The targets of a read as parts of a scope: which object each names, as far as that can be said without reading.

use crate::object_model::scope::{Origin, Part, Shape};
use crate::object_model::{ModelError, Session};
use crate::tools::address::path::{DevicePath, Path, Segment, TrackPath};
use crate::tools::address::targets::{Target, TargetKind, TargetName};
use crate::tools::error::{ErrorKind, ToolError};

/// What is read of the Set itself, whatever the targets are.
pub fn song() -> Part {
    let song = Shape::of(&["signature_numerator", "signature_denominator", "tempo"]);
    // What sends are called.
    Part::of_path("live_set", song.below("return_tracks", Shape::of(&["name"])))
}

/// The Set, and what `part` says of each target. A target that is not there is no part: reading it says so.
pub fn parts(
    session: &dyn Session,
    targets: &[Target],
    part: &dyn Fn(&dyn Session, &Target) -> Result<Part, ToolError>,
) -> Result<Vec<Part>, ModelError> {
    let mut parts = vec![song()];
    for target in targets {
        match part(session, target) {
            Ok(part) => parts.push(part),
            Err(error) if error.kind == ErrorKind::Unreachable => return Err(ModelError::Unreachable(error.text)),
            Err(_) => {}
        }
    }
    Ok(parts)
}

/// An object of that shape. Only what no object path can say, such as a place in time, is looked up.
pub fn part(session: &dyn Session, target: &Target, wanted: TargetKind, shape: Shape) -> Result<Part, ToolError> {
    if let TargetName::Path(Path::Slot { track, scene }) = target.named {
        let slot = format!("live_set tracks {track} clip_slots {scene}");
        return Ok(Part::of_path(slot, Shape::default().below("clip", shape)));
    }
    match origin(target) {
        Some(of) => Ok(Part { of, shape: shape.into() }),
        None => Ok(Part::of_id(target.find(session, wanted)?, shape)),
    }
}

/// Where the target stands, if its own words say so.
pub fn origin(target: &Target) -> Option<Origin> {
    let path = match &target.named {
        TargetName::Id(id) => return Some(Origin::Id(*id)),
        TargetName::Path(path) => path,
    };
    let route = match path {
        Path::Track(track) => of_track(*track),
        Path::Lane { track, lane } => format!("live_set tracks {track} take_lanes {lane}"),
        Path::Scene(at) => format!("live_set scenes {at}"),
        Path::Device(device) => of_device(device)?,
        _ => return None,
    };
    Some(Origin::Path(route))
}

fn of_track(track: TrackPath) -> String {
    match track {
        TrackPath::Regular(at) => format!("live_set tracks {at}"),
        TrackPath::Return(at) => format!("live_set return_tracks {at}"),
        TrackPath::Main => "live_set master_track".to_owned(),
    }
}

/// `None` where a step of the path goes by what stands there: a pad, or a device by its kind.
fn of_device(path: &DevicePath) -> Option<String> {
    let mut route = of_track(path.track);
    for segment in &path.segments {
        let (list, at) = match segment {
            Segment::Device(at) => ("devices", at),
            Segment::Chain(at) => ("chains", at),
            Segment::ReturnChain(at) => ("return_chains", at),
            _ => return None,
        };
        route.push_str(&format!(" {list} {at}"));
    }
    Some(route)
}
