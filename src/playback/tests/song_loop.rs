//! The song's loop: the clock goes round in it, and what plays goes on or starts over.

use super::arrangement::{arranged, beats, looped, ons, placed, started};
use super::*;

#[test]
fn the_own_clock_goes_round_in_the_songs_loop() {
    let song = || document([arranged(10, [placed(0.0, 8.0, clip(100, 8.0, beats(8).chain([note(50, 2.0, 6.0)])))])]);
    for block_frames in [1u32, 333, 512, 4096] {
        let mut rig = started(looped(song(), 1.0, 2.0), 0.0);
        rig.block_frames = block_frames;
        rig.run_to(7 * BEAT);
        let expected = [
            (0.0, 60),
            (1.0, 61),
            (2.0, 50),
            (2.0, 62),
            (3.0, 61),
            (4.0, 50),
            (4.0, 62),
            (5.0, 61),
            (6.0, 50),
            (6.0, 62),
        ];
        assert_eq!(ons(&rig), expected, "{block_frames}");
        // The long note is cut where the loop goes round, before what begins there.
        let cuts: Vec<u64> = rig.heard.iter().filter(|h| !h.on && h.pitch == 50).map(|h| h.at).collect();
        assert_eq!(cuts, [3 * BEAT, 5 * BEAT], "{block_frames}");
        assert_eq!(
            (rig.clock().position_beats * 1e6).round() / 1e6,
            1.0,
            "what ends a block at the loop's end stands at its start"
        );
    }
    // start, loop, on or not; positions of the first ons
    let table = [
        ("from past its end it never loops", 3.5, 1.0, 2.0, true, vec![(0.5, 64), (1.5, 65), (2.5, 66)]),
        ("from its end too", 3.0, 1.0, 2.0, true, vec![(0.0, 63), (1.0, 64), (2.0, 65)]),
        ("off", 2.0, 1.0, 2.0, false, vec![(0.0, 62), (1.0, 63), (2.0, 64)]),
        ("shorter than any", 2.0, 2.0, 1e-5, true, vec![(0.0, 62), (1.0, 63), (2.0, 64)]),
        ("no number", 2.0, f64::NAN, 2.0, true, vec![(0.0, 62), (1.0, 63), (2.0, 64)]),
    ];
    for (name, at, start, length, on, expected) in table {
        let mut document = looped(song(), start, length);
        Arc::make_mut(&mut document.song).loop_on = on;
        let mut rig = started(document, at);
        rig.run_to(2 * BEAT + BEAT * 3 / 4);
        let found: Vec<_> = ons(&rig).into_iter().filter(|on| on.1 != 50).collect();
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn a_loop_that_fits_no_frames_keeps_time() {
    // A third of a beat at 97 BPM: no boundary lies on a frame.
    let clip = clip(100, 4.0, [note(60, 0.0, 0.1)]);
    let mut document = looped(document([arranged(10, [placed(0.0, 4.0, clip)])]), 0.0, 1.0 / 3.0);
    Arc::make_mut(&mut document.song).tempo_bpm = 97.0;
    let mut rig = started(document, 0.0);
    rig.run_to(100 * BEAT);
    let pass = 60.0 / 97.0 / 3.0 * SAMPLE_RATE;
    let found = rig.take_ons();
    assert_eq!(found.len(), 243);
    for (at, count) in found.into_iter().zip(0u32..) {
        let expected = f64::from(count) * pass;
        assert!((at as f64 - expected).abs() <= 0.51, "pass {count} at {at}, not {expected}");
    }
}

#[test]
fn a_loop_changed_while_it_runs() {
    let mut rig =
        started(looped(document([arranged(10, [placed(0.0, 8.0, clip(100, 8.0, beats(8)))])]), 0.0, 4.0), 0.0);
    // The block ends where the loop does: the loop that is gone by then does not act.
    rig.block_frames = BEAT as u32;
    rig.run_to(4 * BEAT);
    rig.edit(|document| Arc::make_mut(&mut document.song).loop_on = false);
    rig.run_to(6 * BEAT);
    // And a new one catches the playhead in it.
    rig.edit(|document| Arc::make_mut(&mut document.song).loop_on = true);
    rig.edit(|document| Arc::make_mut(&mut document.song).loop_length = 7.0);
    rig.run_to(9 * BEAT);
    let pitches: Vec<u8> = ons(&rig).into_iter().map(|on| on.1).collect();
    assert_eq!(pitches, [60, 61, 62, 63, 64, 65, 66, 60, 61]);
}

#[test]
fn a_launch_whose_boundary_is_the_loops_end_acts_where_it_goes_round() {
    // Every two bars, in a loop of the second bar: the song never stands on such a bar again.
    let session = clip(100, 4.0, [note(40, 0.0, 1.0)]);
    let mut rig = Rig::new(looped(document([track(10, [session])]), 4.0, 4.0));
    rig.transport(TransportAction::Start { at: 4.0 });
    rig.run_to(BEAT);
    rig.play(10, 100, LaunchQuantum::Bars(2));
    rig.run_to(9 * BEAT);
    assert_eq!(rig.take_ons(), [4 * BEAT, 8 * BEAT]);
    // It goes on from its launch, however often the loop went round.
    assert_eq!(rig.state(10).start_beats, 0.0);
}

#[test]
fn a_session_clip_goes_on_through_the_loop() {
    // Six beats against a loop of four, launched by two bars: no grid fits.
    let session = clip(100, 6.0, beats(6).chain([note(50, 3.0, 2.0)]));
    for quantum in [LaunchQuantum::Bars(2), LaunchQuantum::None] {
        let mut rig = Rig::new(looped(document([track(10, [session.clone()])]), 0.0, 4.0));
        rig.play(10, 100, quantum);
        rig.transport(TransportAction::Start { at: 0.0 });
        rig.run_to(18 * BEAT);
        let mut pitches: Vec<u8> = ons(&rig).into_iter().map(|on| on.1).collect();
        pitches.retain(|pitch| *pitch != 50);
        assert_eq!(pitches, [60, 61, 62, 63, 64, 65].repeat(3));
        // A note that sounds as the loop goes round sounds on.
        let long: Vec<_> = rig.heard.iter().filter(|h| h.pitch == 50).map(|h| (h.at / BEAT, h.on)).collect();
        let expected = [(3, true), (5, false), (9, true), (11, false), (15, true), (17, false)];
        assert_eq!(long, expected, "{quantum:?}");
    }
}
