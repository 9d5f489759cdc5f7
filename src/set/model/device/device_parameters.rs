//! The parameters of devices, and the macros of racks among them: a mapped macro takes its target's name and moves it,
//! a named one keeps its own.

use crate::object_model::native_devices::ParameterSpec;
use crate::set::document::device_tree::{Device, MacroMapping};
use crate::set::document::ids::Serial;
use crate::set::model::device::parameter_scale::{MACRO_END, Parameter, ParameterScale};
use crate::set::model::object_ref::ObjectRef;
use crate::set::model::set_state::SetState;

/// Where macros stand among a rack's parameters.
pub(in crate::set::model) const MACROS: std::ops::RangeInclusive<usize> = 1..=16;

impl SetState {
    /// The mappings of a rack's macro whose parameters are still there.
    pub(in crate::set::model) fn mappings_of<'a>(
        &'a self,
        rack: &'a Device,
        macro_index: usize,
    ) -> impl Iterator<Item = (&'a MacroMapping, &'static ParameterSpec)> {
        let all = rack.rack.iter().flat_map(|r| &r.mappings);
        // Inside the rack, never the rack itself: so a macro that moves a macro ends somewhere.
        all.filter(move |m| usize::from(m.macro_index) == macro_index && m.device != rack.serial)
            .filter(|m| self.document.stands_in(m.device, rack.serial))
            .filter_map(|m| Some((m, self.device(m.device)?.specs().get(usize::from(m.parameter))?)))
    }

    /// A macro of a rack around it moves the parameter.
    pub(in crate::set::model) fn is_owned(&self, device: Serial, index: u16) -> bool {
        let moves = |m: &MacroMapping| m.device == device && m.parameter == index;
        let mut racks = self.document.racks_around(device).filter_map(|rack| rack.rack.as_ref());
        racks.any(|rack| rack.mappings.iter().any(moves))
    }

    pub(in crate::set::model) fn device_parameter(&self, device: Serial, index: u16) -> Option<Parameter> {
        let device = self.device(device)?;
        let at = usize::from(index);
        let spec = device.specs().get(at)?;
        let mut parameter = Parameter {
            name: spec.name.clone(),
            original_name: spec.original_name.clone().unwrap_or_else(|| spec.name.clone()),
            min: spec.min,
            max: spec.max,
            value: *device.values.get(at)?,
            default: Some(spec.initial()),
            scale: ParameterScale::Table(spec),
            owned: self.is_owned(device.serial, index),
        };
        if device.rack.is_some()
            && MACROS.contains(&at)
            && let Some((mapping, target)) = self.mappings_of(device, at - 1).next()
        {
            parameter.name = target.name.clone();
            parameter.scale = ParameterScale::Macro { target, at_0: mapping.at_0, at_127: mapping.at_127 };
        }
        if let Some(rack) = &device.rack
            && let Some(name) = index.checked_sub(1).and_then(|at| rack.macro_names.get(&u8::try_from(at).ok()?))
        {
            parameter.name.clone_from(name);
        }
        Some(parameter)
    }

    /// Writes a value as it is; a macro's moves what is mapped to it.
    pub(in crate::set::model) fn put_device_parameter(
        &mut self,
        device: Serial,
        index: u16,
        number: f64,
    ) -> Option<()> {
        let at = usize::from(index);
        self.edit_device(device, |d| {
            d.unread.retain(|unread| *unread != index);
            d.values.get_mut(at).map(|slot| *slot = number)
        })??;
        let rack = self.device(device)?.clone();
        if rack.rack.is_none() || !MACROS.contains(&at) {
            return Some(());
        }
        let moved: Vec<(Serial, u16, f64)> = self
            .mappings_of(&rack, at - 1)
            .map(|(m, spec)| {
                let value = (m.at_0 + (m.at_127 - m.at_0) * number / MACRO_END).clamp(spec.min, spec.max);
                (m.device, m.parameter, if spec.quantized { value.round() } else { value })
            })
            .collect();
        for (target, parameter, value) in moved {
            self.override_automation(ObjectRef::Parameter { device: target, index: parameter });
            // An inner rack's macro moves what is mapped to it in its turn; racks end at a depth, and so does this.
            self.put_device_parameter(target, parameter, value);
        }
        Some(())
    }
}
