//! How a track or a device is heard, in words: `exact`, `approximate: ...`, `stand-in: ...`, `silent: why`.

use crate::object_model::ObjectId;
use crate::object_model::default_sound::DefaultSound;
use crate::object_model::device_sounds::{Heard, of_class};
use crate::object_model::native_devices::DeviceCategory;
use crate::set::document::device_tree::{Device, Rack};
use crate::set::document::object_index::Location;
use crate::set::document::{Clip, Track, TrackKind};
use crate::set::model::object_ref::ObjectRef;
use crate::set::model::routing_ids;
use crate::set::model::set_state::SetState;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// Names that one answer lists at most.
const SAID_NAMES: usize = 3;

/// From the nearest to the farthest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Nearness {
    Exact,
    Approximate,
    StandIn,
    Silent,
}

#[derive(Clone, Debug, PartialEq)]
struct Sounds {
    nearness: Nearness,
    why: String,
}

impl Sounds {
    const EXACT: Sounds = Sounds { nearness: Nearness::Exact, why: String::new() };

    fn new(nearness: Nearness, why: impl Into<String>) -> Sounds {
        Sounds { nearness, why: why.into() }
    }

    fn silent(why: impl Into<String>) -> Sounds {
        Sounds::new(Nearness::Silent, why)
    }

    fn stand_in(sound: DefaultSound) -> Sounds {
        Sounds::new(Nearness::StandIn, format!("plays as the default {}", sound.name()))
    }

    fn bypassed(why: &str) -> Sounds {
        Sounds::new(Nearness::StandIn, format!("bypassed, {why}"))
    }
}

impl fmt::Display for Sounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.nearness {
            Nearness::Exact => f.write_str("exact"),
            Nearness::Approximate => write!(f, "approximate: {}", self.why),
            Nearness::StandIn => write!(f, "stand-in: {}", self.why),
            Nearness::Silent => write!(f, "silent: {}", self.why),
        }
    }
}

impl SetState {
    /// HostFacts::sounds.
    pub(super) fn sounds_of(&self, id: ObjectId) -> Option<String> {
        match self.object_ref(id)? {
            ObjectRef::Track(serial) => self.document.track(serial).map(|track| self.track_sounds(track).to_string()),
            ObjectRef::Device(serial) => {
                let device = self.document.device(serial)?;
                Some(self.device_sounds(device, self.usual_sound(device)).to_string())
            }
            _ => None,
        }
    }

    /// What a track without an instrument sounds as, the changes of this call included.
    fn default_sound(&self, track: &Track) -> Option<DefaultSound> {
        let before = self.base().tracks.find(track.serial);
        track.sound_to_keep(before.map(Arc::as_ref)).or_else(|| track.default_sound())
    }

    /// What plays for an instrument without code at a device's place: on a pad the kit, else the track's default sound.
    fn usual_sound(&self, device: &Device) -> DefaultSound {
        let racks: Vec<_> = self.document.racks_around(device.serial).collect();
        if racks.iter().any(|rack| rack.is_drum_rack()) {
            return DefaultSound::Drums;
        }
        let outermost = racks.last().map_or(device.serial, |rack| rack.serial);
        let track = match self.document.location(outermost) {
            Some(Location::Device { parent }) => self.document.track(parent),
            _ => None,
        };
        track.and_then(|track| self.default_sound(track)).unwrap_or(DefaultSound::Keys)
    }

    fn device_sounds(&self, device: &Device, usual: DefaultSound) -> Sounds {
        let is_instrument = device.category() == Some(DeviceCategory::Instrument);
        if device.values.first().is_some_and(|on| *on < 0.5) {
            return if is_instrument { Sounds::silent("it is switched off") } else { Sounds::EXACT };
        }
        let line = of_class(&device.class_name);
        match (line.map(|line| line.heard), &device.rack) {
            (Some(Heard::Chains), Some(rack)) => self.rack_sounds(device, rack, usual),
            (Some(Heard::Exact), _) => Sounds::EXACT,
            (Some(Heard::Approximate), _) if device.class_name == "OriginalSimpler" => self.simpler_sounds(device),
            (Some(Heard::Approximate), _) => match untold_type(device) {
                Some(of_type) => Sounds::bypassed(&format!("{of_type} has no code here")),
                None => Sounds::new(Nearness::Approximate, line.map_or("", |line| line.otherwise)),
            },
            (Some(Heard::StandIn(sound)), _) => Sounds::stand_in(sound.unwrap_or(usual)),
            _ if is_instrument => Sounds::stand_in(usual),
            _ => Sounds::bypassed("it has no code here"),
        }
    }

    fn simpler_sounds(&self, device: &Device) -> Sounds {
        let Some(sample) = &device.sample else { return Sounds::silent("it has no sample") };
        if let Some(why) = self.runtime.sample_faults.why(&sample.file_path) {
            return Sounds::silent(why);
        }
        let otherwise = of_class(&device.class_name).map_or("", |line| line.otherwise);
        Sounds::new(Nearness::Approximate, otherwise)
    }

    /// As what stands in its chains.
    fn rack_sounds(&self, device: &Device, rack: &Rack, usual: DefaultSound) -> Sounds {
        let usual = if device.is_drum_rack() { DefaultSound::Drums } else { usual };
        let plays = device.category() == Some(DeviceCategory::Instrument);
        let inside = || rack.chains.iter().flat_map(|chain| &chain.devices);
        let instruments = || inside().filter(|device| device.category() == Some(DeviceCategory::Instrument));
        if plays && instruments().next().is_none() {
            return Sounds::silent("none of its chains holds an instrument");
        }
        if plays && instruments().all(|device| self.device_sounds(device, usual).nearness == Nearness::Silent) {
            return Sounds::silent("no instrument in its chains sounds");
        }
        self.together(inside(), usual, Vec::new())
    }

