//! What a device's parameter moves, found by what its settings become when it is moved: so by the very curves that
//! labels and settings have.

use super::curve::{Curve, raws};
use super::movement::{Movement, find_chain_in, find_device, strip_movement};
use crate::object_model::native_devices::ParameterSpec;
use crate::object_model::parameter_curves::counts_whole;
use crate::set::document::device_tree::{Device, MacroMapping, Rack};
use crate::sound::devices::{Place, engine_devices};
use svc_sound::parameter::Parameter;
use svc_sound::plan::Automated;
use svc_sound::plan::settings;

/// Where the macros of a rack begin and end among its parameters, and the value at their end.
const FIRST_MACRO: usize = 1;
const LAST_MACRO: usize = 16;
const MACRO_END: f64 = 127.0;

/// Racks inside racks that macros are followed through.
const MOST_RACKS: usize = 16;

/// A device of the engine by its id.
type Known = (u64, settings::Device);

/// What a parameter of a device without chains moves. The envelope's raw values, which lie between `ends`, become the
/// parameter's by `raw_of`.
pub(super) fn own_movements(
    device: &Device,
    index: usize,
    ends: (f64, f64),
    raw_of: &dyn Fn(f64) -> f64,
    place: &Place,
) -> Vec<Movement> {
    let Some(spec) = device.specs().get(index) else { return Vec::new() };
    let at = |raw: f64| {
        let mut moved = device.clone();
        if let Some(value) = moved.values.get_mut(index) {
            *value = raw;
        }
        engine_devices(&moved, place)
    };
    let base = engine_devices(device, place);
    let mut trials: Vec<Vec<Known>> = trial_raws(spec).into_iter().map(at).collect();
    let moved = moved_places(&base, &mut trials);
    // A choice whose places alone would not make it another one is no movement.
    if moved.is_empty() || has_steps(spec) && !trials.iter_mut().all(|trial| is_reached(&base, trial, &moved)) {
        return Vec::new();
    }
    let is_direct = ends == (spec.min, spec.max);
    let has_steps = has_steps(spec) && is_direct;
    let raws = raws(ends, has_steps);
    let mut values: Vec<Vec<f32>> = vec![Vec::with_capacity(raws.len()); moved.len()];
    for raw in raws {
        let mut devices = at(raw_of(raw));
        for (list, (id, parameter)) in values.iter_mut().zip(&moved) {
            list.push(value_of(&mut devices, *id, *parameter).unwrap_or_default());
        }
    }
    let curves = values.into_iter().map(|values| Curve::from_values(ends, has_steps, values));
    moved.iter().zip(curves).map(|((id, of), curve)| Movement::new(Automated::Device(*id), *of, curve)).collect()
}

/// What a macro of a rack moves: all that is mapped to it.
pub(super) fn macro_movements(rack: &Rack, index: usize, place: &Place) -> Vec<Movement> {
    let mut movements = Vec::new();
    if (FIRST_MACRO..=LAST_MACRO).contains(&index) {
        add_mapped(rack, index - FIRST_MACRO, &|raw| raw, place, (0, &mut movements));
    }
    movements
}

fn add_mapped(
    rack: &Rack,
    macro_index: usize,
    raw_of: &dyn Fn(f64) -> f64,
    place: &Place,
    (depth, movements): (usize, &mut Vec<Movement>),
) {
    for mapping in rack.mappings.iter().filter(|mapping| usize::from(mapping.macro_index) == macro_index) {
        if mapping.is_of_chain {
            movements.extend(mapped_strip(rack, mapping, raw_of));
            continue;
        }
        let inside = || rack.every_chain().find_map(|chain| find_device(&chain.devices, mapping.device));
        let Some(device) = inside() else { continue };
        let Some(spec) = device.specs().get(usize::from(mapping.parameter)) else { continue };
        let mapped = |raw: f64| {
            let value = mapping.at_0 + (mapping.at_127 - mapping.at_0) * raw_of(raw) / MACRO_END;
            let value = value.clamp(spec.min, spec.max);
            if spec.quantized { value.round() } else { value }
        };
        let (ends, id) = ((0.0, MACRO_END), Automated::Device(device.serial.into()));
        let index = usize::from(mapping.parameter);
        match &device.rack {
            _ if index == 0 => {
                movements.push(Movement::new(id, Parameter::On, Curve::of(ends, true, |raw| mapped(raw) as f32)));
            }
            _ if ["Chain Selector", "Sample Selector"].contains(&spec.name.as_str()) => {
                let curve = Curve::of(ends, false, |raw| mapped(raw) as f32);
                movements.push(Movement::new(id, Parameter::ChainSelector, curve));
            }
            Some(inner) if index <= LAST_MACRO && depth < MOST_RACKS => {
                add_mapped(inner, index - FIRST_MACRO, &mapped, place, (depth + 1, &mut *movements));
            }
            Some(_) => {}
            None => movements.extend(own_movements(device, index, ends, &mapped, place)),
        }
    }
}

