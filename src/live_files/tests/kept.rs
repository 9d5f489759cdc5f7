//! What is kept of a Set and not heard, as the versions of Live write it.

use super::*;
use crate::set::document::{Clip, FollowChoice, TempoPoint};
use std::sync::Arc;

/// The clip in the second slot of the second track of what is read.
fn riff(file: &LiveSetFile) -> Arc<Clip> {
    file.document.tracks[1].clip_at(file.document.scenes[1].serial).unwrap().clone()
}

/// One of each with some of it written otherwise.
fn with(from: &str, to: &str) -> LiveSetFile {
    assert!(ONE_OF_EACH.contains(from), "{from}");
    read(&ONE_OF_EACH.replacen(from, to, 1)).unwrap()
}

#[test]
fn follow_actions_of_live_10_are_kept() {
    let flat = |chance: u32| {
        let parts = format!(
            "<FollowTime Value=\"12\"/><FollowActionA Value=\"2\"/><FollowActionB Value=\"7\"/>\
             <FollowChanceA Value=\"{chance}\"/><FollowChanceB Value=\"0\"/>"
        );
        with("<GrooveSettings>", &format!("{parts}<GrooveSettings>"))
    };
    let own = "<FollowActionEnabled Value=\"true\"/>\n                </FollowAction>";
    let off = "<FollowActionEnabled Value=\"false\"/>\n                </FollowAction>";
    assert_eq!(riff(&with(own, off)).follow_action, None);
    // That of an element of its own counts.
    assert_eq!(riff(&flat(1)).follow_action, riff(&read(ONE_OF_EACH).unwrap()).follow_action);
    for (chance, meant) in [(3, true), (0, false)] {
        let element = ONE_OF_EACH.find("<FollowAction>").unwrap()..ONE_OF_EACH.find("<GrooveSettings>").unwrap();
        let mut xml = ONE_OF_EACH.to_owned();
        let parts =
            format!("<FollowTime Value=\"12\"/><FollowActionA Value=\"2\"/><FollowChanceA Value=\"{chance}\"/>");
        xml.replace_range(element, &parts);
        let read = read(&xml).unwrap();
        assert_eq!(read.report.kept.contains_key("follow actions of clips"), meant);
        let action = riff(&read).follow_action;
        assert_eq!(action.map(|action| action.time), meant.then_some(12.0));
        let first = FollowChoice { action: 2, chance, jump_to: None };
        assert_eq!(action.map(|action| action.choices[0]), meant.then_some(first));
    }
}

#[test]
fn tempos_are_kept_in_order() {
    let file = with(
        "<FloatEvent Time=\"16\" Value=\"140\"/>",
        "<FloatEvent Time=\"32\" Value=\"90\"/><FloatEvent Time=\"16\" Value=\"140\"/>\
         <FloatEvent Time=\"32\" Value=\"80\"/>",
    );
    let points = file.document.song.tempo_points.iter().map(|&TempoPoint { time, bpm, .. }| (time, bpm));
    assert_eq!(points.collect::<Vec<_>>(), [(0.0, 133.5), (16.0, 140.0), (32.0, 90.0), (32.0, 80.0)]);
    assert_eq!(file.document.song.tempo_bpm, 133.5);
    // A tempo that stays is the Set's own.
    let one = with("<FloatEvent Time=\"16\" Value=\"140\"/>", "");
    assert!(one.document.song.tempo_points.is_empty());
    assert!(!one.report.kept.keys().any(|kind| kind.contains("tempos")));
}

#[test]
fn expression_goes_to_its_note() {
    let lost = with("NoteId=\"2\" CC=\"-2\"", "NoteId=\"77\" CC=\"74\"");
    assert!(riff(&lost).expression.is_empty());
    assert_eq!(lost.report.left_out["expression (MPE) of notes that are not there"], 1);
    let first = with("NoteId=\"2\" CC=\"-2\"", "NoteId=\"1\" CC=\"74\"");
    let expression = &riff(&first).expression[0];
    assert_eq!((expression.note, expression.controller, expression.points.len()), (1, 74, 2));
}

#[test]
fn fades_that_are_off_are_kept() {
    let audio = |file: &LiveSetFile| {
        let take = &file.document.tracks[2];
        take.clip_at(file.document.scenes[0].serial).and_then(|clip| clip.audio().cloned()).unwrap()
    };
    let off = with("<Fade Value=\"true\"/>", "<Fade Value=\"false\"/>");
    let fades = audio(&off).fades.unwrap();
    assert!(!fades.are_heard() && fades.fade_in.length == 1.5);
    assert_eq!(off.report.kept["fades of audio clips that are switched off"], 1);
    let lengths = "<FadeInLength Value=\"1.5\"/>\n                <FadeOutLength Value=\"0.5\"/>";
    assert_eq!(audio(&with(lengths, "")).fades, None);
    let rounding = "<FadeInLength Value=\"3.6e-15\"/><FadeOutLength Value=\"-3.6e-15\"/>";
    let none = with(lengths, rounding);
    assert_eq!((audio(&none).fades, none.report.bad_values.len()), (None, 0));
}

#[test]
fn clips_of_frozen_tracks_are_no_clips() {
    let frozen = "<FreezeSequencer><ClipSlotList><ClipSlot Id=\"0\"><ClipSlot><Value><AudioClip Id=\"0\" Time=\"0\">\
                  <Name Value=\"Frozen\"/></AudioClip></Value></ClipSlot></ClipSlot></ClipSlotList></FreezeSequencer>";
    let plain = read(ONE_OF_EACH).unwrap();
    let file = with(
        "<MainSequencer>\n          <ClipSlotList>",
        &format!("{frozen}<MainSequencer>\n          <ClipSlotList>"),
    );
    assert_eq!(file.document, plain.document);
    assert!(file.document.tracks[1].is_frozen_in_file() && !file.document.tracks[1].devices.is_empty());
}
