//! The walk through a block: from event to event, from tick to tick, from track to track.

use crate::dsp::span::{Bus, Span, TICK};
use crate::instruments::Note;
use crate::mixer::soft_clip;
use crate::plan::Plan;
use crate::plan::device::{Moment, NoteAct};

/// Voices that sound at once in the whole mix.
pub const MOST_VOICES_IN_ALL: usize = 128;

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
    /// An audio clip of the track begins at a time of its own, in place of the one that plays.
    ClipStart {
        clip: u64,
        time: f64,
    },
    ClipStop,
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
    /// The signal of a track behind its fader, span after span without a gap; the first `frames` count.
    fn track(&mut self, id: u32, signal: &Bus, frames: usize);
}

/// Nobody listens.
impl Taps for () {
    fn track(&mut self, _: u32, _: &Bus, _: usize) {}
}

/// Plays plans. In [`process`](Engine::process) it allocates, frees, locks and waits for nothing, and has no path that
/// panics. What it makes depends on the plans, the events and the frames since it was made, not on the blocks' sizes.
pub struct Engine {
    frame: u64,
    clipped: bool,
}

impl Engine {
    pub fn new() -> Engine {
        Engine { frame: 0, clipped: false }
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
        let (mut made, mut next) = (0, 0);
        while made < frames {
            while let Some(event) = block.events.get(next).filter(|event| event.frame as usize <= made) {
                self.act(plan, event, block.tempo_bpm);
                next += 1;
            }
            let to_tick = TICK - (self.frame % TICK as u64) as usize;
            let to_event = block.events.get(next).map_or(frames, |event| (event.frame as usize).min(frames)) - made;
            let span = Span { start: self.frame, frames: to_tick.min(to_event).min(frames - made) };
            let out = self.make(plan, &span, block.tempo_bpm, taps);
            for (place, lane) in [(&mut *left, &out.left), (&mut *right, &out.right)] {
                for (sample, value) in place.iter_mut().skip(made).zip(lane.iter().take(span.frames)) {
                    *sample = *value;
                }
            }
            made += span.frames;
            self.frame += span.frames as u64;
        }
        for event in block.events.iter().skip(next) {
            self.act(plan, event, block.tempo_bpm);
        }
    }

    /// Whether the main output was bent by the safety clip since the last call.
    pub fn take_clipped(&mut self) -> bool {
        std::mem::take(&mut self.clipped)
    }

    /// Frames made since the engine was.
    pub fn frame(&self) -> u64 {
        self.frame
    }

    fn act(&mut self, plan: &mut Plan, event: &Event, tempo_bpm: f64) {
        let Some(track) = plan.place(event.track).and_then(|place| plan.tracks.get(place)) else { return };
        let act = match event.kind {
            EventKind::NoteOn(note) => {
                make_room(plan);
                NoteAct::On(note)
            }
            EventKind::NoteOff { id, pitch } => NoteAct::Off { id, pitch },
            EventKind::EndNotes => NoteAct::EndAll,
            EventKind::FadeNotes => NoteAct::FadeAll,
            EventKind::ClipStart { clip, time } => {
                track.start_clip(clip, time, self.frame, tempo_bpm);
                return;
            }
            EventKind::ClipStop => {
                track.stop_clip();
                return;
            }
        };
        for device in &track.devices {
            device.note(act, self.frame);
        }
    }

    /// Makes a span of every track, and gives the main one's.
    fn make(&mut self, plan: &mut Plan, span: &Span, tempo_bpm: f64, taps: &mut impl Taps) -> Bus {
        let mut out = Bus::SILENT;
        let last = plan.tracks.len().saturating_sub(1);
        for (place, track) in plan.tracks.iter().enumerate() {
            let mut bus = plan.inputs.get_mut(place).map_or(Bus::SILENT, |input| std::mem::replace(input, Bus::SILENT));
            track.render_clips(span, tempo_bpm, &mut bus);
            let moment = Moment { span: *span, tempo_bpm: tempo_bpm as f32, taps: &plan.taps };
            for device in &track.devices {
                device.process(&moment, &mut bus);
            }
            let inputs = &mut plan.inputs;
            track.strip(span, plan.crossfade, &mut bus, |to, signal, gains| {
                if let Some(input) = inputs.get_mut(to) {
                    match gains {
                        Some(gains) => input.add_scaled(signal, gains),
                        None => input.add(signal),
                    }
                }
            });
            if place == last {
                if plan.soft_clip {
                    self.clipped |= soft_clip(span, &mut bus);
                }
                out = bus;
            }
            let (left, right) = bus.peaks(span.frames);
            track.meters.note(left, right, span.frames);
            taps.track(track.id, &bus, span.frames);
            if let Some(tap) = plan.taps.get_mut(place) {
                *tap = bus;
            }
        }
        out
    }
}

impl Default for Engine {
    fn default() -> Engine {
        Engine::new()
    }
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
