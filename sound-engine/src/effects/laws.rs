//! What is true of effects, measured on their sound.

use super::*;
use crate::analysis::{gain_db_at, largest_step, level_db_at, sine};
use crate::dsp::noise::Noise;
use crate::dsp::smooth_filter::FilterSettings;
use crate::dsp::span::{Bus, Span, TICK};
use crate::dsp::svf::Response;

const RATE: f32 = 48_000.0;

fn band(band_type: BandType, hz: f32, gain_db: f32, q: f32) -> EqBand {
    EqBand { on: true, band_type, hz, gain_db, q }
}

fn eq(first: EqBand) -> EffectSettings {
    let idle = EqBand { on: false, ..band(BandType::Bell, 1000.0, 0.0, 0.71) };
    let mut bands = [idle; 8];
    bands[0] = first;
    EffectSettings::EqEight(EqEightSettings { bands, scale: 1.0, output_db: 0.0 })
}

fn utility(settings: UtilitySettings) -> EffectSettings {
    EffectSettings::Utility(settings)
}

/// One of each, with everything on that remembers.
fn all() -> Vec<EffectSettings> {
    let lfo = Lfo { wave: LfoWave::Sine, rate: LfoRate::Hz(3.0), octaves: 1.0, phase: 0.25, offset: 0.0 };
    vec![
        eq(band(BandType::HighPass48, 200.0, 0.0, 0.71)),
        EffectSettings::Compressor(CompressorSettings {
            threshold_db: -30.0,
            auto_release: true,
            detector_filter: Some(FilterSettings { response: Response::Highpass, hz: 80.0, q: 0.7 }),
            ..CompressorSettings::default()
        }),
        EffectSettings::Reverb(ReverbSettings::default()),
        EffectSettings::Delay(DelaySettings::default()),
        EffectSettings::Saturator(SaturatorSettings {
            drive_db: 12.0,
            color: Some(SaturatorColor { low: 0.5, high: -0.3, hz: 2000.0 }),
            dc_filter: true,
            ..SaturatorSettings::default()
        }),
        utility(UtilitySettings { bass_mono_hz: Some(120.0), dc_filter: true, ..UtilitySettings::default() }),
        EffectSettings::AutoFilter(AutoFilterSettings {
            hz: 500.0,
            resonance: 0.6,
            lfo,
            envelope_octaves: 2.0,
            ..AutoFilterSettings::default()
        }),
        EffectSettings::Limiter(LimiterSettings { gain_db: 12.0, ..LimiterSettings::default() }),
        EffectSettings::EqThree(EqThreeSettings { low_db: -6.0, ..EqThreeSettings::default() }),
        EffectSettings::ChannelEq(ChannelEqSettings {
            highpass: true,
            low_db: 4.0,
            high_db: -5.0,
            ..ChannelEqSettings::default()
        }),
        EffectSettings::Glue(GlueSettings { threshold_db: -30.0, release_ms: None, ..GlueSettings::default() }),
        EffectSettings::Gate(GateSettings {
            detector: DetectorSettings {
                filter: Some(FilterSettings { response: Response::Highpass, hz: 80.0, q: 0.7 }),
                ..DetectorSettings::default()
            },
            ..GateSettings::default()
        }),
        EffectSettings::Redux(ReduxSettings {
            hz: 7_000.0,
            jitter: 0.3,
            bits: 6.0,
            shape: 0.4,
            pre_filter: true,
            post_filter: Some(0.2),
            ..ReduxSettings::default()
        }),
        EffectSettings::Chorus(ChorusSettings {
            mode: ChorusMode::Ensemble,
            feedback: 0.4,
            highpass_hz: Some(90.0),
            warmth: 0.5,
            ..ChorusSettings::default()
        }),
        EffectSettings::AutoPan(AutoPanSettings { wave: LfoWave::Wander, shape: 0.4, ..AutoPanSettings::default() }),
        EffectSettings::PhaserFlanger(PhaserSettings {
            notches: 12,
            feedback: 0.7,
            envelope_amount: 0.3,
            ..PhaserSettings::default()
        }),
        EffectSettings::PhaserFlanger(PhaserSettings {
            mode: PhaserMode::Flanger,
            feedback: -0.6,
            ..PhaserSettings::default()
        }),
        EffectSettings::Echo(EchoSettings {
            channels: EchoChannels::PingPong,
            room: 0.5,
            room_place: EchoRoom::Inside,
            duck: Some((-20.0, 80.0)),
            gate: Some((-50.0, 80.0)),
            movement: EchoMovement { delay: 0.4, filter: 0.5, ..EchoSettings::default().movement },
            ..EchoSettings::default()
        }),
        EffectSettings::DrumBuss(DrumBussSettings {
            compressor: true,
            crunch: 0.4,
            transients: 0.5,
            boom: 0.6,
            ..DrumBussSettings::default()
        }),
    ]
}

