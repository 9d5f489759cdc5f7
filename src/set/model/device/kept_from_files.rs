//! What is said of devices that came from files: what is kept of them that the object model has no member for, and what
//! was not read.

use crate::object_model::HostFacts;
use crate::set::document::device_tree::Device;
use crate::set::document::sound_zones::Zones;
use crate::set::model::object_ref::ObjectRef;
use crate::set::model::set_state::SetState;
use std::path::Path;

/// Samples of one device that are named; the rest is counted.
const MOST_NAMED: usize = 32;

impl SetState {
    /// Of a device, a chain or a parameter of a device.
    pub(in crate::set::model) fn remark_on_file(&self, target: ObjectRef) -> Option<String> {
        let pitch = |note: u8| self.spelling().name(note);
        match target {
            ObjectRef::Chain(serial) => {
                let zones = self.document.chain(serial)?.zones.told(&Zones::OF_CHAINS, pitch);
                (!zones.is_empty()).then(|| format!("sounds at {zones} (kept, and not played by)"))
            }
            ObjectRef::Parameter { device, index } => {
                let is_unread = self.device(device)?.unread.contains(&index);
                is_unread.then(|| "not read from the file: as in a new device".to_owned())
            }
            ObjectRef::Device(serial) => {
                let device = self.device(serial)?;
                let unread = device.unread.len();
                let unread = (unread > 0).then(|| {
                    format!("{unread} of its parameters were not read from the file, and are as in a new device")
                });
                let told: Vec<String> = unread.into_iter().chain(samples(device, &pitch)).collect();
                (!told.is_empty()).then(|| told.join("; "))
            }
            _ => None,
        }
    }
}

/// `samples: Kick.wav (keys C1 to B1), Snare.wav`.
fn samples(device: &Device, pitch: &dyn Fn(u8) -> String) -> Option<String> {
    let named = device.sample_zones.iter().take(MOST_NAMED).map(|zone| {
        let file = Path::new(&zone.sample.file_path).file_name().unwrap_or_default().to_string_lossy().into_owned();
        let zones = zone.zones.told(&Zones::OF_SAMPLES, pitch);
        if zones.is_empty() { file } else { format!("{file} ({zones})") }
    });
    let named: Vec<String> = named.collect();
    let more = device.sample_zones.len().saturating_sub(named.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!named.is_empty()).then(|| format!("samples: {}{more} (kept, and not played)", named.join(", ")))
}
