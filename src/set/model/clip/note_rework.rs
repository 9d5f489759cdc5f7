//! Clip: functions that rework notes as a whole: crop, duplicate, quantize, select.

use crate::music::{Beats, Note, pitch};
use crate::object_model::{EnvelopePoint, ModelError, Value};
use crate::set::document::ids::Serial;
use crate::set::document::{Envelope, StoredNote};
use crate::set::model::clip::note_functions::{dictionary, existing_ids, listed};
use crate::set::model::member_answer::MemberAnswer;
use crate::set::model::set_state::SetState;
use serde_json::Value as Json;
use std::collections::HashSet;
use std::sync::Arc;

/// Steps of Live's `record_quantization`, in quarter beats; the mixed ones snap to whichever is nearer.
fn grids(number: i64) -> Option<&'static [Beats]> {
    const T8: Beats = 1.0 / 3.0;
    const T16: Beats = 1.0 / 6.0;
    Some(match number {
        1 => &[1.0],
        2 => &[0.5],
        3 => &[T8],
        4 => &[0.5, T8],
        5 => &[0.25],
        6 => &[T16],
        7 => &[0.25, T16],
        8 => &[0.125],
        _ => return None,
    })
}

/// The grid point nearest to a time. Swing moves every second point of a straight grid late, at full swing to where a
/// triplet would be.
fn snapped(time: Beats, grids: &[Beats], swing: f64) -> Beats {
    let point = |step: Beats| {
        // Steps of a straight grid are whole 1/32 notes; those of a triplet are not, and do not swing.
        let straight = (step * 8.0).fract() == 0.0;
        let late = |at: f64| straight && at.rem_euclid(2.0) == 1.0;
        let swung = |at: f64| at * step + if late(at) { swing * step / 3.0 } else { 0.0 };
        let near = (time / step).round();
        let mut best = swung(near);
        for at in [near - 1.0, near + 1.0] {
            if (swung(at) - time).abs() < (best - time).abs() {
                best = swung(at);
            }
        }
        best
    };
    let points = grids.iter().map(|step| point(*step));
    points.min_by(|a, b| (a - time).abs().total_cmp(&(b - time).abs())).unwrap_or(time)
}

impl SetState {
    pub(in crate::set::model) fn call_clip_edit(
        &mut self,
        clip: Serial,
        function: &str,
        args: &[Value],
    ) -> MemberAnswer<Value> {
        let nothing = |done: Result<(), ModelError>| done.map(|()| Value::Nothing);
        Some(match function {
            "crop" => nothing(self.crop(clip)),
            "duplicate_loop" => nothing(self.duplicate_loop(clip)),
            "duplicate_region" => nothing(self.duplicate_region(clip, args)),
            "duplicate_notes_by_id" => self.duplicate_notes(clip, args),
            "quantize" => nothing(self.quantize(clip, None, args.first(), args.get(1))),
            "quantize_pitch" => nothing(self.quantize(clip, args.first(), args.get(1), args.get(2))),
            "select_all_notes" => {
                nothing(self.midi_notes(clip).map(|notes| notes.list.iter().map(|n| n.id).collect()).map(
                    |all: HashSet<u32>| {
                        self.runtime.selected_notes.insert(clip, all);
                    },
                ))
            }
            "deselect_all_notes" => nothing(self.midi_notes(clip).map(drop).map(|()| {
                self.runtime.selected_notes.remove(&clip);
            })),
            "select_notes_by_id" => nothing(self.select_notes(clip, args)),
            "get_selected_notes_extended" => self.selected_notes(clip).and_then(|notes| listed(&notes, args.first())),
            "note_number_to_name" => match args.first().and_then(Value::as_i64).and_then(|n| u8::try_from(n).ok()) {
                Some(pitch @ 0..=127) => Ok(pitch::name(pitch).into()),
                _ => Err(ModelError::refused("a pitch is from 0 to 127")),
            },
            "get_selected_notes" => self.selected_notes(clip).map(|notes| legacy(&notes)),
            "get_notes" => self.legacy_area(clip, args).map(|notes| legacy(&notes)),
            "remove_notes" => nothing(self.legacy_area(clip, args).and_then(|notes| {
                let ids = notes.iter().map(|n| n.id).collect();
                self.edit_notes(clip, |kept| kept.remove_ids(&ids))
            })),
            _ => return None,
        })
    }

