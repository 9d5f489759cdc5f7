//! The one key to the Set.
//!
//! Exactly one thread at a time may touch the Set: whoever holds the [`Key`]. A host's main thread only ever *tries* for it
//! ([`Keeper::try_key`]); threads of our own may wait ([`Keeper::key`]). What everyone else may see without a key is the
//! last committed document.

use crate::playback::{Publisher, Snapshot};
use crate::set::{Document, SetState};
use arc_swap::ArcSwap;
use parking_lot::{Mutex, MutexGuard};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A document as it was committed.
#[derive(Debug)]
pub struct Committed {
    pub document: Document,
    /// Counts commits that changed the document, over the device's life.
    pub revision: u64,
}

struct Kept {
    set: SetState,
    publisher: Publisher,
}

/// A saved document that could not be read.
#[derive(Clone, Debug, PartialEq)]
pub struct Held {
    /// As it was saved.
    pub text: String,
    /// What to tell the user.
    pub why: String,
}

/// Holds the Set and lends its key.
pub struct Keeper {
    kept: Mutex<Kept>,
    committed: ArcSwap<Committed>,
    /// Raised when another document is put in place; calls begun before are refused.
    generation: AtomicU64,
    /// A document on its way in, put in place by the next thread that has the key.
    incoming: Mutex<Option<Document>>,
    /// Whether the Set's own clock is to lead, and whether that still has to be told to the Set.
    own_clock: AtomicBool,
    own_clock_is_new: AtomicBool,
    /// A saved document that this version cannot read: kept byte for byte, and no write is taken while it is.
    held: Mutex<Option<Held>>,
    on_change: Box<dyn Fn() + Send + Sync>,
}

/// The right to touch the Set, held by one thread at a time.
pub struct Key<'a> {
    keeper: &'a Keeper,
    kept: MutexGuard<'a, Kept>,
}

impl Keeper {
    /// `on_change` is told of each commit that changed the document; it must not wait.
    pub fn new(set: SetState, publisher: Publisher, on_change: Box<dyn Fn() + Send + Sync>) -> Keeper {
        let committed = ArcSwap::from_pointee(Committed { document: set.document.clone(), revision: 0 });
        let keeper = Keeper {
            kept: Mutex::new(Kept { set, publisher }),
            committed,
            generation: AtomicU64::new(0),
            incoming: Mutex::new(None),
            own_clock: AtomicBool::new(false),
            own_clock_is_new: AtomicBool::new(false),
            held: Mutex::new(None),
            on_change,
        };
        keeper.key().publish();
        keeper
    }

    /// The key, if nobody holds it.
    pub fn try_key(&self) -> Option<Key<'_>> {
        self.kept.try_lock().map(|kept| self.lend(kept))
    }

    fn lend<'a>(&'a self, kept: MutexGuard<'a, Kept>) -> Key<'a> {
        let mut key = Key { keeper: self, kept };
        key.take_incoming();
        key.follow_own_clock();
        key
    }

    /// Waits for the key. Never on a thread of the host.
    pub fn key(&self) -> Key<'_> {
        self.lend(self.kept.lock())
    }

    /// Puts another document in place without waiting: now if the key is free, else as soon as it is. Undo is cleared, and
    /// calls begun before are refused. What is saved from now on is this document.
    pub fn replace(&self, document: Document) {
        {
            // Who sees the new generation must find the document that goes with it.
            let mut incoming = self.incoming.lock();
            self.generation.fetch_add(1, Ordering::AcqRel);
            *self.held.lock() = None;
            let revision = self.committed.load().revision + 1;
            self.committed.store(Arc::new(Committed { document: document.clone(), revision }));
            *incoming = Some(document);
        }
        drop(self.try_key());
        (self.on_change)();
    }

    /// Has the Set's own clock lead, or the host's, without waiting: every call applied from now on sees it.
    pub fn set_own_clock(&self, own_clock: bool) {
        self.own_clock.store(own_clock, Ordering::Release);
        self.own_clock_is_new.store(true, Ordering::Release);
        drop(self.try_key());
    }

    /// Whether a document or another clock waits for the key.
    pub fn has_incoming(&self) -> bool {
        self.incoming.lock().is_some() || self.own_clock_is_new.load(Ordering::Acquire)
    }

    /// Keeps what could not be read; nothing is written until [`Keeper::replace`] puts a document in its place.
    pub fn hold(&self, held: Held) {
        self.generation.fetch_add(1, Ordering::AcqRel);
        *self.held.lock() = Some(held);
    }

    pub fn held(&self) -> Option<Held> {
        self.held.lock().clone()
    }

    /// The last committed document; takes no key.
    pub fn committed(&self) -> Arc<Committed> {
        self.committed.load_full()
    }

    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }
}

impl Key<'_> {
    /// The Set as it is.
    pub fn set(&self) -> &SetState {
        &self.kept.set
    }

    /// Puts a document in place that came while the key was out. Every call of a turn begins with it: a call that came in
    /// after the document must run on it.
    pub(super) fn take_incoming(&mut self) {
        let incoming = self.keeper.incoming.lock().take();
        if let Some(document) = incoming {
            self.put(document);
        }
    }

    pub(super) fn generation(&self) -> u64 {
        self.keeper.generation()
    }

    /// Makes a working copy the Set and hands it to playback, if there is anything in it to hear.
    pub fn commit(&mut self, mut working: SetState) {
        working.end_step();
        // Not only a step changes the Set: undo does, and launching a scene with a tempo of its own.
        let committed = self.keeper.committed.load();
        let changed = working.document.next_serial != committed.document.next_serial
            || !working.document.same_as(&committed.document);
        working.runtime.forget_removed(&self.kept.set.document.index, &working.document.index);
        let ordered = working.runtime.newest_order() != self.kept.set.runtime.newest_order();
        self.kept.set = working;
        if changed || ordered {
            self.publish();
        }
        if changed {
            self.show();
        }
    }

    /// What [`Keeper::replace`] announced: it is the committed document already.
    fn put(&mut self, document: Document) {
        self.kept.set.replace_document(document);
        self.publish();
    }

    pub(super) fn held(&self) -> Option<Held> {
        self.keeper.held()
    }

    /// Puts in place what [`Keeper::set_own_clock`] was told since the last time.
    pub(super) fn follow_own_clock(&mut self) {
        if self.keeper.own_clock_is_new.swap(false, Ordering::AcqRel) {
            self.kept.set.runtime.own_clock = self.keeper.own_clock.load(Ordering::Acquire);
            self.publish();
        }
    }

    fn show(&mut self) {
        let revision = self.keeper.committed.load().revision + 1;
        self.keeper.committed.store(Arc::new(Committed { document: self.kept.set.document.clone(), revision }));
        (self.keeper.on_change)();
    }

    fn publish(&mut self) {
        let Kept { set, publisher } = &mut *self.kept;
        publisher.publish(Snapshot {
            document: set.document.clone(),
            launches: set.runtime.launches.iter().cloned().collect(),
            transport: set.runtime.transport,
            own_clock: set.runtime.own_clock,
        });
    }
}
