//! What is heard of a block beside the main output: tracks, drums of kits, notes.

use super::late_signal::LateSignal;
use super::midi_file::{MidiTrack, NoteEvent};
use super::parts::Part;
use super::tracks::RenderedTrack;
use crate::sound::listener::Listener;
use svc_sound::dsp::span::Bus;
use svc_sound::engine::{self, Taps};
use svc_sound::instruments::Note;
use svc_sound::note_effects::NoteAct;

/// Of a note that a delay shortens nothing less is left: beats.
const SHORTEST_BEATS: f64 = 1.0 / 480.0;

/// A note that was played, as its track's note effects leave it, in frames from the beginning.
struct PlayedNote {
    track: u32,
    id: u64,
    pitch: u8,
    velocity: f32,
    from: u64,
    to: Option<u64>,
}

/// See the [module](self).
pub struct HeardBlock {
    frames: usize,
    notes: Vec<PlayedNote>,
    /// Places of those among `notes` that sound.
    sounding: Vec<usize>,
    tracks: Vec<TrackBlock>,
    parts: Vec<Part>,
}

struct TrackBlock {
    id: u32,
    signal: LateSignal,
    /// How much later than a track without a delay it is heard, in frames.
    delay: i64,
}

impl HeardBlock {
    /// All is late by `latency` frames, a track by `late_by` it.
    pub fn new(
        tracks: &[RenderedTrack],
        parts: Vec<Part>,
        latency: u32,
        mut late_by: impl FnMut(u32) -> u32,
    ) -> HeardBlock {
        let track = |track: &RenderedTrack| {
            let late = late_by(track.serial);
            TrackBlock { id: track.serial, signal: LateSignal::new(late), delay: i64::from(late) - i64::from(latency) }
        };
        let tracks = tracks.iter().map(track).collect();
        HeardBlock { frames: 0, notes: Vec::new(), sounding: Vec::new(), tracks, parts }
    }

    /// Forgets the block before; this one has so many frames.
    pub fn begin(&mut self, frames: usize) {
        self.frames = frames;
        for track in &mut self.tracks {
            track.signal.begin();
        }
    }
}

impl HeardBlock {
    /// A track's signal, by its place.
    pub fn track(&self, at: usize) -> Option<(&[f32], &[f32])> {
        self.tracks.get(at).map(|track| track.signal.heard())
    }

    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The notes that were played so far, where they are heard; none sounds beyond `end` or before the beginning, in
    /// beats from there.
    pub fn played(&self, tracks: &[RenderedTrack], beats_per_frame: f64, end: f64) -> Vec<MidiTrack> {
        let delay = |serial: u32| self.tracks.iter().find(|track| track.id == serial).map_or(0, |track| track.delay);
        let track = |track: &RenderedTrack| {
            let delay = delay(track.serial);
            let heard = |frame: u64| ((frame as f64 + delay as f64) * beats_per_frame).clamp(0.0, end);
            // What note effects give behind the end is none of the stretch.
            let begins = |note: &&PlayedNote| (note.from as f64 + delay as f64) * beats_per_frame < end;
            let notes = self.notes.iter().filter(|note| note.track == track.serial).filter(begins);
            let notes = notes.filter(|_| !track.gives_notes_away);
            let events = notes.flat_map(|note| {
                let (from, to) = (heard(note.from), note.to.map_or(end, heard));
                // What a delay takes out of the stretch, or all but out, is no note of it.
                let is_there = delay == 0 || to - from > SHORTEST_BEATS;
                let velocity = (note.velocity * 127.0).round().clamp(1.0, 127.0) as u8;
                let event = |beats, velocity| NoteEvent { beats, pitch: note.pitch, velocity };
                is_there.then(|| [event(from, Some(velocity)), event(to, None)]).into_iter().flatten()
            });
            MidiTrack { name: track.name.clone(), is_kit: track.is_kit, events: events.collect() }
        };
        tracks.iter().map(track).collect()
    }

    fn end_notes(&mut self, frame: u64, is_meant: impl Fn(&PlayedNote) -> bool) {
        let notes = &mut self.notes;
        self.sounding.retain(|at| match notes.get_mut(*at) {
            Some(note) if is_meant(note) => {
                note.to = Some(frame);
                false
            }
            _ => true,
        });
    }
}

impl Taps for HeardBlock {
    fn track(&mut self, id: u32, signal: &Bus, frames: usize) {
        if let Some(track) = self.tracks.iter_mut().find(|track| track.id == id) {
            track
                .signal
                .push(signal.left.get(..frames).unwrap_or_default(), signal.right.get(..frames).unwrap_or_default());
        }
    }

    fn note(&mut self, track: u32, frame: u64, act: NoteAct) {
        match act {
            NoteAct::On(Note { id, pitch, velocity }) => {
                self.sounding.push(self.notes.len());
                self.notes.push(PlayedNote { track, id, pitch, velocity, from: frame, to: None });
            }
            NoteAct::Off { id, pitch } => {
                self.end_notes(frame, |note| (note.track, note.id, note.pitch) == (track, id, pitch));
            }
            NoteAct::EndAll | NoteAct::FadeAll => self.end_notes(frame, |note| note.track == track),
        }
    }
}

impl Listener for HeardBlock {
    fn block(&mut self, block: &engine::Block) {
        self.parts.iter_mut().for_each(|part| part.play(block, self.frames));
    }
}
