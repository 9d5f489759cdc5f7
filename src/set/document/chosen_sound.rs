//! Which default sound a track has, and when it gets it: with its first notes, and with another name.

use crate::music::Note;
use crate::object_model::default_sound::{DefaultSound, of_name, of_notes};
use crate::object_model::native_devices::DeviceCategory;
use crate::set::document::clip::Clip;
use crate::set::document::track::{Track, TrackKind};
use std::sync::Arc;

impl Track {
    /// An instrument, a rack of instruments, or a plug-in that is one stands on it.
    pub fn has_instrument(&self) -> bool {
        self.devices.iter().any(|device| device.category() == Some(DeviceCategory::Instrument))
    }

    /// What it sounds as without an instrument: what was chosen when it got notes, else what would be chosen now.
    /// `None` on tracks of other kinds.
    pub fn default_sound(&self) -> Option<DefaultSound> {
        (self.kind == TrackKind::Midi).then(|| self.chosen_sound.unwrap_or_else(|| self.sound_by_contents()))
    }

    /// Whether its notes play one of the default drum kits.
    pub fn plays_default_kit(&self) -> bool {
        let kits = [DefaultSound::Drums, DefaultSound::Drums808, DefaultSound::Drums909];
        !self.has_instrument() && self.default_sound().is_some_and(|sound| kits.contains(&sound))
    }

    fn sound_by_contents(&self) -> DefaultSound {
        let by_name = self.name.as_deref().and_then(of_name);
        by_name.unwrap_or_else(|| of_notes(self.some_notes()))
    }

    /// The notes of its clips, clip after clip.
    fn some_notes(&self) -> impl Iterator<Item = &Note> {
        let session = self.session.iter().map(|entry| &entry.clip);
        let placed = self.arrangement.iter().map(|placed| &placed.clip);
        let notes = session.chain(placed).filter_map(|clip: &Arc<Clip>| clip.notes());
        notes.flat_map(|notes| notes.list.iter().map(|stored| &stored.note))
    }

    /// The sound that is to be kept with it, seeing what it was before: the one it has; a new one where it got its
    /// first notes or another name.
    pub fn sound_to_keep(&self, before: Option<&Track>) -> Option<DefaultSound> {
        if self.kind != TrackKind::Midi {
            return None;
        }
        let renamed = before.is_some_and(|before| before.name != self.name);
        match self.chosen_sound {
            Some(sound) if !renamed => Some(sound),
            _ if self.some_notes().next().is_none() => None,
            _ => Some(self.sound_by_contents()),
        }
    }
}
