//! The beats that the metronome is told.

use super::*;

fn with_metronome(mut rig: Rig) -> Rig {
    rig.edit(|document| {
        Arc::make_mut(&mut document.song).stored.insert("metronome".to_owned(), serde_json::json!(true));
    });
    rig
}

#[test]
fn beats_and_bars_lie_where_the_meter_has_them() {
    for block in [64, 512, 5000, 100_000] {
        let mut rig = with_metronome(Rig::hosted(document([]), 0.75));
        rig.block_frames = block;
        rig.host().meter = Some((3, 8));
        rig.run_to(2 * BEAT);
        // Eighths; bars of one and a half beats begin at 1.5.
        let beats = [(BEAT / 4, false), (3 * BEAT / 4, true), (5 * BEAT / 4, false), (7 * BEAT / 4, false)];
        assert_eq!(rig.beats_heard, beats, "{block}");
    }
}

#[test]
fn it_is_silent_where_it_is_off_and_where_the_clock_stands() {
    let mut rig = Rig::hosted(document([]), 0.0);
    rig.run_to(4 * BEAT);
    assert_eq!(rig.beats_heard, []);
    let mut rig = with_metronome(rig);
    rig.run_to(6 * BEAT);
    rig.host().playing = false;
    rig.run_to(8 * BEAT);
    assert_eq!(rig.beats_heard, [(4 * BEAT, true), (5 * BEAT, false)]);
}
