//! A walk through a Set's XML: the reader, what is known so far, and how values are written in it.
//!
//! Nearly every value is `<Name Value="…"/>`; one that can be automated is `<Name><Manual Value="…"/>…</Name>`.

use super::device_values::Reading;
use super::error::ReadError;
use super::limits::Countable;
use super::references::{DrawnEnvelope, GroovesOfClips, Source};
use super::report::Report;
use super::sample_search::SampleSearch;
use super::xml_reader::{Element, XmlReader};
use crate::object_model::ObjectId;
use crate::set::document::device_tree::MacroMapping;
use crate::set::document::ids::{FIRST_FREE, Serial};
use crate::set::document::{ColorIndex, Signature};
use std::collections::HashMap;
use std::ops::RangeInclusive;

/// What every device has and says nothing of the music.
const OF_DEVICES: [&str; 18] = [
    "LomId",
    "LomIdView",
    "IsExpanded",
    "BreakoutIsExpanded",
    "ModulationSourceCount",
    "ParametersListWrapper",
    "Pointee",
    "LastSelectedTimeableIndex",
    "LastSelectedClipEnvelopeIndex",
    "LastPresetRef",
    "LockedScripts",
    "IsFolded",
    "ShouldShowPresetName",
    "UserName",
    "SourceContext",
    "MpePitchBendUsesTuning",
    "ViewData",
    "On",
];

/// The gain at the lower end of a fader of Live's (-70 dB), where it is silent.
const SILENT_GAIN: f64 = 0.000_317;
/// Live writes gains in single precision; finer parts of a decibel are noise.
const DB_STEPS: f64 = 1e4;
const COLORS: i64 = 70;

/// See the [module](self).
pub struct Walk<'a> {
    pub xml: XmlReader<'a>,
    pub report: Report,
    pub samples: SampleSearch,
    pub next_serial: Serial,
    /// Parameters by the number that automation names them by, and how their values are read.
    pub automated: HashMap<i64, (ObjectId, Reading)>,
    /// What was drawn in clips, to be joined with the parameters once all of them are known.
    pub drawn: Vec<DrawnEnvelope>,
    /// Clips that follow a groove, by the number that the file knows it by.
    pub grooves_of_clips: GroovesOfClips,
    /// Of the rack that is being read, those found so far.
    pub macro_mappings: Vec<MacroMapping>,
    /// What automation names the sends of chains by, until it is known where they go.
    pub chain_sends: HashMap<Serial, Vec<Option<i64>>>,
    /// What devices listen to.
    pub sources: Vec<Source>,
    counts: [(Countable, u64); 10],
}

/// A value that can be automated.
pub struct Controllable {
    pub value: String,
    /// What an automation envelope names it by.
    pub automation_target: Option<i64>,
}

/// A linear gain in decibels; silence is minus infinity.
pub fn gain_db(gain: f64) -> f64 {
    if gain > SILENT_GAIN { (20.0 * gain.log10() * DB_STEPS).round() / DB_STEPS } else { f64::NEG_INFINITY }
}

impl<'a> Walk<'a> {
    pub fn new(xml: XmlReader<'a>, samples: SampleSearch) -> Walk<'a> {
        use Countable::{
            Chains, Clips, Devices, EnvelopePoints, Locators, Notes, Samples, Scenes, Tracks, WarpMarkers,
        };
        let counts = [Tracks, Scenes, Clips, Notes, WarpMarkers, Locators, Devices, Chains, EnvelopePoints, Samples];
        Walk {
            xml,
            report: Report::default(),
            samples,
            next_serial: FIRST_FREE,
            automated: HashMap::new(),
            drawn: Vec::new(),
            grooves_of_clips: Vec::new(),
            macro_mappings: Vec::new(),
            chain_sends: HashMap::new(),
            sources: Vec::new(),
            counts: counts.map(|what| (what, 0)),
        }
    }

    pub fn serial(&mut self) -> Serial {
        let serial = self.next_serial;
        self.next_serial += 1;
        serial
    }

    /// Counts one more that was read, up to its limit.
    pub fn count(&mut self, what: Countable) -> Result<(), ReadError> {
        self.stay_within(what)?;
        self.report.count_read(what.name());
        Ok(())
    }

    /// The limit alone, of what may yet be left out.
    pub fn stay_within(&mut self, what: Countable) -> Result<(), ReadError> {
        let limit = what.limit();
        for (_, count) in self.counts.iter_mut().filter(|(counted, _)| *counted == what) {
            *count += 1;
            if *count > limit {
                return Err(ReadError::TooLarge { what: what.name(), limit });
            }
        }
        Ok(())
    }

    pub fn next_child(&mut self, parent: &Element) -> Result<Option<Element>, ReadError> {
        self.xml.next_child(parent)
    }

    /// What is said of a child that is not read: `known` are the names that say nothing of the music, such as the state
    /// of a view. A text that somebody wrote about an object has no place in the document.
    pub fn pass_over(&mut self, parent: &str, child: &Element, known: &[&str]) -> Result<(), ReadError> {
        match child.name() {
            "Annotation" if !self.text(child)?.is_empty() => self.report.count_left_out("info texts", 1),
            "Annotation" => {}
            name if !known.contains(&name) => self.report.count_unknown(parent, name),
            _ => {}
        }
        Ok(())
    }

    /// As [`Walk::pass_over`], in what Live keeps as it keeps devices: mixers and sequencers.
    pub fn pass_over_of_device(&mut self, parent: &str, child: &Element, known: &[&str]) -> Result<(), ReadError> {
        if OF_DEVICES.contains(&child.name()) {
            return Ok(());
        }
        self.pass_over(parent, child, known)
    }

    pub fn text(&self, element: &Element) -> Result<String, ReadError> {
        self.needed(element, "Value")
    }

    fn needed(&self, element: &Element, attribute: &str) -> Result<String, ReadError> {
        let value = self.xml.attribute(element, attribute)?;
        value.ok_or_else(|| self.xml.damaged(&format!("{} has no {attribute}", element.name())))
    }

    pub fn boolean(&self, element: &Element) -> Result<bool, ReadError> {
        self.as_boolean(element.name(), &self.text(element)?)
    }

    pub fn as_boolean(&self, name: &str, text: &str) -> Result<bool, ReadError> {
        match text {
            "true" => Ok(true),
            "false" => Ok(false),
            other => Err(self.xml.damaged(&format!("{name} is true or false, not {other:?}"))),
        }
    }

    pub fn number(&self, element: &Element, range: RangeInclusive<f64>) -> Result<f64, ReadError> {
        self.as_number(element.name(), &self.text(element)?, range)
    }

    pub fn as_number(&self, name: &str, text: &str, range: RangeInclusive<f64>) -> Result<f64, ReadError> {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| {
            self.xml.damaged(&format!("{name} is a number from {} to {}, not {text:.40?}", range.start(), range.end()))
        })
    }

