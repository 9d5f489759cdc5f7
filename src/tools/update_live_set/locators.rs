//! The locator operations of `svc-update-live-set`: create, rename and delete, by id, time or name.

use crate::music::{Beats, Meter, SAME_POSITION_BEATS, position};
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read::{class, number, text};
use crate::tools::address::path::Moment;
use crate::tools::address::path_parse::moment_of;
use crate::tools::address::path_resolve;
use crate::tools::address::targets::class_with_article;
use crate::tools::arguments::action_params::{self, ParamScope, sent};
use crate::tools::arguments::lists;
use crate::tools::call::CallContext;
use crate::tools::error::ToolError;
use crate::tools::report::target_result::{
    self, LeftTo, Mention, TargetResult, add_detail, later_mentions, or_detail, result_of,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

#[derive(Deserialize)]
pub struct LocatorArgs {
    #[serde(rename = "locatorOperation")]
    operation: Option<String>,
    #[serde(rename = "locatorId")]
    id: Option<String>,
    #[serde(rename = "locatorTime")]
    time: Option<String>,
    #[serde(rename = "locatorName")]
    name: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    Create,
    Rename,
    Delete,
}

/// A locator as the caller named it.
struct LocatorAddress {
    /// `id` or `time`.
    key: &'static str,
    spelling: String,
    /// Or why it names none: then it is its entry's failure.
    named: Result<LocatorName, ToolError>,
}

enum LocatorName {
    Id(ObjectId),
    Time(Moment),
}

/// What an address names in the Set.
pub struct FoundLocator {
    /// When it names a moment.
    beats: Option<Beats>,
    locator: Result<Option<ObjectId>, String>,
}

/// One operation on the locators it names.
pub struct LocatorWork {
    operation: Operation,
    addresses: Vec<LocatorAddress>,
    names: Option<lists::ValueList>,
    /// Of a deletion: the names, as they were sent.
    deleted_names: Option<String>,
}

impl LocatorWork {
    /// Reads the parameters; `None` when no operation is asked for.
    pub fn read(args: LocatorArgs) -> Result<Option<LocatorWork>, ToolError> {
        let is_sent = |text: &Option<String>| sent(text.as_ref());
        let any: &[&str] = &["create", "delete", "rename"];
        action_params::refuse_out_of_scope(
            "locatorOperation",
            args.operation.as_deref(),
            &[
                ParamScope { parameter: "locatorId", sent: is_sent(&args.id), read_by: &["delete", "rename"] },
                ParamScope { parameter: "locatorTime", sent: is_sent(&args.time), read_by: any },
                ParamScope { parameter: "locatorName", sent: is_sent(&args.name), read_by: any },
            ],
        )?;
        let operation = match args.operation.as_deref() {
            None => return Ok(None),
            Some("create") => Operation::Create,
            Some("rename") => Operation::Rename,
            Some(_) => Operation::Delete,
        };
        let addresses = addresses(args.id.filter(|t| sent(Some(t))), args.time.filter(|t| sent(Some(t))))?;
        // A blank name takes a locator's name away, but names none that are to be deleted.
        let name = args.name.filter(|text| operation != Operation::Delete || sent(Some(text)));
        match operation {
            Operation::Create if addresses.is_empty() => {
                return Err(ToolError::new("locatorOperation create needs locatorTime, such as 9|1"));
            }
            Operation::Rename if addresses.is_empty() || name.is_none() => {
                return Err(ToolError::new(
                    "locatorOperation rename needs locatorName, and locatorId or locatorTime to say whose",
                ));
            }
            Operation::Delete if addresses.is_empty() && name.is_none() => {
                return Err(ToolError::new("locatorOperation delete needs locatorId, locatorTime or locatorName"));
            }
            _ => {}
        }
        let (names, deleted_names) = match operation {
            Operation::Delete => (None, name),
            _ => (lists::spread("locatorName", name.as_ref(), addresses.len())?, None),
        };
        Ok(Some(LocatorWork { operation, addresses, names, deleted_names }))
    }

    /// Looks up what is named, with times in this meter. An error refuses the call.
    pub fn find(&self, session: &dyn Session, meter: Meter) -> Result<Vec<FoundLocator>, ToolError> {
        let found = self.addresses.iter().map(|address| address.find(session, meter)).collect::<Result<Vec<_>, _>>()?;
        match (self.addresses.as_slice(), found.as_slice()) {
            // A lone time that is none is wrong with the call, whatever else it asks.
            ([LocatorAddress { key: "time", .. }], [FoundLocator { locator: Err(why), .. }]) => {
                Err(ToolError::new(why.clone()))
            }
            _ => Ok(found),
        }
    }

    /// Does the work. Gives one entry for each address, then one for each name, with times in this meter; and why
    /// nothing was done, where the only address is a failure.
    pub fn carry_out(
        &self,
        session: &mut dyn Session,
        call: &mut CallContext,
        found: Vec<FoundLocator>,
        meter: Meter,
    ) -> Result<(Vec<Value>, Option<String>), ToolError> {
        let named = self.named(session)?;
        let identities = identities(&found);
        let later = later_mentions(&identities);
        let mut entries = Vec::new();
        let named_each = self.addresses.iter().zip(&found).zip(later.into_iter().zip(&identities));
        for (at, ((address, found), (later, identity))) in named_each.enumerate() {
            let mention = Mention { key: address.key, spelling: &address.spelling };
            let left_to = later.map(|by| match identity {
                // Nothing stands there: the later one makes the locator.
                Some(LocatorIdentity::Place(_)) => LeftTo::SamePlace(by),
                _ => LeftTo::Same(by),
            });
            let locator = found.locator.as_ref().map_err(String::as_str);
            entries.push(result_of(mention, left_to, locator, call.is_late(), |locator| {
                let mut entry = self.one(session, at, address, found.beats, *locator)?;
                say_time(&mut entry, meter);
                Ok(entry)
            }));
        }
        let refusal = match entries.as_slice() {
            [TargetResult::Skip { detail, .. }] if named.is_empty() => Some(detail.clone()),
            _ => None,
        };
        let mut values = target_result::values(entries);
        for (name, locators) in named {
            values.push(delete_named(session, &name, &locators)?);
        }
        Ok((values, refusal))
    }

    /// The names to delete by, each with its locators. A text that is a locator's whole name is that name, commas and
    /// all; any other is cut at its commas.
    fn named(&self, session: &dyn Session) -> Result<Vec<(String, Vec<ObjectId>)>, ToolError> {
        let Some(sent) = &self.deleted_names else { return Ok(Vec::new()) };
        let of_name = |name: &str| path_resolve::locators_called(session, name);
        let whole = of_name(sent)?;
        if !whole.is_empty() {
            return Ok(vec![(sent.clone(), whole)]);
        }
        let names = lists::split_names("locatorName", sent)?;
        names.into_iter().map(|name| Ok((name.clone(), of_name(&name)?))).collect()
    }

    fn one(
        &self,
        session: &mut dyn Session,
        at: usize,
        address: &LocatorAddress,
        beats: Option<Beats>,
        locator: Option<ObjectId>,
    ) -> Result<Map<String, Value>, ToolError> {
        let name = self.names.as_ref().map(|names| names.at(at));
        let spelling = &address.spelling;
        match (self.operation, locator) {
            (Operation::Create, Some(id)) if name.is_some() => Err(ToolError::new(format!(
                "a locator (id {id}) already stands at {spelling}; use rename to change its name"
            ))),
            (Operation::Create, Some(id)) => {
                let mut entry = written(session, "create", id)?;
                add_detail(&mut entry, format!("a locator already stands at {spelling}"));
                Ok(entry)
            }
            (Operation::Create, None) => {
                let id = session.create_locator(beats.unwrap_or_default())?;
                if let Some(name) = name {
                    session.set(id, "name", name.into())?;
                }
                Ok(written(session, "create", id)?)
            }
            (Operation::Rename, Some(id)) => {
                session.set(id, "name", name.unwrap_or_default().into())?;
                Ok(written(session, "rename", id)?)
            }
            (Operation::Rename, None) => {
                Err(ToolError::new(format!("no locator stands at {spelling}; locatorOperation create makes one")))
            }
            (Operation::Delete, Some(id)) => {
                let entry = written(session, "delete", id)?;
                session.delete_locator(id)?;
                Ok(entry)
            }
            (Operation::Delete, None) => {
                let mut entry =
                    Map::from_iter([(address.key.to_owned(), json!(spelling)), ("ok".to_owned(), json!(false))]);
                add_detail(&mut entry, "no such locator; nothing to delete");
                Ok(entry)
            }
        }
    }
}

/// Deletes the locators of a name, as far as the call has not deleted them by their ids or times.
fn delete_named(session: &mut dyn Session, name: &str, locators: &[ObjectId]) -> Result<Value, ToolError> {
    let mut count = 0;
    for locator in locators {
        if class(session, *locator)?.is_some() {
            session.delete_locator(*locator)?;
            count += 1;
        }
    }
    let mut entry = Map::new();
    entry.insert("operation".to_owned(), json!("delete"));
    entry.insert("count".to_owned(), json!(count));
    entry.insert("name".to_owned(), json!(name));
    match (count, locators.len()) {
        (0, 0) => {
            entry.insert("ok".to_owned(), json!(false));
            add_detail(&mut entry, "no locator has that name; nothing to delete");
        }
        (count, all) if count < all => add_detail(&mut entry, "others of that name were named in this call already"),
        _ => {}
    }
    Ok(Value::Object(entry))
}

/// What makes two addresses the same: the locator, or the place where one would be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum LocatorIdentity {
    Locator(ObjectId),
    /// Its number among the places of the call, in order of time.
    Place(usize),
}

