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
pub(super) fn phrase(role: Role) -> (Vec<PieceEvent>, u64) {
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
    // The level of 20 ms, each 5 ms: longer than a cycle of the lowest notes.
    let levels: Vec<f64> = single
        .windows(960)
        .step_by(240)
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

/// Prints what is measured, and writes the phrases as WAV into the folder that `SOUND_PHRASES` names, to be looked at
/// and listened to: `cargo test -p svc-sound prints -- --ignored --nocapture`.
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

/// Attack in ms, centroid in Hz, decay in s.
const BOUNDS: [Bounds; 14] = [
    bounds(Role::Drums, (0.0, 10.0), (6_500.0, 7_900.0), (0.064, 0.095)),
    bounds(Role::Drums808, (0.0, 10.0), (8_000.0, 9_000.0), (0.04, 0.063)),
    bounds(Role::Drums909, (0.0, 10.0), (6_500.0, 8_500.0), (0.10, 0.16)),
    bounds(Role::Kick, (0.0, 10.0), (80.0, 125.0), (0.10, 0.20)),
    bounds(Role::Bass, (0.0, 20.0), (126.0, 190.0), (2.0, 4.0)),
    bounds(Role::Sub, (0.0, 25.0), (60.0, 85.0), (2.0, 4.0)),
    bounds(Role::Lead, (20.0, 250.0), (2_500.0, 3_600.0), (2.0, 4.0)),
    bounds(Role::Pluck, (0.0, 10.0), (320.0, 460.0), (0.22, 0.45)),
    bounds(Role::Bell, (0.0, 10.0), (1_900.0, 2_800.0), (0.8, 1.4)),
    bounds(Role::Pad, (500.0, 1_200.0), (550.0, 900.0), (2.0, 4.0)),
    bounds(Role::Keys, (0.0, 10.0), (230.0, 315.0), (0.9, 1.7)),
    bounds(Role::Organ, (0.0, 15.0), (400.0, 540.0), (3.0, 4.0)),
    bounds(Role::Voice, (150.0, 450.0), (1_600.0, 2_400.0), (1.5, 4.0)),
    bounds(Role::Noise, (1_300.0, 2_500.0), (5_000.0, 6_400.0), (1.0, 4.0)),
];

const fn bounds(role: Role, attack_ms: (f64, f64), centroid_hz: (f64, f64), decay_s: (f64, f64)) -> Bounds {
    Bounds { role, attack_ms, centroid_hz, decay_s }
}

#[test]
fn each_role_is_as_loud_as_the_others_and_in_its_own_place() {
    let within = |value: f64, (low, high): (f64, f64)| (low..=high).contains(&value);
    for Bounds { role, attack_ms, centroid_hz, decay_s } in BOUNDS {
        let is = measure(role);
        assert!((is.lufs + 19.0).abs() < 0.5 && is.true_peak_db <= -3.0, "{role:?}: {is:?}");
        let placed =
            within(is.attack_ms, attack_ms) && within(is.centroid_hz, centroid_hz) && within(is.decay_s, decay_s);
        assert!(placed, "{role:?}: {is:?}");
    }
}

/// No sound lies within the bounds of two roles.
#[test]
fn the_places_of_roles_do_not_overlap() {
    let apart = |a: (f64, f64), b: (f64, f64)| a.1 < b.0 || b.1 < a.0;
    for (at, a) in BOUNDS.iter().enumerate() {
        for b in &BOUNDS[at + 1..] {
            let told =
                apart(a.attack_ms, b.attack_ms) || apart(a.centroid_hz, b.centroid_hz) || apart(a.decay_s, b.decay_s);
            assert!(told, "{:?} and {:?}", a.role, b.role);
        }
    }
    assert_eq!(BOUNDS.map(|bounds| bounds.role), Role::ALL);
}

/// Eight default tracks with the faders that a mix of eight has stay below full scale without the safety clip.
#[test]
fn eight_roles_leave_room_for_each_other() {
    let roles = [Role::Drums, Role::Bass, Role::Keys, Role::Pad, Role::Lead, Role::Pluck, Role::Bell, Role::Voice];
    let tracks = roles.iter().zip(1..).map(|(role, id)| track(id, vec![instrument(u64::from(id), role.instrument())]));
    let mut events: Vec<PieceEvent> = roles
        .iter()
        .zip(1..)
        .flat_map(|(role, id)| phrase(*role).0.into_iter().map(move |event| PieceEvent { track: id, ..event }))
        .collect();
    events.sort_by_key(|event| event.frame);
    let mut all = mix(tracks.collect());
    all.soft_clip = false;
    all.tracks.iter_mut().for_each(|track| track.strip.volume_db = -7.0);
    let out = play(all, &events, 9 * SECOND).interleaved();
    let mut meter = EbuR128::new(2, RATE as u32, Mode::TRUE_PEAK).expect("a meter");
    meter.add_frames_f32(&out).expect("frames");
    let peak = 20.0 * (0..2).map(|channel| meter.true_peak(channel).expect("a peak")).fold(0.0, f64::max).log10();
    assert!(peak < -1.0, "{peak:.2} dBTP");
}
