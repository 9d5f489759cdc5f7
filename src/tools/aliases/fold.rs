//! Parameters that are accepted but not published: names that callers reach for by themselves, and names of earlier
//! versions. Each tool declares its own in one place; they are folded onto the published parameter before the tool sees
//! the call, with a warning that shows what to send.

use crate::tools::error::ToolError;
use crate::tools::tool::{AliasRule, Param, ParamAlias, ParamKind, Tool};
use serde_json::{Map, Value, json};

/// A deprecated or alias parameter.
const fn text(name: &'static str) -> Param {
    Param::new(name, ParamKind::Text, "")
}

const fn index(name: &'static str) -> Param {
    Param::new(name, ParamKind::IntegerIn(0, LARGEST_INDEX), "")
}

/// No Set has as many tracks or scenes.
pub const LARGEST_INDEX: i64 = 1_000_000;

/// `ids` and `paths`, which every tool with `id` and `path` takes.
pub const IDS: ParamAlias = ParamAlias { params: &[text("ids")], into: "id", rule: AliasRule::Alias };
pub const PATHS: ParamAlias = ParamAlias { params: &[text("paths")], into: "path", rule: AliasRule::Alias };
pub const TRACK_IDS: ParamAlias =
    ParamAlias { params: &[text("ids"), text("trackId")], into: "id", rule: AliasRule::Alias };
pub const CLIP_IDS: ParamAlias =
    ParamAlias { params: &[text("ids"), text("clipId")], into: "id", rule: AliasRule::Alias };
pub const DEVICE_IDS: ParamAlias =
    ParamAlias { params: &[text("ids"), text("deviceId")], into: "id", rule: AliasRule::Alias };
pub const SCENE_IDS: ParamAlias =
    ParamAlias { params: &[text("ids"), text("sceneId")], into: "id", rule: AliasRule::Alias };

/// `sceneIndex` for `path`.
pub const SCENE_INDEX: ParamAlias = ParamAlias {
    params: &[index("sceneIndex")],
    into: "path",
    rule: AliasRule::Deprecated {
        value: |sent| Ok(number(sent, "sceneIndex").map(|at| format!("s{at}"))),
        modifiers: &[],
    },
};

/// `deviceName` for `device`.
pub const DEVICE_NAME: ParamAlias = ParamAlias {
    params: &[text("deviceName")],
    into: "device",
    rule: AliasRule::Deprecated {
        value: |sent| Ok(sent.get("deviceName").and_then(Value::as_str).map(str::to_owned)),
        modifiers: &[],
    },
};

const TRACK_TYPE: Param = Param::new("trackType", ParamKind::Choice(&["regular", "return", "master"]), "");

/// `trackIndex` and `trackType` for `path`.
pub const TRACK_INDEX: ParamAlias = ParamAlias {
    params: &[index("trackIndex"), TRACK_TYPE],
    into: "path",
    rule: AliasRule::Deprecated { value: track_path, modifiers: &["trackType"] },
};

/// The numbers of a device's track and of its place there, and `devicePath`, for `path`.
pub const DEVICE_INDICES: ParamAlias = ParamAlias {
    params: &[index("trackIndex"), TRACK_TYPE, index("deviceIndex"), text("devicePath")],
    into: "path",
    rule: AliasRule::Deprecated { value: object_path, modifiers: &["trackType"] },
};

/// The numbers that once named an object of any kind, for `path`.
pub const OBJECT_INDICES: ParamAlias = ParamAlias {
    params: &[
        index("trackIndex"),
        TRACK_TYPE,
        index("sceneIndex"),
        text("slot"),
        index("deviceIndex"),
        text("devicePath"),
    ],
    into: "path",
    rule: AliasRule::Deprecated { value: object_path, modifiers: &["trackType"] },
};

