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
use std::sync::atomic::{AtomicU64, Ordering};

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

/// Holds the Set and lends its key.
pub struct Keeper {
    kept: Mutex<Kept>,
    committed: ArcSwap<Committed>,
    /// Raised when another document is put in place; calls begun before are refused.
    generation: AtomicU64,
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
        let keeper = Keeper { kept: Mutex::new(Kept { set, publisher }), committed, generation: AtomicU64::new(0), on_change };
        keeper.key().publish();
        keeper
    }

    /// The key, if nobody holds it.
    pub fn try_key(&self) -> Option<Key<'_>> {
        self.kept.try_lock().map(|kept| Key { keeper: self, kept })
    }

    /// Waits for the key. Never on a thread of the host.
    pub fn key(&self) -> Key<'_> {
        Key { keeper: self, kept: self.kept.lock() }
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

    pub(super) fn generation(&self) -> u64 {
        self.keeper.generation()
    }

    /// Makes a working copy the Set and hands it to playback.
    pub fn commit(&mut self, mut working: SetState) {
        let changed = working.end_step();
        working.session.follow(&working.document);
        self.kept.set = working;
        self.publish();
        if changed {
            self.show();
        }
    }

    /// Puts another document in place: undo is cleared, and calls begun before are refused.
    pub fn replace(&mut self, document: Document) {
        self.keeper.generation.fetch_add(1, Ordering::AcqRel);
        self.kept.set.replace_document(document);
        self.publish();
        self.show();
    }

    /// Whether the Set's own clock leads.
    pub fn set_own_clock(&mut self, own_clock: bool) {
        self.kept.set.session.own_clock = own_clock;
        self.publish();
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
            launches: set.session.launches.clone(),
            transport: set.session.transport,
            own_clock: set.session.own_clock,
        });
    }
}
