//! Writing the `params` of a call to one device: one entry an item, in the order of the call.

use crate::music::pitch;
use crate::object_model::{ObjectId, Session, Value as Model};
use crate::tools::address::model_read::{flag, if_any, number};
use crate::tools::arguments::nearest;
use crate::tools::error::ToolError;
use crate::tools::parameter::display::{DisplayKind, ParamDisplay};
use crate::tools::parameter::find::{ParamNames, ResolvedParam};
use crate::tools::parameter::pad_sample;
use crate::tools::parameter::value_parse::{self, Unit, WrittenUnit};
use crate::tools::parameter::virtual_params::{listing, switch};
use crate::tools::parameter::{ParamWrite, ParamWrites};
use crate::tools::report::target_result::{
    LeftTo, Mention, add_detail, item_values, later_mention, or_detail, result_of,
};
use crate::tools::report::write_log::WriteLog;
use serde_json::{Map, Value, json};

/// What an item comes down to, to find what is there twice.
#[derive(Clone, Debug, PartialEq)]
enum WriteTarget {
    Parameter(ObjectId),
    Virtual(&'static str),
    Sample(pad_sample::SamplePlace),
}

impl ParamWrites {
    /// Refuses the call where two items are one parameter of the device, such as by name and by id.
    pub fn check(&self, session: &dyn Session, device: ObjectId) -> Result<(), ToolError> {
        let names = ParamNames::of_device(session, device)?;
        let mut seen: Vec<(WriteTarget, &ParamWrite)> = Vec::new();
        for item in &self.items {
            let place = match or_detail(names.find(session, item))? {
                Ok(ResolvedParam::Parameter { id, .. }) => WriteTarget::Parameter(id),
                Ok(ResolvedParam::Virtual(virtual_param)) => WriteTarget::Virtual(virtual_param.name),
                _ => continue,
            };
            if let Some((_, other)) = seen.iter().find(|(other, _)| *other == place) {
                return Err(ToolError::about(
                    "params",
                    format!("{} and {} are one parameter of this device; send it once", other.called(), item.called()),
                ));
            }
            seen.push((place, item));
        }
        Ok(())
    }

    /// A warning, where an item names a drum chain by its place in the rack.
    pub fn spelling_warning(&self, session: &dyn Session, device: ObjectId) -> Result<Option<String>, ToolError> {
        let samples = self.items.iter().filter(|item| pad_sample::is_sample_name(item.key().1));
        for (prefix, _) in samples.filter_map(|item| item.name.as_deref()?.rsplit_once('/')) {
            if let Some(warning) = pad_sample::spelling_warning(session, device, prefix)? {
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
        // Where samples go is known before the first is loaded, so that a place named twice is loaded once.
        let places = self.items.iter().map(|item| write_target(session, &names, item, force));
        let places: Vec<Option<WriteTarget>> = places.collect::<Result<_, _>>()?;
        let (mut entries, mut failures) = (Vec::new(), Vec::new());
        for (at, item) in self.items.iter().enumerate() {
            let (key, spelling) = item.key();
            let left_to = later_mention(&places, at).map(LeftTo::Same);
            let mut entry = Map::from_iter([(key.to_owned(), json!(spelling))]);
            let written = match &left_to {
                Some(_) => Ok(()),
                None => or_detail(self.write_item(session, &names, item, force, &mut entry))?,
            };
            if let Err(why) = &written {
                failures.push(format!("{spelling}: {why}"));
            }
            let written = written.as_ref().map_err(String::as_str);
            entries.push(result_of(Mention { key, spelling }, left_to, written, false, |_| {
                log.record(format!("params {}", item.called()), Ok::<_, ToolError>(()))?;
                Ok(entry)
            }));
        }
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
        }
        Ok(())
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
        ResolvedParam::Virtual(virtual_param) => Some(WriteTarget::Virtual(virtual_param.name)),
        ResolvedParam::Sample { prefix } => {
            or_detail(pad_sample::find_place(session, names.device, prefix.as_deref(), force))?
                .ok()
                .map(WriteTarget::Sample)
        }
    })
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
        ParsedValue::Shown { number, .. } => ("display_value", number),
    };
    // The host brings a shown number into the range by itself, and refuses a raw one.
    let value = if member == "value" { value.clamp(display.raw_min, display.raw_max) } else { value };
    session.set(parameter, member, Model::Float(value))?;
    let now = display.value(session)?;
    let mut entry = Map::new();
    match (&display.shows, meant) {
        (_, ParsedValue::Shown { number, unit, bare }) => {
            let asked = unit.spelled(number);
            if now.is_string() && at_an_end(&display, &asked) {
                // The lowest number of a fader stands for silence, which is a word.
                entry.insert("value".to_owned(), now);
            } else if now != asked {
                let why = match display.range() {
                    Some((min, max)) if beyond(&display, number) => {
                        format!("brought into its range, {} to {}", text_of(&min), text_of(&max))
                    }
                    _ => "it has steps, and this is the nearest".to_owned(),
                };
                entry.insert("value".to_owned(), now);
                add_detail(&mut entry, why);
            } else if !bare {
                entry.insert("value".to_owned(), now);
            }
        }
        (DisplayKind::Steps(_), ParsedValue::Raw(_)) => {
            let same = now.as_str().is_some_and(|label| label.trim().eq_ignore_ascii_case(sent.trim()));
            let numeric = value_parse::number_of(sent).is_some() && switch(sent).is_none();
            entry.insert("value".to_owned(), now);
            if numeric && !same {
                add_detail(&mut entry, "it has steps, and this is the nearest");
            }
        }
        (_, ParsedValue::Raw(_)) => {
            entry.insert("value".to_owned(), now);
        }
    }
    Ok(entry)
}

fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn at_an_end(display: &ParamDisplay, asked: &Value) -> bool {
    !display.words.is_empty() && display.range().is_some_and(|(min, max)| *asked == min || *asked == max)
}

fn beyond(display: &ParamDisplay, number: f64) -> bool {
    let DisplayKind::Number { min, max, .. } = &display.shows else { return false };
    let (min, max) = (min.unwrap_or(f64::NEG_INFINITY), max.unwrap_or(f64::INFINITY));
    !(min.min(max)..=min.max(max)).contains(&number) || display.words.iter().any(|(word, _)| word == "-inf" && number < -69.0)
}

/// What a written value comes down to.
#[derive(Clone, Copy, Debug, PartialEq)]
enum ParsedValue {
    Raw(f64),
    /// As `display_value` counts; `bare` was sent as a plain number.
    Shown {
        number: f64,
        unit: Unit,
        bare: bool,
    },
}

fn parse_value(session: &dyn Session, display: &ParamDisplay, sent: &str) -> Result<ParsedValue, ToolError> {
    if let Some((_, raw)) =
        value_parse::infinite(sent).and_then(|word| display.words.iter().find(|(known, _)| known == word))
    {
        return Ok(ParsedValue::Raw(*raw));
    }
    if let Some(raw) = value_parse::raw_number(sent) {
        let (low, high) = (display.raw_min, display.raw_max);
        let inside = (low..=high).contains(&raw);
        return inside.then_some(ParsedValue::Raw(raw)).ok_or_else(|| {
            ToolError::new(format!("\"{sent}\" is outside its raw range, {low} to {high}"))
        });
    }
    match &display.shows {
        DisplayKind::Steps(labels) => Ok(ParsedValue::Raw(step(display, labels, sent)?)),
        DisplayKind::Number { unit, .. } => shown_number(session, display, *unit, sent),
    }
}

/// The raw value of a label: itself in any case, on or off, else the nearest of those that are numbers.
fn step(display: &ParamDisplay, labels: &[String], sent: &str) -> Result<f64, String> {
    let raw = |at: usize| display.raw_min + at as f64;
    let wanted = sent.trim().to_lowercase();
    if let Some(at) = labels.iter().position(|label| label.trim().to_lowercase() == wanted) {
        return Ok(raw(at));
    }
    let is_switch = labels.len() == 2 && labels.iter().any(|label| label.eq_ignore_ascii_case("on"));
    if is_switch && let Some(on) = switch(sent) {
        let on_at = labels.iter().position(|label| label.eq_ignore_ascii_case("on")).unwrap_or(1);
        return Ok(raw(if on { on_at } else { 1 - on_at }));
    }
    if let Some((number, unit)) = value_parse::number_of(sent).filter(|_| !is_switch) {
        let fits = |label: &String| match value_parse::number_of(label) {
            Some((of, own)) if unit.is_none() || own == unit => Some((of - number).abs()),
            _ => None,
        };
        let distances = labels.iter().enumerate().filter_map(|(at, label)| Some((at, fits(label)?)));
        let nearest = distances.min_by(|(_, a), (_, b)| a.total_cmp(b));
        if let Some((at, _)) = nearest {
            return Ok(raw(at));
        }
    }
    let known = labels.iter().map(String::as_str);
    let near = nearest::hint(sent, known.clone());
    Err(format!("\"{sent}\" is none of its values, {}{near}", listing(known)))
}

/// The raw value that the host labels with this text, letter for letter but for blanks and case: at an end, as it stands
/// now, of a fresh device, or at a whole number of a short range.
fn labelled(session: &dyn Session, display: &ParamDisplay, sent: &str) -> Result<Option<f64>, ToolError> {
    const SHORT: f64 = 128.0;
    let (low, high) = (display.raw_min, display.raw_max);
    let now = number(session, display.parameter, "value")?;
    let default = if_any(number(session, display.parameter, "default_value"))?;
    let short = low.fract() == 0.0 && (2.0..=SHORT).contains(&(high - low));
    let whole = if short { (low as i64)..=(high as i64) } else { 1..=0 };
    let packed = |text: &str| text.split_whitespace().collect::<String>().to_lowercase();
    let wanted = packed(sent);
    for raw in [low, high, now].into_iter().chain(default).chain(whole.map(|raw| raw as f64)) {
        if session.label_of(display.parameter, raw)?.is_some_and(|label| packed(&label) == wanted) {
            return Ok(Some(raw));
        }
    }
    Ok(None)
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
    let labels = own_labels(session, display)?;
    // A ratio such as 1 : 2.5 is shown, and counted, by its second part.
    let one_to = labels.iter().any(|label| value_parse::of_one_to(label).is_some());
    if one_to && let Some(second) = value_parse::of_one_to(sent) {
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
            let own = labels.iter().filter_map(|label| value_parse::tail(label));
            if own.into_iter().any(|own| value_parse::tail(sent) == Some(own)) {
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
