//! Where a written text is only near the notes: other starts, other lengths, and what no token can express.
//!
//! Velocities within a level are not counted: three levels are all that the notation has. A level that is lost in a
//! stack is counted.

use super::vocabulary::{LONGEST, Level, Ticks, beats};
use crate::music::text::decimal_text;
use crate::music::{Beats, Note, SAME_POSITION_BEATS};

#[derive(Debug, Default)]
pub(super) struct Approximations {
    moved: usize,
    furthest: Beats,
    too_long: usize,
    resized: usize,
    relevelled: usize,
    plain: usize,
    early: usize,
    left_out: usize,
}

impl Approximations {
    /// Compares a note with where, how long and how loud it was written. `has_room`: nothing else made it short.
    pub fn compare(&mut self, note: &Note, start: Ticks, length: Ticks, level: Level, has_room: bool) {
        let off = (note.start - beats(start)).abs();
        if off > SAME_POSITION_BEATS {
            self.moved += 1;
            self.furthest = self.furthest.max(off);
        }
        if note.duration > beats(LONGEST) + SAME_POSITION_BEATS && has_room {
            self.too_long += 1;
        } else if (note.duration - beats(length)).abs() > SAME_POSITION_BEATS {
            self.resized += 1;
        }
        self.relevelled += usize::from(Level::from_velocity(note.velocity) != level);
        self.plain += usize::from(note.probability < 1.0 || note.velocity_deviation != 0.0);
    }

    /// Notes before the moment where every line starts.
    pub fn early(&mut self, count: usize) {
        self.early += count;
    }

    pub fn left_out(&mut self, count: usize) {
        self.left_out += count;
    }

    /// One sentence, if there is anything to say.
    pub fn sentence(&self) -> Option<String> {
        let shift = decimal_text(self.furthest, 3);
        let beats = if shift == "1" { "beat" } else { "beats" };
        let said: Vec<String> = [
            (self.moved, format!("with a start up to {shift} quarter {beats} off")),
            (self.too_long, "cut to 6 quarter beats, the longest that a token lasts".to_owned()),
            (self.resized, "with another length".to_owned()),
            (self.relevelled, "with another loudness: a stack has one for all its notes".to_owned()),
            (self.plain, "without chance or velocity range".to_owned()),
            (self.early, "left out, before 1|1: no line starts earlier".to_owned()),
            (self.left_out, "left out".to_owned()),
        ]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
        (!said.is_empty()).then(|| format!("stark writes some of these notes only nearly: {}", said.join(", ")))
    }
}
