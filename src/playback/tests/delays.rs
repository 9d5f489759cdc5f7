//! MIDI of tracks with delays.

use super::*;
use crate::set::document::TrackDelay;

const MS: fn(f64) -> Option<TrackDelay> = |by| Some(TrackDelay::Milliseconds(by));
const SAMPLES: fn(i64) -> Option<TrackDelay> = |by| Some(TrackDelay::Samples(by));

/// Tracks 10 and 11, each with a note on beats 1 and 2 of a bar, in the group 40.
fn rig(delays: [Option<TrackDelay>; 2], group: Option<TrackDelay>) -> Rig {
    let track = |serial, delay| Track {
        delay,
        group: Some(40),
        ..track(serial, [clip(serial * 10, 4.0, [note(60, 0.0, 0.25), note(60, 1.0, 0.25)])])
    };
    let group = Track { delay: group, ..Track::new(40, TrackKind::Group, 0, 0) };
    let mut rig = Rig::new(document([group, track(10, delays[0]), track(11, delays[1])]));
    rig.play(10, 100, LaunchQuantum::None);
    rig.play(11, 110, LaunchQuantum::None);
    rig.transport(TransportAction::Start { at: 0.0 });
    rig
}

/// Frames and pitches of what a channel had.
fn of_channel(events: &[(u64, bool, u8, u8)], channel: u8) -> Vec<(u64, bool)> {
    events.iter().filter(|event| event.2 == channel).map(|event| (event.0, event.1)).collect()
}

#[test]
fn each_track_leaves_by_its_delay_to_the_frame() {
    for (delays, group, late) in [
        ([None, None], None, [0, 0]),
        ([MS(10.0), None], None, [480, 0]),
        ([SAMPLES(-441), None], None, [0, 441]),
        ([MS(-1_000.0), SAMPLES(7)], None, [0, 48_007]),
        ([MS(-10.0), MS(2.5)], SAMPLES(80), [0, 600]),
        ([MS(-10.0), MS(2.5)], MS(-1.0), [0, 600]),
        ([MS(1_000.0), None], None, [48_000, 0]),
        // Kept, and not played.
        ([MS(-1_001.0), SAMPLES(192_001)], None, [0, 0]),
    ] {
        for block_frames in [1, 17, 64, 4_096] {
            let mut rig = rig(delays, group);
            rig.block_frames = block_frames;
            rig.run_to(BEAT * 4 - 1);
            let events = rig.take();
            for (channel, late) in (0..).zip(late) {
                let note = |at: u64| [(at + late, true), (at + late + BEAT / 4, false)];
                let meant: Vec<_> =
                    [note(0), note(BEAT)].concat().into_iter().filter(|(at, _)| *at < BEAT * 4).collect();
                let what = format!("{delays:?}, {group:?}, channel {channel} in blocks of {block_frames}");
                assert_eq!(of_channel(&events, channel), meant, "{what}");
            }
        }
    }
}

/// The sound is told at once: it is its output that is late.
#[test]
fn tracks_are_told_at_once() {
    let mut rig = rig([MS(-10.0), MS(25.0)], None);
    rig.run_to(BEAT / 2);
    let starts: Vec<u64> = rig.track_heard.iter().filter(|note| note.on).map(|note| note.at).collect();
    assert_eq!(starts, [0, 0]);
}

#[test]
fn tracks_that_share_a_channel_leave_no_note() {
    for (first, second) in [(MS(10.0), None), (None, MS(10.0)), (MS(-130.0), MS(130.0)), (SAMPLES(1), SAMPLES(-1))] {
        let mut rig = rig([first, second], None);
        rig.edit_track(2, |track| track.midi_channel = Some(0));
        // At one frame they would be one note.
        rig.edit_clip(2, |clip| clip.content = notes([note(60, 0.1, 0.25), note(60, 1.1, 0.25)]));
        // The rig holds that no on comes while its key is held, and offs before ons.
        rig.run_to(8 * BEAT);
        rig.transport(TransportAction::Stop);
        rig.run_to(12 * BEAT);
        assert_eq!(rig.held, [], "{first:?}, {second:?}");
        let ons = rig.take().into_iter().filter(|event| event.1).count();
        assert_eq!(ons, 8, "{first:?}, {second:?}");
    }
}

#[test]
fn a_delay_that_changes_while_it_plays_hangs_nothing() {
    let delays = [MS(-200.0), None, MS(400.0), SAMPLES(-3), None, MS(-900.0), None];
    let mut rig = rig([None, None], None);
    for (at, delay) in (1..).zip(delays) {
        rig.run_to(at * BEAT + at * 997);
        rig.edit_track(1, |track| track.delay = delay);
    }
    rig.run_to(12 * BEAT);
    rig.transport(TransportAction::Stop);
    rig.run_to(16 * BEAT);
    assert_eq!(rig.held, []);
    let events = rig.take();
    // A note is as long as it was, whatever became of the delay meanwhile, unless the next one came before its end.
    for channel in [0, 1] {
        let of = of_channel(&events, channel);
        assert!(of.len() >= 8 && of.len().is_multiple_of(2), "{of:?}");
        assert!(of.chunks(2).all(|note| note[1].0 - note[0].0 <= BEAT / 4), "{of:?}");
    }
}

#[test]
fn what_a_host_refuses_comes_later() {
    let mut rig = rig([MS(-30.0), MS(30.0)], None);
    rig.room = 0;
    rig.run_to(BEAT / 8);
    assert_eq!(rig.take(), []);
    rig.room = 1;
    rig.run_to(4 * BEAT);
    rig.transport(TransportAction::Stop);
    rig.run_to(6 * BEAT);
    assert_eq!((rig.take().len(), &rig.held[..]), (8, &[][..]));
}

#[test]
fn silence_ends_what_was_sent_and_forgets_what_waits() {
    let mut rig = rig([MS(-100.0), None], None);
    // The first track's note is held, the second one's waits.
    rig.run_to(1_000);
    assert_eq!(rig.take(), [on(0, 0, 60)]);
    let mut events = Vec::new();
    rig.engine.as_mut().unwrap().silence(&mut |event| {
        events.push(event);
        true
    });
    let velocity = 64.0 / 127.0;
    assert_eq!(events, [Event::NoteOff { sample: 0, channel: 0, pitch: 60, velocity }]);
    rig.held.clear();
    rig.transport(TransportAction::Stop);
    rig.run_to(BEAT);
    assert_eq!(rig.take(), []);
    // An off that waits while its note is ended leaves no note either.
    rig.transport(TransportAction::Start { at: 0.0 });
    rig.run_to(BEAT + BEAT / 4 + 100);
    let mut offs = Vec::new();
    rig.engine.as_mut().unwrap().silence(&mut |event| {
        offs.push(event);
        true
    });
    assert_eq!(offs.len(), 1, "{offs:?}");
}

#[test]
fn the_latency_is_what_the_earliest_is_early() {
    for (delays, group, latency) in [
        ([None, MS(500.0)], None, 0),
        ([MS(-10.0), MS(5.0)], None, 480),
        ([MS(-10.0), SAMPLES(-500)], SAMPLES(20), 480),
        ([MS(-2_000.0), None], MS(-3.0), 144),
    ] {
        let mut rig = rig(delays, group);
        assert_eq!(rig.engine.as_mut().unwrap().latency(SAMPLE_RATE), latency, "{delays:?}, {group:?}");
    }
}
