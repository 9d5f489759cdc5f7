//! Undo and redo: a list of earlier documents. A document shares what did not change with its neighbours, so a step
//! costs what it changed.

use crate::set::document::session_clips::SessionClips;
use crate::set::document::timeline_lane::Lane;
use crate::set::document::{Clip, Document, Scene, Track};
use imbl::Vector;
use std::mem::size_of;
use std::sync::Arc;

/// Steps kept at most.
pub const MAX_STEPS: usize = 500;
/// Bytes that kept steps may hold of their own at most, by estimate.
pub const MAX_BYTES: usize = 256 << 20;
/// About what the copied nodes on the way to an object take.
const PATH_BYTES: usize = 1024;

#[derive(Clone, Debug, Default)]
pub struct History {
    undo: Vector<UndoStep>,
    redo: Vector<UndoStep>,
    /// Of all steps in `undo`.
    undo_bytes: usize,
}

#[derive(Clone, Debug)]
struct UndoStep {
    /// What made the step, such as a tool's name.
    name: Arc<str>,
    /// The Set as it was on the other side of the step.
    document: Document,
    bytes: usize,
}

impl History {
    /// Notes that `before` became `after`. Whatever could be redone no longer can.
    pub fn record(&mut self, name: &str, before: &Document, after: &Document) {
        self.redo.clear();
        let bytes = unshared_bytes(before, after);
        self.undo.push_back(UndoStep { name: name.into(), document: before.clone(), bytes });
        self.undo_bytes += bytes;
        while self.undo.len() > MAX_STEPS || (self.undo_bytes > MAX_BYTES && self.undo.len() > 1) {
            let Some(step) = self.undo.pop_front() else { break };
            self.undo_bytes -= step.bytes;
        }
    }

    pub fn can_undo(&self) -> bool {
        !self.undo.is_empty()
    }

    pub fn can_redo(&self) -> bool {
        !self.redo.is_empty()
    }

    /// Steps back: `current` becomes the document before the last step. Gives the step's name.
    pub fn undo(&mut self, current: &mut Document) -> Option<Arc<str>> {
        let step = self.undo.pop_back()?;
        self.undo_bytes -= step.bytes;
        Some(Self::swap(step, current, &mut self.redo))
    }

    /// Steps forward again.
    pub fn redo(&mut self, current: &mut Document) -> Option<Arc<str>> {
        let step = self.redo.pop_back()?;
        self.undo_bytes += step.bytes;
        Some(Self::swap(step, current, &mut self.undo))
    }

    fn swap(step: UndoStep, current: &mut Document, other_side: &mut Vector<UndoStep>) -> Arc<str> {
        let UndoStep { name, mut document, bytes } = step;
        // Ids are never given out twice, also not after undo.
        document.next_serial = document.next_serial.max(current.next_serial);
        let old = std::mem::replace(current, document);
        other_side.push_back(UndoStep { name: name.clone(), document: old, bytes });
        name
    }
}

/// About how many bytes `before` holds that `after` does not share.
fn unshared_bytes(before: &Document, after: &Document) -> usize {
    let mut bytes = size_of::<Document>();
    before.scenes.differences(&after.scenes, |old, _| bytes += old.map_or(0, |_| PATH_BYTES + size_of::<Scene>()));
    let mut count = |old: Option<&Arc<Track>>, _: Option<&Arc<Track>>| {
        // What lies elsewhere in the list now is no loss.
        let Some(old) = old else { return };
        match after.track(old.serial) {
            Some(kept) if Arc::ptr_eq(kept, old) => {}
            kept => bytes += track_bytes(old, kept.map(Arc::as_ref)),
        }
    };
    before.tracks.differences(&after.tracks, &mut count);
    before.returns.differences(&after.returns, &mut count);
    if !Arc::ptr_eq(&before.main, &after.main) {
        count(Some(&before.main), None);
    }
    bytes
}

fn track_bytes(track: &Track, kept: Option<&Track>) -> usize {
    let mut bytes = PATH_BYTES + size_of::<Track>();
    let none = SessionClips::default();
    let session = kept.map_or(&none, |kept| &kept.session);
    track.session.differences(session, |old, _| bytes += old.map_or(0, |old| PATH_BYTES + clip_bytes(&old.clip)));
    bytes + lane_bytes(&track.arrangement, kept.map(|kept| &kept.arrangement))
}

fn lane_bytes(lane: &Lane, kept: Option<&Lane>) -> usize {
    let nothing = Lane::default();
    let mut bytes = 0;
    kept.unwrap_or(&nothing).differences(lane, |_, lost| {
        bytes += lost.map_or(0, |placed| PATH_BYTES + clip_bytes(&placed.clip));
    });
    bytes
}

fn clip_bytes(clip: &Clip) -> usize {
    size_of::<Clip>() + clip.notes().map_or(0, |notes| notes.list.len() * 64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undo_gives_back_the_same_set_and_redo_the_later_one() {
        let mut history = History::default();
        let mut set = Document::new_set();
        let states: Vec<Document> = (0..3)
            .map(|n| {
                let before = set.clone();
                Arc::make_mut(&mut set.song).tempo_bpm = 100.0 + f64::from(n);
                history.record("tempo", &before, &set);
                before
            })
            .collect();
        let last = set.clone();
        for state in states.iter().rev() {
            assert!(history.undo(&mut set).is_some());
            assert!(set.same_as(state));
        }
        assert!(!history.can_undo() && history.undo(&mut set).is_none());
        while history.redo(&mut set).is_some() {}
        assert!(set.same_as(&last));
    }

    #[test]
    fn it_keeps_a_bounded_number_of_steps() {
        let mut history = History::default();
        let set = Document::new_set();
        for _ in 0..MAX_STEPS + 10 {
            history.record("x", &set, &set);
        }
        assert_eq!(history.undo.len(), MAX_STEPS);
    }
}
