//! The thread that saves, from outside: begun with the device, waited for at its end.

use super::save_loop::{Parts, Running};
use super::save_signal::{SaveSignal, SaverEvent, log};
use crate::service::save_status::SaveStatus;
use crossbeam_channel::Receiver;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// When the user is told that the end takes its time; then after twice as long each.
const TELL_AFTER: Duration = Duration::from_secs(1);

/// The thread, from outside.
pub struct FileSaver {
    signal: SaveSignal,
    inbox: Receiver<SaverEvent>,
    thread: parking_lot::Mutex<Option<JoinHandle<()>>>,
}

impl FileSaver {
    pub fn new(status: Arc<SaveStatus>, is_used: bool) -> FileSaver {
        let (signal, inbox) = SaveSignal::new(status, is_used);
        FileSaver { signal, inbox, thread: parking_lot::Mutex::new(None) }
    }

    pub fn signal(&self) -> SaveSignal {
        self.signal.clone()
    }

    /// To be called before the first change: what the device has then is what the file holds.
    pub fn start(&self, parts: Parts) -> Result<(), String> {
        let running = Running::new(parts, self.signal.clone(), self.inbox.clone());
        let thread = std::thread::Builder::new().name("svc-saver".to_owned()).spawn(move || running.run());
        *self.thread.lock() = Some(thread.map_err(|e| format!("cannot start a thread: {e}"))?);
        Ok(())
    }

    /// Waits until the last change is saved, or cannot be, and says on stderr how long that takes.
    pub fn stop(&self) {
        let Some(thread) = self.thread.lock().take() else { return };
        if self.signal.events().send(SaverEvent::Stop).is_err() {
            return;
        }
        let begun = Instant::now();
        let mut tell_at = TELL_AFTER;
        // See D29 in `docs/decisions.md`.
        while !thread.is_finished() {
            if begun.elapsed() >= tell_at {
                log(&format!("still saving the Set, {} s so far", tell_at.as_secs()));
                tell_at *= 2;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        if tell_at > TELL_AFTER {
            log(&format!("saving the Set took {:.1} s", begun.elapsed().as_secs_f64()));
        }
        // A panic was reported where it happened.
        let _ = thread.join();
    }
}
