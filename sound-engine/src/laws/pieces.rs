//! Small pieces to play.

use crate::effects::*;
use crate::engine::{Engine, EventKind};
use crate::instruments::{InstrumentSettings, Note, Role, SamplerSettings};
use crate::mixer::{ClipRegion, ClipSettings, StripSettings, Warp, WarpMarker};
use crate::offline::{Piece, PieceEvent, Stems, Stereo, render};
use crate::plan::settings::*;
use crate::plan::{Plan, StateStore};
use crate::sample::Sample;

pub const RATE: f32 = 48_000.0;
pub const SECOND: u64 = 48_000;
pub const MAIN: u32 = 1_000;

pub fn sample(data: Vec<f32>) -> Sample {
    Sample::new(data.into(), 1, RATE).expect("a sample")
}

pub fn device(id: u64, device: Device) -> DeviceSettings {
    DeviceSettings { id, on: true, device }
}

pub fn instrument(id: u64, settings: InstrumentSettings) -> DeviceSettings {
    device(id, Device::Instrument(settings))
}

pub fn effect(id: u64, settings: EffectSettings) -> DeviceSettings {
    device(id, Device::Effect { settings, sidechain: None })
}

pub fn track(id: u32, devices: Vec<DeviceSettings>) -> TrackSettings {
    TrackSettings { devices, ..TrackSettings::new(id) }
}

pub fn mix(tracks: Vec<TrackSettings>) -> MixSettings {
    MixSettings { tracks, main: TrackSettings::new(MAIN), crossfade: 0.0, soft_clip: true }
}

pub fn sampler(settings: SamplerSettings) -> InstrumentSettings {
    InstrumentSettings::Sampler(Box::new(settings))
}

/// On and off of a note, by track, pitch and frames.
pub fn note(track: u32, pitch: u8, velocity: f32, from: u64, to: u64) -> [PieceEvent; 2] {
    let id = from << 8 | u64::from(pitch);
    [
        PieceEvent { frame: from, track, kind: EventKind::NoteOn(Note { id, pitch, velocity }) },
        PieceEvent { frame: to, track, kind: EventKind::NoteOff { id, pitch } },
    ]
}

pub fn in_order(events: impl IntoIterator<Item = [PieceEvent; 2]>) -> Vec<PieceEvent> {
    let mut events: Vec<PieceEvent> = events.into_iter().flatten().collect();
    events.sort_by_key(|event| (event.frame, matches!(event.kind, EventKind::NoteOn(_))));
    events
}

/// Plays a mix at 120 beats a minute.
pub fn play(mix: MixSettings, events: &[PieceEvent], frames: u64) -> Stereo {
    play_in_blocks(mix, events, frames, 512)
}

pub fn play_in_tempo(mix: MixSettings, events: &[PieceEvent], frames: u64, block: usize, tempo_bpm: f64) -> Stereo {
    let mut plan = Plan::new(mix, &mut StateStore::new(RATE));
    render(&mut Engine::new(), &mut plan, &Piece { events, frames: frames as usize, tempo_bpm, block }, &mut ())
}

pub fn play_in_blocks(mix: MixSettings, events: &[PieceEvent], frames: u64, block: usize) -> Stereo {
    play_in_tempo(mix, events, frames, block, 120.0)
}

pub fn stems(mix: MixSettings, events: &[PieceEvent], frames: u64, tracks: &[u32]) -> (Stereo, Stems) {
    let mut stems = Stems::of(tracks.iter().copied());
    let mut plan = Plan::new(mix, &mut StateStore::new(RATE));
    let piece = Piece { events, frames: frames as usize, tempo_bpm: 120.0, block: 512 };
    (render(&mut Engine::new(), &mut plan, &piece, &mut stems), stems)
}

/// Plays one piece with a plan that changes: `mixes` are from so many frames on.
pub fn play_changing(mixes: Vec<(u64, MixSettings)>, events: &[PieceEvent], frames: u64) -> Stereo {
    let (mut store, mut engine, mut out) = (StateStore::new(RATE), Engine::new(), Stereo::default());
    let ends: Vec<u64> = mixes.iter().skip(1).map(|(from, _)| *from).chain([frames]).collect();
    for ((from, mix), to) in mixes.into_iter().zip(ends) {
        let mut plan = Plan::new(mix, &mut store);
        let shifted: Vec<PieceEvent> = events
            .iter()
            .filter(|event| (from..to).contains(&event.frame))
            .map(|event| PieceEvent { frame: event.frame - from, ..*event })
            .collect();
        let piece = Piece { events: &shifted, frames: (to - from) as usize, tempo_bpm: 120.0, block: 64 };
        let part = render(&mut engine, &mut plan, &piece, &mut ());
        out.left.extend(part.left);
        out.right.extend(part.right);
    }
    out
}

