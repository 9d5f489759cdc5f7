//! `svc-delete`: tracks, scenes, clips, devices and layers of drum pads; clears drum pads.

mod pad_layers;
mod return_letters;

use crate::object_model::model::OWN_DEVICE_INSIDE;
use crate::object_model::{ObjectId, Session, Value as Model};
use crate::tools::address::path::Path;
use crate::tools::address::path_format;
use crate::tools::address::target_origin::look_ahead;
use crate::tools::address::targets::{self, OBJECT_TYPES, Target, TargetKind, TargetName};
use crate::tools::address::{group_tracks, model_read, path_resolve};
use crate::tools::aliases::clip_aliases::ARRANGED_CLIP;
use crate::tools::aliases::fold::{IDS, OBJECT_INDICES, PATHS};
use crate::tools::call::{CallContext, arguments, prepared};
use crate::tools::error::ToolError;
use crate::tools::read::settled::settled;
use crate::tools::report::moved_paths::ListBefore;
use crate::tools::report::target_result::{self, TargetResult, add_detail};
use crate::tools::report::write_targets;
use crate::tools::tool::{Param, ParamKind, Prepare, Tool};
use return_letters::ReturnNames;
use serde::Deserialize;
use serde_json::{Map, Value, json};

pub static TOOL: Tool = Tool {
    name: "svc-delete",
    title: "Delete",
    read_only: false,
    destructive: true,
    description: |_| {
        "Deletes tracks, scenes, clips, devices and layers of drum pads (chain); clears drum pads. What follows shifts. A \
         group takes its members along."
            .to_owned()
    },
    params: &[
        Param::new("type", ParamKind::Choice(OBJECT_TYPES), "kind of every target").required(),
        Param::new("id", ParamKind::Text, "id(s), with commas"),
        Param::new("path", ParamKind::Text, "path(s), comma-separated: t0, rt0, s0, t0/s0, t0[5|1], t0/d0, t0/d0/pC1"),
    ],
    aliases: &[IDS, PATHS, ARRANGED_CLIP, OBJECT_INDICES],
    left_out_in_small_model: false,
    reads_files: |_| false,
    small: |_| false,
    prepare: Prepare::Alone(|map| {
        let args: Args = arguments(map)?;
        let wanted = TargetKind::of_type(&args.kind);
        let targets = targets::read_any(wanted, args.id.as_ref(), args.path.as_ref())?;
        Ok(prepared(move |session, call| run(session, call, wanted, &targets)))
    }),
};

#[derive(Deserialize)]
struct Args {
    #[serde(rename = "type")]
    kind: String,
    id: Option<String>,
    path: Option<String>,
}

/// All addresses are read first; then objects go from the highest position down, each once; the answer keeps call
/// order.
fn run(
    session: &mut dyn Session,
    call: &mut CallContext,
    wanted: TargetKind,
    targets: &[Target],
) -> Result<Value, ToolError> {
    write_targets::warn_of_old_spellings(call, targets);
    let mut doomed: Vec<Deletion> = Vec::new();
    let mut found = Vec::with_capacity(targets.len());
    let mut warning = None;
    look_ahead(session, targets)?;
    for target in targets {
        let id = target_result::or_detail(target.find_with_warning(session, wanted, &mut warning))?;
        if let Ok(id) = id
            && !doomed.iter().any(|d| d.id == id)
        {
            doomed.push(Deletion::read(session, id)?);
        }
        found.push(id);
    }
    call.warnings.extend(warning);
    let lists = lists_of(session, &doomed)?;
    doomed.sort_by(|a, b| b.place.cmp(&a.place));
    let returns = match doomed.iter().any(|d| d.is_return) {
        true => Some(ReturnNames::read(session, model_read::song(session)?)?),
        false => None,
    };
    let ids: Vec<ObjectId> = doomed.iter().map(|d| d.id).collect();
    // What goes with a group that is named too is left to it; only if the group stays, it goes by itself.
    for with_groups in [false, true] {
        for (at, one) in doomed.iter_mut().enumerate() {
            let in_doomed = one.groups.iter().any(|group| ids.contains(group));
            if in_doomed != with_groups || session.class_of(one.id)?.is_none() || one.emptied {
                continue;
            }
            session.begin_target(at);
            one.error = if call.is_late() {
                Some(ToolError::new(target_result::NOT_REACHED))
            } else {
                delete(session, one).err()
            };
        }
        for landed in session.land()? {
            if let (Some(one), Some(why)) = (doomed.get_mut(landed.target), landed.failed.into_iter().next()) {
                one.error = Some(why.into());
            }
        }
    }
    // What could not go by itself may have gone with a group.
    for one in &mut doomed {
        if !model_read::is_there(session, one.id)? {
            one.error = None;
        }
    }
    let mut new_letters = match returns {
        Some(returns) => returns.describe_changes(session)?,
        None => None,
    };
    let entries = targets.iter().zip(found).map(|(target, found)| match found {
        Ok(id) => match doomed.iter().find(|d| d.id == id) {
            Some(doomed) => {
                let mut entry = doomed.entry(target);
                if let TargetResult::Written(map) = &mut entry
                    && doomed.is_return
                    && let Some(said) = new_letters.take()
                {
                    add_detail(map, said);
                }
                Ok(entry)
            }
            None => miss(session, target, wanted, ""),
        },
        Err(why) => miss(session, target, wanted, &why),
    });
    let mut entries = entries.collect::<Result<Vec<_>, _>>()?;
    for list in lists {
        list.report(session, &[], entries.iter_mut())?;
    }
    settled(session, target_result::answer(entries))
}

