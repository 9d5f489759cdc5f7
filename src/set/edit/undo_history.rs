//! Undo and redo: a list of earlier documents. A document shares what did not change with its neighbours, so a step
//! costs what it changed.

use crate::object_model::history::{MadeStep, Moment, StepFacts, StepLabel};
use crate::set::document::session_clips::SessionClips;
use crate::set::document::timeline_lane::Lane;
use crate::set::document::{Clip, Document, Scene, Track};
use imbl::Vector;
use std::mem::size_of;
use std::sync::Arc;
use std::time::SystemTime;

/// Steps kept at most.
pub const MAX_STEPS: usize = 500;
/// Bytes that kept steps may hold of their own at most, by estimate.
pub const MAX_BYTES: usize = 256 << 20;
/// About what the copied nodes on the way to an object take.
const PATH_BYTES: usize = 1024;

#[derive(Clone, Debug, Default)]
pub struct History {
    undo: Vector<Arc<UndoStep>>,
    redo: Vector<Arc<UndoStep>>,
    /// Of all steps in `undo`.
    undo_bytes: usize,
    /// The last number that was given out.
    last_number: u64,
    /// The number of the Set before the oldest step in `undo`.
    oldest: u64,
    /// Steps were dropped at the far end.
    is_cut: bool,
    /// Another Set was there before, and its steps went with it.
    is_loaded: bool,
}

#[derive(Clone, Debug)]
struct UndoStep {
    number: u64,
    /// See [`MadeStep`].
    took_in: Option<u64>,
    follows: u64,
    label: StepLabel,
    at: SystemTime,
    /// The Set on both sides of the step, as it was made. What a launch changes between two steps is of neither.
    before: Document,
    after: Document,
    bytes: usize,
}

impl History {
    /// Notes that `before` became `after`. Whatever could be redone no longer can. What is of the gesture that made the
    /// newest step becomes a part of that, which gets a number of its own: none ever stands for another Set. A gesture
    /// that ends where it began is no step.
    pub fn record(&mut self, label: &StepLabel, before: &Document, after: &Document) {
        let goes_on = self.redo.is_empty() && self.undo.last().is_some_and(|last| last.label.is_same_gesture(label));
        let begun = if goes_on { self.undo.pop_back() } else { None };
        let begun_at = begun.as_ref().map(|step| with_launched(&step.before, &step.after, before));
        let before = begun_at.as_ref().unwrap_or(before);
        self.undo_bytes -= begun.as_ref().map_or(0, |step| step.bytes);
        self.redo.clear();
        self.last_number += 1;
        if begun.is_some() && before.same_as(after) {
            return;
        }
        let bytes = unshared_bytes(before, after);
        self.undo.push_back(Arc::new(UndoStep {
            number: self.last_number,
            took_in: begun.as_ref().map(|step| step.number),
            follows: self.now(),
            label: label.clone(),
            at: SystemTime::now(),
            before: before.clone(),
            after: after.clone(),
            bytes,
        }));
        self.undo_bytes += bytes;
        while self.undo.len() > MAX_STEPS || (self.undo_bytes > MAX_BYTES && self.undo.len() > 1) {
            let Some(step) = self.undo.pop_front() else { break };
            self.undo_bytes -= step.bytes;
            (self.oldest, self.is_cut) = (step.number, true);
        }
    }

    /// An empty history of another Set, which gives out no number again.
    pub fn of_next_set(&self) -> History {
        let number = self.last_number + 1;
        History { last_number: number, oldest: number, is_loaded: true, ..History::default() }
    }

    pub fn can_undo(&self) -> bool {
        !self.undo.is_empty()
    }

    pub fn can_redo(&self) -> bool {
        !self.redo.is_empty()
    }

    /// Steps back: `current` becomes the document before the last step. Gives whether there was one.
    pub fn undo(&mut self, current: &mut Document) -> bool {
        let Some(step) = self.undo.pop_back() else { return false };
        self.undo_bytes -= step.bytes;
        put_in_place(current, &step.before, &step.after);
        self.redo.push_back(step);
        true
    }

    /// Steps forward again.
    pub fn redo(&mut self, current: &mut Document) -> bool {
        let Some(step) = self.redo.pop_back() else { return false };
        self.undo_bytes += step.bytes;
        put_in_place(current, &step.after, &step.before);
        self.undo.push_back(step);
        true
    }

    /// The last number that was given out.
    pub fn newest(&self) -> u64 {
        self.last_number
    }

    /// The newest step that can be undone.
    pub fn newest_step(&self) -> Option<MadeStep> {
        self.undo.last().map(|step| MadeStep { number: step.number, took_in: step.took_in, follows: step.follows })
    }

    /// The step that the Set is as after.
    pub fn now(&self) -> u64 {
        self.undo.last().map_or(self.oldest, |step| step.number)
    }

    /// See [`StepHistory::oldest`](crate::object_model::model::StepHistory::oldest).
    pub fn oldest(&self) -> u64 {
        self.oldest
    }

    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// See [`StepHistory::began_with_a_load`](crate::object_model::model::StepHistory::began_with_a_load).
    pub fn began_with_a_load(&self) -> bool {
        self.is_loaded && !self.is_cut
    }

