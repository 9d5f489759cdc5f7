//! Where a connection stands and how long it may stay there.
//!
//! A connection's socket, its requests and the task that drives both share one [`ConnectionState`]. Whoever makes a
//! step says so here; the task looks at [`ConnectionState::deadline`] whenever it runs. A step costs no timer: the
//! task's only timer is moved when it fires too early, or when a deadline comes before it.
//!
//! A request that trickles in, and an answer that trickles out, is *slow* from a moment on that every byte puts off.
//! Nothing is done about it while there are seats; when there are none, the slow ones lose theirs first.

use super::limits::{Limits, MAX_HEAD_BYTES, PAUSE_GRACE, REQUEST_GRACE};
use parking_lot::Mutex;
use std::task::{Context, Waker};
use std::time::Duration;
use tokio::time::Instant;

/// What a connection is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// No byte of a request has come.
    Idle,
    /// Part of a head is here.
    Head,
    /// A request is known, its body is not complete.
    Body,
    /// The request is complete and its tool runs. Only the call's own time-out counts.
    Call,
    /// The answer is being handed to the connection.
    Answer,
    /// The answer is a stream, which has no end of its own.
    Stream,
    /// The answer is complete, but not all of it has left.
    Flush,
    /// The last answer is written; the client may read it and close.
    Closing,
}

/// How far a connection is shut down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ShutdownStage {
    Running,
    /// Answer what is under way, then close.
    Draining,
    /// Answer 503 at once and close.
    Cancelled,
    /// Its seat was given to another client. A call that runs already is answered; nothing else is waited for.
    Evicted,
}

/// What an expired deadline asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expiry {
    /// The request knows now that it is late: its own answer says so. Go on.
    Answering,
    /// No request can answer: end the connection.
    End(Phase),
}

/// The state of one connection, shared by all that works on it.
pub struct ConnectionState(Mutex<Inner>);

struct Inner {
    phase: Phase,
    since: Instant,
    stage: ShutdownStage,
    waker: Option<Waker>,
    /// When the peer closed its side, if it did.
    eof: Option<Instant>,
    /// The peer's close counts now, request or not.
    eof_due: bool,
    body_expired: bool,
    /// A request's body was given up before its end.
    body_unread: bool,
    /// The body is a file, which takes as long as it takes while its bytes flow.
    brings_file: bool,
    /// From when on the request or the answer under way is slow.
    slow_from: Instant,
    slow_bytes_per_s: u32,
    /// The client does not read: what there is to write cannot be written.
    write_waits: bool,
    /// The bytes that came while a head was awaited.
    head: Vec<u8>,
}

impl ConnectionState {
    pub fn new(limits: &Limits) -> Self {
        let now = Instant::now();
        ConnectionState(Mutex::new(Inner {
            phase: Phase::Idle,
            since: now,
            stage: ShutdownStage::Running,
            waker: None,
            eof: None,
            eof_due: false,
            body_expired: false,
            body_unread: false,
            brings_file: false,
            slow_from: now,
            slow_bytes_per_s: limits.slow_bytes_per_s,
            write_waits: false,
            head: Vec::new(),
        }))
    }

    pub fn phase(&self) -> Phase {
        self.0.lock().phase
    }

    pub fn since(&self) -> Instant {
        self.0.lock().since
    }

    pub fn enter(&self, phase: Phase) {
        self.0.lock().enter(phase);
    }

    /// A request's head is read: its body, if it has one, is next.
    pub fn begin_request(&self, has_body: bool) {
        let mut inner = self.0.lock();
        inner.body_expired = false;
        inner.body_unread = false;
        inner.brings_file = false;
        if inner.phase == Phase::Idle {
            // Its head came behind the one before.
            inner.slow_from = Instant::now() + REQUEST_GRACE;
        }
        inner.enter(if has_body { Phase::Body } else { Phase::Call });
    }

    /// The request's body is a file: its time counts from the last byte that came.
    pub fn expect_file(&self) {
        self.0.lock().brings_file = true;
    }

    pub fn body_ended(&self) {
        let mut inner = self.0.lock();
        if inner.phase == Phase::Body {
            inner.enter(Phase::Call);
        }
    }

    pub fn body_abandoned(&self) {
        self.0.lock().body_unread = true;
    }

    pub fn body_unread(&self) -> bool {
        self.0.lock().body_unread
    }

    pub fn body_expired(&self) -> bool {
        self.0.lock().body_expired
    }

    /// The parser has the whole answer.
    pub fn answer_complete(&self) {
        let mut inner = self.0.lock();
        if matches!(inner.phase, Phase::Answer | Phase::Stream) {
            inner.phase = Phase::Flush;
        }
    }

    /// Everything written so far has left.
    pub fn flushed(&self, cx: &Context<'_>) {
        let mut inner = self.0.lock();
        if inner.phase == Phase::Flush {
            inner.enter(Phase::Idle);
            inner.head.clear();
            if inner.eof.is_some() {
                // The end of the stream was kept back for this answer; have it read now.
                cx.waker().wake_by_ref();
            }
        }
    }

    /// Bytes came.
    pub fn received(&self, bytes: &[u8]) {
        let mut inner = self.0.lock();
        if inner.phase == Phase::Idle {
            inner.enter(Phase::Head);
            inner.slow_from = inner.since + REQUEST_GRACE;
        }
        inner.put_off_slowness(bytes.len());
        if inner.phase == Phase::Body && inner.brings_file {
            inner.since = Instant::now();
        }
        if inner.phase == Phase::Head {
            let room = MAX_HEAD_BYTES.saturating_sub(inner.head.len());
            let taken = bytes.get(..room).unwrap_or(bytes);
            inner.head.extend_from_slice(taken);
        }
    }