    /// Drops what is outside the region that sounds; the other region then equals it. An audio clip keeps its file.
    fn crop(&mut self, clip: Serial) -> Result<(), ModelError> {
        let cropped = self.document.clip(clip).ok_or(ModelError::NoObject)?;
        let (start, end) = cropped.region();
        if cropped.notes().is_some() {
            self.edit_notes(clip, |notes| {
                notes.list.retain(|n| n.note.start >= start && n.note.start < end);
                for stored in &mut notes.list {
                    stored.note.duration = stored.note.duration.min(end - stored.note.start);
                }
            })?;
        }
        let cropped = self.document.edit_clip(clip, |clip| {
            // The end marker of an unwarped clip stays in beats.
            let end_marker = if clip.is_unwarped() { clip.end_marker } else { end };
            (clip.start_marker, clip.end_marker, clip.loop_start, clip.loop_end) = (start, end_marker, start, end);
        });
        cropped.ok_or(ModelError::NoObject)
    }

    /// Doubles the region with its notes; later notes move right by its old length.
    fn duplicate_loop(&mut self, clip: Serial) -> Result<(), ModelError> {
        let (start, end) = self.document.clip(clip).ok_or(ModelError::NoObject)?.region();
        let length = end - start;
        if end + length > crate::music::LONGEST_CLIP_BEATS {
            return Err(ModelError::refused("the doubled loop would be longer than a clip can be"));
        }
        self.edit_notes(clip, |notes| {
            let inside = |n: &StoredNote| n.note.start >= start && n.note.start < end;
            let copies: Vec<Note> = notes
                .list
                .iter()
                .filter(|n| inside(n))
                .map(|n| Note { start: n.note.start + length, ..n.note })
                .collect();
            for stored in notes.list.iter_mut().filter(|n| n.note.start >= end) {
                stored.note.start += length;
            }
            notes.add(&copies);
        })?;
        let doubled = self.document.edit_clip(clip, |clip| {
            if clip.looping {
                clip.loop_end = end + length;
            }
            if !clip.looping || clip.end_marker >= end {
                clip.end_marker += length;
            }
            for envelope in &mut clip.envelopes {
                double_envelope(Arc::make_mut(envelope), start, end);
            }
        });
        doubled.ok_or(ModelError::NoObject)?;
        self.fit_right_edge(clip)
    }

    fn duplicate_region(&mut self, clip: Serial, args: &[Value]) -> Result<(), ModelError> {
        let number = |at: usize| args.get(at).and_then(Value::as_f64).filter(|n| n.is_finite());
        let wrong =
            || ModelError::refused("duplicate_region takes region_start, region_length above 0, destination_time");
        let (start, length) = (number(0).ok_or_else(wrong)?, number(1).filter(|l| *l > 0.0).ok_or_else(wrong)?);
        let to = number(2).ok_or_else(wrong)?;
        let pitch = args.get(3).and_then(Value::as_i64).unwrap_or(-1);
        let transpose = args.get(4).and_then(Value::as_i64).unwrap_or(0);
        let inside = |n: &&StoredNote| n.note.start >= start && n.note.start < start + length;
        let copies = self
            .midi_notes(clip)?
            .list
            .iter()
            .filter(inside)
            .filter(|n| pitch < 0 || i64::from(n.note.pitch) == pitch)
            .map(|n| transposed(n.note, to - start, transpose))
            .collect::<Result<Vec<_>, _>>()?;
        self.edit_notes(clip, |notes| notes.add(&copies)).map(drop)
    }

