//! Takes calls out of the queue and applies them, with the key.
//!
//! [`Pump::turn`] is run by whoever has the key: the host's main thread where the framework really has one, a stand-in
//! where that thread does not come, a model thread of our own everywhere else. The pump's thread is the only one that asks
//! the host for a turn.

use super::call::{Applied, QueuedCall};
use super::keeper::{Keeper, Key};
use super::watch::watch;
use crate::object_model::ObjectModel;
use crate::tools::error::ToolError;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TryRecvError, TrySendError, bounded};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Calls that may wait; one more is answered 503.
pub const QUEUE_LENGTH: usize = 256;
/// How long one turn may last, so that the host's window never freezes.
pub const SLICE: Duration = Duration::from_millis(8);
/// How long the host's main thread gets to come before a stand-in takes the turn.
pub const STAND_IN_AFTER: Duration = Duration::from_millis(5);
/// A pause after a used-up slice, so that the host's own work gets its turn.
const BREATH: Duration = Duration::from_millis(4);

/// How long a model thread looks out for the next call before it sleeps: scripts call again at once.
const STAY_AWAKE: Duration = Duration::from_micros(100);

/// Who turns the pump.
pub enum Turner {
    /// A thread of our own, always.
    ModelThread,
    /// The host's main thread; the function asks it for a call of [`Pump::host_turn`] and must not wait.
    Host(Box<dyn Fn() + Send>),
}

/// The queue and what turns it.
pub struct Pump {
    keeper: Arc<Keeper>,
    sender: Sender<QueuedCall>,
    queue: Receiver<QueuedCall>,
    wake: Sender<()>,
    woken: Receiver<()>,
    /// Told when a host turn has ended.
    turned: Sender<()>,
    turn_ended: Receiver<()>,
    /// A turn was asked of the host and has not come yet.
    asked: AtomicBool,
    /// The last turn ended on its slice, with calls left.
    slice_used: AtomicBool,
    stop: AtomicBool,
    turns: AtomicU64,
}

