//! Making the devices of a call.

use super::{Args, names};
use crate::object_model::native_devices::by_name;
use crate::object_model::{ObjectId, Session, Value as Model};
use crate::tools::address::path_format;
use crate::tools::arguments::{lists, values};
use crate::tools::call::CallContext;
use crate::tools::device::device_places::{
    DevicePlace, InsertPoint, ResolvedPlace, index_of, refuse_in_new_chain, refused_at,
};
use crate::tools::device::presets::load;
use crate::tools::error::ToolError;
use crate::tools::parameter::ParamWrites;
use crate::tools::read::device_summary::type_of;
use crate::tools::report::moved_paths::ListBefore;
use crate::tools::report::target_result::{self, Mention, TargetResult, add_detail, result_of};
use crate::tools::report::write_log::WriteLog;
use crate::tools::request::RequestContext;
use crate::user_store::Preset;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// What is made at one place.
enum DeviceSource {
    Native(&'static str),
    Preset(Arc<Preset>),
}

/// A preset as a place asked for it.
struct LoadedPreset {
    wanted: String,
    device: Option<&'static str>,
    preset: Arc<Preset>,
}

pub struct Plan {
    places: Vec<DevicePlace>,
    /// One for each place.
    makes: Vec<DeviceSource>,
    names: Option<lists::ValueList>,
    params: Option<ParamWrites>,
}

impl Plan {
    /// Reads the arguments, and the presets that they name.
    pub fn read(args: Args, view: &RequestContext) -> Result<Plan, ToolError> {
        let path = values::unless_blank(args.path).ok_or_else(|| {
            ToolError::new("path says where the device goes, such as t0 (its end), t0/d0 or t0/d0/pC1")
        })?;
        let spellings = lists::split_targets("path", &path)?;
        let places: Vec<DevicePlace> =
            spellings.into_iter().map(|spelling| DevicePlace::read("path", spelling)).collect::<Result<_, _>>()?;
        DevicePlace::refuse_ambiguous("path", &places)?;
        let count = places.len();
        let devices = values::spread("device", args.device.as_ref(), count)?;
        let presets = values::spread("preset", args.preset.as_ref(), count)?;
        let mut makes = Vec::new();
        // A preset for several places is read once.
        let mut loaded: Vec<LoadedPreset> = Vec::new();
        for at in 0..count {
            let native = devices.as_ref().map(|devices| names::find(devices.at(at))).transpose()?;
            makes.push(match (&presets, native) {
                (None, Some(native)) => DeviceSource::Native(native),
                (Some(presets), native) => {
                    let wanted = presets.at(at);
                    let known = loaded.iter().find(|one| one.wanted == wanted && one.device == native);
                    let preset = match known {
                        Some(known) => known.preset.clone(),
                        None => Arc::new(load(view, wanted, native)?),
                    };
                    loaded.push(LoadedPreset { wanted: wanted.to_owned(), device: native, preset: preset.clone() });
                    DeviceSource::Preset(preset)
                }
                (None, None) => return Err(ToolError::new("name the device or the preset to make")),
            });
        }
        let params = ParamWrites::read(args.params, &view.budget)?;
        lists::refuse_too_many_writes("params", params.as_ref().map_or(0, |params| params.items.len()), count)?;
        Ok(Plan { names: lists::spread("name", args.name.as_ref(), count)?, params, places, makes })
    }

    /// The sample files that `params` loads.
    pub fn sample_files(&self) -> Vec<String> {
        self.params.as_ref().map_or_else(Vec::new, ParamWrites::sample_files)
    }

