//! In `process` nothing is allocated and nothing freed, whatever plays and whatever plan comes or goes.
//!
//! A file of its own, because the counting allocator counts for a whole binary.

#[path = "../../tests/support/counting_allocator.rs"]
mod counting_allocator;

use counting_allocator::watched;
use svc_sound::effects::*;
use svc_sound::engine::{Block, Engine, Event, EventKind};
use svc_sound::instruments::{InstrumentSettings, Note, Role, SamplerSettings};
use svc_sound::mixer::{ClipFades, ClipRegion, ClipSettings, Fade, StripSettings, Warp, WarpMarker};
use svc_sound::note_effects::*;
use svc_sound::parameter::Parameter;
use svc_sound::plan::Automated;
use svc_sound::plan::settings::*;
use svc_sound::plan::{Plan, StateStore};
use svc_sound::sample::Sample;

const RATE: f32 = 48_000.0;

fn effects(round: u64) -> Vec<EffectSettings> {
    let hz = 200.0 + 50.0 * (round % 40) as f32;
    let band = EqBand { on: !round.is_multiple_of(3), band_type: BandType::Bell, hz, gain_db: 4.0, q: 1.0 };
    vec![
        EffectSettings::EqEight(EqEightSettings { bands: [band; 8], scale: 1.0, output_db: 0.0 }),
        EffectSettings::Compressor(CompressorSettings { threshold_db: -30.0, ..CompressorSettings::default() }),
        EffectSettings::Saturator(SaturatorSettings::default()),
        EffectSettings::AutoFilter(AutoFilterSettings { hz, ..AutoFilterSettings::default() }),
        EffectSettings::Utility(UtilitySettings::default()),
        EffectSettings::Reverb(ReverbSettings::default()),
        EffectSettings::Delay(DelaySettings { left: DelayTime::Seconds(0.1 + hz * 1e-4), ..DelaySettings::default() }),
        EffectSettings::Limiter(LimiterSettings::default()),
    ]
}

fn note_effects(round: u64) -> Vec<NoteEffectSettings> {
    let arpeggiator = ArpeggiatorSettings { rate: StepRate::Seconds(0.004), transpositions: 2, ..Default::default() };
    let mut notes = [ChordNote::NONE; 6];
    notes[0].shift = Shift::Semitones(5 + (round % 4) as i16);
    vec![
        NoteEffectSettings::Chord(ChordSettings { notes, strum_ms: 3.0, ..ChordSettings::default() }),
        NoteEffectSettings::Arpeggiator(arpeggiator),
        NoteEffectSettings::NoteLength(NoteLengthSettings::default()),
        NoteEffectSettings::Pitch(PitchSettings::default()),
        NoteEffectSettings::Random(RandomSettings { chance: 0.5, ..RandomSettings::default() }),
        NoteEffectSettings::Scale(ScaleSettings::default()),
        NoteEffectSettings::Velocity(VelocitySettings { random: 9.0, ..VelocitySettings::default() }),
    ]
}

