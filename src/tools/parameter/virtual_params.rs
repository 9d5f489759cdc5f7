//! What is no parameter in the object model but is read and written like one: what each of the
//! [table](crate::tools::parameter::virtual_table) takes, its value now, and how it is written.

use crate::object_model::class::{Property, ValueKind};
use crate::object_model::faders;
use crate::object_model::{ModelError, ObjectId, Session, Value as Model};
use crate::tools::address::model_read::{self, if_known, int, number, text};
use crate::tools::arguments::nearest;
use crate::tools::clip::audio_clip::raw_gain;
use crate::tools::error::ToolError;
use crate::tools::parameter::display::shown;
use crate::tools::parameter::pad_sample;
use crate::tools::parameter::side_chain;
use crate::tools::parameter::value_parse::{self, Unit};
use crate::tools::parameter::virtual_table::{Source, VirtualParam};
use serde_json::{Map, Value, json};

/// What may be written.
#[derive(Clone, Debug, PartialEq)]
pub enum AcceptedValues {
    /// Each with the number or text that stands for it.
    Labels(Vec<(String, Model)>),
    Switch,
    Number {
        min: Option<f64>,
        max: Option<f64>,
        unit: Unit,
        whole: bool,
    },
    /// A track by its id, or none.
    Track,
    Nothing,
}

/// The numbers that a parameter takes.
struct NumberRange {
    min: Option<f64>,
    max: Option<f64>,
    unit: Unit,
    whole: bool,
}

