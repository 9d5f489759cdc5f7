//! The ways that the sound of a track takes, to the main track or to where they end.

use crate::set::document::ids::Serial;
use crate::set::document::{BySolo, Track, TrackKind};
use crate::set::model::routing_ids;
use crate::set::model::set_state::SetState;
use std::collections::BTreeSet;

/// Sides of the crossfader, as a track is assigned to them.
const SIDE_A: u8 = 0;
const SIDE_B: u8 = 2;

/// Where the output of a track goes.
enum Output {
    Main,
    Track(Serial),
    /// Why it goes nowhere.
    Nowhere(String),
}

impl SetState {
    /// Why what leaves a track never comes to the main track, by its output, its sends or who takes it as an input.
    /// The track itself is taken to be up.
    pub(in crate::set::model) fn why_never_in_main(&self, track: &Track) -> Option<String> {
        (!self.comes_to_main(track)).then(|| self.end_of_way(track, &mut BTreeSet::new()))
    }

    fn comes_to_main(&self, track: &Track) -> bool {
        let (mut seen, mut next) = (BTreeSet::from([track.serial]), vec![track.serial]);
        while let Some(track) = next.pop().and_then(|serial| self.document.track(serial)) {
            let mut ways = self.sent_and_taken(track);
            match self.output(track) {
                Output::Main => return true,
                Output::Track(to) => ways.push(to),
                Output::Nowhere(_) => {}
            }
            for to in ways {
                let is_up = self.document.track(to).is_some_and(|to| self.strip_shut(to).is_none());
                if is_up && seen.insert(to) {
                    next.push(to);
                }
            }
        }
        false
    }

    /// Returns that something of a track goes to, and tracks that take it as their input.
    fn sent_and_taken(&self, track: &Track) -> Vec<Serial> {
        let own = routing_ids::of_track(track.serial);
        let returns = self.document.returns.iter().zip(&track.mixer.sends);
        let sent = returns.filter(|(_, level)| **level > 0.0).map(|(to, _)| to.serial);
        let takes = |other: &Track| {
            let from = other.stored.get("input_routing_type").and_then(serde_json::Value::as_i64);
            other.kind == TrackKind::Audio && from == Some(own) && routing_ids::monitors(other)
        };
        sent.chain(self.document.tracks.iter().filter(|other| takes(other)).map(|other| other.serial)).collect()
    }

    /// Where the output of a track that does not get to the main track ends, in words about the track: `it goes to Bus,
    /// which is muted`.
    fn end_of_way(&self, track: &Track, seen: &mut BTreeSet<Serial>) -> String {
        seen.insert(track.serial);
        let to = match self.output(track) {
            Output::Nowhere(why) => return why,
            Output::Track(to) => self.document.track(to),
            Output::Main => None,
        };
        let Some(to) = to else { return "its way to the main track is shut".to_owned() };
        let name = self.document.track_name(to);
        if seen.contains(&to.serial) {
            return format!("it goes to {name}, from where it comes back");
        }
        let why = self.strip_shut(to).unwrap_or_else(|| self.end_of_way(to, seen));
        match to.kind {
            TrackKind::Group if track.group == Some(to.serial) => format!("it goes to its group, {}", about(&why)),
            _ => format!("it goes to {name}, {}", about(&why)),
        }
    }

    /// Why the strip of a track lets nothing through.
    pub(in crate::set::model) fn strip_shut(&self, track: &Track) -> Option<String> {
        if track.mute {
            Some("it is muted".to_owned())
        } else if self.document.is_muted(track) {
            Some("its group is muted".to_owned())
        } else if self.document.by_solo(track) == BySolo::LeftOut {
            Some("another one is soloed".to_owned())
        } else {
            (track.mixer.volume <= 0.0).then(|| "its volume is at -inf dB".to_owned())
        }
    }

    fn output(&self, track: &Track) -> Output {
        match (track.mixer.crossfade_assign, self.document.main.mixer.crossfader) {
            (SIDE_A, at) if at >= 1.0 => {
                return Output::Nowhere("it is on side A, and the crossfader stands at B".to_owned());
            }
            (SIDE_B, at) if at <= -1.0 => {
                return Output::Nowhere("it is on side B, and the crossfader stands at A".to_owned());
            }
            _ => {}
        }
        let usual = track.group.map_or(Output::Main, Output::Track);
        match track.stored.get("output_routing_type").and_then(serde_json::Value::as_i64) {
            Some(routing_ids::MAIN) => Output::Main,
            Some(routing_ids::EXT_OUT) => Output::Nowhere("it goes to Ext. Out, which is not there".to_owned()),
            Some(routing_ids::SENDS_ONLY) => Output::Nowhere(self.sends_alone(track)),
            Some(other) => {
                let Some(to) = routing_ids::track_of(other).filter(|to| *to != track.serial) else { return usual };
                if track.group == Some(to) {
                    return Output::Track(to);
                }
                match self.document.tracks.find(to).filter(|to| to.kind == TrackKind::Audio) {
                    Some(to) if routing_ids::monitors(to) => Output::Track(to.serial),
                    Some(to) => {
                        let name = self.document.track_name(to);
                        Output::Nowhere(format!("it goes to {name}, which does not monitor its input"))
                    }
                    None => usual,
                }
            }
            None => usual,
        }
    }

    /// Of a track that nothing leaves but by its sends, none of which is heard.
    fn sends_alone(&self, track: &Track) -> String {
        let is_sent = self.document.returns.iter().zip(&track.mixer.sends).any(|(_, level)| *level > 0.0);
        let why = if is_sent { "and nothing of those is heard" } else { "which are at -inf dB" };
        format!("it goes to its sends alone, {why}")
    }
}

/// The words about one track as a clause behind another's name: `it is muted` as `which is muted`.
pub(super) fn about(why: &str) -> String {
    if let Some(rest) = why.strip_prefix("it ") {
        format!("which {rest}")
    } else if let Some(rest) = why.strip_prefix("its ") {
        format!("whose {rest}")
    } else if why.starts_with("another one") {
        format!("beside which {why}")
    } else {
        format!("but {why}")
    }
}
