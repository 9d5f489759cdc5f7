//! Pieces with every device of the engine: the same at every block size, silent in the end, loud in between.

use super::notes::note_effect;
use super::pieces::*;
use crate::effects::*;
use crate::engine::EventKind;
use crate::instruments::*;
use crate::mixer::Warp;
use crate::note_effects::*;
use crate::offline::PieceEvent;
use crate::parameter::Parameter;
use crate::plan::Automated;
use crate::plan::settings::*;

/// A recording of a pluck: a saw that falls, 48,000 frames.
pub fn pluck() -> crate::sample::Sample {
    let saw = |n: usize| (n as f32 * 220.0 / RATE).fract() * 2.0 - 1.0;
    sample((0..48_000).map(|n| saw(n) * crate::dsp::math::exp2(-(n as f32) / 9_000.0)).collect())
}

pub fn with_notes(tracks: Vec<TrackSettings>, seconds: u64) -> (MixSettings, Vec<PieceEvent>) {
    let notes = tracks.iter().flat_map(|track| {
        let id = track.id;
        (0..seconds * 2).map(move |n| {
            let pitch = 45 + (u64::from(id) * 5 + n * 7) as u8 % 24;
            note(id, pitch, 0.5 + 0.05 * (n % 9) as f32, n * 24_000 + 31 * n, n * 24_000 + 17_000)
        })
    });
    let mut events = in_order(notes.collect::<Vec<_>>());
    events.insert(0, PieceEvent { frame: 0, track: 0, kind: EventKind::Position { beats: 0.0, plays: true } });
    let mut mix = mix(tracks);
    mix.tracks.iter_mut().for_each(|track| track.strip.volume_db = -9.0);
    (mix, events)
}

/// All note effects, in two chains.
pub fn note_effects() -> (MixSettings, Vec<PieceEvent>) {
    let mut notes = [ChordNote::NONE; 6];
    notes[0].shift = Shift::Semitones(4);
    notes[1] = ChordNote { shift: Shift::Semitones(7), velocity: 0.7, chance: 0.5 };
    let chord = ChordSettings { notes, strum_ms: 30.0, ..ChordSettings::default() };
    let arpeggiator = ArpeggiatorSettings {
        style: ArpeggioStyle::RandomOther,
        rate: StepRate::Beats(0.25),
        swing: Swing::Eighths,
        transpositions: 1,
        ..ArpeggiatorSettings::default()
    };
    let random = RandomSettings { chance: 0.5, choices: 3, interval: 5, ..RandomSettings::default() };
    let scale = ScaleSettings { map: [0, 0, 2, 2, 4, 5, 5, 7, 7, 9, 9, 11].map(Some), ..ScaleSettings::default() };
    let length = NoteLengthSettings { length: NoteLength::Beats(0.125), ..NoteLengthSettings::default() };
    let first = vec![
        note_effect(1, NoteEffectSettings::Chord(chord)),
        note_effect(2, NoteEffectSettings::Arpeggiator(arpeggiator)),
        note_effect(3, NoteEffectSettings::Scale(scale)),
        instrument(4, Role::Pluck.instrument()),
    ];
    let second = vec![
        note_effect(11, NoteEffectSettings::Random(random)),
        note_effect(12, NoteEffectSettings::Velocity(VelocitySettings { random: 30.0, ..VelocitySettings::default() })),
        note_effect(13, NoteEffectSettings::NoteLength(length)),
        note_effect(14, NoteEffectSettings::Pitch(PitchSettings { shift: Shift::Semitones(12), ..Default::default() })),
        instrument(15, Role::Keys.instrument()),
    ];
    with_notes(vec![track(1, first), track(2, second)], 3)
}