/// Plays a stereo signal through an effect whose settings may change: `settings` is asked at each tick.
pub(super) fn play_changing<'a>(
    state: &mut EffectState,
    frames: usize,
    mut signal: impl FnMut(usize) -> (f32, f32),
    settings: impl Fn(usize) -> &'a EffectSettings,
) -> (Vec<f32>, Vec<f32>) {
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for start in (0..frames).step_by(TICK) {
        let span = Span { start: start as u64, frames: TICK };
        let mut bus = Bus::SILENT;
        for at in 0..TICK {
            (bus.left[at], bus.right[at]) = signal(start + at);
        }
        let context = EffectContext { span, tempo_bpm: 120.0, song_beat: None, sidechain: None };
        state.process(settings(start), &context, &mut bus);
        left.extend_from_slice(&bus.left);
        right.extend_from_slice(&bus.right);
    }
    (left, right)
}

pub(super) fn play(settings: &EffectSettings, signal: &[f32]) -> Vec<f32> {
    let mut state = EffectState::new(settings, RATE);
    let at = |n: usize| signal.get(n).copied().unwrap_or_default();
    play_changing(&mut state, signal.len(), |n| (at(n), at(n)), |_| settings).0
}

#[test]
fn an_eq_has_its_gain_at_its_frequency() {
    for (first, at, meant) in [
        (band(BandType::Bell, 1000.0, 6.0, 1.0), 1000.0, 6.0),
        (band(BandType::Bell, 60.0, -15.0, 4.0), 60.0, -15.0),
        (band(BandType::Bell, 12_000.0, 12.0, 0.7), 12_000.0, 12.0),
        (band(BandType::LowShelf, 200.0, 9.0, 0.71), 20.0, 9.0),
        (band(BandType::LowShelf, 200.0, 9.0, 0.71), 200.0, 4.5),
        (band(BandType::HighShelf, 4000.0, -12.0, 0.71), 4000.0, -6.0),
        (band(BandType::HighPass12, 300.0, 0.0, 0.707), 300.0, -3.01),
        (band(BandType::HighPass48, 300.0, 0.0, 0.707), 300.0, -3.01),
        (band(BandType::LowPass48, 3000.0, 0.0, 0.707), 3000.0, -3.01),
        (band(BandType::LowPass48, 1000.0, 0.0, 0.707), 2000.0, -48.3),
        (band(BandType::LowPass12, 1000.0, 0.0, 0.707), 100.0, 0.0),
    ] {
        let settings = eq(first);
        let is = gain_db_at(RATE, at, |signal| play(&settings, signal));
        assert!((is - meant).abs() < 0.2, "{first:?} at {at} Hz: {is:.2} dB, not {meant}");
    }
}

/// A square has the same level at every moment, so that what comes out is the static curve.
#[test]
fn a_compressor_follows_its_curve() {
    let knee = |over: f32, knee: f32, slope: f32| -> f32 {
        if over <= -knee / 2.0 {
            0.0
        } else if over < knee / 2.0 {
            slope * (over + knee / 2.0).powi(2) / (2.0 * knee)
        } else {
            slope * over
        }
    };
    for model in [CompressorModel::Peak, CompressorModel::Rms, CompressorModel::Expand] {
        for envelope in [EnvelopeMode::Linear, EnvelopeMode::Logarithmic] {
            for (threshold_db, ratio, knee_db) in [(-20.0, 4.0, 0.0), (-30.0, 2.0, 12.0), (-12.0, f32::INFINITY, 6.0)] {
                let settings = CompressorSettings {
                    threshold_db,
                    ratio,
                    knee_db,
                    model,
                    envelope,
                    ..CompressorSettings::default()
                };
                let slope = if model == CompressorModel::Expand { 0.15 } else { 1.0 / ratio - 1.0 };
                for level in [-60.0, -31.0, -25.0, -18.0, -12.0, -6.0, 0.0] {
                    let amplitude = 10f32.powf(level / 20.0);
                    let square: Vec<f32> =
                        (0..48_000).map(|n| if n / 50 % 2 == 0 { amplitude } else { -amplitude }).collect();
                    let out = play(&EffectSettings::Compressor(settings.clone()), &square);
                    let is = 20.0 * out[47_000].abs().log10();
                    let meant = level + knee(level - threshold_db, knee_db, slope);
                    assert!((is - meant).abs() < 0.3, "{settings:?} at {level} dB: {is:.2} dB, not {meant:.2}");
                }
            }
        }
    }
}

