//! Copies of chains of racks.

use super::frame::{Batch, Candidate, CopyKind, CopyResult, CopyTask, is_nested, sequence_of_nested};
use crate::object_model::{ObjectId, Session, Value as Model};
use crate::tools::address::device_targets;
use crate::tools::address::model_read::{self, child, count, flag};
use crate::tools::address::path::{DevicePath, Path, Segment};
use crate::tools::address::path_format::{drum_note, path_and_id};
use crate::tools::address::path_parse;
use crate::tools::address::path_resolve::{self, ResolvedPath};
use crate::tools::arguments::lists::{self, ListEntry};
use crate::tools::call::CallContext;
use crate::tools::device::device_places::index_of;
use crate::tools::error::ToolError;
use crate::tools::read::rack_fields::chain_type;
use crate::tools::report::moved_paths::ListBefore;
use crate::tools::report::target_result::{STANDS_AT_END, add_detail, or_detail};
use crate::tools::report::write_log::WriteLog;
use serde_json::json;

/// A rack that chains go to.
struct RackPlace {
    spelling: String,
    rack: DevicePath,
    /// The pad of a Drum Rack.
    pad: Option<Segment>,
    at: Option<usize>,
}

pub struct ChainCopies {
    destinations: Vec<ListEntry<RackPlace>>,
    /// The chains of every rack that got a copy, as they were before.
    before: Vec<ListBefore>,
    /// A chain is copied before a copy goes into a rack inside it.
    sequence: Vec<usize>,
}

impl ChainCopies {
    pub fn read(places: Vec<String>) -> Result<ChainCopies, ToolError> {
        let destinations = lists::read_each(places, RackPlace::read)?;
        let read = || destinations.iter().filter_map(|place| place.read.as_ref().ok());
        for (nth, RackPlace { spelling, rack, at, .. }) in read().enumerate() {
            let mut earlier = read().take(nth);
            if let Some(other) = earlier.find(|other| other.rack == *rack && (other.at.is_some() || at.is_some())) {
                return Err(ToolError::about(
                    "toPath",
                    format!(
                        "{} and {spelling} are in one rack, which the first insert renumbers; use c+, or one call each",
                        other.spelling
                    ),
                ));
            }
        }
        Ok(ChainCopies { destinations, before: Vec::new(), sequence: Vec::new() })
    }
}

impl CopyKind for ChainCopies {
    fn look_up(
        &mut self,
        session: &dyn Session,
        _call: &mut CallContext,
        batch: &Batch,
        found: &[Result<ObjectId, String>],
    ) -> Result<Vec<Candidate>, ToolError> {
        let mut copies = Vec::new();
        for copy in &batch.copies {
            let place = copy.destination.and_then(|at| self.destinations.get(at));
            let source = found.get(copy.source).and_then(|found| found.as_ref().ok()).copied();
            let beside = source.filter(|_| copy.destination.is_none());
            let onto = match place.filter(|place| is_nested(&place.spelling)).map(|place| &place.read) {
                Some(Ok(place)) => match or_detail(path_resolve::device(session, &place.rack))? {
                    Ok((ResolvedPath::Object(rack), _)) => Some(rack),
                    _ => None,
                },
                _ => beside.map_or(Ok(None), |chain| child(session, chain, "canonical_parent"))?,
            };
            copies.push((source.into_iter().collect(), onto));
        }
        self.sequence = sequence_of_nested(session, &copies)?;
        Ok(batch.candidates_at(found, &self.destinations))
    }

    fn order(&self, _count: usize) -> Vec<usize> {
        self.sequence.clone()
    }

    fn copy(&mut self, session: &mut dyn Session, task: &CopyTask, log: &mut WriteLog) -> Result<(), ToolError> {
        let chain = task.source;
        let own = child(session, chain, "canonical_parent")?.ok_or_else(|| ToolError::new("the chain has no rack"))?;
        if device_targets::is_return_chain(session, chain)? {
            return Err(ToolError::new(format!("{}: return chains cannot be copied", path_and_id(session, chain)?)));
        }
        let mut said = None;
        let (copy, rack) = match task.request.destination.and_then(|at| self.destinations.get(at)) {
            None => {
                let behind = index_of(session, chain)?.map(|own| own + 1);
                ListBefore::remember(&mut self.before, session, own, "chains")?;
                (session.copy_chain(chain, own, behind)?, own)
            }
            Some(place) => {
                let place = place.read.as_ref().map_err(Clone::clone)?;
                let rack = place.find(session, chain, own)?;
                let note = place.note()?;
                let index = match note {
                    // A copy goes in front of the layers that its pad holds.
                    Some(note) => device_targets::first_layer_index(session, rack, note)?,
                    None => {
                        let chains = count(session, rack, "chains")?;
                        said = place
                            .at
                            .filter(|at| *at > chains)
                            .map(|asked| format!("c{asked} is past the end of the rack{STANDS_AT_END}c{chains}"));
                        place.at.filter(|at| *at < chains)
                    }
                };
                ListBefore::remember(&mut self.before, session, rack, "chains")?;
                let copy = session.copy_chain(chain, rack, index)?;
                if let Some(note) = note {
                    session.set(copy, "in_note", Model::Int(note))?;
                }
                (copy, rack)
            }
        };
        let lost = left_behind(session, chain, own, rack)?;
        *log = WriteLog::on(session, copy)?;
        log.entry.insert("type".to_owned(), json!(chain_type(session, copy)?));
        log.record("copy", Ok::<_, ToolError>(()))?;
        for detail in said.into_iter().chain(lost) {
            add_detail(&mut log.entry, detail);
        }
        if let Err(error) = task.batch.labels.write(session, copy, task.at, log) {
            log.refuse(error.text);
        }
        Ok(())
    }

