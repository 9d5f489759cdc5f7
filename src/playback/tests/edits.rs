//! Changes of the Set while it sounds: whatever happens, what sounds ends.

use super::*;

/// A drone on pitch 60 and a pulse on pitch 61.
fn playing() -> Rig {
    let pulse = (0..16).map(|i| note(61, f64::from(i), 0.5));
    let list = pulse.chain([note(60, 0.0, 16.0)]);
    let mut rig = Rig::hosted(document([track(10, [clip(100, 16.0, list)])]), 0.0);
    rig.play(10, 100, BAR);
    rig.run_to(2560);
    assert_eq!(rig.take(), [on(0, 0, 60), on(0, 0, 61)]);
    rig
}

fn set_note(clip: &mut Clip, pitch: u8, change: impl FnOnce(&mut Note)) {
    let Content::Midi(notes) = &mut clip.content else { panic!("an audio clip") };
    change(&mut Arc::make_mut(notes).list.iter_mut().find(|n| n.note.pitch == pitch).unwrap().note);
}

#[test]
fn what_is_not_to_be_heard_any_more_ends_with_the_next_block() {
    type Change = fn(&mut Document);
    fn first(document: &mut Document, change: impl FnOnce(&mut Track)) {
        let serial = document.tracks[0].serial;
        document.tracks.edit(serial, change).unwrap();
    }
    fn first_clip(document: &mut Document, change: impl FnOnce(&mut Clip)) {
        first(document, |track| edit_first_clip(track, change));
    }
    // The change, and whether the clip plays on.
    let table: [(&str, Change, bool); 9] = [
        ("track muted", |d| first(d, |track| track.mute = true), true),
        ("track without channel", |d| first(d, |track| track.midi_channel = None), true),
        ("clip muted", |d| first_clip(d, |clip| clip.muted = true), true),
        ("clip deleted", |d| first(d, |track| track.session = SessionClips::default()), false),
        ("clip replaced", |d| first_clip(d, |clip| clip.serial = 101), false),
        ("track deleted", |d| d.tracks = Sequence::new(), false),
        ("notes deleted", |d| first_clip(d, |clip| clip.content = notes([])), true),
        (
            "notes pitched",
            |d| first_clip(d, |clip| clip.content = notes([note(70, 0.0, 4.0), note(71, 0.0, 4.0)])),
            true,
        ),
        ("loop moved away", |d| first_clip(d, |clip| (clip.loop_start, clip.loop_end) = (-1.0, 0.0)), true),
    ];
    for (name, change, plays) in table {
        let mut rig = playing();
        rig.edit(change);
        rig.run_to(BEAT / 2 + BEAT / 4);
        assert_eq!(rig.take(), [off(2560, 0, 60), off(2560, 0, 61)], "{name}");
        let state = rig.state(10);
        assert_eq!((state.playing.is_some(), state.ended_by_itself), (plays, !plays), "{name}");
    }
}

#[test]
fn a_removed_launch_ends_what_it_let_sound() {
    let mut rig = playing();
    rig.snapshot.launches.clear();
    rig.publish();
    rig.run_to(4 * BEAT);
    assert_eq!(rig.take(), [off(2560, 0, 60), off(2560, 0, 61)]);
}

#[test]
fn undo_does_not_restart_a_deleted_clip() {
    let mut rig = playing();
    let before = rig.snapshot.document.clone();
    rig.edit_track(0, |track| track.session = SessionClips::default());
    rig.run_to(BEAT);
    rig.take();
    rig.edit(|document| *document = before);
    rig.run_to(8 * BEAT);
    assert_eq!((rig.take().len(), rig.state(10).playing), (0, None));
}

#[test]
fn an_unmuted_track_goes_on_where_it_is() {
    let mut rig = playing();
    rig.edit_track(0, |track| track.mute = true);
    rig.run_to(BEAT * 3 / 2);
    rig.edit_track(0, |track| track.mute = false);
    rig.run_to(BEAT * 9 / 4);
    assert_eq!(rig.take(), [off(2560, 0, 60), off(2560, 0, 61), on(2 * BEAT, 0, 61)]);
}

