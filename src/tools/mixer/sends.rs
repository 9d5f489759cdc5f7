//! Sends of a track's or chain's mixer: which return a text means, and writing the levels. A chain sends to the return
//! chains of its rack.

use crate::object_model::faders::{self, SILENCE_DB};
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read::{self, number, text};
use crate::tools::address::path::{Path, TrackPath};
use crate::tools::address::path_format;
use crate::tools::address::path_parse;
use crate::tools::arguments::lists;
use crate::tools::arguments::one_or_each::{self, Levels};
use crate::tools::arguments::values;
use crate::tools::budget::MAX_LIST_ITEMS;
use crate::tools::error::ToolError;
use crate::tools::mixer::mixer_strip::{enabled, record_kept_db, shown_db};
use crate::tools::report::target_result::{add_detail, later_mentions};
use crate::tools::report::write_log::WriteLog;
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value, json};

/// Silence, as reads give it.
const SILENCE_WORD: &str = "-inf";

/// One level of the `sends` parameter.
#[derive(Clone, Debug, Deserialize)]
pub struct SendLevel {
    #[serde(rename = "return")]
    pub to: String,
    #[serde(rename = "gainDb", deserialize_with = "decibels")]
    pub gain_db: f64,
}

/// What a call asks of sends, in its own words.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SendArgs {
    send_gain_db: Option<Levels>,
    send_return: Option<String>,
    sends: Option<Vec<SendLevel>>,
}

impl SendArgs {
    /// The levels for `count` targets.
    pub fn read(&self, count: usize) -> Result<Option<Sends>, ToolError> {
        let to = values::refuse_blank("sendReturn", self.send_return.as_ref())?;
        match (&self.send_gain_db, to, self.sends.as_ref().filter(|sends| !sends.is_empty())) {
            (None, None, None) => Ok(None),
            (None, None, Some(sends)) => {
                lists::refuse_too_many_writes("sends", sends.len(), count)?;
                Ok(Some(Sends::Same(sends.clone())))
            }
            (_, _, Some(_)) => {
                Err(ToolError::new("sends and the pair sendGainDb, sendReturn say the same; send one of them"))
            }
            (Some(gain_db), Some(to), None) => {
                let gain_db = one_or_each::spread("sendGainDb", Some(gain_db.clone()), count)?;
                let to = lists::spread("sendReturn", Some(to), count)?;
                Ok(to.zip(gain_db).map(|(to, gain_db)| Sends::Paired(to, gain_db)))
            }
            (Some(_), None, None) => Err(ToolError::new("sendGainDb needs sendReturn, the return it is for")),
            (None, Some(_), None) => Err(ToolError::new("sendReturn needs sendGainDb, the level to write")),
        }
    }
}

/// Levels of sends: the same for every target, or one whose return pairs with the targets.
pub enum Sends {
    Same(Vec<SendLevel>),
    Paired(lists::ValueList, Levels),
}

impl Sends {
    /// The names of the parameters that were sent.
    pub fn sent(&self) -> &'static [&'static str] {
        match self {
            Sends::Same(_) => &["sends"],
            Sends::Paired(..) => &["sendGainDb", "sendReturn"],
        }
    }

    pub fn levels_at(&self, at: usize) -> Vec<SendLevel> {
        match self {
            Sends::Same(levels) => levels.clone(),
            Sends::Paired(to, gain_db) => vec![SendLevel { to: to.at(at).to_owned(), gain_db: gain_db.at(at) }],
        }
    }
}

/// The schema of the `sends` parameter.
pub fn schema() -> Value {
    json!({
        "type": "array",
        "maxItems": MAX_LIST_ITEMS,
        "items": {
            "type": "object",
            "properties": {
                "return": { "type": "string" },
                "gainDb": { "type": ["number", "string"], "minimum": -70, "maximum": 0 },
            },
            "required": ["return", "gainDb"],
        },
    })
}

/// What is accepted beside it: the word for silence, as reads give it.
pub fn full_schema() -> Value {
    // A text that is no level is refused when it is read.
    let level = json!({ "type": ["number", "string", "null"], "minimum": SILENCE_DB, "maximum": 0 });
    let mut schema = schema();
    // `null` is "not sent" here too.
    if let Some(fields) = schema.pointer_mut("/items/properties").and_then(Value::as_object_mut) {
        fields.insert("gainDb".to_owned(), level);
        fields.insert("return".to_owned(), json!({ "type": ["string", "null"] }));
    }
    schema
}

