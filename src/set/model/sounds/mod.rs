//! How a track or a device is heard, in words: `exact`, `approximate: ...`, `stand-in: ...`, `silent: why`.

mod devices;
mod envelopes;
mod shut;
mod tracks;
mod ways;
mod words;

use crate::object_model::ObjectId;
use crate::object_model::audio::AudioFacts;
use crate::object_model::default_sound::DefaultSound;
use crate::set::document::{AudioContent, Track};
use crate::set::model::object_ref::ObjectRef;
use crate::set::model::set_state::SetState;
use std::sync::Arc;
use words::Sounds;

impl SetState {
    /// HostFacts::sounds.
    pub(super) fn sounds_of(&self, id: ObjectId) -> Option<String> {
        match self.object_ref(id)? {
            ObjectRef::Track(serial) => self.document.track(serial).map(|track| self.track_sounds(track).to_string()),
            ObjectRef::Device(serial) => {
                let device = self.document.device(serial)?;
                Some(self.device_sounds(device, self.usual_sound(device)).to_string())
            }
            // Of a clip only that its file cannot be played.
            ObjectRef::Clip(serial) => {
                let audio = self.document.clip(serial)?.audio()?;
                self.why_not_played(audio).map(|why| Sounds::silent(why).to_string())
            }
            parameter => (!self.is_moved_by_envelopes(parameter)?)
                .then(|| Sounds::silent("no envelope moves it here").to_string()),
        }
    }

    /// Why the file of an audio clip cannot be played, behind its name.
    fn why_not_played(&self, audio: &AudioContent) -> Option<String> {
        let path = &audio.file_path;
        // Before somebody loaded it: what the call that names it found in its head, and what the clip knows of it.
        let in_head = || self.audio_file(path).ok()?.why_not_played(path);
        let shape = || AudioFacts::new(audio.sample_length, audio.sample_rate_hz, audio.channels).why_not_played(path);
        self.runtime.sample_faults.why(path).or_else(in_head).or_else(shape)
    }

    /// What a track without an instrument sounds as, the changes of this call included.
    fn default_sound(&self, track: &Track) -> Option<DefaultSound> {
        let before = self.base().tracks.find(track.serial);
        track.sound_to_keep(before.map(Arc::as_ref)).or_else(|| track.default_sound())
    }
}
