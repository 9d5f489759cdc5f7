//! A/B compare: each device holds a second state; switching swaps it with the present one.
//!
//! The other state lies in the device's stored members under [`OTHER`]. Until something is saved there the two are the
//! same, so the first switch changes nothing that can be heard.

use crate::object_model::{ModelError, Value};
use crate::set::document::StoredMembers;
use crate::set::document::device_tree::Device;
use crate::set::document::ids::Serial;
use crate::set::document::simpler_sample::Sample;
use crate::set::model::device::device_properties::lacking;
use crate::set::model::set_state::SetState;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

const OTHER: &str = "compare_other";
const USES_B: &str = "is_using_compare_preset_b";

/// What a preset holds of a device.
#[derive(Serialize, Deserialize)]
struct ComparedState {
    values: Vec<f64>,
    #[serde(default)]
    sample: Option<Arc<Sample>>,
    #[serde(default)]
    stored: StoredMembers,
}

impl Device {
    /// Racks and plug-ins have none, and Spectrum has nothing to compare.
    pub fn can_compare_ab(&self) -> bool {
        !matches!(self.table_class(), "RackDevice" | "PluginDevice" | "MaxDevice")
            && self.class_name != "SpectrumAnalyzer"
    }

    pub fn uses_compare_b(&self) -> bool {
        self.stored.get(USES_B).and_then(serde_json::Value::as_bool).unwrap_or(false)
    }

    fn compare_state(&self) -> ComparedState {
        let mut stored = self.stored.clone();
        stored.retain(|member, _| member != OTHER && member != USES_B);
        ComparedState { values: self.values.clone(), sample: self.sample.clone(), stored }
    }

    fn keep_other(&mut self, state: &ComparedState) {
        // Plain data with text keys always has a JSON form.
        if let Ok(json) = serde_json::to_value(state) {
            self.stored.insert(OTHER.to_owned(), json);
        }
    }

    /// The other state, where a document's is sound.
    fn other(&self) -> Option<ComparedState> {
        let state: ComparedState = serde_json::from_value(self.stored.get(OTHER)?.clone()).ok()?;
        let specs = self.specs();
        let fits = state.values.len() == specs.len()
            && state.values.iter().zip(specs).all(|(value, spec)| (spec.min..=spec.max).contains(value))
            && state.sample.as_ref().is_none_or(|sample| self.sample.is_some() && sample.is_sound());
        fits.then_some(state)
    }
}

impl SetState {
    pub(in crate::set::model) fn save_compare_slot(&mut self, serial: Serial) -> Result<Value, ModelError> {
        let device = self.device(serial).ok_or(ModelError::NoObject)?;
        if !device.can_compare_ab() {
            return lacking(device, "save_preset_to_compare_ab_slot");
        }
        self.edit_device(serial, |device| device.keep_other(&device.compare_state()));
        Ok(Value::Nothing)
    }

    pub(in crate::set::model) fn use_compare_slot(&mut self, serial: Serial, value: &Value) -> Result<(), ModelError> {
        let b = value.as_bool().unwrap_or_default();
        let device = self.device(serial).ok_or(ModelError::NoObject)?;
        if b == device.uses_compare_b() {
            return Ok(());
        }
        let swapped = self.edit_device(serial, |device| {
            let left = device.compare_state();
            if let Some(state) = device.other() {
                device.values = state.values;
                device.sample = state.sample;
                device.stored = state.stored;
            }
            device.keep_other(&left);
            device.stored.insert(USES_B.to_owned(), b.into());
        });
        swapped.ok_or(ModelError::NoObject)
    }
}
