//! Devices on tracks and in chains: inserting, deleting, duplicating, moving. The order of kinds is MIDI effects, one
//! instrument, audio effects, whichever of them are there; a rack's chain takes what its rack is for.

use crate::object_model::native_devices::{DeviceCategory, by_name};
use crate::object_model::value::object_argument;
use crate::object_model::{ModelError, Value};
use crate::set::document::TrackKind;
use crate::set::document::device_tree::{Device, MAX_RACK_DEPTH};
use crate::set::document::ids::Serial;
use crate::set::edit::device_edits::{fits_depth, renumber_device};
use crate::set::model::object_ref::ObjectRef;
use crate::set::model::set_state::SetState;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// What a track or chain takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::set::model) enum Takes {
    /// MIDI effects, an instrument, audio effects: an instrument goes in front of the audio effects that are there.
    Instrument,
    AudioEffects,
    MidiEffects,
}

/// Where a device of a kind may stand among the others, or why nowhere.
fn legal_places(
    takes: Takes,
    kind: DeviceCategory,
    others: &[&Arc<Device>],
) -> Result<RangeInclusive<usize>, ModelError> {
    let count = |wanted: DeviceCategory| others.iter().filter(|d| d.category() == Some(wanted)).count();
    let (midi, instruments) = (count(DeviceCategory::MidiEffect), count(DeviceCategory::Instrument));
    let instrument = others.iter().find(|d| d.category() == Some(DeviceCategory::Instrument));
    match (takes, kind) {
        (Takes::AudioEffects, DeviceCategory::AudioEffect) => Ok(0..=others.len()),
        (Takes::AudioEffects, _) => Err(ModelError::refused(
            "audio effects only: so it is on group, audio, return and main tracks and in chains of audio effects",
        )),
        (Takes::MidiEffects, DeviceCategory::MidiEffect) => Ok(0..=others.len()),
        (Takes::MidiEffects, _) => Err(ModelError::refused("the chains of a MIDI Effect Rack take MIDI effects only")),
        (Takes::Instrument, DeviceCategory::MidiEffect) => Ok(0..=midi),
        (Takes::Instrument, DeviceCategory::Instrument) => match instrument {
            Some(there) => Err(ModelError::InstrumentAlready(ObjectRef::Device(there.serial).id())),
            None => Ok(midi..=midi),
        },
        (Takes::Instrument, DeviceCategory::AudioEffect) => Ok(midi + instruments..=others.len()),
    }
}

impl SetState {
    /// What a track or chain takes.
    pub(in crate::set::model) fn takes(&self, parent: Serial) -> Option<Takes> {
        if let Some(track) = self.document.track(parent) {
            return Some(if track.kind == TrackKind::Midi { Takes::Instrument } else { Takes::AudioEffects });
        }
        let rack = self.rack_of(parent)?;
        let is_return = rack.rack.as_ref()?.return_chains.iter().any(|c| c.serial == parent);
        Some(match rack.class_name.as_str() {
            _ if is_return => Takes::AudioEffects,
            "AudioEffectGroupDevice" => Takes::AudioEffects,
            "MidiEffectGroupDevice" => Takes::MidiEffects,
            _ => Takes::Instrument,
        })
    }

    /// The places in `parent` where a device may stand, `moving` not counted among the others, and how many others
    /// there are.
    pub(in crate::set::model) fn places(
        &self,
        parent: Serial,
        device: &Device,
        moving: Option<Serial>,
    ) -> Result<(RangeInclusive<usize>, usize), ModelError> {
        let takes = self.takes(parent).ok_or(ModelError::NoObject)?;
        let devices = self.document.devices_in(parent).ok_or(ModelError::NoObject)?;
        let others: Vec<&Arc<Device>> = devices.iter().filter(|d| Some(d.serial) != moving).collect();
        // A device that does not say what it is may stand anywhere.
        let places = match device.category() {
            Some(kind) => legal_places(takes, kind, &others)?,
            None => 0..=others.len(),
        };
        if !fits_depth(self.document.rack_depth(parent), device) {
            return Err(ModelError::refused(format!("racks stand at most {MAX_RACK_DEPTH} deep in one another")));
        }
        Ok((places, others.len()))
    }

