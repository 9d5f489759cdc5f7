//! The tempo of fifty loops, drums and others, as the engine plays them.

use crate::songs::{Beat, Part, RATE_HZ, bars, hits, mono, part, play};
use svc_analysis::tempo;
use svc_sound::instruments::Role;

const KICK: u8 = 36;
const SNARE: u8 = 38;
const HAT: u8 = 42;
const EIGHTHS: [f64; 8] = [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5];

fn drums(kick: &[f64], snare: &[f64], hat: &[f64]) -> Vec<Beat> {
    [hits(KICK, 0.9, kick), hits(SNARE, 0.8, snare), hits(HAT, 0.5, hat)].concat()
}

fn line(role: Role, pitches: &[u8], at: &[f64], length: f64) -> Part {
    let notes: Vec<Beat> =
        at.iter().zip(pitches.iter().cycle()).map(|(from, pitch)| (*pitch, 0.8, *from, length)).collect();
    part(role, bars(4, &notes))
}

fn chords(role: Role, chord: &[u8], at: &[f64], length: f64) -> Part {
    let notes: Vec<Beat> =
        at.iter().flat_map(|from| chord.iter().map(move |pitch| (*pitch, 0.7, *from, length))).collect();
    part(role, bars(4, &notes))
}

/// Ten kinds of loops, four bars each.
fn loops() -> Vec<(&'static str, Vec<Part>)> {
    let beat = |role, kick: &[f64], snare: &[f64], hat: &[f64]| part(role, bars(4, &drums(kick, snare, hat)));
    let swung = [0.0, 0.66, 1.0, 1.66, 2.0, 2.66, 3.0, 3.66];
    let sixteenths: Vec<f64> = (0..16).map(|n| f64::from(n) * 0.25).collect();
    vec![
        ("four on the floor", vec![beat(Role::Drums909, &[0.0, 1.0, 2.0, 3.0], &[1.0, 3.0], &[0.5, 1.5, 2.5, 3.5])]),
        ("rock", vec![beat(Role::Drums, &[0.0, 2.0, 2.5], &[1.0, 3.0], &EIGHTHS)]),
        ("swung", vec![beat(Role::Drums808, &[0.0, 1.66, 2.0], &[1.0, 3.0], &swung)]),
        ("break", vec![beat(Role::Drums, &[0.0, 0.5, 2.5], &[1.0, 1.75, 2.25, 3.0], &EIGHTHS)]),
        ("dembow", vec![beat(Role::Drums, &[0.0, 1.0, 2.0, 3.0], &[0.75, 1.5, 2.75, 3.5], &sixteenths)]),
        (
            "kick and bass",
            vec![
                beat(Role::Drums, &[0.0, 1.0, 2.0, 3.0], &[], &[]),
                line(Role::Bass, &[33, 33, 36, 31], &[0.5, 1.5, 2.5, 3.5], 0.4),
            ],
        ),
        (
            "chords and hats",
            vec![beat(Role::Drums, &[], &[], &EIGHTHS), chords(Role::Keys, &[57, 60, 64], &[0.0, 2.0], 1.8)],
        ),
        ("bass alone", vec![line(Role::Bass, &[33, 33, 45, 33, 36, 36, 31, 43], &EIGHTHS, 0.4)]),
        (
            "plucks",
            vec![
                beat(Role::Drums, &[0.0, 2.0], &[], &[]),
                line(Role::Pluck, &[69, 72, 76, 72, 69, 76, 72, 81], &EIGHTHS, 0.3),
            ],
        ),
        (
            "band",
            vec![
                beat(Role::Drums, &[0.0, 1.5, 2.0], &[1.0, 3.0], &EIGHTHS),
                line(Role::Bass, &[33, 33, 36], &[0.0, 1.5, 2.0], 0.9),
                chords(Role::Organ, &[57, 60, 64], &[0.0, 1.0, 2.0, 3.0], 0.7),
                line(Role::Lead, &[81, 79, 76, 72], &[0.0, 0.75, 1.5, 3.0], 0.5),
            ],
        ),
    ]
}

