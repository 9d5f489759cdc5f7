//! The housekeeper: one thread that opens the server (and tries again while another device has the port), follows changed
//! settings, and writes what is kept outside a host's project.

use super::backend::DeviceBackend;
use super::recovery::Identity;
use super::{Keeping, Offers, state};
use crate::http::{Options, Server, StartError, Stopped};
use crate::library::{IndexedFolder, kind::FileSource, normalized_path};
use crate::service::{Keeper, Service, Settings};
use crossbeam_channel::{Receiver, Sender, bounded};
use parking_lot::{Condvar, Mutex};
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long after a change the state is written; changes in between are written with it.
const WRITE_AFTER: Duration = Duration::from_millis(300);
/// How often a taken port is tried again.
const RETRY_PORT: Duration = Duration::from_millis(500);

/// How long after a failed write it is tried again.
const RETRY_WRITE: Duration = Duration::from_secs(5);

/// How long after a call the window is told of it; calls in between are told of with it.
const TELL_AFTER: Duration = Duration::from_millis(100);

/// Ends the reason of a device that waits for a port.
pub const RETRYING: &str = " Trying again until it is free.";

/// Something for the housekeeper to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    DocumentChanged,
    SettingsChanged,
    /// Calls were answered.
    Served,
    /// Another state was put in place.
    Loaded,
    /// The user took or turned down what a journal offered.
    OfferSettled,
    Stop,
}

/// Where the server listens, or why it does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerStatus {
    /// Not asked to listen yet.
    Off,
    Listening {
        port: u16,
    },
    /// The device tries again by itself.
    Waiting {
        why: String,
    },
}

/// Rings the housekeeper; never waits.
#[derive(Clone)]
pub(super) struct Bell {
    orders: Sender<Order>,
    news: Arc<dyn Fn() + Send + Sync>,
    /// The housekeeper knows already that there are calls to tell of.
    served: Arc<AtomicBool>,
}

impl Bell {
    pub fn ring(&self, order: Order) {
        // A full channel means that the housekeeper has plenty to look at already; it looks at everything each time.
        let _ = self.orders.try_send(order);
        (self.news)();
    }

    pub fn news(&self) {
        (self.news)();
    }

    /// A call was answered. Waking a thread each time would cost more than the call.
    pub fn served(&self) {
        if !self.served.swap(true, Ordering::AcqRel) && self.orders.try_send(Order::Served).is_err() {
            self.served.store(false, Ordering::Release);
        }
    }
}

pub(super) struct Housekeeper {
    orders: Sender<Order>,
    inbox: Receiver<Order>,
    status: Arc<(Mutex<ServerStatus>, Condvar)>,
    keeping: Keeping,
    identity: Arc<Mutex<Identity>>,
    offers: Arc<Offers>,
    port_override: Option<u16>,
    news: Arc<dyn Fn() + Send + Sync>,
    served: Arc<AtomicBool>,
    thread: Mutex<Option<JoinHandle<bool>>>,
}

impl Housekeeper {
    pub fn new(
        keeping: Keeping,
        identity: Arc<Mutex<Identity>>,
        offers: Arc<Offers>,
        port_override: Option<u16>,
        news: Box<dyn Fn() + Send + Sync>,
    ) -> Housekeeper {
        let (orders, inbox) = bounded(64);
        Housekeeper {
            orders,
            inbox,
            status: Arc::new((Mutex::new(ServerStatus::Off), Condvar::new())),
            keeping,
            identity,
            offers,
            port_override,
            news: Arc::from(news),
            served: Arc::default(),
            thread: Mutex::new(None),
        }
    }

    pub fn bell(&self) -> Bell {
        Bell { orders: self.orders.clone(), news: self.news.clone(), served: self.served.clone() }
    }

    pub fn status(&self) -> ServerStatus {
        self.status.0.lock().clone()
    }

    pub fn wait(&self, limit: Duration) -> ServerStatus {
        let end = Instant::now() + limit;
        let mut status = self.status.0.lock();
        while *status == ServerStatus::Off {
            if self.status.1.wait_until(&mut status, end).timed_out() {
                break;
            }
        }
        status.clone()
    }

    pub fn start(&self, backend: Arc<DeviceBackend>, service: Arc<Service>, keeper: Arc<Keeper>) -> Result<(), String> {
        let written = (keeper.committed().revision, service.settings());
        let round = Round {
            inbox: self.inbox.clone(),
            status: self.status.clone(),
            keeping: self.keeping.clone(),
            identity: self.identity.clone(),
            offers: self.offers.clone(),
            port_override: self.port_override,
            news: self.news.clone(),
            served: self.served.clone(),
            tell_at: None,
            backend,
            service,
            keeper,
            server: None,
            try_port_at: Some(Instant::now()),
            write_at: None,
            // A store is opened with what lies in it.
            written,
            write_failed: false,
            stopped_well: true,
        };
        let thread = std::thread::Builder::new().name("svc-keeper".to_owned()).spawn(move || round.run());
        *self.thread.lock() = Some(thread.map_err(|e| format!("cannot start a thread: {e}"))?);
        Ok(())
    }

