//! Audio clips: when whoever makes the sound is told to begin one, where in it, and when to stop.

use super::*;
use crate::set::document::timeline_lane::Lane;
use crate::set::document::{AudioContent, Fade, Fades, PlacedClip};

const TRACK: Serial = 10;

/// A looping audio clip; not warped, its times are seconds.
fn audio(serial: Serial, length: f64, warping: bool) -> Clip {
    let content = AudioContent {
        fades: None,
        file_path: "a.wav".to_owned(),
        sample_length: 480_000,
        sample_rate_hz: 48_000.0,
        channels: 2,
        gain: 0.4,
        pitch_coarse: 0,
        pitch_fine: 0.0,
        warping,
        warp_mode: 0,
        ram_mode: false,
        warp_markers: Vec::new(),
    };
    Clip { content: Content::Audio(Arc::new(content)), ..clip(serial, length, []) }
}

fn audio_track(clips: impl IntoIterator<Item = Clip>) -> Track {
    Track { kind: TrackKind::Audio, midi_channel: None, ..track(TRACK, clips) }
}

fn arranged(placed: impl IntoIterator<Item = (f64, f64, Clip)>) -> Track {
    let mut lane = Lane::default();
    for (start, end, clip) in placed {
        lane.insert(PlacedClip { start, end, clip: Arc::new(clip) });
    }
    Track { arrangement: lane, ..audio_track([]) }
}

/// What the track was told: frame, and clip with its time in thousandths, or `None` for a stop.
fn told(rig: &mut Rig) -> Vec<(u64, Option<(Serial, i64)>)> {
    let all = rig.clips_heard.drain(..);
    all.map(|(at, track, kind)| {
        assert_eq!(track, TRACK);
        let start = match kind {
            TrackClipKind::Start { clip, time, .. } => Some((clip, (time * 1000.0).round() as i64)),
            TrackClipKind::Stop => None,
        };
        (at, start)
    })
    .collect()
}

#[test]
fn a_launch_waits_for_its_boundary_and_a_loop_is_not_told_again() {
    for block in [64, 512, 1000, 4096] {
        let mut rig = Rig::hosted(document([audio_track([Clip { start_marker: 0.5, ..audio(100, 2.0, true) }])]), 0.0);
        rig.block_frames = block;
        rig.run_to(BEAT);
        rig.play(TRACK, 100, BAR);
        rig.run_to(13 * BEAT);
        rig.stop(TRACK, BAR);
        rig.run_to(20 * BEAT);
        assert_eq!(told(&mut rig), [(4 * BEAT, Some((100, 500))), (16 * BEAT, None)], "{block}");
        assert!(rig.heard.is_empty());
    }
}

#[test]
fn a_clip_that_is_not_known_yet_begins_in_the_middle() {
    let mut rig = Rig::hosted(document([audio_track([audio(100, 4.0, true)])]), 0.0);
    rig.unknown_clips = vec![100];
    rig.play(TRACK, 100, BAR);
    rig.run_to(BEAT);
    assert_eq!(told(&mut rig), []);
    rig.unknown_clips.clear();
    rig.run_to(2 * BEAT);
    assert_eq!(told(&mut rig), [(BEAT, Some((100, 1000)))]);
    // Who forgets it meanwhile is told as if it had just come.
    rig.unknown_clips = vec![100];
    rig.run_to(3 * BEAT);
    rig.unknown_clips.clear();
    rig.run_to(4 * BEAT);
    assert_eq!(told(&mut rig), [(2 * BEAT, None), (3 * BEAT, Some((100, 3000)))]);
}

#[test]
fn jumps_are_told_and_drift_only_once_it_is_heard() {
    // By how much the host is off in each block, and how often the clip is told of in eight beats.
    for (jump, drift, count) in [(0.0, 0.0, 1), (0.0, 1e-5, 1), (3.0, 0.0, 2), (0.0, 5e-4, 48)] {
        let mut rig = Rig::hosted(document([audio_track([audio(100, 8.0, true)])]), 0.0);
        rig.play(TRACK, 100, BAR);
        rig.run_to(BEAT);
        *rig.host().position_beats.as_mut().unwrap() += jump;
        while rig.now < 9 * BEAT {
            rig.block(512);
            *rig.host().position_beats.as_mut().unwrap() += drift;
        }
        let told = told(&mut rig);
        assert!(told.len() <= count && told.len() > count / 2, "{jump} {drift}: {}", told.len());
        if jump > 0.0 {
            // Onto its grid: as if launched at beat 4.
            assert_eq!(told[1], (BEAT, Some((100, 0))));
        }
    }
}

