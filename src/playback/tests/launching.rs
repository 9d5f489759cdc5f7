//! When orders act, and what the model sees of it.

use super::*;
use crate::set::runtime::launch_orders::ClipJump;

fn one_track() -> Document {
    let first = clip(100, 4.0, [note(60, 0.0, 0.5), note(61, 1.0, 0.5), note(62, 2.0, 0.5), note(63, 3.0, 0.5)]);
    let second = clip(101, 4.0, (0u8..4).map(|beat| note(70 + beat, f64::from(beat), 0.5)));
    document([track(10, [first, second])])
}

#[test]
fn boundaries() {
    // position of the order in beats, quantum, first on in beats
    let table = [
        (0.0, BAR, 0.0),
        (0.1, BAR, 4.0),
        (3.9, BAR, 4.0),
        (4.0, BAR, 4.0),
        (4.5, LaunchQuantum::Bars(2), 8.0),
        (4.5, LaunchQuantum::Beats(1.0), 5.0),
        (4.5, LaunchQuantum::Beats(0.25), 4.5),
        (4.6, LaunchQuantum::Beats(1.0 / 3.0), 14.0 / 3.0),
        (4.51, LaunchQuantum::None, 4.51),
        (-1.5, BAR, 0.0),
        (-1.5, LaunchQuantum::Beats(1.0), -1.0),
    ];
    for (at, quantum, first) in table {
        let mut rig = Rig::hosted(one_track(), at);
        let number = rig.play(10, 100, quantum);
        assert_eq!(rig.state(10).handled, 0);
        rig.run_to(5 * BEAT);
        let expected = ((first - at) * BEAT as f64).round() as u64;
        assert_eq!(rig.take_ons().first(), Some(&expected), "{at} {quantum:?}");
        let state = rig.state(10);
        assert_eq!((state.handled, state.playing), (number, Some(100)));
        assert!((state.start_beats - first).abs() < 1e-9, "{at} {quantum:?}: {state:?}");
    }
}

#[test]
fn bars_are_the_hosts() {
    for (meter, bar_start, at, first) in [
        (Some((7, 8)), None, 1.0, 3.5),
        (Some((7, 8)), Some(0.5), 1.0, 4.0),
        (None, None, 1.0, 4.0),
        (Some((0, 0)), Some(f64::NAN), 1.0, 4.0),
    ] {
        let mut rig = Rig::hosted(one_track(), at);
        (rig.host().meter, rig.host().bar_start_beats) = (meter, bar_start);
        rig.play(10, 100, BAR);
        rig.run_to(5 * BEAT);
        assert_eq!(rig.take_ons().first(), Some(&(((first - at) * BEAT as f64) as u64)), "{meter:?} {bar_start:?}");
    }
}

#[test]
fn an_order_waits_and_shows_it() {
    let mut rig = Rig::hosted(one_track(), 0.0);
    rig.play(10, 100, BAR);
    rig.run_to(BEAT);
    let number = rig.play(10, 101, BAR);
    rig.run_to(3 * BEAT);
    assert_eq!((rig.state(10).handled < number, rig.state(10).playing), (true, Some(100)));
    assert!((rig.state(10).position_beats - 3.0).abs() < 1e-9);
    rig.take();
    rig.run_to(BEAT * 9 / 2);
    assert_eq!((rig.state(10).handled, rig.state(10).playing), (number, Some(101)));
    assert!((rig.state(10).position_beats - 0.5).abs() < 1e-9);
    assert_eq!(rig.take(), [on(3 * BEAT, 0, 63), off(BEAT * 7 / 2, 0, 63), on(4 * BEAT, 0, 70)]);
}

