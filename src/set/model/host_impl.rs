//! What tools ask of a host besides objects.

use super::object_ref::ObjectRef;
use super::set_state::SetState;
use super::song::application::LIVE_VERSION_TEXT;
use super::step_history::KeptSteps;
use crate::music::Beats;
use crate::music::pitch::{self, Spelling};
use crate::music::scale::{self, Scale};
use crate::object_model::audio::AudioFiles;
use crate::object_model::clip_facts::ClipFacts;
use crate::object_model::history::Restored;
use crate::object_model::host_edits::SetPlace;
use crate::object_model::host_values::{Clock, SetVersion};
use crate::object_model::model::StepHistory;
use crate::object_model::routing_choices::{RoutedTracks, RoutingChoice, RoutingChoices};
use crate::object_model::{
    EnvelopePoint, HostEdits, HostFacts, MacroEdit, MacroTarget, MidiOutput, ModelError, ObjectId, Readout, Scope,
    Session,
};
use crate::set::document::Document;
use std::sync::Arc;

impl HostFacts for SetState {
    fn kind(&self) -> &'static str {
        "embedded"
    }

    fn live_version(&self) -> &str {
        LIVE_VERSION_TEXT
    }

    fn set_name(&self) -> Result<String, ModelError> {
        Ok(self.document.song.name.clone())
    }

    fn clock(&self) -> Result<Clock, ModelError> {
        Ok(self.runtime.clock(&self.document))
    }

    fn spelling(&self) -> Spelling {
        let song = &self.document.song;
        let scale = scale::kind_named(&song.scale_name).filter(|_| song.scale_mode);
        scale.map(|kind| Scale { root: song.root_note, kind }.spelling()).unwrap_or_default()
    }

    fn remark(&self, id: ObjectId) -> Result<Option<String>, ModelError> {
        Ok(match self.object_ref(id) {
            Some(ObjectRef::Track(_)) => self.shared_channel(id),
            Some(target) => self.remark_on_file(target),
            None => None,
        })
    }

    fn kept_words(&self, object: ObjectId) -> Result<Option<String>, ModelError> {
        Ok(SetState::kept_words(self, object))
    }

    fn readout(&self, parameter: ObjectId) -> Result<Option<Readout>, ModelError> {
        Ok(self.object_ref(parameter).and_then(|target| self.parameter_readout(target)))
    }

    fn macro_mappings(&self, rack: ObjectId) -> Result<Option<Vec<MacroTarget>>, ModelError> {
        self.list_macro_mappings(rack).map(Some)
    }

    fn midi_output(&self, track: ObjectId) -> Result<Option<MidiOutput>, ModelError> {
        let Some(ObjectRef::Track(serial)) = self.object_ref(track) else { return Ok(None) };
        let channel = self.document.track(serial).and_then(|track| track.midi_channel);
        // Channels are counted from 1 where people read them.
        Ok(channel.map(|channel| MidiOutput { channel: channel + 1, port: self.runtime.midi_port.name() }))
    }

    fn sounds(&self, object: ObjectId) -> Result<Option<String>, ModelError> {
        Ok(self.sounds_of(object))
    }

    fn shown_number(&self, parameter: ObjectId, raw: f64) -> Result<Option<f64>, ModelError> {
        Ok(self.object_ref(parameter).and_then(|target| self.parameter_number(target, raw)))
    }

    fn raw_of(&self, parameter: ObjectId, number: f64) -> Result<Option<f64>, ModelError> {
        Ok(self.object_ref(parameter).and_then(|target| self.parameter_raw_of(target, number)))
    }

    fn label_of(&self, parameter: ObjectId, raw: f64) -> Result<Option<String>, ModelError> {
        let Some(target) = self.object_ref(parameter) else { return Ok(None) };
        let label = self.parameter_label(target, raw);
        let spelling = self.spelling();
        // What is a note is called as the scale spells it.
        if spelling != Spelling::FLATS
            && let Some(note) = label.as_deref().and_then(|label| pitch::parse(label).ok())
            && matches!(self.parameter_readout(target), Some(Readout::Number { unit: Some(unit), .. }) if unit == "note")
        {
            return Ok(Some(spelling.name(note)));
        }
        Ok(label)
    }

    fn modulation(&self, device: ObjectId, row: usize, source: usize) -> Result<Option<f64>, ModelError> {
        Ok(match self.object_ref(device) {
            Some(ObjectRef::Device(serial)) => self.device(serial).and_then(|device| device.modulation(row, source)),
            _ => None,
        })
    }

    fn routed_track(&self, identifier: &str) -> Result<Option<ObjectId>, ModelError> {
        Ok(identifier.parse().ok().and_then(|source| self.track_of_source(source)))
    }

    fn routing_choices(&self, track: ObjectId, list: &str) -> Result<Option<RoutingChoices>, ModelError> {
        Ok(match self.object_ref(track) {
            Some(ObjectRef::Track(serial)) => {
                self.document.track(serial).and_then(|track| self.read_routing_choices(track, list))
            }
            _ => None,
        })
    }

    fn tracks_to_route(&self, of: RoutedTracks) -> Result<Vec<(ObjectId, RoutingChoice)>, ModelError> {
        Ok(self.routed(of))
    }

    fn session_clips(&self, of: ObjectId) -> Result<Option<Vec<ObjectId>>, ModelError> {
        Ok(self.clips_in_slots(of))
    }

    fn clip_facts(&self, clip: ObjectId) -> Result<Option<ClipFacts>, ModelError> {
        Ok(match self.object_ref(clip) {
            Some(ObjectRef::Clip(serial)) => self.document.clip(serial).map(|clip| self.facts_of_clip(clip)),
            _ => None,
        })
    }

    fn session_clip_count(&self, of: ObjectId) -> Result<Option<usize>, ModelError> {
        Ok(self.count_of_clips_in_slots(of))
    }

    fn save_device(&self, device: ObjectId) -> Result<serde_json::Value, ModelError> {
        self.saved_device(device)
    }

    fn version(&self) -> Option<SetVersion> {
        Some(SetVersion(Arc::new(self.document.clone())))
    }

    fn is_version(&self, version: &SetVersion) -> bool {
        version.0.downcast_ref::<Document>().is_some_and(|then| self.document.same_as(then))
    }

    fn reads_are_local(&self) -> bool {
        true
    }

    fn snapshot(&self, _scope: &Scope<'_>) -> Result<Option<Box<dyn Session + Send>>, ModelError> {
        Ok(Some(Box::new(self.clone())))
    }

    fn history(&self) -> Result<Box<dyn StepHistory>, ModelError> {
        Ok(Box::new(KeptSteps { history: self.history.clone(), now: self.document.clone() }))
    }
}