/// A level in decibels, or the word for silence.
fn decibels<'de, D: Deserializer<'de>>(level: D) -> Result<f64, D::Error> {
    match Value::deserialize(level)? {
        Value::String(word) if word == SILENCE_WORD => Ok(SILENCE_DB),
        level => {
            level.as_f64().ok_or_else(|| D::Error::custom("gainDb of sends is a number of decibels, -70 to 0, or -inf"))
        }
    }
}

/// A return that a text means.
struct MatchedReturn {
    at: usize,
    id: ObjectId,
    name: String,
    /// What it matched by, where the text fits another return too.
    by: Option<&'static str>,
}

/// The returns that a track or chain can send to, in order.
struct ReturnList {
    list: Vec<(ObjectId, String)>,
    /// Return chains are not named by path.
    are_chains: bool,
}

impl ReturnList {
    fn of(session: &dyn Session, id: ObjectId) -> Result<ReturnList, ToolError> {
        let are_chains = matches!(model_read::class(session, id)?, Some("Chain" | "DrumChain"));
        let (holder, list) = if are_chains {
            (model_read::child(session, id, "canonical_parent")?, "return_chains")
        } else {
            (Some(model_read::song(session)?), "return_tracks")
        };
        let holder = holder.ok_or_else(|| ToolError::new("the chain has no rack"))?;
        let mut returns = Vec::new();
        for id in model_read::children_if_any(session, holder, list)? {
            returns.push((id, text(session, id, "name")?));
        }
        Ok(ReturnList { list: returns, are_chains })
    }
}

/// By id, then name, then path, then the letter that the name begins with, then the name behind the letter; all but ids
/// in any case.
fn find_return(all: &ReturnList, wanted: &str) -> Result<MatchedReturn, String> {
    let wanted = wanted.trim();
    let lower = wanted.to_lowercase();
    let returns = &all.list;
    let by_path = match path_parse::parse(&lower) {
        Ok(Path::Track(TrackPath::Return(at))) if !all.are_chains => Some(at),
        _ => None,
    };
    // The letter and what stands behind it.
    let parts = |name: &str| {
        let mut chars = name.chars();
        let letter = chars.next()?.to_lowercase().to_string();
        chars.next().filter(|between| matches!(between, '-' | ' '))?;
        Some((letter, chars.as_str().to_lowercase()))
    };
    type Fits<'a> = &'a dyn Fn(usize, &(ObjectId, String)) -> bool;
    let ways: [(&str, Fits); 5] = [
        ("its id", &|_, (id, _)| id.to_string() == wanted),
        ("its name", &|_, (_, name)| name.to_lowercase() == lower),
        ("its path", &|at, _| by_path == Some(at)),
        ("its letter", &|_, (_, name)| parts(name).is_some_and(|(letter, _)| letter == lower)),
        ("the name behind its letter", &|_, (_, name)| parts(name).is_some_and(|(_, rest)| rest == lower)),
    ];
    let fits = |way: Fits| returns.iter().enumerate().filter(|(at, one)| way(*at, one)).map(|(at, _)| at).next();
    let Some((by, at)) = ways.iter().find_map(|(by, way)| Some((*by, fits(*way)?))) else {
        let there = returns.iter().map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(", ");
        let there = match (there.as_str(), all.are_chains) {
            ("", false) => "there are no return tracks".to_owned(),
            ("", true) => "the rack has no return chains".to_owned(),
            (there, _) => format!("there are {there}"),
        };
        return Err(format!("no return fits \"{wanted}\"; {there}"));
    };
    let (id, name) = returns.get(at).cloned().ok_or_else(|| format!("no return fits \"{wanted}\""))?;
    let others =
        |(other, one): (usize, &(ObjectId, String))| other != at && ways.iter().any(|(_, way)| way(other, one));
    let by = returns.iter().enumerate().any(others).then_some(by);
    Ok(MatchedReturn { at, id, name, by })
}

/// The parameter that sends to that return, or why it cannot be written.
fn send_to(
    session: &dyn Session,
    track: ObjectId,
    mixer: Option<ObjectId>,
    to: &MatchedReturn,
) -> Result<Result<ObjectId, String>, ModelError> {
    let send = match mixer {
        Some(mixer) => session.child_at(mixer, "sends", to.at)?,
        None => None,
    };
    Ok(match send {
        None => Err(format!("{} has no send to {}", path_format::path_and_id(session, track)?, to.name)),
        Some(send) if !enabled(session, send)? => Err(format!("the send to {} is disabled here", to.name)),
        Some(send) => Ok(send),
    })
}

