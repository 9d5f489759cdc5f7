//! The identifiers by which a track keeps where its input comes from and its output goes, for who makes documents.

use crate::set::document::ids::Serial;

/// Identifiers of entries that are no track lie below; a track's is this much above its serial.
pub const TRACKS_FROM: i64 = 1000;
pub const RESAMPLING: i64 = 3;
pub const NO_INPUT: i64 = 4;
pub const SENDS_ONLY: i64 = 6;

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
