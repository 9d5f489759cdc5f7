//! Clicks in sound that is steep by itself: edges of a waveform and beginnings of notes are none.

use crate::songs::{Beat, Part, RATE_HZ, bars, hits, part, play};
use std::f64::consts::TAU;
use svc_analysis::clicks::ClickFinder;
use svc_sound::instruments::{InstrumentSettings, Role};

fn clicks(signal: &[f32]) -> Vec<f64> {
    let mut finder = ClickFinder::new(RATE_HZ);
    finder.push(signal, signal);
    finder.finish()
}

fn sound(role: Role, notes: Vec<Beat>, beats: f64) -> Vec<f32> {
    play(&[part(role, notes)], 120.0, beats).mix.left
}

/// One note of a bar.
fn held(role: Role, pitch: u8) -> Vec<f32> {
    sound(role, vec![(pitch, 0.79, 0.0, 4.0)], 6.0)
}

fn sine(hz: f64, amplitude: f64, seconds: f64) -> Vec<f32> {
    (0..(seconds * RATE_HZ) as usize).map(|n| (amplitude * (TAU * hz * n as f64 / RATE_HZ).sin()) as f32).collect()
}

fn is_one_at(found: &[f64], meant: f64) -> bool {
    found.len() == 1 && found.iter().all(|at| (at - meant).abs() < 0.002)
}

#[test]
fn the_edges_of_a_waveform_are_no_clicks() {
    let mut told = Vec::new();
    for role in [Role::Bass, Role::Sub, Role::Lead, Role::Voice, Role::Pad, Role::Organ, Role::Keys] {
        for pitch in [24, 28, 33, 36, 45, 48, 60, 72] {
            let found = clicks(&held(role, pitch));
            if !found.is_empty() {
                told.push(format!("{role:?} {pitch}: {} {:.3?}", found.len(), &found[..found.len().min(5)]));
            }
        }
    }
    let quarters = bars(2, &[(28, 0.79, 0.0, 1.0), (33, 0.79, 1.0, 1.0), (36, 0.79, 2.0, 1.0), (28, 0.79, 3.0, 1.0)]);
    for role in [Role::Bass, Role::Lead, Role::Voice] {
        let found = clicks(&sound(role, quarters.clone(), 10.0));
        if !found.is_empty() {
            told.push(format!("{role:?} in quarters: {} {:.3?}", found.len(), &found[..found.len().min(5)]));
        }
    }
    assert!(told.is_empty(), "{}", told.join("\n"));
}

#[test]
fn beginnings_of_notes_are_no_clicks() {
    let mut told = Vec::new();
    let two = |low: u8, high: u8| vec![(low, 0.79, 0.0, 4.0), (high, 0.79, 4.0, 4.0)];
    let beat = bars(2, &[hits(36, 1.0, &[0.0, 2.0]), hits(38, 0.9, &[1.0, 3.0]), hits(42, 0.7, &[0.5, 1.5])].concat());
    let toms =
        bars(2, &[hits(37, 1.0, &[0.0]), hits(39, 1.0, &[1.0]), hits(45, 0.9, &[2.0]), hits(56, 0.9, &[3.0])].concat());
    let mut cases = Vec::new();
    for role in [Role::Bell, Role::Pluck, Role::Keys, Role::Organ, Role::Lead, Role::Bass, Role::Voice, Role::Pad] {
        for (low, high) in [(60, 64), (36, 43), (72, 84)] {
            cases.push((format!("{role:?} {low}, {high}"), sound(role, two(low, high), 9.0)));
        }
    }
    for role in [Role::Drums, Role::Drums808, Role::Drums909, Role::Kick] {
        cases.push((format!("{role:?} beat"), sound(role, beat.clone(), 9.0)));
        cases.push((format!("{role:?} others"), sound(role, toms.clone(), 9.0)));
        cases.push((format!("{role:?} low toms"), sound(role, two(41, 45), 9.0)));
    }
    // A sample that begins at zero and at once.
    for hz in [200.0, 1_000.0, 6_000.0, 11_000.0] {
        let hit: Vec<f32> =
            sine(hz, 0.5, 0.3).iter().enumerate().map(|(n, x)| x * (-30.0 * n as f32 / RATE_HZ as f32).exp()).collect();
        let mut rack = vec![0.0; 96_000];
        for at in [1_000, 25_000, 49_000, 73_000] {
            rack[at..at + hit.len()].copy_from_slice(&hit);
        }
        cases.push((format!("hits of {hz} Hz"), rack.clone()));
        let over: Vec<f32> = rack.iter().zip(sine(110.0, 0.3, 2.0)).map(|(a, b)| a + b).collect();
        cases.push((format!("hits of {hz} Hz over a tone"), over));
    }
    for (name, signal) in cases {
        let found = clicks(&signal);
        if !found.is_empty() {
            told.push(format!("{name}: {} {:.3?}", found.len(), &found[..found.len().min(5)]));
        }
    }
    assert!(told.is_empty(), "{}", told.join("\n"));
}

