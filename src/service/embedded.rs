//! The embedded Set as a [`SetHost`]: calls run on a working copy, and a commit swaps it in and hands it to playback.
//!
//! The Set is a value that nobody changes; what a commit puts in place is another one. So what was committed last may
//! be read by everyone without the guard. Other documents and clocks are put in place without waiting: they are
//! announced here, and whoever has the guard next takes them in.

use super::set_host::{Draft, DraftOutcome, SetGuard, SetHost, Transaction};
use super::working_copy::WorkingCopy;
use crate::music::Meter;
use crate::object_model::Session;
use crate::object_model::history::{MadeStep, StepLabel, StepWay};
use crate::playback::{Publisher, Snapshot};
use crate::set::runtime::launch_orders::TransportAction;
use crate::set::runtime::levels::Levels;
use crate::set::runtime::midi_port::MidiPortCell;
use crate::set::runtime::sample_faults::SampleFaults;
use crate::set::{Document, SetState};
use arc_swap::ArcSwap;
use parking_lot::{Mutex, MutexGuard};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// A document as it was committed.
#[derive(Debug)]
pub struct Committed {
    pub document: Document,
    /// Counts commits that changed the document, over the device's life.
    pub revision: u64,
}

/// What became of the Set.
pub enum Landing<'a> {
    /// A commit changed the document.
    Changed(Change<'a>),
    /// Another document is there.
    Replaced { revision: u64 },
    /// Something was launched, stopped or selected, and the document is as it was.
    Played,
}

/// A commit that changed the document.
#[derive(Clone, Copy)]
pub struct Change<'a> {
    pub before: &'a Document,
    pub after: &'a Document,
    pub revision: u64,
    /// The undo step that it made; none where it stepped back or on.
    pub step: Option<u64>,
    /// Where it led in the history of steps; `None` where it changed what is no part of a step.
    pub way: Option<StepWay>,
    pub label: &'a StepLabel,
}

