//! The memory of events, which everybody who reads them shares.

use super::{Event, Kind, Words};
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::sync::watch;

/// Readers at a time, of 64 connections that are served.
pub const MAX_READERS: usize = 16;
/// Events that are kept.
const MAX_EVENTS: usize = 1_024;
/// Bytes of them that are kept.
const MAX_BYTES: usize = 1 << 20;
/// How long after the last reader left events are still kept, for the one that comes back.
const KEPT_FOR: Duration = Duration::from_secs(60);

/// There are [`MAX_READERS`] readers already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{MAX_READERS} readers follow the events already, which is the most; close one, such as a tab of the device's page"
)]
pub struct TooManyReaders;

/// See the [module](super). Whoever puts something in never waits for a reader.
pub struct EventHub {
    /// Begins each id, so that none of another run is taken for one of this.
    run: String,
    state: Mutex<State>,
    readers: AtomicUsize,
    /// Those of them that read what plays.
    playback_readers: AtomicUsize,
    since: Instant,
    /// Milliseconds after `since` until which events are kept without a reader.
    kept_until_ms: AtomicU64,
    /// Something happened that was not put in.
    has_missed: AtomicBool,
    /// Something was put in that was not announced.
    has_news: AtomicBool,
    /// The same, of all but playback.
    has_more: AtomicBool,
    changes: watch::Sender<()>,
    /// Of all but playback.
    more: watch::Sender<()>,
    on_reader: Box<dyn Fn() + Send + Sync>,
}

struct State {
    kept: VecDeque<Event>,
    bytes: usize,
    /// The number of the event that comes next.
    next: u64,
    /// What is newest of playback, and its own count.
    playback: Option<(u64, Words)>,
}

impl State {
    /// The number of the oldest event that is kept, or of the next one.
    fn first(&self) -> u64 {
        self.kept.front().map_or(self.next, |event| event.number)
    }

    fn put(&mut self, kind: Kind, data: Words) {
        if kind == Kind::Playback {
            let count = self.playback.as_ref().map_or(0, |(count, _)| *count);
            self.playback = Some((count + 1, data));
            return;
        }
        self.bytes += data.len();
        self.kept.push_back(Event { number: self.next, kind, data });
        self.next += 1;
        while self.kept.len() > MAX_EVENTS || self.bytes > MAX_BYTES {
            let Some(dropped) = self.kept.pop_front() else { break };
            self.bytes -= dropped.data.len();
        }
    }

    /// Drops all: whoever reads has missed something.
    fn lose(&mut self) {
        self.kept.clear();
        self.bytes = 0;
        self.next += 1;
    }
}

