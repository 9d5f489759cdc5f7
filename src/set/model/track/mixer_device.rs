//! MixerDevice: its own properties. Its parameters are in `mixer_parameters`.

use crate::object_model::{ModelError, Value};
use crate::set::document::ids::Serial;
use crate::set::document::{Track, TrackKind};
use crate::set::model::member_answer::MemberAnswer;
use crate::set::model::set_state::SetState;

impl SetState {
    pub(in crate::set::model) fn read_mixer(&self, track: &Track, member: &str) -> MemberAnswer<Value> {
        Some(match member {
            "crossfade_assign" if track.kind == TrackKind::Main => {
                Err(ModelError::UnknownMember { class: "the main track's mixer".to_owned(), member: member.to_owned() })
            }
            "crossfade_assign" => Ok(i64::from(track.mixer.crossfade_assign).into()),
            "panning_mode" => Ok(i64::from(track.mixer.split_stereo).into()),
            _ => return None,
        })
    }

    pub(in crate::set::model) fn write_mixer(
        &mut self,
        serial: Serial,
        member: &str,
        value: &Value,
    ) -> MemberAnswer<()> {
        let number = u8::try_from(value.as_i64().unwrap_or_default()).unwrap_or_default();
        let edited = match member {
            "crossfade_assign" => self.document.edit_track(serial, |t| t.mixer.crossfade_assign = number),
            "panning_mode" => self.document.edit_track(serial, |t| t.mixer.split_stereo = number == 1),
            _ => return None,
        };
        Some(edited.ok_or(ModelError::NoObject))
    }
}
