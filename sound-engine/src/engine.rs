//! The walk through a block: from event to event, from tick to tick, from track to track.

use crate::dsp::span::{Bus, Span, TICK};
use crate::instruments::Note;
use crate::mixer::{Bent, Loudness, LoudnessMeter, Metronome, SafetyClip};
use crate::note_effects::{NoteAct, SongClock};
use crate::parameter::Parameter;
use crate::plan::device::Moment;
use crate::plan::notes::{HeardNotes, NoteContext};
use crate::plan::put_off::TrackAct;
use crate::plan::{Automated, Plan};
use std::cell::RefCell;
use std::sync::Arc;

/// Voices that sound at once in the whole mix.
pub const MOST_VOICES_IN_ALL: usize = 128;

/// The id by which the metronome is tapped.
pub const METRONOME: u32 = u32::MAX;

/// Something that happens at a frame of a block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// Of the block; later ones than it has happen at its end.
    pub frame: u32,
    /// The track's id; events of tracks that are not there are passed over.
    pub track: u32,
    pub kind: EventKind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EventKind {
    NoteOn(Note),
    NoteOff {
        id: u64,
        pitch: u8,
    },
    /// All notes are released, as by as many offs.
    EndNotes,
    /// All notes end within 3 ms.
    FadeNotes,
    /// An audio clip of the track begins at a time of its own, in place of the one that plays, with the song at so
    /// many quarter beats.
    ClipStart {
        clip: u64,
        time: f64,
        beats: f64,
    },
    ClipStop,
    /// Where the song is at this frame, in quarter beats, and whether it plays; from here it goes on with the tempo.
    /// Told at starts, stops, jumps, or with every block. The event's track does not matter. Untold, the song stands,
    /// and what is bound to its beats counts from its own begin.
    Position {
        beats: f64,
        plays: bool,
    },
    /// A parameter goes from where it is straight to a value (in the unit of its setting), within so many frames, and
    /// stays there, whatever plans say, until it is freed. 0 frames: at once, as smoothly as its device does.
    /// Parameters that the track or device has not are passed over, and so are values that are no number.
    Parameter {
        of: Automated,
        parameter: Parameter,
        value: f32,
        frames: u32,
    },
    /// A parameter is as the plan says again.
    FreeParameter {
        of: Automated,
        parameter: Parameter,
    },
    /// All parameters of the track, its devices and chains are.
    FreeParameters,
    /// The metronome clicks, beside all tracks: behind the main one's safety clip, and not in its meters. The event's
    /// track does not matter.
    Click {
        /// A bar's first beat.
        accent: bool,
        gain_db: f32,
    },
}

/// One stretch of audio time that is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    /// Quarter beats a minute, above 0.
    pub tempo_bpm: f64,
    /// Ascending by frame; of one frame, in the order in which they act.
    pub events: &'a [Event],
}

/// Who listens to single tracks: stems, and whatever else is made of them. Called on the audio thread.
pub trait Taps {
    /// The signal of a track behind its fader, as far as it is heard by its output, span after span without a gap; the
    /// first `frames` count.
    fn track(&mut self, id: u32, signal: &Bus, frames: usize);

    /// A note of a track as its note effects leave it, at a frame of the engine: what its instrument gets, but for what
    /// the chains of a rack with instruments make of it.
    fn note(&mut self, _id: u32, _frame: u64, _act: NoteAct) {}
}

/// Nobody listens.
impl Taps for () {
    fn track(&mut self, _: u32, _: &Bus, _: usize) {}
}

/// Where the song was told to be.
#[derive(Clone, Copy)]
struct Position {
    frame: u64,
    beat: f64,
    plays: bool,
    tempo_bpm: f64,
}

/// A position that is told lies where the song is anyway, if it is this near: frames.
const SAME_POSITION: f64 = 0.75;

/// Plays plans. In [`process`](Engine::process) it allocates, frees, locks and waits for nothing, and has no path that
/// panics. What it makes depends on the plans, the events and the frames since it was made, not on the blocks' sizes.
pub struct Engine {
    frame: u64,
    safety_clip: SafetyClip,
    position: Position,
    metronome: Metronome,
    loudness: LoudnessMeter,
}

impl Engine {
    pub fn new() -> Engine {
        let position = Position { frame: 0, beat: 0.0, plays: false, tempo_bpm: 120.0 };
        let (safety_clip, loudness) = (SafetyClip::default(), LoudnessMeter::new());
        Engine { frame: 0, safety_clip, position, metronome: Metronome::SILENT, loudness }
    }