/// Called with what became of the Set.
pub type OnLanding = Box<dyn Fn(Landing<'_>) + Send + Sync>;

/// A saved state that this version cannot read.
#[derive(Clone, Debug, PartialEq)]
pub struct UnreadableState {
    /// As it was saved; empty where it lies in a file of the device's own, which stays as it is.
    pub text: String,
    /// What to tell the user.
    pub why: String,
}

/// The Set inside the device.
pub struct EmbeddedSet {
    /// The guard: who holds it may put another Set in place, and hand it to playback.
    publisher: Mutex<Publisher>,
    set: ArcSwap<SetState>,
    committed: ArcSwap<Committed>,
    /// See [`SetHost::generation`].
    generation: AtomicU64,
    /// A document on its way in, put in place by the next thread that has the guard.
    incoming: Mutex<Option<Document>>,
    /// Whether the Set's own clock is to lead.
    own_clock: AtomicBool,
    /// Counts what was announced, and how much of it the Set has taken in.
    announced: AtomicU64,
    taken_in: AtomicU64,
    /// Kept byte for byte, and no write is taken while it is there.
    unreadable: Mutex<Option<UnreadableState>>,
    /// Another host's Set is played: this one is silent, and its own transport stands.
    is_silent: AtomicBool,
    /// The transport is to stop.
    is_to_stop: AtomicBool,
    midi_port: Arc<MidiPortCell>,
    levels: Arc<Levels>,
    sample_faults: Arc<SampleFaults>,
    on_landing: OnLanding,
}

impl EmbeddedSet {
    /// `on_landing` is told what became of the Set, by whoever has the guard; it must not wait.
    pub fn new(set: SetState, publisher: Publisher, on_landing: OnLanding) -> EmbeddedSet {
        let committed = ArcSwap::from_pointee(Committed { document: set.document.clone(), revision: 0 });
        let (midi_port, own_clock) = (set.runtime.midi_port.clone(), set.runtime.own_clock);
        let sample_faults = set.runtime.sample_faults.clone();
        let levels = set.runtime.levels.clone();
        let embedded = EmbeddedSet {
            publisher: Mutex::new(publisher),
            set: ArcSwap::from_pointee(set),
            committed,
            generation: AtomicU64::new(0),
            incoming: Mutex::new(None),
            own_clock: AtomicBool::new(own_clock),
            announced: AtomicU64::new(0),
            taken_in: AtomicU64::new(0),
            unreadable: Mutex::new(None),
            is_silent: AtomicBool::new(false),
            is_to_stop: AtomicBool::new(false),
            midi_port,
            levels,
            sample_faults,
            on_landing,
        };
        embedded.set.load().show_keyboard_tracks();
        embedded.publish(&embedded.set.load(), &mut embedded.publisher.lock());
        embedded
    }

    fn guard<'a>(&'a self, publisher: MutexGuard<'a, Publisher>) -> EmbeddedGuard<'a> {
        let mut guard = EmbeddedGuard { host: self, publisher };
        guard.take_pending();
        guard
    }

    /// Takes in what was announced, if nobody has the guard; who has it takes it in with the next call.
    fn take_pending_if_free(&self) {
        drop(self.publisher.try_lock().map(|publisher| self.guard(publisher)));
    }

    /// Puts another document in place without waiting: now if nobody has the guard, else as soon as it is free. Undo is
    /// cleared, and calls begun before are refused. What is saved from now on is this document.
    pub fn replace(&self, document: Document) {
        let revision = {
            // Who sees the new generation must find the document that goes with it.
            let mut incoming = self.incoming.lock();
            self.announced.fetch_add(1, Ordering::AcqRel);
            self.generation.fetch_add(1, Ordering::AcqRel);
            *self.unreadable.lock() = None;
            let revision = self.committed.load().revision + 1;
            self.committed.store(Arc::new(Committed { document: document.clone(), revision }));
            *incoming = Some(document);
            revision
        };
        self.take_pending_if_free();
        (self.on_landing)(Landing::Replaced { revision });
    }

    /// Has the Set's own clock lead, or the plugin host's, without waiting: every call applied from now on sees it.
    pub fn set_own_clock(&self, own_clock: bool) {
        self.own_clock.store(own_clock, Ordering::Release);
        self.announced.fetch_add(1, Ordering::AcqRel);
        self.take_pending_if_free();
    }

    /// Stops playing, and sends no notes, while another host's Set is worked on; or plays again what it should.
    pub fn set_silent(&self, silent: bool) {
        self.is_silent.store(silent, Ordering::Release);
        self.is_to_stop.store(silent, Ordering::Release);
        self.announced.fetch_add(1, Ordering::AcqRel);
        self.take_pending_if_free();
    }

    fn publish(&self, set: &SetState, publisher: &mut Publisher) {
        let (document, launches) = match self.is_silent.load(Ordering::Acquire) {
            true => (Document::new_set(), Vec::new()),
            false => (set.document.clone(), set.runtime.launches.iter().cloned().collect()),
        };
        let (transport, own_clock) = (set.runtime.transport, set.runtime.own_clock);
        publisher.publish(Snapshot { document, launches, transport, own_clock });
    }

    /// Keeps what could not be read; nothing is written until [`EmbeddedSet::replace`] puts a document in its place.
    /// See D36 in `docs/decisions.md`.
    pub fn keep_unreadable(&self, state: UnreadableState) {
        self.generation.fetch_add(1, Ordering::AcqRel);
        *self.unreadable.lock() = Some(state);
    }

    /// The saved state that could not be read, if there is one.
    pub fn unreadable(&self) -> Option<UnreadableState> {
        self.unreadable.lock().clone()
    }

    /// Where whoever plays the Set says by which port its notes leave.
    pub fn midi_port(&self) -> &Arc<MidiPortCell> {
        &self.midi_port
    }

    /// Where whoever loads the Set's samples says which cannot be played.
    pub fn sample_faults(&self) -> &Arc<SampleFaults> {
        &self.sample_faults
    }

    /// How loud the tracks are.
    pub fn levels(&self) -> &Arc<Levels> {
        &self.levels
    }

    /// The Set as it was committed last, with its history and what it plays; takes no guard. Right after a document was
    /// [put in place](Self::replace) it may be the one before.
    pub fn state(&self) -> Arc<SetState> {
        self.set.load_full()
    }

    /// The Set as it was committed last, with its revision; takes no guard.
    pub fn snapshot(&self) -> (SetState, u64) {
        let committed = self.committed.load_full();
        let mut set = SetState::clone(&self.set.load());
        set.document = committed.document.clone();
        (set, committed.revision)
    }

    /// The last committed document; takes no guard.
    pub fn committed(&self) -> Arc<Committed> {
        self.committed.load_full()
    }
}

impl SetHost for EmbeddedSet {
    fn may_use_main_thread(&self) -> bool {
        true
    }

    fn lock(&self) -> Box<dyn SetGuard + '_> {
        Box::new(self.guard(self.publisher.lock()))
    }

    fn try_lock(&self) -> Option<Box<dyn SetGuard + '_>> {
        let publisher = self.publisher.try_lock()?;
        Some(Box::new(self.guard(publisher)))
    }

    fn reader(&self) -> Option<Box<dyn SetGuard + '_>> {
        // What was announced is not in the Set yet: who has the guard sees to that.
        (!self.has_pending()).then(|| Box::new(CommittedReader(self.set.load_full())) as Box<dyn SetGuard>)
    }

    fn draft(&self, step: StepLabel) -> Option<Box<dyn Draft + '_>> {
        let _guard = self.guard(self.publisher.lock());
        Some(Box::new(EmbeddedDraft { host: self, working: WorkingCopy::new(self.set.load_full(), step) }))
    }

    fn is_atomic(&self) -> bool {
        true
    }

    fn has_pending(&self) -> bool {
        self.announced.load(Ordering::Acquire) != self.taken_in.load(Ordering::Acquire)
    }

    fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    fn write_refusal(&self) -> Option<String> {
        self.unreadable.lock().as_ref().map(|state| state.why.clone())
    }

    fn after_failure(&self) -> &'static str {
        "the Set is unchanged"
    }

    fn song_meter(&self) -> Meter {
        self.committed.load().document.song.signature.into()
    }

    fn committed_session(&self) -> Box<dyn Session> {
        Box::new(SetState::from_document(self.committed.load().document.clone()))
    }
}

