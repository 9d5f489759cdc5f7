//! The views of devices: what a rack, a Simpler and the others show. Nothing here is an edit.

use crate::object_model::{ModelError, Value};
use crate::set::document::ids::Serial;
use crate::set::model::device::device_properties::lacking;
use crate::set::model::member_answer::MemberAnswer;
use crate::set::model::object_ref::ObjectRef;
use crate::set::model::set_state::SetState;
use serde_json::Value as Json;

/// The pad that a fresh Drum Rack has selected: C1, the first one shown.
const FIRST_PAD: u16 = 36;

impl SetState {
    /// What a device's view keeps of a member.
    pub(in crate::set::model) fn view_setting(&self, device: Serial, member: &str) -> Option<&Json> {
        self.view_settings.get(&(ObjectRef::DeviceView(device).id().0, member.to_owned()))
    }

    fn keep_view_setting(&mut self, device: Serial, member: &str, value: Json) {
        self.view_settings.insert((ObjectRef::DeviceView(device).id().0, member.to_owned()), value);
    }

    pub(in crate::set::model) fn read_device_view(&self, device: Serial, member: &str) -> MemberAnswer<Value> {
        let device = self.device(device)?;
        match (device.table_class(), member) {
            ("RackDevice", "drum_pads_scroll_position") if self.pad_count(device.serial) == 0 => {
                Some(lacking(device, member))
            }
            ("SimplerDevice", _) => self.read_simpler_view(device, member),
            _ => None,
        }
    }

    pub(in crate::set::model) fn write_device_view(
        &mut self,
        device: Serial,
        member: &str,
        value: &Value,
    ) -> MemberAnswer<()> {
        if member != "selected_slice" {
            return None;
        }
        let slices = self.device(device)?.sample.as_ref().map_or_else(Vec::new, |sample| sample.slice_times());
        let wanted = value.as_i64().and_then(|n| u64::try_from(n).ok()).filter(|slice| slices.contains(slice));
        let Some(slice) = wanted else {
            return Some(Err(ModelError::refused("no slice begins there; the sample's slices lists where they do")));
        };
        self.keep_view_setting(device, member, slice.into());
        Some(Ok(()))
    }

    /// The pad or chain that a rack's view points at; an error where the rack has no pads.
    pub(in crate::set::model) fn selected_in_rack(
        &self,
        device: Serial,
        member: &str,
    ) -> Result<Option<ObjectRef>, ModelError> {
        let kept = self.view_setting(device, member).and_then(Json::as_u64);
        match member {
            "selected_drum_pad" => {
                let rack = self.device(device).ok_or(ModelError::NoObject)?;
                if self.pad_count(device) == 0 {
                    return lacking(rack, member);
                }
                let note = kept.and_then(|note| u16::try_from(note).ok()).unwrap_or(FIRST_PAD);
                Ok(Some(ObjectRef::DrumPad { device, note }))
            }
            "selected_chain" => {
                let chain = kept.and_then(|serial| Serial::try_from(serial).ok());
                let here = |chain: &Serial| self.rack_of(*chain).is_some_and(|rack| rack.serial == device);
                Ok(chain.filter(here).map(ObjectRef::Chain))
            }
            _ => Ok(None),
        }
    }

    /// A pad brings its first chain along, a drum chain its pad.
    pub(in crate::set::model) fn select_in_rack(
        &mut self,
        device: Serial,
        member: &str,
        wanted: Option<ObjectRef>,
    ) -> Result<(), ModelError> {
        let wrong = |expected| ModelError::WrongType { member: member.to_owned(), expected };
        let (chain, note) = match (member, wanted) {
            ("selected_drum_pad", Some(ObjectRef::DrumPad { device: of, note })) if of == device => {
                (self.pad_chains(device, note).next().map(|chain| chain.serial), Some(note))
            }
            ("selected_chain", Some(ObjectRef::Chain(chain))) => {
                if self.rack_of(chain).is_none_or(|rack| rack.serial != device) {
                    return Err(wrong("a chain of this rack"));
                }
                let note = self.document.chain(chain).and_then(|chain| chain.in_note);
                (Some(chain), note.map(u16::from).filter(|_| self.pad_count(device) > 0))
            }
            ("selected_drum_pad", _) => return Err(wrong("a pad of this rack")),
            _ => return Err(wrong("a chain of this rack")),
        };
        if let Some(chain) = chain {
            self.keep_view_setting(device, "selected_chain", chain.into());
            self.runtime.selection.chain = Some(chain);
        }
        if let Some(note) = note {
            self.keep_view_setting(device, "selected_drum_pad", note.into());
        }
        Ok(())
    }
}
