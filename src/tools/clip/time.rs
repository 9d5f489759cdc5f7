//! The time of a clip: quarter beats, but seconds for an unwarped one.

use crate::music::Beats;
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read::{self, flag, number};
use crate::tools::error::ToolError;

/// An audio clip that counts seconds.
pub fn is_unwarped(session: &dyn Session, clip: ObjectId) -> Result<bool, ModelError> {
    Ok(flag(session, clip, "is_audio_clip")? && !flag(session, clip, "warping")?)
}

/// A length in a clip's own unit (seconds for an unwarped one) as it is on the timeline.
pub fn timeline_beats(session: &dyn Session, clip: ObjectId, own: f64) -> Result<Beats, ToolError> {
    Ok(own / own_units_per_beat(session, clip)?)
}

/// How much of a clip's own time passes in a quarter beat: 1 but for an unwarped clip, which counts seconds.
pub fn own_units_per_beat(session: &dyn Session, clip: ObjectId) -> Result<f64, ToolError> {
    if flag(session, clip, "is_midi_clip")? || flag(session, clip, "warping")? {
        return Ok(1.0);
    }
    Ok(60.0 / model_read::number(session, model_read::song(session)?, "tempo")?)
}

/// The notes that callers see and edit: those that start in the clip's region (markers or loop, whichever reaches
/// further) or within one clip length of it on either side, so that pickups and overhang survive a round trip.
pub fn note_window(session: &dyn Session, clip: ObjectId) -> Result<(Beats, Beats), ToolError> {
    let member = |name| number(session, clip, name);
    let (loops, markers) =
        ((member("loop_start")?, member("loop_end")?), (member("start_marker")?, member("end_marker")?));
    Ok(note_window_of(loops, markers))
}

/// [`note_window`] of a clip with that loop and those markers.
pub fn note_window_of(loops: (Beats, Beats), markers: (Beats, Beats)) -> (Beats, Beats) {
    let (start, end) = (loops.0.min(markers.0), loops.1.max(markers.1));
    let length = end - start;
    (start - length, end + length)
}
