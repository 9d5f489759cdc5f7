//! Copies of drum pads onto other pads of their rack.

use super::frame::{Batch, Candidate, CopyKind, CopyResult, CopyTask, sequence_of_nested};
use crate::music::text::counted;
use crate::object_model::{ModelError, ObjectId, Session, Value as Model};
use crate::tools::address::device_targets;
use crate::tools::address::model_read::{child, class, flag, int, text};
use crate::tools::address::path::{DevicePath, Path, Segment};
use crate::tools::address::path_format::{self, drum_note, path_and_id};
use crate::tools::address::path_parse;
use crate::tools::address::path_resolve::{self, ResolvedPath};
use crate::tools::address::targets::{Target, TargetKind, TargetName};
use crate::tools::arguments::lists::{self, ListEntry};
use crate::tools::call::CallContext;
use crate::tools::error::ToolError;
use crate::tools::report::moved_paths::ListBefore;
use crate::tools::report::target_result::add_detail;
use crate::tools::report::write_log::WriteLog;
use serde_json::json;
use std::collections::HashMap;

pub struct PadCopies {
    destinations: Vec<ListEntry<PadPlace>>,
    /// What each source holds, before the first copy is layered onto one.
    layers: HashMap<ObjectId, Vec<ObjectId>>,
    /// The chains of every rack that got a copy, as they were before.
    before: Vec<ListBefore>,
    /// A pad is copied before a copy goes into a rack inside it.
    sequence: Vec<usize>,
}

struct PadPlace {
    rack: DevicePath,
    note: u8,
}

impl PadPlace {
    fn read(spelling: &str) -> Result<PadPlace, ToolError> {
        let refuse = |why: &str| Err(ToolError::about("toPath", format!("{spelling}: {why}")));
        match path_parse::parse(spelling).map_err(|e| ToolError::about("toPath", e))? {
            Path::Device(mut rack) => match rack.segments.pop() {
                Some(Segment::Pad(note)) => Ok(PadPlace { rack, note }),
                Some(Segment::CatchAll) => refuse("chains for all notes are not made by a path"),
                _ => refuse("a pad is copied to a pad, such as t0/d0/pD1"),
            },
            _ => refuse("a pad is copied to a pad, such as t0/d0/pD1"),
        }
    }
}

impl PadCopies {
    pub fn read(places: Vec<String>) -> Result<PadCopies, ToolError> {
        if places.is_empty() {
            return Err(ToolError::new("toPath says which pads of the same rack get the copies, such as t0/d0/pD1"));
        }
        let destinations = lists::read_each(places, PadPlace::read)?;
        Ok(PadCopies { destinations, layers: HashMap::new(), before: Vec::new(), sequence: Vec::new() })
    }
}

impl CopyKind for PadCopies {
    fn find_source(
        &self,
        session: &dyn Session,
        source: &Target,
        _wanted: TargetKind,
        _warning: &mut Option<String>,
    ) -> Result<ObjectId, ToolError> {
        find_pad(session, source)
    }

    fn look_up(
        &mut self,
        session: &dyn Session,
        _call: &mut CallContext,
        batch: &Batch,
        found: &[Result<ObjectId, String>],
    ) -> Result<Vec<Candidate>, ToolError> {
        for source in found.iter().flatten() {
            if let Some(own) = child(session, *source, "canonical_parent")? {
                self.layers.insert(*source, device_targets::layers(session, own, note_of(session, *source)?)?);
            }
        }
        let mut copies = Vec::new();
        for copy in &batch.copies {
            let source = found.get(copy.source).and_then(|found| found.as_ref().ok());
            let layers = source.and_then(|source| self.layers.get(source)).cloned().unwrap_or_default();
            let rack = source.map_or(Ok(None), |source| child(session, *source, "canonical_parent"))?;
            copies.push((layers, rack));
        }
        self.sequence = sequence_of_nested(session, &copies)?;
        Ok(batch.candidates_at(found, &self.destinations))
    }

    fn order(&self, _count: usize) -> Vec<usize> {
        self.sequence.clone()
    }

