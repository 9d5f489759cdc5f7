//! How a clip's place was said before paths were: by slot, by the numbers of its track and scene, by its start on the
//! timeline.

use crate::tools::address::path::{LanePath, Path, TrackPath};
use crate::tools::address::path_parse;
use crate::tools::address::path_parse::parse_old;
use crate::tools::aliases::fold::{LARGEST_INDEX, blank, listed, quoted};
use crate::tools::arguments::lists;
use crate::tools::error::ToolError;
use crate::tools::tool::{AliasRule, ParamAlias};
use crate::tools::tool::{Param, ParamKind};
use serde_json::{Map, Value, json};

const fn text(name: &'static str) -> Param {
    Param::new(name, ParamKind::Text, "")
}

const TRACK_INDEX: Param = Param::new("trackIndex", ParamKind::IntegerIn(0, LARGEST_INDEX), "");
const SCENE_INDEX: Param = Param::new("sceneIndex", ParamKind::IntegerIn(0, LARGEST_INDEX), "");

/// Everything that once said where a new clip goes.
pub const NEW_CLIP: ParamAlias = ParamAlias {
    params: &[TRACK_INDEX, SCENE_INDEX, text("slot"), text("arrangementStart"), text("takeLane")],
    into: "path",
    rule: AliasRule::Combined(|sent| folded(sent, NEW_CLIP_NAMES, new_clip)),
};

/// Everything that once said which clip of the Session is meant.
pub const OLD_CLIP: ParamAlias = ParamAlias {
    params: &[TRACK_INDEX, SCENE_INDEX, text("slot")],
    into: "path",
    rule: AliasRule::Combined(|sent| folded(sent, OLD_CLIP_NAMES, old_clip)),
};

const NEW_CLIP_NAMES: &[&str] = &["trackIndex", "sceneIndex", "slot", "arrangementStart", "takeLane"];
const OLD_CLIP_NAMES: &[&str] = &["trackIndex", "sceneIndex", "slot"];

/// What once said which clip of the Arrangement is meant: its track, and where it begins.
pub const ARRANGED_CLIP: ParamAlias = ParamAlias {
    params: &[TRACK_INDEX, text("arrangementStart")],
    into: "path",
    rule: AliasRule::Partial(arranged_clip),
};

/// The same where `arrangementStart` beside a clip that is named says where the clip goes.
pub const ARRANGED_SOURCE: ParamAlias = ParamAlias {
    params: &[TRACK_INDEX, text("arrangementStart")],
    into: "path",
    rule: AliasRule::Partial(|map| named_by_start(map).map(Option::unwrap_or_default)),
};

/// The names that were never parameters: the others are older ones.
const ALIASES: [&str; 2] = ["trackIndex", "sceneIndex"];

type ToSend = fn(&Sent) -> Result<(String, Vec<String>), ToolError>;

/// What was sent of these parameters.
struct Sent<'a>(&'a Map<String, Value>);

impl Sent<'_> {
    fn index(&self, name: &str) -> Option<usize> {
        self.0.get(name).and_then(Value::as_u64).and_then(|at| usize::try_from(at).ok())
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str).filter(|text| !text.trim().is_empty())
    }

    fn list(&self, name: &str) -> Result<Option<Vec<String>>, ToolError> {
        self.text(name).map(|text| lists::split_targets(name, text)).transpose()
    }

    /// The refusal of parameters beside one that says it alone.
    fn refuse_beside(&self, winner: &str, extras: &[&'static str]) -> Result<(), ToolError> {
        let sent: Vec<&str> = extras.iter().copied().filter(|name| self.0.contains_key(*name)).collect();
        if sent.is_empty() {
            return Ok(());
        }
        let deprecated = if sent.iter().all(|name| ALIASES.contains(name)) { "" } else { " (deprecated)" };
        let sent = listed(&sent);
        Err(ToolError::new(format!("{winner} already says it; leave out {sent}{deprecated}, even where they agree")))
    }
}

