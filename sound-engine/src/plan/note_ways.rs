//! Notes that tracks give to other tracks, and their ends, which go where their begins went whatever ways there are by
//! then.

use super::notes::{NoteContext, advance, next_frame, walk};
use super::prepare::{Plan, TrackNode};
use super::routing::order;
use super::settings::{NoteWay, TrackSettings};
use crate::instruments::Note;
use crate::note_effects::{NoteAct, mixed};

/// Notes that one track has given and not ended yet; more are not given.
const MOST_GIVEN: usize = 256;

/// A note that sounds on another track.
#[derive(Clone, Copy)]
struct Given {
    behind_devices: bool,
    /// As the giver knows it.
    id: u64,
    pitch: u8,
    to: u32,
    /// As the other track knows it.
    given_id: u64,
}

/// What a track remembers of the notes that it gave.
pub(super) struct GivenNotes(Vec<Given>);

impl GivenNotes {
    /// Allocates all that it ever needs.
    pub fn new() -> GivenNotes {
        GivenNotes(Vec::with_capacity(MOST_GIVEN))
    }

    fn push(&mut self, given: Given) -> bool {
        let room = self.0.len() < self.0.capacity();
        if room {
            self.0.push(given);
        }
        room
    }

    /// One of those that are meant: a note, or all.
    fn take(&mut self, behind_devices: bool, meant: Option<(u64, u8)>) -> Option<Given> {
        let is_meant = |given: &Given| {
            given.behind_devices == behind_devices && meant.is_none_or(|meant| meant == (given.id, given.pitch))
        };
        let at = self.0.iter().position(is_meant)?;
        Some(self.0.remove(at))
    }
}

/// The tracks that a note came by, the last first: it does not come back to them.
#[derive(Clone, Copy)]
struct Came<'a> {
    by: u32,
    before: Option<&'a Came<'a>>,
}

impl Came<'_> {
    fn has(&self, track: u32) -> bool {
        self.by == track || self.before.is_some_and(|before| before.has(track))
    }
}

impl Plan {
    /// Takes an act to the track at a place: through its devices, and to the tracks that get its notes.
    pub(crate) fn note(&self, place: usize, act: NoteAct, context: &NoteContext) {
        if let Some(track) = self.tracks.get(place) {
            self.note_to(track, act, context, None);
        }
    }

    /// Lets note effects give what is due by now, and says at which frame something is again.
    pub(crate) fn advance_notes(&self, context: &NoteContext) -> u64 {
        let with_effects = || {
            let tracks = self.note_order.iter().filter_map(|place| self.tracks.get(*place));
            tracks.filter(|track| track.has_note_effects)
        };
        for track in with_effects() {
            let came = Came { by: track.id, before: None };
            advance(&track.devices, context, &mut |act| self.leave(track, act, context, &came));
        }
        let next = with_effects().filter_map(|track| next_frame(&track.devices, &context.clock));
        next.min().unwrap_or(u64::MAX)
    }

    /// When a track's notes go another way than in the plan before, those that sound end; and what it gave, once it
    /// gives nothing any more.
    pub(crate) fn settle_notes(&self, context: &NoteContext) {
        for track in &self.tracks {
            let came = Came { by: track.id, before: None };
            if track.settle_notes() {
                self.leave(track, NoteAct::EndAll, context, &came);
            } else if track.note_ways.is_empty() {
                self.give(track, true, NoteAct::EndAll, context, &came);
            }
            if track.note_ways.is_empty() {
                self.give(track, false, NoteAct::EndAll, context, &came);
            }
        }
    }

    fn note_to(&self, track: &TrackNode, act: NoteAct, context: &NoteContext, before: Option<&Came>) {
        let came = Came { by: track.id, before };
        self.give(track, false, act, context, &came);
        walk(&track.devices, act, context, &mut |act| self.leave(track, act, context, &came));
    }

    /// An act that a track has behind its devices.
    fn leave(&self, track: &TrackNode, act: NoteAct, context: &NoteContext, came: &Came) {
        (context.heard)(track.id, context.clock.frame, act);
        self.give(track, true, act, context, came);
    }

    /// Gives what a track has in front of its devices, or behind them.
    fn give(&self, track: &TrackNode, behind_devices: bool, act: NoteAct, context: &NoteContext, came: &Came) {
        let meant = match act {
            NoteAct::On(note) => return self.give_note(track, behind_devices, note, context, came),
            NoteAct::Off { id, pitch } => Some((id, pitch)),
            NoteAct::EndAll | NoteAct::FadeAll => None,
        };
        let next = || track.state.try_borrow_mut().ok()?.given.take(behind_devices, meant);
        while let Some(Given { given_id: id, pitch, to, .. }) = next() {
            if let Some(to) = self.place(to).and_then(|place| self.tracks.get(place)) {
                self.note_to(to, NoteAct::Off { id, pitch }, context, Some(came));
            }
        }
    }

    fn give_note(&self, track: &TrackNode, behind_devices: bool, note: Note, context: &NoteContext, came: &Came) {
        for way in track.note_ways.iter().filter(|way| way.behind_devices == behind_devices && !came.has(way.to)) {
            let Some(to) = self.place(way.to).and_then(|place| self.tracks.get(place)) else { continue };
            let given_id = mixed(note.id, u64::from(track.id) << 1 | u64::from(behind_devices));
            let given = Given { behind_devices, id: note.id, pitch: note.pitch, to: way.to, given_id };
            let is_known = track.state.try_borrow_mut().is_ok_and(|mut state| state.given.push(given));
            if is_known {
                self.note_to(to, NoteAct::On(Note { id: given_id, ..note }), context, Some(came));
            }
        }
    }
}

/// The order in which note effects are to give what is due: who gives before who gets. What leads back to where it
/// comes from is taken in front of the devices: what these make of it would never end.
pub(super) fn order_notes(tracks: &mut [TrackSettings]) -> Vec<usize> {
    let place = |tracks: &[TrackSettings], id: u32| tracks.iter().position(|track| track.id == id);
    let mut hears = vec![Vec::new(); tracks.len()];
    for (from, track) in tracks.iter().enumerate() {
        for to in track.note_ways.iter().filter_map(|way| place(tracks, way.to)) {
            if let Some(hears) = hears.get_mut(to) {
                hears.push(from);
            }
        }
    }
    let (order, rings) = order(&hears);
    if !rings.is_empty() {
        let reaches = |to: usize, from: usize| {
            let mut seen = vec![false; hears.len()];
            let mut waiting = vec![from];
            // Backwards, by who is heard.
            while let Some(at) = waiting.pop() {
                let is_new = seen.get_mut(at).is_some_and(|seen| !std::mem::replace(seen, true));
                if is_new {
                    waiting.extend(hears.get(at).into_iter().flatten());
                }
            }
            seen.get(to).copied().unwrap_or_default()
        };
        for from in 0..tracks.len() {
            let ways = tracks.get(from).map(|track| track.note_ways.clone()).unwrap_or_default();
            let is_back = |id: u32| place(tracks, id).is_some_and(|to| reaches(to, from));
            let taken = |way: NoteWay| NoteWay { behind_devices: way.behind_devices && !is_back(way.to), ..way };
            let ways = ways.into_iter().map(taken).collect();
            if let Some(track) = tracks.get_mut(from) {
                track.note_ways = ways;
            }
        }
    }
    order
}
