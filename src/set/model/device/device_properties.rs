//! Device: what every kind of device has. What single kinds have besides is in files of their own, asked first.

use crate::object_model::class::class;
use crate::object_model::{ModelError, Value};
use crate::set::document::device_tree::Device;
use crate::set::document::ids::Serial;
use crate::set::model::member_answer::{MemberAnswer, unknown_member};
use crate::set::model::set_state::SetState;

/// The argument at a position, as a whole number from 0 up.
pub(in crate::set::model) fn count_argument(args: &[Value], at: usize) -> Option<usize> {
    args.get(at).and_then(Value::as_i64).and_then(|n| usize::try_from(n).ok())
}

/// A member that this very object does not have.
pub(in crate::set::model) fn lacking<T>(device: &Device, member: &str) -> Result<T, ModelError> {
    match class(device.table_class()) {
        Some(class) => Err(unknown_member(class, member)),
        None => Err(ModelError::NoObject),
    }
}

impl SetState {
    pub(in crate::set::model) fn edit_device<R>(
        &mut self,
        serial: Serial,
        edit: impl FnOnce(&mut Device) -> R,
    ) -> Option<R> {
        self.document.edit_device(serial, edit)
    }

    pub(in crate::set::model) fn read_device(&self, device: &Device, member: &str) -> MemberAnswer<Value> {
        Some(Ok(match member {
            "name" => device.shown_name().into(),
            "class_name" => device.class_name.as_str().into(),
            "class_display_name" => device.class_display_name().into(),
            "type" => device.category().map_or(0, |category| category.number()).into(),
            "is_active" => self.is_active(device).into(),
            "can_have_chains" => device.rack.is_some().into(),
            "can_have_drum_pads" => device.is_drum_rack().into(),
            "can_compare_ab" => device.can_compare_ab().into(),
            "is_using_compare_preset_b" if !device.can_compare_ab() => return Some(lacking(device, member)),
            "is_using_compare_preset_b" => device.uses_compare_b().into(),
            _ => {
                return match device.table_class() {
                    "RackDevice" => self.read_rack(device, member),
                    "SimplerDevice" => self.read_simpler(device, member),
                    "WavetableDevice" => self.read_wavetable(device, member),
                    "CompressorDevice" => self.read_side_chain(device, member),
                    _ => None,
                }
                .or_else(|| device.read_special(member).map(Ok));
            }
        }))
    }

    /// On, and every rack around it on.
    fn is_active(&self, device: &Device) -> bool {
        device.is_on() && self.document.racks_around(device.serial).all(|rack| rack.is_on())
    }

    pub(in crate::set::model) fn write_device(
        &mut self,
        serial: Serial,
        member: &str,
        value: &Value,
    ) -> MemberAnswer<()> {
        let device = self.device(serial)?.clone();
        match member {
            "name" => {
                let text = value.as_str().unwrap_or_default();
                let edited =
                    self.edit_device(serial, |device| device.name = (!text.is_empty()).then(|| text.to_owned()));
                return Some(edited.ok_or(ModelError::NoObject));
            }
            "is_using_compare_preset_b" => return Some(self.use_compare_slot(serial, value)),
            _ => {}
        }
        match device.table_class() {
            "RackDevice" => self.write_rack(&device, member, value),
            "SimplerDevice" => self.write_simpler(&device, member, value),
            "CompressorDevice" => self.write_side_chain(&device, member, value),
            _ => self.write_special(&device, member, value),
        }
    }

    pub(in crate::set::model) fn call_device(
        &mut self,
        serial: Serial,
        function: &str,
        args: &[Value],
    ) -> MemberAnswer<Value> {
        let device = self.device(serial)?.clone();
        match function {
            "save_preset_to_compare_ab_slot" => return Some(self.save_compare_slot(serial)),
            // Which bank of a controller's a device shows is the controller's business; there is none here.
            "store_chosen_bank" => {
                let fine = count_argument(args, 0).is_some() && count_argument(args, 1).is_some();
                let bad = || ModelError::refused("store_chosen_bank takes two whole numbers, a script's and a bank's");
                return Some(fine.then_some(Value::Nothing).ok_or_else(bad));
            }
            _ => {}
        }
        match device.table_class() {
            "RackDevice" => self.call_rack(serial, function, args),
            "SimplerDevice" => self.call_simpler(&device, function, args),
            "WavetableDevice" => self.call_wavetable(&device, function, args),
            "LooperDevice" => self.call_looper(&device, function),
            _ => device.call_outside(function, args),
        }
    }
}
