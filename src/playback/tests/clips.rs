//! What a playing clip sounds like.

use super::*;

/// A clip that does not loop.
fn once(serial: Serial, start: Beats, end: Beats, list: impl IntoIterator<Item = Note>) -> Clip {
    Clip { looping: false, start_marker: start, end_marker: end, ..clip(serial, 4.0, list) }
}

#[test]
fn regions() {
    let line = || (0u8..12).map(|beat| note(60 + beat, f64::from(beat), 0.5));
    // clip, pitches of the first 10 beats' ons (each on the beat)
    let table: Vec<(&str, Clip, Vec<u8>)> = vec![
        ("loops", clip(100, 4.0, line()), vec![60, 61, 62, 63, 60, 61, 62, 63, 60, 61]),
        (
            "a loop inside",
            Clip { loop_start: 2.0, start_marker: 2.0, ..clip(100, 4.0, line()) },
            vec![62, 63, 62, 63, 62, 63, 62, 63, 62, 63],
        ),
        (
            "enters before its loop",
            Clip { loop_start: 2.0, ..clip(100, 4.0, line()) },
            vec![60, 61, 62, 63, 62, 63, 62, 63, 62, 63],
        ),
        (
            "enters inside its loop",
            Clip { start_marker: 3.0, ..clip(100, 4.0, line()) },
            vec![63, 60, 61, 62, 63, 60, 61, 62, 63, 60],
        ),
        (
            "enters behind its loop",
            Clip { start_marker: 5.0, ..clip(100, 4.0, line()) },
            vec![65, 66, 67, 68, 69, 70, 71],
        ),
        ("plays once", once(100, 1.0, 4.0, line()), vec![61, 62, 63]),
        ("no length", clip(100, 0.0, line()), vec![]),
        ("a negative loop", Clip { loop_start: 5.0, ..clip(100, 4.0, line()) }, vec![]),
        ("a loop of nothing", clip(100, 1e-300, line()), vec![]),
        ("no number", Clip { loop_end: f64::NAN, ..clip(100, 4.0, line()) }, vec![]),
        ("an endless loop", Clip { loop_end: f64::INFINITY, ..clip(100, 4.0, line()) }, (60..70).collect()),
        ("from nowhere", Clip { loop_start: f64::NEG_INFINITY, ..clip(100, 4.0, line()) }, vec![60, 61, 62, 63]),
        (
            "far away",
            Clip { loop_start: 1e17, loop_end: 1e17 + 64.0, start_marker: 1e17, ..clip(100, 4.0, line()) },
            vec![],
        ),
        ("once from nowhere", once(100, f64::NAN, 4.0, line()), vec![]),
        ("once to nowhere", once(100, 0.0, f64::NAN, line()), vec![]),
        ("once backwards", once(100, 4.0, 1.0, line()), vec![]),
        ("muted", Clip { muted: true, ..clip(100, 4.0, line()) }, vec![]),
    ];
    for (name, clip, pitches) in table {
        let mut rig = Rig::hosted(document([track(10, [clip])]), 0.0);
        rig.play(10, 100, BAR);
        rig.run_to(10 * BEAT);
        let expected: Vec<_> = pitches.into_iter().zip(0..).map(|(pitch, beat)| (beat * BEAT, pitch)).collect();
        let ons: Vec<_> = rig.heard.iter().filter(|h| h.on).map(|h| (h.at, h.pitch)).collect();
        assert_eq!(ons, expected, "{name}");
    }
}

#[test]
fn notes_are_cut_at_the_end_of_the_loop_and_of_the_clip() {
    let long = [note(60, 3.0, 50.0), note(61, 1.0, 0.25)];
    let mut rig =
        Rig::hosted(document([track(10, [clip(100, 4.0, long)]), track(11, [once(101, 0.0, 4.0, long)])]), 0.0);
    rig.play(10, 100, BAR);
    rig.play(11, 101, BAR);
    rig.run_to(6 * BEAT);
    let expected = [
        on(BEAT, 0, 61),
        on(BEAT, 1, 61),
        off(BEAT * 5 / 4, 0, 61),
        off(BEAT * 5 / 4, 1, 61),
        on(3 * BEAT, 0, 60),
        on(3 * BEAT, 1, 60),
        off(4 * BEAT, 0, 60),
        off(4 * BEAT, 1, 60),
        on(5 * BEAT, 0, 61),
        off(BEAT * 21 / 4, 0, 61),
    ];
    assert_eq!(rig.take(), expected);
    assert_eq!((rig.state(10).playing, rig.state(10).ended_by_itself), (Some(100), false));
    assert_eq!((rig.state(11).playing, rig.state(11).ended_by_itself), (None, true));
}

