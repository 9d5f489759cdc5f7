//! Making the devices of a call.

use super::{Args, names};
use crate::object_model::host_edits::BrowserItem;
use crate::object_model::native_devices::by_name;
use crate::object_model::{ObjectId, Session, Value as Model};
use crate::tools::arguments::lists::{self, ListEntry};
use crate::tools::arguments::values;
use crate::tools::call::CallContext;
use crate::tools::device::device_places::{
    DevicePlace, InsertPoint, ResolvedPlace, index_of, refuse_in_new_chain, refused_at,
};
use crate::tools::device::presets::{self, FoundPreset, load_watched};
use crate::tools::error::ToolError;
use crate::tools::parameter::ParamWrites;
use crate::tools::read::device_summary::type_of;
use crate::tools::read::settled::settled;
use crate::tools::report::moved_paths::ListBefore;
use crate::tools::report::target_result::{self, Mention, add_detail, result_of};
use crate::tools::report::write_log::WriteLog;
use crate::tools::request::{FileWork, RequestContext};
use crate::user_store::Preset;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// What is made at one place.
enum DeviceSource {
    Native(&'static str),
    Preset(Arc<Preset>),
    /// What the host's browser has, and why it is no native device.
    InBrowser(BrowserItem, Option<String>),
}

/// A preset as a place asked for it.
struct LoadedPreset {
    wanted: String,
    device: Option<&'static str>,
    preset: Arc<Preset>,
}

pub struct Plan {
    places: Vec<ListEntry<DevicePlace>>,
    /// One for each place, or why there is none.
    makes: Vec<Result<DeviceSource, ToolError>>,
    names: Option<lists::ValueList>,
    params: Option<ParamWrites>,
}

impl Plan {
    /// Reads the arguments, and the presets that they name; `work` follows how far that is.
    pub fn read(args: Args, view: &RequestContext, work: &dyn FileWork) -> Result<Plan, ToolError> {
        let path = values::unless_blank(args.path).ok_or_else(|| {
            ToolError::new("path says where the device goes, such as t0 (its end), t0/d0 or t0/d0/pC1")
        })?;
        let places = DevicePlace::read_list("path", lists::split_targets("path", &path)?)?;
        let count = places.len();
        let devices = values::spread("device", args.device.as_ref(), count)?;
        let presets = values::spread("preset", args.preset.as_ref(), count)?;
        // A preset for several places is read once.
        let mut loaded: Vec<LoadedPreset> = Vec::new();
        let has_browser = presets::host_has_browser(view);
        let mut make = |at: usize| -> Result<DeviceSource, ToolError> {
            if has_browser && let Some(found) = in_browser(devices.as_ref(), presets.as_ref(), at) {
                return Ok(found);
            }
            let native = devices.as_ref().map(|devices| names::find(devices.at(at))).transpose()?;
            let Some(presets) = &presets else {
                let native = native.ok_or_else(|| ToolError::new("name the device or the preset to make"))?;
                return Ok(DeviceSource::Native(native));
            };
            let wanted = presets.at(at);
            let known = loaded.iter().find(|one| one.wanted == wanted && one.device == native);
            let preset = match known {
                Some(known) => known.preset.clone(),
                None => Arc::new(load_watched(view, wanted, native, work)?),
            };
            loaded.push(LoadedPreset { wanted: wanted.to_owned(), device: native, preset: preset.clone() });
            Ok(DeviceSource::Preset(preset))
        };
        let makes: Vec<_> = (0..count).map(&mut make).collect();
        // What can be made nowhere is wrong with the call.
        if let (Some(Err(why)), true) = (makes.first(), makes.iter().all(Result::is_err)) {
            return Err(why.clone());
        }
        let params = ParamWrites::read(args.params, &view.device.allowed_folders(), &view.budget)?;
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
            .map(|place| match &place.read {
                Ok(place) => Ok(target_result::or_detail(place.resolve(session))?.ok()),
                Err(_) => Ok(None),
            })
            .collect::<Result<_, ToolError>>()?;
        // One warning shows how answers spell a drum chain, whichever place or parameter earned it.
        let mut warning = None;
        for place in self.places.iter().filter_map(|place| place.read.as_ref().ok()) {
            warning = warning.or(place.spelling_warning(session)?);
        }
        let mut before: Vec<ListBefore> = Vec::new();
        let mut entries = Vec::new();
        for (at, (place, way)) in self.places.iter().zip(ways).enumerate() {
            let mention = Mention { key: "path", spelling: &place.spelling };
            entries.push(result_of(mention, None, Ok(()), call.is_late(), |()| {
                let place = place.read.as_ref().map_err(Clone::clone)?;
                let way = way.map_or_else(|| place.resolve(session), Ok)?;
                self.make(session, at, &way, &mut before, &mut warning)
            }));
        }
        call.warnings.extend(warning);
        for list in before {
            list.report(session, &[], entries.iter_mut())?;
        }
        settled(session, target_result::answer(entries))
    }