/// What was ordered before the newest order and needs no boundary is carried out first, at the start of the block.
#[test]
fn an_order_before_the_newest_is_carried_out_first() {
    let none = LaunchQuantum::None;
    let play = |clip| LaunchAction::Play { clip, legato: false };
    // What plays, the order before, the newest one; what plays half a beat later, and at the next bar.
    for (playing, before, newest, soon, then) in [
        (Some(100), play(101), play(100), Some(101), Some(100)),
        (None, play(101), play(100), Some(101), Some(100)),
        (Some(100), LaunchAction::Stop, play(101), None, Some(101)),
        (Some(100), play(101), LaunchAction::Stop, Some(101), None),
        (Some(100), play(101), LaunchAction::Keep, Some(101), Some(101)),
        // A clip that is gone is passed over.
        (Some(100), play(999), play(101), Some(100), Some(101)),
    ] {
        let mut rig = Rig::hosted(one_track(), 0.0);
        if let Some(clip) = playing {
            rig.play(10, clip, BAR);
        }
        rig.run_to(BEAT);
        let number = rig.order(10, newest, BAR) + 1;
        let launch = rig.snapshot.launches.first_mut().unwrap();
        launch.before = Some(LaunchOrder { number: number - 1, action: before, quantum: none });
        launch.order.number = number;
        rig.publish();
        rig.run_to(BEAT * 3 / 2);
        assert_eq!(rig.state(10).playing, soon, "{before:?} {newest:?}");
        rig.run_to(BEAT * 9 / 2);
        assert_eq!((rig.state(10).playing, rig.state(10).handled), (then, number), "{before:?} {newest:?}");
    }
    // While the clock stands a launch waits and a stop acts.
    let mut rig = Rig::hosted(one_track(), 0.0);
    rig.play(10, 100, BAR);
    rig.run_to(BEAT);
    rig.take();
    let number = rig.play(10, 101, BAR) + 1;
    let launch = rig.snapshot.launches.first_mut().unwrap();
    launch.before = Some(LaunchOrder { number: number - 1, action: LaunchAction::Stop, quantum: none });
    launch.order.number = number;
    rig.host().playing = false;
    rig.publish();
    rig.run_to(2 * BEAT);
    assert_eq!((rig.state(10).playing, rig.state(10).handled), (None, number - 1));
}

#[test]
fn a_stop_cuts_at_its_boundary() {
    for (quantum, end) in
        [(BAR, 4 * BEAT), (LaunchQuantum::Beats(0.5), BEAT * 3 / 2), (LaunchQuantum::None, BEAT + 512)]
    {
        let mut rig = Rig::hosted(document([track(10, [clip(100, 16.0, [note(60, 0.0, 16.0)])])]), 0.0);
        rig.play(10, 100, BAR);
        rig.run_to(BEAT + 512);
        let number = rig.stop(10, quantum);
        rig.run_to(20 * BEAT);
        assert_eq!(rig.take(), [on(0, 0, 60), off(end, 0, 60)], "{quantum:?}");
        let state = rig.state(10);
        assert_eq!((state.handled, state.playing, state.ended_by_itself), (number, None, false));
    }
}

#[test]
fn firing_again_starts_again() {
    let mut rig = Rig::hosted(document([track(10, [clip(100, 16.0, [note(60, 0.0, 16.0)])])]), 0.0);
    rig.play(10, 100, BAR);
    rig.run_to(BEAT);
    rig.play(10, 100, BAR);
    rig.run_to(5 * BEAT);
    assert_eq!(rig.take(), [on(0, 0, 60), off(4 * BEAT, 0, 60), on(4 * BEAT, 0, 60)]);
}

