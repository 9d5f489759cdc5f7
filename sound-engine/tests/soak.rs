//! Random edits, launches, notes and movements while it plays: nothing is allocated, no number is none, nothing clicks
//! above its bound, and in the end all is silent.
//!
//! `SOAK_EDITS=100000 cargo test -p svc-sound --test soak --release` takes its time; without it a few thousand are
//! made.

#[path = "../../tests/support/counting_allocator.rs"]
mod counting_allocator;
#[path = "../../tests/support/dice.rs"]
mod dice;

use counting_allocator::watched;
use dice::Dice;
use svc_sound::effects::*;
use svc_sound::engine::{Block, Engine, Event, EventKind};
use svc_sound::instruments::*;
use svc_sound::mixer::{ClipFades, ClipRegion, ClipSettings, Fade, Warp, WarpMarker};
use svc_sound::note_effects::*;
use svc_sound::parameter::Parameter;
use svc_sound::plan::settings::*;
use svc_sound::plan::{Automated, Plan, StateStore};
use svc_sound::sample::Sample;

const RATE: f32 = 48_000.0;
const TRACKS: u64 = 6;
/// The sounds are tones of up to 400 Hz, a tenth of full scale each; what they make together moves no faster.
const LARGEST_STEP: f32 = 0.35;

impl Dice {
    fn unit(&mut self) -> f32 {
        self.roll(10_001) as f32 / 10_000.0
    }
}

fn effect(dice: &mut Dice) -> EffectSettings {
    let hz = 60.0 * 100f32.powf(dice.unit());
    match dice.roll(14) {
        0 => {
            let band = EqBand { on: true, band_type: BandType::Bell, hz, gain_db: 6.0 * dice.unit() - 6.0, q: 0.7 };
            EffectSettings::EqEight(EqEightSettings { bands: [band; 8], scale: 0.5, output_db: 0.0 })
        }
        1 => EffectSettings::Compressor(CompressorSettings { threshold_db: -30.0, ..Default::default() }),
        2 => EffectSettings::Reverb(ReverbSettings { mix: 0.3 * dice.unit(), decay_s: 0.6, ..Default::default() }),
        3 => EffectSettings::Delay(DelaySettings { feedback: 0.4, mix: 0.3, ..Default::default() }),
        4 => EffectSettings::Utility(UtilitySettings { gain_db: -12.0 * dice.unit(), ..Default::default() }),
        5 => EffectSettings::AutoFilter(AutoFilterSettings { hz, ..Default::default() }),
        6 => EffectSettings::EqThree(EqThreeSettings { mid_db: -12.0 * dice.unit(), ..Default::default() }),
        7 => EffectSettings::ChannelEq(ChannelEqSettings { mid_db: -6.0, mid_hz: hz, ..Default::default() }),
        8 => EffectSettings::Glue(GlueSettings { threshold_db: -30.0, ..Default::default() }),
        9 => EffectSettings::Chorus(ChorusSettings { feedback: 0.3 * dice.unit(), ..Default::default() }),
        10 => EffectSettings::AutoPan(AutoPanSettings::default()),
        11 => EffectSettings::PhaserFlanger(PhaserSettings { center_hz: hz, ..Default::default() }),
        12 => EffectSettings::Echo(EchoSettings { feedback: 0.4, mix: 0.3, room: 0.3, ..Default::default() }),
        _ => EffectSettings::Limiter(LimiterSettings::default()),
    }
}

fn note_effect(dice: &mut Dice) -> NoteEffectSettings {
    match dice.roll(7) {
        0 => NoteEffectSettings::Arpeggiator(ArpeggiatorSettings {
            rate: StepRate::Beats(0.125 * (1 + dice.roll(4)) as f64),
            hold: dice.roll(2) == 0,
            ..Default::default()
        }),
        1 => {
            let mut notes = [ChordNote::NONE; 6];
            notes[0].shift = Shift::Semitones(dice.roll(12) as i16);
            NoteEffectSettings::Chord(ChordSettings { notes, strum_ms: 50.0 * dice.unit(), ..Default::default() })
        }
        2 => NoteEffectSettings::NoteLength(NoteLengthSettings {
            trigger: dice.one_of(&[
                LengthTrigger::KeyDown { latch: false },
                LengthTrigger::KeyDown { latch: true },
                LengthTrigger::KeyUp { decay_s: 1.0, key_scale: 0.0 },
            ]),
            ..Default::default()
        }),
        3 => NoteEffectSettings::Pitch(PitchSettings { shift: Shift::Semitones(-5), ..Default::default() }),
        4 => NoteEffectSettings::Random(RandomSettings { chance: 0.5, choices: 5, ..Default::default() }),
        5 => NoteEffectSettings::Scale(ScaleSettings::default()),
        _ => NoteEffectSettings::Velocity(VelocitySettings { random: 20.0, ..Default::default() }),
    }
}

