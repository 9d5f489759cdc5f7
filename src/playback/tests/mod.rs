//! The room seen from outside: blocks in, events out, and the cells. [`Rig`] is the host.

mod arrangement;
mod arrangement_model;
mod audio_clips;
mod clip_courses;
mod clips;
mod delays;
mod edits;
mod launching;
mod laws;
mod metronome;
mod song_loop;
mod track_notes;
mod transport;

use super::*;
use crate::music::{Beats, Note};
use crate::set::document::ids::Serial;
use crate::set::document::sequence::Sequence;
use crate::set::document::session_clips::SessionClips;
use crate::set::document::{
    Clip, Content, Document, Notes, SessionClip, Signature, Song, StoredNote, Track, TrackKind,
};
use std::sync::Arc;

/// At 120 BPM a beat is this many frames.
const BEAT: u64 = 24_000;
const SAMPLE_RATE: f64 = 48_000.0;
const BAR: LaunchQuantum = LaunchQuantum::Bars(1);

fn note(pitch: u8, start: Beats, duration: Beats) -> Note {
    Note::new(pitch, start, duration)
}

fn notes(list: impl IntoIterator<Item = Note>) -> Content {
    let mut list: Vec<StoredNote> = list.into_iter().zip(1..).map(|(note, id)| StoredNote { id, note }).collect();
    list.sort_by(|a, b| (a.note.start, a.note.pitch).partial_cmp(&(b.note.start, b.note.pitch)).unwrap());
    let next_id = list.len() as u32 + 1;
    Content::Midi(Arc::new(Notes { list, next_id }))
}

/// A looping clip of `length` beats; serials 100 and up are clips.
fn clip(serial: Serial, length: Beats, list: impl IntoIterator<Item = Note>) -> Clip {
    let four_four = Signature { numerator: 4, denominator: 4 };
    Clip { content: notes(list), ..Clip::midi(serial, length, 0, four_four) }
}

/// Changes the clip of a track's first slot; without one nothing.
fn edit_first_clip(track: &mut Track, change: impl FnOnce(&mut Clip)) {
    if let Some(scene) = track.session.iter().next().map(|slot| slot.scene) {
        track.session.edit(scene, change);
    }
}

/// A MIDI track on channel `serial - 10`; serials 10 to 25 are MIDI tracks.
fn track(serial: Serial, clips: impl IntoIterator<Item = Clip>) -> Track {
    Track {
        midi_channel: u8::try_from(serial.wrapping_sub(10)).ok().filter(|channel| *channel < 16),
        session: clips
            .into_iter()
            .zip(1000..)
            .map(|(clip, scene)| SessionClip { scene, clip: Arc::new(clip) })
            .collect(),
        ..Track::new(serial, TrackKind::Midi, 0, 0)
    }
}

fn document(tracks: impl IntoIterator<Item = Track>) -> Document {
    let mut document = Document {
        index: Default::default(),
        song: Arc::new(Song { loop_start: 0.0, loop_length: 4.0, ..Song::default() }),
        tracks: tracks.into_iter().map(Arc::new).collect(),
        returns: Sequence::new(),
        main: Arc::new(Track { kind: TrackKind::Main, ..track(5, []) }),
        scenes: Sequence::new(),
        cue_points: Arc::default(),
        grooves: Arc::default(),
        next_serial: 5000,
    };
    document.rebuild_index();
    document
}

/// The engine goes to the audio thread, the publisher to whichever holds the Set.
const _: fn() = || {
    fn goes_to_another_thread<T: Send>() {}
    goes_to_another_thread::<Engine>();
    goes_to_another_thread::<Publisher>();
};

/// An event at an absolute frame: on or off, channel, pitch.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Heard {
    at: u64,
    on: bool,
    channel: u8,
    pitch: u8,
    velocity: f32,
}

/// A note of a track at an absolute frame; numbers tell notes apart.
#[derive(Clone, Copy, Debug, PartialEq)]
struct TrackHeard {
    at: u64,
    on: bool,
    track: Serial,
    pitch: u8,
    number: u32,
    velocity: f32,
}

/// On at `at`.
fn on(at: u64, channel: u8, pitch: u8) -> (u64, bool, u8, u8) {
    (at, true, channel, pitch)
}

/// Off at `at`.
fn off(at: u64, channel: u8, pitch: u8) -> (u64, bool, u8, u8) {
    (at, false, channel, pitch)
}

/// Takes what a block gives, and checks the rules.
struct Checked<'r> {
    rig: &'r mut Rig,
    frames: u32,
    last: (u32, bool),
    last_of_tracks: (u32, bool),
    last_of_clips: u32,
    taken: usize,
}