/// The lists that lose something, as they are before.
fn lists_of(session: &dyn Session, doomed: &[Deletion]) -> Result<Vec<ListBefore>, ToolError> {
    let mut lists: Vec<ListBefore> = Vec::new();
    let mut song = None;
    for one in doomed {
        let Some(list) = one.list else { continue };
        let parent = match (list, song) {
            ("devices" | "chains", _) => holder(session, one.id)?,
            (_, Some(song)) => song,
            (_, None) => *song.insert(model_read::song(session)?),
        };
        ListBefore::remember(&mut lists, session, parent, list)?;
    }
    Ok(lists)
}

/// An object to be deleted: where it was before the call, and what became of it.
struct Deletion {
    id: ObjectId,
    /// As the tools spell it.
    path: String,
    /// The indices of its route: what is behind or inside another is greater.
    place: Vec<usize>,
    /// The list that it stands in, where what is behind it moves up.
    list: Option<&'static str>,
    /// What a group takes along, as it was called.
    members: String,
    /// The groups around a track.
    groups: Vec<ObjectId>,
    /// A pad without chains has nothing to delete.
    emptied: bool,
    is_pad: bool,
    is_return: bool,
    error: Option<ToolError>,
}

impl Deletion {
    fn read(session: &dyn Session, id: ObjectId) -> Result<Deletion, ToolError> {
        let route = session.path_of(id)?.unwrap_or_default();
        let class = model_read::class(session, id)?;
        let (mut members, mut groups) = (Vec::new(), Vec::new());
        if class == Some("Track") {
            members = group_tracks::members(session, id)?;
            groups = group_tracks::around(session, id)?;
        }
        let is_pad = class == Some("DrumPad");
        Ok(Deletion {
            id,
            path: path_format::tool_path(session, id)?.unwrap_or_default(),
            place: route.split(' ').filter_map(|word| word.parse().ok()).collect(),
            list: match route.split(' ').collect::<Vec<_>>().as_slice() {
                ["live_set", "tracks", _] => Some("tracks"),
                ["live_set", "return_tracks", _] => Some("return_tracks"),
                ["live_set", "scenes", _] => Some("scenes"),
                [.., "devices", _] => Some("devices"),
                [.., "chains", _] => Some("chains"),
                _ => None,
            },
            members: group_tracks::listed(session, &members)?,
            groups,
            emptied: is_pad && model_read::count(session, id, "chains")? == 0,
            is_pad,
            is_return: class == Some("Track") && route.starts_with("live_set return_tracks "),
            error: None,
        })
    }

    fn entry(&self, target: &Target) -> TargetResult {
        let Deletion { id, path, members, error, .. } = self;
        if let Some(error) = error {
            let detail = match error.text.as_str() {
                target_result::NOT_REACHED => target_result::NOT_REACHED.to_owned(),
                why => format!("{path} (id {id}) was not deleted: {why}"),
            };
            return TargetResult::skip(target.key, &target.spelling, detail);
        }
        let mut entry = Map::new();
        if self.emptied {
            entry.insert(target.key.to_owned(), json!(target.spelling));
            entry.insert("ok".to_owned(), json!(false));
            add_detail(&mut entry, format!("nothing there to delete ({path} holds no chains)"));
            return TargetResult::Written(entry);
        }
        entry.insert("id".to_owned(), json!(id.to_string()));
        // A pad is cleared and stays.
        entry.insert(if self.is_pad { "path" } else { "deletedPath" }.to_owned(), json!(path));
        if !members.is_empty() {
            add_detail(&mut entry, format!("its members went with it: {members}"));
        }
        TargetResult::Written(entry)
    }
}

/// Deleting what is not there needs no doing; naming an object of another kind is a mistake.
fn miss(session: &dyn Session, target: &Target, wanted: TargetKind, detail: &str) -> Result<TargetResult, ToolError> {
    if wanted == TargetKind::Track && matches!(target.named, TargetName::Path(Path::Lane { .. })) {
        let detail = format!("{}: take lanes cannot be deleted, in Live neither", target.spelling);
        return Ok(TargetResult::skip(target.key, &target.spelling, detail));
    }
    let is_there = match &target.named {
        TargetName::Id(id) => session.class_of(*id)?.is_some(),
        TargetName::Path(Path::Device(path)) => target_result::or_detail(path_resolve::device(session, path))?.is_ok(),
        TargetName::Path(_) | TargetName::Unreadable(_) => false,
    };
    if is_there || target.unsupported_reason(wanted).is_some() {
        return Ok(TargetResult::skip(target.key, &target.spelling, detail));
    }
    let mut map = Map::new();
    map.insert(target.key.to_owned(), json!(target.spelling));
    map.insert("ok".to_owned(), json!(false));
    map.insert("detail".to_owned(), json!(format!("nothing there to delete ({detail})")));
    Ok(TargetResult::Written(map))
}

