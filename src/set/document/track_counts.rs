//! What is counted over all tracks of a list, so that nobody has to ask each of them.

use crate::set::document::clip::NoteCount;
use crate::set::document::ids::Serial;
use crate::set::document::ordered::Summary;
use crate::set::document::sequence::SequenceItem;
use crate::set::document::song::Scene;
use crate::set::document::track::Track;

/// Counts over tracks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrackCounts {
    pub soloed: u32,
    /// Group tracks whose members are hidden.
    pub folded: u32,
    /// Tracks that send on each MIDI channel.
    pub channels: [u32; 16],
    /// Notes of all clips.
    pub notes: NoteCount,
}

impl TrackCounts {
    /// The lowest channel that nobody uses; when all 16 are taken, the one that the fewest use, and whether it is
    /// shared.
    pub fn free_channel(&self) -> (u8, bool) {
        let users = (0u8..).zip(self.channels);
        let (channel, count) = users.min_by_key(|(channel, count)| (*count, *channel)).unwrap_or((0, 0));
        (channel, count > 0)
    }

    /// How many tracks send on a channel.
    pub fn users_of(&self, channel: u8) -> u32 {
        self.channels.get(usize::from(channel)).copied().unwrap_or_default()
    }
}

impl Summary for TrackCounts {
    fn plus(&mut self, other: &TrackCounts) {
        self.soloed += other.soloed;
        self.folded += other.folded;
        for (count, more) in self.channels.iter_mut().zip(other.channels) {
            *count += more;
        }
        self.notes.plus(&other.notes);
    }
}

impl Track {
    /// The notes of all its clips.
    pub fn note_count(&self) -> NoteCount {
        let mut notes = self.session.note_count();
        notes.plus(&self.arrangement.note_count());
        self.take_lanes.iter().for_each(|lane| notes.plus(&lane.clips.note_count()));
        notes
    }

    pub fn is_folded(&self) -> bool {
        self.stored.get("fold_state").and_then(serde_json::Value::as_i64) == Some(1)
    }
}

impl SequenceItem for Track {
    type Sum = TrackCounts;

    fn serial(&self) -> Serial {
        self.serial
    }

    fn sum(&self) -> TrackCounts {
        let mut tally = TrackCounts {
            soloed: self.solo.into(),
            folded: self.is_folded().into(),
            notes: self.note_count(),
            ..TrackCounts::default()
        };
        if let Some(count) = self.midi_channel.and_then(|channel| tally.channels.get_mut(usize::from(channel))) {
            *count = 1;
        }
        tally
    }
}

impl SequenceItem for Scene {
    type Sum = ();

    fn serial(&self) -> Serial {
        self.serial
    }

    fn sum(&self) {}
}
