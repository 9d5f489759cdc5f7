//! What a written value comes down to on one parameter: a raw value, or a number as the host's display counts it.

use crate::music::pitch;
use crate::object_model::faders::SILENCE_DB;
use crate::object_model::{ObjectId, Session};
use crate::tools::address::model_read::{if_any, number};
use crate::tools::arguments::nearest;
use crate::tools::error::ToolError;
use crate::tools::parameter::display::{DisplayKind, ParamDisplay, number_on};
use crate::tools::parameter::step_units::{self, StepUnit};
use crate::tools::parameter::value_parse::{self, Unit, WrittenUnit};
use crate::tools::parameter::virtual_params::{listing, switch};
use serde_json::Value;

/// What a written value comes down to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParsedValue {
    Raw(f64),
    /// As `display_value` counts; `bare` was sent as a plain number.
    Shown {
        number: f64,
        unit: Unit,
        bare: bool,
    },
}

pub fn parse_value(session: &dyn Session, display: &ParamDisplay, sent: &str) -> Result<ParsedValue, ToolError> {
    if let Some((_, raw)) =
        value_parse::infinite(sent).and_then(|word| display.words.iter().find(|(known, _)| known == word))
    {
        return Ok(ParsedValue::Raw(*raw));
    }
    if let Some(raw) = value_parse::raw_number(sent) {
        let (low, high) = (display.raw_min, display.raw_max);
        let inside = (low..=high).contains(&raw);
        return inside
            .then_some(ParsedValue::Raw(raw))
            .ok_or_else(|| ToolError::new(format!("\"{sent}\" is outside its raw range, {low} to {high}")));
    }
    match &display.shows {
        DisplayKind::Steps(labels) => {
            let unit = step_units::of(session, display.parameter)?;
            Ok(ParsedValue::Raw(step(display, labels, unit, sent)?))
        }
        DisplayKind::Number { unit, .. } => shown_number(session, display, *unit, sent),
    }
}

/// The raw value of a label: itself in any case, with or without its blanks, on or off, else the nearest of those that
/// are numbers.
fn step(display: &ParamDisplay, labels: &[String], unit: Option<StepUnit>, sent: &str) -> Result<f64, String> {
    let raw = |at: usize| display.raw_min + at as f64;
    let wanted = sent.trim().to_lowercase();
    if let Some(at) = labels.iter().position(|label| label.trim().to_lowercase() == wanted) {
        return Ok(raw(at));
    }
    let mut alike = labels.iter().enumerate().filter(|(_, label)| packed(label) == packed(sent));
    if let (Some((at, _)), None) = (alike.next(), alike.next()) {
        return Ok(raw(at));
    }
    let is_switch = labels.len() == 2 && labels.iter().any(|label| label.eq_ignore_ascii_case("on"));
    if is_switch && let Some(on) = switch(sent) {
        let on_at = labels.iter().position(|label| label.eq_ignore_ascii_case("on")).unwrap_or(1);
        return Ok(raw(if on { on_at } else { 1 - on_at }));
    }
    if !is_switch {
        let far = |label: &String| step_units::distance(label, sent, unit);
        let distances = labels.iter().enumerate().filter_map(|(at, label)| Some((at, far(label)?)));
        let nearest = distances.min_by(|(_, a), (_, b)| a.total_cmp(b));
        if let Some((at, _)) = nearest {
            return Ok(raw(at));
        }
    }
    let known = labels.iter().map(String::as_str);
    let near = nearest::hint(sent, known.clone());
    Err(format!("\"{sent}\" is none of its values, {}{near}", listing(known)))
}

/// A label without blanks, in small letters.
fn packed(text: &str) -> String {
    text.split_whitespace().collect::<String>().to_lowercase()
}

/// Whether a written number is the one on the label, in whichever unit.
pub fn is_on_label(session: &dyn Session, parameter: ObjectId, label: &str, sent: &str) -> Result<bool, ToolError> {
    let unit = step_units::of(session, parameter)?;
    Ok(step_units::distance(label, sent, unit).is_some_and(|distance| distance < 1e-9))
}

