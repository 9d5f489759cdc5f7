//! What a window shows, without a device behind it: for the benchmark of its frames and for the tests of its view.

use egui::Color32;
use std::sync::Arc;
use svc_device::device::file_desk::FileTaskView;
use svc_device::object_model::ObjectId;
use svc_device::set::{Document, SetState};
use svc_device::set_view::{Overview, PlaybackView};
use svc_device::sound::output_status::SoundStatus;
use svc_device::window::model::{HostLine, LiveCard, ServerLine, WindowModel};
use svc_device::window::shown::{Shown, ShownScene, ShownSet, ShownSlot, ShownTrack};

/// What is shown of a Set.
pub fn shown_of(set: &SetState) -> Shown {
    let overview = Overview::of(set, true, 1, String::new(), serde_json::Value::Null);
    Shown {
        set: ShownSet::of(overview).map(Arc::new),
        playback: Some(Arc::new(PlaybackView::of(set, true))),
        are_calls_read: true,
        ..Shown::default()
    }
}

/// Of a new Set.
pub fn shown_of_new_set() -> Shown {
    shown_of(&SetState::from_document(Document::new_set()))
}

/// With nothing that needs attention.
pub fn model_of(shown: Shown) -> WindowModel {
    WindowModel {
        shown: Arc::new(shown),
        server: ServerLine::Listening { address: "http://127.0.0.1:3350".to_owned() },
        needs_token: false,
        instance: "Test".to_owned(),
        in_plugin_host: true,
        samples: None,
        samples_closed: false,
        save_failure: None,
        unreadable: None,
        newer_changes: None,
        permission_request: None,
        live: LiveCard::default(),
        file: FileTaskView::default(),
        host: HostLine { text: "On the Set inside this device.".to_owned(), is_live: false, needs_attention: false },
        sound: SoundStatus { text: "It leaves by the plugin's output.".to_owned(), is_unheard: false },
        settings: Arc::default(),
    }
}

/// A Set with a clip in every slot.
pub fn full_set(tracks: usize, scenes: usize, name: &str) -> ShownSet {
    let new_set = || shown_of_new_set().set.and_then(Arc::into_inner).expect("a Set that nobody else has");
    let mut set = new_set();
    let main = set.tracks.pop();
    let track = |at: usize| {
        let mut track: ShownTrack = new_set().tracks.swap_remove(0);
        track.id = ObjectId(1_000_000 + at as u64);
        track.view.path = format!("t{at}");
        track.view.name = format!("{at} {name}");
        track
    };
    set.tracks = (0..tracks).map(track).chain(main).collect();
    let scene = |at: usize| ShownScene {
        id: ObjectId(2_000_000 + at as u64),
        name: name.to_owned(),
        color: None,
        brings: "174 BPM 6/8".to_owned(),
    };
    set.scenes = (0..scenes).map(scene).collect();
    let slot = |at: usize| ShownSlot {
        track: at / scenes,
        scene: at % scenes,
        id: ObjectId(3_000_000 + at as u64),
        name: format!("{name} {at}"),
        is_named: true,
        color: Color32::from_rgb(0xFF, 0x94, (at % 256) as u8),
        length_beats: 4.0,
        is_audio: false,
        is_looped: true,
        is_muted: false,
        notes: 16,
    };
    set.slots = (0..tracks * scenes).map(slot).collect();
    set.count_slots();
    set
}
