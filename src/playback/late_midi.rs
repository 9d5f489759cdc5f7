//! MIDI of tracks with delays: events wait until their track is heard.
//!
//! An event is late by what its note was late by when it began, so that a note keeps its length whatever becomes of the
//! delays. What tracks on one channel do to each other's notes is settled before; where they meet here all the same, an
//! on ends what its key has, and the end of a note whose key has gone to another one is dropped. While nothing has a
//! delay, all this is passed by.

use super::{Event, Frame, NoteSink};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

const KEYS: usize = 16 * 128;
/// Events that wait at a time. Where there is no room the first comes early: none is lost.
const MOST_WAITING: usize = 4_096;

/// Which note an event is of.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct NoteTag {
    /// Above 0; its on and its off have the same.
    pub number: u32,
    /// Frames.
    pub late: u32,
}

#[derive(Clone, Copy, Debug)]
struct Waiting {
    due: u64,
    /// Of one frame, what came first goes first, offs before ons.
    order: u64,
    number: u32,
    event: Event,
}

impl Waiting {
    fn is_on(&self) -> bool {
        matches!(self.event, Event::NoteOn { .. })
    }

    fn place(&self) -> (u64, bool, u64) {
        (self.due, self.is_on(), self.order)
    }
}

/// The greatest is the one that comes first.
impl Ord for Waiting {
    fn cmp(&self, other: &Waiting) -> Ordering {
        other.place().cmp(&self.place())
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Waiting) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Waiting) -> bool {
        self.place() == other.place()
    }
}

impl Eq for Waiting {}

/// By default without any room: stands where the real one was taken out for a while.
#[derive(Default)]
pub(super) struct LateMidi {
    waiting: BinaryHeap<Waiting>,
    /// The number of the note that the host has, by channel and pitch; 0: none.
    held: Box<[u32]>,
    /// Frames before this block.
    begin: u64,
    /// The frame of the block at which an event left last.
    last: Frame,
    /// Ons of this frame have no held key in their way any more.
    cleared: Option<u64>,
    next_order: u64,
    is_used: bool,
    was_refused: bool,
}

fn parts(event: Event) -> (Frame, u8, u8) {
    let (Event::NoteOn { sample, channel, pitch, .. } | Event::NoteOff { sample, channel, pitch, .. }) = event;
    (sample, channel, pitch)
}

fn key(event: Event) -> usize {
    let (_, channel, pitch) = parts(event);
    usize::from(channel & 15) * 128 + usize::from(pitch & 127)
}

fn at(mut event: Event, frame: Frame) -> Event {
    let (Event::NoteOn { sample, .. } | Event::NoteOff { sample, .. }) = &mut event;
    *sample = frame;
    event
}

impl LateMidi {
    pub fn new() -> LateMidi {
        LateMidi {
            waiting: BinaryHeap::with_capacity(MOST_WAITING),
            held: vec![0; KEYS].into_boxed_slice(),
            ..LateMidi::default()
        }
    }

    /// A block begins; `is_late`: something has a delay.
    pub fn begin_block(&mut self, is_late: bool) {
        (self.last, self.cleared) = (0, None);
        self.is_used = is_late || !self.waiting.is_empty();
        if std::mem::take(&mut self.was_refused) {
            // What is overdue is of one frame now, so that its offs go first.
            while self.waiting.peek().is_some_and(|first| first.due < self.begin) {
                if let Some(first) = self.waiting.pop() {
                    self.waiting.push(Waiting { due: self.begin, ..first });
                }
            }
        }
    }

    /// Sends what is due in the rest of a block of so many frames.
    pub fn end_block(&mut self, frames: Frame, out: &mut impl NoteSink, full: &mut bool) {
        let end = self.begin + u64::from(frames);
        self.send_before(end, out, full);
        self.begin = end;
    }

