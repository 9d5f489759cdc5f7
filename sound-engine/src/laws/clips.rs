//! Audio clips: where they are, how they are tuned, how they loop.

use super::pieces::*;
use crate::analysis::{fundamental_hz, largest_step, sine};
use crate::engine::EventKind;
use crate::mixer::{ClipFades, ClipRegion, ClipSettings, Fade, Warp, WarpMarker};
use crate::offline::{PieceEvent, Stereo};
use crate::plan::settings::MixSettings;

fn play_clip(clip: ClipSettings, time: f64, frames: u64) -> Stereo {
    let mut audio = track(1, vec![]);
    let id = clip.id;
    audio.clips = vec![clip];
    let start = PieceEvent { frame: 0, track: 1, kind: EventKind::ClipStart { clip: id, time, beats: 0.0 } };
    play(MixSettings { soft_clip: false, ..mix(vec![audio]) }, &[start], frames)
}

/// A short plateau every half second, the n-th as high as n hundredths.
fn clicks(seconds: usize) -> Vec<f32> {
    let mut data = vec![0.0; seconds * SECOND as usize];
    for (n, place) in (0..data.len()).step_by(24_000).enumerate() {
        data[place..place + 400].fill((n + 1) as f32 / 100.0);
    }
    data
}

#[test]
fn clips_play_what_lies_at_their_time() {
    // At 120 a beat is half a second, as it is in the file; at 120 with markers for 60 it is twice as fast.
    let plain = clip(1, clicks(8), Warp::Repitch);
    let fast = ClipSettings {
        markers: vec![WarpMarker { beats: 0.0, seconds: 0.0 }, WarpMarker { beats: 1.0, seconds: 1.0 }],
        ..plain.clone()
    };
    let off = clip(1, clicks(8), Warp::Off);
    for (clip, time, at, meant) in [
        (plain.clone(), 0.0, 24_000, 0.02),
        (plain.clone(), 3.0, 24_000, 0.05),
        (plain, 3.5, 12_000, 0.05),
        (fast.clone(), 0.0, 12_000, 0.02),
        (fast, 1.0, 12_000, 0.04),
        (off, 1.0, 24_000, 0.04),
    ] {
        let out = play_clip(clip, time, SECOND);
        let (before, there) = (out.left[at - 40], out.left[at + 100]);
        assert!(before.abs() < 1e-3 && (there - meant).abs() < 1e-3, "at {time}: {before}, {there}, not {meant}");
    }
}

#[test]
fn a_clip_entered_past_its_loop_plays_on_behind_it() {
    let mut looping = clip(1, clicks(8), Warp::Repitch);
    looping.repeats = Some(ClipRegion { start: 0.0, end: 2.0 });
    looping.end = 2.0;
    // Beats that are heard one and four beats after the entry.
    for (time, meant) in [(1.0, [2.0, 1.0]), (2.0, [3.0, 6.0]), (3.0, [4.0, 7.0])] {
        let out = play_clip(looping.clone(), time, 3 * SECOND);
        for (beats, beat) in [1, 4].into_iter().zip(meant) {
            let beat = if beat == 2.0 { 0.0 } else { beat };
            // Behind the edge that a loop's seam has.
            let there = out.left[beats * 24_000 + 300];
            assert!(
                (there - (beat + 1.0) / 100.0).abs() < 1e-3,
                "from {time}, {beats} beats on: {there}, not beat {beat}"
            );
        }
    }
}

#[test]
fn warped_clips_keep_their_pitch_and_are_transposed_exactly() {
    for warp in [Warp::BEATS, Warp::TONES, Warp::TEXTURE, Warp::COMPLEX, Warp::Off, Warp::Repitch] {
        for (tempo, semitones) in [(1.0, 0.0), (0.8, 0.0), (1.5, 0.0), (1.0, 7.0), (1.2, -5.0)] {
            let mut clip = clip(1, sine(440.0, RATE, 8 * SECOND as usize), warp);
            for marker in &mut clip.markers {
                marker.beats /= tempo;
            }
            clip.end /= tempo;
            clip.semitones = semitones;
            let out = play_clip(clip, 0.0, 2 * SECOND);
            let factor = match warp {
                Warp::Repitch => tempo,
                _ => 2f64.powf(f64::from(semitones) / 12.0),
            };
            let meant = 440.0 * factor;
            let cents = 1200.0 * (fundamental_hz(&out.left, RATE, meant as f32) / meant).log2();
            assert!(cents.abs() < 3.0, "{warp:?} at {tempo}, {semitones} st: {cents:.2} cents");
        }
    }
}