    pub fn run(&self, session: &mut dyn Session, call: &mut CallContext) -> Result<Value, ToolError> {
        if let Some(params) = &self.params {
            params.know_files(session);
        }
        // A place that is there is walked to before anything is made, as an insert moves what is behind it. One that is
        // not may be made by an earlier one, and is looked for again when its turn comes.
        let ways: Vec<Option<ResolvedPlace>> = self
            .places
            .iter()
            .map(|place| Ok(target_result::or_detail(place.resolve(session))?.ok()))
            .collect::<Result<_, ToolError>>()?;
        // One warning shows how answers spell a drum chain, whichever place or parameter earned it.
        let mut warning = None;
        for place in &self.places {
            warning = warning.or(place.spelling_warning(session)?);
        }
        let mut before: Vec<ListBefore> = Vec::new();
        let mut made: Vec<Option<ObjectId>> = Vec::new();
        let mut entries = Vec::new();
        for (at, (place, way)) in self.places.iter().zip(ways).enumerate() {
            let mention = Mention { key: "path", spelling: &place.spelling };
            let mut id = None;
            entries.push(result_of(mention, None, Ok(()), call.is_late(), |()| {
                let way = way.map_or_else(|| place.resolve(session), Ok)?;
                let (device, entry) = self.make(session, at, &way, &mut before, &mut warning)?;
                id = Some(device);
                Ok(entry)
            }));
            made.push(id);
        }
        call.warnings.extend(warning);
        // A later insert may have moved it.
        for (entry, id) in entries.iter_mut().zip(made) {
            if let (TargetResult::Written(entry), Some(id)) = (entry, id)
                && let Some(path) = path_format::tool_path(session, id)?
            {
                entry.insert("path".to_owned(), json!(path));
            }
        }
        for list in before {
            list.report(session, &[], entries.iter_mut())?;
        }
        target_result::answer(entries)
    }

    fn make(
        &self,
        session: &mut dyn Session,
        at: usize,
        place: &ResolvedPlace,
        before: &mut Vec<ListBefore>,
        warning: &mut Option<String>,
    ) -> Result<(ObjectId, Map<String, Value>), ToolError> {
        let make = self.makes.get(at).ok_or_else(|| ToolError::new("there is nothing to make"))?;
        check(session, place, make)?;
        let room = place.make(session)?;
        ListBefore::remember(before, session, room.container, "devices")?;
        let id = insert(session, make, &room).map_err(|why| match &room.created {
            Some(created) => ToolError::new(format!("{why}; {created} was made on the way and is empty")),
            None => why,
        })?;
        let mut log = WriteLog::on(session, id)?;
        log.entry.insert("type".to_owned(), json!(type_of(session, id)?));
        // The device was made, so the target is no skip, whatever fails from here on.
        log.record("device", Ok::<_, ToolError>(()))?;
        if let Some(created) = &room.created {
            log.entry.insert("created".to_owned(), json!(created));
        }
        if let Some(index) = place.index()
            && session.child_at(room.container, "devices", index)? != Some(id)
        {
            let past_end = room.past_end_detail(index_of(session, id)?.unwrap_or_default());
            add_detail(&mut log.entry, past_end.unwrap_or_else(|| format!("not at d{index} but where its kind goes")));
        }
        if let Some(params) = self.params.as_ref().filter(|_| warning.is_none()) {
            *warning = params.spelling_warning(session, id)?;
        }
        let outcome = self.write(session, at, id, &mut log);
        Ok((id, log.end(outcome)?))
    }

    fn write(&self, session: &mut dyn Session, at: usize, id: ObjectId, log: &mut WriteLog) -> Result<(), ToolError> {
        if let Some(names) = &self.names {
            log.name(session, id, names.at(at))?;
        }
        if let Some(params) = &self.params {
            // Whether two names are one parameter is known only of a device that exists.
            if let Err(why) = params.check(session, id) {
                add_detail(&mut log.entry, format!("no params were written: {why}"));
                return Ok(());
            }
            params.write(session, id, false, log)?;
        }
        Ok(())
    }
}

/// Refuses a place where nothing can be made, as far as that is known before the chains on the way are made.
fn check(session: &dyn Session, place: &ResolvedPlace, make: &DeviceSource) -> Result<(), ToolError> {
    let Some(rack) = place.rack_of_new_chain(session)? else { return Ok(()) };
    let name = match make {
        DeviceSource::Native(name) => name,
        DeviceSource::Preset(preset) => preset.device.as_str(),
    };
    by_name(name).map_or(Ok(()), |class| refuse_in_new_chain(session, rack, class.category))
}

fn insert(session: &mut dyn Session, make: &DeviceSource, room: &InsertPoint) -> Result<ObjectId, ToolError> {
    match make {
        DeviceSource::Preset(preset) => {
            let made = session.insert_saved_device(&preset.saved, room.container, room.at);
            made.map_err(|why| refused_at(session, room.container, why))
        }
        DeviceSource::Native(name) => {
            let mut args = vec![Model::Text((*name).to_owned())];
            args.extend(room.at.map(|at| Model::Int(i64::try_from(at).unwrap_or(i64::MAX))));
            let made = session.call(room.container, "insert_device", &args);
            let made = made.map_err(|why| refused_at(session, room.container, why))?;
            made.as_object().ok_or_else(|| ToolError::new("no device was made"))
        }
    }
}
