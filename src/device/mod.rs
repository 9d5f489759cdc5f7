//! A running device: the Set, the pump, the service, the server, and the supervisor that looks after them.
//!
//! The plugin and the standalone binary are two users of this one thing. Life: [`Device::new`] opens nothing;
//! [`Device::start`] opens the server; dropping (or [`Device::stop`]) answers every call, closes every socket and joins
//! every thread, within half a second each; a state file of the device's own is waited for.

mod backend;
pub mod change_log;
mod collected_samples;
pub mod compared_sets;
mod event_loop;
mod event_signal;
pub mod file_desk;
pub mod file_lock;
mod file_saver;
mod followed_settings;
mod indexed_folders;
mod journal_writer;
mod json_meter;
pub mod latest_playback;
pub mod linted_set;
pub mod live_desk;
mod live_link;
pub mod live_setup;
mod matched_sets;
mod news_inbox;
mod notifier;
mod paced;
pub mod packed_state;
mod persistence;
mod project_state;
pub mod recovery;
mod renderer;
mod save_loop;
mod save_signal;
mod server_status;
pub mod set_files;
mod sound_loop;
pub mod state;
pub mod state_file;
mod supervisor;
mod token_keeper;
mod told_jobs;
mod watched_file;

pub use persistence::Persistence;
pub use project_state::ProjectState;
pub use server_status::{RETRYING, ServerStatus};

use crate::events::EventHub;
use crate::library::Library;
use crate::live::bridge_file::DeviceKind;
use crate::live_script::Places;
use crate::playback::channel;
use crate::service::embedded::{EmbeddedSet, Landing};
use crate::service::hosts::HostChoice;
use crate::service::pump::{Pump, PumpThread, SliceThread};
use crate::service::save_status::SaveStatus;
use crate::service::{Service, ServiceDeps, Settings};
use crate::set::{Document, SetState};
use crate::sound::control::SoundControl;
use crate::sound::output_status::SoundWay;
use crate::sound::player::{self, Player, PlayerParts};
use crate::sound::publisher::PlanPublisher;
use crate::sound::samples::SampleCache;
use crate::tools::request::TransferFolders;
use crate::transfers::Transfers;
use crate::user_store::{Grants, Presets, UserStore, WrittenFiles};
use backend::DeviceBackend;
use crossbeam_channel::Receiver;
use event_signal::{EventSignal, News};
use file_desk::FileDesk;
use file_saver::FileSaver;
use followed_settings::FollowedSettings;
use journal_writer::JournalWriter;
use latest_playback::LatestPlayback;
use live_desk::LiveDesk;
use live_link::{LiveLink, LiveLinkParts};
use live_setup::LiveSetup;
use news_inbox::NewsInbox;
use notifier::{Event, Notifier};
use parking_lot::Mutex;
use server_status::StatusCell;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use supervisor::Supervisor;

/// How long a thread may take to end once it was asked to.
const STOP_LIMIT: Duration = Duration::from_millis(500);

/// What a device is made with.
pub struct Config {
    /// How the device calls itself, such as `standalone, process 4711`.
    pub instance: String,
    pub settings: Settings,
    pub document: Document,
    /// The Set's own clock leads whatever the settings say: there is no plugin host.
    pub own_clock: bool,
    /// Listen on this port instead of the one in the settings; not saved.
    pub port_override: Option<u16>,
    /// Work on this host's Set, whatever the settings say; not saved.
    pub host_override: Option<HostChoice>,
    /// Where changes are kept outside a plugin host's project.
    pub persistence: Persistence,
    /// Called when something changed that a window shows. Must not wait.
    pub on_change: Box<dyn Fn() + Send + Sync>,
}

#[cfg(test)]
impl Config {
    /// A new Set with a clock of its own, on a free port.
    fn of_test(persistence: Persistence, on_change: impl Fn() + Send + Sync + 'static) -> Config {
        Config {
            instance: "test".to_owned(),
            settings: Settings::default(),
            document: Document::new_set(),
            own_clock: true,
            port_override: Some(0),
            host_override: None,
            persistence,
            on_change: Box::new(on_change),
        }
    }
}

