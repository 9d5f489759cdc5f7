//! What an id stands for, and how objects hang together: classes, children, parents, paths.

use super::{SetState, unknown};
use crate::object_model::class::{Class, class};
use crate::object_model::{ModelError, ObjectId};
use crate::set::device::Device;
use crate::set::document::{Document, Track, TrackKind};
use crate::set::ids::{APPLICATION, Parts, SONG, Serial};
use crate::set::index::Home;
use std::sync::Arc;

/// An object of the Set. Made by [`SetState::target`] only for objects that exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    Song,
    SongView,
    Application,
    ApplicationView,
    Track(Serial),
    TrackView(Serial),
    Mixer(Serial),
    MixerParameter { track: Serial, index: u16 },
    Send { track: Serial, return_track: Serial },
    Slot { track: Serial, scene: Serial },
    Scene(Serial),
    Clip(Serial),
    ClipView(Serial),
    Device(Serial),
    DeviceView(Serial),
    Parameter { device: Serial, index: u16 },
}

/// The mixer's single parameters, in the order of their index.
pub const MIXER_PARAMETERS: [&str; 8] = [
    "volume",
    "panning",
    "track_activator",
    "left_split_stereo",
    "right_split_stereo",
    "cue_volume",
    "crossfader",
    "song_tempo",
];

impl Target {
    pub fn id(self) -> ObjectId {
        match self {
            Target::Song => Parts::Made(SONG),
            Target::SongView => Parts::View(SONG),
            Target::Application => Parts::Made(APPLICATION),
            Target::ApplicationView => Parts::View(APPLICATION),
            Target::Track(serial) | Target::Scene(serial) | Target::Clip(serial) | Target::Device(serial) => {
                Parts::Made(serial)
            }
            Target::TrackView(serial) | Target::ClipView(serial) | Target::DeviceView(serial) => Parts::View(serial),
            Target::Mixer(track) => Parts::Mixer(track),
            Target::MixerParameter { track, index } => Parts::MixerParameter { track, index },
            Target::Send { track, return_track } => Parts::Send { track, return_track },
            Target::Slot { track, scene } => Parts::Slot { track, scene },
            Target::Parameter { device, index } => Parts::Parameter { device, index },
        }
        .id()
    }

    /// The object's class; always there, as a test walks all of them.
    pub fn class(self) -> Option<&'static Class> {
        class(match self {
            Target::Song => "Song",
            Target::SongView => "Song.View",
            Target::Application => "Application",
            Target::ApplicationView => "Application.View",
            Target::Track(_) => "Track",
            Target::TrackView(_) => "Track.View",
            Target::Mixer(_) => "MixerDevice",
            Target::MixerParameter { .. } | Target::Send { .. } | Target::Parameter { .. } => "DeviceParameter",
            Target::Slot { .. } => "ClipSlot",
            Target::Scene(_) => "Scene",
            Target::Clip(_) => "Clip",
            Target::ClipView(_) => "Clip.View",
            Target::Device(_) => "Device",
            Target::DeviceView(_) => "Device.View",
        })
    }
}

fn has_grid(track: &Track) -> bool {
    matches!(track.kind, TrackKind::Midi | TrackKind::Audio | TrackKind::Group)
}

/// Whether a track's mixer has the single parameter of that index.
pub(super) fn mixer_has(track: &Track, index: u16) -> bool {
    let main = track.kind == TrackKind::Main;
    match MIXER_PARAMETERS.get(usize::from(index)) {
        Some(&("cue_volume" | "crossfader" | "song_tempo")) => main,
        Some(&"track_activator") => !main,
        Some(_) => true,
        None => false,
    }
}

impl Document {
    pub(super) fn home(&self, serial: Serial) -> Option<Home> {
        self.index.get(&serial).copied()
    }
}

