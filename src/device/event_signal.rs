//! How the parts of a device say what happened, to the thread that tells those who follow its events.
//!
//! Whoever says something never waits, and says next to nothing while nobody follows.

use super::news_inbox::{NewsInbox, NewsSender, news_inbox};
use crate::events::EventHub;
use crate::object_model::history::{StepLabel, StepWay};
use crate::service::call_log::CallEntry;
use crate::service::embedded::Landing;
use crate::set::Document;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// News that may wait; beyond that everybody who follows has to look anew.
const MOST_NEWS: usize = 1_024;

/// Something that happened.
pub enum News {
    Changed(Box<ChangedSet>),
    /// Another Set is there.
    Replaced {
        revision: Option<u64>,
    },
    /// A call changed something in Live.
    ChangedInLive(StepLabel),
    Answered(Arc<CallEntry>),
    Log(LogLevel, String),
    /// Something else is to be looked at: what plays, the settings, whether somebody follows.
    Look,
}

/// How much what is logged matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogLevel {
    /// What was wrong is mended.
    Info,
    /// Something is not as it was asked for.
    Warning,
    /// Something was lost, or is while this lasts.
    Error,
}

impl LogLevel {
    pub fn name(self) -> &'static str {
        match self {
            LogLevel::Info => "info",
            LogLevel::Warning => "warning",
            LogLevel::Error => "error",
        }
    }
}

/// A commit, with the document on both sides.
pub struct ChangedSet {
    pub before: Document,
    pub after: Document,
    pub revision: u64,
    pub step: Option<u64>,
    pub way: Option<StepWay>,
    pub label: StepLabel,
}

/// See the [module](self).
#[derive(Clone)]
pub struct EventSignal {
    hub: Arc<EventHub>,
    news: NewsSender<News>,
    flags: Arc<Flags>,
}

/// What there need be said of but once, however often it happened.
#[derive(Default)]
struct Flags {
    settings_changed: AtomicBool,
    jobs_changed: AtomicBool,
    /// Something in Live became another, and no call says that it did it.
    live_changed: AtomicBool,
    /// Somebody new follows.
    reader_began: AtomicBool,
    /// There was no room for something.
    has_lost: AtomicBool,
    is_closed: AtomicBool,
}

impl EventSignal {
    pub fn new() -> (EventSignal, NewsInbox<News>) {
        let (news, inbox) = news_inbox(MOST_NEWS);
        let flags = Arc::new(Flags::default());
        let (of_hub, flags_of_hub) = (news.clone(), flags.clone());
        let hub = EventHub::new(Box::new(move || look_for_new(&flags_of_hub, &of_hub)));
        (EventSignal { hub, news, flags }, inbox)
    }

    pub fn hub(&self) -> &Arc<EventHub> {
        &self.hub
    }

    fn send(&self, news: News) {
        if !self.news.send(news) {
            self.flags.has_lost.store(true, Ordering::Release);
        }
    }

    /// The Set is another one, or something plays. Called with the guard.
    pub fn landed(&self, landing: &Landing<'_>) {
        if !self.hub.is_heard() {
            return;
        }
        match landing {
            Landing::Changed(change) => self.send(News::Changed(Box::new(ChangedSet {
                before: change.before.clone(),
                after: change.after.clone(),
                revision: change.revision,
                step: change.step,
                way: change.way,
                label: change.label.clone(),
            }))),
            Landing::Replaced { revision } => self.send(News::Replaced { revision: Some(*revision) }),
            Landing::Played => _ = self.news.send(News::Look),
        }
    }

    pub fn answered(&self, call: &Arc<CallEntry>) {
        if self.hub.is_heard() {
            self.send(News::Answered(call.clone()));
        }
    }

    pub fn settings_changed(&self) {
        if self.hub.is_heard() && !self.flags.settings_changed.swap(true, Ordering::AcqRel) {
            self.news.send(News::Look);
        }
    }

    /// A job is further than before.
    pub fn jobs_changed(&self) {
        if self.hub.is_heard() && !self.flags.jobs_changed.swap(true, Ordering::AcqRel) {
            self.news.send(News::Look);
        }
    }

    /// Calls go to another Set from now on.
    pub fn host_changed(&self) {
        if self.hub.is_heard() {
            self.send(News::Replaced { revision: None });
        }
    }

    /// Something in Live was changed: by that call, or by who knows whom.
    pub fn changed_in_live(&self, by: Option<&StepLabel>) {
        if !self.hub.is_heard() {
            return;
        }
        match by {
            Some(label) => self.send(News::ChangedInLive(label.clone())),
            None if !self.flags.live_changed.swap(true, Ordering::AcqRel) => _ = self.news.send(News::Look),
            None => {}
        }
    }

    pub fn log(&self, level: LogLevel, text: &str) {
        if self.hub.is_heard() {
            self.send(News::Log(level, text.to_owned()));
        }
    }

    /// The thread is to end.
    pub fn close(&self) {
        self.flags.is_closed.store(true, Ordering::Release);
        self.news.send(News::Look);
    }

    pub fn is_closed(&self) -> bool {
        self.flags.is_closed.load(Ordering::Acquire)
    }

    /// Whether the settings changed since the last look.
    pub fn take_settings_changed(&self) -> bool {
        self.flags.settings_changed.swap(false, Ordering::AcqRel)
    }

    /// Whether a job was further since the last look.
    pub fn take_jobs_changed(&self) -> bool {
        self.flags.jobs_changed.swap(false, Ordering::AcqRel)
    }

    /// Whether something in Live became another since the last look, and no call says that it did it.
    pub fn take_live_changed(&self) -> bool {
        self.flags.live_changed.swap(false, Ordering::AcqRel)
    }

    /// Somebody new follows what plays, without a place among the readers.
    pub fn playback_follower_began(&self) {
        look_for_new(&self.flags, &self.news);
    }

    /// Whether somebody new follows since the last look.
    pub fn take_reader_began(&self) -> bool {
        self.flags.reader_began.swap(false, Ordering::AcqRel)
    }

    /// Whether there was no room for something since the last look.
    pub fn take_lost(&self) -> bool {
        self.flags.has_lost.swap(false, Ordering::AcqRel)
    }
}

/// Has what somebody new is to know be told.
fn look_for_new(flags: &Flags, news: &NewsSender<News>) {
    flags.reader_began.store(true, Ordering::Release);
    // A full inbox is looked at anyway.
    news.send(News::Look);
}
