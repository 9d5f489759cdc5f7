//! The thread that makes plans of what sounds: it loads the samples that the Set names, and has a new plan played
//! whenever what is heard changed, never more often than the one before takes to fade what it is without.
//!
//! It is neither the audio thread nor one of a plugin host, so it may read disks, allocate and wait.

use crate::paths::AllowedFolders;
use crate::service::Service;
use crate::service::embedded::EmbeddedSet;
use crate::set::Document;
use crate::sound::control::SoundControl;
use crate::sound::publisher::PlanPublisher;
use crate::sound::samples::{SampleCache, WantedSample};
use crossbeam_channel::{Receiver, RecvTimeoutError};
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Changes within this time are heard together.
const TOGETHER: Duration = Duration::from_millis(5);
/// Sound that is switched off fades within this time.
const FADE: Duration = Duration::from_millis(30);
/// While samples are loaded, those that are there are heard this often.
const SHOW_LOADED: Duration = Duration::from_millis(200);
/// How often is looked whether the audio thread plays at another rate by now.
const LOOK_AT_RATE: Duration = Duration::from_secs(1);

/// What the thread works with.
pub struct Parts {
    pub publisher: PlanPublisher,
    pub control: Arc<SoundControl>,
    pub rings: Receiver<()>,
    pub set: Arc<EmbeddedSet>,
    pub service: Arc<Service>,
    pub samples: Arc<SampleCache>,
    /// Where the Set lies that the user opened.
    pub project_folder: Option<PathBuf>,
}

impl Parts {
    /// The folders whose contents the user lets be known.
    fn told_folders(&self) -> AllowedFolders {
        let settings = self.service.settings();
        AllowedFolders::new(settings.opened_folders().map(PathBuf::from).chain(self.project_folder.clone()))
    }
}

pub fn start(parts: Parts) -> std::io::Result<JoinHandle<()>> {
    let running = Running { parts, wanted: VecDeque::new(), is_due: false, shown: Instant::now() };
    std::thread::Builder::new().name("svc-sound".to_owned()).spawn(move || running.run())
}

/// The thread's own state.
struct Running {
    parts: Parts,
    /// Samples that are to be loaded.
    wanted: VecDeque<WantedSample>,
    /// What is played is another plan than should be.
    is_due: bool,
    /// When samples that were loaded were heard last.
    shown: Instant,
}

impl Running {
    fn run(mut self) {
        let mut wait = Some(Duration::ZERO);
        loop {
            let ring = match wait {
                Some(wait) => self.parts.rings.recv_timeout(wait),
                None => self.parts.rings.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            if ring == Err(RecvTimeoutError::Disconnected) || self.parts.control.is_closed() {
                break;
            }
            if ring.is_ok() {
                std::thread::sleep(TOGETHER);
            }
            self.parts.control.heard();
            wait = self.turn();
        }
        self.parts.publisher.fall_silent();
    }

    /// Does what there is to do, and says when to come again; `None`: when the bell rings.
    fn turn(&mut self) -> Option<Duration> {
        let Parts { publisher, control, set, .. } = &mut self.parts;
        let rate = control.rate()?;
        if !control.is_on() {
            self.wanted.clear();
            if publisher.has_plan() {
                std::thread::sleep(FADE);
                // Unless it was switched on again meanwhile.
                if !control.is_on() {
                    publisher.fall_silent();
                }
            }
            return None;
        }
        if publisher.is_ended() {
            // It was switched off and on again.
            std::thread::sleep(FADE);
            publisher.fall_silent();
        }
        let document = set.committed().document.clone();
        if publisher.is_outdated(&document, rate) {
            self.is_due = true;
            let told = self.parts.told_folders();
            self.wanted = self.parts.samples.wanted(&document, &told).into();
        }
        self.load_one();
        if self.is_due && (self.wanted.is_empty() || self.shown.elapsed() >= SHOW_LOADED) {
            return self.publish(&document, rate);
        }
        if !self.wanted.is_empty() {
            return Some(Duration::ZERO);
        }
        match self.parts.publisher.settle_in() {
            Some(left) if left.is_zero() => {
                self.parts.publisher.settle(&document, rate, &self.parts.samples);
                Some(LOOK_AT_RATE)
            }
            left => Some(left.unwrap_or(LOOK_AT_RATE)),
        }
    }

    fn publish(&mut self, document: &Document, rate: f32) -> Option<Duration> {
        if let Some(wait) = self.parts.publisher.wait() {
            return Some(wait);
        }
        self.parts.publisher.publish(document, rate, &self.parts.samples);
        (self.is_due, self.shown) = (false, Instant::now());
        Some(if self.wanted.is_empty() { TOGETHER } else { Duration::ZERO })
    }

    /// Loads a sample of those that are wanted; the plan is another one with it.
    fn load_one(&mut self) {
        let Some(wanted) = self.wanted.pop_front() else { return };
        let told = self.parts.told_folders();
        let control = self.parts.control.clone();
        self.parts.samples.load(&wanted, &told, &|| control.is_closed());
        self.is_due = true;
    }
}
