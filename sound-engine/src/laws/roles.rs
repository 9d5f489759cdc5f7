//! The default sounds: each as loud as the others, and each in a place of its own.

use super::pieces::*;
use crate::analysis::spectrum;
use crate::dsp::svf::{Coefficients, Response, Svf};
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
    /// How much quieter its phrase is by a loudspeaker that plays nothing below 500 Hz, LU.
    phone_lu: f64,
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
    let held = in_order([note(1, key(role), 0.8, 0, 4 * SECOND)]);
    measured(&play_role(role, &events, frames).interleaved(), &play_role(role, &held, 4 * SECOND).left)
}

/// Of a phrase, both channels by turns, and of a single note that is held for four seconds.
fn measured(out: &[f32], single: &[f32]) -> Measured {
    let mut meter = EbuR128::new(2, RATE as u32, Mode::I | Mode::TRUE_PEAK).expect("a meter");
    meter.add_frames_f32(out).expect("frames");
    let peak = (0..2).map(|channel| meter.true_peak(channel).expect("a peak")).fold(0.0, f64::max);
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
        phone_lu: loudness(&by_phone(out)) - loudness(out),
    }
}

/// Integrated, of both channels by turns.
fn loudness(out: &[f32]) -> f64 {
    let mut meter = EbuR128::new(2, RATE as u32, Mode::I).expect("a meter");
    meter.add_frames_f32(out).expect("frames");
    meter.loudness_global().expect("loudness")
}

/// Behind a highpass of 24 dB an octave at 500 Hz.
fn by_phone(out: &[f32]) -> Vec<f32> {
    let stages = [0.541, 1.307].map(|q| Coefficients::new(Response::Highpass, 500.0 / RATE, q));
    let mut memory = [[Svf::default(); 2]; 2];
    let filtered = out.iter().enumerate().map(|(at, value)| {
        let channel = &mut memory[at % 2];
        stages.iter().zip(channel).fold(*value, |value, (stage, memory)| memory.process(stage, value))
    });
    filtered.collect()
}

/// What other programs make of a role's phrase and note, if `SOUND_REFERENCES` names a folder with both of it: WAV of
/// 16 bits in stereo at 48 kHz.
fn reference(role: Role) -> Option<Measured> {
    let folder = std::env::var("SOUND_REFERENCES").ok()?;
    let read = |what: &str| -> Option<Vec<f32>> {
        let mut file = hound::WavReader::open(format!("{folder}/{role:?}-{what}.wav")).ok()?;
        file.samples::<i16>().map(|x| x.ok().map(|x| f32::from(x) / 32_768.0)).collect()
    };
    let single: Vec<f32> = read("note")?.iter().step_by(2).copied().collect();
    let begin = single.iter().position(|x| x.abs() > 1e-4)?;
    Some(measured(&read("phrase")?, single.get(begin..begin + 3 * SECOND as usize)?))
}

/// Prints what is measured, and writes the phrases as WAV into the folder that `SOUND_PHRASES` names, to be looked at
/// and listened to: `cargo test -p svc-sound prints -- --ignored --nocapture`.
#[test]
#[ignore = "prints, and judges nothing"]
fn prints_what_roles_are_like() {
    let folder = std::env::var("SOUND_PHRASES").ok();
    for role in Role::ALL {
        for (name, m) in [("", Some(measure(role))), (", elsewhere", reference(role))] {
            let Some(m) = m else { continue };
            println!(
                "{role:?}{name}: attack {:.0} ms, centroid {:.0} Hz, decay {:.2} s, {:.2} LUFS, {:.2} dBTP, \
                 by phone {:.1} LU",
                m.attack_ms, m.centroid_hz, m.decay_s, m.lufs, m.true_peak_db, m.phone_lu
            );
        }
        if let Some(hits) = hits(role) {
            println!("{role:?}: {hits:.1?}");
        }
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
    bounds(Role::Drums808, (0.0, 10.0), (8_000.0, 9_000.0), (0.04, 0.08)),
    bounds(Role::Drums909, (0.0, 10.0), (6_500.0, 8_500.0), (0.10, 0.16)),
    bounds(Role::Kick, (0.0, 10.0), (350.0, 650.0), (0.10, 0.20)),
    bounds(Role::Bass, (0.0, 20.0), (200.0, 330.0), (2.0, 4.0)),
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

/// Hits of a kit, by key, and how loud they are to be beside its kick: LU, of 400 ms. A SoundFont of samples
/// (TimGM6mb, its kits 0, 25 and 24) has snares at 2, -4 and 0, claps at -2, -5 and -5, closed hats at -10, -7 and -9,
/// open ones at -11, -2 and -10, toms at 2, -4 and 1, crashes at 1, -2 and -3, rides at -13, -11 and -12.
const BESIDE_THE_KICK: [(&str, u8, (f64, f64)); 9] = [
    ("snare", 38, (-5.0, 1.0)),
    ("clap", 39, (-7.0, -2.0)),
    ("rim", 37, (-12.5, -6.0)),
    ("closed hat", 42, (-11.0, -7.0)),
    ("open hat", 46, (-7.0, -3.0)),
    ("tom", 45, (-4.0, 2.0)),
    ("crash", 49, (-5.0, 1.0)),
    ("ride", 51, (-13.0, -8.0)),
    ("cowbell", 56, (-7.0, -1.0)),
];

/// LU beside the kick, in the order of the table; nothing of what is no kit.
fn hits(role: Role) -> Option<Vec<f64>> {
    let loud = |pitch: u8| {
        let hit = in_order([note(1, pitch, 0.85, 0, SECOND / 10)]);
        let mut meter = EbuR128::new(2, RATE as u32, Mode::M).expect("a meter");
        meter.add_frames_f32(&play_role(role, &hit, SECOND * 2 / 5).interleaved()).expect("frames");
        meter.loudness_momentary().expect("loudness")
    };
    matches!(role, Role::Drums | Role::Drums808 | Role::Drums909)
        .then(|| BESIDE_THE_KICK.iter().map(|(_, pitch, _)| loud(*pitch) - loud(36)).collect())
}

#[test]
fn a_kit_is_balanced() {
    for role in [Role::Drums, Role::Drums808, Role::Drums909] {
        for ((name, _, (low, high)), is) in BESIDE_THE_KICK.iter().zip(hits(role).expect("a kit")) {
            assert!((*low..=*high).contains(&is), "{role:?}: the {name} lies {is:.1} LU beside the kick");
        }
    }
}

/// What is low is not gone on a phone. The SoundFont's bass (program 38) has -10 LU there, its kicks -9, -10 and -17.
#[test]
fn bass_and_kick_are_heard_on_small_loudspeakers() {
    for role in [Role::Bass, Role::Kick] {
        let is = measure(role).phone_lu;
        assert!((-17.0..=-8.0).contains(&is), "{role:?}: {is:.1} LU");
    }
}
