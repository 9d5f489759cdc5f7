//! RackDevice: macros, variations, chains. Pads are in `drum_pad`.

use crate::object_model::native_devices::DeviceCategory;
use crate::object_model::{ModelError, Value};
use crate::set::document::device_tree::{Chain, Device, Rack};
use crate::set::document::ids::Serial;
use crate::set::model::device::device_parameters::MACROS;
use crate::set::model::device::device_properties::{count_argument, lacking};
use crate::set::model::device::parameter_scale::MACRO_END;
use crate::set::model::member_answer::MemberAnswer;
use crate::set::model::object_ref::ObjectRef;
use crate::set::model::set_state::SetState;
use std::sync::Arc;

pub(in crate::set::model) const MACRO_COUNT: u8 = 16;

/// The next number of shown macros up: they come in pairs, but for the very first.
fn more_macros(shown: u8) -> u8 {
    (shown / 2 * 2 + 2).min(MACRO_COUNT)
}

fn fewer_macros(shown: u8) -> u8 {
    (shown.div_ceil(2) * 2).saturating_sub(2).max(1)
}

/// An instrument, or a rack that holds one.
pub(in crate::set::model) fn holds_instrument(device: &Device) -> bool {
    match &device.rack {
        Some(rack) => rack.chains.iter().flat_map(|chain| &chain.devices).any(|d| holds_instrument(d)),
        None => device.category() == Some(DeviceCategory::Instrument),
    }
}

impl SetState {
    pub(in crate::set::model) fn read_rack(&self, device: &Device, member: &str) -> MemberAnswer<Value> {
        let rack = device.rack.as_ref()?;
        let number = |n: Option<u16>| n.map_or(-1, i64::from);
        Some(Ok(match member {
            "can_show_chains" => holds_instrument(device).into(),
            "has_drum_pads" => (self.pad_count(device.serial) > 0).into(),
            "has_macro_mappings" => self.macros_mapped(device).contains(&true).into(),
            "macros_mapped" => Value::Bools(self.macros_mapped(device)),
            "variation_count" => i64::try_from(rack.variations.len()).unwrap_or_default().into(),
            "selected_variation_index" => number(rack.selected_variation).into(),
            "visible_macro_count" => i64::from(rack.visible_macros).into(),
            _ => return None,
        }))
    }

    fn macros_mapped(&self, device: &Device) -> Vec<bool> {
        (0..usize::from(MACRO_COUNT)).map(|at| self.mappings_of(device, at).next().is_some()).collect()
    }

    pub(in crate::set::model) fn write_rack(
        &mut self,
        device: &Device,
        member: &str,
        value: &Value,
    ) -> MemberAnswer<()> {
        let rack = device.rack.as_ref()?;
        match member {
            "is_showing_chains" if !holds_instrument(device) => {
                Some(Err(ModelError::refused("a rack shows chains while it holds an instrument")))
            }
            "selected_variation_index" => {
                let count = rack.variations.len();
                let number = value.as_i64().unwrap_or_default();
                let wanted = u16::try_from(number).ok();
                if number != -1 && wanted.is_none_or(|n| usize::from(n) >= count) {
                    let range = format!("-1 (none) or the position of one of the {count} variations");
                    return Some(Err(ModelError::OutOfRange { member: member.to_owned(), range }));
                }
                Some(self.edit_rack(device.serial, |rack| rack.selected_variation = wanted))
            }
            _ => None,
        }
    }

    pub(in crate::set::model) fn edit_rack<R>(
        &mut self,
        device: Serial,
        edit: impl FnOnce(&mut Rack) -> R,
    ) -> Result<R, ModelError> {
        let edited = self.edit_device(device, |device| device.rack.as_mut().map(|rack| edit(Arc::make_mut(rack))));
        edited.flatten().ok_or(ModelError::NoObject)
    }

    pub(in crate::set::model) fn call_rack(
        &mut self,
        device: Serial,
        function: &str,
        args: &[Value],
    ) -> MemberAnswer<Value> {
        let rack = self.device(device)?.rack.clone()?;
        let done = match function {
            "insert_chain" => return Some(self.insert_chain(device, args)),
            "copy_pad" => return Some(self.copy_pad(device, args)),
            "add_macro" => self.edit_rack(device, |rack| rack.visible_macros = more_macros(rack.visible_macros)),
            "remove_macro" => self.edit_rack(device, |rack| rack.visible_macros = fewer_macros(rack.visible_macros)),
            "randomize_macros" => self.randomize_macros(device),
            "store_variation" => self.store_variation(device),
            "recall_selected_variation" => self.recall_variation(device, rack.selected_variation),
            "recall_last_used_variation" => self.recall_variation(device, rack.last_variation),
            "delete_selected_variation" => self.delete_variation(device, rack.selected_variation),
            _ => return None,
        };
        Some(done.map(|()| Value::Nothing))
    }

