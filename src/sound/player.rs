//! The audio thread's side: playback's notes and clips, played by the engine.
//!
//! [`Player::process`] makes a block's MIDI and collects what the tracks do; [`Player::render`] makes the block's
//! sound of it. Neither locks, allocates, frees or waits, and old plans go back to who made them.

use super::click::Click;
use super::collected_events::CollectedEvents;
use super::control::SoundControl;
use super::envelopes::walker::{EnvelopeWalker, MOST_MOVES};
use super::keyboard::{Key, Keyboard, MOST_KEY_EVENTS};
use super::listener::Listener;
use super::publisher::{PlanPublisher, PlayablePlan};
use crate::playback::{Block, ClipCourse, Engine, Event, NoteSink, SongCourse, TrackClip, TrackNote, TrackNoteKind};
use crate::set::runtime::keyboard_tracks::KeyboardTracks;
use crate::set::runtime::launch_orders::ClockCell;
use crate::set::runtime::levels::Levels;
use std::sync::Arc;
use svc_sound::dsp::ramp::Ramp;
use svc_sound::mixer::Bent;
use triple_buffer::{Output, TripleBuffer};

/// Notes that wait for a plan that has their track; more are not heard.
const MOST_WAITING: usize = 256;
/// The sound as a whole comes and goes within this time.
const SWITCH_SECONDS: f32 = 0.01;

/// What playing needs of the Set.
pub struct PlayerParts {
    pub engine: Engine,
    pub clock: Arc<ClockCell>,
    pub keyboard_tracks: Arc<KeyboardTracks>,
    pub levels: Arc<Levels>,
    pub control: Arc<SoundControl>,
}

/// Both ends: who makes plans, and who plays them.
pub fn channel(parts: PlayerParts) -> (PlanPublisher, Player) {
    let (input, plans) = TripleBuffer::<Option<PlayablePlan>>::default().split();
    let PlayerParts { engine, clock, keyboard_tracks, levels, control } = parts;
    let publisher = PlanPublisher::new(input, control.clone(), levels);
    let engine_of_sound = svc_sound::engine::Engine::new();
    control.tell_loudness_by(&engine_of_sound.loudness());
    let sound = Sound {
        plans,
        engine: engine_of_sound,
        events: CollectedEvents::new(MOST_KEY_EVENTS + MOST_MOVES),
        envelopes: EnvelopeWalker::default(),
        waiting: Vec::with_capacity(MOST_WAITING),
        keyboard: Keyboard::new(keyboard_tracks),
        click: Click::new(),
        gain: Ramp::new(0.0, SWITCH_SECONDS, 48_000.0),
        gain_rate: 0.0,
        control,
        clock,
    };
    let player = Player { notes: engine, midi: MidiSwitch::default(), sound, is_carried: false, is_to_release: false };
    (publisher, player)
}

/// Plays the Set: as MIDI, and as sound where a plan is there.
pub struct Player {
    notes: Engine,
    midi: MidiSwitch,
    sound: Sound,
    /// What was collected is part of the next block.
    is_carried: bool,
    /// The next block begins with all keys up.
    is_to_release: bool,
}

impl Player {
    /// Makes a block's MIDI, as [`Engine::process`] does, and takes over the newest plan.
    pub fn process(&mut self, block: &Block, midi: &mut impl FnMut(Event) -> bool) {
        let Sound { plans, events, envelopes, waiting, click, control, .. } = &mut self.sound;
        plans.update();
        if !std::mem::take(&mut self.is_carried) {
            events.clear();
            envelopes.begin_block();
        }
        click.begin_block();
        let playable = plans.output_buffer_mut().as_ref().filter(|plan| plan.is_for(block));
        match playable.map(|of| &of.plan) {
            Some(plan) => waiting.retain(|note| {
                let waits = !plan.has_track(note.track);
                if !waits {
                    events.note(*note);
                }
                waits
            }),
            None => waiting.clear(),
        }
        self.midi.is_on = control.midi_is_on();
        let switch = &mut self.midi;
        let mut sink = BlockSink { midi, switch, playable, events, envelopes, waiting, click };
        self.notes.process(block, &mut sink);
        self.sound.envelopes.end_block(block.frames);
        self.sound.keyboard.begin_block();
        if std::mem::take(&mut self.is_to_release) {
            self.sound.keyboard.release_all();
        }
    }

    /// Takes a key of a keyboard, in time order; after [`process`](Self::process), before [`render`](Self::render).
    pub fn key(&mut self, key: Key) {
        self.sound.keyboard.key(key);
    }

    /// Makes the sound of the block that was processed, in place of what is in `left` and `right`; both have its
    /// length. Gives whether there is any: without, both are silent.
    pub fn render(&mut self, block: &Block, left: &mut [f32], right: &mut [f32]) -> bool {
        self.render_to(block, left, right, &mut ())
    }

