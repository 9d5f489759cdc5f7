//! Where targets stand in the object model, as far as their own words say so: nothing is read.

use super::path::{DevicePath, LanePath, Path, Segment, TrackPath};
use super::targets::{Target, TargetName};
use crate::object_model::scope::Origin;
use crate::object_model::{ModelError, Session};

/// Has a host that is far away bring the objects of the targets at once.
pub fn look_ahead(session: &dyn Session, targets: &[Target]) -> Result<(), ModelError> {
    session.look_ahead(&targets.iter().filter_map(nearest).collect::<Vec<_>>())
}

/// The object itself, or the track, lane or slot that it is in.
fn nearest(target: &Target) -> Option<Origin> {
    let TargetName::Path(path) = &target.named else { return origin(target) };
    let route = match path {
        Path::Slot { track, scene } => format!("live_set tracks {track} clip_slots {scene} clip"),
        Path::Arrangement { lane: Some(LanePath { track, take_lane: None }), .. } => format!("live_set tracks {track}"),
        Path::Arrangement { lane: Some(LanePath { track, take_lane: Some(lane) }), .. } => {
            format!("live_set tracks {track} take_lanes {lane}")
        }
        Path::Device(device) => of_device(device).unwrap_or_else(|| of_track(device.track)),
        _ => return origin(target),
    };
    Some(Origin::Path(route))
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