impl NoteSink for Checked<'_> {
    const HEARS_TRACKS: bool = true;

    fn midi(&mut self, event: Event) -> bool {
        self.taken += 1;
        if self.taken > self.rig.room {
            return false;
        }
        let (sample, on, channel, pitch, velocity) = match event {
            Event::NoteOn { sample, channel, pitch, velocity } => (sample, true, channel, pitch, velocity),
            Event::NoteOff { sample, channel, pitch, velocity } => (sample, false, channel, pitch, velocity),
        };
        assert!(sample < self.frames, "{event:?} in {} frames", self.frames);
        assert!((sample, on) >= self.last, "{event:?} after {:?}", self.last);
        assert!(channel < 16 && pitch < 128 && (0.0..=1.0).contains(&velocity), "{event:?}");
        self.last = (sample, on);
        let held = &mut self.rig.held;
        match held.iter().position(|&key| key == (channel, pitch)) {
            None if on => held.push((channel, pitch)),
            Some(index) if !on => drop(held.swap_remove(index)),
            held => panic!("{event:?} while {held:?} of it is held"),
        }
        self.rig.heard.push(Heard { at: self.rig.now + u64::from(sample), on, channel, pitch, velocity });
        true
    }

    fn track_note(&mut self, note: TrackNote) {
        let TrackNote { sample, track, number, pitch, kind } = note;
        let (on, velocity) = match kind {
            TrackNoteKind::Start { velocity } => (true, velocity),
            TrackNoteKind::End { velocity } => (false, velocity),
        };
        assert!(sample < self.frames, "{note:?} in {} frames", self.frames);
        assert!((sample, on) >= self.last_of_tracks, "{note:?} after {:?}", self.last_of_tracks);
        assert!(pitch < 128 && (0.0..=1.0).contains(&velocity), "{note:?}");
        self.last_of_tracks = (sample, on);
        let held = &mut self.rig.track_held;
        match held.iter().position(|&(_, _, held)| held == number) {
            None if on => held.push((track, pitch, number)),
            Some(index) if !on => assert_eq!(held.swap_remove(index), (track, pitch, number)),
            held => panic!("{note:?} while {held:?} of it sounds"),
        }
        self.rig.track_heard.push(TrackHeard {
            at: self.rig.now + u64::from(sample),
            on,
            track,
            pitch,
            number,
            velocity,
        });
    }

    fn knows_clip(&self, _: Serial, clip: Serial) -> bool {
        !self.rig.unknown_clips.contains(&clip)
    }

    fn track_clip(&mut self, TrackClip { sample, track, kind }: TrackClip) {
        assert!(sample < self.frames && sample >= self.last_of_clips, "{kind:?} at {sample}");
        self.last_of_clips = sample;
        self.rig.clips_heard.push((self.rig.now + u64::from(sample), track, kind));
    }

    fn follows(&self, _: Serial) -> bool {
        self.rig.follows
    }

    fn clip_course(&mut self, course: ClipCourse) {
        assert!(course.frames > 0 && course.sample + course.frames <= self.frames, "{course:?} in {}", self.frames);
        self.rig.courses.push((self.rig.now + u64::from(course.sample), course));
    }

    fn song_course(&mut self, course: SongCourse) {
        assert!(course.sample + course.frames <= self.frames, "{course:?}");
        self.rig.songs.push((self.rig.now + u64::from(course.sample), course));
    }

    fn position(&mut self, sample: u32, beats: f64, plays: bool) {
        assert!(sample < self.frames && sample >= self.last_of_clips && beats.is_finite());
        self.rig.positions.push((self.rig.now + u64::from(sample), beats, plays));
    }

    fn metronome(&mut self, sample: u32, is_bar: bool) {
        assert!(sample < self.frames);
        self.rig.beats_heard.push((self.rig.now + u64::from(sample), is_bar));
    }
}

/// A host with an engine: gives it blocks, checks that every event keeps the rules of the room, and remembers it.
struct Rig {
    publisher: Publisher,
    engine: Option<Engine>,
    snapshot: Snapshot,
    block_frames: u32,
    /// The host's clock; `None` leaves the engine its own.
    host: Option<HostTransport>,
    /// Frames made so far.
    now: u64,
    heard: Vec<Heard>,
    held: Vec<(u8, u8)>,
    track_heard: Vec<TrackHeard>,
    /// Track, pitch and number of those that sound.
    track_held: Vec<(Serial, u8, u32)>,
    /// What tracks were told of audio clips, at absolute frames.
    clips_heard: Vec<(u64, Serial, TrackClipKind)>,
    unknown_clips: Vec<Serial>,
    /// Whether it is told where clips are, and what it was told, at absolute frames.
    follows: bool,
    courses: Vec<(u64, ClipCourse)>,
    songs: Vec<(u64, SongCourse)>,
    /// Where the song was said to be, at absolute frames.
    positions: Vec<(u64, f64, bool)>,
    /// Beats of the metronome, at absolute frames.
    beats_heard: Vec<(u64, bool)>,
    /// How many events the host takes in a block.
    room: usize,
}

