//! What calls changed, told from the undo steps that hold nothing else, or that were undone or redone.

use super::Service;
use super::call_log::CallEntry;
use crate::object_model::history::Moment;
use crate::tools::history::told_commit::{MOST_LISTED, ToldCommit};
use std::time::Instant;

impl Service {
    /// Has an entry say what it changed, where that is still kept, and apart from what others did. Waits for nobody;
    /// what it takes depends on what was changed.
    pub fn tell(&self, entry: &CallEntry) {
        let Some((from, to)) = entry.moments_of_its_own().filter(|_| entry.told().is_none()) else { return };
        if let Some(told) = self.told_between(from, to) {
            entry.tell(told);
        }
    }

    fn told_between(&self, from: Moment, to: Moment) -> Option<ToldCommit> {
        let mut guard = self.hosts.embedded().set.reader()?;
        let history = guard.begin("".into(), Instant::now()).session().history().ok()?;
        let (before, after) = (history.state(from)?, history.state(to)?);
        let changes = history.changes(from, to, MOST_LISTED, &mut |_| Ok(()));
        ToldCommit::of(&*before, &*after, &changes.ok()??).ok()
    }
}
