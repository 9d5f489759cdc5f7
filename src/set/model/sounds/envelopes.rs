//! Which of the parameters that envelopes of clips and of the Arrangement are drawn for stay where they stand.

use super::words::SAID_NAMES;
use crate::object_model::ObjectId;
use crate::object_model::device_sounds::{Heard, of_class};
use crate::object_model::moving_parameters::is_moved;
use crate::set::document::Track;
use crate::set::model::object_ref::{MIXER_PARAMETERS, ObjectRef};
use crate::set::model::set_state::SetState;
use std::collections::BTreeSet;

impl SetState {
    /// The parameters that envelopes are drawn for and nothing moves.
    pub(super) fn unmoved(&self, track: &Track) -> Option<String> {
        let session = track.session.iter().map(|entry| &entry.clip);
        let clips = session.chain(track.arrangement.iter().map(|placed| &placed.clip));
        let drawn = clips.flat_map(|clip| &clip.envelopes).chain(&track.automation);
        let drawn: BTreeSet<u64> = drawn.map(|envelope| envelope.parameter).collect();
        let unmoved = drawn
            .into_iter()
            .filter_map(|id| self.object_ref(ObjectId(id)))
            .filter(|parameter| self.is_moved_by_envelopes(*parameter) == Some(false));
        let names: BTreeSet<String> = unmoved.filter_map(|parameter| Some(self.parameter(parameter)?.name)).collect();
        let more = names.len().saturating_sub(SAID_NAMES);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let said: Vec<String> = names.into_iter().take(SAID_NAMES).collect();
        (!said.is_empty()).then(|| format!("no envelope moves {}{more}", said.join(", ")))
    }

    /// `None`: it is no parameter, or one of a device that does not play by its parameters at all.
    pub(in crate::set::model) fn is_moved_by_envelopes(&self, parameter: ObjectRef) -> Option<bool> {
        match parameter {
            ObjectRef::MixerParameter { track, index } => {
                let is_split = self.document.track(track)?.mixer.split_stereo;
                Some(match MIXER_PARAMETERS.get(usize::from(index)) {
                    Some(&"panning") => !is_split,
                    Some(&("left_split_stereo" | "right_split_stereo")) => is_split,
                    Some(&("volume" | "track_activator" | "crossfader")) => true,
                    _ => false,
                })
            }
            ObjectRef::Send { .. } | ObjectRef::ChainMixerParameter { .. } | ObjectRef::ChainSend { .. } => Some(true),
            ObjectRef::Parameter { device, index } => {
                let device = self.document.device(device)?;
                let plays = match of_class(&device.class_name)?.heard {
                    Heard::Exact | Heard::Approximate => true,
                    Heard::Samples(_) => !device.sample_zones.is_empty(),
                    // Macros and the selector.
                    Heard::Chains => return Some(true),
                    Heard::StandIn(_) | Heard::Bypassed => false,
                };
                let spec = device.specs().get(usize::from(index)).filter(|_| plays)?;
                Some(spec.name == "Sample Selector" || is_moved(&device.class_name, spec))
            }
            _ => None,
        }
    }
}
