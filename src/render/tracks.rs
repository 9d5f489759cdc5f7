//! The tracks, groups and returns that are rendered, and the drums of kits.

use super::parts::is_kit;
use super::stretch::Stretch;
use crate::set::Document;
use crate::set::document::ids::Serial;
use crate::set::document::{Track, TrackKind};
use crate::set::model::note_routes::NoteRoutes;
use std::sync::Arc;
use svc_sound::plan::settings::{MixSettings, Output};

/// A track whose signal is given with each block.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderedTrack {
    pub serial: Serial,
    /// `t0`, `rt0`.
    pub path: String,
    pub name: String,
    pub kind: TrackKind,
    /// A clip of it plays in the stretch.
    pub plays: bool,
    /// Its notes are played by another track, and not by itself.
    pub gives_notes_away: bool,
    /// Its notes are drums.
    pub is_kit: bool,
    /// It goes into the main track by itself: the sum of these is what goes into the main track's devices.
    pub is_stem: bool,
}

/// One drum of a kit, whose signal is given too.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderedPart {
    /// Its track, by its place among the rendered ones.
    pub of: usize,
    pub name: String,
    /// The keys that play it, ascending.
    pub pitches: Vec<u8>,
}

/// All of a Set, in order; the main track is not among them.
pub fn rendered_tracks(document: &Document, mix: &MixSettings, stretch: &Stretch) -> Vec<RenderedTrack> {
    let routes = NoteRoutes::of(document);
    let goes_to_main =
        |serial: Serial| mix.tracks.iter().any(|track| track.id == serial && track.output == Output::Main);
    let track = |kind: &'static str| {
        let (routes, goes_to_main) = (&routes, &goes_to_main);
        move |(at, track): (usize, &Arc<Track>)| RenderedTrack {
            serial: track.serial,
            path: format!("{kind}{at}"),
            name: document.track_name(track),
            kind: track.kind,
            plays: !stretch.clips(track).is_empty(),
            gives_notes_away: routes.get(track.serial).is_some_and(|route| route.leads_away.is_some()),
            is_kit: is_kit(track),
            is_stem: goes_to_main(track.serial),
        }
    };
    let tracks = document.tracks.iter().enumerate().map(track("t"));
    tracks.chain(document.returns.iter().enumerate().map(track("rt"))).collect()
}