#[test]
fn legato_takes_over_the_position() {
    let short = clip(102, 1.0, [note(80, 0.0, 0.25), note(81, 0.5, 0.25)]);
    let mut document = one_track();
    let slot = SessionClip { scene: 2000, clip: Arc::new(short) };
    document.tracks.edit(10, |track| track.session.insert(slot)).unwrap();
    // next clip, ons after the takeover at beat 2.5 (frames, pitches)
    let table = [(101, vec![(3, 73), (4, 70)]), (102, vec![(5, 81), (6, 80), (7, 81), (8, 80)])];
    for (next, expected) in table {
        let mut rig = Rig::hosted(document.clone(), 0.0);
        rig.play(10, 100, BAR);
        rig.run_to(BEAT * 9 / 4);
        rig.take();
        rig.order(10, LaunchAction::Play { clip: next, legato: true }, LaunchQuantum::Beats(0.5));
        rig.run_to(BEAT * 17 / 4);
        let unit = if next == 101 { BEAT } else { BEAT / 2 };
        let expected: Vec<_> = expected.into_iter().map(|(at, pitch)| on(at * unit, 0, pitch)).collect();
        assert_eq!(rig.take().into_iter().filter(|e| e.1).collect::<Vec<_>>(), expected, "{next}");
    }
    // With nothing to take over it is a launch like any other.
    let mut rig = Rig::hosted(document, 0.0);
    rig.order(10, LaunchAction::Play { clip: 101, legato: true }, BAR);
    rig.run_to(BEAT);
    assert_eq!(rig.take_ons(), [0]);
}

#[test]
fn orders_without_their_object_are_void() {
    let mut rig = Rig::hosted(one_track(), 0.0);
    rig.play(10, 100, BAR);
    rig.run_to(BEAT);
    let number = rig.play(10, 999, BAR);
    rig.run_to(5 * BEAT);
    assert_eq!((rig.state(10).handled, rig.state(10).playing), (number, Some(100)));
    rig.edit(|document| document.tracks = Sequence::new());
    let number = rig.play(10, 100, BAR);
    rig.run_to(6 * BEAT);
    assert_eq!((rig.state(10).handled, rig.state(10).playing, rig.held.len()), (number, None, 0));
}

#[test]
fn while_the_clock_stands_launches_wait_and_stops_act() {
    let mut rig = Rig::hosted(one_track(), 5.0);
    rig.host().playing = false;
    let number = rig.play(10, 100, BAR);
    rig.run_to(BEAT);
    assert_eq!((rig.state(10).handled, rig.heard.len()), (0, 0));
    // From beat 5 on the next bar line is 3 beats away.
    rig.host().playing = true;
    rig.run_to(5 * BEAT);
    assert_eq!((rig.take_ons(), rig.state(10).handled), (vec![4 * BEAT], number));
    rig.host().playing = false;
    rig.run_to(6 * BEAT);
    let number = rig.stop(10, BAR);
    rig.run_to(7 * BEAT);
    assert_eq!((rig.state(10).handled, rig.state(10).playing), (number, None));
}

#[test]
fn launches_need_not_come_sorted() {
    let tracks = (10..14).map(|serial| track(serial, [clip(serial + 90, 4.0, [note(60, 0.0, 1.0)])]));
    let mut rig = Rig::hosted(document(tracks), 0.0);
    rig.snapshot.launches.reverse();
    for serial in 10..14 {
        rig.play(serial, serial + 90, BAR);
    }
    rig.run_to(BEAT / 2);
    // The review of what sounds finds every track.
    rig.publish();
    rig.run_to(BEAT * 3 / 4);
    assert_eq!(rig.take(), (0..4).map(|channel| on(0, channel, 60)).collect::<Vec<_>>());
}

