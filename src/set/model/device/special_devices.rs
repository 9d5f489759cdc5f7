//! What single kinds of native devices have besides parameters: choosers with their lists, Hybrid Reverb, Looper.
//!
//! Most of it is stored members with the ranges of the class table. Here are the lists that name a chooser's positions,
//! and the positions that are bounded by such a list.

use crate::object_model::class::class;
use crate::object_model::{ModelError, Value};
use crate::set::document::device_tree::Device;
use crate::set::model::member_answer::MemberAnswer;
use crate::set::model::set_state::SetState;
use serde_json::Value as Json;

/// Hybrid Reverb's categories of impulse responses.
const IR_CATEGORIES: [&str; 10] = [
    "Early_Reflections",
    "Real_Places",
    "Chambers_and_Large_Rooms",
    "Made_for_Drums",
    "Halls",
    "Plates",
    "Springs",
    "Bigger_Spaces",
    "Textures",
    "User",
];

/// What a category without files lists. The files are Live's own; none is here.
const NO_FILES: [&str; 1] = ["<empty>"];

/// Looper's record lengths; the first records until it is stopped.
const RECORD_LENGTHS: [&str; 7] = ["x bars", "1 bar", "2 bars", "4 bars", "8 bars", "16 bars", "32 bars"];

/// Targets of CC Control's knobs and button: controllers by number, then what is no controller.
fn cc_targets() -> Vec<String> {
    let controllers = (0..128).map(|n| format!("CC {n}"));
    controllers.chain(["Pitch Bend".to_owned(), "Pressure".to_owned()]).collect()
}

fn texts(list: &[&str]) -> Value {
    Value::Texts(list.iter().map(|text| (*text).to_owned()).collect())
}

impl Device {
    /// The names of the positions that `index_member` may have, where a list bounds them.
    fn list_for(&self, index_member: &str) -> Option<Vec<String>> {
        let list = match (self.table_class(), index_member) {
            ("HybridReverbDevice", "ir_file_index") => self.read_special("ir_file_list")?,
            ("LooperDevice", "record_length_index") => self.read_special("record_length_list")?,
            ("WavetableDevice", m) if m.starts_with("oscillator_") && m.ends_with("_wavetable_category") => {
                self.read_special("oscillator_wavetable_categories")?
            }
            ("WavetableDevice", m) if m.starts_with("oscillator_") && m.ends_with("_wavetable_index") => {
                self.read_special(&m.replace("_index", "s"))?
            }
            ("CcControlDevice", m) => self.read_special(&format!("{m}_list"))?,
            ("PluginDevice", "selected_preset_index") => self.read_special("presets")?,
            _ => return None,
        };
        match list {
            Value::Texts(list) => Some(list),
            _ => None,
        }
    }

    /// Lists, and what an engine would report.
    pub(in crate::set::model) fn read_special(&self, member: &str) -> Option<Value> {
        Some(match (self.table_class(), member) {
            ("HybridReverbDevice", "ir_category_list") => texts(&IR_CATEGORIES),
            ("HybridReverbDevice", "ir_file_list") => texts(&NO_FILES),
            ("LooperDevice", "record_length_list") => texts(&RECORD_LENGTHS),
            ("LooperDevice", "loop_length" | "tempo") => 0.0.into(),
            // One category and one table: what a fresh device plays. The rest are Live's own files.
            ("WavetableDevice", "oscillator_wavetable_categories") => texts(&["Basics"]),
            ("WavetableDevice", "oscillator_1_wavetables" | "oscillator_2_wavetables") => texts(&["Basic Shapes"]),
            ("CcControlDevice", m) if m.ends_with("_list") => Value::Texts(cc_targets()),
            ("PluginDevice", "presets") => {
                let list = self.stored.get(member).and_then(Json::as_array);
                Value::Texts(list.into_iter().flatten().filter_map(|t| t.as_str().map(str::to_owned)).collect())
            }
            (name, member) => {
                // `x_list` names the positions of `x_index` or of `x`.
                let base = member.strip_suffix("_list")?;
                let properties = &class(name)?.properties;
                let index = properties.get(&format!("{base}_index")).or_else(|| properties.get(base))?;
                Value::Texts(index.labels.clone()?)
            }
        })
    }
}

impl SetState {
    pub(in crate::set::model) fn write_special(
        &mut self,
        device: &Device,
        member: &str,
        value: &Value,
    ) -> MemberAnswer<()> {
        let number = value.as_i64();
        if device.table_class() == "HybridReverbDevice" && member == "ir_category_index" {
            // Past the last one lands on it; another category starts at its first file.
            let last = i64::try_from(IR_CATEGORIES.len()).unwrap_or(1) - 1;
            let category = number.unwrap_or_default().min(last);
            let edited = self.edit_device(device.serial, |device| {
                device.stored.insert(member.to_owned(), category.into());
                device.stored.remove("ir_file_index");
            });
            return Some(edited.ok_or(ModelError::NoObject));
        }
        let list = device.list_for(member)?;
        let at = number.and_then(|n| usize::try_from(n).ok());
        if at.is_none_or(|at| at >= list.len()) {
            let range = format!("the position of one of its {} choices", list.len());
            return Some(Err(ModelError::OutOfRange { member: member.to_owned(), range }));
        }
        None
    }

    /// Without an audio engine there is never anything in a Looper's buffer: stopping and clearing have nothing left to
    /// do, and the rest cannot be done.
    pub(in crate::set::model) fn call_looper(&mut self, device: &Device, function: &str) -> MemberAnswer<Value> {
        match function {
            "clear" => Some(Ok(Value::Nothing)),
            "stop" => {
                let at = device.specs().iter().position(|spec| spec.name == "State")?;
                let put = self.put_device_parameter(device.serial, u16::try_from(at).ok()?, 0.0);
                Some(put.map(|()| Value::Nothing).ok_or(ModelError::NoObject))
            }
            _ => None,
        }
    }
}
