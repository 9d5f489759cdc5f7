//! The leading clock: a host's, with all that hosts do to it, and the engine's own.

use super::*;

/// One note on each beat of a bar: 60, 61, 62, 63, and a drone on 50.
fn bar() -> Document {
    let beats = (0u8..4).map(|beat| note(60 + beat, f64::from(beat), 0.5));
    document([track(10, [clip(100, 4.0, beats.chain([note(50, 0.0, 4.0)]))])])
}

/// The clock's position, without rounding noise.
fn position(rig: &Rig) -> Beats {
    (rig.clock().position_beats * 1e9).round() / 1e9
}

fn playing(rig: &mut Rig) {
    rig.play(10, 100, BAR);
    rig.run_to(4 * BEAT);
    rig.run_to(4 * BEAT + BEAT * 3 / 4);
    rig.take();
}

/// Ons as (frame after `from`, pitch), without the drone.
fn beats(rig: &mut Rig, from: u64) -> Vec<(u64, u8)> {
    rig.take().into_iter().filter(|e| e.1 && e.3 != 50).map(|e| (e.0 - from, e.3)).collect()
}

#[test]
fn four_tracks_over_eight_bars_and_a_tempo_change() {
    // Each with its own loop length: 1, 1.5, 4 and 7 beats.
    let lengths = [1.0, 1.5, 4.0, 7.0];
    let tracks = lengths.iter().zip(10..).map(|(&length, serial)| {
        track(serial, [clip(serial + 90, length, [note(60, 0.0, 0.25), note(64, length - 0.75, 0.5)])])
    });
    let document = document(tracks);
    let change_at = 16 * BEAT + 12_345;
    let beat_at_change = change_at as f64 / BEAT as f64;
    // 90 BPM is 32,000 frames a beat.
    let frame = |beat: f64| {
        let late = (beat - beat_at_change) * 32_000.0;
        if late < 0.0 { (beat * BEAT as f64).round() as u64 } else { change_at + late.round() as u64 }
    };
    let mut expected = Vec::new();
    for (length, channel) in lengths.iter().zip(0..) {
        let mut start = 0.0;
        while start < 32.0 {
            for (pitch, on_beat, off_beat) in [(60, 0.0, 0.25), (64, length - 0.75, length - 0.25)] {
                expected.push(on(frame(start + on_beat), channel, pitch));
                expected.push(off(frame(start + off_beat), channel, pitch));
            }
            start += length;
        }
    }
    let end = frame(32.0);
    expected.retain(|event| event.0 < end);
    // Ons in order of track, offs in order of channel: the same.
    expected.sort_by_key(|&(at, is_on, channel, pitch)| (at, is_on, channel, pitch));

    for block_frames in [1, 32, 512, 4096] {
        let mut rig = Rig::hosted(document.clone(), 0.0);
        for serial in 10..14 {
            rig.play(serial, serial + 90, BAR);
        }
        rig.block_frames = block_frames;
        rig.run_to(change_at);
        rig.host().tempo_bpm = Some(90.0);
        rig.run_to(end);
        assert!(rig.take() == expected, "{block_frames}");
        assert_eq!(position(&rig), 32.0);
    }
}

#[test]
fn a_start_is_as_if_launched_at_the_grid_before() {
    // position of the second start, quantum, first ons in frames after it
    let table = [
        (8.0, BAR, vec![(0, 60), (BEAT, 61)]),
        (9.5, BAR, vec![(BEAT / 2, 62), (BEAT * 3 / 2, 63)]),
        (9.5, LaunchQuantum::Beats(1.0), vec![(BEAT / 2, 61), (BEAT * 3 / 2, 62)]),
        (9.5, LaunchQuantum::None, vec![(0, 60), (BEAT, 61)]),
        (13.0, LaunchQuantum::Bars(2), vec![(0, 61), (BEAT, 62)]),
        (-1.0, BAR, vec![(0, 63), (BEAT, 60)]),
    ];
    for (position, quantum, expected) in table {
        let mut rig = Rig::hosted(bar(), 0.0);
        rig.play(10, 100, quantum);
        rig.run_to(BEAT * 7 / 4);
        rig.host().playing = false;
        rig.run_to(rig.now + 5000);
        assert!(rig.held.is_empty());
        rig.take();
        rig.host().playing = true;
        rig.host().position_beats = Some(position);
        let from = rig.now;
        rig.run_to(from + 2 * BEAT - 1);
        assert_eq!(beats(&mut rig, from), expected, "{position} {quantum:?}");
    }
}

