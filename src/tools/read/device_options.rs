//! What a device's settings can be set to: the values of its virtual parameters, the tracks its side-chain can hear,
//! and the routes of a modulation matrix.

use crate::object_model::{ModelError, ObjectId, Session, Value as Model};
use crate::tools::address::model_read::{class, if_any};
use crate::tools::device::device_actions::MODULATION_SOURCES;
use crate::tools::parameter::virtual_table::VirtualParam;
use crate::tools::parameter::{display, sidechain_tracks};
use crate::tools::read::gathered::Gathered;
use serde_json::{Map, Value, json};

/// Adds `options`, and `modulations` where the device has a matrix.
pub fn set(
    session: &dyn Session,
    device: ObjectId,
    virtual_param: &[&'static VirtualParam],
    out: &mut Gathered,
) -> Result<(), ModelError> {
    let mut choices = Map::new();
    for virtual_param in virtual_param {
        if let Some(values) = virtual_param.choices(session, device)? {
            choices.insert(virtual_param.name.to_owned(), values.into());
        }
    }
    let mut options = Map::new();
    options.insert("paramOptions".to_owned(), Value::Object(choices));
    if class(session, device)? == Some("CompressorDevice") {
        let tracks = sidechain_tracks(session, device)?;
        let tracks = tracks.into_iter().map(|(name, id)| json!({ "id": id, "name": name }));
        options.insert("sidechainTracks".to_owned(), tracks.collect());
    }
    if class(session, device)? == Some("WavetableDevice") {
        options.insert("modulationSources".to_owned(), json!(MODULATION_SOURCES.map(|(name, _)| name)));
    }
    out.set("options", options);
    if let Some(routes) = modulations(session, device)? {
        out.set("modulations", routes);
    }
    Ok(())
}

/// Every route of a modulation matrix that does anything.
fn modulations(session: &dyn Session, device: ObjectId) -> Result<Option<Vec<Value>>, ModelError> {
    let Some(Model::Texts(targets)) = if_any(session.get(device, "visible_modulation_target_names"))? else {
        return Ok(None);
    };
    let mut routes = Vec::new();
    for (row, target) in targets.iter().enumerate() {
        for (column, (source, _)) in MODULATION_SOURCES.iter().enumerate() {
            let amount = session.modulation(device, row, column)?.unwrap_or_default();
            if amount != 0.0 {
                routes.push(json!({ "target": target, "source": source, "amount": display::shown(amount) }));
            }
        }
    }
    Ok(Some(routes))
}
