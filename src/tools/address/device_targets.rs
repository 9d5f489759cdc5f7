//! Devices and their parts as targets: a chain or return chain of a rack, a pad of a Drum Rack. A pad is the chains of
//! a note, and only in an outermost Drum Rack an object of its own, so it is known by rack and note.

use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read::{self, child, class, int};
use crate::tools::address::path::Path;
use crate::tools::address::path_format;
use crate::tools::address::path_format::drum_note;
use crate::tools::address::path_format::tool_path;
use crate::tools::address::path_resolve::{self, ResolvedPath};
use crate::tools::address::targets::{self, Target, TargetKind, TargetName};
use crate::tools::error::ToolError;

/// A target of the device tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DevicePart {
    Device(ObjectId),
    /// A return chain is one too.
    Chain(ObjectId),
    /// The note is -1 for the pad of all unclaimed notes.
    Pad {
        rack: ObjectId,
        note: i64,
    },
}

/// Reads the target lists. What is written as no device, chain or pad ever is refuses the call.
pub fn read(id: Option<&String>, path: Option<&String>) -> Result<Vec<Target>, ToolError> {
    targets::read(TargetKind::DevicePart, id, path)
}

impl DevicePart {
    /// What a target names, or why it names nothing: a sentence for a `detail`. `warning` is set where it was spelled
    /// as answers do not.
    pub fn find(session: &dyn Session, target: &Target, warning: &mut Option<String>) -> Result<DevicePart, ToolError> {
        if let TargetName::Path(Path::Device(path)) = &target.named
            && target.unsupported_reason(TargetKind::DevicePart).is_none()
        {
            let (found, spelling_warning) = path_resolve::device(session, path)?;
            if let Some(text) = spelling_warning {
                warning.get_or_insert(text);
            }
            return match found {
                ResolvedPath::Object(id) => DevicePart::of_object(session, id),
                ResolvedPath::Pad(layers) => {
                    let no = |what: &str| ToolError::new(format!("{} {what}", target.spelling));
                    let first = layers.first().ok_or_else(|| no("is empty"))?;
                    let rack = child(session, *first, "canonical_parent")?.ok_or_else(|| no("has no rack"))?;
                    Ok(DevicePart::Pad { rack, note: drum_note(session, *first)?.unwrap_or(-1) })
                }
            };
        }
        if let TargetName::Id(id) = target.named
            && let Some(class) = class(session, id)?.filter(|class| !TargetKind::DevicePart.is_class(class))
        {
            let is = targets::class_with_article(class);
            return Err(ToolError::new(format!("id {id} is {is}, no device, chain or pad")));
        }
        DevicePart::of_object(session, target.find(session, TargetKind::DevicePart)?)
    }

    fn of_object(session: &dyn Session, id: ObjectId) -> Result<DevicePart, ToolError> {
        match class(session, id)? {
            Some("DrumPad") => {
                let rack = child(session, id, "canonical_parent")?;
                let rack = rack.ok_or_else(|| ToolError::new(format!("the pad (id {id}) has no rack")))?;
                Ok(DevicePart::Pad { rack, note: int(session, id, "note")? })
            }
            Some("Chain" | "DrumChain") => Ok(DevicePart::Chain(id)),
            _ => Ok(DevicePart::Device(id)),
        }
    }

    /// The object; of a pad that is none there is none.
    pub fn id(self, session: &dyn Session) -> Result<Option<ObjectId>, ModelError> {
        Ok(match self {
            DevicePart::Device(id) | DevicePart::Chain(id) => Some(id),
            DevicePart::Pad { rack, note } => pad_object(session, rack, note)?,
        })
    }

    /// The path that answers give.
    pub fn path(self, session: &dyn Session) -> Result<Option<String>, ModelError> {
        Ok(match self {
            DevicePart::Device(id) | DevicePart::Chain(id) => tool_path(session, id)?,
            DevicePart::Pad { rack, note } => {
                tool_path(session, rack)?.map(|rack| format!("{rack}/{}", pad_name(session, note)))
            }
        })
    }

    /// Whether it is still there.
    pub fn is_there(self, session: &dyn Session) -> Result<bool, ModelError> {
        let (DevicePart::Device(id) | DevicePart::Chain(id) | DevicePart::Pad { rack: id, .. }) = self;
        model_read::is_there(session, id)
    }

    /// `t0/d0 (id 7)`.
    pub fn named(self, session: &dyn Session) -> Result<String, ModelError> {
        Ok(match (self, self.id(session)?) {
            (_, Some(id)) => path_format::path_and_id(session, id)?,
            (DevicePart::Pad { .. }, None) => self.path(session)?.unwrap_or_default(),
            (DevicePart::Device(id) | DevicePart::Chain(id), None) => path_format::path_and_id(session, id)?,
        })
    }
}

/// The object of a pad, which only outermost Drum Racks have.
pub fn pad_object(session: &dyn Session, rack: ObjectId, note: i64) -> Result<Option<ObjectId>, ModelError> {
    match usize::try_from(note) {
        Ok(note) => session.child_at(rack, "drum_pads", note),
        Err(_) => Ok(None),
    }
}

/// The chains of a rack that answer that note, -1 for all unclaimed ones.
pub fn layers(session: &dyn Session, rack: ObjectId, note: i64) -> Result<Vec<ObjectId>, ModelError> {
    let chains = model_read::children_if_any(session, rack, "chains")?;
    model_read::filter(chains, |chain| Ok(drum_note(session, chain)? == Some(note)))
}

/// The place in the rack of the first chain that answers that note.
pub fn first_layer_index(session: &dyn Session, rack: ObjectId, note: i64) -> Result<Option<usize>, ModelError> {
    for (at, chain) in model_read::children_if_any(session, rack, "chains")?.into_iter().enumerate() {
        if drum_note(session, chain)? == Some(note) {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

/// `pC1`, or `p*`.
pub fn pad_name(session: &dyn Session, note: i64) -> String {
    u8::try_from(note).map_or_else(|_| "p*".to_owned(), |note| format!("p{}", session.spelling().name(note)))
}

/// Whether a rack's chain is one of its return chains.
pub fn is_return_chain(session: &dyn Session, chain: ObjectId) -> Result<bool, ModelError> {
    Ok(session.path_of(chain)?.is_some_and(|route| route.rsplit(' ').nth(1) == Some("return_chains")))
}

/// Whether a device is a rack.
pub fn is_rack(session: &dyn Session, device: ObjectId) -> Result<bool, ModelError> {
    model_read::flag_if_any(session, device, "can_have_chains")
}
