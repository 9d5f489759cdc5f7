//! Clip: the functions that move and copy notes and regions.

use super::clip_notes::{bad, dictionary, existing_ids};
use super::{Answer, SetState};
use crate::music::{Beats, Note};
use crate::object_model::{ModelError, Value};
use crate::set::document::{Content, Notes};
use crate::set::ids::Serial;
use serde_json::Value as Json;
use std::collections::HashSet;
use std::sync::Arc;

/// How far full swing delays every second step of a straight grid, as a part of the step: to where a triplet's third note
/// is. Not measured on a Live.
const FULL_SWING: f64 = 1.0 / 3.0;

/// The steps, in quarter beats, that a number of Live's record quantization stands for; a mixed grid has two.
fn grid(number: i64) -> Option<&'static [Beats]> {
    Some(match number {
        1 => &[1.0],
        2 => &[0.5],
        3 => &[1.0 / 3.0],
        4 => &[0.5, 1.0 / 3.0],
        5 => &[0.25],
        6 => &[1.0 / 6.0],
        7 => &[0.25, 1.0 / 6.0],
        8 => &[0.125],
        _ => return None,
    })
}

/// The grid line nearest to `start`.
fn nearest(start: Beats, steps: &[Beats], swing: f64) -> Beats {
    let lines = steps.iter().flat_map(|step| {
        let at = (start / step).floor();
        // Steps of a straight grid are whole 1/32 notes; a triplet's are not and do not swing.
        let straight = (step * 8.0).fract() == 0.0;
        // A line that swing moved may be nearer than the next one, so a neighbour on each side is looked at.
        [at - 1.0, at, at + 1.0].map(|line| {
            let delayed = straight && line.rem_euclid(2.0) == 1.0;
            line * step + if delayed { swing * FULL_SWING * step } else { 0.0 }
        })
    });
    lines.min_by(|a, b| (a - start).abs().total_cmp(&(b - start).abs())).unwrap_or(start)
}

impl SetState {
    pub(super) fn call_clip_arrange(&mut self, clip: Serial, function: &str, args: &[Value]) -> Answer<Value> {
        Some(match function {
            "duplicate_notes_by_id" => self.duplicate_notes(clip, args),
            "duplicate_region" => self.duplicate_region(clip, args),
            "quantize" => self.quantize(clip, None, args),
            "quantize_pitch" => match args.split_first() {
                Some((pitch, rest)) => pitch_of(pitch).and_then(|pitch| self.quantize(clip, Some(pitch), rest)),
                None => Err(bad("quantize_pitch takes pitch, quantization_grid, amount")),
            },
            "duplicate_loop" => self.duplicate_loop(clip),
            "crop" => self.crop(clip),
            _ => return None,
        })
    }

    /// Copies start where the last of the notes ends, unless the call says where.
    fn duplicate_notes(&mut self, clip: Serial, args: &[Value]) -> Result<Value, ModelError> {
        let kept = self.midi_notes(clip)?;
        let ids = existing_ids(kept, args)?;
        let chosen: Vec<Note> = kept.list.iter().filter(|n| ids.contains(&n.id)).map(|n| n.note).collect();
        let dict = dictionary(args.first()).unwrap_or_default();
        let number = |key: &str| match dict.get(key) {
            None | Some(Json::Null) => Ok(None),
            Some(json) => json.as_f64().map(Some).ok_or_else(|| bad(format!("{key} must be a number"))),
        };
        let first = chosen.iter().map(|n| n.start).fold(f64::INFINITY, f64::min);
        let end = chosen.iter().map(|n| n.start + n.duration).fold(f64::NEG_INFINITY, f64::max);
        let to = number("destination_time")?.unwrap_or(end);
        let transposition = number("transposition_amount")?.unwrap_or(0.0);
        let copies = moved(&chosen, to - first, transposition)?;
        let ids = self.edit_notes(clip, |notes| notes.add(&copies))?;
        Ok(Value::Ints(ids.into_iter().map(i64::from).collect()))
    }

    fn duplicate_region(&mut self, clip: Serial, args: &[Value]) -> Result<Value, ModelError> {
        let wrong = || bad("duplicate_region takes region_start, region_length, destination_time as numbers");
        let number = |at: usize| args.get(at).and_then(Value::as_f64).filter(|n| n.is_finite()).ok_or_else(wrong);
        let (start, length, to) = (number(0)?, number(1)?, number(2)?);
        if length <= 0.0 {
            return Err(bad("region_length must be above 0"));
        }
        // -1 stands for every pitch.
        let pitch = match args.get(3).map(|pitch| (pitch, pitch.as_i64())) {
            None | Some((_, Some(-1))) => None,
            Some((pitch, _)) => Some(pitch_of(pitch)?),
        };
        let transposition = args.get(4).map_or(Some(0.0), Value::as_f64).ok_or_else(wrong)?;
        let inside: Vec<Note> = self.midi_notes(clip)?.in_area(0, 128, start, length).iter().map(|n| n.note).collect();
        let inside: Vec<Note> = inside.into_iter().filter(|n| pitch.is_none_or(|p| n.pitch == p)).collect();
        let copies = moved(&inside, to - start, transposition)?;
        self.edit_notes(clip, |notes| notes.add(&copies))?;
        Ok(Value::Nothing)
    }

