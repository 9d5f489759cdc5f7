//! What the feed's thread reads of the device: at once what is short, elsewhere what takes longer.

use super::shown::{ShownCall, ShownContext, ShownSet};
use crate::device::Device;
use crate::object_model::ObjectId;
use crate::paths::AllowedFolders;
use crate::service::Service;
use crate::service::embedded::EmbeddedSet;
use crate::set_view::{ClipView, Overview, SelectionView, Waveforms};
use crate::sound::control::SoundControl;
use serde_json::Value;
use std::sync::Arc;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// What took long and was read elsewhere.
pub enum Read {
    Clip(Option<Box<ClipView>>),
    Calls(Vec<ShownCall>),
    Context(ShownContext),
}

/// Parts of a device, never the device itself.
pub struct Reads {
    service: Arc<Service>,
    set: Arc<EmbeddedSet>,
    sound: Arc<SoundControl>,
    waveforms: Arc<Waveforms>,
    done: UnboundedSender<Read>,
}

impl Reads {
    /// What is read elsewhere comes out of the receiver.
    pub fn of(device: &Arc<Device>) -> (Reads, UnboundedReceiver<Read>) {
        let (done, read) = unbounded_channel();
        let reads = Reads {
            service: device.service.clone(),
            set: device.set.clone(),
            sound: device.sound.clone(),
            waveforms: Arc::default(),
            done,
        };
        (reads, read)
    }

    /// The tools work on Live's Set, which is not shown.
    pub fn is_live(&self) -> bool {
        self.service.hosts().is_live()
    }

    pub fn set(&self) -> Option<ShownSet> {
        if self.is_live() {
            return None;
        }
        let (set, revision) = self.set.snapshot();
        ShownSet::of(Overview::of(&set, self.sound.is_heard(), revision, String::new(), Value::Null))
    }

    pub fn selected_clip(&self) -> Option<ObjectId> {
        let (set, _) = self.set.snapshot();
        SelectionView::of(&set.document, &set.runtime.selection).clip_id.map(|id| id.0)
    }

    pub fn begin_calls(&self) {
        let service = self.service.clone();
        self.begin(
            move || {
                let calls = service.last_calls();
                Read::Calls(calls.as_array().into_iter().flatten().map(ShownCall::of).collect())
            },
            None,
        );
    }

    /// With the text of the memory's entry of that name.
    pub fn begin_context(&self, name: Option<String>) {
        let service = self.service.clone();
        self.begin(move || Read::Context(context(&service, name)), None);
    }

    pub fn begin_clip(&self, id: ObjectId) {
        let (service, set, waveforms) = (self.service.clone(), self.set.clone(), self.waveforms.clone());
        self.begin(
            move || {
                let folders = AllowedFolders::new(service.settings().opened_folders());
                let (set, revision) = set.snapshot();
                Read::Clip(ClipView::of(&set, revision, id, &waveforms, &folders).map(Box::new))
            },
            Some(Read::Clip(None)),
        );
    }

    /// `otherwise` is what is told where the work fails.
    fn begin(&self, work: impl FnOnce() -> Read + Send + 'static, otherwise: Option<Read>) {
        let (service, done) = (self.service.clone(), self.done.clone());
        tokio::spawn(async move {
            if let Some(read) = service.off_thread(work).await.or(otherwise) {
                // Who no longer listens needs it no more.
                let _ = done.send(read);
            }
        });
    }
}

fn context(service: &Service, name: Option<String>) -> ShownContext {
    let store = service.user_store();
    let entry = name.and_then(|name| {
        let text = store.memory_entry(&name).ok()??;
        Some((name, text))
    });
    ShownContext {
        global: Some(store.global_context().map_err(|why| why.to_string())),
        memory: store.memory_index().map(|index| index.entries).unwrap_or_default(),
        entry,
    }
}