/// A device. Shared by whoever plays, shows or saves it; the last one out stops it.
pub struct Device {
    pub service: Arc<Service>,
    pub set: Arc<EmbeddedSet>,
    pub pump: Arc<Pump>,
    pub project: Arc<ProjectState>,
    /// The script for Ableton Live on this user's disk.
    pub live_desk: Arc<LiveDesk>,
    /// What is heard of the Set, and by which way.
    pub sound: Arc<SoundControl>,
    samples: Arc<SampleCache>,
    transfers: Option<Arc<Transfers>>,
    /// Until the thread that makes plans has them.
    plans: Mutex<Option<(PlanPublisher, Receiver<()>)>>,
    sound_thread: Mutex<Option<JoinHandle<()>>>,
    event_signal: EventSignal,
    playback: Arc<LatestPlayback>,
    /// Until the thread that tells of events has it.
    news: Mutex<Option<NewsInbox<News>>>,
    event_thread: Mutex<Option<JoinHandle<()>>>,
    /// Sets in files, as the window asks for them.
    pub file_desk: FileDesk,
    status: Arc<StatusCell>,
    followed: Arc<FollowedSettings>,
    persistence: Persistence,
    port_override: Option<u16>,
    host_override: Option<HostChoice>,
    notifier: Notifier,
    inbox: Receiver<Event>,
    supervisor: Supervisor,
    saver: FileSaver,
    pump_thread: Mutex<Option<PumpThread>>,
    live_thread: Mutex<Option<PumpThread>>,
    always_own_clock: bool,
    stopped: AtomicBool,
}