    /// Stops the server and writes what is left to write. False when the server's thread would not end.
    pub fn stop(&self) -> bool {
        let Some(thread) = self.thread.lock().take() else { return true };
        // Waits at most for room in the inbox, which the thread makes.
        let _ = self.orders.send_timeout(Order::Stop, Duration::from_millis(500));
        let end = Instant::now() + Duration::from_millis(1000);
        while !thread.is_finished() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(1));
        }
        if thread.is_finished() {
            return thread.join().unwrap_or(true);
        }
        // It is left to run out; the caller keeps the library loaded.
        false
    }
}

/// The thread's own state.
struct Round {
    inbox: Receiver<Order>,
    status: Arc<(Mutex<ServerStatus>, Condvar)>,
    keeping: Keeping,
    identity: Arc<Mutex<Identity>>,
    offers: Arc<Offers>,
    port_override: Option<u16>,
    news: Arc<dyn Fn() + Send + Sync>,
    backend: Arc<DeviceBackend>,
    service: Arc<Service>,
    keeper: Arc<Keeper>,
    server: Option<(u16, Server)>,
    try_port_at: Option<Instant>,
    served: Arc<AtomicBool>,
    tell_at: Option<Instant>,
    write_at: Option<Instant>,
    /// The revision and the settings that lie in the store.
    written: (u64, Arc<Settings>),
    /// The last write failed, and the user was told.
    write_failed: bool,
    stopped_well: bool,
}

impl Round {
    fn run(mut self) -> bool {
        self.follow_folders();
        self.meet_project();
        loop {
            let now = Instant::now();
            if self.try_port_at.is_some_and(|at| at <= now) {
                self.open();
            }
            if self.write_at.is_some_and(|at| at <= now) {
                self.write();
            }
            if self.tell_at.is_some_and(|at| at <= now) {
                self.tell_at = None;
                self.served.store(false, Ordering::Release);
                (self.news)();
            }
            let next = [self.try_port_at, self.write_at, self.tell_at].into_iter().flatten().min();
            let order = match next {
                Some(at) => self.inbox.recv_deadline(at).ok(),
                None => self.inbox.recv().ok(),
            };
            match order {
                Some(Order::DocumentChanged) => self.write_soon(),
                Some(Order::SettingsChanged) => self.follow_settings(),
                Some(Order::Served) => self.tell_at = Some(Instant::now() + TELL_AFTER),
                Some(Order::Loaded) => self.look_for_journal(),
                Some(Order::OfferSettled) => self.forget_offer(),
                Some(Order::Stop) => break,
                None => {}
            }
        }
        // Before the server, which may take its time, and after it, as its last calls may have changed the Set.
        self.write_rest();
        self.close();
        self.write_rest();
        self.stopped_well
    }

    fn write_soon(&mut self) {
        if !matches!(self.keeping, Keeping::Nowhere) && self.write_at.is_none() {
            self.write_at = Some(Instant::now() + WRITE_AFTER);
        }
    }

    fn write_rest(&mut self) {
        if self.written != (self.keeper.committed().revision, self.service.settings()) {
            self.write();
        }
    }

    fn write(&mut self) {
        self.write_at = None;
        // What could not be read is not written over.
        if self.keeper.held().is_some() {
            return;
        }
        let (settings, committed) = (self.service.settings(), self.keeper.committed());
        let text = state_text(&self.service, &self.keeper, &self.identity);
        let written = match &self.keeping {
            Keeping::Nowhere => Ok(()),
            Keeping::File(store) => store.write(&text),
            Keeping::Journal(recovery) => {
                let id = self.identity.lock().id.clone();
                recovery.write(&id, &text)
            }
        };
        match written {
            Ok(()) => {
                self.written = (committed.revision, settings);
                self.write_failed = false;
            }
            Err(e) => {
                if !std::mem::replace(&mut self.write_failed, true) {
                    // Whoever reads stderr may be gone; that must not end this thread.
                    let _ = writeln!(std::io::stderr(), "svc-device: the Set could not be written: {e}. Trying again.");
                }
                self.write_at = Some(Instant::now() + RETRY_WRITE);
            }
        }
    }

    fn look_for_journal(&mut self) {
        // What was just loaded needs no journal until it changes.
        if matches!(self.keeping, Keeping::Journal(_)) {
            self.write_at = None;
            self.written = (self.keeper.committed().revision, self.service.settings());
        }
        let Keeping::Journal(recovery) = &self.keeping else { return };
        let identity = self.identity.lock().clone();
        let offer = recovery.offer(&identity.id, identity.base);
        let news = offer.is_some();
        *self.offers.open.lock() = offer;
        if news {
            (self.news)();
        }
    }

    fn forget_offer(&mut self) {
        let settled = self.offers.settled.lock().take();
        if let (Keeping::Journal(recovery), Some(offer)) = (&self.keeping, settled) {
            recovery.forget(&offer);
        }
    }