#[test]
fn a_stopped_transport_stops_them_and_a_start_begins_at_the_grid() {
    let mut rig = Rig::hosted(document([audio_track([audio(100, 8.0, true)])]), 0.0);
    rig.play(TRACK, 100, BAR);
    rig.run_to(2 * BEAT);
    rig.host().playing = false;
    rig.run_to(3 * BEAT);
    rig.host().position_beats = Some(5.0);
    rig.host().playing = true;
    rig.run_to(4 * BEAT);
    assert_eq!(told(&mut rig), [(0, Some((100, 0))), (2 * BEAT, None), (3 * BEAT, Some((100, 1000)))]);
}

#[test]
fn in_the_songs_loop_session_clips_go_on_and_arranged_ones_begin_anew() {
    let session = document([audio_track([audio(100, 3.0, true)])]);
    let arranged = document([arranged([(0.0, 16.0, audio(200, 16.0, true))])]);
    let again = |beat: u64| (beat * BEAT, Some((200, 1000)));
    for (document, meant) in [
        (session, vec![(0, Some((100, 0)))]),
        (arranged, vec![(0, Some((200, 0))), again(3), again(5), again(7), again(9)]),
    ] {
        let mut rig = Rig::new(document);
        rig.edit(|document| {
            let song = Arc::make_mut(&mut document.song);
            (song.loop_on, song.loop_start, song.loop_length) = (true, 1.0, 2.0);
        });
        rig.snapshot.own_clock = true;
        if rig.snapshot.document.tracks[0].arrangement.is_empty() {
            rig.play(TRACK, 100, LaunchQuantum::None);
        }
        rig.transport(TransportAction::Start { at: 0.0 });
        rig.run_to(10 * BEAT);
        assert_eq!(told(&mut rig), meant);
    }
}

/// A loop of two beats in a song's loop of two beats: it is where it would be, but nearer to its left edge.
#[test]
fn a_clip_that_fades_is_told_where_the_song_goes() {
    let fade = Fade { length: 1.0, ..Fade::default() };
    for (fades, meant) in [
        (None, vec![(200, 0.0)]),
        (Some(Fades { on: true, fade_in: fade, ..Fades::default() }), vec![(200, 0.0), (200, 1.0), (200, 1.0)]),
    ] {
        let mut clip = audio(200, 2.0, true);
        if let Content::Audio(audio) = &mut clip.content {
            Arc::make_mut(audio).fades = fades;
        }
        let mut rig = Rig::new(document([arranged([(0.0, 16.0, clip)])]));
        rig.edit(|document| {
            let song = Arc::make_mut(&mut document.song);
            (song.loop_on, song.loop_start, song.loop_length) = (true, 1.0, 2.0);
        });
        rig.snapshot.own_clock = true;
        rig.transport(TransportAction::Start { at: 0.0 });
        rig.run_to(6 * BEAT);
        let told = rig.clips_heard.drain(..).filter_map(|(_, _, kind)| match kind {
            TrackClipKind::Start { clip, beats, .. } => Some((clip, (beats * 1e6).round() / 1e6)),
            TrackClipKind::Stop => None,
        });
        assert_eq!(told.collect::<Vec<_>>(), meant);
    }
}

#[test]
fn the_arrangement_plays_what_lies_there() {
    let muted = Clip { muted: true, ..audio(203, 2.0, true) };
    let late = Clip { start_marker: 1.5, ..audio(202, 8.0, true) };
    let placed = [(1.0, 3.0, audio(201, 4.0, true)), (3.0, 5.0, late), (6.0, 7.0, muted)];
    for block in [64, 512, 1000, 4096] {
        let mut rig = Rig::hosted(document([arranged(placed.clone())]), 0.0);
        rig.block_frames = block;
        rig.run_to(8 * BEAT);
        let meant = [(BEAT, Some((201, 0))), (3 * BEAT, Some((202, 1500))), (5 * BEAT, None)];
        assert_eq!(told(&mut rig), meant, "{block}");
    }
    // In the middle, and beyond.
    let mut rig = Rig::hosted(document([arranged(placed.clone())]), 2.25);
    rig.run_to(BEAT / 2);
    rig.host().position_beats = Some(5.5);
    rig.run_to(BEAT);
    assert_eq!(told(&mut rig), [(0, Some((201, 1250))), (BEAT / 2, None)]);
}

