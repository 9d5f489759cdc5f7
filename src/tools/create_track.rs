//! `svc-create-track`: MIDI, audio and return tracks.

use super::shared::entry::{self, Entry, add_detail};
use super::shared::lists;
use super::shared::objects::{self, Color};
use super::shared::path::{self, Path, TrackPath};
use super::{CallContext, Kind, Param, Tool, ToolError, arguments, job};
use crate::object_model::{ObjectId, Session, Value as Model};
use serde::Deserialize;
use serde_json::{Map, Value, json};

pub static TOOL: Tool = Tool {
    name: "svc-create-track",
    title: "Create Track",
    read_only: false,
    destructive: true,
    description: |_| "Adds tracks: t+ appends, t0 inserts there, rt+ adds a return. Later tracks move up.".to_owned(),
    params: &[
        Param::new(
            "path",
            Kind::Text,
            "place(s), comma-separated, counted from the Set as it is now; one t+ when omitted",
        ),
        Param::new("name", Kind::Text, "name(s)"),
        Param::new("color", Kind::Text, "#RRGGBB; the nearest palette colour is taken"),
        Param::new("type", Kind::Choice(&["midi", "audio"]), "kind of the new tracks; midi when omitted"),
    ],
    reads_files: |_| false,
    prepare: |map, _| {
        let args: Args = arguments(map)?;
        let plan = Plan::read(args)?;
        Ok(job(move |session, call| plan.run(session, call)))
    },
};

/// Tracks that one call makes at most.
const MAX_TRACKS: usize = 100;

#[derive(Deserialize)]
struct Args {
    path: Option<String>,
    name: Option<String>,
    color: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
}

struct Plan {
    /// As spelled, and the index among the tracks there are now (`None` for a return).
    places: Vec<(String, Option<usize>)>,
    names: Option<lists::Values>,
    colors: Option<Vec<Color>>,
    audio: bool,
}

impl Plan {
    fn read(args: Args) -> Result<Plan, ToolError> {
        let text = args.path.filter(|text| !text.trim().is_empty()).unwrap_or_else(|| "t+".to_owned());
        let mut places = Vec::new();
        for spelling in lists::targets("path", &text)? {
            let place = match path::parse(&spelling).map_err(|e| ToolError::new(format!("path: {e}")))? {
                Path::NewTrack => Some(usize::MAX),
                Path::Track(TrackPath::Regular(at)) => Some(at),
                Path::NewReturn => None,
                Path::Track(TrackPath::Return(_)) => {
                    return Err(ToolError::new(format!(
                        "path: {spelling}: return tracks can only be appended; write rt+"
                    )));
                }
                _ => {
                    return Err(ToolError::new(format!(
                        "path: {spelling} is no place for a track; write t+, t0 or rt+"
                    )));
                }
            };
            places.push((spelling, place));
        }
        let count = places.len();
        if count > MAX_TRACKS {
            return Err(ToolError::new(format!("path names {count} tracks; one call makes at most {MAX_TRACKS}")));
        }
        let colors = lists::spread("color", args.color.as_ref().filter(|c| !c.trim().is_empty()), count)?;
        let colors = colors.map(|values| (0..count).map(|at| Color::parse(values.at(at))).collect()).transpose()?;
        let audio = args.kind.as_deref() == Some("audio");
        Ok(Plan { names: lists::spread("name", args.name.as_ref(), count)?, places, colors, audio })
    }

    fn run(&self, session: &mut dyn Session, call: &CallContext) -> Result<Value, ToolError> {
        let song = objects::song(session)?;
        let before = objects::count(session, song, "tracks");
        // Indices count from the Set before the call: each insert moves up what is at or behind it.
        let mut made: Vec<usize> = Vec::new();
        let mut ids: Vec<Result<ObjectId, String>> = Vec::new();
        // What the host says of each, before a later one changes it.
        let mut remarks: Vec<Option<String>> = Vec::new();
        for (_, place) in &self.places {
            if call.is_late() {
                ids.push(Err(entry::NOT_REACHED.to_owned()));
                remarks.push(None);
                continue;
            }
            let created = match place {
                None => session.call(song, "create_return_track", &[]),
                Some(at) => {
                    let at = (*at).min(before);
                    let index = at + made.iter().filter(|earlier| **earlier <= at).count();
                    made.push(at);
                    let function = if self.audio { "create_audio_track" } else { "create_midi_track" };
                    session.call(song, function, &[Model::Int(i64::try_from(index).unwrap_or(-1))])
                }
            };
            let id = created
                .map_err(|e| e.to_string())
                .and_then(|v| v.as_object().ok_or_else(|| "no track was made".to_owned()));
            remarks.push(id.as_ref().ok().and_then(|id| session.remark(*id)));
            ids.push(id);
        }
        let mut entries = Vec::new();
        for (at, (((spelling, _), id), remark)) in self.places.iter().zip(ids).zip(remarks).enumerate() {
            entries.push(match id {
                Err(detail) => Entry::skip("path", spelling, detail),
                Ok(id) => {
                    let mut entry = self.dress(session, at, id)?;
                    if let Some(remark) = remark {
                        add_detail(&mut entry, remark);
                    }
                    Entry::Written(entry)
                }
            });
        }
        entry::answer(entries)
    }

    fn dress(&self, session: &mut dyn Session, at: usize, id: ObjectId) -> Result<Map<String, Value>, ToolError> {
        let mut entry = Map::new();
        entry.insert("id".to_owned(), json!(id.to_string()));
        entry.insert("path".to_owned(), json!(objects::tool_path(session, id)));
        if let Some(names) = &self.names {
            session.set(id, "name", names.at(at).into())?;
        }
        if let Some(color) = self.colors.as_ref().and_then(|colors| colors.get(at)) {
            report_color(&mut entry, objects::write_color(session, id, *color)?, *color);
        }
        if objects::flag(session, id, "is_grouped")
            && let Some(group) = objects::child(session, id, "group_track")?
        {
            add_detail(&mut entry, format!("landed inside the group {}", objects::named(session, group)));
        }
        Ok(entry)
    }
}

/// Says what a colour landed on, if the palette has no such colour.
pub fn report_color(entry: &mut Map<String, Value>, landed: Option<String>, wanted: Color) {
    if let Some(landed) = landed {
        entry.insert("color".to_owned(), json!(landed));
        add_detail(entry, format!("the palette has no {wanted}; {landed} is the nearest"));
    }
}
