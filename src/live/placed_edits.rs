//! Deletions and copies that wait for the next exchange. Their steps name the object itself: where it stands by then
//! the script sees.

use super::exchange::{Change, WaitingWrite};
use super::known::Known;
use super::session::LiveSession;
use super::wire_value::reference;
use crate::object_model::class::ValueKind;
use crate::object_model::value::object_argument;
use crate::object_model::{ObjectId, Value};
use serde_json::json;

/// What an edit is about, by what is known.
enum Edit {
    Delete(ObjectId),
    /// A track or scene; its copy stands right behind it.
    Copy(ObjectId),
    /// A clip to another slot.
    CopyOnto {
        clip: ObjectId,
        slot: ObjectId,
    },
}

impl Edit {
    /// `None` where what is known does not say what it comes to.
    fn of(known: &Known, id: ObjectId, function: &str, args: &[Value]) -> Option<Edit> {
        let listed = |list: &str| match args.first() {
            Some(Value::Int(at)) => known.child_at(id, list, usize::try_from(*at).ok()?).flatten(),
            _ => None,
        };
        let given = || object_argument(args.first()?).flatten();
        let is_slot = known.kind_of(id)?.name == "ClipSlot";
        // A group takes its members along, which are to be looked for.
        let plain_track = || listed("tracks").filter(|track| is_no_group(known, *track));
        Some(match function {
            "delete_track" => Edit::Delete(plain_track()?),
            "delete_return_track" => Edit::Delete(listed("return_tracks")?),
            "delete_scene" => Edit::Delete(listed("scenes")?),
            "delete_device" => Edit::Delete(listed("devices")?),
            "delete_clip" if is_slot => Edit::Delete(known.child_at(id, "clip", 0)??),
            "delete_clip" => Edit::Delete(given()?),
            "duplicate_track" => Edit::Copy(plain_track()?),
            "duplicate_scene" => Edit::Copy(listed("scenes")?),
            "duplicate_clip_to" => Edit::CopyOnto { clip: known.child_at(id, "clip", 0)??, slot: given()? },
            _ => return None,
        })
    }
}

fn is_no_group(known: &Known, track: ObjectId) -> bool {
    known.value(track, "is_foldable", Some(ValueKind::Bool)) == Some(Value::Bool(false))
}

/// Where a copy stands that is laid right behind its source.
fn behind(path: &str) -> Option<String> {
    let (list, at) = path.rsplit_once(' ')?;
    Some(format!("{list} {}", at.parse::<usize>().ok()? + 1))
}

impl LiveSession {
    /// The call as a write that waits; `None` where it cannot.
    pub(super) fn placed_edit(&self, id: ObjectId, function: &str, args: &[Value]) -> Option<WaitingWrite> {
        let exchanges = self.exchanges.lock();
        let known = &exchanges.known;
        let edit = Edit::of(known, id, function, args)?;
        let (source, onto) = match edit {
            Edit::Delete(doomed) => {
                known.path_of(doomed)?;
                let step = json!({ "do": "delete", "of": reference(doomed) });
                return Some(WaitingWrite::new(step, doomed, Change::Deletion, true));
            }
            Edit::Copy(source) => (source, None),
            Edit::CopyOnto { clip, slot } => (clip, Some(slot)),
        };
        let class = known.kind_of(source)?;
        let path = match onto {
            Some(slot) => format!("{} clip", known.path_of(slot)?),
            None => behind(known.path_of(source)?)?,
        };
        let members = known.members_of_copy(source);
        let free = self.link.free_id()?;
        let mut step = json!({ "do": "duplicate", "of": reference(source), "as": free.0 });
        if let Some(slot) = onto {
            step["onto"] = reference(slot);
        }
        let parent = onto.unwrap_or(id);
        Some(WaitingWrite::new(step, free, Change::Object { class, parent, path: Some(path), members }, true))
    }
}
