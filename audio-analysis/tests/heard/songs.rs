//! Loops and songs made by the sound engine, to be listened to.

use svc_sound::engine::{Engine, EventKind};
use svc_sound::instruments::{InstrumentSettings, Note, Role};
use svc_sound::offline::{Piece, PieceEvent, Stems, Stereo, render};
use svc_sound::plan::settings::{Device, DeviceSettings, MixSettings, TrackSettings};
use svc_sound::plan::{Plan, StateStore};

pub const RATE_HZ: f64 = 48_000.0;
const MAIN: u32 = 1_000;

/// A note: pitch, velocity, where it begins and how long it is, in beats.
pub type Beat = (u8, f32, f64, f64);

pub struct Part {
    pub instrument: InstrumentSettings,
    pub volume_db: f32,
    pub notes: Vec<Beat>,
}

pub fn part(role: Role, notes: Vec<Beat>) -> Part {
    Part { instrument: role.instrument(), volume_db: -6.0, notes }
}

pub struct Song {
    pub mix: Stereo,
    pub stems: Vec<Stereo>,
}

/// The mean of both channels.
pub fn mono(sound: &Stereo) -> Vec<f32> {
    sound.left.iter().zip(&sound.right).map(|(left, right)| 0.5 * (left + right)).collect()
}

/// Plays parts together, each on a track of its own.
pub fn play(parts: &[Part], tempo_bpm: f64, beats: f64) -> Song {
    let frames_a_beat = RATE_HZ * 60.0 / tempo_bpm;
    let (mut tracks, mut events) = (Vec::new(), Vec::new());
    for (id, part) in (1_u32..).zip(parts) {
        let mut track = TrackSettings::new(id);
        track.strip.volume_db = part.volume_db;
        track.devices =
            vec![DeviceSettings { id: id.into(), on: true, device: Device::Instrument(part.instrument.clone()) }];
        tracks.push(track);
        for (number, (pitch, velocity, from, length)) in (0_u64..).zip(&part.notes) {
            let note = u64::from(id) << 32 | number;
            let at = |beat: f64| (beat * frames_a_beat) as u64;
            let on = EventKind::NoteOn(Note { id: note, pitch: *pitch, velocity: *velocity });
            events.push(PieceEvent { frame: at(*from), track: id, kind: on });
            let off = EventKind::NoteOff { id: note, pitch: *pitch };
            events.push(PieceEvent { frame: at(from + length), track: id, kind: off });
        }
    }
    events.sort_by_key(|event| (event.frame, matches!(event.kind, EventKind::NoteOn(_))));
    let ids: Vec<u32> = tracks.iter().map(|track| track.id).collect();
    let mix = MixSettings { tracks, main: TrackSettings::new(MAIN), crossfade: 0.0, soft_clip: true };
    let mut plan = Plan::new(mix, &mut StateStore::new(RATE_HZ as f32));
    let piece = Piece { events: &events, frames: (beats * frames_a_beat) as usize, tempo_bpm, block: 512 };
    let mut stems = Stems::of(ids.iter().copied());
    let mix = render(&mut Engine::new(), &mut plan, &piece, &mut stems);
    Song { mix, stems: ids.iter().map(|id| stems.get(*id).cloned().unwrap_or_default()).collect() }
}

/// Several signals as one.
pub fn sum(signals: &[Stereo]) -> Stereo {
    let mut sum = signals.first().cloned().unwrap_or_default();
    for signal in signals.iter().skip(1) {
        let channels = [(&mut sum.left, &signal.left), (&mut sum.right, &signal.right)];
        for (sums, values) in channels {
            sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        }
    }
    sum
}

/// The same notes bar after bar, from where they stand in the first.
pub fn bars(count: u32, notes: &[Beat]) -> Vec<Beat> {
    let bar =
        |n: u32| move |(pitch, velocity, from, length): &Beat| (*pitch, *velocity, from + 4.0 * f64::from(n), *length);
    (0..count).flat_map(|n| notes.iter().map(bar(n))).collect()
}

/// Hits of a drum at these beats of a bar.
pub fn hits(pitch: u8, velocity: f32, at: &[f64]) -> Vec<Beat> {
    at.iter().map(|from| (pitch, velocity, *from, 0.2)).collect()
}
