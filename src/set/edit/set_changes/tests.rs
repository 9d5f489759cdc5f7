use super::*;
use crate::set::document::Signature;
use crate::set::document::ids::IdParts;

fn changes(before: &Document, after: &Document) -> Vec<(u64, ChangeKind)> {
    let all = between(before, after, 1000, &mut |_| Ok(())).unwrap();
    all.objects.iter().map(|change| (change.id.0, change.kind)).collect()
}

/// A hundred tracks of two hundred clips.
fn large() -> Document {
    let mut set = Document::new_set();
    while set.scenes.len() < 200 {
        let serial = set.fresh_serial().unwrap();
        set.insert_scene(usize::MAX, Scene::new(serial));
    }
    while set.tracks.len() < 100 {
        let serial = set.fresh_serial().unwrap();
        set.insert_track(usize::MAX, Track::new(serial, crate::set::document::TrackKind::Midi, 0, set.returns.len()));
    }
    let tracks: Vec<Serial> = set.tracks.iter().map(|track| track.serial).collect();
    let scenes: Vec<Serial> = set.scenes.iter().map(|scene| scene.serial).collect();
    for track in &tracks {
        for scene in &scenes {
            let serial = set.fresh_serial().unwrap();
            set.put_clip(*track, *scene, Clip::midi(serial, 4.0, 0, Signature { numerator: 4, denominator: 4 }));
        }
    }
    set
}

#[test]
fn finding_it_costs_what_was_changed() {
    let set = large();
    let track = set.tracks[40].serial;
    let scene = set.scenes[100].serial;
    let clip = set.clip_in(track, scene).unwrap().serial;
    type Edit = fn(&mut Document, Serial, Serial, Serial);
    let table: [(&str, Edit, usize); 7] = [
        ("nothing", |_, _, _, _| (), 0),
        ("a clip's name", |set, _, _, clip| set.edit_clip(clip, |clip| clip.name.push('x')).unwrap(), 1),
        ("a clip gone", |set, track, scene, _| drop(set.take_clip(track, scene)), 1),
        ("a track's name", |set, track, _, _| set.edit_track(track, |t| t.name = Some("x".into())).unwrap(), 1),
        (
            "a scene in front",
            |set, _, _, _| {
                let serial = set.fresh_serial().unwrap();
                set.insert_scene(0, Scene::new(serial));
            },
            1,
        ),
        ("a track gone", |set, track, _, _| drop(set.remove_track(track)), 1),
        ("a scene gone, told as one", |set, _, scene, _| drop(set.remove_scene(scene)), 1),
    ];
    for (name, edit, want) in table {
        let mut after = set.clone();
        edit(&mut after, track, scene, clip);
        for (one, other) in [(&set, &after), (&after, &set)] {
            let found = between(one, other, 1000, &mut |_| Ok(())).unwrap();
            assert_eq!(found.objects.len(), want, "{name}: {:?}", found.objects);
            // A scene's row is a clip of each track; the Set holds 20,000.
            assert!(found.compared <= 2 * want + 200, "{name}: {} objects were looked at", found.compared);
        }
    }
}

#[test]
fn what_moved_is_told_once() {
    assert!(is_out_of_order(&[1, 2, 3, 4], &[4, 1, 2, 3], 4));
    for kept in [1, 2, 3] {
        assert!(!is_out_of_order(&[1, 2, 3, 4], &[4, 1, 2, 3], kept));
    }
    assert!(!is_out_of_order(&[1, 2], &[5, 1, 6, 2], 2), "what came in between moved nothing");

    let set = large();
    let scene = set.scenes[7].clone();
    let mut after = set.clone();
    let at = after.scenes.position(scene.serial).unwrap();
    let taken = after.scenes.remove(at).unwrap();
    after.scenes.insert(20, taken);
    let id = IdParts::Made(scene.serial).id().0;
    assert_eq!(changes(&set, &after), [(id, ChangeKind::Moved)]);

    let mut after = set.clone();
    let (track, from, to) = (set.tracks[0].serial, set.scenes[0].serial, set.scenes[1].serial);
    after.take_clip(track, to);
    let clip = after.take_clip(track, from).unwrap();
    after.put_clip(track, to, Clip::clone(&clip));
    let found = changes(&set, &after);
    assert!(found.contains(&(u64::from(clip.serial), ChangeKind::Moved)) && found.len() == 2, "{found:?}");
}
