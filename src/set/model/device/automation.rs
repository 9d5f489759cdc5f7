//! Automation of parameters: by the clip that plays, or by the Arrangement, until somebody writes the parameter.

use crate::set::document::ids::Serial;
use crate::set::document::{Clip, Envelope, Track};
use crate::set::model::object_ref::{CHAIN_PARAMETERS, MIXER_PARAMETERS, ObjectRef};
use crate::set::model::set_state::SetState;
use crate::set::runtime::runtime_state::Playing;
use std::sync::Arc;

/// Values of `automation_state`.
const NONE: i64 = 0;
const ACTIVE: i64 = 1;
const OVERRIDDEN: i64 = 2;

impl SetState {
    /// Whether the clip that plays on its track, one in the Arrangement, or the Arrangement itself has an envelope for
    /// it, and whether it was written since. What is written while a clip moves it counts once the clip is over.
    pub(in crate::set::model) fn automation_state(&self, target: ObjectRef) -> i64 {
        let Some(track) = self.track_of_parameter(target) else { return NONE };
        let id = target.id().0;
        let moves = |clip: &Clip| clip.envelopes.iter().any(|envelope| envelope.parameter == id);
        let playing = match self.runtime.track_play(track.serial).playing {
            Playing::Clip(clip) => self.document.clip(clip),
            Playing::Arrangement | Playing::Stopped => None,
        };
        if playing.is_some_and(|clip| moves(clip)) {
            return ACTIVE;
        }
        match self.arranged_automation(target) {
            Some(envelope) if envelope.overridden => OVERRIDDEN,
            Some(_) => ACTIVE,
            None if track.arrangement.iter().any(|placed| moves(&placed.clip)) => ACTIVE,
            None => NONE,
        }
    }

    /// What the Arrangement has for a parameter.
    pub(super) fn arranged_automation(&self, target: ObjectRef) -> Option<&Envelope> {
        let id = target.id().0;
        let automation = &self.track_of_parameter(target)?.automation;
        automation.iter().find(|envelope| envelope.parameter == id).map(|envelope| &**envelope)
    }

    /// A parameter was written: the Arrangement moves it no more, until its automation is enabled again.
    pub(in crate::set::model) fn override_automation(&mut self, target: ObjectRef) {
        self.mark_automation(target, true);
    }

    /// DeviceParameter.re_enable_automation.
    pub(in crate::set::model) fn re_enable_automation_of(&mut self, target: ObjectRef) {
        self.mark_automation(target, false);
    }

    fn mark_automation(&mut self, target: ObjectRef, overridden: bool) {
        let is_other = |envelope: &Envelope| envelope.overridden != overridden;
        if !self.arranged_automation(target).is_some_and(is_other) {
            return;
        }
        let (id, track) = (target.id().0, self.track_of_parameter(target).map(|track| track.serial));
        let mark = |envelope: &mut Arc<Envelope>| Arc::make_mut(envelope).overridden = overridden;
        if let Some(track) = track {
            self.document.edit_track(track, |track| {
                track.automation.iter_mut().filter(|envelope| envelope.parameter == id).for_each(mark);
            });
        }
    }

    /// Whether the Arrangement's automation of any parameter is overridden.
    pub(in crate::set::model) fn is_any_automation_overridden(&self) -> bool {
        self.document.every_track().any(|(track, _)| has_overridden(track))
    }

    /// Song.re_enable_automation.
    pub(in crate::set::model) fn re_enable_all_automation(&mut self) {
        let tracks = self.document.every_track().filter(|(track, _)| has_overridden(track));
        for track in tracks.map(|(track, _)| track.serial).collect::<Vec<Serial>>() {
            self.document.edit_track(track, |track| {
                let overridden = track.automation.iter_mut().filter(|envelope| envelope.overridden);
                overridden.for_each(|envelope| Arc::make_mut(envelope).overridden = false);
            });
        }
    }
}

/// Whether the Arrangement would move something of a track that was written since.
fn has_overridden(track: &Track) -> bool {
    track.automation.iter().any(|envelope| envelope.overridden)
}

/// What switches a track on and off.
pub(in crate::set::model) fn activator_of_track(track: Serial) -> ObjectRef {
    ObjectRef::MixerParameter { track, index: place(&MIXER_PARAMETERS, "track_activator") }
}

/// What switches a chain on and off.
pub(in crate::set::model) fn activator_of_chain(chain: Serial) -> ObjectRef {
    ObjectRef::ChainMixerParameter { chain, index: place(&CHAIN_PARAMETERS, "chain_activator") }
}

/// Of what is not there, an index that no mixer has.
fn place(names: &[&str], name: &str) -> u16 {
    let at = names.iter().position(|known| *known == name);
    at.and_then(|at| u16::try_from(at).ok()).unwrap_or(u16::MAX)
}
