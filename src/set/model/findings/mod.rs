//! What in a Set is of no use or is not heard: found without playing it.

mod clips;
#[cfg(test)]
mod tests;

use super::set_state::SetState;
use crate::object_model::ObjectId;
use crate::object_model::device_sounds::{Heard, of_class};
use crate::set::document::device_tree::Device;
use crate::set::document::ids::{IdParts, Serial};
use crate::set::document::{Track, TrackKind};
use std::sync::Arc;

/// The kinds of what is found, in the order in which it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingKind {
    MutedTrack,
    EmptyTrack,
    TrackToNowhere,
    ClipBehindTheEnd,
    SendToNowhere,
    UnusedReturn,
    DeviceWithoutSound,
}

impl FindingKind {
    /// Its name for programs.
    pub fn name(self) -> &'static str {
        match self {
            FindingKind::MutedTrack => "muted-track",
            FindingKind::EmptyTrack => "empty-track",
            FindingKind::TrackToNowhere => "track-to-nowhere",
            FindingKind::ClipBehindTheEnd => "clip-behind-the-end",
            FindingKind::SendToNowhere => "send-to-nowhere",
            FindingKind::UnusedReturn => "unused-return",
            FindingKind::DeviceWithoutSound => "device-without-sound",
        }
    }
}

/// Something that was found about an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    pub kind: FindingKind,
    pub object: ObjectId,
    pub name: String,
    /// Why, as a clause about it.
    pub why: String,
}

impl SetState {
    /// All that is found, by kind and then in the order of the Set.
    pub fn findings(&self) -> Vec<Finding> {
        let mut found = Vec::new();
        for (track, _) in self.document.every_track() {
            self.of_track(track, &mut found);
        }
        self.clips_behind_the_end(&mut found);
        found.sort_by_key(|finding| finding.kind);
        found
    }

    fn of_track(&self, track: &Arc<Track>, found: &mut Vec<Finding>) {
        let mut add = |kind, why: String| {
            let name = self.document.track_name(track);
            found.push(Finding { kind, object: made(track.serial), name, why });
        };
        let is_regular = !matches!(track.kind, TrackKind::Return | TrackKind::Main);
        let is_empty = self.is_empty(track);
        if track.mute {
            add(FindingKind::MutedTrack, "it is muted".to_owned());
        } else if track.mixer.volume <= 0.0 && track.automation.is_empty() {
            add(FindingKind::MutedTrack, "its volume is at -inf dB".to_owned());
        }
        if is_empty && track.kind == TrackKind::Group {
            add(FindingKind::EmptyTrack, "no track is in this group".to_owned());
        } else if is_empty && is_regular {
            add(FindingKind::EmptyTrack, "it has no clip".to_owned());
        }
        if !is_empty
            && track.kind != TrackKind::Main
            && self.strip_shut(track).is_none()
            && let Some(why) = self.why_never_in_main(track)
        {
            add(FindingKind::TrackToNowhere, why);
        }
        if track.kind == TrackKind::Return && !self.is_sent_to(track.serial) {
            add(FindingKind::UnusedReturn, "nothing is sent to it".to_owned());
        }
        self.sends(track, found);
        self.devices_without_sound(&track.devices, found);
    }

    fn is_empty(&self, track: &Track) -> bool {
        let holds_clips = !track.session.is_empty()
            || !track.arrangement.is_empty()
            || track.take_lanes.iter().any(|lane| !lane.clips.is_empty());
        match track.kind {
            TrackKind::Group => !self.document.tracks.iter().any(|member| member.group == Some(track.serial)),
            TrackKind::Return | TrackKind::Main => false,
            // One that takes the sound of another has no need of clips.
            TrackKind::Midi | TrackKind::Audio => !holds_clips && !self.takes_another(track),
        }
    }

    fn takes_another(&self, track: &Track) -> bool {
        let from = track.stored.get("input_routing_type").and_then(serde_json::Value::as_i64);
        from.and_then(super::routing_ids::track_of).is_some_and(|from| self.document.track(from).is_some())
    }

    /// Whether a track sends to a return, or an envelope may.
    fn is_sent_to(&self, return_track: Serial) -> bool {
        let Some(at) = self.document.return_position(return_track) else { return false };
        self.document.every_track().any(|(track, _)| {
            let send = IdParts::Send { track: track.serial, return_track }.id().0;
            let clips = track.session.iter().flat_map(|entry| &entry.clip.envelopes);
            let mut envelopes = track.automation.iter().chain(clips);
            track.mixer.sends.get(at).is_some_and(|level| *level > 0.0)
                || envelopes.any(|envelope| envelope.parameter == send)
        })
    }

    /// Sends that are up, to returns that are not.
    fn sends(&self, track: &Track, found: &mut Vec<Finding>) {
        if track.kind == TrackKind::Main {
            return;
        }
        let returns = &self.document.returns;
        for (at, _) in track.mixer.sends.iter().enumerate().filter(|(_, level)| **level > 0.0) {
            let why = match returns.get(at) {
                None => format!("send {} has no return track", at + 1),
                Some(to) => {
                    let shut = self.strip_shut(to).or_else(|| self.why_never_in_main(to));
                    let Some(why) = shut else { continue };
                    format!("its send goes to {}, and of that {why}", self.document.track_name(to))
                }
            };
            let name = self.document.track_name(track);
            found.push(Finding { kind: FindingKind::SendToNowhere, object: made(track.serial), name, why });
        }
    }

    /// Devices that are on and have no code here, at any depth.
    fn devices_without_sound(&self, devices: &[Arc<Device>], found: &mut Vec<Finding>) {
        for device in devices {
            let is_on = device.values.first().is_none_or(|on| *on >= 0.5);
            if let Some(why) = without_sound(device).filter(|_| is_on) {
                let name = device.shown_name();
                let object = made(device.serial);
                found.push(Finding { kind: FindingKind::DeviceWithoutSound, object, name, why: why.to_owned() });
            }
            for chain in device.rack.iter().flat_map(|rack| rack.every_chain()) {
                self.devices_without_sound(&chain.devices, found);
            }
        }
    }
}

/// Why a device is not heard as what it is.
fn without_sound(device: &Device) -> Option<&'static str> {
    Some(match of_class(&device.class_name).map(|line| line.heard) {
        Some(Heard::Exact | Heard::Approximate | Heard::Chains) => return None,
        Some(Heard::Samples(_)) if !device.sample_zones.is_empty() => return None,
        Some(Heard::Samples(_)) => "it has no sample; a default sound plays",
        Some(Heard::StandIn(_)) => "a default sound plays for it",
        Some(Heard::Bypassed) => "the signal passes it by",
        None => "plug-ins, Max devices and what is not known have no code here",
    })
}

fn made(serial: Serial) -> ObjectId {
    IdParts::Made(serial).id()
}
