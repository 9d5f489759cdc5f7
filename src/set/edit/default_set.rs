//! A new Set, as Live makes it, and the parts new objects are made of.

use crate::music::{Beats, Meter};
use crate::object_model::native_devices;
use crate::set::document::device_tree::{Device, Rack};
use crate::set::document::ids::{FIRST_FREE, Serial};
use crate::set::document::object_index::Index;
use crate::set::document::session_clips::SessionClips;
use crate::set::document::{Clip, Content, Document, Mixer, Notes, Scene, Signature, Song, Track, TrackKind};
use crate::set::tables::palette;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Scenes of a new Set.
const SCENES: u32 = 8;

impl Document {
    /// Live's new Set: 120 BPM, 4/4, one bar launch quantization, 8 scenes, two MIDI and two audio tracks, the returns
    /// A-Reverb and B-Delay.
    pub fn new_set() -> Document {
        let mut next = FIRST_FREE;
        let mut serial = || {
            let serial = next;
            next += 1;
            serial
        };
        let sends = 2;
        let tracks = [TrackKind::Midi, TrackKind::Midi, TrackKind::Audio, TrackKind::Audio];
        let tracks: Vec<Arc<Track>> = (0u8..)
            .zip(tracks)
            .map(|(at, kind)| {
                let mut track = Track::new(serial(), kind, palette::next_for(usize::from(at)), sends);
                track.midi_channel = (kind == TrackKind::Midi).then_some(at);
                Arc::new(track)
            })
            .collect();
        let returns = [("Reverb", 4usize), ("Delay", 5)].map(|(device, color)| {
            let mut track = Track::new(serial(), TrackKind::Return, palette::next_for(color), sends);
            track.devices.extend(Device::native(serial(), device).map(Arc::new));
            Arc::new(track)
        });
        let main = Track::new(serial(), TrackKind::Main, palette::next_for(12), 0);
        let scenes: Vec<Arc<Scene>> = (0..SCENES).map(|_| Arc::new(Scene::new(serial()))).collect();
        let mut document = Document {
            song: Arc::new(Song::default()),
            tracks: tracks.into_iter().collect(),
            returns: returns.into_iter().collect(),
            main: Arc::new(main),
            scenes: scenes.into_iter().collect(),
            cue_points: Arc::default(),
            grooves: Arc::default(),
            next_serial: next,
            index: Index::new(),
        };
        document.rebuild_index();
        document
    }
}

impl Default for Song {
    fn default() -> Self {
        Song {
            tempo_bpm: 120.0,
            signature: Meter::COMMON.into(),
            launch_quantization: 4,
            root_note: 0,
            scale_name: "Major".to_owned(),
            scale_mode: false,
            loop_on: false,
            loop_start: 8.0,
            loop_length: 16.0,
            name: String::new(),
            control_surfaces: Vec::new(),
            tempo_points: Arc::default(),
            meter_changes: Arc::default(),
            stored: BTreeMap::new(),
        }
    }
}

impl Track {
    /// A track as Live makes it, with every one of `sends` sends turned down.
    pub fn new(serial: Serial, kind: TrackKind, color: u8, sends: usize) -> Track {
        Track {
            serial,
            kind,
            name: None,
            color,
            group: None,
            mute: false,
            solo: false,
            arm: false,
            mixer: Mixer {
                volume: 0.85,
                panning: 0.0,
                split_stereo: false,
                left_split: -1.0,
                right_split: 1.0,
                crossfade_assign: 1,
                sends: vec![0.0; sends],
                cue_volume: 0.85,
                crossfader: 0.0,
            },
            midi_channel: None,
            chosen_sound: None,
            session: SessionClips::default(),
            no_stop_button: Vec::new(),
            devices: Vec::new(),
            arrangement: Default::default(),
            take_lanes: Vec::new(),
            delay: None,
            automation: Vec::new(),
            stored: BTreeMap::new(),
        }
    }
}

impl Scene {
    pub fn new(serial: Serial) -> Scene {
        Scene {
            serial,
            name: String::new(),
            color: None,
            tempo_bpm: None,
            signature: None,
            follow_action: None,
            stored: BTreeMap::new(),
        }
    }
}

impl Clip {
    /// An empty MIDI clip of `length` quarter beats. It loops: the default of a new Live Set, where a fresh MIDI clip
    /// has its loop switched on.
    pub fn midi(serial: Serial, length: Beats, color: u8, signature: Signature) -> Clip {
        Clip {
            serial,
            name: String::new(),
            color,
            signature,
            looping: true,
            loop_start: 0.0,
            loop_end: length,
            start_marker: 0.0,
            end_marker: length,
            muted: false,
            launch_mode: 0,
            launch_quantization: 0,
            legato: false,
            groove: None,
            envelopes: Vec::new(),
            follow_action: None,
            expression: Arc::default(),
            content: Content::Midi(Arc::new(Notes { list: Vec::new(), next_id: 1 })),
            stored: BTreeMap::new(),
        }
    }
}

impl Device {
    /// A fresh native device by the name the user knows it by.
    pub fn native(serial: Serial, name: &str) -> Option<Device> {
        let class = native_devices::by_name(name)?;
        let mut device = Device {
            serial,
            class_name: class.class_name.clone(),
            name: None,
            values: class.parameters.iter().map(|p| p.initial()).collect(),
            is_opaque: false,
            rack: None,
            sample: None,
            sample_zones: Vec::new(),
            unread: Vec::new(),
            stored: BTreeMap::new(),
        };
        if device.table_class() == "RackDevice" {
            device.rack = Some(Arc::new(Rack { visible_macros: 8, ..Rack::default() }));
        }
        Some(device)
    }

    /// A device without parameters: a plug-in or a Max device, and, of a class that is not known here, what is opaque.
    pub fn opaque(serial: Serial, class_name: &str, is_opaque: bool) -> Device {
        Device {
            serial,
            class_name: class_name.to_owned(),
            name: None,
            values: Vec::new(),
            is_opaque,
            rack: None,
            sample: None,
            sample_zones: Vec::new(),
            unread: Vec::new(),
            stored: BTreeMap::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_set_is_lives_default() {
        let set = Document::new_set();
        let names: Vec<String> = set.every_track().map(|(t, _)| set.track_name(t)).collect();
        assert_eq!(names, ["1-MIDI", "2-MIDI", "3-Audio", "4-Audio", "A-Reverb", "B-Delay", "Main"]);
        assert_eq!((set.scenes.len(), set.song.tempo_bpm, set.song.launch_quantization), (8, 120.0, 4));
        assert!(set.tracks.iter().chain(set.returns.iter()).all(|t| t.mixer.sends == [0.0, 0.0]));
        assert_eq!(set.returns[0].devices[0].class_name, "Reverb");
        assert_eq!(set.index, set.index_from_contents());
    }
}
