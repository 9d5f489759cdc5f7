//! The leading clock: which beats each block covers.
//!
//! In a host the host's transport leads; without one, or when the Set says so, the engine's own clock does, and only
//! then do transport orders act. Hosts repeat positions with rounding noise: one that fits what the clock expects is
//! taken for the expected one, so that spans meet exactly and no note between them is lost or doubled.

use super::launch_grid::{BlockSpan, LaunchGrid};
use super::{Block, HostTransport};
use crate::music::Beats;
use crate::set::runtime::launch_orders::{ClockCell, ClockState, TransportAction, TransportOrder};

/// A host's position this near to the expected one is the expected one.
const NOISE_BEATS: Beats = 1e-4;
/// A host's position this near is the same music a little late or early (a tempo that moves within the block), no jump.
const DRIFT_BEATS: Beats = 1.0 / 64.0;
/// Positions farther out than this are no positions.
const FARTHEST_BEATS: Beats = 1e9;
/// A song loop shorter than this is none: at 120 BPM it is half a millisecond.
const SHORTEST_LOOP_BEATS: Beats = 1.0 / 1024.0;
/// What is this near before the end of the song's loop is at its end, and sounds as its start: less than a frame of any
/// rate.
pub(super) const LOOP_SLACK_BEATS: Beats = 1e-7;
const TEMPOS_BPM: std::ops::RangeInclusive<f64> = 0.1..=10_000.0;
const SAMPLE_RATES: std::ops::RangeInclusive<f64> = 1_000.0..=10_000_000.0;
const FALLBACK_TEMPO_BPM: f64 = 120.0;
const FALLBACK_SAMPLE_RATE: f64 = 44_100.0;

/// What the Set gives the clock.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClockSettings {
    pub tempo_bpm: f64,
    pub meter: (u32, u32),
    /// The engine's own clock leads even in a host.
    pub own_clock: bool,
    pub transport: TransportOrder,
    /// Start and end of the song's loop, where it is on. The own clock goes round in it; a host has a loop of its own.
    pub song_loop: Option<(Beats, Beats)>,
}

/// The song's loop as the clock goes round in it; `None` for one that is too short or no number.
pub(super) fn song_loop(on: bool, start: Beats, length: Beats) -> Option<(Beats, Beats)> {
    let sound = on && length >= SHORTEST_LOOP_BEATS && start.abs() <= FARTHEST_BEATS && length <= FARTHEST_BEATS;
    sound.then_some((start, start + length))
}

/// What became of the clock at the start of a block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ClockChange {
    /// It runs on, or stands on, or runs again from where it stood.
    None,
    /// It runs from a position given anew: what plays is anchored anew.
    Started,
    Stopped,
    /// It runs, and went from this beat to the span's first one.
    Jumped {
        from: Beats,
    },
    /// It runs, reached the end of the song's loop, and went on at its start.
    Wrapped {
        /// Where it would be without the loop.
        from: Beats,
        /// The loop's end.
        end: Beats,
    },
}

/// One block's place in time.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClockStep {
    pub playing: bool,
    pub change: ClockChange,
    pub span: BlockSpan,
    /// How far the span's first beat is from where the clock would be, had it run on.
    pub moved_by: Beats,
    /// The meter's beat, in quarter beats.
    pub meter_beat: Beats,
}

#[derive(Debug, Default)]
pub(super) struct Clock {
    playing: bool,
    host_leads: bool,
    /// Counting from a fixed beat, not adding block by block, keeps positions the same for every block size.
    anchor: Beats,
    frames: u64,
    beats_per_frame: f64,
    /// Every event before this beat was made.
    done: Beats,
    handled: u64,
    /// The loop whose end the last span ran up to: the next one begins at its start.
    at_end_of: Option<(Beats, Beats)>,
}

fn valid_position(beats: Option<Beats>) -> Option<Beats> {
    beats.filter(|beats| beats.abs() <= FARTHEST_BEATS)
}

/// Frames a second, also where a host spoils them.
pub(super) fn valid_rate(rate: f64) -> f64 {
    if SAMPLE_RATES.contains(&rate) { rate } else { FALLBACK_SAMPLE_RATE }
}

fn valid_meter(meter: (u32, u32)) -> bool {
    (1..=1000).contains(&meter.0) && (1..=1000).contains(&meter.1)
}