    /// Bytes of an answer left.
    pub fn sent(&self, count: usize) {
        let mut inner = self.0.lock();
        inner.write_waits = false;
        if inner.phase == Phase::Stream {
            inner.since = Instant::now();
        }
        inner.put_off_slowness(count);
    }

    /// An answer cannot leave, because the client has not read what left before.
    pub fn write_waits(&self) {
        let mut inner = self.0.lock();
        if !inner.write_waits {
            inner.write_waits = true;
            if inner.phase == Phase::Stream {
                inner.since = Instant::now();
            }
            inner.slow_from = inner.slow_from.max(Instant::now()) + PAUSE_GRACE;
        }
    }

    /// From when on the request or the answer under way is slow; `None` while the client is not the one who is waited
    /// for.
    pub fn slow_from(&self) -> Option<Instant> {
        let inner = self.0.lock();
        let waits_for_client = match inner.phase {
            Phase::Head | Phase::Body => true,
            Phase::Answer | Phase::Stream | Phase::Flush => inner.write_waits,
            Phase::Idle | Phase::Call | Phase::Closing => false,
        };
        waits_for_client.then_some(inner.slow_from)
    }

    /// Looks at the bytes that came while this request's head was awaited. They begin with the head, unless the request
    /// was pipelined behind another.
    pub fn with_head<T>(&self, read: impl FnOnce(&[u8]) -> T) -> T {
        read(&self.0.lock().head)
    }

    /// Whether the end of the stream is known already.
    pub fn eof_seen(&self) -> bool {
        self.0.lock().eof.is_some()
    }

    /// The peer closed its side. True: say so to the parser now; false: later, a request is under way.
    pub fn eof_counts(&self) -> bool {
        let mut inner = self.0.lock();
        if inner.eof.is_none() {
            inner.eof = Some(Instant::now());
        }
        inner.eof_due || matches!(inner.phase, Phase::Idle | Phase::Head | Phase::Closing)
    }

    /// Whether what is written now answers a request. Otherwise it is the parser's own bare refusal.
    pub fn in_request(&self) -> bool {
        !matches!(self.0.lock().phase, Phase::Idle | Phase::Head)
    }

    pub fn shutdown_stage(&self) -> ShutdownStage {
        self.0.lock().stage
    }

    /// Asks the connection to end; it acts on it in its own task.
    pub fn set_shutdown_stage(&self, stage: ShutdownStage) {
        let waker = {
            let mut inner = self.0.lock();
            inner.stage = inner.stage.max(stage);
            inner.waker.clone()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Has this task woken by [`ConnectionState::set_shutdown_stage`].
    pub fn listen(&self, cx: &Context<'_>) {
        let mut inner = self.0.lock();
        if !inner.waker.as_ref().is_some_and(|waker| waker.will_wake(cx.waker())) {
            inner.waker = Some(cx.waker().clone());
        }
    }

    /// When this phase must have ended.
    pub fn deadline(&self, limits: &Limits) -> Option<Instant> {
        let inner = self.0.lock();
        let phase_end = inner.phase_limit(limits).and_then(|limit| inner.since.checked_add(limit));
        let client_gone = inner.client_gone_at(limits);
        match (phase_end, client_gone) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// Notes that the deadline has passed.
    pub fn expire(&self, limits: &Limits, now: Instant) -> Expiry {
        let mut inner = self.0.lock();
        if inner.client_gone_at(limits).is_some_and(|at| at <= now) {
            inner.eof_due = true;
            return Expiry::Answering;
        }
        if inner.phase == Phase::Body && !inner.body_expired {
            inner.body_expired = true;
            return Expiry::Answering;
        }
        Expiry::End(inner.phase)
    }
}

impl Inner {
    fn enter(&mut self, phase: Phase) {
        self.phase = phase;
        self.since = Instant::now();
        self.write_waits = false;
    }

    fn put_off_slowness(&mut self, bytes: usize) {
        let rate = f64::from(self.slow_bytes_per_s.max(1));
        let earned = Duration::try_from_secs_f64(bytes as f64 / rate).unwrap_or(PAUSE_GRACE);
        let now = Instant::now();
        self.slow_from = (self.slow_from.max(now) + earned.min(PAUSE_GRACE)).min(now + PAUSE_GRACE);
    }

    fn phase_limit(&self, limits: &Limits) -> Option<Duration> {
        match self.phase {
            Phase::Idle => Some(limits.idle),
            Phase::Head => Some(limits.head),
            // Refused once; after that the refusal has the time that an answer has.
            Phase::Body if self.body_expired => Some(limits.body.saturating_add(limits.write)),
            Phase::Body => Some(limits.body),
            Phase::Call => None,
            Phase::Answer | Phase::Flush => Some(limits.write),
            // While it is read it goes on for ever.
            Phase::Stream => self.write_waits.then_some(limits.write),
            Phase::Closing => Some(limits.drain),
        }
    }

    /// When a client that closed its side counts as gone.
    fn client_gone_at(&self, limits: &Limits) -> Option<Instant> {
        match (self.phase, self.eof) {
            (Phase::Body | Phase::Call | Phase::Stream, Some(at)) if !self.eof_due => at.checked_add(limits.half_close),
            _ => None,
        }
    }
}
