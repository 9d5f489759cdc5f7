//! The default sounds: each as loud as the others, and each in a place of its own.

use super::pieces::*;
use crate::analysis::spectrum;
use crate::instruments::Role;
use crate::offline::{PieceEvent, Stereo};
use ebur128::{EbuR128, Mode};

/// What a sound is like, by its single note.
#[derive(Clone, Copy, Debug)]
struct Measured {
    /// From a tenth to nine tenths of its highest level.
    attack_ms: f64,
    /// The middle of its spectrum by amplitude, up to two seconds of the held note.
    centroid_hz: f64,
    /// From its highest level to 20 dB below while it is held; at most 4 s are looked at.
    decay_s: f64,
    /// Of its phrase.
    lufs: f64,
    true_peak_db: f64,
}

/// Bounds of a role: attack, centroid, decay.
struct Bounds {
    role: Role,
    attack_ms: (f64, f64),
    centroid_hz: (f64, f64),
    decay_s: (f64, f64),
}

/// A played phrase of the role: four bars or so, with its natural notes and velocities.
fn phrase(role: Role) -> (Vec<PieceEvent>, u64) {
    let beat = SECOND / 2;
    let mut notes = Vec::new();
    let mut add = |pitch: u8, velocity: f32, from: f64, beats: f64| {
        let at = (from * beat as f64) as u64;
        notes.push(note(1, pitch, velocity, at, at + (beats * beat as f64) as u64));
    };
    match role {
        Role::Drums | Role::Drums808 | Role::Drums909 => {
            for bar in 0..4 {
                let at = 4.0 * f64::from(bar);
                for kick in [0.0, 2.0, 2.5] {
                    add(36, 0.85, at + kick, 0.2);
                }
                for snare in [1.0, 3.0] {
                    add(38, 0.8, at + snare, 0.2);
                }
                for hat in 0..8 {
                    let pitch = if hat == 7 { 46 } else { 42 };
                    add(pitch, if hat % 2 == 0 { 0.7 } else { 0.5 }, at + 0.5 * f64::from(hat), 0.1);
                }
            }
        }
        Role::Kick => (0..16).for_each(|n| add(36, 0.85, f64::from(n), 0.2)),
        Role::Bass | Role::Sub => {
            for n in 0..32u8 {
                let pitch = [33, 33, 36, 31][usize::from(n / 8)] + if n % 8 == 5 { 12 } else { 0 };
                add(pitch, 0.8, 0.5 * f64::from(n), 0.42);
            }
        }
        Role::Lead => {
            for (n, pitch) in [69, 72, 76, 74, 72, 71, 69, 67, 69, 76, 79, 76, 74, 72, 71, 69].into_iter().enumerate() {
                add(pitch, 0.8, n as f64, 0.9);
            }
        }
        Role::Pluck => {
            for n in 0..64u8 {
                let pitch = [57, 60, 64, 69, 72, 69, 64, 60][usize::from(n % 8)];
                add(pitch, if n % 4 == 0 { 0.9 } else { 0.65 }, 0.25 * f64::from(n), 0.2);
            }
        }
        Role::Bell => {
            for (n, pitch) in [76, 79, 84, 83, 79, 76, 74, 72].into_iter().enumerate() {
                add(pitch, 0.75, 2.0 * n as f64, 1.8);
            }
        }
        Role::Pad | Role::Organ | Role::Keys | Role::Voice => {
            for (bar, chord) in
                [[57, 60, 64, 69], [53, 57, 60, 69], [48, 55, 64, 67], [55, 59, 62, 67]].iter().enumerate()
            {
                for pitch in chord {
                    add(*pitch, 0.7, 4.0 * bar as f64, 3.8);
                }
            }
        }
        Role::Noise => (0..2).for_each(|n| add(60, 0.8, 8.0 * f64::from(n), 7.5)),
    }
    (in_order(notes), 9 * SECOND)
}

/// The key at which a role's single note is looked at.
fn key(role: Role) -> u8 {
    match role {
        Role::Drums | Role::Drums808 | Role::Drums909 => 38,
        Role::Kick => 36,
        Role::Bass | Role::Sub => 36,
        Role::Lead => 72,
        Role::Pluck => 64,
        Role::Bell => 76,
        _ => 60,
    }
}

fn play_role(role: Role, events: &[PieceEvent], frames: u64) -> Stereo {
    play(mix(vec![track(1, vec![instrument(1, role.instrument())])]), events, frames)
}

fn measure(role: Role) -> Measured {
    let (events, frames) = phrase(role);
    let out = play_role(role, &events, frames).interleaved();
    let mut meter = EbuR128::new(2, RATE as u32, Mode::I | Mode::TRUE_PEAK).expect("a meter");
    meter.add_frames_f32(&out).expect("frames");
    let peak = (0..2).map(|channel| meter.true_peak(channel).expect("a peak")).fold(0.0, f64::max);
    let held = in_order([note(1, key(role), 0.8, 0, 4 * SECOND)]);
    let single = play_role(role, &held, 4 * SECOND).left;
    // The level of each 5 ms.
    let levels: Vec<f64> = single
        .chunks(240)
        .map(|part| (part.iter().map(|x| f64::from(x * x)).sum::<f64>() / part.len() as f64).sqrt())
        .collect();
    let (top, highest) =
        levels.iter().copied().enumerate().fold((0, 0.0), |best, (at, x)| if x > best.1 { (at, x) } else { best });
    let reach = |part: f64| levels.iter().position(|x| *x >= part * highest).unwrap_or(0) as f64;
    let fallen = levels[top..].iter().position(|x| *x < 0.1 * highest).unwrap_or(levels.len() - top);
    let (bins, width) = spectrum(&single[..1 << 16], RATE);
    let sum: f64 = bins.iter().sum();
    let centroid = bins.iter().enumerate().map(|(at, magnitude)| at as f64 * width * magnitude).sum::<f64>() / sum;
    Measured {
        attack_ms: 5.0 * (reach(0.9) - reach(0.1)),
        centroid_hz: centroid,
        decay_s: 0.005 * fallen as f64,
        lufs: meter.loudness_global().expect("loudness"),
        true_peak_db: 20.0 * peak.log10(),
    }
}

/// Prints what is measured, and writes the phrases as WAV into the folder that `SOUND_PHRASES` names, to be looked at and
/// listened to: `cargo test -p svc-sound prints -- --ignored --nocapture`.
#[test]
#[ignore = "prints, and judges nothing"]
fn prints_what_roles_are_like() {
    let folder = std::env::var("SOUND_PHRASES").ok();
    for role in Role::ALL {
        let m = measure(role);
        println!(
            "{role:?}: attack {:.0} ms, centroid {:.0} Hz, decay {:.2} s, {:.2} LUFS, {:.2} dBTP",
            m.attack_ms, m.centroid_hz, m.decay_s, m.lufs, m.true_peak_db
        );
        if let Some(folder) = &folder {
            let (events, frames) = phrase(role);
            let spec = hound::WavSpec {
                channels: 2,
                sample_rate: 48_000,
                bits_per_sample: 32,
                sample_format: hound::SampleFormat::Float,
            };
            let mut file = hound::WavWriter::create(format!("{folder}/{role:?}.wav"), spec).expect("a file");
            play_role(role, &events, frames)
                .interleaved()
                .iter()
                .for_each(|x| file.write_sample(*x).expect("a sample"));
            file.finalize().expect("a file");
        }
    }
}