/// The raw value that the host labels with this text, letter for letter but for blanks and case: at an end, as it
/// stands now, of a fresh device, or at a whole number of a short range.
fn labelled(session: &dyn Session, display: &ParamDisplay, sent: &str) -> Result<Option<f64>, ToolError> {
    /// The widest range of whole numbers whose labels are all looked at.
    const SHORT: f64 = 128.0;
    let (low, high) = (display.raw_min, display.raw_max);
    let now = number(session, display.parameter, "value")?;
    let default = if_any(number(session, display.parameter, "default_value"))?;
    let short = low.fract() == 0.0 && (2.0..=SHORT).contains(&(high - low));
    let whole = ((low as i64)..=(high as i64)).take(if short { SHORT as usize + 1 } else { 0 });
    let wanted = packed(sent);
    let raws: Vec<f64> = [low, high, now].into_iter().chain(default).chain(whole.map(|raw| raw as f64)).collect();
    let labels = session.labels_of(display.parameter, &raws)?;
    let is_wanted = |label: &Option<String>| label.as_ref().is_some_and(|label| packed(label) == wanted);
    Ok(raws.into_iter().zip(&labels).find(|(_, label)| is_wanted(label)).map(|(raw, _)| raw))
}

fn shown_number(
    session: &dyn Session,
    display: &ParamDisplay,
    unit: Unit,
    sent: &str,
) -> Result<ParsedValue, ToolError> {
    if unit == Unit::Note
        && let Ok(note) = pitch::parse(sent.trim())
    {
        return Ok(ParsedValue::Shown { number: f64::from(note), unit, bare: false });
    }
    // A ratio such as 1 : 2.5 is shown, and counted, by its second part.
    if let Some(second) = value_parse::of_one_to(sent)
        && own_labels(session, display)?.iter().any(|label| value_parse::of_one_to(label).is_some())
    {
        let read = value_parse::read(second).ok_or_else(|| ToolError::new(format!("\"{sent}\" is no ratio")))?;
        return Ok(ParsedValue::Shown { number: read.number, unit, bare: false });
    }
    let Some(read) = value_parse::read(sent) else {
        if let Some(raw) = labelled(session, display, sent)? {
            return Ok(ParsedValue::Raw(raw));
        }
        return Err(ToolError::new(match (unit, display.range()) {
            (Unit::Note, _) => format!("\"{sent}\" is no note name, such as C3"),
            (_, Some((min, max))) => {
                format!(
                    "\"{sent}\" is no number; it is {} from {} to {}",
                    unit.in_words(),
                    text_of(&min),
                    text_of(&max)
                )
            }
            _ => format!("\"{sent}\" is no number"),
        }));
    };
    let shown = |bare: bool| Ok(ParsedValue::Shown { number: unit.in_display(read.number), unit, bare });
    match &read.unit {
        WrittenUnit::None => shown(true),
        WrittenUnit::Known(written) if *written == unit => shown(false),
        WrittenUnit::Known(written) => {
            Err(ToolError::new(format!("it is {}, not {}", unit.in_words(), written.in_words())))
        }
        WrittenUnit::Other(_) => {
            if let Some(raw) = labelled(session, display, sent)? {
                return Ok(ParsedValue::Raw(raw));
            }
            // A unit that only this parameter's own labels have, such as ": 1" behind a ratio.
            let labels = own_labels(session, display)?;
            let mut own = labels.iter().filter_map(|label| value_parse::tail(label));
            if own.any(|own| value_parse::tail(sent) == Some(own)) {
                shown(false)
            } else {
                Err(ToolError::new(format!("the unit of \"{sent}\" cannot be checked; it is {}", unit.in_words())))
            }
        }
    }
}

