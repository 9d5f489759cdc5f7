//! Takes calls out of the queue and applies them to the Set, in time slices.
//!
//! A slice is run by one of three threads: the main thread of the plugin host, where the framework really has one; a
//! stand-in, where that thread does not come; a model thread of our own everywhere else. The pump's thread is the only
//! one that asks the plugin host for a slice. Where there is a model thread, small calls that need not wait for others
//! are applied on the thread that read them ([`small_call`](super::small_call)).

use super::apply_call::apply_call;
use super::call::{Applied, QueuedCall};
use super::set_host::{SetGuard, SetHost};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TrySendError, bounded};
use parking_lot::{Mutex, MutexGuard};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Calls that may wait; one more is answered 503.
pub const QUEUE_LENGTH: usize = 256;
/// How long one slice may last, so that the plugin host's window never freezes.
pub const SLICE: Duration = Duration::from_millis(8);
/// How long the plugin host's main thread gets to come before a stand-in takes the slice.
pub const STAND_IN_AFTER: Duration = Duration::from_millis(5);
/// How long a slice of the plugin host is waited for that has begun and lasts.
const SLICE_LIMIT: Duration = Duration::from_millis(200);
/// How long the plugin host's main thread waits, when it deactivates the plugin, for a request that is being made to
/// it: posting one takes microseconds.
const REQUEST_LIMIT: Duration = Duration::from_millis(250);
/// A pause after a used-up slice, so that the plugin host's own work gets its time.
const PAUSE_BETWEEN_SLICES: Duration = Duration::from_millis(4);

/// Which thread runs the pump's slices.
pub enum SliceThread {
    /// A thread of our own, always.
    Model,
    /// The plugin host's main thread; the function asks it for a call of [`Pump::run_slice_on_main_thread`] and must
    /// not wait.
    PluginHost(Box<dyn Fn() + Send>),
}

/// The queue of calls, and what empties it.
pub struct Pump {
    host: Arc<dyn SetHost>,
    sender: Sender<QueuedCall>,
    queue: Receiver<QueuedCall>,
    wake: Sender<()>,
    woken: Receiver<()>,
    /// Sent to when a slice on the main thread has ended.
    slice_end: Sender<()>,
    slice_ended: Receiver<()>,
    /// A thread of our own runs all slices, and no call waits for another program: small calls may be applied on the
    /// thread that read them.
    takes_small_calls: AtomicBool,
    /// A slice was asked of the plugin host and has not come yet.
    is_slice_requested: AtomicBool,
    /// The plugin host may be asked for slices. Held while it is being asked, so that it cannot go meanwhile.
    may_ask_plugin_host: Mutex<bool>,
    /// Held by who holds back the writes of others.
    write_hold: Mutex<()>,
    are_writes_held: AtomicBool,
    /// Taken from the queue, and not to be applied before that ends.
    held_back: Mutex<VecDeque<QueuedCall>>,
    /// The last slice ended because its time was up, with calls left.
    is_slice_used_up: AtomicBool,
    stop: AtomicBool,
}

impl Pump {
    pub fn new(host: Arc<dyn SetHost>) -> Arc<Pump> {
        let (sender, queue) = bounded(QUEUE_LENGTH);
        let (wake, woken) = bounded(1);
        let (slice_end, slice_ended) = bounded(1);
        Arc::new(Pump {
            host,
            sender,
            queue,
            wake,
            woken,
            slice_end,
            slice_ended,
            takes_small_calls: AtomicBool::new(false),
            is_slice_requested: AtomicBool::new(false),
            may_ask_plugin_host: Mutex::new(true),
            write_hold: Mutex::new(()),
            are_writes_held: AtomicBool::new(false),
            held_back: Mutex::default(),
            is_slice_used_up: AtomicBool::new(false),
            stop: AtomicBool::new(false),
        })
    }

