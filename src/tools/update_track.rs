//! `svc-update-track`: names and colours of tracks.

use super::create_track::report_color;
use super::shared::hidden::{IDS, PATHS};
use super::shared::lists;
use super::shared::objects::{self, Color};
use super::shared::targets::{self, Wanted};
use super::{Kind, Param, Tool, ToolError, arguments, job};
use crate::object_model::{ObjectId, Session};
use serde::Deserialize;
use serde_json::{Map, Value, json};

pub static TOOL: Tool = Tool {
    name: "svc-update-track",
    title: "Update Track",
    read_only: false,
    destructive: true,
    description: |_| "Renames and colours tracks.".to_owned(),
    params: &[
        Param::new("id", Kind::Text, "track id(s), comma-separated"),
        Param::new("path", Kind::Text, "track path(s), comma-separated: t0, rt0 (return), mt (main)"),
        Param::new("name", Kind::Text, "name(s); an empty text goes back to the default name"),
        Param::new("color", Kind::Text, "#RRGGBB; the nearest palette colour is taken"),
    ],
    hidden: &[IDS, PATHS],
    withheld_in_small_model: false,
    reads_files: |_| false,
    prepare: |map, _| {
        let args: Args = arguments(map)?;
        let targets = targets::read(Wanted::Track, args.id.as_ref(), args.path.as_ref())?;
        let count = targets.len();
        let color = args.color.filter(|c| !c.trim().is_empty());
        if args.name.is_none() && color.is_none() {
            return Err(ToolError::new("nothing to write: send name or color beside the tracks"));
        }
        let names = lists::spread("name", args.name.as_ref(), count)?;
        let colors = lists::spread("color", color.as_ref(), count)?;
        let colors =
            colors.map(|values| (0..count).map(|at| Color::parse(values.at(at))).collect::<Result<Vec<_>, _>>());
        let colors = colors.transpose()?;
        Ok(job(move |session, call| {
            targets::write_each(session, call, &targets, Wanted::Track, |session, _, at, track| {
                let color = colors.as_ref().and_then(|colors| colors.get(at).or(colors.first())).copied();
                write(session, track, names.as_ref().map(|n| n.at(at)), color)
            })
        }))
    },
};

#[derive(Deserialize)]
struct Args {
    id: Option<String>,
    path: Option<String>,
    name: Option<String>,
    color: Option<String>,
}

fn write(
    session: &mut dyn Session,
    track: ObjectId,
    name: Option<&str>,
    color: Option<Color>,
) -> Result<Map<String, Value>, ToolError> {
    let mut map = Map::new();
    map.insert("id".to_owned(), json!(track.to_string()));
    map.insert("path".to_owned(), json!(objects::tool_path(session, track)));
    if let Some(name) = name {
        session.set(track, "name", name.into())?;
    }
    if let Some(color) = color {
        report_color(&mut map, objects::write_color(session, track, color)?, color);
    }
    Ok(map)
}
