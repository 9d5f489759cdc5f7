//! Devices on a track or in a rack's chain: by class, with their parameters' raw values, and what racks and samplers
//! hold.

use crate::object_model::native_devices::{self, DeviceCategory, ParameterSpec};
use crate::set::document::attributes::{ColorIndex, StoredMembers, is_false};
use crate::set::document::ids::{IdParts, Serial};
use crate::set::document::simpler_sample::Sample;
use crate::set::document::sound_zones::{SampleZone, Zones};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Racks stand inside racks at most this deep: a saved Set is read by a parser that stops at a depth.
pub const MAX_RACK_DEPTH: usize = 16;

/// Bytes of the name of a class that is not known.
pub const MAX_CLASS_NAME: usize = 256;

/// Kept by a device without parameters here that is off.
const SWITCHED_OFF: &str = "switched_off";

/// Bytes of a macro's name.
pub const MAX_MACRO_NAME: usize = 200;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Device {
    pub serial: Serial,
    /// Live's class name, such as `Reverb`.
    pub class_name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Raw values in the order of the device table; index 0 is Device On.
    pub values: Vec<f64>,
    /// No kind that is known here: it is kept by its class and name, and has no parameters.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_opaque: bool,
    /// Racks only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rack: Option<Arc<Rack>>,
    /// Simpler only: the sample it plays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample: Option<Arc<Sample>>,
    /// The samples that a Sampler, Drum Sampler or Impulse plays, and where; of a Simpler that plays several, all of
    /// them, the first of which is its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sample_zones: Vec<Arc<SampleZone>>,
    /// Positions of the parameters whose values were not read from the file that the device comes from, in order: they
    /// stand as in a new device.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<u16>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub stored: StoredMembers,
}

/// What a rack holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rack {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chains: Vec<Arc<Chain>>,
    /// Drum Racks only; every chain has one send to each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub return_chains: Vec<Arc<Chain>>,
    /// 1..=16.
    pub visible_macros: u8,
    /// Stored macro positions, one list of 16 a variation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<Vec<f64>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selected_variation: Option<u16>,
    /// The variation that was recalled last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_variation: Option<u16>,
    /// Which macros move which parameters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mappings: Vec<MacroMapping>,
    /// Names that macros were given, by their index.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub macro_names: BTreeMap<u8, String>,
}

/// A parameter inside a rack that one of the rack's macros moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MacroMapping {
    /// 0..=15.
    pub macro_index: u8,
    /// A device in a chain of the rack, at any depth; a chain where the parameter is one of its mixer.
    pub device: Serial,
    /// Its parameter's position; of a send, 0.
    pub parameter: u16,
    /// The parameter is one of a chain's mixer.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_of_chain: bool,
    /// The return chain that the send goes to, where it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub return_chain: Option<Serial>,
    /// The parameter's raw values where the macro stands at 0 and at 127.
    pub at_0: f64,
    pub at_127: f64,
    /// Left alone when macros are randomized.
    #[serde(default, skip_serializing_if = "is_false")]
    pub excluded_from_chance: bool,
}

/// A chain of a rack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chain {
    pub serial: Serial,
    pub name: String,
    pub color: ColorIndex,
    #[serde(default, skip_serializing_if = "is_false")]
    pub auto_colored: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    pub mute: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    pub solo: bool,
    /// Raw 0..=1; 0.85 is 0 dB.
    pub volume: f64,
    /// -1..=1.
    pub panning: f64,
    /// Raw 0..=1, one for each return chain in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sends: Vec<f64>,
    /// Drum chains: the note that plays it; `None` is all notes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_note: Option<u8>,
    /// Drum chains: the note its devices get.
    pub out_note: u8,
    /// Drum chains: 0 is none, else 1..=16.
    #[serde(default)]
    pub choke_group: u8,
    /// Where it sounds, as a file of Ableton Live says it.
    #[serde(default = "Zones::of_chains", skip_serializing_if = "Zones::are_of_a_new_chain")]
    pub zones: Zones,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub devices: Vec<Arc<Device>>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub stored: StoredMembers,
}

impl MacroMapping {
    /// The id of what is moved, taken apart.
    pub fn target(&self) -> IdParts {
        match (self.is_of_chain, self.return_chain) {
            (true, Some(return_chain)) => IdParts::ChainSend { chain: self.device, return_chain },
            (true, None) => IdParts::ChainMixerParameter { chain: self.device, index: self.parameter },
            (false, _) => IdParts::Parameter { device: self.device, index: self.parameter },
        }
    }

    /// The macro moves that between two raw values; `None` for what no macro can move.
    pub fn of(macro_index: u8, target: IdParts, (at_0, at_127): (f64, f64)) -> Option<MacroMapping> {
        let (device, parameter, is_of_chain, return_chain) = match target {
            IdParts::Parameter { device, index } => (device, index, false, None),
            IdParts::ChainMixerParameter { chain, index } => (chain, index, true, None),
            IdParts::ChainSend { chain, return_chain } => (chain, 0, true, Some(return_chain)),
            _ => return None,
        };
        let excluded_from_chance = false;
        Some(MacroMapping {
            macro_index,
            device,
            parameter,
            is_of_chain,
            return_chain,
            at_0,
            at_127,
            excluded_from_chance,
        })
    }

