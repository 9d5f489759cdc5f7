//! A walk through a Set's XML: the reader, what is known so far, and how values are written in it.
//!
//! Nearly every value is `<Name Value="…"/>`; one that can be automated is `<Name><Manual Value="…"/>…</Name>`.

use super::device_values::Reading;
use super::error::ReadError;
use super::limits::{Countable, LAST_SIGNATURE};
use super::mended::{Mended, usual_boolean, usual_number};
use super::references::{DrawnEnvelope, Envelope, GroovesOfClips, Source};
use super::report::{MENDED, Report};
use super::sample_search::SampleSearch;
use super::views::says_nothing;
use super::xml_reader::{Attribute, Element, XmlReader};
use crate::object_model::ObjectId;
use crate::set::document::device_tree::MacroMapping;
use crate::set::document::ids::{FIRST_FREE, Serial};
use crate::set::document::{ColorIndex, Signature};
use std::cell::{Cell, RefCell};
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
/// Where positions begin to count up to Live 10; twice that where Live chose the colour.
const OLD_COLORS: i64 = 140;

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
    /// Automation that stands with its parameter, as up to Live 9; the track around it takes it.
    pub kept: Vec<(i64, Envelope)>,
    mended: RefCell<Mended>,
    last_own_id: Cell<i64>,
    /// What automation names the sends of chains by, until it is known where they go.
    pub chain_sends: HashMap<Serial, Vec<Option<i64>>>,
    /// What devices listen to.
    pub sources: Vec<Source>,
    counts: [(Countable, u64); 10],
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
            kept: Vec::new(),
            mended: RefCell::default(),
            last_own_id: Cell::new(-1),
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
            name if known.contains(&name) || says_nothing(name) => {}
            name if name.ends_with("KeyMidi") || name.starts_with("KeyMidi") => {
                self.report.count_left_out("key and MIDI mappings", 1)
            }
            name => self.report.count_unknown(parent, name),
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

    /// Nothing where the element has no value, or one that is no text, both of which are counted.
    pub fn text(&self, element: &Element) -> Result<String, ReadError> {
        Ok(self.attribute(element, "Value")?.unwrap_or_else(|| {
            self.mend(element.name(), None, "nothing");
            String::new()
        }))
    }

    /// As the reads below want it: what is empty is counted there.
    fn needed(&self, element: &Element, attribute: &str) -> Result<String, ReadError> {
        Ok(self.attribute(element, attribute)?.unwrap_or_default())
    }

    /// An attribute; `None` where there is none, and of one that is no text what could be read.
    pub fn attribute(&self, element: &Element, name: &str) -> Result<Option<String>, ReadError> {
        match self.xml.attribute(element, name) {
            Attribute::Text(text) => Ok(Some(text)),
            Attribute::None => Ok(None),
            Attribute::Bad(text) => {
                self.mend(element.name(), Some(&text), "it stands there");
                Ok(Some(text))
            }
        }
    }

    /// Counts a value that cannot be and is read as another.
    pub fn mend(&self, name: &str, text: Option<&str>, read_as: &str) {
        self.mended.borrow_mut().add(name, text, read_as, || self.xml.place());
    }

    /// The same of one that was read before, at a place.
    pub fn mend_at(&self, place: &str, name: &str, text: Option<&str>, read_as: &str) {
        self.mended.borrow_mut().add(name, text, read_as, || place.to_owned());
    }

    pub fn boolean(&self, element: &Element) -> Result<bool, ReadError> {
        self.as_boolean(element.name(), &self.needed(element, "Value")?)
    }

    pub fn as_boolean(&self, name: &str, text: &str) -> Result<bool, ReadError> {
        Ok(match text {
            "true" => true,
            "false" => false,
            other => {
                let read_as = match other.trim().to_ascii_lowercase().as_str() {
                    "true" | "1" => true,
                    "false" | "0" => false,
                    _ => usual_boolean(name),
                };
                self.mend(name, Some(other), &read_as.to_string());
                read_as
            }
        })
    }

    pub fn number(&self, element: &Element, range: RangeInclusive<f64>) -> Result<f64, ReadError> {
        self.as_number(element.name(), &self.needed(element, "Value")?, range)
    }

    /// The number, the nearest in its range, or where there is none the usual one. No read of a value refuses a file;
    /// that it gives a result at all is for the reads of its texts.
    pub fn as_number(&self, name: &str, text: &str, range: RangeInclusive<f64>) -> Result<f64, ReadError> {
        let said = text.parse::<f64>().ok().filter(|number| !number.is_nan());
        if let Some(number) = said.filter(|number| range.contains(number)) {
            return Ok(number);
        }
        let nearest = said.unwrap_or_else(|| usual_number(name)).max(*range.start()).min(*range.end());
        self.mend(name, Some(text), &nearest.to_string());
        Ok(nearest)
    }

    pub fn whole(&self, element: &Element, range: RangeInclusive<i64>) -> Result<i64, ReadError> {
        self.as_whole(element.name(), &self.needed(element, "Value")?, range)
    }

    /// As [`Walk::as_number`].
    pub fn as_whole(&self, name: &str, text: &str, range: RangeInclusive<i64>) -> Result<i64, ReadError> {
        if let Some(number) = text.parse().ok().filter(|number| range.contains(number)) {
            return Ok(number);
        }
        let said = text.parse::<f64>().ok().filter(|number| !number.is_nan());
        let nearest = said.unwrap_or_else(|| usual_number(name)).round() as i64;
        let nearest = nearest.max(*range.start()).min(*range.end());
        self.mend(name, Some(text), &nearest.to_string());
        Ok(nearest)
    }

    pub fn small(&self, element: &Element, most: u8) -> Result<u8, ReadError> {
        self.as_small(element.name(), &self.needed(element, "Value")?, most)
    }

    pub fn as_small(&self, name: &str, text: &str, most: u8) -> Result<u8, ReadError> {
        Ok(u8::try_from(self.as_whole(name, text, 0..=most.into())?).unwrap_or(most))
    }

    /// The number that the file knows an element by, in an attribute of it.
    pub fn attribute_id(&self, element: &Element) -> Result<i64, ReadError> {
        Ok(self.as_id(element.name(), &self.needed(element, "Id")?))
    }

    /// The same as its value.
    pub fn id(&self, element: &Element) -> Result<i64, ReadError> {
        Ok(self.as_id(element.name(), &self.needed(element, "Value")?))
    }

    /// One that cannot be is a number that nothing else has.
    pub fn as_id(&self, name: &str, text: &str) -> i64 {
        text.parse().ok().filter(|id| *id >= 0).unwrap_or_else(|| {
            self.mend(name, Some(text), "a number that nothing else has");
            self.own_id()
        })
    }

    /// A number that no element of a file has: theirs count up from 0.
    pub fn own_id(&self) -> i64 {
        let id = self.last_own_id.get() - 1;
        self.last_own_id.set(id);
        id
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
        let text = self.attribute(element, attribute)?;
        text.map_or(Ok(otherwise), |text| self.as_number(attribute, &text, range))
    }

    /// A palette position; one that the palette does not have is counted, and there is none. Up to Live 10 what is
    /// no clip counts from 140 on, and says 0 where it has no colour of its own.
    pub fn color(&mut self, element: &Element) -> Result<Option<ColorIndex>, ReadError> {
        let position = self.whole(element, -1..=i64::from(i32::MAX))?;
        let position = if position >= OLD_COLORS { position % OLD_COLORS } else { position };
        if position >= COLORS {
            self.report.count_left_out("colours outside of the palette", 1);
        }
        Ok(u8::try_from(position).ok().filter(|position| i64::from(*position) < COLORS))
    }

    /// A time signature as one number: the numerator less 1, and 99 for each doubling of the denominator.
    pub fn as_signature(&self, name: &str, text: &str) -> Result<Signature, ReadError> {
        let code = self.as_whole(name, text, 0..=LAST_SIGNATURE)?;
        let numerator = u8::try_from(code % 99 + 1).unwrap_or(4);
        Ok(Signature { numerator, denominator: 1 << (code / 99) })
    }

    /// What was read and what was not, once all is.
    pub fn into_report(self) -> Report {
        let mut report = self.report;
        let (kinds, places) = self.mended.into_inner().told();
        for (name, count) in kinds {
            report.count_left_out(&format!("{MENDED}: {name}"), count);
        }
        report.bad_values = places;
        report.count_left_out("automation of the Arrangement of parameters that are not read", self.kept.len() as u64);
        report.cut_off = self.xml.into_damage().map(|damage| damage.to_string());
        report
    }
}