impl Device {
    /// A device that listens nowhere yet, and who plays its Set.
    pub fn new(mut config: Config) -> (Arc<Device>, Player) {
        // A file of before there was sound: what is new is not doubled by anything here.
        config.settings.sound.get_or_insert(config.own_clock);
        let (publisher, engine) = channel();
        let (event_signal, news) = EventSignal::new();
        let (notifier, inbox) = Notifier::new(config.on_change, event_signal.clone());
        let of_playback = event_signal.clone();
        let playback = LatestPlayback::new(Box::new(move || of_playback.playback_follower_began()));
        let clock = publisher.clock().clone();
        let own_clock = config.own_clock || config.settings.own_clock;
        let state = SetState::new(config.document, clock.clone(), own_clock);
        let (sound, rings) = SoundControl::new();
        follow_sound_settings(&sound, &config.settings);
        if !config.own_clock {
            sound.output.set(SoundWay::Host);
        }
        let of_sound = notifier.clone();
        sound.output.tell_by(Box::new(move || of_sound.status_changed()));
        let (plans, player) = player::channel(PlayerParts {
            engine,
            clock,
            keyboard_tracks: state.runtime.keyboard_tracks.clone(),
            levels: state.runtime.levels.clone(),
            control: sound.clone(),
        });
        let save_status = Arc::new(SaveStatus::default());
        let saver = FileSaver::new(save_status.clone(), matches!(config.persistence, Persistence::File(_)));
        let on_landing = {
            let (notifier, saver, sound) = (notifier.clone(), saver.signal(), sound.clone());
            let event_signal = event_signal.clone();
            Box::new(move |landing: Landing<'_>| {
                event_signal.landed(&landing);
                if !matches!(landing, Landing::Played) {
                    saver.changed();
                    sound.changed();
                    notifier.document_changed();
                }
            })
        };
        let set = Arc::new(EmbeddedSet::new(state, publisher, on_landing));
        let samples = Arc::new(SampleCache::telling(set.sample_faults().clone()));
        let pump = Pump::new(set.clone());
        let followed = Arc::new(FollowedSettings::new());
        let on_settings = {
            let (set, pump, notifier, saver) = (set.clone(), pump.clone(), notifier.clone(), saver.signal());
            let sound = sound.clone();
            let always_own_clock = config.own_clock;
            let followed = followed.clone();
            Box::new(move |settings: &Settings| {
                followed.changed();
                follow_sound_settings(&sound, settings);
                if !always_own_clock {
                    set.set_own_clock(settings.own_clock);
                    // The Set may be in use just now: then the pump's thread puts it in place.
                    pump.wake_up();
                }
                saver.changed();
                notifier.send(Event::SettingsChanged);
            })
        };
        let transfers = config.persistence.user_folder().map(Transfers::new);
        let files = FileParts { samples: &samples, transfers: &transfers };
        let deps = service_deps(&config.persistence, save_status, files, &notifier, &event_signal, on_settings);
        let service = Service::new(config.settings, config.instance, set.clone(), pump.clone(), deps);
        let service = Arc::new(service);
        let grants = Grants::new(config.persistence.user_folder().map(Path::to_owned));
        let is_own = config.persistence.is_own();
        let user_folder = config.persistence.user_folder().map(Path::to_owned);
        let of_live = event_signal.clone();
        service.hosts().live().tell_changes(Box::new(move |by| of_live.changed_in_live(by)));
        let live_desk = LiveDesk::new(LiveSetup::new(user_folder, Places::of_this_machine()), notifier.clone());
        let project = ProjectState::new(service.clone(), set.clone(), pump.clone(), notifier.clone(), grants, is_own);
        let device = Device {
            file_desk: FileDesk::new(service.clone(), notifier.clone()),
            service,
            set,
            pump,
            project: Arc::new(project),
            live_desk: Arc::new(live_desk),
            sound,
            samples,
            transfers,
            plans: Mutex::new(Some((plans, rings))),
            sound_thread: Mutex::new(None),
            event_signal,
            playback,
            news: Mutex::new(Some(news)),
            event_thread: Mutex::new(None),
            status: Arc::new(StatusCell::new()),
            followed,
            persistence: config.persistence,
            port_override: config.port_override,
            host_override: config.host_override,
            supervisor: Supervisor::new(notifier.clone()),
            saver,
            notifier,
            inbox,
            pump_thread: Mutex::new(None),
            live_thread: Mutex::new(None),
            always_own_clock: config.own_clock,
            stopped: AtomicBool::new(false),
        };
        (Arc::new(device), player)
    }

    /// Starts the pump's thread and the server. Called again, it does nothing.
    pub fn start(&self, slice_thread: SliceThread) -> Result<(), String> {
        let mut pump_thread = self.pump_thread.lock();
        if pump_thread.is_some() || self.stopped.load(Ordering::Acquire) {
            return Ok(());
        }
        self.service.start()?;
        let failed = |e: std::io::Error| format!("cannot start a thread: {e}");
        *pump_thread = Some(PumpThread::start(self.pump.clone(), slice_thread).map_err(failed)?);
        let live_pump = self.service.hosts().live_pump().clone();
        *self.live_thread.lock() = Some(PumpThread::start(live_pump, SliceThread::Model).map_err(failed)?);
        let (service, set, project) = (self.service.clone(), self.set.clone(), self.project.clone());
        if let Some((publisher, rings)) = self.plans.lock().take() {
            let thread = sound_loop::start(sound_loop::Parts {
                publisher,
                control: self.sound.clone(),
                rings,
                set: set.clone(),
                service: service.clone(),
                samples: self.samples.clone(),
                project_folder: self.persistence.project_folder().map(Path::to_owned),
            });
            *self.sound_thread.lock() = Some(thread.map_err(failed)?);
        }
        if let Persistence::File(file) = &self.persistence {
            self.saver.start(save_loop::Parts {
                file: file.clone(),
                project: project.clone(),
                set: set.clone(),
                service: service.clone(),
                notifier: self.notifier.clone(),
            })?;
        }
        let backend = Arc::new(DeviceBackend::new(backend::Parts {
            service: service.clone(),
            set: set.clone(),
            project: project.clone(),
            status: self.status.clone(),
            followed: self.followed.clone(),
            sound: self.sound.clone(),
            events: self.event_signal.hub().clone(),
            transfers: self.transfers.clone(),
        }));
        if let Some(news) = self.news.lock().take() {
            let signal = self.event_signal.clone();
            let (set, service, sound) = (set.clone(), service.clone(), self.sound.clone());
            let (playback, notifier) = (self.playback.clone(), self.notifier.clone());
            let parts =
                event_loop::Parts { news, signal, set, service, backend: backend.clone(), sound, playback, notifier };
            *self.event_thread.lock() = Some(event_loop::start(parts).map_err(failed)?);
        }
        self.supervisor.start(supervisor::Parts {
            inbox: self.inbox.clone(),
            notifier: self.notifier.clone(),
            status: self.status.clone(),
            followed: self.followed.clone(),
            port_override: self.port_override,
            project: project.clone(),
            backend,
            live_link: LiveLink::new(LiveLinkParts {
                service: service.clone(),
                set: set.clone(),
                sound: self.sound.clone(),
                live_desk: self.live_desk.clone(),
                notifier: self.notifier.clone(),
                user_folder: self.persistence.user_folder().map(Path::to_owned),
                kind: if self.always_own_clock { DeviceKind::Standalone } else { DeviceKind::Plugin },
                host_override: self.host_override,
            }),
            journal: JournalWriter::new(self.persistence.clone(), project, set, service.clone()),
            service,
            live_desk: self.live_desk.clone(),
            transfers: self.transfers.clone(),
        })
    }

    /// Has whoever shows the device draw it anew; never waits.
    pub fn redrawer(&self) -> Box<dyn Fn() + Send + Sync> {
        let notifier = self.notifier.clone();
        Box::new(move || notifier.changed())
    }

    /// The index of the user's sample folders; its progress is for a window to show.
    pub fn library(&self) -> &Library {
        self.service.library()
    }

    /// What plays, for whoever draws it.
    pub fn playback(&self) -> &Arc<LatestPlayback> {
        &self.playback
    }

    /// What happens, for whoever follows it.
    pub fn events(&self) -> &Arc<EventHub> {
        self.event_signal.hub()
    }

    /// Where the server listens, or why it does not.
    pub fn server_status(&self) -> ServerStatus {
        self.status.get()
    }

    /// Waits until the server listens or cannot; never called on a thread of a plugin host.
    pub fn wait_for_server(&self, limit: Duration) -> ServerStatus {
        self.status.wait(limit)
    }

    /// Whether a plugin host holds the device: its transport may lead and its project saves the Set.
    pub fn in_plugin_host(&self) -> bool {
        !self.always_own_clock
    }

    /// What to save with a project. Touches no disk.
    pub fn save_state(&self) -> String {
        self.project.save()
    }

    /// Puts a saved state in place; see [`ProjectState::load`]. Touches no disk.
    pub fn load_state(&self, text: &str) {
        self.project.load(text);
    }

    /// Why the last change is not on the disk, if it is not. Of a device that was stopped this is the last word.
    pub fn save_failure(&self) -> Option<Arc<str>> {
        self.service.save_status().failure()
    }

    /// Answers every call, closes every socket, joins every thread, and waits until the last change is in the device's
    /// own file, if it has one. Gives false when a thread could not be joined in time; the library must then stay
    /// loaded.
    pub fn stop(&self) -> bool {
        if self.stopped.swap(true, Ordering::AcqRel) {
            return true;
        }
        self.service.jobs().cancel_all("the device was closed");
        // These first of all: they may be in the middle of a file.
        self.sound.close();
        let mut threads: Vec<JoinHandle<()>> = self.service.library().stop().into_iter().collect();
        threads.extend(self.sound_thread.lock().take());
        if let Some(mut pump) = self.pump_thread.lock().take() {
            threads.extend(pump.stop());
        }
        // A call that waits for Live holds the bridge, and ends with the link.
        self.service.hosts().live().close("the device was closed");
        if let Some(mut live) = self.live_thread.lock().take() {
            threads.extend(live.stop());
        }
        let server_ended = self.supervisor.stop();
        self.project.close();
        threads.extend(self.service.stop_workers());
        threads.extend(self.file_desk.stop());
        self.event_signal.close();
        threads.extend(self.event_thread.lock().take());
        let all_ended = join_all(threads, STOP_LIMIT) && server_ended;
        // Nobody changes anything any more.
        self.saver.stop();
        all_ended
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        self.stop();
    }
}

