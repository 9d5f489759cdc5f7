//! The targets of a call: `id` and `path` lists, added up, in call order.

use crate::object_model::class::class as class_table;
use crate::object_model::{ObjectId, Session};
use crate::tools::address::model_read;
use crate::tools::address::path::{DevicePath, LanePath, Path, Segment, TrackPath};
use crate::tools::address::path_format;
use crate::tools::address::path_parse;
use crate::tools::address::path_parse::parse_old;
use crate::tools::address::path_resolve::{self, ResolvedPath};
use crate::tools::arguments::lists;
use crate::tools::error::ToolError;

/// One target as the caller named it.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// `id` or `path`.
    pub key: &'static str,
    /// Letter for letter as it was sent.
    pub spelling: String,
    pub named: TargetName,
    /// What to send instead of an old spelling.
    pub warning: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum TargetName {
    Id(ObjectId),
    Path(Path),
    /// One of several that cannot be read, with the reason: its entry says so, the others are done.
    Unreadable(String),
}

/// What kind of object a call acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetKind {
    Track,
    /// A track or a take lane.
    Lane,
    /// A track, or a take lane that is there or to be made.
    LaneToMake,
    Scene,
    Clip,
    Device,
    /// A chain of a rack, return chains among them.
    Chain,
    DrumPad,
    /// A device, or a part of one: a chain, a return chain, a pad. Found by
    /// [`device_targets`](crate::tools::address::device_targets), as a pad may be no object.
    DevicePart,
}

/// The types of objects that can be deleted or copied, as a `type` parameter says them.
pub const OBJECT_TYPES: &[&str] = &["track", "scene", "clip", "device", "drum-pad", "chain"];

impl TargetKind {
    /// The kind of object that one of [`OBJECT_TYPES`] says.
    pub fn of_type(word: &str) -> TargetKind {
        match word {
            "track" => TargetKind::Track,
            "scene" => TargetKind::Scene,
            "device" => TargetKind::Device,
            "drum-pad" => TargetKind::DrumPad,
            "chain" => TargetKind::Chain,
            _ => TargetKind::Clip,
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            TargetKind::Track => "track",
            TargetKind::Lane | TargetKind::LaneToMake => "track or take lane",
            TargetKind::Scene => "scene",
            TargetKind::Clip => "clip",
            TargetKind::Device => "device",
            TargetKind::Chain => "chain",
            TargetKind::DrumPad => "drum pad",
            TargetKind::DevicePart => "device, chain or pad",
        }
    }

    pub fn is_class(self, class: &str) -> bool {
        match self {
            TargetKind::Track => class == "Track",
            TargetKind::Lane | TargetKind::LaneToMake => matches!(class, "Track" | "TakeLane"),
            TargetKind::Scene => class == "Scene",
            TargetKind::Clip => class == "Clip",
            // Every kind of device is a class of its own.
            TargetKind::Device => class_table(class).is_some_and(|class| class.properties.get("class_name").is_some()),
            TargetKind::Chain => matches!(class, "Chain" | "DrumChain"),
            TargetKind::DrumPad => class == "DrumPad",
            TargetKind::DevicePart => {
                [TargetKind::Device, TargetKind::Chain, TargetKind::DrumPad].iter().any(|part| part.is_class(class))
            }
        }
    }

    fn accepts(self, path: &Path) -> bool {
        match self {
            TargetKind::Track => matches!(path, Path::Track(_)),
            TargetKind::Lane => matches!(path, Path::Track(_) | Path::Lane { .. }),
            TargetKind::LaneToMake => matches!(path, Path::Track(_) | Path::Lane { .. } | Path::NewLane { .. }),
            TargetKind::Scene => matches!(path, Path::Scene(_)),
            TargetKind::Clip => matches!(path, Path::Slot { .. } | Path::Arrangement { lane: Some(_), .. }),
            TargetKind::Device => last_segment(path).is_some_and(Segment::is_device),
            TargetKind::Chain => matches!(last_segment(path), Some(Segment::Chain(_) | Segment::ReturnChain(_))),
            TargetKind::DrumPad => matches!(last_segment(path), Some(Segment::Pad(_) | Segment::CatchAll)),
            TargetKind::DevicePart => {
                last_segment(path).is_some_and(|last| !matches!(last, Segment::NewDevice | Segment::NewChain))
            }
        }
    }

    fn shape(self) -> &'static str {
        match self {
            TargetKind::Track => "t0, rt0 or mt",
            TargetKind::Lane | TargetKind::LaneToMake => "t0, rt0, mt or t0/l0",
            TargetKind::Scene => "s0",
            TargetKind::Clip => "t0/s0 or t0[5|1]",
            TargetKind::Device => "t0/d0",
            TargetKind::Chain => "t0/d0/c0 or t0/d0/pC1/c0",
            TargetKind::DrumPad => "t0/d0/pC1",
            TargetKind::DevicePart => "t0/d0, t0/d0/c0 or t0/d0/pC1",
        }
    }
}

