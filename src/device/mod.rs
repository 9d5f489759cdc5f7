//! A running device: the Set and its key, the pump, the service, the server, and the housekeeper that looks after them.
//!
//! The plugin and the standalone binary are two faces of this one thing. Life: [`Device::new`] opens nothing;
//! [`Device::start`] opens the server; dropping (or [`Device::stop`]) answers every call, closes every socket and joins
//! every thread, within half a second each.

mod backend;
mod housekeeper;
pub mod recovery;
pub mod state;
pub mod store;

pub use housekeeper::{RETRYING, ServerStatus};

use crate::library::Library;
use crate::playback::{Engine, channel};
use crate::service::keeper::{Held, Keeper};
use crate::service::pump::{Pump, PumpThread, Turner};
use crate::service::{Hooks, Service, Settings};
use crate::set::{Document, SetState};
use crate::user_store::{Presets, UserStore};
use backend::DeviceBackend;
use housekeeper::{Housekeeper, Order};
use parking_lot::Mutex;
use recovery::{Identity, Offer, Recovery};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use store::Store;

/// How long a thread may take to end once it was told to.
const STOP_LIMIT: Duration = Duration::from_millis(500);

/// What a device is made with.
pub struct Config {
    /// How the device calls itself, such as `standalone, process 4711`.
    pub instance: String,
    pub settings: Settings,
    pub document: Document,
    /// The Set's own clock leads whatever the settings say: there is no host.
    pub own_clock: bool,
    /// Listen on this port instead of the one in the settings; not saved.
    pub port_override: Option<u16>,
    /// Where changes are kept outside a host's project.
    pub keeping: Keeping,
    /// Something a window shows has changed.
    pub on_news: Box<dyn Fn() + Send + Sync>,
}

/// Where changes go that no host saves.
#[derive(Clone, Debug)]
pub enum Keeping {
    Nowhere,
    /// A state file of the device's own.
    File(Store),
    /// A journal beside the host's project.
    Journal(Recovery),
}

impl Keeping {
    /// The folder of the project, where it is known: no plugin format tells a plugin.
    fn project_folder(&self) -> Option<&Path> {
        match self {
            Keeping::File(store) => store.project_folder(),
            Keeping::Nowhere | Keeping::Journal(_) => None,
        }
    }

    /// The folder of what belongs to the user across Sets.
    fn user_folder(&self) -> Option<&Path> {
        match self {
            Keeping::Nowhere => None,
            Keeping::File(store) => Some(store.folder()),
            Keeping::Journal(recovery) => recovery.user_folder(),
        }
    }
}

/// What a journal offers, and what of it is to be forgotten.
#[derive(Default)]
struct Offers {
    open: Mutex<Option<Offer>>,
    settled: Mutex<Option<Offer>>,
}

/// A device. Shared between its faces; the last one out stops it.
pub struct Device {
    pub service: Arc<Service>,
    pub keeper: Arc<Keeper>,
    pub pump: Arc<Pump>,
    housekeeper: Housekeeper,
    pump_thread: Mutex<Option<PumpThread>>,
    always_own_clock: bool,
    identity: Arc<Mutex<Identity>>,
    offers: Arc<Offers>,
    stopped: AtomicBool,
}

impl Device {
    /// A device that listens nowhere yet, and the engine that plays its Set.
    pub fn new(config: Config) -> (Arc<Device>, Engine) {
        let (publisher, engine) = channel();
        let identity = Arc::new(Mutex::new(Identity::fresh()));
        let offers = Arc::new(Offers::default());
        let clock = publisher.clock().clone();
        let set = SetState::new(config.document, clock, config.own_clock || config.settings.own_clock);
        let user_folder = config.keeping.user_folder().map(Path::to_owned);
        let project_folder = config.keeping.project_folder().map(Path::to_owned);
        let housekeeper =
            Housekeeper::new(config.keeping, identity.clone(), offers.clone(), config.port_override, config.on_news);
        let changed = housekeeper.bell();
        let keeper = Arc::new(Keeper::new(set, publisher, Box::new(move || changed.ring(Order::DocumentChanged))));
        let pump = Pump::new(keeper.clone());
        let settings_bell = housekeeper.bell();
        let (keeper_of_clock, pump_of_clock) = (keeper.clone(), pump.clone());
        let served_bell = housekeeper.bell();
        let library_bell = housekeeper.bell();
        let library = Library::new(user_folder.as_deref(), Box::new(move || library_bell.news()));
        let hooks = Hooks {
            library: Arc::new(library),
            presets: Presets::new(user_folder.clone()),
            user_store: Arc::new(UserStore::new(user_folder, project_folder)),
            on_settings: Box::new(move |settings| {
                if !config.own_clock {
                    keeper_of_clock.set_own_clock(settings.own_clock);
                    // Should the key be with somebody else just now.
                    pump_of_clock.wake_up();
                }
                settings_bell.ring(Order::SettingsChanged);
            }),
            on_served: Box::new(move || served_bell.served()),
        };
        let service = Arc::new(Service::new(config.settings, config.instance, keeper.clone(), pump.clone(), hooks));
        let device = Device {
            service,
            keeper,
            pump,
            housekeeper,
            pump_thread: Mutex::new(None),
            always_own_clock: config.own_clock,
            identity,
            offers,
            stopped: AtomicBool::new(false),
        };
        (Arc::new(device), engine)
    }

