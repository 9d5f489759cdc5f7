//! How the parts of a device reach its supervisor, and whoever shows the device in a window.

use crossbeam_channel::{Receiver, Sender, bounded};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Events that may wait.
const QUEUE_LENGTH: usize = 64;

/// Something that the supervisor acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    DocumentChanged,
    SettingsChanged,
    CallsAnswered,
    /// Another state was put in place.
    StateLoaded,
    /// The user took or turned down what a journal offered.
    OfferSettled,
    Stop,
}

/// Sends events to the supervisor; never waits.
#[derive(Clone)]
pub struct Notifier {
    events: Sender<Event>,
    on_change: Arc<dyn Fn() + Send + Sync>,
    /// The supervisor knows already that calls were answered.
    calls_answered: Arc<AtomicBool>,
}

impl Notifier {
    /// The events come out of the receiver. `on_change` is called when something changed that a window shows.
    pub fn new(on_change: Box<dyn Fn() + Send + Sync>) -> (Notifier, Receiver<Event>) {
        let (events, inbox) = bounded(QUEUE_LENGTH);
        (Notifier { events, on_change: Arc::from(on_change), calls_answered: Arc::default() }, inbox)
    }

    pub fn send(&self, event: Event) {
        // A full channel means that the supervisor has plenty to look at already; it looks at everything each time.
        let _ = self.events.try_send(event);
        self.changed();
    }

    /// Something changed that a window shows.
    pub fn changed(&self) {
        (self.on_change)();
    }

    /// A call was answered. Waking a thread each time would cost more than the call.
    pub fn call_answered(&self) {
        if !self.calls_answered.swap(true, Ordering::AcqRel) && self.events.try_send(Event::CallsAnswered).is_err() {
            self.calls_answered.store(false, Ordering::Release);
        }
    }

    /// The calls answered so far are shown; the next one is an event again.
    pub fn calls_shown(&self) {
        self.calls_answered.store(false, Ordering::Release);
        self.changed();
    }

    /// Asks the supervisor to end. Waits at most `limit` for room in its inbox, which its thread makes.
    pub fn stop(&self, limit: Duration) {
        let _ = self.events.send_timeout(Event::Stop, limit);
    }
}
