use super::*;
use crate::object_model::history::ChangeKind;
use crate::set::document::ids::IdParts;
use crate::set::document::{Clip, Scene, Signature, TrackKind};
use crate::set::edit::set_changes;

const FOUR: Signature = Signature { numerator: 4, denominator: 4 };

/// Three named tracks with a clip each.
fn song() -> Document {
    let mut set = Document::new_set();
    for (at, name) in ["Drums", "Bass", "Lead"].into_iter().enumerate() {
        let (track, scene) = (set.tracks.get(at).unwrap().serial, set.scenes.get(at).unwrap().serial);
        set.edit_track(track, |track| track.name = Some(name.to_owned()));
        let serial = set.fresh_serial().unwrap();
        set.put_clip(track, scene, Clip { name: format!("{name} A"), ..Clip::midi(serial, 4.0, 0, FOUR) });
    }
    set
}

/// The same read from another file: every id is another one.
fn saved_apart(set: &Document) -> Document {
    let mut other = Document::new_set();
    (0..40).for_each(|_| drop(other.fresh_serial()));
    other.in_place_of(set).unwrap()
}

fn changes(before: &Document, after: &Document) -> Vec<(ChangeKind, Vec<String>)> {
    let after = before.with_ids_of(after, false).unwrap();
    let all = set_changes::between(before, &after, 1000, &mut |_| Ok(())).unwrap();
    let names = |values: Vec<(String, _, _)>| values.into_iter().map(|(name, ..)| name).collect();
    all.objects.into_iter().map(|change| (change.kind, names(change.values))).collect()
}

#[test]
fn a_set_saved_apart_is_the_same() {
    let before = song();
    assert_eq!(changes(&before, &saved_apart(&before)), []);
}

#[test]
fn a_renamed_track_is_renamed() {
    let before = song();
    let mut after = saved_apart(&before);
    let bass = after.tracks.get(1).unwrap().serial;
    after.edit_track(bass, |track| track.name = Some("Sub".to_owned()));
    assert_eq!(changes(&before, &after), [(ChangeKind::Changed, vec!["name".to_owned()])]);
    // With its clip renamed too, and a track made behind it.
    let scene = after.scenes.get(1).unwrap().serial;
    after.edit_track(bass, |track| track.session.edit(scene, |clip| clip.name = "Sub A".to_owned()));
    let serial = after.fresh_serial().unwrap();
    after.insert_track(3, crate::set::document::Track::new(serial, TrackKind::Audio, 0, after.returns.len()));
    let mut kinds: Vec<ChangeKind> = changes(&before, &after).into_iter().map(|(kind, _)| kind).collect();
    kinds.sort_by_key(|kind| *kind as u8);
    assert_eq!(kinds, [ChangeKind::Made, ChangeKind::Changed, ChangeKind::Changed]);
}

#[test]
fn a_moved_track_keeps_its_clips() {
    let before = song();
    let mut after = saved_apart(&before);
    let lead = after.tracks.get(2).unwrap().serial;
    let order: Vec<Serial> = [2, 0, 1, 3].iter().map(|at| after.tracks.get(*at).unwrap().serial).collect();
    after.tracks = order.iter().map(|serial| after.tracks.find(*serial).unwrap().clone()).collect();
    after.rebuild_index();
    let found = before.with_ids_of(&after, false).unwrap();
    assert_eq!(found.tracks.get(0).unwrap().serial, before.tracks.get(2).unwrap().serial);
    assert_ne!(lead, found.tracks.get(0).unwrap().serial);
    assert_eq!(changes(&before, &after), [(ChangeKind::Moved, vec![])]);
}

#[test]
fn a_scene_put_in_front_is_made() {
    let before = song();
    let mut after = saved_apart(&before);
    let serial = after.fresh_serial().unwrap();
    after.insert_scene(0, Scene { name: "Intro".to_owned(), ..Scene::new(serial) });
    assert_eq!(changes(&before, &after), [(ChangeKind::Made, vec![])]);
    let id = IdParts::Made(before.scenes.get(0).unwrap().serial).id();
    let found = before.with_ids_of(&after, false).unwrap();
    assert_eq!(IdParts::Made(found.scenes.get(1).unwrap().serial).id(), id);
}

#[test]
fn ids_say_what_is_what_in_one_set() {
    let before = song();
    let mut after = before.clone();
    // The names change places: by ids these are renames.
    for (at, name) in [(0, "Bass"), (1, "Drums")] {
        let track = after.tracks.get(at).unwrap().serial;
        after.edit_track(track, |track| track.name = Some(name.to_owned()));
    }
    let found = before.with_ids_of(&after, true).unwrap();
    assert_eq!((found.tracks, found.scenes), (after.tracks, after.scenes));
}