impl SetState {
    /// The object with that id, if it exists.
    pub fn target(&self, id: ObjectId) -> Option<Target> {
        let doc = &self.document;
        Some(match Parts::of(id)? {
            Parts::Made(SONG) => Target::Song,
            Parts::Made(APPLICATION) => Target::Application,
            Parts::Made(serial) => match doc.home(serial)? {
                Home::Track | Home::Return | Home::Main => Target::Track(serial),
                Home::Scene => Target::Scene(serial),
                Home::SessionClip { .. } => Target::Clip(serial),
                Home::Device { .. } => Target::Device(serial),
            },
            Parts::View(SONG) => Target::SongView,
            Parts::View(APPLICATION) => Target::ApplicationView,
            Parts::View(serial) => match doc.home(serial)? {
                Home::Track | Home::Return | Home::Main => Target::TrackView(serial),
                Home::SessionClip { .. } => Target::ClipView(serial),
                Home::Device { .. } => Target::DeviceView(serial),
                Home::Scene => return None,
            },
            Parts::Mixer(track) => {
                doc.track(track)?;
                Target::Mixer(track)
            }
            Parts::MixerParameter { track, index } => {
                mixer_has(doc.track(track)?, index).then_some(Target::MixerParameter { track, index })?
            }
            Parts::Send { track, return_track } => {
                let has_sends = doc.home(track)? != Home::Main && doc.track(track).is_some();
                (has_sends && doc.home(return_track)? == Home::Return)
                    .then_some(Target::Send { track, return_track })?
            }
            Parts::Slot { track, scene } => {
                let there = doc.home(track)? == Home::Track && doc.home(scene)? == Home::Scene;
                there.then_some(Target::Slot { track, scene })?
            }
            Parts::Parameter { device, index } => {
                let device_values = self.device(device)?.values.len();
                (usize::from(index) < device_values).then_some(Target::Parameter { device, index })?
            }
        })
    }

    pub(super) fn device(&self, serial: Serial) -> Option<&Arc<Device>> {
        let Home::Device { track } = self.document.home(serial)? else { return None };
        self.document.track(track)?.devices.iter().find(|d| d.serial == serial)
    }

    /// The track an object on it belongs to.
    pub(super) fn track_of_clip(&self, clip: Serial) -> Option<(Serial, Serial)> {
        match self.document.home(clip)? {
            Home::SessionClip { track, scene } => Some((track, scene)),
            _ => None,
        }
    }

    /// Length of a child list that the class table names.
    pub(super) fn list_len(&self, target: Target, name: &str) -> Result<usize, ModelError> {
        let doc = &self.document;
        let track = |serial| doc.track(serial).ok_or(ModelError::NoObject);
        Ok(match (target, name) {
            (Target::Song, "tracks") => doc.tracks.len(),
            (Target::Song, "visible_tracks") => doc.tracks.iter().filter(|t| self.is_visible(t)).count(),
            (Target::Song, "return_tracks") => doc.returns.len(),
            (Target::Song, "scenes") => doc.scenes.len(),
            (Target::Track(serial), "clip_slots") if has_grid(track(serial)?) => doc.scenes.len(),
            (Target::Track(serial), "devices") => track(serial)?.devices.len(),
            (Target::Scene(_), "clip_slots") => doc.tracks.len(),
            (Target::Mixer(serial), "sends") => track(serial)?.mixer.sends.len(),
            (Target::Device(serial), "parameters") => self.device(serial).map_or(0, |device| device.values.len()),
            // Lists that this Set has none of: they read empty, as in a new Live Set.
            _ => 0,
        })
    }

    pub(super) fn list_item(&self, target: Target, name: &str, at: usize) -> Option<Target> {
        let doc = &self.document;
        let serial = |track: &Arc<Track>| Target::Track(track.serial);
        match (target, name) {
            (Target::Song, "tracks") => doc.tracks.get(at).map(serial),
            (Target::Song, "visible_tracks") => doc.tracks.iter().filter(|t| self.is_visible(t)).nth(at).map(serial),
            (Target::Song, "return_tracks") => doc.returns.get(at).map(serial),
            (Target::Song, "scenes") => doc.scenes.get(at).map(|scene| Target::Scene(scene.serial)),
            (Target::Track(track), "clip_slots") => {
                let scene = doc.scenes.get(at).filter(|_| doc.home(track) == Some(Home::Track))?.serial;
                Some(Target::Slot { track, scene })
            }
            (Target::Track(track), "devices") => doc.track(track)?.devices.get(at).map(|d| Target::Device(d.serial)),
            (Target::Scene(scene), "clip_slots") => {
                doc.tracks.get(at).map(|track| Target::Slot { track: track.serial, scene })
            }
            (Target::Mixer(track), "sends") => {
                doc.track(track)?.mixer.sends.get(at)?;
                doc.returns.get(at).map(|r| Target::Send { track, return_track: r.serial })
            }
            (Target::Device(device), "parameters") => {
                let index = u16::try_from(at).ok()?;
                self.device(device)?.values.get(at).map(|_| Target::Parameter { device, index })
            }
            _ => None,
        }
    }

