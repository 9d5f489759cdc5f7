//! Where clips are said to be, by who follows them.

use super::*;
use crate::set::document::timeline_lane::Lane;
use crate::set::document::{Envelope, PlacedClip};

const TRACK: Serial = 10;

/// What was told of the track, what goes straight on in one piece: first frame, the one behind the last, clip, its time
/// in thousandths.
fn told(rig: &mut Rig) -> Vec<(u64, u64, Serial, i64)> {
    let mut all: Vec<(u64, u64, Serial, f64)> = Vec::new();
    for (at, course) in rig.courses.drain(..) {
        let ClipCourse { frames, track, clip, time, per_frame, .. } = course;
        assert_eq!(track, TRACK);
        match all.last_mut() {
            Some((from, to, of, since))
                if *to == at && *of == clip && (*since + (at - *from) as f64 * per_frame - time).abs() < 1e-6 =>
            {
                *to = at + u64::from(frames);
            }
            _ => all.push((at, at + u64::from(frames), clip, time)),
        }
    }
    all.into_iter().map(|(from, to, clip, time)| (from, to, clip, (time * 1000.0).round() as i64)).collect()
}

#[test]
fn courses_follow_what_plays() {
    for block in [64, 1000, 4096] {
        let two_beats = clip(100, 2.0, [note(60, 0.0, 1.0), note(62, 1.25, 0.5)]);
        let mut rig = Rig::hosted(document([track(TRACK, [two_beats])]), 0.0);
        (rig.follows, rig.block_frames) = (true, block);
        rig.run_to(BEAT);
        rig.play(TRACK, 100, BAR);
        rig.run_to(9 * BEAT);
        rig.stop(TRACK, LaunchQuantum::None);
        rig.run_to(10 * BEAT);
        let passes = [(4, 6), (6, 8), (8, 9)];
        assert_eq!(told(&mut rig), passes.map(|(from, to)| (from * BEAT, to * BEAT, 100, 0)), "{block}");
    }
}

#[test]
fn a_launch_between_two_frames_is_told_at_the_first() {
    // At 99 BPM hardly a beat lies on a frame.
    let mut rig = Rig::hosted(document([track(TRACK, [clip(100, 1.0, [])])]), 0.0);
    rig.host().tempo_bpm = Some(99.0);
    rig.follows = true;
    rig.play(TRACK, 100, BAR);
    rig.run_to(4 * BEAT);
    let told = told(&mut rig);
    let beat = 48_000.0 * 60.0 / 99.0;
    for (at, (from, _, _, time)) in told.iter().enumerate() {
        assert_eq!((*from, *time), ((at as f64 * beat).round() as u64, 0));
    }
    assert_eq!(told.len(), 4);
}

#[test]
fn the_arrangements_clips_are_told_as_they_lie() {
    let mut lane = Lane::default();
    let late = Clip { start_marker: 1.5, ..clip(202, 8.0, []) };
    let muted = Clip { muted: true, ..clip(203, 2.0, []) };
    for (start, end, clip) in [(1.0, 3.0, clip(201, 4.0, [])), (3.0, 5.0, late), (6.0, 7.0, muted)] {
        lane.insert(PlacedClip { start, end, clip: Arc::new(clip) });
    }
    for block in [64, 1000, 4096] {
        let arranged = Track { arrangement: lane.clone(), ..track(TRACK, [clip(100, 4.0, [])]) };
        let mut rig = Rig::hosted(document([arranged]), 0.0);
        (rig.follows, rig.block_frames) = (true, block);
        rig.run_to(4 * BEAT);
        rig.play(TRACK, 100, LaunchQuantum::None);
        rig.run_to(5 * BEAT);
        let meant = [(BEAT, 3 * BEAT, 201, 0), (3 * BEAT, 4 * BEAT, 202, 1500), (4 * BEAT, 5 * BEAT, 100, 0)];
        assert_eq!(told(&mut rig), meant, "{block}");
        rig.host().playing = false;
        rig.run_to(6 * BEAT);
        assert_eq!(told(&mut rig), [], "nothing plays while the clock stands");
    }
}

