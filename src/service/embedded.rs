//! The embedded Set as a [`SetHost`]: calls run on a working copy, and a commit swaps it in and hands it to playback.
//!
//! What everyone may see without the guard is the last committed document. Other documents and clocks are put in place
//! without waiting: they are announced here, and whoever has the guard next takes them in.

use super::set_host::{Draft, DraftOutcome, SetGuard, SetHost, Transaction};
use super::types::Callback;
use super::working_copy::WorkingCopy;
use crate::music::Meter;
use crate::object_model::Session;
use crate::object_model::history::StepLabel;
use crate::playback::{Publisher, Snapshot};
use crate::set::runtime::launch_orders::TransportAction;
use crate::set::runtime::midi_port::MidiPortCell;
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

/// A saved state that this version cannot read.
#[derive(Clone, Debug, PartialEq)]
pub struct UnreadableState {
    /// As it was saved; empty where it lies in a file of the device's own, which stays as it is.
    pub text: String,
    /// What to tell the user.
    pub why: String,
}

/// What only the thread with the guard touches.
struct Locked {
    set: SetState,
    publisher: Publisher,
    is_silent: Arc<AtomicBool>,
    /// Counts how often the Set, or what runs beside it, became another.
    changes: u64,
}

/// The Set inside the device.
pub struct EmbeddedSet {
    locked: Mutex<Locked>,
    committed: ArcSwap<Committed>,
    /// See [`SetHost::generation`].
    generation: AtomicU64,
    /// A document on its way in, put in place by the next thread that has the guard.
    incoming: Mutex<Option<Document>>,
    /// Whether the Set's own clock is to lead, and whether the Set does not know that yet.
    own_clock: AtomicBool,
    own_clock_is_new: AtomicBool,
    /// Kept byte for byte, and no write is taken while it is there.
    unreadable: Mutex<Option<UnreadableState>>,
    /// Another host's Set is played: this one is silent, and its own transport stands.
    is_silent: Arc<AtomicBool>,
    midi_port: Arc<MidiPortCell>,
    on_commit: Callback,
}

impl EmbeddedSet {
    /// `on_commit` is called after each commit that changed the document; it must not wait.
    pub fn new(set: SetState, publisher: Publisher, on_commit: Callback) -> EmbeddedSet {
        let committed = ArcSwap::from_pointee(Committed { document: set.document.clone(), revision: 0 });
        let is_silent = Arc::new(AtomicBool::new(false));
        let midi_port = set.runtime.midi_port.clone();
        let embedded = EmbeddedSet {
            locked: Mutex::new(Locked { set, publisher, is_silent: is_silent.clone(), changes: 0 }),
            is_silent,
            committed,
            generation: AtomicU64::new(0),
            incoming: Mutex::new(None),
            own_clock: AtomicBool::new(false),
            own_clock_is_new: AtomicBool::new(false),
            unreadable: Mutex::new(None),
            midi_port,
            on_commit,
        };
        embedded.locked.lock().publish();
        embedded
    }

    fn guard<'a>(&'a self, locked: MutexGuard<'a, Locked>) -> EmbeddedGuard<'a> {
        let mut guard = EmbeddedGuard { host: self, locked };
        guard.take_pending();
        guard
    }

    /// Takes in what was announced, if nobody has the guard; who has it takes it in with the next call.
    fn take_pending_if_free(&self) {
        drop(self.locked.try_lock().map(|locked| self.guard(locked)));
    }

    /// Puts another document in place without waiting: now if nobody has the guard, else as soon as it is free. Undo is
    /// cleared, and calls begun before are refused. What is saved from now on is this document.
    pub fn replace(&self, document: Document) {
        {
            // Who sees the new generation must find the document that goes with it.
            let mut incoming = self.incoming.lock();
            self.generation.fetch_add(1, Ordering::AcqRel);
            *self.unreadable.lock() = None;
            let revision = self.committed.load().revision + 1;
            self.committed.store(Arc::new(Committed { document: document.clone(), revision }));
            *incoming = Some(document);
        }
        self.take_pending_if_free();
        (self.on_commit)();
    }

    /// Has the Set's own clock lead, or the plugin host's, without waiting: every call applied from now on sees it.
    pub fn set_own_clock(&self, own_clock: bool) {
        self.own_clock.store(own_clock, Ordering::Release);
        self.own_clock_is_new.store(true, Ordering::Release);
        self.take_pending_if_free();
    }

    /// Stops playing, and sends no notes, while another host's Set is worked on; or plays again what it should.
    pub fn set_silent(&self, silent: bool) {
        self.is_silent.store(silent, Ordering::Release);
        let mut locked = self.locked.lock();
        if silent {
            locked.set.runtime.order_transport(TransportAction::Stop);
        }
        locked.publish();
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
        Box::new(self.guard(self.locked.lock()))
    }

