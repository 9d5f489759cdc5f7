//! Writing the `params` of a call to one device: one entry an item, in the order of the call.

use crate::object_model::{ObjectId, Session, Value as Model};
use crate::tools::address::model_read::{flag, number};
use crate::tools::address::path::Path;
use crate::tools::address::path_parse;
use crate::tools::error::{ErrorKind, ToolError};
use crate::tools::parameter::display::{DisplayKind, ParamDisplay};
use crate::tools::parameter::find::{ParamNames, ResolvedParam};
use crate::tools::parameter::inner::{self, InnerParam};
use crate::tools::parameter::pad_sample;
use crate::tools::parameter::shown_value::{ParsedValue, beyond, by_labels, is_on_label, parse_value, text_of};
use crate::tools::parameter::value_parse::{self, Unit};
use crate::tools::parameter::virtual_params::switch;
use crate::tools::parameter::{ParamWrite, ParamWrites};
use crate::tools::report::target_result::{
    LeftTo, Mention, add_detail, item_values, later_mentions, or_detail, result_of,
};
use crate::tools::report::write_log::WriteLog;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

const NEAREST_STEP: &str = "it has steps, and this is the nearest";

/// What an item comes down to, to find what is there twice.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum WriteTarget {
    Parameter(ObjectId),
    Virtual(ObjectId, &'static str),
    ChainMember(ObjectId, &'static str),
    Sample(pad_sample::SamplePlace),
}

impl ParamWrites {
    /// A warning, where an item names a drum chain by its place in the rack.
    pub fn spelling_warning(&self, session: &dyn Session, device: ObjectId) -> Result<Option<String>, ToolError> {
        for name in self.items.iter().filter_map(|item| item.name.as_deref()) {
            if let Some((prefix, _)) = pad_sample::split(session, device, name)?
                && let Some(warning) = pad_sample::spelling_warning(session, device, prefix)?
            {
                return Ok(Some(warning));
            }
        }
        Ok(None)
    }

    /// Writes the items to the device and puts one entry for each into the device's own entry, under `params`. `force`
    /// allows a sample that has to throw away the instrument of a pad.
    pub fn write(
        &self,
        session: &mut dyn Session,
        device: ObjectId,
        force: bool,
        log: &mut WriteLog,
    ) -> Result<(), ToolError> {
        if self.items.is_empty() {
            return Ok(());
        }
        self.know_files(session);
        let names = ParamNames::of_device(session, device)?;
        let (mut entries, mut failures) = (BTreeMap::new(), Vec::new());
        let mut unloaded: Vec<&str> = Vec::new();
        // Samples first: they make the pads that other items are about.
        for samples in [true, false] {
            let in_turn = |item: &ParamWrite| pad_sample::is_sample_name(item.key().1) == samples;
            // Where a turn goes is known before its first write, so that a place named twice is written once.
            let places = self.items.iter().map(|item| match in_turn(item) {
                true => write_target(session, &names, item, force),
                false => Ok(None),
            });
            let places: Vec<Option<WriteTarget>> = places.collect::<Result<_, _>>()?;
            let items = self.items.iter().zip(later_mentions(&places)).enumerate();
            for (at, (item, later)) in items.filter(|(_, (item, _))| in_turn(item)) {
                let (key, spelling) = item.key();
                let left_to = later.map(LeftTo::Same);
                let mut entry = Map::from_iter([(key.to_owned(), json!(spelling))]);
                let written = match &left_to {
                    Some(_) => Ok(()),
                    None => {
                        let written = self.write_item(session, &names, item, force, &mut entry);
                        or_detail(written.map_err(|why| without_sample(session, device, item, &unloaded, why)))?
                    }
                };
                if written.is_err() && samples {
                    unloaded.push(spelling);
                }
                if let Err(why) = &written {
                    failures.push(format!("{spelling}: {why}"));
                }
                let written = written.as_ref().map_err(String::as_str);
                let result = result_of(Mention { key, spelling }, left_to, written, false, |_| {
                    log.record(format!("params {}", item.called()), Ok::<_, ToolError>(()))?;
                    Ok(entry)
                });
                entries.insert(at, result);
            }
        }
        let entries = entries.into_values().collect();
        log.entry.insert("params".to_owned(), Value::Array(item_values(entries)));
        // If nothing else of the device lands either, this is why.
        if failures.len() == self.items.len() {
            log.refuse_inside(failures.join("; "));
        }
        Ok(())
    }

    fn write_item(
        &self,
        session: &mut dyn Session,
        names: &ParamNames,
        item: &ParamWrite,
        force: bool,
        entry: &mut Map<String, Value>,
    ) -> Result<(), ToolError> {
        let meant = names.find(session, item)?;
        if item.is_blank() {
            return Err(ToolError::new("its value is blank; send a value, or leave the item out"));
        }
        match meant {
            ResolvedParam::Parameter { id, name } => {
                entry.clear();
                entry.insert("id".to_owned(), json!(id.to_string()));
                entry.insert("name".to_owned(), json!(name));
                let value = item.value.as_deref().ok_or("null is for what may be none; send a value")?;
                entry.extend(write_parameter(session, id, value)?);
            }
            ResolvedParam::Virtual(virtual_param) => {
                *entry = Map::from_iter([("name".to_owned(), json!(virtual_param.name))]);
                entry.extend(virtual_param.write(session, names.device, item.value.as_deref())?);
            }
            ResolvedParam::Sample { prefix } => {
                let path = item.value.as_deref().ok_or("a Simpler always keeps a sample; send an absolute path")?;
                let said = pad_sample::load(session, names.device, prefix.as_deref(), path, &self.files, force)?;
                entry.extend(said);
            }
            ResolvedParam::Inner { prefix, name } => {
                let value = item.value.as_deref();
                entry.extend(match inner::find(session, names.device, &prefix, &name)? {
                    InnerParam::Parameter(id) => {
                        write_parameter(session, id, value.ok_or("null is for what may be none; send a value")?)?
                    }
                    InnerParam::Strip(id) => {
                        let said =
                            write_parameter(session, id, value.ok_or("null is for what may be none; send a value")?)?;
                        with_value(said, ParamDisplay::read(session, id)?.value(session)?)
                    }
                    InnerParam::Virtual(device, virtual_param) => virtual_param.write(session, device, value)?,
                    InnerParam::Chain(chain, member) => {
                        let value = value.ok_or("null is for what may be none; send a value")?;
                        Map::from_iter([("value".to_owned(), member.write(session, chain, value)?)])
                    }
                });
            }
        }
        Ok(())
    }
}

/// Why an item inside a pad cannot be written, where the pad is empty because its sample of the same call was not
/// loaded; else `why`.
fn without_sample(
    session: &dyn Session,
    device: ObjectId,
    item: &ParamWrite,
    unloaded: &[&str],
    why: ToolError,
) -> ToolError {
    let way = |name: &str| {
        let (prefix, _) = pad_sample::split(session, device, name).ok()??;
        match path_parse::parse(&pad_sample::path_inside(session, device, prefix).ok()??) {
            Ok(Path::Device(way)) => Some(way),
            _ => None,
        }
    };
    let Some(own) = item.name.as_deref().filter(|_| why.kind == ErrorKind::NotFound).and_then(way) else { return why };
    let is_of = |sample: &&&str| way(sample).is_some_and(|way| own.segments.starts_with(&way.segments));
    match unloaded.iter().find(is_of) {
        Some(sample) => ToolError::new(format!("the pad is empty, as \"{sample}\" was not loaded")),
        None => why,
    }
}

fn write_target(
    session: &dyn Session,
    names: &ParamNames,
    item: &ParamWrite,
    force: bool,
) -> Result<Option<WriteTarget>, ToolError> {
    if item.is_blank() {
        return Ok(None);
    }
    let Ok(meant) = or_detail(names.find(session, item))? else { return Ok(None) };
    Ok(match meant {
        ResolvedParam::Parameter { id, .. } => Some(WriteTarget::Parameter(id)),
        ResolvedParam::Virtual(virtual_param) => Some(WriteTarget::Virtual(names.device, virtual_param.name)),
        ResolvedParam::Inner { prefix, name } => {
            match or_detail(inner::find(session, names.device, &prefix, &name))?.ok() {
                Some(InnerParam::Parameter(id) | InnerParam::Strip(id)) => Some(WriteTarget::Parameter(id)),
                Some(InnerParam::Virtual(device, of)) => Some(WriteTarget::Virtual(device, of.name)),
                Some(InnerParam::Chain(chain, member)) => Some(WriteTarget::ChainMember(chain, member.name())),
                None => None,
            }
        }
        ResolvedParam::Sample { prefix } => {
            or_detail(pad_sample::find_place(session, names.device, prefix.as_deref(), force))?
                .ok()
                .map(WriteTarget::Sample)
        }
    })
}

/// What is said of a chain's own value, which always stands in its entry.
fn with_value(mut said: Map<String, Value>, value: Value) -> Map<String, Value> {
    said.entry("value").or_insert(value);
    said
}

/// Writes one parameter. Gives what its entry says besides id and name; `Err` says why nothing was written.
pub fn write_parameter(
    session: &mut dyn Session,
    parameter: ObjectId,
    sent: &str,
) -> Result<Map<String, Value>, ToolError> {
    if !flag(session, parameter, "is_enabled")? {
        return Err(ToolError::new("it is disabled: a macro moves it, so write the macro"));
    }
    let display = ParamDisplay::read(session, parameter)?;
    let meant = parse_value(session, &display, sent)?;
    let (member, value) = match meant {
        ParsedValue::Raw(raw) => ("value", raw),
        // A pitch is its raw value.
        ParsedValue::Shown { number, unit: Unit::Note, .. } => ("value", number.round()),
        ParsedValue::Shown { number, .. } if display.by_labels => {
            ("value", by_labels(session, parameter, (display.raw_min, display.raw_max), number)?)
        }
        ParsedValue::Shown { number, .. } => ("display_value", number),
    };
    // The host brings a shown number into the range by itself, and refuses a raw one.
    let value = if member == "value" { value.clamp(display.raw_min, display.raw_max) } else { value };
    session.set(parameter, member, Model::Float(value))?;
    let now = display.value(session)?;
    let mut entry = Map::new();
    match (&display.shows, meant) {
        (_, ParsedValue::Shown { number, unit, bare }) => {
            let asked = unit.spelled(number, display.spelling);
            if now.is_string() && at_an_end(&display, &asked) {
                // The lowest number of a fader stands for silence, which is a word.
                entry.insert("value".to_owned(), now);
            } else if now != asked {
                let why = match display.range() {
                    Some((min, max)) if beyond(&display, number) => {
                        format!("brought into its range, {} to {}", text_of(&min), text_of(&max))
                    }
                    _ => NEAREST_STEP.to_owned(),
                };
                entry.insert("value".to_owned(), now);
                add_detail(&mut entry, why);
            } else if is_rounded(&asked, number) {
                entry.insert("value".to_owned(), now);
                add_detail(&mut entry, "rounded, as reads show it");
            } else if !bare {
                entry.insert("value".to_owned(), now);
            }
        }
        (DisplayKind::Steps(_), ParsedValue::Raw(_)) => {
            let label = now.as_str().unwrap_or_default().trim();
            let same = label.eq_ignore_ascii_case(sent.trim()) || is_on_label(session, parameter, label, sent)?;
            let numeric = value_parse::read(sent).is_some() && switch(sent).is_none();
            entry.insert("value".to_owned(), now);
            if numeric && !same {
                add_detail(&mut entry, NEAREST_STEP);
            }
        }
        (_, ParsedValue::Raw(_)) => {
            entry.insert("value".to_owned(), now);
        }
    }
    if let ParsedValue::Raw(asked) = meant {
        let kept = number(session, parameter, "value")?;
        entry.insert("raw".to_owned(), json!(kept));
        if kept != asked && !entry.contains_key("detail") {
            add_detail(&mut entry, NEAREST_STEP);
        }
    }
    Ok(entry)
}

/// Whether a number is shown with fewer decimals than it has.
fn is_rounded(shown: &Value, number: f64) -> bool {
    shown.as_f64().is_some_and(|shown| (shown - number).abs() > 1e-9)
}

fn at_an_end(display: &ParamDisplay, asked: &Value) -> bool {
    !display.words.is_empty() && display.range().is_some_and(|(min, max)| *asked == min || *asked == max)
}
