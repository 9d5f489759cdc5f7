//! The spellings before `toPath`: a slot, a position, a locator, a take lane counted from 1.

use crate::tools::address::path::Path;
use crate::tools::address::path_parse;
use crate::tools::address::path_parse::parse_old;
use crate::tools::aliases::fold::blank;
use crate::tools::arguments::action_params::{ParamScope, refuse_out_of_scope};
use crate::tools::arguments::lists::split_targets;
use crate::tools::error::ToolError;
use crate::tools::tool::AliasRule;
use crate::tools::tool::{Param, ParamAlias, ParamKind};
use serde_json::{Map, Value};

pub const COPIED_TO: ParamAlias = ParamAlias {
    params: &[
        Param::new("toSlot", ParamKind::Text, ""),
        Param::new("arrangementStart", ParamKind::Text, ""),
        Param::new("locator", ParamKind::Text, ""),
        Param::new("takeLane", ParamKind::Text, ""),
    ],
    into: "toPath",
    rule: AliasRule::Rewrite(copied_to),
};

pub const LANE_NAME: ParamAlias = ParamAlias {
    params: &[Param::new("takeLaneName", ParamKind::Text, "")],
    into: "toPath",
    rule: AliasRule::Kept("name to svc-update-track with the lane's path"),
};

fn copied_to(sent: &Map<String, Value>) -> Result<Option<String>, ToolError> {
    let text = |name: &str| sent.get(name).filter(|value| !blank(value)).and_then(Value::as_str);
    let kind = text("type");
    let is_sent = |name| text(name).is_some();
    refuse_out_of_scope(
        "type",
        kind,
        &[
            ParamScope { parameter: "toSlot", sent: is_sent("toSlot"), read_by: &["clip"] },
            ParamScope { parameter: "takeLane", sent: is_sent("takeLane"), read_by: &["clip"] },
            ParamScope {
                parameter: "arrangementStart",
                sent: is_sent("arrangementStart"),
                read_by: &["track", "scene", "clip"],
            },
            ParamScope { parameter: "locator", sent: is_sent("locator"), read_by: &["track", "scene", "clip"] },
        ],
    )?;
    if kind == Some("track") {
        // The tool says that a track's clips keep their times.
        return Ok(None);
    }
    let twice = |extra: &str, of: &str| {
        let why = format!("{of} already says it; leave out \"{extra}\" (deprecated), even where they agree");
        Err(ToolError::new(why))
    };
    let to_path = text("toPath").map(|to| split_targets("toPath", to)).transpose()?;
    if to_path.is_some() && is_sent("toSlot") {
        return twice("toSlot", "toPath");
    }
    if is_sent("arrangementStart") && is_sent("locator") {
        return twice("locator", "arrangementStart");
    }
    let position = if is_sent("locator") { "locator" } else { "arrangementStart" };
    if to_path.iter().flatten().any(|to| to.contains('[')) && is_sent(position) {
        return twice(position, "toPath");
    }
    if to_path.iter().flatten().any(|to| to.contains("/l")) && is_sent("takeLane") {
        return twice("takeLane", "toPath");
    }
    let slots = match text("toSlot") {
        Some(slots) => {
            let place = |slot: String| parse_old(&slot).map_or(slot, |path| path.to_string());
            Some(split_targets("toSlot", slots)?.into_iter().map(place).collect::<Vec<_>>())
        }
        None => to_path.clone().filter(|to| to.iter().any(|to| to.contains("/s"))),
    };
    // A slot says all; a position or lane beside it says nothing.
    if let Some(slots) = slots {
        return Ok(Some(slots.join(",")));
    }
    let moments: Vec<String> = match text(position) {
        Some(list) => {
            let written = |one: String| if position == "locator" { format!("[loc:{one}]") } else { format!("[{one}]") };
            split_targets(position, list)?.into_iter().map(written).collect()
        }
        None => vec![String::new()],
    };
    let (lanes, tracks) = match text("takeLane") {
        Some(list) => {
            let lanes = split_targets("takeLane", list)?.iter().map(|one| lane(one)).collect::<Result<Vec<_>, _>>()?;
            (lanes, to_path.map_or_else(|| source_tracks(sent), Ok)?)
        }
        None => (vec![String::new()], to_path.unwrap_or_else(|| vec![String::new()])),
    };
    let count = moments.len().max(lanes.len()).max(tracks.len());
    if [moments.len(), lanes.len(), tracks.len()].iter().any(|len| *len != 1 && *len != count) {
        return Err(ToolError::new(
            "these lists name different numbers of places; send toPath, one place for each copy",
        ));
    }
    let places = tracks.iter().cycle().zip(lanes.iter().cycle()).zip(moments.iter().cycle()).take(count);
    Ok(Some(places.map(|((track, lane), moment)| format!("{track}{lane}{moment}")).collect::<Vec<_>>().join(",")))
}