    /// What several devices come to: as far off as the farthest, which is named; `more` are reasons beside them.
    fn together<'a>(
        &self,
        devices: impl Iterator<Item = &'a Arc<Device>>,
        usual: DefaultSound,
        more: Vec<String>,
    ) -> Sounds {
        let mut farthest = if more.is_empty() { Nearness::Exact } else { Nearness::Approximate };
        let mut names: BTreeSet<String> = BTreeSet::new();
        for device in devices {
            let sounds = self.device_sounds(device, usual);
            // A part that is silent or passed by leaves the rest as it is.
            let counts = match sounds.nearness {
                Nearness::StandIn if device.category() != Some(DeviceCategory::Instrument) => Nearness::Approximate,
                Nearness::Silent => Nearness::Approximate,
                nearness => nearness,
            };
            farthest = farthest.max(counts);
            names.extend(match sounds.nearness {
                Nearness::Exact => None,
                Nearness::Silent => Some(format!("{} (silent)", device.class_display_name())),
                Nearness::StandIn if counts == Nearness::Approximate => {
                    Some(format!("{} (bypassed)", device.class_display_name()))
                }
                _ => Some(device.class_display_name().to_owned()),
            });
        }
        let beyond = names.len().saturating_sub(SAID_NAMES);
        let mut said: Vec<String> = names.into_iter().take(SAID_NAMES).chain(more).collect();
        if beyond > 0 {
            said.push(format!("{beyond} more"));
        }
        Sounds::new(farthest, said.join(", "))
    }

    fn track_sounds(&self, track: &Track) -> Sounds {
        if let Some(why) = self.unheard(track) {
            return Sounds::silent(why);
        }
        let default = self.default_sound(track);
        let mut more = Vec::new();
        if track.mixer.split_stereo {
            more.push("split pan as one".to_owned());
        }
        if track.kind == TrackKind::Audio
            && let Some(clips) = self.clip_sounds(track)
        {
            if clips.nearness == Nearness::Silent {
                return clips;
            }
            more.push(clips.why);
        }
        if track.kind == TrackKind::Midi {
            let mut instruments =
                track.devices.iter().filter(|device| device.category() == Some(DeviceCategory::Instrument)).peekable();
            let usual = default.unwrap_or(DefaultSound::Keys);
            let sounding = |device: &Arc<Device>| self.device_sounds(device, usual);
            match instruments.peek() {
                None => {
                    let Sounds { nearness, why } = Sounds::stand_in(usual);
                    let rest = self.together(track.devices.iter(), usual, more);
                    let why = if rest.why.is_empty() { why } else { format!("{why}; {}", rest.why) };
                    return Sounds { nearness, why };
                }
                Some(first) => {
                    let first = sounding(first);
                    if first.nearness == Nearness::Silent
                        && instruments.all(|d| sounding(d).nearness == Nearness::Silent)
                    {
                        return first;
                    }
                }
            }
        }
        self.together(track.devices.iter(), default.unwrap_or(DefaultSound::Keys), more)
    }

    /// Why nothing of a track is heard, whatever it plays.
    fn unheard(&self, track: &Track) -> Option<String> {
        let chosen = |member: &str| track.stored.get(member).and_then(serde_json::Value::as_i64);
        if track.mute {
            return Some("it is muted".to_owned());
        }
        if self.document.is_muted(track) {
            return Some("its group is muted".to_owned());
        }
        if self.document.is_muted_via_solo(track) {
            return Some("another one is soloed".to_owned());
        }
        if chosen("output_routing_type") == Some(routing_ids::EXT_OUT) && track.kind != TrackKind::Main {
            return Some("it goes to Ext. Out, which is not there".to_owned());
        }
        (track.mixer.volume <= 0.0).then(|| "its volume is at -inf dB".to_owned())
    }

    /// What audio clips are not, all in all; `None` where they are exact, and where there are none.
    fn clip_sounds(&self, track: &Track) -> Option<Sounds> {
        let session = track.session.iter().map(|entry| &entry.clip);
        let clips = session.chain(track.arrangement.iter().map(|placed| &placed.clip));
        let clips: Vec<&Arc<Clip>> = clips.filter(|clip| clip.audio().is_some()).collect();
        let fault = |clip: &Clip| clip.audio().and_then(|audio| self.runtime.sample_faults.why(&audio.file_path));
        let faults: Vec<String> = clips.iter().filter_map(|clip| fault(clip)).collect();
        if let Some(first) = faults.first() {
            let all = faults.len() == clips.len();
            let of =
                if all { String::new() } else { format!("{} of {} clips are silent: ", faults.len(), clips.len()) };
            let nearness = if all { Nearness::Silent } else { Nearness::Approximate };
            return Some(Sounds::new(nearness, format!("{of}{first}")));
        }
        let exact = |clip: &Clip| clip.audio().is_none_or(|audio| !audio.warping || audio.warp_mode == RE_PITCH);
        (!clips.iter().all(|clip| exact(clip))).then(|| Sounds::new(Nearness::Approximate, "warped by grains"))
    }
}

/// The warp mode that is exact.
const RE_PITCH: u8 = 3;

/// The type of an Auto Filter that has no code, by its label.
fn untold_type(device: &Device) -> Option<&'static str> {
    const CODED: usize = 5;
    if device.class_name != "AutoFilter2" {
        return None;
    }
    let at = device.specs().iter().position(|spec| spec.name == "Filter Type")?;
    let step = device.values.get(at)?.round().max(0.0) as usize;
    device.specs().get(at)?.items.as_ref()?.get(step).filter(|_| step >= CODED).map(String::as_str)
}