    /// Makes a block of the length of `left` and `right` (the shorter one counts), in place of what is in them.
    pub fn process(
        &mut self,
        plan: &mut Plan,
        block: &Block,
        (left, right): (&mut [f32], &mut [f32]),
        taps: &mut impl Taps,
    ) {
        let frames = left.len().min(right.len());
        let taps = RefCell::new(taps);
        let heard = |track: u32, frame: u64, act: NoteAct| {
            if let Ok(mut taps) = taps.try_borrow_mut() {
                taps.note(track, frame, act);
            }
        };
        let heard: HeardNotes = &heard;
        let (mut made, mut next) = (0, 0);
        if block.tempo_bpm != self.position.tempo_bpm && block.tempo_bpm > 0.0 {
            let beat = self.clock(plan.rate).beat();
            self.position = Position { frame: self.frame, beat, tempo_bpm: block.tempo_bpm, ..self.position };
        }
        if std::mem::take(&mut plan.fresh) {
            let plan = &*plan;
            plan.take_over_late(self.frame);
            let clock = self.clock(plan.rate);
            plan.settle_notes(&NoteContext { clock, make_room: &|| make_room(plan), heard });
        }
        while made < frames {
            while let Some(event) = block.events.get(next).filter(|event| event.frame as usize <= made) {
                self.act(plan, event, block.tempo_bpm, heard);
                next += 1;
            }
            let to_late = to_frame(plan.act_late(self.frame, block.tempo_bpm), self.frame);
            let to_note = self.advance_notes(plan, heard);
            let to_tick = TICK - (self.frame % TICK as u64) as usize;
            let to_event = block.events.get(next).map_or(frames, |event| (event.frame as usize).min(frames)) - made;
            let span =
                Span { start: self.frame, frames: to_tick.min(to_event).min(to_note).min(to_late).min(frames - made) };
            let Ok(mut listener) = taps.try_borrow_mut() else { break };
            let out = self.make(plan, &span, block.tempo_bpm, *listener);
            drop(listener);
            for (place, lane) in [(&mut *left, &out.left), (&mut *right, &out.right)] {
                let place = place.get_mut(made..).unwrap_or_default().iter_mut();
                place.zip(lane.get(..span.frames).unwrap_or_default()).for_each(|(sample, value)| *sample = *value);
            }
            made += span.frames;
            self.frame += span.frames as u64;
        }
        for event in block.events.iter().skip(next) {
            self.act(plan, event, block.tempo_bpm, heard);
        }
    }

    /// What the safety clip bent of the main output since the last call.
    pub fn take_bent(&mut self) -> Bent {
        self.safety_clip.take()
    }

    /// How loud the main output is, as long as somebody keeps the reading, which stays the same one.
    pub fn loudness(&self) -> Arc<Loudness> {
        self.loudness.reading()
    }

    /// Frames made since the engine was.
    pub fn frame(&self) -> u64 {
        self.frame
    }

    fn clock(&self, rate: f32) -> SongClock {
        let Position { frame, beat, plays, tempo_bpm } = self.position;
        SongClock {
            frame: self.frame,
            anchor_frame: frame,
            anchor_beat: beat,
            beats_per_frame: tempo_bpm / 60.0 / f64::from(rate),
            plays,
            rate,
        }
    }

    fn act(&mut self, plan: &mut Plan, event: &Event, tempo_bpm: f64, heard: HeardNotes) {
        if let EventKind::Position { beats, plays } = event.kind {
            self.go_to(beats, plays, plan.rate);
            return;
        }
        if let EventKind::Click { accent, gain_db } = event.kind {
            self.metronome.click(accent, gain_db, plan.rate);
            return;
        }
        let Some(place) = plan.place(event.track) else { return };
        let now = self.frame;
        let act = match event.kind {
            EventKind::NoteOn(note) => NoteAct::On(note),
            EventKind::NoteOff { id, pitch } => NoteAct::Off { id, pitch },
            EventKind::EndNotes => NoteAct::EndAll,
            EventKind::FadeNotes => NoteAct::FadeAll,
            other => {
                if let (Some(act), Some(track)) = (track_act(other), plan.tracks.get_mut(place))
                    && let Some(act) = track.put_off(act, now)
                {
                    track.act(act, now, tempo_bpm);
                }
                return;
            }
        };
        let plan = &*plan;
        let clock = self.clock(plan.rate);
        plan.note(place, act, &NoteContext { clock, make_room: &|| make_room(plan), heard });
    }