/// Tones only: nothing that is sharp by itself.
fn instrument(dice: &mut Dice, tone: &Sample) -> InstrumentSettings {
    let whole = SamplerSettings { gain_db: -20.0, repeats: Some((4_000, 40_000)), ..SamplerSettings::of(tone.clone()) };
    match dice.roll(4) {
        0 => {
            let settings = DriftSettings::default();
            let sine = DriftOscillator { wave: DriftWave::Sine, ..settings.first };
            let envelope = EnvelopeTimes { attack: 0.005, decay: 0.2, sustain: 0.5, release: 0.1 };
            let settings = DriftSettings { first: sine, envelope, level_db: -20.0, ..settings };
            InstrumentSettings::Drift(Box::new(settings))
        }
        1 => InstrumentSettings::DrumSampler(Box::new(DrumSamplerSettings {
            gain_db: -20.0,
            attack: 0.004,
            ..DrumSamplerSettings::of(tone.clone())
        })),
        2 => {
            let glide = SamplerGlide::Glide(0.05);
            InstrumentSettings::Sampler(Box::new(SamplerSettings { glide, spread: 0.3, ..whole }))
        }
        _ => InstrumentSettings::Sampler(Box::new(whole)),
    }
}

fn device(id: u64, device: Device) -> DeviceSettings {
    DeviceSettings { id, on: true, device }
}

fn clip(id: u64, tone: &Sample) -> ClipSettings {
    let markers = vec![WarpMarker { beats: 0.0, seconds: 0.0 }, WarpMarker { beats: 2.0, seconds: 1.0 }];
    ClipSettings {
        id,
        turn: id,
        sample: tone.clone(),
        gain_db: -20.0,
        semitones: 0.0,
        warp: [Warp::Off, Warp::TONES, Warp::BEATS][(id % 3) as usize],
        markers,
        repeats: Some(ClipRegion { start: 0.1, end: 0.9 }),
        end: 1.0,
        fades: id.is_multiple_of(2).then_some(ClipFades {
            start: 0.0,
            end: 1.5,
            fade_in: Fade { length: 0.3, skew: -1.0, slope: 0.9 },
            fade_out: Fade { length: 0.2, ..Fade::default() },
        }),
    }
}

/// One edit of the mix.
fn edit(mix: &mut MixSettings, dice: &mut Dice, tone: &Sample, next_id: &mut u64) {
    *next_id += 1;
    let id = *next_id;
    let count = mix.tracks.len() as u64;
    let Some(track) = mix.tracks.get_mut(dice.roll(count) as usize) else { return };
    let places = track.devices.len() as u64;
    match dice.roll(12) {
        0 => track.strip.active = !track.strip.active,
        1 => track.strip.volume_db = -24.0 * dice.unit(),
        2 => track.strip.pan = 2.0 * dice.unit() - 1.0,
        3 | 4 if places < 6 => {
            let settings = effect(dice);
            let device = device(id, Device::Effect { settings, sidechain: (dice.roll(4) == 0).then_some(0) });
            track.devices.push(device);
        }
        5 if places < 6 => {
            let place = dice.roll(places.min(2)) as usize;
            track.devices.insert(place, device(id, Device::NoteEffect(note_effect(dice))));
        }
        6 if places > 1 => {
            track.devices.remove(dice.roll(places) as usize);
        }
        7 => {
            if let Some(device) = track.devices.get_mut(dice.roll(places) as usize) {
                device.on = !device.on;
            }
        }
        8 => track.devices.insert(0, device(id, Device::Instrument(instrument(dice, tone)))),
        9 => {
            let inside = device(id + 500_000, Device::Instrument(instrument(dice, tone)));
            let chain = ChainSettings {
                id: id + 900_000,
                keys: (30 + dice.roll(30) as u8, 90),
                devices: vec![inside],
                ..ChainSettings::default()
            };
            track.devices.truncate(3);
            track.devices.insert(0, device(id, Device::Rack(vec![chain])));
        }
        10 if count < TRACKS => {
            let mut track = TrackSettings::new(id as u32);
            track.devices.push(device(id, Device::Instrument(instrument(dice, tone))));
            mix.tracks.push(track);
        }
        11 if count > 2 => {
            mix.tracks.remove(dice.roll(count) as usize);
        }
        _ => track.strip.volume_db = -12.0,
    }
    // At most one instrument, the first.
    for track in &mut mix.tracks {
        let mut seen = false;
        track.devices.retain(|device| {
            let plays = matches!(device.device, Device::Instrument(_) | Device::Rack(_));
            let kept = !(seen && plays);
            seen |= plays;
            kept
        });
    }
}

