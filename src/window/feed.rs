//! The thread of an open window: it follows the device's events, reads anew what they say has changed, and makes the
//! calls that the user asks for, so that the window's own thread, which may be a plugin host's main thread, does
//! neither. It lives as long as its [`Feed`]: a closed window costs nothing.

use super::acts::ToolCall;
use super::follower::{Follower, FollowerParts, Order};
use super::shown::Shown;
use crate::device::Device;
use crate::device::latest_playback::PlaybackFollower;
use crate::music::text::sentence;
use crate::service::{Answer, CallRequest, Caller, ProfileHeaders, Service, Via};
use arc_swap::ArcSwap;
use serde_json::Value;
use std::sync::Arc;
use std::thread::JoinHandle;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// What the history calls who did it.
const WHO: &str = "window";

/// See the [module](self). Dropping it ends the thread.
pub struct Feed {
    shown: Arc<ArcSwap<Shown>>,
    orders: UnboundedSender<Order>,
    playback: PlaybackFollower,
}

impl Feed {
    /// Starts the thread; `None` where the system gives none.
    pub fn start(device: &Arc<Device>) -> Option<(Arc<Feed>, JoinHandle<()>)> {
        let shown: Arc<ArcSwap<Shown>> = Arc::default();
        let (orders, inbox) = unbounded_channel();
        let parts = FollowerParts::of(device, shown.clone());
        let playback = device.playback().follow();
        let service = device.service.clone();
        let work = move || {
            // Without a runtime the window stays empty.
            if let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_time().build() {
                runtime.block_on(run(service, parts, inbox));
            }
        };
        let thread = std::thread::Builder::new().name("svc-window".to_owned()).spawn(work).ok()?;
        Some((Arc::new(Feed { shown, orders, playback }), thread))
    }

    /// What there is to be shown, with what plays just now; never waits.
    pub fn shown(&self) -> Arc<Shown> {
        let shown = self.shown.load();
        // Of Live's Set nothing is shown.
        let playback = self.playback.view().filter(|_| shown.set.is_some());
        Arc::new(Shown { playback, ..Shown::clone(&shown) })
    }

    /// Never waits.
    pub fn order(&self, order: Order) {
        // A thread that has ended takes none.
        let _ = self.orders.send(order);
    }
}

async fn run(service: Arc<Service>, parts: FollowerParts, orders: UnboundedReceiver<Order>) {
    let (calls, to_be_made) = unbounded_channel();
    let (told, outcomes) = unbounded_channel();
    let follower = Follower::new(parts, calls).run(orders, outcomes);
    tokio::select! {
        () = follower => {}
        () = make_calls(service, to_be_made, told) => {}
    }
}

/// Makes calls one after the other; of a gesture only the newest value that waits. Tells what could not be done.
async fn make_calls(
    service: Arc<Service>,
    mut calls: UnboundedReceiver<ToolCall>,
    told: UnboundedSender<Option<String>>,
) {
    let mut next = None;
    loop {
        let Some(mut call) = (match next.take() {
            Some(call) => Some(call),
            None => calls.recv().await,
        }) else {
            return;
        };
        while let Ok(newer) = calls.try_recv() {
            if call.is_outdone_by(&newer) {
                call = newer;
            } else {
                next = Some(newer);
                break;
            }
        }
        let remark = match service.call(request(&call)).await {
            Ok(answer) => remark_of(answer),
            Err(failure) => Some(sentence(failure.message())),
        };
        if told.send(remark).is_err() {
            return;
        }
    }
}

fn request(call: &ToolCall) -> CallRequest {
    CallRequest {
        tool: call.tool.to_owned(),
        arguments: call.arguments.as_object().cloned().unwrap_or_default(),
        headers: ProfileHeaders::default(),
        timeout: None,
        json: true,
        as_text: false,
        published_only: false,
        who: Caller {
            gesture: call.gesture.map(|number| format!("{WHO} {number}").into()),
            ..Caller::new(Via::Window, WHO)
        },
        chosen_file: None,
    }
}

/// Why it was not done, and what was warned of.
fn remark_of(answer: Answer) -> Option<String> {
    let mut sentences: Vec<String> = answer.warnings.iter().map(|warning| sentence(warning)).collect();
    if answer.is_error {
        let result = answer.result.into_value();
        sentences.insert(0, sentence(result.as_str().unwrap_or("this could not be done")));
    } else {
        let result = answer.result.into_value();
        let entries = result.as_array().map_or(std::slice::from_ref(&result), Vec::as_slice);
        let skipped = entries.iter().filter(|entry| entry.get("ok") == Some(&Value::Bool(false)));
        sentences.extend(skipped.filter_map(|entry| entry.get("detail")?.as_str()).map(sentence));
    }
    (!sentences.is_empty()).then(|| sentences.join(" "))
}
