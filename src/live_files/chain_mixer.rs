//! The mixer of a chain: its values, and what automation and macros of the rack move of it.

use super::device_values::Reading;
use super::error::ReadError;
use super::mixer::send_level;
use super::settings::{Setting, read_setting};
use super::walk::{Walk, gain_db};
use super::xml_reader::Element;
use crate::object_model::faders::volume_raw;
use crate::set::document::device_tree::{Chain, MacroMapping};
use crate::set::document::ids::{IdParts, Serial};

/// A gain of 6 dB, and a little for how it is rounded.
const MOST_GAIN: f64 = 2.0;
/// Among the parameters of a chain's mixer.
const VOLUME: u16 = 0;
const PANNING: u16 = 1;
const ACTIVATOR: u16 = 2;
/// From here on stand the sends, in order, until it is known where they go.
const SENDS: u16 = 3;

/// A parameter of a mixer, as it is read.
#[derive(Clone, Copy)]
struct Strip {
    index: u16,
    /// The raw value of what the file has.
    raw: fn(f64) -> f64,
    /// Raw values at its ends.
    ends: (f64, f64),
}

const OF_VOLUME: Strip = Strip { index: VOLUME, raw: |gain| volume_raw(gain_db(gain)), ends: (0.0, 1.0) };
const OF_PANNING: Strip = Strip { index: PANNING, raw: |raw| raw, ends: (-1.0, 1.0) };
const OF_ACTIVATOR: Strip = Strip { index: ACTIVATOR, raw: |raw| raw, ends: (0.0, 1.0) };
const OF_SEND: Strip = Strip { index: SENDS, raw: send_level, ends: (0.0, 1.0) };

/// Reads the mixer of a chain.
pub fn read_chain_mixer(walk: &mut Walk, element: &Element, chain: &mut Chain) -> Result<(), ReadError> {
    while let Some(child) = walk.next_child(element)? {
        match child.name() {
            "Speaker" => {
                let speaker = read_parameter(walk, &child, chain, OF_ACTIVATOR)?;
                if let Some(on) = &speaker.value {
                    chain.mute = !walk.as_boolean("Speaker", on)?;
                }
            }
            "Volume" => {
                let volume = read_parameter(walk, &child, chain, OF_VOLUME)?;
                if let Some(gain) = &volume.value {
                    chain.volume = volume_raw(gain_db(walk.as_number("Volume", gain, 0.0..=MOST_GAIN)?));
                }
            }
            "Panorama" | "Pan" => {
                let panning = read_parameter(walk, &child, chain, OF_PANNING)?;
                if let Some(pan) = &panning.value {
                    chain.panning = walk.as_number(child.name(), pan, -1.0..=1.0)?;
                }
            }
            "SendInfos" => {
                while let Some(info) = walk.next_child(&child)? {
                    while let Some(send) = walk.next_child(&info)? {
                        if send.name() == "Send" {
                            read_send(walk, &send, chain)?;
                        }
                    }
                }
            }
            _ => walk.pass_over_of_device(
                "MixerDevice",
                &child,
                &["RoutingHelper", "SendsListWrapper", "OverwriteProtectionNumber"],
            )?,
        }
    }
    Ok(())
}

fn read_send(walk: &mut Walk, element: &Element, chain: &mut Chain) -> Result<(), ReadError> {
    let position = u16::try_from(chain.sends.len()).unwrap_or(u16::MAX).saturating_add(SENDS);
    let send = read_parameter(walk, element, chain, Strip { index: position, ..OF_SEND })?;
    let gain = send.value.as_ref().map(|gain| walk.as_number("Send", gain, 0.0..=MOST_GAIN)).transpose()?;
    chain.sends.push(gain.map_or(0.0, send_level));
    walk.chain_sends.entry(chain.serial).or_default().push(send.automation_target);
    Ok(())
}

/// Reads a value, and has automation and the rack's macros know it.
fn read_parameter(walk: &mut Walk, element: &Element, chain: &Chain, of: Strip) -> Result<Setting, ReadError> {
    let setting = read_setting(walk, element)?;
    if setting.value.is_none() {
        walk.report.count_left_out("values of chains that the file does not say", 1);
    }
    let id = IdParts::ChainMixerParameter { chain: chain.serial, index: of.index };
    if let Some(target) = setting.automation_target.filter(|_| of.index < SENDS) {
        walk.automated.insert(target, (id.id(), Reading::By(of.raw)));
    }
    if let Some(macro_index) = setting.macro_index {
        let end = |text: &Option<String>, otherwise: f64| {
            let number = text.as_ref().and_then(|text| text.parse().ok()).filter(|number: &f64| number.is_finite());
            number.map_or(otherwise, |number| (of.raw)(number).clamp(of.ends.0, of.ends.1))
        };
        let (from, to) = &setting.range;
        walk.macro_mappings.extend(MacroMapping::of(macro_index, id, (end(from, of.ends.0), end(to, of.ends.1))));
    }
    Ok(setting)
}

/// Says of the sends of a rack's chains where they go, which is known once the rack was read.
pub fn join_sends(walk: &mut Walk, chains: &[Chain], returns: &[Chain], mappings: &mut Vec<MacroMapping>) {
    for chain in chains.iter().chain(returns) {
        let targets = walk.chain_sends.remove(&chain.serial).unwrap_or_default();
        for (target, to) in targets.into_iter().zip(returns) {
            let id = IdParts::ChainSend { chain: chain.serial, return_chain: to.serial };
            if let Some(target) = target {
                walk.automated.insert(target, (id.id(), Reading::By(send_level)));
            }
        }
    }
    let all = mappings.len();
    mappings.retain_mut(|mapping| {
        let Some(position) = mapping.parameter.checked_sub(SENDS).filter(|_| mapping.is_of_chain) else { return true };
        let to: Option<Serial> = returns.get(usize::from(position)).map(|to| to.serial);
        (mapping.parameter, mapping.return_chain) = (0, to);
        to.is_some()
    });
    walk.report.count_left_out("macro mappings of sends to no return chain", (all - mappings.len()) as u64);
}
