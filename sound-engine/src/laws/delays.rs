//! Delays of tracks: each is heard by its delay after what has none, to the frame, and so is what moves on the way.

use super::pieces::*;
use crate::analysis::{largest_step, sine};
use crate::engine::{Engine, EventKind};
use crate::mixer::Warp;
use crate::offline::{Piece, PieceEvent, Stereo, render};
use crate::parameter::Parameter;
use crate::plan::settings::*;
use crate::plan::{Automated, Plan, StateStore};

/// Hard to one side, so that it is alone there.
fn on_side(id: u32, pan: f32, delay_frames: i64) -> TrackSettings {
    let mut track = track(id, vec![]);
    track.clips = vec![clip(1, sine(150.0 + 100.0 * id as f32, RATE, SECOND as usize / 4), Warp::Off)];
    track.strip.pan = pan;
    track.delay_frames = delay_frames;
    track
}

fn start(frame: u64, track: u32) -> PieceEvent {
    PieceEvent { frame, track, kind: EventKind::ClipStart { clip: 1, time: 0.0, beats: 0.0 } }
}

fn quiet_mix(tracks: Vec<TrackSettings>) -> MixSettings {
    MixSettings { soft_clip: false, ..mix(tracks) }
}

fn latency(mix: &MixSettings) -> u32 {
    Plan::new(mix.clone(), &mut StateStore::new(RATE)).latency()
}

/// Whether `late` has what `early` has so many frames before, and silence in front of it.
fn is_later(late: &[f32], early: &[f32], frames: u64) -> bool {
    let frames = frames as usize;
    late[..frames].iter().all(|x| *x == 0.0)
        && late[frames..].iter().zip(early).all(|(late, early)| late.to_bits() == early.to_bits())
}

#[test]
fn tracks_are_late_by_their_delays_to_the_frame() {
    let frames = SECOND / 2;
    let made = |left: i64, right: i64, block: usize| {
        let mix = quiet_mix(vec![on_side(1, -1.0, left), on_side(2, 1.0, right)]);
        (latency(&mix), play_in_blocks(mix, &[start(100, 1), start(1_000, 2)], frames, block))
    };
    let (none, plain) = made(0, 0, 512);
    assert_eq!(none, 0);
    for (left, right) in [(0, 1), (240, 0), (0, -1), (-240, 0), (-441, 480), (-240, -100), (7, 20), (-12_000, 3)] {
        let first = -left.min(right).min(0);
        for block in [1, 17, 64, 4_096] {
            let (latency, out) = made(left, right, block);
            assert_eq!(i64::from(latency), first, "{left}, {right}");
            assert!(is_later(&out.left, &plain.left, (first + left) as u64), "{left}, {right} in blocks of {block}");
            assert!(is_later(&out.right, &plain.right, (first + right) as u64), "{left}, {right} in blocks of {block}");
        }
    }
}

/// What has no way to the main track of its own: by groups and returns each signal is late by the sum of its delays,
/// beside one that is early.
#[test]
fn delays_on_the_way_add_up() {
    let events = [start(100, 1)];
    for (own, group, returned, early) in
        [(0, 0, 0, 0), (50, 70, 0, 0), (50, -70, 11, 0), (-90, 20, -30, 0), (10, 5, -7, -300), (-10, -20, 9, -5)]
    {
        let way = |to_group: bool| {
            let mut source = on_side(1, 0.0, own);
            let send = Send { to: 20, gain_db: 0.0, before_fader: false };
            (source.output, source.sends) =
                if to_group { (Output::Track(10), vec![]) } else { (Output::Nowhere, vec![send]) };
            // Its own ways hold everything in place, though nothing sounds there.
            let mut silent = on_side(2, 0.0, own);
            (silent.output, silent.sends) = (Output::Track(10), vec![send]);
            let mut late = vec![source, silent, on_side(3, 0.0, early)];
            late.push(TrackSettings { delay_frames: group, ..track(10, vec![]) });
            late.push(TrackSettings { delay_frames: returned, ..track(20, vec![]) });
            quiet_mix(late)
        };
        let sums = [own + group, own + returned, early, group, returned, own];
        let first = sums.iter().fold(0, |first, sum| first.max(-sum));
        for (to_group, meant) in [(true, own + group), (false, own + returned)] {
            let mix = way(to_group);
            let what = format!("{own}, {group}, {returned}, {early}, group: {to_group}");
            let latency = i64::from(latency(&mix));
            assert!(latency <= first && latency >= -meant.min(early), "{what}: {latency}");
            let mut none = mix.clone();
            none.tracks.iter_mut().for_each(|track| track.delay_frames = 0);
            let (plain, out) = (play(none, &events, SECOND / 4), play(mix, &events, SECOND / 4));
            assert!(is_later(&out.left, &plain.left, (latency + meant) as u64), "{what}: {latency}");
        }
    }
}