/// The time to 60 dB below, by the slope of the energy that is left between 5 and 35 dB (ISO 3382).
fn rt60(tail: &[f32]) -> f32 {
    let mut left = vec![0.0f64; tail.len() + 1];
    for n in (0..tail.len()).rev() {
        left[n] = left[n + 1] + f64::from(tail[n]).powi(2);
    }
    let at = |db: f64| left.iter().position(|e| 10.0 * (e / left[0]).log10() < db).unwrap_or(tail.len()) as f32;
    2.0 * (at(-35.0) - at(-5.0)) / RATE
}

#[test]
fn a_reverb_rings_as_long_as_it_is_told() {
    for decay_s in [0.4, 1.2, 3.0, 8.0] {
        for size in [0.3, 1.0, 1.6] {
            let settings = ReverbSettings {
                decay_s,
                size,
                high_shelf: None,
                high_cut_hz: None,
                reflect_db: -100.0,
                mix: 1.0,
                ..ReverbSettings::default()
            };
            let mut burst = vec![0.0; (decay_s * 1.3 * RATE) as usize + 9_600];
            let mut noise = Noise::new(1);
            burst.iter_mut().take(480).for_each(|x| *x = noise.next_value());
            let out = play(&EffectSettings::Reverb(settings), &burst);
            let is = rt60(&out[4_800..]);
            assert!((is / decay_s - 1.0).abs() < 0.1, "{decay_s} s at size {size}: {is:.3} s");
        }
    }
}

#[test]
fn a_frozen_reverb_keeps_its_level() {
    let freeze =
        |freeze| EffectSettings::Reverb(ReverbSettings { freeze, mix: 1.0, decay_s: 3.0, ..ReverbSettings::default() });
    let (open, frozen) = (freeze(false), freeze(true));
    let mut noise = Noise::new(1);
    let mut state = EffectState::new(&open, RATE);
    let signal = |n: usize| if n < 24_000 { (noise.next_value(), noise.next_value()) } else { (0.0, 0.0) };
    let pick = |n: usize| if n < 24_000 { &open } else { &frozen };
    let (left, _) = play_changing(&mut state, 48_000 * 12, signal, pick);
    let energy = |from: usize| left[from..from + 48_000].iter().map(|x| x * x).sum::<f32>();
    let change = 10.0 * (energy(48_000 * 10) / energy(48_000)).log10();
    assert!(change.abs() < 1.5, "{change:.2} dB in nine seconds");
}

#[test]
fn echoes_come_when_they_are_told_and_change_sides() {
    let settings =
        EffectSettings::Delay(DelaySettings { ping_pong: true, filter: None, mix: 1.0, ..DelaySettings::default() });
    let mut state = EffectState::new(&settings, RATE);
    let signal = |n: usize| if n == 0 { (1.0, 1.0) } else { (0.0, 0.0) };
    let (left, right) = play_changing(&mut state, 96_000, signal, |_| &settings);
    // Three sixteenths at 120: 375 ms.
    for (echo, gain) in [(1, 1.0), (2, 0.5), (3, 0.25), (4, 0.125)] {
        let (side, other) = if echo % 2 == 1 { (&left, &right) } else { (&right, &left) };
        assert!((side[18_000 * echo] - gain).abs() < 1e-3, "echo {echo}: {}", side[18_000 * echo]);
        assert!(other[18_000 * echo].abs() < 1e-6);
    }
}