    fn macro_values(&self, device: Serial) -> Option<Vec<f64>> {
        self.device(device)?.values.get(MACROS).map(<[f64]>::to_vec)
    }

    /// Puts all 16 macros, and what they move.
    fn put_macros(&mut self, device: Serial, values: &[f64]) {
        for (index, value) in (1u16..).zip(values) {
            self.put_device_parameter(device, index, *value);
            self.override_automation(ObjectRef::Parameter { device, index });
        }
    }

    fn store_variation(&mut self, device: Serial) -> Result<(), ModelError> {
        let values = self.macro_values(device).ok_or(ModelError::NoObject)?;
        self.edit_rack(device, |rack| {
            let Ok(at) = u16::try_from(rack.variations.len()) else {
                return Err(ModelError::refused("the rack holds as many variations as it can"));
            };
            rack.variations.push(values);
            rack.selected_variation = Some(at);
            Ok(())
        })?
    }

    /// Without a variation to recall nothing happens, as in Live.
    fn recall_variation(&mut self, device: Serial, which: Option<u16>) -> Result<(), ModelError> {
        let rack = self.device(device).and_then(|d| d.rack.clone()).ok_or(ModelError::NoObject)?;
        let Some(values) = which.and_then(|at| rack.variations.get(usize::from(at))) else { return Ok(()) };
        self.put_macros(device, values);
        self.edit_rack(device, |rack| {
            rack.selected_variation = which;
            rack.last_variation = which;
        })
    }

    fn delete_variation(&mut self, device: Serial, which: Option<u16>) -> Result<(), ModelError> {
        let Some(gone) = which else { return Ok(()) };
        self.edit_rack(device, |rack| {
            if usize::from(gone) < rack.variations.len() {
                rack.variations.remove(usize::from(gone));
            }
            rack.selected_variation = None;
            // The ones after it move up; a recall of the deleted one is forgotten.
            rack.last_variation = match rack.last_variation {
                Some(last) if last == gone => None,
                Some(last) if last > gone => Some(last - 1),
                last => last,
            };
        })
    }

    /// Mapped macros that are shown and not excluded, as the rack's own button does.
    fn randomize_macros(&mut self, device: Serial) -> Result<(), ModelError> {
        let rack = self.device(device).ok_or(ModelError::NoObject)?.clone();
        let shown = rack.rack.as_ref().map_or(0, |r| r.visible_macros);
        let free = |at: &u16| {
            let mut mappings = self.mappings_of(&rack, usize::from(*at)).peekable();
            mappings.peek().is_some() && mappings.all(|(m, _)| !m.excluded_from_chance)
        };
        let chosen: Vec<u16> = (0..u16::from(shown)).filter(free).collect();
        for at in chosen {
            let value = (self.runtime.random.unit() * (MACRO_END + 1.0)).floor().min(MACRO_END);
            self.put_device_parameter(device, at + 1, value);
            self.override_automation(ObjectRef::Parameter { device, index: at + 1 });
        }
        Ok(())
    }

    fn insert_chain(&mut self, device: Serial, args: &[Value]) -> Result<Value, ModelError> {
        let rack = self.device(device).and_then(|d| d.rack.clone()).ok_or(ModelError::NoObject)?;
        let count = rack.chains.len();
        let at = match args.first() {
            None => count,
            Some(_) => count_argument(args, 0)
                .filter(|at| *at <= count)
                .ok_or_else(|| ModelError::refused(format!("a chain's place is from 0 to {count}")))?,
        };
        let serial = self.document.fresh_serial()?;
        let mut chain = Chain::new(serial, self.color_around(device), rack.return_chains.len());
        chain.auto_colored = true;
        self.document.put_chain(device, at, Arc::new(chain)).ok_or(ModelError::NoObject)?;
        Ok(ObjectRef::Chain(serial).id().into())
    }

    /// Functions that only racks with pads have.
    pub(in crate::set::model) fn pads_or_lacking(&self, device: &Device, function: &str) -> Result<(), ModelError> {
        if self.pad_count(device.serial) == 0 { lacking(device, function) } else { Ok(()) }
    }
}
