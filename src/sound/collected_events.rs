//! What a block's playback tells, collected for the engine: in order, in room that was there before.

use crate::playback::{TrackClip, TrackClipKind, TrackNote, TrackNoteKind};
use svc_sound::engine::{Event, EventKind};
use svc_sound::instruments::Note;

/// Notes that start in one block; more are not heard.
const MOST_STARTS: usize = 2048;
/// Ends of notes from before the block, clips, positions. Playback holds at most as many notes and clips, and a block
/// is rarely made in more than a few stretches.
const OTHER_EVENTS: usize = 1024 + 2 * 1024 + 1024;
/// Every start may end in the same block.
const MOST_EVENTS: usize = 2 * MOST_STARTS + OTHER_EVENTS;

pub struct CollectedEvents {
    events: Vec<Event>,
    starts: usize,
    /// The events with those of a keyboard and of envelopes among them.
    merged: Vec<Event>,
}

impl CollectedEvents {
    /// With room for so many more that are put [among](Self::with) them.
    pub fn new(most_others: usize) -> CollectedEvents {
        CollectedEvents {
            events: Vec::with_capacity(MOST_EVENTS),
            starts: 0,
            merged: Vec::with_capacity(MOST_EVENTS + most_others),
        }
    }

    pub fn clear(&mut self) {
        self.events.clear();
        self.starts = 0;
    }

    fn push(&mut self, event: Event) {
        // Room for all that may come was made; a push beyond it would allocate.
        if self.events.len() < MOST_EVENTS {
            self.events.push(event);
        }
    }

    pub fn note(&mut self, note: TrackNote) {
        let TrackNote { sample, track, number, pitch, kind } = note;
        let id = u64::from(number);
        let kind = match kind {
            TrackNoteKind::Start { velocity } if self.starts < MOST_STARTS => {
                self.starts += 1;
                EventKind::NoteOn(Note { id, pitch, velocity })
            }
            TrackNoteKind::Start { .. } => return,
            TrackNoteKind::End { .. } => EventKind::NoteOff { id, pitch },
        };
        self.push(Event { frame: sample, track, kind });
    }

    /// Where the song is; the track does not matter.
    pub fn position(&mut self, sample: u32, beats: f64, plays: bool) {
        self.push(Event { frame: sample, track: 0, kind: EventKind::Position { beats, plays } });
    }

    pub fn clip(&mut self, clip: TrackClip) {
        let TrackClip { sample, track, kind } = clip;
        let kind = match kind {
            TrackClipKind::Start { clip, time, beats } => EventKind::ClipStart { clip: clip.into(), time, beats },
            TrackClipKind::Stop => EventKind::ClipStop,
        };
        self.push(Event { frame: sample, track, kind });
    }

    /// All events with those of envelopes and of a keyboard, which are in order too; of one frame, the envelopes' come
    /// first and the keyboard's last.
    pub fn with(&mut self, moves: &[Event], keys: &[Event]) -> &[Event] {
        if moves.is_empty() && keys.is_empty() {
            return &self.events;
        }
        self.merged.clear();
        let mut lists = [moves, &self.events, keys].map(|list| list.iter().copied().peekable());
        loop {
            let frames = lists.iter_mut().map(|list| list.peek().map(|event| event.frame));
            // The first of those that are the earliest.
            let earliest = frames.enumerate().filter_map(|(at, frame)| Some((frame?, at))).min();
            let Some((_, at)) = earliest else { break };
            if let Some(event) = lists.get_mut(at).and_then(Iterator::next) {
                push_within(&mut self.merged, event);
            }
        }
        &self.merged
    }
}

fn push_within(events: &mut Vec<Event>, event: Event) {
    if events.len() < events.capacity() {
        events.push(event);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(sample: u32, number: u32) -> TrackNote {
        TrackNote { sample, track: 10, number, pitch: 60, kind: TrackNoteKind::Start { velocity: 1.0 } }
    }

    #[test]
    fn keys_and_moves_are_put_in_where_they_belong() {
        let mut events = CollectedEvents::new(8);
        for (sample, number) in [(0, 0), (5, 1), (5, 2), (9, 3)] {
            events.note(start(sample, number));
        }
        let key = |frame| Event { frame, track: 11, kind: EventKind::EndNotes };
        let order = |events: &[Event]| events.iter().map(|event| (event.frame, event.track)).collect::<Vec<_>>();
        let meant = [(0, 10), (0, 11), (5, 10), (5, 10), (5, 11), (7, 11), (9, 10), (12, 11)];
        assert_eq!(order(events.with(&[], &[key(0), key(5), key(7), key(12)])), meant);
        let move_at = |frame| Event { frame, track: 9, kind: EventKind::FreeParameters };
        let meant = [(0, 10), (5, 9), (5, 10), (5, 10), (5, 11), (8, 9), (9, 10)];
        assert_eq!(order(events.with(&[move_at(5), move_at(8)], &[key(5)])), meant);
        assert_eq!(events.with(&[], &[]).len(), 4);
    }

    #[test]
    fn what_is_too_much_loses_no_end() {
        let mut events = CollectedEvents::new(0);
        let room = events.events.capacity();
        for number in 0..10_000 {
            events.note(start(0, number));
        }
        for number in 0..(MOST_STARTS + 1024) as u32 {
            let kind = TrackNoteKind::End { velocity: 0.0 };
            events.note(TrackNote { kind, ..start(1, number) });
        }
        let ends = events.events.iter().filter(|event| event.frame == 1).count();
        assert_eq!((ends, events.events.capacity()), (MOST_STARTS + 1024, room));
        events.clear();
        events.note(start(3, 7));
        assert_eq!(events.with(&[], &[]).len(), 1);
    }
}
