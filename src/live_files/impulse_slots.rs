//! The samples of an Impulse, each in its slot.
//!
//! No Set has shown yet how Live names the slots. As it writes all lists: the outermost element around a sample that
//! has a number, behind its name (`Pad.2` from 0, `Pad3` from 1) or as its `Id`. A sample that has none, or one that is
//! taken, is in the first slot that is free.

use super::device_samples::{read_one, read_referenced};
use super::error::ReadError;
use super::walk::Walk;
use super::xml_reader::Element;
use crate::set::document::sound_zones::{IMPULSE_KEYS, SampleZone};

pub const IMPULSE: &str = "InstrumentImpulse";

/// See the [module](self).
#[derive(Default)]
pub struct ImpulseSlots {
    /// The numbers of the elements around what is read.
    around: Vec<Option<usize>>,
    found: Vec<(Option<usize>, SampleZone)>,
}

impl ImpulseSlots {
    pub fn enter(&mut self, walk: &Walk, element: &Element) -> Result<(), ReadError> {
        self.around.push(number_of(walk, element)?);
        Ok(())
    }

    pub fn leave(&mut self) {
        self.around.pop();
    }

    /// Reads an element that is a sample; `false` for another.
    pub fn read(&mut self, walk: &mut Walk, element: &Element) -> Result<bool, ReadError> {
        let zone = match element.name() {
            "MultiSamplePart" => read_one(walk, element)?,
            "SampleRef" => read_referenced(walk, element)?,
            _ => return Ok(false),
        };
        let slot = self.around.iter().copied().flatten().next();
        self.found.extend(zone.map(|zone| (slot, zone)));
        Ok(true)
    }

    /// The samples in the order of their slots, and how many found none.
    pub fn finish(self) -> (Vec<SampleZone>, usize) {
        let mut slots: [Option<SampleZone>; IMPULSE_KEYS.len()] = Default::default();
        let mut others = Vec::new();
        for (slot, zone) in self.found {
            match slot.and_then(|slot| slots.get_mut(slot)).filter(|place| place.is_none()) {
                Some(place) => *place = Some(zone),
                None => others.push(zone),
            }
        }
        let mut others = others.into_iter();
        for place in slots.iter_mut().filter(|place| place.is_none()) {
            *place = others.next();
        }
        let placed = slots.into_iter().enumerate();
        (placed.filter_map(|(slot, zone)| zone?.in_slot(slot)).collect(), others.count())
    }
}

fn number_of(walk: &Walk, element: &Element) -> Result<Option<usize>, ReadError> {
    let name = element.name();
    let digits = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let behind = name.get(digits.len()..).and_then(|number| number.parse::<usize>().ok());
    Ok(match behind {
        Some(number) if digits.ends_with('.') => Some(number),
        Some(number) => number.checked_sub(1),
        None => walk.attribute(element, "Id")?.and_then(|id| id.parse().ok()),
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::read_devices_of;

    #[test]
    fn slots_are_known_by_their_numbers() {
        let sample = "<SampleRef><FileRef><RelativePath Value=\"half.wav\"/></FileRef></SampleRef>";
        let part =
            format!("<Map><SampleParts><MultiSamplePart Id=\"0\">{sample}</MultiSamplePart></SampleParts></Map>");
        let none = "<SampleRef><FileRef><Path Value=\"\"/></FileRef></SampleRef>";
        for (inside, slots) in [
            (format!("<Pads><Pad Id=\"7\">{sample}</Pad><Pad Id=\"2\">{part}</Pad></Pads>"), vec![2, 7]),
            (format!("<Pad.0>{part}</Pad.0><Pad.1>{none}</Pad.1><Pad.5>{sample}</Pad.5>"), vec![0, 5]),
            (format!("<Pad1>{sample}</Pad1><Pad8>{sample}</Pad8>"), vec![0, 7]),
            (format!("<One>{sample}</One><Two>{sample}</Two>"), vec![0, 1]),
            (format!("<Pads><Pad Id=\"1\">{sample}</Pad></Pads><Pads><Pad Id=\"1\">{sample}</Pad></Pads>"), vec![0, 1]),
            (format!("<Pads><Pad Id=\"900\">{sample}</Pad></Pads>"), vec![0]),
            (format!("<Pads>{}</Pads>", format!("<Pad>{sample}</Pad>").repeat(9)), (0..8).collect()),
        ] {
            let (device, report) = read_devices_of(&format!("<InstrumentImpulse>{inside}</InstrumentImpulse>"));
            let found: Vec<usize> = device.sample_zones.iter().filter_map(|zone| zone.slot()).collect();
            assert_eq!(found, slots, "{inside}");
            assert!(report.missing_samples.is_empty(), "{inside}");
            let left = report.left_out.get("samples of InstrumentImpulse").copied().unwrap_or_default();
            assert_eq!(left, u64::from(inside.matches("half.wav").count() == 9), "{inside}");
        }
    }
}
