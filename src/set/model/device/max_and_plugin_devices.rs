//! Max devices and plug-ins. None can be made in this Set; a document of a host that has them carries what it knows of
//! them in the device's stored members: `banks` as `[{name, parameters}]`, `presets` and `parameter_names` as texts.

use crate::object_model::{ModelError, Value};
use crate::set::document::device_tree::Device;
use crate::set::model::device::device_properties::count_argument;
use crate::set::model::member_answer::MemberAnswer;
use serde_json::Value as Json;

impl Device {
    fn banks(&self) -> &[Json] {
        self.stored.get("banks").and_then(Json::as_array).map_or(&[], Vec::as_slice)
    }

    pub(in crate::set::model) fn call_outside(&self, function: &str, args: &[Value]) -> MemberAnswer<Value> {
        let bank = || {
            let bank = count_argument(args, 0).and_then(|at| self.banks().get(at));
            bank.ok_or_else(|| {
                ModelError::refused(format!("the device has {} banks, counted from 0", self.banks().len()))
            })
        };
        let positions = |bank: &Json| {
            let list = bank.get("parameters").and_then(Json::as_array);
            Value::Ints(list.into_iter().flatten().filter_map(Json::as_i64).collect())
        };
        Some(match (self.table_class(), function) {
            ("MaxDevice", "get_bank_count") => Ok(i64::try_from(self.banks().len()).unwrap_or_default().into()),
            ("MaxDevice", "get_bank_name") => {
                bank().map(|bank| bank.get("name").and_then(Json::as_str).unwrap_or_default().into())
            }
            // The best-of bank, of a device that names none: eight empty places.
            ("MaxDevice", "get_bank_parameters") if args.first().and_then(Value::as_i64) == Some(-1) => {
                Ok(Value::Ints(vec![-1; 8]))
            }
            ("MaxDevice", "get_bank_parameters") => bank().map(positions),
            ("MaxDevice", "get_value_item_icons") => Ok(Value::Texts(Vec::new())),
            ("PluginDevice", "get_parameter_names") => {
                let list = self.stored.get("parameter_names").and_then(Json::as_array);
                let names: Vec<String> =
                    list.into_iter().flatten().filter_map(|t| t.as_str().map(str::to_owned)).collect();
                let begin = args.first().and_then(Value::as_i64).unwrap_or(0);
                let end = args.get(1).and_then(Value::as_i64).unwrap_or(-1);
                let begin = usize::try_from(begin).unwrap_or(0).min(names.len());
                let end = usize::try_from(end).unwrap_or(names.len()).clamp(begin, names.len());
                Ok(Value::Texts(names.get(begin..end).unwrap_or_default().to_vec()))
            }
            // It would send every controller again; nothing is sent from a device in this Set.
            ("CcControlDevice", "resend") => Ok(Value::Nothing),
            _ => return None,
        })
    }
}