#[test]
fn an_off_goes_to_the_channel_of_its_on() {
    let mut rig = playing();
    rig.edit_track(0, |track| track.midi_channel = Some(7));
    rig.run_to(BEAT * 5 / 4);
    assert_eq!(rig.take(), [off(BEAT / 2, 0, 61), on(BEAT, 7, 61)]);
    rig.stop(10, BAR);
    rig.run_to(5 * BEAT);
    assert_eq!(rig.take().last(), Some(&off(4 * BEAT, 0, 60)));
}

#[test]
fn a_sounding_note_follows_its_length() {
    for (duration, end) in [(0.25, BEAT / 4), (0.75, BEAT * 3 / 4), (0.01, 2560)] {
        let mut rig = playing();
        rig.edit_clip(0, |clip| set_note(clip, 61, |note| note.duration = duration));
        rig.run_to(BEAT - 1);
        assert_eq!(rig.take(), [off(end, 0, 61)], "{duration}");
    }
}

#[test]
fn other_edits_leave_it_alone() {
    let mut rig = playing();
    for step in 1..40u64 {
        rig.edit_clip(0, |clip| {
            clip.name = format!("{step}");
            set_note(clip, 60, |note| note.velocity = 1.0 + step as f64);
        });
        rig.run_to(rig.now + 512);
    }
    assert_eq!(rig.take(), [off(BEAT / 2, 0, 61)]);
}

#[test]
fn a_shorter_loop_goes_on_inside() {
    let line = (0..8).map(|beat| note(60 + beat, f64::from(beat), 0.5));
    // loop end at beat 2.5, ons from there to beat 6
    let table = [(4.0, vec![63, 60, 61]), (2.0, vec![61, 60, 61]), (8.0, vec![63, 64, 65])];
    for (end, pitches) in table {
        let mut rig = Rig::hosted(document([track(10, [clip(100, 8.0, line.clone())])]), 0.0);
        rig.play(10, 100, BAR);
        rig.run_to(BEAT * 5 / 2);
        rig.take();
        rig.edit_clip(0, |clip| clip.loop_end = end);
        rig.run_to(BEAT * 11 / 2);
        let heard: Vec<u8> = rig.heard.iter().filter(|h| h.on).map(|h| h.pitch).collect();
        // A clip folded from 2.5 into a loop of 2 is at 0.5.
        assert_eq!(heard, pitches, "{end}");
    }
    // A loop that grows in its second pass goes on from where the clip is.
    let mut rig = Rig::hosted(document([track(10, [clip(100, 2.0, line)])]), 0.0);
    rig.play(10, 100, BAR);
    rig.run_to(BEAT * 5 / 2);
    rig.take();
    rig.edit_clip(0, |clip| clip.loop_end = 8.0);
    rig.run_to(BEAT * 11 / 2);
    let heard: Vec<u8> = rig.heard.iter().filter(|h| h.on).map(|h| h.pitch).collect();
    assert_eq!(heard, [61, 62, 63]);
}

#[test]
fn looping_switched_while_playing() {
    let line = (0..8).map(|beat| note(60 + beat, f64::from(beat), 0.5));
    let mut rig = Rig::hosted(document([track(10, [Clip { end_marker: 6.0, ..clip(100, 4.0, line) }])]), 0.0);
    rig.play(10, 100, BAR);
    rig.run_to(BEAT * 13 / 2);
    rig.take();
    // At 2.5 in the second pass.
    rig.edit_clip(0, |clip| clip.looping = false);
    rig.run_to(12 * BEAT);
    let heard: Vec<u8> = rig.heard.iter().filter(|h| h.on).map(|h| h.pitch).collect();
    assert_eq!((heard, rig.state(10).playing), (vec![63, 64, 65], None));
}

