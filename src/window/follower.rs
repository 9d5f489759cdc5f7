//! What the feed's thread knows of the device, and when it looks anew; what it reads is in [`super::reads`].

use super::acts::ToolCall;
use super::reads::{Read, Reads};
use super::shown::{FLASH, Shown, ShownCall};
use super::tab::Tab;
use crate::device::Device;
use crate::events::{Event, EventHub, Kind, Next, Reader};
use crate::music::text::sentence;
use crate::object_model::ObjectId;
use arc_swap::ArcSwap;
use serde_json::Value;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

/// What is new is shown at most twenty times a second.
const PACE: Duration = Duration::from_millis(50);
/// The Set is read anew at most so often, as a part of the time.
const READ_PART: u32 = 20;
/// After how long is asked again for a place among those who follow the events.
const RETRY: Duration = Duration::from_secs(2);
/// Calls that are listed.
const MOST_CALLS: usize = 200;
const MOST_FLASHES: usize = 400;

/// Something that the window wants of the thread.
pub enum Order {
    Call(ToolCall),
    /// That tab is shown.
    Open(Tab),
    /// The text of an entry of the memory is wanted.
    ReadMemory(String),
    DismissMessage,
    /// The window goes.
    End,
}

/// What a follower works with.
pub struct FollowerParts {
    reads: Reads,
    read: UnboundedReceiver<Read>,
    hub: Arc<EventHub>,
    /// Has the window drawn.
    redraw: Box<dyn Fn() + Send + Sync>,
    shown: Arc<ArcSwap<Shown>>,
}

impl FollowerParts {
    pub fn of(device: &Arc<Device>, shown: Arc<ArcSwap<Shown>>) -> FollowerParts {
        let (reads, read) = Reads::of(device);
        FollowerParts { reads, read, hub: device.events().clone(), redraw: device.redrawer(), shown }
    }
}

/// What is to be looked at anew.
#[derive(Default)]
struct Due {
    set: bool,
    calls: bool,
    clip: bool,
    context: bool,
    /// Something is to be shown that was not yet.
    show: bool,
}

/// See the [module](self).
pub struct Follower {
    parts: FollowerParts,
    calls: UnboundedSender<ToolCall>,
    reader: Option<Reader>,
    /// What was said of why there is no reader.
    why_not: Option<String>,
    now: Shown,
    due: Due,
    tab: Tab,
    /// The entry of the memory whose text is wanted.
    memory: Option<String>,
    shown_at: Instant,
    /// When the Set may be read again.
    set_from: Instant,
    /// The clip that is read or was read last.
    clip: Option<ObjectId>,
}

impl Follower {
    pub fn new(parts: FollowerParts, calls: UnboundedSender<ToolCall>) -> Follower {
        let now = Instant::now();
        Follower {
            parts,
            calls,
            reader: None,
            why_not: None,
            now: Shown::default(),
            due: Due { set: true, calls: true, ..Due::default() },
            tab: Tab::default(),
            memory: None,
            shown_at: now.checked_sub(PACE).unwrap_or(now),
            set_from: now,
            clip: None,
        }
    }

    /// Follows until nobody gives orders any more.
    pub async fn run(mut self, mut orders: UnboundedReceiver<Order>, mut outcomes: UnboundedReceiver<Option<String>>) {
        loop {
            self.take_events();
            let wait = self.refresh();
            tokio::select! {
                order = orders.recv() => match order {
                    Some(Order::End) | None => return,
                    Some(order) => self.take_order(order),
                },
                Some(outcome) = outcomes.recv() => self.take_outcome(outcome),
                Some(read) = self.parts.read.recv() => self.take_read(read),
                () = next_event(&mut self.reader) => {}
                () = tokio::time::sleep(wait.unwrap_or(Duration::MAX)), if wait.is_some() => {}
            }
        }
    }

    fn take_order(&mut self, order: Order) {
        match order {
            Order::Call(call) => drop(self.calls.send(call)),
            Order::Open(tab) => {
                self.tab = tab;
                self.due.clip |= tab == Tab::Clip;
                self.due.context |= tab == Tab::Context;
            }
            Order::ReadMemory(name) => {
                self.memory = Some(name);
                self.due.context = true;
            }
            Order::DismissMessage => {
                self.now.message = None;
                self.due.show = true;
            }
            Order::End => {}
        }
    }

    /// Of a call of the window's own.
    fn take_outcome(&mut self, remark: Option<String>) {
        if self.now.message != remark {
            self.now.message = remark;
            self.due.show = true;
        }
    }

    fn take_read(&mut self, read: Read) {
        match read {
            Read::Clip(clip) => {
                self.now.is_reading_clip = false;
                self.now.clip = clip.map(|clip| Arc::new(*clip));
            }
            Read::Calls(calls) => {
                let newest = calls.first().map_or(0, |call| call.id);
                let known = Arc::make_mut(&mut self.now.calls);
                known.retain(|call| call.id > newest);
                known.extend(calls.into_iter().map(Arc::new));
                self.now.are_calls_read = true;
            }
            Read::Context(context) => self.now.context = Arc::new(context),
        }
        self.due.show = true;
    }

