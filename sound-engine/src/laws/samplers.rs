//! Samplers: pitch, loops, slices, pads.

use super::pieces::*;
use crate::analysis::{fundamental_hz, largest_step, sine};
use crate::dsp::grain_reader::Grains;
use crate::dsp::warp_map::WarpMarker;
use crate::instruments::{SamplerMode, SamplerSettings, SamplerWarp};
use crate::offline::Stereo;
use crate::plan::settings::*;

fn play_keys(settings: SamplerSettings, notes: &[(u8, u64, u64)], frames: u64) -> Stereo {
    let settings = SamplerSettings { velocity_to_level: 0.0, ..settings };
    let rack = track(1, vec![instrument(1, sampler(settings))]);
    let events = in_order(notes.iter().map(|(pitch, from, to)| note(1, *pitch, 1.0, *from, *to)));
    play(MixSettings { soft_clip: false, ..mix(vec![rack]) }, &events, frames)
}

#[test]
fn keys_are_in_tune() {
    for pitch in [36u8, 48, 55, 60, 67, 79] {
        let settings = SamplerSettings::of(sample(sine(261.63, RATE, 8 * SECOND as usize)));
        let out = play_keys(settings, &[(pitch, 0, 4 * SECOND)], SECOND);
        let meant = 261.63 * 2f32.powf((f32::from(pitch) - 60.0) / 12.0);
        let cents = 1200.0 * (fundamental_hz(&out.left, RATE, meant) / f64::from(meant)).log2();
        assert!(cents.abs() < 3.0, "{pitch}: {cents:.2} cents");
    }
}

#[test]
fn loops_go_on_without_a_click() {
    let settings =
        SamplerSettings { repeats: Some((3_011, 7_123)), ..SamplerSettings::of(sample(sine(200.3, RATE, 10_000))) };
    let out = play_keys(settings, &[(60, 0, 2 * SECOND)], 3 * SECOND);
    assert!(largest_step(&out.left) < 0.026 + 0.04, "{}", largest_step(&out.left));
    assert!(out.left[SECOND as usize..SECOND as usize + 1_000].iter().any(|x| x.abs() > 0.9));
    assert_eq!(out.left[3 * SECOND as usize - 1], 0.0);
}

#[test]
fn modes_play_what_they_say() {
    let ramp: Vec<f32> = (0..40_000).map(|n| (n / 10_000 + 1) as f32 * 0.1).collect();
    let level = |out: &Stereo, at: usize| (out.left[at] * 10.0).round() as i32;
    let of = |mode| SamplerSettings { mode, ..SamplerSettings::of(sample(ramp.clone())) };
    let slices = |gate| of(SamplerMode::Slice { starts: [0, 10_000, 20_000, 30_000].into(), first_pitch: 36, gate });
    // One shot: goes on after the key, at the same pitch as the key says; with a gate it ends.
    let out = play_keys(of(SamplerMode::OneShot { gate: false }), &[(60, 0, 100)], SECOND);
    assert_eq!([level(&out, 5_000), level(&out, 35_000), level(&out, 41_000)], [1, 4, 0]);
    let out = play_keys(of(SamplerMode::OneShot { gate: true }), &[(60, 0, 100)], SECOND);
    assert_eq!([level(&out, 50), level(&out, 35_000)], [1, 0]);
    let out = play_keys(slices(false), &[(38, 0, 100), (36, 20_000, 20_100), (40, 40_000, 40_100)], SECOND);
    assert_eq!([level(&out, 5_000), level(&out, 12_000), level(&out, 25_000), level(&out, 45_000)], [3, 0, 1, 0]);
}

#[test]
fn pads_of_one_choke_group_end_each_other() {
    let pad = |id: u64, key: u8, choke: u8, level: f32| ChainSettings {
        id,
        keys: (key, key),
        velocities: (1, 127),
        plays: Some(60),
        choke,
        strip: crate::mixer::StripSettings::default(),
        devices: vec![instrument(
            id + 10,
            sampler(SamplerSettings {
                mode: SamplerMode::OneShot { gate: false },
                velocity_to_level: 0.0,
                ..SamplerSettings::of(sample(vec![level; 48_000]))
            }),
        )],
        ..ChainSettings::default()
    };
    let rack = device(1, Device::Rack(vec![pad(1, 36, 1, 0.1), pad(2, 38, 1, 0.2), pad(3, 40, 0, 0.4)]));
    let events =
        in_order([note(1, 36, 1.0, 0, 100), note(1, 40, 1.0, 10_000, 10_100), note(1, 38, 1.0, 20_000, 20_100)]);
    let out = play(MixSettings { soft_clip: false, ..mix(vec![track(1, vec![rack])]) }, &events, SECOND);
    for (at, meant) in [(5_000, 0.1), (15_000, 0.5), (21_000, 0.6)] {
        assert!((out.left[at] - meant).abs() < 1e-3, "at {at}: {}", out.left[at]);
    }
}

#[test]
fn a_sample_that_stops_at_once_has_an_edge() {
    let data: Vec<f32> = (0..24_000).map(|n| (n as f32 * 200.0 / RATE * std::f32::consts::TAU).cos()).collect();
    let warp = |slope, grains| {
        let markers = vec![WarpMarker { beats: 0.0, seconds: 0.0 }, WarpMarker { beats: 1.0, seconds: slope }];
        Some(SamplerWarp { markers: markers.into(), grains })
    };
    let grains = Grains { hop: 1024, search: 480 };
    for mode in [SamplerMode::Classic, SamplerMode::OneShot { gate: false }] {
        // At 120 a beat is half a second.
        for (name, warp, tempo) in [
            ("plain", None, None),
            ("re-pitched", warp(0.37, None), Some(0.74)),
            ("re-pitched up", warp(2.0, None), Some(4.0)),
            ("warped", warp(0.37, Some(grains)), None),
            ("warped up", warp(1.0, Some(grains)), None),
        ] {
            for pitch in [55u8, 60, 72] {
                let settings = SamplerSettings {
                    mode: mode.clone(),
                    warp: warp.clone(),
                    ..SamplerSettings::of(sample(data.clone()))
                };
                let out = play_keys(settings, &[(pitch, 0, 4 * SECOND)], 2 * SECOND);
                let step = largest_step(&out.left[200..]);
                let own = 0.027 * tempo.unwrap_or(2f32.powf((f32::from(pitch) - 60.0) / 12.0));
                assert!(step < own + 0.05, "{name} {mode:?}, key {pitch}: {step}");
            }
        }
    }
}
