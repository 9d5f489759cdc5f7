//! Items to notes: the state that carries over, cycles, and copies of bars.
//!
//! Invariant: work is bounded by the notes written. Repeats and copies count against [`MAX_NOTES`] as they are made, and
//! a copy visits only bars that hold something.

use super::item::{Item, Spot, Value, Velocity, Written};
use crate::music::position::bar_of;
use crate::music::{Beats, Meter, Note, on_grid, pitch};
use crate::notation::{MAX_NOTES, NotationErrors, Parsed, Pickup, Warnings, slots};
use std::collections::BTreeMap;

/// More repeats than this are probably not meant.
const MANY_REPEATS: f64 = 100.0;

/// Velocity and what is added to it at random.
type Loudness = (f64, f64);

/// What a pitch sounds with: the values in force where it was written.
#[derive(Clone, Copy)]
struct Settings {
    loudness: Loudness,
    duration: Beats,
    probability: f64,
}

#[derive(Clone, Copy)]
struct Captured {
    pitch: u8,
    settings: Settings,
}

/// Values taken in turn.
struct Cycle<T> {
    values: Vec<T>,
    next: usize,
}

impl<T: Copy> Cycle<T> {
    fn start(values: Vec<T>) -> Option<Cycle<T>> {
        Some(Cycle { values, next: 0 })
    }

    fn take(cycle: &mut Option<Cycle<T>>) -> Option<T> {
        let cycle = cycle.as_mut()?;
        let value = cycle.values.get(cycle.next).copied();
        cycle.next = (cycle.next + 1) % cycle.values.len().max(1);
        value
    }
}

/// The pitches that the next positions sound.
#[derive(Default)]
struct Group {
    /// Pitches were written and no position since.
    open: bool,
    constant: Vec<Captured>,
    /// One per pitch pattern, in turn.
    voices: Vec<Vec<Vec<Captured>>>,
    emissions: usize,
    /// Settings written after the group last sounded; they change the carried pitches.
    loudness: Option<Loudness>,
    duration: Option<Beats>,
    probability: Option<f64>,
}

impl Group {
    fn is_silent(&self) -> bool {
        self.constant.is_empty() && self.voices.is_empty()
    }

    fn pitches(&self) -> usize {
        self.constant.len() + self.voices.iter().flatten().map(Vec::len).sum::<usize>()
    }
}

struct Player<'a> {
    meter: Meter,
    text: &'a str,
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
    notes: Vec<Note>,
    existing: usize,
    points: usize,
    /// The notes of each bar, by their index; only kept for a text that copies bars.
    bars: Option<BTreeMap<i64, Vec<usize>>>,
    warnings: Warnings,
    pickups: Vec<Pickup>,
}

