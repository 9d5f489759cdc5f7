//! The tracks of another Set put behind those of this one, with the return tracks that they use and with its locators.

use super::put_set::{Remake, remade};
use crate::object_model::ObjectId;
use crate::object_model::limits::MAX_RETURNS;
use crate::set::document::ids::{IdParts, Serial};
use crate::set::document::sequence::Sequence;
use crate::set::document::session_clips::SessionClips;
use crate::set::document::timeline_lane::Lane;
use crate::set::document::{Clip, CuePoint, Document, PlacedClip, Scene, SessionClip, TakeLane, Track, TrackKind};
use crate::set::model::routing_ids::of_track;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Locators of two Sets this near to one another are at one place.
const SAME_PLACE_BEATS: f64 = 1e-3;

impl Document {
    /// This document with the tracks of that one behind its own, and with what there is to say of what did not come
    /// along.
    pub fn beside(&self, other: &Document) -> Result<(Document, Vec<String>), &'static str> {
        let new = self.new_serials(other)?;
        let other = remade(other, &Remake { serial: &|serial| new.of(serial), path: &str::to_owned });
        let mut next = self.clone();
        let mut left = Vec::new();
        while next.scenes.len() < other.scenes.len() {
            if let Some(scene) = other.scenes.get(next.scenes.len()) {
                next.scenes.push(Arc::new(Scene::clone(scene)));
            }
        }
        let returns = ReturnsToBring::of(&other, MAX_RETURNS.saturating_sub(self.returns.len()));
        let width = self.returns.len() + returns.brought.len();
        widen_sends(&mut next, width);
        for track in other.tracks.iter() {
            let mut track = returns.joined(track, self.returns.len());
            let here = |scene: Serial| Some(next.scenes.get(other.scenes.position(scene)?)?.serial);
            track.session = in_scenes(&track, here);
            track.no_stop_button = track.no_stop_button.iter().filter_map(|scene| here(*scene)).collect();
            track.no_stop_button.sort_unstable();
            if track.kind == TrackKind::Midi {
                track.midi_channel = Some(next.tracks.sum().free_channel().0);
            }
            next.tracks.push(Arc::new(track));
        }
        for position in &returns.brought {
            if let Some(track) = other.returns.get(*position) {
                next.returns.push(Arc::new(returns.joined(track, self.returns.len())));
            }
        }
        let at_others = next.take_locators(&other.cue_points);
        let mut grooves = Vec::clone(&next.grooves);
        grooves.extend(other.grooves.iter().cloned());
        next.grooves = Arc::new(grooves);
        next.next_serial = new.end();
        next.rebuild_index();
        let kinds = [
            (returns.unused, "return tracks that none of its tracks uses".to_owned()),
            (returns.too_many, format!("return tracks, with the sends to them: a Set has at most {MAX_RETURNS}")),
            (at_others, "locators at the place of one that is here".to_owned()),
            (other.main.devices.len(), "devices of the main track".to_owned()),
        ];
        left.extend(kinds.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")));
        left.push("the tempo, time signature and scale".to_owned());
        Ok((next, left))
    }

    /// Adds locators where there is none; how many were at the place of another.
    fn take_locators(&mut self, others: &[CuePoint]) -> usize {
        let cue_points = Arc::make_mut(&mut self.cue_points);
        let own = cue_points.len();
        let is_free = |cue: &&CuePoint| !cue_points.iter().any(|own| (own.time - cue.time).abs() < SAME_PLACE_BEATS);
        let new: Vec<CuePoint> = others.iter().filter(is_free).cloned().collect();
        cue_points.extend(new);
        let taken = cue_points.len() - own;
        cue_points.sort_by(|a, b| a.time.total_cmp(&b.time));
        others.len() - taken
    }
}

/// Gives every track as many sends, the new ones turned down.
fn widen_sends(document: &mut Document, width: usize) {
    let widened = |tracks: &Sequence<Track>| {
        let all = tracks.iter().map(|track| {
            let mut track = Track::clone(track);
            track.mixer.sends.resize(width, 0.0);
            Arc::new(track)
        });
        all.collect()
    };
    (document.tracks, document.returns) = (widened(&document.tracks), widened(&document.returns));
}

/// Which return tracks of another Set its tracks use: by their sends, as their output or input, or by way of another
/// return track.
struct ReturnsToBring {
    /// Positions, in order.
    brought: Vec<usize>,
    /// Their serials, and those of all return tracks of that Set.
    serials: BTreeSet<Serial>,
    all: BTreeSet<Serial>,
    unused: usize,
    too_many: usize,
}

