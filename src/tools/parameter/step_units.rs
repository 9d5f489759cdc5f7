//! The units of steps whose labels are bare numbers. No host tells them, so they stand in a table here.

use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read::{child_if_any, if_any, text};
use crate::tools::parameter::value_parse::{self, Unit};

/// What a bare number on a label counts: a unit, and how many of it one is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepUnit {
    unit: Unit,
    factor: f64,
}

/// By the class name of the device and the name of the parameter.
const BARE_LABELS: [(&str, &str, StepUnit); 5] = [
    ("GlueCompressor", "Attack", StepUnit { unit: Unit::Milliseconds, factor: 1.0 }),
    ("GlueCompressor", "Release", StepUnit { unit: Unit::Milliseconds, factor: 1000.0 }),
    ("FilterEQ3", "Slope", StepUnit { unit: Unit::Decibels, factor: 1.0 }),
    ("InstrumentVector", "Flt 1 Slope", StepUnit { unit: Unit::Decibels, factor: 1.0 }),
    ("InstrumentVector", "Flt 2 Slope", StepUnit { unit: Unit::Decibels, factor: 1.0 }),
];

/// The unit of a parameter's labels, where they are bare numbers and it is known.
pub fn of(session: &dyn Session, parameter: ObjectId) -> Result<Option<StepUnit>, ModelError> {
    let Some(device) = child_if_any(session, parameter, "canonical_parent")? else { return Ok(None) };
    let Some(class) = if_any(text(session, device, "class_name"))? else { return Ok(None) };
    let mut known = BARE_LABELS.iter().filter(|(of, ..)| *of == class).peekable();
    if known.peek().is_none() {
        return Ok(None);
    }
    let name = text(session, parameter, "name")?;
    Ok(known.find(|(_, of, _)| *of == name).map(|(.., unit)| *unit))
}

/// How far a written number is from that on a label, in one unit; `None` where they cannot be compared. A number
/// without a unit counts as the label does.
pub fn distance(label: &str, written: &str, unit: Option<StepUnit>) -> Option<f64> {
    // Behind a ratio stands no unit: `4 : 1` is the label `4`.
    let written = written.trim();
    let packed: String = written.split_whitespace().collect();
    let written = packed.strip_suffix(":1").unwrap_or(written);
    let (on_label, of_label) = value_parse::number_of(label)?;
    let (number, of_number) = value_parse::number_of(written)?;
    let scale = unit.map_or(1.0, |unit| unit.factor);
    match (of_label, of_number, unit) {
        (None, None, _) => Some((on_label * scale - number * scale).abs()),
        (Some(_), None, _) => Some((on_label - number).abs()),
        (Some(of_label), Some(of_number), _) => (of_label == of_number).then_some((on_label - number).abs()),
        (None, Some(of_number), Some(unit)) => {
            (of_number == unit.unit).then_some((on_label * unit.factor - number).abs())
        }
        (None, Some(_), None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_in_any_unit() {
        let seconds = Some(StepUnit { unit: Unit::Milliseconds, factor: 1000.0 });
        for (label, written, unit, near) in [
            (".4", "0.4 s", seconds, true),
            (".4", "400 ms", seconds, true),
            (".4", "0.4", seconds, true),
            (".4", ".4", None, true),
            (".4", "400 ms", None, false),
            (".4", "400 Hz", seconds, false),
            ("10 ms", "0.01 s", None, true),
            ("10 ms", "10", None, true),
            ("4", "4 : 1", None, true),
            ("A", "1", seconds, false),
        ] {
            let is_near = distance(label, written, unit).is_some_and(|distance| distance < 1e-9);
            assert_eq!(is_near, near, "{label} {written}");
        }
    }
}
