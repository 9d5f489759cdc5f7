//! Which notes of a MIDI clip are heard, and what a new region, or another length on the timeline, silences.

use crate::music::text::counted;
use crate::music::{Beats, Meter, Note, SAME_POSITION_BEATS, position};
use crate::object_model::{ObjectId, Session};
use crate::tools::address::model_read::{flag, number};
use crate::tools::clip::region::{self, Region};
use crate::tools::error::ToolError;

/// The notes that a clip plays.
pub struct HeardNotes {
    heard: Vec<Note>,
    played: Played,
}

/// What of its content a clip plays, in quarter beats.
struct Played {
    /// From where it enters.
    first: (Beats, Beats),
    /// What a loop adds when it comes round.
    looped: (Beats, Beats),
}

impl Played {
    fn read(session: &dyn Session, clip: ObjectId) -> Result<Played, ToolError> {
        let Region { start, end, looping, first_start } = region::read(session, clip)?;
        if !looping {
            return Ok(Played { first: (start, end), looped: (end, end) });
        }
        // Behind the loop's end it never comes round.
        if first_start >= end {
            return Ok(Played { first: (first_start, Beats::INFINITY), looped: (end, end) });
        }
        let covers = match flag(session, clip, "is_arrangement_clip")? {
            true => number(session, clip, "end_time")? - number(session, clip, "start_time")?,
            false => Beats::INFINITY,
        };
        let first = (first_start, end.min(first_start + covers));
        let rest = (covers - (end - first_start)).max(0.0);
        Ok(Played { first, looped: (start, end.min(start + rest)) })
    }

    fn plays(&self, note: &Note) -> bool {
        let holds = |(from, to): (Beats, Beats)| {
            note.start >= from - SAME_POSITION_BEATS && note.start < to - SAME_POSITION_BEATS
        };
        holds(self.first) || holds(self.looped)
    }

    /// The note is heard, and ends behind the end of the clip.
    fn cuts(&self, note: &Note) -> bool {
        self.plays(note) && note.start + note.duration > self.end() + SAME_POSITION_BEATS
    }

    fn begin(&self) -> Beats {
        let comes_round = self.looped.0 < self.looped.1;
        if comes_round { self.first.0.min(self.looped.0) } else { self.first.0 }
    }

    fn end(&self) -> Beats {
        self.first.1.max(self.looped.1)
    }
}

impl HeardNotes {
    /// Looks at a clip's notes, muted ones aside.
    pub fn read(session: &dyn Session, clip: ObjectId) -> Result<HeardNotes, ToolError> {
        let played = Played::read(session, clip)?;
        let heard = session.notes(clip)?.into_iter().filter(|note| !note.mute && played.plays(note));
        Ok(HeardNotes { heard: heard.collect(), played })
    }

    /// A sentence each for the notes that were heard and are not any more, or not to their end, though they are all
    /// still there: `clip` is the same clip as it is now, or a copy of it.
    pub fn silenced_details(
        &self,
        session: &dyn Session,
        clip: ObjectId,
        meter: Meter,
    ) -> Result<Vec<String>, ToolError> {
        let now = Played::read(session, clip)?;
        let silenced: Vec<&Note> = self.heard.iter().filter(|note| !now.plays(note)).collect();
        let cut = self.heard.iter().filter(|note| now.cuts(note) && !self.played.cuts(note)).count();
        let at = |beats| position::format(beats, meter);
        let mut details = Vec::new();
        if !silenced.is_empty() {
            let notes = counted(silenced.len(), "note");
            let (lie, play) = if silenced.len() == 1 { ("lies", "plays") } else { ("lie", "play") };
            let all_behind = silenced.iter().all(|note| note.start >= now.end() - SAME_POSITION_BEATS);
            details.push(match all_behind {
                true => format!("{notes} {lie} at or past the clip's end ({}) now and no longer {play}", at(now.end())),
                false => {
                    let begins = at(now.begin());
                    let range = match now.end().is_finite() {
                        true => format!("{begins} to {}", at(now.end())),
                        false => format!("from {begins} on"),
                    };
                    format!("{notes} {lie} outside of what the clip plays now ({range}) and no longer {play}")
                }
            });
        }
        if cut > 0 {
            let (notes, end) = (counted(cut, "note"), at(now.end()));
            let (run, are) = if cut == 1 { ("runs", "is") } else { ("run", "are") };
            details.push(format!("{notes} {run} past the clip's end ({end}) now and {are} cut there"));
        }
        Ok(details)
    }
}
