//! Devices and chains: finding, changing, putting and taking them at any depth of racks. Like the edits of
//! `objects.rs`, each keeps the index right.

use crate::set::document::Document;
use crate::set::document::device_tree::{Chain, Device, MAX_RACK_DEPTH, Rack};
use crate::set::document::ids::Serial;
use crate::set::document::object_index::{self, Location};
use crate::set::document::simpler_sample::Sample;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

impl Document {
    /// Where an object with a serial is.
    pub fn location(&self, serial: Serial) -> Option<Location> {
        self.index.get(&serial).copied()
    }

    /// From the track down to the device or chain itself, by serial; the track is the first.
    fn route(&self, serial: Serial) -> Option<Vec<Serial>> {
        let mut route = vec![serial];
        let mut at = serial;
        while let Location::Device { parent } | Location::Chain { rack: parent } = self.location(at)? {
            route.push(parent);
            at = parent;
        }
        matches!(self.location(at)?, Location::Track | Location::Return | Location::Main).then(|| {
            route.reverse();
            route
        })
    }

    /// The track that a device or chain is on, at any depth.
    pub fn track_of_device(&self, serial: Serial) -> Option<Serial> {
        self.route(serial)?.first().copied()
    }

    /// Whether an object is `device` or stands in it, at any depth.
    pub fn stands_in(&self, serial: Serial, device: Serial) -> bool {
        self.route(serial).is_some_and(|route| route.contains(&device))
    }

    /// The devices that a device or chain stands in, the nearest first.
    pub fn racks_around(&self, serial: Serial) -> impl Iterator<Item = &Arc<Device>> {
        let mut route = self.route(serial).unwrap_or_default();
        route.pop();
        route.into_iter().rev().filter_map(|serial| self.device(serial))
    }

    /// In how many racks a device or chain stands, a chain's own rack counted.
    pub fn rack_depth(&self, serial: Serial) -> usize {
        self.route(serial).map_or(0, |route| (route.len() - 1) / 2)
    }

    pub fn device(&self, serial: Serial) -> Option<&Arc<Device>> {
        let Location::Device { parent } = self.location(serial)? else { return None };
        self.devices_in(parent)?.iter().find(|d| d.serial == serial)
    }

    pub fn chain(&self, serial: Serial) -> Option<&Arc<Chain>> {
        let Location::Chain { rack } = self.location(serial)? else { return None };
        self.device(rack)?.rack.as_ref()?.every_chain().find(|c| c.serial == serial)
    }

    /// The devices of a track or chain.
    pub fn devices_in(&self, parent: Serial) -> Option<&Vec<Arc<Device>>> {
        match self.location(parent)? {
            Location::Chain { .. } => self.chain(parent).map(|chain| &chain.devices),
            _ => self.track(parent).map(|track| &track.devices),
        }
    }

    /// Changes the device list of a track or chain; the index is the caller's to keep.
    fn edit_devices<R>(&mut self, parent: Serial, edit: impl FnOnce(&mut Vec<Arc<Device>>) -> R) -> Option<R> {
        let route = self.route(parent)?;
        let (track, below) = route.split_first()?;
        self.edit_track(*track, |track| {
            let mut list = &mut track.devices;
            for pair in below.chunks(2) {
                let [device, chain] = pair else { return None };
                let device = Arc::make_mut(list.iter_mut().find(|d| d.serial == *device)?);
                let rack = Arc::make_mut(device.rack.as_mut()?);
                let mut chains = rack.chains.iter_mut().chain(&mut rack.return_chains);
                list = &mut Arc::make_mut(chains.find(|c| c.serial == *chain)?).devices;
            }
            Some(edit(list))
        })?
    }

    pub fn edit_device<R>(&mut self, serial: Serial, edit: impl FnOnce(&mut Device) -> R) -> Option<R> {
        let Location::Device { parent } = self.location(serial)? else { return None };
        self.edit_devices(parent, |list| {
            list.iter_mut().find(|d| d.serial == serial).map(|device| edit(Arc::make_mut(device)))
        })?
    }

    pub fn edit_sample<R>(&mut self, device: Serial, edit: impl FnOnce(&mut Sample) -> R) -> Option<R> {
        self.edit_device(device, |device| device.sample.as_mut().map(|sample| edit(Arc::make_mut(sample))))?
    }

    pub fn edit_chain<R>(&mut self, serial: Serial, edit: impl FnOnce(&mut Chain) -> R) -> Option<R> {
        let Location::Chain { rack } = self.location(serial)? else { return None };
        self.edit_device(rack, |device| {
            let rack = Arc::make_mut(device.rack.as_mut()?);
            let mut chains = rack.chains.iter_mut().chain(&mut rack.return_chains);
            chains.find(|c| c.serial == serial).map(|chain| edit(Arc::make_mut(chain)))
        })?
    }

    /// Puts a device with what it holds into a track or chain.
    pub fn put_device(&mut self, parent: Serial, at: usize, device: Arc<Device>) -> Option<()> {
        let copy = device.clone();
        self.edit_devices(parent, |list| list.insert(at.min(list.len()), device))?;
        object_index::add_device(&mut self.index, parent, &copy);
        Some(())
    }

    /// Takes a device out with what it holds.
    pub fn take_device(&mut self, serial: Serial) -> Option<Arc<Device>> {
        let Location::Device { parent } = self.location(serial)? else { return None };
        let device = self.edit_devices(parent, |list| {
            let at = list.iter().position(|d| d.serial == serial)?;
            Some(list.remove(at))
        })??;
        object_index::remove_device(&mut self.index, &device);
        Some(device)
    }

