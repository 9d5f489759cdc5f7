//! `svc-update-clip`: names and notes of clips that exist.

use super::create_clip::notes_about;
use super::shared::entry::add_detail;
use super::shared::lists;
use super::shared::notes::{self, NotesArgument};
use super::shared::objects;
use super::shared::targets::{self, Wanted};
use super::{About, CallContext, Kind, Param, Tool, ToolError, arguments, job};
use crate::object_model::{ObjectId, Session};
use serde::Deserialize;
use serde_json::{Map, Value, json};

pub static TOOL: Tool = Tool {
    name: "svc-update-clip",
    title: "Update Clip",
    read_only: false,
    destructive: true,
    description: |view| {
        format!(
            "Renames clips and merges notes ({} notation) into them: same pitch and start replaces, velocity 0 deletes, \
             everything else stays.",
            view.notation.name()
        )
    },
    params: &[
        Param::new("id", Kind::Text, "clip id(s), comma-separated"),
        Param::new("path", Kind::Text, "clip slot(s), comma-separated, such as t0/s0"),
        Param::new("name", Kind::Text, "name(s)"),
        Param {
            name: "notes",
            kind: Kind::Notes,
            required: false,
            about: About::Per(notes_about),
            hidden_in_small_model: false,
        },
    ],
    reads_files: |_| false,
    prepare: |map, view| {
        let args: Args = arguments(map)?;
        let targets = targets::read(Wanted::Clip, args.id.as_ref(), args.path.as_ref())?;
        if args.name.is_none() && args.notes.is_none() {
            return Err(ToolError::new("nothing to write: send name or notes beside the clips"));
        }
        let names = lists::spread("name", args.name.as_ref(), targets.len())?;
        let notes = args.notes.map(|sent| NotesArgument::new(sent, view.notation));
        // What no meter can read is refused before the Set is asked for.
        if let Some(notes) = &notes {
            notes.read(view.song_meter, &[])?;
        }
        Ok(job(move |session, call| {
            targets::write_each(session, call, &targets, Wanted::Clip, |session, call, at, clip| {
                write(session, call, clip, names.as_ref().map(|n| n.at(at)), notes.as_ref())
            })
        }))
    },
};

#[derive(Deserialize)]
struct Args {
    id: Option<String>,
    path: Option<String>,
    name: Option<String>,
    notes: Option<Value>,
}

fn write(
    session: &mut dyn Session,
    call: &mut CallContext,
    clip: ObjectId,
    name: Option<&str>,
    argument: Option<&NotesArgument>,
) -> Result<Map<String, Value>, ToolError> {
    let mut map = Map::new();
    map.insert("id".to_owned(), json!(clip.to_string()));
    map.insert("path".to_owned(), json!(objects::tool_path(session, clip)));
    if argument.is_some() && !objects::flag(session, clip, "is_midi_clip") {
        return Err(ToolError::new(format!("{} is an audio clip: notes ignored", objects::named(session, clip))));
    }
    if let Some(argument) = argument {
        let meter = objects::meter(session, clip)?;
        let warnings = notes::merge(session, clip, argument, meter)?;
        let heard = notes::heard(session, clip)?;
        map.insert("noteCount".to_owned(), json!(heard.shown));
        if let Some(detail) = heard.past_end(meter) {
            add_detail(&mut map, detail);
        }
        for warning in warnings {
            if !call.warnings.contains(&warning) {
                call.warnings.push(warning);
            }
        }
    }
    if let Some(name) = name {
        session.set(clip, "name", name.into())?;
    }
    Ok(map)
}
