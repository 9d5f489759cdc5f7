//! Sends of a track's mixer: which return a text means, and writing the levels.

use super::entry::add_detail;
use super::objects::{self, number, text};
use super::path::{self, Path, TrackPath};
use super::steps::Steps;
use super::strip::{enabled, same_db, shown_db};
use crate::object_model::{ObjectId, Session};
use crate::set::display;
use crate::tools::ToolError;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// One level of the `sends` parameter.
#[derive(Clone, Debug, Deserialize)]
pub struct SendLevel {
    #[serde(rename = "return")]
    pub to: String,
    #[serde(rename = "gainDb")]
    pub gain_db: f64,
}

/// A return track that a text means.
struct Matched {
    at: usize,
    id: ObjectId,
    name: String,
    /// What it matched by, where the text fits another return too.
    by: Option<&'static str>,
}

/// The return tracks, in order.
fn returns(session: &dyn Session) -> Result<Vec<(ObjectId, String)>, ToolError> {
    let song = objects::song(session)?;
    let all = objects::children(session, song, "return_tracks").map(|id| Ok((id, text(session, id, "name")?)));
    all.collect()
}

/// By id, then name, then path, then the letter that the name begins with; all but ids in any case.
fn matched(returns: &[(ObjectId, String)], wanted: &str) -> Result<Matched, String> {
    let wanted = wanted.trim();
    let lower = wanted.to_lowercase();
    let by_path = match path::parse(&lower) {
        Ok(Path::Track(TrackPath::Return(at))) => Some(at),
        _ => None,
    };
    let letter = |name: &str| {
        let mut chars = name.chars();
        let first = chars.next().map(|c| c.to_lowercase().to_string());
        matches!(chars.next(), Some('-' | ' ')) && first.as_deref() == Some(lower.as_str())
    };
    type Fits<'a> = &'a dyn Fn(usize, &(ObjectId, String)) -> bool;
    let ways: [(&str, Fits); 4] = [
        ("its id", &|_, (id, _)| id.to_string() == wanted),
        ("its name", &|_, (_, name)| name.to_lowercase() == lower),
        ("its path", &|at, _| by_path == Some(at)),
        ("its letter", &|_, (_, name)| letter(name)),
    ];
    let fits = |way: Fits| returns.iter().enumerate().filter(|(at, one)| way(*at, one)).map(|(at, _)| at).next();
    let Some((by, at)) = ways.iter().find_map(|(by, way)| Some((*by, fits(*way)?))) else {
        let there = returns.iter().map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(", ");
        let there =
            if there.is_empty() { "there are no return tracks".to_owned() } else { format!("there are {there}") };
        return Err(format!("no return fits \"{wanted}\"; {there}"));
    };
    let (id, name) = returns.get(at).cloned().ok_or_else(|| format!("no return fits \"{wanted}\""))?;
    let others =
        |(other, one): (usize, &(ObjectId, String))| other != at && ways.iter().any(|(_, way)| way(other, one));
    let by = returns.iter().enumerate().any(others).then_some(by);
    Ok(Matched { at, id, name, by })
}

/// Writes the levels of one track. A send that has something to say gets an entry in `sends`; what was sent twice is
/// written by its last mention.
pub fn write(
    session: &mut dyn Session,
    track: ObjectId,
    levels: &[SendLevel],
    steps: &mut Steps,
) -> Result<(), ToolError> {
    if levels.is_empty() {
        return Ok(());
    }
    let returns = returns(session)?;
    let mixer = objects::child(session, track, "mixer_device")?;
    let found: Vec<Result<Matched, String>> = levels.iter().map(|level| matched(&returns, &level.to)).collect();
    let same: Vec<Option<usize>> = found.iter().map(|found| found.as_ref().ok().map(|to| to.at)).collect();
    let mut entries = Vec::new();
    let mut failures = Vec::new();
    let mut outcome = Ok(());
    for (at, (level, found)) in levels.iter().zip(&found).enumerate() {
        let target = found.as_ref().map_err(Clone::clone).and_then(|to| {
            let send = mixer.and_then(|mixer| session.child_at(mixer, "sends", to.at));
            let send = send.ok_or_else(|| format!("{} has no send to {}", objects::named(session, track), to.name))?;
            if !enabled(session, send) {
                return Err(format!("the send to {} is disabled here", to.name));
            }
            Ok((to, send))
        });
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
        if super::entry::named_again(&same, at).is_some() {
            add_detail(&mut entry, "sent again later in this call; the later level was written");
            entries.push(Value::Object(entry));
            continue;
        }
        let raw = display::send_raw(level.gain_db);
        if let Err(error) = steps.did(format!("send {}", to.name), session.set(send, "value", raw.into())) {
            outcome = Err(ToolError::new(format!("send {}: {error}", to.name)));
            break;
        }
        let kept = display::send_db(number(session, send, "value")?);
        if !same_db(kept, level.gain_db) {
            entry.insert("gainDb".to_owned(), shown_db(kept));
            add_detail(&mut entry, "gainDb is not as asked");
        }
        if let Some(by) = to.by {
            add_detail(&mut entry, format!("\"{}\" fits more than one return; this one by {by}", level.to));
        }
        if entry.contains_key("detail") {
            entries.push(Value::Object(entry));
        }
    }
    if !entries.is_empty() {
        steps.entry.insert("sends".to_owned(), Value::Array(entries));
    }
    // If nothing else of the target lands either, this is why.
    if failures.len() == levels.len() {
        steps.refuse_inside(failures.join("; "));
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_return_a_text_means() {
        let list = |names: &[&str]| -> Vec<(ObjectId, String)> {
            (31..).zip(names).map(|(id, name)| (ObjectId(id), (*name).to_owned())).collect()
        };
        let plain = list(&["A-Reverb", "B Echo", "Hall"]);
        for (wanted, at) in
            [("31", 0), ("a-reverb", 0), ("rt1", 1), ("RT2", 2), ("a", 0), ("B", 1), (" Hall ", 2), ("b echo", 1)]
        {
            let found = matched(&plain, wanted).unwrap();
            assert_eq!((found.at, found.by), (at, None), "{wanted}");
        }
        let error = matched(&plain, "h").err().unwrap();
        assert!(error.contains("A-Reverb, B Echo, Hall"), "{error}");
        assert!(matched(&[], "A").err().unwrap().contains("no return tracks"));
        // A clash is settled in that order and said.
        let clash = list(&["A-Room", "a", "rt0", "31", "A-Room"]);
        for (wanted, at, by) in
            [("A", 1, Some("its name")), ("rt0", 2, Some("its name")), ("31", 0, Some("its id")), ("rt1", 1, None)]
        {
            let found = matched(&clash, wanted).unwrap();
            assert_eq!((found.at, found.by), (at, by), "{wanted}");
        }
        assert_eq!(matched(&clash, "A-Room").unwrap().by, Some("its name"));
    }
}
