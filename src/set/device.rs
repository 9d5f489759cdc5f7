//! Devices on a track: native devices by class, with their parameters' raw values.

use super::document::Stored;
use super::ids::Serial;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Device {
    pub serial: Serial,
    /// Live's class name, such as `Reverb`.
    pub class_name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Raw values in the order of the device table; index 0 is Device On.
    pub values: Vec<f64>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub stored: Stored,
}