#[test]
fn a_host_stop_ends_everything_at_its_first_sample() {
    let mut rig = Rig::hosted(bar(), 0.0);
    rig.play(10, 100, BAR);
    rig.run_to(10_000);
    rig.host().playing = false;
    rig.run_to(20_000);
    assert_eq!(rig.take(), [on(0, 0, 50), on(0, 0, 60), off(10_000, 0, 50), off(10_000, 0, 60)]);
    assert_eq!((rig.state(10).playing, rig.clock().playing), (Some(100), false));
}

#[test]
fn jumps_keep_the_phase_on_the_grid() {
    // from 4.75: to where, first ons after it
    let table = [
        // By whole bars nothing changes.
        (16.75, vec![(BEAT / 4, 61), (BEAT * 5 / 4, 62)]),
        (0.75, vec![(BEAT / 4, 61), (BEAT * 5 / 4, 62)]),
        // Elsewhere the clip goes with the bar.
        (17.75, vec![(BEAT / 4, 62), (BEAT * 5 / 4, 63)]),
        (16.0, vec![(0, 60), (BEAT, 61)]),
    ];
    for (to, expected) in table {
        let mut rig = Rig::hosted(bar(), 0.0);
        playing(&mut rig);
        assert_eq!(rig.held, [(0, 50)]);
        let from = rig.now;
        rig.host().position_beats = Some(to);
        rig.run_to(from + 2 * BEAT - 1);
        assert_eq!(rig.heard[0], Heard { at: from, on: false, channel: 0, pitch: 50, velocity: rig.heard[0].velocity });
        assert_eq!(beats(&mut rig, from), expected, "{to}");
        assert_eq!(rig.state(10).playing, Some(100));
    }
}

#[test]
fn a_host_loop_repeats_exactly() {
    let mut rig = Rig::hosted(bar(), 0.0);
    rig.play(10, 100, BAR);
    let mut passes = Vec::new();
    for pass in 0..4u64 {
        rig.host().position_beats = Some(4.0);
        rig.run_to((pass + 1) * 8 * BEAT);
        passes.push(beats(&mut rig, pass * 8 * BEAT));
    }
    assert_eq!(passes[0].len(), 8);
    assert!(passes.iter().all(|pass| *pass == passes[0]), "{passes:?}");
}

#[test]
fn noise_and_drift_lose_and_double_nothing() {
    for wobble in [0.0, 1e-9, 9e-5, 2e-4, 1e-2] {
        let mut rig = Rig::hosted(bar(), 0.0);
        rig.play(10, 100, BAR);
        rig.block_frames = 480;
        for block in 0..3200u32 {
            let exact = f64::from(block) * 0.02;
            rig.host().position_beats = Some(exact + wobble * f64::from(block * 7 % 5) / 4.0);
            rig.run_to(rig.now + 480);
        }
        let mut ons = beats(&mut rig, 0);
        // A host that runs ahead at the end may have begun one more.
        ons.truncate(64);
        let pitches: Vec<u8> = ons.iter().map(|on| on.1).collect();
        let expected: Vec<u8> = (0..64u8).map(|beat| 60 + beat % 4).collect();
        assert_eq!(pitches, expected, "{wobble}");
        // Noise moves nothing; drift moves what it must, and at most to the block's start.
        let slack = if wobble > 1e-4 { (wobble * BEAT as f64) as u64 + 480 } else { 0 };
        for (&(at, _), beat) in ons.iter().zip(0..) {
            assert!(at.abs_diff(beat * BEAT) <= slack, "{wobble}: beat {beat} at {at}");
        }
    }
}

#[test]
fn absent_and_absurd_host_values_are_survived() {
    let tempos = [None, Some(0.0), Some(-5.0), Some(f64::NAN), Some(f64::INFINITY), Some(1e300), Some(1e-300)];
    let positions = [None, Some(f64::NAN), Some(f64::INFINITY), Some(1e300)];
    for tempo in tempos {
        for position in positions {
            let mut rig = Rig::hosted(bar(), 0.0);
            rig.edit(|document| Arc::make_mut(&mut document.song).tempo_bpm = 60.0);
            rig.host().tempo_bpm = tempo;
            rig.host().position_beats = position;
            rig.play(10, 100, BAR);
            rig.run_to(5 * BEAT);
            // By the Set's tempo, from beat 0.
            assert_eq!(beats(&mut rig, 0), [(0, 60), (2 * BEAT, 61), (4 * BEAT, 62)], "{tempo:?} {position:?}");
            assert_eq!(rig.clock().tempo_bpm, 60.0);
        }
    }
    for tempo in [0.0, f64::NAN, -1.0, f64::INFINITY] {
        let mut rig = Rig::hosted(bar(), 0.0);
        rig.edit(|document| Arc::make_mut(&mut document.song).tempo_bpm = tempo);
        rig.host = None;
        rig.transport(TransportAction::Start { at: f64::NAN });
        rig.play(10, 100, BAR);
        rig.run_to(BEAT + 1);
        assert_eq!(beats(&mut rig, 0), [(0, 60), (BEAT, 61)], "{tempo}");
    }
    let mut engine = channel().1;
    for (sample_rate, frames) in [(0.0, 512), (f64::NAN, 0), (-1.0, u32::MAX), (1e300, 1)] {
        engine.process(&Block { sample_rate, frames, host: None }, &mut |event| panic!("{event:?}"));
    }
}

