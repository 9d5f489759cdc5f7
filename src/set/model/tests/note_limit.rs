//! How many notes a Set takes.

use crate::music::Note;
use crate::object_model::limits::MAX_NOTES_OF_SET;
use crate::object_model::{HostEdits, ObjectId, ObjectModel, Value};
use crate::set::document::{Clip, Content, Notes, StoredNote};
use crate::set::model::set_state::SetState;
use std::sync::Arc;

const OF_A_CLIP: u64 = 100_000;

/// A Set whose first track has a clip of 100,000 notes in each of so many scenes; all share their notes.
fn set_with(clips: u64) -> SetState {
    let mut document = SetState::alone().document;
    let list = (0u32..).zip(0..OF_A_CLIP).map(|(id, at)| StoredNote { id, note: Note::new(60, at as f64, 1.0) });
    let notes = Arc::new(Notes { list: list.collect(), next_id: OF_A_CLIP as u32 });
    let track = document.tracks.get(0).unwrap().serial;
    let mut set = SetState::from_document(document.clone());
    let song = set.resolve("live_set").unwrap().unwrap();
    for _ in document.scenes.len() as u64..clips + 2 {
        set.call(song, "create_scene", &[(-1).into()]).unwrap();
    }
    document = set.document;
    for scene in document.scenes.iter().map(|scene| scene.serial).take(clips as usize).collect::<Vec<_>>() {
        let serial = document.fresh_serial().unwrap();
        let mut clip = Clip::midi(serial, OF_A_CLIP as f64, 0, document.song.signature);
        clip.content = Content::Midi(notes.clone());
        document.put_clip(track, scene, clip);
    }
    SetState::from_document(document)
}

fn object(set: &SetState, path: &str) -> ObjectId {
    set.resolve(path).unwrap().unwrap()
}

#[test]
fn notes_are_counted_wherever_they_are() {
    let mut set = set_with(3);
    assert_eq!(set.document.note_count(), 300_000);
    let clip = object(&set, "live_set tracks 0 clip_slots 0 clip");
    set.replace_notes(clip, vec![Note::new(60, 0.0, 1.0)]).unwrap();
    assert_eq!(set.document.note_count(), 200_001);
    let track = object(&set, "live_set tracks 0");
    let placed = set.call(track, "create_midi_clip", &[0.0.into(), 4.0.into()]).unwrap().as_object().unwrap();
    set.replace_notes(placed, vec![Note::new(60, 0.0, 1.0), Note::new(62, 0.0, 1.0)]).unwrap();
    assert_eq!(set.document.note_count(), 200_003);
    let lane = set.call(track, "create_take_lane", &[]).unwrap().as_object().unwrap();
    set.rebuild_clip(placed, lane, 8.0).unwrap();
    assert_eq!(set.document.note_count(), 200_005);
    let song = object(&set, "live_set");
    set.call(song, "duplicate_track", &[0.into()]).unwrap();
    assert_eq!(set.document.note_count(), 400_010);
    set.call(song, "delete_track", &[0.into()]).unwrap();
    set.call(object(&set, "live_set tracks 0 clip_slots 1"), "delete_clip", &[]).unwrap();
    assert_eq!(set.document.note_count(), 100_005);
}

#[test]
fn a_full_set_takes_no_more_and_gives_some_up() {
    let mut set = set_with(MAX_NOTES_OF_SET / OF_A_CLIP);
    let (song, track) = (object(&set, "live_set"), object(&set, "live_set tracks 0"));
    let clip = object(&set, "live_set tracks 0 clip_slots 0 clip");
    let one_more: Vec<Note> = (0..=OF_A_CLIP).map(|at| Note::new(60, at as f64, 1.0)).collect();
    let empty = set.call(track, "create_midi_clip", &[0.0.into(), 4.0.into()]).unwrap().as_object().unwrap();
    let before = set.document.clone();
    let note = serde_json::json!({"notes": [{"pitch": 60, "start_time": 0.0, "duration": 1.0}]});
    let refusals = [
        set.replace_notes(clip, one_more.clone()).unwrap_err(),
        set.call(empty, "add_new_notes", &[Value::Struct(note)]).unwrap_err(),
        set.call(track, "duplicate_clip_slot", &[0.into()]).unwrap_err(),
        set.call(song, "duplicate_scene", &[0.into()]).unwrap_err(),
        set.call(song, "duplicate_track", &[0.into()]).unwrap_err(),
        set.call(clip, "duplicate_loop", &[]).unwrap_err(),
        set.rebuild_clip(clip, track, 100.0).unwrap_err(),
    ];
    for why in refusals {
        assert!(why.to_string().contains("2000000 at most"), "{why}");
    }
    assert_eq!(set.document.tracks, before.tracks, "what is refused changes nothing");
    // As many as before, and fewer, are fine; what was taken away can come back.
    set.replace_notes(clip, one_more[1..].to_vec()).unwrap();
    set.begin_step("delete");
    set.call(object(&set, "live_set tracks 0 clip_slots 1"), "delete_clip", &[]).unwrap();
    set.end_step();
    assert_eq!(set.document.note_count(), MAX_NOTES_OF_SET - OF_A_CLIP);
    set.call(song, "undo", &[]).unwrap();
    assert_eq!(set.document.note_count(), MAX_NOTES_OF_SET);
}

#[test]
fn a_set_above_the_limit_is_edited_as_long_as_it_does_not_grow() {
    let mut set = set_with(MAX_NOTES_OF_SET / OF_A_CLIP + 1);
    assert!(set.document.note_count() > MAX_NOTES_OF_SET);
    let clip = object(&set, "live_set tracks 0 clip_slots 0 clip");
    set.set(clip, "name", "a".into()).unwrap();
    set.replace_notes(clip, vec![Note::new(60, 0.0, 1.0)]).unwrap();
    let track = object(&set, "live_set tracks 0");
    set.call(track, "create_midi_clip", &[0.0.into(), 4.0.into()]).unwrap();
    assert!(set.call(track, "duplicate_clip_slot", &[1.into()]).is_err());
}
