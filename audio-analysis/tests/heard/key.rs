//! The keys of twenty songs, as the engine plays them.

use crate::songs::{Beat, RATE_HZ, mono, part, play};
use crate::songs_in_keys::{SongInKey, twenty};
use svc_analysis::key;
use svc_sound::instruments::Role;

fn degree(scale: &[u8; 7], degree: usize) -> u8 {
    scale[degree % 7] + 12 * u8::try_from(degree / 7).unwrap()
}

/// Eight bars: chords, their roots in the bass, and a line over them.
fn parts(song: &SongInKey) -> Vec<crate::songs::Part> {
    let SongInKey { tonic, scale, roots, has_drums, .. } = *song;
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
    if has_drums {
        let hits = (0..32).flat_map(|n| [(36, 0.8, f64::from(n), 0.2), (38, 0.7, f64::from(n) + 0.5, 0.2)]).collect();
        parts.push(part(Role::Drums, hits));
    }
    parts
}

#[test]
fn songs_are_heard_in_their_key() {
    let mut missed = Vec::new();
    for song in twenty() {
        let made = play(&parts(&song), 120.0, 32.0);
        let heard = key::hear(&mono(&made.mix), RATE_HZ);
        if !song.is_heard_as(heard) {
            missed.push(format!("{song:?}: {heard:?}"));
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
