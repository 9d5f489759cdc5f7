//! CuePoint, and the functions of Song that find and make locators. Locators are sorted by time, no two at one time.

use crate::music::{Beats, SAME_POSITION_BEATS};
use crate::object_model::{ModelError, Value};
use crate::set::document::CuePoint;
use crate::set::document::ids::Serial;
use crate::set::model::member_answer::MemberAnswer;
use crate::set::model::set_state::SetState;
use crate::set::runtime::launch_orders::TransportAction;
use std::collections::HashSet;

impl SetState {
    /// The playhead as functions see it; a host's pre-roll lies before the timeline.
    fn playhead(&self) -> Beats {
        self.shown_position().max(0.0)
    }

    fn locator_here(&self) -> Option<&CuePoint> {
        let here = self.playhead();
        let from = self.document.cue_points.partition_point(|cue| cue.time < here - SAME_POSITION_BEATS);
        self.document.cue_points.get(from).filter(|cue| cue.time <= here + SAME_POSITION_BEATS)
    }

    fn locator_after(&self) -> Option<&CuePoint> {
        let here = self.playhead();
        let from = self.document.cue_points.partition_point(|cue| cue.time <= here + SAME_POSITION_BEATS);
        self.document.cue_points.get(from)
    }

    fn locator_before(&self) -> Option<&CuePoint> {
        let here = self.playhead();
        let from = self.document.cue_points.partition_point(|cue| cue.time < here - SAME_POSITION_BEATS);
        self.document.cue_points.get(from.checked_sub(1)?)
    }

    pub(in crate::set::model) fn read_song_locators(&self, member: &str) -> MemberAnswer<Value> {
        Some(Ok(match member {
            "can_jump_to_next_cue" => self.locator_after().is_some().into(),
            "can_jump_to_prev_cue" => self.locator_before().is_some().into(),
            _ => return None,
        }))
    }

    pub(in crate::set::model) fn call_song_locators(&mut self, function: &str) -> MemberAnswer<Value> {
        let found = match function {
            "is_cue_point_selected" => return Some(Ok(self.locator_here().is_some().into())),
            "set_or_delete_cue" => return Some(self.set_or_delete_cue()),
            "jump_to_next_cue" => self.locator_after(),
            "jump_to_prev_cue" => self.locator_before(),
            _ => return None,
        };
        // With none left there is nowhere to go, and no error, as with Live's own buttons.
        if let Some(time) = found.map(|cue| cue.time) {
            self.runtime.order_transport(TransportAction::Jump { to: time });
        }
        Some(Ok(Value::Nothing))
    }

    fn set_or_delete_cue(&mut self) -> Result<Value, ModelError> {
        if let Some(serial) = self.locator_here().map(|cue| cue.serial) {
            self.document.take_cue_point(serial);
            return Ok(Value::Nothing);
        }
        self.put_locator(self.playhead()).map(|_| Value::Nothing)
    }

    /// A locator at that moment, where none stands yet.
    pub(in crate::set::model) fn put_locator(&mut self, time: Beats) -> Result<Serial, ModelError> {
        let names: HashSet<&str> = self.document.cue_points.iter().map(|cue| cue.name.as_str()).collect();
        // One more than there are locators is free, if no smaller number is.
        let number = (1usize..).find(|number| !names.contains(number.to_string().as_str())).unwrap_or(1);
        let serial = self.document.fresh_serial()?;
        self.document.put_cue_point(CuePoint { serial, name: number.to_string(), time });
        Ok(serial)
    }

    pub(in crate::set::model) fn read_cue_point(&self, cue: &CuePoint, member: &str) -> MemberAnswer<Value> {
        Some(Ok(match member {
            "name" => cue.name.as_str().into(),
            "time" => cue.time.into(),
            _ => return None,
        }))
    }

    pub(in crate::set::model) fn write_cue_point(
        &mut self,
        serial: Serial,
        member: &str,
        value: &Value,
    ) -> MemberAnswer<()> {
        let name = value.as_str().unwrap_or_default();
        (member == "name")
            .then(|| self.document.edit_cue_point(serial, |cue| cue.name = name.to_owned()).ok_or(ModelError::NoObject))
    }

    pub(in crate::set::model) fn call_cue_point(&mut self, serial: Serial, function: &str) -> MemberAnswer<Value> {
        if function != "jump" {
            return None;
        }
        let to = self.document.cue_point(serial)?.time;
        self.runtime.order_transport(TransportAction::Jump { to });
        Some(Ok(Value::Nothing))
    }
}