/// Reads the target lists of a call that acts on objects of one kind. A lone target that cannot be read, or that is
/// written as no such object ever is, refuses the call; one of several is not found.
pub fn read(wanted: TargetKind, id: Option<&String>, path: Option<&String>) -> Result<Vec<Target>, ToolError> {
    let targets = read_any(wanted, id, path)?;
    match targets.as_slice() {
        [only] => match only.unsupported_reason(wanted) {
            Some(why) => Err(ToolError::about("path", why)),
            None => Ok(targets),
        },
        _ => Ok(targets),
    }
}

/// An id as it was sent.
pub fn id_of(spelling: &str) -> Result<ObjectId, ToolError> {
    if path_parse::parse(spelling).is_ok() {
        return Err(ToolError::about("id", format!("\"{spelling}\" is a path; send it as path: \"{spelling}\"")));
    }
    spelling
        .parse()
        .map(ObjectId)
        .map_err(|_| ToolError::about("id", format!("\"{spelling}\" is no id; ids are the numbers that results carry")))
}

/// A path, or one as it was once written (`0/3`) where the tool `takes` such a one; the warning then shows the new
/// spelling.
pub fn path_or_old(
    parameter: &str,
    spelling: &str,
    takes: impl Fn(&Path) -> bool,
) -> Result<(Path, Option<String>), ToolError> {
    if let Some(old) = parse_old(spelling).filter(takes) {
        let warning = format!("\"{spelling}\" is an old spelling; send {parameter}: \"{old}\" instead");
        return Ok((old, Some(warning)));
    }
    let path = path_parse::parse(spelling).map_err(|e| ToolError::about(parameter, e))?;
    Ok((path, None))
}

/// The one old spelling that every tool takes.
pub fn is_slot(path: &Path) -> bool {
    matches!(path, Path::Slot { .. })
}

/// As [`read`], but a path of another kind of object is a target like any other, which is then not found.
pub fn read_any(wanted: TargetKind, id: Option<&String>, path: Option<&String>) -> Result<Vec<Target>, ToolError> {
    let mut targets = Vec::new();
    let mut unreadable = None;
    let mut add = |key, spelling, read: Result<(TargetName, Option<String>), ToolError>| {
        let (named, warning) = read.unwrap_or_else(|why| {
            let named = TargetName::Unreadable(why.text.clone());
            unreadable.get_or_insert(why);
            (named, None)
        });
        targets.push(Target { key, spelling, named, warning });
    };
    if let Some(list) = id.filter(|text| !text.trim().is_empty()) {
        for spelling in lists::split_targets("id", list)? {
            let read = id_of(&spelling).map(|id| (TargetName::Id(id), None));
            add("id", spelling, read);
        }
    }
    if let Some(list) = path.filter(|text| !text.trim().is_empty()) {
        for spelling in lists::split_targets("path", list)? {
            let read = path_or_old("path", &spelling, |_| wanted == TargetKind::Clip);
            add("path", spelling, read.map(|(path, warning)| (TargetName::Path(path), warning)));
        }
    }
    lists::refuse_too_many("id, path", targets.len())?;
    match (targets.len(), unreadable) {
        (0, _) => {
            Err(ToolError::new(format!("name at least one {} by path ({}) or id", wanted.word(), wanted.shape())))
        }
        (1, Some(why)) => Err(why),
        _ => Ok(targets),
    }
}