/// A parameter of a chain's mixer that a macro moves, the chain standing in the rack at any depth.
fn mapped_strip(rack: &Rack, mapping: &MacroMapping, raw_of: &dyn Fn(f64) -> f64) -> Option<Movement> {
    let (holder, chain) = find_chain_in(rack, mapping.device)?;
    let mapped = |raw: f64| mapping.at_0 + (mapping.at_127 - mapping.at_0) * raw_of(raw) / MACRO_END;
    strip_movement(holder, chain, mapping.target(), (0.0, MACRO_END), &mapped)
}

fn has_steps(spec: &ParameterSpec) -> bool {
    spec.quantized || spec.has_steps() || counts_whole(spec)
}

/// Raw values at which a parameter shows what it moves.
fn trial_raws(spec: &ParameterSpec) -> Vec<f64> {
    const STEPS: f64 = 4.0;
    let at = |part: f64| spec.min + (spec.max - spec.min) * part / STEPS;
    let trials = (0..=STEPS as u8).map(|part| at(part.into()));
    if has_steps(spec) { trials.map(f64::round).collect() } else { trials.collect() }
}

/// The places of devices that are not the same in all trials.
fn moved_places(base: &[Known], trials: &mut [Vec<Known>]) -> Vec<(u64, Parameter)> {
    let Some((first, rest)) = trials.split_first_mut() else { return Vec::new() };
    if rest.iter().all(|trial| are_all_alike(first, trial)) {
        return Vec::new();
    }
    let mut moved = Vec::new();
    for (id, _) in base {
        for parameter in Parameter::of_devices() {
            let Some(at_first) = value_of(first, *id, parameter) else { continue };
            let others =
                |trial: &mut Vec<Known>| value_of(trial, *id, parameter).is_some_and(|value| value != at_first);
            if rest.iter_mut().any(others) {
                moved.push((*id, parameter));
            }
        }
    }
    moved
}

fn value_of(devices: &mut [Known], id: u64, parameter: Parameter) -> Option<f32> {
    let (_, device) = devices.iter_mut().find(|(known, _)| *known == id)?;
    place_of(device, parameter).map(|value| *value)
}

/// Whether places alone make `base` what `wanted` is.
fn is_reached(base: &[Known], wanted: &mut [Known], places: &[(u64, Parameter)]) -> bool {
    let mut reached = base.to_vec();
    for (id, parameter) in places {
        let Some(value) = value_of(wanted, *id, *parameter) else { return false };
        let device = reached.iter_mut().find(|(known, _)| known == id);
        match device.and_then(|(_, device)| place_of(device, *parameter)) {
            Some(place) => *place = value,
            None => return false,
        }
    }
    are_all_alike(&reached, wanted)
}

fn are_all_alike(some: &[Known], others: &[Known]) -> bool {
    some.len() == others.len() && some.iter().zip(others).all(|((_, one), (_, other))| are_alike(one, other))
}

fn are_alike(one: &settings::Device, other: &settings::Device) -> bool {
    use settings::Device::{Effect, Instrument, NoteEffect};
    match (one, other) {
        (Instrument(one), Instrument(other)) => one == other,
        (Effect { settings: one, .. }, Effect { settings: other, .. }) => one == other,
        (NoteEffect(one), NoteEffect(other)) => one == other,
        _ => false,
    }
}

fn place_of(device: &mut settings::Device, parameter: Parameter) -> Option<&mut f32> {
    match device {
        settings::Device::Instrument(settings) => settings.place(parameter),
        settings::Device::Effect { settings, .. } => settings.place(parameter),
        settings::Device::NoteEffect(settings) => settings.place(parameter),
        settings::Device::Rack(_) => None,
    }
}
