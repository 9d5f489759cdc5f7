//! By how much each track is heard later than one without a delay: its own delay and those of the groups around it.

use super::{Document, Track, TrackDelay, TrackKind};
use std::sync::Arc;

impl Track {
    /// The delay that it is played with. The main track has none to be late for, and longer ones than Live's are kept
    /// alone.
    pub fn played_delay(&self) -> Option<TrackDelay> {
        self.delay.filter(|delay| self.kind != TrackKind::Main && delay.is_played())
    }
}

/// A track's delay, and those of the groups around it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DelaysOnTheWay(Box<[TrackDelay]>);

impl DelaysOnTheWay {
    pub fn of(document: &Document, track: &Arc<Track>) -> DelaysOnTheWay {
        let mut delays = Vec::new();
        let mut next = Some(track);
        // Groups nest no deeper than there are tracks; a damaged Set could have them in a ring.
        for _ in 0..=document.tracks.len() {
            let Some(track) = next else { break };
            delays.extend(track.played_delay());
            next = track.group.and_then(|group| document.tracks.find(group));
        }
        DelaysOnTheWay(delays.into())
    }

    /// How much later what it plays is heard, at so many frames a second; below 0 earlier.
    pub fn frames(&self, rate: f64) -> i64 {
        self.0.iter().map(|delay| delay.frames(rate)).sum()
    }
}

/// The delays of all tracks that have one.
#[derive(Clone, Debug, Default)]
pub struct TrackDelays(Vec<DelaysOnTheWay>);

impl TrackDelays {
    /// `delayed` are the tracks that have one themselves.
    pub fn of<'a>(document: &Document, delayed: impl Iterator<Item = &'a Arc<Track>>) -> TrackDelays {
        TrackDelays(delayed.map(|track| DelaysOnTheWay::of(document, track)).collect())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// By how many frames all is late, so that the earliest track is as early as it has to be.
    pub fn latency(&self, rate: f64) -> u32 {
        let earliest = self.0.iter().map(|delays| delays.frames(rate)).min().unwrap_or_default();
        u32::try_from(earliest.saturating_neg()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(delays: &[(u32, Option<u32>, Option<TrackDelay>)]) -> Document {
        let mut document = Document::new_set();
        let track = |(serial, group, delay): &(u32, Option<u32>, Option<TrackDelay>)| {
            let kind = if *serial < 900 { TrackKind::Midi } else { TrackKind::Group };
            Arc::new(Track { delay: *delay, group: *group, ..Track::new(*serial, kind, 0, 0) })
        };
        document.tracks = delays.iter().map(track).collect();
        document
    }

    #[test]
    fn delays_add_up_along_groups_in_milliseconds_and_samples() {
        let (ms, samples) = (|by| Some(TrackDelay::Milliseconds(by)), |by| Some(TrackDelay::Samples(by)));
        let of =
            [(800, Some(901), ms(-10.0)), (801, Some(901), samples(30)), (802, None, ms(1_000.5)), (803, None, None)];
        let mut set = of.to_vec();
        set.extend([(900, None, ms(2.5)), (901, Some(900), samples(-100))]);
        let document = document(&set);
        let frames = |rate| -> Vec<i64> {
            document.tracks.iter().map(|track| DelaysOnTheWay::of(&document, track).frames(rate)).collect()
        };
        assert_eq!(frames(48_000.0), [-480 - 100 + 120, 30 - 100 + 120, 0, 0, 120, 20]);
        assert_eq!(frames(44_100.0), [-441 - 100 + 110, 30 - 100 + 110, 0, 0, 110, 10]);
        let all = TrackDelays::of(&document, document.tracks.iter());
        assert_eq!((all.latency(48_000.0), all.latency(44_100.0)), (460, 431));
        assert_eq!(TrackDelays::default().latency(48_000.0), 0);
    }

    #[test]
    fn what_live_has_not_and_the_main_track_are_not_played() {
        let played = |kind, delay| Track { delay: Some(delay), ..Track::new(1, kind, 0, 0) }.played_delay();
        for (delay, is_played) in [
            (TrackDelay::Milliseconds(1_000.0), true),
            (TrackDelay::Milliseconds(-1_000.0), true),
            (TrackDelay::Milliseconds(-1_000.01), false),
            (TrackDelay::Samples(-192_000), true),
            (TrackDelay::Samples(192_001), false),
        ] {
            assert_eq!(played(TrackKind::Audio, delay).is_some(), is_played, "{delay}");
            assert_eq!(played(TrackKind::Main, delay), None);
        }
    }
}
