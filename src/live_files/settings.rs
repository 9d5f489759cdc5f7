//! A setting of a device as a Live Set has it: its value, what automates it, and the macro that moves it.

use super::error::ReadError;
use super::walk::Walk;
use super::xml_reader::Element;

/// The channel that stands for the macros of the rack around a device, where controllers have 0 to 15.
const MACRO_CHANNEL: i64 = 16;

/// One setting.
pub struct Setting {
    /// The elements it stands in, such as `Filter/Slot/Value/SimplerFilter/Freq`.
    pub place: String,
    pub value: Option<String>,
    /// What an automation envelope names it by.
    pub automation_target: Option<i64>,
    /// 0..=15.
    pub macro_index: Option<u8>,
    /// The values where a macro, or a controller, stands at its lower and its upper end.
    pub range: (Option<String>, Option<String>),
}

impl Setting {
    pub fn at(place: &str) -> Setting {
        Setting {
            place: place.to_owned(),
            value: None,
            automation_target: None,
            macro_index: None,
            range: (None, None),
        }
    }

    /// Whether an element of that name is a part of a setting, and not of a device.
    pub fn is_part(name: &str) -> bool {
        const PARTS: [&str; 6] = [
            "Manual",
            "AutomationTarget",
            "ModulationTarget",
            "MidiControllerRange",
            "MidiCCOnOffThresholds",
            "KeyMidi",
        ];
        PARTS.contains(&name)
    }
}

/// Reads one of the parts.
pub fn read_setting_part(walk: &mut Walk, child: &Element, setting: &mut Setting) -> Result<(), ReadError> {
    match child.name() {
        "Manual" => setting.value = Some(walk.text(child)?),
        "AutomationTarget" => setting.automation_target = Some(walk.attribute_id(child)?),
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
