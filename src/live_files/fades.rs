//! Fades of an audio clip.

use super::error::ReadError;
use super::walk::Walk;
use super::xml_reader::Element;
use crate::set::document::{Fade, Fades};

/// Lengths below this are none.
const ROUNDING: f64 = 1e-6;

/// Reads `Fades`; whether they are on stands beside it. Lengths are in the clip's own time: beats, or seconds where it
/// is not warped. Live's own edges of 4 ms show it: 0.008 at 120 BPM, and 0.004 of a clip that is not warped.
pub fn read_fades(walk: &mut Walk, element: &Element, fades: &mut Fades) -> Result<(), ReadError> {
    while let Some(child) = walk.next_child(element)? {
        match child.name() {
            "FadeInLength" => fades.fade_in.length = length(walk, &child)?,
            "FadeOutLength" => fades.fade_out.length = length(walk, &child)?,
            "FadeInCurveSkew" => fades.fade_in.skew = walk.number(&child, -1.0..=1.0)?,
            "FadeInCurveSlope" => fades.fade_in.slope = walk.number(&child, -1.0..=1.0)?,
            "FadeOutCurveSkew" => fades.fade_out.skew = walk.number(&child, -1.0..=1.0)?,
            "FadeOutCurveSlope" => fades.fade_out.slope = walk.number(&child, -1.0..=1.0)?,
            "CrossfadeInState" => fades.crossfade = walk.small(&child, u8::MAX)?,
            // Whether Live made a fade itself says nothing of how it sounds.
            _ => walk.pass_over(
                "Fades",
                &child,
                &[
                    "ClipFadesAreInitialized",
                    "IsDefaultFadeIn",
                    "IsDefaultFadeOut",
                    "CrossfadeLength",
                    "ApplyConstraintsState",
                ],
            )?,
        }
    }
    Ok(())
}

/// Live 8 writes a rounding error on either side of 0 where there is no fade.
fn length(walk: &mut Walk, element: &Element) -> Result<f64, ReadError> {
    let length = walk.number(element, -ROUNDING..=Fade::LONGEST)?;
    Ok(if length.abs() <= ROUNDING { 0.0 } else { length })
}

/// The fades of a clip, counted; `None` where there are none.
pub fn finish_fades(walk: &mut Walk, fades: Fades) -> Option<Fades> {
    if fades.are_heard() {
        walk.report.count_read("fades of audio clips");
        return Some(fades);
    }
    let is_there = fades.fade_in.length > 0.0 || fades.fade_out.length > 0.0;
    walk.report.count_kept("fades of audio clips that are switched off", is_there.into());
    is_there.then_some(fades)
}
