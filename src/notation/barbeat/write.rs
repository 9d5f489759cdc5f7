//! Notes to text: the state written once and then only where it changes, one line a batch (or, for drums, a pitch).
//!
//! Invariant: what is compared, grouped and measured are starts and lengths as they will be read back, never as they
//! came. So a text that is read and written again is the same text, and no two notes of a pitch are read back into one
//! slot. See D3 in `docs/decisions.md`.

mod by_bar;
mod by_pitch;
mod writer;

use super::written_times::{WrittenLengths, WrittenStarts};
use crate::music::{Meter, Note};
use crate::notation::duplicates;
use crate::notation::text_style::TextStyle;
use by_bar::write_bars;
use by_pitch::write_pitches;
use writer::{NoteState, Writer, WrittenNote};

/// The text of notes; `""` for none.
pub(super) fn write(notes: &[Note], meter: Meter, style: TextStyle) -> String {
    let mut lengths = WrittenLengths::default();
    let mut starts = WrittenStarts::new(meter);
    let mut notes: Vec<WrittenNote> = duplicates::sorted(notes)
        .iter()
        .filter(|note| note.pitch <= 127 && note.duration > 0.0 && note.duration.is_finite() && note.start.is_finite())
        .map(|note| {
            let (start, bar, beat) = starts.start(note.pitch, note.start);
            WrittenNote { pitch: note.pitch, start, bar, beat, state: NoteState::from_note(note, &mut lengths) }
        })
        .collect();
    // Notes that start almost together may be written at one moment; then their pitches order them.
    notes.sort_by(|a, b| a.start.total_cmp(&b.start).then(a.pitch.cmp(&b.pitch)));
    let mut writer =
        Writer { text: String::with_capacity(notes.len() * 12), written_state: None, spelling: style.spelling };
    if style.drum_mode {
        write_pitches(&mut writer, &notes, meter)
    } else {
        write_bars(&mut writer, notes, meter)
    }
    writer.text
}