    /// As [`render`](Self::render), with somebody who hears more of it.
    pub fn render_to(
        &mut self,
        block: &Block,
        left: &mut [f32],
        right: &mut [f32],
        listener: &mut impl Listener,
    ) -> bool {
        self.sound.render(block, left, right, listener)
    }

    /// The sound is there from the next block's first frame on, without the fade that hides a switch: for who makes a
    /// file.
    pub fn open_at(&mut self, rate: f32) {
        (self.sound.gain, self.sound.gain_rate) = (Ramp::new(1.0, SWITCH_SECONDS, rate), rate);
    }

    /// From the next block on, what envelopes moved stays where they left it: for the tail of a rendering, which nobody
    /// stopped.
    pub fn hold_what_moved(&mut self) {
        self.sound.envelopes.hold_all();
    }

    /// What the main track's safety clip bent since the last call.
    pub fn take_bent(&mut self) -> Bent {
        self.sound.engine.take_bent()
    }

    /// By how many frames all that is heard is late, sound and MIDI: as much as the earliest track is early.
    pub fn latency(&mut self, sample_rate: f64) -> u32 {
        self.sound.plans.update();
        let plan = self.sound.plans.output_buffer_mut().as_ref().filter(|of| of.rate == sample_rate as f32);
        let of_sound = plan.map_or(0, |of| of.plan.latency());
        self.notes.latency(sample_rate).max(of_sound)
    }

    /// By how many frames a track is late, its delay and all.
    pub fn late_by(&mut self, track: u32) -> u32 {
        let plan = self.sound.plans.output_buffer_mut().as_ref();
        plan.map_or(0, |of| of.plan.late_by(track))
    }

    /// The host stops calling [`process`](Self::process) for a while.
    pub fn suspend(&mut self) {
        self.notes.suspend();
        // Who played them may not tell of their end.
        self.is_to_release = true;
        self.sound.control.set_running(false);
    }

    /// The offs of everything that sounds, as [`Engine::silence`].
    pub fn silence(&mut self, midi: &mut impl FnMut(Event) -> bool) {
        let Sound { events, envelopes, waiting, click, .. } = &mut self.sound;
        envelopes.release_all();
        let switch = &mut self.midi;
        let mut sink = BlockSink { midi, switch, playable: None, events, envelopes, waiting, click };
        self.notes.silence(&mut sink);
        (self.is_carried, self.is_to_release) = (true, true);
        self.sound.control.set_running(false);
    }

    /// What the threads around the sound share.
    pub fn control(&self) -> &Arc<SoundControl> {
        &self.sound.control
    }
}

struct Sound {
    plans: Output<Option<PlayablePlan>>,
    engine: svc_sound::engine::Engine,
    events: CollectedEvents,
    envelopes: EnvelopeWalker,
    /// Notes that started on a track that the plan has not yet: heard late rather than never.
    waiting: Vec<TrackNote>,
    keyboard: Keyboard,
    click: Click,
    /// Of all that is heard: 1 on, 0 off.
    gain: Ramp,
    gain_rate: f32,
    control: Arc<SoundControl>,
    clock: Arc<ClockCell>,
}

impl PlayablePlan {
    fn is_for(&self, block: &Block) -> bool {
        self.rate == block.sample_rate as f32
    }
}

impl Sound {
    fn render(&mut self, block: &Block, left: &mut [f32], right: &mut [f32], listener: &mut impl Listener) -> bool {
        let rate = block.sample_rate as f32;
        if self.gain_rate != rate {
            (self.gain, self.gain_rate) = (Ramp::new(0.0, SWITCH_SECONDS, rate), rate);
            self.control.note_rate(rate);
        }
        let playable = self.plans.output_buffer_mut().as_mut().filter(|plan| plan.is_for(block));
        let ends = self.control.ends();
        let is_on = self.control.is_on() && playable.as_ref().is_some_and(|plan| plan.ends == ends);
        self.gain.go(if is_on { 1.0 } else { 0.0 });
        let playable = playable.filter(|_| self.gain.value() > 0.0 || self.gain.is_moving());
        self.control.set_running(playable.is_some());
        let Some(PlayablePlan { plan, outputs, cue_gain, .. }) = playable else {
            self.gain.jump(0.0);
            left.fill(0.0);
            right.fill(0.0);
            return false;
        };
        let events = self.events.with(self.envelopes.events(), self.keyboard.events());
        let sounding = svc_sound::engine::Block { tempo_bpm: self.clock.read().tempo_bpm.max(0.1), events };
        listener.outputs(outputs);
        listener.block(&sounding);
        self.engine.process(plan, &sounding, (left, right), listener);
        self.click.render(rate, *cue_gain, left, right);
        if self.gain.is_moving() {
            for (frame, (left, right)) in left.iter_mut().zip(right).enumerate() {
                let gain = self.gain.next_value();
                *left *= gain;
                *right *= gain;
                listener.fade(frame, gain);
            }
        }
        true
    }
}

