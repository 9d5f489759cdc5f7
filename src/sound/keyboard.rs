//! A keyboard that is played into the device: its notes go to the tracks it plays, and end where they began.

use crate::set::document::ids::Serial;
use crate::set::runtime::keyboard_tracks::KeyboardTracks;
use std::sync::Arc;
use svc_sound::engine::{Event, EventKind};
use svc_sound::instruments::Note;

/// Keys that are down at a time, counted on each track that sounds them; more are not heard.
const MOST_HELD: usize = 512;
/// Events of a block, counted alike.
pub const MOST_KEY_EVENTS: usize = 2 * MOST_HELD;
/// Numbers of notes from a keyboard begin here, beyond those of clips.
const FIRST_ID: u64 = 1 << 32;

/// A key that goes down or up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// Frame of the block.
    pub sample: u32,
    /// Keys of two channels are two keys.
    pub channel: u8,
    /// 0..=127.
    pub pitch: u8,
    /// Above 0, up to 1; `None`: it goes up.
    pub velocity: Option<f32>,
}

#[derive(Clone, Copy)]
struct HeldKey {
    channel: u8,
    pitch: u8,
    track: Serial,
    id: u64,
}

pub struct Keyboard {
    tracks: Arc<KeyboardTracks>,
    held: Vec<HeldKey>,
    /// Of this block.
    events: Vec<Event>,
    next_id: u64,
}

impl Keyboard {
    pub fn new(tracks: Arc<KeyboardTracks>) -> Keyboard {
        Keyboard {
            tracks,
            held: Vec::with_capacity(MOST_HELD),
            events: Vec::with_capacity(MOST_KEY_EVENTS),
            next_id: FIRST_ID,
        }
    }

    pub fn begin_block(&mut self) {
        self.events.clear();
    }

    /// Takes a key, in time order.
    pub fn key(&mut self, key: Key) {
        // A key that goes down again ends what it had.
        self.release(key);
        let Some(velocity) = key.velocity else { return };
        for track in self.tracks.iter() {
            // Whoever is held has room for its end.
            if self.held.len() >= MOST_HELD || self.events.len() + self.held.len() + 1 >= MOST_KEY_EVENTS {
                return;
            }
            let id = self.next_id;
            self.next_id += 1;
            self.held.push(HeldKey { channel: key.channel, pitch: key.pitch, track, id });
            let kind = EventKind::NoteOn(Note { id, pitch: key.pitch, velocity });
            self.events.push(Event { frame: key.sample, track, kind });
        }
    }

    fn release(&mut self, key: Key) {
        let Keyboard { held, events, .. } = self;
        held.retain(|held| {
            let stays = (held.channel, held.pitch) != (key.channel, key.pitch);
            if !stays && events.len() < MOST_KEY_EVENTS {
                let kind = EventKind::NoteOff { id: held.id, pitch: held.pitch };
                events.push(Event { frame: key.sample, track: held.track, kind });
            }
            stays
        });
    }

    /// All keys go up at the block's start.
    pub fn release_all(&mut self) {
        while let Some(HeldKey { channel, pitch, .. }) = self.held.first().copied() {
            self.release(Key { sample: 0, channel, pitch, velocity: None });
        }
    }

    pub fn events(&self) -> &[Event] {
        &self.events
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn down(sample: u32, pitch: u8) -> Key {
        Key { sample, channel: 0, pitch, velocity: Some(0.5) }
    }

    fn up(sample: u32, pitch: u8) -> Key {
        Key { velocity: None, ..down(sample, pitch) }
    }

    /// Frame, track, on, pitch of the block's events.
    fn told(keyboard: &Keyboard) -> Vec<(u32, u32, bool, u8)> {
        let event = |event: &Event| match event.kind {
            EventKind::NoteOn(note) => (event.frame, event.track, true, note.pitch),
            EventKind::NoteOff { pitch, .. } => (event.frame, event.track, false, pitch),
            other => panic!("{other:?}"),
        };
        keyboard.events().iter().map(event).collect()
    }

    #[test]
    fn a_note_ends_where_it_began() {
        let tracks = Arc::<KeyboardTracks>::default();
        let mut keyboard = Keyboard::new(tracks.clone());
        keyboard.key(down(0, 60));
        assert_eq!(told(&keyboard), [], "no track is played");
        tracks.set([10, 11].into_iter());
        keyboard.key(down(3, 60));
        tracks.set([12].into_iter());
        keyboard.key(down(4, 62));
        keyboard.key(up(5, 60));
        let meant = [(3, 10, true, 60), (3, 11, true, 60), (4, 12, true, 62), (5, 10, false, 60), (5, 11, false, 60)];
        assert_eq!(told(&keyboard), meant);
        keyboard.begin_block();
        keyboard.key(down(1, 62));
        assert_eq!(told(&keyboard), [(1, 12, false, 62), (1, 12, true, 62)]);
        keyboard.begin_block();
        keyboard.release_all();
        assert_eq!(told(&keyboard), [(0, 12, false, 62)]);
    }

    #[test]
    fn a_thousand_keys_need_no_more_room() {
        let tracks = Arc::<KeyboardTracks>::default();
        tracks.set(1..=16);
        let mut keyboard = Keyboard::new(tracks);
        let room = (keyboard.held.capacity(), keyboard.events.capacity());
        for block in 0..50u32 {
            keyboard.begin_block();
            for n in 0..1000u32 {
                let pitch = ((n * 7 + block) % 128) as u8;
                keyboard.key(if n % 3 == 0 { up(n, pitch) } else { down(n, pitch) });
            }
        }
        keyboard.begin_block();
        let held = keyboard.held.len();
        keyboard.release_all();
        assert_eq!((keyboard.events().len(), keyboard.held.len()), (held, 0));
        assert_eq!((keyboard.held.capacity(), keyboard.events.capacity()), room);
    }
}