impl Target {
    /// Why this target can be no object of that kind, whatever the Set holds.
    pub fn unsupported_reason(&self, wanted: TargetKind) -> Option<String> {
        match &self.named {
            TargetName::Unreadable(why) => Some(why.clone()),
            TargetName::Path(Path::NewTrack | Path::NewReturn) => {
                Some(format!("{} is for a new track, which svc-create-track makes", self.spelling))
            }
            TargetName::Path(Path::NewScene) => {
                Some(format!("{} is for a new scene, which svc-create-scene makes", self.spelling))
            }
            TargetName::Path(Path::NewLane { .. }) if wanted != TargetKind::LaneToMake => {
                Some(format!("{} is for a new take lane, which svc-update-track makes", self.spelling))
            }
            TargetName::Path(Path::NewLaneMoment { .. }) => Some(format!(
                "{} is a place on a new take lane; svc-create-clip, svc-duplicate and toPath of svc-update-clip make it",
                self.spelling
            )),
            TargetName::Path(Path::Device(device)) if matches!(device.segments.last(), Some(Segment::NewDevice)) => {
                Some(format!("{} is a place for a new device, which svc-create-device makes", self.spelling))
            }
            TargetName::Path(Path::Device(device)) if matches!(device.segments.last(), Some(Segment::NewChain)) => {
                Some(format!(
                    "{} is a place for a new chain; svc-create-device and svc-duplicate make those",
                    self.spelling
                ))
            }
            TargetName::Path(Path::Track(_) | Path::Lane { .. } | Path::Arrangement { lane: None, .. })
                if wanted == TargetKind::Clip =>
            {
                Some(format!("{} alone names many clips or none; a clip is written {}", self.spelling, wanted.shape()))
            }
            TargetName::Path(Path::Track(_)) if wanted == TargetKind::DevicePart => Some(format!(
                "{0} is a track; a device on it is written {0}/d0, and svc-read-track with devices lists them",
                self.spelling
            )),
            TargetName::Path(path) if !wanted.accepts(path) => Some(format!(
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
    pub fn find(&self, session: &dyn Session, wanted: TargetKind) -> Result<ObjectId, ToolError> {
        self.find_with_warning(session, wanted, &mut None)
    }

    /// As [`Target::find`]; puts a warning where the target was spelled as answers do not.
    pub fn find_with_warning(
        &self,
        session: &dyn Session,
        wanted: TargetKind,
        warning: &mut Option<String>,
    ) -> Result<ObjectId, ToolError> {
        if let Some(why) = self.unsupported_reason(wanted) {
            return Err(ToolError::new(why));
        }
        match &self.named {
            TargetName::Unreadable(why) => Err(ToolError::new(why.clone())),
            TargetName::Id(id) => match model_read::class(session, *id)? {
                Some(class) if wanted.is_class(class) => Ok(*id),
                Some(class) => {
                    Err(ToolError::new(format!("id {id} is {}, not a {}", class_with_article(class), wanted.word())))
                }
                None => Err(ToolError::not_found(format!("no object has the id {id} (any more)"))),
            },
            TargetName::Path(path) => match path {
                Path::Track(track) => model_read::track(session, *track),
                Path::Lane { track, lane } => {
                    path_resolve::lane(session, LanePath { track: *track, take_lane: Some(*lane) })
                }
                Path::Arrangement { lane: Some(lane), at } => path_resolve::clip_covering(session, *lane, at),
                Path::Scene(at) => model_read::scene(session, *at),
                &Path::Slot { track, scene } => {
                    let slot = model_read::slot(session, track, scene)?;
                    match model_read::child(session, slot, "clip")? {
                        Some(clip) => Ok(clip),
                        None => Err(ToolError::new(empty_slot(session, track, scene)?)),
                    }
                }
                Path::Device(device) => self.find_device(session, device, wanted, warning),
                other => Err(ToolError::new(format!("{other} names no {}", wanted.word()))),
            },
        }
    }
}

impl Target {
    fn find_device(
        &self,
        session: &dyn Session,
        path: &DevicePath,
        wanted: TargetKind,
        warning: &mut Option<String>,
    ) -> Result<ObjectId, ToolError> {
        let (found, spelling_warning) = path_resolve::device(session, path)?;
        if let Some(text) = spelling_warning {
            warning.get_or_insert(text);
        }
        match found {
            ResolvedPath::Object(id) => match model_read::class(session, id)? {
                Some(class) if wanted.is_class(class) => Ok(id),
                class => Err(ToolError::new(format!(
                    "{} is {}, not a {}",
                    self.spelling,
                    class_with_article(class.unwrap_or("?")),
                    wanted.word()
                ))),
            },
            ResolvedPath::Pad(chains) => {
                let mut paths = Vec::new();
                for chain in chains {
                    paths.extend(path_format::tool_path(session, chain)?);
                }
                Err(ToolError::new(format!(
                    "{} is no object of its own but {}, to be named one by one",
                    self.spelling,
                    paths.join(", ")
                )))
            }
        }
    }
}

/// The last step of a device path.
fn last_segment(path: &Path) -> Option<Segment> {
    match path {
        Path::Device(device) => device.segments.last().copied(),
        _ => None,
    }
}

/// Why a slot gives no clip.
fn empty_slot(session: &dyn Session, track: usize, scene: usize) -> Result<String, ToolError> {
    let id = model_read::track(session, TrackPath::Regular(track))?;
    Ok(if model_read::flag(session, id, "is_foldable")? {
        format!("t{track} is a group track and holds no clips")
    } else {
        format!("t{track}/s{scene} is empty")
    })
}

/// A class in the words of the tools.
pub fn class_with_article(class: &str) -> String {
    let words = class_in_words(class);
    let article = if words.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {words}")
}

/// A class as a sentence names it.
pub fn class_in_words(class: &str) -> String {
    match class {
        "ClipSlot" => "clip slot".to_owned(),
        "DeviceParameter" => "parameter".to_owned(),
        "MixerDevice" => "mixer".to_owned(),
        "TakeLane" => "take lane".to_owned(),
        "CuePoint" => "locator".to_owned(),
        "DrumPad" => "drum pad".to_owned(),
        "DrumChain" => "chain".to_owned(),
        device if TargetKind::Device.is_class(device) => "device".to_owned(),
        other => other.to_lowercase(),
    }
}
