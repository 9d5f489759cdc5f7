//! The envelopes of a Session clip, as reads show them: for each parameter a line of points, in the form in which they
//! are drawn, with values as the parameter shows them.

use crate::music::{Meter, SAME_POSITION_BEATS, position};
use crate::object_model::{EnvelopePoint, ModelError, ObjectId, Session, Value};
use crate::tools::address::model_read::{if_any, text};
use crate::tools::parameter::display::{DisplayKind, ParamDisplay, number_on};
use crate::tools::parameter::value_parse::Unit;
use crate::tools::read::gathered::Gathered;
use serde_json::{Map, Value as Json, json};

/// Points of one envelope that a read gives at most.
const MOST_POINTS: usize = 500;

/// Adds `envelopes` of a clip that has some: a list, or a sentence when none of them can be read.
pub fn gather(session: &dyn Session, clip: ObjectId, meter: Meter, out: &mut Gathered) -> Result<(), ModelError> {
    let all = match session.get(clip, "automation_envelopes") {
        Ok(Value::Struct(all)) => all,
        Err(error) if error.ends_call() => return Err(error),
        other => {
            let why = other.err().map_or_else(String::new, |e| format!(": {e}"));
            out.set("envelopes", format!("the clip has envelopes that cannot be read{why}"));
            return Ok(());
        }
    };
    let list = all.get("automation_envelopes").and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
    out.set("envelopeCount", list.len());
    let list = list.iter().map(|envelope| one(session, envelope, meter));
    out.set("envelopes", list.collect::<Result<Vec<Json>, _>>()?);
    Ok(())
}

fn one(session: &dyn Session, envelope: &Json, meter: Meter) -> Result<Json, ModelError> {
    let parameter = ObjectId(envelope.get("parameter").and_then(Json::as_u64).unwrap_or_default());
    let points = envelope.get("points").and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
    let points: Vec<EnvelopePoint> = points.iter().filter_map(|p| serde_json::from_value(p.clone()).ok()).collect();
    let shown = points.get(..MOST_POINTS).unwrap_or(&points);
    let mut out = Map::new();
    let mut set = |field: &str, value: Json| out.insert(field.to_owned(), value);
    let name = if_any(text(session, parameter, "name"))?;
    if let Some(name) = &name {
        set("name", json!(name));
        set("parameter", json!(name));
    }
    set("id", json!(parameter.to_string()));
    let display = if name.is_some() { Some(ParamDisplay::read(session, parameter)?) } else { None };
    if let Some(unit) = display.as_ref().and_then(ParamDisplay::unit) {
        set("unit", json!(unit));
    }
    // An automation says where the parameter stands; what only adds to it is not of this list.
    set("absolute", json!(true));
    if display.is_some() && !session.reads_are_local() {
        // All at once.
        session.labels_of(parameter, &shown.iter().map(|point| point.value).collect::<Vec<_>>())?;
    }
    let mut values = Vec::new();
    for point in shown {
        values.push(match &display {
            Some(display) => value_text(session, display, point.value)?,
            None => format!("{} raw", rounded(point.value)),
        });
    }
    set("pointCount", json!(points.len()));
    set("events", json!(line(shown, &values, meter)));
    if points.len() > shown.len() {
        set("truncated", json!(true));
        set("detail", json!(format!("the first {MOST_POINTS} of {} points", points.len())));
    } else if name.is_none() {
        set("detail", json!("its parameter is gone"));
    }
    Ok(Json::Object(out))
}

/// A raw value as a line spells it: as it is shown, as finely as it is kept.
fn value_text(session: &dyn Session, display: &ParamDisplay, raw: f64) -> Result<String, ModelError> {
    if let Some(word) = display.word_at(raw) {
        return Ok(word.to_owned());
    }
    let label = || session.label_of(display.parameter, raw);
    match &display.shows {
        DisplayKind::Steps(_) => Ok(label()?.map_or_else(|| rounded(raw), |label| label.trim().to_owned())),
        DisplayKind::Number { unit: Unit::Note, .. } => Ok(label()?.unwrap_or_else(|| rounded(raw))),
        DisplayKind::Number { unit, .. } => match number_at(session, display.parameter, raw)? {
            Some(steps) if *unit == Unit::Pan && rounded(steps) == "0" => Ok("C".to_owned()),
            Some(steps) if *unit == Unit::Pan => {
                Ok(format!("{}{}", rounded(steps.abs()), if steps < 0.0 { 'L' } else { 'R' }))
            }
            Some(number) => Ok(rounded(number)),
            None => Ok(label()?.unwrap_or_else(|| rounded(raw))),
        },
    }
}

/// The number that a raw value is shown as: as the host knows it, else as its label has it.
fn number_at(session: &dyn Session, parameter: ObjectId, raw: f64) -> Result<Option<f64>, ModelError> {
    Ok(match session.shown_number(parameter, raw)? {
        Some(number) => Some(number),
        None => session.label_of(parameter, raw)?.as_deref().and_then(number_on),
    })
}

fn rounded(number: f64) -> String {
    format!("{}", (number * 1e6).round() / 1e6 + 0.0)
}

/// `1|1 -6 / 2|1 0 _ 3|1 -inf`: each point a bar|beat and a value; `/` a straight way, `_` hold, then jump, `~0.5` a
/// bent way.
fn line(points: &[EnvelopePoint], values: &[String], meter: Meter) -> String {
    let mut line = String::new();
    let same_time = |a: &EnvelopePoint, b: &EnvelopePoint| (a.time - b.time).abs() <= SAME_POSITION_BEATS;
    let (mut rest, mut values) = (points, values.iter());
    while let [point, after @ ..] = rest {
        let value = values.next().map_or("", String::as_str);
        line.push_str(&format!("{} {value}", position::format(point.time, meter)));
        rest = after;
        let way = match after {
            [] => break,
            // A hold is stored with a second point where it ends.
            [held, next, ..] if held.value == point.value && same_time(held, next) => {
                rest = after.get(1..).unwrap_or_default();
                values.next();
                " _ ".to_owned()
            }
            [next, ..] if same_time(point, next) => " _ ".to_owned(),
            _ if point.curve != 0.0 => format!(" ~{} ", (point.curve * 1e6).round() / 1e6),
            _ => " / ".to_owned(),
        };
        line.push_str(&way);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_points() {
        let point = |(time, value, curve)| EnvelopePoint { time, value, curve };
        for (points, want) in [
            (vec![], ""),
            (vec![(0.0, 0.85, 0.0)], "1|1 0.85"),
            (vec![(0.0, 0.0, 0.0), (6.0, 1.0, 0.0)], "1|1 0 / 2|3 1"),
            (vec![(0.0, 0.25, -0.5), (4.0, 1.0, 0.0)], "1|1 0.25 ~-0.5 2|1 1"),
            (vec![(0.0, 0.2, 0.0), (4.0, 0.2, 0.0), (4.0, 0.9, 0.0), (8.0, 0.0, 0.0)], "1|1 0.2 _ 2|1 0.9 / 3|1 0"),
            (vec![(0.0, 0.2, 0.0), (4.0, 0.4, 0.0), (4.0, 0.9, 0.0)], "1|1 0.2 / 2|1 0.4 _ 2|1 0.9"),
            (vec![(0.0, 1.0 / 3.0, 0.0)], "1|1 0.333333"),
        ] {
            let points: Vec<EnvelopePoint> = points.into_iter().map(point).collect();
            let values: Vec<String> = points.iter().map(|point| rounded(point.value)).collect();
            assert_eq!(line(&points, &values, Meter::COMMON), want);
        }
    }
}