    /// Steps that were undone and steps that can be, the newest first.
    pub fn steps(&self) -> impl Iterator<Item = StepFacts> {
        let facts = |step: &Arc<UndoStep>, undone| {
            let UndoStep { number, label, at, .. } = &**step;
            StepFacts { number: *number, label: label.clone(), at: *at, undone }
        };
        // The one that was undone last is redone first, and is the oldest of them.
        let undone = self.redo.iter().map(move |step| facts(step, true));
        undone.chain(self.undo.iter().rev().map(move |step| facts(step, false)))
    }

    /// The Set at a moment, `current` being the Set now.
    pub fn document(&self, moment: Moment, current: &Document) -> Option<Document> {
        match moment {
            Moment::Now => Some(current.clone()),
            Moment::Before(number) => self.step(number).map(|step| step.before.clone()),
            Moment::After(number) => match self.step(number) {
                Some(step) => Some(step.after.clone()),
                // Before the oldest step that is kept, which was undone if none can be.
                None if number == self.oldest => {
                    let first = self.undo.front().or(self.redo.last());
                    Some(first.map_or_else(|| current.clone(), |step| step.before.clone()))
                }
                None => None,
            },
        }
    }

    fn step(&self, number: u64) -> Option<&Arc<UndoStep>> {
        // Numbers rise towards the newest step.
        let done = self.undo.binary_search_by(|step| step.number.cmp(&number)).ok();
        let undone = || self.redo.binary_search_by(|step| number.cmp(&step.number)).ok();
        done.and_then(|at| self.undo.get(at)).or_else(|| undone().and_then(|at| self.redo.get(at)))
    }
}

/// Makes one side of a step the current document. Ids are never given out twice, also not after undo; and a tempo or
/// meter that the step did not change stays as it is, which a launch may have written since. See D225 in
/// `docs/decisions.md`.
fn put_in_place(current: &mut Document, side: &Document, other_side: &Document) {
    let next_serial = side.next_serial.max(current.next_serial);
    *current = Document { next_serial, ..with_launched(side, other_side, current) };
}

/// One side of a step, with the tempo and the meter of `now`, each where it is the same on the other side.
fn with_launched(side: &Document, other: &Document, now: &Document) -> Document {
    let mut document = side.clone();
    let (side, other, now) = (&side.song, &other.song, &now.song);
    if side.tempo_bpm == other.tempo_bpm && side.tempo_bpm != now.tempo_bpm {
        Arc::make_mut(&mut document.song).tempo_bpm = now.tempo_bpm;
    }
    if side.signature == other.signature && side.signature != now.signature {
        Arc::make_mut(&mut document.song).signature = now.signature;
    }
    document
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
                history.record(&"tempo".into(), &before, &set);
                before
            })
            .collect();
        let last = set.clone();
        for state in states.iter().rev() {
            assert!(history.undo(&mut set));
            assert!(set.same_as(state));
        }
        assert!(!history.can_undo() && !history.undo(&mut set));
        while history.redo(&mut set) {}
        assert!(set.same_as(&last));
    }

    #[test]
    fn it_keeps_a_bounded_number_of_steps() {
        let mut history = History::default();
        let set = Document::new_set();
        for _ in 0..MAX_STEPS + 10 {
            history.record(&"x".into(), &set, &set);
        }
        assert_eq!(history.undo.len(), MAX_STEPS);
        assert_eq!((history.is_cut(), history.oldest(), history.now()), (true, 10, MAX_STEPS as u64 + 10));
    }

    #[test]
    fn each_step_is_found_by_its_number_and_numbers_are_given_once() {
        let mut history = History::default();
        let mut set = Document::new_set();
        let change = |history: &mut History, set: &mut Document, tempo: f64| {
            let before = set.clone();
            Arc::make_mut(&mut set.song).tempo_bpm = tempo;
            history.record(&"tempo".into(), &before, set);
        };
        for tempo in [101.0, 102.0, 103.0, 104.0] {
            change(&mut history, &mut set, tempo);
        }
        (0..2).for_each(|_| assert!(history.undo(&mut set)));
        let tempo = |history: &History, set: &Document, moment| {
            history.document(moment, set).map(|document| document.song.tempo_bpm)
        };
        let listed = |history: &History| history.steps().map(|step| (step.number, step.undone)).collect::<Vec<_>>();
        assert_eq!(listed(&history), [(4, true), (3, true), (2, false), (1, false)]);
        for (moment, want) in [
            (Moment::Now, Some(102.0)),
            (Moment::After(0), Some(120.0)),
            (Moment::After(1), Some(101.0)),
            (Moment::After(2), Some(102.0)),
            (Moment::Before(4), Some(103.0)),
            (Moment::After(4), Some(104.0)),
            (Moment::After(5), None),
            (Moment::Before(0), None),
        ] {
            assert_eq!(tempo(&history, &set, moment), want, "{moment:?}");
        }
        change(&mut history, &mut set, 90.0);
        assert_eq!(listed(&history), [(5, false), (2, false), (1, false)], "what was undone is dropped");
        assert_eq!(tempo(&history, &set, Moment::After(4)), None);
        let next = history.of_next_set();
        assert_eq!((next.now(), next.oldest(), next.steps().count()), (6, 6, 0));
        (0..3).for_each(|_| assert!(history.undo(&mut set)));
        assert_eq!(tempo(&history, &set, Moment::After(0)), Some(120.0), "also when all is undone");
    }
}
