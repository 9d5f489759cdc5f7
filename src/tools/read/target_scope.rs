//! The targets of a read as parts of a scope: which object each names, as far as that can be said without reading.

use crate::object_model::scope::{Part, Shape};
use crate::object_model::{ModelError, Session};
use crate::tools::address::model_read;
use crate::tools::address::path::{LanePath, Moment, Path};
use crate::tools::address::target_origin::origin;
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