    /// Puts a call into the queue; gives it back when the queue is full.
    pub fn submit(&self, call: QueuedCall) -> Result<(), Box<QueuedCall>> {
        if self.held_back.lock().len() >= QUEUE_LENGTH {
            return Err(Box::new(call));
        }
        match self.sender.try_send(call) {
            Ok(()) => {
                // A full wake channel means that the thread is about to look anyway.
                let _ = self.wake.try_send(());
                Ok(())
            }
            Err(TrySendError::Full(call) | TrySendError::Disconnected(call)) => Err(Box::new(call)),
        }
    }

    /// The right to change the Set for one small call on the caller's own thread; `None` where a plugin host's thread
    /// runs the slices, while calls wait or are held back, or when somebody else has it.
    pub fn guard_for_small_call(&self, is_read: bool) -> Option<Box<dyn SetGuard + '_>> {
        let must_wait = || !is_read && (self.are_writes_held() || !self.held_back.lock().is_empty());
        if !self.takes_small_calls.load(Ordering::Acquire) || !self.queue.is_empty() || must_wait() {
            return None;
        }
        let guard = self.host.try_lock()?;
        // What came in by now has its turn first. A call leaves the queue only under the guard.
        self.queue.is_empty().then_some(guard)
    }

    /// From now on the writes of others wait, while reads go on, until what is given is dropped; `None` when somebody
    /// else holds them until after the deadline. For a call that works on a draft and was outrun once already.
    pub fn hold_writes(&self, deadline: Instant) -> Option<WriteHold<'_>> {
        let hold = self.write_hold.try_lock_until(deadline)?;
        self.are_writes_held.store(true, Ordering::Release);
        Some(WriteHold { pump: self, _hold: hold })
    }

    /// Whether somebody holds back the writes of others.
    pub fn are_writes_held(&self) -> bool {
        self.are_writes_held.load(Ordering::Acquire)
    }

    /// The call whose turn it is.
    fn next_call(&self) -> Option<QueuedCall> {
        if !self.are_writes_held()
            && let Some(call) = self.held_back.lock().pop_front()
        {
            return Some(call);
        }
        while let Ok(call) = self.queue.try_recv() {
            if call.call.is_read || !self.are_writes_held() {
                return Some(call);
            }
            self.held_back.lock().push_back(call);
        }
        None
    }

    /// Whether a call waits whose turn it is.
    fn has_calls(&self) -> bool {
        !self.queue.is_empty() || !self.are_writes_held() && !self.held_back.lock().is_empty()
    }

    /// The plugin host's main thread has come. It runs a slice if nobody else has the Set, and never waits for it.
    pub fn run_slice_on_main_thread(&self) {
        self.is_slice_requested.store(false, Ordering::Release);
        if let Some(mut guard) = self.host.try_lock() {
            self.run_slice(&mut *guard);
        }
        let _ = self.slice_end.try_send(());
    }

    /// Applies calls in order until the queue is empty or the slice is used up.
    fn run_slice(&self, guard: &mut dyn SetGuard) {
        let end = Instant::now() + SLICE;
        while let Some(call) = self.next_call() {
            apply(&*self.host, guard, call);
            if Instant::now() >= end {
                self.is_slice_used_up.store(self.has_calls(), Ordering::Release);
                return;
            }
        }
    }

    /// The plugin host activated or deactivated the plugin. It may destroy a deactivated one at once, and must not be
    /// asked for anything by then (D37): until the next activation the pump's thread runs all slices itself.
    pub fn set_plugin_host_active(&self, active: bool) {
        if let Some(mut may_ask) = self.may_ask_plugin_host.try_lock_for(REQUEST_LIMIT) {
            *may_ask = active;
        }
    }

    /// Has the pump's thread look again.
    pub fn wake_up(&self) {
        let _ = self.wake.try_send(());
    }

    fn run(&self, slice_thread: &SliceThread) {
        while self.woken.recv().is_ok() && !self.stop.load(Ordering::Acquire) {
            if self.host.has_pending() {
                // Whoever takes the guard takes in what waits for it.
                drop(self.host.lock());
            }
            while self.has_calls() && !self.stop.load(Ordering::Acquire) {
                match slice_thread {
                    SliceThread::Model => self.run_slice(&mut *self.host.lock()),
                    SliceThread::PluginHost(ask) => self.request_slice(ask),
                }
                let used_up = self.is_slice_used_up.swap(false, Ordering::AcqRel);
                if used_up && matches!(slice_thread, SliceThread::PluginHost(_)) {
                    std::thread::sleep(PAUSE_BETWEEN_SLICES);
                }
            }
        }
    }

    /// Asks the plugin host for a slice, and runs it here where its main thread does not come in time.
    fn request_slice(&self, ask: &dyn Fn()) {
        let _ = self.slice_ended.try_recv();
        {
            let may_ask = self.may_ask_plugin_host.lock();
            if !*may_ask {
                drop(may_ask);
                return self.run_slice(&mut *self.host.lock());
            }
            if !self.is_slice_requested.swap(true, Ordering::AcqRel) {
                ask();
            }
        }
        if let Err(RecvTimeoutError::Timeout) = self.slice_ended.recv_timeout(STAND_IN_AFTER) {
            match self.host.try_lock() {
                Some(mut guard) => self.run_slice(&mut *guard),
                // The main thread is inside its slice: it sends when it ends.
                None => {
                    let _ = self.slice_ended.recv_timeout(SLICE_LIMIT);
                }
            }
        }
    }

    /// Answers every call that still waits.
    fn cancel_all(&self) {
        let held_back = std::mem::take(&mut *self.held_back.lock());
        for call in held_back.into_iter().chain(self.queue.try_iter()) {
            let _ = call.reply.send(Applied::Failed("the device is shutting down".to_owned()));
        }
    }
}

