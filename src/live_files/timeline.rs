//! How tempo and time signature go on in the Arrangement, from where a Set begins.

use super::error::ReadError;
use super::limits::{LAST_SIGNATURE, TEMPOS};
use super::references::Envelope;
use super::walk::Walk;
use crate::music::Beats;
use crate::set::document::{MeterChange, Song, TempoPoint};
use std::sync::Arc;

/// Before this stands the value that an envelope has from the start; Live writes it at -63,072,000.
const START_BEATS: f64 = -1e7;

/// Where a value stands that was read already.
const DRAWN: &str = "/Ableton/LiveSet/MainTrack (what the Arrangement draws)";

/// The tempos and time signatures of the Arrangement; empty where nothing changes.
#[derive(Debug, Default)]
pub struct Timeline {
    pub tempo: Vec<TempoPoint>,
    pub meters: Vec<MeterChange>,
}

/// The tempos of an envelope in order; one out of range is the nearest in it.
pub fn tempo_points(walk: &Walk, envelope: &Envelope) -> Vec<TempoPoint> {
    let mut points = Vec::with_capacity(envelope.points.len());
    let mut bends = envelope.bends.iter().peekable();
    for (at, point) in envelope.points.iter().enumerate() {
        let bend = bends.next_if(|bend| bend.at == at).map(|bend| bend.controls);
        points.push(TempoPoint { time: from_start(point.time), bpm: in_range(walk, point.value), bend });
    }
    points.sort_by(|a, b| a.time.total_cmp(&b.time));
    points
}

/// The time signatures of an envelope in order.
pub fn meter_changes(walk: &Walk, envelope: &Envelope) -> Result<Vec<MeterChange>, ReadError> {
    let mut changes = Vec::with_capacity(envelope.points.len());
    for point in &envelope.points {
        let code = sound_code(walk, point.value);
        let signature = walk.as_signature("TimeSignature", &code.to_string())?;
        changes.push(MeterChange { time: from_start(point.time), signature });
    }
    changes.sort_by(|a, b| a.time.total_cmp(&b.time));
    Ok(changes)
}

/// Gives the Set its tempos and time signatures; one of a kind alone is the Set's own. The Arrangement plays at the
/// first of each, so the report counts the others.
pub fn keep(walk: &mut Walk, song: &mut Song, timeline: Timeline) {
    let Timeline { tempo, meters } = timeline;
    if tempo.len() > 1 {
        walk.report.count_left_out("changes of the tempo after the first", tempo.len() as u64 - 1);
        song.tempo_points = Arc::new(tempo);
    }
    if meters.len() > 1 {
        walk.report.count_left_out("changes of the time signature after the first", meters.len() as u64 - 1);
        song.meter_changes = Arc::new(meters);
    }
}

fn in_range(walk: &Walk, bpm: f64) -> f64 {
    if TEMPOS.contains(&bpm) {
        return bpm;
    }
    let nearest = bpm.max(*TEMPOS.start()).min(*TEMPOS.end());
    walk.mend_at(DRAWN, "Tempo", Some(&bpm.to_string()), &nearest.to_string());
    nearest
}

/// The number of a time signature.
fn sound_code(walk: &Walk, value: f64) -> i64 {
    let code = value.round() as i64;
    let nearest = code.clamp(0, LAST_SIGNATURE);
    if code != nearest {
        walk.mend_at(DRAWN, "TimeSignature", Some(&value.to_string()), &nearest.to_string());
    }
    nearest
}

fn from_start(time: Beats) -> Beats {
    if time < START_BEATS { 0.0 } else { time.max(0.0) }
}
