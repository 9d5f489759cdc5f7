//! The Set as those see it who draw it: one piece of JSON of all that the Session and the Arrangement show, one of a
//! clip, and what plays just now. Made of a snapshot, in one walk.

mod clip_view;
mod colors;
mod overview;
mod playback_view;
mod waveform;

pub use clip_view::{ClipView, NoteColumns, WaveformView};
pub use overview::{Overview, SongView, TrackView};
pub use playback_view::{PlaybackView, SelectionView};
pub use waveform::{Waveform, Waveforms};

use crate::object_model::ObjectId;
use crate::set::document::Clip;
use serde::{Serialize, Serializer};

/// An id as answers write it: as a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Id(pub ObjectId);

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// Where the region of a clip that sounds begins and how long it is, in quarter beats; of a clip in seconds they are
/// what these are at the Set's tempo.
fn region_beats(clip: &Clip, tempo_bpm: f64) -> (f64, f64) {
    let (start, end) = clip.region();
    let beats = if clip.is_unwarped() { tempo_bpm / 60.0 } else { 1.0 };
    (start * beats, (end - start) * beats)
}
