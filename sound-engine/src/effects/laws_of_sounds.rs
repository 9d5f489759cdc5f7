//! Laws of single effects: what each does to levels, spectra and times.

use super::laws::{play, play_changing};
use super::*;
use crate::analysis::{fundamental_hz, gain_db_at, level_db_at, sine};
use crate::dsp::noise::Noise;

const RATE: f32 = 48_000.0;

fn gain(settings: &EffectSettings, hz: f32) -> f64 {
    gain_db_at(RATE, hz, |signal| play(settings, signal))
}

#[test]
fn three_bands_add_up_and_are_cut() {
    for steep in [false, true] {
        let plain = EqThreeSettings { steep, ..EqThreeSettings::default() };
        for hz in [40.0, 250.0, 700.0, 2_500.0, 9_000.0] {
            let is = gain(&EffectSettings::EqThree(plain), hz);
            assert!(is.abs() < 0.2, "{hz} Hz, steep {steep}: {is:.2} dB");
        }
        let slope = if steep { 48.0 } else { 24.0 };
        let killed = gain(&EffectSettings::EqThree(EqThreeSettings { low_on: false, ..plain }), 62.5);
        assert!((killed + 2.0 * slope).abs() < 1.5, "two octaves below: {killed:.1} dB");
        let louder = gain(&EffectSettings::EqThree(EqThreeSettings { mid_db: 6.0, ..plain }), 800.0);
        assert!((louder - 6.0).abs() < 0.3, "{louder:.2}");
        let only = EqThreeSettings { low_db: f32::NEG_INFINITY, mid_db: f32::NEG_INFINITY, ..plain };
        assert!(gain(&EffectSettings::EqThree(only), 12_000.0).abs() < 0.2);
    }
}

#[test]
fn a_channel_eq_has_its_gains() {
    let plain = ChannelEqSettings::default();
    for (settings, hz, meant, within) in [
        (plain, 1_000.0, 0.0, 0.05),
        (ChannelEqSettings { mid_db: 9.0, mid_hz: 700.0, ..plain }, 700.0, 9.0, 0.2),
        (ChannelEqSettings { low_db: -10.0, ..plain }, 12.0, -10.0, 0.5),
        (ChannelEqSettings { low_db: -10.0, ..plain }, 100.0, -5.0, 0.2),
        (ChannelEqSettings { high_db: 12.0, ..plain }, 6_000.0, 6.0, 0.2),
        (ChannelEqSettings { highpass: true, ..plain }, 80.0, -3.0, 0.2),
        (ChannelEqSettings { output_db: -4.0, ..plain }, 500.0, -4.0, 0.1),
    ] {
        let is = gain(&EffectSettings::ChannelEq(settings), hz);
        assert!((is - meant).abs() < within, "{settings:?} at {hz} Hz: {is:.2} dB");
    }
}

/// A square has the same level at every moment.
fn square_out_db(settings: &EffectSettings, level_db: f32) -> f32 {
    let amplitude = 10f32.powf(level_db / 20.0);
    let square: Vec<f32> = (0..96_000).map(|n| if n / 50 % 2 == 0 { amplitude } else { -amplitude }).collect();
    20.0 * play(settings, &square)[95_000].abs().log10()
}

#[test]
fn glue_follows_its_curve_and_its_range() {
    for (ratio, threshold_db, range_db) in [(2.0, -20.0, 70.0), (4.0, -20.0, 70.0), (10.0, -30.0, 12.0)] {
        for release_ms in [Some(100.0), None] {
            let settings =
                GlueSettings { ratio, threshold_db, range_db, release_ms, attack_ms: 0.1, ..GlueSettings::default() };
            for level in [-50.0, -28.0, -15.0, -6.0, 0.0f32] {
                let over = level - threshold_db;
                // Outside of the knee.
                let reduction = if over >= 2.0 { (over * (1.0 - 1.0 / ratio)).min(range_db) } else { 0.0 };
                if over.abs() < 2.0 {
                    continue;
                }
                let is = square_out_db(&EffectSettings::Glue(settings), level);
                assert!((is - level + reduction).abs() < 0.3, "{settings:?} at {level}: {is:.2}");
            }
        }
    }
    let clip = EffectSettings::Glue(GlueSettings { output_db: 20.0, soft_clip: true, ..GlueSettings::default() });
    assert!(square_out_db(&clip, -3.0) <= -0.49);
}

