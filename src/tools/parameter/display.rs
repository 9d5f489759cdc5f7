//! How one parameter shows its values, whatever host it is of: as labels, or as a number with a unit.

use crate::music::pitch::{self, Spelling};
use crate::object_model::faders::{SILENCE_DB, pan_text};
use crate::object_model::{ModelError, ObjectId, Readout, Session, Value as Model};
use crate::tools::address::model_read::{flag, if_any, number, text};
use crate::tools::error::ToolError;
use crate::tools::parameter::value_parse::{self, Unit};
use serde_json::{Value, json};

/// Steps of the host's pan, either side of the centre.
const PAN_STEPS: f64 = 50.0;

/// What has no upper end.
pub const INF: &str = "inf";

/// A parameter as it can be read and written.
#[derive(Clone, Debug)]
pub struct ParamDisplay {
    pub parameter: ObjectId,
    pub raw_min: f64,
    pub raw_max: f64,
    pub shows: DisplayKind,
    /// The words at the ends of the range that may be written, such as `-inf`, each with its raw value.
    pub words: Vec<(String, f64)>,
    /// Of notes' names.
    pub spelling: Spelling,
    /// The host knows no rule: its labels say what a raw value is.
    pub by_labels: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum DisplayKind {
    /// Labels of the whole raw numbers from the lowest up.
    Steps(Vec<String>),
    Number {
        unit: Unit,
        min: Option<f64>,
        max: Option<f64>,
    },
}

impl ParamDisplay {
    pub fn read(session: &dyn Session, parameter: ObjectId) -> Result<ParamDisplay, ModelError> {
        let (raw_min, raw_max) = (number(session, parameter, "min")?, number(session, parameter, "max")?);
        let (readout, by_labels) = match session.readout(parameter)? {
            Some(readout) => (readout, false),
            None => (of_labels(session, parameter, raw_min, raw_max)?, true),
        };
        let shows = match readout {
            Readout::Steps(labels) => DisplayKind::Steps(labels),
            Readout::Number { unit, at_min, at_max } => {
                DisplayKind::Number { unit: Unit::of_label(unit.unwrap_or_default()), min: at_min, max: at_max }
            }
        };
        let mut words = Vec::new();
        if !matches!(shows, DisplayKind::Steps(_)) {
            for raw in [raw_min, raw_max] {
                let word = label(session, parameter, raw)?.as_deref().and_then(value_parse::infinite);
                words.extend(word.map(|word| (word.to_owned(), raw)));
            }
        }
        Ok(ParamDisplay { parameter, raw_min, raw_max, shows, words, spelling: session.spelling(), by_labels })
    }

    /// The value now: a number, a label, a note's name, a pan such as `20L` or a word.
    pub fn value(&self, session: &dyn Session) -> Result<Value, ToolError> {
        let raw = number(session, self.parameter, "value")?;
        let word = self.words.iter().find(|(_, at)| *at == raw);
        Ok(match (&self.shows, word) {
            (DisplayKind::Steps(labels), _) => match step(labels, raw - self.raw_min) {
                Some(label) => json!(label),
                None => shown(raw),
            },
            // A number is measured there, or a word is all there is.
            (DisplayKind::Number { .. }, Some((word, _))) => json!(word),
            (DisplayKind::Number { unit: Unit::Note, .. }, None) if self.by_labels => {
                Unit::Note.spelled(raw, self.spelling)
            }
            (DisplayKind::Number { unit, .. }, None) if self.by_labels => {
                let label = label(session, self.parameter, raw)?;
                match label.as_deref().and_then(number_on) {
                    Some(number) => unit.spelled(number, self.spelling),
                    None => label.map_or_else(|| shown(raw), |label| json!(label.trim())),
                }
            }
            (DisplayKind::Number { unit, .. }, None) => {
                let number = if_any(number(session, self.parameter, "display_value"))?.unwrap_or(raw);
                unit.spelled(number, self.spelling)
            }
        })
    }