/// What each address is about. Places less than [`SAME_POSITION_BEATS`] apart are one.
fn identities(found: &[FoundLocator]) -> Vec<Option<LocatorIdentity>> {
    let place = |found: &FoundLocator| found.beats.filter(|_| matches!(found.locator, Ok(None)));
    let mut places: Vec<Beats> = found.iter().filter_map(place).collect();
    places.sort_by(f64::total_cmp);
    places.dedup_by(|next, first| *next - *first <= SAME_POSITION_BEATS);
    let number = |beats: Beats| places.partition_point(|first| *first <= beats);
    let identity = |found: &FoundLocator| match found.locator {
        Ok(Some(id)) => Some(LocatorIdentity::Locator(id)),
        Ok(None) => found.beats.map(|beats| LocatorIdentity::Place(number(beats))),
        Err(_) => None,
    };
    found.iter().map(identity).collect()
}

/// What was done to a locator, with its name and its time in beats as they are now.
fn written(session: &dyn Session, operation: &str, id: ObjectId) -> Result<Map<String, Value>, ModelError> {
    let mut entry = Map::new();
    entry.insert("operation".to_owned(), json!(operation));
    entry.insert("id".to_owned(), json!(id.to_string()));
    entry.insert("name".to_owned(), json!(text(session, id, "name")?));
    entry.insert("time".to_owned(), json!(number(session, id, "time")?));
    Ok(entry)
}