#[test]
fn a_gate_is_open_or_closed() {
    let gate = GateSettings::default();
    let at = |settings, level| square_out_db(&EffectSettings::Gate(settings), level) - level;
    for (settings, level, meant) in [
        (gate, -6.0, 0.0),
        (gate, -20.0, -40.0),
        (GateSettings { floor_db: -12.0, ..gate }, -20.0, -12.0),
        (GateSettings { flip: true, ..gate }, -20.0, 0.0),
        (GateSettings { flip: true, ..gate }, -6.0, -40.0),
    ] {
        assert!((at(settings, level) - meant).abs() < 0.2, "{settings:?} at {level}: {}", at(settings, level));
    }
    assert_eq!(at(GateSettings { floor_db: -75.0, ..gate }, -20.0), f32::NEG_INFINITY);
    // It stays open while the level is between threshold and return, and for the hold.
    let tone = |n: usize| if n < 4_800 { 0.5 } else { 0.2 };
    let signal: Vec<f32> = (0..24_000).map(|n| if n / 20 % 2 == 0 { tone(n) } else { -tone(n) }).collect();
    assert!(play(&EffectSettings::Gate(gate), &signal)[23_000].abs() > 0.19);
    let signal: Vec<f32> = signal.iter().enumerate().map(|(n, x)| if n < 4_800 { *x } else { x * 0.1 }).collect();
    let held = EffectSettings::Gate(GateSettings { hold_ms: 200.0, ..gate });
    let out = play(&held, &signal);
    assert!(out[4_800 + 9_000].abs() > 0.019 && out[4_800 + 13_000].abs() < 0.003);
}

#[test]
fn redux_has_fewer_samples_and_bits() {
    let plain = ReduxSettings::default();
    let ramp: Vec<f32> = (0..9_600).map(|n| n as f32 / 9_600.0).collect();
    let out = play(&EffectSettings::Redux(ReduxSettings { hz: 4_800.0, ..plain }), &ramp);
    let changes = out.windows(2).filter(|pair| pair[0] != pair[1]).count();
    assert!((955..=965).contains(&changes), "{changes} of 960");
    let out = play(&EffectSettings::Redux(ReduxSettings { hz: 48_000.0, bits: 3.0, ..plain }), &ramp);
    let mut values: Vec<i32> = out.iter().map(|x| (x * 4.0).round() as i32).collect();
    assert!(out.iter().all(|x| (x * 4.0).fract() == 0.0));
    values.dedup();
    assert_eq!(values, [0, 1, 2, 3, 4]);
    // 5 kHz at 8,000 samples a second fold to 3 kHz, unless they are taken away before.
    let folded = |pre_filter| {
        let settings = EffectSettings::Redux(ReduxSettings { hz: 8_000.0, pre_filter, ..plain });
        level_db_at(&play(&settings, &sine(5_000.0, RATE, 48_000)), RATE, 3_000.0)
    };
    assert!(folded(false) > -6.0 && folded(true) < folded(false) - 10.0);
}

#[test]
fn auto_pan_moves_sides_and_keeps_the_beat() {
    let settings = |tremolo| {
        let rate = LfoRate::PerBeat(1.0);
        EffectSettings::AutoPan(AutoPanSettings { amount: 1.0, rate, tremolo, ..AutoPanSettings::default() })
    };
    let of = |settings: &EffectSettings| {
        let mut state = EffectState::new(settings, RATE);
        play_changing(&mut state, 48_000, |_| (0.5, 0.5), |_| settings)
    };
    let (left, right) = of(&settings(false));
    let sides: Vec<f32> = left.iter().zip(&right).map(|(l, r)| l + r).collect();
    assert!(sides[100..].iter().all(|sum| (sum - 0.5).abs() < 2e-3));
    assert!(left.iter().any(|x| *x > 0.499) && left[100..].iter().any(|x| *x < 0.001));
    let (left, right) = of(&settings(true));
    assert!(left == right);
    // At 120 a beat is 24,000 frames: as far from top to top.
    assert!((left[6_000] - left[30_000]).abs() < 5e-3);
}

#[test]
fn a_chorus_moves_pitch_and_keeps_the_level() {
    let noise: Vec<f32> = {
        let mut noise = Noise::new(4);
        (0..96_000).map(|_| noise.next_value() * 0.3).collect()
    };
    let power = |signal: &[f32]| signal.iter().map(|x| x * x).sum::<f32>() / signal.len() as f32;
    for mode in [ChorusMode::Chorus, ChorusMode::Ensemble, ChorusMode::Vibrato] {
        let settings = EffectSettings::Chorus(ChorusSettings { mode, ..ChorusSettings::default() });
        let change = 10.0 * (power(&play(&settings, &noise)[9_600..]) / power(&noise)).log10();
        assert!((-4.5..2.0).contains(&change), "{mode:?}: {change:.2} dB");
    }
    let vibrato = ChorusSettings { mode: ChorusMode::Vibrato, rate: LfoRate::Hz(1.0), ..ChorusSettings::default() };
    let out = play(&EffectSettings::Chorus(vibrato), &sine(440.0, RATE, 96_000));
    let pitches: Vec<f64> = (0..6).map(|n| fundamental_hz(&out[12_000 + n * 8_000..][..8_000], RATE, 440.0)).collect();
    let (low, high) = pitches.iter().fold((f64::MAX, 0.0f64), |(low, high), x| (low.min(*x), high.max(*x)));
    assert!(high / low > 1.01, "{pitches:?}");
}

