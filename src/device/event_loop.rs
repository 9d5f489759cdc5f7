//! The thread that tells what happens to those who follow: it finds out what a commit changed, puts it into words, and
//! looks at what plays while somebody follows and something moves.
//!
//! It holds no guard and nobody waits for it. What comes first after a rest it tells at once; then it rests, and tells
//! what came meanwhile together, so that of many calls few wake it, or meet it at work. The audio thread leaves what
//! plays in atomics and wakes nobody, hence the look.

use super::backend::DeviceBackend;
use super::event_signal::{ChangedSet, EventSignal, News};
use super::latest_playback::LatestPlayback;
use super::live_link;
use super::news_inbox::NewsInbox;
use super::notifier::Notifier;
use super::paced::{Paced, time_left};
use super::told_jobs::ToldJobs;
use crate::events::{EventHub, Kind, Words};
use crate::http::Backend;
use crate::object_model::history::{StepLabel, StepWay};
use crate::service::Service;
use crate::service::Via;
use crate::service::call_log::CallEntry;
use crate::service::embedded::EmbeddedSet;
use crate::set::edit::set_changes;
use crate::set::{Document, SetState};
use crate::set_view::PlaybackView;
use crate::sound::control::SoundControl;
use crate::tools;
use crate::tools::history::told_commit::{MOST_LISTED, ToldCommit};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use svc_sound::mixer::Loudness;

/// For so long what happens is gathered, after something was told: a thousand changes a second are told a hundred
/// times, and whoever makes them wakes nobody in between.
const GATHERED: Duration = Duration::from_millis(10);
/// What plays is told at most thirty times a second.
const PACE: Duration = Duration::from_millis(34);
/// Windows show what plays at most twenty times a second.
const SHOWN_PACE: Duration = Duration::from_millis(50);
/// How often is looked whether a DAW has started, which tells nobody, while somebody follows.
const LOOK_AT_DAW: Duration = Duration::from_millis(100);
/// With more news than this waiting, commits are told without what they changed.
const MOST_BEHIND: usize = 256;
/// Commits that are kept until their calls are answered.
const MOST_TOLD: usize = 32;
/// Characters of a line of the log.
const MOST_LOG_CHARS: usize = 2_000;

/// What the thread works with.
pub(super) struct Parts {
    pub news: NewsInbox<News>,
    pub signal: EventSignal,
    pub set: Arc<EmbeddedSet>,
    pub service: Arc<Service>,
    pub backend: Arc<DeviceBackend>,
    pub sound: Arc<SoundControl>,
    /// What windows show of what plays.
    pub playback: Arc<LatestPlayback>,
    /// Has them draw it.
    pub notifier: Notifier,
}

pub(super) fn start(parts: Parts) -> std::io::Result<JoinHandle<()>> {
    let running = Running {
        hub: parts.signal.hub().clone(),
        parts,
        told: VecDeque::new(),
        last_playback: None,
        looked_at: None,
        is_look_due: false,
        moves: false,
        loudness: None,
        settings: Paced::default(),
        last_settings: String::new(),
        jobs: ToldJobs::default(),
        live: Paced::default(),
        shown: Paced::every(SHOWN_PACE),
    };
    std::thread::Builder::new().name("svc-events".to_owned()).spawn(move || running.run())
}

/// The thread's own state.
struct Running {
    parts: Parts,
    hub: Arc<EventHub>,
    /// What the last commits changed, each by where it led in the history, for the calls that made them.
    told: VecDeque<(StepWay, ToldCommit)>,
    last_playback: Option<Arc<PlaybackView>>,
    looked_at: Option<Instant>,
    is_look_due: bool,
    /// What plays will be otherwise in a moment.
    moves: bool,
    loudness: Option<Arc<Loudness>>,
    settings: Paced,
    last_settings: String,
    jobs: ToldJobs,
    /// Something in Live.
    live: Paced,
    /// What plays, in windows.
    shown: Paced,
}

impl Running {
    fn run(mut self) {
        while !self.parts.signal.is_closed() {
            let news = self.parts.news.receive(self.look_in());
            let is_news = news.is_some();
            if let Some(news) = news {
                self.tell_with_what_waits(news);
            }
            let now = Instant::now();
            self.is_look_due = true;
            if self.parts.signal.take_lost() {
                self.hub.lose();
            }
            let is_new = self.parts.signal.take_reader_began();
            if is_new {
                // What it was told last is nothing that this reader was told.
                self.last_settings.clear();
                self.jobs.forget_under_way();
            }
            self.tell_settings(now);
            self.jobs.pace.note(self.parts.signal.take_jobs_changed());
            self.jobs.tell(&self.hub, self.parts.service.jobs(), now);
            self.tell_live(now);
            self.look(is_new, now);
            self.hub.announce();
            if self.shown.take(now) {
                self.parts.notifier.changed();
            }
            if is_news {
                // What plays is told in its own time.
                std::thread::sleep(self.look_in().map_or(GATHERED, |wait| wait.min(GATHERED)));
            }
        }
    }

