//! The identifiers by which a track keeps where its input comes from and its output goes, for who makes documents.

use crate::set::document::Track;
use crate::set::document::ids::Serial;
use serde_json::Value;

/// Identifiers of entries that are no track lie below; a track's is this much above its serial.
pub const TRACKS_FROM: i64 = 1000;
pub const RESAMPLING: i64 = 3;
pub const NO_INPUT: i64 = 4;
pub const SENDS_ONLY: i64 = 6;

/// Kept by a return whose sends are taken in front of the fader.
pub const SENDS_ARE_PRE: &str = "sends_are_pre";

pub const MAIN: i64 = 5;
pub const EXT_OUT: i64 = 7;

/// The identifier of a track.
pub fn of_track(serial: Serial) -> i64 {
    TRACKS_FROM + i64::from(serial)
}

/// The track of an identifier; `None` for entries that are no track.
pub fn track_of(identifier: i64) -> Option<Serial> {
    Serial::try_from(identifier.checked_sub(TRACKS_FROM)?).ok().filter(|serial| *serial > 0)
}

/// Monitoring of a track's input.
const MONITORING_IN: i64 = 0;
const MONITORING_AUTO: i64 = 1;

/// Whether a track's input is heard: where it monitors it, *In*, or *Auto* while it is armed.
pub fn monitors(track: &Track) -> bool {
    let state = track.stored.get("current_monitoring_state").and_then(Value::as_i64);
    match state.unwrap_or(MONITORING_AUTO) {
        MONITORING_IN => true,
        MONITORING_AUTO => track.arm,
        _ => false,
    }
}
