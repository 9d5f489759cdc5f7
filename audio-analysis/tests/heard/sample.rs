//! What is told of single samples, made with a known pitch, brightness, loudness and tempo.

use crate::songs::{bars, hits, mono, part, play};
use std::f64::consts::TAU;
use svc_analysis::sample::{SampleMeter, SampleReport};
use svc_sound::instruments::Role;

const RATE_HZ: f64 = 44_100.0;

fn heard_at(samples: &[f32], rate_hz: f64) -> SampleReport {
    let mut meter = SampleMeter::new(rate_hz);
    // In pieces of odd lengths, as decoders give them.
    for piece in samples.chunks(1_153) {
        meter.push(piece, 1);
    }
    meter.finish()
}

fn heard(samples: &[f32]) -> SampleReport {
    heard_at(samples, RATE_HZ)
}

fn made(seconds: f64, mut wave: impl FnMut(f64) -> f64) -> Vec<f32> {
    (0..(seconds * RATE_HZ) as usize).map(|n| wave(n as f64 / RATE_HZ) as f32).collect()
}

/// Partials of 1/n each, below 20 kHz.
fn tone(hz: f64, partials: i32, seconds: f64, fall: f64) -> Vec<f32> {
    made(seconds, |t| {
        let partials = (1..=partials).take_while(|n| f64::from(*n) * hz < 20_000.0);
        let sum: f64 = partials.map(|n| (TAU * hz * f64::from(n) * t).sin() / f64::from(n)).sum();
        0.3 * sum * (-fall * t).exp()
    })
}

fn noise(seconds: f64) -> Vec<f32> {
    let mut state = 1_u64;
    made(seconds, |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        0.3 * ((state >> 33) as f64 / f64::from(1_u32 << 30) - 1.0)
    })
}

fn sum(signals: &[Vec<f32>]) -> Vec<f32> {
    (0..signals[0].len()).map(|n| signals.iter().map(|signal| signal[n]).sum::<f32>() * 0.5).collect()
}

fn cents(hz: f64, wanted: f64) -> f64 {
    1_200.0 * (hz / wanted).log2()
}

#[test]
fn a_note_is_heard_within_five_cents() {
    for hz in [32.703, 41.203, 55.0, 82.407, 110.0, 220.0, 261.63, 440.0, 446.5, 880.0, 1_760.0, 3_520.0] {
        for (what, samples) in [
            ("sine", tone(hz, 1, 1.0, 0.0)),
            ("saw", tone(hz, 12, 1.0, 0.0)),
            ("pluck", tone(hz, 6, 0.6, 6.0)),
            ("short", tone(hz, 3, 0.15, 0.0)),
        ] {
            let pitch = heard(&samples).pitch;
            assert!(pitch.is_some_and(|pitch| cents(pitch.hz, hz).abs() < 5.0), "{what} of {hz} Hz: {pitch:?}");
        }
    }
    for rate_hz in [8_000.0, 48_000.0, 96_000.0] {
        let samples: Vec<f32> =
            (0..rate_hz as usize).map(|n| (TAU * 196.0 * n as f64 / rate_hz).sin() as f32).collect();
        let pitch = heard_at(&samples, rate_hz).pitch;
        assert!(pitch.is_some_and(|pitch| cents(pitch.hz, 196.0).abs() < 5.0), "at {rate_hz}: {pitch:?}");
    }
}

#[test]
fn a_kick_has_the_pitch_that_it_settles_on() {
    let mut phase = 0.0;
    let kick = made(0.6, |t| {
        phase += (52.0 + 180.0 * (-t / 0.02).exp()) / RATE_HZ;
        0.9 * (TAU * phase).sin() * (-4.0 * t).exp()
    });
    let pitch = heard(&kick).pitch;
    assert!(pitch.is_some_and(|pitch| cents(pitch.hz, 52.0).abs() < 40.0), "{pitch:?}");
}

#[test]
fn what_is_no_single_note_has_no_pitch() {
    let mut phase = 0.0;
    let glide = made(1.5, |t| {
        phase += 110.0 * (2.0 * t).exp2() / RATE_HZ;
        0.5 * (TAU * phase).sin()
    });
    let chord = |hz: &[f64]| sum(&hz.iter().map(|hz| tone(*hz, 6, 1.0, 0.0)).collect::<Vec<_>>());
    for (what, samples) in [
        ("noise", noise(1.0)),
        ("a major chord", chord(&[261.63, 329.63, 392.0])),
        ("a minor chord", chord(&[220.0, 261.63, 329.63])),
        ("a fifth", chord(&[220.0, 330.0])),
        ("a glide of three octaves", glide),
        ("a click", made(0.01, |t| 0.5 * (-900.0 * t).exp())),
    ] {
        assert_eq!(heard(&samples).pitch, None, "{what}");
    }
}

