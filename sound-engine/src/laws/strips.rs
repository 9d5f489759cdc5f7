//! Strips: levels are exact, and nothing that is switched clicks.

use super::pieces::*;
use crate::analysis::{largest_step, level_db_at, sine};
use crate::engine::EventKind;
use crate::instruments::SamplerSettings;
use crate::mixer::{CrossfadeSide, StripSettings, Warp};
use crate::offline::{PieceEvent, Stems};
use crate::plan::settings::*;

/// A track that plays a sine of 0 dBFS, 200 Hz: its own largest step is 0.026.
fn tone_track(id: u32) -> TrackSettings {
    let mut track = track(id, vec![]);
    track.clips = vec![clip(1, sine(200.0, RATE, 4 * SECOND as usize), Warp::Off)];
    track
}

const OWN_STEP: f32 = 0.0262;

fn start(track: u32) -> PieceEvent {
    PieceEvent { frame: 0, track, kind: EventKind::ClipStart { clip: 1, time: 0.0, beats: 0.0 } }
}

fn quiet_mix(tracks: Vec<TrackSettings>) -> MixSettings {
    MixSettings { soft_clip: false, ..mix(tracks) }
}

#[test]
fn levels_are_exact() {
    let level = |track: TrackSettings, crossfade: f32| {
        let mix = MixSettings { crossfade, ..quiet_mix(vec![track]) };
        let out = play(mix, &[start(1)], SECOND);
        (level_db_at(&out.left, RATE, 200.0), level_db_at(&out.right, RATE, 200.0))
    };
    let strip = |change: fn(&mut StripSettings)| {
        let mut track = tone_track(1);
        change(&mut track.strip);
        track
    };
    for (track, crossfade, left, right) in [
        (strip(|_| {}), 0.0, 0.0, 0.0),
        (strip(|s| s.volume_db = -12.0), 0.0, -12.0, -12.0),
        (strip(|s| s.pan = -1.0), 0.0, 3.01, -240.0),
        (strip(|s| s.pan = 1.0), 0.0, -240.0, 3.01),
        (strip(|s| s.crossfade = CrossfadeSide::A), -1.0, 0.0, 0.0),
        (strip(|s| s.crossfade = CrossfadeSide::A), 0.0, -3.01, -3.01),
        (strip(|s| s.active = false), 0.0, -240.0, -240.0),
    ] {
        let is = level(track.clone(), crossfade);
        assert!((is.0 - left).abs() < 0.1 && (is.1 - right).abs() < 0.1, "{:?}: {is:?}", track.strip);
    }
}

#[test]
fn sends_take_the_signal_where_they_are_told() {
    for (before_fader, meant) in [(false, -16.0), (true, -6.0)] {
        let mut track_a = tone_track(1);
        track_a.strip.volume_db = -10.0;
        track_a.output = Output::Nowhere;
        track_a.sends = vec![Send { to: 2, gain_db: -6.0, before_fader }];
        let out = play(quiet_mix(vec![track_a, track(2, vec![])]), &[start(1)], SECOND);
        let is = level_db_at(&out.left, RATE, 200.0);
        assert!((is - meant).abs() < 0.1, "{is:.2} dB, not {meant}");
    }
}

#[test]
fn switches_do_not_click() {
    let send = |gain_db| vec![Send { to: 2, gain_db, before_fader: false }];
    let plain = || {
        let mut tone = tone_track(1);
        tone.sends = send(f32::NEG_INFINITY);
        quiet_mix(vec![tone, track(2, vec![])])
    };
    let with = |change: &dyn Fn(&mut TrackSettings)| {
        let mut mix = plain();
        change(&mut mix.tracks[0]);
        mix
    };
    let muted = with(&|track| track.strip.active = false);
    let down = with(&|track| track.strip.volume_db = f32::NEG_INFINITY);
    let panned = with(&|track| track.strip.pan = 0.9);
    let sent = with(&|track| track.sends = send(0.0));
    for (name, changed) in [("mute", muted), ("fader", down), ("pan", panned), ("send", sent)] {
        // Where the tone is loudest, and back where it is.
        let mixes = vec![(0, plain()), (SECOND + 60, changed), (2 * SECOND + 60, plain())];
        let out = play_changing(mixes, &[start(1)], 3 * SECOND);
        for side in [&out.left, &out.right] {
            let step = largest_step(&side[100..]);
            assert!(step < 2.0 * OWN_STEP + 0.006, "{name}: {step}");
        }
    }
}