/// Spells the time of an entry as reads do.
fn say_time(entry: &mut Map<String, Value>, meter: Meter) {
    if let Some(beats) = entry.get("time").and_then(Value::as_f64) {
        entry.insert("time".to_owned(), json!(position::format(beats, meter)));
    }
}

/// A locator by its id; another kind of object is a mistake.
fn locator_of(session: &dyn Session, id: ObjectId) -> Result<Result<Option<ObjectId>, String>, ModelError> {
    Ok(match class(session, id)? {
        Some("CuePoint") => Ok(Some(id)),
        Some(other) => Err(format!("id {id} is {}, not a locator", class_with_article(other))),
        None => Ok(None),
    })
}

impl LocatorAddress {
    fn find(&self, session: &dyn Session, meter: Meter) -> Result<FoundLocator, ToolError> {
        let moment = match &self.named {
            Err(why) => return Ok(FoundLocator { beats: None, locator: Err(why.text.clone()) }),
            Ok(LocatorName::Id(id)) => {
                return Ok(FoundLocator { beats: None, locator: locator_of(session, *id)? });
            }
            Ok(LocatorName::Time(moment)) => moment,
        };
        let beats = match moment {
            Moment::Position(text) => path_resolve::song_position(text, meter),
            Moment::Locator(_) => path_resolve::resolve_moment(session, moment),
        };
        Ok(match or_detail(beats.map_err(|e| ToolError { kind: e.kind, ..ToolError::about("locatorTime", &e) }))? {
            Ok(beats) => FoundLocator { beats: Some(beats), locator: Ok(path_resolve::locator_at(session, beats)?) },
            Err(why) => FoundLocator { beats: None, locator: Err(why) },
        })
    }
}

fn addresses(id: Option<String>, time: Option<String>) -> Result<Vec<LocatorAddress>, ToolError> {
    let mut addresses = Vec::new();
    if let Some(list) = id {
        for spelling in lists::split_targets("locatorId", &list)? {
            let number = spelling.parse().map_err(|_| {
                ToolError::about("locatorId", format!("\"{spelling}\" is no id; a position goes into locatorTime"))
            });
            let named = number.map(|number| LocatorName::Id(ObjectId(number)));
            addresses.push(LocatorAddress { key: "id", spelling, named });
        }
    }
    if let Some(list) = time {
        for spelling in lists::split_targets("locatorTime", &list)? {
            let moment = moment_of(&spelling).map_err(|e| ToolError::about("locatorTime", e));
            addresses.push(LocatorAddress { key: "time", spelling, named: moment.map(LocatorName::Time) });
        }
    }
    match addresses.as_slice() {
        [LocatorAddress { named: Err(why), .. }] => Err(why.clone()),
        _ => Ok(addresses),
    }
}
