//! A running Live as a [`SetHost`]: a call asks and writes over the bridge, on the thread of the pump of this host.
//!
//! What a call wrote is in Live at once: a call that fails or whose time is up leaves it there, and says so. Live's own
//! undo takes it back.

use super::set_host::{Draft, FIRST_FAR_GENERATION as FIRST_GENERATION, SetGuard, SetHost, Transaction};
use crate::live::session::LiveSession;
use crate::live::{Beat, Bridge, Hello, LinkState};
use crate::music::Meter;
use crate::object_model::Session;
use crate::object_model::history::{MadeStep, StepLabel};
use arc_swap::{ArcSwap, ArcSwapOption};
use parking_lot::{Mutex, MutexGuard};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// How long is waited for what is looked up while a call is prepared.
const LOOK_UP_LIMIT: Duration = Duration::from_secs(10);

/// Called when something was changed in Live: by that call, or by who knows whom. It must not wait.
pub type OnLiveChange = Box<dyn Fn(Option<&StepLabel>) + Send + Sync>;

/// See the [module](self).
pub struct LiveHost {
    bridge: ArcSwapOption<Bridge>,
    /// Why there is no bridge.
    no_bridge: ArcSwap<String>,
    is_closed: AtomicBool,
    in_hand: Mutex<()>,
    /// Whether the call in hand has asked Live to change something.
    has_written: Arc<AtomicBool>,
    /// How many answers had come when it was begun.
    answers_before: AtomicU64,
    meter: Mutex<Meter>,
    /// How many Sets were seen, by whatever bridge.
    sets: Arc<AtomicU64>,
    /// How often something was changed in Live, as far as it was seen here.
    changes: AtomicU64,
    on_change: OnceLock<OnLiveChange>,
}

/// How it stands with Live, for whoever shows it.
#[derive(Clone, Debug)]
pub struct LiveStatus {
    pub state: LinkState,
    pub hello: Option<Hello>,
    pub beat: Option<Beat>,
    /// Requests to Live since the device listens for it.
    pub exchanges: u64,
}

impl Default for LiveHost {
    fn default() -> LiveHost {
        LiveHost {
            bridge: ArcSwapOption::empty(),
            no_bridge: ArcSwap::from_pointee("this device does not listen for Ableton Live".to_owned()),
            is_closed: AtomicBool::new(false),
            in_hand: Mutex::new(()),
            has_written: Arc::default(),
            answers_before: AtomicU64::new(0),
            meter: Mutex::new(Meter::COMMON),
            sets: Arc::default(),
            changes: AtomicU64::new(0),
            on_change: OnceLock::new(),
        }
    }
}

impl LiveHost {
    /// Puts the bridge in place, or says why there is none.
    pub fn set_bridge(&self, bridge: Result<Arc<Bridge>, String>) {
        match bridge {
            Ok(bridge) => {
                self.bridge.store(Some(bridge));
                // It may have been closed a moment ago, and nobody would end this one.
                if self.is_closed.load(Ordering::Acquire) {
                    self.end_bridge();
                }
            }
            Err(why) => {
                self.no_bridge.store(Arc::new(why));
                // Calls that wait for Live are told at once; else they would hold link and bridge file until their time
                // is up.
                self.end_bridge();
            }
        }
    }

    /// Ends the link for good: calls that wait for Live are told.
    pub fn close(&self, why: &str) {
        self.no_bridge.store(Arc::new(why.to_owned()));
        self.is_closed.store(true, Ordering::Release);
        self.end_bridge();
    }

    fn end_bridge(&self) {
        if let Some(bridge) = self.bridge.swap(None) {
            bridge.close();
        }
    }

    /// Who is told of changes in Live; once.
    pub fn tell_changes(&self, on_change: OnLiveChange) {
        // Nobody else asks.
        let _ = self.on_change.set(on_change);
    }

    /// Something was changed in Live: by that call, or by who knows whom.
    pub fn was_changed(&self, by: Option<&StepLabel>) {
        self.changes.fetch_add(1, Ordering::AcqRel);
        if let Some(tell) = self.on_change.get() {
            tell(by);
        }
    }

    /// How often something was changed in Live, as far as it was seen here: what a revision is to the embedded Set.
    pub fn changes(&self) -> u64 {
        self.changes.load(Ordering::Acquire)
    }

    /// Where a bridge counts the Sets that it sees.
    pub fn sets(&self) -> Arc<AtomicU64> {
        self.sets.clone()
    }

    pub fn bridge(&self) -> Option<Arc<Bridge>> {
        self.bridge.load_full()
    }

    /// How many links there were since the device listens.
    pub fn links(&self) -> u64 {
        self.bridge.load().as_ref().map_or(0, |bridge| bridge.links())
    }