impl EventHub {
    /// `on_reader` is called when somebody begins to read; it must not wait.
    pub fn new(on_reader: Box<dyn Fn() + Send + Sync>) -> Arc<EventHub> {
        let run = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_micros());
        Arc::new(EventHub {
            run: format!("{run:x}"),
            state: Mutex::new(State { kept: VecDeque::new(), bytes: 0, next: 1, playback: None }),
            readers: AtomicUsize::new(0),
            playback_readers: AtomicUsize::new(0),
            since: Instant::now(),
            kept_until_ms: AtomicU64::new(0),
            has_missed: AtomicBool::new(false),
            has_news: AtomicBool::new(false),
            has_more: AtomicBool::new(false),
            changes: watch::Sender::new(()),
            more: watch::Sender::new(()),
            on_reader,
        })
    }

    /// Whether anybody reads now.
    pub fn has_readers(&self) -> bool {
        self.readers.load(Ordering::SeqCst) > 0
    }

    /// Whether one of them reads what plays.
    pub fn has_playback_readers(&self) -> bool {
        self.playback_readers.load(Ordering::SeqCst) > 0
    }

    /// Whether what happens now is to be put in. Where it is not, nothing of it need be made.
    pub fn is_heard(&self) -> bool {
        if self.has_readers() || self.now_ms() < self.kept_until_ms.load(Ordering::Acquire) {
            return true;
        }
        // Either a reader that begins just now sees this, or it is seen here.
        self.has_missed.store(true, Ordering::SeqCst);
        self.has_readers()
    }

    fn now_ms(&self) -> u64 {
        u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Something happened that cannot be put in: everybody has to look anew. Those who wait hear of it when it is
    /// [announced](Self::announce).
    pub fn lose(&self) {
        self.change(true, State::lose);
    }

    /// Those who wait hear of it when it is [announced](Self::announce).
    pub fn put(&self, kind: Kind, data: impl Into<Words>) {
        let data = data.into();
        self.change(kind != Kind::Playback, |state| state.put(kind, data));
    }

    fn change(&self, is_more: bool, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock());
        self.has_more.fetch_or(is_more, Ordering::Release);
        self.has_news.store(true, Ordering::Release);
    }

    /// Wakes those who wait, if something was put in since the last time: once, however much it is.
    pub fn announce(&self) {
        if self.has_news.swap(false, Ordering::AcqRel) {
            self.changes.send_replace(());
        }
        if self.has_more.swap(false, Ordering::AcqRel) {
            self.more.send_replace(());
        }
    }

    /// How much is kept: events, and bytes of them.
    pub fn kept(&self) -> (usize, usize) {
        let state = self.state.lock();
        (state.kept.len(), state.bytes)
    }

    /// The id of the newest event.
    pub fn last_id(&self) -> String {
        self.id(self.state.lock().next - 1)
    }

    /// An event's number as an id.
    pub fn id(&self, number: u64) -> String {
        format!("{}-{number}", self.run)
    }

    fn number(&self, id: &str) -> Option<u64> {
        id.strip_prefix(&self.run)?.strip_prefix('-')?.parse().ok()
    }

    /// Counts one more reader, of what happens from now on or after the event of that id.
    pub(super) fn add_reader(&self, after: Option<&str>, reads_playback: bool) -> Result<Begun, TooManyReaders> {
        let counted = self
            .readers
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |count| (count < MAX_READERS).then_some(count + 1));
        counted.map_err(|_| TooManyReaders)?;
        self.playback_readers.fetch_add(usize::from(reads_playback), Ordering::SeqCst);
        // Before the look at what is kept, so that nothing falls between.
        let changes = if reads_playback { self.changes.subscribe() } else { self.more.subscribe() };
        let mut state = self.state.lock();
        if self.has_missed.swap(false, Ordering::SeqCst) {
            state.lose();
        }
        let wanted = after.map(|id| self.number(id).map(|number| number.saturating_add(1)));
        let from = wanted.flatten().filter(|from| (state.first()..=state.next).contains(from));
        let begun = Begun { changes, from: from.unwrap_or(state.next), is_gap: wanted.is_some() && from.is_none() };
        drop(state);
        (self.on_reader)();
        Ok(begun)
    }

    pub(super) fn reader_left(&self, read_playback: bool) {
        let until = self.now_ms().saturating_add(KEPT_FOR.as_millis() as u64);
        self.kept_until_ms.store(until, Ordering::Release);
        self.playback_readers.fetch_sub(usize::from(read_playback), Ordering::SeqCst);
        self.readers.fetch_sub(1, Ordering::SeqCst);
    }

    /// The next of those events from `from` on, if it is kept.
    pub(super) fn event(&self, from: u64) -> Kept {
        let state = self.state.lock();
        if from < state.first() {
            return Kept::Gap { next: state.next };
        }
        let at = usize::try_from(from - state.first()).ok();
        at.and_then(|at| state.kept.get(at)).cloned().map_or(Kept::Nothing, Kept::Event)
    }

    /// What is newest of playback, if it is newer than that count.
    pub(super) fn playback(&self, seen: u64) -> Option<(u64, Words)> {
        self.state.lock().playback.clone().filter(|(count, _)| *count > seen)
    }
}

/// Where a reader begins.
pub(super) struct Begun {
    /// Of what it reads.
    pub changes: watch::Receiver<()>,
    pub from: u64,
    /// Not all is there that came after the event that it named.
    pub is_gap: bool,
}

pub(super) enum Kept {
    Event(Event),
    /// It is no longer kept; `next` is what comes next.
    Gap {
        next: u64,
    },
    Nothing,
}