    fn copy(&mut self, session: &mut dyn Session, task: &CopyTask, log: &mut WriteLog) -> Result<(), ToolError> {
        let place = task.request.destination.and_then(|at| self.destinations.get(at));
        let ListEntry { spelling, read } = place.ok_or_else(|| ToolError::new("toPath names no pad for this copy"))?;
        let PadPlace { rack, note } = read.as_ref().map_err(Clone::clone)?;
        let source = task.source;
        let note = i64::from(*note);
        let own = child(session, source, "canonical_parent")?.ok_or_else(|| ToolError::new("the pad has no rack"))?;
        if path_resolve::device(session, rack)?.0 != ResolvedPath::Object(own) {
            return Err(ToolError::new(format!(
                "{spelling}: a pad is copied within its own rack, {}",
                path_and_id(session, own)?
            )));
        }
        let from = note_of(session, source)?;
        let layers = self.layers.get(&source).cloned().unwrap_or_default();
        if layers.is_empty() {
            return Err(ToolError::new(format!(
                "the pad {} is empty; there is nothing to copy",
                device_targets::pad_name(session, from)
            )));
        }
        if from == note {
            return Err(ToolError::new(format!("{spelling}: a pad is not copied onto itself")));
        }
        let held = device_targets::layers(session, own, note)?.len();
        ListBefore::remember(&mut self.before, session, own, "chains")?;
        let mut written = WriteLog::default();
        let mut copies = Vec::new();
        // The copies go in front of the layers that are there.
        let mut at = device_targets::first_layer_index(session, own, note)?;
        for layer in layers {
            let copy = written.record("some layers", session.copy_chain(layer, own, at))?;
            copies.push(copy);
            session.set(copy, "in_note", Model::Int(note))?;
            at = at.map(|at| at.saturating_add(1));
            task.batch.labels.write(session, copy, task.at, &mut written)?;
        }
        let pad = device_targets::pad_object(session, own, note)?;
        let path = path_format::tool_path(session, own)?
            .map(|own| format!("{own}/{}", device_targets::pad_name(session, note)));
        let entry = &mut written.entry;
        if let Some(id) = pad {
            entry.insert("id".to_owned(), json!(id.to_string()));
        }
        entry.insert("path".to_owned(), json!(path));
        entry.insert("type".to_owned(), json!("drum-pad"));
        let called = match pad {
            Some(pad) => Some(text(session, pad, "name")?),
            None => copies.first().map(|copy| text(session, *copy, "name")).transpose()?,
        };
        entry.insert("name".to_owned(), json!(called));
        if held > 0 {
            let chains = counted(held, "chain");
            add_detail(entry, format!("the pad held {chains}; the copy is layered in front"));
        }
        if flag(session, own, "has_macro_mappings")? {
            add_detail(entry, "macro mappings did not come along");
        }
        // A failure on the way is a skip: only a pad that was copied whole has an entry.
        *log = written;
        Ok(())
    }

    fn report(&self, session: &dyn Session, results: &mut [CopyResult]) -> Result<(), ToolError> {
        for list in &self.before {
            list.report(session, &[], results.iter_mut().map(|one| &mut one.entry))?;
        }
        Ok(())
    }
}

/// The note of a pad, or of a chain that stands for one.
fn note_of(session: &dyn Session, source: ObjectId) -> Result<i64, ModelError> {
    match class(session, source)? {
        Some("DrumPad") => int(session, source, "note"),
        _ => Ok(drum_note(session, source)?.unwrap_or(-1)),
    }
}

/// A pad is known by its rack and note; where it is no object, by its first chain.
fn find_pad(session: &dyn Session, target: &Target) -> Result<ObjectId, ToolError> {
    match &target.named {
        TargetName::Path(Path::Device(path)) if target.unsupported_reason(TargetKind::DrumPad).is_none() => {
            match path_resolve::device(session, path)?.0 {
                ResolvedPath::Object(id) if class(session, id)? == Some("DrumPad") => Ok(id),
                ResolvedPath::Object(_) => Err(ToolError::new(format!("{} is no drum pad", target.spelling))),
                ResolvedPath::Pad(chains) => {
                    chains.first().copied().ok_or_else(|| ToolError::new(format!("{} is empty", target.spelling)))
                }
            }
        }
        _ => target.find(session, TargetKind::DrumPad),
    }
}
