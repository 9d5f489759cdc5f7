//! The Arrangement: which of its clips are heard, where they end, and who has a track.

use super::*;
use crate::set::document::timeline_lane::Lane;
use crate::set::document::{PlacedClip, TakeLane};

pub(super) fn placed(start: Beats, end: Beats, clip: Clip) -> PlacedClip {
    PlacedClip { start, end, clip: Arc::new(clip) }
}

pub(super) fn timeline(clips: impl IntoIterator<Item = PlacedClip>) -> Lane {
    let mut lane = Lane::default();
    clips.into_iter().for_each(|placed| lane.insert(placed));
    lane
}

/// A track with clips in the Arrangement, on channel `serial - 10`.
pub(super) fn arranged(serial: Serial, clips: impl IntoIterator<Item = PlacedClip>) -> Track {
    Track { arrangement: timeline(clips), ..track(serial, []) }
}

/// One note of a quarter on each beat, from C3 up.
pub(super) fn beats(count: u8) -> impl Iterator<Item = Note> {
    (0..count).map(|beat| note(60 + beat, f64::from(beat), 0.5))
}

/// A rig that follows the Arrangement everywhere, with the Set's own clock, started at a beat.
pub(super) fn started(document: Document, at: Beats) -> Rig {
    let mut rig = Rig::new(document);
    rig.snapshot.launches.clear();
    rig.transport(TransportAction::Start { at });
    rig
}

pub(super) fn looped(mut document: Document, start: Beats, length: Beats) -> Document {
    let song = Arc::make_mut(&mut document.song);
    (song.loop_on, song.loop_start, song.loop_length) = (true, start, length);
    document
}

/// Ons as (beats since the start, pitch), where they all lie on sixteenths.
pub(super) fn ons(rig: &Rig) -> Vec<(f64, u8)> {
    rig.heard.iter().filter(|h| h.on).map(|h| (h.at as f64 / BEAT as f64, h.pitch)).collect()
}

#[test]
fn what_of_a_clip_is_heard() {
    let plain = || clip(100, 4.0, beats(8));
    let once = |start, end| Clip { looping: false, start_marker: start, end_marker: end, ..plain() };
    // clip on beats 2..8, what is heard
    type Ons = Vec<(f64, u8)>;
    let table: Vec<(&str, PlacedClip, Ons)> = vec![
        (
            "a loop repeats up to the right edge",
            placed(2.0, 8.0, plain()),
            vec![(2.0, 60), (3.0, 61), (4.0, 62), (5.0, 63), (6.0, 60), (7.0, 61)],
        ),
        ("the right edge cuts a loop", placed(2.0, 4.5, plain()), vec![(2.0, 60), (3.0, 61), (4.0, 62)]),
        (
            "it enters at its start marker",
            placed(2.0, 8.0, Clip { start_marker: 3.0, loop_start: 1.0, ..plain() }),
            vec![(2.0, 63), (3.0, 61), (4.0, 62), (5.0, 63), (6.0, 61), (7.0, 62)],
        ),
        ("without a loop it plays once", placed(2.0, 8.0, once(1.0, 4.0)), vec![(2.0, 61), (3.0, 62), (4.0, 63)]),
        ("a note on the right edge is not in it", placed(2.0, 4.0, once(0.0, 8.0)), vec![(2.0, 60), (3.0, 61)]),
        ("a deactivated clip", placed(2.0, 8.0, Clip { muted: true, ..plain() }), vec![]),
        ("a loop of nothing", placed(2.0, 8.0, Clip { loop_end: 0.0, ..plain() }), vec![]),
    ];
    for (name, placed, expected) in table {
        for start in [0.0, 2.0] {
            let mut rig = started(document([arranged(10, [placed.clone()])]), start);
            rig.run_to(((10.0 - start) * BEAT as f64) as u64);
            let expected: Vec<_> = expected.iter().map(|(beat, pitch)| (beat - start, *pitch)).collect();
            assert_eq!(ons(&rig), expected, "{name}, from {start}");
            assert_eq!(rig.held, [], "{name}");
        }
    }
}

#[test]
fn notes_end_with_their_clip_and_the_next_begins_in_the_same_frame() {
    let long = |serial| clip(serial, 4.0, [note(60, 0.0, 50.0)]);
    let clips = [placed(0.0, 2.0, long(100)), placed(2.0, 3.0, long(101)), placed(4.0, 5.0, long(102))];
    let mut rig = started(document([arranged(10, clips)]), 0.0);
    rig.run_to(6 * BEAT);
    let expected = [
        on(0, 0, 60),
        off(2 * BEAT, 0, 60),
        on(2 * BEAT, 0, 60),
        off(3 * BEAT, 0, 60),
        on(4 * BEAT, 0, 60),
        off(5 * BEAT, 0, 60),
    ];
    assert_eq!(rig.take(), expected);
}