#[test]
fn a_full_host_gets_everything_in_the_next_block() {
    let chord = (0..20).map(|pitch| note(pitch, 0.0, 1.0));
    let mut rig = Rig::hosted(document([track(10, [clip(100, 2.0, chord)])]), 0.0);
    rig.play(10, 100, BAR);
    rig.room = 7;
    rig.run_to(BEAT);
    let ons = rig.take();
    let expected: Vec<_> = (0..20u8).map(|pitch| on(u64::from(pitch) / 7 * 512, 0, pitch)).collect();
    assert_eq!(ons, expected);
    // What came late keeps its length.
    rig.run_to(2 * BEAT);
    let offs = rig.take();
    assert_eq!((offs.len(), rig.held.len()), (20, 0));
    assert!(offs.iter().all(|event| !event.1));
    // Nothing at all for a while, and then a stop.
    rig.run_to(2 * BEAT + 5120);
    assert_eq!(rig.held.len(), 20);
    rig.room = 0;
    rig.stop(10, LaunchQuantum::None);
    rig.run_to(4 * BEAT);
    assert_eq!(rig.held.len(), 20);
    rig.room = 7;
    rig.run_to(4 * BEAT + 3 * 512);
    assert_eq!(rig.held.len(), 0);
}

#[test]
fn a_full_host_gets_the_off_it_refused_and_then_the_on() {
    let list = [note(60, 0.0, 4.0), note(60, 1.0, 1.0)];
    let mut rig = Rig::hosted(document([track(10, [clip(100, 4.0, list)])]), 0.0);
    rig.play(10, 100, BAR);
    rig.run_to(BEAT - 512);
    // Three blocks in a row take nothing; the retrigger is in the second.
    rig.room = 0;
    rig.run_to(BEAT + 1024);
    rig.room = usize::MAX;
    rig.run_to(3 * BEAT);
    let late = BEAT + 1024;
    assert_eq!(rig.take(), [on(0, 0, 60), off(late, 0, 60), on(late, 0, 60), off(late + BEAT, 0, 60)]);
}

#[test]
fn a_refused_cut_is_made_in_the_next_block() {
    let mut rig = playing();
    rig.room = 1;
    rig.stop(10, LaunchQuantum::None);
    rig.run_to(2560 + 1024);
    assert_eq!(rig.take(), [off(2560, 0, 60), off(2560 + 512, 0, 61)]);
}

#[test]
fn a_full_host_never_gets_two_ons_of_a_pitch() {
    let list = [note(60, 0.0, 0.1), note(60, 0.1, 0.1), note(61, 0.1, 0.05), note(60, 0.2, 0.2)];
    for room in 0..4 {
        let mut rig = Rig::hosted(document([track(10, [clip(100, 0.5, list)])]), 0.0);
        rig.play(10, 100, BAR);
        for block in 0..400 {
            rig.room = if block % 3 == 0 { room } else { 1 };
            rig.run_to(rig.now + 512);
        }
        rig.stop(10, LaunchQuantum::None);
        rig.room = 9;
        rig.run_to(rig.now + 1024);
        assert_eq!(rig.held.len(), 0, "{room}");
    }
}

#[test]
fn silence_ends_everything_at_once() {
    let mut rig = playing();
    let mut events = Vec::new();
    rig.engine.as_mut().unwrap().silence(&mut |event| {
        events.push(event);
        true
    });
    rig.held.clear();
    let velocity = 64.0 / 127.0;
    let expected = [60, 61].map(|pitch| Event::NoteOff { sample: 0, channel: 0, pitch, velocity });
    assert_eq!(events, expected);
    // Refused ones come first in the next block.
    rig.run_to(BEAT + 512);
    rig.take();
    rig.engine.as_mut().unwrap().silence(&mut |_| false);
    rig.run_to(BEAT + 1024);
    assert_eq!(rig.take(), [off(BEAT + 512, 0, 61)]);
}
