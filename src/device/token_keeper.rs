//! Keeps the token of a running device and that of the user's folder the same: what is set here is written there, and
//! what another device of the user, or the user by hand, puts there is in force here soon after.

use crate::service::Service;
use crate::service::access::Access;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often the user's folder is looked at. A file that is not there, or 200 bytes, cost microseconds.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// See the [module](self).
pub struct TokenKeeper {
    service: Arc<Service>,
    /// What the folder held when it was looked at last.
    seen: Access,
    /// `None` where the folder is not followed: there is none, or the device was started with a token of its own.
    look_at: Option<Instant>,
}

impl TokenKeeper {
    pub fn new(service: Arc<Service>) -> TokenKeeper {
        TokenKeeper { service, seen: Access::Open, look_at: None }
    }

    /// Before anybody can call. A token that cannot be read lets nobody in; the error says why.
    pub fn restore(&mut self) -> Result<(), String> {
        if self.service.access().is_restricted() || !self.service.user_store().has_folder() {
            return Ok(());
        }
        self.look()
    }

    /// When to look again.
    pub fn due_at(&self) -> Option<Instant> {
        self.look_at
    }

    /// Puts in force what the folder holds, if that is not what it held before. The error says why nobody is let in.
    pub fn look(&mut self) -> Result<(), String> {
        self.look_at = Some(Instant::now() + LOOK_EVERY);
        let (found, remark) = match self.service.user_store().token() {
            Ok(token) => (token.map_or(Access::Open, Access::Token), Ok(())),
            Err(why) => (Access::Closed, Err(format!("{why}; no call is taken until it is mended or removed"))),
        };
        if found == self.seen {
            return Ok(());
        }
        // What was set here meanwhile is newer, and written in a moment.
        if self.service.access().follow(&found) {
            self.seen = found;
        }
        remark
    }

    /// Writes what was set here. The error says that it is not kept.
    pub fn keep(&mut self) -> Result<(), String> {
        let Some(token) = self.service.access().take_unsaved() else { return Ok(()) };
        match self.service.user_store().write_token(token.as_ref()) {
            Ok(()) => {
                self.seen = token.map_or(Access::Open, Access::Token);
                Ok(())
            }
            Err(why) => Err(format!("the token is in force, but not kept: {why}")),
        }
    }
}