/// Where the song was said to be, what goes straight on in one piece: first frame, the one behind the last, the clip
/// that plays meanwhile, beats in thousandths.
fn told_of_song(rig: &mut Rig, of: Serial) -> Vec<(u64, u64, Option<Serial>, i64)> {
    let mut all: Vec<(u64, u64, Option<Serial>, f64)> = Vec::new();
    for (at, course) in rig.songs.drain(..) {
        let SongCourse { frames, track, over, beats, per_frame, .. } = course;
        if track != of {
            continue;
        }
        match all.last_mut() {
            Some((from, to, clip, since))
                if *to == at && *clip == over && (*since + (at - *from) as f64 * per_frame - beats).abs() < 1e-6 =>
            {
                *to = at + u64::from(frames);
            }
            _ => all.push((at, at + u64::from(frames), over, beats)),
        }
    }
    all.into_iter().map(|(from, to, clip, beats)| (from, to, clip, (beats * 1000.0).round() as i64)).collect()
}

fn automated(track: Track) -> Track {
    Track { automation: vec![Arc::new(Envelope::new(1, Vec::new()))], ..track }
}

#[test]
fn who_follows_the_arrangement_is_told_where_the_song_is() {
    let mut lane = Lane::default();
    for (start, end, serial) in [(1.0, 2.0, 201), (2.5, 3.0, 202)] {
        lane.insert(PlacedClip { start, end, clip: Arc::new(clip(serial, 4.0, [])) });
    }
    for block in [64, 1000, 4096] {
        let mut song = document([automated(Track { arrangement: lane.clone(), ..track(TRACK, [clip(100, 4.0, [])]) })]);
        // Tracks without clips have automation too.
        song.main = Arc::new(automated(Track::clone(&song.main)));
        let main = song.main.serial;
        let mut rig = Rig::hosted(song, 0.0);
        (rig.follows, rig.block_frames) = (true, block);
        rig.run_to(4 * BEAT);
        rig.play(TRACK, 100, LaunchQuantum::None);
        rig.run_to(5 * BEAT);
        let half = BEAT / 2;
        let songs = std::mem::take(&mut rig.songs);
        rig.songs.clone_from(&songs);
        let meant = [
            (0, BEAT, None, 0),
            (BEAT, 2 * BEAT, Some(201), 1000),
            (2 * BEAT, 2 * BEAT + half, None, 2000),
            (2 * BEAT + half, 3 * BEAT, Some(202), 2500),
            (3 * BEAT, 4 * BEAT, None, 3000),
        ];
        assert_eq!(told_of_song(&mut rig, TRACK), meant, "{block}");
        rig.songs = songs;
        assert_eq!(told_of_song(&mut rig, main), [(0, 5 * BEAT, None, 0)], "{block}");
        // While the clock stands, it is told to stand; whom the Session has, of nothing.
        rig.host().playing = false;
        rig.run_to(5 * BEAT + u64::from(block));
        let standing = std::mem::take(&mut rig.songs);
        assert!(standing.iter().all(|(_, course)| (course.track, course.per_frame) == (main, 0.0)));
        assert!((standing.last().unwrap().1.beats - 5.0).abs() < 1e-6);
    }
}

#[test]
fn the_songs_loop_takes_along_who_follows_the_arrangement() {
    for block in [64, 1000, 4096] {
        let song = super::arrangement::looped(document([automated(track(TRACK, []))]), 1.0, 2.0);
        let mut rig = super::arrangement::started(song, 0.0);
        (rig.follows, rig.block_frames) = (true, block);
        rig.run_to(6 * BEAT);
        let meant = [(0, 3 * BEAT, None, 0), (3 * BEAT, 5 * BEAT, None, 1000), (5 * BEAT, 6 * BEAT, None, 1000)];
        assert_eq!(told_of_song(&mut rig, TRACK), meant, "{block}");
    }
}