/// Drift in four ways, a Simpler with everything that moves, a warped one, a drum sampler with each effect.
pub fn instruments() -> (MixSettings, Vec<PieceEvent>) {
    let drift = |change: fn(&mut DriftSettings)| {
        let mut settings = DriftSettings::default();
        change(&mut settings);
        InstrumentSettings::Drift(Box::new(settings))
    };
    let lfo = SamplerLfo {
        wave: LfoWave::Wander,
        rate: LfoRate::PerBeat(2.0),
        key_tracking: 0.3,
        attack: 0.1,
        retrigger: true,
        offset: 0.1,
        semitones: 0.4,
        level: 0.5,
        pan: 0.7,
        filter_octaves: 1.0,
    };
    let whole = SamplerSettings::of(pluck());
    let times = EnvelopeTimes { attack: 0.01, decay: 0.1, sustain: 0.0, release: 0.1 };
    let moving = SamplerSettings {
        lfo: Some(lfo),
        pitch_envelope: Some(PitchEnvelope { semitones: 12.0, envelope: times }),
        glide: SamplerGlide::Portamento(0.08),
        spread: 0.6,
        pan_random: 0.5,
        ..whole.clone()
    };
    let markers = vec![
        crate::mixer::WarpMarker { beats: 0.0, seconds: 0.0 },
        crate::mixer::WarpMarker { beats: 1.0, seconds: 1.0 },
    ];
    let grains = match Warp::TONES {
        Warp::Grains(grains) => Some(grains),
        _ => None,
    };
    let warped = SamplerSettings { warp: Some(SamplerWarp { grains, markers: markers.into() }), ..whole };
    let hit = |effect| {
        let settings = DrumSamplerSettings { effect: Some(effect), hold: 0.2, ..DrumSamplerSettings::of(pluck()) };
        InstrumentSettings::DrumSampler(Box::new(settings))
    };
    let sounds = vec![
        drift(|_| {}),
        drift(|settings| {
            settings.voices = DriftVoices::Mono { thickness: 0.5 };
            settings.glide = 0.1;
            settings.lowpass = DriftLowpass::Two;
            (settings.lowpass_hz, settings.resonance) = (600.0, 0.6);
        }),
        drift(|settings| {
            settings.voices = DriftVoices::Stereo { spread: 0.7 };
            settings.first.wave = DriftWave::SharkTooth;
            settings.second_envelope = SecondEnvelope::Cycle { rate: LfoRate::PerBeat(1.0), tilt: 0.2, hold: 0.1 };
            settings.lowpass_hz = 300.0;
        }),
        drift(|settings| {
            settings.voices = DriftVoices::Unison { strength: 0.5 };
            settings.noise_db = -20.0;
            settings.routes[0] = DriftRoute {
                from: DriftAmount { source: DriftSource::Lfo, amount: 0.5 },
                target: DriftTarget::Oscillator2Detune,
            };
        }),
        sampler(moving),
        sampler(warped),
        hit(DrumSamplerEffect::Stretch { factor: 2.0, grain: 0.05 }),
        hit(DrumSamplerEffect::Loop { offset: 0.1, length: 0.03 }),
        hit(DrumSamplerEffect::PitchEnvelope { semitones: 24.0, decay: 0.1 }),
        hit(DrumSamplerEffect::Punch { amount: 0.8, release: 0.1 }),
        hit(DrumSamplerEffect::EightBit { hz: 6_000.0, filter_decay: 0.3 }),
        hit(DrumSamplerEffect::FrequencyModulation { amount: 0.5, hz: 300.0 }),
        hit(DrumSamplerEffect::RingModulation { amount: 0.7, hz: 150.0 }),
        hit(DrumSamplerEffect::SubOscillator { amount: 0.5, hz: 55.0 }),
        hit(DrumSamplerEffect::Noise { amount: 0.3, color: 0.7 }),
    ];
    let tracks = sounds.into_iter().zip(1..).map(|(sound, id)| track(id, vec![instrument(u64::from(id), sound)]));
    with_notes(tracks.collect(), 3)
}