    fn take_events(&mut self) {
        if self.reader.is_none() {
            self.begin_reading();
        }
        let mut events = Vec::new();
        if let Some(reader) = &mut self.reader {
            events.extend(std::iter::from_fn(|| reader.take()));
        }
        for event in events {
            match event {
                Next::Gap => (self.due.set, self.due.calls) = (true, true),
                Next::Event(event) => self.take_event(&event),
            }
        }
    }

    /// Where there is no place among the readers it is said, and all that happens before there is one is read then.
    fn begin_reading(&mut self) {
        match Reader::begin_without_playback(&self.parts.hub, None) {
            Ok((reader, _)) => {
                self.reader = Some(reader);
                (self.due.set, self.due.calls, self.due.clip) = (true, true, true);
                let said = self.why_not.take();
                if said.is_some() && self.now.message == said {
                    self.now.message = None;
                }
            }
            Err(why) if self.why_not.is_none() => {
                self.why_not = Some(sentence(&why.to_string()));
                self.now.message.clone_from(&self.why_not);
                self.due.show = true;
            }
            Err(_) => {}
        }
    }

    fn take_event(&mut self, event: &Event) {
        let data = || serde_json::from_str::<Value>(&event.data).unwrap_or_default();
        match event.kind {
            Kind::Set => {
                self.due.set = true;
                self.due.clip = true;
                self.flash(&data());
            }
            Kind::Call => {
                let call = ShownCall::of(&data());
                self.due.context |= call.tool == "svc-context";
                if self.now.calls.first().is_none_or(|newest| newest.id < call.id) {
                    let known = Arc::make_mut(&mut self.now.calls);
                    known.insert(0, Arc::new(call));
                    known.truncate(MOST_CALLS);
                }
            }
            // The window draws what plays from what was seen last of it.
            Kind::Playback | Kind::Job => {}
            // The settings are looked at when they are drawn.
            Kind::Settings => self.due.context = true,
            Kind::Log => self.now.message = data().get("text").and_then(Value::as_str).map(str::to_owned),
        }
        self.due.show = true;
    }

    /// What others changed lights up for a moment.
    fn flash(&mut self, event: &Value) {
        if event.get("who").and_then(Value::as_str) == Some("window") {
            return;
        }
        let now = Instant::now();
        self.now.flashes.retain(|(_, at)| at.elapsed() < FLASH);
        let changed = event.get("changed").and_then(Value::as_array).into_iter().flatten();
        let ids = changed.filter_map(|object| object.get("id")?.as_str()?.parse().ok().map(ObjectId));
        let room = MOST_FLASHES.saturating_sub(self.now.flashes.len());
        self.now.flashes.extend(ids.take(room).map(|id| (id, now)));
    }

    /// How long nothing may be shown yet.
    fn rest(&self) -> Duration {
        PACE.saturating_sub(self.shown_at.elapsed())
    }

    /// Does what is due and may be done; when to look again, if not only when something happens.
    fn refresh(&mut self) -> Option<Duration> {
        let retry = self.reader.is_none().then_some(RETRY);
        self.begin_reads();
        let is_anything = self.due.set || self.due.show;
        let wait = self.rest();
        if !is_anything {
            return retry;
        }
        if !wait.is_zero() {
            return Some(wait);
        }
        let mut later = None;
        if self.due.set {
            later = Some(self.set_from.saturating_duration_since(Instant::now())).filter(|wait| !wait.is_zero());
            if later.is_none() {
                self.read_set();
            }
        }
        self.due.show = false;
        self.shown_at = Instant::now();
        self.parts.shown.store(Arc::new(self.now.clone()));
        (self.parts.redraw)();
        later.or(retry)
    }

    fn read_set(&mut self) {
        let begun = Instant::now();
        self.due.set = false;
        self.now.set = self.parts.reads.set().map(Arc::new);
        self.set_from = Instant::now() + begun.elapsed() * READ_PART;
    }

    /// Has read what takes longer, away from this thread.
    fn begin_reads(&mut self) {
        if std::mem::take(&mut self.due.calls) {
            self.parts.reads.begin_calls();
        }
        if self.tab == Tab::Context && std::mem::take(&mut self.due.context) {
            self.parts.reads.begin_context(self.memory.clone());
        }
        if self.tab == Tab::Clip && !self.now.is_reading_clip && !self.parts.reads.is_live() {
            self.begin_clip();
        }
    }

    fn begin_clip(&mut self) {
        // Who selects makes a call, which is told.
        let selected = self.parts.reads.selected_clip();
        if !std::mem::take(&mut self.due.clip) && (selected.is_none() || selected == self.clip) {
            return;
        }
        let first = || self.now.set.as_ref().and_then(|set| Some(set.slots.first()?.id));
        self.clip = selected.or_else(first);
        let Some(id) = self.clip else {
            self.now.clip = None;
            return;
        };
        self.now.is_reading_clip = true;
        self.due.show |= self.now.clip.is_none();
        self.parts.reads.begin_clip(id);
    }
}

async fn next_event(reader: &mut Option<Reader>) {
    match reader {
        Some(reader) => reader.wait().await,
        None => std::future::pending().await,
    }
}