impl HostEdits for SetState {
    fn know_files(&mut self, files: AudioFiles) {
        self.files = files;
    }

    fn create_locator(&mut self, at: Beats) -> Result<ObjectId, ModelError> {
        self.put_locator(at).map(|serial| ObjectRef::CuePoint(serial).id())
    }

    fn delete_locator(&mut self, locator: ObjectId) -> Result<(), ModelError> {
        match self.object_ref(locator) {
            Some(ObjectRef::CuePoint(serial)) => {
                self.document.take_cue_point(serial).map(drop).ok_or(ModelError::NoObject)
            }
            _ => Err(ModelError::NoObject),
        }
    }

    fn split_clip(&mut self, clip: ObjectId, at: Beats) -> Result<ObjectId, ModelError> {
        self.adding_notes(|set| set.split(clip, at))
    }

    fn set_clip_end(&mut self, clip: ObjectId, at: Beats) -> Result<(), ModelError> {
        self.put_end(clip, at)
    }

    fn rebuild_clip(&mut self, clip: ObjectId, onto: ObjectId, at: Beats) -> Result<ObjectId, ModelError> {
        self.adding_notes(|set| set.rebuild(clip, onto, at))
    }

    fn draw_envelope(
        &mut self,
        clip: ObjectId,
        parameter: ObjectId,
        points: Vec<EnvelopePoint>,
    ) -> Result<(), ModelError> {
        self.draw(clip, parameter, points)
    }

    fn copy_device(&mut self, device: ObjectId, onto: ObjectId, at: Option<usize>) -> Result<ObjectId, ModelError> {
        self.copy_device_to(device, onto, at)
    }

    fn copy_chain(&mut self, chain: ObjectId, rack: ObjectId, at: Option<usize>) -> Result<ObjectId, ModelError> {
        self.copy_chain_to(chain, rack, at)
    }

    fn edit_macro(&mut self, rack: ObjectId, macro_index: usize, edit: MacroEdit) -> Result<(), ModelError> {
        self.put_macro_edit(rack, macro_index, edit)
    }

    fn insert_saved_device(
        &mut self,
        saved: &serde_json::Value,
        onto: ObjectId,
        at: Option<usize>,
    ) -> Result<ObjectId, ModelError> {
        self.put_saved_device(saved, onto, at)
    }

    fn put_set(&mut self, set: &SetVersion, place: SetPlace) -> Result<Vec<String>, ModelError> {
        let Some(other) = set.0.downcast_ref::<Document>() else {
            return Err(ModelError::refused("this is no Set of this host"));
        };
        let refused = |why: &str| ModelError::refused(why);
        match place {
            SetPlace::Instead => {
                self.document = self.document.in_place_of(other).map_err(refused)?;
                Ok(Vec::new())
            }
            SetPlace::Beside => self.adding_notes(|set| {
                let (document, left) = set.document.beside(other).map_err(refused)?;
                set.document = document;
                Ok(left)
            }),
        }
    }

    fn restore(&mut self, object: ObjectId, step: u64) -> Result<Restored, ModelError> {
        self.restore_object(object, step)
    }
}

impl SetState {
    /// What is said of a track that shares its MIDI channel.
    fn shared_channel(&self, track: ObjectId) -> Option<String> {
        let ObjectRef::Track(serial) = self.object_ref(track)? else { return None };
        let channel = self.document.track(serial)?.midi_channel?;
        let sharing = self.document.tracks.sum().users_of(channel);
        (sharing > 1).then(|| format!("all 16 MIDI channels are taken; this track shares channel {}", channel + 1))
    }
}