    /// Without a destination the copies follow the last of the notes.
    fn duplicate_notes(&mut self, clip: Serial, args: &[Value]) -> Result<Value, ModelError> {
        let notes = self.midi_notes(clip)?;
        let ids = existing_ids(notes, args)?;
        let dict = dictionary(args.first()).ok();
        let member = |name: &str| match dict.as_ref().and_then(|d| d.get(name)) {
            None => Ok(None),
            Some(json) => json.as_f64().map(Some).ok_or_else(|| ModelError::refused(format!("{name} is a number"))),
        };
        let chosen: Vec<Note> = notes.list.iter().filter(|n| ids.contains(&n.id)).map(|n| n.note).collect();
        let first = chosen.iter().map(|n| n.start).fold(f64::INFINITY, f64::min);
        let end = chosen.iter().map(|n| n.start + n.duration).fold(f64::NEG_INFINITY, f64::max);
        let by = member("destination_time")?.unwrap_or(end) - first;
        let transpose = member("transposition_amount")?.unwrap_or(0.0) as i64;
        let copies = chosen.iter().map(|n| transposed(*n, by, transpose)).collect::<Result<Vec<_>, _>>()?;
        let ids = self.edit_notes(clip, |notes| notes.add(&copies))?;
        Ok(Value::Ints(ids.into_iter().map(i64::from).collect()))
    }

    fn quantize(
        &mut self,
        clip: Serial,
        pitch: Option<&Value>,
        grid: Option<&Value>,
        amount: Option<&Value>,
    ) -> Result<(), ModelError> {
        let amount = amount.and_then(Value::as_f64).filter(|a| (0.0..=1.0).contains(a));
        let amount = amount.ok_or_else(|| ModelError::refused("an amount is from 0 to 1"))?;
        let grid =
            grid.and_then(Value::as_i64).and_then(|number| if number == 0 { Some(&[][..]) } else { grids(number) });
        let grid =
            grid.ok_or_else(|| ModelError::refused("a grid is one of 0 to 8, as in midi_recording_quantization"))?;
        let pitch = pitch.map(|p| p.as_i64().filter(|p| (0..=127).contains(p)).ok_or(()));
        let pitch = pitch.transpose().map_err(|()| ModelError::refused("a pitch is from 0 to 127"))?;
        let swing = self.document.song.stored.get("swing_amount").and_then(Json::as_f64).unwrap_or(0.0);
        self.edit_notes(clip, |notes| {
            let mut moved = HashSet::new();
            for stored in notes.list.iter_mut().filter(|n| pitch.is_none_or(|p| i64::from(n.note.pitch) == p)) {
                let to = if grid.is_empty() { stored.note.start } else { snapped(stored.note.start, grid, swing) };
                if to != stored.note.start {
                    stored.note.start += (to - stored.note.start) * amount;
                    moved.insert(stored.id);
                }
            }
            if !moved.is_empty() {
                notes.settle(&moved);
            }
        })
    }

    /// Ids that no note has are passed over.
    fn select_notes(&mut self, clip: Serial, args: &[Value]) -> Result<(), ModelError> {
        let known: HashSet<u32> = self.midi_notes(clip)?.list.iter().map(|n| n.id).collect();
        let given = crate::set::model::clip::note_functions::given_ids(args)?;
        let chosen = given.into_iter().filter_map(|id| u32::try_from(id).ok()).filter(|id| known.contains(id));
        self.runtime.selected_notes.entry(clip).or_default().extend(chosen);
        Ok(())
    }

    fn selected_notes(&self, clip: Serial) -> Result<Vec<StoredNote>, ModelError> {
        let selected = self.runtime.selected_notes.get(&clip);
        let is = |n: &&StoredNote| selected.is_some_and(|ids| ids.contains(&n.id));
        Ok(self.midi_notes(clip)?.list.iter().filter(is).copied().collect())
    }

    /// The old argument order: from_time, from_pitch, time_span, pitch_span.
    fn legacy_area(&self, clip: Serial, args: &[Value]) -> Result<Vec<StoredNote>, ModelError> {
        let number = |at: usize| args.get(at).and_then(Value::as_f64).filter(|n| n.is_finite());
        match (number(0), number(1), number(2), number(3)) {
            (Some(from), Some(pitch), Some(span), Some(pitches)) => {
                Ok(self.midi_notes(clip)?.in_area(pitch as i64, pitches as i64, from, span))
            }
            _ => Err(ModelError::refused("the arguments are from_time, from_pitch, time_span, pitch_span")),
        }
    }
}

