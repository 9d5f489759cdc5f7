//! Tracks, groups, returns and the main track: strips, sends and where they go.

use super::routing::{Listeners, output};
use crate::object_model::faders::{send_db, volume_db};
use crate::set::document::{BySolo, Document, Track, TrackKind};
use crate::set::model::routing_ids::SENDS_ARE_PRE;
use svc_sound::mixer::{CrossfadeSide, StripSettings};
use svc_sound::plan::settings::{Send, TrackSettings};

/// The strip of a track and its ways, without devices and clips.
pub fn track_settings(track: &Track, document: &Document, listeners: &Listeners) -> TrackSettings {
    let mut sends = sends(track, document);
    sends.extend(listeners.hearing(track.serial));
    TrackSettings {
        strip: strip(track, document),
        output: output(track, document),
        sends_alone: document.by_solo(track) == BySolo::SendsAlone,
        sends,
        ..TrackSettings::new(track.serial)
    }
}

fn strip(track: &Track, document: &Document) -> StripSettings {
    let mixer = &track.mixer;
    StripSettings {
        active: !document.is_muted(track) && document.by_solo(track) != BySolo::LeftOut,
        volume_db: decibels(volume_db(mixer.volume)),
        pan: mixer.panning as f32,
        split: mixer.split_stereo.then_some([mixer.left_split as f32, mixer.right_split as f32]),
        crossfade: match mixer.crossfade_assign {
            0 => CrossfadeSide::A,
            2 => CrossfadeSide::B,
            _ => CrossfadeSide::Both,
        },
    }
}

/// To each return in order. A way that is turned down stays, so that it can be turned up without a click; from return
/// to return, where ways may lead in a ring, only those that are up are there.
fn sends(track: &Track, document: &Document) -> Vec<Send> {
    let is_return = track.kind == TrackKind::Return;
    if track.kind == TrackKind::Main {
        return Vec::new();
    }
    let levels = document.returns.iter().zip(&track.mixer.sends);
    let all = levels.map(|(to, raw)| Send {
        to: to.serial,
        gain_db: decibels(send_db(*raw)),
        before_fader: to.stored.contains_key(SENDS_ARE_PRE),
    });
    all.filter(|send| !is_return || send.to != track.serial && send.gain_db > f32::NEG_INFINITY).collect()
}

/// `None` is silence.
pub fn decibels(db: Option<f64>) -> f32 {
    db.map_or(f32::NEG_INFINITY, |db| db as f32)
}