    /// The song is somewhere else, unless that is where it is.
    fn go_to(&mut self, beats: f64, plays: bool, rate: f32) {
        let clock = self.clock(rate);
        let away = (beats - clock.beat()) / clock.beats_per_frame;
        if beats.is_finite() && (plays != self.position.plays || away.abs() > SAME_POSITION) {
            self.position = Position { frame: self.frame, beat: beats, plays, ..self.position };
        }
    }

    /// Lets note effects give what is due, and says in how many frames something is again.
    fn advance_notes(&self, plan: &Plan, heard: HeardNotes) -> usize {
        let context = NoteContext { clock: self.clock(plan.rate), make_room: &|| make_room(plan), heard };
        to_frame(plan.advance_notes(&context), self.frame)
    }

    /// Makes a span of every track, and gives the main one's.
    fn make(&mut self, plan: &mut Plan, span: &Span, tempo_bpm: f64, taps: &mut impl Taps) -> Bus {
        let mut out = Bus::SILENT;
        let last = plan.tracks.len().saturating_sub(1);
        let (clock, rate, soft_clips) = (self.clock(plan.rate), plan.rate, plan.soft_clip);
        let crossfade = plan.tracks.last().and_then(|main| main.crossfade(span)).unwrap_or(plan.crossfade);
        for place in 0..plan.tracks.len() {
            let mut bus = plan.take_input(place, span);
            let (tracks, mut inputs, taps_of_tracks) = plan.parts();
            let Some(track) = tracks.get_mut(place) else { continue };
            let clock = clock.late_by(track.late_by);
            let moment = Moment { span: *span, tempo_bpm: tempo_bpm as f32, clock, taps: taps_of_tracks };
            let direct = track.make(&moment, tempo_bpm, crossfade, &mut bus, &mut inputs);
            if place == last {
                if soft_clips {
                    self.safety_clip.process(span, rate, &mut bus);
                }
                if self.loudness.is_read() {
                    self.loudness.hear(&bus, span.frames, rate);
                }
                out = bus;
            }
            let (left, right) = bus.peaks(span.frames);
            track.meters.note(left, right, span.frames);
            match direct {
                None => taps.track(track.id, &bus, span.frames),
                Some(gains) => {
                    let mut heard = bus;
                    for ((left, right), gain) in heard.frames_mut(span.frames).zip(gains) {
                        *left *= gain;
                        *right *= gain;
                    }
                    taps.track(track.id, &heard, span.frames);
                }
            }
            if let Some(tap) = taps_of_tracks.get_mut(place) {
                *tap = bus;
            }
        }
        if let Some(click) = self.metronome.render(span.frames) {
            taps.track(METRONOME, &click, span.frames);
            out.add(&click);
        }
        out
    }
}

impl Default for Engine {
    fn default() -> Engine {
        Engine::new()
    }
}

/// In how many frames a frame comes, at least one.
fn to_frame(frame: u64, now: u64) -> usize {
    usize::try_from(frame.saturating_sub(now).max(1)).unwrap_or(usize::MAX)
}

/// What an event does to its track, beside notes.
fn track_act(kind: EventKind) -> Option<TrackAct> {
    Some(match kind {
        EventKind::ClipStart { clip, time, beats } => TrackAct::StartClip { clip, time, beats },
        EventKind::ClipStop => TrackAct::StopClip,
        EventKind::Parameter { of, parameter, value, frames } if !value.is_nan() => {
            TrackAct::Go { of, parameter, value, frames }
        }
        EventKind::FreeParameter { of, parameter } => TrackAct::Free { of, parameter },
        EventKind::FreeParameters => TrackAct::FreeAll,
        _ => return None,
    })
}

/// Fades voices until there is room for one more.
fn make_room(plan: &Plan) {
    let mut sounding = 0;
    for device in plan.tracks.iter().flat_map(|track| &track.devices) {
        device.each_instrument(&mut |instrument| sounding += instrument.sounding());
    }
    for _ in MOST_VOICES_IN_ALL..sounding + 1 {
        let mut best = None;
        for device in plan.tracks.iter().flat_map(|track| &track.devices) {
            device.better_victim(&mut best);
        }
        let Some(victim) = best else { return };
        for device in plan.tracks.iter().flat_map(|track| &track.devices) {
            device.fade(victim);
        }
    }
}