    pub fn whole(&self, element: &Element, range: RangeInclusive<i64>) -> Result<i64, ReadError> {
        self.as_whole(element.name(), &self.text(element)?, range)
    }

    pub fn as_whole(&self, name: &str, text: &str, range: RangeInclusive<i64>) -> Result<i64, ReadError> {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| {
            let (from, to) = (range.start(), range.end());
            self.xml.damaged(&format!("{name} is a whole number from {from} to {to}, not {text:.40?}"))
        })
    }

    pub fn small(&self, element: &Element, most: u8) -> Result<u8, ReadError> {
        self.as_small(element.name(), &self.text(element)?, most)
    }

    pub fn as_small(&self, name: &str, text: &str, most: u8) -> Result<u8, ReadError> {
        let number = self.as_whole(name, text, 0..=most.into())?;
        u8::try_from(number).map_err(|_| self.xml.damaged(&format!("{name} is {text:.40?}")))
    }

    /// The number that the file knows an element by.
    pub fn attribute_id(&self, element: &Element) -> Result<i64, ReadError> {
        self.as_whole("Id", &self.needed(element, "Id")?, 0..=i64::MAX)
    }

    /// An attribute as a number.
    pub fn attribute_number(
        &self,
        element: &Element,
        attribute: &str,
        range: RangeInclusive<f64>,
    ) -> Result<f64, ReadError> {
        self.as_number(attribute, &self.needed(element, attribute)?, range)
    }

    /// The same of an attribute that Live leaves out where it is as usual.
    pub fn number_or(
        &self,
        element: &Element,
        attribute: &str,
        range: RangeInclusive<f64>,
        otherwise: f64,
    ) -> Result<f64, ReadError> {
        let text = self.xml.attribute(element, attribute)?;
        text.map_or(Ok(otherwise), |text| self.as_number(attribute, &text, range))
    }

    /// A palette position; one that the palette does not have is counted, and there is none.
    pub fn color(&mut self, element: &Element) -> Result<Option<ColorIndex>, ReadError> {
        let position = self.whole(element, -1..=i64::from(i32::MAX))?;
        if position >= COLORS {
            self.report.count_left_out("colours outside of the palette", 1);
        }
        Ok(u8::try_from(position).ok().filter(|position| i64::from(*position) < COLORS))
    }

    pub fn controllable(&mut self, element: &Element) -> Result<Controllable, ReadError> {
        let (mut value, mut automation_target) = (None, None);
        while let Some(child) = self.next_child(element)? {
            match child.name() {
                "Manual" => value = Some(self.text(&child)?),
                "AutomationTarget" => automation_target = Some(self.attribute_id(&child)?),
                "MidiControllerRange" | "MidiCCOnOffThresholds" | "ModulationTarget" | "LomId" => {}
                "KeyMidi" => self.report.count_left_out("key and MIDI mappings", 1),
                name => self.report.count_unknown(element.name(), name),
            }
        }
        let value = value.ok_or_else(|| self.xml.damaged(&format!("{} has no Manual", element.name())))?;
        Ok(Controllable { value, automation_target })
    }

    pub fn controlled_number(&mut self, element: &Element, range: RangeInclusive<f64>) -> Result<f64, ReadError> {
        let found = self.controllable(element)?;
        self.as_number(element.name(), &found.value, range)
    }

    /// A time signature as one number: the numerator less 1, and 99 for each doubling of the denominator.
    pub fn as_signature(&self, name: &str, text: &str) -> Result<Signature, ReadError> {
        let code = self.as_whole(name, text, 0..=494)?;
        let numerator = u8::try_from(code % 99 + 1);
        let denominator = 1 << (code / 99);
        numerator
            .map(|numerator| Signature { numerator, denominator })
            .map_err(|_| self.xml.damaged(&format!("{name} is no time signature: {text:.40?}")))
    }
}
