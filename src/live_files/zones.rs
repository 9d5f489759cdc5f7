//! Zones: ranges of keys, velocities and a selector, of a rack's chains and of the samples of samplers.

use super::error::ReadError;
use super::walk::Walk;
use super::xml_reader::Element;
use crate::set::document::sound_zones::{ZoneRange, Zones};

/// Reads a child that holds a range, or several; `false` for one that is none of these.
pub fn read_zones(walk: &mut Walk, child: &Element, zones: &mut Zones) -> Result<bool, ReadError> {
    match child.name() {
        "KeyRange" => read_range(walk, child, &mut zones.keys)?,
        "VelocityRange" => read_range(walk, child, &mut zones.velocities)?,
        "SelectorRange" | "BranchSelectorRange" => read_range(walk, child, &mut zones.selector)?,
        // The ranges of a chain for notes stand in one element.
        "ZoneSettings" => {
            while let Some(range) = walk.next_child(child)? {
                if !read_zones(walk, &range, zones)? {
                    walk.report.count_unknown("ZoneSettings", range.name());
                }
            }
        }
        _ => return Ok(false),
    }
    Ok(true)
}

fn read_range(walk: &mut Walk, element: &Element, range: &mut ZoneRange) -> Result<(), ReadError> {
    let (mut fade_low, mut fade_high) = (None, None);
    while let Some(child) = walk.next_child(element)? {
        match child.name() {
            "Min" => range.low = walk.small(&child, 127)?,
            "Max" => range.high = walk.small(&child, 127)?,
            "CrossfadeMin" => fade_low = Some(walk.small(&child, 127)?),
            "CrossfadeMax" => fade_high = Some(walk.small(&child, 127)?),
            name => walk.report.count_unknown(element.name(), name),
        }
    }
    // Where no fade is said there is none.
    (range.fade_low, range.fade_high) = (fade_low.unwrap_or(range.low), fade_high.unwrap_or(range.high));
    Ok(())
}
