//! Where the beats of the metronome are.

use super::clock::ClockStep;
use super::started_note::EventSink;
use super::{NEVER, NoteSink};

/// Rounding noise, as a part of a beat.
const NOISE: f64 = 1e-9;
/// More beats than this are in no stretch at a tempo that anybody hears as one.
const MOST_BEATS: usize = 64;

/// Tells of the beats in a stretch that runs.
pub(super) fn tell_beats<S: NoteSink>(step: &ClockStep, sink: &mut EventSink<S>) {
    let (span, beat) = (step.span, step.meter_beat);
    let (bar_start, bar_length) = (span.grid.bar_start, span.grid.bar_length);
    let first = ((span.since - bar_start) / beat - NOISE).ceil();
    for count in 0..MOST_BEATS {
        let at = bar_start + (first + count as f64) * beat;
        let frame = span.frame(at);
        if frame == NEVER {
            break;
        }
        let bars = (at - bar_start) / bar_length;
        sink.send_beat(frame, (bars - bars.round()).abs() < NOISE.sqrt());
    }
}