#[test]
fn brightness_is_the_middle_of_the_spectrum() {
    for hz in [200.0, 1_000.0, 6_000.0] {
        // Faded in and out: a step is bright.
        let faded = made(2.0, |t| 0.5 * (TAU * hz * t).sin() * (TAU * t / 4.0).sin().powi(2));
        let brightness = heard(&faded).brightness_hz.unwrap();
        assert!((brightness / hz - 1.0).abs() < 0.05, "{hz}: {brightness}");
    }
    // White noise reaches from 20 Hz to 20 kHz.
    let of_noise = heard(&noise(1.0)).brightness_hz.unwrap();
    assert!((of_noise - 10_000.0).abs() < 300.0, "{of_noise}");
    let (dull, bright) = (heard(&tone(220.0, 2, 1.0, 0.0)), heard(&tone(220.0, 40, 1.0, 0.0)));
    assert!(dull.brightness_hz.unwrap() * 2.0 < bright.brightness_hz.unwrap());
}

#[test]
fn loudness_is_that_of_the_standard_also_of_short_sounds() {
    // A sine of 997 Hz in both channels has its level as its loudness (EBU Tech 3341).
    for (dbfs, seconds) in [(-23.0_f64, 20.0), (-6.0, 3.0), (-33.0, 90.0)] {
        let amplitude = 10.0_f64.powf(dbfs / 20.0);
        let lufs = heard(&made(seconds, |t| amplitude * (TAU * 997.0 * t).sin())).loudness_lufs.unwrap();
        assert!((lufs - dbfs).abs() < 0.1, "{dbfs} dBFS: {lufs}");
    }
    // A quarter of the 0.4 s: 6 dB less.
    let short = heard(&made(0.1, |t| 0.5 * (TAU * 997.0 * t).sin())).loudness_lufs.unwrap();
    assert!((short + 12.04).abs() < 0.3, "{short}");
    assert_eq!(heard(&made(1.0, |_| 0.0)), SampleReport::default());
    assert_eq!(heard(&[]), SampleReport::default());
}

#[test]
fn loops_of_one_bar_and_more_have_their_tempo() {
    let bar = [hits(36, 0.9, &[0.0, 1.0, 2.0, 3.0]), hits(38, 0.8, &[1.0, 3.0]), hits(42, 0.5, &[0.5, 1.5, 2.5, 3.5])]
        .concat();
    for bpm in [84.0, 97.5, 112.0, 126.0, 143.0] {
        for count in [1, 2, 4] {
            let song = play(&[part(Role::Drums909, bars(count, &bar))], bpm, f64::from(count) * 4.0);
            let frames = (f64::from(count) * 240.0 / bpm * crate::songs::RATE_HZ) as usize;
            let mut cut = mono(&song.mix);
            cut.truncate(frames);
            let tempo = heard_at(&cut, crate::songs::RATE_HZ).tempo;
            assert!(tempo.is_some_and(|tempo| (tempo.bpm / bpm - 1.0).abs() < 0.02), "{count} at {bpm}: {tempo:?}");
        }
    }
    assert_eq!(heard(&tone(220.0, 3, 0.5, 5.0)).tempo, None, "too short");
    let pad = heard(&tone(220.0, 3, 4.0, 0.0)).tempo;
    assert!(pad.is_none_or(|tempo| tempo.confidence < 0.3), "{pad:?}");
}

#[test]
fn damaged_and_odd_sound_is_taken() {
    let wild = made(0.5, |t| if t < 0.2 { f64::NAN } else { 1e30 });
    let _ = heard(&wild);
    for rate_hz in [0.0, 1.0, 3_999.0, 5e6, f64::NAN] {
        assert_eq!(heard_at(&[0.5; 2_000], rate_hz), SampleReport::default(), "{rate_hz}");
    }
    let mut of_six = SampleMeter::new(RATE_HZ);
    of_six.push(&[0.1; 6 * 44_100], 6);
    of_six.push(&[], 0);
    assert_eq!(of_six.finish().pitch, None);
}
