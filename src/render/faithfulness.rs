//! How a Set is heard, as its tracks say of themselves: exact, approximate, by a stand-in, not at all.

use super::stretch::Stretch;
use crate::object_model::HostFacts;
use crate::set::SetState;
use crate::set::document::{Clip, Document, Track};
use crate::set::model::ObjectRef;
use crate::sound::samples::SampleCache;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Asks a Set that is not played anywhere.
pub struct Faithfulness(SetState);

impl Faithfulness {
    /// `samples` has loaded what the Set names.
    pub fn of(document: &Document, samples: &SampleCache) -> Faithfulness {
        let state = SetState::from_document(document.clone());
        state.runtime.sample_faults.set(samples.faults(document));
        Faithfulness(state)
    }

    /// `exact`, `approximate: …`, `stand-in: …`, `silent: …`.
    pub fn sounds(&self, track: &Track) -> Option<String> {
        self.0.sounds(ObjectRef::Track(track.serial).id()).ok().flatten()
    }

    /// Why a track is silent whatever it plays.
    pub fn silent(&self, track: &Track) -> Option<String> {
        Some(self.sounds(track)?.strip_prefix("silent: ")?.to_owned())
    }

    /// Who plays the notes of a track that gives them to others.
    pub fn notes_elsewhere(&self, track: &Track) -> Option<String> {
        let told = self.sounds(track)?;
        let why = told.split_once(": ").map_or("", |(_, why)| why);
        why.starts_with("its notes are played by ").then(|| why.to_owned())
    }

    /// The device of a track that lets nothing through.
    pub fn shut_by_device(&self, track: &Track) -> Option<String> {
        self.0.shut_by_device(track)
    }

    /// Why no clip of a track that plays in a stretch can be heard: its samples cannot be played.
    pub fn unplayable(&self, clips: &[&Arc<Clip>]) -> Option<String> {
        let faults = &self.0.runtime.sample_faults;
        let why: Vec<String> = clips.iter().filter_map(|clip| faults.why(&clip.audio()?.file_path)).collect();
        (why.len() == clips.len()).then(|| why.into_iter().next()).flatten()
    }

    /// The tracks that play in a stretch and sound otherwise than the Set says, by name. Those that are muted, or
    /// turned down, are as they should be.
    pub fn otherwise(&self, stretch: &Stretch) -> BTreeMap<String, String> {
        let document = &self.0.document;
        let is_heard =
            |track: &Track| !document.is_muted(track) && !document.is_muted_via_solo(track) && track.mixer.volume > 0.0;
        let plays = |track: &Track| !stretch.clips(track).is_empty();
        let all = document.tracks.iter().filter(|track| plays(track) && is_heard(track));
        let sounds = all.filter_map(|track| Some((document.track_name(track), self.sounds(track)?)));
        sounds.filter(|(_, sounds)| sounds != "exact").collect()
    }
}