    fn report(&self, session: &dyn Session, results: &mut [CopyResult]) -> Result<(), ToolError> {
        for list in &self.before {
            list.report(session, &[], results.iter_mut().map(|one| &mut one.entry))?;
        }
        Ok(())
    }
}

impl RackPlace {
    fn read(spelling: &str) -> Result<RackPlace, ToolError> {
        let refuse = || {
            let why =
                "a chain goes to a rack of the same kind, such as t1/d0, t1/d0/c+ or, on a Drum Rack, t1/d0/pC1/c+";
            ToolError::about("toPath", format!("{spelling}: {why}"))
        };
        let Path::Device(mut rack) = path_parse::parse(spelling).map_err(|e| ToolError::about("toPath", e))? else {
            return Err(refuse());
        };
        let mut at = None;
        match rack.segments.last() {
            Some(Segment::NewChain) => drop(rack.segments.pop()),
            Some(Segment::Chain(index)) => {
                at = Some(*index);
                rack.segments.pop();
            }
            _ => {}
        }
        let pad = rack.segments.last().copied().filter(|last| matches!(last, Segment::Pad(_) | Segment::CatchAll));
        if pad.is_some() {
            rack.segments.pop();
        }
        if !rack.segments.last().is_some_and(|last| last.is_device()) {
            return Err(refuse());
        }
        Ok(RackPlace { spelling: spelling.to_owned(), rack, pad, at })
    }

    /// The rack, if it takes that chain.
    fn find(&self, session: &dyn Session, chain: ObjectId, own: ObjectId) -> Result<ObjectId, ToolError> {
        let (found, _) = path_resolve::device(session, &self.rack)?;
        let ResolvedPath::Object(rack) = found else {
            return Err(ToolError::new(format!("{} is no rack", self.rack)));
        };
        if !flag(session, rack, "can_have_chains")? {
            return Err(ToolError::new(format!("{} is no rack", path_and_id(session, rack)?)));
        }
        let kind = |device| model_read::text(session, device, "class_display_name");
        let (from, into) = (kind(own)?, kind(rack)?);
        if model_read::text(session, own, "class_name")? != model_read::text(session, rack, "class_name")? {
            return Err(ToolError::new(format!(
                "{} is an {into}; the chain is one of an {from}",
                path_and_id(session, rack)?
            )));
        }
        let is_drums = drum_note(session, chain)?.is_some();
        if self.pad.is_some() && !is_drums {
            return Err(ToolError::new(format!("{} has no pads", path_and_id(session, rack)?)));
        }
        if self.at.is_some() && self.pad.is_none() && is_drums {
            return Err(ToolError::new(format!(
                "{}: a chain of a Drum Rack belongs to a pad; write {}/pC1/c+, or {} to keep its pad",
                self.spelling, self.rack, self.rack
            )));
        }
        Ok(rack)
    }

    /// The note of the pad that it names.
    fn note(&self) -> Result<Option<i64>, ToolError> {
        match self.pad {
            Some(Segment::Pad(note)) => Ok(Some(i64::from(note))),
            Some(_) => Err(ToolError::new(format!("{}: a chain for all notes is not made by a path", self.spelling))),
            None => Ok(None),
        }
    }
}

/// What of a chain does not come along.
fn left_behind(
    session: &dyn Session,
    chain: ObjectId,
    own: ObjectId,
    rack: ObjectId,
) -> Result<Vec<String>, ToolError> {
    let mut said = Vec::new();
    let names = |rack: ObjectId| -> Result<Vec<String>, ToolError> {
        let returns = model_read::children(session, rack, "return_chains")?.into_iter();
        returns.map(|chain| Ok(model_read::text(session, chain, "name")?)).collect()
    };
    if own != rack {
        let there = names(rack)?;
        let mixer = child(session, chain, "mixer_device")?;
        let mut lost = Vec::new();
        for (at, name) in names(own)?.into_iter().enumerate() {
            let send = mixer.map(|mixer| session.child_at(mixer, "sends", at)).transpose()?.flatten();
            let level = send.map(|send| model_read::number(session, send, "value")).transpose()?;
            let sends = level.is_some_and(|level| level > 0.0);
            if sends && !there.contains(&name) {
                lost.push(name);
            }
        }
        if !lost.is_empty() {
            said.push(format!("its sends to {} stay behind: the rack has no such return chains", lost.join(", ")));
        }
    }
    if flag(session, own, "has_macro_mappings")? {
        said.push("macro mappings did not come along".to_owned());
    }
    Ok(said)
}
