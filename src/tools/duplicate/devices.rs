//! Copies of devices.

use super::frame::{Batch, Candidate, CopyKind, CopyResult, CopyTask, is_nested, sequence_of_nested};
use crate::object_model::{ObjectId, Session};
use crate::tools::address::model_read::child;
use crate::tools::arguments::lists::ListEntry;
use crate::tools::call::CallContext;
use crate::tools::device::device_places::{DevicePlace, ResolvedPlace, index_of, refused_at};
use crate::tools::error::ToolError;
use crate::tools::read::device_summary::type_of;
use crate::tools::report::moved_paths::ListBefore;
use crate::tools::report::target_result::{add_detail, or_detail};
use crate::tools::report::write_log::WriteLog;
use serde_json::json;

pub struct DeviceCopies {
    destinations: Vec<ListEntry<DevicePlace>>,
    /// The ways to them, walked before the first copy shifts what is on one. `None` where an earlier copy has to make
    /// it first.
    ways: Vec<Option<ResolvedPlace>>,
    /// The devices of every track and chain that got a copy, as they were before.
    before: Vec<ListBefore>,
    /// A rack is copied before a copy goes into it.
    sequence: Vec<usize>,
}

impl DeviceCopies {
    pub fn read(places: Vec<String>) -> Result<DeviceCopies, ToolError> {
        let destinations = DevicePlace::read_list("toPath", places)?;
        Ok(DeviceCopies { destinations, ways: Vec::new(), before: Vec::new(), sequence: Vec::new() })
    }
}

impl CopyKind for DeviceCopies {
    fn spelling_warning(&self, session: &dyn Session) -> Result<Option<String>, ToolError> {
        for place in self.destinations.iter().filter_map(|place| place.read.as_ref().ok()) {
            if let Some(warning) = place.spelling_warning(session)? {
                return Ok(Some(warning));
            }
        }
        Ok(None)
    }

    fn look_up(
        &mut self,
        session: &dyn Session,
        _call: &mut CallContext,
        batch: &Batch,
        found: &[Result<ObjectId, String>],
    ) -> Result<Vec<Candidate>, ToolError> {
        if let [ListEntry { read: Ok(only), .. }] = self.destinations.as_slice() {
            only.check(session)?;
        }
        for place in &self.destinations {
            self.ways.push(match &place.read {
                Ok(place) => or_detail(place.resolve(session))?.ok(),
                Err(_) => None,
            });
        }
        let mut copies = Vec::new();
        for copy in &batch.copies {
            let source = found.get(copy.source).and_then(|found| found.as_ref().ok()).copied();
            let onto = match (copy.destination, source) {
                (Some(at), _) => {
                    let place = self.destinations.get(at).filter(|place| is_nested(&place.spelling));
                    let way = self.ways.get(at).filter(|_| place.is_some()).and_then(Option::as_ref);
                    way.and_then(ResolvedPlace::holder)
                }
                (None, Some(device)) => child(session, device, "canonical_parent")?,
                (None, None) => None,
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
        let device = task.source;
        let mut point = None;
        let copy = match task.request.destination.and_then(|at| Some((at, self.destinations.get(at)?))) {
            None => {
                let holder = child(session, device, "canonical_parent")?;
                let holder = holder.ok_or_else(|| ToolError::new("the device stands nowhere"))?;
                let own = index_of(session, device)?;
                ListBefore::remember(&mut self.before, session, holder, "devices")?;
                session.copy_device(device, holder, own.map(|own| own + 1))?
            }
            Some((at, place)) => {
                let place = place.read.as_ref().map_err(Clone::clone)?;
                let way = self.ways.get(at).cloned().flatten();
                let room = way.map_or_else(|| place.resolve(session), Ok)?.make(session)?;
                ListBefore::remember(&mut self.before, session, room.container, "devices")?;
                let copied = session.copy_device(device, room.container, room.at);
                let copy = copied.map_err(|why| {
                    let why = refused_at(session, room.container, why);
                    match &room.created {
                        Some(chains) => why.and(format!("made on the way: {chains}")),
                        None => why,
                    }
                })?;
                point = Some(room);
                copy
            }
        };
        *log = WriteLog::on(session, copy)?;
        log.entry.insert("type".to_owned(), json!(type_of(session, copy)?));
        log.record("copy", Ok::<_, ToolError>(()))?;
        if let Some(room) = point {
            let landed = index_of(session, copy)?.unwrap_or_default();
            room.past_end_detail(landed).into_iter().for_each(|said| add_detail(&mut log.entry, said));
            if let Some(created) = room.created {
                log.entry.insert("created".to_owned(), json!(created));
            }
        }
        if let Err(error) = task.batch.labels.write_name(session, copy, task.at, log) {
            log.refuse(format!("name: {error}"));
        }
        if task.batch.labels.colors.is_some() {
            log.refuse("color ignored: a device has no colour");
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