    /// The lowest and highest value that can be written; none for labels. Silence counts as its lowest decibels, and
    /// what has no end is the word `inf`.
    pub fn range(&self) -> Option<(Value, Value)> {
        let DisplayKind::Number { unit, min, max } = &self.shows else { return None };
        let end = |end: &Option<f64>, raw: f64| match end {
            Some(number) => (*number, unit.spelled(*number, self.spelling)),
            None if self.word_at(raw) == Some(INF) => (f64::INFINITY, json!(INF)),
            None => (SILENCE_DB, unit.spelled(SILENCE_DB, self.spelling)),
        };
        let (low, high) = (end(min, self.raw_min), end(max, self.raw_max));
        Some(if low.0 <= high.0 { (low.1, high.1) } else { (high.1, low.1) })
    }

    /// The word that stands at a raw end instead of a number.
    pub fn word_at(&self, raw: f64) -> Option<&str> {
        self.words.iter().find(|(_, at)| *at == raw).map(|(word, _)| word.as_str())
    }

    /// The unit as answers name it; none for a bare number.
    pub fn unit(&self) -> Option<&'static str> {
        match &self.shows {
            DisplayKind::Number { unit, .. } => unit.published(),
            DisplayKind::Steps(_) => None,
        }
    }
}

/// The label of a raw value, as the host prints it.
pub fn label(session: &dyn Session, parameter: ObjectId, raw: f64) -> Result<Option<String>, ModelError> {
    session.label_of(parameter, raw)
}

fn step(labels: &[String], at: f64) -> Option<&String> {
    labels.get(at.round().max(0.0) as usize)
}

/// Of a host that does not know its rules: by what it prints.
fn of_labels(session: &dyn Session, parameter: ObjectId, raw_min: f64, raw_max: f64) -> Result<Readout, ModelError> {
    if flag(session, parameter, "is_quantized")?
        && let Some(Model::Texts(labels)) = if_any(session.get(parameter, "value_items"))?
    {
        return Ok(Readout::Steps(labels));
    }
    let raws = [raw_min, raw_max, number(session, parameter, "value")?];
    let mut printed = session.labels_of(parameter, &raws)?.into_iter().map(Option::unwrap_or_default);
    let mut next = || printed.next().unwrap_or_default();
    let (low, high, now) = (next(), next(), next());
    let at = number_on;
    let unit = [&now, &high, &low].into_iter().find_map(|text| value_parse::number_of(text)).and_then(|(_, unit)| unit);
    let is_note = [&low, &high].into_iter().all(|text| pitch::parse(text).is_ok());
    if is_note {
        return Ok(Readout::Number { unit: Some("note"), at_min: Some(raw_min), at_max: Some(raw_max) });
    }
    Ok(Readout::Number { unit: unit.map(Unit::label), at_min: at(&low), at_max: at(&high) })
}

/// The number on a label, as `display_value` counts.
pub fn number_on(label: &str) -> Option<f64> {
    value_parse::number_of(label).map(|(number, unit)| unit.unwrap_or(Unit::Bare).in_labels(number))
}

/// A number at the resolution of reads: two decimals, four below 1.
pub fn shown(number: f64) -> Value {
    let number = at_resolution(number);
    if number.fract() == 0.0 && number.abs() < 9e15 { json!(number as i64) } else { json!(number) }
}

pub fn at_resolution(number: f64) -> f64 {
    let factor = if number.abs() < 1.0 { 10_000.0 } else { 100.0 };
    (number * factor).round() / factor + 0.0
}

/// Of a device: the parameter's name as answers show it. A macro that took its target's name shows both.
pub fn name(session: &dyn Session, parameter: ObjectId, of_rack: bool) -> Result<String, ModelError> {
    let name = text(session, parameter, "name")?;
    let original = if of_rack { text(session, parameter, "original_name")? } else { name.clone() };
    Ok(if original == name { name } else { format!("{name} ({original})") })
}

impl Unit {
    /// A number of the host's display as answers spell it.
    pub fn spelled(self, number: f64, spelling: Spelling) -> Value {
        match self {
            Unit::Pan => json!(pan_text(number / PAN_STEPS)),
            Unit::Note => match pitch_of(number) {
                Some(pitch) => json!(spelling.name(pitch)),
                None => shown(number),
            },
            _ => shown(number),
        }
    }

    /// A caller's number as the host's display counts it.
    pub fn in_display(self, number: f64) -> f64 {
        if self == Unit::Pan { number * PAN_STEPS } else { number }
    }
}

fn pitch_of(number: f64) -> Option<u8> {
    (0.0..=127.0).contains(&number).then_some(number.round() as u8)
}
