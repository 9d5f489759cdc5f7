//! Items to notes: the state that carries over, cycles, and copies of bars.
//!
//! Invariant: work is bounded by the notes written. Repeats and copies count against [`MAX_NOTES`] as they are made, and
//! a copy visits only bars that hold something.

use super::group::{Captured, Cycle, Group, Loudness, Settings};
use super::item::{Item, Spot, Value, Velocity, Written};
use super::source::Source;
use crate::music::position::{self, bar_of};
use crate::music::{Beats, Meter, Note, on_grid, pitch};
use crate::notation::error::{Places, shown};
use crate::notation::{MAX_NOTES, NotationErrors, Parsed, Pickup, Warnings, slots};
use std::collections::BTreeMap;

/// More repeats than this are probably not meant.
const MANY_REPEATS: f64 = 100.0;

pub(super) struct Player<'a> {
    pub(super) meter: Meter,
    text: &'a str,
    places: Places<'a>,
    settings: Settings,
    group: Group,
    /// A setting was written after a note and before its position.
    late_setting: bool,
    /// A setting was written after notes and their position, and no position has used it yet.
    unused_setting: bool,
    velocities: Option<Cycle<Loudness>>,
    /// `None` in it: a length that is not above 0, so the pitch's own stays.
    durations: Option<Cycle<Option<Beats>>>,
    probabilities: Option<Cycle<f64>>,
    /// The clip's notes, then the text's in the order they sound; velocity 0 deletes.
    pub(super) notes: Vec<Note>,
    existing: usize,
    points: usize,
    /// The notes of each bar, by their index; only kept for a text that copies bars.
    pub(super) bars: Option<BTreeMap<i64, Vec<usize>>>,
    warnings: Warnings,
    pickups: Vec<Pickup>,
}

/// Plays a text's items over the clip's notes.
pub(super) fn play(items: Vec<Written>, text: &str, meter: Meter, existing: &[Note]) -> Result<Parsed, NotationErrors> {
    let copies = items.iter().any(|written| matches!(written.item, Item::Copy { .. }));
    let mut player = Player {
        meter,
        text,
        places: Places::new(text),
        settings: Settings { loudness: (100.0, 0.0), duration: 1.0, probability: 1.0 },
        group: Group::default(),
        late_setting: false,
        unused_setting: false,
        velocities: None,
        durations: None,
        probabilities: None,
        notes: Vec::with_capacity(existing.len() + items.len() / 2),
        existing: existing.len(),
        points: 0,
        bars: copies.then(BTreeMap::new),
        warnings: Warnings::default(),
        pickups: Vec::new(),
    };
    for note in existing {
        player.push(*note);
    }
    for written in items {
        player.item(written)?;
    }
    if player.group.open {
        player.warn_unplayed("at the end of the text");
    }
    let parsed = Parsed::new(slots::settle(player.notes, player.existing), player.warnings.finish());
    Ok(Parsed { pickups: player.pickups, ..parsed })
}