    /// Takes an event, in time order. `false`: it is refused, as by the host.
    pub fn take(&mut self, event: Event, tag: NoteTag, out: &mut impl NoteSink, full: &mut bool) -> bool {
        if !self.is_used {
            let is_on = matches!(event, Event::NoteOn { .. });
            return self.send(event, if is_on { tag.number } else { 0 }, tag.number, out, full);
        }
        let (sample, ..) = parts(event);
        let now = self.begin + u64::from(sample);
        self.send_before(now, out, full);
        if self.waiting.len() >= MOST_WAITING {
            self.send_first(sample, out, full);
        }
        let room = self.waiting.len() < MOST_WAITING;
        if room {
            let order = self.next_order;
            self.next_order += 1;
            self.waiting.push(Waiting { due: now + u64::from(tag.late), order, number: tag.number, event });
        }
        room
    }

    fn send_before(&mut self, end: u64, out: &mut impl NoteSink, full: &mut bool) {
        while !*full && let Some(first) = self.waiting.peek().copied().filter(|first| first.due < end) {
            if first.is_on() && self.cleared.replace(first.due) != Some(first.due) {
                self.clear_keys(first.due, out, full);
            }
            self.send_first(Frame::try_from(first.due.saturating_sub(self.begin)).unwrap_or(Frame::MAX), out, full);
        }
    }

    /// Ends what the keys have that are to begin at a frame.
    fn clear_keys(&mut self, due: u64, out: &mut impl NoteSink, full: &mut bool) {
        let LateMidi { waiting, held, begin, last, was_refused, .. } = self;
        let sample = Frame::try_from(due.saturating_sub(*begin)).unwrap_or(Frame::MAX).max(*last);
        for on in waiting.iter().filter(|waiting| waiting.due == due && waiting.is_on()) {
            let (_, channel, pitch) = parts(on.event);
            let Some(held) = held.get_mut(key(on.event)).filter(|held| **held != 0 && !*full) else { continue };
            if out.midi(Event::NoteOff { sample, channel, pitch, velocity: 0.0 }) {
                (*held, *last) = (0, sample);
            } else {
                (*full, *was_refused) = (true, true);
            }
        }
    }

    /// Sends what comes first, at a frame or, where something left later than that, with it. What is refused stays.
    fn send_first(&mut self, sample: Frame, out: &mut impl NoteSink, full: &mut bool) {
        let Some(Waiting { number, event, .. }) = self.waiting.peek().copied() else { return };
        let event = at(event, sample.max(self.last));
        let held = self.held.get(key(event)).copied().unwrap_or_default();
        let (sample, channel, pitch) = parts(event);
        let is_on = matches!(event, Event::NoteOn { .. });
        let is_free = !is_on
            || held == 0
            || self.send(Event::NoteOff { sample, channel, pitch, velocity: 0.0 }, 0, held, out, full);
        if is_free && self.send(event, if is_on { number } else { 0 }, number, out, full) {
            self.waiting.pop();
        }
    }

    /// Sends an event of the note `number`, after which its key has `then`.
    fn send(&mut self, event: Event, then: u32, number: u32, out: &mut impl NoteSink, full: &mut bool) -> bool {
        let (sample, ..) = parts(event);
        let Some(held) = self.held.get_mut(key(event)) else { return true };
        if then == 0 && *held != number {
            // Another note has the key, or nobody: what is ended was ended before, or never left.
            return true;
        }
        if !*full {
            *full = !out.midi(event);
            self.was_refused |= *full;
        }
        if !*full {
            (*held, self.last) = (then, sample);
        }
        !*full
    }

    /// What waits is not sent any more, and from here on all goes at once, until the next block.
    pub fn forget_waiting(&mut self) {
        self.waiting.clear();
        (self.is_used, self.last) = (false, 0);
    }

    /// Ends what the host still has.
    pub fn end_held(&mut self, out: &mut impl NoteSink, full: &mut bool) {
        for place in 0..self.held.len() {
            let number = self.held.get(place).copied().unwrap_or_default();
            if number == 0 {
                continue;
            }
            let event =
                Event::NoteOff { sample: 0, channel: (place / 128) as u8, pitch: (place % 128) as u8, velocity: 0.0 };
            if !self.send(event, 0, number, out, full) {
                let order = self.next_order;
                self.next_order += 1;
                // There is room for as many: nothing else waits.
                self.waiting.push(Waiting { due: self.begin, order, number, event });
            }
        }
    }
}