/// The stretch of an envelope follows itself once more; what came after moves right. On the seam the first pass arrives
/// where it did, and the second begins where the first one began, whether or not a point stood on either end of the
/// loop: a way that leads over it is cut there. How Live bends a way is not known; a bent one is cut where a straight
/// one would be.
fn double_envelope(envelope: &mut Envelope, start: Beats, end: Beats) {
    let points = &mut envelope.points;
    let moved = |point: &EnvelopePoint| EnvelopePoint { time: point.time + (end - start), ..*point };
    let inside = |point: &&EnvelopePoint| point.time >= start && point.time < end;
    let mut pass: Vec<EnvelopePoint> = points.iter().filter(inside).map(moved).collect();
    let behind_start = points.partition_point(|point| point.time <= start);
    let at = points.partition_point(|point| point.time < end);
    let (Some(begins), Some(arrives)) = (on_way(points, behind_start, start), on_way(points, at, end)) else { return };
    if pass.is_empty() && begins.value == arrives.value {
        // Nothing moves in the loop.
    } else {
        if pass.first().is_none_or(|first| first.time > end) {
            pass.insert(0, EnvelopePoint { time: end, ..begins });
        }
        if pass.first().is_some_and(|first| first.value != arrives.value) {
            pass.insert(0, EnvelopePoint { curve: 0.0, ..arrives });
        }
    }
    let later: Vec<EnvelopePoint> = points.drain(at..).map(|point| moved(&point)).collect();
    points.extend(pass.into_iter().chain(later));
}

/// The point of an envelope's way at `time`, between the points before and from `next` on. Before the first point its
/// value holds, behind the last one its.
fn on_way(points: &[EnvelopePoint], next: usize, time: Beats) -> Option<EnvelopePoint> {
    let before = next.checked_sub(1).and_then(|at| points.get(at));
    match (before, points.get(next)) {
        (Some(before), Some(after)) if after.time > before.time => {
            let share = (time - before.time) / (after.time - before.time);
            let value = before.value * (1.0 - share) + after.value * share;
            Some(EnvelopePoint { time, value, curve: before.curve })
        }
        (_, Some(held)) | (Some(held), None) => Some(EnvelopePoint { time, value: held.value, curve: 0.0 }),
        (None, None) => None,
    }
}

fn transposed(note: Note, by: Beats, semitones: i64) -> Result<Note, ModelError> {
    let pitch = u8::try_from(i64::from(note.pitch).saturating_add(semitones)).ok().filter(|p| *p <= 127);
    let pitch = pitch.ok_or_else(|| ModelError::refused("a copy would leave the range of pitches, 0 to 127"))?;
    let start = note.start + by;
    let limit = crate::music::LONGEST_CLIP_BEATS;
    if !(-limit..=limit).contains(&start) {
        return Err(ModelError::refused(format!("a copy would start outside -{limit} to {limit} beats")));
    }
    Ok(Note { pitch, start, ..note })
}

/// `notes N note pitch time duration velocity mute ... done`: the list of Live before version 11.
fn legacy(notes: &[StoredNote]) -> Value {
    let mut words = vec!["notes".to_owned(), notes.len().to_string()];
    for StoredNote { note, .. } in notes {
        words.push("note".to_owned());
        let numbers = [f64::from(note.pitch), note.start, note.duration, note.velocity, f64::from(u8::from(note.mute))];
        words.extend(numbers.map(|n| n.to_string()));
    }
    words.push("done".to_owned());
    Value::Texts(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_snap_to_the_nearest_grid_point() {
        for (time, grid, swing, want) in [
            (0.6, 2, 0.0, 0.5),
            (0.74, 2, 0.0, 0.5),
            (0.76, 2, 0.0, 1.0),
            (0.3, 4, 0.0, 1.0 / 3.0),
            (0.45, 4, 0.0, 0.5),
            (0.25, 5, 1.0, 0.25 + 0.25 / 3.0),
            (0.3, 3, 1.0, 1.0 / 3.0),
            (-0.2, 1, 0.0, 0.0),
        ] {
            assert!((snapped(time, grids(grid).unwrap(), swing) - want).abs() < 1e-9, "{time} on {grid}");
        }
    }
}
