//! The hosts that a device has, each with the queue of its calls, and which of them takes the calls that come in now.
//!
//! Nothing above a [`Host`] asks which one it is. A call keeps the host that it came in for.

use super::live_host::LiveHost;
use super::pump::Pump;
use super::set_host::SetHost;
use arc_swap::ArcSwap;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A host of the Set, and the queue of the calls for it.
pub struct Host {
    pub set: Arc<dyn SetHost>,
    pub pump: Arc<Pump>,
}

/// Which host is to take calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum HostChoice {
    /// Live where its script is linked when the device starts, or comes while nobody calls; else the embedded Set.
    #[default]
    Auto,
    Embedded,
    Live,
}

impl HostChoice {
    pub const ALL: [HostChoice; 3] = [HostChoice::Auto, HostChoice::Embedded, HostChoice::Live];

    /// As settings and the command line write it.
    pub fn name(self) -> &'static str {
        match self {
            HostChoice::Auto => "auto",
            HostChoice::Embedded => "embedded",
            HostChoice::Live => "live",
        }
    }

    pub fn from_name(name: &str) -> Option<HostChoice> {
        HostChoice::ALL.into_iter().find(|choice| choice.name() == name)
    }
}

/// See the [module](self).
pub struct Hosts {
    embedded: Arc<Host>,
    live: Arc<Host>,
    live_host: Arc<LiveHost>,
    current: ArcSwap<Host>,
}

impl Hosts {
    /// Calls go to the embedded Set at first.
    pub fn new(set: Arc<dyn SetHost>, pump: Arc<Pump>) -> Hosts {
        let live_host = Arc::new(LiveHost::default());
        let live = Arc::new(Host { set: live_host.clone(), pump: Pump::new(live_host.clone()) });
        let embedded = Arc::new(Host { set, pump });
        Hosts { current: ArcSwap::from(embedded.clone()), embedded, live, live_host }
    }

    /// The host of a call that comes in now.
    pub fn current(&self) -> Arc<Host> {
        self.current.load_full()
    }

    pub fn is_live(&self) -> bool {
        Arc::ptr_eq(&self.current.load(), &self.live)
    }

    pub fn live(&self) -> &LiveHost {
        &self.live_host
    }

    /// The Set inside the device.
    pub fn embedded(&self) -> &Host {
        &self.embedded
    }

    /// The queue of the calls for Live; it has a thread of its own.
    pub fn live_pump(&self) -> &Arc<Pump> {
        &self.live.pump
    }

    /// Has calls go to Live, or to the embedded Set, from now on. True where that is another host than before.
    pub fn choose(&self, live: bool) -> bool {
        let next = if live { &self.live } else { &self.embedded };
        !Arc::ptr_eq(&self.current.swap(next.clone()), next)
    }

    /// Has what was announced to the embedded Set taken in, though it may be in use just now.
    pub fn wake_embedded(&self) {
        self.embedded.pump.wake_up();
    }
}