    /// A single child; `Ok(None)` is an empty one, an error a child that this object does not have.
    pub(super) fn single(&self, target: Target, name: &str) -> Result<Option<Target>, ModelError> {
        let doc = &self.document;
        if name == "canonical_parent" {
            return Ok(self.parent(target));
        }
        Ok(match (target, name) {
            (Target::Song, "master_track") => Some(Target::Track(doc.main.serial)),
            (Target::Song, "view") => Some(Target::SongView),
            (Target::Application, "view") => Some(Target::ApplicationView),
            (Target::Track(serial), "mixer_device") => Some(Target::Mixer(serial)),
            (Target::Track(serial), "view") => Some(Target::TrackView(serial)),
            (Target::Track(serial), "group_track") => doc.track(serial).and_then(|t| t.group).map(Target::Track),
            (Target::Slot { track, scene }, "clip") => doc.clip_in(track, scene).map(|clip| Target::Clip(clip.serial)),
            (Target::Clip(serial), "view") => Some(Target::ClipView(serial)),
            (Target::Device(serial), "view") => Some(Target::DeviceView(serial)),
            (Target::Mixer(track), name) => {
                let index = MIXER_PARAMETERS.iter().position(|p| *p == name).and_then(|at| u16::try_from(at).ok());
                let strip = doc.track(track).ok_or(ModelError::NoObject)?;
                match index.filter(|index| mixer_has(strip, *index)) {
                    Some(index) => Some(Target::MixerParameter { track, index }),
                    None => return Err(target.class().map_or(ModelError::NoObject, |class| unknown(class, name))),
                }
            }
            (Target::SongView, name) => self.selected(name),
            _ => None,
        })
    }

    fn parent(&self, target: Target) -> Option<Target> {
        match target {
            Target::Song | Target::Application => None,
            Target::SongView | Target::Track(_) | Target::Scene(_) => Some(Target::Song),
            Target::ApplicationView => Some(Target::Application),
            Target::TrackView(serial) | Target::Mixer(serial) => Some(Target::Track(serial)),
            Target::MixerParameter { track, .. } | Target::Send { track, .. } => Some(Target::Mixer(track)),
            Target::Slot { track, .. } => Some(Target::Track(track)),
            Target::Clip(serial) => self.track_of_clip(serial).map(|(track, scene)| Target::Slot { track, scene }),
            Target::ClipView(serial) => Some(Target::Clip(serial)),
            Target::Device(serial) => match self.document.home(serial)? {
                Home::Device { track } => Some(Target::Track(track)),
                _ => None,
            },
            Target::DeviceView(serial) => Some(Target::Device(serial)),
            Target::Parameter { device, .. } => Some(Target::Device(device)),
        }
    }

    /// The object's own route.
    pub(super) fn path(&self, target: Target) -> Option<String> {
        let doc = &self.document;
        let under = |target: Target, rest: String| self.path(target).map(|base| format!("{base} {rest}"));
        match target {
            Target::Song => Some("live_set".to_owned()),
            Target::Application => Some("live_app".to_owned()),
            Target::Track(serial) => Some(match doc.home(serial)? {
                Home::Track => format!("live_set tracks {}", doc.track_position(serial)?),
                Home::Return => format!("live_set return_tracks {}", doc.return_position(serial)?),
                _ => "live_set master_track".to_owned(),
            }),
            Target::Scene(serial) => Some(format!("live_set scenes {}", doc.scene_position(serial)?)),
            Target::Mixer(track) => under(Target::Track(track), "mixer_device".to_owned()),
            Target::MixerParameter { track, index } => {
                under(Target::Mixer(track), (*MIXER_PARAMETERS.get(usize::from(index))?).to_owned())
            }
            Target::Send { track, return_track } => {
                under(Target::Mixer(track), format!("sends {}", doc.return_position(return_track)?))
            }
            Target::Slot { track, scene } => {
                under(Target::Track(track), format!("clip_slots {}", doc.scene_position(scene)?))
            }
            Target::Clip(serial) => {
                let (track, scene) = self.track_of_clip(serial)?;
                under(Target::Slot { track, scene }, "clip".to_owned())
            }
            Target::Device(serial) => {
                let parent = self.parent(target)?;
                let Target::Track(track) = parent else { return None };
                let at = doc.track(track)?.devices.iter().position(|d| d.serial == serial)?;
                under(parent, format!("devices {at}"))
            }
            Target::Parameter { device, index } => under(Target::Device(device), format!("parameters {index}")),
            Target::SongView
            | Target::ApplicationView
            | Target::TrackView(_)
            | Target::ClipView(_)
            | Target::DeviceView(_) => under(self.parent(target)?, "view".to_owned()),
        }
    }
}
