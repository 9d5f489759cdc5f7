use super::Fingerprint;
use super::builder::FingerprintBuilder;
use crate::library::test_sounds::{Tone, resampled};
use rustfft::FftPlanner;

fn print_of(samples: &[f32]) -> Option<Fingerprint> {
    let mut builder = FingerprintBuilder::new(&mut FftPlanner::new(), 44_100);
    for packet in samples.chunks(1152) {
        builder.add_samples(packet, 1);
    }
    builder.finish()
}

#[test]
fn silence_has_no_print() {
    assert_eq!(print_of(&[]), None);
    assert_eq!(print_of(&[0.0; 50_000]), None);
    let mut odd = Tone::default().samples();
    odd[7] = f32::NAN;
    odd[9] = f32::INFINITY;
    assert!(print_of(&odd).is_some());
}

#[test]
fn level_and_silence_in_front_change_nothing() {
    let sound = Tone::default().samples();
    let print = print_of(&sound).unwrap();
    let softer: Vec<f32> = sound.iter().map(|s| s * 0.7).collect();
    let late: Vec<f32> = vec![0.0; 3000].into_iter().chain(sound.iter().copied()).collect();
    for other in [softer, late] {
        assert!(print.similarity(&print_of(&other).unwrap()) > 0.995);
    }
    assert!(print.similarity(&print) > 0.9999);
}

#[test]
fn every_rate_is_listened_to() {
    for rate in [8_000, 11_025, 48_000, 192_000, 384_000] {
        let mut builder = FingerprintBuilder::new(&mut FftPlanner::new(), rate);
        builder.add_samples(&Tone::default().samples(), 2);
        assert!(builder.finish().is_some(), "{rate}");
    }
    // No sound that anybody could tell from another, but a file may say so.
    for rate in [1, u32::MAX] {
        let mut builder = FingerprintBuilder::new(&mut FftPlanner::new(), rate);
        builder.add_samples(&[0.5; 10_000], 1);
        let _ = builder.finish();
    }
}

/// The variants by which an original has to be found again.
fn variants(sound: &[f32]) -> Vec<(&'static str, Vec<f32>)> {
    let semitone = (1.0_f64 / 12.0).exp2();
    let cut = |from: f64, to: f64| {
        let at = |part: f64| (sound.len() as f64 * part) as usize;
        sound[at(from)..at(to)].to_vec()
    };
    vec![
        ("+3 dB", sound.iter().map(|s| s * 1.413).collect()),
        ("-3 dB", sound.iter().map(|s| s * 0.708).collect()),
        ("+1 semitone", resampled(sound, semitone)),
        ("-1 semitone", resampled(sound, 1.0 / semitone)),
        ("end trimmed", cut(0.0, 0.7)),
        ("start trimmed", cut(0.05, 1.0)),
        ("both trimmed", cut(0.02, 0.8)),
    ]
}

#[test]
fn a_variant_ranks_in_the_top_three_of_a_thousand() {
    let prints: Vec<Fingerprint> = (0..1000).filter_map(|seed| print_of(&Tone::any(seed).samples())).collect();
    assert_eq!(prints.len(), 1000);
    let (mut late, mut late_starts, mut starts) = (Vec::new(), 0, 0);
    for seed in (0..1000).step_by(40) {
        for (what, sound) in variants(&Tone::any(seed).samples()) {
            let variant = print_of(&sound).unwrap();
            let own = variant.similarity(&prints[seed as usize]);
            let rank = prints.iter().filter(|other| variant.similarity(other) > own).count() + 1;
            let start = matches!(what, "start trimmed" | "both trimmed");
            starts += usize::from(start);
            match rank {
                ..=3 => {}
                // A drum without the fall of its pitch is another drum.
                _ if start && Tone::any(seed).drop.0 > 0.0 => late_starts += 1,
                _ => late.push(format!("{seed} {what}: {rank} ({own})")),
            }
        }
    }
    assert!(late.is_empty(), "{late:#?}");
    assert!(late_starts * 20 <= starts, "{late_starts} of {starts}");
}
