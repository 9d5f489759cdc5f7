//! The keys of twenty songs, as the engine plays them.

use crate::songs::{Beat, RATE_HZ, mono, part, play};
use svc_analysis::key;
use svc_sound::instruments::Role;

/// Degrees of a chord from the root of the scale, and the scale.
const MAJOR: [u8; 7] = [0, 2, 4, 5, 7, 9, 11];
const MINOR: [u8; 7] = [0, 2, 3, 5, 7, 8, 10];

fn degree(scale: &[u8; 7], degree: usize) -> u8 {
    scale[degree % 7] + 12 * u8::try_from(degree / 7).unwrap()
}

/// Eight bars: chords, their roots in the bass, and a line over them.
fn song(tonic: u8, scale: &[u8; 7], roots: &[usize; 4], with_drums: bool) -> Vec<crate::songs::Part> {
    let (mut chords, mut bass, mut line): (Vec<Beat>, Vec<Beat>, Vec<Beat>) = Default::default();
    for bar in 0..8_usize {
        let (root, at) = (roots[bar % 4], 4.0 * bar as f64);
        for third in [0, 2, 4] {
            chords.push((48 + tonic + degree(scale, root + third), 0.7, at, 3.8));
        }
        for beat in 0..4 {
            bass.push((36 + tonic + degree(scale, root) - 12 * u8::from(root > 4), 0.8, at + f64::from(beat), 0.8));
        }
        for (n, step) in [4, 2, 3, 1, 0].into_iter().enumerate() {
            line.push((60 + tonic + degree(scale, root % 3 + step), 0.7, at + 0.75 * n as f64, 0.6));
        }
    }
    line.push((72 + tonic, 0.8, 31.0, 1.0));
    let mut parts = vec![part(Role::Keys, chords), part(Role::Bass, bass), part(Role::Lead, line)];
    if with_drums {
        let hits = (0..32).flat_map(|n| [(36, 0.8, f64::from(n), 0.2), (38, 0.7, f64::from(n) + 0.5, 0.2)]).collect();
        parts.push(part(Role::Drums, hits));
    }
    parts
}

#[test]
fn songs_are_heard_in_their_key() {
    let mut missed = Vec::new();
    for n in 0..20_u8 {
        let (tonic, is_minor) = (n * 7 % 12, n % 2 == 1);
        let scale = if is_minor { &MINOR } else { &MAJOR };
        // I-V-vi-IV, I-IV-V-I, I-vi-IV-V; i-VI-III-VII, i-iv-v-i, i-VII-VI-v.
        let roots = match (is_minor, (n / 2 + n / 12) % 3) {
            (false, 0) => [0, 4, 5, 3],
            (false, 1) => [0, 3, 4, 0],
            (false, _) => [0, 5, 3, 4],
            (true, 0) => [0, 5, 2, 6],
            (true, 1) => [0, 3, 4, 0],
            (true, _) => [0, 6, 5, 4],
        };
        let song = play(&song(tonic, scale, &roots, n % 3 == 0), 120.0, 32.0);
        let heard = key::hear(&mono(&song.mix), RATE_HZ);
        if heard.is_none_or(|heard| (heard.tonic, heard.is_minor) != (tonic, is_minor)) {
            missed.push(format!("{tonic}, minor {is_minor}: {heard:?}"));
        }
    }
    assert!(missed.is_empty(), "{} of 20:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn drums_and_silence_have_no_certain_key() {
    let silence = vec![0.0; 96_000];
    assert_eq!(key::hear(&silence, RATE_HZ), None);
    let hits = (0..16).flat_map(|n| [(38, 0.8, f64::from(n), 0.2), (42, 0.7, f64::from(n) + 0.5, 0.2)]).collect();
    let drums = play(&[part(Role::Drums, hits)], 120.0, 16.0);
    let told = key::hear(&mono(&drums.mix), RATE_HZ);
    assert!(told.is_none_or(|told| told.confidence < 0.3), "{told:?}");
}