/// The effects that the full mix has not, each on a track of its own.
pub fn more_effects() -> (MixSettings, Vec<PieceEvent>) {
    let effects = vec![
        EffectSettings::EqThree(EqThreeSettings { low_db: 3.0, mid_db: -6.0, ..EqThreeSettings::default() }),
        EffectSettings::ChannelEq(ChannelEqSettings { low_db: 4.0, high_db: -6.0, ..ChannelEqSettings::default() }),
        EffectSettings::Glue(GlueSettings { threshold_db: -25.0, release_ms: None, ..GlueSettings::default() }),
        EffectSettings::Gate(GateSettings { threshold_db: -25.0, ..GateSettings::default() }),
        EffectSettings::Redux(ReduxSettings { hz: 9_000.0, bits: 7.0, jitter: 0.2, ..ReduxSettings::default() }),
        EffectSettings::Chorus(ChorusSettings { feedback: 0.3, ..ChorusSettings::default() }),
        EffectSettings::AutoPan(AutoPanSettings { rate: LfoRate::PerBeat(2.0), ..AutoPanSettings::default() }),
        EffectSettings::PhaserFlanger(PhaserSettings { feedback: 0.5, ..PhaserSettings::default() }),
        EffectSettings::PhaserFlanger(PhaserSettings { mode: PhaserMode::Flanger, ..PhaserSettings::default() }),
        EffectSettings::Echo(EchoSettings { room: 0.4, ..EchoSettings::default() }),
        EffectSettings::DrumBuss(DrumBussSettings { boom: 0.4, transients: 0.3, crunch: 0.2, ..Default::default() }),
    ];
    let tracks = effects.into_iter().zip(1..).map(|(settings, id)| {
        track(
            id,
            vec![instrument(u64::from(id) * 10, Role::Keys.instrument()), effect(u64::from(id) * 10 + 1, settings)],
        )
    });
    with_notes(tracks.collect(), 3)
}

/// Parameters of many kinds that move, on the effects' piece.
pub fn automation() -> (MixSettings, Vec<PieceEvent>) {
    let (mix, mut events) = more_effects();
    let moves = [
        (1, Automated::Device(11), Parameter::GainLow, -30.0),
        (2, Automated::Device(21), Parameter::Frequency, 400.0),
        (3, Automated::Device(31), Parameter::Threshold, -40.0),
        (5, Automated::Device(51), Parameter::Rate, 2_000.0),
        (6, Automated::Device(61), Parameter::Time, 40.0),
        (8, Automated::Device(81), Parameter::Frequency, 3_000.0),
        (10, Automated::Device(101), Parameter::Feedback, 0.9),
        (11, Automated::Track, Parameter::Pan, -1.0),
        (4, Automated::Device(41), Parameter::On, 0.0),
    ];
    for (track, of, parameter, value) in moves {
        let kind = EventKind::Parameter { of, parameter, value, frames: 40_000 };
        events.push(PieceEvent { frame: SECOND / 2 + u64::from(track) * 1_111, track, kind });
        events.push(PieceEvent { frame: 2 * SECOND + 33, track, kind: EventKind::FreeParameter { of, parameter } });
    }
    events.sort_by_key(|event| event.frame);
    (mix, events)
}

/// Writes the pieces as WAV into the folder that `SOUND_PHRASES` names, to be looked at and listened to.
#[test]
#[ignore = "writes, and judges nothing"]
fn writes_pieces() {
    let Ok(folder) = std::env::var("SOUND_PHRASES") else { return };
    for (name, made) in PIECES {
        let (mix, events) = made();
        let ids: Vec<u32> = mix.tracks.iter().map(|track| track.id).collect();
        let (_, stems) = stems(mix, &events, 4 * SECOND, &ids);
        for id in ids {
            let spec = hound::WavSpec {
                channels: 2,
                sample_rate: 48_000,
                bits_per_sample: 32,
                sample_format: hound::SampleFormat::Float,
            };
            let path = format!("{folder}/{} {id}.wav", name.replace(' ', "-"));
            let mut file = hound::WavWriter::create(path, spec).expect("a file");
            let stem = stems.get(id).expect("a stem").interleaved();
            stem.iter().for_each(|x| file.write_sample(*x).expect("a sample"));
            file.finalize().expect("a file");
        }
    }
}

