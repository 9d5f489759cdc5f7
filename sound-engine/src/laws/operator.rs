//! Operator: who bends whom, how far, in tune, without aliases.

use super::devices::with_notes;
use super::pieces::*;
use crate::analysis::{alias_db, fundamental_hz, largest_step, level_db_at};
use crate::dsp::svf::Response;
use crate::effects::{LfoRate, LfoWave};
use crate::instruments::*;
use crate::offline::{PieceEvent, Stereo};
use crate::plan::settings::*;

fn sound(settings: OperatorSettings) -> InstrumentSettings {
    InstrumentSettings::Operator(Box::new(settings))
}

fn play_note(settings: OperatorSettings, pitch: u8, held: u64, frames: u64) -> Stereo {
    let one = MixSettings { soft_clip: false, ..mix(vec![track(1, vec![instrument(1, sound(settings))])]) };
    play(one, &in_order([note(1, pitch, 1.0, 0, held)]), frames)
}

fn hz(pitch: u8) -> f32 {
    440.0 * 2f32.powf((f32::from(pitch) - 69.0) / 12.0)
}

/// Oscillators of these levels and ratios, A first; nothing follows velocity.
fn of(algorithm: usize, levels_db: [f32; 4], ratios: [f32; 4]) -> OperatorSettings {
    let mut settings = OperatorSettings { algorithm, level_db: 0.0, ..OperatorSettings::default() };
    for ((oscillator, level_db), ratio) in settings.oscillators.iter_mut().zip(levels_db).zip(ratios) {
        (oscillator.level_db, oscillator.ratio, oscillator.velocity_to_level) = (level_db, ratio, 0.0);
    }
    settings
}

const OFF: f32 = f32::NEG_INFINITY;

/// What bends what, and what is heard.
const MEANT: [(&str, &str); 11] = [
    ("BA CB DC", "A"),
    ("BA CB DB", "A"),
    ("BA CA DC", "A"),
    ("BA CA DB DC", "A"),
    ("BA CA DA", "A"),
    ("CB DC", "AB"),
    ("CB DB", "AB"),
    ("BA DC", "AC"),
    ("DA DB DC", "ABC"),
    ("DC", "ABC"),
    ("", "ABCD"),
];

/// Every set of oscillators that are on, and each of them taken away: it is missed exactly where something leads from
/// it to what is heard.
#[test]
fn algorithms_lead_where_they_are_meant_to() {
    for (algorithm, (edges, heard)) in MEANT.iter().enumerate() {
        let play = |on: usize| {
            let levels = std::array::from_fn(|at| if on & (1 << at) > 0 { -14.0 } else { OFF });
            play_note(of(algorithm, levels, [1.0, 2.0, 3.0, 5.0]), 45, 2_000, 2_000).left
        };
        let outs: Vec<Vec<f32>> = (0..16).map(play).collect();
        let letter = |at: usize| ['A', 'B', 'C', 'D'][at];
        let leads = |on: usize, from: usize| {
            let (mut reached, mut grew) = (vec![from], true);
            while std::mem::take(&mut grew) {
                for edge in edges.split_whitespace().map(|edge| edge.as_bytes()) {
                    let [of, to] = [edge[0], edge[1]].map(|name| usize::from(name - b'A'));
                    if reached.contains(&of) && on & (1 << to) > 0 && !reached.contains(&to) {
                        reached.push(to);
                        grew = true;
                    }
                }
            }
            reached.iter().any(|at| heard.contains(letter(*at)))
        };
        for on in 0..16usize {
            for at in (0..4).filter(|at| on & (1 << at) > 0) {
                let missed = outs[on] != outs[on & !(1 << at)];
                assert_eq!(missed, leads(on, at), "algorithm {}: {} of {on:04b}", algorithm + 1, letter(at));
            }
        }
    }
}

/// A sine that bends a sine by so many radians gives partials whose levels are Bessel's functions of it.
#[test]
fn partials_are_those_of_frequency_modulation() {
    // J0 to J3 of pi / 2, at a quarter of a turn.
    let meant = [0.472_0, 0.566_8, 0.249_7, 0.069_0];
    let settings = of(0, [0.0, -12.041_2, OFF, OFF], [10.0, 1.0, 1.0, 1.0]);
    let out = play_note(settings, 45, 4 * SECOND, 3 * SECOND).left;
    for (order, amplitude) in meant.iter().enumerate() {
        for side in [-1.0, 1.0] {
            let at = hz(45) * (10.0 + side * order as f32);
            let is = level_db_at(&out, RATE, at);
            let meant = 20.0 * f64::log10(*amplitude);
            assert!((is - meant).abs() < 0.1, "partial {side} x {order}: {is:.2} dB, not {meant:.2}");
        }
    }
}

