//! Zones of chains and samples, as the engine has them.

use crate::set::document::sound_zones::{ZoneRange, Zones};
use svc_sound::plan::settings::ChainSelector;

/// Keys, or velocities, that the sound grows and falls over.
pub fn fades(range: ZoneRange) -> (u8, u8) {
    (range.fade_low.saturating_sub(range.low), range.high.saturating_sub(range.fade_high))
}

pub fn ends(range: ZoneRange) -> (u8, u8) {
    (range.low, range.high)
}

/// Where the selector stands for zones; `None`: it leaves nothing out, wherever it stands.
pub fn selector(zones: &Zones, value: f64, is_moved: bool) -> Option<ChainSelector> {
    let (zone, fades) = (ends(zones.selector), fades(zones.selector));
    let is_open = (zone, fades) == ((0, 127), (0, 0));
    (is_moved || !is_open).then_some(ChainSelector { zone, fades, value: value as f32 })
}