#[test]
fn who_is_heard() {
    type Change = fn(&mut Vec<Track>);
    let table: Vec<(&str, Change, Vec<u8>)> = vec![
        ("all", |_| {}, vec![0, 1]),
        ("mute", |t| t[0].mute = true, vec![1]),
        ("solo", |t| t[1].solo = true, vec![1]),
        ("group mute", |t| (t[1].group, t[2].mute) = (Some(30), true), vec![0]),
        ("no channel", |t| t[0].midi_channel = None, vec![1]),
    ];
    for (name, change, expected) in table {
        let mut tracks: Vec<Track> =
            (10..12).map(|serial| arranged(serial, [placed(0.0, 4.0, clip(serial + 90, 4.0, beats(1)))])).collect();
        tracks.push(Track { kind: TrackKind::Group, midi_channel: None, ..track(30, []) });
        let lane =
            TakeLane { serial: 50, name: String::new(), clips: timeline([placed(0.0, 4.0, clip(150, 4.0, beats(4)))]) };
        tracks[0].take_lanes.push(Arc::new(lane));
        change(&mut tracks);
        let mut rig = started(document(tracks), 0.0);
        rig.run_to(3 * BEAT);
        let channels: Vec<u8> = rig.heard.iter().filter(|h| h.on).map(|h| h.channel).collect();
        assert_eq!(channels, expected, "{name}");
    }
}

#[test]
fn a_host_jumps_loops_and_stops() {
    let mut rig = Rig::hosted(
        looped(
            document([arranged(10, [placed(0.0, 16.0, clip(100, 16.0, beats(16).chain([note(50, 0.0, 16.0)])))])]),
            0.0,
            1.0,
        ),
        0.0,
    );
    rig.snapshot.launches.clear();
    rig.publish();
    // A loop of the DAW's, of which the Set's loop knows nothing.
    for pass in 0..3 {
        rig.host().position_beats = Some(2.0);
        rig.run_to((pass + 1) * 4 * BEAT);
        let start = pass * 4;
        let pitches: Vec<_> = ons(&rig).into_iter().filter(|on| on.0 >= start as f64).collect();
        let expected: Vec<_> = (0..4u8).map(|beat| ((start + u64::from(beat)) as f64, 62 + beat)).collect();
        assert_eq!(pitches, expected, "pass {pass}");
    }
    rig.host().playing = false;
    rig.run_to(rig.now + BEAT);
    assert_eq!(rig.held, []);
    rig.take();
    // What began before the place where it starts is not begun again.
    rig.host().playing = true;
    rig.host().position_beats = Some(8.5);
    let from = rig.now;
    rig.run_to(from + BEAT);
    assert_eq!(rig.take(), [on(from + BEAT / 2, 0, 69), off(from + BEAT, 0, 69)].split_at(1).0);
    rig.host().playing = false;
    rig.run_to(rig.now + 64);
    assert_eq!(rig.held, []);
}

#[test]
fn a_launch_takes_the_track_over_until_it_is_left_to_the_arrangement() {
    let session = clip(100, 4.0, [note(40, 0.0, 4.0), note(41, 1.0, 0.5)]);
    let with_session =
        Track { arrangement: timeline([placed(0.0, 64.0, clip(200, 4.0, beats(4)))]), ..track(10, [session]) };
    let other = arranged(11, [placed(0.0, 64.0, clip(201, 4.0, [note(70, 0.0, 4.0)]))]);
    let mut rig = Rig::new(document([with_session, other]));
    rig.snapshot.launches.retain(|launch| launch.track == 10);
    rig.transport(TransportAction::Start { at: 0.0 });
    rig.run_to(BEAT + BEAT / 4);
    // Up to the launch's boundary the Arrangement is heard.
    rig.play(10, 100, BAR);
    rig.run_to(6 * BEAT);
    rig.stop(10, BAR);
    rig.run_to(10 * BEAT);
    // A stopped track is silent; only leaving it to the Arrangement brings that back, at once and where the song is.
    rig.snapshot.launches.clear();
    rig.publish();
    rig.run_to(13 * BEAT);
    let of_track = |rig: &Rig| -> Vec<(f64, u8)> {
        rig.heard.iter().filter(|h| h.on && h.channel == 0).map(|h| (h.at as f64 / BEAT as f64, h.pitch)).collect()
    };
    let expected =
        [(0.0, 60), (1.0, 61), (2.0, 62), (3.0, 63), (4.0, 40), (5.0, 41), (10.0, 62), (11.0, 63), (12.0, 60)];
    assert_eq!(of_track(&rig), expected);
    // The other track went on all the while.
    let other: Vec<u64> = rig.heard.iter().filter(|h| h.on && h.channel == 1).map(|h| h.at / BEAT).collect();
    assert_eq!(other, [0, 4, 8, 12]);
}