/// What happens in a block: notes begin and end, clips start and stop, parameters move.
fn events(mix: &MixSettings, dice: &mut Dice, held: &mut Vec<(u32, u64, u8)>, next: &mut u64) -> Vec<Event> {
    let mut all = Vec::new();
    for frame in [0, 7, 40] {
        let Some(track) = mix.tracks.get(dice.roll(mix.tracks.len() as u64) as usize) else { continue };
        *next += 1;
        let kind = match dice.roll(9) {
            0 | 1 if held.len() < 12 => {
                let pitch = 36 + dice.roll(31) as u8;
                held.push((track.id, *next, pitch));
                EventKind::NoteOn(Note { id: *next, pitch, velocity: 0.3 + 0.7 * dice.unit() })
            }
            2 | 3 if !held.is_empty() => {
                let (track, id, pitch) = held.swap_remove(dice.roll(held.len() as u64) as usize);
                all.push(Event { frame, track, kind: EventKind::NoteOff { id, pitch } });
                continue;
            }
            4 => EventKind::ClipStart { clip: 1 + dice.roll(3), time: 0.3 * f64::from(dice.unit()), beats: 0.0 },
            5 => EventKind::ClipStop,
            6 => {
                let device = track.devices.get(dice.roll(track.devices.len() as u64) as usize).map_or(0, |d| d.id);
                let (parameter, value) = dice.one_of(&[
                    (Parameter::Frequency, 800.0),
                    (Parameter::Mix, 0.2),
                    (Parameter::On, 0.0),
                    (Parameter::Feedback, 0.3),
                ]);
                EventKind::Parameter { of: Automated::Device(device), parameter, value, frames: 2_000 }
            }
            7 => EventKind::FreeParameters,
            _ => EventKind::Position { beats: f64::from(dice.unit()) * 64.0, plays: dice.roll(4) > 0 },
        };
        all.push(Event { frame, track: track.id, kind });
    }
    all
}

#[test]
fn whatever_is_done_it_plays_on() {
    let edits: u64 = std::env::var("SOAK_EDITS").ok().and_then(|count| count.parse().ok()).unwrap_or(3_000);
    let data: Vec<f32> = (0..48_000).map(|n| libm::sinf(n as f32 * std::f32::consts::TAU * 261.63 / RATE)).collect();
    let tone = Sample::new(data.into(), 1, RATE).expect("a sample");
    for seed in 1..=3u64 {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let (mut store, mut engine) = (StateStore::new(RATE), Engine::new());
        let mut mix =
            MixSettings { tracks: Vec::new(), main: TrackSettings::new(4_000_000), crossfade: 0.0, soft_clip: false };
        for id in 0..3 {
            let mut track = TrackSettings::new(id);
            track.devices.push(device(u64::from(id), Device::Instrument(instrument(&mut dice, &tone))));
            track.clips = (1..4).map(|id| clip(id, &tone)).collect();
            mix.tracks.push(track);
        }
        let (mut next_id, mut next_note, mut held) = (100, 0, Vec::new());
        let (mut left, mut right) = ([0.0f32; 64], [0.0f32; 64]);
        let (mut last, mut largest, mut peak) = ((0.0, 0.0), 0.0f32, 0.0f32);
        for round in 0..edits / 3 {
            edit(&mut mix, &mut dice, &tone, &mut next_id);
            // Some plans are never played: a triple buffer skips them.
            if dice.roll(5) == 0 {
                Plan::new(mix.clone(), &mut store);
            }
            let mut plan = Plan::new(mix.clone(), &mut store);
            for _ in 0..1 + dice.roll(6) {
                let events = events(&mix, &mut dice, &mut held, &mut next_note);
                let block = Block { tempo_bpm: 120.0, events: &events };
                let count = watched(|| engine.process(&mut plan, &block, (&mut left, &mut right), &mut ()));
                assert_eq!(count, 0, "seed {seed}, edit {round}: {count} allocations");
                for (l, r) in left.iter().zip(&right) {
                    assert!(l.is_finite() && r.is_finite(), "seed {seed}, edit {round}");
                    largest = largest.max((l - last.0).abs()).max((r - last.1).abs());
                    peak = peak.max(l.abs()).max(r.abs());
                    last = (*l, *r);
                }
                assert!(largest < LARGEST_STEP, "seed {seed}, edit {round}: a step of {largest}, at a peak of {peak}");
            }
        }
        assert!(peak > 0.1, "it plays: {peak}");
        // Whatever is held is let go of, what holds by itself holds no more; what still sounds hangs.
        let hold = |device: &mut DeviceSettings| match &mut device.device {
            Device::NoteEffect(NoteEffectSettings::Arpeggiator(settings)) => settings.hold = false,
            Device::NoteEffect(NoteEffectSettings::NoteLength(settings)) => {
                settings.trigger = LengthTrigger::KeyDown { latch: false };
            }
            _ => {}
        };
        mix.tracks.iter_mut().flat_map(|track| &mut track.devices).for_each(hold);
        let mut plan = Plan::new(mix.clone(), &mut store);
        let mut ends: Vec<Event> = held
            .drain(..)
            .map(|(track, id, pitch)| Event { frame: 0, track, kind: EventKind::NoteOff { id, pitch } })
            .collect();
        ends.extend(mix.tracks.iter().map(|track| Event { frame: 0, track: track.id, kind: EventKind::ClipStop }));
        let mut silent = 0;
        for round in 0..(60.0 * RATE / 64.0) as u64 {
            let events = if round == 0 { ends.as_slice() } else { &[] };
            let block = Block { tempo_bpm: 120.0, events };
            engine.process(&mut plan, &block, (&mut left, &mut right), &mut ());
            silent = if left.iter().chain(&right).all(|x| *x == 0.0) { silent + 1 } else { 0 };
        }
        assert!(silent > 1_000, "seed {seed}: it sounds for ever");
    }
}