impl Rig {
    fn new(document: Document) -> Rig {
        let (publisher, engine) = channel();
        let launches = document
            .tracks
            .iter()
            .map(|track| {
                TrackLaunch::new(
                    track.serial,
                    LaunchOrder { number: 0, action: LaunchAction::Stop, quantum: LaunchQuantum::None },
                )
            })
            .collect();
        let transport = TransportOrder { number: 0, action: TransportAction::Stop };
        let snapshot = Snapshot { document, launches, transport, own_clock: false };
        let mut rig = Rig {
            publisher,
            engine: Some(engine),
            snapshot,
            block_frames: 512,
            host: None,
            now: 0,
            heard: Vec::new(),
            held: Vec::new(),
            track_heard: Vec::new(),
            track_held: Vec::new(),
            clips_heard: Vec::new(),
            unknown_clips: Vec::new(),
            follows: false,
            courses: Vec::new(),
            songs: Vec::new(),
            positions: Vec::new(),
            beats_heard: Vec::new(),
            room: usize::MAX,
        };
        rig.publish();
        rig
    }

    /// A rig in a host that plays from `position` at 120 BPM.
    fn hosted(document: Document, position: Beats) -> Rig {
        let mut rig = Rig::new(document);
        rig.host = Some(HostTransport {
            playing: true,
            tempo_bpm: Some(120.0),
            position_beats: Some(position),
            meter: Some((4, 4)),
            bar_start_beats: None,
        });
        rig
    }

    fn publish(&mut self) {
        self.publisher.publish(self.snapshot.clone());
    }

    fn host(&mut self) -> &mut HostTransport {
        self.host.as_mut().unwrap()
    }

    fn edit(&mut self, change: impl FnOnce(&mut Document)) {
        change(&mut self.snapshot.document);
        self.publish();
    }

    fn edit_track(&mut self, index: usize, change: impl FnOnce(&mut Track)) {
        let track = self.snapshot.document.tracks[index].serial;
        self.edit(|document| document.tracks.edit(track, change).unwrap());
    }

    fn edit_clip(&mut self, index: usize, change: impl FnOnce(&mut Clip)) {
        self.edit_track(index, |track| edit_first_clip(track, change));
    }

    fn order(&mut self, track: Serial, action: LaunchAction, quantum: LaunchQuantum) -> u64 {
        let number = self.snapshot.launches.iter().map(|launch| launch.order.number).max().unwrap_or(0) + 1;
        let launch = self.snapshot.launches.iter_mut().find(|launch| launch.track == track).unwrap();
        launch.order = LaunchOrder { number, action, quantum };
        self.publish();
        number
    }

    fn play(&mut self, track: Serial, clip: Serial, quantum: LaunchQuantum) -> u64 {
        self.order(track, LaunchAction::Play { clip, legato: false }, quantum)
    }

    fn stop(&mut self, track: Serial, quantum: LaunchQuantum) -> u64 {
        self.order(track, LaunchAction::Stop, quantum)
    }

    fn transport(&mut self, action: TransportAction) {
        self.snapshot.transport = TransportOrder { number: self.snapshot.transport.number + 1, action };
        self.publish();
    }

    fn state(&self, track: Serial) -> TrackState {
        self.snapshot.launches.iter().find(|launch| launch.track == track).unwrap().cell.read()
    }

    fn clock(&self) -> ClockState {
        self.publisher.clock().read()
    }

    /// One block.
    fn block(&mut self, frames: u32) {
        let block = Block { sample_rate: SAMPLE_RATE, frames, host: self.host };
        let mut checked =
            Checked { rig: self, frames, last: (0, false), last_of_tracks: (0, false), last_of_clips: 0, taken: 0 };
        // The engine is out for the block, as the sink holds the rest.
        let mut engine = checked.rig.engine.take().unwrap();
        engine.process(&block, &mut checked);
        self.engine = Some(engine);
        self.now += u64::from(frames);
        if let Some(host) = &mut self.host
            && host.playing
            && let (Some(position), Some(tempo)) = (&mut host.position_beats, host.tempo_bpm)
        {
            *position += f64::from(frames) * tempo / 60.0 / SAMPLE_RATE;
        }
    }

    /// Blocks up to absolute frame `end`.
    fn run_to(&mut self, end: u64) {
        while self.now < end {
            let frames = u64::from(self.block_frames).min(end - self.now) as u32;
            self.block(frames);
        }
    }

    /// What was heard since the last call, without velocities.
    fn take(&mut self) -> Vec<(u64, bool, u8, u8)> {
        self.heard.drain(..).map(|h| (h.at, h.on, h.channel, h.pitch)).collect()
    }

    /// Absolute frames of the ons since the last call.
    fn take_ons(&mut self) -> Vec<u64> {
        self.take().into_iter().filter(|event| event.1).map(|event| event.0).collect()
    }
}
