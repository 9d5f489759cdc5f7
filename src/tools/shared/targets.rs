//! The targets of a call: `id` and `path` lists, added up, in call order.

use super::entry::{self, Entry};
use super::lists;
use super::objects;
use super::path::{self, Path, TrackPath};
use crate::object_model::{ObjectId, Session};
use crate::tools::{CallContext, ToolError};
use serde_json::{Map, Value};

/// One target as the caller named it.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// `id` or `path`.
    pub key: &'static str,
    /// Letter for letter as it was sent.
    pub spelling: String,
    pub named: Named,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Named {
    Id(ObjectId),
    Path(Path),
}

/// What kind of object a call acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    Track,
    Scene,
    Clip,
}

impl Wanted {
    pub fn word(self) -> &'static str {
        match self {
            Wanted::Track => "track",
            Wanted::Scene => "scene",
            Wanted::Clip => "clip",
        }
    }

    fn class(self) -> &'static str {
        match self {
            Wanted::Track => "Track",
            Wanted::Scene => "Scene",
            Wanted::Clip => "Clip",
        }
    }

    fn accepts(self, path: Path) -> bool {
        matches!(
            (self, path),
            (Wanted::Track, Path::Track(_)) | (Wanted::Scene, Path::Scene(_)) | (Wanted::Clip, Path::Slot { .. })
        )
    }

    fn shape(self) -> &'static str {
        match self {
            Wanted::Track => "t0, rt0 or mt",
            Wanted::Scene => "s0",
            Wanted::Clip => "t0/s0",
        }
    }
}

/// Reads the target lists of a call that acts on objects of one kind. An entry that cannot be read, or that is written as
/// no such object ever is, refuses the call.
pub fn read(wanted: Wanted, id: Option<&String>, path: Option<&String>) -> Result<Vec<Target>, ToolError> {
    let targets = read_any(wanted, id, path)?;
    for target in &targets {
        if let Some(why) = target.misfit(wanted) {
            return Err(ToolError::new(format!("path: {why}")));
        }
    }
    Ok(targets)
}

/// As [`read`], but a path of another kind of object is a target like any other, which is then not found.
pub fn read_any(wanted: Wanted, id: Option<&String>, path: Option<&String>) -> Result<Vec<Target>, ToolError> {
    let mut targets = Vec::new();
    if let Some(list) = id.filter(|text| !text.trim().is_empty()) {
        for spelling in lists::targets("id", list)? {
            if path::parse(&spelling).is_ok() {
                return Err(ToolError::new(format!("id: \"{spelling}\" is a path; send it as path: \"{spelling}\"")));
            }
            let number = spelling.parse().map_err(|_| {
                ToolError::new(format!("id: \"{spelling}\" is no id; ids are the numbers that results carry"))
            })?;
            targets.push(Target { key: "id", spelling, named: Named::Id(ObjectId(number)) });
        }
    }
    if let Some(list) = path.filter(|text| !text.trim().is_empty()) {
        for spelling in lists::targets("path", list)? {
            let parsed = path::parse(&spelling).map_err(|e| ToolError::new(format!("path: {e}")))?;
            targets.push(Target { key: "path", spelling, named: Named::Path(parsed) });
        }
    }
    if targets.is_empty() {
        return Err(ToolError::new(format!("name at least one {} by path ({}) or id", wanted.word(), wanted.shape())));
    }
    Ok(targets)
}

impl Target {
    /// Why this target can be no object of that kind, whatever the Set holds.
    pub fn misfit(&self, wanted: Wanted) -> Option<String> {
        match self.named {
            Named::Path(path) if !wanted.accepts(path) => Some(format!(
                "{} names no {}; a {} is written {}",
                self.spelling,
                wanted.word(),
                wanted.word(),
                wanted.shape()
            )),
            _ => None,
        }
    }

    /// The object, or why there is none: a sentence for a `detail`.
    pub fn find(&self, session: &dyn Session, wanted: Wanted) -> Result<ObjectId, String> {
        if let Some(why) = self.misfit(wanted) {
            return Err(why);
        }
        match &self.named {
            Named::Id(id) => match objects::class(session, *id) {
                Some(class) if class == wanted.class() => Ok(*id),
                Some(class) => Err(format!("id {id} is a {}, not a {}", spoken(class), wanted.word())),
                None => Err(format!("no object has the id {id} (any more)")),
            },
            Named::Path(path) => {
                let found = match *path {
                    Path::Track(track) => objects::track(session, track),
                    Path::Scene(at) => objects::scene(session, at),
                    Path::Slot { track, scene } => objects::slot(session, track, scene).and_then(|slot| {
                        objects::child(session, slot, "clip")?
                            .ok_or_else(|| ToolError::new(empty_slot(session, track, scene)))
                    }),
                    other => Err(ToolError::new(format!("{other} names no {}", wanted.word()))),
                };
                found.map_err(|e| e.0)
            }
        }
    }
}

/// Writes each target in call order and gives the call's answer. One named again later is left to that mention; one that
/// is not there, or is not reached in time, is a skip.
pub fn write_each(
    session: &mut dyn Session,
    call: &mut CallContext,
    targets: &[Target],
    wanted: Wanted,
    mut write: impl FnMut(&mut dyn Session, &mut CallContext, usize, ObjectId) -> Result<Map<String, Value>, ToolError>,
) -> Result<Value, ToolError> {
    let found: Vec<Result<ObjectId, String>> = targets.iter().map(|target| target.find(session, wanted)).collect();
    let same: Vec<Option<ObjectId>> = found.iter().map(|found| found.as_ref().ok().copied()).collect();
    let mut entries = Vec::new();
    for (at, (target, object)) in targets.iter().zip(&found).enumerate() {
        if let Some(by) = entry::named_again(&same, at) {
            entries.push(Entry::superseded(target.key, &target.spelling, by));
            continue;
        }
        let skip = |detail: &str| Entry::skip(target.key, &target.spelling, detail);
        entries.push(match object {
            Err(detail) => skip(detail),
            Ok(_) if call.is_late() => skip(entry::NOT_REACHED),
            Ok(object) => match write(session, call, at, *object) {
                Ok(map) => Entry::Written(map),
                Err(error) => skip(&error.0),
            },
        });
    }
    entry::answer(entries)
}

/// Why a slot gives no clip.
fn empty_slot(session: &dyn Session, track: usize, scene: usize) -> String {
    let is_group =
        objects::track(session, TrackPath::Regular(track)).is_ok_and(|id| objects::flag(session, id, "is_foldable"));
    if is_group {
        format!("t{track} is a group track and holds no clips")
    } else {
        format!("t{track}/s{scene} is empty")
    }
}

/// A class in the words of the tools.
fn spoken(class: &str) -> String {
    match class {
        "ClipSlot" => "clip slot".to_owned(),
        "DeviceParameter" => "parameter".to_owned(),
        "MixerDevice" => "mixer".to_owned(),
        other => other.to_lowercase(),
    }
}