struct EmbeddedGuard<'a> {
    host: &'a EmbeddedSet,
    publisher: MutexGuard<'a, Publisher>,
}

impl SetGuard for EmbeddedGuard<'_> {
    fn take_pending(&mut self) {
        let host = self.host;
        if !host.has_pending() {
            return;
        }
        let (incoming, announced) = {
            // A document and its number are announced as one.
            let mut incoming = host.incoming.lock();
            (incoming.take(), host.announced.load(Ordering::Acquire))
        };
        let mut set = SetState::clone(&host.set.load());
        // It is the committed document already: `EmbeddedSet::replace` saw to that.
        if let Some(document) = incoming {
            set.replace_document(document);
        }
        set.runtime.own_clock = host.own_clock.load(Ordering::Acquire);
        if host.is_to_stop.swap(false, Ordering::AcqRel) {
            set.runtime.order_transport(TransportAction::Stop);
        }
        set.show_keyboard_tracks();
        host.publish(&set, &mut self.publisher);
        host.set.store(Arc::new(set));
        host.taken_in.store(announced, Ordering::Release);
    }

    fn begin(&mut self, step: StepLabel, _deadline: Instant) -> Box<dyn Transaction + '_> {
        let EmbeddedGuard { host, publisher } = self;
        Box::new(EmbeddedCall { host, publisher, working: WorkingCopy::new(host.set.load_full(), step) })
    }
}

/// A call on the Set.
struct EmbeddedCall<'a> {
    host: &'a EmbeddedSet,
    publisher: &'a mut Publisher,
    working: WorkingCopy<Arc<SetState>>,
}