fn follow_sound_settings(sound: &SoundControl, settings: &Settings) {
    sound.set_on(settings.sound == Some(true));
    sound.set_midi_on(settings.midi_out);
}

/// What tools read and write files through.
struct FileParts<'a> {
    samples: &'a Arc<SampleCache>,
    transfers: &'a Option<Arc<Transfers>>,
}

/// What the service needs beside the Set, with the folders that the device keeps its files in.
fn service_deps(
    persistence: &Persistence,
    save_status: Arc<SaveStatus>,
    files: FileParts<'_>,
    notifier: &Notifier,
    event_signal: &EventSignal,
    on_settings: Box<dyn Fn(&Settings) + Send + Sync>,
) -> ServiceDeps {
    let user_folder = persistence.user_folder().map(Path::to_owned);
    let project_folder = persistence.project_folder().map(Path::to_owned);
    let (of_library, of_calls) = (notifier.clone(), notifier.clone());
    let (of_jobs, event_signal) = (event_signal.clone(), event_signal.clone());
    let transfers = files.transfers.clone();
    let written = Arc::new(WrittenFiles::new(user_folder.clone()));
    ServiceDeps {
        library: Arc::new(Library::new(user_folder.as_deref(), Box::new(move || of_library.status_changed()))),
        presets: Presets::new(user_folder.clone()),
        user_store: Arc::new(UserStore::new(user_folder, project_folder)),
        transfer_folders: Arc::new(transfers.as_ref().map(|transfers| transfer_folders(transfers)).unwrap_or_default()),
        set_files: Arc::new(set_files::FilesOnDisk { samples: files.samples.clone(), transfers: transfers.clone() }),
        renderer: Arc::new(renderer::SetRenderer { samples: files.samples.clone(), transfers, written }),
        save_status,
        on_settings,
        on_job: Arc::new(move || of_jobs.jobs_changed()),
        on_call_answered: Box::new(move |call| {
            event_signal.answered(call);
            of_calls.show_soon();
        }),
    }
}

fn transfer_folders(transfers: &Transfers) -> TransferFolders {
    let [sets, samples, downloads] = transfers.folders().map(Some);
    TransferFolders { sets, samples, downloads }
}

/// Joins threads that were asked to end; false when the time ran out with one still running.
fn join_all(threads: Vec<JoinHandle<()>>, limit: Duration) -> bool {
    let end = Instant::now() + limit;
    let me = std::thread::current().id();
    let mut all = true;
    for thread in threads.into_iter().filter(|thread| thread.thread().id() != me) {
        // The standard library joins without a limit, so the end of the thread is polled for first.
        // See D29 in `docs/decisions.md`.
        while !thread.is_finished() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(1));
        }
        if thread.is_finished() {
            // A panic was reported where it happened.
            let _ = thread.join();
        } else {
            all = false;
        }
    }
    all
}
