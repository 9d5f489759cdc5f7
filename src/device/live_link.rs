//! Whose Set the tools work on: listens for the script in Live as the settings say, and decides which host takes calls.

use super::event_signal::LogLevel;
use super::live_desk::LiveDesk;
use super::notifier::{Event, Notifier};
use crate::live::bridge_file::{DeviceKind, NoBridgeFile};
use crate::live::{Bridge, BridgeNews, LinkState};
use crate::live_script::RunningScript;
use crate::service::Service;
use crate::service::embedded::EmbeddedSet;
use crate::service::hosts::HostChoice;
use crate::sound::control::SoundControl;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

/// A script that links while nobody has called for so long is taken at once; later a switch is offered.
const IDLE: Duration = Duration::from_secs(10);
/// How often it is looked whether another device of this process has gone, which drives Live.
const RETRY_BRIDGE: Duration = Duration::from_secs(2);

/// What it works with.
pub(super) struct LiveLinkParts {
    pub service: Arc<Service>,
    pub set: Arc<EmbeddedSet>,
    pub sound: Arc<SoundControl>,
    /// Is told which script runs.
    pub live_desk: Arc<LiveDesk>,
    pub notifier: Notifier,
    /// Where bridge files lie; without it Live cannot be linked.
    pub user_folder: Option<PathBuf>,
    pub kind: DeviceKind,
    /// Wanted by the command line, whatever the settings say.
    pub host_override: Option<HostChoice>,
}

/// See the [module](self).
pub(super) struct LiveLink {
    parts: LiveLinkParts,
    /// The choice that was followed last.
    followed: Option<HostChoice>,
    /// What the settings said at first.
    chosen_at_start: Option<HostChoice>,
    /// How many links there were when it was decided last.
    decided_links: u64,
    /// A switch was offered: from now on it is the user's to make.
    has_offered: bool,
    /// Which host was followed last.
    is_live: bool,
    retry_at: Option<Instant>,
}

impl LiveLink {
    pub fn new(parts: LiveLinkParts) -> LiveLink {
        LiveLink {
            parts,
            followed: None,
            chosen_at_start: None,
            decided_links: 0,
            has_offered: false,
            is_live: false,
            retry_at: None,
        }
    }

    /// When something is to be done that no event tells.
    pub fn due_at(&self) -> Option<Instant> {
        self.retry_at
    }

    /// Does what the settings and the link ask for now. `http_port`: where the device takes calls.
    pub fn follow(&mut self, http_port: Option<u16>) {
        let chosen = self.parts.service.settings().host_choice;
        if *self.chosen_at_start.get_or_insert(chosen) != chosen {
            // What is chosen while it runs is newer than the command line.
            self.parts.host_override = None;
        }
        let choice = self.parts.host_override.unwrap_or(chosen);
        let is_new = self.followed.replace(choice) != Some(choice);
        self.has_offered &= !is_new;
        self.listen(choice, http_port);
        let hosts = self.parts.service.hosts();
        let links = hosts.live().links();
        let has_linked = std::mem::replace(&mut self.decided_links, links) != links;
        let is_linked = hosts.live().is_linked();
        if has_linked {
            let running = hosts.live().status().hello;
            self.parts.live_desk.set_running(
                running.map(|hello| RunningScript { version: hello.script_version, source_hash: hello.source_hash }),
            );
        }
        let live = match choice {
            HostChoice::Embedded => false,
            HostChoice::Live => true,
            HostChoice::Auto if is_new => is_linked,
            HostChoice::Auto if hosts.is_live() => true,
            HostChoice::Auto if has_linked && is_linked => {
                self.has_offered |= self.parts.service.idle_for() < IDLE;
                !self.has_offered
            }
            HostChoice::Auto => false,
        };
        hosts.choose(live);
        if std::mem::replace(&mut self.is_live, live) != live {
            self.parts.set.set_silent(live);
            self.parts.sound.set_silenced(live);
            hosts.wake_embedded();
            self.parts.service.jobs().begin_project(hosts.current().set.generation());
            self.parts.notifier.host_changed();
        }
    }

    fn listen(&mut self, choice: HostChoice, http_port: Option<u16>) {
        let live = self.parts.service.hosts().live();
        let due = self.retry_at.is_some_and(|at| at <= Instant::now());
        if choice == HostChoice::Embedded {
            self.retry_at = None;
            live.set_bridge(Err("hostChoice is embedded: choose live or auto to work on Ableton Live".to_owned()));
            return;
        }
        if live.bridge().is_none() && (due || self.retry_at.is_none()) {
            let started = self.start();
            self.retry_at = started.is_err().then(|| Instant::now() + RETRY_BRIDGE);
            live.set_bridge(started.map(Arc::new));
        }
        if let (Some(bridge), Some(port)) = (live.bridge(), http_port) {
            // Without it only another device of this process says less.
            let _ = bridge.tell_http_port(port);
        }
    }

