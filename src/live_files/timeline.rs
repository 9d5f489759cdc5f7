//! How tempo and time signature go on in the Arrangement, from where a Set begins.

use super::automation::Envelope;
use super::live_set::TEMPOS;
use super::walk::Walk;
use crate::music::Beats;
use crate::set::document::{MeterChange, Signature, Song, TempoPoint};
use std::sync::Arc;

/// Before this stands the value that an envelope has from the start; Live writes it at -63,072,000.
const START_BEATS: f64 = -1e7;

/// The tempos of an envelope in order, without those that cannot be.
pub fn tempo_points(envelope: &Envelope) -> Vec<TempoPoint> {
    let sound = envelope.points.iter().filter(|point| TEMPOS.contains(&point.value));
    let point = sound.map(|point| TempoPoint { time: from_start(point.time), bpm: point.value, bend: None });
    let mut points: Vec<TempoPoint> = point.collect();
    points.sort_by(|a, b| a.time.total_cmp(&b.time));
    points
}

/// The time signatures of an envelope in order, without those that cannot be.
pub fn meter_changes(walk: &Walk, envelope: &Envelope) -> Vec<MeterChange> {
    let signature = |value: f64| -> Option<Signature> { walk.as_signature("TimeSignature", &value.to_string()).ok() };
    let changes = envelope.points.iter();
    let changes = changes
        .filter_map(|point| Some(MeterChange { time: from_start(point.time), signature: signature(point.value)? }));
    let mut changes: Vec<MeterChange> = changes.collect();
    changes.sort_by(|a, b| a.time.total_cmp(&b.time));
    changes
}

fn from_start(time: Beats) -> Beats {
    if time < START_BEATS { 0.0 } else { time.max(0.0) }
}

/// Gives a Set what goes on: one tempo alone, or one time signature, is the Set's own.
pub fn keep(walk: &mut Walk, song: &mut Song, tempos: Vec<TempoPoint>, meters: Vec<MeterChange>) {
    if tempos.len() > 1 {
        let kind = format!("tempos of the Arrangement, which plays at the first, {} BPM", song.tempo_bpm);
        walk.report.count_kept(&kind, tempos.len() as u64);
        song.tempo_points = Arc::new(tempos);
    }
    if meters.len() > 1 {
        let Signature { numerator, denominator } = song.signature;
        let kind = format!("time signatures of the Arrangement, which plays in the first, {numerator}/{denominator}");
        walk.report.count_kept(&kind, meters.len() as u64);
        song.meter_changes = Arc::new(meters);
    }
}
