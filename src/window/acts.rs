//! What the user does to the Set, as calls of the same tools that scripts use.

use super::times::ShownMeter;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU64, Ordering};

/// A call to be made.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    pub tool: &'static str,
    pub arguments: Value,
    /// Calls that follow each other with the same number are one undo step.
    pub gesture: Option<u64>,
}

impl ToolCall {
    fn new(tool: &'static str, arguments: Value) -> ToolCall {
        ToolCall { tool, arguments, gesture: None }
    }

    /// As a part of a gesture.
    pub fn of_gesture(self, gesture: u64) -> ToolCall {
        ToolCall { gesture: Some(gesture), ..self }
    }

    /// Whether the newer one makes it needless: of a gesture only the newest value counts.
    pub fn is_outdone_by(&self, newer: &ToolCall) -> bool {
        self.gesture.is_some() && self.gesture == newer.gesture && self.tool == newer.tool
    }
}

/// The number of a new gesture, of all windows.
pub fn new_gesture() -> u64 {
    static GESTURES: AtomicU64 = AtomicU64::new(0);
    GESTURES.fetch_add(1, Ordering::Relaxed) + 1
}

fn playback(action: &str) -> ToolCall {
    ToolCall::new("svc-playback", json!({ "action": action }))
}

pub fn launch_clip(track: usize, scene: usize) -> ToolCall {
    let path = format!("t{track}/s{scene}");
    ToolCall::new("svc-playback", json!({ "action": "play-session-clips", "path": path }))
}

pub fn launch_scene(scene: usize) -> ToolCall {
    ToolCall::new("svc-playback", json!({ "action": "play-scene", "path": format!("s{scene}") }))
}

pub fn stop_track(track: usize) -> ToolCall {
    ToolCall::new("svc-playback", json!({ "action": "stop-session-clips", "path": format!("t{track}/s0") }))
}

pub fn stop_all_clips() -> ToolCall {
    playback("stop-all-session-clips")
}

/// As Play in Live: what was launched plays again, the other tracks follow the Arrangement.
pub fn start_transport() -> ToolCall {
    playback("start-transport")
}

/// As Stop in Live: the clock stops, and what was launched stays launched.
pub fn stop_transport() -> ToolCall {
    playback("stop-transport")
}

/// What one key means: to stop what plays, else to play.
pub fn play_or_stop(is_playing: bool) -> ToolCall {
    if is_playing { stop_transport() } else { start_transport() }
}

/// Tracks that launched clips or a stop took over follow the Arrangement again.
pub fn back_to_arrangement() -> ToolCall {
    playback("play-arrangement")
}

pub fn set_start(beat: f64, meter: ShownMeter) -> ToolCall {
    let start = meter.bar_beat(beat.max(0.0));
    ToolCall::new("svc-playback", json!({ "action": "update-arrangement", "startTime": start }))
}

pub fn set_loop(is_on: bool) -> ToolCall {
    ToolCall::new("svc-playback", json!({ "action": "update-arrangement", "loop": is_on }))
}

pub fn set_metronome(is_on: bool) -> ToolCall {
    ToolCall::new("svc-update-live-set", json!({ "metronome": is_on }))
}

pub fn set_tempo(bpm: f64) -> ToolCall {
    ToolCall::new("svc-update-live-set", json!({ "tempo": bpm }))
}

pub fn set_meter(meter: &str) -> ToolCall {
    ToolCall::new("svc-update-live-set", json!({ "timeSignature": meter }))
}

/// `change` has members of `svc-update-track`.
pub fn update_track(path: &str, change: Value) -> ToolCall {
    let mut arguments = change;
    if let Some(members) = arguments.as_object_mut() {
        members.insert("path".to_owned(), path.into());
    }
    ToolCall::new("svc-update-track", arguments)
}

pub fn select(id: &str) -> ToolCall {
    ToolCall::new("svc-select", json!({ "id": id }))
}

pub fn undo() -> ToolCall {
    ToolCall::new("svc-manage", json!({ "action": "undo" }))
}

/// Undoes all steps after that one.
pub fn undo_to(step: u64) -> ToolCall {
    ToolCall::new("svc-manage", json!({ "action": "undo", "step": step }))
}

pub fn redo() -> ToolCall {
    ToolCall::new("svc-manage", json!({ "action": "redo" }))
}

/// Replaces a document of the context: `project` or `global`. The window shows all of it, so what is left out is left
/// out on purpose.
pub fn write_context(scope: &str, content: &str) -> ToolCall {
    ToolCall::new("svc-context", json!({ "action": "write", "scope": scope, "content": content, "force": true }))
}

pub fn write_memory(name: &str, description: &str, content: &str) -> ToolCall {
    let arguments = json!({
        "action": "write", "scope": "memory", "name": name, "description": description, "content": content
    });
    ToolCall::new("svc-context", arguments)
}

pub fn delete_memory(name: &str) -> ToolCall {
    ToolCall::new("svc-context", json!({ "action": "delete", "scope": "memory", "name": name }))
}
