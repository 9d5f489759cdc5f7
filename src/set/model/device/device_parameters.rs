//! The parameters of devices, and the macros of racks among them: a mapped macro takes its target's name and moves it,
//! a named one keeps its own.

use crate::set::document::device_tree::{Device, MacroMapping};
use crate::set::document::ids::Serial;
use crate::set::model::device::parameter_scale::{MACRO_END, MovedScale, Parameter, ParameterScale};
use crate::set::model::object_ref::{CHAIN_PARAMETERS, ObjectRef};
use crate::set::model::set_state::SetState;

/// Where macros stand among a rack's parameters.
pub(in crate::set::model) const MACROS: std::ops::RangeInclusive<usize> = 1..=16;

impl SetState {
    /// The mappings of a rack's macro whose parameters are still there, each with how what it moves is shown.
    pub(in crate::set::model) fn mappings_of<'a>(
        &'a self,
        rack: &'a Device,
        macro_index: usize,
    ) -> impl Iterator<Item = (&'a MacroMapping, MovedScale)> {
        let all = rack.rack.iter().flat_map(|r| &r.mappings);
        // Inside the rack, never the rack itself: so a macro that moves a macro ends somewhere.
        all.filter(move |m| usize::from(m.macro_index) == macro_index && m.device != rack.serial)
            .filter(|m| self.document.stands_in(m.device, rack.serial))
            .filter_map(|m| Some((m, self.moved_scale(m)?)))
    }

    fn moved_scale(&self, mapping: &MacroMapping) -> Option<MovedScale> {
        match ObjectRef::of_mapping(mapping) {
            ObjectRef::Parameter { device, index } => {
                Some(MovedScale::Table(self.device(device)?.specs().get(usize::from(index))?))
            }
            ObjectRef::ChainMixerParameter { chain, index } if self.chain_has(chain, index)? => {
                match *CHAIN_PARAMETERS.get(usize::from(index))? {
                    "volume" => Some(MovedScale::Volume),
                    "panning" => Some(MovedScale::Pan),
                    _ => Some(MovedScale::Switch),
                }
            }
            ObjectRef::ChainSend { chain, return_chain } => {
                self.chain_send_parameter(chain, return_chain).map(|_| MovedScale::Send)
            }
            _ => None,
        }
    }

    /// A macro of a rack around it moves the parameter of a device or of a chain's mixer.
    pub(in crate::set::model) fn is_owned(&self, target: ObjectRef) -> bool {
        let inside = match target {
            ObjectRef::Parameter { device, .. } => device,
            ObjectRef::ChainMixerParameter { chain, .. } | ObjectRef::ChainSend { chain, .. } => chain,
            _ => return false,
        };
        let moves = |m: &MacroMapping| ObjectRef::of_mapping(m) == target;
        let mut racks = self.document.racks_around(inside).filter_map(|rack| rack.rack.as_ref());
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
            owned: self.is_owned(ObjectRef::Parameter { device: device.serial, index }),
        };
        if device.rack.is_some()
            && MACROS.contains(&at)
            && let Some((mapping, target)) = self.mappings_of(device, at - 1).next()
        {
            let moved = match target {
                MovedScale::Table(spec) => Some(spec.name.clone()),
                _ => self.parameter(ObjectRef::of_mapping(mapping)).map(|moved| moved.name),
            };
            parameter.name = moved.unwrap_or(parameter.name);
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
        let moved: Vec<(ObjectRef, f64)> = self
            .mappings_of(&rack, at - 1)
            .map(|(m, scale)| {
                let raw = m.at_0 + (m.at_127 - m.at_0) * number / MACRO_END;
                (ObjectRef::of_mapping(m), scale.within(raw))
            })
            .collect();
        for (target, value) in moved {
            self.override_automation(target);
            // An inner rack's macro moves what is mapped to it in its turn; racks end at a depth, and so does this.
            self.put_parameter(target, value);
        }
        Some(())
    }
}