#[test]
fn a_note_that_fills_its_loop_ends_before_it_starts_again() {
    let mut rig = Rig::hosted(document([track(10, [clip(100, 1.0, [note(60, 0.0, 1.0)])])]), 0.0);
    rig.play(10, 100, BAR);
    rig.run_to(2 * BEAT + 1);
    assert_eq!(
        rig.take(),
        [on(0, 0, 60), off(BEAT, 0, 60), on(BEAT, 0, 60), off(2 * BEAT, 0, 60), on(2 * BEAT, 0, 60)]
    );
}

#[test]
fn a_launch_plays_nothing_from_before_its_start_marker() {
    // A millionth of a beat rounds to the same frame as the start itself.
    let list = [note(60, 1.0 - 1e-6, 0.5), note(61, 1.0, 0.5)];
    let clip = Clip { loop_start: 1.0, loop_end: 3.0, start_marker: 1.0, ..clip(100, 4.0, list) };
    let mut rig = Rig::hosted(document([track(10, [clip])]), 0.0);
    rig.play(10, 100, BAR);
    rig.run_to(5 * BEAT);
    let pitches: Vec<_> = rig.heard.iter().filter(|h| h.on).map(|h| (h.at, h.pitch)).collect();
    assert_eq!(pitches, [(0, 61), (2 * BEAT, 61), (4 * BEAT, 61)]);
}

#[test]
fn overlapping_notes_of_a_pitch_retrigger() {
    let list = [note(60, 0.0, 4.0), note(60, 1.0, 0.5), note(60, 2.0, 0.5), note(60, 2.0, 1.0)];
    let mut rig = Rig::hosted(document([track(10, [clip(100, 4.0, list)])]), 0.0);
    rig.play(10, 100, BAR);
    rig.run_to(4 * BEAT);
    let expected = [
        on(0, 0, 60),
        off(BEAT, 0, 60),
        on(BEAT, 0, 60),
        off(BEAT * 3 / 2, 0, 60),
        on(2 * BEAT, 0, 60),
        off(3 * BEAT, 0, 60),
    ];
    assert_eq!(rig.take(), expected);
}

#[test]
fn two_tracks_on_one_channel_share_its_pitches() {
    let second = Track { midi_channel: Some(0), ..track(11, [clip(101, 4.0, [note(60, 1.0, 2.0)])]) };
    let mut rig = Rig::hosted(document([track(10, [clip(100, 4.0, [note(60, 0.0, 4.0)])]), second]), 0.0);
    rig.play(10, 100, BAR);
    rig.play(11, 101, BAR);
    rig.run_to(4 * BEAT);
    assert_eq!(rig.take(), [on(0, 0, 60), off(BEAT, 0, 60), on(BEAT, 0, 60), off(3 * BEAT, 0, 60)]);
}

#[test]
fn a_note_shorter_than_a_frame_lasts_one() {
    let mut rig =
        Rig::hosted(document([track(10, [clip(100, 4.0, [note(60, 0.0, 1e-9), note(61, 1.0, f64::NAN)])])]), 0.0);
    rig.play(10, 100, BAR);
    for block_frames in [1, 512] {
        rig.block_frames = block_frames;
        rig.run_to(rig.now + 4 * BEAT);
    }
    let bar = 4 * BEAT;
    let expected = [0, BEAT, bar, bar + BEAT].into_iter().zip([60, 61, 60, 61]);
    assert_eq!(
        rig.take(),
        expected.flat_map(|(at, pitch)| [on(at, 0, pitch), off(at + 1, 0, pitch)]).collect::<Vec<_>>()
    );
}

