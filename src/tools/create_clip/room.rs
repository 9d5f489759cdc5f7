//! Room for a clip: which places are left to later ones, the scenes and lanes that a place needs, and the clip itself.

use super::content::Content;
use crate::music::{Beats, SAME_POSITION_BEATS};
use crate::object_model::{ObjectId, Session, Value as Model};
use crate::tools::address::model_read;
use crate::tools::error::ToolError;
use crate::tools::timeline::lane::LaneBefore;
use crate::tools::timeline::place::ClipPlace;

/// How much longer than its file at the Set's tempo a host may make an audio clip when it guesses the file's own tempo.
const MOST_STRETCH: f64 = 4.0;

/// The object that holds the new clip, and what was there.
pub struct Home {
    pub object: ObjectId,
    pub created: Option<String>,
    pub cleared: Cleared,
}

pub enum Cleared {
    Slot { replaced: bool, was_playing: bool },
    Lane(LaneBefore),
}

pub fn on_take_lane(place: &ClipPlace) -> bool {
    matches!(place, ClipPlace::Timeline { lane, .. } if lane.take_lane.is_some())
}

pub fn stretch(content: &Content) -> f64 {
    if matches!(content, Content::Audio { .. }) { MOST_STRETCH } else { 1.0 }
}

/// Why a place is left to a later one of the call.
#[derive(Clone, Copy)]
pub enum Later {
    Same(usize),
    Covers(usize),
}

/// The next later place that is the same, or that covers all of this one's clip.
pub fn later(
    places: &[Result<ClipPlace, ToolError>],
    contents: &[Result<Content, ToolError>],
    at: usize,
    tempo: f64,
) -> Option<Later> {
    let this = places.get(at)?.as_ref().ok()?;
    let span = |place: &ClipPlace, at: usize| match (place, contents.get(at)) {
        // How long the host makes an audio clip is seen only when it is there.
        (ClipPlace::Timeline { lane, at: start }, Some(Ok(content @ Content::Midi { .. }))) => {
            Some((*lane, *start, start + content.length(tempo)))
        }
        _ => None,
    };
    let near = |a: Beats, b: Beats| (a - b).abs() <= SAME_POSITION_BEATS;
    places.iter().enumerate().skip(at.saturating_add(1)).find_map(|(by, other)| {
        let other = other.as_ref().ok()?;
        let same = match (this, other) {
            (ClipPlace::Timeline { lane, at: start }, ClipPlace::Timeline { lane: on, at }) => {
                lane == on && near(*start, *at)
            }
            _ => this == other,
        };
        if same {
            return Some(Later::Same(by));
        }
        let ((lane, start, end), (on, from, to)) = (span(this, at)?, span(other, by)?);
        let covered = lane == on && from <= start + SAME_POSITION_BEATS && end <= to + SAME_POSITION_BEATS;
        covered.then_some(Later::Covers(by))
    })
}

/// Makes the scenes or take lanes that the place needs, and looks at what is there.
pub fn home(session: &mut dyn Session, place: &ClipPlace, length: Beats) -> Result<Home, ToolError> {
    let (object, created) = place.make(session)?;
    let cleared = match place {
        ClipPlace::Slot { .. } => {
            let old = model_read::child(session, object, "clip")?;
            let was_playing = match old {
                Some(old) => model_read::flag(session, old, "is_playing")?,
                None => false,
            };
            Cleared::Slot { replaced: old.is_some(), was_playing }
        }
        ClipPlace::Timeline { at, .. } => Cleared::Lane(LaneBefore::look(session, object, *at, at + length)?),
    };
    Ok(Home { object, created, cleared })
}

/// Makes the clip itself.
pub fn put(
    session: &mut dyn Session,
    home: &Home,
    place: &ClipPlace,
    content: &Content,
) -> Result<ObjectId, ToolError> {
    if matches!(home.cleared, Cleared::Slot { replaced: true, .. }) {
        session.call(home.object, "delete_clip", &[])?;
    }
    let start = match place {
        ClipPlace::Timeline { at, .. } => Some(Model::Float(*at)),
        ClipPlace::Slot { .. } => None,
    };
    let (function, args) = match (content, start) {
        (Content::Midi { start: from, end, .. }, None) => ("create_clip", vec![Model::Float(end - from)]),
        (Content::Midi { start: from, end, .. }, Some(start)) => {
            ("create_midi_clip", vec![start, Model::Float(end - from)])
        }
        (Content::Audio { file, .. }, start) => {
            ("create_audio_clip", std::iter::once(file.as_str().into()).chain(start).collect())
        }
    };
    let made = session.call(home.object, function, &args)?;
    made.as_object().ok_or_else(|| ToolError::new("no clip was made"))
}