impl VirtualParam {
    fn property(
        &self,
        session: &dyn Session,
        device: ObjectId,
        member: &str,
    ) -> Result<Option<&'static Property>, ModelError> {
        Ok(session.class_of(device)?.and_then(|class| class.properties.get(member)))
    }

    pub fn accepted_values(&self, session: &dyn Session, device: ObjectId) -> Result<AcceptedValues, ModelError> {
        Ok(match &self.source {
            Source::Member(member) => {
                self.property(session, device, member)?.map_or(AcceptedValues::Nothing, from_table)
            }
            Source::Called(_, names) => numbered(names.iter().map(|name| (*name).to_owned())),
            Source::Listed { list, .. } => match if_known(session.get(device, list))? {
                Some(Model::Texts(list)) => numbered(list),
                _ => AcceptedValues::Nothing,
            },
            Source::Seconds(member) => {
                let property = self.property(session, device, member)?;
                let ms = |seconds: Option<f64>| seconds.map(|seconds| seconds * 1000.0);
                let (min, max) = property.map_or((None, None), |p| (ms(p.min), ms(p.max)));
                AcceptedValues::Number { min, max, unit: Unit::Milliseconds, whole: false }
            }
            Source::SampleGain => AcceptedValues::Number {
                min: Some(faders::SILENCE_DB),
                max: Some(24.0),
                unit: Unit::Decibels,
                whole: false,
            },
            Source::SideChainTrack => AcceptedValues::Track,
            Source::SideChainChannel => AcceptedValues::Labels(side_chain::channels(session, device)?),
            Source::SampleFile | Source::PlaybackLength => AcceptedValues::Nothing,
        })
    }

    /// The value now; `null` for none.
    pub fn value(&self, session: &dyn Session, device: ObjectId) -> Result<Value, ModelError> {
        let label = |at: i64| -> Result<Value, ModelError> {
            Ok(match self.accepted_values(session, device)? {
                AcceptedValues::Labels(labels) => {
                    let known = labels.into_iter().find(|(_, of)| of.as_i64() == Some(at));
                    known.map_or(json!(at), |(label, _)| json!(label))
                }
                AcceptedValues::Switch => json!(at != 0),
                _ => json!(at),
            })
        };
        Ok(match &self.source {
            Source::Member(member) => match session.get(device, member)? {
                Model::Bool(on) => json!(on),
                Model::Int(at) => label(at)?,
                value => value.as_f64().map_or(Value::Null, shown),
            },
            Source::Called(member, _) | Source::Listed { index: member, .. } => label(int(session, device, member)?)?,
            Source::Seconds(member) => shown(number(session, device, member)? * 1000.0),
            Source::SampleFile => match pad_sample::sample_of(session, device)? {
                Some(sample) => json!(text(session, sample, "file_path")?),
                None => Value::Null,
            },
            Source::SampleGain => match pad_sample::sample_of(session, device)? {
                Some(sample) => {
                    let db = faders::clip_gain_db(number(session, sample, "gain")?);
                    db.map_or(json!("-inf"), model_read::rounded)
                }
                None => Value::Null,
            },
            // It is a function of the Simpler, and a read calls none; the sample says it as well.
            Source::PlaybackLength => pad_sample::estimated_beats(session, device)?.map_or(Value::Null, shown),
            Source::SideChainTrack => {
                side_chain::source(session, device)?.map_or(Value::Null, |id| json!(id.to_string()))
            }
            Source::SideChainChannel => json!(side_chain::channel(session, device)?.filter(|name| !name.is_empty())),
        })
    }

    /// Its value with what may be written, as `param-values` shows it.
    pub fn with_value(&self, session: &dyn Session, device: ObjectId) -> Result<Map<String, Value>, ModelError> {
        let mut entry = Map::new();
        entry.insert("name".to_owned(), json!(self.name));
        if let Some(value) = if_known(self.value(session, device))? {
            entry.insert("value".to_owned(), value);
        }
        if let AcceptedValues::Number { min, max, unit, .. } = self.accepted_values(session, device)? {
            entry.extend(min.map(|min| ("min".to_owned(), shown(min))));
            entry.extend(max.map(|max| ("max".to_owned(), shown(max))));
            entry.extend(unit.published().map(|unit| ("unit".to_owned(), json!(unit))));
        }
        Ok(entry)
    }

    /// The values that may be written; none where any number or text may.
    pub fn choices(&self, session: &dyn Session, device: ObjectId) -> Result<Option<Vec<Value>>, ModelError> {
        Ok(match self.accepted_values(session, device)? {
            AcceptedValues::Labels(labels) => Some(labels.into_iter().map(|(label, _)| json!(label)).collect()),
            AcceptedValues::Switch => Some(vec![json!(false), json!(true)]),
            AcceptedValues::Track => {
                Some(side_chain::tracks(session, device)?.into_iter().map(|(_, id)| json!(id)).collect())
            }
            AcceptedValues::Number { .. } | AcceptedValues::Nothing => None,
        })
    }

    /// Writes it. Gives what the entry says besides the name; `Err` says why nothing was written.
    pub fn write(
        &self,
        session: &mut dyn Session,
        device: ObjectId,
        sent: Option<&str>,
    ) -> Result<Map<String, Value>, ToolError> {
        let takes = self.accepted_values(session, device)?;
        if takes == AcceptedValues::Track {
            side_chain::write_source(session, device, sent)?;
            return Ok(self.read_back(session, device)?);
        }
        let sent = sent.ok_or("null is for what may be none; send a value")?;
        match takes {
            AcceptedValues::Nothing | AcceptedValues::Track => {
                return Err(ToolError::new(match self.source {
                    Source::Listed { .. } => "its list cannot be read here",
                    _ => "it is read-only",
                }));
            }
            AcceptedValues::Switch => {
                let on = switch(sent).ok_or_else(|| format!("\"{sent}\" is not true or false"))?;
                let member = self.member().ok_or("it is read-only")?;
                let is_bool = self.property(session, device, member)?.is_some_and(|p| p.kind == ValueKind::Bool);
                let value = if is_bool { Model::Bool(on) } else { Model::Int(i64::from(on)) };
                session.set(device, member, value)?;
            }
            AcceptedValues::Labels(labels) if labels.is_empty() && matches!(self.source, Source::SideChainChannel) => {
                return Err(ToolError::new("no source has been chosen; set sidechainSourceTrackId first"));
            }
            AcceptedValues::Labels(labels) => {
                let found = label_at(&labels, sent).ok_or_else(|| {
                    let known = labels.iter().map(|(label, _)| label.as_str());
                    let why = self.only_live.map_or_else(String::new, |why| format!("; {why}"));
                    let near = nearest::hint(sent, known.clone());
                    format!("\"{sent}\" is none of its values, {}{near}{why}", listing(known))
                })?;
                match &self.source {
                    Source::SideChainChannel => side_chain::write_channel(session, device, found.clone())?,
                    _ => {
                        let member = self.member().ok_or("it is read-only")?;
                        session.set(device, member, found.clone())?;
                    }
                }
            }
            AcceptedValues::Number { min, max, unit, whole } => {
                return self.write_number(session, device, sent, &NumberRange { min, max, unit, whole });
            }
        }
        Ok(self.read_back(session, device)?)
    }

    fn write_number(
        &self,
        session: &mut dyn Session,
        device: ObjectId,
        sent: &str,
        range: &NumberRange,
    ) -> Result<Map<String, Value>, ToolError> {
        let NumberRange { min, max, unit, whole } = *range;
        let (asked, written) = match (value_parse::infinite(sent), value_parse::number_of(sent)) {
            (Some("-inf"), _) if unit == Unit::Decibels => (min.unwrap_or_default(), Some(unit)),
            (_, Some(read)) => read,
            _ => return Err(ToolError::new(format!("\"{sent}\" is no number"))),
        };
        if let Some(written) = written.filter(|written| *written != unit) {
            return Err(ToolError::new(format!("it is {}, not {}", unit.in_words(), written.in_words())));
        }
        let (low, high) = (min.unwrap_or(f64::NEG_INFINITY), max.unwrap_or(f64::INFINITY));
        let mut landed = asked.clamp(low, high);
        if whole {
            landed = landed.round();
        }
        match &self.source {
            Source::Seconds(member) => session.set(device, member, Model::Float(landed / 1000.0))?,
            Source::SampleGain => {
                let sample =
                    pad_sample::sample_of(session, device)?.ok_or("the Simpler is empty; load a sample first")?;
                session.set(sample, "gain", Model::Float(raw_gain(landed)))?;
            }
            Source::Member(member) => {
                let value = if whole { Model::Int(landed as i64) } else { Model::Float(landed) };
                session.set(device, member, value)?;
            }
            _ => return Err(ToolError::new("it is read-only")),
        }
        let mut entry = self.read_back(session, device)?;
        let now = entry.get("value").and_then(Value::as_f64);
        if now == shown(asked).as_f64() && written.is_none() {
            entry.remove("value");
        } else if now != shown(asked).as_f64() && entry.get("value") != Some(&json!("-inf")) {
            let range = match (min, max) {
                (Some(min), Some(max)) => format!("it runs from {} to {}", shown(min), shown(max)),
                _ => "the value is not as asked".to_owned(),
            };
            let why = if whole && (low..=high).contains(&asked) { "it takes whole numbers".to_owned() } else { range };
            entry.insert("detail".to_owned(), json!(why));
        }
        Ok(entry)
    }

    fn member(&self) -> Option<&'static str> {
        match self.source {
            Source::Member(member) | Source::Called(member, _) | Source::Listed { index: member, .. } => Some(member),
            _ => None,
        }
    }

    fn read_back(&self, session: &dyn Session, device: ObjectId) -> Result<Map<String, Value>, ModelError> {
        let value = if_known(self.value(session, device))?.unwrap_or(Value::Null);
        Ok(Map::from_iter([("value".to_owned(), value)]))
    }
}

