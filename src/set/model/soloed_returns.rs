//! What goes to a soloed return: of all other tracks nothing else is heard.

use super::routing_ids::{monitors, track_of};
use crate::set::document::ids::Serial;
use crate::set::document::{Document, Track};
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The tracks of which something comes to a soloed return, by their own sends or on the way that their sound and their
/// notes take; the soloed returns too. None where no return is soloed.
#[derive(Debug, Default)]
pub struct SoloedReturns(BTreeSet<Serial>);

impl SoloedReturns {
    pub fn of(document: &Document) -> SoloedReturns {
        let mut heard = SoloedReturns::default();
        if document.returns.sum().soloed == 0 {
            return heard;
        }
        heard.0.extend(document.returns.iter().filter(|track| track.solo).map(|track| track.serial));
        // Ways are followed back from the returns, one track further each time.
        let all: Vec<&Arc<Track>> = document.tracks.iter().chain(document.returns.iter()).collect();
        let ways: Vec<(Serial, Vec<Serial>)> =
            all.iter().map(|track| (track.serial, ways_of(document, track))).collect();
        let taken: Vec<(Serial, Serial)> =
            all.iter().filter_map(|track| Some((taken_by(track)?, track.serial))).collect();
        loop {
            let before = heard.0.len();
            for (from, to) in &ways {
                if to.iter().any(|to| heard.0.contains(to)) {
                    heard.0.insert(*from);
                }
            }
            for (from, to) in &taken {
                if heard.0.contains(to) {
                    heard.0.insert(*from);
                }
            }
            if heard.0.len() == before {
                return heard;
            }
        }
    }

    pub fn contains(&self, track: Serial) -> bool {
        self.0.contains(&track)
    }
}

/// Where a track goes: to returns, to its group, or to the track that its output names.
fn ways_of(document: &Document, track: &Track) -> Vec<Serial> {
    let is_up = |(to, level): (&Arc<Track>, &f64)| (*level > 0.0 && !to.mute).then_some(to.serial);
    let mut ways: Vec<Serial> = document.returns.iter().zip(&track.mixer.sends).filter_map(is_up).collect();
    match track.stored.get("output_routing_type").and_then(Value::as_i64) {
        None => ways.extend(track.group),
        Some(chosen) => ways.extend(track_of(chosen).filter(|to| {
            track.group == Some(*to)
                || document.tracks.find(*to).is_some_and(|to| monitors(to) && !document.is_muted(to))
        })),
    }
    ways
}

/// The track whose sound or notes this one takes.
fn taken_by(track: &Track) -> Option<Serial> {
    let from = track.stored.get("input_routing_type").and_then(Value::as_i64).and_then(track_of);
    from.filter(|_| monitors(track))
}
