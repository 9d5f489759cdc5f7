//! The targets of a read as parts of a scope: which object each names, as far as that can be said without reading.

use crate::object_model::scope::{Origin, Part, Shape};
use crate::object_model::{ModelError, Session};
use crate::tools::address::model_read;
use crate::tools::address::path::{DevicePath, LanePath, Moment, Path, Segment, TrackPath};
use crate::tools::address::targets::{Target, TargetKind, TargetName};
use crate::tools::error::{ErrorKind, ToolError};

/// What is read of the Set itself, whatever the targets are.
pub fn song() -> Part {
    let song = Shape::of(&["signature_numerator", "signature_denominator", "tempo"]);
    // What sends are called.
    Part::of_path("live_set", song.below("return_tracks", Shape::of(&["name"])))
}

/// The Set, and what `of_target` says of each target. A target that is not there is no part: reading it says so.
pub fn parts(
    session: &dyn Session,
    targets: &[Target],
    of_target: impl Fn(&dyn Session, &Target) -> Result<Vec<Part>, ToolError>,
) -> Result<Vec<Part>, ModelError> {
    let mut parts = vec![song()];
    for target in targets {
        match of_target(session, target) {
            Ok(found) => parts.extend(found),
            Err(error) if error.kind == ErrorKind::Unreachable => return Err(ModelError::Unreachable(error.text)),
            Err(error) if error.kind == ErrorKind::OverBudget => return Err(ModelError::OverBudget(error.text)),
            Err(_) => {}
        }
    }
    Ok(parts)
}

/// An object of that shape. Only what no object path can say is looked up: a place in time, which takes a snapshot of
/// the lane, and a device by its kind.
pub fn of_target(
    session: &dyn Session,
    target: &Target,
    wanted: TargetKind,
    shape: Shape,
) -> Result<Vec<Part>, ToolError> {
    match &target.named {
        TargetName::Path(Path::Slot { track, scene }) => {
            let slot = format!("live_set tracks {track} clip_slots {scene}");
            return Ok(vec![Part::of_path(slot, Shape::default().below("clip", shape))]);
        }
        TargetName::Path(Path::Arrangement { lane: Some(lane), at }) => {
            let lane = on_lane(*lane, at);
            let parts = || Ok(lane.clone());
            let clip = model_read::through_snapshot(session, &parts, |session| target.find(session, wanted))?;
            return Ok(lane.into_iter().chain([Part::of_id(clip, shape)]).collect());
        }
        _ => {}
    }
    Ok(vec![match origin(target) {
        Some(of) => Part { of, shape: shape.into() },
        None => Part::of_id(target.find(session, wanted)?, shape),
    }])
}

/// What says which clip of a lane is there at that moment.
fn on_lane(lane: LanePath, at: &Moment) -> Vec<Part> {
    let route = match lane.take_lane {
        Some(take_lane) => format!("live_set tracks {} take_lanes {take_lane}", lane.track),
        None => format!("live_set tracks {}", lane.track),
    };
    let clips = Shape::default().below("arrangement_clips", Shape::of(&["start_time", "end_time"]));
    let mut parts = vec![song(), Part::of_path(route, clips)];
    if let Moment::Locator(_) = at {
        parts.push(Part::of_path("live_set", Shape::default().below("cue_points", Shape::of(&["name", "time"]))));
    }
    parts
}

/// Where the target stands, if its own words say so.
pub fn origin(target: &Target) -> Option<Origin> {
    let path = match &target.named {
        TargetName::Id(id) => return Some(Origin::Id(*id)),
        TargetName::Path(path) => path,
        TargetName::Unreadable(_) => return None,
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