/// Another mix in each round: devices and tracks come, go, and change their kind.
fn mix(round: u64, sample: &Sample) -> MixSettings {
    let count = 6 + round % 5;
    let tracks = (0..count as u32).map(|id| {
        let mut track = TrackSettings::new(id);
        let role = Role::ALL[((u64::from(id) + round / 7) % 14) as usize];
        let settings = match id % 4 {
            3 => InstrumentSettings::Sampler(Box::new(SamplerSettings::of(sample.clone()))),
            _ => role.instrument(),
        };
        for (at, settings) in note_effects(round).into_iter().enumerate().skip((round % 7) as usize) {
            let device = Device::NoteEffect(settings);
            let on = !(round + at as u64).is_multiple_of(5);
            track.devices.push(DeviceSettings { id: u64::from(id) * 100 + 50 + at as u64, on, device });
        }
        track.devices.push(DeviceSettings {
            id: u64::from(id) * 100,
            on: round % 11 != 5,
            device: Device::Instrument(settings),
        });
        for (at, settings) in effects(round).into_iter().enumerate().skip((round % 4) as usize) {
            let device = Device::Effect { settings, sidechain: (id > 0 && at == 1).then_some(0) };
            track.devices.push(DeviceSettings { id: u64::from(id) * 100 + 1 + at as u64, on: true, device });
        }
        // To the next one, at times all around.
        let to = if id + 1 < count as u32 { id + 1 } else { 0 };
        if !(u64::from(id) + round).is_multiple_of(3) && (to > 0 || round.is_multiple_of(2)) {
            track.note_ways = vec![NoteWay { to, behind_devices: round % 4 > 1 }];
        }
        track.delay_frames = [0, 0, 700, -2_000, 37, 9_000][((round / 5 + u64::from(id)) % 6) as usize];
        track.strip = StripSettings { active: round % 5 != u64::from(id), ..StripSettings::default() };
        track.clips = vec![ClipSettings {
            id: 1,
            turn: 1,
            sample: sample.clone(),
            gain_db: 0.0,
            semitones: 3.0,
            warp: [Warp::TONES, Warp::Off, Warp::Repitch][(id % 3) as usize],
            markers: vec![WarpMarker { beats: 0.0, seconds: 0.0 }, WarpMarker { beats: 2.0, seconds: 1.1 }],
            repeats: Some(ClipRegion { start: 0.1, end: 0.9 }),
            end: 2.0,
            fades: Some(ClipFades {
                start: 0.0,
                end: 1.5,
                fade_in: Fade { length: 0.3, skew: 0.5, slope: -0.5 },
                fade_out: Fade { length: 0.2, ..Fade::default() },
            }),
        }];
        track
    });
    MixSettings { tracks: tracks.collect(), main: TrackSettings::new(999), crossfade: 0.0, soft_clip: true }
}

fn events(round: u64) -> Vec<Event> {
    (0..24u64)
        .map(|n| {
            let (track, pitch, id) =
                (((round + n) % 12) as u32, (30 + (n * 7 + round) % 60) as u8, round / 3 * 100 + n);
            let kind = match (n + round) % 6 {
                0 => EventKind::NoteOff { id, pitch },
                1 if round.is_multiple_of(4) => EventKind::ClipStart { clip: 1, time: 0.3, beats: 0.0 },
                2 if round.is_multiple_of(9) => EventKind::ClipStop,
                3 if round.is_multiple_of(13) => EventKind::FadeNotes,
                4 if round.is_multiple_of(17) => EventKind::EndNotes,
                5 if round.is_multiple_of(3) => {
                    let parameter = [Parameter::Frequency, Parameter::Mix, Parameter::On][(n % 3) as usize];
                    let of = Automated::Device(u64::from(track) * 100 + n % 9);
                    EventKind::Parameter { of, parameter, value: 0.1 * n as f32, frames: 100 }
                }
                5 if round.is_multiple_of(7) => EventKind::FreeParameters,
                5 if round.is_multiple_of(2) => EventKind::Position { beats: n as f64, plays: true },
                _ => EventKind::NoteOn(Note { id, pitch, velocity: 0.7 }),
            };
            Event { frame: (n * 5) as u32, track, kind }
        })
        .collect()
}

#[test]
fn nothing_is_allocated_or_freed() {
    let data: Vec<f32> = (0..48_000).map(|n| (n as f32 * 0.05).sin()).collect();
    let sample = Sample::new(data.into(), 1, RATE).expect("a sample");
    let (mut store, mut engine) = (StateStore::new(RATE), Engine::new());
    let (mut left, mut right) = (vec![0.0; 128], vec![0.0; 128]);
    let mut loudest = 0.0f32;
    // Old plans wait here, as a publisher keeps them: they are dropped outside.
    for round in 0..400 {
        let mut plan = Plan::new(mix(round, &sample), &mut store);
        let events = events(round);
        let block = Block { tempo_bpm: 90.0 + round as f64, events: &events };
        let count = watched(|| engine.process(&mut plan, &block, (&mut left, &mut right), &mut ()));
        assert_eq!(count, 0, "round {round}");
        loudest = left.iter().fold(loudest, |peak, x| peak.max(x.abs()));
    }
    assert!(loudest > 0.1, "it plays");
}

#[test]
fn the_count_counts() {
    assert!(watched(|| drop(std::hint::black_box(vec![1u8]))) >= 2);
}
