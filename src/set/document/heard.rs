//! What mutes and solos leave: a group mutes what is in it, and a solo those beside it that are not soloed.

use crate::set::document::Document;
use crate::set::document::ids::Serial;
use crate::set::document::track::{Track, TrackKind};
use std::sync::Arc;

impl Document {
    /// A track and, for a group, everything in it at any depth, in order.
    pub fn with_members(&self, serial: Serial) -> Vec<Serial> {
        let mut family = vec![serial];
        family.extend(self.members(serial).map(|track| track.serial));
        family
    }

    /// Everything in a group at any depth, in order. A group's members follow it, so no other track is looked at.
    fn members(&self, group: Serial) -> impl Iterator<Item = &Arc<Track>> {
        let at =
            self.tracks.find(group).filter(|t| t.kind == TrackKind::Group).and_then(|_| self.track_position(group));
        let mut groups = vec![group];
        self.tracks.iter_from(at.map_or(usize::MAX, |at| at + 1)).take_while(move |track| {
            let inside = track.group.is_some_and(|of| groups.contains(&of));
            if inside && track.kind == TrackKind::Group {
                groups.push(track.serial);
            }
            inside
        })
    }

    /// The groups around a track, the nearest first.
    pub fn groups_around(&self, track: &Track) -> impl Iterator<Item = &Arc<Track>> {
        let mut next = track.group;
        let groups = std::iter::from_fn(move || {
            let group = self.track(next?)?;
            next = group.group;
            Some(group)
        });
        // Groups nest no deeper than there are tracks.
        groups.take(self.tracks.len())
    }

    /// Muted itself, or by a group around it.
    pub fn is_muted(&self, track: &Track) -> bool {
        track.mute || self.groups_around(track).any(|group| group.mute)
    }

    /// Left out because others are soloed: tracks by tracks, returns by returns, and the main track never.
    pub fn is_muted_via_solo(&self, track: &Track) -> bool {
        let peers = match track.kind {
            TrackKind::Main => return false,
            TrackKind::Return => &self.returns,
            TrackKind::Midi | TrackKind::Audio | TrackKind::Group => &self.tracks,
        };
        let soloed = || track.solo || self.groups_around(track).any(|group| group.solo);
        // A group sounds when a member is soloed.
        let holds_soloed = || self.members(track.serial).any(|t| t.solo);
        peers.sum().soloed > 0 && !soloed() && !holds_soloed()
    }
}