#[test]
fn the_own_clock_starts_stops_continues_and_jumps() {
    let mut rig = Rig::new(bar());
    let number = rig.play(10, 100, BAR);
    rig.run_to(BEAT);
    assert_eq!((rig.heard.len(), position(&rig), rig.clock().host_present), (0, 0.0, false));
    rig.transport(TransportAction::Start { at: 8.0 });
    let from = rig.now;
    rig.run_to(from + BEAT * 3 / 2);
    assert_eq!(beats(&mut rig, from), [(0, 60), (BEAT, 61)]);
    assert_eq!((rig.state(10).handled, rig.state(10).start_beats), (number, 8.0));
    assert_eq!((rig.clock().playing, rig.clock().handled, position(&rig)), (true, 1, 9.5));

    rig.transport(TransportAction::Stop);
    rig.run_to(rig.now + BEAT);
    assert!(rig.held.is_empty());
    assert_eq!((rig.clock().playing, position(&rig)), (false, 9.5));
    rig.take();

    // Where it stood, without a grid.
    rig.transport(TransportAction::Continue);
    let from = rig.now;
    rig.run_to(from + BEAT);
    assert_eq!(beats(&mut rig, from), [(BEAT / 2, 62)]);

    rig.transport(TransportAction::Jump { to: 20.5 });
    let from = rig.now;
    rig.run_to(from + BEAT);
    assert_eq!(beats(&mut rig, from), [(BEAT / 2, 61)]);
    assert_eq!(position(&rig), 21.5);

    // A start while it plays starts over.
    rig.transport(TransportAction::Start { at: 0.0 });
    let from = rig.now;
    rig.run_to(from + 2 * BEAT);
    assert_eq!(beats(&mut rig, from), [(0, 60), (BEAT, 61)]);
}

#[test]
fn the_own_clock_parks() {
    let mut rig = Rig::new(bar());
    rig.play(10, 100, BAR);
    rig.transport(TransportAction::Start { at: 8.0 });
    rig.run_to(BEAT);
    rig.transport(TransportAction::Park { at: 2.0 });
    rig.run_to(2 * BEAT);
    assert_eq!((rig.clock().playing, position(&rig), rig.held.len()), (false, 2.0, 0));
    rig.transport(TransportAction::Park { at: 3.0 });
    rig.run_to(3 * BEAT);
    assert_eq!((rig.clock().playing, position(&rig)), (false, 3.0));
}

#[test]
fn the_setting_lets_the_own_clock_lead_in_a_host() {
    let mut rig = Rig::hosted(bar(), 100.0);
    rig.play(10, 100, BAR);
    // The host leads: the order is dropped, not kept.
    rig.transport(TransportAction::Start { at: 8.0 });
    rig.run_to(BEAT);
    assert_eq!(rig.take_ons(), [0, 0]);
    assert_eq!((rig.clock().handled, position(&rig)), (1, 101.0));
    rig.snapshot.own_clock = true;
    rig.publish();
    rig.run_to(2 * BEAT);
    assert_eq!((rig.clock().playing, rig.clock().host_present, rig.held.len()), (false, true, 0));
    rig.transport(TransportAction::Start { at: 8.0 });
    rig.run_to(4 * BEAT);
    assert_eq!(position(&rig), 10.0);
    rig.take();
    // And back: the host has moved on meanwhile.
    rig.snapshot.own_clock = false;
    rig.publish();
    rig.run_to(5 * BEAT - 1);
    assert_eq!(rig.take(), [off(4 * BEAT, 0, 50), on(4 * BEAT, 0, 50), on(4 * BEAT, 0, 60), off(BEAT * 9 / 2, 0, 60)]);
}

#[test]
fn an_empty_block_changes_nothing() {
    let mut rig = Rig::hosted(bar(), 0.0);
    rig.play(10, 100, BAR);
    rig.run_to(BEAT / 4);
    rig.take();
    rig.edit_track(0, |track| track.mute = true);
    rig.block(0);
    assert_eq!((rig.take().len(), rig.held.len()), (0, 2));
    rig.block(1);
    assert_eq!((rig.take().len(), rig.held.len()), (2, 0));
}
