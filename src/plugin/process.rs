//! One block on the audio thread: the host's notes passed through, the Set's notes put in, in time order.
//!
//! Nothing here locks, allocates, frees or waits.

use crate::playback::{Block, Engine, Event, HostTransport};
use nice_plug::context::process::SendEventError;
use nice_plug::midi::{Channel, Key, NoteEvent, PluginNoteEvent, VoiceID};
use nice_plug::prelude::*;

/// How many note-offs of the host's own are kept for the next block when its buffer has no room for them.
const MAX_KEPT: usize = 256;

/// What passing the host's notes through remembers between blocks.
pub struct PassThrough {
    kept: [Option<(Channel, Key, VoiceID)>; MAX_KEPT],
    count: usize,
}

impl Default for PassThrough {
    fn default() -> Self {
        PassThrough { kept: [const { None }; MAX_KEPT], count: 0 }
    }
}

impl PassThrough {
    fn send<P: Plugin>(&mut self, context: &mut impl ProcessContext<P>, event: PluginNoteEvent<P>) {
        let Err((event, SendEventError::HostBufferFull)) = context.try_send_event(event) else { return };
        // Other events may be lost to a full buffer; a note that never ends may not.
        if let NoteEvent::NoteOff { channel, key, voice_id, .. } = event
            && let Some(slot) = self.kept.get_mut(self.count)
        {
            *slot = Some((channel, key, voice_id));
            self.count += 1;
        }
    }

    fn send_kept<P: Plugin>(&mut self, context: &mut impl ProcessContext<P>) {
        let count = std::mem::take(&mut self.count);
        for at in 0..count {
            let Some((channel, key, voice_id)) = self.kept.get_mut(at).and_then(Option::take) else { continue };
            self.send(context, NoteEvent::NoteOff { timing: 0, voice_id, channel, key, velocity: 0.0 });
        }
    }
}

pub fn run<P: Plugin>(
    engine: &mut Engine,
    pass_through: &mut PassThrough,
    sample_rate: f64,
    frames: u32,
    context: &mut impl ProcessContext<P>,
) {
    let block = Block { sample_rate, frames, host: Some(host_transport(context.transport())) };
    pass_through.send_kept(context);
    let mut input = context.next_event();
    engine.process(&block, &mut |event| {
        let (at, event) = note_event::<P>(event);
        while let Some(earlier) = input.take_if(|input| input.timing() <= at) {
            pass_through.send(context, earlier);
            input = context.next_event();
        }
        context.try_send_event(event).is_ok()
    });
    while let Some(event) = input {
        pass_through.send(context, event);
        input = context.next_event();
    }
}

fn note_event<P: Plugin>(event: Event) -> (u32, PluginNoteEvent<P>) {
    match event {
        Event::NoteOn { sample, channel, pitch, velocity } => (
            sample,
            NoteEvent::NoteOn {
                timing: sample,
                voice_id: VoiceID::Wildcard,
                channel: Channel::Number(channel),
                key: Key::Number(pitch),
                velocity,
            },
        ),
        Event::NoteOff { sample, channel, pitch, velocity } => (
            sample,
            NoteEvent::NoteOff {
                timing: sample,
                voice_id: VoiceID::Wildcard,
                channel: Channel::Number(channel),
                key: Key::Number(pitch),
                velocity,
            },
        ),
    }
}

/// What the host says of its transport. Absent and absurd values are the engine's matter.
fn host_transport(transport: &Transport) -> HostTransport {
    let positive = |n: Option<i32>| n.and_then(|n| u32::try_from(n).ok()).filter(|n| *n > 0);
    HostTransport {
        playing: transport.playing,
        tempo_bpm: transport.tempo,
        position_beats: transport.pos_beats(),
        meter: positive(transport.time_sig_numerator).zip(positive(transport.time_sig_denominator)),
        bar_start_beats: transport.bar_start_pos_beats(),
    }
}