    fn quantize(&mut self, clip: Serial, pitch: Option<u8>, args: &[Value]) -> Result<Value, ModelError> {
        let number = args.first().and_then(Value::as_i64);
        let steps = number.and_then(grid).ok_or_else(|| bad("quantization_grid must be from 1 (1/4) to 8 (1/32)"))?;
        let amount = args.get(1).and_then(Value::as_f64).filter(|a| (0.0..=1.0).contains(a));
        let amount = amount.ok_or_else(|| bad("amount must be from 0 to 1"))?;
        let swing = self.document.song.stored.get("swing_amount").and_then(Json::as_f64).unwrap_or(0.0);
        self.edit_notes(clip, |notes| {
            for stored in notes.list.iter_mut().filter(|n| pitch.is_none_or(|p| n.note.pitch == p)) {
                let note = &mut stored.note;
                note.start += (nearest(note.start, steps, swing) - note.start) * amount;
            }
            notes.settle(&HashSet::new());
        })?;
        Ok(Value::Nothing)
    }

    /// The loop is repeated after itself and doubles; what lies behind it moves on.
    fn duplicate_loop(&mut self, serial: Serial) -> Result<Value, ModelError> {
        self.midi_notes(serial)?;
        let (start, end) = self.document.clip(serial).ok_or(ModelError::NoObject)?.region();
        let length = end - start;
        if end + length > super::MAX_CLIP_LENGTH_BEATS {
            return Err(bad(format!("a clip is at most {} beats long", super::MAX_CLIP_LENGTH_BEATS)));
        }
        let edited = self.document.edit_clip(serial, |clip| {
            let Content::Midi(notes) = &mut clip.content;
            let notes: &mut Notes = Arc::make_mut(notes);
            let inside: Vec<Note> = notes.in_area(0, 128, start, length).iter().map(|n| n.note).collect();
            for stored in notes.list.iter_mut().filter(|n| n.note.start >= end) {
                stored.note.start += length;
            }
            notes.add(&inside.into_iter().map(|n| Note { start: n.start + length, ..n }).collect::<Vec<_>>());
            if clip.looping {
                clip.loop_end += length;
            }
            if !clip.looping || clip.end_marker >= end {
                clip.end_marker += length;
            }
        });
        edited.map(|()| Value::Nothing).ok_or(ModelError::NoObject)
    }

    /// What lies outside the region that plays is dropped; a note that reaches out of it is cut.
    fn crop(&mut self, serial: Serial) -> Result<Value, ModelError> {
        self.midi_notes(serial)?;
        let (start, end) = self.document.clip(serial).ok_or(ModelError::NoObject)?.region();
        let edited = self.document.edit_clip(serial, |clip| {
            let Content::Midi(notes) = &mut clip.content;
            let notes: &mut Notes = Arc::make_mut(notes);
            notes.list.retain(|n| n.note.start >= start && n.note.start < end);
            for stored in &mut notes.list {
                stored.note.duration = stored.note.duration.min(end - stored.note.start);
            }
            (clip.start_marker, clip.end_marker) = (start, end);
            (clip.loop_start, clip.loop_end) = (start, end);
        });
        edited.map(|()| Value::Nothing).ok_or(ModelError::NoObject)
    }
}

fn pitch_of(value: &Value) -> Result<u8, ModelError> {
    let pitch = value.as_i64().and_then(|pitch| u8::try_from(pitch).ok()).filter(|pitch| *pitch <= 127);
    pitch.ok_or_else(|| bad("pitch must be a whole number from 0 to 127"))
}

/// The notes, so many beats later and semitones higher.
fn moved(notes: &[Note], beats: Beats, semitones: f64) -> Result<Vec<Note>, ModelError> {
    let limit = super::MAX_CLIP_LENGTH_BEATS;
    let one = |note: &Note| {
        let (start, pitch) = (note.start + beats, f64::from(note.pitch) + semitones.round());
        if start.abs() > limit || !(0.0..=127.0).contains(&pitch) {
            return Err(bad(format!("a copy would lie outside pitch 0..127 or beat -{limit}..{limit}")));
        }
        Ok(Note { start, pitch: pitch as u8, ..*note })
    };
    notes.iter().map(one).collect()
}
