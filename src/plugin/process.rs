//! One block on the audio thread: the host's notes passed through, the Set's notes put in, in time order; the sound of
//! both.
//!
//! Nothing here locks, allocates, frees or waits.

use crate::playback::{Block, Event, HostTransport};
use crate::sound::Key as PlayedKey;
use crate::sound::listener::Listener;
use crate::sound::player::Player;
use nice_plug::context::process::SendEventError;
use nice_plug::midi::{Channel, Key, NoteEvent, PluginNoteEvent, VoiceID};
use nice_plug::prelude::*;

/// How many note-offs of the host's own are kept for the next block when its buffer has no room for them.
const MAX_KEPT: usize = 256;
/// Keys of a block that a keyboard plays; more are passed through and not heard.
const MAX_KEYS: usize = 1024;

/// What passing the host's notes through remembers between blocks.
pub struct PassThrough {
    kept: [Option<(Channel, Key, VoiceID)>; MAX_KEPT],
    count: usize,
    /// What of this block a keyboard plays.
    keys: Vec<PlayedKey>,
}

impl Default for PassThrough {
    fn default() -> Self {
        PassThrough { kept: [const { None }; MAX_KEPT], count: 0, keys: Vec::with_capacity(MAX_KEYS) }
    }
}

impl PassThrough {
    /// Passes an event of the host's on, and hears it.
    fn pass<P: Plugin>(&mut self, context: &mut impl ProcessContext<P>, event: PluginNoteEvent<P>) {
        if let Some(key) = played_key::<P>(&event)
            && self.keys.len() < MAX_KEYS
        {
            self.keys.push(key);
        }
        self.send(context, event);
    }

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

/// Makes the notes of a block, and its sound in `left` and `right`, which are as long as the block, with somebody who
/// hears more of it. Gives whether there is any.
pub fn run<P: Plugin>(
    player: &mut Player,
    pass_through: &mut PassThrough,
    sample_rate: f64,
    (left, right): (&mut [f32], &mut [f32]),
    listener: &mut impl Listener,
    context: &mut impl ProcessContext<P>,
) -> bool {
    let frames = u32::try_from(left.len()).unwrap_or(u32::MAX);
    let block = Block { sample_rate, frames, host: Some(host_transport(context.transport())) };
    pass_through.keys.clear();
    pass_through.send_kept(context);
    let mut input = context.next_event();
    player.process(&block, &mut |event| {
        let (at, event) = note_event::<P>(event);
        while let Some(earlier) = input.take_if(|input| input.timing() <= at) {
            pass_through.pass(context, earlier);
            input = context.next_event();
        }
        context.try_send_event(event).is_ok()
    });
    while let Some(event) = input {
        pass_through.pass(context, event);
        input = context.next_event();
    }
    pass_through.keys.iter().for_each(|key| player.key(*key));
    player.render_to(&block, left, right, listener)
}

/// What a keyboard does by an event; `None` of one that is no key.
fn played_key<P: Plugin>(event: &PluginNoteEvent<P>) -> Option<PlayedKey> {
    let (timing, channel, key, velocity) = match event {
        NoteEvent::NoteOn { timing, channel, key, velocity, .. } => (timing, channel, key, Some(*velocity)),
        NoteEvent::NoteOff { timing, channel, key, .. } | NoteEvent::Choke { timing, channel, key, .. } => {
            (timing, channel, key, None)
        }
        _ => return None,
    };
    let Key::Number(pitch) = *key else { return None };
    let channel = if let Channel::Number(channel) = *channel { channel } else { 0 };
    // A start of velocity 0 is an end.
    Some(PlayedKey { sample: *timing, channel, pitch: pitch & 127, velocity: velocity.filter(|value| *value > 0.0) })
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
