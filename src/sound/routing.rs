//! Where the sound of a track goes, and whom it hears.

use crate::set::document::ids::Serial;
use crate::set::document::{Document, Track, TrackKind};
use crate::set::model::routing_ids::{self, monitors, track_of};
use serde_json::Value;
use std::collections::BTreeMap;
use svc_sound::plan::settings::{Output, Send};

/// The channel of an input that is taken behind the fader; those before it are in front of it.
const BEHIND_FADER: i64 = 2;

fn chosen(track: &Track, member: &str) -> Option<i64> {
    track.stored.get(member).and_then(Value::as_i64)
}

/// Where a track's signal goes. To a track that does not monitor its input it goes unheard.
pub fn output(track: &Track, document: &Document) -> Output {
    let usual = track.group.map_or(Output::Main, Output::Track);
    match chosen(track, "output_routing_type") {
        Some(routing_ids::MAIN) => Output::Main,
        Some(routing_ids::SENDS_ONLY | routing_ids::EXT_OUT) => Output::Nowhere,
        Some(other) => match track_of(other).filter(|serial| *serial != track.serial) {
            Some(serial) if track.group == Some(serial) => Output::Track(serial),
            Some(serial) => match document.tracks.find(serial) {
                Some(to) if to.kind == TrackKind::Audio && monitors(to) => Output::Track(serial),
                Some(to) if to.kind == TrackKind::Audio => Output::Nowhere,
                _ => usual,
            },
            None => usual,
        },
        None => usual,
    }
}

/// The tracks that take another one's signal as their input, by that one.
#[derive(Default)]
pub struct Listeners(BTreeMap<Serial, Vec<Send>>);

impl Listeners {
    pub fn of(document: &Document) -> Listeners {
        let mut listeners = Listeners::default();
        for track in document.tracks.iter().filter(|track| track.kind == TrackKind::Audio && monitors(track)) {
            let source = chosen(track, "input_routing_type").and_then(track_of);
            if let Some(source) = source.filter(|source| *source != track.serial) {
                listeners.0.entry(source).or_default().push(Send {
                    to: track.serial,
                    gain_db: 0.0,
                    // In front of the devices there is no place to take it from; behind them is the nearest.
                    before_fader: chosen(track, "input_routing_channel").unwrap_or_default() < BEHIND_FADER,
                });
            }
        }
        listeners
    }

    /// Those that hear a track, as sends of 0 dB.
    pub fn hearing(&self, track: Serial) -> &[Send] {
        self.0.get(&track).map_or(&[], Vec::as_slice)
    }
}