/// While it lives, the writes of others wait.
pub struct WriteHold<'a> {
    pump: &'a Pump,
    _hold: MutexGuard<'a, ()>,
}

impl Drop for WriteHold<'_> {
    fn drop(&mut self) {
        self.pump.are_writes_held.store(false, Ordering::Release);
        self.pump.wake_up();
    }
}

/// Applies one call of the queue, and commits it if its time is not up by then.
fn apply(host: &dyn SetHost, guard: &mut dyn SetGuard, queued: QueuedCall) {
    if queued.is_abandoned(Instant::now()) {
        return;
    }
    let QueuedCall { call, decision, reply } = queued;
    decision.begin();
    if let Some(applied) = apply_call(host, guard, call, || decision.commit()) {
        // Fails only when nobody waits for it any more.
        let _ = reply.send(applied);
    }
}

/// The pump's thread: `svc-model` where it runs the slices, `svc-waker` where the plugin host does, `svc-bridge-calls`
/// where calls wait for another program.
pub struct PumpThread {
    pump: Arc<Pump>,
    thread: Option<JoinHandle<()>>,
}

impl PumpThread {
    /// A host whose calls wait for another program gets a model thread, whatever is asked for.
    pub fn start(pump: Arc<Pump>, slice_thread: SliceThread) -> std::io::Result<PumpThread> {
        let slice_thread = if pump.host.may_use_main_thread() { slice_thread } else { SliceThread::Model };
        let name = match (&slice_thread, pump.host.may_use_main_thread()) {
            (_, false) => "svc-bridge-calls",
            (SliceThread::Model, true) => "svc-model",
            (SliceThread::PluginHost(_), true) => "svc-waker",
        };
        let takes_small_calls = pump.host.may_use_main_thread() && matches!(slice_thread, SliceThread::Model);
        pump.takes_small_calls.store(takes_small_calls, Ordering::Release);
        let for_thread = pump.clone();
        let thread = std::thread::Builder::new().name(name.to_owned()).spawn(move || for_thread.run(&slice_thread))?;
        Ok(PumpThread { pump, thread: Some(thread) })
    }

    /// Asks the thread to end and answers what still waits. The thread ends when the call in hand does.
    pub fn stop(&mut self) -> Option<JoinHandle<()>> {
        self.pump.stop.store(true, Ordering::Release);
        self.pump.takes_small_calls.store(false, Ordering::Release);
        self.pump.wake_up();
        let _ = self.pump.slice_end.try_send(());
        self.pump.cancel_all();
        self.thread.take()
    }
}