/// `trackIndex` where it says the place of a new track: -1 is the end.
pub const NEW_TRACK_INDEX: ParamAlias = ParamAlias {
    params: &[Param::new("trackIndex", ParamKind::IntegerIn(-1, LARGEST_INDEX), "")],
    into: "path",
    rule: AliasRule::Deprecated {
        value: |sent| {
            let returns = sent.get("type").and_then(Value::as_str) == Some("return");
            Ok(number(sent, "trackIndex").map(|at| match at {
                _ if returns => "rt+".to_owned(),
                -1 => "t+".to_owned(),
                at => format!("t{at}"),
            }))
        },
        modifiers: &[],
    },
};

/// Everything that once named the one thing to select.
pub const SELECTED: ParamAlias = ParamAlias {
    params: &[
        index("trackIndex"),
        Param::new("trackType", ParamKind::Choice(&["return", "master"]), ""),
        index("sceneIndex"),
        text("slot"),
        index("deviceIndex"),
        text("devicePath"),
    ],
    into: "path",
    rule: AliasRule::Deprecated { value: object_path, modifiers: &["trackType"] },
};

/// `toSlot` and `arrangementStart` for `toPath`, of which a bare track may be sent along with positions.
pub const MOVED_TO: ParamAlias = ParamAlias {
    params: &[text("toSlot"), text("arrangementStart")],
    into: "toPath",
    rule: AliasRule::Rewrite(moved_to),
};

/// `split` for `arrangementSplit`, counted from each clip's own beginning.
pub const SPLIT: ParamAlias = ParamAlias {
    params: &[text("split")],
    into: "arrangementSplit",
    rule: AliasRule::Kept("arrangementSplit, with positions of the song"),
};

/// Where to, from the spellings before `toPath`.
fn moved_to(sent: &Map<String, Value>) -> Result<Option<String>, ToolError> {
    use crate::tools::arguments::lists::split_targets;
    let text = |name: &str| sent.get(name).filter(|value| !blank(value)).and_then(Value::as_str);
    let twice = |extra: &str, of: &str| {
        let why = format!("{of} already says it; leave out \"{extra}\" (deprecated), even where they agree");
        Err(ToolError::new(why))
    };
    match (text("toPath"), text("toSlot"), text("arrangementStart")) {
        (Some(_), Some(_), _) => twice("toSlot", "toPath"),
        (_, Some(_), Some(_)) => twice("arrangementStart", "toSlot"),
        (Some(path), None, Some(_)) if path.contains(['[', 's']) => twice("arrangementStart", "toPath"),
        (Some(path), None, Some(starts)) => {
            let (lanes, starts) = (split_targets("toPath", path)?, split_targets("arrangementStart", starts)?);
            let count = lanes.len().max(starts.len());
            let fits = |len: usize| len == 1 || len == count;
            if !(fits(lanes.len()) && fits(starts.len())) {
                return Err(ToolError::new(format!(
                    "toPath names {} places and arrangementStart {} positions; send one toPath for each clip, such as t2[5|1]",
                    lanes.len(),
                    starts.len()
                )));
            }
            let pairs = lanes.iter().cycle().zip(starts.iter().cycle()).take(count);
            Ok(Some(pairs.map(|(lane, start)| format!("{lane}[{start}]")).collect::<Vec<_>>().join(",")))
        }
        (None, None, Some(starts)) => {
            let places = split_targets("arrangementStart", starts)?.into_iter().map(|start| format!("[{start}]"));
            Ok(Some(places.collect::<Vec<_>>().join(",")))
        }
        (None, Some(slots), None) => {
            let place = |slot: String| {
                crate::tools::address::path_parse::parse_old(&slot).map_or(slot, |path| path.to_string())
            };
            Ok(Some(split_targets("toSlot", slots)?.into_iter().map(place).collect::<Vec<_>>().join(",")))
        }
        (_, None, None) => Ok(None),
    }
}

fn number(sent: &Map<String, Value>, name: &str) -> Option<i64> {
    sent.get(name).and_then(Value::as_i64)
}

