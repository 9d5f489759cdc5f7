//! Clips that play nothing, or nothing any more where the music has ended.

use super::{Finding, FindingKind};
use crate::music::Meter;
use crate::music::position;
use crate::music::text::counted;
use crate::set::document::{AudioContent, Clip, PlacedClip};
use crate::set::model::set_state::SetState;

/// Bars of silence behind which a clip of the Arrangement was left rather than placed.
const FAR_BARS: f64 = 16.0;
/// Times this near are one.
const SAME_BEATS: f64 = 1e-6;

impl SetState {
    pub(super) fn clips_behind_the_end(&self, found: &mut Vec<Finding>) {
        let song = &self.document.song;
        let meter = Meter::from(song.signature);
        let is_looped = song.loop_on.then_some(song.loop_start + song.loop_length);
        let last_end = self.end_before_the_gap(meter);
        for track in self.document.tracks.iter() {
            let mut add = |clip: &Clip, why: Option<String>| {
                found.extend(why.map(|why| Finding {
                    kind: FindingKind::ClipBehindTheEnd,
                    object: clip.id(),
                    name: clip.name.clone(),
                    why,
                }));
            };
            for entry in track.session.iter() {
                add(&entry.clip, plays_nothing(&entry.clip));
            }
            for placed in &track.arrangement {
                let behind = |end: f64| placed.start >= end - SAME_BEATS;
                let at = |beat: f64| position::format(beat.max(0.0), meter);
                let why = plays_nothing(&placed.clip).or_else(|| match (last_end, is_looped) {
                    (Some(end), _) if behind(end) => {
                        Some(format!("it lies far behind the end of all else, which is at {}", at(end)))
                    }
                    (_, Some(end)) if behind(end) => {
                        Some(format!("it lies behind the loop, which is on and ends at {}", at(end)))
                    }
                    _ => None,
                });
                add(&placed.clip, why);
            }
        }
    }

    /// Where the Arrangement ends before a silence of many bars; `None` where there is none.
    fn end_before_the_gap(&self, meter: Meter) -> Option<f64> {
        let placed = self.document.tracks.iter().flat_map(|track| &track.arrangement);
        let mut spans: Vec<(f64, f64)> = placed.map(|PlacedClip { start, end, .. }| (*start, *end)).collect();
        spans.sort_by(|a, b| a.0.total_cmp(&b.0));
        let gap = FAR_BARS * meter.bar_length();
        let mut end = spans.first()?.1;
        for (start, this_end) in spans {
            if start - end >= gap {
                return Some(end);
            }
            end = end.max(this_end);
        }
        None
    }
}

/// Why nothing of a clip sounds, whenever it is played.
fn plays_nothing(clip: &Clip) -> Option<String> {
    let (start, end) = clip.region();
    if let Some(audio) = clip.audio() {
        return is_behind_its_sample(clip, audio).then(|| "it begins behind the end of its sample".to_owned());
    }
    let notes = &clip.notes()?.list;
    let from = if clip.looping { clip.start_marker.min(start) } else { start };
    let is_outside = !notes.is_empty() && notes.iter().all(|one| one.note.start < from || one.note.start >= end);
    is_outside.then(|| {
        let count = counted(notes.len(), "note");
        format!("its {count} {} outside of what it plays", if notes.len() == 1 { "lies" } else { "lie" })
    })
}

/// Only of one whose times are seconds; a warped one may stretch its sample.
fn is_behind_its_sample(clip: &Clip, audio: &AudioContent) -> bool {
    let seconds = audio.sample_length as f64 / audio.sample_rate_hz.max(1.0);
    !audio.warping && audio.sample_length > 0 && clip.region().0 >= seconds
}