/// Where a block's events go.
struct BlockSink<'a, F> {
    midi: &'a mut F,
    switch: &'a mut MidiSwitch,
    playable: Option<&'a PlayablePlan>,
    events: &'a mut CollectedEvents,
    envelopes: &'a mut EnvelopeWalker,
    waiting: &'a mut Vec<TrackNote>,
    click: &'a mut Click,
}

impl<F: FnMut(Event) -> bool> NoteSink for BlockSink<'_, F> {
    const HEARS_TRACKS: bool = true;

    fn midi(&mut self, event: Event) -> bool {
        self.switch.send(event, self.midi)
    }

    fn latency(&self) -> u32 {
        self.playable.map_or(0, |of| of.plan.latency())
    }

    fn track_note(&mut self, note: TrackNote) {
        let BlockSink { playable, events, waiting, .. } = self;
        match note.kind {
            TrackNoteKind::Start { .. } if playable.is_some_and(|of| !of.plan.has_track(note.track)) => {
                if waiting.len() < MOST_WAITING {
                    waiting.push(TrackNote { sample: 0, ..note });
                }
            }
            TrackNoteKind::Start { .. } => events.note(note),
            TrackNoteKind::End { .. } => {
                waiting.retain(|waiting| (waiting.number, waiting.track) != (note.number, note.track));
                events.note(note);
            }
        }
    }

    fn knows_clip(&self, track: u32, clip: u32) -> bool {
        self.playable.is_some_and(|of| of.plan.has_clip(track, clip.into()))
    }

    fn track_clip(&mut self, clip: TrackClip) {
        self.events.clip(clip);
    }

    fn follows(&self, track: u32) -> bool {
        self.playable.is_some_and(|of| of.envelopes.has_track(track))
    }

    fn clip_course(&mut self, course: ClipCourse) {
        if let Some(playable) = self.playable {
            self.envelopes.course(&playable.envelopes, &course);
        }
    }

    fn song_course(&mut self, course: SongCourse) {
        if let Some(playable) = self.playable {
            self.envelopes.song_course(&playable.envelopes, &course);
        }
    }

    fn position(&mut self, sample: u32, beats: f64, plays: bool) {
        self.events.position(sample, beats, plays);
    }

    fn metronome(&mut self, sample: u32, is_bar: bool) {
        self.click.beat(sample.saturating_add(self.latency()), is_bar);
    }
}

/// Keeps MIDI back where it is switched off, but for the ends of what was sent before.
#[derive(Default)]
struct MidiSwitch {
    is_on: bool,
    /// A bit for each pitch whose on was sent, by channel.
    sent: [u128; 16],
}

impl MidiSwitch {
    fn send(&mut self, event: Event, midi: &mut impl FnMut(Event) -> bool) -> bool {
        let (Event::NoteOn { channel, pitch, .. } | Event::NoteOff { channel, pitch, .. }) = event;
        let Some(sent) = self.sent.get_mut(usize::from(channel & 15)) else { return true };
        let bit = 1u128 << (pitch & 127);
        let is_start = matches!(event, Event::NoteOn { .. });
        let is_kept = if is_start { !self.is_on } else { *sent & bit == 0 };
        if is_kept {
            return true;
        }
        let is_taken = midi(event);
        if is_taken {
            *sent = if is_start { *sent | bit } else { *sent & !bit };
        }
        is_taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switched_off_midi_ends_what_it_began() {
        let on = |pitch| Event::NoteOn { sample: 0, channel: 3, pitch, velocity: 1.0 };
        let off = |pitch| Event::NoteOff { sample: 0, channel: 3, pitch, velocity: 0.0 };
        let mut switch = MidiSwitch { is_on: true, ..MidiSwitch::default() };
        let mut sent = Vec::new();
        let mut send = |switch: &mut MidiSwitch, event, taken| {
            switch.send(event, &mut |event| {
                sent.push((event, taken));
                taken
            })
        };
        assert!(send(&mut switch, on(60), true));
        switch.is_on = false;
        assert!(send(&mut switch, on(61), true), "kept back, not refused");
        assert!(send(&mut switch, off(61), true));
        assert!(!send(&mut switch, off(60), false), "refused, so it comes again");
        assert!(send(&mut switch, off(60), true));
        assert!(send(&mut switch, off(60), true), "nothing is left to end");
        assert_eq!(sent, [(on(60), true), (off(60), false), (off(60), true)]);
    }
}
