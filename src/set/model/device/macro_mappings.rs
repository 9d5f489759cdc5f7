//! Mapping and naming the macros of racks, which no function of Live's object model does.

use crate::object_model::{MacroEdit, MacroTarget, ModelError, ObjectId};
use crate::set::document::device_tree::{MAX_MACRO_NAME, MacroMapping};
use crate::set::document::ids::{IdParts, Serial};
use crate::set::model::device::parameter_scale::MACRO_END;
use crate::set::model::device::rack::MACRO_COUNT;
use crate::set::model::object_ref::ObjectRef;
use crate::set::model::set_state::SetState;

impl SetState {
    /// HostFacts::macro_mappings.
    pub(in crate::set::model) fn list_macro_mappings(&self, rack: ObjectId) -> Result<Vec<MacroTarget>, ModelError> {
        let serial = self.rack_with_macros(rack)?;
        let Some(device) = self.device(serial) else { return Err(ModelError::NoObject) };
        let of_macro = |macro_index: usize| {
            self.mappings_of(device, macro_index).map(move |(m, _)| MacroTarget {
                macro_index,
                parameter: ObjectRef::of_mapping(m).id(),
                at_0: m.at_0,
                at_127: m.at_127,
            })
        };
        Ok((0..usize::from(MACRO_COUNT)).flat_map(of_macro).collect())
    }

    /// HostEdits::edit_macro.
    pub(in crate::set::model) fn put_macro_edit(
        &mut self,
        rack: ObjectId,
        macro_index: usize,
        edit: MacroEdit,
    ) -> Result<(), ModelError> {
        let rack = self.rack_with_macros(rack)?;
        let index = u8::try_from(macro_index).ok().filter(|index| *index < MACRO_COUNT);
        let index = index.ok_or_else(|| ModelError::refused(format!("a rack has {MACRO_COUNT} macros")))?;
        match edit {
            MacroEdit::Map { parameter, at_0, at_127 } => self.map_macro(rack, index, parameter, (at_0, at_127)),
            MacroEdit::Unmap(parameter) => self.unmap_macro(rack, index, parameter),
            MacroEdit::Rename(name) => {
                let name = name.trim().to_owned();
                if name.len() > MAX_MACRO_NAME {
                    return Err(ModelError::refused(format!("a macro's name has at most {MAX_MACRO_NAME} bytes")));
                }
                self.edit_rack(rack, |rack| match name.is_empty() {
                    true => drop(rack.macro_names.remove(&index)),
                    false => drop(rack.macro_names.insert(index, name)),
                })
            }
        }
    }

    fn rack_with_macros(&self, id: ObjectId) -> Result<Serial, ModelError> {
        match self.object_ref(id) {
            Some(ObjectRef::Device(serial)) if self.device(serial).is_some_and(|device| device.rack.is_some()) => {
                Ok(serial)
            }
            Some(_) => Err(ModelError::refused("only racks have macros")),
            None => Err(ModelError::NoObject),
        }
    }

    fn map_macro(
        &mut self,
        rack: Serial,
        macro_index: u8,
        parameter: ObjectId,
        (at_0, at_127): (f64, f64),
    ) -> Result<(), ModelError> {
        let target = self.movable(parameter)?;
        let inside = match target.target() {
            IdParts::Parameter { device, .. } => device,
            IdParts::ChainMixerParameter { chain, .. } | IdParts::ChainSend { chain, .. } => chain,
            _ => rack,
        };
        if inside == rack || !self.document.stands_in(inside, rack) {
            return Err(ModelError::refused("a macro moves what stands inside its rack alone"));
        }
        let moved = self.parameter(ObjectRef::of_mapping(&target)).ok_or(ModelError::NoObject)?;
        let range = moved.min..=moved.max;
        if !range.contains(&at_0) || !range.contains(&at_127) || at_0 == at_127 {
            let why = format!("{} goes from {} to {}; name two values of these", moved.name, moved.min, moved.max);
            return Err(ModelError::refused(why));
        }
        let holder = self.device(rack).ok_or(ModelError::NoObject)?;
        let own: Vec<IdParts> = self.mappings_of(holder, usize::from(macro_index)).map(|(m, _)| m.target()).collect();
        let id = target.target();
        if moved.owned && !own.contains(&id) {
            return Err(ModelError::refused(format!("{} is moved by a macro already; unmap it there", moved.name)));
        }
        let position = u16::from(macro_index) + 1;
        let stands_at = holder.values.get(usize::from(position)).copied().unwrap_or_default();
        let mapping = MacroMapping { macro_index, at_0, at_127, ..target };
        self.edit_rack(rack, |rack| {
            rack.mappings.retain(|m| (m.macro_index, m.target()) != (macro_index, id));
            rack.mappings.push(mapping);
        })?;
        let value = match own.is_empty() {
            true => (MACRO_END * (moved.value - at_0) / (at_127 - at_0)).clamp(0.0, MACRO_END),
            false => stands_at,
        };
        self.put_device_parameter(rack, position, value).ok_or(ModelError::NoObject)
    }

    /// What a macro can move, as a mapping that is not made yet.
    fn movable(&self, parameter: ObjectId) -> Result<MacroMapping, ModelError> {
        let target = self.object_ref(parameter).and_then(|target| IdParts::from_id(target.id()));
        let mapping = target.and_then(|target| MacroMapping::of(0, target, (0.0, 0.0)));
        mapping.ok_or_else(|| ModelError::refused("macros move parameters of devices and of chains alone"))
    }

    fn unmap_macro(&mut self, rack: Serial, macro_index: u8, parameter: Option<ObjectId>) -> Result<(), ModelError> {
        let target = parameter.map(|parameter| self.movable(parameter)).transpose()?;
        let target = target.map(|target| target.target());
        let gone = self.edit_rack(rack, |rack| {
            let before = rack.mappings.len();
            let is_meant =
                |m: &MacroMapping| m.macro_index == macro_index && target.is_none_or(|target| target == m.target());
            rack.mappings.retain(|m| !is_meant(m));
            before - rack.mappings.len()
        })?;
        match gone {
            0 => Err(ModelError::refused(match target {
                Some(_) => "the macro does not move that",
                None => "the macro moves nothing",
            })),
            _ => Ok(()),
        }
    }
}
