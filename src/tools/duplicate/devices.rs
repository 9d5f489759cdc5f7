//! Copies of devices.

use super::frame::{Batch, Candidate, CopyKind, CopyResult, CopyTask};
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read::child;
use crate::tools::call::CallContext;
use crate::tools::device::device_places::{DevicePlace, ResolvedPlace};
use crate::tools::error::ToolError;
use crate::tools::report::moved_paths::ListBefore;
use crate::tools::report::target_result::or_detail;
use crate::tools::report::write_log::WriteLog;
use serde_json::json;

pub struct DeviceCopies {
    destinations: Vec<DevicePlace>,
    /// The ways to them, walked before the first copy shifts what is on one. `None` where an earlier copy has to make it
    /// first.
    ways: Vec<Option<ResolvedPlace>>,
    /// The devices of every track and chain that got a copy, as they were before.
    before: Vec<ListBefore>,
}

impl DeviceCopies {
    pub fn read(places: Vec<String>) -> Result<DeviceCopies, ToolError> {
        let read = |place| DevicePlace::read("toPath", place);
        let destinations = places.into_iter().map(read).collect::<Result<Vec<_>, _>>()?;
        DevicePlace::refuse_ambiguous("toPath", &destinations)?;
        Ok(DeviceCopies { destinations, ways: Vec::new(), before: Vec::new() })
    }
}

impl CopyKind for DeviceCopies {
    fn spelling_warning(&self, session: &dyn Session) -> Result<Option<String>, ToolError> {
        for place in &self.destinations {
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
        // An index past the end is wrong with the call.
        if let [only] = self.destinations.as_slice() {
            only.check(session)?;
        }
        for place in &self.destinations {
            self.ways.push(or_detail(place.resolve(session))?.ok());
        }
        Ok(batch.candidates(found, |at| self.destinations.get(at).map(|place| place.spelling.clone())))
    }

    fn copy(&mut self, session: &mut dyn Session, task: &CopyTask, log: &mut WriteLog) -> Result<(), ToolError> {
        let device = task.source;
        let mut created = None;
        let copy = match task.request.destination.and_then(|at| Some((at, self.destinations.get(at)?))) {
            None => {
                let holder = child(session, device, "canonical_parent")?;
                let holder = holder.ok_or_else(|| ToolError::new("the device stands nowhere"))?;
                let own = index_of(session, device)?;
                ListBefore::remember(&mut self.before, session, holder, "devices")?;
                session.copy_device(device, holder, own.map(|own| own + 1))?
            }
            Some((at, place)) => {
                let way = self.ways.get(at).cloned().flatten();
                let point = way.map_or_else(|| place.resolve(session), Ok)?.make(session)?;
                ListBefore::remember(&mut self.before, session, point.container, "devices")?;
                let copied = session.copy_device(device, point.container, point.at);
                created = point.created;
                copied.map_err(|error| match &created {
                    Some(chains) => ToolError::new(format!("{error}; made on the way: {chains}")),
                    None => error.into(),
                })?
            }
        };
        *log = WriteLog::on(session, copy)?;
        log.record("copy", Ok::<_, ToolError>(()))?;
        if let Some(created) = created {
            log.entry.insert("created".to_owned(), json!(created));
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

/// Where a device or chain stands in its list.
pub fn index_of(session: &dyn Session, id: ObjectId) -> Result<Option<usize>, ModelError> {
    Ok(session.path_of(id)?.and_then(|path| path.rsplit(' ').next()?.parse().ok()))
}
