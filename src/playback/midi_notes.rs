//! The notes as MIDI has them: every note the host was sent and not yet told to end, one for each channel and pitch.
//!
//! Invariants: between two ons of a channel and pitch lies an off; an on that was sent is followed by an off, on its
//! own channel, whatever becomes of its note, clip or track; a host that refuses an event gets it in the next block.

use super::late_midi::NoteTag;
use super::launch_grid::BlockSpan;
use super::started_note::{EventSink, StartedNote};
use super::{Event, Frame, NEVER, NoteSink};
use crate::music::Beats;
use crate::set::document::ids::Serial;

const CHANNELS: usize = 16;
const PITCHES: usize = 128;
const PLACES: usize = CHANNELS * PITCHES;
const WORD_BITS: usize = 64;

/// A channel and pitch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NoteKey {
    channel: u8,
    pitch: u8,
}

impl NoteKey {
    pub fn new(channel: u8, pitch: u8) -> Option<NoteKey> {
        (usize::from(channel) < CHANNELS && usize::from(pitch) < PITCHES).then_some(NoteKey { channel, pitch })
    }

    pub fn pitch(self) -> u8 {
        self.pitch
    }

    fn place(self) -> usize {
        usize::from(self.channel) * PITCHES + usize::from(self.pitch)
    }