/// Puts the paths into the call; gives the warnings that show them.
fn folded(map: &mut Map<String, Value>, names: &[&'static str], to_send: ToSend) -> Result<Vec<String>, ToolError> {
    let sent = Sent(map);
    let (path, mut warnings) = to_send(&sent)?;
    let names = names.iter().copied().filter(|name| map.contains_key(*name));
    let (aliases, old): (Vec<&str>, Vec<&str>) = names.partition(|name| ALIASES.contains(name));
    let shown = quoted(&path);
    let lanes = if old.contains(&"takeLane") {
        "; lanes count from 0 in a path, and takeLane 0 was the main lane, which is the track itself"
    } else {
        ""
    };
    if !aliases.is_empty() {
        let were = if aliases.len() == 1 { "was" } else { "were" };
        warnings.push(format!("{} {were} accepted as a fallback; send path: {shown} instead", listed(&aliases)));
    }
    if !old.is_empty() {
        let are = if old.len() == 1 { "is" } else { "are" };
        warnings
            .push(format!("{} {are} deprecated and will be removed; send path: {shown} instead{lanes}", listed(&old)));
    }
    map.insert("path".to_owned(), json!(path));
    Ok(warnings)
}

/// The slots of an old list.
fn slots(list: Vec<String>) -> Result<Vec<String>, ToolError> {
    let one = |text: String| match parse_old(&text).map_or_else(|| path_parse::parse(&text), Ok) {
        Ok(slot @ Path::Slot { .. }) => Ok(slot.to_string()),
        _ => Err(ToolError::about("slot", format!("\"{text}\" is no clip slot; send path: \"t0/s0\""))),
    };
    list.into_iter().map(one).collect()
}

fn of_indices(sent: &Sent) -> Result<Option<String>, ToolError> {
    match (sent.index("trackIndex"), sent.index("sceneIndex")) {
        (Some(track), Some(scene)) => Ok(Some(Path::Slot { track, scene }.to_string())),
        (None, None) => Ok(None),
        (Some(track), None) => Err(ToolError::new(format!(
            "trackIndex alone names no clip; send path: \"t{track}/s0\" for a slot or \"t{track}[1|1]\" for the Arrangement"
        ))),
        (None, Some(scene)) => {
            Err(ToolError::new(format!("sceneIndex alone names no clip; send path: \"t0/s{scene}\"")))
        }
    }
}

fn old_clip(sent: &Sent) -> Result<(String, Vec<String>), ToolError> {
    if sent.text("path").is_some() {
        sent.refuse_beside("path", &["trackIndex", "sceneIndex", "slot"])?;
    }
    if let Some(list) = sent.list("slot")? {
        sent.refuse_beside("slot", &["trackIndex", "sceneIndex"])?;
        return Ok((slots(list)?.join(","), Vec::new()));
    }
    Ok((of_indices(sent)?.unwrap_or_default(), Vec::new()))
}

fn new_clip(sent: &Sent) -> Result<(String, Vec<String>), ToolError> {
    let starts = sent.list("arrangementStart")?;
    let mut places = match sent.list("path")? {
        Some(list) => {
            sent.refuse_beside("path", &["trackIndex", "sceneIndex", "slot"])?;
            let lanes = list.iter().map(|text| bare_lane(text)).collect::<Option<Vec<_>>>();
            match (starts, lanes) {
                (Some(starts), Some(lanes)) => on_lanes(&lanes, &starts)?,
                (Some(_), None) => {
                    sent.refuse_beside("path", &["arrangementStart"])?;
                    list
                }
                (None, _) => list,
            }
        }
        None => {
            let mut places = match sent.list("slot")? {
                Some(list) => {
                    sent.refuse_beside("slot", &["sceneIndex"])?;
                    slots(list)?
                }
                None => Vec::new(),
            };
            match (starts, sent.index("trackIndex")) {
                (Some(starts), Some(track)) => {
                    sent.refuse_beside("arrangementStart", &["sceneIndex"])?;
                    places.extend(on_lanes(&[LanePath { track, take_lane: None }], &starts)?);
                }
                (Some(starts), None) => {
                    let start = starts.first().map_or("1|1", String::as_str);
                    return Err(ToolError::new(format!(
                        "arrangementStart needs the track; send path: \"t0[{start}]\""
                    )));
                }
                // The track of whole slots is no news.
                (None, _) if !places.is_empty() => {}
                (None, _) => places.extend(of_indices(sent)?),
            }
            places
        }
    };
    let mut warnings = Vec::new();
    if let Some(lanes) = sent.list("takeLane")? {
        let to_a_slot = into_lanes(&mut places, &lanes)?;
        if to_a_slot {
            warnings.push("takeLane ignored for session clips: only the Arrangement has take lanes".to_owned());
        }
    }
    Ok((places.join(","), warnings))
}

/// Names a clip by its track and its start, where nothing else names one; `None` where these do not.
fn named_by_start(map: &mut Map<String, Value>) -> Result<Option<Vec<String>>, ToolError> {
    let sent = Sent(map);
    let is_clip = sent.text("type").is_none_or(|kind| kind == "clip");
    let (Some(starts), Some(track), true) = (sent.list("arrangementStart")?, sent.index("trackIndex"), is_clip) else {
        return Ok(None);
    };
    let is_named = |name: &str| map.get(name).is_some_and(|value| !blank(value));
    if ["id", "path", "slot", "sceneIndex", "deviceIndex", "devicePath"].into_iter().any(is_named) {
        return Ok(None);
    }
    let path = on_lanes(&[LanePath { track, take_lane: None }], &starts)?.join(",");
    Ok(Some(vec![put(map, path, &["trackIndex", "arrangementStart"])]))
}

fn arranged_clip(map: &mut Map<String, Value>) -> Result<Vec<String>, ToolError> {
    if let Some(warnings) = named_by_start(map)? {
        return Ok(warnings);
    }
    let sent = Sent(map);
    let Some(starts) = sent.list("arrangementStart")? else { return Ok(Vec::new()) };
    if let Some(kind) = sent.text("type").filter(|kind| *kind != "clip") {
        return Err(ToolError::new(format!("arrangementStart names a clip; this call has type {kind}")));
    }
    let lanes = match sent.list("path")? {
        Some(list) => list.iter().map(|text| bare_lane(text)).collect::<Option<Vec<_>>>(),
        None => None,
    };
    if let Some(lanes) = lanes {
        let path = on_lanes(&lanes, &starts)?.join(",");
        return Ok(vec![put(map, path, &["arrangementStart"])]);
    }
    for named in ["path", "id", "slot", "sceneIndex", "devicePath"] {
        if map.get(named).is_some_and(|value| !blank(value)) {
            sent.refuse_beside(named, &["arrangementStart"])?;
        }
    }
    let start = starts.first().map_or("1|1", String::as_str);
    Err(ToolError::new(format!("arrangementStart needs the track; send path: \"t0[{start}]\"")))
}

/// Puts the path in the place of what said it before, and gives the warning.
fn put(map: &mut Map<String, Value>, path: String, names: &[&str]) -> String {
    names.iter().for_each(|name| drop(map.remove(*name)));
    let are = if names.len() == 1 { "is" } else { "are" };
    let warning =
        format!("{} {are} deprecated and will be removed; send path: {} instead", listed(names), quoted(&path));
    map.insert("path".to_owned(), json!(path));
    warning
}

/// A path that is a whole lane.
fn bare_lane(text: &str) -> Option<LanePath> {
    match path_parse::parse(text).ok()? {
        Path::Track(TrackPath::Regular(track)) => Some(LanePath { track, take_lane: None }),
        Path::Lane { track, lane } => Some(LanePath { track, take_lane: Some(lane) }),
        _ => None,
    }
}

/// The positions on the lanes: one lane takes them all.
fn on_lanes(lanes: &[LanePath], starts: &[String]) -> Result<Vec<String>, ToolError> {
    if lanes.len() != 1 && lanes.len() != starts.len() {
        return Err(ToolError::new(format!(
            "arrangementStart has {} positions for {} tracks; write each place as a path, such as \"t0[5|1]\"",
            starts.len(),
            lanes.len()
        )));
    }
    let lane = |at: usize| lanes.get(at).or(lanes.first());
    let place = |(at, start): (usize, &String)| lane(at).map(|lane| format!("{lane}[{start}]"));
    Ok(starts.iter().enumerate().filter_map(place).collect())
}

/// Brings places of the Arrangement onto take lanes; whether there are slots among them.
fn into_lanes(places: &mut [String], lanes: &[String]) -> Result<bool, ToolError> {
    let mut to_a_slot = false;
    let on_timeline = places.iter().filter(|place| place.contains('[')).count();
    if lanes.len() != 1 && lanes.len() != on_timeline && lanes.len() != places.len() {
        return Err(ToolError::new(format!("takeLane has {} values for {} clips", lanes.len(), places.len())));
    }
    let mut nth = 0;
    let per_place = lanes.len() == places.len();
    for (at, place) in places.iter_mut().enumerate() {
        let Ok(Path::Arrangement { lane: Some(mut lane), at: moment }) = path_parse::parse(place) else {
            to_a_slot = true;
            continue;
        };
        let text = lanes.get(if per_place { at } else { nth }).or(lanes.first()).map_or("", String::as_str);
        nth += 1;
        let number: usize = text.trim().parse().map_err(|_| {
            ToolError::about(
                "takeLane",
                format!("\"{text}\" is no lane number; send path: \"t0/l0[1|1]\" for the first"),
            )
        })?;
        if lane.take_lane.is_some() {
            return Err(ToolError::new(
                "path already says it; leave out \"takeLane\" (deprecated), even where they agree",
            ));
        }
        lane.take_lane = number.checked_sub(1);
        *place = Path::Arrangement { lane: Some(lane), at: moment }.to_string();
    }
    Ok(to_a_slot)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fold(sent: Value, with: ToSend) -> Result<(String, Vec<String>), String> {
        let Value::Object(mut map) = sent else { return Err("no object".to_owned()) };
        let warnings = folded(&mut map, NEW_CLIP_NAMES, with).map_err(|e| e.text)?;
        Ok((map["path"].as_str().unwrap_or_default().to_owned(), warnings))
    }

    #[test]
    fn places_as_they_were_said() {
        for (sent, path) in [
            (json!({"slot": "0/3"}), "t0/s3"),
            (json!({"slot": "0/3,1/0"}), "t0/s3,t1/s0"),
            (json!({"trackIndex": 2, "sceneIndex": 1}), "t2/s1"),
            (json!({"trackIndex": 2, "slot": "0/3"}), "t0/s3"),
            (json!({"trackIndex": 2, "arrangementStart": "5|1,9|1"}), "t2[5|1],t2[9|1]"),
            (json!({"trackIndex": 2, "arrangementStart": "loc:A", "slot": "1/1"}), "t1/s1,t2[loc:A]"),
            (json!({"path": "t1", "arrangementStart": "5|1"}), "t1[5|1]"),
            (json!({"path": "t1/l0,t2", "arrangementStart": "5|1,6|1"}), "t1/l0[5|1],t2[6|1]"),
            (json!({"trackIndex": 0, "arrangementStart": "1|1", "takeLane": "0"}), "t0[1|1]"),
            (json!({"trackIndex": 0, "arrangementStart": "1|1,2|1", "takeLane": "2"}), "t0/l1[1|1],t0/l1[2|1]"),
            (json!({"path": "t0[1|1],t1[2|1]", "takeLane": "1,3"}), "t0/l0[1|1],t1/l2[2|1]"),
            (json!({"path": "t0/s0,t1[2|1]", "takeLane": "1"}), "t0/s0,t1/l0[2|1]"),
        ] {
            assert_eq!(fold(sent.clone(), new_clip).map(|(path, _)| path).as_deref(), Ok(path), "{sent}");
        }
        let (_, warnings) =
            fold(json!({"trackIndex": 0, "arrangementStart": "1|1", "takeLane": "1"}), new_clip).unwrap();
        assert!(warnings[0].contains("fallback") && warnings[0].contains("t0/l0[1|1]"), "{warnings:?}");
        assert!(warnings[1].contains("deprecated") && warnings[1].contains("main lane"), "{warnings:?}");
        let (_, warnings) = fold(json!({"path": "t0/s0", "takeLane": "1"}), new_clip).unwrap();
        assert!(warnings[0].contains("session clips"), "{warnings:?}");
    }

    #[test]
    fn places_that_are_said_twice_or_by_halves() {
        for (sent, words) in [
            (json!({"path": "t0/s0", "slot": "0/0"}), "\"slot\" (deprecated)"),
            (json!({"path": "t0/s0", "trackIndex": 0}), "\"trackIndex\", even"),
            (json!({"path": "t0[1|1]", "arrangementStart": "1|1"}), "arrangementStart"),
            (json!({"path": "t0/l0[1|1]", "takeLane": "1"}), "takeLane"),
            (json!({"slot": "0/0", "sceneIndex": 1}), "slot already says it"),
            (json!({"slot": "x"}), "t0/s0"),
            (json!({"trackIndex": 3}), "t3/s0"),
            (json!({"sceneIndex": 3}), "t0/s3"),
            (json!({"arrangementStart": "5|1"}), "t0[5|1]"),
            (json!({"path": "t0,t1", "arrangementStart": "1|1,2|1,3|1"}), "3 positions"),
            (json!({"path": "t0[1|1]", "takeLane": "x"}), "no lane number"),
            (json!({"path": "t0[1|1]", "takeLane": "1,2"}), "2 values"),
        ] {
            let error = fold(sent.clone(), new_clip).unwrap_err();
            assert!(error.contains(words), "{sent}: {error}");
        }
        for (sent, path) in [(json!({"slot": "0/3"}), "t0/s3"), (json!({"trackIndex": 1, "sceneIndex": 0}), "t1/s0")] {
            assert_eq!(fold(sent, old_clip).map(|(path, _)| path).as_deref(), Ok(path));
        }
        for sent in [json!({"slot": "0/3", "trackIndex": 0}), json!({"path": "t0/s0", "slot": "0/0"})] {
            assert!(fold(sent.clone(), old_clip).unwrap_err().contains("already says it"), "{sent}");
        }
    }
}