/// What the host prints now and at the ends.
fn own_labels(session: &dyn Session, display: &ParamDisplay) -> Result<Vec<String>, ToolError> {
    let mut labels = Vec::new();
    for raw in [number(session, display.parameter, "value")?, display.raw_min, display.raw_max] {
        labels.extend(session.label_of(display.parameter, raw)?);
    }
    Ok(labels)
}

pub fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Whether a number lies outside what the parameter shows.
pub fn beyond(display: &ParamDisplay, number: f64) -> bool {
    let DisplayKind::Number { min, max, .. } = &display.shows else { return false };
    let (min, max) = (min.unwrap_or(f64::NEG_INFINITY), max.unwrap_or(f64::INFINITY));
    let silent = display.words.iter().any(|(word, _)| word == "-inf");
    !(min.min(max)..=min.max(max)).contains(&number) || silent && number < SILENCE_DB
}

/// The raw value that a text means: what an envelope keeps. Nothing is brought into the range.
pub fn raw_value(session: &dyn Session, display: &ParamDisplay, sent: &str) -> Result<f64, ToolError> {
    let (number, unit) = match parse_value(session, display, sent)? {
        ParsedValue::Raw(raw) => return Ok(raw),
        ParsedValue::Shown { number, unit, .. } => (number, unit),
    };
    if beyond(display, number)
        && let Some((min, max)) = display.range()
    {
        // As the host prints the ends, in their order.
        let mut ends = Vec::new();
        for (shown, raw) in [(min, display.raw_min), (max, display.raw_max)] {
            let label = session.label_of(display.parameter, raw)?.map(|label| label.trim().to_owned());
            ends.push(label.filter(|label| !label.is_empty()).unwrap_or_else(|| text_of(&shown)));
        }
        return Err(ToolError::new(format!("{sent} is outside its range, {}", ends.join(" to "))));
    }
    if unit == Unit::Note {
        return Ok(number.round());
    }
    match session.raw_of(display.parameter, number)? {
        Some(raw) => Ok(raw),
        None => by_labels(session, display.parameter, (display.raw_min, display.raw_max), number),
    }
}

/// Of a host that knows no rule: where its labels come to the number. Many labels at once, as each look may be a way to
/// another program.
pub fn by_labels(
    session: &dyn Session,
    parameter: ObjectId,
    (mut low, mut high): (f64, f64),
    wanted: f64,
) -> Result<f64, ToolError> {
    const LOOKS: usize = 3;
    const PARTS: usize = 1_000;
    let mut closest = (f64::INFINITY, low);
    for _ in 0..LOOKS {
        let raws: Vec<f64> = (0..=PARTS).map(|at| low + (high - low) * at as f64 / PARTS as f64).collect();
        let labels = session.labels_of(parameter, &raws)?;
        let shown: Vec<(f64, f64)> =
            raws.iter().zip(&labels).filter_map(|(raw, label)| Some((*raw, number_on(label.as_deref()?)?))).collect();
        // Of those that show the number, as rounded as it is, the middle one.
        let far = shown.iter().map(|(_, number)| (number - wanted).abs()).fold(f64::INFINITY, f64::min);
        let alike: Vec<f64> =
            shown.iter().filter(|(_, number)| (number - wanted).abs() <= far).map(|(raw, _)| *raw).collect();
        let (Some(first), Some(last)) = (alike.first(), alike.last()) else { break };
        // Where raw values are what is shown, the very number.
        let is_own = far <= 0.0 && (*first..=*last).contains(&wanted);
        let middle = if is_own { wanted } else { alike.get(alike.len() / 2).copied().unwrap_or(*first) };
        if far < closest.0 {
            closest = (far, middle);
        }
        if far <= 0.0 || high - low <= f64::EPSILON * high.abs().max(low.abs()) {
            break;
        }
        let step = (high - low) / PARTS as f64;
        (low, high) = ((first - step).max(low), (last + step).min(high));
    }
    Ok(closest.1)
}
