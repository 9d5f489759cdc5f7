//! Copies of devices and chains at other places, for which Live has no function.

use crate::object_model::{ModelError, ObjectId};
use crate::set::document::device_tree::{Chain, Device, MAX_RACK_DEPTH};
use crate::set::document::ids::Serial;
use crate::set::edit::device_edits::{fits_depth, renumber_chain, renumber_device};
use crate::set::edit::validate::validate_saved_device;
use crate::set::model::object_ref::ObjectRef;
use crate::set::model::set_state::SetState;
use std::sync::Arc;

impl SetState {
    /// HostEdits::copy_device.
    pub(in crate::set::model) fn copy_device_to(
        &mut self,
        device: ObjectId,
        onto: ObjectId,
        at: Option<usize>,
    ) -> Result<ObjectId, ModelError> {
        let (Some(ObjectRef::Device(device)), Some(ObjectRef::Track(parent) | ObjectRef::Chain(parent))) =
            (self.object_ref(device), self.object_ref(onto))
        else {
            return Err(ModelError::refused("a device is copied onto a track or into a chain"));
        };
        let source = self.device(device).ok_or(ModelError::NoObject)?.clone();
        self.put_copy(&source, parent, at)
    }

    /// A copy of a device, with serials of its own, at a place of a track or chain.
    fn put_copy(&mut self, source: &Device, parent: Serial, at: Option<usize>) -> Result<ObjectId, ModelError> {
        let (places, _) = self.places(parent, source, None)?;
        let at = at.unwrap_or(*places.end());
        if !places.contains(&at) {
            let (first, last) = (places.start(), places.end());
            let fits = if first == last { format!("only at d{first}") } else { format!("from d{first} to d{last}") };
            return Err(ModelError::refused(format!("it cannot stand at d{at} there, {fits}")));
        }
        let mut copy = Device::clone(source);
        renumber_device(&mut copy, &mut || self.document.fresh_serial())?;
        let serial = copy.serial;
        self.document.put_device(parent, at, Arc::new(copy)).ok_or(ModelError::NoObject)?;
        Ok(ObjectRef::Device(serial).id())
    }

    /// HostFacts::save_device.
    pub(in crate::set::model) fn saved_device(&self, device: ObjectId) -> Result<serde_json::Value, ModelError> {
        let Some(ObjectRef::Device(device)) = self.object_ref(device) else {
            return Err(ModelError::refused("only a device can be saved"));
        };
        let device = self.device(device).ok_or(ModelError::NoObject)?;
        serde_json::to_value(&**device).map_err(|e| ModelError::refused(format!("the device cannot be written: {e}")))
    }

    /// HostEdits::insert_saved_device.
    pub(in crate::set::model) fn put_saved_device(
        &mut self,
        saved: &serde_json::Value,
        onto: ObjectId,
        at: Option<usize>,
    ) -> Result<ObjectId, ModelError> {
        let Some(ObjectRef::Track(parent) | ObjectRef::Chain(parent)) = self.object_ref(onto) else {
            return Err(ModelError::refused("a device is made on a track or in a chain"));
        };
        let device: Device = serde::Deserialize::deserialize(saved)
            .map_err(|e| ModelError::refused(format!("the saved device cannot be read: {e}")))?;
        validate_saved_device(&device).map_err(|e| ModelError::refused(format!("the saved device cannot be: {e}")))?;
        self.put_copy(&device, parent, at)
    }

    /// HostEdits::copy_chain.
    pub(in crate::set::model) fn copy_chain_to(
        &mut self,
        chain: ObjectId,
        rack: ObjectId,
        at: Option<usize>,
    ) -> Result<ObjectId, ModelError> {
        let (Some(ObjectRef::Chain(chain)), Some(ObjectRef::Device(rack))) =
            (self.object_ref(chain), self.object_ref(rack))
        else {
            return Err(ModelError::refused("a chain is copied into a rack"));
        };
        let source = self.document.chain(chain).ok_or(ModelError::NoObject)?.clone();
        let from = self.rack_of(chain).ok_or(ModelError::NoObject)?.clone();
        let into = self.device(rack).ok_or(ModelError::NoObject)?.clone();
        let (Some(old), Some(new)) = (&from.rack, &into.rack) else {
            return Err(ModelError::refused("a chain is copied into a rack"));
        };
        if from.class_name != into.class_name {
            return Err(ModelError::refused("the racks are of different kinds"));
        }
        if old.return_chains.iter().any(|c| c.serial == chain) {
            return Err(ModelError::refused("return chains cannot be copied"));
        }
        let depth = self.document.rack_depth(rack) + 1;
        if !source.devices.iter().all(|device| fits_depth(depth, device)) {
            return Err(ModelError::refused(format!("racks stand at most {MAX_RACK_DEPTH} deep in one another")));
        }
        let mut copy = Chain::clone(&source);
        if rack != from.serial {
            (copy.color, copy.auto_colored) = (self.chain_color(&source), false);
        }
        let level = |name: &str| {
            let at = old.return_chains.iter().position(|c| c.name == name);
            at.and_then(|at| source.sends.get(at)).copied().unwrap_or(0.0)
        };
        copy.sends = new.return_chains.iter().map(|to| level(&to.name)).collect();
        renumber_chain(&mut copy, &mut || -> Result<Serial, ModelError> { self.document.fresh_serial() })?;
        let serial = copy.serial;
        self.document.put_chain(rack, at.unwrap_or(new.chains.len()), Arc::new(copy)).ok_or(ModelError::NoObject)?;
        Ok(ObjectRef::Chain(serial).id())
    }
}
