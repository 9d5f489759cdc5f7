//! What a text's items are played with: current settings, the pitches that the next positions sound, cycles, warnings.

use super::item::{Position, Velocity};
use super::pitch_group::{CapturedPitch, Cycle, PitchGroup, Settings, VelocityRange};
use super::placed_notes::PlacedNotes;
use super::source_span::SourceSpan;
use crate::music::text::slice;
use crate::music::{Beats, Meter, Note, pitch, time_without_noise};
use crate::notation::duplicates;
use crate::notation::error::NotationError;
use crate::notation::error::{LineCounter, shortened};
use crate::notation::parsed::{Parsed, Pickup};
use crate::notation::warnings::Warnings;

pub(super) struct Player<'a> {
    text: &'a str,
    meter: Meter,
    places: LineCounter<'a>,
    pub settings: Settings,
    pub group: PitchGroup,
    /// A setting was written after a note and before its position.
    pub late_setting: bool,
    /// A setting was written after notes and their position, and no position has used it yet.
    pub unused_setting: bool,
    pub velocities: Option<Cycle<VelocityRange>>,
    /// `None` in it: a length that is not above 0, so the pitch's own stays.
    pub durations: Option<Cycle<Option<Beats>>>,
    pub probabilities: Option<Cycle<f64>>,
    pub notes: PlacedNotes,
    warnings: Warnings,
    pickups: Vec<Pickup>,
}

impl<'a> Player<'a> {
    pub fn new(text: &'a str, meter: Meter, notes: PlacedNotes) -> Player<'a> {
        Player {
            text,
            meter,
            places: LineCounter::new(text),
            settings: Settings { velocity_range: (100.0, 0.0), duration: 1.0, probability: 1.0 },
            group: PitchGroup::default(),
            late_setting: false,
            unused_setting: false,
            velocities: None,
            durations: None,
            probabilities: None,
            notes,
            warnings: Warnings::default(),
            pickups: Vec::new(),
        }
    }
}

impl Player<'_> {
    /// A warning about what is written at a place; the text is made from it only if there is room for the warning.
    pub fn warn(&mut self, source: SourceSpan, text: impl FnOnce(&str) -> String) {
        let (whole, meter, places) = (self.text, self.meter, &mut self.places);
        self.warnings.add(|| {
            let span = source.span(whole, meter);
            let (line, column) = places.line_and_column(span.start);
            format!("{} (line {line}, column {column})", text(slice(whole, span)))
        });
    }

    pub fn apply_setting(&mut self, change_carried: impl FnOnce(&mut PitchGroup)) {
        if self.group.open {
            self.late_setting = true;
        } else {
            self.unused_setting = !self.group.constant.is_empty() || !self.group.patterns.is_empty();
            change_carried(&mut self.group);
        }
    }

    pub fn velocity_in_range(&mut self, velocity: Velocity, source: SourceSpan) -> VelocityRange {
        let mut clamp = |value: f64| {
            if value > 127.0 {
                self.warn(source, |written| {
                    let value = number_shown(value, written);
                    format!("velocity {value} is above 127 (velocities are 0 to 127); 127 is used")
                });
            }
            value.min(127.0)
        };
        let from = clamp(velocity.from);
        let to = velocity.to.map_or(from, clamp);
        (from.min(to), (from - to).abs())
    }

    pub fn probability_in_range(&mut self, probability: f64, source: SourceSpan) -> f64 {
        if probability > 1.0 {
            self.warn(source, |written| {
                let value = number_shown(probability, written);
                format!("probability {value} is above 1 (probabilities are 0 to 1); 1 is used")
            });
        }
        probability.min(1.0)
    }

    pub fn length_above_zero(&mut self, duration: Beats, source: SourceSpan) -> Option<Beats> {
        if duration > 0.0 {
            return Some(duration);
        }
        self.warn(source, |written| format!("{written} comes to no length above 0; the length before it is kept"));
        None
    }

    pub fn open_group(&mut self, source: SourceSpan) {
        if !self.group.open {
            self.group = PitchGroup { open: true, source, ..PitchGroup::default() };
        }
        self.late_setting = false;
        self.unused_setting = false;
    }