#[test]
fn devices_that_are_switched_or_stolen_do_not_click() {
    let tone = || {
        sampler(SamplerSettings {
            velocity_to_level: 0.0,
            voices: 1,
            ..SamplerSettings::of(sample(sine(200.0, RATE, 4 * SECOND as usize)))
        })
    };
    let on = |on| {
        let device = DeviceSettings { on, ..instrument(1, tone()) };
        quiet_mix(vec![track(1, vec![device])])
    };
    let events = in_order([note(1, 60, 1.0, 0, 4 * SECOND)]);
    let out = play_changing(vec![(0, on(true)), (SECOND + 60, on(false)), (2 * SECOND, on(true))], &events, 3 * SECOND);
    assert!(largest_step(&out.left) < OWN_STEP + 0.006, "switch: {}", largest_step(&out.left));
    assert!(out.left[SECOND as usize + 2_000..2 * SECOND as usize].iter().all(|x| *x == 0.0));
    // One voice, whose place another note takes; and the same key again.
    let events = in_order([
        note(1, 60, 1.0, 0, 4 * SECOND),
        note(1, 67, 1.0, 10_060, 4 * SECOND),
        note(1, 67, 1.0, 20_060, 4 * SECOND),
    ]);
    let out = play(on(true), &events, SECOND);
    // For 3 ms both sound: the steps of both, and of the fade.
    assert!(largest_step(&out.left) < OWN_STEP * (1.0 + 1.5) + 0.01, "steal: {}", largest_step(&out.left));
}

#[test]
fn meters_show_peaks() {
    use crate::plan::{Plan, StateStore};
    let mut store = StateStore::new(RATE);
    let mut track = tone_track(1);
    track.strip.volume_db = -6.0206;
    let mut plan = Plan::new(quiet_mix(vec![track]), &mut store);
    let events = [start(1)];
    let piece = crate::offline::Piece { events: &events, frames: 4_800, tempo_bpm: 120.0, block: 64 };
    let mut engine = crate::engine::Engine::new();
    let loudness = engine.loudness();
    crate::offline::render(&mut engine, &mut plan, &piece, &mut ());
    assert!((loudness.true_peak_db() + 6.0206).abs() < 0.1, "{}", loudness.true_peak_db());
    for id in [1, MAIN] {
        let meters = store.meters(id).expect("meters");
        // They fall between two peaks of the tone.
        let (left, _) = meters.level();
        assert!((0.45..0.501).contains(&left), "{left}");
    }
    assert!(store.meters(2).is_none());
}

/// 200 edits while everything sounds: no state is lost, so nothing stops or begins anew.
#[test]
fn what_is_remembered_lives_on_across_plans() {
    let (mix, events) = full_mix();
    let whole = play(mix.clone(), &events, 4 * SECOND);
    let changing = (0..200).map(|n| (n * 960, mix.clone())).collect();
    let cut = play_changing(changing, &events, 4 * SECOND);
    assert!(whole.left == cut.left && whole.right == cut.right);
}

