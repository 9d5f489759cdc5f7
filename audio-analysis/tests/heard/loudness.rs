//! Loudness and peaks against the signals of EBU Tech 3341, whose values are known beforehand.

use svc_analysis::levels::{LevelMeter, Levels};
use svc_analysis::loudness::{Loudness, LoudnessMeter};
use svc_analysis::true_peak::TruePeakMeter;

const RATE_HZ: f64 = 48_000.0;

fn loudness(left: &[f32], right: &[f32]) -> Loudness {
    let mut meter = LoudnessMeter::new(RATE_HZ).unwrap();
    meter.push(left, right).unwrap();
    meter.finish().unwrap()
}

fn levels(left: &[f32], right: &[f32]) -> Levels {
    let mut meter = LevelMeter::new(RATE_HZ);
    meter.push(left, right);
    meter.finish()
}

/// A sine on both channels, piece after piece: seconds and dBFS.
fn sines(hz: f64, phase: f64, pieces: &[(f64, f64)]) -> Vec<f32> {
    let mut signal = Vec::new();
    for (seconds, db) in pieces {
        let amplitude = 10.0_f64.powf(db / 20.0);
        let from = signal.len();
        let turn = |n: usize| std::f64::consts::TAU * hz * n as f64 / RATE_HZ + phase;
        signal.extend((from..from + (seconds * RATE_HZ) as usize).map(|n| (amplitude * turn(n).sin()) as f32));
    }
    signal
}

#[test]
fn integrated_loudness_is_that_of_the_reference_signals() {
    for (pieces, meant) in [
        (vec![(20.0, -23.0)], -23.0),
        (vec![(20.0, -33.0)], -33.0),
        (vec![(10.0, -36.0), (60.0, -23.0), (10.0, -36.0)], -23.0),
        (vec![(10.0, -72.0), (10.0, -36.0), (60.0, -23.0), (10.0, -36.0), (10.0, -72.0)], -23.0),
        (vec![(20.0, -26.0), (20.1, -20.0), (20.0, -26.0)], -23.0),
    ] {
        let signal = sines(1_000.0, 0.0, &pieces);
        let told = loudness(&signal, &signal);
        let heard = told.integrated_lufs.unwrap();
        assert!((heard - meant).abs() <= 0.1, "{pieces:?}: {heard}");
    }
}

#[test]
fn the_loudest_moment_is_found() {
    let signal = sines(1_000.0, 0.0, &[(5.0, -33.0), (0.5, -13.0), (5.0, -33.0)]);
    let told = loudness(&signal, &signal);
    let momentary = told.momentary_max_lufs.unwrap();
    assert!((momentary + 13.0).abs() < 0.2, "{momentary}");
}

#[test]
fn true_peaks_lie_between_samples() {
    for (hz, phase, amplitude_db, meant, tolerance) in [
        (12_000.0, 0.0, -6.02, -6.02, 0.1),
        // A quarter of the rate, sampled 45 degrees off its peaks: no sample is above -9 dB.
        (12_000.0, std::f64::consts::FRAC_PI_4, -6.02, -6.02, 0.1),
        (8_000.0, std::f64::consts::FRAC_PI_3, -6.02, -6.02, 0.1),
    ] {
        let mut signal = sines(hz, phase, &[(1.0, amplitude_db)]);
        // A tone that begins at once has a higher peak there.
        for (n, sample) in signal.iter_mut().take(4_800).enumerate() {
            *sample *= n as f32 / 4_800.0;
        }
        let peak = loudness(&signal, &signal).true_peak_dbtp.unwrap();
        assert!((peak - meant).abs() <= tolerance, "{hz} Hz, {phase}: {peak}");
    }
    let signal = sines(12_000.0, std::f64::consts::FRAC_PI_4, &[(1.0, -6.02)]);
    let sample_peak = levels(&signal, &signal).sample_peak_dbfs.unwrap();
    assert!((sample_peak + 9.03).abs() < 0.1, "{sample_peak}");
}

/// Noise, tones and clicks that swell and fade: never is a peak missed that a meter finds which listens to all of it.
#[test]
fn true_peaks_are_those_of_a_meter_that_listens_to_everything() {
    let mut seed = 1_u32;
    let mut draw = move || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(seed >> 8) / f64::from(1 << 24)
    };
    for (case, rate_hz) in (0..40).zip([44_100.0, 48_000.0, 88_200.0, 96_000.0].into_iter().cycle()) {
        let (hz, swell_hz, noise) = (rate_hz * (0.05 + 0.45 * draw()), 0.5 + 20.0 * draw(), draw().powi(3));
        let mut channel = |gain: f64| -> Vec<f32> {
            (0..30_000)
                .map(|n| {
                    let second = f64::from(n) / rate_hz;
                    let turn = |hz: f64| (std::f64::consts::TAU * hz * second).sin();
                    let click = if draw() < 0.000_3 { draw() - 0.5 } else { 0.0 };
                    (gain * turn(swell_hz) * (turn(hz) + noise * (draw() - 0.5)) + click) as f32
                })
                .collect()
        };
        let (left, right) = (channel(0.3), channel(0.2));
        let mut meant = ebur128::EbuR128::new(2, rate_hz as u32, ebur128::Mode::TRUE_PEAK).unwrap();
        meant.add_frames_planar_f32(&[&left, &right]).unwrap();
        let meant = meant.true_peak(0).unwrap().max(meant.true_peak(1).unwrap());
        for piece in [1, 37, 128, 1_024, left.len()] {
            let mut meter = TruePeakMeter::new(rate_hz).unwrap();
            for (left, right) in left.chunks(piece).zip(right.chunks(piece)) {
                meter.push(left, right).unwrap();
            }
            assert_eq!(meter.highest(), meant, "case {case} at {rate_hz} Hz in pieces of {piece}");
        }
    }
}