impl Clock {
    /// The next stretch of a block: all its frames, or those up to where the song's loop ends; at least one.
    pub fn step(&mut self, block: &Block, set: &ClockSettings, cell: &ClockCell) -> ClockStep {
        let leading = block.host.filter(|_| !set.own_clock);
        let tempo_bpm = leading
            .and_then(|host| host.tempo_bpm)
            .filter(|tempo| TEMPOS_BPM.contains(tempo))
            .or(Some(set.tempo_bpm).filter(|tempo| TEMPOS_BPM.contains(tempo)))
            .unwrap_or(FALLBACK_TEMPO_BPM);
        let sample_rate = valid_rate(block.sample_rate);
        let beats_per_frame = tempo_bpm / 60.0 / sample_rate;
        let meter = leading
            .and_then(|host| host.meter)
            .filter(|&meter| valid_meter(meter))
            .or(Some(set.meter).filter(|&meter| valid_meter(meter)))
            .unwrap_or((4, 4));

        let expected = self.anchor + self.frames as f64 * self.beats_per_frame;
        let ended = self.at_end_of.take().filter(|ended| set.song_loop == Some(*ended));
        let (playing, change, begin) = match leading {
            Some(host) => {
                // An order from before must not act when the own clock takes over much later.
                self.handled = self.handled.max(set.transport.number);
                self.follow(&host, expected)
            }
            None => self.run(set, expected, ended),
        };
        self.host_leads = leading.is_some();
        self.playing = playing;
        // Bits, not values: a position that goes on must keep its anchor, or the sum depends on the block size.
        if begin.to_bits() != expected.to_bits() || beats_per_frame.to_bits() != self.beats_per_frame.to_bits() {
            self.anchor = begin;
            self.frames = 0;
            self.beats_per_frame = beats_per_frame;
        }

        let bar_length = f64::from(meter.0) * 4.0 / f64::from(meter.1);
        let bar_start = leading.and_then(|host| valid_position(host.bar_start_beats)).unwrap_or(0.0);
        let grid = LaunchGrid { bar_length, bar_start };
        let mut span = BlockSpan {
            frames: block.frames,
            begin,
            beats_per_frame,
            seconds_per_beat: 60.0 / tempo_bpm,
            since: self.done,
            until: 0.0,
            grid,
        };
        match (change, ended) {
            (ClockChange::Wrapped { .. }, Some((start, _))) => span.since = start - LOOP_SLACK_BEATS,
            (ClockChange::None | ClockChange::Stopped, _) if playing => {}
            _ => span.since = span.threshold(0),
        }
        span.until = if playing { span.threshold(block.frames).max(span.since) } else { span.since };
        if playing && leading.is_none() {
            self.cut_at_loop_end(&mut span, change, set.song_loop);
        }
        self.done = span.until;
        if playing {
            self.frames = self.frames.saturating_add(u64::from(span.frames));
        }
        let position = if playing { span.end() } else { begin };

        cell.store(&ClockState {
            playing,
            position_beats: self.at_end_of.map_or(position, |(start, end)| start + (position - end)),
            tempo_bpm,
            meter,
            host_present: block.host.is_some(),
            host_led: self.host_leads,
            handled: self.handled,
            // The cell counts.
            blocks: 0,
        });
        ClockStep { playing, change, span, moved_by: begin - expected, meter_beat: 4.0 / f64::from(meter.1) }
    }

    /// Ends the span with the song's loop if that ends in it. Who is past its end already goes on and never meets it.
    fn cut_at_loop_end(&mut self, span: &mut BlockSpan, change: ClockChange, song_loop: Option<(Beats, Beats)>) {
        let Some((start, end)) = song_loop else { return };
        // What runs on is inside until every event before the end was made.
        let from = if change == ClockChange::None { span.since } else { span.begin };
        if from >= end - LOOP_SLACK_BEATS {
            return;
        }
        let frames = ((end - span.begin) / span.beats_per_frame + BlockSpan::SHIFT_FRAMES).floor().max(1.0);
        if frames <= f64::from(span.frames) {
            span.frames = frames as u32;
            span.until = (end - LOOP_SLACK_BEATS).max(span.since);
            self.at_end_of = Some((start, end));
        }
    }

    pub fn host_leads(&self) -> bool {
        self.host_leads
    }

    fn follow(&self, host: &HostTransport, expected: Beats) -> (bool, ClockChange, Beats) {
        let position = valid_position(host.position_beats).unwrap_or(expected);
        match (self.playing, host.playing) {
            (true, true) => {
                let off_by = (position - expected).abs();
                if off_by <= NOISE_BEATS {
                    (true, ClockChange::None, expected)
                } else if off_by <= DRIFT_BEATS {
                    (true, ClockChange::None, position)
                } else {
                    (true, ClockChange::Jumped { from: expected }, position)
                }
            }
            (false, true) => (true, ClockChange::Started, position),
            (true, false) => (false, ClockChange::Stopped, position),
            (false, false) => (false, ClockChange::None, position),
        }
    }

    fn run(
        &mut self,
        set: &ClockSettings,
        unlooped: Beats,
        ended: Option<(Beats, Beats)>,
    ) -> (bool, ClockChange, Beats) {
        // What the host ran, the own clock does not run on with by itself.
        let was_playing = self.playing && !self.host_leads;
        let (expected, going_on) = match ended.filter(|_| was_playing) {
            Some((start, end)) => (start + (unlooped - end), ClockChange::Wrapped { from: unlooped, end }),
            None => (unlooped, ClockChange::None),
        };
        let standing = if self.playing == was_playing { going_on } else { ClockChange::Stopped };
        let order = set.transport;
        if order.number <= self.handled {
            return (was_playing, standing, expected);
        }
        self.handled = order.number;
        let target = |beats| valid_position(Some(beats)).unwrap_or(expected);
        match order.action {
            TransportAction::Start { at } => (true, ClockChange::Started, target(at)),
            TransportAction::Continue => (true, standing, expected),
            TransportAction::Stop => {
                (false, if self.playing { ClockChange::Stopped } else { ClockChange::None }, expected)
            }
            TransportAction::Park { at } => {
                (false, if self.playing { ClockChange::Stopped } else { ClockChange::None }, target(at))
            }
            TransportAction::Jump { to } if was_playing => (true, ClockChange::Jumped { from: unlooped }, target(to)),
            TransportAction::Jump { to } => (false, standing, target(to)),
        }
    }
}