/// Plays a text's items over the clip's notes.
pub(super) fn play(items: Vec<Written>, text: &str, meter: Meter, existing: &[Note]) -> Result<Parsed, NotationErrors> {
    let copies = items.iter().any(|written| matches!(written.item, Item::Copy { .. }));
    let mut player = Player {
        meter,
        text,
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
    fn item(&mut self, written: Written) -> Result<(), NotationErrors> {
        let Written { item, start, end } = written;
        match item {
            Item::One(Value::Velocity(velocity)) => {
                let loudness = self.loudness(velocity);
                self.settings.loudness = loudness;
                self.velocities = None;
                self.setting(|group| group.loudness = Some(loudness));
            }
            Item::One(Value::Probability(probability)) => {
                let probability = self.probability(probability);
                self.settings.probability = probability;
                self.probabilities = None;
                self.setting(|group| group.probability = Some(probability));
            }
            Item::One(Value::Duration(duration)) => {
                if let Some(duration) = self.duration(duration, start, end) {
                    self.settings.duration = duration;
                    self.durations = None;
                    self.setting(|group| group.duration = Some(duration));
                }
            }
            Item::One(Value::Pitch(pitch)) => {
                self.open_group();
                if let Some(captured) = self.capture(pitch) {
                    self.group.constant.push(captured);
                }
            }
            Item::One(Value::Chord(pitches)) => {
                self.open_group();
                let captured = self.capture_all(&pitches);
                self.group.constant.extend(captured);
            }
            Item::Pattern(values) => self.pattern(values, start, end),
            Item::Spot(spot) => self.spot(spot, start, end)?,
            Item::Copy { into, from } => self.copy(into, from, start, end)?,
            Item::Clear => {
                self.warn_lost("before @clear");
                self.forget_pitches();
                if let Some(bars) = &mut self.bars {
                    bars.clear();
                }
            }
        }
        Ok(())
    }

    fn written(&self, start: usize, end: usize) -> &str {
        self.text.get(start..end).unwrap_or("")
    }

    fn setting(&mut self, change_carried: impl FnOnce(&mut Group)) {
        if self.group.open {
            self.late_setting = true;
        } else {
            self.unused_setting = !self.group.constant.is_empty() || !self.group.voices.is_empty();
            change_carried(&mut self.group);
        }
    }

    fn loudness(&mut self, velocity: Velocity) -> Loudness {
        let mut clamp = |value: f64| {
            if value > 127.0 {
                self.warnings.add(|| format!("velocity {value} is above 127 (velocities are 0 to 127); 127 is used"));
            }
            value.min(127.0)
        };
        let from = clamp(velocity.from);
        let to = velocity.to.map_or(from, clamp);
        (from.min(to), (from - to).abs())
    }

    fn probability(&mut self, probability: f64) -> f64 {
        if probability > 1.0 {
            self.warnings.add(|| format!("probability {probability} is above 1 (probabilities are 0 to 1); 1 is used"));
        }
        probability.min(1.0)
    }

    fn duration(&mut self, duration: Beats, start: usize, end: usize) -> Option<Beats> {
        if duration > 0.0 {
            return Some(duration);
        }
        let written = self.text.get(start..end).unwrap_or("");
        self.warnings.add(|| format!("{written} comes to no length above 0; the length before it is kept"));
        None
    }

    fn open_group(&mut self) {
        if !self.group.open {
            self.group = Group { open: true, ..Group::default() };
        }
        self.late_setting = false;
        self.unused_setting = false;
    }

    fn capture(&mut self, pitch: i32) -> Option<Captured> {
        match u8::try_from(pitch) {
            Ok(pitch) if pitch <= 127 => Some(Captured { pitch, settings: self.settings }),
            _ => {
                self.warnings.add(|| {
                    let number = pitch::number_text(pitch);
                    format!("pitch {number} is outside C-2 (0) to G8 (127); that note is skipped")
                });
                None
            }
        }
    }

    fn capture_all(&mut self, pitches: &[i32]) -> Vec<Captured> {
        pitches.iter().filter_map(|pitch| self.capture(*pitch)).collect()
    }

    fn pattern(&mut self, values: Vec<Value>, start: usize, end: usize) {
        let mut velocities = Vec::new();
        let mut durations = Vec::new();
        let mut probabilities = Vec::new();
        let mut steps = Vec::new();
        for value in values {
            match value {
                Value::Velocity(velocity) => velocities.push(self.loudness(velocity)),
                Value::Duration(duration) => durations.push(self.duration(duration, start, end)),
                Value::Probability(probability) => probabilities.push(self.probability(probability)),
                Value::Pitch(pitch) => steps.push(self.capture_all(&[pitch])),
                Value::Chord(pitches) => steps.push(self.capture_all(&pitches)),
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
            self.open_group();
            if steps.iter().any(|step| !step.is_empty()) {
                self.group.voices.push(steps);
            }
        }
    }

    fn spot(&mut self, spot: Spot, start: usize, end: usize) -> Result<(), NotationErrors> {
        let text = self.text;
        let written = || text.get(start..end).unwrap_or("");
        if self.late_setting {
            self.warnings.add(|| {
                format!(
                    "a setting between the notes and {} has no effect on them; write it before the notes",
                    written()
                )
            });
            self.late_setting = false;
        }
        self.group.open = false;
        self.unused_setting = false;
        if self.group.is_silent() {
            self.warnings.add(|| format!("{} has no pitches to play; write notes before it", written()));
            return Ok(());
        }
        if spot.start < -1e-9 {
            self.pickups.push(Pickup { written: written().to_owned(), start: spot.start });
        }
        if spot.count > MANY_REPEATS {
            self.warnings.add(|| format!("{} repeats {} times", written(), spot.count));
        }
        // Above the limit it ends in a refusal below; the count itself need not fit.
        let count = spot.count.min(MAX_NOTES as f64 + 1.0) as usize;
        let mut start = spot.start;
        for index in 0..count {
            if let Some(step) = spot.step {
                // Multiplied, so that float noise does not add up over a long repeat.
                start = spot.start + step * index as f64;
            }
            let length = self.emit(start)?;
            start += length;
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

    fn push(&mut self, note: Note) {
        if let Some(bars) = &mut self.bars {
            bars.entry(bar_of(note.start, self.meter)).or_default().push(self.notes.len());
        }
        self.notes.push(note);
    }

    fn check_limit(&self) -> Result<(), NotationErrors> {
        let written = self.notes.len().saturating_sub(self.existing);
        if written.max(self.points) > MAX_NOTES { Err(NotationErrors::TooManyNotes) } else { Ok(()) }
    }

    fn warn_unplayed(&mut self, place: &str) {
        let count = self.group.pitches();
        if count > 0 {
            let notes = if count == 1 { "1 pitch has".to_owned() } else { format!("{count} pitches have") };
            self.warnings.add(|| {
                format!("{notes} no position {place} and will not play; write a position such as 1|1 after them")
            });
        }
    }

    /// Before something that forgets the pitches in hand.
    fn warn_lost(&mut self, place: &str) {
        if self.group.open {
            self.warn_unplayed(place);
        }
        if self.late_setting {
            self.warnings.add(|| format!("a setting after the notes {place} affects nothing"));
        } else if self.unused_setting {
            self.warnings
                .add(|| format!("a setting {place} affects nothing before it; it holds for the notes that follow"));
        }
    }

    fn forget_pitches(&mut self) {
        self.group = Group::default();
        self.late_setting = false;
        self.unused_setting = false;
        self.velocities = None;
        self.durations = None;
        self.probabilities = None;
    }

    fn copy(
        &mut self,
        into: (f64, Option<f64>),
        from: Option<(f64, f64)>,
        start: usize,
        end: usize,
    ) -> Result<(), NotationErrors> {
        let (into_first, into_last) = (into.0 as i64, into.1.map(|bar| bar as i64));
        let (from_first, from_last) = from.map_or((into_first - 1, into_first - 1), |(a, b)| (a as i64, b as i64));
        let refusal = if into_last.is_some_and(|last| last < into_first) || from_last < from_first {
            Some("its range runs backwards")
        } else if from_first < 1 {
            Some("there is no bar before bar 1")
        } else {
            None
        };
        if let Some(reason) = refusal {
            let written = self.written(start, end).to_owned();
            self.warnings.add(|| format!("{written} copied nothing: {reason}"));
            self.forget_pitches();
            return Ok(());
        }
        self.warn_lost("before a bar copy");
        self.forget_pitches();
        let sources = from_last - from_first + 1;
        let targets = into_last.map_or(sources, |last| last - into_first + 1);
        let mut copied_any = false;
        let mut onto_itself = false;
        let mut done = 0;
        while done < targets {
            let tile = done - done % sources;
            if into_first + tile == from_first {
                onto_itself = true;
                done = tile + sources;
                continue;
            }
            let source = self.next_filled(from_first + done % sources, from_last);
            let Some(source) = source else {
                if done == tile {
                    // The whole source is empty, and nothing that is still to come fills it.
                    break;
                }
                done = tile + sources;
                continue;
            };
            done = tile + (source - from_first);
            if done < targets {
                self.copy_bar(source, into_first + done)?;
                copied_any = true;
            }
            done += 1;
        }
        let written = self.text.get(start..end).unwrap_or("");
        if onto_itself {
            self.warnings.add(|| format!("{written} would copy bars onto themselves; those are skipped"));
        } else if !copied_any {
            let bars = if sources == 1 {
                format!("bar {from_first} is")
            } else {
                format!("bars {from_first}-{from_last} are")
            };
            self.warnings.add(|| format!("{written} copied nothing: {bars} empty"));
        }
        Ok(())
    }

    /// The first bar from `first` to `last` that holds notes to copy.
    fn next_filled(&self, first: i64, last: i64) -> Option<i64> {
        self.bars.as_ref()?.range(first..=last).next().map(|(bar, _)| *bar)
    }

    fn copy_bar(&mut self, source: i64, target: i64) -> Result<(), NotationErrors> {
        let indices = self.bars.as_ref().and_then(|bars| bars.get(&source)).cloned().unwrap_or_default();
        let shift = (target - source) as f64 * self.meter.bar_length();
        for index in indices {
            if let Some(note) = self.notes.get(index).copied() {
                self.push(Note { start: on_grid(note.start + shift), ..note });
                self.check_limit()?;
            }
        }
        Ok(())
    }
}