type Made = fn() -> (MixSettings, Vec<PieceEvent>);

pub const PIECES: [(&str, Made); 6] = [
    ("note effects", note_effects),
    ("instruments", instruments),
    ("more effects", more_effects),
    ("automation", automation),
    ("operators", super::operator::piece),
    ("impulses", super::impulse::piece),
];

#[test]
fn block_sizes_change_nothing_of_any_device() {
    for (name, made) in PIECES {
        let (mix, events) = made();
        let whole = play_in_blocks(mix.clone(), &events, 4 * SECOND, 4_096);
        let peak = whole.left.iter().fold(0.0f32, |peak, x| peak.max(x.abs()));
        assert!(peak > 0.1, "{name}: {peak}");
        for block in [1, 17, 64] {
            let other = play_in_blocks(mix.clone(), &events, 4 * SECOND, block);
            let same = |a: &[f32], b: &[f32]| a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits());
            assert!(same(&whole.left, &other.left) && same(&whole.right, &other.right), "{name}: blocks of {block}");
        }
    }
}

#[test]
fn every_device_is_silent_in_the_end() {
    for (name, made) in PIECES {
        let (mix, events) = made();
        let out = play(mix, &events, 45 * SECOND);
        let last = out.left.iter().zip(&out.right).rposition(|(l, r)| *l != 0.0 || *r != 0.0).expect("sound");
        assert!(last < 44 * SECOND as usize, "{name}: the last sound is at {} s", last as f32 / RATE);
    }
}

