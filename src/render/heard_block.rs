//! What is heard of a block beside the main output: tracks, drums of kits, notes.

use super::midi_file::{MidiTrack, NoteEvent};
use super::parts::Part;
use super::tracks::RenderedTrack;
use crate::sound::listener::Listener;
use svc_sound::dsp::span::Bus;
use svc_sound::engine::{self, EventKind, Taps};

/// A note that was played, in frames from the beginning.
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
    /// Frames before this block.
    made: u64,
    notes: Vec<PlayedNote>,
    /// Places of those among `notes` that sound.
    sounding: Vec<usize>,
    tracks: Vec<TrackBlock>,
    parts: Vec<Part>,
}

struct TrackBlock {
    id: u32,
    left: Vec<f32>,
    right: Vec<f32>,
}

impl HeardBlock {
    pub fn new(tracks: &[RenderedTrack], parts: Vec<Part>) -> HeardBlock {
        let track = |track: &RenderedTrack| TrackBlock { id: track.serial, left: Vec::new(), right: Vec::new() };
        let tracks = tracks.iter().map(track).collect();
        HeardBlock { frames: 0, made: 0, notes: Vec::new(), sounding: Vec::new(), tracks, parts }
    }

    /// Forgets the block before; this one has so many frames.
    pub fn begin(&mut self, frames: usize) {
        self.made += self.frames as u64;
        self.frames = frames;
        for track in &mut self.tracks {
            track.left.clear();
            track.right.clear();
        }
    }
}

impl HeardBlock {
    /// A track's signal, by its place.
    pub fn track(&self, at: usize) -> Option<(&[f32], &[f32])> {
        self.tracks.get(at).map(|track| (track.left.as_slice(), track.right.as_slice()))
    }

    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The notes that were played so far; none sounds beyond `end`, in beats from the beginning.
    pub fn played(&self, tracks: &[RenderedTrack], beats_per_frame: f64, end: f64) -> Vec<MidiTrack> {
        let event = |note: &PlayedNote, frame: u64, velocity| NoteEvent {
            beats: (frame as f64 * beats_per_frame).min(end),
            pitch: note.pitch,
            velocity,
        };
        let track = |track: &RenderedTrack| {
            let notes = self.notes.iter().filter(|note| note.track == track.serial);
            let events = notes.flat_map(|note| {
                let velocity = (note.velocity * 127.0).round().clamp(1.0, 127.0) as u8;
                [event(note, note.from, Some(velocity)), event(note, note.to.unwrap_or(u64::MAX), None)]
            });
            MidiTrack { name: track.name.clone(), is_kit: track.is_kit, events: events.collect() }
        };
        tracks.iter().map(track).collect()
    }

    fn note(&mut self, event: &engine::Event) {
        let frame = self.made + u64::from(event.frame);
        match event.kind {
            EventKind::NoteOn(note) => {
                let (track, id) = (event.track, note.id);
                self.sounding.push(self.notes.len());
                let velocity = note.velocity;
                self.notes.push(PlayedNote { track, id, pitch: note.pitch, velocity, from: frame, to: None });
            }
            EventKind::NoteOff { id, .. } => {
                let notes = &mut self.notes;
                self.sounding.retain(|at| match notes.get_mut(*at) {
                    Some(note) if (note.track, note.id) == (event.track, id) => {
                        note.to = Some(frame);
                        false
                    }
                    _ => true,
                });
            }
            _ => {}
        }
    }
}

impl Taps for HeardBlock {
    fn track(&mut self, id: u32, signal: &Bus, frames: usize) {
        if let Some(track) = self.tracks.iter_mut().find(|track| track.id == id) {
            track.left.extend(signal.left.iter().take(frames));
            track.right.extend(signal.right.iter().take(frames));
        }
    }
}

impl Listener for HeardBlock {
    fn block(&mut self, block: &engine::Block) {
        block.events.iter().for_each(|event| self.note(event));
        self.parts.iter_mut().for_each(|part| part.play(block, self.frames));
    }
}
