//! What a Set sounds like, without an audio thread: its document, as tools made it, becomes a mix, the playback engine
//! its notes, and the sound engine both's samples.

use crate::support::Api;
use svc_device::paths::AllowedFolders;
use svc_device::playback::{
    Block, ClipCourse, Event, LaunchAction, LaunchOrder, LaunchQuantum, NoteSink, Snapshot, SongCourse, TrackClip,
    TrackClipKind, TrackLaunch, TrackNote, TrackNoteKind, TransportAction, TransportOrder, channel,
};
use svc_device::set::Document;
use svc_device::sound::envelopes::walker::EnvelopeWalker;
use svc_device::sound::mix::{Mix, MixMaker};
use svc_device::sound::samples::SampleCache;
use svc_sound::engine::{Engine, EventKind};
use svc_sound::instruments::Note;
use svc_sound::offline::{Piece, PieceEvent, Stems, Stereo, render};
use svc_sound::plan::{Plan, StateStore};

pub const RATE: f32 = 48_000.0;

/// A piece that was made, with the signals of every track behind its fader.
pub struct Made {
    pub main: Stereo,
    stems: Stems,
    document: Document,
}

impl Made {
    /// A regular track's signal, by its place.
    pub fn track(&self, at: usize) -> &Stereo {
        let serial = self.document.tracks.get(at).expect("a track").serial;
        self.stems.get(serial).expect("every track has a stem")
    }

    /// A return's.
    pub fn return_track(&self, at: usize) -> &Stereo {
        let serial = self.document.returns.get(at).expect("a return").serial;
        self.stems.get(serial).expect("every return has a stem")
    }
}

/// The samples of the Set as it was committed last, all read.
pub fn samples(api: &Api) -> SampleCache {
    let cache = SampleCache::telling(api.device.set.sample_faults().clone());
    let nowhere = AllowedFolders::default();
    for wanted in cache.wanted(&api.device.set.committed().document, &nowhere) {
        cache.load(&wanted, &nowhere, &|| false);
    }
    cache
}

/// The first scene, launched at the start, for so many seconds.
pub fn first_scene(api: &Api, seconds: f64) -> Made {
    let document = api.device.set.committed().document.clone();
    let mix = MixMaker::default().mix(&document, &samples(api));
    let frames = (seconds * f64::from(RATE)) as usize;
    let mut events = played(&document, &mix, frames);
    events.sort_by_key(|event| event.frame);
    let ids: Vec<u32> = document.every_track().map(|(track, _)| track.serial).collect();
    let (mut store, mut engine) = (StateStore::new(RATE), Engine::new());
    let mut stems = Stems::of(ids);
    let mut plan = Plan::new(mix.settings, &mut store);
    assert_eq!(plan.left_out(), [], "every way of the mix is one that the engine has");
    let piece = Piece { events: &events, frames, tempo_bpm: document.song.tempo_bpm, block: 512 };
    let main = render(&mut engine, &mut plan, &piece, &mut stems);
    Made { main, stems, document }
}

/// What the clips of the first scene play and move.
fn played(document: &Document, mix: &Mix, frames: usize) -> Vec<PieceEvent> {
    let scene = document.scenes.first().expect("a scene").serial;
    let launches = document.tracks.iter().filter_map(|track| {
        let action = LaunchAction::Play { clip: track.session.get(scene)?.serial, legato: false };
        Some(TrackLaunch::new(track.serial, LaunchOrder { number: 1, action, quantum: LaunchQuantum::None }))
    });
    let (mut publisher, mut engine) = channel();
    publisher.publish(Snapshot {
        launches: launches.collect(),
        transport: TransportOrder { number: 1, action: TransportAction::Start { at: 0.0 } },
        own_clock: true,
        document: document.clone(),
    });
    let walker = EnvelopeWalker::default();
    let mut heard = Heard { from: 0, events: Vec::new(), mix, walker };
    while (heard.from as usize) < frames {
        heard.walker.begin_block();
        engine.process(&Block { sample_rate: f64::from(RATE), frames: 512, host: None }, &mut heard);
        heard.walker.end_block(512);
        let moves = heard.walker.events().iter();
        heard.events.extend(moves.map(|event| PieceEvent {
            frame: heard.from + u64::from(event.frame),
            track: event.track,
            kind: event.kind,
        }));
        heard.from += 512;
    }
    heard.events
}

struct Heard<'a> {
    from: u64,
    events: Vec<PieceEvent>,
    mix: &'a Mix,
    walker: EnvelopeWalker,
}

impl NoteSink for Heard<'_> {
    const HEARS_TRACKS: bool = true;

    fn midi(&mut self, _: Event) -> bool {
        true
    }

    fn track_note(&mut self, note: TrackNote) {
        let id = u64::from(note.number);
        let kind = match note.kind {
            TrackNoteKind::Start { velocity } => EventKind::NoteOn(Note { id, pitch: note.pitch, velocity }),
            TrackNoteKind::End { .. } => EventKind::NoteOff { id, pitch: note.pitch },
        };
        self.events.push(PieceEvent { frame: self.from + u64::from(note.sample), track: note.track, kind });
    }

    fn knows_clip(&self, _: u32, _: u32) -> bool {
        true
    }

    fn track_clip(&mut self, clip: TrackClip) {
        let kind = match clip.kind {
            TrackClipKind::Start { clip, time, beats } => EventKind::ClipStart { clip: clip.into(), time, beats },
            TrackClipKind::Stop => EventKind::ClipStop,
        };
        self.events.push(PieceEvent { frame: self.from + u64::from(clip.sample), track: clip.track, kind });
    }

    fn follows(&self, track: u32) -> bool {
        self.mix.envelopes.has_track(track)
    }

    fn clip_course(&mut self, course: ClipCourse) {
        self.walker.course(&self.mix.envelopes, &course);
    }

    fn song_course(&mut self, course: SongCourse) {
        self.walker.song_course(&self.mix.envelopes, &course);
    }

    fn position(&mut self, _: u32, _: f64, _: bool) {}

    fn metronome(&mut self, _: u32, _: bool) {}
}

/// The level of a stretch of seconds, dBFS.
pub fn level(signal: &[f32], from: f64, to: f64) -> f64 {
    let at = |seconds: f64| (seconds * f64::from(RATE)) as usize;
    let part = &signal[at(from)..at(to).min(signal.len())];
    let sum: f64 = part.iter().map(|x| f64::from(*x) * f64::from(*x)).sum();
    10.0 * (sum / part.len() as f64).log10()
}

/// The frequency of a sine, by where it rises through 0.
pub fn frequency(signal: &[f32], from: f64, to: f64) -> f64 {
    let at = |seconds: f64| (seconds * f64::from(RATE)) as usize;
    let part = &signal[at(from)..at(to)];
    let rises: Vec<f64> = part
        .windows(2)
        .enumerate()
        .filter(|(_, pair)| pair[0] < 0.0 && pair[1] >= 0.0)
        .map(|(at, pair)| at as f64 + f64::from(-pair[0] / (pair[1] - pair[0])))
        .collect();
    let (first, last) = (rises.first().expect("it swings"), rises.last().expect("it swings"));
    (rises.len() - 1) as f64 / (last - first) * f64::from(RATE)
}

pub fn is_near(found: f64, meant: f64, within: f64, what: &str) {
    assert!((found - meant).abs() <= within, "{what}: {found:.3}, not {meant:.3}");
}