    /// Native devices by the name the user knows; at the end of their kind when no index is given.
    pub(in crate::set::model) fn insert_device(&mut self, parent: Serial, args: &[Value]) -> Result<Value, ModelError> {
        let name = args.first().and_then(Value::as_str).unwrap_or_default();
        by_name(name).ok_or_else(|| ModelError::refused(format!("there is no native device called {name:?}")))?;
        let serial = self.document.fresh_serial()?;
        let device = Device::native(serial, name).ok_or(ModelError::NoObject)?;
        let (places, others) = self.places(parent, &device, None)?;
        let at = match args.get(1) {
            None => *places.end(),
            Some(index) => {
                let at = index.as_i64().and_then(|at| usize::try_from(at).ok());
                // Live refuses index 0 on an empty chain.
                let fits = |at: &usize| others > 0 && places.contains(at);
                at.filter(fits).ok_or_else(|| {
                    let (first, last) = (places.start(), places.end());
                    let range =
                        if first == last { format!("only at {first}") } else { format!("from {first} to {last}") };
                    let range = if others == 0 { "without one here, where nothing stands".to_owned() } else { range };
                    ModelError::refused(format!("{name} cannot stand at that index, {range}"))
                })?
            }
        };
        self.document.put_device(parent, at, Arc::new(device)).ok_or(ModelError::NoObject)?;
        Ok(ObjectRef::Device(serial).id().into())
    }

    /// The device at an index that a call names.
    fn device_at(&self, parent: Serial, args: &[Value]) -> Result<(usize, Arc<Device>), ModelError> {
        let at = args.first().and_then(Value::as_i64).and_then(|at| usize::try_from(at).ok());
        let found = at.and_then(|at| Some((at, self.document.devices_in(parent)?.get(at)?.clone())));
        found.ok_or_else(|| ModelError::refused("there is no device at that index"))
    }

    pub(in crate::set::model) fn delete_device(&mut self, parent: Serial, args: &[Value]) -> Result<Value, ModelError> {
        let (_, device) = self.device_at(parent, args)?;
        self.document.take_device(device.serial);
        Ok(Value::Nothing)
    }

    /// The copy stands right after the device it is of.
    pub(in crate::set::model) fn duplicate_device(
        &mut self,
        parent: Serial,
        args: &[Value],
    ) -> Result<Value, ModelError> {
        let (at, device) = self.device_at(parent, args)?;
        let (places, _) = self.places(parent, &device, None)?;
        if !places.contains(&(at + 1)) {
            return Err(ModelError::refused("a copy cannot stand after the device"));
        }
        let mut copy = Device::clone(&device);
        renumber_device(&mut copy, &mut || self.document.fresh_serial())?;
        self.document.put_device(parent, at + 1, Arc::new(copy)).ok_or(ModelError::NoObject)?;
        Ok(Value::Nothing)
    }

    /// The legal place nearest to the one asked for; with `go` the device moves there.
    pub(in crate::set::model) fn place_device(&mut self, args: &[Value], go: bool) -> Result<Value, ModelError> {
        let object = |at: usize| args.get(at).and_then(object_argument).flatten().and_then(|id| self.object_ref(id));
        let (Some(ObjectRef::Device(device)), Some(ObjectRef::Track(parent) | ObjectRef::Chain(parent))) =
            (object(0), object(1))
        else {
            return Err(ModelError::refused("the arguments are a device, a track or chain, and a position"));
        };
        let wanted =
            args.get(2).and_then(Value::as_i64).ok_or_else(|| ModelError::refused("a position is a whole number"))?;
        if self.document.stands_in(parent, device) {
            return Err(ModelError::refused("a rack cannot be moved into itself"));
        }
        let moving = self.device(device).ok_or(ModelError::NoObject)?.clone();
        let (places, _) = self.places(parent, &moving, Some(device))?;
        let at = usize::try_from(wanted.max(0)).unwrap_or(usize::MAX).clamp(*places.start(), *places.end());
        if go {
            self.document.take_device(device);
            self.document.put_device(parent, at, moving).ok_or(ModelError::NoObject)?;
        }
        Ok(i64::try_from(at).unwrap_or_default().into())
    }
}