#[test]
fn loops_and_edges_do_not_click() {
    // 200.3 Hz: neither the loop nor the end lies at a zero.
    for warp in [Warp::Off, Warp::Repitch, Warp::BEATS, Warp::TONES] {
        let mut clip = clip(1, sine(200.3, RATE, 8 * SECOND as usize), warp);
        clip.repeats = Some(ClipRegion { start: 0.31, end: 1.017 });
        let out = play_clip(clip.clone(), 0.1, 4 * SECOND);
        let step = largest_step(&out.left);
        assert!(step < 0.026 + 0.03, "{warp:?} loop: {step}");
        let power = out.left.iter().map(|x| x * x).sum::<f32>() / out.left.len() as f32;
        assert!((0.4..0.6).contains(&power), "{warp:?}: {power}");
        let mut audio = track(1, vec![]);
        audio.clips = vec![clip];
        let at = |frame: u64, kind| PieceEvent { frame, track: 1, kind };
        let launch = EventKind::ClipStart { clip: 1, time: 0.2, beats: 0.0 };
        let events = [
            at(0, launch),
            at(SECOND + 60, launch),
            at(SECOND + 160, launch),
            at(2 * SECOND + 60, EventKind::ClipStop),
        ];
        let out = play(MixSettings { soft_clip: false, ..mix(vec![audio]) }, &events, 3 * SECOND);
        let step = largest_step(&out.left);
        assert!(step < 0.026 + 0.05, "{warp:?} launch and stop: {step}");
        assert!(out.left[2 * SECOND as usize + 400..].iter().all(|x| *x == 0.0));
    }
}

#[test]
fn a_clip_that_is_not_looped_ends() {
    let out = play_clip(clip(1, sine(200.0, RATE, SECOND as usize / 2), Warp::TONES), 0.0, 2 * SECOND);
    assert!(out.left[SECOND as usize / 2 + 200..].iter().all(|x| *x == 0.0));
    assert!(out.left[SECOND as usize / 2 - 2_000..].iter().any(|x| x.abs() > 0.5));
}

#[test]
fn a_time_that_is_no_number_plays_nothing() {
    let out = play_clip(clip(1, sine(200.0, RATE, SECOND as usize), Warp::TONES), f64::NAN, SECOND);
    assert!(out.left.iter().all(|x| *x == 0.0));
}

/// So loud in front of its end as anywhere, and it ends at a crest.
fn stops_at_once() -> Vec<f32> {
    let turn = |n: usize| (n as f32 * 200.0 / RATE).fract() * std::f32::consts::TAU;
    (0..SECOND as usize).map(|n| 0.25 * turn(n).cos()).collect()
}

#[test]
fn a_file_that_ends_before_its_clip_stops_with_an_edge() {
    let end = SECOND as usize;
    for warp in [Warp::Off, Warp::Repitch, Warp::BEATS, Warp::TONES] {
        for (tempo, semitones) in [(1.0, 0.0), (0.8, 0.0), (1.3, 0.0), (1.0, 5.0), (1.0, -7.0)] {
            let mut clip = clip(1, stops_at_once(), warp);
            clip.end *= 4.0;
            for marker in &mut clip.markers {
                marker.beats /= tempo;
            }
            clip.semitones = semitones;
            let out = play_clip(clip, 0.0, 3 * SECOND);
            // Behind the launch, which begins at a crest too.
            let step = largest_step(&out.left[200..]);
            assert!(step < 0.007 * 1.5 + 0.005, "{warp:?} at {tempo}, {semitones} st: {step}");
            assert!(out.left[2 * end..].iter().all(|x| *x == 0.0));
        }
        // What lies 4 ms in front of the end is untouched.
        let mut clip = clip(1, stops_at_once(), warp);
        clip.end *= 2.0;
        let out = play_clip(clip, 0.0, 2 * SECOND);
        for (heard, there) in out.left.iter().zip(stops_at_once()).take(end - 192).skip(200) {
            assert!((heard - there).abs() < 1e-3, "{warp:?}");
        }
    }
}