#[test]
fn most_loops_are_heard_at_their_tempo() {
    let mut missed = Vec::new();
    for (name, parts) in loops() {
        for bpm in [84.0, 97.5, 112.0, 126.0, 143.0] {
            let song = play(&parts, bpm, 16.0);
            let heard = tempo::hear(&mono(&song.mix), RATE_HZ);
            if heard.is_none_or(|heard| (heard.bpm / bpm - 1.0).abs() > 0.02) {
                missed.push(format!("{name} at {bpm}: {heard:?}"));
            }
        }
    }
    assert!(missed.len() <= 5, "{} of 50:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn what_does_not_begin_again_has_no_tempo() {
    let silence = vec![0.0; 480_000];
    assert_eq!(tempo::hear(&silence, RATE_HZ), None);
    let short = play(&[part(Role::Drums, drums(&[0.0, 1.0], &[], &[]))], 120.0, 4.0);
    assert_eq!(tempo::hear(&mono(&short.mix), RATE_HZ), None, "2 s");
    let held = play(&[part(Role::Pad, vec![(57, 0.8, 0.0, 20.0), (60, 0.8, 0.0, 20.0)])], 120.0, 20.0);
    let told = tempo::hear(&mono(&held.mix), RATE_HZ);
    assert!(told.is_none_or(|told| told.confidence < 0.3), "{told:?}");
}

fn noise(seconds: f64, mut state: u64) -> Vec<f32> {
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        0.3 * ((state >> 33) as f32 / (1_u32 << 30) as f32 - 1.0)
    };
    (0..(seconds * RATE_HZ) as usize).map(|_| next()).collect()
}

/// Single notes, chords, what is held and what is even have none: the remark on tempo is made from 0.3 on.
#[test]
fn what_has_no_rhythm_has_no_tempo() {
    let chord = |at: f64, length: f64| [48, 52, 55].map(|pitch| (pitch, 0.79, at, length)).to_vec();
    let mut cases = Vec::new();
    for (name, role, notes, beats) in [
        ("one note", Role::Bell, vec![(60, 0.79, 0.0, 2.0)], [6.5, 8.0, 10.0]),
        ("a held note", Role::Voice, vec![(60, 0.79, 0.0, 8.0)], [8.0, 10.0, 12.0]),
        ("a held note", Role::Lead, vec![(60, 0.79, 0.0, 8.0)], [8.0, 10.0, 12.0]),
        ("a held note", Role::Bass, vec![(36, 0.79, 0.0, 8.0)], [8.0, 10.0, 12.0]),
        ("one chord", Role::Organ, chord(0.0, 4.0), [6.5, 8.0, 10.0]),
        ("one chord", Role::Pad, chord(0.0, 8.0), [8.0, 10.0, 12.0]),
        ("two chords", Role::Pad, [chord(0.0, 2.0), chord(2.0, 2.0)].concat(), [6.5, 8.0, 10.0]),
        ("two notes", Role::Bell, vec![(60, 0.79, 0.0, 4.0), (64, 0.79, 4.0, 4.0)], [8.0, 10.0, 12.0]),
        ("two hits", Role::Drums, hits(KICK, 0.9, &[0.0, 2.0]), [6.5, 8.0, 10.0]),
        (
            "four chords",
            Role::Pad,
            [chord(0.0, 1.0), chord(1.0, 1.0), chord(2.0, 1.0), chord(3.0, 1.0)].concat(),
            [6.5, 8.0, 10.0],
        ),
        ("even noise", Role::Noise, vec![(60, 0.79, 0.0, 16.0)], [8.0, 12.0, 16.0]),
    ] {
        for length in beats {
            let song = play(&[part(role, notes.clone())], 120.0, length);
            cases.push((format!("{name} of {role:?} in {length} beats"), mono(&song.mix)));
        }
    }
    for (seed, seconds) in [(1, 4.0), (2, 4.0), (3, 6.0), (4, 8.0), (5, 8.0), (6, 16.0), (7, 30.0)] {
        cases.push((format!("{seconds} s of noise"), noise(seconds, seed)));
    }
    // Hits on no grid.
    let mut at = 0.0;
    let hits_at: Vec<f64> = (0..40)
        .map(|n| {
            at += 0.2 + f64::from(n * n * 37 % 101) * 0.012;
            at
        })
        .collect();
    cases.push((
        "hits on no grid".to_owned(),
        mono(&play(&[part(Role::Drums, hits(SNARE, 0.8, &hits_at))], 120.0, 36.0).mix),
    ));
    let mut told = Vec::new();
    for (name, signal) in cases {
        if let Some(heard) = tempo::hear(&signal, RATE_HZ).filter(|heard| heard.confidence >= 0.3) {
            told.push(format!("{name}: {heard:?}"));
        }
    }
    assert!(told.is_empty(), "{}", told.join("\n"));
}
