//! Target by target: every one, and every place, is looked up before the first write.

use super::chains::ChainWork;
use super::devices::{DeviceWork, NewPreset};
use super::moves::Move;
use super::swap::{swap, swap_from_browser};
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::device_targets::{self, DevicePart, layers};
use crate::tools::address::model_read::child_if_any;
use crate::tools::address::path::{DevicePath, Path, Segment};
use crate::tools::address::path_format::drum_note;
use crate::tools::address::path_format::tool_path;
use crate::tools::address::path_resolve::{self, ResolvedPath};
use crate::tools::address::targets::{Target, TargetName};
use crate::tools::arguments::lists::{self, ListEntry};
use crate::tools::call::CallContext;
use crate::tools::device::device_places::DevicePlace;
use crate::tools::device::presets::{FoundPreset, PendingPreset};
use crate::tools::error::ToolError;
use crate::tools::read::settled::settled;
use crate::tools::report::target_result::{add_detail, or_detail};
use crate::tools::report::write_log::WriteLog;
use crate::tools::report::write_targets;
use serde_json::{Map, Value, json};

pub struct Update {
    pub targets: Vec<Target>,
    pub names: Option<lists::ValueList>,
    /// One for each target, or none at all.
    pub presets: Vec<Result<FoundPreset, ToolError>>,
    /// The same.
    pub to: Vec<ListEntry<DevicePlace>>,
    /// What every entry says of texts that are blank.
    pub blank: Option<String>,
    pub devices: DeviceWork,
    pub chains: ChainWork,
}

/// Everything of a call that is looked up before the first write, by the positions of the targets.
struct LookedUp {
    found: Vec<Result<DevicePart, String>>,
    /// A target or place is spelled as answers do not, and the call was warned of it.
    has_old_spelling: bool,
    moves: Vec<Option<Result<Move, ToolError>>>,
    /// What a pad holds before the call: an earlier target may put its chains there.
    layers: Vec<Vec<ObjectId>>,
}

/// What a target is once it is written.
struct WrittenPart {
    part: DevicePart,
    /// It is not where its path said.
    moved: bool,
}

/// A target while it is written.
struct PartUpdate<'a> {
    at: usize,
    /// The chains of a pad, as they were before the call.
    layers: &'a [ObjectId],
    /// What the target is by now.
    now: DevicePart,
    /// Files that are still to be written.
    presets: Vec<NewPreset>,
}

impl Update {
    pub fn run(
        &self,
        session: &mut dyn Session,
        call: &mut CallContext,
    ) -> Result<(Value, Vec<PendingPreset>), ToolError> {
        let LookedUp { found, has_old_spelling, moves, layers } = self.look_up(session, call)?;
        let device = |part: &DevicePart| if let DevicePart::Device(id) = part { Some(*id) } else { None };
        let named: Vec<ObjectId> = found.iter().flatten().filter_map(device).collect();
        let (mut saves, mut before) = (Vec::new(), Vec::new());
        let mut written: Vec<Option<WrittenPart>> = self.targets.iter().map(|_| None).collect();
        let mut answer =
            write_targets::write_found(session, call, &self.targets, found, |session, _, at, part| {
                if !part.is_there(session)? {
                    return Err(ToolError::new("an earlier target of this call took it away"));
                }
                let mut log = WriteLog::default();
                let layers = layers.get(at).map_or(&[][..], Vec::as_slice);
                let mut update = PartUpdate { at, layers, now: part, presets: Vec::new() };
                let outcome = self.write(session, &mut update, &mut log);
                let outcome = outcome.and_then(|()| {
                    let later: Vec<&Move> = moves.iter().skip(at + 1).flatten().flatten().collect();
                    let mut carry_out = |session: &mut dyn Session, to: &Move, log: &mut WriteLog| {
                        update.now = to.carry_out(session, update.now, &later, &mut before, log)?;
                        Ok(())
                    };
                    match (moves.get(at).and_then(Option::as_ref), self.to.get(at)) {
                        (Some(Ok(to)), _) => carry_out(session, to, &mut log),
                        // An earlier target may have made the place.
                        (Some(Err(_)), Some(ListEntry { read: Ok(place), .. })) => {
                            match or_detail(Move::find(session, part, place))? {
                                Ok(to) => carry_out(session, &to, &mut log),
                                Err(why) => {
                                    log.refuse(format!("toPath: {why}"));
                                    Ok(())
                                }
                            }
                        }
                        (_, Some(ListEntry { read: Err(why), .. })) => {
                            log.refuse(why.text.clone());
                            Ok(())
                        }
                        _ => Ok(()),
                    }
                });
                let map = log.end(outcome)?;
                let now = update.now;
                saves.extend(update.presets.into_iter().map(|NewPreset { action, device, name, saved }| {
                    PendingPreset { target: at, action, device, name, saved }
                }));
                let mut entry = Map::new();
                name_entry(session, now, &mut entry)?;
                entry.extend(map);
                self.blank.iter().for_each(|said| add_detail(&mut entry, said));
                if let Some(slot) = written.get_mut(at) {
                    let moved = now != part || moves.get(at).is_some_and(Option::is_some);
                    *slot = Some(WrittenPart { part: now, moved });
                }
                Ok(entry)
            })?;
        // Only now everything stands where it will.
        let entries: Vec<&mut Value> = match &mut answer {
            Value::Array(list) => list.iter_mut().collect(),
            one => vec![one],
        };
        let mut last: Option<&mut Map<String, Value>> = None;
        for ((entry, written), target) in entries.into_iter().zip(written).zip(&self.targets) {
            let (Value::Object(entry), Some(written)) = (entry, written) else { continue };
            name_entry(session, written.part, entry)?;
            if !has_old_spelling
                && !written.moved
                && let Some(path) = path_as_sent(session, target, written.part)?
            {
                entry.insert("path".to_owned(), json!(path));
            }
            last = Some(entry);
        }
        if let Some(entry) = last {
            for list in before {
                list.describe(session, &named)?.iter().for_each(|moved| add_detail(entry, moved));
            }
        }
        Ok((settled(session, Ok(answer))?, saves))
    }

