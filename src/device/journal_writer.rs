//! Writes the journal of a device whose Set lives in a plugin host's project, some time after a change.

use super::persistence::Persistence;
use super::project_state::ProjectState;
use crate::music::shown_text::shown_line;
use crate::service::embedded::EmbeddedSet;
use crate::service::{Service, Settings};
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long after a change the state is written; changes in between are written with it.
const WRITE_AFTER: Duration = Duration::from_millis(300);
/// How long after a failed write it is tried again.
const RETRY_WRITE: Duration = Duration::from_secs(5);

/// Runs on the supervisor's thread: it waits for a disk.
pub struct JournalWriter {
    persistence: Persistence,
    project: Arc<ProjectState>,
    set: Arc<EmbeddedSet>,
    service: Arc<Service>,
    write_at: Option<Instant>,
    /// The revision and the settings that were written last.
    written: (u64, Arc<Settings>),
}

impl JournalWriter {
    /// What the device begins with needs not be written.
    pub fn new(
        persistence: Persistence,
        project: Arc<ProjectState>,
        set: Arc<EmbeddedSet>,
        service: Arc<Service>,
    ) -> JournalWriter {
        let written = (set.committed().revision, service.settings());
        JournalWriter { persistence, project, set, service, write_at: None, written }
    }

    /// When [`JournalWriter::write`] is due.
    pub fn due_at(&self) -> Option<Instant> {
        self.write_at
    }

    /// Something changed that is to be kept.
    pub fn write_soon(&mut self) {
        if matches!(self.persistence, Persistence::Journal(_)) && self.write_at.is_none() {
            self.write_at = Some(Instant::now() + WRITE_AFTER);
        }
    }

    pub fn write_if_changed(&mut self) {
        if matches!(self.persistence, Persistence::Journal(_)) && self.written != self.present() {
            self.write();
        }
    }

    fn present(&self) -> (u64, Arc<Settings>) {
        (self.set.committed().revision, self.service.settings())
    }

    /// Writes the state; a write that fails is tried again later.
    pub fn write(&mut self) {
        self.write_at = None;
        // What could not be read is not written over.
        if self.set.unreadable().is_some() {
            return;
        }
        let Persistence::Journal(journals) = &self.persistence else { return };
        let present = self.present();
        let result = journals.write(&self.project.identity().id, &self.project.to_text());
        let why = result.as_ref().err().map(|e| {
            format!(
                "The journal of the Set could not be written to the disk: {e}. Save the project to keep the changes"
            )
        });
        if self.service.save_status().set_failure(why.as_deref()) {
            // Whoever reads stderr may be gone; that must not end this thread.
            let news = why.as_deref().unwrap_or("the journal of the Set is written to the disk again");
            let _ = writeln!(std::io::stderr(), "svc-device: {}.", shown_line(news));
        }
        match result {
            Ok(()) => self.written = present,
            Err(_) => self.write_at = Some(Instant::now() + RETRY_WRITE),
        }
    }

    /// Offers the journal of the state that was just loaded, if it has gone further. Gives whether it has.
    pub fn look_for_journal(&mut self) -> bool {
        let Persistence::Journal(journals) = &self.persistence else { return false };
        // What was just loaded needs no journal until it changes.
        let present = self.present();
        self.written = present;
        self.write_at = None;
        let identity = self.project.identity();
        let offer = journals.offer(&identity.id, identity.base_changes);
        let is_offered = offer.is_some();
        self.project.set_offer(offer);
        is_offered
    }

    /// Removes the journal that was offered and taken or turned down.
    pub fn forget_settled_offer(&self) {
        if let (Persistence::Journal(journals), Some(offer)) = (&self.persistence, self.project.take_settled()) {
            journals.forget(&offer);
        }
    }
}
