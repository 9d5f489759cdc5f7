//! The notes as the tracks sound them: nobody ends another's, and mute and solo are the mixer's.

use super::*;

/// What the tracks sounded: frame, on, track, pitch.
fn sounded(rig: &Rig) -> Vec<(u64, bool, Serial, u8)> {
    rig.track_heard.iter().map(|note| (note.at, note.on, note.track, note.pitch)).collect()
}

#[test]
fn twenty_tracks_of_one_pitch_sound_apart() {
    // Tracks beyond sixteen share MIDI channels.
    let tracks = (10..30).map(|serial| Track {
        midi_channel: Some((serial % 16) as u8),
        ..track(serial, [clip(serial + 90, 4.0, [note(60, f64::from(serial - 10) / 16.0, 1.0)])])
    });
    let mut rig = Rig::hosted(document(tracks), 0.0);
    for serial in 10..30 {
        rig.play(serial, serial + 90, BAR);
    }
    rig.run_to(4 * BEAT);
    for serial in 10..30 {
        let start = u64::from(serial - 10) * BEAT / 16;
        let mine: Vec<_> = sounded(&rig).into_iter().filter(|note| note.2 == serial).collect();
        assert_eq!(mine, [(start, true, serial, 60), (start + BEAT, false, serial, 60)]);
    }
}

#[test]
fn overlapping_notes_of_a_pitch_end_each_for_itself() {
    let list = [note(60, 0.0, 3.0), note(60, 1.0, 1.0)];
    let mut rig = Rig::hosted(document([track(10, [clip(100, 4.0, list)])]), 0.0);
    rig.play(10, 100, BAR);
    rig.run_to(4 * BEAT);
    let numbers: Vec<_> = rig.track_heard.iter().map(|note| (note.at / BEAT, note.on, note.number)).collect();
    assert_eq!(numbers, [(0, true, 0), (1, true, 1), (2, false, 1), (3, false, 0)]);
}

#[test]
fn mute_and_solo_keep_midi_back_and_change_no_note_of_a_track() {
    type Change = fn(&mut Track);
    let table: [(&str, Change); 2] =
        [("mute", |track| track.mute = true), ("solo of the other", |track| track.solo = true)];
    for (name, change) in table {
        let list = || [note(60, 0.0, 2.0), note(62, 3.0, 0.5)];
        let tracks = [track(10, [clip(100, 4.0, list())]), track(11, [clip(101, 4.0, list())])];
        let run = |change: Option<Change>| {
            let mut rig = Rig::hosted(document(tracks.clone()), 0.0);
            rig.play(10, 100, BAR);
            rig.play(11, 101, BAR);
            rig.run_to(BEAT);
            if let Some(change) = change {
                rig.edit_track(usize::from(name != "mute"), change);
            }
            rig.run_to(8 * BEAT);
            (rig.heard.iter().filter(|heard| heard.channel == 0).count(), sounded(&rig))
        };
        let (before, after) = (run(None), run(Some(change)));
        assert_eq!((before.0, after.0), (8, 2), "{name}");
        assert_eq!(before.1, after.1, "{name}");
    }
}

#[test]
fn a_mute_changes_nobody_elses_chance() {
    let chances = |from: u8| {
        let maybe =
            |n: u8| Note { probability: 0.5, velocity_deviation: 40.0, ..note(from + n, f64::from(n) / 4.0, 0.2) };
        (0..16).map(maybe).collect::<Vec<_>>()
    };
    let tracks = [track(10, [clip(100, 4.0, chances(30))]), track(11, [clip(101, 4.0, chances(60))])];
    let run = |muted: bool| {
        let mut rig = Rig::hosted(document(tracks.clone()), 0.0);
        rig.edit_track(0, |track| track.mute = muted);
        rig.play(10, 100, BAR);
        rig.play(11, 101, BAR);
        rig.run_to(64 * BEAT);
        let of_second: Vec<_> = rig.heard.iter().filter(|heard| heard.channel == 1).copied().collect();
        let by_bar = |bar: u64| {
            let ons = of_second.iter().filter(|heard| heard.on && heard.at / (4 * BEAT) == bar);
            ons.map(|heard| (heard.pitch, heard.velocity)).collect::<Vec<_>>()
        };
        assert!((1..16).all(|bar| by_bar(bar) != by_bar(0)), "each pass is drawn anew");
        (of_second, rig.track_heard)
    };
    assert_eq!(run(false), run(true));
}

#[test]
fn what_sounds_longest_gives_way_to_the_1025th() {
    let list = (0..1100).map(|n| note(60, f64::from(n) / 1100.0, 4.0));
    let mut rig = Rig::hosted(document([track(10, [clip(100, 4.0, list)])]), 0.0);
    rig.play(10, 100, BAR);
    rig.run_to(2 * BEAT);
    let ended: Vec<_> = rig.track_heard.iter().filter(|note| !note.on).map(|note| note.number).collect();
    assert_eq!((rig.track_held.len(), ended), (1024, (0..76).collect()));
}