    /// Looks up every target and every place, and warns of what is spelled as answers do not.
    fn look_up(&self, session: &dyn Session, call: &mut CallContext) -> Result<LookedUp, ToolError> {
        let mut warning = None;
        let mut found: Vec<Result<DevicePart, String>> = Vec::new();
        for target in &self.targets {
            found.push(or_detail(DevicePart::find(session, target, &mut warning))?);
        }
        let has_old_spelling = warning.is_some();
        for part in found.iter().flatten() {
            if let (None, DevicePart::Device(device)) = (&warning, part) {
                warning = self.devices.spelling_warning(session, *device)?;
            }
        }
        for place in self.to.iter().filter_map(|place| place.read.as_ref().ok()) {
            if warning.is_none() {
                warning = place.spelling_warning(session)?;
            }
        }
        call.warnings.extend(warning);
        if self.devices.has_idle_force() {
            call.warnings.push("force ignored: only a sample for a pad needs it".to_owned());
        }
        let mut moves = Vec::new();
        let mut all_layers = Vec::new();
        for (at, part) in found.iter().enumerate() {
            moves.push(match (part, self.to.get(at)) {
                (Ok(part), Some(ListEntry { read: Ok(to), .. })) => Some(Move::find(session, *part, to)),
                _ => None,
            });
            all_layers.push(match part {
                Ok(DevicePart::Pad { rack, note }) => layers(session, *rack, *note)?,
                _ => Vec::new(),
            });
        }
        Ok(LookedUp { found, has_old_spelling, moves, layers: all_layers })
    }

    fn write(&self, session: &mut dyn Session, update: &mut PartUpdate, log: &mut WriteLog) -> Result<(), ToolError> {
        let (at, layers) = (update.at, update.layers);
        let name = self.names.as_ref().map(|names| names.at(at));
        let preset = self.presets.get(at).map(Result::as_ref).transpose().map_err(Clone::clone)?;
        if preset.is_some() && !matches!(update.now, DevicePart::Device(_)) {
            log.refuse("preset ignored: for devices, not for chains and pads");
        }
        match update.now {
            DevicePart::Device(mut device) => {
                self.chains.refuse_all(session, update.now, log)?;
                if let Some(preset) = preset {
                    device = match preset {
                        FoundPreset::Saved(preset) => swap(session, device, preset, &mut update.now, log)?,
                        FoundPreset::InBrowser(item) => swap_from_browser(session, device, item, &mut update.now, log)?,
                    };
                }
                update.presets = self.devices.write(session, device, name, log)?;
            }
            DevicePart::Chain(chain) => {
                self.devices.refuse_all(log);
                self.chains.write_chain(session, chain, at, name, log)?;
            }
            DevicePart::Pad { note, .. } => {
                if layers.is_empty() {
                    let name = device_targets::pad_name(session, note);
                    return Err(ToolError::new(format!(
                        "the pad {name} is empty and takes nothing; svc-create-device or the rack's parameter {name}/sample fills it"
                    )));
                }
                self.devices.refuse_all(log);
                self.chains.write_pad(session, layers, at, name, log)?;
            }
        }
        Ok(())
    }
}

/// Puts the id and the path of what an entry is about.
fn name_entry(session: &dyn Session, part: DevicePart, entry: &mut Map<String, Value>) -> Result<(), ModelError> {
    if let Some(id) = part.id(session)? {
        entry.insert("id".to_owned(), json!(id.to_string()));
    }
    if let Some(path) = part.path(session)? {
        entry.insert("path".to_owned(), json!(path));
    }
    Ok(())
}

/// The path with the container as the caller spelled it: through a pad, while that is still where the object stands.
fn path_as_sent(session: &dyn Session, target: &Target, part: DevicePart) -> Result<Option<String>, ToolError> {
    let (TargetName::Path(Path::Device(path)), DevicePart::Device(id)) = (&target.named, part) else { return Ok(None) };
    let Some((_, way)) = path.segments.split_last() else { return Ok(None) };
    let derived = |segment: &Segment| {
        matches!(
            segment,
            Segment::Device(_) | Segment::Chain(_) | Segment::ReturnChain(_) | Segment::Pad(_) | Segment::CatchAll
        )
    };
    if !way.iter().any(|segment| matches!(segment, Segment::Pad(_) | Segment::CatchAll)) || !way.iter().all(derived) {
        return Ok(None);
    }
    let container = DevicePath { track: path.track, segments: way.to_vec() };
    let Some(parent) = child_if_any(session, id, "canonical_parent")? else { return Ok(None) };
    let Ok((holder, _)) = or_detail(path_resolve::device(session, &container))? else { return Ok(None) };
    let holds = match holder {
        ResolvedPath::Object(pad) if drum_note(session, parent)?.is_some() && pad != parent => {
            session.child_at(pad, "chains", 0)? == Some(parent)
        }
        ResolvedPath::Object(holder) => holder == parent,
        ResolvedPath::Pad(layers) => layers.first() == Some(&parent),
    };
    let own = tool_path(session, id)?;
    Ok(own.filter(|_| holds).map(|own| format!("{container}/{}", own.rsplit('/').next().unwrap_or_default())))
}
