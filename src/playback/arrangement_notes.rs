//! What a track's Arrangement clips sound like: a function of the song's position alone, with nothing to remember from
//! block to block. A clip begins at its start marker where its left edge lies, and its right edge cuts what still
//! sounds. See D20 in `docs/decisions.md`.

use super::clock::LOOP_SLACK_BEATS;
use super::phase::ClipPhase;
use super::started_note::StartedNote;
use crate::music::Beats;
use crate::set::document::timeline_lane::Lane;
use crate::set::document::{Clip, StoredNote};

/// The position of the first note at or after `from` and before `until`.
pub(super) fn next_note(timeline: &Lane, from: Beats, until: Beats) -> Option<Beats> {
    heard(timeline, from, until).find_map(|(start, end, clip)| {
        let at = ClipPhase::launched(clip, start).next_note(&clip.notes()?.list, from.max(start))?;
        (at < end).then_some(at)
    })
}

/// Visits the notes that begin in `from..until`, in order, each with its clip and where that starts, its own start,
/// where it is cut and the passes of the clip's loop before.
pub(super) fn visit(
    timeline: &Lane,
    from: Beats,
    until: Beats,
    mut visitor: impl FnMut((Beats, &Clip), &StoredNote, Beats, Beats, i64),
) {
    for (start, end, clip) in heard(timeline, from, until) {
        let Some(notes) = clip.notes() else { continue };
        let phase = ClipPhase::launched(clip, start);
        phase.visit(&notes.list, from.max(start), until.min(end), |note, at, cut, pass| {
            visitor((start, clip), note, at, cut.min(end), pass);
        });
    }
}

/// Where the timeline now has the end of a note that sounds: `None` if it is not to be heard any more.
pub(super) fn ends_at(timeline: &Lane, sounding: &StartedNote, pitch: u8) -> Option<Beats> {
    // Less than any note is long, and more than rounding moves a note.
    const WITHIN_BEATS: Beats = 1e-6;
    let mut ends = None;
    visit(timeline, sounding.on - WITHIN_BEATS, sounding.on + WITHIN_BEATS, |(_, clip), stored, at, cut, _| {
        let StoredNote { id, note } = *stored;
        let same = clip.serial == sounding.clip && id == sounding.note && note.start == sounding.note_start;
        if same && note.pitch == pitch && !note.mute && ends.is_none() {
            ends = Some((at + note.duration).min(cut));
        }
    });
    ends.filter(|end| !end.is_nan())
}

/// The first place at or after `from` and before `until` where an audio clip begins or ends.
pub(super) fn next_audio_edge(timeline: &Lane, from: Beats, until: Beats) -> Option<Beats> {
    // What ends right there counts.
    let before = from - LOOP_SLACK_BEATS;
    let edges = heard(timeline, before, until).filter(|(_, _, clip)| clip.audio().is_some());
    edges.flat_map(|(start, end, _)| [start, end]).find(|at| (from..until).contains(at))
}

/// The audio clip that sounds from the last place before `until` on, and where it begins.
pub(super) fn audio_clip_at(timeline: &Lane, until: Beats) -> Option<(Beats, &Clip)> {
    let found = heard(timeline, until - LOOP_SLACK_BEATS, until).find(|(_, end, _)| *end >= until);
    found.map(|(start, _, clip)| (start, clip)).filter(|(_, clip)| clip.audio().is_some())
}

/// Start, end and clip of those that are heard in a span.
pub(super) fn heard(timeline: &Lane, from: Beats, until: Beats) -> impl Iterator<Item = (Beats, Beats, &Clip)> {
    timeline
        .ending_after(from)
        .take_while(move |placed| placed.start < until)
        .filter(|placed| !placed.clip.muted)
        .map(|placed| (placed.start, placed.end, &*placed.clip))
}