impl ReturnsToBring {
    /// At most `room` of them.
    fn of(other: &Document, room: usize) -> ReturnsToBring {
        let mut used = vec![false; other.returns.len()];
        let mut from: Vec<&Arc<Track>> = other.tracks.iter().collect();
        while let Some(track) = from.pop() {
            for (position, to) in other.returns.iter().enumerate() {
                let sends = track.mixer.sends.get(position).is_some_and(|level| *level > 0.0);
                let draws = || {
                    let drawn = every_clip(track).flat_map(|clip| &clip.envelopes).chain(&track.automation);
                    drawn.into_iter().any(|envelope| send_to(envelope.parameter) == Some(to.serial))
                };
                if !used.get(position).is_none_or(|used| *used) && (sends || is_routed(track, to.serial) || draws()) {
                    used.iter_mut().skip(position).take(1).for_each(|used| *used = true);
                    from.push(to);
                }
            }
        }
        let mut brought: Vec<usize> = used.iter().enumerate().filter(|(_, used)| **used).map(|(at, _)| at).collect();
        let unused = used.len() - brought.len();
        let too_many = brought.len().saturating_sub(room);
        brought.truncate(room);
        let serials = brought.iter().filter_map(|at| Some(other.returns.get(*at)?.serial)).collect();
        let all = other.returns.iter().map(|track| track.serial).collect();
        ReturnsToBring { brought, serials, all, unused, too_many }
    }

    /// A track of that Set as it stands in this one, behind so many return tracks: its sends go to those that were
    /// brought, and nothing in it goes to any other.
    fn joined(&self, track: &Track, own_returns: usize) -> Track {
        let mut next = track.clone();
        let levels = self.brought.iter().map(|at| track.mixer.sends.get(*at).copied().unwrap_or_default());
        next.mixer.sends = std::iter::repeat_n(0.0, own_returns).chain(levels).collect();
        let is_gone = |return_track: Serial| self.all.contains(&return_track) && !self.serials.contains(&return_track);
        if self.serials.len() < self.all.len() {
            next.automation.retain(|envelope| !send_to(envelope.parameter).is_some_and(is_gone));
            let without = |clip: &Arc<Clip>| without_sends(clip, is_gone);
            let session = next.session.iter().map(|at| SessionClip { scene: at.scene, clip: without(&at.clip) });
            let session: Vec<SessionClip> = session.collect();
            next.session = SessionClips::default();
            session.into_iter().for_each(|clip| next.session.insert(clip));
            next.arrangement = lane_without(&next.arrangement, &without);
            for lane in &mut next.take_lanes {
                let clips = lane_without(&lane.clips, &without);
                *lane = Arc::new(TakeLane { serial: lane.serial, name: lane.name.clone(), clips });
            }
        }
        next
    }
}

fn every_clip(track: &Track) -> impl Iterator<Item = &Arc<Clip>> {
    let lanes = track.take_lanes.iter().flat_map(|lane| lane.clips.iter());
    let placed = track.arrangement.iter().chain(lanes).map(|placed| &placed.clip);
    track.session.iter().map(|at| &at.clip).chain(placed)
}

/// The return track whose send a parameter is.
fn send_to(parameter: u64) -> Option<Serial> {
    match IdParts::from_id(ObjectId(parameter)) {
        Some(IdParts::Send { return_track, .. }) => Some(return_track),
        _ => None,
    }
}

fn is_routed(track: &Track, to: Serial) -> bool {
    let members = ["input_routing_type", "output_routing_type"];
    let id = of_track(to);
    members.iter().any(|member| track.stored.get(*member).and_then(serde_json::Value::as_i64) == Some(id))
}

fn without_sends(clip: &Arc<Clip>, is_gone: impl Fn(Serial) -> bool) -> Arc<Clip> {
    let stays = |parameter: u64| !send_to(parameter).is_some_and(&is_gone);
    if clip.envelopes.iter().all(|envelope| stays(envelope.parameter)) {
        return clip.clone();
    }
    let mut next = Clip::clone(clip);
    next.envelopes.retain(|envelope| stays(envelope.parameter));
    Arc::new(next)
}

fn lane_without(lane: &Lane, without: &dyn Fn(&Arc<Clip>) -> Arc<Clip>) -> Lane {
    let mut next = Lane::default();
    for placed in lane {
        next.insert(PlacedClip { clip: without(&placed.clip), ..placed.clone() });
    }
    next
}

/// A track's Session clips in the scenes of another Set, by their position.
fn in_scenes(track: &Track, here: impl Fn(Serial) -> Option<Serial>) -> SessionClips {
    let mut session = SessionClips::default();
    for SessionClip { scene, clip } in track.session.iter() {
        if let Some(scene) = here(*scene) {
            session.insert(SessionClip { scene, clip: clip.clone() });
        }
    }
    session
}
