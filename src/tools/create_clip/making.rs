//! Making one clip: the scenes and lanes that its place needs, and the clip itself.

use super::content::ClipContent;
use crate::music::Beats;
use crate::object_model::{ObjectId, Session, Value as Model};
use crate::tools::address::model_read;
use crate::tools::error::ToolError;
use crate::tools::timeline::lane_changes::LaneBefore;
use crate::tools::timeline::place::ClipPlace;

/// How much longer than its file at the Set's tempo a host may make an audio clip when it guesses the file's own tempo.
const MOST_STRETCH: f64 = 4.0;

/// The slot, track or take lane that gets the new clip.
pub struct ClipHolder {
    pub object: ObjectId,
    /// What was made for it, such as `s8-s9`.
    pub created: Option<String>,
    pub before: PlaceBefore,
}

/// What was at the place.
pub enum PlaceBefore {
    Slot { replaced: bool, was_playing: bool },
    Lane(LaneBefore),
}

/// Whether a place is on a take lane.
pub fn is_on_take_lane(place: &ClipPlace) -> bool {
    matches!(place, ClipPlace::Timeline { lane, .. } if lane.take_lane.is_some())
}

/// How much longer than it says the clip may become.
pub fn stretch(content: &ClipContent) -> f64 {
    if matches!(content, ClipContent::Audio { .. }) { MOST_STRETCH } else { 1.0 }
}

/// Makes the scenes or take lanes that the place needs, and looks at what is there.
pub fn prepare_place(session: &mut dyn Session, place: &ClipPlace, length: Beats) -> Result<ClipHolder, ToolError> {
    let (object, created) = place.make(session)?;
    let before = match place {
        ClipPlace::Slot { .. } => {
            let old = model_read::child(session, object, "clip")?;
            let was_playing = match old {
                Some(old) => model_read::flag(session, old, "is_playing")?,
                None => false,
            };
            PlaceBefore::Slot { replaced: old.is_some(), was_playing }
        }
        ClipPlace::Timeline { at, .. } => PlaceBefore::Lane(LaneBefore::read(session, object, *at, at + length)?),
    };
    Ok(ClipHolder { object, created, before })
}

/// Makes the clip itself.
pub fn make_clip(
    session: &mut dyn Session,
    holder: &ClipHolder,
    place: &ClipPlace,
    content: &ClipContent,
) -> Result<ObjectId, ToolError> {
    if matches!(holder.before, PlaceBefore::Slot { replaced: true, .. }) {
        session.call_later(holder.object, "delete_clip", &[])?;
    }
    let start = match place {
        ClipPlace::Timeline { at, .. } => Some(Model::Float(*at)),
        ClipPlace::Slot { .. } => None,
    };
    let (function, args) = match (content, start) {
        (ClipContent::Midi { start: from, end, .. }, None) => ("create_clip", vec![Model::Float(end - from)]),
        (ClipContent::Midi { start: from, end, .. }, Some(start)) => {
            ("create_midi_clip", vec![start, Model::Float(end - from)])
        }
        (ClipContent::Audio { file, .. }, start) => {
            ("create_audio_clip", std::iter::once(file.as_str().into()).chain(start).collect())
        }
    };
    let made = session.call(holder.object, function, &args)?;
    made.as_object().ok_or_else(|| ToolError::new("no clip was made"))
}
