//! `preset`: a device gives its place to a saved one. The new one has an id of its own.

use crate::music::text::counted;
use crate::object_model::host_edits::BrowserItem;
use crate::object_model::native_devices::by_name;
use crate::object_model::{ModelError, ObjectId, Session, Value as Model};
use crate::tools::address::device_targets::DevicePart;
use crate::tools::address::model_read::{child, children_if_any, count, int, text};
use crate::tools::address::path_format::path_and_id;
use crate::tools::error::ToolError;
use crate::tools::report::target_result::add_detail;
use crate::tools::report::write_log::WriteLog;
use crate::user_store::Preset;

/// `Device.type` of an instrument, of which a place has one.
const INSTRUMENT: i64 = 1;

/// Puts the preset where the device stands; `now` is what stands there in the end.
pub fn swap(
    session: &mut dyn Session,
    device: ObjectId,
    preset: &Preset,
    now: &mut DevicePart,
    log: &mut WriteLog,
) -> Result<ObjectId, ToolError> {
    let refuse = |why: String| Err(ToolError::about("preset", why));
    let home = child(session, device, "canonical_parent")?;
    let home = home.ok_or_else(|| ToolError::new("the device stands nowhere"))?;
    let at: Option<usize> = session.path_of(device)?.and_then(|route| route.rsplit(' ').next()?.parse().ok());
    let at = at.ok_or_else(|| ToolError::new("the device stands nowhere"))?;
    let kind = int(session, device, "type")?;
    let other = by_name(&preset.device).map(|class| class.category.number());
    if other.is_some_and(|other| other != kind) {
        let named = path_and_id(session, device)?;
        return refuse(format!(
            "\"{}\" is a preset of {}, another kind of device than {named}, and cannot stand in its place",
            preset.name, preset.device
        ));
    }
    let place = |at: usize| Model::Int(i64::try_from(at).unwrap_or(i64::MAX));
    let error = |error: crate::object_model::ModelError| ToolError::about("preset", error);
    let lost = chains_of(session, device)?;
    // Where two may stand the new one is there before the old one goes.
    let new = if kind == INSTRUMENT {
        let kept = session.save_device(device).map_err(error)?;
        session.call(home, "delete_device", &[place(at)])?;
        match session.insert_saved_device(&preset.saved, home, Some(at)) {
            Ok(new) => new,
            Err(why) => {
                let back = session.insert_saved_device(&kept, home, Some(at)).map_err(error)?;
                *now = DevicePart::Device(back);
                return refuse(format!("{why}; the device is back, with a new id"));
            }
        }
    } else {
        let new = session.insert_saved_device(&preset.saved, home, Some(at)).map_err(error)?;
        session.call(home, "delete_device", &[place(at.saturating_add(1))])?;
        new
    };
    *now = DevicePart::Device(new);
    if let Some(remark) = &preset.remark {
        add_detail(&mut log.entry, remark);
    }
    if let Some(lost) = lost {
        add_detail(&mut log.entry, lost);
    }
    log.record("preset", Ok::<_, ToolError>(new))
}

/// Puts what the host's browser has where the device stands.
pub fn swap_from_browser(
    session: &mut dyn Session,
    device: ObjectId,
    item: &BrowserItem,
    now: &mut DevicePart,
    log: &mut WriteLog,
) -> Result<ObjectId, ToolError> {
    let lost = chains_of(session, device)?;
    let new = session.swap_from_browser(item, device).map_err(|why| ToolError::about("preset", why))?;
    *now = DevicePart::Device(new);
    if let Some(lost) = lost {
        add_detail(&mut log.entry, lost);
    }
    log.record("preset", Ok::<_, ToolError>(new))
}

/// What goes with a rack: its chains, and the devices in them.
fn chains_of(session: &dyn Session, device: ObjectId) -> Result<Option<String>, ModelError> {
    const NAMED: usize = 8;
    let lists = ["chains", "return_chains"];
    let mut chains: Vec<ObjectId> = Vec::new();
    for list in lists {
        chains.extend(children_if_any(session, device, list)?);
    }
    let mut devices = 0;
    for chain in &chains {
        devices += count(session, *chain, "devices")?;
    }
    let name = |chain: &ObjectId| Ok(format!("\"{}\"", text(session, *chain, "name")?));
    let names = chains.iter().take(NAMED).map(name).collect::<Result<Vec<String>, ModelError>>()?;
    let more = chains.len().saturating_sub(NAMED);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    Ok((!chains.is_empty()).then(|| {
        let (chains, devices) = (counted(chains.len(), "chain"), counted(devices, "device"));
        format!("gone with the old rack: {chains} ({}{more}) with {devices}", names.join(", "))
    }))
}