/// Writes the levels of one track or chain. A send that has something to say gets an entry in `sends`; what was sent
/// twice is written by its last mention.
pub fn write(
    session: &mut dyn Session,
    track: ObjectId,
    levels: &[SendLevel],
    log: &mut WriteLog,
) -> Result<(), ToolError> {
    if levels.is_empty() {
        return Ok(());
    }
    let returns = ReturnList::of(session, track)?;
    let mixer = model_read::child(session, track, "mixer_device")?;
    let found: Vec<Result<MatchedReturn, String>> =
        levels.iter().map(|level| find_return(&returns, &level.to)).collect();
    let same: Vec<Option<usize>> = found.iter().map(|found| found.as_ref().ok().map(|to| to.at)).collect();
    let mut entries = Vec::new();
    let mut failures = Vec::new();
    let mut outcome = Ok(());
    for ((level, found), later) in levels.iter().zip(&found).zip(later_mentions(&same)) {
        let target = match found {
            Ok(to) => send_to(session, track, mixer, to)?.map(|send| (to, send)),
            Err(why) => Err(why.clone()),
        };
        let (to, send) = match target {
            Ok(found) => found,
            Err(why) => {
                entries.push(json!({ "return": level.to, "ok": false, "detail": why }));
                failures.push(why);
                continue;
            }
        };
        let mut entry = Map::new();
        entry.insert("return".to_owned(), json!(to.name));
        entry.insert("returnId".to_owned(), json!(to.id.to_string()));
        if later.is_some() {
            add_detail(&mut entry, "sent again later in this call; the later level was written");
            entries.push(Value::Object(entry));
            continue;
        }
        let raw = faders::send_raw(level.gain_db);
        if let Err(error) = log.record(format!("send {}", to.name), session.set(send, "value", raw.into())) {
            outcome = Err(ToolError::new(format!("send {}: {error}", to.name)));
            break;
        }
        let kept = faders::send_db(number(session, send, "value")?);
        record_kept_db(&mut entry, kept, level.gain_db);
        if let Some(by) = to.by {
            add_detail(&mut entry, format!("\"{}\" fits more than one return; this one by {by}", level.to));
        }
        // Beside the mention that gave way stands what was written.
        if same.iter().filter(|at| **at == Some(to.at)).count() > 1 {
            entry.insert("gainDb".to_owned(), shown_db(kept));
        }
        if entry.contains_key("detail") || entry.contains_key("gainDb") {
            entries.push(Value::Object(entry));
        }
    }
    if !entries.is_empty() {
        log.entry.insert("sends".to_owned(), Value::Array(entries));
    }
    // If nothing else of the target lands either, this is why.
    if failures.len() == levels.len() {
        log.refuse_inside(failures.join("; "));
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_return_a_text_means() {
        let list = |names: &[&str]| ReturnList {
            list: (31..).zip(names).map(|(id, name)| (ObjectId(id), (*name).to_owned())).collect(),
            are_chains: false,
        };
        let plain = list(&["A-Reverb", "B Echo", "Hall"]);
        for (wanted, at) in [
            ("31", 0),
            ("a-reverb", 0),
            ("rt1", 1),
            ("RT2", 2),
            ("a", 0),
            ("B", 1),
            (" Hall ", 2),
            ("b echo", 1),
            ("ECHO", 1),
        ] {
            let found = find_return(&plain, wanted).unwrap();
            assert_eq!((found.at, found.by), (at, None), "{wanted}");
        }
        let error = find_return(&plain, "h").err().unwrap();
        assert!(error.contains("A-Reverb, B Echo, Hall"), "{error}");
        assert!(find_return(&list(&[]), "A").err().unwrap().contains("no return tracks"));
        // A clash is settled in that order and said.
        let clash = list(&["A-Room", "a", "rt0", "31", "A-Room"]);
        for (wanted, at, by) in
            [("A", 1, Some("its name")), ("rt0", 2, Some("its name")), ("31", 0, Some("its id")), ("rt1", 1, None)]
        {
            let found = find_return(&clash, wanted).unwrap();
            assert_eq!((found.at, found.by), (at, by), "{wanted}");
        }
        assert_eq!(find_return(&clash, "A-Room").unwrap().by, Some("its name"));
        // Return chains have no such paths.
        let chains = |names: &[&str]| ReturnList { are_chains: true, ..list(names) };
        assert_eq!(find_return(&chains(&["a Room", "Hall"]), "A").unwrap().at, 0);
        assert!(find_return(&chains(&["Room"]), "rt0").err().unwrap().contains("there are Room"));
        assert!(find_return(&chains(&[]), "A").err().unwrap().contains("no return chains"));
    }
}
