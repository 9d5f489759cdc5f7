//! A host of the Set, as the service and its pump know it: who may carry out calls, how one call is applied and
//! committed, and what may be read meanwhile.
//!
//! One thread at a time changes the Set: whoever holds the [`SetGuard`]. Each call runs in a [`Transaction`] of its
//! own. Everything else that [`SetHost`] answers takes no guard and must not wait.

use crate::music::Meter;
use crate::object_model::history::{MadeStep, StepLabel};
use crate::object_model::host_values::Capability;
use crate::object_model::{ModelError, Session};
use std::time::Instant;

/// Generations of hosts in another program begin here: none is one of the embedded Set's.
pub const FIRST_FAR_GENERATION: u64 = 1 << 32;

/// Holds a Set and carries out calls on it.
pub trait SetHost: Send + Sync {
    /// Whether calls may be applied on the main thread of the plugin host, in slices of a few milliseconds. A host that
    /// waits for another program answers false; its calls are applied on the pump's own thread.
    fn may_use_main_thread(&self) -> bool;

    /// Waits for exclusive access. Never called on a thread of the plugin host.
    fn lock(&self) -> Box<dyn SetGuard + '_>;

    /// Exclusive access, if nobody has it.
    fn try_lock(&self) -> Option<Box<dyn SetGuard + '_>>;

    /// The Set as it was committed last, for calls that only read: whoever has the guard is neither waited for nor held
    /// up. `None` where something waits to be put in place, or where the objects are in another program.
    fn reader(&self) -> Option<Box<dyn SetGuard + '_>>;

    /// A copy of the Set to work on without the guard, for a call that takes long or of which nothing is kept. Waits
    /// for the guard for a moment, so it is never asked for on a thread of the plugin host. `None` where the objects
    /// are in another program, of which there is no copy.
    fn draft(&self, step: StepLabel) -> Option<Box<dyn Draft + '_>>;

    /// Whether nothing is left of a call that did not commit.
    fn is_atomic(&self) -> bool;

    /// Whether something waits to be put in place by the next [`SetGuard`].
    fn has_pending(&self) -> bool;

    /// How many times another Set was put in place; calls begun before the last time are refused.
    fn generation(&self) -> u64;

    /// Why nothing may be written now, if so. Asked when a call has run: it keeps a call from being committed, so a
    /// host that cannot take writes back gives none.
    fn write_refusal(&self) -> Option<String>;

    /// What a call that was begun and did not commit has left behind, as the last clause of a sentence: `the Set is
    /// unchanged`.
    fn after_failure(&self) -> &'static str;

    /// What keeps calls waiting for another program, and what to do, as the last clause of a sentence; `None` where
    /// nothing but their own work takes their time.
    fn waits_for(&self) -> Option<String> {
        None
    }

    /// The meter of the last committed Set.
    fn song_meter(&self) -> Meter;

    /// Whether it can do a thing at all, known without a look at the Set.
    ///
    /// # Errors
    ///
    /// [`ModelError::Unable`], which says why not.
    fn capability(&self, capability: Capability) -> Result<(), ModelError> {
        self.committed_session().capability(capability)
    }

    /// The last committed Set, to be read while others change it.
    fn committed_session(&self) -> Box<dyn Session>;
}

/// Exclusive access to a Set; of [`SetHost::reader`], a Set to read.
pub trait SetGuard {
    /// Puts in place what came while the Set was in use. Done for each call: one that came in after a new Set or
    /// setting must run with it.
    fn take_pending(&mut self);

    /// Begins a call, which is an undo step of that label; nobody waits for it after the deadline.
    fn begin(&mut self, step: StepLabel, deadline: Instant) -> Box<dyn Transaction + '_>;
}

/// What one call does to a Set. Dropped without [`Transaction::commit`], it leaves what [`SetHost::after_failure`]
/// says.
pub trait Transaction {
    /// The Set as this call sees and changes it.
    fn session(&mut self) -> &mut dyn Session;

    /// Whether the call has changed the Set so far.
    fn has_changes(&self) -> bool;

    /// Whether the call has done anything so far that would be seen or heard: changed the Set, or launched something.
    fn has_effects(&self) -> bool;

    /// What there is to say of how it landed, told as warnings when it committed. By default nothing.
    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }

    /// Makes what the call did the Set, as one undo step; its number, where the host keeps them and it made one.
    fn commit(self: Box<Self>) -> Option<MadeStep>;
}

/// A copy of the Set, away from it. Dropped without [`Draft::commit`], it leaves nothing.
pub trait Draft {
    /// The Set as the call sees and changes it.
    fn session(&mut self) -> &mut dyn Session;

    /// Whether the call has changed the Set so far.
    fn has_changes(&self) -> bool;

    /// As [`Transaction::has_effects`].
    fn has_effects(&self) -> bool;

    /// Makes the copy the Set, as one undo step, if the Set is still what the copy was made of and `may_commit`, which
    /// is asked last and at most once, says so.
    fn commit(self: Box<Self>, may_commit: &mut dyn FnMut() -> bool) -> DraftOutcome;
}

/// What became of a [`Draft`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DraftOutcome {
    /// With the number of the undo step, where it made one.
    Committed(Option<MadeStep>),
    /// Somebody else changed the Set meanwhile: nothing was done.
    Outdated,
    /// `may_commit` said no: nothing was done.
    NotAllowed,
}
