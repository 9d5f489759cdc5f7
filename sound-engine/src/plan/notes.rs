//! The way of notes through a chain of devices.

use super::device::DeviceNode;
use crate::note_effects::{NoteAct, Out, SongClock};

/// What notes are told on their way.
#[derive(Clone, Copy)]
pub(crate) struct NoteContext<'a> {
    pub clock: SongClock,
    /// Makes room for one more voice.
    pub make_room: &'a dyn Fn(),
    pub heard: HeardNotes<'a>,
}

/// Told of each act as a track has it behind its devices, with the frame.
pub(crate) type HeardNotes<'a> = &'a dyn Fn(u32, u64, NoteAct);

/// Takes an act through devices, one after the other; what comes out behind the last goes on to `out`.
pub(crate) fn walk(devices: &[DeviceNode], act: NoteAct, context: &NoteContext, out: Out) {
    match devices.split_first() {
        Some((first, rest)) => first.note(act, context, &mut |act| walk(rest, act, context, out)),
        None => out(act),
    }
}

/// Lets note effects give what is due by now.
pub(crate) fn advance(devices: &[DeviceNode], context: &NoteContext, out: Out) {
    for (at, device) in devices.iter().enumerate() {
        let rest = devices.get(at + 1..).unwrap_or_default();
        device.advance_notes(context, &mut |act| walk(rest, act, context, out));
    }
}

/// The next frame at which a note effect gives something of itself.
pub(crate) fn next_frame(devices: &[DeviceNode], clock: &SongClock) -> Option<u64> {
    devices.iter().filter_map(|device| device.next_note_frame(clock)).min()
}

/// Which note effects there are, and in which order; 0 where there are none.
pub(super) fn layout(devices: &[DeviceNode]) -> u64 {
    let mix =
        |sum: u64, number: u64| (sum ^ number.wrapping_add(1)).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23);
    devices.iter().fold(0, |sum, device| {
        let own = device.note_layout();
        if own == 0 { sum } else { mix(sum ^ 0xcbf2_9ce4_8422_2325, own) }
    })
}
