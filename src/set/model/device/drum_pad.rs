//! DrumPad: a note of a Drum Rack that stands in no other rack. The rack owns the chains; a pad is the chains of its
//! note.

use crate::object_model::{ModelError, Value};
use crate::set::document::device_tree::Chain;
use crate::set::document::ids::Serial;
use crate::set::edit::device_edits::renumber_chain;
use crate::set::model::device::automation::activator_of_chain;
use crate::set::model::device::device_properties::count_argument;
use crate::set::model::member_answer::MemberAnswer;
use crate::set::model::set_state::SetState;
use std::sync::Arc;

/// `C3` for 60, with Live's own sharp sign.
fn note_name(note: u16) -> String {
    const NAMES: [&str; 12] = ["C", "C♯", "D", "D♯", "E", "F", "F♯", "G", "G♯", "A", "A♯", "B"];
    let name = NAMES.get(usize::from(note % 12)).copied().unwrap_or_default();
    format!("{name}{}", i32::from(note / 12) - 2)
}

impl SetState {
    pub(in crate::set::model) fn read_pad(&self, device: Serial, note: u16, member: &str) -> MemberAnswer<Value> {
        let chains: Vec<&Arc<Chain>> = self.pad_chains(device, note).collect();
        // A pad is what all its chains are.
        let all = |is: fn(&Chain) -> bool| Value::from(!chains.is_empty() && chains.iter().all(|chain| is(chain)));
        Some(Ok(match member {
            "note" => i64::from(note).into(),
            "name" => match chains.as_slice() {
                [] => note_name(note).into(),
                [one] => one.name.as_str().into(),
                _ => "Multi".into(),
            },
            "mute" => all(|chain| chain.mute),
            "solo" => all(|chain| chain.solo),
            _ => return None,
        }))
    }

    pub(in crate::set::model) fn write_pad(
        &mut self,
        device: Serial,
        note: u16,
        member: &str,
        value: &Value,
    ) -> MemberAnswer<()> {
        let on = value.as_bool().unwrap_or_default();
        let chains: Vec<Serial> = self.pad_chains(device, note).map(|chain| chain.serial).collect();
        for chain in chains {
            self.document.edit_chain(chain, |chain| match member {
                "mute" => chain.mute = on,
                _ => chain.solo = on,
            })?;
            if member == "mute" {
                self.override_automation(activator_of_chain(chain));
            }
        }
        Some(Ok(()))
    }

    pub(in crate::set::model) fn call_pad(&mut self, device: Serial, note: u16, function: &str) -> MemberAnswer<Value> {
        if function != "delete_all_chains" {
            return None;
        }
        let chains: Vec<Serial> = self.pad_chains(device, note).map(|chain| chain.serial).collect();
        for chain in chains {
            self.document.take_chain(chain)?;
        }
        Some(Ok(Value::Nothing))
    }

    /// Copies of a pad's chains go to another pad, in front of what it holds.
    pub(in crate::set::model) fn copy_pad(&mut self, device: Serial, args: &[Value]) -> Result<Value, ModelError> {
        let rack = self.device(device).ok_or(ModelError::NoObject)?.clone();
        self.pads_or_lacking(&rack, "copy_pad")?;
        let pad = |at: usize| count_argument(args, at).and_then(|n| u8::try_from(n).ok()).filter(|n| *n < 128);
        let (Some(from), Some(to)) = (pad(0), pad(1)) else {
            return Err(ModelError::refused("copy_pad takes two pads, 0 to 127"));
        };
        if from == to {
            return Err(ModelError::refused("a pad is not copied onto itself"));
        }
        let sources: Vec<Arc<Chain>> = self.pad_chains(device, u16::from(from)).cloned().collect();
        if sources.is_empty() {
            return Err(ModelError::refused(format!("pad {from} is empty; there is nothing to copy")));
        }
        let chains = rack.rack.as_ref().map_or(&[][..], |rack| rack.chains.as_slice());
        let first = chains.iter().position(|chain| chain.in_note == Some(to));
        for (nth, source) in sources.into_iter().enumerate() {
            let mut copy = Chain::clone(&source);
            renumber_chain(&mut copy, &mut || self.document.fresh_serial())?;
            copy.in_note = Some(to);
            let end = self.list_len(crate::set::model::object_ref::ObjectRef::Device(device), "chains")?;
            let at = first.map_or(end, |first| first + nth);
            self.document.put_chain(device, at, Arc::new(copy)).ok_or(ModelError::NoObject)?;
        }
        Ok(Value::Nothing)
    }
}

#[cfg(test)]
mod tests {
    use crate::set::model::device::drum_pad::note_name;

    #[test]
    fn note_60_is_c3() {
        let names = [0, 36, 37, 60, 127].map(note_name);
        assert_eq!(names, ["C-2", "C1", "C♯1", "C3", "G8"]);
    }
}