    fn make(
        &self,
        session: &mut dyn Session,
        at: usize,
        place: &ResolvedPlace,
        before: &mut Vec<ListBefore>,
        warning: &mut Option<String>,
    ) -> Result<Map<String, Value>, ToolError> {
        let make = self.makes.get(at).ok_or_else(|| ToolError::new("there is nothing to make"))?;
        let make = make.as_ref().map_err(Clone::clone)?;
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
        if let DeviceSource::Preset(preset) = make
            && let Some(remark) = &preset.remark
        {
            add_detail(&mut log.entry, remark.clone());
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
        let mut entry = log.end(outcome)?;
        if let Some(sounds) = session.sounds(id)? {
            entry.insert("sounds".to_owned(), json!(sounds));
        }
        Ok(entry)
    }

    fn write(&self, session: &mut dyn Session, at: usize, id: ObjectId, log: &mut WriteLog) -> Result<(), ToolError> {
        if let Some(names) = &self.names {
            log.name(session, id, names.at(at))?;
        }
        if let Some(params) = &self.params {
            params.write(session, id, false, log)?;
        }
        Ok(())
    }
}

/// What only the browser has: presets, and devices that are not native.
fn in_browser(
    devices: Option<&lists::ValueList>,
    presets: Option<&lists::ValueList>,
    at: usize,
) -> Option<DeviceSource> {
    let device = devices.map(|devices| devices.at(at));
    match (presets, device) {
        (Some(presets), device) => match presets::in_browser(presets.at(at), device) {
            FoundPreset::InBrowser(item) => Some(DeviceSource::InBrowser(item, None)),
            FoundPreset::Saved(preset) => Some(DeviceSource::Preset(preset)),
        },
        (None, Some(device)) => {
            let why = names::find(device).err()?;
            let item = BrowserItem { name: device.trim().to_owned(), under: None };
            Some(DeviceSource::InBrowser(item, Some(why.text)))
        }
        (None, None) => None,
    }
}

/// Refuses a place where nothing can be made, as far as that is known before the chains on the way are made.
fn check(session: &dyn Session, place: &ResolvedPlace, make: &DeviceSource) -> Result<(), ToolError> {
    let Some(rack) = place.rack_of_new_chain(session)? else { return Ok(()) };
    let name = match make {
        DeviceSource::Native(name) => name,
        DeviceSource::Preset(preset) => preset.device.as_str(),
        DeviceSource::InBrowser(item, _) => item.under.as_deref().unwrap_or_default(),
    };
    by_name(name).map_or(Ok(()), |class| refuse_in_new_chain(session, rack, class.category))
}

fn insert(session: &mut dyn Session, make: &DeviceSource, room: &InsertPoint) -> Result<ObjectId, ToolError> {
    match make {
        DeviceSource::Preset(preset) => {
            let made = session.insert_saved_device(&preset.saved, room.container, room.at);
            made.map_err(|why| refused_at(session, room.container, why))
        }
        DeviceSource::InBrowser(item, no_native) => {
            let made = session.insert_from_browser(item, room.container, room.at);
            made.map_err(|why| {
                let error = refused_at(session, room.container, why);
                no_native.as_ref().map_or(error.clone(), |no_native| error.and(no_native))
            })
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