/// Any settings of them, also wild ones: numbers stay numbers, and no louder than 12 dB.
#[test]
fn random_settings_of_any_device_make_no_nonsense() {
    for seed in 0..40u64 {
        let mut dice = crate::dsp::noise::Noise::new(seed + 500);
        let mut unit = || 0.5 + 0.4999 * dice.next_value();
        let settings = match seed % 10 {
            0 => EffectSettings::EqThree(EqThreeSettings {
                low_db: 12.0 * unit() - 6.0,
                high_db: 12.0 * unit() - 6.0,
                low_hz: 50.0 * 100f32.powf(unit()),
                high_hz: 200.0 * 90f32.powf(unit()),
                steep: unit() > 0.5,
                ..EqThreeSettings::default()
            }),
            1 => EffectSettings::Echo(EchoSettings {
                left: DelayTime::Seconds(0.001 + unit()),
                feedback: 1.5 * unit(),
                room: unit(),
                room_place: EchoRoom::Inside,
                filter: Some(EchoFilter {
                    highpass_hz: 20.0 * 1_000f32.powf(unit()),
                    highpass_resonance: 0.3 * unit(),
                    lowpass_hz: 20.0 * 1_000f32.powf(unit()),
                    lowpass_resonance: 0.3 * unit(),
                }),
                movement: EchoMovement {
                    wave: LfoWave::SampleAndHold,
                    rate: LfoRate::Hz(40.0 * unit()),
                    phase: unit(),
                    delay: unit(),
                    filter: unit(),
                },
                mix: unit(),
                ..EchoSettings::default()
            }),
            2 => EffectSettings::PhaserFlanger(PhaserSettings {
                mode: [PhaserMode::Phaser, PhaserMode::Flanger, PhaserMode::Doubler][(unit() * 2.99) as usize],
                notches: 1 + (41.0 * unit()) as u8,
                center_hz: 20.0 * 900f32.powf(unit()),
                feedback: 0.99 * unit(),
                amount: unit(),
                rate: LfoRate::Hz(20.0 * unit()),
                envelope_amount: 2.0 * unit() - 1.0,
                spread: unit(),
                ..PhaserSettings::default()
            }),
            3 => EffectSettings::Chorus(ChorusSettings {
                feedback: 0.99 * unit(),
                amount: unit(),
                rate: LfoRate::Hz(15.0 * unit()),
                delay_ms: 0.1 + 50.0 * unit(),
                width: 2.0 * unit(),
                ..ChorusSettings::default()
            }),
            4 => EffectSettings::Redux(ReduxSettings {
                hz: 20.0 * 2_000f32.powf(unit()),
                bits: 1.0 + 15.0 * unit(),
                jitter: unit(),
                shape: unit(),
                dc_shift: unit() > 0.5,
                post_filter: Some(unit()),
                ..ReduxSettings::default()
            }),
            5 => EffectSettings::DrumBuss(DrumBussSettings {
                compressor: unit() > 0.5,
                drive: unit(),
                drive_type: [DrumDrive::Soft, DrumDrive::Medium, DrumDrive::Hard][(unit() * 2.99) as usize],
                crunch: unit(),
                damping_hz: 500.0 * 40f32.powf(unit()),
                transients: 2.0 * unit() - 1.0,
                boom: unit(),
                boom_decay: unit(),
                output_db: -6.0,
                ..DrumBussSettings::default()
            }),
            6 => EffectSettings::Gate(GateSettings {
                threshold_db: -60.0 * unit(),
                attack_ms: 0.02 + 100.0 * unit(),
                return_db: 24.0 * unit(),
                ..GateSettings::default()
            }),
            7 => EffectSettings::Glue(GlueSettings {
                threshold_db: -40.0 * unit(),
                attack_ms: 0.01 + 30.0 * unit(),
                release_ms: (unit() > 0.5).then_some(100.0),
                ..GlueSettings::default()
            }),
            8 => EffectSettings::AutoPan(AutoPanSettings {
                amount: unit(),
                shape: 2.0 * unit() - 1.0,
                rate: LfoRate::Hz(60.0 * unit()),
                wave: LfoWave::Square,
                ..AutoPanSettings::default()
            }),
            _ => EffectSettings::ChannelEq(ChannelEqSettings {
                mid_db: 12.0 * unit() - 6.0,
                mid_hz: 120.0 * 60f32.powf(unit()),
                high_db: 20.0 * unit() - 15.0,
                ..ChannelEqSettings::default()
            }),
        };
        let plain = DriftSettings::default();
        let drift = DriftSettings {
            first: DriftOscillator { shape: unit(), ..plain.first },
            lowpass_hz: 20.0 * 1_000f32.powf(unit()),
            resonance: 0.6 * unit(),
            lowpass: if unit() > 0.5 { DriftLowpass::One } else { DriftLowpass::Two },
            lfo: DriftLfo { rate: LfoRate::Hz(100.0 * unit()), ..plain.lfo },
            pitch_by: [DriftAmount { source: DriftSource::Lfo, amount: unit() }; 2],
            voices: DriftVoices::Unison { strength: unit() },
            drift: unit(),
            level_db: -12.0,
            ..plain
        };
        let sound = InstrumentSettings::Drift(Box::new(drift));
        let devices = vec![instrument(1, sound), effect(2, settings.clone())];
        let notes = (0..24).map(|n| note(1, (24 + 97 * n % 84) as u8, 0.9, 2_000 * n, 2_000 * n + 9_000));
        let loud = MixSettings { soft_clip: false, ..mix(vec![track(1, devices)]) };
        let out = play(loud, &in_order(notes), 2 * SECOND);
        let higher = |peak: f32, x: &f32| if x.is_finite() { peak.max(x.abs()) } else { f32::INFINITY };
        let peak = out.left.iter().chain(&out.right).fold(0.0f32, higher);
        assert!(peak < 4.0, "seed {seed}, {settings:?}: peak {peak}");
    }
}
