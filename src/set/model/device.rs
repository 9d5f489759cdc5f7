//! Device: native devices with the parameters of the device table.

use super::{Answer, SetState};
use crate::object_model::{ModelError, Value};
use crate::set::device::Device;
use crate::set::device_table::by_class;
use crate::set::ids::Serial;

impl SetState {
    pub(super) fn edit_device<R>(&mut self, serial: Serial, edit: impl FnOnce(&mut Device) -> R) -> Option<R> {
        self.document.edit_device(serial, edit)
    }

    pub(super) fn read_device(&self, device: &Device, member: &str) -> Answer<Value> {
        Some(Ok(match member {
            "name" => device.shown_name().into(),
            "class_name" => device.class_name.as_str().into(),
            "class_display_name" => device.class_display_name().into(),
            "type" => by_class(&device.class_name).map_or(0, |(_, class)| class.category.number()).into(),
            "is_active" => device.values.first().is_none_or(|on| *on >= 0.5).into(),
            "can_have_chains" | "can_have_drum_pads" => device.class_name.ends_with("GroupDevice").into(),
            "can_compare_ab" => (!device.class_name.ends_with("GroupDevice")).into(),
            _ => return None,
        }))
    }

    pub(super) fn write_device(&mut self, serial: Serial, member: &str, value: &Value) -> Answer<()> {
        if member != "name" {
            return None;
        }
        let text = value.as_str().unwrap_or_default();
        let edited = self.edit_device(serial, |device| device.name = (!text.is_empty()).then(|| text.to_owned()));
        Some(edited.ok_or(ModelError::NoObject))
    }
}
