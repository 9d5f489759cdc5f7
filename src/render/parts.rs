//! The drums of a kit, each heard by itself: its track played once more with the notes of that drum alone. What is
//! heard of the mix knows nothing of it.

use super::late_signal::LateSignal;
use super::stretch::Stretch;
use crate::object_model::default_sound::drum_name;
use crate::set::Document;
use crate::set::document::Track;
use std::collections::BTreeMap;
use svc_sound::dsp::span::Bus;
use svc_sound::engine::{Block, Engine, Event, EventKind, Taps};
use svc_sound::plan::settings::{Device, MixSettings, TrackSettings};
use svc_sound::plan::{Plan, StateStore};

/// Drums of one track that are told apart, those with the most notes.
const MOST_OF_A_TRACK: usize = 10;

/// One drum.
pub struct Part {
    /// The track's place among those that are rendered.
    pub of: usize,
    pub name: String,
    track: u32,
    pub pitches: Vec<u8>,
    engine: Engine,
    plan: Plan,
    events: Vec<Event>,
    main: (Vec<f32>, Vec<f32>),
    heard: Heard,
}

/// What is tapped of the track.
struct Heard {
    track: u32,
    signal: LateSignal,
}

impl Taps for Heard {
    fn track(&mut self, id: u32, signal: &Bus, frames: usize) {
        if id == self.track {
            self.signal
                .push(signal.left.get(..frames).unwrap_or_default(), signal.right.get(..frames).unwrap_or_default());
        }
    }
}

impl Part {
    /// Plays a block of the mix's events, as far as they are its own.
    pub fn play(&mut self, block: &Block, frames: usize) {
        self.events.clear();
        let (track, pitches) = (self.track, &self.pitches);
        self.events.extend(block.events.iter().filter(|event| match event.kind {
            EventKind::NoteOn(note) => event.track == track && pitches.contains(&note.pitch),
            EventKind::NoteOff { pitch, .. } => event.track == track && pitches.contains(&pitch),
            EventKind::Position { .. } => true,
            _ => event.track == track,
        }));
        for channel in [&mut self.main.0, &mut self.main.1] {
            channel.clear();
            channel.resize(frames, 0.0);
        }
        self.heard.signal.begin();
        let block = Block { tempo_bpm: block.tempo_bpm, events: &self.events };
        self.engine.process(&mut self.plan, &block, (&mut self.main.0, &mut self.main.1), &mut self.heard);
    }

    /// It is heard so many frames late, as its track is.
    pub fn be_late(&mut self, late_by: impl FnOnce(u32) -> u32) {
        self.heard.signal = LateSignal::new(late_by(self.track));
    }

    /// Its signal in the block that was played last, behind the track's fader.
    pub fn signal(&self) -> (&[f32], &[f32]) {
        self.heard.signal.heard()
    }
}

/// The drums of every kit that plays several in a stretch. `tracks` are those that are rendered, in order.
pub fn parts_of(document: &Document, mix: &MixSettings, stretch: &Stretch, tracks: &[u32], rate_hz: u32) -> Vec<Part> {
    let mut parts = Vec::new();
    for (of, serial) in tracks.iter().enumerate() {
        let settings = mix.tracks.iter().find(|track| track.id == *serial);
        let (Some(track), Some(settings)) = (document.tracks.find(*serial), settings) else { continue };
        let drums = drums_of(track, stretch);
        if drums.len() < 2 {
            continue;
        }
        for (name, pitches) in drums {
            let plan = Plan::new(alone(settings, &pitches, mix), &mut StateStore::new(rate_hz as f32));
            parts.push(Part {
                of,
                name,
                track: *serial,
                pitches,
                engine: Engine::new(),
                plan,
                events: Vec::new(),
                main: Default::default(),
                heard: Heard { track: *serial, signal: LateSignal::default() },
            });
        }
    }
    parts
}

/// A mix of that track alone.
fn alone(track: &TrackSettings, pitches: &[u8], mix: &MixSettings) -> MixSettings {
    let mut track = TrackSettings { sends: Vec::new(), note_ways: Vec::new(), ..track.clone() };
    let is_first = |device: Option<&Device>| !matches!(device, Some(Device::NoteEffect(_)));
    // Chains that get none of its notes, where nothing before the rack changes them.
    if is_first(track.devices.first().map(|device| &device.device))
        && let Some(Device::Rack(chains)) = track.devices.first_mut().map(|device| &mut device.device)
    {
        chains.retain(|chain| chain.is_return || pitches.iter().any(|pitch| takes(chain.keys, *pitch)));
    }
    let main = TrackSettings::new(mix.main.id);
    MixSettings { tracks: vec![track], main, crossfade: mix.crossfade, soft_clip: false }
}

fn takes((lowest, highest): (u8, u8), pitch: u8) -> bool {
    (lowest..=highest).contains(&pitch)
}

/// The drums that a track plays in a stretch, by name with their keys, the lowest first; none of what is no kit.
fn drums_of(track: &Track, stretch: &Stretch) -> Vec<(String, Vec<u8>)> {
    let Some(names) = key_names(track) else { return Vec::new() };
    let mut drums = BTreeMap::<String, (Vec<u8>, usize)>::new();
    for clip in stretch.clips(track) {
        let notes = clip.notes().map(|notes| notes.list.as_slice()).unwrap_or_default();
        for note in notes.iter().map(|stored| &stored.note).filter(|note| !note.mute) {
            let Some(name) = names(note.pitch) else { continue };
            let (pitches, count) = drums.entry(name).or_default();
            *count += 1;
            if !pitches.contains(&note.pitch) {
                pitches.push(note.pitch);
            }
        }
    }
    let mut drums: Vec<_> = drums.into_iter().collect();
    drums.sort_by_key(|(_, (_, count))| std::cmp::Reverse(*count));
    drums.truncate(MOST_OF_A_TRACK);
    drums.sort_by_key(|(_, (pitches, _))| pitches.iter().min().copied());
    drums.into_iter().map(|(name, (pitches, _))| (name, pitches)).collect()
}

/// Whether the keys of a track are drums.
pub fn is_kit(track: &Track) -> bool {
    key_names(track).is_some()
}

type KeyNames<'a> = Box<dyn Fn(u8) -> Option<String> + 'a>;

/// What the keys of a kit are called; `None`: the track plays no kit.
fn key_names(track: &Track) -> Option<KeyNames<'_>> {
    if let Some(rack) = track.devices.iter().find(|device| device.is_drum_rack()).and_then(|rack| rack.rack.as_ref()) {
        return Some(Box::new(|pitch| {
            let pad = rack.chains.iter().find(|chain| chain.in_note == Some(pitch))?;
            Some(pad.name.clone())
        }));
    }
    track.plays_default_kit().then(|| Box::new(|pitch| Some(drum_name(pitch).to_owned())) as KeyNames)
}