/// What a member takes by the class table.
fn from_table(property: &Property) -> AcceptedValues {
    use crate::object_model::class::Access;
    if property.access != Access::ReadWrite {
        return AcceptedValues::Nothing;
    }
    match (property.kind, &property.numbers, &property.labels) {
        (ValueKind::Bool, ..) => AcceptedValues::Switch,
        (ValueKind::Int, Some(numbers), Some(labels)) => {
            let fits = |number: &i64| {
                let number = *number as f64;
                property.min.is_none_or(|min| number >= min) && property.max.is_none_or(|max| number <= max)
            };
            let pairs = labels.iter().cloned().zip(numbers.iter().copied()).filter(|(_, number)| fits(number));
            let pairs: Vec<_> = pairs.map(|(label, number)| (label, Model::Int(number))).collect();
            if pairs.iter().map(|(label, _)| label.as_str()).eq(["off", "on"]) {
                AcceptedValues::Switch
            } else {
                AcceptedValues::Labels(pairs)
            }
        }
        (ValueKind::Int, Some(numbers), None) => {
            AcceptedValues::Labels(numbers.iter().map(|number| (number.to_string(), Model::Int(*number))).collect())
        }
        (ValueKind::Int, ..) => {
            AcceptedValues::Number { min: property.min, max: property.max, unit: Unit::Bare, whole: true }
        }
        (ValueKind::Float, ..) => {
            AcceptedValues::Number { min: property.min, max: property.max, unit: Unit::Bare, whole: false }
        }
        _ => AcceptedValues::Nothing,
    }
}

fn numbered(labels: impl IntoIterator<Item = String>) -> AcceptedValues {
    AcceptedValues::Labels((0..).zip(labels).map(|(at, label)| (label, Model::Int(at))).collect())
}

/// On or off, as callers write it.
pub fn switch(sent: &str) -> Option<bool> {
    match sent.trim().to_lowercase().as_str() {
        "true" | "1" | "on" => Some(true),
        "false" | "0" | "off" => Some(false),
        _ => None,
    }
}

/// Numbers that Live's own lists spell out.
const NUMBER_WORDS: [(&str, &str); 8] = [
    ("2", "two"),
    ("3", "three"),
    ("4", "four"),
    ("5", "five"),
    ("6", "six"),
    ("8", "eight"),
    ("12", "twelve"),
    ("16", "sixteen"),
];

/// By the label, in any case, else by the number that it spells out.
fn label_at<'a>(labels: &'a [(String, Model)], sent: &str) -> Option<&'a Model> {
    let by = |wanted: &str| {
        let wanted = wanted.trim().to_lowercase();
        labels.iter().find(|(label, _)| label.trim().to_lowercase() == wanted).map(|(_, value)| value)
    };
    let spelled = || NUMBER_WORDS.iter().find(|(digits, _)| *digits == sent.trim()).and_then(|(_, word)| by(word));
    by(sent).or_else(spelled)
}

/// The first of many values, for a sentence.
pub fn listing<'a>(known: impl Iterator<Item = &'a str>) -> String {
    const SHOWN: usize = 24;
    let all: Vec<&str> = known.collect();
    let shown = all.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
    if all.len() > SHOWN { format!("{shown} and {} more", all.len() - SHOWN) } else { shown }
}