#[test]
fn velocity_deviation_and_release() {
    let varied = Note { velocity: 60.0, velocity_deviation: 40.0, release_velocity: 127.0, ..note(60, 0.0, 0.01) };
    let lowered = Note { velocity: 20.0, velocity_deviation: -127.0, ..note(61, 0.0, 0.01) };
    let wrong = Note { velocity: f64::NAN, release_velocity: -5.0, ..note(62, 0.0, 0.01) };
    let mut rig = Rig::hosted(document([track(10, [clip(100, 0.125, [varied, lowered, wrong])])]), 0.0);
    rig.play(10, 100, BAR);
    rig.run_to(64 * BEAT);
    let of = |pitch, on| -> Vec<f32> {
        rig.heard.iter().filter(|h| h.pitch == pitch && h.on == on).map(|h| h.velocity * 127.0).collect()
    };
    let range =
        |velocities: &[f32]| velocities.iter().fold((f32::MAX, f32::MIN), |(low, high), &v| (low.min(v), high.max(v)));
    let (low, high) = range(&of(60, true));
    assert!((59.99..63.0).contains(&low) && (97.0..100.01).contains(&high), "{low} {high}");
    let (low, high) = range(&of(61, true));
    assert!((low - 1.0).abs() < 1e-3 && (17.0..20.01).contains(&high), "{low} {high}");
    assert_eq!(
        (range(&of(60, false)), range(&of(62, true)), range(&of(62, false))),
        ((127.0, 127.0), (100.0, 100.0), (0.0, 0.0))
    );
}

#[test]
fn probability() {
    let chance = |probability, pitch| Note { probability, ..note(pitch, 0.0, 0.01) };
    let muted = Note { mute: true, ..note(63, 0.0, 0.1) };
    let list = [chance(0.0, 60), chance(0.25, 61), chance(1.0, 62), muted];
    let mut rig = Rig::hosted(document([track(10, [clip(100, 0.125, list)])]), 0.0);
    rig.play(10, 100, BAR);
    rig.run_to(250 * BEAT);
    let count = |pitch| rig.heard.iter().filter(|h| h.pitch == pitch && h.on).count();
    assert_eq!((count(60), count(62), count(63)), (0, 2000, 0));
    assert!((420..580).contains(&count(61)), "{}", count(61));
}

#[test]
fn mute_solo_and_channel_decide_who_is_heard() {
    type Change = fn(&mut Vec<Track>);
    // change to tracks 10, 11 (in group 30, in group 31), 12; who is heard
    let table: Vec<(&str, Change, Vec<u8>)> = vec![
        ("all", |_| {}, vec![0, 1, 2]),
        ("track mute", |t| t[0].mute = true, vec![1, 2]),
        ("group mute", |t| t[3].mute = true, vec![0, 2]),
        ("outer group mute", |t| t[4].mute = true, vec![0, 2]),
        ("solo", |t| t[0].solo = true, vec![0]),
        ("group solo", |t| t[3].solo = true, vec![1]),
        ("outer group solo", |t| t[4].solo = true, vec![1]),
        ("solo and mute", |t| (t[0].solo, t[0].mute) = (true, true), vec![]),
        ("return solo", |t| t[5].solo = true, vec![]),
        ("a send to it", |t| (t[5].solo, t[0].mixer.sends) = (true, vec![0.5]), vec![0]),
        ("a group's send to it", |t| (t[5].solo, t[4].mixer.sends) = (true, vec![0.5]), vec![1]),
        ("both solos", |t| (t[5].solo, t[2].solo, t[0].mixer.sends) = (true, true, vec![0.5]), vec![0, 2]),
        ("no channel", |t| t[2].midi_channel = None, vec![0, 1]),
        ("no such channel", |t| t[2].midi_channel = Some(16), vec![0, 1]),
        ("groups in a ring", |t| t[4].group = Some(30), vec![0, 1, 2]),
    ];
    for (name, change, heard) in table {
        let mut tracks: Vec<Track> =
            (10..13).map(|serial| track(serial, [clip(serial + 90, 4.0, [note(60, 0.0, 1.0)])])).collect();
        tracks[1].group = Some(30);
        tracks.push(Track { kind: TrackKind::Group, group: Some(31), ..track(30, []) });
        tracks.push(Track { kind: TrackKind::Group, ..track(31, []) });
        tracks.push(Track { kind: TrackKind::Return, ..track(40, []) });
        change(&mut tracks);
        let returns = [Arc::new(tracks.remove(5))].into_iter().collect();
        let mut rig = Rig::hosted(Document { returns, ..document(tracks) }, 0.0);
        for serial in 10..13 {
            rig.play(serial, serial + 90, BAR);
        }
        rig.run_to(BEAT);
        let channels: Vec<u8> = rig.heard.iter().filter(|h| h.on).map(|h| h.channel).collect();
        assert_eq!(channels, heard, "{name}");
        // What is not heard plays nevertheless.
        assert!((10..13).all(|serial| rig.state(serial).playing.is_some()), "{name}");
    }
}
