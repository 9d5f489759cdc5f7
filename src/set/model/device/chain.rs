//! Chain and DrumChain.

use crate::object_model::{ModelError, Value};
use crate::set::document::ColorIndex;
use crate::set::document::device_tree::{Chain, Device};
use crate::set::document::ids::Serial;
use crate::set::document::object_index::Location;
use crate::set::model::device::automation::activator_of_chain;
use crate::set::model::device::rack::holds_instrument;
use crate::set::model::member_answer::MemberAnswer;
use crate::set::model::set_state::SetState;
use crate::set::tables::palette;

impl SetState {
    /// The colour of the chain or track that a device stands on.
    pub(in crate::set::model) fn color_around(&self, device: Serial) -> ColorIndex {
        let Some(Location::Device { parent }) = self.document.location(device) else { return 0 };
        match self.document.chain(parent) {
            Some(chain) => self.chain_color(chain),
            None => self.document.track(parent).map_or(0, |track| track.color),
        }
    }

    /// A chain coloured by itself shows its container's colour.
    pub(in crate::set::model) fn chain_color(&self, chain: &Chain) -> ColorIndex {
        match self.rack_of(chain.serial).filter(|_| chain.auto_colored) {
            Some(rack) => self.color_around(rack.serial),
            None => chain.color,
        }
    }

    pub(in crate::set::model) fn read_chain(&self, chain: &Chain, member: &str) -> MemberAnswer<Value> {
        let rack = self.rack_of(chain.serial)?;
        let note = |note: u8| Value::from(i64::from(note));
        Some(Ok(match member {
            "name" => chain.name.as_str().into(),
            "color" => palette::rgb(self.chain_color(chain)).into(),
            "color_index" => i64::from(self.chain_color(chain)).into(),
            "is_auto_colored" => chain.auto_colored.into(),
            "mute" => chain.mute.into(),
            "solo" => chain.solo.into(),
            "muted_via_solo" => muted_via_solo(rack, chain).into(),
            "has_audio_input" => flow(rack, chain).audio_in.into(),
            "has_audio_output" => flow(rack, chain).audio_out.into(),
            "has_midi_input" => flow(rack, chain).midi_in.into(),
            "has_midi_output" => flow(rack, chain).midi_out.into(),
            "in_note" => chain.in_note.map_or(-1, i64::from).into(),
            "out_note" => note(chain.out_note),
            "choke_group" => note(chain.choke_group),
            _ => return None,
        }))
    }

    pub(in crate::set::model) fn write_chain(
        &mut self,
        serial: Serial,
        member: &str,
        value: &Value,
    ) -> MemberAnswer<()> {
        let on = value.as_bool().unwrap_or_default();
        let number = value.as_i64().unwrap_or_default();
        let small = u8::try_from(number).ok();
        let text = value.as_str().unwrap_or_default();
        let shown = self.document.chain(serial).map(|chain| self.chain_color(chain))?;
        let edited = self.document.edit_chain(serial, |chain| {
            match member {
                "name" => chain.name = text.to_owned(),
                "color" => (chain.color, chain.auto_colored) = (palette::nearest(number), false),
                "color_index" => (chain.color, chain.auto_colored) = (small.unwrap_or_default(), false),
                // Switched off, the colour that was shown stays.
                "is_auto_colored" => (chain.color, chain.auto_colored) = (shown, on),
                "mute" => chain.mute = on,
                "solo" => chain.solo = on,
                "in_note" => chain.in_note = small,
                "out_note" => chain.out_note = small.unwrap_or_default(),
                "choke_group" => chain.choke_group = small.unwrap_or_default(),
                _ => return false,
            }
            true
        });
        if member == "mute" {
            self.override_automation(activator_of_chain(serial));
        }
        match edited {
            Some(true) => Some(Ok(())),
            Some(false) => None,
            None => Some(Err(ModelError::NoObject)),
        }
    }

    pub(in crate::set::model) fn call_chain(
        &mut self,
        serial: Serial,
        function: &str,
        args: &[Value],
    ) -> MemberAnswer<Value> {
        match function {
            "insert_device" => Some(self.insert_device(serial, args)),
            "delete_device" => Some(self.delete_device(serial, args)),
            "duplicate_device" => Some(self.duplicate_device(serial, args)),
            _ => None,
        }
    }
}

/// Another chain of the rack is soloed, and this one is not. Return chains are among themselves.
fn muted_via_solo(rack: &Device, chain: &Chain) -> bool {
    let Some(rack) = &rack.rack else { return false };
    let own =
        if rack.return_chains.iter().any(|c| c.serial == chain.serial) { &rack.return_chains } else { &rack.chains };
    !chain.solo && own.iter().any(|c| c.solo)
}

/// What goes into a chain and what comes out.
struct Flow {
    audio_in: bool,
    audio_out: bool,
    midi_in: bool,
    midi_out: bool,
}

fn flow(rack: &Device, chain: &Chain) -> Flow {
    let is_return = rack.rack.iter().any(|r| r.return_chains.iter().any(|c| c.serial == chain.serial));
    let audio = is_return || rack.class_name == "AudioEffectGroupDevice";
    let effects = rack.class_name == "MidiEffectGroupDevice";
    let sounds = audio || !effects && chain.devices.iter().any(|d| holds_instrument(d));
    Flow { audio_in: audio, audio_out: sounds, midi_in: !audio, midi_out: !sounds }
}
