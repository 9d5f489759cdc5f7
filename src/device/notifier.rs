//! How the parts of a device reach its supervisor, and whoever shows the device: a window, those who follow its events.

use super::event_signal::{EventSignal, LogLevel};
use crate::music::shown_text::shown_line;
use crossbeam_channel::{Receiver, Sender, bounded};
use std::io::Write;
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
    /// Calls were answered, or the Set changed.
    ToShow,
    /// Another state was put in place.
    StateLoaded,
    /// The user took or turned down what a journal offered.
    OfferSettled,
    /// The link to Live was made, lost or refused, or Live does not answer, or does again.
    LinkChanged,
    /// Something about the script for Live is wanted.
    LiveTask,
    Stop,
}

impl Event {
    /// It changes what `/config` shows.
    fn is_told_with_settings(self) -> bool {
        matches!(self, Event::SettingsChanged | Event::StateLoaded | Event::OfferSettled | Event::LinkChanged)
    }
}

/// Sends events to the supervisor; never waits.
#[derive(Clone)]
pub struct Notifier {
    events: Sender<Event>,
    on_change: Arc<dyn Fn() + Send + Sync>,
    /// The supervisor knows already that there is something to show.
    to_show: Arc<AtomicBool>,
    /// The supervisor knows already that the Set changed since it was last written.
    document_changed: Arc<AtomicBool>,
    signal: EventSignal,
}

impl Notifier {
    /// The events come out of the receiver. `on_change` is called when something changed that a window shows.
    pub fn new(on_change: Box<dyn Fn() + Send + Sync>, signal: EventSignal) -> (Notifier, Receiver<Event>) {
        let (events, inbox) = bounded(QUEUE_LENGTH);
        let on_change = Arc::from(on_change);
        let notifier =
            Notifier { events, on_change, to_show: Arc::default(), document_changed: Arc::default(), signal };
        (notifier, inbox)
    }

    pub fn send(&self, event: Event) {
        if event.is_told_with_settings() {
            self.signal.settings_changed();
        }
        // A full channel means that the supervisor has plenty to look at already; it looks at everything each time.
        let _ = self.events.try_send(event);
        self.changed();
    }

    /// Something changed that a window shows.
    pub fn changed(&self) {
        (self.on_change)();
    }

    /// What `/config` tells beside the settings is otherwise: how far the index of the samples is, how the Set is
    /// heard.
    pub fn status_changed(&self) {
        self.signal.settings_changed();
        self.changed();
    }

    /// Calls go to another Set from now on.
    pub fn host_changed(&self) {
        self.signal.host_changed();
        self.signal.settings_changed();
        self.changed();
    }

    /// Something that the user should know of, as one sentence without its end.
    pub fn log(&self, level: LogLevel, text: &str) {
        let _ = writeln!(std::io::stderr(), "svc-device: {}.", shown_line(text));
        self.signal.log(level, text);
    }

    /// A call was answered, or the Set changed: it is shown together with what follows within a tenth of a second.
    /// Waking a thread each time would cost more than the call.
    pub fn show_soon(&self) {
        self.send_once(&self.to_show, Event::ToShow);
    }

    /// The Set changed. The first change since [`Notifier::document_seen`] is an event; what follows is written with
    /// it.
    pub fn document_changed(&self) {
        self.send_once(&self.document_changed, Event::DocumentChanged);
        self.show_soon();
    }

    /// The supervisor is about to look at the Set: the next change is an event again.
    pub fn document_seen(&self) {
        // Read and written at once: a change whose event was left out for this flag is seen by whoever looks now.
        self.document_changed.swap(false, Ordering::AcqRel);
    }

    /// Sends an event unless it was sent since its flag was taken down.
    fn send_once(&self, sent: &AtomicBool, event: Event) {
        if !sent.swap(true, Ordering::AcqRel) && self.events.try_send(event).is_err() {
            sent.store(false, Ordering::Release);
        }
    }

    /// What there is so far is shown; what comes next is an event again.
    pub fn show(&self) {
        self.to_show.swap(false, Ordering::AcqRel);
        self.changed();
    }

    /// Asks the supervisor to end. Waits at most `limit` for room in its inbox, which its thread makes.
    pub fn stop(&self, limit: Duration) {
        let _ = self.events.send_timeout(Event::Stop, limit);
    }
}