    fn start(&self) -> Result<Bridge, String> {
        let Some(folder) = &self.parts.user_folder else {
            return Err("Ableton Live cannot be linked: there is no folder for the user's files".to_owned());
        };
        let seen = AtomicU8::new(0);
        let (notifier, service) = (self.parts.notifier.clone(), Arc::downgrade(&self.parts.service));
        let on_news = move |news| {
            let Some(service) = service.upgrade() else { return };
            let live = service.hosts().live();
            if news == BridgeNews::Changed {
                live.was_changed(None);
                return;
            }
            // It comes at each beat of the script.
            let state = live.status().state;
            let (now, before) = (number(&state), seen.swap(number(&state), Ordering::AcqRel));
            if before != now {
                tell_of_link(&notifier, &state, before == LOST, service.hosts().is_live());
                notifier.send(Event::LinkChanged);
            }
        };
        let sets = self.parts.service.hosts().live().sets();
        Bridge::start(folder, self.parts.kind, sets, on_news).map_err(|why| match why {
            NoBridgeFile::Taken(_) => format!("{why}: use that one, or remove it"),
            NoBridgeFile::Io(_) => format!("Ableton Live cannot be linked: {why}"),
        })
    }
}

/// A link that calls need is lost, or was lost and is there again; or a script was refused.
fn tell_of_link(notifier: &Notifier, state: &LinkState, was_lost: bool, is_needed: bool) {
    match state {
        LinkState::Lost { .. } if is_needed => notifier.log(LogLevel::Warning, &state.sentence()),
        LinkState::Refused { .. } => notifier.log(LogLevel::Warning, &state.sentence()),
        LinkState::Linked { .. } if was_lost && is_needed => notifier.log(LogLevel::Info, &state.sentence()),
        _ => {}
    }
}

/// Of [`LinkState::Lost`].
const LOST: u8 = 6;

fn number(state: &LinkState) -> u8 {
    match state {
        LinkState::NotListening { .. } => 1,
        LinkState::NotSeen => 2,
        LinkState::Refused { .. } => 3,
        LinkState::Linked { .. } => 4,
        LinkState::Stalled { .. } => 5,
        LinkState::Lost { .. } => LOST,
    }
}

/// What counts the changes of the Set that the tools work on.
pub(super) fn revision(service: &Service, set: &EmbeddedSet) -> u64 {
    match service.hosts().is_live() {
        true => service.hosts().live().changes(),
        false => set.committed().revision,
    }
}

/// Whose Set the tools work on, for those who draw it.
pub(super) fn shown_host(service: &Service) -> Value {
    let hosts = service.hosts();
    let status = hosts.live().status();
    if !hosts.is_live() {
        return json!({
            "kind": "embedded",
            "name": "the Set inside this device",
            "version": service.emulated_live_version(),
            "isReachable": true,
            "showsSet": true,
            "reason": null,
        });
    }
    let is_linked = status.state.name() == "linked";
    let link = status.state.sentence();
    let reason = match is_linked {
        true => {
            format!("Tools work on the Set that is open in Ableton Live, which Live itself shows; its link: {link}")
        }
        // Whether a Set is open there, or a Live runs at all, is not known.
        false => format!("Tools are to work on a Set in Ableton Live, and reach none: {link}"),
    };
    json!({
        "kind": "live",
        "name": "Ableton Live",
        "version": status.hello.as_ref().map(|hello| &hello.live_version),
        "isReachable": is_linked,
        "showsSet": false,
        "reason": reason,
    })
}

/// What `/config` says of the hosts.
pub(super) fn status_json(service: &Service) -> Value {
    let hosts = service.hosts();
    let status = hosts.live().status();
    let hello = status.hello.as_ref();
    json!({
        "kind": if hosts.is_live() { "live" } else { "embedded" },
        "offer": service.host_offer(),
        "live": {
            "state": status.state.name(),
            "text": status.state.sentence(),
            "liveVersion": hello.map(|hello| &hello.live_version),
            "sourceHash": hello.map(|hello| &hello.source_hash),
            "scriptVersion": hello.map(|hello| &hello.script_version),
            "tick": hello.map(|hello| &hello.tick),
            "tickGapMs": status.beat.as_ref().map(|beat| beat.tick_gap_ms),
            "exchanges": status.exchanges,
        },
    })
}