#[test]
fn both_ways_of_handing_over_end_what_sounds() {
    let session = clip(100, 4.0, [note(40, 0.0, 4.0)]);
    let both = Track {
        arrangement: timeline([placed(0.0, 64.0, clip(200, 64.0, [note(50, 0.0, 64.0)]))]),
        ..track(10, [session])
    };
    let mut rig = Rig::hosted(document([both]), 0.0);
    rig.run_to(BEAT);
    rig.play(10, 100, LaunchQuantum::Beats(1.0));
    rig.run_to(BEAT + BEAT / 2);
    assert_eq!(rig.take(), [on(0, 0, 50), off(BEAT, 0, 50), on(BEAT, 0, 40)]);
    rig.snapshot.launches.clear();
    rig.publish();
    rig.run_to(3 * BEAT);
    assert_eq!(rig.take(), [off(BEAT + BEAT / 2, 0, 40)]);
}

#[test]
fn edits_are_heard_at_once() {
    type Edit = fn(&mut Track);
    fn edit_placed(track: &mut Track, edit: impl FnOnce(&mut PlacedClip)) {
        track.arrangement.edit(0.0, edit);
    }
    // edit at beat 1.5, while the note of beats 0..4 sounds; is it cut there, later ons
    type Later = Vec<(u64, u8)>;
    let table: Vec<(&str, Edit, Option<u64>, Later)> = vec![
        ("nothing", |_| {}, Some(4), vec![(2, 61)]),
        ("the clip is gone", |t| drop(t.arrangement.remove(0.0)), None, vec![]),
        ("it is muted", |t| edit_placed(t, |p| Arc::make_mut(&mut p.clip).muted = true), None, vec![]),
        ("it is cut shorter", |t| edit_placed(t, |p| p.end = 3.0), Some(3), vec![(2, 61)]),
        ("the track is muted", |t| t.mute = true, None, vec![]),
        (
            "its notes are others",
            |t| edit_placed(t, |p| Arc::make_mut(&mut p.clip).content = notes([note(65, 3.0, 0.5)])),
            None,
            vec![(3, 65)],
        ),
        (
            "another lies behind it",
            |t| t.arrangement.insert(placed(4.0, 8.0, clip(201, 4.0, [note(66, 1.0, 0.5)]))),
            Some(4),
            vec![(2, 61), (5, 66)],
        ),
        ("the lane is empty", |t| t.arrangement = Lane::default(), None, vec![]),
    ];
    for (name, edit, end, later) in table {
        let first = clip(200, 4.0, [note(60, 0.0, 4.0), note(61, 2.0, 0.5)]);
        let mut rig = started(document([arranged(10, [placed(0.0, 4.0, first)])]), 0.0);
        rig.run_to(BEAT * 3 / 2);
        rig.edit_track(0, edit);
        rig.run_to(8 * BEAT);
        let cut: Vec<u64> = rig.heard.iter().filter(|h| !h.on && h.pitch == 60).map(|h| h.at).collect();
        assert_eq!(cut, [end.map_or(BEAT * 3 / 2, |end| end * BEAT)], "{name}");
        let ons: Vec<_> = rig.heard.iter().filter(|h| h.on && h.at > BEAT).map(|h| (h.at / BEAT, h.pitch)).collect();
        assert_eq!(ons, later, "{name}");
    }
}

#[test]
fn tracks_that_come_move_and_go_are_followed() {
    let one = |serial: Serial| arranged(serial, [placed(0.0, 64.0, clip(serial + 90, 1.0, beats(1)))]);
    let mut rig = started(document([one(10), one(11), one(12)]), 0.0);
    let heard_now = |rig: &mut Rig| -> Vec<u8> {
        rig.heard.clear();
        let next = rig.now / BEAT + 1;
        rig.run_to(next * BEAT);
        rig.heard.iter().filter(|h| h.on).map(|h| h.channel).collect()
    };
    rig.run_to(1);
    rig.run_to(BEAT);
    assert_eq!(heard_now(&mut rig), [0, 1, 2]);
    // The first goes last, a new one comes, the last goes.
    rig.edit(|document| {
        let first = document.tracks.remove(0).unwrap();
        document.tracks.push(first);
        document.tracks.push(Arc::new(one(13)));
        document.tracks.remove(1);
    });
    assert_eq!(heard_now(&mut rig), [1, 0, 3], "in the order of the Set");
    rig.edit(|document| drop(document.tracks.remove(0)));
    rig.edit(|document| document.tracks.edit(10, |track| track.arrangement = Lane::default()).unwrap());
    assert_eq!(heard_now(&mut rig), [3]);
}