/// Lanes once counted from 1, and 0 was the main lane.
fn lane(text: &str) -> Result<String, ToolError> {
    let number: usize = text.parse().map_err(|_| {
        ToolError::about(
            "takeLane",
            format!("\"{text}\" is no number; send toPath such as t0/l0[5|1], where lanes count from 0"),
        )
    })?;
    Ok(number.checked_sub(1).map_or_else(String::new, |at| format!("/l{at}")))
}

/// The tracks that the sources stand on, where their paths say so.
fn source_tracks(sent: &Map<String, Value>) -> Result<Vec<String>, ToolError> {
    let unknown = || {
        ToolError::new(
            "takeLane (deprecated) beside an id does not say which track; send toPath such as t0/l0[5|1], where lanes count \
             from 0 and the track alone is the main lane",
        )
    };
    let has = |name: &str| sent.get(name).is_some_and(|value| !blank(value));
    let list = sent.get("path").filter(|value| !blank(value)).and_then(Value::as_str).ok_or_else(unknown)?;
    if has("id") {
        return Err(unknown());
    }
    let mut tracks = Vec::new();
    for one in split_targets("path", list)? {
        tracks.push(match parse_old(&one).map_or_else(|| path_parse::parse(&one), Ok) {
            Ok(Path::Slot { track, .. }) => format!("t{track}"),
            Ok(Path::Arrangement { lane: Some(lane), .. }) => format!("t{}", lane.track),
            _ => return Err(unknown()),
        });
    }
    Ok(tracks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_to_send_instead() {
        for (sent, want) in [
            (json!({"toSlot": "0/3,t1/s2"}), Some("t0/s3,t1/s2")),
            (json!({"arrangementStart": "5|1,9|1"}), Some("[5|1],[9|1]")),
            (json!({"locator": "Verse"}), Some("[loc:Verse]")),
            (json!({"arrangementStart": "5|1", "toPath": "t2"}), Some("t2[5|1]")),
            (json!({"arrangementStart": "5|1", "toPath": "t2/s1"}), Some("t2/s1")),
            (json!({"arrangementStart": "5|1", "toSlot": "2/1"}), Some("t2/s1")),
            (json!({"takeLane": "2", "path": "t1/s0", "arrangementStart": "5|1"}), Some("t1/l1[5|1]")),
            (json!({"takeLane": "0", "path": "t1[3|1]"}), Some("t1")),
            (json!({"takeLane": "1,2", "path": "t1[3|1]"}), Some("t1/l0,t1/l1")),
            (json!({"takeLane": "1", "toPath": "t4", "id": "9"}), Some("t4/l0")),
        ] {
            let mut sent = sent;
            sent["type"] = json!("clip");
            let sent = sent.as_object().unwrap();
            assert_eq!(copied_to(sent).unwrap().as_deref(), want, "{sent:?}");
        }
        for sent in [
            json!({"type": "clip", "toSlot": "0/3", "toPath": "t0/s3"}),
            json!({"type": "clip", "arrangementStart": "5|1", "toPath": "t0[5|1]"}),
            json!({"type": "clip", "arrangementStart": "5|1", "locator": "A"}),
            json!({"type": "clip", "takeLane": "1", "toPath": "t0/l0"}),
            json!({"type": "clip", "takeLane": "1", "id": "4"}),
            json!({"type": "clip", "takeLane": "x", "path": "t0/s0"}),
            json!({"type": "clip", "takeLane": "1,2", "path": "t0/s0", "arrangementStart": "1|1,2|1,3|1"}),
            json!({"type": "scene", "toSlot": "0/3"}),
            json!({"type": "track", "takeLane": "1"}),
            json!({"type": "device", "arrangementStart": "1|1"}),
        ] {
            assert!(copied_to(sent.as_object().unwrap()).is_err(), "{sent}");
        }
        assert_eq!(copied_to(json!({"type": "track", "locator": "A"}).as_object().unwrap()), Ok(None));
    }
}