/// With one track that is early, all else is only later: also what moves in groups and in the main track.
#[test]
fn what_moves_is_as_late_as_what_it_moves() {
    let go = |track: u32, frame: u64, parameter: Parameter, value: f32| {
        let kind = EventKind::Parameter { of: Automated::Track, parameter, value, frames: 3_000 };
        PieceEvent { frame, track, kind }
    };
    let mut events = vec![start(100, 1), start(100, 2)];
    events.extend([go(1, 2_000, Parameter::Volume, -6.0), go(10, 2_500, Parameter::Pan, 0.5)]);
    events.extend([
        go(MAIN, 3_000, Parameter::Volume, -20.0),
        start(4_000, 1),
        go(MAIN, 9_000, Parameter::Volume, 0.0),
    ]);
    let free = EventKind::FreeParameters;
    events.extend([
        PieceEvent { frame: 14_000, track: MAIN, kind: free },
        PieceEvent { frame: 14_500, track: 10, kind: free },
    ]);
    events.sort_by_key(|event| event.frame);
    let made = |early: i64| {
        let member = |track| TrackSettings { output: Output::Track(10), ..track };
        let mut silent = on_side(3, 0.0, early);
        silent.strip.active = false;
        quiet_mix(vec![member(on_side(1, 0.0, 0)), on_side(2, 0.3, 0), member(silent), track(10, vec![])])
    };
    let plain = play(made(0), &events, SECOND / 2);
    // Parameters step with every 16th frame.
    for early in [-16, -480, -4_800] {
        for block in [1, 64, 4_096] {
            let out = play_in_blocks(made(early), &events, SECOND / 2, block);
            assert!(is_later(&out.left, &plain.left, -early as u64), "{early} in blocks of {block}");
            assert!(is_later(&out.right, &plain.right, -early as u64), "{early} in blocks of {block}");
        }
    }
}

#[test]
fn a_delay_that_changes_does_not_click() {
    let long = |delay_frames: i64| {
        let mut tone = on_side(1, 0.0, delay_frames);
        tone.clips = vec![clip(1, sine(200.0, RATE, 4 * SECOND as usize), Warp::Off)];
        quiet_mix(vec![tone, on_side(2, 0.0, 0)])
    };
    let own = largest_step(&play(long(0), &[start(0, 1)], SECOND).left);
    for changes in [&[0, 480][..], &[480, 0], &[0, -480], &[-480, 0], &[0, 9_600, -9_600, 100, 0], &[5, 6, 7, 8, 9]] {
        let mixes = changes.iter().enumerate().map(|(at, delay)| (at as u64 * 10_000, long(*delay))).collect();
        let out = play_changing(mixes, &[start(0, 1)], 60_000);
        // For so long as one delay is shorter than the one before, both sound.
        let step = largest_step(&out.left);
        assert!(step < 2.0 * own + 0.05, "{changes:?}: {step}, of its own {own}");
        let last = &out.left[55_000..];
        let meant = play(long(changes[changes.len() - 1]), &[start(0, 1)], 60_000);
        assert!(last.iter().zip(&meant.left[55_000..]).all(|(is, meant)| (is - meant).abs() < 1e-6), "{changes:?}");
    }
}

/// What comes early is not faded by a plan that changes nothing.
#[test]
fn plans_that_change_nothing_change_nothing() {
    let made = || quiet_mix(vec![on_side(1, 0.0, 300), on_side(2, 0.0, -500)]);
    let events = [start(0, 1), start(700, 2)];
    let whole = play(made(), &events, SECOND / 2);
    let parts = play_changing((0..10).map(|n| (n * 1_000, made())).collect(), &events, SECOND / 2);
    assert_eq!(whole, parts);
}

/// How much of the memory of a delay there is does not depend on how many tracks are late by it.
#[test]
fn two_hundred_tracks_share_one_memory() {
    let tracks =
        (0..200).map(|id| TrackSettings { delay_frames: if id == 7 { -48_000 } else { 0 }, ..track(id, vec![]) });
    let (mut store, mut engine) = (StateStore::new(RATE), Engine::new());
    let mut plan = Plan::new(quiet_mix(tracks.collect()), &mut store);
    assert_eq!(
        (plan.latency(), plan.late_by(7), plan.late_by(8), plan.late_rooms()),
        (48_000, 0, 48_000, vec![48_000])
    );
    let piece = Piece { events: &[], frames: 64, tempo_bpm: 120.0, block: 64 };
    let out = render(&mut engine, &mut plan, &piece, &mut ());
    assert_eq!(out, Stereo { left: vec![0.0; 64], right: vec![0.0; 64] });
    let mut none = Plan::new(quiet_mix((0..200).map(|id| track(id, vec![])).collect()), &mut StateStore::new(RATE));
    assert_eq!(none.late_rooms(), [0; 0]);
    render(&mut engine, &mut none, &piece, &mut ());
}
