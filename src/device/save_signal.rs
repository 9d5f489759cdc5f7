//! What the thread that saves is told: that something changed, that a state was written, that it is to end.

use crate::disk::StagedFile;
use crate::music::shown_text::shown_line;
use crate::service::save_status::SaveStatus;
use crossbeam_channel::{Receiver, Sender, bounded};
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const QUEUE_LENGTH: usize = 16;

pub enum SaverEvent {
    Changed,
    /// The whole state lies beside the file, or could not be written.
    Staged(io::Result<StagedFile>),
    Stop,
}

/// Says that something changed; never waits.
#[derive(Clone)]
pub struct SaveSignal {
    events: Sender<SaverEvent>,
    told: Arc<AtomicBool>,
    status: Arc<SaveStatus>,
    /// There is a file to save to.
    is_used: bool,
}

impl SaveSignal {
    /// The events come out of the receiver. With `is_used` false nobody listens, and nothing is told.
    pub fn new(status: Arc<SaveStatus>, is_used: bool) -> (SaveSignal, Receiver<SaverEvent>) {
        let (events, inbox) = bounded(QUEUE_LENGTH);
        (SaveSignal { events, told: Arc::default(), status, is_used }, inbox)
    }

    pub fn events(&self) -> &Sender<SaverEvent> {
        &self.events
    }

    pub fn status(&self) -> &SaveStatus {
        &self.status
    }

    /// The thread is about to look at what changed; the next change is an event again. Until then what changes wakes
    /// nobody: it is saved with the first.
    pub fn heard(&self) {
        // Read and written at once: a change whose event was left out for this flag is seen by whoever looks now.
        self.told.swap(false, Ordering::AcqRel);
    }

    pub fn changed(&self) {
        if !self.is_used {
            return;
        }
        self.status.changed();
        if !self.told.swap(true, Ordering::AcqRel) && self.events.try_send(SaverEvent::Changed).is_err() {
            self.told.store(false, Ordering::Release);
        }
    }
}

/// A line on stderr. Whoever reads it may be gone; that must not end the thread.
pub fn log(text: &str) {
    let _ = writeln!(std::io::stderr(), "svc-device: {}.", shown_line(text));
}