    pub fn capture_pitch(&mut self, pitch: i32, source: SourceSpan) -> Option<CapturedPitch> {
        match u8::try_from(pitch) {
            Ok(pitch) if pitch <= 127 => Some(CapturedPitch { pitch, settings: self.settings }),
            _ => {
                self.warn(source, |written| {
                    let number = pitch::number_text(pitch);
                    let name =
                        if written.starts_with(['(', '[']) { pitch::unbounded_name(pitch) } else { written.to_owned() };
                    let name = shortened(&name).unwrap_or_default();
                    format!("pitch {name} ({number}) is outside C-2 (0) to G8 (127); that note is skipped")
                });
                None
            }
        }
    }

    pub fn capture_pitches(&mut self, pitches: &[i32], source: SourceSpan) -> Vec<CapturedPitch> {
        pitches.iter().filter_map(|pitch| self.capture_pitch(*pitch, source)).collect()
    }

    /// Remembers a position before 1|1. `as_written` makes its text from the one that it was written in.
    pub fn add_pickup(&mut self, position: Position, source: SourceSpan, as_written: impl FnOnce(&str) -> String) {
        let written = as_written(slice(self.text, source.span(self.text, self.meter)));
        self.pickups.push(Pickup { written, start: position.start });
    }

    /// Sounds the group once; gives the length of its longest note.
    pub fn sound_group(&mut self, start: Beats) -> Result<Beats, NotationError> {
        self.notes.count_position();
        let sounds_at = time_without_noise(start);
        let velocity_range = Cycle::next_value(&mut self.velocities);
        let duration = Cycle::next_value(&mut self.durations).flatten();
        let probability = Cycle::next_value(&mut self.probabilities);
        let group = &self.group;
        let turn = group.times_sounded;
        let in_turn = group.patterns.iter().filter_map(|voice| voice.get(turn % voice.len().max(1))).flatten();
        let mut longest: Beats = duration.unwrap_or(0.0);
        for captured in group.constant.iter().chain(in_turn) {
            let (velocity, velocity_deviation) =
                velocity_range.or(group.velocity_range).unwrap_or(captured.settings.velocity_range);
            let duration = duration.or(group.duration).unwrap_or(captured.settings.duration);
            longest = longest.max(duration);
            self.notes.push(Note {
                velocity,
                velocity_deviation,
                probability: probability.or(group.probability).unwrap_or(captured.settings.probability),
                ..Note::new(captured.pitch, sounds_at, duration)
            });
        }
        self.group.times_sounded += 1;
        self.notes.check_limit()?;
        Ok(if longest > 0.0 { longest } else { self.settings.duration })
    }

    fn warn_of_unplayed(&mut self, place: &str) {
        let count = self.group.pitch_count();
        if count > 0 {
            self.warn(self.group.source, |_| {
                let has = if count == 1 { "has" } else { "have" };
                let notes = if count == 1 { "1 pitch".to_owned() } else { format!("{count} pitches") };
                format!("{notes} {has} no position {place} and will not play; write a position such as 1|1 after them")
            });
        }
    }

    /// Warns of pitches and settings that had no effect, before something that forgets them.
    pub fn warn_of_unused(&mut self, place: &str, source: SourceSpan) {
        if self.group.open {
            self.warn_of_unplayed(place);
        }
        if self.late_setting {
            self.warn(source, |_| format!("a setting after the notes {place} affects nothing"));
        } else if self.unused_setting {
            self.warn(source, |_| {
                format!("a setting {place} affects nothing before it; it holds for the notes that follow")
            });
        }
    }

    pub fn forget_pitches(&mut self) {
        self.group = PitchGroup::default();
        self.late_setting = false;
        self.unused_setting = false;
        self.velocities = None;
        self.durations = None;
        self.probabilities = None;
    }

    /// What the text says, settled.
    pub fn finish(mut self) -> Parsed {
        if self.group.open {
            self.warn_of_unplayed("at the end of the text");
        }
        let (notes, existing) = self.notes.finish();
        let mut parsed = Parsed::new(duplicates::resolve(notes, existing), self.warnings.finish());
        parsed.pickups = self.pickups;
        parsed
    }
}

/// A number too large for its place: as it was read, or, where no one could read that, as it was written.
fn number_shown(value: f64, written: &str) -> String {
    if value < 1e9 {
        return value.to_string();
    }
    let runs = written.split(|c: char| !c.is_ascii_digit() && c != '.');
    runs.max_by_key(|run| run.len()).and_then(shortened).unwrap_or_default()
}