    /// Whether Live is linked now.
    pub fn is_linked(&self) -> bool {
        self.bridge.load().as_ref().is_some_and(|bridge| bridge.hello().is_some())
    }

    pub fn status(&self) -> LiveStatus {
        match self.bridge() {
            Some(bridge) => LiveStatus {
                state: bridge.state(),
                hello: bridge.hello(),
                beat: bridge.beat(),
                exchanges: bridge.exchanges(),
            },
            None => LiveStatus {
                state: LinkState::NotListening { why: self.no_bridge.load().to_string() },
                hello: None,
                beat: None,
                exchanges: 0,
            },
        }
    }

    fn session(&self, deadline: Instant) -> LiveSession {
        let bridge = self.bridge().ok_or_else(|| self.no_bridge.load().to_string());
        LiveSession::new(bridge, deadline, self.has_written.clone())
    }

    fn guard<'a>(&'a self, in_hand: MutexGuard<'a, ()>) -> Box<dyn SetGuard + 'a> {
        Box::new(LiveGuard { host: self, _in_hand: in_hand })
    }
}

impl SetHost for LiveHost {
    fn may_use_main_thread(&self) -> bool {
        false
    }

    fn lock(&self) -> Box<dyn SetGuard + '_> {
        self.guard(self.in_hand.lock())
    }

    fn try_lock(&self) -> Option<Box<dyn SetGuard + '_>> {
        Some(self.guard(self.in_hand.try_lock()?))
    }

    fn reader(&self) -> Option<Box<dyn SetGuard + '_>> {
        None
    }

    fn draft(&self, _: StepLabel) -> Option<Box<dyn Draft + '_>> {
        None
    }

    fn is_atomic(&self) -> bool {
        false
    }

    fn has_pending(&self) -> bool {
        false
    }

    fn generation(&self) -> u64 {
        FIRST_GENERATION + self.sets.load(Ordering::Acquire)
    }

    fn write_refusal(&self) -> Option<String> {
        None
    }

    fn after_failure(&self) -> &'static str {
        if self.has_written.load(Ordering::Acquire) {
            "what it had changed in Live by then stays, and Live's undo takes it back"
        } else {
            "nothing was changed in Live"
        }
    }

    fn waits_for(&self) -> Option<String> {
        let bridge = self.bridge.load_full()?;
        let why = match bridge.state() {
            LinkState::Linked { .. } if bridge.answers() > self.answers_before.load(Ordering::Acquire) => return None,
            LinkState::Linked { .. } => "Ableton Live did not answer: it is busy, or a dialog is open in it".to_owned(),
            state => state.sentence(),
        };
        Some(format!("{why}; send it again when Live goes on"))
    }

    fn song_meter(&self) -> Meter {
        *self.meter.lock()
    }

    fn committed_session(&self) -> Box<dyn Session> {
        Box::new(self.session(Instant::now() + LOOK_UP_LIMIT))
    }
}

struct LiveGuard<'a> {
    host: &'a LiveHost,
    _in_hand: MutexGuard<'a, ()>,
}

impl SetGuard for LiveGuard<'_> {
    fn take_pending(&mut self) {}

    fn begin(&mut self, label: StepLabel, deadline: Instant) -> Box<dyn Transaction + '_> {
        self.host.has_written.store(false, Ordering::Release);
        let answers = self.host.bridge().map_or(0, |bridge| bridge.answers());
        self.host.answers_before.store(answers, Ordering::Release);
        Box::new(LiveCall { host: self.host, label, session: self.host.session(deadline) })
    }
}

/// A call on Live.
struct LiveCall<'a> {
    host: &'a LiveHost,
    label: StepLabel,
    session: LiveSession,
}

impl Transaction for LiveCall<'_> {
    fn session(&mut self) -> &mut dyn Session {
        &mut self.session
    }

    fn has_changes(&self) -> bool {
        self.session.written().programs > 0
    }

    fn has_effects(&self) -> bool {
        self.has_changes()
    }

    fn remarks(&self) -> Vec<String> {
        let undo_steps = self.session.written().undo_steps;
        let steps = (undo_steps > 1).then(|| {
            format!(
                "Live's undo takes this call back in {undo_steps} steps at most; go back one by one, and stop where it says \
                 something else"
            )
        });
        self.session.remarks().into_iter().chain(steps).collect()
    }

    fn commit(self: Box<Self>) -> Option<MadeStep> {
        None
    }
}

impl Drop for LiveCall<'_> {
    fn drop(&mut self) {
        if let Some(meter) = self.session.seen_meter() {
            *self.host.meter.lock() = meter;
        }
        // However the call ended: what it wrote is there.
        if self.host.has_written.load(Ordering::Acquire) {
            self.host.was_changed(Some(&self.label));
        }
    }
}