fn track_path(sent: &Map<String, Value>) -> Result<Option<String>, ToolError> {
    let at = number(sent, "trackIndex");
    match (sent.get("trackType").and_then(Value::as_str), at) {
        (Some("master"), _) => Ok(Some("mt".to_owned())),
        (Some("return"), Some(at)) => Ok(Some(format!("rt{at}"))),
        (_, Some(at)) => Ok(Some(format!("t{at}"))),
        (Some("return"), None) => {
            Err(ToolError::about("trackType", "return needs the track's index; send path: \"rt0\""))
        }
        (_, None) => Ok(None),
    }
}

fn object_path(sent: &Map<String, Value>) -> Result<Option<String>, ToolError> {
    let device = number(sent, "deviceIndex").map(|at| format!("d{at}"));
    let track = match (track_path(sent)?, device) {
        (Some(track), Some(device)) => Some(format!("{track}/{device}")),
        (None, Some(device)) => {
            let why = format!("needs the device's track; send path: \"t0/{device}\"");
            return Err(ToolError::about("deviceIndex", why));
        }
        (track, None) => track,
    };
    let scene = number(sent, "sceneIndex").map(|at| format!("s{at}"));
    let text = |name: &str| sent.get(name).and_then(Value::as_str).map(str::to_owned);
    // The old text for a slot; the tool reads it as a path too, but a warning shows what to send.
    let slot = text("slot")
        .map(|slot| crate::tools::address::path_parse::parse_old(&slot).map_or(slot, |path| path.to_string()));
    let grid = match (track, scene) {
        (Some(track), Some(scene)) => Some(format!("{track}/{scene}")),
        (one, other) => one.or(other),
    };
    let mut named: Vec<String> = [grid, slot, text("devicePath")].into_iter().flatten().collect();
    named.dedup();
    match named.as_slice() {
        [] => Ok(None),
        [one] => Ok(Some(one.clone())),
        several => Err(ToolError::new(format!(
            "these name several things: {}; name each of them by path",
            several.join(" and ")
        ))),
    }
}

/// Every alias of a tool's parameters.
pub fn params(tool: &Tool) -> impl Iterator<Item = &'static Param> {
    tool.aliases.iter().flat_map(|alias| alias.params)
}

/// Folds what was sent by an alias onto the published parameters. Gives the warnings; an error refuses the call.
pub fn fold(tool: &Tool, map: &mut Map<String, Value>) -> Result<Vec<String>, ToolError> {
    let mut warnings = Vec::new();
    for alias in tool.aliases {
        let names = alias.params.iter().map(|param| param.name);
        // Looked for among what was sent, which is little: no name has to be hashed.
        let sent: Vec<&'static str> = names.filter(|name| map.keys().any(|sent| sent == name)).collect();
        if !sent.is_empty() {
            warnings.extend(fold_one(alias, &sent, map)?);
        }
    }
    Ok(warnings)
}