    fn at(place: usize) -> NoteKey {
        NoteKey { channel: (place / PITCHES) as u8, pitch: (place % PITCHES) as u8 }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Voice {
    /// The host was given the on and not the off.
    held: Option<Held>,
    /// The host refused the on of `sound`; it is due in the next block.
    waiting: bool,
    sound: StartedNote,
    /// The frame of the off in this block.
    off_frame: Frame,
    /// The frame of the on if it was in this block.
    on_frame: Option<Frame>,
}

/// The note that the host has.
#[derive(Clone, Copy, Debug)]
struct Held {
    release: f32,
    tag: NoteTag,
}

pub(super) struct MidiNotes {
    voices: Box<[Voice]>,
    /// A bit for each voice that is held or waiting.
    active: [u64; PLACES / WORD_BITS],
    /// The earliest `off_frame` among the held voices.
    next_off: Frame,
    any_waiting: bool,
    last_number: u32,
}

impl MidiNotes {
    pub fn new() -> MidiNotes {
        MidiNotes {
            voices: vec![Voice::default(); PLACES].into_boxed_slice(),
            active: [0; PLACES / WORD_BITS],
            next_off: NEVER,
            any_waiting: false,
            last_number: 0,
        }
    }

    /// Visits the active voices in order of channel and pitch, forgets those that end up neither held nor waiting, and
    /// learns anew what comes next.
    fn visit(&mut self, mut visitor: impl FnMut(NoteKey, &mut Voice)) {
        self.next_off = NEVER;
        self.any_waiting = false;
        for (index, word) in self.active.iter_mut().enumerate() {
            let mut left = *word;
            while left != 0 {
                let bit = left.trailing_zeros() as usize;
                left &= left - 1;
                let place = index * WORD_BITS + bit;
                let Some(voice) = self.voices.get_mut(place) else { continue };
                visitor(NoteKey::at(place), voice);
                if voice.held.is_some() {
                    self.next_off = self.next_off.min(voice.off_frame);
                }
                self.any_waiting |= voice.waiting;
                if voice.held.is_none() && !voice.waiting {
                    *word &= !(1 << bit);
                }
            }
        }
    }

    /// Places the offs in a new block.
    pub fn begin_block(&mut self, span: &BlockSpan) {
        self.visit(|_, voice| {
            voice.on_frame = None;
            voice.place_kept_off(span);
        });
    }

    /// Everything that sounds is due to end at the block's start; what waits is dropped.
    pub fn end_all(&mut self) {
        self.visit(|_, voice| {
            voice.waiting = false;
            voice.sound.off = Beats::NEG_INFINITY;
            voice.off_frame = 0;
        });
    }

    /// The clock went `by` beats elsewhere: the notes of tracks that go on where they are move with it, the others end.
    pub fn follow_loop(&mut self, span: &BlockSpan, by: Beats, mut goes_on: impl FnMut(Serial) -> bool) {
        self.visit(|_, voice| {
            if goes_on(voice.sound.track) {
                voice.sound.on += by;
                voice.sound.off += by;
                voice.place_kept_off(span);
            } else {
                voice.waiting = false;
                voice.sound.off = Beats::NEG_INFINITY;
                voice.off_frame = 0;
            }
        });
    }

    /// Moves the end of each note that sounds or waits to where the Set now has it; `None` ends it at once.
    pub fn recheck(&mut self, span: &BlockSpan, mut ends_at: impl FnMut(NoteKey, &StartedNote) -> Option<Beats>) {
        self.visit(|key, voice| {
            // An off that is overdue stays so.
            if voice.sound.off == Beats::NEG_INFINITY {
                return;
            }
            let end = ends_at(key, &voice.sound);
            voice.waiting &= end.is_some();
            voice.sound.off = end.unwrap_or(Beats::NEG_INFINITY);
            voice.place_kept_off(span);
        });
    }

    /// The frame of the next off in this block, or [`NEVER`].
    pub fn next_off(&self) -> Frame {
        self.next_off
    }

    /// The host refused ons in the block before.
    pub fn any_waiting(&self) -> bool {
        self.any_waiting
    }

    /// Sends the offs that are due at `frame`.
    pub fn release_due<S: NoteSink>(&mut self, frame: Frame, sink: &mut EventSink<S>) {
        self.visit(|key, voice| {
            if voice.off_frame <= frame {
                voice.release(key, frame, sink);
            }
        });
    }

    /// Ends at `frame` whatever `track` lets sound.
    pub fn cut_track<S: NoteSink>(&mut self, track: Serial, frame: Frame, sink: &mut EventSink<S>) {
        self.visit(|key, voice| {
            if voice.sound.track == track {
                voice.waiting = false;
                voice.release(key, frame, sink);
            }
        });
    }

    /// Makes room for a note that is about to start at `frame`.
    pub fn make_room<S: NoteSink>(&mut self, key: NoteKey, frame: Frame, sink: &mut EventSink<S>) {
        if let Some(voice) = self.voices.get_mut(key.place())
            && voice.on_frame != Some(frame)
        {
            // `next_off` may now be too early, which costs an idle look and no more.
            voice.release(key, frame, sink);
        }
    }

    /// Starts a note at `frame`. Two notes of one key at the same frame sound as one, to the later end.
    pub fn start<S: NoteSink>(
        &mut self,
        key: NoteKey,
        sound: StartedNote,
        frame: Frame,
        span: &BlockSpan,
        sink: &mut EventSink<S>,
    ) {
        let place = key.place();
        let Some(voice) = self.voices.get_mut(place) else { return };
        if voice.held.is_some() && voice.on_frame == Some(frame) {
            if sound.off > voice.sound.off {
                voice.sound.off = sound.off;
                voice.place_off(frame, span);
            }
            // The earlier end was kept as the next off: again no more than an idle look.
            return;
        }
        voice.sound = sound;
        if voice.held.is_none() {
            voice.send_on(key, frame, next_number(&mut self.last_number), span, sink);
        } else {
            // Its room could not be made: the off before it still waits.
            voice.waiting = true;
        }
        self.any_waiting |= voice.waiting;
        self.next_off = self.next_off.min(voice.off_frame);
        if let Some(word) = self.active.get_mut(place / WORD_BITS) {
            *word |= 1 << (place % WORD_BITS);
        }
    }

    /// Sends, at the block's start, the ons that the host refused before; they keep their length.
    pub fn start_waiting<S: NoteSink>(&mut self, span: &BlockSpan, sink: &mut EventSink<S>) {
        let mut last_number = self.last_number;
        self.visit(|key, voice| {
            if voice.waiting && voice.held.is_none() {
                let late = span.begin - voice.sound.on;
                voice.sound.on += late;
                voice.sound.off += late;
                voice.send_on(key, 0, next_number(&mut last_number), span, sink);
            }
        });
        self.last_number = last_number;
    }
}

fn next_number(last: &mut u32) -> u32 {
    *last = last.checked_add(1).unwrap_or(1);
    *last
}

impl Voice {
    fn release<S: NoteSink>(&mut self, key: NoteKey, sample: Frame, sink: &mut EventSink<S>) {
        if let Some(Held { release, tag }) = self.held {
            let off = Event::NoteOff { sample, channel: key.channel, pitch: key.pitch, velocity: release };
            if sink.send(off, tag) {
                self.held = None;
            } else if !self.waiting {
                self.sound.off = Beats::NEG_INFINITY;
            }
            // Refused once, it is due in the next block.
            self.off_frame = NEVER;
        }
    }

    fn send_on<S: NoteSink>(
        &mut self,
        key: NoteKey,
        sample: Frame,
        number: u32,
        span: &BlockSpan,
        sink: &mut EventSink<S>,
    ) {
        let event = Event::NoteOn { sample, channel: key.channel, pitch: key.pitch, velocity: self.sound.velocity };
        let tag = NoteTag { number, late: self.sound.late };
        self.waiting = !sink.send(event, tag);
        self.off_frame = NEVER;
        if !self.waiting {
            self.held = Some(Held { release: self.sound.release, tag });
            self.on_frame = Some(sample);
            self.place_off(sample, span);
        }
    }

    /// Places the off of an on that was sent in a block before.
    fn place_kept_off(&mut self, span: &BlockSpan) {
        // While a note waits, `sound` is that one, and the off of the one the host has is overdue.
        self.off_frame = if self.waiting { 0 } else { span.frame(self.sound.off) };
    }

    /// However short a note is, its off is at least a frame after its on; past the block's end it is the next block's.
    fn place_off(&mut self, on_frame: Frame, span: &BlockSpan) {
        let frame = span.frame(self.sound.off).max(on_frame.saturating_add(1));
        self.off_frame = if frame < span.frames { frame } else { NEVER };
    }
}
