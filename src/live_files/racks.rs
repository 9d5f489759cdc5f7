//! Racks: chains with their mixers and devices, drum pads, macros.

use super::chain_mixer::{join_sends, read_chain_mixer};
use super::error::ReadError;
use super::limits::Countable;
use super::walk::Walk;
use super::xml_reader::Element;
use super::zones::read_zones;
use crate::set::document::device_tree::{Chain, Device, MAX_MACRO_NAME, MacroMapping, Rack};
use std::collections::BTreeMap;
use std::sync::Arc;

const MACROS: u8 = 16;
/// Live counts the notes of drum pads down from here.
const HIGHEST_NOTE: u8 = 128;

/// What a rack has beside the settings that every device has.
#[derive(Default)]
pub struct RackParts {
    pub chains: Vec<Chain>,
    pub return_chains: Vec<Chain>,
    pub mappings: Vec<MacroMapping>,
    visible_macros: Option<u8>,
    macro_names: BTreeMap<u8, String>,
    excluded_from_chance: Vec<u8>,
    variations: Vec<Variation>,
}

/// Positions of the macros that a variation has one of.
type Variation = [Option<f64>; MACROS as usize];

impl RackParts {
    /// Reads a child of a rack; `false` for one that is none of these.
    pub fn read(&mut self, walk: &mut Walk, child: &Element) -> Result<bool, ReadError> {
        let numbered = child.name().split_once('.').and_then(|(name, index)| Some((name, index.parse().ok()?)));
        match (child.name(), numbered.filter(|(_, index)| *index < MACROS)) {
            ("NumVisibleMacroControls", _) => self.visible_macros = Some(walk.small(child, MACROS)?),
            (_, Some(("MacroDisplayNames", index))) => {
                let name = walk.text(child)?;
                let own = !name.trim().is_empty() && name != format!("Macro {}", index + 1);
                if own && name.len() <= MAX_MACRO_NAME {
                    self.macro_names.insert(index, name);
                }
            }
            (_, Some(("ExcludeMacroFromRandomization", index))) => {
                if walk.boolean(child)? {
                    self.excluded_from_chance.push(index);
                }
            }
            ("MacroVariations", _) => {
                while let Some(list) = walk.next_child(child)? {
                    while let Some(variation) = walk.next_child(&list)? {
                        let variation = read_variation(walk, &variation)?;
                        self.variations.push(variation);
                    }
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The whole, with as many sends in each chain as there are return chains. A macro that a variation leaves alone is
    /// in it where it stands now, as in `macros`: in the document a variation says all of them.
    pub fn finish(mut self, walk: &mut Walk, macros: &[f64]) -> Rack {
        let mut left_alone = 0;
        let variations = self.variations.iter().map(|variation| {
            let values = (0_u8..).zip(variation).map(|(index, value)| {
                let is_mapped = || self.mappings.iter().any(|mapping| mapping.macro_index == index);
                left_alone += u64::from(value.is_none() && is_mapped());
                value.or(macros.get(usize::from(index)).copied()).unwrap_or_default()
            });
            values.collect()
        });
        let variations: Vec<Vec<f64>> = variations.collect();
        walk.report.count_left_out("macros that a variation leaves alone, read as they stand", left_alone);
        let sends = self.return_chains.len();
        for chain in self.chains.iter_mut().chain(&mut self.return_chains) {
            walk.report.count_left_out("sends to no return chain", chain.sends.len().saturating_sub(sends) as u64);
            chain.sends.resize(sends, 0.0);
        }
        join_sends(walk, &self.chains, &self.return_chains, &mut self.mappings);
        for mapping in &mut self.mappings {
            mapping.excluded_from_chance = self.excluded_from_chance.contains(&mapping.macro_index);
        }
        Rack {
            chains: self.chains.into_iter().map(Arc::new).collect(),
            return_chains: self.return_chains.into_iter().map(Arc::new).collect(),
            visible_macros: self.visible_macros.filter(|count| *count > 0).unwrap_or(8),
            mappings: self.mappings,
            macro_names: self.macro_names,
            variations,
            ..Rack::default()
        }
    }
}

/// What a variation is called has no place; that it is so is told of names that somebody gave.
fn read_variation(walk: &mut Walk, element: &Element) -> Result<Variation, ReadError> {
    let (mut values, mut has_value) = ([None; MACROS as usize], [true; MACROS as usize]);
    while let Some(child) = walk.next_child(element)? {
        let (name, index) = child.name().split_once('.').unwrap_or((child.name(), ""));
        let index = index.parse::<usize>().ok().filter(|index| *index < usize::from(MACROS));
        match (name, index) {
            ("MacroValues", Some(index)) => {
                let value = Some(walk.number(&child, -1.0..=127.0)?).filter(|value| *value >= 0.0);
                if let Some(place) = values.get_mut(index) {
                    *place = value;
                }
            }
            ("MacroHasValue", Some(index)) => {
                let has = walk.boolean(&child)?;
                if let Some(place) = has_value.get_mut(index) {
                    *place = has;
                }
            }
            ("SnapshotName", _) => {
                let is_own = !walk.text(&child)?.starts_with("Variation ");
                walk.report.count_left_out("names of macro variations", u64::from(is_own));
            }
            _ => {
                let known = ["AutogeneratedNameIndex", "LomId", "RecallSnapshotKeyMidi", "OverwriteSnapshotKeyMidi"];
                walk.pass_over("MacroSnapshot", &child, &known)?;
            }
        }
    }
    for (value, has) in values.iter_mut().zip(has_value) {
        *value = value.filter(|_| has);
    }
    walk.report.count_read("macro variations");
    Ok(values)
}

/// Reads a list of devices that stand in so many racks.
pub type ReadDevices = fn(&mut Walk, &Element, usize) -> Result<Vec<Arc<Device>>, ReadError>;

/// Where chains stand, and what reads their devices.
#[derive(Clone, Copy)]
pub struct Inside {
    /// How many racks are around them.
    pub depth: usize,
    pub read_devices: ReadDevices,
}

/// Reads the chains of a rack.
pub fn read_chains(walk: &mut Walk, element: &Element, inside: Inside) -> Result<Vec<Chain>, ReadError> {
    let mut chains = Vec::new();
    while let Some(branch) = walk.next_child(element)? {
        walk.count(Countable::Chains)?;
        let mut chain = Chain::new(walk.serial(), 0, 0);
        while let Some(child) = walk.next_child(&branch)? {
            read_part(walk, &child, &mut chain, inside)?;
        }
        chains.push(chain);
    }
    Ok(chains)
}

fn read_part(walk: &mut Walk, child: &Element, chain: &mut Chain, inside: Inside) -> Result<(), ReadError> {
    const PASSED_OVER: [&str; 10] = [
        "LomId",
        "IsSelected",
        "SessionViewBranchWidth",
        "IsHighlightedInSessionView",
        "SourceContext",
        "AutoColorScheme",
        "SoloActivatedInSessionMixer",
        "DevicesListWrapper",
        "LomIdView",
        "ViewData",
    ];
    match child.name() {
        "Name" => {
            let mut shown = String::new();
            let mut own = String::new();
            while let Some(name) = walk.next_child(child)? {
                match name.name() {
                    "EffectiveName" => shown = walk.text(&name)?,
                    "UserName" => own = walk.text(&name)?,
                    _ => walk.pass_over("Name", &name, &["MemorizedFirstClipName"])?,
                }
            }
            let name = [own, shown].into_iter().find(|name| !name.is_empty());
            chain.name = name.unwrap_or_else(|| std::mem::take(&mut chain.name));
        }
        "Color" | "ColorIndex" => chain.color = walk.color(child)?.unwrap_or_default(),
        "AutoColored" => chain.auto_colored = walk.boolean(child)?,
        "IsSoloed" => chain.solo = walk.boolean(child)?,
        "DeviceChain" => {
            while let Some(inner) = walk.next_child(child)? {
                while let Some(list) = walk.next_child(&inner)? {
                    match list.name() {
                        "Devices" => chain.devices = (inside.read_devices)(walk, &list, inside.depth)?,
                        _ => walk.pass_over("DeviceChain", &list, &["SignalModulations"])?,
                    }
                }
            }
        }
        "MixerDevice" => read_chain_mixer(walk, child, chain)?,
        "BranchInfo" => read_pad(walk, child, chain)?,
        _ if read_zones(walk, child, &mut chain.zones)? => {}
        _ => walk.pass_over("chain", child, &PASSED_OVER)?,
    }
    Ok(())
}

/// The pad of a drum chain.
fn read_pad(walk: &mut Walk, element: &Element, chain: &mut Chain) -> Result<(), ReadError> {
    while let Some(child) = walk.next_child(element)? {
        read_pad_part(walk, &child, chain)?;
    }
    Ok(())
}

/// Reads what is said of a pad, one by one.
pub fn read_pad_part(walk: &mut Walk, child: &Element, chain: &mut Chain) -> Result<(), ReadError> {
    match child.name() {
        // 128 is all notes, which no pad has.
        "ReceivingNote" => {
            let note = HIGHEST_NOTE.saturating_sub(walk.small(child, HIGHEST_NOTE)?);
            chain.in_note = Some(note).filter(|note| *note < HIGHEST_NOTE);
        }
        "SendingNote" => chain.out_note = walk.small(child, 127)?,
        "ChokeGroup" => chain.choke_group = walk.small(child, 16)?,
        name => walk.report.count_unknown("BranchInfo", name),
    }
    Ok(())
}
