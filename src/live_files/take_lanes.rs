//! Take lanes of a track, with their clips.

use super::clips::{is_clip, read_placed_clip};
use super::error::ReadError;
use super::walk::Walk;
use super::xml_reader::Element;
use crate::set::document::ids::Serial;
use crate::set::document::{PlacedClip, TrackKind};

/// A take lane; its clips are laid later.
pub struct LaneParts {
    pub serial: Serial,
    pub name: String,
    pub clips: Vec<PlacedClip>,
}

/// Reads `TakeLanes` of a track.
pub fn read_take_lanes(walk: &mut Walk, element: &Element, kind: TrackKind) -> Result<Vec<LaneParts>, ReadError> {
    let mut lanes = Vec::new();
    while let Some(list) = walk.next_child(element)? {
        while let Some(lane) = walk.next_child(&list)? {
            match lane.name() {
                "TakeLane" => lanes.push(read_lane(walk, &lane, kind)?),
                name => walk.report.count_unknown("TakeLanes", name),
            }
        }
    }
    Ok(lanes)
}

fn read_lane(walk: &mut Walk, element: &Element, kind: TrackKind) -> Result<LaneParts, ReadError> {
    let mut lane = LaneParts { serial: walk.serial(), name: String::new(), clips: Vec::new() };
    while let Some(child) = walk.next_child(element)? {
        match child.name() {
            "Name" => {
                lane.name = walk.attribute(&child, "Value")?.unwrap_or_default();
                while let Some(name) = walk.next_child(&child)? {
                    if name.name() == "UserName" || lane.name.is_empty() && name.name() == "EffectiveName" {
                        lane.name = walk.text(&name)?;
                    }
                }
            }
            "ClipAutomation" => {
                while let Some(events) = walk.next_child(&child)? {
                    if events.name() != "Events" {
                        walk.pass_over("ClipAutomation", &events, &["AutomationTransformViewState"])?;
                        continue;
                    }
                    while let Some(clip) = walk.next_child(&events)? {
                        if is_clip(walk, &clip, kind)? {
                            lane.clips.extend(read_placed_clip(walk, &clip)?);
                        }
                    }
                }
            }
            "AreDevicesBypassed" | "Audition" if walk.boolean(&child)? => {
                walk.report.count_left_out("take lanes that are listened to", 1);
            }
            _ => {
                let known = ["LomId", "Height", "IsContentSelectedInDocument", "TakeCounter", "Audition", "TakeId"];
                walk.pass_over("TakeLane", &child, &known)?;
            }
        }
    }
    walk.report.count_read("take lanes");
    Ok(lane)
}
