//! Which parameters of native devices envelopes move while they sound, as data.

use super::native_devices::{ParameterSpec, by_class};
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// `device | parameter, parameter`, in the order of the device table. Made by a test of who moves them.
pub const TABLE: &str = include_str!("data/moving_parameters.txt");

/// Whether an envelope on that parameter of a device is heard, as far as the parameter does something.
pub fn is_moved(class_name: &str, spec: &ParameterSpec) -> bool {
    type Names = HashSet<&'static str>;
    static MOVED: LazyLock<HashMap<&'static str, Names>> = LazyLock::new(|| {
        let lines = TABLE.lines().filter_map(|line| line.split_once(" | "));
        lines.map(|(device, names)| (device, names.split(", ").collect())).collect()
    });
    let names = by_class(class_name).and_then(|(name, _)| MOVED.get(name));
    spec.name == "Device On" || names.is_some_and(|names| names.contains(spec.name.as_str()))
}