    /// Starts the pump's thread and the server. Called again, it does nothing.
    pub fn start(self: &Arc<Self>, turner: Turner) -> Result<(), String> {
        let mut pump_thread = self.pump_thread.lock();
        if pump_thread.is_some() || self.stopped.load(Ordering::Acquire) {
            return Ok(());
        }
        self.service.start()?;
        let failed = |e: std::io::Error| format!("cannot start a thread: {e}");
        *pump_thread = Some(PumpThread::start(self.pump.clone(), turner).map_err(failed)?);
        let backend = Arc::new(DeviceBackend::new(self));
        self.housekeeper.start(backend, self.service.clone(), self.keeper.clone())
    }

    /// The index of the user's sample folders; its progress is for a window to show.
    pub fn library(&self) -> &Library {
        self.service.library()
    }

    /// Where the server listens, or why it does not.
    pub fn server_status(&self) -> ServerStatus {
        self.housekeeper.status()
    }

    /// Waits until the server listens or cannot; for faces of our own, never on a host's thread.
    pub fn wait_for_server(&self, limit: Duration) -> ServerStatus {
        self.housekeeper.wait(limit)
    }

    /// Whether a DAW holds the device: its transport may lead and its project saves the Set.
    pub fn in_host(&self) -> bool {
        !self.always_own_clock
    }

    /// What to save with a project.
    pub fn save_state(&self) -> String {
        match self.keeper.held() {
            Some(held) => held.text,
            None => housekeeper::state_text(&self.service, &self.keeper, &self.identity),
        }
    }

    /// Puts a saved state in place. One that cannot be read is kept as it is: the device goes on working, takes no writes,
    /// and gives the text back when it is saved.
    pub fn load_state(&self, text: &str) {
        match state::load(text) {
            Ok(loaded) => {
                self.service.set_settings(loaded.settings);
                self.keeper.replace(loaded.document);
                self.become_set(&loaded.id, loaded.revision);
            }
            Err(error) => {
                let why = format!(
                    "{error}. Reading works; to write, start fresh (in the device's window, or POST /config {{\"startFresh\": true}})"
                );
                self.keeper.hold(Held { text: text.to_owned(), why });
            }
        }
        self.pump.wake_up();
        self.housekeeper.bell().news();
    }

    /// Takes the identity of what was loaded, and has the housekeeper look whether its journal has gone further: the disk is
    /// not for a host's thread.
    fn become_set(&self, id: &str, revision: u64) {
        let now = self.keeper.committed().revision;
        let mut identity = self.identity.lock();
        identity.release();
        *identity = Identity::claim(id, revision, now);
        drop(identity);
        *self.offers.open.lock() = None;
        self.housekeeper.bell().ring(Order::Loaded);
    }

    /// Changes that a journal holds and the loaded project does not.
    pub fn recovery_offer(&self) -> Option<u64> {
        self.offers.open.lock().as_ref().map(|offer| offer.changes)
    }

    /// Takes what the journal offers, or turns it down; false when nothing is offered.
    pub fn settle_recovery(&self, take: bool) -> bool {
        let Some(offer) = self.offers.open.lock().take() else { return false };
        let text = offer.text.clone();
        *self.offers.settled.lock() = Some(offer);
        if take {
            self.load_state(&text);
        }
        self.housekeeper.bell().ring(Order::OfferSettled);
        true
    }

    /// Drops a state that could not be read and goes on with the Set at hand.
    pub fn start_fresh(&self) {
        if self.keeper.held().is_some() {
            let document = self.keeper.committed().document.clone();
            self.keeper.replace(document);
            self.pump.wake_up();
            self.housekeeper.bell().news();
        }
    }

    /// Answers every call, closes every socket, joins every thread. Gives false when a thread could not be joined in
    /// time; the library must then stay loaded.
    pub fn stop(&self) -> bool {
        if self.stopped.swap(true, Ordering::AcqRel) {
            return true;
        }
        // Told first: it may be in the middle of a file.
        let mut threads: Vec<JoinHandle<()>> = self.service.library().stop().into_iter().collect();
        if let Some(mut pump) = self.pump_thread.lock().take() {
            threads.extend(pump.stop());
        }
        let server_ended = self.housekeeper.stop();
        self.identity.lock().release();
        threads.extend(self.service.stop_workers());
        join_all(threads, STOP_LIMIT) && server_ended
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Joins threads that were told to end; false when the time ran out with one still running.
fn join_all(threads: Vec<JoinHandle<()>>, limit: Duration) -> bool {
    let end = Instant::now() + limit;
    let me = std::thread::current().id();
    let mut all = true;
    for thread in threads.into_iter().filter(|thread| thread.thread().id() != me) {
        // The standard library joins without a limit, so the end of the thread is watched for first.
        while !thread.is_finished() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(1));
        }
        if thread.is_finished() {
            // A panic was told where it happened.
            let _ = thread.join();
        } else {
            all = false;
        }
    }
    all
}