/// What an edit takes away or brings fades: tracks, devices, sends, an instrument of another kind.
#[test]
fn edits_do_not_click() {
    use crate::effects::{EffectSettings, UtilitySettings};
    let gain = |gain_db| EffectSettings::Utility(UtilitySettings { gain_db, ..UtilitySettings::default() });
    let tone = || {
        let whole = SamplerSettings::of(sample(sine(200.0, RATE, 4 * SECOND as usize)));
        sampler(SamplerSettings { velocity_to_level: 0.0, ..whole })
    };
    let with = |devices: Vec<DeviceSettings>| quiet_mix(vec![track(1, devices), track(2, vec![])]);
    let plain = || with(vec![instrument(1, tone()), effect(2, gain(-3.0))]);
    let mut returned = plain();
    returned.tracks[0].sends = vec![Send { to: 2, gain_db: 0.0, before_fader: false }];
    let mut alone = plain();
    alone.tracks.truncate(1);
    let chain = |id: u64, devices| ChainSettings {
        id,
        keys: (0, 127),
        velocities: (1, 127),
        plays: None,
        choke: 0,
        strip: StripSettings::default(),
        devices,
        ..ChainSettings::default()
    };
    let rack = |chains| with(vec![device(7, Device::Rack(chains))]);
    let both =
        || vec![chain(8, vec![instrument(1, tone()), effect(2, gain(-3.0))]), chain(9, vec![instrument(4, tone())])];
    let cases = [
        ("a device goes", plain(), with(vec![instrument(1, tone())])),
        ("a device comes", plain(), with(vec![instrument(1, tone()), effect(2, gain(-3.0)), effect(3, gain(-40.0))])),
        (
            "a device of another kind",
            plain(),
            with(vec![instrument(1, crate::instruments::Role::Keys.instrument()), effect(2, gain(-3.0))]),
        ),
        ("the track goes", plain(), quiet_mix(vec![track(2, vec![])])),
        ("a return goes", returned.clone(), alone),
        ("a send goes", returned, plain()),
        ("a chain goes", rack(both()), rack(both().drain(..1).collect())),
        ("a device of a chain goes", rack(both()), rack(vec![chain(8, vec![instrument(1, tone())]), both().remove(1)])),
    ];
    let events = in_order([note(1, 60, 1.0, 0, 4 * SECOND)]);
    for (name, before, after) in cases {
        // A frame at which the tone is at its highest: 200 Hz has it 60 frames after each zero.
        let out =
            play_changing(vec![(0, before), (SECOND + 60, after.clone()), (2 * SECOND, after)], &events, 3 * SECOND);
        let step = largest_step(&out.left);
        assert!(step < 2.0 * OWN_STEP + 0.016, "{name}: {step}");
    }
}

/// A tone that goes to a group and to a return, and another return.
fn with_a_group(alone: bool) -> MixSettings {
    let send = |to| vec![Send { to, gain_db: -6.0, before_fader: false }];
    let mut tone = TrackSettings { output: Output::Track(10), sends: send(20), sends_alone: alone, ..tone_track(1) };
    tone.strip.pan = -1.0;
    let group = TrackSettings { sends: send(20), sends_alone: alone, ..track(10, vec![]) };
    let other = TrackSettings { sends_alone: alone, ..tone_track(2) };
    quiet_mix(vec![tone, group, other, track(20, vec![])])
}

#[test]
fn what_is_heard_by_its_sends_alone_goes_on_to_returns_and_nowhere_else() {
    let play = |alone| stems(with_a_group(alone), &[start(1), start(2)], SECOND, &[1, 2, 10, 20]);
    let level = |side: &[f32]| level_db_at(side, RATE, 200.0);
    let ((whole, whole_stems), (alone, alone_stems)) = (play(false), play(true));
    // On the left the tone, twice at -6 dB by the return, and the other one; on the right the other one alone.
    assert!((level(&whole.left) - 20.0 * (2.0 * 2.0_f64.sqrt() + 1.0).log10()).abs() < 0.1);
    assert!((level(&alone.left) - 3.01).abs() < 0.1, "{}", level(&alone.left));
    assert!(alone.right.iter().all(|x| *x == 0.0));
    for (track, sounds) in [(1, false), (2, false), (10, false), (20, true)] {
        let of = |stems: &Stems| stems.get(track).is_some_and(|stem| stem.left.iter().any(|x| *x != 0.0));
        assert_eq!((of(&whole_stems), of(&alone_stems)), (true, sounds), "{track}");
    }
    // A group that is heard is not heard of what is left out in it.
    let mut mix = with_a_group(true);
    mix.tracks[1].sends_alone = false;
    let (out, stems) = stems(mix, &[start(1), start(2)], SECOND, &[10]);
    assert!(stems.get(10).is_some_and(|stem| stem.left.iter().all(|x| *x == 0.0)));
    assert!((level(&out.left) - -2.99).abs() < 0.1, "{}", level(&out.left));
}

#[test]
fn a_return_that_is_soloed_does_not_click() {
    let mixes =
        vec![(0, with_a_group(false)), (SECOND + 60, with_a_group(true)), (2 * SECOND + 60, with_a_group(false))];
    let out = play_changing(mixes, &[start(1), start(2)], 3 * SECOND);
    for side in [&out.left, &out.right] {
        assert!(largest_step(&side[100..]) < 4.0 * OWN_STEP + 0.015, "{}", largest_step(&side[100..]));
    }
}
