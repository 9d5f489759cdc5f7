//! Large Sets to measure.

use std::sync::Arc;
use svc_device::music::Note;
use svc_device::set::Document;
use svc_device::set::document::{Clip, Content, Notes, Scene, StoredNote, Track, TrackKind};

/// A Set with clips spread evenly over its grid, `notes` quarters in each, and a Reverb on each track; the track and
/// scene of each clip.
pub fn large(tracks: usize, scenes: usize, clips: usize, notes: u32) -> (Document, Vec<(usize, usize)>) {
    let mut set = Document::new_set();
    let returns = set.returns.len();
    for at in set.scenes.len()..scenes {
        let serial = set.fresh_serial().expect("a serial");
        set.insert_scene(at, Scene::new(serial));
    }
    for track in set.tracks.iter().map(|t| t.serial).collect::<Vec<_>>() {
        set.remove_track(track);
    }
    for at in 0..tracks {
        let serial = set.fresh_serial().expect("a serial");
        let mut track = Track::new(serial, TrackKind::Midi, 1, returns);
        track.midi_channel = Some(set.free_midi_channel().0);
        let device = set.fresh_serial().expect("a serial");
        track.devices.extend(svc_device::set::document::device_tree::Device::native(device, "Reverb").map(Arc::new));
        set.insert_track(at, track);
    }
    let serials: Vec<u32> = set.tracks.iter().map(|t| t.serial).collect();
    let rows: Vec<u32> = set.scenes.iter().map(|s| s.serial).collect();
    let per_track = clips / tracks;
    let mut places = Vec::new();
    for (at, track) in serials.iter().enumerate() {
        for n in 0..per_track {
            let scene = (n * scenes / per_track + at) % scenes;
            put(&mut set, *track, rows[scene], notes);
            places.push((at, scene));
        }
    }
    assert_eq!(places.len(), clips);
    (set, places)
}

fn put(set: &mut Document, track: u32, scene: u32, notes: u32) {
    let serial = set.fresh_serial().expect("a serial");
    let mut clip = Clip::midi(serial, f64::from(notes), 1, set.song.signature);
    let list: Vec<StoredNote> =
        (0..notes).map(|id| StoredNote { id, note: Note::new(48, f64::from(id), 0.5) }).collect();
    clip.content = Content::Midi(Arc::new(Notes { list, next_id: notes }));
    set.put_clip(track, scene, clip);
}

/// A clip on every track of the first scene.
#[allow(dead_code, reason = "not every benchmark needs a full scene")]
pub fn fill_first_scene(set: &mut Document, notes: u32) {
    let scene = set.scenes.iter().next().expect("a scene").serial;
    let tracks: Vec<u32> = set.tracks.iter().map(|track| track.serial).collect();
    for track in tracks {
        put(set, track, scene, notes);
    }
}
