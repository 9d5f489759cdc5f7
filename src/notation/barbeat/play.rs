//! Items to notes: the state that carries over, cycles, repeats, and copies of bars.
//!
//! Invariant: work is bounded by the notes written, as [`PlacedNotes`] counts them.

use super::bar_copy::{BarCopy, CopyOutcome};
use super::item::{Item, Position, SpannedItem, Value};
use super::pitch_group::Cycle;
use super::placed_notes::PlacedNotes;
use super::player::Player;
use super::source_span::SourceSpan;
use crate::music::{Meter, Note, position};
use crate::notation::error::NotationError;
use crate::notation::limits::MAX_NOTES;
use crate::notation::parsed::Parsed;

/// More repeats than this are probably not meant.
const MANY_REPEATS: f64 = 100.0;

/// Plays a text's items over the clip's notes.
pub(super) fn play(
    items: Vec<SpannedItem>,
    text: &str,
    meter: Meter,
    existing: &[Note],
) -> Result<Parsed, NotationError> {
    let copies_bars = items.iter().any(|written| matches!(written.item, Item::Copy { .. }));
    let notes = PlacedNotes::new(existing, items.len() / 2, meter, copies_bars);
    let mut player = Player::new(text, meter, notes);
    for written in items {
        player.play_item(written)?;
    }
    Ok(player.finish())
}

impl Player<'_> {
    fn play_item(&mut self, written: SpannedItem) -> Result<(), NotationError> {
        let source = SourceSpan::item(&written);
        match written.item {
            Item::Value(Value::Velocity(velocity)) => {
                let velocity_range = self.velocity_in_range(velocity, source);
                self.settings.velocity_range = velocity_range;
                self.velocities = None;
                self.apply_setting(|group| group.velocity_range = Some(velocity_range));
            }
            Item::Value(Value::Probability(probability)) => {
                let probability = self.probability_in_range(probability, source);
                self.settings.probability = probability;
                self.probabilities = None;
                self.apply_setting(|group| group.probability = Some(probability));
            }
            Item::Value(Value::Duration(duration)) => {
                if let Some(duration) = self.length_above_zero(duration, source) {
                    self.settings.duration = duration;
                    self.durations = None;
                    self.apply_setting(|group| group.duration = Some(duration));
                }
            }
            Item::Value(Value::Pitch(pitch)) => {
                self.open_group(source);
                if let Some(captured) = self.capture_pitch(pitch, source) {
                    self.group.constant.push(captured);
                }
            }
            Item::Value(Value::Chord(pitches)) => {
                self.open_group(source);
                let captured = self.capture_pitches(&pitches, source);
                self.group.constant.extend(captured);
            }
            Item::Pattern(values) => self.play_pattern(values, source),
            Item::Position(position) => self.play_position(position, source)?,
            Item::Copy { into, from } => self.copy_bars(into, from, source)?,
            Item::Clear => {
                self.warn_of_unused("before @clear", source);
                self.forget_pitches();
                self.notes.clear_bars();
            }
        }
        Ok(())
    }

    fn play_pattern(&mut self, values: Vec<Value>, pattern: SourceSpan) {
        let mut velocities = Vec::new();
        let mut durations = Vec::new();
        let mut probabilities = Vec::new();
        let mut steps = Vec::new();
        for (index, value) in values.into_iter().enumerate() {
            let source = pattern.value(index);
            match value {
                Value::Velocity(velocity) => velocities.push(self.velocity_in_range(velocity, source)),
                Value::Duration(duration) => durations.push(self.length_above_zero(duration, source)),
                Value::Probability(probability) => probabilities.push(self.probability_in_range(probability, source)),
                Value::Pitch(pitch) => steps.push(self.capture_pitches(&[pitch], source)),
                Value::Chord(pitches) => steps.push(self.capture_pitches(&pitches, source)),
            }
        }
        if !velocities.is_empty() {
            self.velocities = Cycle::new(velocities);
            // A cycle of velocities also forgets the velocity before it.
            self.settings.velocity_range = (100.0, 0.0);
        }
        if !durations.is_empty() {
            self.durations = Cycle::new(durations);
        }
        if !probabilities.is_empty() {
            self.probabilities = Cycle::new(probabilities);
        }
        if !steps.is_empty() {
            self.open_group(pattern);
            if steps.iter().any(|step| !step.is_empty()) {
                self.group.patterns.push(steps);
            }
        }
    }

    fn play_position(&mut self, position: Position, source: SourceSpan) -> Result<(), NotationError> {
        // A repeat by its first moment, and an entry of a list with the bar it goes without.
        let point_written = |written: &str| {
            let point = written.split('x').next().unwrap_or("");
            if point.contains('|') { point.to_owned() } else { format!("{}|{point}", position.bar) }
        };
        if self.late_setting {
            self.warn(source, |written| {
                format!(
                    "a setting between the notes and {} has no effect on them; write it before the notes",
                    point_written(written)
                )
            });
            self.late_setting = false;
        }
        self.group.open = false;
        self.unused_setting = false;
        if self.group.is_empty() {
            self.warn(source, |written| {
                format!("{} has no pitches to play; write notes before it", point_written(written))
            });
            return Ok(());
        }
        if position.start < -1e-9 {
            self.add_pickup(position, source, point_written);
        }
        // Above the limit it ends in a refusal below; the count itself need not fit.
        let count = position.count.min(MAX_NOTES as f64 + 1.0) as usize;
        let mut start = position.start;
        let mut last = start;
        for index in 0..count {
            if let Some(step) = position.step {
                // Multiplied, so that float noise does not add up over a long repeat.
                start = position.start + step * index as f64;
            }
            let length = self.sound_group(start)?;
            last = start;
            start += length;
        }
        if position.count > MANY_REPEATS {
            let last = position::format(last, self.notes.meter());
            self.warn(source, |written| {
                format!(
                    "{written} repeats {count} times, the last one at {last}; write a smaller count if that is too many"
                )
            });
        }
        Ok(())
    }

    fn copy_bars(
        &mut self,
        into: (f64, Option<f64>),
        from: Option<(f64, f64)>,
        source: SourceSpan,
    ) -> Result<(), NotationError> {
        let copy = match BarCopy::new(into, from) {
            Ok(copy) => copy,
            Err(reason) => {
                self.warn(source, |written| format!("{written} copied nothing: {reason}"));
                self.forget_pitches();
                return Ok(());
            }
        };
        self.warn_of_unused("before a bar copy", source);
        self.forget_pitches();
        match copy.carry_out(&mut self.notes)? {
            CopyOutcome::Notes => {}
            CopyOutcome::NotOntoThemselves => {
                self.warn(source, |written| format!("{written} would copy bars onto themselves; those are skipped"));
            }
            CopyOutcome::Nothing => {
                self.warn(source, |written| format!("{written} copied nothing: {} empty", copy.sources_are()));
            }
        }
        Ok(())
    }
}