pub fn clip(id: u64, data: Vec<f32>, warp: Warp) -> ClipSettings {
    let seconds = data.len() as f64 / f64::from(RATE);
    let end = if warp == Warp::Off { seconds } else { seconds * 2.0 };
    let markers = vec![WarpMarker { beats: 0.0, seconds: 0.0 }, WarpMarker { beats: seconds * 2.0, seconds }];
    ClipSettings {
        id,
        turn: id.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40,
        sample: sample(data),
        gain_db: 0.0,
        semitones: 0.0,
        warp,
        markers,
        repeats: None,
        end,
        fades: None,
    }
}

/// Four tracks, a group, a rack of pads, two returns, all eight effects, an audio clip.
pub fn full_mix() -> (MixSettings, Vec<PieceEvent>) {
    let synth = |id: u32, role: Role| track(id, vec![instrument(u64::from(id), role.instrument())]);
    let mut bass = synth(1, Role::Bass);
    let compressor = CompressorSettings { threshold_db: -30.0, ..CompressorSettings::default() };
    bass.devices
        .push(device(10, Device::Effect { settings: EffectSettings::Compressor(compressor), sidechain: Some(0) }));
    bass.devices.push(effect(11, EffectSettings::Saturator(SaturatorSettings::default())));
    let mut keys = synth(2, Role::Keys);
    keys.output = Output::Track(20);
    keys.sends = vec![Send { to: 30, gain_db: -12.0, before_fader: false }];
    let mut pad = synth(3, Role::Pad);
    pad.output = Output::Track(20);
    pad.strip = StripSettings { pan: -0.4, volume_db: -3.0, ..StripSettings::default() };
    pad.sends = vec![Send { to: 31, gain_db: -9.0, before_fader: true }];
    pad.devices.push(effect(
        12,
        EffectSettings::AutoFilter(AutoFilterSettings { hz: 900.0, ..AutoFilterSettings::default() }),
    ));
    let bell: Vec<f32> = crate::analysis::sine(880.0, RATE, 24_000);
    let chain = |id: u64, key: u8, choke: u8| ChainSettings {
        id,
        keys: (key, key),
        velocities: (1, 127),
        plays: Some(60),
        choke,
        strip: StripSettings::default(),
        devices: vec![instrument(id + 100, sampler(SamplerSettings::of(sample(bell.clone()))))],
        ..ChainSettings::default()
    };
    let rack = track(4, vec![device(40, Device::Rack(vec![chain(41, 36, 1), chain(42, 38, 1)]))]);
    let mut audio = track(5, vec![effect(50, EffectSettings::Utility(UtilitySettings::default()))]);
    let mut looped = clip(7, crate::analysis::sine(330.0, RATE, 48_000), Warp::TONES);
    looped.repeats = Some(ClipRegion { start: 0.25, end: 1.5 });
    looped.semitones = 2.0;
    audio.clips = vec![looped];
    let band = |hz: f32| EqBand { on: true, band_type: BandType::Bell, hz, gain_db: 3.0, q: 1.0 };
    let eq = EqEightSettings {
        bands: [100.0, 200.0, 400.0, 800.0, 1600.0, 3200.0, 6400.0, 9000.0].map(band),
        scale: 1.0,
        output_db: -3.0,
    };
    let group = track(20, vec![effect(21, EffectSettings::EqEight(eq))]);
    let reverb = ReverbSettings { mix: 1.0, ..ReverbSettings::default() };
    let delay = DelaySettings { mix: 1.0, ..DelaySettings::default() };
    let returns = [
        track(30, vec![effect(32, EffectSettings::Reverb(reverb))]),
        track(31, vec![effect(33, EffectSettings::Delay(delay))]),
    ];
    let mut all = mix([vec![synth(0, Role::Drums), bass, keys, pad, rack, audio, group], returns.to_vec()].concat());
    all.main.devices.push(effect(60, EffectSettings::Limiter(LimiterSettings::default())));
    let mut notes = Vec::new();
    for beat in 0..8u64 {
        let at = beat * SECOND / 2 + 37 * beat;
        notes.push(note(0, if beat % 2 == 0 { 36 } else { 38 }, 0.9, at, at + 2_000));
        notes.push(note(0, 42, 0.5, at + 11_999, at + 13_000));
        notes.push(note(1, 33 + (beat % 3) as u8, 0.8, at + 5, at + 15_000));
        notes.push(note(2, 60 + beat as u8, 0.7, at, at + 20_000));
        notes.push(note(4, 36 + 2 * (beat % 2) as u8, 0.8, at + 100, at + 4_000));
    }
    notes.extend([60, 64, 67].map(|pitch| note(3, pitch, 0.6, 1_000, 3 * SECOND)));
    let mut events = in_order(notes);
    events.insert(0, PieceEvent { frame: 0, track: 5, kind: EventKind::ClipStart { clip: 7, time: 0.0, beats: 0.0 } });
    events.push(PieceEvent { frame: 4 * SECOND + 77_777, track: 5, kind: EventKind::ClipStop });
    events.sort_by_key(|event| event.frame);
    (all, events)
}