/// Noise and tones that swell, fade, pause and leave one side: what is told is what a meter of others tells that sums up
/// anew for each question.
#[test]
fn loudness_is_that_of_a_meter_that_sums_up_anew() {
    let mut seed = 7_u32;
    let mut draw = move || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(seed >> 8) / f64::from(1 << 24)
    };
    for (case, rate_hz) in (0..12).zip([44_100.0, 48_000.0, 88_200.0, 96_000.0].into_iter().cycle()) {
        let mut channel = |swell_hz: f64| -> Vec<f32> {
            let hz = 40.0 + 4_000.0 * draw();
            let frames = (rate_hz * (3.0 + 9.0 * draw())) as usize;
            let pause = (rate_hz * 2.0) as usize..(rate_hz * 2.5) as usize;
            let value = |n: usize| {
                let turn = |hz: f64| (std::f64::consts::TAU * hz * n as f64 / rate_hz).sin();
                let is_there = if pause.contains(&n) { 0.0 } else { 1.0 };
                (is_there * turn(swell_hz).powi(3) * (0.3 * turn(hz) + 0.2 * (draw() - 0.5))) as f32
            };
            (0..frames).map(value).collect()
        };
        let (mut left, mut right) = (channel(0.11), channel(0.37));
        let frames = left.len().min(right.len());
        left.truncate(frames);
        right.truncate(frames);
        let mode = ebur128::Mode::I | ebur128::Mode::LRA | ebur128::Mode::HISTOGRAM;
        let mut meter = ebur128::EbuR128::new(2, rate_hz as u32, mode).unwrap();
        let mut loudest = f64::NEG_INFINITY;
        let step = rate_hz as usize / 10;
        for (left, right) in left.chunks(step).zip(right.chunks(step)) {
            meter.add_frames_planar_f32(&[left, right]).unwrap();
            loudest = loudest.max(meter.loudness_momentary().unwrap());
        }
        let meant = [meter.loudness_global().unwrap(), loudest, meter.loudness_range().unwrap()];
        for piece in [37, 1_024, frames] {
            let mut ours = LoudnessMeter::new(rate_hz).unwrap();
            for (left, right) in left.chunks(piece).zip(right.chunks(piece)) {
                ours.push(left, right).unwrap();
            }
            let told = ours.finish().unwrap();
            let told = [told.integrated_lufs, told.momentary_max_lufs, told.range_lu].map(Option::unwrap);
            for (told, meant) in told.into_iter().zip(meant) {
                assert!(
                    (told - meant).abs() < 1e-6,
                    "case {case} at {rate_hz} Hz in pieces of {piece}: {told}, {meant}"
                );
            }
        }
    }
}

#[test]
fn silence_and_shortness_have_no_loudness() {
    let silence = vec![0.0; 48_000];
    let told = loudness(&silence, &silence);
    assert_eq!((told.integrated_lufs, told.momentary_max_lufs, told.true_peak_dbtp), (None, None, None));
    let short = sines(1_000.0, 0.0, &[(0.2, -20.0)]);
    assert_eq!(loudness(&short, &short).integrated_lufs, None);
    assert_eq!(loudness(&[], &[]).integrated_lufs, None);
}

#[test]
fn clipping_is_a_stretch_of_full_samples() {
    let mut signal = sines(100.0, 0.0, &[(1.0, -6.0)]);
    let mut levels_of = |edit: &dyn Fn(&mut Vec<f32>)| {
        edit(&mut signal);
        levels(&signal, &signal)
    };
    assert_eq!(levels_of(&|_| {}).clipped_stretches, 0);
    assert_eq!(levels_of(&|s| s[1_000] = 1.0).clipped_stretches, 0, "one sample may just fit");
    let told = levels_of(&|s| s[24_000..24_010].fill(-1.0));
    assert_eq!((told.clipped_stretches, told.first_clipped_s), (2, Some(0.5)), "one in each channel");
}

#[test]
fn sides_are_compared() {
    let tone = sines(440.0, 0.0, &[(1.0, -12.0)]);
    let against: Vec<f32> = tone.iter().map(|x| -x).collect();
    let other = sines(1_000.0, 0.0, &[(1.0, -12.0)]);
    let soft: Vec<f32> = tone.iter().map(|x| x * 0.25).collect();
    for (right, correlation, louder_db) in
        [(&tone, 1.0, 0.0), (&against, -1.0, 0.0), (&other, 0.0, 0.0), (&soft, 1.0, -12.04)]
    {
        let told = levels(&tone, right);
        assert!((told.correlation.unwrap() - correlation).abs() < 0.01, "{told:?}");
        assert!((told.right_over_left_db.unwrap() - louder_db).abs() < 0.01, "{told:?}");
    }
    let silent = vec![0.0; tone.len()];
    assert_eq!(levels(&tone, &silent).correlation, None);
}
