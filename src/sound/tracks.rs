//! Tracks, groups, returns and the main track: strips, sends and where they go.

use crate::object_model::faders::{send_db, volume_db};
use crate::set::document::{Document, Track, TrackKind};
use std::sync::Arc;
use svc_sound::mixer::{CrossfadeSide, StripSettings};
use svc_sound::plan::settings::{Output, Send, TrackSettings};

/// Which tracks are heard: neither muted nor left out by another one's solo.
pub struct Heard {
    any_solo: bool,
}

impl Heard {
    pub fn of(document: &Document) -> Heard {
        Heard { any_solo: document.tracks.iter().any(|track| track.solo) }
    }

    /// A group that is muted mutes what is in it by itself: its members go into it.
    fn is_active(&self, track: &Track) -> bool {
        !track.mute && (!self.any_solo || track.solo || !matches!(track.kind, TrackKind::Midi | TrackKind::Audio))
    }
}

/// The strip of a track and its ways, without devices and clips.
pub fn track_settings(track: &Arc<Track>, document: &Document, heard: &Heard) -> TrackSettings {
    let mixer = &track.mixer;
    let strip = StripSettings {
        active: heard.is_active(track),
        volume_db: decibels(volume_db(mixer.volume)),
        pan: mixer.panning as f32,
        crossfade: match mixer.crossfade_assign {
            0 => CrossfadeSide::A,
            2 => CrossfadeSide::B,
            _ => CrossfadeSide::Both,
        },
    };
    let sends = document.returns.iter().zip(&mixer.sends).map(|(to, raw)| Send {
        to: to.serial,
        gain_db: decibels(send_db(*raw)),
        before_fader: false,
    });
    TrackSettings {
        strip,
        output: track.group.map_or(Output::Main, Output::Track),
        sends: sends.collect(),
        ..TrackSettings::new(track.serial)
    }
}

/// `None` is silence.
pub fn decibels(db: Option<f64>) -> f32 {
    db.map_or(f32::NEG_INFINITY, |db| db as f32)
}