#[test]
fn notches_lie_where_they_are_told() {
    let still = PhaserSettings { amount: 0.0, notches: 1, ..PhaserSettings::default() };
    let flanger = PhaserSettings { mode: PhaserMode::Flanger, ..still };
    for (settings, hz, notch) in [
        (still, 400.0, true),
        (still, 40.0, false),
        (PhaserSettings { center_hz: 2_000.0, ..still }, 2_000.0, true),
        (flanger, 200.0, true),
        (flanger, 400.0, false),
        (PhaserSettings { flanger_ms: 5.0, ..flanger }, 100.0, true),
    ] {
        let is = gain(&EffectSettings::PhaserFlanger(settings), hz);
        assert!(if notch { is < -30.0 } else { is > -2.0 }, "{settings:?} at {hz} Hz: {is:.1} dB");
    }
}

#[test]
fn echoes_come_in_time_and_never_grow_beyond_their_bend() {
    let settings = EffectSettings::Echo(EchoSettings { filter: None, mix: 1.0, ..EchoSettings::default() });
    let mut click = vec![0.0; 96_000];
    click[0] = 0.5;
    let out = play(&settings, &click);
    // Three sixteenths at 120: 375 ms.
    for (echo, meant) in [(1, 0.5), (2, 0.245), (3, 0.122)] {
        assert!((out[18_000 * echo] - meant).abs() < 5e-3, "echo {echo}: {}", out[18_000 * echo]);
    }
    let wild = EffectSettings::Echo(EchoSettings { feedback: 1.5, room: 1.0, ..EchoSettings::default() });
    let mut noise = Noise::new(9);
    let loud: Vec<f32> = (0..480_000).map(|n| if n < 48_000 { noise.next_value() } else { 0.0 }).collect();
    let peak = play(&wild, &loud).iter().fold(0.0f32, |peak, x| peak.max(x.abs()));
    assert!(peak < 4.0, "{peak}");
    let ducked = EffectSettings::Echo(EchoSettings {
        duck: Some((-30.0, 100.0)),
        mix: 1.0,
        left: DelayTime::Seconds(0.05),
        ..EchoSettings::default()
    });
    let tone = sine(500.0, RATE, 48_000);
    assert!(level_db_at(&play(&ducked, &tone), RATE, 500.0) < -15.0);
}

#[test]
fn a_drum_buss_does_what_its_knobs_say() {
    let plain = DrumBussSettings { drive: 0.0, damping_hz: 20_000.0, ..DrumBussSettings::default() };
    let of = |settings| EffectSettings::DrumBuss(settings);
    for hz in [60.0, 1_000.0, 5_000.0] {
        assert!(gain(&of(plain), hz).abs() < 0.5, "{hz} Hz: {}", gain(&of(plain), hz));
    }
    assert!(gain(&of(DrumBussSettings { damping_hz: 1_000.0, ..plain }), 8_000.0) < -30.0);
    // A hit of 60 Hz: the boom of 45 Hz is not there without it.
    let hit: Vec<f32> =
        sine(70.0, RATE, 48_000).iter().zip(0..).map(|(x, n)| x * (-(n as f32) / 6_000.0).exp()).collect();
    let boom = |boom| level_db_at(&play(&of(DrumBussSettings { boom, boom_hz: 45.0, ..plain }), &hit), RATE, 45.0);
    assert!(boom(0.8) > boom(0.0) + 10.0, "{} and {}", boom(0.8), boom(0.0));
    let mut noise = Noise::new(8);
    let burst: Vec<f32> = (0..24_000)
        .map(|n| noise.next_value() * (-(n as f32) / 3_000.0).exp() * if n < 4_800 { 0.0 } else { 1.5 })
        .collect();
    let attack = |transients| {
        let out = play(&of(DrumBussSettings { transients, ..plain }), &burst);
        out[4_850..5_300].iter().map(|x| x * x).sum::<f32>()
    };
    assert!(attack(1.0) > 1.5 * attack(0.0) && attack(-1.0) < 0.7 * attack(0.0));
    // Drive makes louder what is quiet, and bends what is loud.
    assert!(gain(&of(DrumBussSettings { drive: 0.8, ..plain }), 1_000.0) > 6.0);
}
