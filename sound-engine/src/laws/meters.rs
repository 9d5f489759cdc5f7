//! Loudness, true peak and the metronome, against a reference and against their own words.

use super::pieces::*;
use crate::analysis::sine;
use crate::dsp::noise::Noise;
use crate::dsp::span::{Bus, TICK};
use crate::engine::{Engine, EventKind, METRONOME};
use crate::mixer::LoudnessMeter;
use crate::offline::{Piece, PieceEvent, Stems, render};
use crate::plan::{Plan, StateStore};
use ebur128::{EbuR128, Mode};

fn measure(left: &[f32], right: &[f32], rate: f32) -> (LoudnessMeter, EbuR128) {
    let mut meter = LoudnessMeter::new();
    let mut reference = EbuR128::new(2, rate as u32, Mode::all()).expect("a meter");
    for (l, r) in left.chunks(TICK).zip(right.chunks(TICK)) {
        let mut bus = Bus::SILENT;
        bus.left[..l.len()].copy_from_slice(l);
        bus.right[..r.len()].copy_from_slice(r);
        meter.hear(&bus, l.len(), rate);
    }
    let both: Vec<f32> = left.iter().zip(right).flat_map(|(l, r)| [*l, *r]).collect();
    reference.add_frames_f32(&both).expect("frames");
    (meter, reference)
}

/// Tones, noise, quiet parts that are gated away, one side alone, three rates.
#[test]
fn loudness_is_that_of_the_reference() {
    let tone = |hz: f32, db: f32, seconds: usize, rate: f32| -> Vec<f32> {
        sine(hz, rate, seconds * rate as usize).iter().map(|x| x * 10f32.powf(db / 20.0)).collect()
    };
    for rate in [44_100.0, 48_000.0, 96_000.0] {
        let noise: Vec<f32> = {
            let mut noise = Noise::new(6);
            (0..6 * rate as usize).map(|_| noise.next_value() * 0.2).collect()
        };
        let gated = [tone(1_000.0, -20.0, 8, rate), tone(1_000.0, -45.0, 8, rate)].concat();
        let cases = [
            ("-23 dBFS", tone(1_000.0, -23.0, 6, rate), 1.0),
            ("low", tone(60.0, -12.0, 6, rate), 1.0),
            ("high", tone(9_000.0, -12.0, 6, rate), 1.0),
            ("noise", noise, 1.0),
            ("a quiet end", gated, 1.0),
            ("one side", tone(1_000.0, -10.0, 6, rate), 0.0),
        ];
        for (name, left, side) in cases {
            let right: Vec<f32> = left.iter().map(|x| x * side).collect();
            let (meter, reference) = measure(&left, &right, rate);
            let is = meter.reading();
            let pairs = [
                ("momentary", f64::from(is.momentary()), reference.loudness_momentary().expect("loudness")),
                ("short", f64::from(is.short_term()), reference.loudness_shortterm().expect("loudness")),
                ("integrated", f64::from(is.integrated()), reference.loudness_global().expect("loudness")),
                ("peak", f64::from(is.true_peak_db()), 20.0 * reference.true_peak(0).expect("a peak").log10()),
            ];
            for (what, is, meant) in pairs {
                // What lies next to half the rate, each interpolation has its own way with.
                let judged = what != "peak" || name != "noise";
                assert!(!judged || (is - meant).abs() < 0.1, "{name} at {rate}: {what} is {is:.2}, not {meant:.2}");
            }
        }
    }
}

/// 12 kHz whose samples miss its peaks: 3 dB more lie between them.
#[test]
fn true_peaks_lie_between_samples() {
    let tone: Vec<f32> =
        (0..48_000).map(|n| libm::sin(std::f64::consts::TAU * (n as f64 / 4.0 + 0.125)) as f32 * 0.5).collect();
    let (mut meter, _) = measure(&tone, &tone, RATE);
    let is = meter.reading().true_peak_db();
    assert!((is + 6.02).abs() < 0.4, "{is:.2} dBTP, and the samples have -9.03");
    (0..400).for_each(|_| meter.hear(&Bus::SILENT, TICK, RATE));
    meter.reading().restart();
    (0..400).for_each(|_| meter.hear(&Bus::SILENT, TICK, RATE));
    assert_eq!(meter.reading().true_peak_db(), f32::NEG_INFINITY);
}

#[test]
fn clicks_come_at_their_frame_beside_all_tracks() {
    let mut plan = Plan::new(mix(vec![]), &mut StateStore::new(RATE));
    let at = |frame, accent| PieceEvent { frame, track: 0, kind: EventKind::Click { accent, gain_db: -6.0 } };
    let events = [at(1_003, true), at(25_003, false)];
    let mut played = |block: usize| {
        let piece = Piece { events: &events, frames: 48_000, tempo_bpm: 120.0, block };
        let (mut engine, mut stems) = (Engine::new(), Stems::of([METRONOME, MAIN]));
        let loudness = engine.loudness();
        let out = render(&mut engine, &mut plan, &piece, &mut stems);
        assert_eq!(loudness.true_peak_db(), f32::NEG_INFINITY, "the main output's meters hear it not");
        assert!(stems.get(MAIN).expect("main").left.iter().all(|x| *x == 0.0));
        out
    };
    let out = played(512);
    let begin = |from: usize| from + out.left[from..].iter().position(|x| *x != 0.0).expect("a click");
    assert!(begin(0).abs_diff(1_003) <= 1 && begin(20_000).abs_diff(25_003) <= 1);
    let crossings = |from: usize| out.left[from..from + 960].windows(2).filter(|p| p[0] <= 0.0 && p[1] > 0.0).count();
    assert!(crossings(1_003).abs_diff(32) <= 1 && crossings(25_003).abs_diff(20) <= 1);
    assert!(out.left[20_000..25_000].iter().all(|x| *x == 0.0) && out.left[47_000] == 0.0);
    assert!(played(1).left == out.left && played(4_096).left == out.left);
}
