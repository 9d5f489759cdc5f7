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

    /// What solos leave of a track. Soloed tracks leave out those that are not, and leave returns alone; a soloed
    /// return leaves of all others what they send, and the main track is never left out. A group and what is in it are
    /// one.
    pub fn by_solo(&self, track: &Track) -> BySolo {
        let (tracks, returns) = (self.tracks.sum().soloed > 0, self.returns.sum().soloed > 0);
        let is_concerned = match track.kind {
            TrackKind::Main => false,
            TrackKind::Return => returns,
            TrackKind::Midi | TrackKind::Audio | TrackKind::Group => tracks || returns,
        };
        let soloed = || track.solo || self.groups_around(track).any(|group| group.solo);
        // A group sounds when a member is soloed.
        let holds_soloed = || self.members(track.serial).any(|t| t.solo);
        if !is_concerned || soloed() || holds_soloed() {
            BySolo::Heard
        } else if returns {
            BySolo::SendsAlone
        } else {
            BySolo::LeftOut
        }
    }

    /// The soloed returns in words: `A-Reverb is soloed`.
    pub fn soloed_returns(&self) -> String {
        let soloed: Vec<String> = self.returns.iter().filter(|t| t.solo).map(|track| self.track_name(track)).collect();
        format!("{} {} soloed", soloed.join(" and "), if soloed.len() == 1 { "is" } else { "are" })
    }

    /// Left out because others are soloed, if not of all that it sends.
    pub fn is_muted_via_solo(&self, track: &Track) -> bool {
        self.by_solo(track) != BySolo::Heard
    }
}

/// What solos leave of a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BySolo {
    /// All of it.
    Heard,
    /// What it sends, as a return is soloed.
    SendsAlone,
    LeftOut,
}