impl Pump {
    pub fn new(keeper: Arc<Keeper>) -> Arc<Pump> {
        let (sender, queue) = bounded(QUEUE_LENGTH);
        let (wake, woken) = bounded(1);
        let (turned, turn_ended) = bounded(1);
        Arc::new(Pump {
            keeper,
            sender,
            queue,
            wake,
            woken,
            turned,
            turn_ended,
            asked: AtomicBool::new(false),
            slice_used: AtomicBool::new(false),
            stop: AtomicBool::new(false),
            turns: AtomicU64::new(0),
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

    /// Turns taken by the host's main thread.
    pub fn host_turns(&self) -> u64 {
        self.turns.load(Ordering::Relaxed)
    }

    /// The host's main thread has come. It takes the turn if the key is free and never waits for it.
    pub fn host_turn(&self) {
        self.asked.store(false, Ordering::Release);
        if let Some(mut key) = self.keeper.try_key() {
            self.turns.fetch_add(1, Ordering::Relaxed);
            self.turn(&mut key);
        }
        let _ = self.turned.try_send(());
    }

    /// Applies calls in order until the queue is empty or the slice is used.
    fn turn(&self, key: &mut Key) {
        let end = Instant::now() + SLICE;
        while let Ok(call) = self.queue.try_recv() {
            apply(key, call);
            if Instant::now() >= end {
                self.slice_used.store(!self.queue.is_empty(), Ordering::Release);
                return;
            }
        }
    }

    /// Has the pump's thread look again.
    pub fn wake_up(&self) {
        let _ = self.wake.try_send(());
    }

    fn run(&self, turner: &Turner) {
        let mut stays_awake = false;
        while self.wait(stays_awake) && !self.stop.load(Ordering::Acquire) {
            if self.keeper.has_incoming() {
                drop(self.keeper.key());
            }
            while !self.queue.is_empty() && !self.stop.load(Ordering::Acquire) {
                match turner {
                    Turner::ModelThread => self.turn(&mut self.keeper.key()),
                    Turner::Host(ask) => self.ask_host(ask),
                }
                if self.slice_used.swap(false, Ordering::AcqRel) && matches!(turner, Turner::Host(_)) {
                    std::thread::sleep(BREATH);
                }
            }
            stays_awake = matches!(turner, Turner::ModelThread);
        }
    }

    /// Waits for something to do; false when nothing can come any more.
    fn wait(&self, stays_awake: bool) -> bool {
        let look = || match self.woken.try_recv() {
            Ok(()) => Some(true),
            Err(TryRecvError::Disconnected) => Some(false),
            Err(TryRecvError::Empty) => None,
        };
        let seen = if stays_awake { watch(STAY_AWAKE, look) } else { None };
        seen.unwrap_or_else(|| self.woken.recv().is_ok())
    }

    fn ask_host(&self, ask: &dyn Fn()) {
        let _ = self.turn_ended.try_recv();
        if !self.asked.swap(true, Ordering::AcqRel) {
            ask();
        }
        if let Err(RecvTimeoutError::Timeout) = self.turn_ended.recv_timeout(STAND_IN_AFTER) {
            match self.keeper.try_key() {
                Some(mut key) => self.turn(&mut key),
                // The host is inside its turn: it tells when it ends.
                None => {
                    let _ = self.turn_ended.recv_timeout(Duration::from_millis(200));
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

/// Applies one call on a working copy; only what commits before its time is up becomes the Set.
fn apply(key: &mut Key, call: QueuedCall) {
    let QueuedCall { tool, mut job, mut context, outcome, generation, reply, .. } = match call {
        call if call.is_pointless(Instant::now()) => return,
        call => call,
    };
    key.take_incoming();
    if generation != key.generation() {
        let _ = reply.send(Applied::Failed("the Set was replaced while the call waited; send it again".to_owned()));
        return;
    }
    // A setting that was answered has to hold for calls of the same turn.
    key.follow_own_clock();
    let mut working = key.set().clone();
    working.begin_step(tool);
    let applied = catch_unwind(AssertUnwindSafe(|| {
        let applied = job.apply(&mut working, &mut context);
        working.settle();
        applied
    }));
    let answer = match applied {
        Ok(Ok(())) if generation != key.generation() => {
            Applied::Failed("the Set was replaced while the call ran; send it again".to_owned())
        }
        Ok(Ok(())) => {
            let changed = !working.document.same_as(&key.set().document);
            let held = if changed { key.held() } else { None };
            if !outcome.commit() {
                return;
            }
            if let Some(held) = held {
                let _ = reply.send(Applied::Refused(ToolError::new(format!("nothing was written: {}", held.why))));
                return;
            }
            key.commit(working);
            Applied::Done(job, context)
        }
        Ok(Err(refusal)) if outcome.commit() => Applied::Refused(refusal),
        Err(_) if outcome.commit() => Applied::Failed("the tool failed unexpectedly; the Set is unchanged".to_owned()),
        _ => return,
    };
    let _ = reply.send(answer);
}

/// The pump's thread: `svc-model` where it owns the turn, `svc-waker` where the host does.
pub struct PumpThread {
    pump: Arc<Pump>,
    thread: Option<JoinHandle<()>>,
}

impl PumpThread {
    pub fn start(pump: Arc<Pump>, turner: Turner) -> std::io::Result<PumpThread> {
        let name = if matches!(turner, Turner::ModelThread) { "svc-model" } else { "svc-waker" };
        let for_thread = pump.clone();
        let thread = std::thread::Builder::new().name(name.to_owned()).spawn(move || for_thread.run(&turner))?;
        Ok(PumpThread { pump, thread: Some(thread) })
    }

    /// Asks the thread to end and answers what still waits. The thread ends when the call in hand does.
    pub fn stop(&mut self) -> Option<JoinHandle<()>> {
        self.pump.stop.store(true, Ordering::Release);
        self.pump.wake_up();
        let _ = self.pump.turned.try_send(());
        self.pump.cancel_all();
        self.thread.take()
    }
}