impl Player<'_> {
    /// A warning about what is written at a place; the text is made from it only if there is room for the warning.
    pub(super) fn warn(&mut self, source: Source, text: impl FnOnce(&str) -> String) {
        let (whole, meter, places) = (self.text, self.meter, &mut self.places);
        self.warnings.add(|| {
            let span = source.span(whole, meter);
            let (line, column) = places.of(span.start);
            format!("{} (line {line}, column {column})", text(whole.get(span).unwrap_or("")))
        });
    }

    fn item(&mut self, written: Written) -> Result<(), NotationErrors> {
        let source = Source::item(&written);
        match written.item {
            Item::One(Value::Velocity(velocity)) => {
                let loudness = self.loudness(velocity, source);
                self.settings.loudness = loudness;
                self.velocities = None;
                self.setting(|group| group.loudness = Some(loudness));
            }
            Item::One(Value::Probability(probability)) => {
                let probability = self.probability(probability, source);
                self.settings.probability = probability;
                self.probabilities = None;
                self.setting(|group| group.probability = Some(probability));
            }
            Item::One(Value::Duration(duration)) => {
                if let Some(duration) = self.duration(duration, source) {
                    self.settings.duration = duration;
                    self.durations = None;
                    self.setting(|group| group.duration = Some(duration));
                }
            }
            Item::One(Value::Pitch(pitch)) => {
                self.open_group(source);
                if let Some(captured) = self.capture(pitch, source) {
                    self.group.constant.push(captured);
                }
            }
            Item::One(Value::Chord(pitches)) => {
                self.open_group(source);
                let captured = self.capture_all(&pitches, source);
                self.group.constant.extend(captured);
            }
            Item::Pattern(values) => self.pattern(values, source),
            Item::Spot(spot) => self.spot(spot, source)?,
            Item::Copy { into, from } => self.copy(into, from, source)?,
            Item::Clear => {
                self.warn_lost("before @clear", source);
                self.forget_pitches();
                if let Some(bars) = &mut self.bars {
                    bars.clear();
                }
            }
        }
        Ok(())
    }

    fn setting(&mut self, change_carried: impl FnOnce(&mut Group)) {
        if self.group.open {
            self.late_setting = true;
        } else {
            self.unused_setting = !self.group.constant.is_empty() || !self.group.voices.is_empty();
            change_carried(&mut self.group);
        }
    }

    fn loudness(&mut self, velocity: Velocity, source: Source) -> Loudness {
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

    fn probability(&mut self, probability: f64, source: Source) -> f64 {
        if probability > 1.0 {
            self.warn(source, |written| {
                let value = number_shown(probability, written);
                format!("probability {value} is above 1 (probabilities are 0 to 1); 1 is used")
            });
        }
        probability.min(1.0)
    }

    fn duration(&mut self, duration: Beats, source: Source) -> Option<Beats> {
        if duration > 0.0 {
            return Some(duration);
        }
        self.warn(source, |written| format!("{written} comes to no length above 0; the length before it is kept"));
        None
    }

    fn open_group(&mut self, source: Source) {
        if !self.group.open {
            self.group = Group { open: true, source, ..Group::default() };
        }
        self.late_setting = false;
        self.unused_setting = false;
    }

    fn capture(&mut self, pitch: i32, source: Source) -> Option<Captured> {
        match u8::try_from(pitch) {
            Ok(pitch) if pitch <= 127 => Some(Captured { pitch, settings: self.settings }),
            _ => {
                self.warn(source, |written| {
                    let number = pitch::number_text(pitch);
                    let name =
                        if written.starts_with(['(', '[']) { pitch::far_name(pitch) } else { written.to_owned() };
                    let name = shown(&name).unwrap_or_default();
                    format!("pitch {name} ({number}) is outside C-2 (0) to G8 (127); that note is skipped")
                });
                None
            }
        }
    }

    fn capture_all(&mut self, pitches: &[i32], source: Source) -> Vec<Captured> {
        pitches.iter().filter_map(|pitch| self.capture(*pitch, source)).collect()
    }

    fn pattern(&mut self, values: Vec<Value>, pattern: Source) {
        let mut velocities = Vec::new();
        let mut durations = Vec::new();
        let mut probabilities = Vec::new();
        let mut steps = Vec::new();
        for (index, value) in values.into_iter().enumerate() {
            let source = pattern.value(index);
            match value {
                Value::Velocity(velocity) => velocities.push(self.loudness(velocity, source)),
                Value::Duration(duration) => durations.push(self.duration(duration, source)),
                Value::Probability(probability) => probabilities.push(self.probability(probability, source)),
                Value::Pitch(pitch) => steps.push(self.capture_all(&[pitch], source)),
                Value::Chord(pitches) => steps.push(self.capture_all(&pitches, source)),
            }
        }
        if !velocities.is_empty() {
            self.velocities = Cycle::start(velocities);
            // A cycle of velocities also forgets the velocity before it.
            self.settings.loudness = (100.0, 0.0);
        }
        if !durations.is_empty() {
            self.durations = Cycle::start(durations);
        }
        if !probabilities.is_empty() {
            self.probabilities = Cycle::start(probabilities);
        }
        if !steps.is_empty() {
            self.open_group(pattern);
            if steps.iter().any(|step| !step.is_empty()) {
                self.group.voices.push(steps);
            }
        }
    }

    fn spot(&mut self, spot: Spot, source: Source) -> Result<(), NotationErrors> {
        // A repeat by its first moment, and an entry of a list with the bar it goes without.
        let position = |written: &str| {
            let point = written.split('x').next().unwrap_or("");
            if point.contains('|') { point.to_owned() } else { format!("{}|{point}", spot.bar) }
        };
        if self.late_setting {
            self.warn(source, |written| {
                format!(
                    "a setting between the notes and {} has no effect on them; write it before the notes",
                    position(written)
                )
            });
            self.late_setting = false;
        }
        self.group.open = false;
        self.unused_setting = false;
        if self.group.is_silent() {
            self.warn(source, |written| format!("{} has no pitches to play; write notes before it", position(written)));
            return Ok(());
        }
        if spot.start < -1e-9 {
            let written = position(self.text.get(source.span(self.text, self.meter)).unwrap_or(""));
            self.pickups.push(Pickup { written, start: spot.start });
        }
        // Above the limit it ends in a refusal below; the count itself need not fit.
        let count = spot.count.min(MAX_NOTES as f64 + 1.0) as usize;
        let mut start = spot.start;
        let mut last = start;
        for index in 0..count {
            if let Some(step) = spot.step {
                // Multiplied, so that float noise does not add up over a long repeat.
                start = spot.start + step * index as f64;
            }
            let length = self.emit(start)?;
            last = start;
            start += length;
        }
        if spot.count > MANY_REPEATS {
            let last = position::format(last, self.meter);
            self.warn(source, |written| {
                format!(
                    "{written} repeats {count} times, the last one at {last}; write a smaller count if that is too many"
                )
            });
        }
        Ok(())
    }

    /// Sounds the group once; gives the length of its longest note.
    fn emit(&mut self, start: Beats) -> Result<Beats, NotationErrors> {
        self.points += 1;
        let sounds_at = on_grid(start);
        let loudness = Cycle::take(&mut self.velocities);
        let duration = Cycle::take(&mut self.durations).flatten();
        let probability = Cycle::take(&mut self.probabilities);
        // Lent out, so that notes can be pushed meanwhile.
        let group = std::mem::take(&mut self.group);
        let turn = group.emissions;
        let in_turn = group.voices.iter().filter_map(|voice| voice.get(turn % voice.len().max(1))).flatten();
        let mut longest: Beats = duration.unwrap_or(0.0);
        for captured in group.constant.iter().chain(in_turn) {
            let (velocity, velocity_deviation) = loudness.or(group.loudness).unwrap_or(captured.settings.loudness);
            let duration = duration.or(group.duration).unwrap_or(captured.settings.duration);
            longest = longest.max(duration);
            self.push(Note {
                velocity,
                velocity_deviation,
                probability: probability.or(group.probability).unwrap_or(captured.settings.probability),
                ..Note::new(captured.pitch, sounds_at, duration)
            });
        }
        self.group = group;
        self.group.emissions += 1;
        self.check_limit()?;
        Ok(if longest > 0.0 { longest } else { self.settings.duration })
    }

    pub(super) fn push(&mut self, note: Note) {
        if let Some(bars) = &mut self.bars {
            bars.entry(bar_of(note.start, self.meter)).or_default().push(self.notes.len());
        }
        self.notes.push(note);
    }

    pub(super) fn check_limit(&self) -> Result<(), NotationErrors> {
        let written = self.notes.len().saturating_sub(self.existing);
        if written.max(self.points) > MAX_NOTES { Err(NotationErrors::TooManyNotes) } else { Ok(()) }
    }

    fn warn_unplayed(&mut self, place: &str) {
        let count = self.group.pitches();
        if count > 0 {
            self.warn(self.group.source, |_| {
                let has = if count == 1 { "has" } else { "have" };
                let notes = if count == 1 { "1 pitch".to_owned() } else { format!("{count} pitches") };
                format!("{notes} {has} no position {place} and will not play; write a position such as 1|1 after them")
            });
        }
    }

    /// Before something that forgets the pitches in hand.
    pub(super) fn warn_lost(&mut self, place: &str, source: Source) {
        if self.group.open {
            self.warn_unplayed(place);
        }
        if self.late_setting {
            self.warn(source, |_| format!("a setting after the notes {place} affects nothing"));
        } else if self.unused_setting {
            self.warn(source, |_| {
                format!("a setting {place} affects nothing before it; it holds for the notes that follow")
            });
        }
    }

    pub(super) fn forget_pitches(&mut self) {
        self.group = Group::default();
        self.late_setting = false;
        self.unused_setting = false;
        self.velocities = None;
        self.durations = None;
        self.probabilities = None;
    }
}

/// A number too large for its place: as it was read, or, where no one could read that, as it was written.
fn number_shown(value: f64, written: &str) -> String {
    if value < 1e9 {
        return value.to_string();
    }
    let runs = written.split(|c: char| !c.is_ascii_digit() && c != '.');
    runs.max_by_key(|run| run.len()).and_then(shown).unwrap_or_default()
}