    /// Tells it and what came behind it, for as long as it would be gathered.
    fn tell_with_what_waits(&mut self, first: News) {
        let begun = Instant::now();
        let mut next = Some(first);
        while let Some(news) = next {
            self.tell(news);
            next = if begun.elapsed() < GATHERED { self.parts.news.at_once() } else { None };
        }
    }

    /// When what plays is to be looked at again; `None`: when something happens.
    fn look_in(&self) -> Option<Duration> {
        if !self.hub.has_readers() {
            return None;
        }
        let paced = [&self.settings, &self.live, &self.jobs.pace, &self.shown].map(Paced::due_in);
        paced.into_iter().chain([self.playback_in()]).flatten().min()
    }

    /// Whether anybody is told what plays, or shows it.
    fn is_playback_followed(&self) -> bool {
        self.hub.has_playback_readers() || self.parts.playback.is_followed()
    }

    /// How often what plays is looked at while it moves.
    fn pace(&self) -> Duration {
        if self.hub.has_playback_readers() { PACE } else { SHOWN_PACE }
    }

    fn playback_in(&self) -> Option<Duration> {
        if !self.is_playback_followed() {
            return None;
        }
        let own_clock = || self.parts.set.state().runtime.own_clock;
        let is_due = self.is_look_due || self.moves;
        let pace = look_every(self.parts.service.hosts().is_live(), is_due, self.pace(), own_clock);
        pace.map(|pace| time_left(self.looked_at, pace))
    }

    /// Tells the settings where they are other ones, a few times a second at most: with them goes how far the index of
    /// the samples is.
    fn tell_settings(&mut self, now: Instant) {
        self.settings.note(self.parts.signal.take_settings_changed());
        if !self.settings.take(now) {
            return;
        }
        let text = self.parts.backend.config().to_string();
        if text != self.last_settings {
            self.hub.put(Kind::Settings, text.clone());
            self.last_settings = text;
        }
    }

    /// Tells that something in Live became another, where no call says that it did it: by hand there, or in the wake of
    /// a call.
    fn tell_live(&mut self, now: Instant) {
        self.live.note(self.parts.signal.take_live_changed());
        if self.live.take(now) && self.parts.service.hosts().is_live() {
            self.tell_to_read_anew(None, "something in Live was changed", None);
        }
    }

    /// Tells that the Set is another, without what is other in it.
    fn tell_to_read_anew(&self, revision: Option<u64>, label: &str, by: Option<&StepLabel>) {
        let revision = revision.unwrap_or_else(|| live_link::revision(&self.parts.service, &self.parts.set));
        let event = json!({
            "revision": revision,
            "tool": by.map(|by| &*by.tool),
            "label": label,
            "who": by.map_or(Via::Host, |by| by.who.via).name(),
            "client": by.map_or("", |by| &*by.who.name),
            "historyStep": null,
            "changed": [],
            "readAnew": true,
        });
        self.hub.put(Kind::Set, event.to_string());
    }

    /// Tells what plays, if it is otherwise than at the last look, or somebody new follows.
    fn look(&mut self, is_new: bool, now: Instant) {
        if !self.is_playback_followed() {
            (self.is_look_due, self.moves, self.loudness) = (false, false, None);
            return;
        }
        let is_early = self.looked_at.is_some_and(|at| now.saturating_duration_since(at) < self.pace());
        if self.parts.service.hosts().is_live() || !self.is_look_due || is_early && !is_new {
            return;
        }
        (self.looked_at, self.is_look_due) = (Some(now), false);
        let mut view = PlaybackView::of(&self.parts.set.snapshot().0, self.parts.sound.is_heard());
        view.lufs = self.lufs();
        self.moves = view.moves();
        if is_new || self.last_playback.as_deref() != Some(&view) {
            let view = Arc::new(view);
            self.last_playback = Some(view.clone());
            if self.parts.playback.is_followed() {
                self.parts.playback.put(view.clone());
                self.shown.note(true);
            }
            if self.hub.has_playback_readers() {
                self.hub.put(Kind::Playback, Words::when_read(move || written(&view)));
            }
        }
    }

