//! Jobs as they are told to those who follow: each change of one that a caller knows of, a few times a second at most.

use super::paced::Paced;
use crate::events::{EventHub, Kind};
use crate::jobs::Jobs;
use crate::tools::report::job_status;
use std::collections::HashMap;
use std::time::Instant;

/// What was told last of each job.
#[derive(Default)]
pub(super) struct ToldJobs {
    /// Due when one is further than before.
    pub pace: Paced,
    told: HashMap<String, Told>,
}

struct Told {
    text: String,
    has_ended: bool,
}

impl ToldJobs {
    /// Somebody new follows, who is to know what is under way.
    pub fn forget_under_way(&mut self) {
        self.told.retain(|_, told| told.has_ended);
        self.pace.note(true);
    }

    /// Tells what is otherwise than it was told, if it is time `now`.
    pub fn tell(&mut self, hub: &EventHub, jobs: &Jobs, now: Instant) {
        if !self.pace.take(now) {
            return;
        }
        let list = jobs.list();
        self.told.retain(|id, _| list.iter().any(|status| status.id == *id));
        for status in list {
            let text = job_status::in_event(&status).to_string();
            let before = self.told.get(&status.id);
            if before.is_none_or(|told| told.text != text) {
                hub.put(Kind::Job, text.clone());
                self.told.insert(status.id, Told { text, has_ended: status.state.has_ended() });
            }
        }
    }
}