#[test]
fn a_limiter_lets_nothing_over_its_ceiling() {
    let settings =
        EffectSettings::Limiter(LimiterSettings { gain_db: 18.0, ceiling_db: -3.0, ..LimiterSettings::default() });
    let mut noise = Noise::new(3);
    let out = play(&settings, &(0..96_000).map(|_| noise.next_value()).collect::<Vec<_>>());
    let peak = out.iter().fold(0.0f32, |peak, x| peak.max(x.abs()));
    assert!(peak <= 10f32.powf(-3.0 / 20.0) + 1e-5, "{peak}");
}

#[test]
fn a_saturator_folds_little_back() {
    let settings = EffectSettings::Saturator(SaturatorSettings { drive_db: 12.0, ..SaturatorSettings::default() });
    let out = play(&settings, &sine(5_000.0, RATE, 48_000));
    // Of the harmonics, the seventh (35 kHz) would fold to 13 kHz.
    let fold = level_db_at(&out, RATE, 13_000.0) - level_db_at(&out, RATE, 5_000.0);
    assert!(fold < -60.0, "{fold:.1} dB");
    let quiet = gain_db_at(RATE, 1000.0, |signal| {
        play(&EffectSettings::Saturator(SaturatorSettings { output_db: -6.0, ..SaturatorSettings::default() }), signal)
    });
    assert!((quiet + 6.0).abs() < 0.2, "{quiet:.2}");
}

#[test]
fn utility_mixes_as_it_is_told() {
    let tone = |settings: UtilitySettings, left: f32, right: f32| {
        let settings = utility(settings);
        let mut state = EffectState::new(&settings, RATE);
        let (l, r) = play_changing(&mut state, 64, |_| (left, right), |_| &settings);
        (l[40], r[40])
    };
    let plain = UtilitySettings::default;
    for (settings, meant) in [
        (plain(), (1.0, 0.5)),
        (UtilitySettings { mono: true, ..plain() }, (0.75, 0.75)),
        (UtilitySettings { width: 2.0, ..plain() }, (1.25, 0.25)),
        (UtilitySettings { channels: ChannelMode::Swap, ..plain() }, (0.5, 1.0)),
        (UtilitySettings { channels: ChannelMode::Left, ..plain() }, (1.0, 1.0)),
        (UtilitySettings { invert_right: true, ..plain() }, (1.0, -0.5)),
        (UtilitySettings { balance: -1.0, ..plain() }, (1.0, 0.0)),
        (UtilitySettings { mute: true, ..plain() }, (0.0, 0.0)),
        (UtilitySettings { gain_db: 6.0206, ..plain() }, (2.0, 1.0)),
    ] {
        let is = tone(settings.clone(), 1.0, 0.5);
        assert!((is.0 - meant.0).abs() < 1e-3 && (is.1 - meant.1).abs() < 1e-3, "{settings:?}: {is:?}, not {meant:?}");
    }
}

#[test]
fn an_auto_filter_takes_away_what_lies_above() {
    let settings = EffectSettings::AutoFilter(AutoFilterSettings { hz: 500.0, ..AutoFilterSettings::default() });
    assert!(gain_db_at(RATE, 100.0, |signal| play(&settings, signal)).abs() < 0.5);
    assert!(gain_db_at(RATE, 4_000.0, |signal| play(&settings, signal)) < -60.0);
}

/// After a sound, a minute of silence: nothing subnormal is remembered, at any tick that is looked at.
#[test]
fn nothing_subnormal_is_remembered() {
    for settings in all() {
        let mut state = EffectState::new(&settings, RATE);
        let mut noise = Noise::new(2);
        for second in 0..60 {
            let loud = |_| (noise.next_value(), noise.next_value());
            if second == 0 {
                play_changing(&mut state, 4_800, loud, |_| &settings);
            } else {
                play_changing(&mut state, 48_000, |_| (0.0, 0.0), |_| &settings);
            }
            let subnormal = state.memory().iter().filter(|value| value.is_subnormal()).count();
            assert_eq!(subnormal, 0, "{settings:?} after {second} s");
        }
    }
}

