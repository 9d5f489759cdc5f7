//! A Set of many notes: what opening and saving a file costs shows on it.

use std::sync::Arc;
use svc_device::device::state;
use svc_device::music::Note;
use svc_device::service::Settings;
use svc_device::set::Document;
use svc_device::set::document::{Clip, Content, Notes, SessionClip, StoredNote};

/// About as many of a state's text.
pub const BYTES_OF_A_NOTE: usize = 150;

/// The text of a state with about so many megabytes.
pub fn large_state(megabytes: usize) -> String {
    let mut document = Document::new_set();
    let scenes: Vec<u32> = document.scenes.iter().map(|scene| scene.serial).collect();
    let count = u32::try_from(megabytes * 1_000_000 / BYTES_OF_A_NOTE / scenes.len()).expect("a count of notes");
    let list = (1..=count).map(|id| StoredNote {
        id,
        note: Note { velocity: 80.5, ..Note::new((id % 120) as u8, f64::from(id) / 3.0, 0.25) },
    });
    let content = Content::Midi(Arc::new(Notes { list: list.collect(), next_id: count + 1 }));
    let track = document.tracks[0].serial;
    for scene in scenes {
        let signature = document.song.signature;
        let clip =
            Clip { content: content.clone(), ..Clip::midi(document.next_serial, f64::from(count), 1, signature) };
        document.next_serial += 1;
        document.tracks.edit(track, |track| track.session.insert(SessionClip { scene, clip: Arc::new(clip) }));
    }
    state::save(&Settings::default(), &document, "", 0)
}