    /// How loud the main output was in the last three seconds. It is measured from the first time that this is asked
    /// until nobody follows any more.
    fn lufs(&mut self) -> Option<f64> {
        if !self.parts.sound.is_heard() {
            self.loudness = None;
            return None;
        }
        if self.loudness.is_none() {
            self.loudness = self.parts.sound.loudness();
        }
        let lufs = f64::from(self.loudness.as_ref()?.short_term());
        lufs.is_finite().then(|| (lufs * 10.0).round() / 10.0)
    }

    fn tell(&mut self, news: News) {
        match news {
            News::Changed(change) => self.tell_change(*change),
            News::Replaced { revision } => self.tell_to_read_anew(revision, "another Set is there", None),
            News::ChangedInLive(label) => {
                let tool = tools::registry::all().iter().find(|tool| tool.name == &*label.tool);
                let title = tool.map_or(&*label.tool, |tool| tool.title);
                self.tell_to_read_anew(None, &format!("{title} in Live"), Some(&label));
            }
            News::Answered(call) => self.tell_call(&call),
            News::Log(level, text) => {
                let event = json!({ "level": level.name(), "text": cut(&text) });
                self.hub.put(Kind::Log, event.to_string());
            }
            News::Look => {}
        }
    }

    fn tell_change(&mut self, change: ChangedSet) {
        let ChangedSet { before, after, revision, step, way, label } = change;
        // Who is behind does without what takes long.
        let told = if self.parts.news.waiting() > MOST_BEHIND { None } else { told(before, after) };
        let event = json!({
            "revision": revision,
            "tool": &*label.tool,
            "label": told.as_ref().map_or("", |told| &told.line),
            "who": label.who.via.name(),
            "client": &*label.who.name,
            "historyStep": step,
            "changed": told.as_ref().map_or(&[][..], |told| &told.changed),
            "readAnew": told.as_ref().is_none_or(|told| told.more > 0),
        });
        self.hub.put(Kind::Set, event.to_string());
        if let Some(commit) = way.zip(told) {
            if self.told.len() >= MOST_TOLD {
                self.told.pop_front();
            }
            self.told.push_back(commit);
        }
    }

    fn tell_call(&mut self, call: &CallEntry) {
        let of_call = call.way().and_then(|way| self.told.iter().position(|(other, _)| *other == way));
        match of_call.and_then(|at| self.told.remove(at)) {
            Some((_, told)) => call.tell(told),
            None => self.parts.service.tell(call),
        }
        let event: Value = call.to_json();
        self.hub.put(Kind::Call, event.to_string());
    }
}

fn written(view: &PlaybackView) -> String {
    // Numbers and short texts: there is nothing in it that cannot be written.
    serde_json::to_string(view).unwrap_or_else(|_| Value::Null.to_string())
}

/// How often what plays is looked at, `pace` where it moves; `None`: when something happens. Nothing is told of what
/// plays in Live.
fn look_every(is_live: bool, is_due: bool, pace: Duration, own_clock: impl FnOnce() -> bool) -> Option<Duration> {
    match is_live {
        true => None,
        false if is_due => Some(pace),
        false => (!own_clock()).then_some(LOOK_AT_DAW),
    }
}

/// A line of the log, of bounded length.
fn cut(text: &str) -> &str {
    text.char_indices().nth(MOST_LOG_CHARS).map_or(text, |(at, _)| text.get(..at).unwrap_or(text))
}

fn told(before: Document, after: Document) -> Option<ToldCommit> {
    let changes = set_changes::between(&before, &after, MOST_LISTED, &mut |_| Ok(())).ok()?;
    let (before, after) = (SetState::from_document(before), SetState::from_document(after));
    ToldCommit::of(&before, &after, &changes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_plays_is_looked_at_only_where_it_is_told() {
        for (is_live, is_due, own_clock, expected) in [
            (false, true, true, Some(PACE)),
            (false, true, false, Some(PACE)),
            (false, false, true, None),
            (false, false, false, Some(LOOK_AT_DAW)),
            // A look that is never made must not be waited for: the thread would not rest.
            (true, true, true, None),
            (true, true, false, None),
            (true, false, false, None),
        ] {
            assert_eq!(look_every(is_live, is_due, PACE, || own_clock), expected, "{is_live} {is_due} {own_clock}");
        }
    }
}