/// The same frames come out whatever lengths they are made in.
#[test]
fn spans_may_be_cut_anywhere() {
    for settings in all() {
        let mut noise = Noise::new(5);
        let signal: Vec<f32> = (0..4_800).map(|_| noise.next_value()).collect();
        let whole = play(&settings, &signal);
        let mut state = EffectState::new(&settings, RATE);
        let (mut made, mut cut) = (Vec::new(), 0usize);
        while made.len() < signal.len() {
            cut = (cut * 7 + 3) % 16;
            let start = made.len();
            let frames = (cut + 1).min(TICK - start % TICK);
            let mut bus = Bus::SILENT;
            bus.left[..frames].copy_from_slice(&signal[start..start + frames]);
            bus.right = bus.left;
            let span = Span { start: start as u64, frames };
            state.process(
                &settings,
                &EffectContext { span, tempo_bpm: 120.0, song_beat: None, sidechain: None },
                &mut bus,
            );
            made.extend_from_slice(&bus.left[..frames]);
        }
        assert!(whole.iter().zip(&made).all(|(a, b)| a.to_bits() == b.to_bits()), "{settings:?}");
    }
}

/// A change of settings while a low tone sounds: no step beyond what the louder of both tones makes itself.
#[test]
fn changed_settings_do_not_click() {
    let tone = sine(100.0, RATE, 48_000);
    let saturator =
        |shape| EffectSettings::Saturator(SaturatorSettings { drive_db: 6.0, shape, ..SaturatorSettings::default() });
    let filter = |filter_type, hz| {
        EffectSettings::AutoFilter(AutoFilterSettings { filter_type, hz, ..AutoFilterSettings::default() })
    };
    let cases = [
        (eq(band(BandType::LowPass12, 200.0, 0.0, 0.7)), eq(band(BandType::HighPass48, 200.0, 0.0, 0.7))),
        (eq(band(BandType::Bell, 100.0, 15.0, 1.0)), eq(EqBand { on: false, ..band(BandType::Bell, 100.0, 0.0, 1.0) })),
        (saturator(SaturatorShape::AnalogClip), saturator(SaturatorShape::SinoidFold)),
        (filter(FilterType::Lowpass, 80.0), filter(FilterType::Highpass, 2000.0)),
        (utility(UtilitySettings::default()), utility(UtilitySettings { mute: true, ..UtilitySettings::default() })),
        (
            EffectSettings::Reverb(ReverbSettings { mix: 0.0, ..ReverbSettings::default() }),
            EffectSettings::Reverb(ReverbSettings { mix: 1.0, ..ReverbSettings::default() }),
        ),
    ];
    let gate = |threshold_db| EffectSettings::Gate(GateSettings { threshold_db, ..GateSettings::default() });
    let kill = |low_on| EffectSettings::EqThree(EqThreeSettings { low_on, ..EqThreeSettings::default() });
    let more = [
        (gate(-90.0), gate(20.0)),
        (kill(true), kill(false)),
        (
            EffectSettings::Chorus(ChorusSettings { mix: 0.0, ..ChorusSettings::default() }),
            EffectSettings::Chorus(ChorusSettings { delay_ms: 35.0, ..ChorusSettings::default() }),
        ),
        (
            EffectSettings::PhaserFlanger(PhaserSettings { center_hz: 100.0, ..PhaserSettings::default() }),
            EffectSettings::PhaserFlanger(PhaserSettings { center_hz: 3_000.0, ..PhaserSettings::default() }),
        ),
        (
            EffectSettings::Echo(EchoSettings::default()),
            EffectSettings::Echo(EchoSettings { left: DelayTime::Seconds(0.2), ..EchoSettings::default() }),
        ),
        (
            EffectSettings::DrumBuss(DrumBussSettings { drive: 0.0, ..DrumBussSettings::default() }),
            EffectSettings::DrumBuss(DrumBussSettings { drive: 0.2, boom: 0.3, ..DrumBussSettings::default() }),
        ),
    ];
    for (before, after) in cases.into_iter().chain(more) {
        let mut state = EffectState::new(&before, RATE);
        let pick = |n: usize| if (n / 6_000).is_multiple_of(2) { &before } else { &after };
        let (out, _) = play_changing(&mut state, tone.len(), |n| (tone[n], tone[n]), pick);
        let step = largest_step(&out[4_800..]);
        assert!(step < 0.12, "{before:?} to {after:?}: {step}");
    }
}
