//! What is said of devices that came from files: what is kept of them that the object model has no member for, and what
//! was not read.

use crate::music::{Meter, position};
use crate::object_model::{EnvelopePoint, HostFacts};
use crate::set::document::device_tree::Device;
use crate::set::document::sound_zones::Zones;
use crate::set::model::object_ref::ObjectRef;
use crate::set::model::routing_ids::track_of;
use crate::set::model::set_state::SetState;
use std::path::Path;

/// Points of one envelope that are told; the rest is counted.
const MOST_POINTS: usize = 16;
/// Samples of one device that are named; the rest is counted.
const MOST_NAMED: usize = 32;

impl SetState {
    /// Of a device, a chain or a parameter.
    pub(in crate::set::model) fn remark_on_file(&self, target: ObjectRef) -> Option<String> {
        let pitch = |note: u8| self.spelling().name(note);
        match target {
            ObjectRef::Chain(serial) => {
                let zones = self.document.chain(serial)?.zones.told(&Zones::OF_CHAINS, pitch);
                (!zones.is_empty()).then(|| format!("sounds at {zones}"))
            }
            ObjectRef::Parameter { device, index } => {
                let is_unread = self.device(device)?.unread.contains(&index);
                let unread = is_unread.then(|| "not read from the file: as in a new device".to_owned());
                let told: Vec<String> = unread.into_iter().chain(self.told_automation(target)).collect();
                (!told.is_empty()).then(|| told.join("; "))
            }
            ObjectRef::MixerParameter { .. }
            | ObjectRef::Send { .. }
            | ObjectRef::ChainMixerParameter { .. }
            | ObjectRef::ChainSend { .. } => self.told_automation(target),
            ObjectRef::Device(serial) => {
                let device = self.device(serial)?;
                let unread = device.unread.len();
                let unread = (unread > 0).then(|| {
                    format!("{unread} of its parameters were not read from the file, and are as in a new device")
                });
                let told = unread.into_iter().chain(samples(device, &pitch)).chain(self.told_source(device));
                let told: Vec<String> = told.collect();
                (!told.is_empty()).then(|| told.join("; "))
            }
            _ => None,
        }
    }

    /// `side chain from Kick`, of a device whose class has no member for it.
    fn told_source(&self, device: &Device) -> Option<String> {
        let chosen = device.stored.get("input_routing_type").filter(|_| device.table_class() == "Device")?;
        let track = self.document.track(track_of(chosen.as_i64()?)?)?;
        Some(format!("side chain from {}", self.document.track_name(track)))
    }

    /// `moved by the Arrangement: 0.00 dB at 1|1, -6.00 dB at 5|1`.
    fn told_automation(&self, target: ObjectRef) -> Option<String> {
        let envelope = self.arranged_automation(target)?;
        let meter = Meter::from(self.document.song.signature);
        let point = |point: &EnvelopePoint| {
            let label = self.parameter_label(target, point.value)?;
            Some(format!("{} at {}", label.trim(), position::format(point.time.max(0.0), meter)))
        };
        let told: Vec<String> = envelope.points.iter().take(MOST_POINTS).filter_map(point).collect();
        let more = envelope.points.len().saturating_sub(told.len());
        let more = if more > 0 { format!(" and {more} more points") } else { String::new() };
        let heard = match self.is_moved_by_envelopes(target) {
            Some(false) => " (kept, and not heard: no envelope moves it here)",
            _ if envelope.overridden => " (overridden)",
            _ => "",
        };
        Some(format!("moved by the Arrangement: {}{more}{heard}", told.join(", ")))
    }
}

/// `samples: Kick.wav (keys C1 to B1), Snare.wav`.
fn samples(device: &Device, pitch: &dyn Fn(u8) -> String) -> Option<String> {
    let named = device.sample_zones.iter().take(MOST_NAMED).map(|zone| {
        let file = Path::new(&zone.sample.file_path).file_name().unwrap_or_default().to_string_lossy().into_owned();
        if let Some(slot) = zone.slot().filter(|_| device.class_name == "InstrumentImpulse") {
            return format!("{file} (slot {}, {})", slot + 1, pitch(zone.zones.keys.low));
        }
        let zones = zone.zones.told(&Zones::OF_SAMPLES, pitch);
        if zones.is_empty() { file } else { format!("{file} ({zones})") }
    });
    let named: Vec<String> = named.collect();
    let more = device.sample_zones.len().saturating_sub(named.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!named.is_empty()).then(|| format!("samples: {}{more}", named.join(", ")))
}