#[test]
fn oscillators_are_in_tune() {
    let waves = [
        OperatorWave::Sine,
        OperatorWave::Steps(8),
        OperatorWave::Saw(16),
        OperatorWave::Square(64),
        OperatorWave::Triangle,
    ];
    for wave in waves {
        for (pitch, ratio) in [(33, 1.0), (60, 0.5), (60, 3.0), (84, 1.0)] {
            let mut settings = of(10, [0.0, OFF, OFF, OFF], [ratio; 4]);
            settings.oscillators[0].wave = wave;
            let out = play_note(settings, pitch, 3 * SECOND, 2 * SECOND).left;
            let meant = hz(pitch) * ratio;
            let cents = 1200.0 * (fundamental_hz(&out, RATE, meant) / f64::from(meant)).log2();
            assert!(cents.abs() < 1.0, "{wave:?}, {pitch} x {ratio}: {cents:.2} cents");
        }
    }
    let mut fixed = of(10, [0.0, OFF, OFF, OFF], [1.0; 4]);
    fixed.oscillators[0].fixed_hz = Some(777.0);
    assert!((fundamental_hz(&play_note(fixed, 40, 3 * SECOND, 2 * SECOND).left, RATE, 777.0) - 777.0).abs() < 0.3);
    fixed.oscillators[0].fixed_hz = None;
    fixed.transpose = 12.0;
    assert!((fundamental_hz(&play_note(fixed, 57, 3 * SECOND, 2 * SECOND).left, RATE, 440.0) - 440.0).abs() < 0.3);
}

/// Five sounds with all that it has.
pub fn piece() -> (MixSettings, Vec<PieceEvent>) {
    let bell = of(4, [0.0, -9.0, -14.0, -20.0], [1.0, 3.5, 7.0, 11.0]);
    let mut struck = of(7, [0.0, -6.0, -3.0, -12.0], [1.0, 14.0, 0.5, 1.0]);
    for oscillator in &mut struck.oscillators {
        oscillator.envelope = OperatorEnvelope { decay: 0.6, sustain: 0.0, release: 0.2, ..OperatorEnvelope::GATE };
        (oscillator.velocity_to_level, oscillator.key_to_level) = (0.6, -0.3);
    }
    let mut wide = of(10, [0.0, -6.0, -9.0, -12.0], [1.0, 2.0, 1.0, 0.5]);
    let waves = [OperatorWave::Saw(32), OperatorWave::Square(16), OperatorWave::Steps(4), OperatorWave::Noise];
    for (oscillator, wave) in wide.oscillators.iter_mut().zip(waves) {
        (oscillator.wave, oscillator.feedback, oscillator.retrigger) = (wave, 0.4, false);
        oscillator.envelope.cycle = EnvelopeCycle::Every(0.5);
    }
    (wide.spread, wide.random_pan, wide.glide) = (0.7, 0.5, 0.1);
    let rising = OperatorEnvelope { attack: 0.3, sustain: 0.3, ..OperatorEnvelope::GATE };
    wide.filter = Some(OperatorFilter {
        response: Response::Lowpass,
        steep: true,
        hz: 400.0,
        q: 2.0,
        drive_db: 6.0,
        velocity_octaves: 1.0,
        key_tracking: 0.5,
        envelope_octaves: 4.0,
        envelope: rising,
    });
    let mut moving = of(1, [0.0, -12.0, -18.0, -18.0], [1.0, 1.0, 2.0, 3.0]);
    moving.lfo = Some(OperatorLfo {
        wave: LfoWave::Wander,
        rate: LfoRate::PerBeat(4.0),
        retrigger: false,
        semitones: 0.5,
        filter_octaves: 0.0,
        envelope: rising,
    });
    moving.pitch_envelope = Some(OperatorEnvelope { initial: 12.0, peak: -12.0, sustain: 0.0, ..rising });
    moving.shaper = Some(OperatorShaper { curve: ShaperCurve::Soft, drive_db: 9.0, mix: 0.7 });
    let mut looped = of(3, [0.0, -10.0, -10.0, -10.0], [1.0, 2.0, 3.0, 4.0]);
    looped.oscillators[0].envelope = OperatorEnvelope { cycle: EnvelopeCycle::Loop(0.05), decay: 0.1, ..rising };
    looped.oscillators[3].fixed_hz = Some(77.0);
    let all = [bell, struck, wide, moving, looped].map(|settings| OperatorSettings { level_db: -9.0, ..settings });
    let tracks =
        all.into_iter().zip(1..).map(|(settings, id)| track(id, vec![instrument(u64::from(id), sound(settings))]));
    with_notes(tracks.collect(), 3)
}

