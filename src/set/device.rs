//! Devices on a track: native devices by class, with their parameters' raw values.

use super::device_table::{self, ParameterSpec};
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

impl Device {
    /// The title bar: the name given, else what the device is called.
    pub fn shown_name(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.class_display_name().to_owned())
    }

    /// What the user calls this kind of device, such as `Auto Filter`.
    pub fn class_display_name(&self) -> &str {
        device_table::by_class(&self.class_name).map_or(self.class_name.as_str(), |(name, _)| name)
    }

    pub fn specs(&self) -> &'static [ParameterSpec] {
        device_table::by_class(&self.class_name).map_or(&[], |(_, class)| &class.parameters)
    }
}