impl Transaction for EmbeddedCall<'_> {
    fn session(&mut self) -> &mut dyn Session {
        &mut self.working
    }

    fn has_changes(&self) -> bool {
        self.working.has_changes()
    }

    fn has_effects(&self) -> bool {
        self.working.has_effects()
    }

    fn commit(self: Box<Self>) -> Option<MadeStep> {
        let EmbeddedCall { host, publisher, working } = *self;
        let (set, copy) = working.into_parts();
        host.put_in_place(&set, publisher, copy?)
    }
}

/// The Set as it was committed last.
struct CommittedReader(Arc<SetState>);

impl SetGuard for CommittedReader {
    fn take_pending(&mut self) {}

    fn begin(&mut self, step: StepLabel, _deadline: Instant) -> Box<dyn Transaction + '_> {
        Box::new(CommittedRead(WorkingCopy::new(self.0.clone(), step)))
    }
}

/// A call that only reads.
struct CommittedRead(WorkingCopy<Arc<SetState>>);

impl Transaction for CommittedRead {
    fn session(&mut self) -> &mut dyn Session {
        &mut self.0
    }

    fn has_changes(&self) -> bool {
        self.0.has_changes()
    }

    fn has_effects(&self) -> bool {
        self.0.has_effects()
    }

    fn commit(self: Box<Self>) -> Option<MadeStep> {
        debug_assert!(!self.has_effects(), "a call that says it only reads has written");
        None
    }
}

/// A copy of the Set, away from it.
struct EmbeddedDraft<'a> {
    host: &'a EmbeddedSet,
    working: WorkingCopy<Arc<SetState>>,
}

impl Draft for EmbeddedDraft<'_> {
    fn session(&mut self) -> &mut dyn Session {
        &mut self.working
    }

    fn has_changes(&self) -> bool {
        self.working.has_changes()
    }

    fn has_effects(&self) -> bool {
        self.working.has_effects()
    }

    fn commit(self: Box<Self>, may_commit: &mut dyn FnMut() -> bool) -> DraftOutcome {
        let EmbeddedDraft { host, working } = *self;
        let mut guard = host.guard(host.publisher.lock());
        let (set, copy) = working.into_parts();
        // What was only read needs no Set to be put into.
        if copy.is_some() && !Arc::ptr_eq(&set, &host.set.load()) {
            return DraftOutcome::Outdated;
        }
        if !may_commit() {
            return DraftOutcome::NotAllowed;
        }
        let step = copy.and_then(|copy| host.put_in_place(&set, &mut guard.publisher, copy));
        DraftOutcome::Committed(step)
    }
}

impl EmbeddedSet {
    /// Makes the copy the Set and hands it to playback, if there is anything new in it to hear. Gives the undo step
    /// that it made.
    fn put_in_place(&self, set: &SetState, publisher: &mut Publisher, mut copy: SetState) -> Option<MadeStep> {
        let newest = copy.history.newest();
        copy.end_step();
        let made = copy.history.newest_step().filter(|step| step.number > newest);
        let step = made.map(|step| step.number);
        // Not only a step changes the Set: undo does, and launching a scene with a tempo of its own.
        let committed = self.committed.load();
        let changed =
            copy.document.next_serial != committed.document.next_serial || !copy.document.same_as(&committed.document);
        copy.runtime.forget_removed(&set.document.index, &copy.document.index);
        let ordered = copy.runtime.newest_order() != set.runtime.newest_order();
        if changed || copy.runtime.selection.track != set.runtime.selection.track {
            copy.show_keyboard_tracks();
        }
        if changed || ordered {
            self.publish(&copy, publisher);
        }
        let copy = Arc::new(copy);
        self.set.store(copy.clone());
        if changed {
            let revision = committed.revision + 1;
            self.committed.store(Arc::new(Committed { document: copy.document.clone(), revision }));
            let (before, after) = (&committed.document, &copy.document);
            let stepped = StepWay { from: set.history.now(), to: copy.history.now() };
            let way = made.map(|made| made.way()).or(Some(stepped)).filter(|way| way.from != way.to);
            (self.on_landing)(Landing::Changed(Change { before, after, revision, step, way, label: copy.step() }));
        } else if ordered || copy.runtime.selection != set.runtime.selection {
            (self.on_landing)(Landing::Played);
        }
        made
    }
}