/// Where a note has settled.
fn end_of(signal: &[f32]) -> &[f32] {
    &signal[signal.len() - 32_768..]
}

#[test]
fn aliases_lie_60_db_below_up_to_c7() {
    for (algorithm, levels) in [(0, [0.0, 0.0, OFF, OFF]), (0, [0.0, -6.0, -12.0, -12.0]), (4, [0.0, -6.0, -6.0, -9.0])]
    {
        for ratios in [[1.0, 1.0, 1.0, 1.0], [1.0, 2.0, 3.0, 1.0], [1.0, 7.0, 1.0, 5.0]] {
            for pitch in [45, 60, 72, 84, 96] {
                let out = play_note(of(algorithm, levels, ratios), pitch, 2 * SECOND, SECOND).left;
                let alias = alias_db(end_of(&out), RATE, hz(pitch));
                assert!(alias < -60.0, "algorithm {}, {levels:?}, {ratios:?}, {pitch}: {alias:.1} dB", algorithm + 1);
            }
        }
    }
    for wave in [OperatorWave::Saw(64), OperatorWave::Square(64), OperatorWave::Triangle] {
        let mut settings = of(0, [0.0, OFF, OFF, OFF], [1.0; 4]);
        settings.oscillators[0].wave = wave;
        for pitch in [45, 69, 96] {
            let out = play_note(settings, pitch, 2 * SECOND, SECOND).left;
            let alias = alias_db(end_of(&out), RATE, hz(pitch));
            assert!(alias < -60.0, "{wave:?}, {pitch}: {alias:.1} dB");
        }
    }
}

#[test]
fn feedback_tone_and_harmonics_change_what_is_bright() {
    let level = |settings: OperatorSettings, harmonic: f32| {
        level_db_at(&play_note(settings, 45, 2 * SECOND, SECOND).left, RATE, hz(45) * harmonic)
    };
    let mut plain = of(0, [0.0, OFF, OFF, OFF], [1.0; 4]);
    assert!(level(plain, 3.0) < -80.0);
    plain.oscillators[0].feedback = 0.0;
    // Nothing bends it only where nothing can: in the first algorithm D, which is not heard; side by side, A.
    let mut alone = OperatorSettings { algorithm: 10, ..plain };
    alone.oscillators[0].feedback = 1.0;
    assert!(level(alone, 3.0) > -25.0, "{}", level(alone, 3.0));
    let mut saw = plain;
    saw.oscillators[0].wave = OperatorWave::Saw(4);
    assert!(level(saw, 4.0) > -20.0 && level(saw, 5.0) < -80.0);
    let bent = of(0, [0.0, 0.0, OFF, OFF], [1.0, 5.0, 1.0, 1.0]);
    let (bright, dark) = (level(bent, 26.0), level(OperatorSettings { tone: 0.1, ..bent }, 26.0));
    assert!(dark < bright - 10.0, "{dark:.1} and {bright:.1} dB");
}

