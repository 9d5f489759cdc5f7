//! The `notes` argument: text in the active notation, or a JSON array in `midi-json`.

use super::objects;
use super::read_clip::note_window;
use crate::music::{Beats, Meter, Note, Random, SAME_POSITION_BEATS, position};
use crate::notation::{self, Notation, NotationErrors, Parsed, Reading};
use crate::object_model::{ObjectId, Session};
use crate::tools::ToolError;
use serde_json::Value;

/// Notes as the caller sent them.
#[derive(Clone, Debug)]
pub struct NotesArgument {
    sent: Value,
    notation: Notation,
    seed: u64,
}

impl NotesArgument {
    pub fn new(sent: Value, notation: Notation) -> NotesArgument {
        NotesArgument { sent, notation, seed: Random::fresh_seed() }
    }

    /// Draws from this seed, so that the call can be repeated.
    pub fn with_seed(self, seed: u64) -> NotesArgument {
        NotesArgument { seed, ..self }
    }

    /// The notes (each time the same ones), read for a clip's meter; `existing` are those of the clip that an update merges into.
    pub fn read(&self, meter: Meter, existing: &[Note]) -> Result<Parsed, ToolError> {
        let parsed: Result<Parsed, NotationErrors> = match &self.sent {
            Value::Array(items) => notation::parse_array(items, meter, existing),
            other => {
                let random = &mut Random::from_seed(self.seed);
                let text = other.as_str().unwrap_or_default();
                notation::parse(self.notation, text, Reading { meter, existing, random })
            }
        };
        parsed.map_err(|e| ToolError::new(format!("notes: {e}")))
    }
}

/// Merges notes into a clip. What the caller cannot see (muted notes, notes far outside the region) stays, but a note
/// written where a muted one is takes its place. Gives the parser's warnings.
pub fn merge(
    session: &mut dyn Session,
    clip: ObjectId,
    argument: &NotesArgument,
    meter: Meter,
) -> Result<Vec<String>, ToolError> {
    let window = note_window(session, clip)?;
    let visible = |n: &Note| !n.mute && n.start >= window.0 && n.start < window.1;
    let (existing, hidden): (Vec<Note>, Vec<Note>) = session.notes(clip)?.into_iter().partition(visible);
    let Parsed { notes, warnings, .. } = argument.read(meter, &existing)?;
    let mut all = notes;
    let written: Vec<Note> = all.clone();
    all.extend(hidden.into_iter().filter(|muted| {
        let near = written.partition_point(|n| n.start < muted.start - SAME_POSITION_BEATS);
        let taken = written.iter().skip(near).take_while(|n| n.start < muted.start + SAME_POSITION_BEATS);
        !taken.into_iter().any(|n| n.pitch == muted.pitch)
    }));
    session.replace_notes(clip, all)?;
    Ok(warnings)
}

/// How many of a clip's notes a read shows, and how many of its notes start where nothing plays any more.
pub struct Heard {
    pub shown: usize,
    past_end: usize,
    end: Beats,
}

/// Looks at a MIDI clip's notes, muted ones aside.
pub fn heard(session: &dyn Session, clip: ObjectId) -> Result<Heard, ToolError> {
    let window = note_window(session, clip)?;
    let end = objects::number(session, clip, "end_time")?;
    let notes: Vec<Note> = session.notes(clip)?.into_iter().filter(|n| !n.mute).collect();
    Ok(Heard {
        shown: notes.iter().filter(|n| n.start >= window.0 && n.start < window.1).count(),
        past_end: notes.iter().filter(|n| n.start > end - SAME_POSITION_BEATS).count(),
        end,
    })
}

impl Heard {
    /// A sentence when some notes will not play.
    pub fn past_end(&self, meter: Meter) -> Option<String> {
        let what = match self.past_end {
            0 => return None,
            1 => "1 note starts".to_owned(),
            many => format!("{many} notes start"),
        };
        Some(format!("{what} at or past the clip's end ({}) and will not play", position::format(self.end, meter)))
    }
}
