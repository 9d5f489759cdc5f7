//! A device's parameters in units of the world, by the curves that labels are written by.

use crate::object_model::native_devices::ParameterSpec;
use crate::object_model::parameter_curves::{shown_number, word_at};
use crate::set::document::device_tree::Device;
use std::ops::Range;

/// Decibels that stand for silence where an effect needs a number.
const QUIETEST_DB: f32 = -100.0;

/// The values of one device. A name that the device does not have is 0, off, the first step; a test asks for each
/// device's names.
#[derive(Clone, Copy)]
pub struct DeviceValues<'a> {
    specs: &'static [ParameterSpec],
    values: &'a [f64],
}

impl<'a> DeviceValues<'a> {
    pub fn of(device: &'a Device) -> DeviceValues<'a> {
        DeviceValues { specs: device.specs(), values: &device.values }
    }

    /// Those at some positions alone.
    pub fn within(&self, positions: Range<usize>) -> DeviceValues<'a> {
        let (specs, values) = (self.specs.get(positions.clone()), self.values.get(positions));
        DeviceValues { specs: specs.unwrap_or_default(), values: values.unwrap_or_default() }
    }

    fn find(&self, name: &str) -> Option<(&'static ParameterSpec, f64)> {
        let at = self.specs.iter().position(|spec| spec.name == name);
        debug_assert!(at.is_some(), "no parameter is called {name:?}");
        at.and_then(|at| Some((self.specs.get(at)?, *self.values.get(at)?)))
    }

    /// The raw value.
    pub fn raw(&self, name: &str) -> f64 {
        self.find(name).map_or(0.0, |(_, raw)| raw)
    }

    /// The number that is shown; `-inf` and `inf` are infinite.
    pub fn number(&self, name: &str) -> f32 {
        let Some((spec, raw)) = self.find(name) else { return 0.0 };
        match word_at(spec, raw) {
            Some("inf") => f32::INFINITY,
            Some(_) => f32::NEG_INFINITY,
            None => shown_number(spec, raw).unwrap_or(raw) as f32,
        }
    }

    /// Decibels with an end, for what cannot do with none.
    pub fn finite_db(&self, name: &str) -> f32 {
        self.number(name).max(QUIETEST_DB)
    }

    /// A percentage as a factor.
    pub fn part(&self, name: &str) -> f32 {
        self.number(name) * 0.01
    }

    /// Milliseconds as seconds.
    pub fn seconds(&self, name: &str) -> f32 {
        self.number(name) * 0.001
    }

    pub fn is_on(&self, name: &str) -> bool {
        self.raw(name) >= 0.5
    }

    /// Which of its steps is chosen, from 0.
    pub fn step(&self, name: &str) -> usize {
        self.find(name).map_or(0, |(spec, raw)| (raw - spec.min).round().max(0.0) as usize)
    }

    /// The label of the step that is chosen, where the parameter has labels of its own.
    pub fn step_label(&self, name: &str) -> &'static str {
        let Some((spec, _)) = self.find(name) else { return "" };
        let labels = spec.items.as_deref().or(spec.step_labels.as_deref()).unwrap_or_default();
        labels.get(self.step(name)).map_or("", String::as_str)
    }

    /// A pan as -1 (left) to 1 (right).
    pub fn pan(&self, name: &str) -> f32 {
        (self.number(name) / 50.0).clamp(-1.0, 1.0)
    }
}