/// Folds one alias; `sent` has those of its names that the call holds.
fn fold_one(alias: &ParamAlias, sent: &[&'static str], map: &mut Map<String, Value>) -> Result<Vec<String>, ToolError> {
    let into = alias.into;
    let is_or_are = if sent.len() == 1 { "is" } else { "are" };
    let (value, warning) = match &alias.rule {
        AliasRule::Partial(rewrite) => return rewrite(map),
        AliasRule::Combined(rewrite) => {
            let warnings = rewrite(map)?;
            map.retain(|name, _| !sent.contains(&name.as_str()));
            return Ok(warnings);
        }
        AliasRule::Kept(instead) => {
            return Ok(vec![format!("{} is deprecated and will be removed; send {instead} instead", listed(sent))]);
        }
        AliasRule::Count { of, at_most } => {
            let path = counted_paths(map, into, sent, of, *at_most)?;
            let warning = format!("is deprecated and will be removed; send {into}: {} instead", quoted(&path));
            (Some(json!(path)), warning)
        }
        AliasRule::Rewrite(value) => {
            let Some(value) = value(map)? else { return Ok(Vec::new()) };
            let warning =
                format!("{is_or_are} deprecated and will be removed; send {into}: {} instead", quoted(&value));
            (Some(json!(value)), warning)
        }
        AliasRule::Alias => {
            refuse_twice(alias, sent, map)?;
            if sent.len() > 1 {
                let names = listed(sent);
                return Err(ToolError::new(format!("{names} are names for the same thing; send {into} alone")));
            }
            let value = sent.first().and_then(|name| map.get(*name)).cloned();
            (value, format!("was accepted as a fallback; the parameter is {into}"))
        }
        AliasRule::Deprecated { value, .. } => {
            refuse_twice(alias, sent, map)?;
            let value = if is_named(map, into) { None } else { value(map)? };
            let instead = match &value {
                Some(value) => format!("send {into}: {} instead", quoted(value)),
                None => format!("{into} says it"),
            };
            (value.map(Value::from), format!("{is_or_are} deprecated and will be removed; {instead}"))
        }
    };
    if let Some(value) = value {
        map.insert(into.to_owned(), value);
    }
    for name in sent {
        map.remove(*name);
    }
    Ok(vec![format!("{} {warning}", listed(sent))])
}

/// Whether the published parameter was sent.
fn is_named(map: &Map<String, Value>, into: &str) -> bool {
    map.get(into).is_some_and(|value| !blank(value))
}

/// Refuses what was sent both by the published parameter and by an alias. Modifiers alone name nothing.
fn refuse_twice(alias: &ParamAlias, sent: &[&'static str], map: &Map<String, Value>) -> Result<(), ToolError> {
    let modifiers: &[&str] = match &alias.rule {
        AliasRule::Deprecated { modifiers, .. } => modifiers,
        _ => &[],
    };
    let extras: Vec<&str> = sent.iter().copied().filter(|name| !modifiers.contains(name)).collect();
    if extras.is_empty() || !is_named(map, alias.into) {
        return Ok(());
    }
    let deprecated = if matches!(alias.rule, AliasRule::Alias) { "" } else { " (deprecated)" };
    Err(ToolError::new(format!(
        "{} already says it; leave out {}{deprecated}, even where they agree",
        alias.into,
        listed(&extras)
    )))
}

/// As many places as `count` says, of the one that is named, else of `of`.
fn counted_paths(
    map: &Map<String, Value>,
    into: &str,
    sent: &[&'static str],
    of: &str,
    at_most: usize,
) -> Result<String, ToolError> {
    if map.get("capture") == Some(&Value::Bool(true)) {
        return Err(ToolError::new("count says how many empty scenes; capture makes one of what plays"));
    }
    let count = sent.first().and_then(|name| number(map, name)).unwrap_or(1);
    let path = map.get(into).and_then(Value::as_str).filter(|path| !path.trim().is_empty());
    repeated(path.unwrap_or(of), count, at_most)
}

/// One place, so many times.
fn repeated(path: &str, count: i64, at_most: usize) -> Result<String, ToolError> {
    let count = usize::try_from(count).unwrap_or(1);
    if crate::tools::arguments::lists::split_targets("path", path)?.len() > 1 {
        return Err(ToolError::new(
            "count and a list of paths both say how many; write one path for each, without count",
        ));
    }
    if count > at_most {
        return Err(ToolError::new(format!("count is {count}; one call makes at most {at_most}")));
    }
    Ok(vec![path.trim().trim_end_matches(','); count].join(","))
}

/// Not sent, as far as an alias goes: null, blank, and the word null that some clients fill in.
pub fn blank(value: &Value) -> bool {
    value.is_null() || value.as_str().is_some_and(|text| matches!(text.trim(), "" | "null"))
}

/// A value as a warning shows it: what would be repeated for pages is cut.
pub fn quoted(value: &str) -> String {
    let shown: String = value.chars().take(80).collect();
    if shown.len() < value.len() { format!("\"{shown}…\"") } else { format!("\"{shown}\"") }
}

/// Names as a sentence lists them.
pub fn listed(names: &[&str]) -> String {
    names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(" and ")
}