    /// The same of copies, whose serials `renamed` gives; those of what was not copied stay.
    pub fn rename(&mut self, renamed: impl Fn(Serial) -> Serial) {
        self.device = renamed(self.device);
        self.return_chain = self.return_chain.map(renamed);
    }
}

impl Rack {
    /// Chains and return chains.
    pub fn every_chain(&self) -> impl Iterator<Item = &Arc<Chain>> {
        self.chains.iter().chain(&self.return_chains)
    }
}

impl Chain {
    /// An empty chain as Live makes it, with every one of `sends` sends turned down.
    pub fn new(serial: Serial, color: ColorIndex, sends: usize) -> Chain {
        Chain {
            serial,
            name: "Chain".to_owned(),
            color,
            auto_colored: false,
            mute: false,
            solo: false,
            volume: 0.85,
            panning: 0.0,
            sends: vec![0.0; sends],
            in_note: None,
            out_note: 60,
            choke_group: 0,
            zones: Zones::OF_CHAINS,
            devices: Vec::new(),
            stored: BTreeMap::new(),
        }
    }
}

impl Device {
    /// Whether its own switch is on. One without parameters here keeps that it is off.
    pub fn is_on(&self) -> bool {
        match self.values.first() {
            Some(on) => *on >= 0.5,
            None => !self.stored.contains_key(SWITCHED_OFF),
        }
    }

    /// Of a device without parameters here.
    pub fn set_switched_off(&mut self, off: bool) {
        if off {
            self.stored.insert(SWITCHED_OFF.to_owned(), true.into());
        } else {
            self.stored.remove(SWITCHED_OFF);
        }
    }

    /// Whether it is a sampler with something to play.
    pub fn has_sample(&self) -> bool {
        self.sample.is_some() || !self.sample_zones.is_empty()
    }

    pub fn is_drum_rack(&self) -> bool {
        self.class_name == "DrumGroupDevice"
    }

    /// The name of its class in the class table.
    pub fn table_class(&self) -> &'static str {
        match self.class_name.as_str() {
            "InstrumentGroupDevice" | "MidiEffectGroupDevice" | "AudioEffectGroupDevice" | "DrumGroupDevice" => {
                "RackDevice"
            }
            "OriginalSimpler" => "SimplerDevice",
            "DrumCell" => "DrumCellDevice",
            "Compressor2" => "CompressorDevice",
            "Eq8" => "Eq8Device",
            "Hybrid" => "HybridReverbDevice",
            "Looper" => "LooperDevice",
            "InstrumentMeld" => "MeldDevice",
            "Roar" => "RoarDevice",
            "Shifter" => "ShifterDevice",
            "Transmute" => "SpectralResonatorDevice",
            "InstrumentVector" => "WavetableDevice",
            "Drift" => "DriftDevice",
            "MidiCcControl" => "CcControlDevice",
            "MxDeviceInstrument" | "MxDeviceMidiEffect" | "MxDeviceAudioEffect" => "MaxDevice",
            "PluginDevice" | "AuPluginDevice" => "PluginDevice",
            _ => "Device",
        }
    }

    /// The name of its view's class in the class table.
    pub fn view_class(&self) -> &'static str {
        match self.table_class() {
            "RackDevice" => "RackDevice.View",
            "SimplerDevice" => "SimplerDevice.View",
            "Eq8Device" => "Eq8Device.View",
            _ => "Device.View",
        }
    }

    /// Its place in the order of devices. Plug-ins say themselves what they are, in `type`; `None` where they do not.
    pub fn category(&self) -> Option<DeviceCategory> {
        match self.class_name.as_str() {
            "MxDeviceInstrument" => Some(DeviceCategory::Instrument),
            "MxDeviceMidiEffect" => Some(DeviceCategory::MidiEffect),
            "MxDeviceAudioEffect" => Some(DeviceCategory::AudioEffect),
            class => match native_devices::by_class(class) {
                Some((_, class)) => Some(class.category),
                None => [DeviceCategory::Instrument, DeviceCategory::AudioEffect, DeviceCategory::MidiEffect]
                    .into_iter()
                    .find(|c| self.stored.get("type").and_then(serde_json::Value::as_i64) == Some(c.number())),
            },
        }
    }

    /// The title bar: the name given, else what the device is called.
    pub fn shown_name(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.class_display_name().to_owned())
    }

    /// What the user calls this kind of device, such as `Auto Filter`.
    pub fn class_display_name(&self) -> &str {
        match self.class_name.as_str() {
            "MxDeviceInstrument" => "Max Instrument",
            "MxDeviceMidiEffect" => "Max MIDI Effect",
            "MxDeviceAudioEffect" => "Max Audio Effect",
            class => native_devices::by_class(class).map_or(class, |(name, _)| name),
        }
    }

    pub fn specs(&self) -> &'static [ParameterSpec] {
        native_devices::by_class(&self.class_name).map_or(&[], |(_, class)| &class.parameters)
    }
}
