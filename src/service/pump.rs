//! Takes calls out of the queue and applies them to the Set, in time slices.
//!
//! A slice is run by one of three threads: the main thread of the plugin host, where the framework really has one; a
//! stand-in, where that thread does not come; a model thread of our own everywhere else. The pump's thread is the only
//! one that asks the plugin host for a slice.

use super::call::{Applied, QueuedCall};
use super::set_host::{SetGuard, SetHost};
use super::spin_wait::spin_wait;
use crate::tools;
use crate::tools::error::ToolError;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TryRecvError, TrySendError, bounded};
use parking_lot::Mutex;
use std::panic::{AssertUnwindSafe, catch_unwind};
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

/// How long a model thread spins for the next call before it sleeps: scripts call again at once.
const SPIN_FOR: Duration = Duration::from_micros(100);

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
    /// A slice was asked of the plugin host and has not come yet.
    is_slice_requested: AtomicBool,
    /// The plugin host may be asked for slices. Held while it is being asked, so that it cannot go meanwhile.
    may_ask_plugin_host: Mutex<bool>,
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
            is_slice_requested: AtomicBool::new(false),
            may_ask_plugin_host: Mutex::new(true),
            is_slice_used_up: AtomicBool::new(false),
            stop: AtomicBool::new(false),
        })
    }

    /// Puts a call into the queue; gives it back when the queue is full.
    pub fn submit(&self, call: QueuedCall) -> Result<(), Box<QueuedCall>> {
        match self.sender.try_send(call) {
            Ok(()) => {
                // A full wake channel means that the thread is about to look anyway.
                let _ = self.wake.try_send(());
                Ok(())
            }
            Err(TrySendError::Full(call) | TrySendError::Disconnected(call)) => Err(Box::new(call)),
        }
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
        while let Ok(call) = self.queue.try_recv() {
            apply(&*self.host, guard, call);
            if Instant::now() >= end {
                self.is_slice_used_up.store(!self.queue.is_empty(), Ordering::Release);
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
        let mut spins = false;
        while self.wait(spins) && !self.stop.load(Ordering::Acquire) {
            if self.host.has_pending() {
                // Whoever takes the guard takes in what waits for it.
                drop(self.host.lock());
            }
            while !self.queue.is_empty() && !self.stop.load(Ordering::Acquire) {
                match slice_thread {
                    SliceThread::Model => self.run_slice(&mut *self.host.lock()),
                    SliceThread::PluginHost(ask) => self.request_slice(ask),
                }
                let used_up = self.is_slice_used_up.swap(false, Ordering::AcqRel);
                if used_up && matches!(slice_thread, SliceThread::PluginHost(_)) {
                    std::thread::sleep(PAUSE_BETWEEN_SLICES);
                }
            }
            spins = matches!(slice_thread, SliceThread::Model);
        }
    }

    /// Waits for something to do; false when nothing can come any more.
    fn wait(&self, spins: bool) -> bool {
        let poll = || match self.woken.try_recv() {
            Ok(()) => Some(true),
            Err(TryRecvError::Disconnected) => Some(false),
            Err(TryRecvError::Empty) => None,
        };
        let seen = if spins { spin_wait(SPIN_FOR, poll) } else { None };
        seen.unwrap_or_else(|| self.woken.recv().is_ok())
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
        while let Ok(call) = self.queue.try_recv() {
            let _ = call.reply.send(Applied::Failed("the device is shutting down".to_owned()));
        }
    }
}

/// Applies one call in a transaction of its own, and commits it if its time is not up by then.
fn apply(host: &dyn SetHost, guard: &mut dyn SetGuard, call: QueuedCall) {
    let QueuedCall { tool, mut job, mut context, decision, deadline, generation, reply } = match call {
        call if call.is_abandoned(Instant::now()) => return,
        call => call,
    };
    guard.take_pending();
    if generation != host.generation() {
        let _ = reply.send(Applied::Failed("the Set was replaced while the call waited; send it again".to_owned()));
        return;
    }
    let mut transaction = guard.begin(tool, deadline);
    let applied = catch_unwind(AssertUnwindSafe(|| {
        let session = transaction.session();
        let applied = tools::call::apply(&mut *job, session, &mut context);
        session.settle();
        applied
    }));
    let answer = match applied {
        Ok(Ok(())) if generation != host.generation() => {
            Applied::Failed("the Set was replaced while the call ran; send it again".to_owned())
        }
        Ok(Ok(())) => {
            let refusal = if transaction.has_changes() { host.write_refusal() } else { None };
            if !decision.commit() {
                return;
            }
            if let Some(why) = refusal {
                let _ = reply.send(Applied::Refused(ToolError::new(format!("nothing was written: {why}"))));
                return;
            }
            transaction.commit();
            Applied::Done(job, context)
        }
        Ok(Err(refusal)) if decision.commit() => Applied::Refused(refusal),
        Err(_) if decision.commit() => {
            Applied::Failed(format!("the tool failed unexpectedly; {}", host.after_failure()))
        }
        _ => return,
    };
    let _ = reply.send(answer);
}

/// The pump's thread: `svc-model` where it runs the slices, `svc-waker` where the plugin host does.
pub struct PumpThread {
    pump: Arc<Pump>,
    thread: Option<JoinHandle<()>>,
}

impl PumpThread {
    /// A host whose calls wait for another program gets a model thread, whatever is asked for.
    pub fn start(pump: Arc<Pump>, slice_thread: SliceThread) -> std::io::Result<PumpThread> {
        let slice_thread = if pump.host.may_use_main_thread() { slice_thread } else { SliceThread::Model };
        let name = if matches!(slice_thread, SliceThread::Model) { "svc-model" } else { "svc-waker" };
        let for_thread = pump.clone();
        let thread = std::thread::Builder::new().name(name.to_owned()).spawn(move || for_thread.run(&slice_thread))?;
        Ok(PumpThread { pump, thread: Some(thread) })
    }

    /// Asks the thread to end and answers what still waits. The thread ends when the call in hand does.
    pub fn stop(&mut self) -> Option<JoinHandle<()>> {
        self.pump.stop.store(true, Ordering::Release);
        self.pump.wake_up();
        let _ = self.pump.slice_end.try_send(());
        self.pump.cancel_all();
        self.thread.take()
    }
}
