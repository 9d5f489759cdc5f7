//! Events as MIDI 1.0 messages.

use svc_device::playback::Event;

/// The sample of the block at which the event happens, and its three bytes.
pub fn message(event: Event) -> (u32, [u8; 3]) {
    match event {
        // A note-on of velocity 0 would be a note-off.
        Event::NoteOn { sample, channel, pitch, velocity } => {
            (sample, [0x90 | (channel & 0x0f), pitch & 0x7f, seven_bits(velocity).max(1)])
        }
        Event::NoteOff { sample, channel, pitch, velocity } => {
            (sample, [0x80 | (channel & 0x0f), pitch & 0x7f, seven_bits(velocity)])
        }
    }
}

fn seven_bits(velocity: f32) -> u8 {
    // A cast from float stays in the byte's range.
    ((velocity * 127.0).round() as u8).min(127)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages() {
        let on = |channel, pitch, velocity| message(Event::NoteOn { sample: 7, channel, pitch, velocity }).1;
        let off = |channel, pitch, velocity| message(Event::NoteOff { sample: 7, channel, pitch, velocity });
        for whole in 1..=127_u8 {
            assert_eq!(on(0, 60, f32::from(whole) / 127.0), [0x90, 60, whole]);
        }
        assert_eq!(on(15, 127, 1.0), [0x9f, 127, 127]);
        assert_eq!(on(3, 0, 0.001), [0x93, 0, 1]);
        assert_eq!(on(3, 0, f32::NAN), [0x93, 0, 1]);
        assert_eq!(off(2, 64, 0.0), (7, [0x82, 64, 0]));
        assert_eq!(off(2, 64, 64.0 / 127.0), (7, [0x82, 64, 64]));
    }
}
