//! WavetableDevice: the modulation matrix. Its rows are parameters of the device, its columns Live's 13 sources.

use crate::object_model::value::object_argument;
use crate::object_model::{ModelError, Value};
use crate::set::document::device_tree::Device;
use crate::set::document::ids::Serial;
use crate::set::model::device::device_properties::count_argument;
use crate::set::model::member_answer::MemberAnswer;
use crate::set::model::object_ref::ObjectRef;
use crate::set::model::set_state::SetState;
use serde_json::{Value as Json, json};

/// Amp, Env 2, Env 3, LFO 1, LFO 2, Vel, Key, PB, Press, Mod, Rand, Note PB, Slide.
const SOURCES: usize = 13;
const MATRIX: &str = "modulation";

/// A row: the parameter's position and an amount -1..=1 for each source.
struct ModulationRow {
    parameter: usize,
    amounts: [f64; SOURCES],
}

fn rows(device: &Device) -> Vec<ModulationRow> {
    let list = device.stored.get(MATRIX).and_then(Json::as_array);
    let row = |json: &Json| {
        let parameter = json.get("parameter").and_then(Json::as_u64).and_then(|n| usize::try_from(n).ok())?;
        let mut amounts = [0.0; SOURCES];
        let kept = json.get("amounts").and_then(Json::as_array);
        for (slot, amount) in amounts.iter_mut().zip(kept.into_iter().flatten().filter_map(Json::as_f64)) {
            *slot = amount;
        }
        is_modulatable(device, parameter).then_some(ModulationRow { parameter, amounts })
    };
    list.into_iter().flatten().filter_map(row).collect()
}

/// Whatever moves without steps.
fn is_modulatable(device: &Device, parameter: usize) -> bool {
    device.specs().get(parameter).is_some_and(|spec| !spec.quantized)
}

impl Device {
    /// HostFacts::modulation.
    pub(in crate::set::model) fn modulation(&self, row: usize, source: usize) -> Option<f64> {
        rows(self).get(row)?.amounts.get(source).copied()
    }
}

impl SetState {
    pub(in crate::set::model) fn read_wavetable(&self, device: &Device, member: &str) -> MemberAnswer<Value> {
        if member != "visible_modulation_target_names" {
            return None;
        }
        let name = |row: ModulationRow| device.specs().get(row.parameter).map(|spec| spec.name.clone());
        Some(Ok(Value::Texts(rows(device).into_iter().filter_map(name).collect())))
    }

    fn own_parameter(&self, device: Serial, args: &[Value]) -> Result<usize, ModelError> {
        let target = args.first().and_then(object_argument).flatten().and_then(|id| self.object_ref(id));
        match target {
            Some(ObjectRef::Parameter { device: of, index }) if of == device => Ok(usize::from(index)),
            _ => Err(ModelError::refused("that takes a parameter of this device: \"id N\"")),
        }
    }

    pub(in crate::set::model) fn call_wavetable(
        &mut self,
        device: &Device,
        function: &str,
        args: &[Value],
    ) -> MemberAnswer<Value> {
        let mut matrix = rows(device);
        let row_at = |at: usize| {
            let row = count_argument(args, at).filter(|row| *row < matrix.len());
            row.ok_or_else(|| {
                ModelError::refused(format!("the modulation matrix has {} rows, counted from 0", matrix.len()))
            })
        };
        let source_at = |at: usize| {
            let source = count_argument(args, at).filter(|source| *source < SOURCES);
            source.ok_or_else(|| ModelError::refused(format!("there are {SOURCES} modulation sources, counted from 0")))
        };
        Some(match function {
            "is_parameter_modulatable" => {
                self.own_parameter(device.serial, args).map(|at| is_modulatable(device, at).into())
            }
            "add_parameter_to_modulation_matrix" => self.own_parameter(device.serial, args).and_then(|parameter| {
                if !is_modulatable(device, parameter) {
                    return Err(ModelError::refused("that parameter cannot be modulated"));
                }
                let at = match matrix.iter().position(|row| row.parameter == parameter) {
                    Some(at) => at,
                    None => {
                        matrix.push(ModulationRow { parameter, amounts: [0.0; SOURCES] });
                        self.keep_matrix(device.serial, &matrix)?;
                        matrix.len() - 1
                    }
                };
                Ok(i64::try_from(at).unwrap_or_default().into())
            }),
            "get_modulation_target_parameter_name" => row_at(0).map(|at| {
                let spec = matrix.get(at).and_then(|row| device.specs().get(row.parameter));
                spec.map_or_else(String::new, |spec| spec.name.clone()).into()
            }),
            "get_modulation_value" => row_at(0).and_then(|row| Ok((row, source_at(1)?))).map(|(row, source)| {
                matrix.get(row).and_then(|row| row.amounts.get(source)).copied().unwrap_or_default().into()
            }),
            "set_modulation_value" => row_at(0).and_then(|row| Ok((row, source_at(1)?))).and_then(|(row, source)| {
                let amount = args.get(2).and_then(Value::as_f64).filter(|amount| (-1.0..=1.0).contains(amount));
                let amount = amount.ok_or_else(|| ModelError::refused("an amount of modulation is from -1 to 1"))?;
                if let Some(slot) = matrix.get_mut(row).and_then(|row| row.amounts.get_mut(source)) {
                    *slot = amount;
                }
                self.keep_matrix(device.serial, &matrix).map(|()| Value::Nothing)
            }),
            _ => return None,
        })
    }

    fn keep_matrix(&mut self, device: Serial, matrix: &[ModulationRow]) -> Result<(), ModelError> {
        let list: Vec<Json> =
            matrix.iter().map(|row| json!({"parameter": row.parameter, "amounts": row.amounts})).collect();
        let kept = self.edit_device(device, |device| {
            device.stored.insert(MATRIX.to_owned(), list.into());
        });
        kept.ok_or(ModelError::NoObject)
    }
}