#[test]
fn a_held_repeat_starts_over_at_each_boundary() {
    let hold = |rig: &mut Rig, quantum: Option<LaunchQuantum>| {
        rig.snapshot.launches[0].repeat = quantum;
        rig.publish();
    };
    for block_frames in [64, 512, 4096] {
        let mut rig = Rig::hosted(one_track(), 0.0);
        rig.block_frames = block_frames;
        rig.play(10, 100, BAR);
        hold(&mut rig, Some(LaunchQuantum::Beats(1.0)));
        rig.run_to(BEAT * 7 / 2);
        assert_eq!(rig.take_ons(), [0, 1, 2, 3].map(|beat| beat * BEAT), "{block_frames}: the first note, each beat");
        assert_eq!(rig.state(10).start_beats, 3.0);
        hold(&mut rig, None);
        rig.run_to(BEAT * 9 / 2);
        let ons: Vec<u8> = rig.take().into_iter().filter(|e| e.1).map(|e| e.3).collect();
        assert_eq!(ons, [61], "let go, it comes to its second note");
        // Another order is the end of it.
        hold(&mut rig, Some(LaunchQuantum::Beats(1.0)));
        let number = rig.stop(10, LaunchQuantum::None);
        rig.run_to(8 * BEAT);
        assert_eq!((rig.take_ons().len(), rig.state(10).handled, rig.state(10).playing), (0, number, None));
    }
    // One that ended by itself starts over, too.
    let mut document = one_track();
    document
        .tracks
        .edit(10, |track| edit_first_clip(track, |clip| (clip.looping, clip.end_marker) = (false, 0.5)))
        .unwrap();
    let mut rig = Rig::hosted(document, 0.0);
    rig.play(10, 100, BAR);
    hold(&mut rig, Some(LaunchQuantum::Beats(1.0)));
    rig.run_to(BEAT * 5 / 2);
    assert_eq!(rig.take_ons(), [0, 1, 2].map(|beat| beat * BEAT));
}

#[test]
fn what_waits_can_be_taken_back() {
    let mut rig = Rig::hosted(one_track(), 0.0);
    rig.play(10, 100, BAR);
    rig.run_to(BEAT);
    rig.play(10, 101, BAR);
    rig.run_to(2 * BEAT);
    let number = rig.order(10, LaunchAction::Keep, LaunchQuantum::None);
    rig.run_to(6 * BEAT);
    assert_eq!((rig.state(10).handled, rig.state(10).playing, rig.state(10).start_beats), (number, Some(100), 0.0));
    rig.host().playing = false;
    let number = rig.order(10, LaunchAction::Keep, LaunchQuantum::None);
    rig.run_to(7 * BEAT);
    assert_eq!((rig.state(10).handled, rig.state(10).playing), (number, Some(100)));
}

#[test]
fn a_skip_moves_within_the_clip_once() {
    let skip = |rig: &mut Rig, by: f64| {
        let launch = &mut rig.snapshot.launches[0];
        launch.skip = ClipJump { number: launch.order.number + 1, by };
        rig.publish();
    };
    // by, frame of the next note after beat 1/2 and its pitch; the clip has 60 to 63 on its four beats
    for (by, next) in
        [(1.25, (BEAT * 3 / 4, 62)), (-0.5, (BEAT / 2, 60)), (5.25, (BEAT * 3 / 4, 62)), (-1.5, (BEAT / 2, 63))]
    {
        let mut rig = Rig::hosted(one_track(), 0.0);
        rig.play(10, 100, BAR);
        rig.run_to(BEAT / 2);
        rig.take();
        skip(&mut rig, by);
        rig.run_to(BEAT);
        let first = rig.take().into_iter().find(|e| e.1).map(|e| (e.0, e.3));
        assert_eq!(first, Some(next), "{by}");
        let at = rig.state(10).position_beats;
        rig.publish();
        rig.run_to(BEAT * 3 / 2);
        assert!((rig.state(10).position_beats - (at + 0.5).rem_euclid(4.0)).abs() < 1e-6, "{by}: only once");
    }
    // Of a track that plays nothing it is nothing, also later.
    let mut rig = Rig::hosted(one_track(), 0.0);
    skip(&mut rig, 2.0);
    rig.run_to(BEAT);
    rig.play(10, 100, BAR);
    rig.snapshot.launches[0].order.number += 5;
    rig.publish();
    rig.run_to(BEAT * 9 / 2);
    assert_eq!(rig.take_ons(), [4 * BEAT]);
}