/// Faults that are heard, in tones of every kind.
#[test]
fn faults_are_found_in_steep_sound_too() {
    let mut missed = Vec::new();
    for (name, signal) in [
        ("sine", sine(220.0, 0.5, 2.0)),
        ("soft sine", sine(440.0, 0.1, 2.0)),
        ("bass C1", held(Role::Bass, 24)),
        ("bass A1", held(Role::Bass, 33)),
        ("bass C2", held(Role::Bass, 36)),
        ("lead", held(Role::Lead, 60)),
        ("voice", held(Role::Voice, 60)),
        ("organ", held(Role::Organ, 48)),
    ] {
        // Where the sound is far from zero.
        let at = (40_000..44_000).max_by(|a, b| signal[*a].abs().total_cmp(&signal[*b].abs())).unwrap();
        let with = |change: &dyn Fn(&mut Vec<f32>)| {
            let mut faulty = signal.clone();
            change(&mut faulty);
            clicks(&faulty)
        };
        let up = 0.2_f32.copysign(-signal[at]);
        for (fault, found) in [
            ("step", with(&|s| s[at..].iter_mut().for_each(|x| *x += up))),
            ("spike", with(&|s| s[at] += up)),
            ("cut off", with(&|s| s[at..].fill(0.0))),
            ("gap", with(&|s| s[at..at + 400].fill(0.0))),
            // What begins in its middle: the silence before is no reason for it.
            ("begun late", with(&|s| s[..at].fill(0.0))),
        ] {
            if !is_one_at(&found, at as f64 / RATE_HZ) {
                missed.push(format!("{fault} in {name} at {:.3}: {found:.3?}", at as f64 / RATE_HZ));
            }
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

/// A sine whose notes begin and end at once, as Operator has it when it is created.
fn operator(pitch: u8) -> Vec<f32> {
    let instrument = InstrumentSettings::Operator(Box::default());
    let quarters = (0..4).map(|n| (pitch, 0.79, f64::from(n), 1.0)).collect();
    play(&[Part { instrument, ..part(Role::Keys, quarters) }], 120.0, 5.0).mix.left
}

fn louder(signal: &[f32], db: f32) -> Vec<f32> {
    let gain = 10.0_f32.powf(db / 20.0);
    signal.iter().map(|x| x * gain).collect()
}

const GAINS_DB: [f32; 6] = [-80.0, -40.0, -12.0, 0.0, 6.0, 12.0];

#[test]
fn how_loud_it_is_changes_no_click() {
    let mut told = Vec::new();
    let quarters = |pitch: u8| (0..4).map(|n| (pitch, 0.79, f64::from(n), 1.0)).collect::<Vec<Beat>>();
    let mut cases: Vec<(String, Vec<f32>)> = Vec::new();
    cases.extend([36, 60, 72, 84].map(|pitch| (format!("operator {pitch}"), operator(pitch))));
    cases.extend([0, 3, 7].map(|pitch| (format!("pluck {pitch}"), sound(Role::Pluck, quarters(pitch), 5.0))));
    for (name, signal) in &cases {
        for db in GAINS_DB {
            let found = clicks(&louder(signal, db));
            if !found.is_empty() {
                told.push(format!("{name} at {db} dB: {found:.3?}"));
            }
        }
    }
    assert!(told.is_empty(), "{}", told.join("\n"));
    let (_, with_notes) = &cases[1];
    for (name, signal, at) in [("sine", sine(220.0, 0.5, 2.0), 40_000), ("notes", with_notes.clone(), 36_000)] {
        for part in [0.1, 0.05] {
            let mut faulty = signal.clone();
            faulty[at..].iter_mut().for_each(|x| *x += part);
            for db in GAINS_DB {
                let found = clicks(&louder(&faulty, db));
                assert!(is_one_at(&found, at as f64 / RATE_HZ), "{part} in {name} at {db} dB: {found:.3?}");
            }
        }
    }
}