#[test]
fn a_launch_takes_the_track_from_the_arrangement() {
    let with_both = Track {
        session: audio_track([audio(100, 4.0, true)]).session,
        ..arranged([(0.0, 16.0, audio(200, 16.0, true))])
    };
    let mut rig = Rig::hosted(document([with_both]), 0.0);
    rig.run_to(BEAT);
    rig.play(TRACK, 100, BAR);
    rig.run_to(6 * BEAT);
    rig.stop(TRACK, LaunchQuantum::None);
    rig.run_to(7 * BEAT);
    let meant = [(0, Some((200, 0))), (4 * BEAT, Some((100, 0))), (6 * BEAT, None)];
    assert_eq!(told(&mut rig), meant);
}

#[test]
fn what_is_not_warped_counts_in_seconds_whatever_the_tempo() {
    // Three seconds from 1 on, which never loop: six of the rig's beats.
    let seconds = || Clip { loop_start: 1.0, loop_end: 4.0, end_marker: 99.0, ..audio(100, 4.0, false) };
    for tempo in [120.0, 60.0, 187.0] {
        let mut rig = Rig::hosted(document([audio_track([seconds()])]), 0.0);
        rig.play(TRACK, 100, BAR);
        rig.run_to(BEAT);
        rig.host().tempo_bpm = Some(tempo);
        rig.run_to(16 * BEAT);
        let told = told(&mut rig);
        assert_eq!(told[0], (0, Some((100, 1000))));
        assert_eq!((told.len(), told[1].1), (2, None), "{told:?}");
        assert!(told[1].0.abs_diff(6 * BEAT) <= 1, "{tempo}: {told:?}");
    }
    // An octave up it is over in half the time.
    let mut clip = seconds();
    if let Content::Audio(audio) = &mut clip.content {
        Arc::make_mut(audio).pitch_coarse = 12;
    }
    let mut rig = Rig::hosted(document([audio_track([clip])]), 0.0);
    rig.play(TRACK, 100, BAR);
    rig.run_to(16 * BEAT);
    assert_eq!(told(&mut rig), [(0, Some((100, 1000))), (3 * BEAT, None)]);
}

#[test]
fn edits_are_told_only_where_the_clip_is_elsewhere_by_them() {
    type Edit = fn(&mut Clip);
    type Told = &'static [(u64, Option<(Serial, i64)>)];
    let table: [(Edit, Told); 5] = [
        (|clip| clip.name = "another".to_owned(), &[]),
        (|clip| clip.loop_end = 6.0, &[]),
        // Who plays it folds it into the loop, as playback does.
        (|clip| clip.loop_end = 2.0, &[]),
        (|clip| clip.muted = true, &[(3 * BEAT, None)]),
        (|clip| clip.start_marker = 2.0, &[]),
    ];
    for (at, (edit, meant)) in table.into_iter().enumerate() {
        let mut rig = Rig::hosted(document([audio_track([audio(100, 8.0, true)])]), 0.0);
        rig.play(TRACK, 100, BAR);
        rig.run_to(3 * BEAT);
        told(&mut rig);
        rig.edit_clip(0, edit);
        rig.run_to(4 * BEAT);
        assert_eq!(told(&mut rig), meant, "edit {at}");
    }
    // A track that goes takes its clip along.
    let mut rig = Rig::hosted(document([audio_track([audio(100, 8.0, true)])]), 0.0);
    rig.play(TRACK, 100, BAR);
    rig.run_to(BEAT);
    rig.snapshot.launches.clear();
    rig.edit(|document| drop(document.tracks.remove(0)));
    rig.run_to(2 * BEAT);
    assert_eq!(told(&mut rig), [(0, Some((100, 0))), (BEAT, None)]);
}
