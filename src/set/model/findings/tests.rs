use super::*;
use crate::set::Document;
use crate::set::document::{Clip, PlacedClip, Signature};

const FOUR: Signature = Signature { numerator: 4, denominator: 4 };

fn found(document: Document) -> Vec<(&'static str, String, String)> {
    let all = SetState::from_document(document).findings();
    all.into_iter().map(|finding| (finding.kind.name(), finding.name, finding.why)).collect()
}

fn kinds(document: &Document, name: &str) -> Vec<&'static str> {
    found(document.clone()).into_iter().filter(|(_, about, _)| about == name).map(|(kind, ..)| kind).collect()
}

#[test]
fn a_new_set_has_empty_tracks_alone() {
    let all = found(Document::new_set());
    let kinds: Vec<&str> = all.iter().map(|(kind, ..)| *kind).collect();
    assert_eq!(kinds, ["empty-track", "empty-track", "empty-track", "empty-track", "unused-return", "unused-return"]);
}

#[test]
fn sends_mutes_and_outputs_are_found() {
    let mut set = Document::new_set();
    let (track, scene) = (set.tracks.get(0).unwrap().serial, set.scenes.get(0).unwrap().serial);
    let serial = set.fresh_serial().unwrap();
    set.put_clip(track, scene, Clip::midi(serial, 4.0, 0, FOUR));
    set.edit_track(track, |track| {
        track.name = Some("Lead".to_owned());
        track.mixer.sends[0] = 0.5;
    });
    assert_eq!(kinds(&set, "Lead"), [""; 0]);
    let to = set.returns.get(0).unwrap().serial;
    set.edit_track(to, |to| to.mute = true);
    assert_eq!(kinds(&set, "Lead"), ["send-to-nowhere"]);
    set.edit_track(track, |track| {
        track.stored.insert("output_routing_type".to_owned(), super::super::routing_ids::EXT_OUT.into());
    });
    assert_eq!(kinds(&set, "Lead"), ["track-to-nowhere", "send-to-nowhere"]);
    set.edit_track(track, |track| track.mute = true);
    assert_eq!(kinds(&set, "Lead"), ["muted-track", "send-to-nowhere"]);
}

#[test]
fn clips_behind_the_end_are_found() {
    let mut set = Document::new_set();
    let track = set.tracks.get(0).unwrap().serial;
    for start in [0.0, 16.0, 200.0] {
        let serial = set.fresh_serial().unwrap();
        let clip = Arc::new(Clip { name: format!("at {start}"), ..Clip::midi(serial, 4.0, 0, FOUR) });
        set.edit_track(track, |track| track.arrangement.insert(PlacedClip { start, end: start + 4.0, clip }));
    }
    set.rebuild_index();
    let of_clips = |set: &Document| -> Vec<(String, String)> {
        let all = found(set.clone()).into_iter().filter(|(kind, ..)| *kind == "clip-behind-the-end");
        all.map(|(_, name, why)| (name, why)).collect()
    };
    let why = "it lies far behind the end of all else, which is at 6|1";
    assert_eq!(of_clips(&set), [("at 200".to_owned(), why.to_owned())]);
    let song = Arc::make_mut(&mut set.song);
    (song.loop_on, song.loop_start, song.loop_length) = (true, 0.0, 8.0);
    assert_eq!(of_clips(&set)[0].1, "it lies behind the loop, which is on and ends at 3|1");
}