    /// The sample folder, then the folders that the user allowed beside it.
    fn follow_folders(&self) {
        let settings = self.service.settings();
        let root = |path: &String, source| IndexedFolder { path: normalized_path(path), source };
        let sample = Some(&settings.sample_folder).filter(|folder| !folder.is_empty());
        let sample = sample.map(|folder| root(folder, FileSource::SampleFolder));
        let others = settings.allowed_folders.iter().filter(|folder| !folder.is_empty());
        let roots = sample.into_iter().chain(others.map(|folder| root(folder, FileSource::User)));
        if let Err(why) = self.service.library().index_folders(roots.collect()) {
            // Whoever reads stderr may be gone; that must not end this thread.
            let _ = writeln!(std::io::stderr(), "svc-device: the sample folders are not indexed: {why}.");
        }
    }

    /// Before the first call: what killed devices left is cleared away, and a project that was opened without a context gets
    /// the one that lies beside it.
    fn meet_project(&self) {
        let store = self.service.user_store();
        store.remove_partial_writes();
        self.service.presets().remove_partial_writes();
        let Some(sidecar) = store.sidecar() else { return };
        match sidecar.opened(&self.service.settings().project_context) {
            Ok(None) => {}
            Ok(Some(context)) => self.service.restore_context(context),
            Err(remark) => self.remark(remark),
        }
    }

    fn follow_context(&self) {
        let sidecar = self.service.user_store().sidecar();
        if let Some(Err(remark)) = sidecar.map(|sidecar| sidecar.follow(&self.service.settings().project_context)) {
            self.remark(remark);
        }
    }

    fn remark(&self, remark: String) {
        // Whoever reads stderr may be gone; that must not end this thread.
        let _ = writeln!(std::io::stderr(), "svc-device: {remark}.");
        self.service.user_store().remark(remark);
    }

    fn follow_settings(&mut self) {
        self.follow_folders();
        self.follow_context();
        let wanted = self.wanted_port();
        if self.server.as_ref().is_none_or(|(asked, _)| *asked != wanted) {
            self.try_port_at = Some(Instant::now());
        }
        self.write_soon();
    }

    fn wanted_port(&self) -> u16 {
        self.port_override.unwrap_or_else(|| self.service.settings().port)
    }

    fn open(&mut self) {
        self.try_port_at = None;
        let wanted = self.wanted_port();
        let started = Server::start(self.backend.clone(), wanted, Options::from_environment());
        match started {
            Ok(server) => {
                // The old one goes only when the new one stands, so a bad port cuts nobody off.
                self.close();
                self.tell(ServerStatus::Listening { port: server.port() });
                self.server = Some((wanted, server));
            }
            Err(error) => {
                if self.server.is_none() {
                    let retry = match &error {
                        StartError::PortTaken(_) => RETRYING,
                        _ => "",
                    };
                    self.tell(ServerStatus::Waiting { why: format!("{error}.{retry}") });
                }
                self.try_port_at = Some(Instant::now() + RETRY_PORT);
            }
        }
    }

    fn close(&mut self) {
        if let Some((_, server)) = self.server.take() {
            self.stopped_well &= server.stop() == Stopped::Joined;
        }
    }

    fn tell(&self, status: ServerStatus) {
        let mut slot = self.status.0.lock();
        if *slot != status {
            *slot = status;
            drop(slot);
            self.status.1.notify_all();
            (self.news)();
        }
    }
}

/// The device's state as it would be saved now.
pub(super) fn state_text(service: &Service, keeper: &Keeper, identity: &Mutex<Identity>) -> String {
    let committed = keeper.committed();
    let identity = identity.lock().clone();
    state::save(&service.settings(), &committed.document, &identity.id, identity.revision(committed.revision))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::{Config, Device};
    use crate::service::pump::Turner;
    use crate::service::{CallRequest, ProfileHeaders};
    use crate::set::Document;

    #[test]
    fn many_calls_are_told_of_together() {
        let (told, news) = crossbeam_channel::unbounded();
        let (device, _engine) = Device::new(Config {
            instance: "test".to_owned(),
            settings: Settings::default(),
            document: Document::new_set(),
            own_clock: true,
            port_override: Some(0),
            keeping: Keeping::Nowhere,
            on_news: Box::new(move || {
                // The test has seen enough when nobody listens.
                let _ = told.send(());
            }),
        });
        device.start(Turner::ModelThread).unwrap();
        assert!(matches!(device.wait_for_server(Duration::from_secs(10)), ServerStatus::Listening { .. }));
        news.recv_timeout(Duration::from_secs(10)).expect("that it listens is news");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let call = || {
            let call = device.service.call(CallRequest {
                tool: "svc-read-live-set".to_owned(),
                arguments: Default::default(),
                headers: ProfileHeaders::default(),
                timeout: None,
                json: true,
                as_shown: false,
            });
            assert!(!runtime.block_on(call).unwrap().is_error);
        };
        let start = Instant::now();
        (0..200).for_each(|_| call());
        let meanwhile = news.try_iter().count() as u128;
        let most = 1 + start.elapsed().as_millis() / TELL_AFTER.as_millis();
        assert!(meanwhile <= most, "told {meanwhile} times, {most} are enough");
        call();
        news.recv_timeout(Duration::from_secs(10)).expect("the last call is told of too");
        assert_eq!(device.service.served(), 201);
    }
}