/// A plugin of this product may be the one that answers the call, so none goes by a tool.
fn refuse_with_own_device(session: &dyn Session, id: ObjectId, route: &str) -> Result<(), ToolError> {
    let own = session.own_devices()?;
    if own.is_empty() {
        return Ok(());
    }
    let mut members = vec![route.to_owned()];
    for member in model_read::if_any(group_tracks::members(session, id))?.unwrap_or_default() {
        members.extend(session.path_of(member)?);
    }
    for own in own {
        if let Some(own) = session.path_of(own)?
            && members.iter().any(|member| holds(member, &own))
        {
            return Err(ToolError::new(OWN_DEVICE_INSIDE));
        }
    }
    Ok(())
}

fn delete(session: &mut dyn Session, doomed: &Deletion) -> Result<(), ToolError> {
    let id = doomed.id;
    let song = model_read::song(session)?;
    let route = session.path_of(id)?.unwrap_or_default();
    refuse_with_own_device(session, id, &route)?;
    if matches!(route.split(' ').collect::<Vec<_>>().as_slice(), ["live_set", "tracks", _]) {
        refuse_alone(session, id)?;
    }
    // Where it stands is looked up last: a user may move it while the rest is asked.
    let route = session.path_of(id)?.unwrap_or_default();
    let index = |text: &str| Model::Int(text.parse().unwrap_or(-1));
    let words: Vec<&str> = route.split(' ').collect();
    match words.as_slice() {
        ["live_set", "tracks", at] => session.call_later(song, "delete_track", &[index(at)])?,
        ["live_set", "return_tracks", at] => session.call_later(song, "delete_return_track", &[index(at)])?,
        ["live_set", "scenes", at] => session.call_later(song, "delete_scene", &[index(at)])?,
        ["live_set", "master_track"] => return Err(ToolError::new("the main track cannot be deleted")),
        [.., "devices", _] => {
            let holder = holder(session, id)?;
            let route = session.path_of(id)?.unwrap_or_default();
            let at = route.rsplit(' ').next().unwrap_or_default();
            session.call_later(holder, "delete_device", &[index(at)])?;
        }
        [.., "drum_pads", _] => drop(session.call(id, "delete_all_chains", &[])?),
        [.., "return_chains", _] => return Err(ToolError::new("return chains of racks cannot be deleted")),
        [.., "chains", _] => pad_layers::delete(session, id)?,
        _ => delete_clip(session, id)?,
    }
    Ok(())
}

/// Whether what stands at that route is or holds what stands at the other one.
fn holds(route: &str, inner: &str) -> bool {
    inner.strip_prefix(route).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

fn holder(session: &dyn Session, id: ObjectId) -> Result<ObjectId, ToolError> {
    model_read::child(session, id, "canonical_parent")?.ok_or_else(|| ToolError::new("it stands nowhere"))
}

/// A group without a track is none: its only track goes with the group, or not at all.
fn refuse_alone(session: &dyn Session, track: ObjectId) -> Result<(), ToolError> {
    if !group_tracks::is_alone(session, track)? {
        return Ok(());
    }
    let mut groups = group_tracks::around(session, track)?.into_iter();
    let mut nearest = groups.next();
    while let Some(group) = nearest
        && group_tracks::is_alone(session, group)?
    {
        nearest = groups.next();
    }
    let group = nearest.map(|group| path_format::path_and_id(session, group)).transpose()?.unwrap_or_default();
    Err(ToolError::new(format!("it is the only track of its group; delete {group}, which takes it along")))
}

fn delete_clip(session: &mut dyn Session, clip: ObjectId) -> Result<(), ToolError> {
    let place = holder(session, clip)?;
    match model_read::class(session, place)? {
        Some("Track") => session.call_later(place, "delete_clip", &[Model::Object(Some(clip))])?,
        Some("TakeLane") => {
            let silent = match model_read::flag(session, clip, "is_midi_clip")? {
                true => "svc-update-clip empties it (preTransforms: \"delete\")",
                false => "svc-update-clip turns it down (gainDb: -70)",
            };
            return Err(ToolError::new(format!("clips of take lanes cannot be deleted, in Live neither; {silent}")));
        }
        _ => session.call_later(place, "delete_clip", &[])?,
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::holds;

    #[test]
    fn what_holds_the_own_device() {
        let own = "live_set tracks 1 devices 2";
        for (route, is) in [
            ("live_set tracks 1", true),
            (own, true),
            ("live_set tracks 11", false),
            ("live_set tracks 1 devices 20", false),
            ("live_set tracks 1 devices 2 chains 0", false),
        ] {
            assert_eq!(holds(route, own), is, "{route}");
        }
    }
}