#[test]
fn filter_pitch_envelope_and_lfo_move_what_they_name() {
    let mut saw = of(10, [0.0, OFF, OFF, OFF], [1.0; 4]);
    saw.oscillators[0].wave = OperatorWave::Saw(64);
    let filter = OperatorFilter {
        response: Response::Lowpass,
        steep: true,
        hz: 300.0,
        q: 0.707,
        drive_db: 0.0,
        velocity_octaves: 0.0,
        key_tracking: 0.0,
        envelope_octaves: 0.0,
        envelope: OperatorEnvelope::GATE,
    };
    let level = |filter: Option<OperatorFilter>| {
        level_db_at(&play_note(OperatorSettings { filter, ..saw }, 45, 2 * SECOND, SECOND).left, RATE, hz(45) * 20.0)
    };
    let (open, closed) = (level(None), level(Some(filter)));
    let opened = level(Some(OperatorFilter { envelope_octaves: 6.0, ..filter }));
    assert!(closed < open - 60.0 && (opened - open).abs() < 2.0, "{open:.1}, {closed:.1}, {opened:.1} dB");
    let up = OperatorEnvelope { initial: 12.0, peak: 12.0, sustain: 12.0, ..OperatorEnvelope::GATE };
    let plain = of(10, [0.0, OFF, OFF, OFF], [1.0; 4]);
    let lifted = OperatorSettings { pitch_envelope: Some(up), ..plain };
    let out = play_note(lifted, 57, 2 * SECOND, SECOND).left;
    assert!((fundamental_hz(&out, RATE, 440.0) - 440.0).abs() < 0.3);
    let lfo = OperatorLfo {
        wave: LfoWave::Square,
        rate: LfoRate::Hz(1.0),
        retrigger: true,
        semitones: 12.0,
        filter_octaves: 0.0,
        envelope: OperatorEnvelope { initial: 1.0, ..OperatorEnvelope::GATE },
    };
    let out = play_note(OperatorSettings { lfo: Some(lfo), ..plain }, 57, 2 * SECOND, SECOND).left;
    let halves = [(&out[2_000..22_000], 440.0f32), (&out[26_000..46_000], 110.0)];
    for (half, meant) in halves {
        assert!((fundamental_hz(half, RATE, meant) / f64::from(meant) - 1.0).abs() < 0.003, "{meant} Hz");
    }
}

/// Slow sines begin, are stolen and end: no step is larger than the signal's own.
#[test]
fn notes_begin_and_end_without_a_click() {
    let mut settings = of(10, [-12.0, OFF, OFF, OFF], [1.0; 4]);
    settings.oscillators[0].phase = 0.25;
    settings.oscillators[0].envelope.initial = 1.0;
    let one = MixSettings { soft_clip: false, ..mix(vec![track(1, vec![instrument(1, sound(settings))])]) };
    let notes = (0..20u64).map(|n| note(1, 40, 1.0, n * 1_700, n * 1_700 + 900 + 40 * n));
    let out = play(one, &in_order(notes), SECOND);
    let own = std::f32::consts::TAU * hz(40) / RATE * 0.25;
    let step = largest_step(&out.left);
    assert!(step < own + 0.05, "{step}, of itself {own}");
}

/// Any settings, also wild ones: numbers stay numbers, no louder than what they add up to.
#[test]
fn random_settings_make_no_nonsense() {
    for seed in 0..24u64 {
        let mut dice = crate::dsp::noise::Noise::new(seed + 900);
        let mut unit = || 0.5 + 0.4999 * dice.next_value();
        let waves = [OperatorWave::Sine, OperatorWave::Steps(4), OperatorWave::Saw(32), OperatorWave::Square(8)];
        let mut settings = OperatorSettings { algorithm: (seed % 11) as usize, ..OperatorSettings::default() };
        for oscillator in &mut settings.oscillators {
            oscillator.wave = waves[(unit() * 3.99) as usize];
            oscillator.ratio = 0.5 + 40.0 * unit() * unit();
            oscillator.level_db = -12.0 * unit();
            oscillator.feedback = unit();
            oscillator.velocity_to_octaves = unit();
            oscillator.envelope.cycle = EnvelopeCycle::Every(0.2 * unit());
        }
        settings.filter = Some(OperatorFilter {
            response: Response::Bandpass,
            steep: seed % 2 == 0,
            hz: 20_000.0 * unit(),
            q: 0.5 + 8.0 * unit(),
            drive_db: 24.0 * unit(),
            velocity_octaves: unit(),
            key_tracking: 2.0 * unit(),
            envelope_octaves: 14.0 * unit() - 7.0,
            envelope: OperatorEnvelope { attack: 0.1 * unit(), sustain: unit(), ..OperatorEnvelope::GATE },
        });
        settings.spread = unit();
        let one = MixSettings { soft_clip: false, ..mix(vec![track(1, vec![instrument(1, sound(settings))])]) };
        let notes = (0..12).map(|n| note(1, (24 + 97 * n % 84) as u8, 0.9, 4_000 * n, 4_000 * n + 6_000));
        let out = play(one, &in_order(notes), SECOND);
        let higher = |peak: f32, x: &f32| if x.is_finite() { peak.max(x.abs()) } else { f32::INFINITY };
        let peak = out.left.iter().chain(&out.right).fold(0.0f32, higher);
        assert!(peak < 4.0, "seed {seed}: peak {peak}, {settings:?}");
    }
}