    /// Puts a chain with what it holds into a rack.
    pub fn put_chain(&mut self, rack: Serial, at: usize, chain: Arc<Chain>) -> Option<()> {
        let copy = chain.clone();
        self.edit_device(rack, |device| {
            let chains = &mut Arc::make_mut(device.rack.as_mut()?).chains;
            chains.insert(at.min(chains.len()), chain);
            Some(())
        })??;
        object_index::add_chain(&mut self.index, rack, &copy);
        Some(())
    }

    /// Takes a chain (no return chain) out with what it holds.
    pub fn take_chain(&mut self, serial: Serial) -> Option<Arc<Chain>> {
        let Location::Chain { rack } = self.location(serial)? else { return None };
        let chain = self.edit_device(rack, |device| {
            let chains = &mut Arc::make_mut(device.rack.as_mut()?).chains;
            let at = chains.iter().position(|c| c.serial == serial)?;
            Some(chains.remove(at))
        })??;
        object_index::remove_chain(&mut self.index, &chain);
        Some(chain)
    }
}

/// The racks that a device is made of at its deepest, itself counted.
pub fn racks_deep(device: &Device) -> usize {
    let Some(rack) = &device.rack else { return 0 };
    let inner = rack.every_chain().flat_map(|chain| &chain.devices).map(|d| racks_deep(d)).max();
    1 + inner.unwrap_or(0)
}

/// Whether a device, put into a parent that stands in `depth` racks, keeps within [`MAX_RACK_DEPTH`].
pub fn fits_depth(depth: usize, device: &Device) -> bool {
    depth + racks_deep(device) <= MAX_RACK_DEPTH
}

/// Gives a copied device, and all that it holds, serials of their own. Macros of a copied rack go with its devices.
pub fn renumber_device<E>(device: &mut Device, fresh: &mut impl FnMut() -> Result<Serial, E>) -> Result<(), E> {
    let old = device.serial;
    device.serial = fresh()?;
    let new = device.serial;
    if let Some(rack) = &mut device.rack {
        let rack = Arc::make_mut(rack);
        let before = if rack.mappings.is_empty() { Vec::new() } else { serials_in(rack) };
        for chain in rack.chains.iter_mut().chain(&mut rack.return_chains) {
            renumber_chain(Arc::make_mut(chain), fresh)?;
        }
        rename_mappings(rack, before, [(old, new)]);
    }
    Ok(())
}

/// What became of the serials of devices and chains whose copies were renumbered.
pub fn copied_serials(devices: &[Arc<Device>], copies: &[Arc<Device>]) -> HashMap<Serial, Serial> {
    let mut serials = HashMap::new();
    pair_serials(devices, copies, &mut serials);
    serials
}

fn pair_serials(devices: &[Arc<Device>], copies: &[Arc<Device>], serials: &mut HashMap<Serial, Serial>) {
    for (device, copy) in devices.iter().zip(copies) {
        serials.insert(device.serial, copy.serial);
        let (Some(rack), Some(copied)) = (&device.rack, &copy.rack) else { continue };
        for (chain, copied) in rack.every_chain().zip(copied.every_chain()) {
            serials.insert(chain.serial, copied.serial);
            pair_serials(&chain.devices, &copied.devices, serials);
        }
    }
}

/// Gives those parts of a device serials of their own whose serials are `taken`. Macros go with them.
pub fn renumber_taken<E>(
    device: &mut Device,
    taken: &HashSet<Serial>,
    fresh: &mut impl FnMut() -> Result<Serial, E>,
) -> Result<(), E> {
    if taken.contains(&device.serial) {
        return renumber_device(device, fresh);
    }
    let Some(rack) = &mut device.rack else { return Ok(()) };
    let rack = Arc::make_mut(rack);
    let before = if rack.mappings.is_empty() { Vec::new() } else { serials_in(rack) };
    for chain in rack.chains.iter_mut().chain(&mut rack.return_chains) {
        let chain = Arc::make_mut(chain);
        if taken.contains(&chain.serial) {
            renumber_chain(chain, fresh)?;
        } else {
            chain.devices.iter_mut().try_for_each(|inner| renumber_taken(Arc::make_mut(inner), taken, fresh))?;
        }
    }
    rename_mappings(rack, before, []);
    Ok(())
}

/// Has macros move what was given other serials; `before` are those that stood in the rack.
fn rename_mappings(rack: &mut Rack, before: Vec<Serial>, more: impl IntoIterator<Item = (Serial, Serial)>) {
    if rack.mappings.is_empty() {
        return;
    }
    let renamed: HashMap<Serial, Serial> = before.into_iter().zip(serials_in(rack)).chain(more).collect();
    for mapping in &mut rack.mappings {
        mapping.rename(|serial| renamed.get(&serial).copied().unwrap_or(serial));
    }
}

/// Every chain of a rack and every device in them, at any depth, in order.
fn serials_in(rack: &Rack) -> Vec<Serial> {
    fn add(rack: &Rack, list: &mut Vec<Serial>) {
        for chain in rack.every_chain() {
            list.push(chain.serial);
            for device in &chain.devices {
                list.push(device.serial);
                device.rack.iter().for_each(|rack| add(rack, list));
            }
        }
    }
    let mut list = Vec::new();
    add(rack, &mut list);
    list
}

/// Gives a copied chain, and all that it holds, serials of their own.
pub fn renumber_chain<E>(chain: &mut Chain, fresh: &mut impl FnMut() -> Result<Serial, E>) -> Result<(), E> {
    chain.serial = fresh()?;
    for device in &mut chain.devices {
        renumber_device(Arc::make_mut(device), fresh)?;
    }
    Ok(())
}