#[test]
fn a_file_at_the_engines_rate_is_heard_as_it_is() {
    // Its treble most of all: each frame has nothing to do with the next.
    let mut dice = crate::dsp::noise::Noise::new(7);
    let data: Vec<f32> = (0..4 * SECOND).map(|_| 0.5 * dice.next_value()).collect();
    for warp in [Warp::Off, Warp::Repitch, Warp::BEATS] {
        for first in [0usize, 4_801, 100_003] {
            let clip = clip(1, data.clone(), warp);
            let beats = if warp == Warp::Off { 1.0 } else { 2.0 };
            let out = play_clip(clip, beats * first as f64 / f64::from(RATE), SECOND);
            let there = data.iter().skip(first);
            let away = out.left.iter().zip(there).skip(200).map(|(heard, there)| (heard - there).abs());
            let most = away.fold(0.0, f32::max);
            assert!(most == 0.0, "{warp:?} from frame {first}: {most} away");
        }
    }
}

/// A clip that is as loud everywhere, at 8..12 of the song, with fades of so long.
fn faded(warp: Warp, length: f64) -> ClipSettings {
    let fade = Fade { length, ..Fade::default() };
    let fades = ClipFades { start: 8.0, end: 12.0, fade_in: fade, fade_out: fade };
    ClipSettings { fades: Some(fades), ..clip(1, vec![0.5; 4 * SECOND as usize], warp) }
}

fn play_faded(clip: &ClipSettings, beats: f64, block: usize, tempo_bpm: f64) -> Stereo {
    let mut audio = track(1, vec![]);
    audio.clips = vec![clip.clone()];
    let kind = EventKind::ClipStart { clip: 1, time: beats - 8.0, beats };
    let start = PieceEvent { frame: 0, track: 1, kind };
    let mix = MixSettings { soft_clip: false, ..mix(vec![audio]) };
    play_in_tempo(mix, &[start], 2 * SECOND, block, tempo_bpm)
}

#[test]
fn fades_are_heard_to_the_frame() {
    // At 120 a beat is half a second; a clip that is not warped counts in seconds.
    for (warp, length) in [(Warp::Repitch, 1.0), (Warp::Off, 0.5)] {
        for beats in [8.0, 8.25, 11.0] {
            let out = play_faded(&faded(warp, length), beats, 64, 120.0);
            for frame in (100..SECOND as usize).step_by(777) {
                let at = beats + frame as f64 / 24_000.0;
                let meant = 0.5 * (at - 8.0).min(12.0 - at).clamp(0.0, 1.0) as f32;
                assert!((out.left[frame] - meant).abs() < 1e-4, "{warp:?} {at}: {}, not {meant}", out.left[frame]);
            }
        }
    }
}

#[test]
fn fades_are_the_same_in_blocks_of_any_size() {
    let mut clip = faded(Warp::Repitch, 1.0);
    // Through its loop, too.
    clip.repeats = Some(ClipRegion { start: 0.0, end: 0.7 });
    let whole = play_faded(&clip, 8.0, 4_096, 120.0);
    for block in [1, 37, 512] {
        assert!(play_faded(&clip, 8.0, block, 120.0).left == whole.left, "{block}");
    }
}

#[test]
fn fades_follow_the_tempo_and_loops() {
    let mut clip = faded(Warp::Repitch, 2.0);
    clip.repeats = Some(ClipRegion { start: 0.0, end: 0.5 });
    let out = play_faded(&clip, 8.0, 64, 60.0);
    // A second is a beat, and half of the fade: its loop has turned twice, which the fade goes on through.
    let (half, whole) = (out.left[SECOND as usize - 480], out.left[2 * SECOND as usize - 480]);
    assert!((half - 0.5 * 0.495).abs() < 0.01 && (whole - 0.5 * 0.995).abs() < 0.01, "{half} {whole}");
}
