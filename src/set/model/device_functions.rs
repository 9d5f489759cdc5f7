//! Devices on tracks: inserting, deleting, moving. The order of kinds is MIDI effects, one instrument, audio effects.

use super::{SetState, Target};
use crate::object_model::wrapper::object_argument;
use crate::object_model::{ModelError, Value};
use crate::set::device::Device;
use crate::set::device_table::{Category, by_class, by_name};
use crate::set::document::{Track, TrackKind};
use crate::set::ids::Serial;
use std::ops::RangeInclusive;
use std::sync::Arc;

fn category(device: &Device) -> Category {
    by_class(&device.class_name).map_or(Category::AudioEffect, |(_, class)| class.category)
}

/// Where a device of a kind may stand among the others, or why nowhere.
fn legal_places(track: &Track, kind: Category, others: &[&Arc<Device>]) -> Result<RangeInclusive<usize>, ModelError> {
    let count = |wanted: Category| others.iter().filter(|d| category(d) == wanted).count();
    let (midi, instruments) = (count(Category::MidiEffect), count(Category::Instrument));
    if track.kind != TrackKind::Midi && kind != Category::AudioEffect {
        return Err(ModelError::refused("group, audio, return and main tracks take audio effects only"));
    }
    match kind {
        Category::MidiEffect => Ok(0..=midi),
        Category::Instrument if instruments > 0 => Err(ModelError::refused("the track has an instrument already")),
        Category::Instrument => Ok(midi..=midi),
        Category::AudioEffect if track.kind == TrackKind::Midi && instruments == 0 => {
            Err(ModelError::refused("an audio effect on a MIDI track needs an instrument before it"))
        }
        Category::AudioEffect => Ok(midi + instruments..=others.len()),
    }
}

impl SetState {
    /// Native devices by the name the user knows; at the end of their kind when no index is given.
    pub(super) fn insert_device(&mut self, track: Serial, args: &[Value]) -> Result<Value, ModelError> {
        let name = args.first().and_then(Value::as_str).unwrap_or_default();
        let class =
            by_name(name).ok_or_else(|| ModelError::refused(format!("there is no native device called {name:?}")))?;
        let host = self.document.track(track).ok_or(ModelError::NoObject)?;
        let others: Vec<&Arc<Device>> = host.devices.iter().collect();
        let places = legal_places(host, class.category, &others)?;
        let at = match args.get(1) {
            None => *places.end(),
            Some(index) => {
                let at = index.as_i64().and_then(|at| usize::try_from(at).ok());
                let fits = |at: &usize| !others.is_empty() && places.contains(at);
                at.filter(fits).ok_or_else(|| ModelError::refused(format!("{name} cannot stand at that index")))?
            }
        };
        let serial = self.document.fresh_serial()?;
        let device = Device::native(serial, name).ok_or(ModelError::NoObject)?;
        self.document.put_device(track, at, Arc::new(device));
        Ok(Target::Device(serial).id().into())
    }

    pub(super) fn delete_device(&mut self, track: Serial, args: &[Value]) -> Result<Value, ModelError> {
        let at = args.first().and_then(Value::as_i64).and_then(|at| usize::try_from(at).ok());
        let device = at.and_then(|at| self.document.track(track)?.devices.get(at).map(|d| d.serial));
        let device = device.ok_or_else(|| ModelError::refused("there is no device at that index"))?;
        self.document.take_device(device);
        Ok(Value::Nothing)
    }

    /// The legal place nearest to the one asked for; with `go` the device moves there.
    pub(super) fn place_device(&mut self, args: &[Value], go: bool) -> Result<Value, ModelError> {
        let object = |at: usize| args.get(at).and_then(object_argument).flatten().and_then(|id| self.target(id));
        let (Some(Target::Device(device)), Some(Target::Track(track))) = (object(0), object(1)) else {
            return Err(ModelError::refused("the arguments are a device, a track and a position"));
        };
        let wanted =
            args.get(2).and_then(Value::as_i64).ok_or_else(|| ModelError::refused("a position is a whole number"))?;
        let moving = self.device(device).ok_or(ModelError::NoObject)?.clone();
        let host = self.document.track(track).ok_or(ModelError::NoObject)?;
        let others: Vec<&Arc<Device>> = host.devices.iter().filter(|d| d.serial != device).collect();
        let places = legal_places(host, category(&moving), &others)?;
        let at = usize::try_from(wanted.max(0)).unwrap_or(usize::MAX).clamp(*places.start(), *places.end());
        if go {
            self.document.take_device(device);
            self.document.put_device(track, at, moving);
        }
        Ok(i64::try_from(at).unwrap_or_default().into())
    }
}
