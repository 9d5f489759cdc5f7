//! A setting of a device as a Live Set has it: its value, what automates it, and the macro that moves it.

use super::automation::read_events;
use super::error::ReadError;
use super::references::Envelope;
use super::walk::Walk;
use super::xml_reader::Element;
use std::ops::RangeInclusive;

/// The channel that stands for the macros of the rack around a device, where controllers have 0 to 15.
const MACRO_CHANNEL: i64 = 16;

/// One setting.
#[derive(Default)]
pub struct Setting {
    /// The elements it stands in, such as `Filter/Slot/Value/SimplerFilter/Freq`.
    pub place: String,
    pub value: Option<String>,
    /// What an automation envelope names it by.
    pub automation_target: Option<i64>,
    /// 0..=15.
    pub macro_index: Option<u8>,
    /// The values where a macro, or a controller, stands at its lower and its upper end; the setting's own ends where
    /// no macro moves it.
    pub range: (Option<String>, Option<String>),
}

impl Setting {
    pub fn at(place: &str) -> Setting {
        Setting { place: place.to_owned(), ..Setting::default() }
    }

    /// The ends that the file states, as numbers.
    pub fn ends(&self) -> (Option<f64>, Option<f64>) {
        let number = |text: &Option<String>| text.as_ref()?.parse().ok().filter(|number: &f64| number.is_finite());
        (number(&self.range.0), number(&self.range.1))
    }

    /// Whether an element of that name is a part of a setting, and not of a device.
    pub fn is_part(name: &str) -> bool {
        const PARTS: [&str; 8] = [
            "Manual",
            "ArrangerAutomation",
            "ModulationAutomation",
            "AutomationTarget",
            "ModulationTarget",
            "MidiControllerRange",
            "MidiCCOnOffThresholds",
            "KeyMidi",
        ];
        PARTS.contains(&name)
    }
}

/// Reads a setting that is a whole element.
pub fn read_setting(walk: &mut Walk, element: &Element) -> Result<Setting, ReadError> {
    let mut setting = Setting::at(element.name());
    while let Some(child) = walk.next_child(element)? {
        match child.name() {
            "LomId" => {}
            name if Setting::is_part(name) => read_setting_part(walk, &child, &mut setting)?,
            name => walk.report.count_unknown(element.name(), name),
        }
    }
    Ok(setting)
}

/// Reads one of the parts.
pub fn read_setting_part(walk: &mut Walk, child: &Element, setting: &mut Setting) -> Result<(), ReadError> {
    match child.name() {
        "Manual" => setting.value = Some(walk.text(child)?),
        "ArrangerAutomation" => keep_automation(walk, child, setting)?,
        "AutomationTarget" => {
            let target = walk.attribute_id(child)?;
            // What automates it stands in front, by a number of our own until its own is known.
            for (of, _) in walk.kept.iter_mut().rev().take(1).filter(|(of, _)| setting.automation_target == Some(*of)) {
                *of = target;
            }
            setting.automation_target = Some(target);
        }
        "MidiControllerRange" => {
            while let Some(end) = walk.next_child(child)? {
                match end.name() {
                    "Min" => setting.range.0 = Some(walk.text(&end)?),
                    "Max" => setting.range.1 = Some(walk.text(&end)?),
                    _ => {}
                }
            }
        }
        "KeyMidi" => match read_macro(walk, child)? {
            Some(index) => setting.macro_index = Some(index),
            None => walk.report.count_left_out("key and MIDI mappings", 1),
        },
        _ => {}
    }
    Ok(())
}

/// Up to Live 9 the automation of a parameter stands with it. In Live 8 its first event is the value; alone it is no
/// automation.
fn keep_automation(walk: &mut Walk, element: &Element, setting: &mut Setting) -> Result<(), ReadError> {
    let mut envelope = Envelope::default();
    read_events(walk, element, &mut envelope)?;
    if !envelope.points.is_empty() && setting.value.is_none() {
        setting.value = Some(envelope.first_value.clone());
    }
    if envelope.points.len() > 1 {
        let target = *setting.automation_target.get_or_insert_with(|| walk.own_id());
        walk.kept.push((target, envelope));
    }
    Ok(())
}

/// A value that can be automated, and is none of a device's.
pub struct Controllable {
    pub value: String,
    /// What an automation envelope names it by.
    pub automation_target: Option<i64>,
}

impl Walk<'_> {
    pub fn controllable(&mut self, element: &Element) -> Result<Controllable, ReadError> {
        let mut found = Setting::at(element.name());
        while let Some(child) = self.next_child(element)? {
            match child.name() {
                name if Setting::is_part(name) => read_setting_part(self, &child, &mut found)?,
                "LomId" => {}
                name => self.report.count_unknown(element.name(), name),
            }
        }
        self.report.count_left_out("macro mappings of mixers", found.macro_index.iter().count() as u64);
        // What is empty is counted where it is read as a value.
        Ok(Controllable { value: found.value.unwrap_or_default(), automation_target: found.automation_target })
    }

    pub fn controlled_number(&mut self, element: &Element, range: RangeInclusive<f64>) -> Result<f64, ReadError> {
        let found = self.controllable(element)?;
        self.as_number(element.name(), &found.value, range)
    }
}

/// The macro that a mapping is of; `None` for a key or a controller.
fn read_macro(walk: &mut Walk, element: &Element) -> Result<Option<u8>, ReadError> {
    let (mut channel, mut number, mut is_note) = (None, None, false);
    while let Some(child) = walk.next_child(element)? {
        match child.name() {
            "Channel" => channel = Some(walk.whole(&child, -1..=MACRO_CHANNEL)?),
            "NoteOrController" => number = Some(walk.whole(&child, -1..=127)?),
            "IsNote" => is_note = walk.boolean(&child)?,
            _ => {}
        }
    }
    let number = number.filter(|_| channel == Some(MACRO_CHANNEL) && !is_note);
    Ok(number.and_then(|number| u8::try_from(number).ok()).filter(|index| *index < 16))
}