    fn try_lock(&self) -> Option<Box<dyn SetGuard + '_>> {
        let locked = self.locked.try_lock()?;
        Some(Box::new(self.guard(locked)))
    }

    fn draft(&self, step: StepLabel) -> Option<Box<dyn Draft + '_>> {
        let guard = self.guard(self.locked.lock());
        let (set, changes) = (Box::new(guard.locked.set.clone()), guard.locked.changes);
        Some(Box::new(EmbeddedDraft { host: self, changes, working: WorkingCopy::new(set, step) }))
    }

    fn is_atomic(&self) -> bool {
        true
    }

    fn has_pending(&self) -> bool {
        self.incoming.lock().is_some() || self.own_clock_is_new.load(Ordering::Acquire)
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

impl Locked {
    fn publish(&mut self) {
        publish(&self.set, &mut self.publisher, self.is_silent.load(Ordering::Acquire));
    }
}

fn publish(set: &SetState, publisher: &mut Publisher, is_silent: bool) {
    if is_silent {
        return publisher.publish(Snapshot {
            document: Document::new_set(),
            launches: Vec::new(),
            transport: set.runtime.transport,
            own_clock: set.runtime.own_clock,
        });
    }
    publisher.publish(Snapshot {
        document: set.document.clone(),
        launches: set.runtime.launches.iter().cloned().collect(),
        transport: set.runtime.transport,
        own_clock: set.runtime.own_clock,
    });
}

struct EmbeddedGuard<'a> {
    host: &'a EmbeddedSet,
    locked: MutexGuard<'a, Locked>,
}

impl SetGuard for EmbeddedGuard<'_> {
    fn take_pending(&mut self) {
        // It is the committed document already: `EmbeddedSet::replace` saw to that.
        let incoming = self.host.incoming.lock().take();
        if let Some(document) = incoming {
            self.locked.set.replace_document(document);
            self.locked.changes += 1;
            self.locked.publish();
        }
        if self.host.own_clock_is_new.swap(false, Ordering::AcqRel) {
            self.locked.set.runtime.own_clock = self.host.own_clock.load(Ordering::Acquire);
            self.locked.changes += 1;
            self.locked.publish();
        }
    }

    fn begin(&mut self, step: StepLabel, _deadline: Instant) -> Box<dyn Transaction + '_> {
        let EmbeddedGuard { host, locked } = self;
        let Locked { set, publisher, changes, .. } = &mut **locked;
        Box::new(EmbeddedCall { host, publisher, changes, working: WorkingCopy::new(set, step) })
    }
}

/// A call on the Set.
struct EmbeddedCall<'a> {
    host: &'a EmbeddedSet,
    publisher: &'a mut Publisher,
    changes: &'a mut u64,
    working: WorkingCopy<&'a mut SetState>,
}

impl Transaction for EmbeddedCall<'_> {
    fn session(&mut self) -> &mut dyn Session {
        &mut self.working
    }

    fn has_changes(&self) -> bool {
        self.working.has_changes()
    }

    fn commit(self: Box<Self>) {
        let EmbeddedCall { host, publisher, changes, working } = *self;
        if let (set, Some(copy)) = working.into_parts() {
            *changes += 1;
            host.put_in_place(set, publisher, copy);
        }
    }
}

/// A copy of the Set, away from it.
struct EmbeddedDraft<'a> {
    host: &'a EmbeddedSet,
    /// What [`Locked::changes`] was when the copy was made.
    changes: u64,
    working: WorkingCopy<Box<SetState>>,
}

impl Draft for EmbeddedDraft<'_> {
    fn session(&mut self) -> &mut dyn Session {
        &mut self.working
    }

    fn has_changes(&self) -> bool {
        self.working.has_changes()
    }

    fn commit(self: Box<Self>, may_commit: &mut dyn FnMut() -> bool) -> DraftOutcome {
        let EmbeddedDraft { host, changes, working } = *self;
        let mut guard = host.guard(host.locked.lock());
        let (_, copy) = working.into_parts();
        // What was only read needs no Set to be put into.
        if copy.is_some() && changes != guard.locked.changes {
            return DraftOutcome::Outdated;
        }
        if !may_commit() {
            return DraftOutcome::NotAllowed;
        }
        if let Some(copy) = copy {
            let Locked { set, publisher, changes, .. } = &mut *guard.locked;
            *changes += 1;
            host.put_in_place(set, publisher, copy);
        }
        DraftOutcome::Committed
    }
}

impl EmbeddedSet {
    /// Makes the copy the Set and hands it to playback, if there is anything new in it to hear.
    fn put_in_place(&self, set: &mut SetState, publisher: &mut Publisher, mut copy: SetState) {
        copy.end_step();
        // Not only a step changes the Set: undo does, and launching a scene with a tempo of its own.
        let committed = self.committed.load();
        let changed =
            copy.document.next_serial != committed.document.next_serial || !copy.document.same_as(&committed.document);
        copy.runtime.forget_removed(&set.document.index, &copy.document.index);
        let ordered = copy.runtime.newest_order() != set.runtime.newest_order();
        *set = copy;
        if changed || ordered {
            publish(set, publisher, self.is_silent.load(Ordering::Acquire));
        }
        if changed {
            let revision = self.committed.load().revision + 1;
            self.committed.store(Arc::new(Committed { document: set.document.clone(), revision }));
            (self.on_commit)();
        }
    }
}
