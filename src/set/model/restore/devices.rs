//! A device comes back with all that it holds: onto its track or into its chain, among the devices that are there.

use super::{parent_gone, place_among};
use crate::object_model::ModelError;
use crate::set::document::Document;
use crate::set::document::device_tree::Device;
use crate::set::document::ids::{IdParts, Serial};
use crate::set::document::object_index::{self, Location};
use crate::set::edit::device_edits::renumber_taken;
use crate::set::model::set_state::SetState;
use std::collections::HashSet;
use std::sync::Arc;

/// A device with its chains and what stands in them.
pub(super) fn serials_of(device: &Device, into: &mut HashSet<Serial>) {
    object_index::device_contents(0, device, &mut |serial, _| {
        into.insert(serial);
    });
}

impl SetState {
    pub(super) fn restore_device(
        &mut self,
        then: &Document,
        serial: Serial,
        remarks: &mut Vec<String>,
    ) -> Result<(), ModelError> {
        let Some(Location::Device { parent }) = then.location(serial) else { return Err(ModelError::NoObject) };
        let was = then.device(serial).ok_or(ModelError::NoObject)?;
        let is_there = matches!(
            self.document.location(parent),
            Some(Location::Track | Location::Return | Location::Main | Location::Chain { .. })
        );
        if !is_there {
            return Err(parent_gone(then, parent));
        }
        if self.document.stands_in(parent, serial) {
            return Err(ModelError::refused("what it stood in stands in it now: move that out first"));
        }
        let (mut held, mut holds) = (HashSet::new(), HashSet::new());
        serials_of(was, &mut held);
        if let Some(now) = self.document.device(serial) {
            serials_of(now, &mut holds);
        }
        let taken = self.compare_contents(then, &held, &holds, remarks)?;
        taken.remark(&self.document, remarks);
        let mut device = Device::clone(was);
        self.document.take_device(serial);
        if !taken.0.is_empty() {
            renumber_taken(&mut device, &taken.0, &mut || self.document.fresh_serial())?;
        }
        let order = |document: &Document| -> Vec<Serial> {
            document.devices_in(parent).into_iter().flatten().map(|device| device.serial).collect()
        };
        let wanted = |set: &SetState| place_among(&order(then), &order(&set.document), serial);
        let mut places = self.places(parent, &device, None);
        if let Err(ModelError::InstrumentAlready(there)) = &places
            && let Some(IdParts::Made(other)) = IdParts::from_id(*there)
        {
            self.give_way(then, other, remarks)?;
            places = self.places(parent, &device, None);
        }
        let (legal, _) = places?;
        let at = wanted(self).clamp(*legal.start(), *legal.end());
        self.document.put_device(parent, at, Arc::new(device)).ok_or(ModelError::NoObject)
    }
}
