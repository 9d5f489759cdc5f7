//! What the window shows of the Set, the calls and what plays: values that do not change, made by the
//! [feed](super::feed) when something did.

use crate::object_model::ObjectId;
use crate::set::document::TrackKind;
use crate::set_view::{ClipView, Overview, PlaybackView, SongView, TrackView};
use crate::window::clock::time_of_day;
use crate::window::times::ShownMeter;
use egui::Color32;
use serde_json::Value;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long is shown what was just changed.
pub const FLASH: Duration = Duration::from_millis(1_200);

/// All that the feed tells.
#[derive(Clone, Default)]
pub struct Shown {
    /// `None` until it was read, and while the tools work on another host's Set.
    pub set: Option<Arc<ShownSet>>,
    /// The window puts in what is newest with each frame.
    pub playback: Option<Arc<PlaybackView>>,
    /// The newest first.
    pub calls: Arc<Vec<Arc<ShownCall>>>,
    /// They were read, so that where there are none there was none.
    pub are_calls_read: bool,
    /// The selected clip, while its tab is open.
    pub clip: Option<Arc<ClipView>>,
    /// It is being read.
    pub is_reading_clip: bool,
    /// What others have just changed, and when.
    pub flashes: Vec<(ObjectId, Instant)>,
    /// What the user should know: why something could not be done.
    pub message: Option<String>,
    pub context: Arc<ShownContext>,
}

impl Shown {
    /// How freshly somebody else changed that object: 1 just now, 0 long ago.
    pub fn flash(&self, id: ObjectId) -> f32 {
        let found = self.flashes.iter().rev().find(|(flashed, _)| *flashed == id);
        found.map_or(0.0, |(_, at)| (1.0 - at.elapsed().as_secs_f32() / FLASH.as_secs_f32()).max(0.0))
    }

    /// Without what page and window only asked or selected, the newest first.
    pub fn told_calls(&self) -> impl Iterator<Item = &Arc<ShownCall>> {
        self.calls.iter().filter(|call| !call.is_question)
    }

    /// Whether the transport runs.
    pub fn is_playing(&self) -> bool {
        self.playback.as_ref().is_some_and(|playback| playback.is_playing)
    }

    /// Where the song starts, in quarter beats: no part of what the Set's commits change, so it comes with what plays.
    pub fn start_beats(&self, set: &ShownSet) -> f64 {
        self.playback.as_ref().map_or(set.song.start_time_beats, |playback| playback.start_time_beats)
    }

    pub fn selected_clip(&self) -> Option<ObjectId> {
        self.playback.as_ref()?.selection.clip_id.map(|id| id.0)
    }

    pub fn selected_track(&self) -> Option<ObjectId> {
        self.playback.as_ref()?.selection.track_id.map(|id| id.0)
    }
}

/// The Set, as its overview tells it.
pub struct ShownSet {
    pub revision: u64,
    pub song: SongView,
    pub meter: ShownMeter,
    /// Regular tracks, returns, the main track.
    pub tracks: Vec<ShownTrack>,
    pub scenes: Vec<ShownScene>,
    /// Sorted by track and scene.
    pub slots: Vec<ShownSlot>,
    /// Track and scene of the slots of groups below which there are clips.
    pub group_slots: HashSet<(usize, usize)>,
    /// How many clips each scene brings; those that are switched off are none.
    pub scene_clips: Vec<usize>,
    /// Sorted by track and start.
    pub arranged: Vec<ShownArranged>,
    pub locators: Vec<ShownLocator>,
    /// Where the last clip of the Arrangement ends.
    pub length_beats: f64,
}

pub struct ShownTrack {
    pub view: TrackView,
    pub id: ObjectId,
    pub color: Color32,
}

pub struct ShownScene {
    pub id: ObjectId,
    /// `Scene 3` where it has no name.
    pub name: String,
    pub color: Option<Color32>,
    /// The tempo and the meter that it brings.
    pub brings: String,
}

/// A slot with a clip.
pub struct ShownSlot {
    pub track: usize,
    pub scene: usize,
    pub id: ObjectId,
    pub name: String,
    /// Somebody gave it that name.
    pub is_named: bool,
    pub color: Color32,
    pub length_beats: f64,
    pub is_audio: bool,
    pub is_looped: bool,
    pub is_muted: bool,
    pub notes: u64,
}

/// A clip of the Arrangement.
pub struct ShownArranged {
    pub id: ObjectId,
    pub track: usize,
    pub start_beat: f64,
    pub end_beat: f64,
    pub name: String,
    pub color: Color32,
    pub is_muted: bool,
}

pub struct ShownLocator {
    pub id: ObjectId,
    pub beat: f64,
    pub name: String,
}

impl ShownSet {
    /// `None` where the overview has no Set.
    pub fn of(overview: Overview<'_>) -> Option<ShownSet> {
        let song = overview.song?;
        let palette: Vec<Color32> = overview.palette.iter().map(|hex| color(hex)).collect();
        let in_palette = |index: u8| palette.get(usize::from(index)).copied().unwrap_or(Color32::GRAY);
        let tracks = overview.tracks.into_iter();
        let tracks = tracks.map(|view| ShownTrack { id: view.id.0, color: color(&view.color), view });
        let scenes = overview.scenes.iter().enumerate().map(|(at, scene)| {
            let tempo = scene.tempo_bpm.map(|bpm| format!("{bpm} BPM"));
            let brings: Vec<String> = tempo.into_iter().chain(scene.meter.clone()).collect();
            ShownScene {
                id: scene.id.0,
                name: if scene.name.is_empty() { format!("Scene {}", at + 1) } else { scene.name.to_owned() },
                color: scene.color.as_deref().map(color),
                brings: brings.join(" "),
            }
        });
        let slots = overview.slots.iter().map(|slot| {
            let (track, scene, id, name, color, length_beats, is_audio, is_looped, is_muted, notes) = *slot;
            let is_named = !name.is_empty();
            let (name, color) = (named(name, is_audio), in_palette(color));
            ShownSlot {
                track,
                scene,
                id: id.0,
                name,
                is_named,
                color,
                length_beats,
                is_audio,
                is_looped,
                is_muted,
                notes,
            }
        });
        let arranged = overview.arrangement.clips.iter().map(|clip| {
            let (id, track, start_beat, end_beat, name, color, is_audio, is_muted) = *clip;
            let (name, color) = (named(name, is_audio), in_palette(color));
            ShownArranged { id: id.0, track, start_beat, end_beat, name, color, is_muted }
        });
        let locators = overview.arrangement.locators.iter();
        let mut set = ShownSet {
            revision: overview.revision,
            meter: ShownMeter::of(&song.meter),
            song,
            tracks: tracks.collect(),
            scenes: scenes.collect(),
            slots: slots.collect(),
            arranged: arranged.collect(),
            locators: locators
                .map(|at| ShownLocator { id: at.id.0, beat: at.beat, name: at.name.to_owned() })
                .collect(),
            length_beats: overview.arrangement.length_beats,
            group_slots: HashSet::new(),
            scene_clips: Vec::new(),
        };
        set.count_slots();
        Some(set)
    }

    /// Makes what follows from the slots.
    pub fn count_slots(&mut self) {
        self.group_slots =
            self.slots.iter().flat_map(|slot| self.groups_of(slot.track).map(|at| (at, slot.scene))).collect();
        self.scene_clips = vec![0; self.scenes.len()];
        for slot in self.slots.iter().filter(|slot| !slot.is_muted) {
            if let Some(count) = self.scene_clips.get_mut(slot.scene) {
                *count += 1;
            }
        }
    }

    /// The groups that a track is in, the innermost first.
    pub fn groups_of(&self, track: usize) -> impl Iterator<Item = usize> {
        let outer = |at: usize| {
            let group = self.tracks.get(at)?.view.group_id?;
            // A group stands before its tracks.
            self.tracks.get(..at)?.iter().rposition(|before| before.id == group.0)
        };
        std::iter::successors(outer(track), move |at| outer(*at))
    }

    /// The clip in a slot.
    pub fn slot(&self, track: usize, scene: usize) -> Option<&ShownSlot> {
        let at = self.slots.binary_search_by_key(&(track, scene), |slot| (slot.track, slot.scene)).ok()?;
        self.slots.get(at)
    }

    pub fn slot_of(&self, clip: ObjectId) -> Option<&ShownSlot> {
        self.slots.iter().find(|slot| slot.id == clip)
    }

    /// Tracks with slots and an Arrangement.
    pub fn regular(&self) -> usize {
        let is_regular = |track: &&ShownTrack| !matches!(track.view.kind, TrackKind::Return | TrackKind::Main);
        self.tracks.iter().take_while(is_regular).count()
    }

    pub fn returns(&self) -> impl Iterator<Item = &ShownTrack> {
        self.tracks.iter().filter(|track| track.view.kind == TrackKind::Return)
    }

    pub fn main(&self) -> Option<(usize, &ShownTrack)> {
        self.tracks.iter().enumerate().next_back().filter(|(_, track)| track.view.kind == TrackKind::Main)
    }
}

fn named(name: &str, is_audio: bool) -> String {
    match name {
        "" if is_audio => "audio".to_owned(),
        "" => "clip".to_owned(),
        name => name.to_owned(),
    }
}

/// Of `#RRGGBB`.
pub fn color(hex: &str) -> Color32 {
    let value = hex.strip_prefix('#').and_then(|digits| u32::from_str_radix(digits, 16).ok());
    value.map_or(Color32::GRAY, |value| {
        let [_, red, green, blue] = value.to_be_bytes();
        Color32::from_rgb(red, green, blue)
    })
}

/// A call that was answered, as the list of calls tells it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShownCall {
    pub id: u64,
    /// `17:40:00`, in the user's own time.
    pub time: String,
    pub client: String,
    pub via: String,
    pub tool: String,
    /// What it did, in a line.
    pub line: String,
    /// Its arguments as JSON; how they begin, where they are long.
    pub arguments: String,
    pub milliseconds: f64,
    pub has_failed: bool,
    /// Warnings, and that it was a dry run.
    pub remarks: Vec<String>,
    /// The undo step that it made.
    pub step: Option<u64>,
    /// The step that this one stands on; those between the two are gone.
    pub follows_step: Option<u64>,
    /// It undid steps.
    pub undoes: bool,
    /// Of calls that share it and the client, one undo step.
    pub gesture: Option<String>,
    /// Page or window only asked or selected something by it, which is no news.
    pub is_question: bool,
}

impl ShownCall {
    /// Both are of one drag, or of something else that a client does as one.
    pub fn is_of_gesture_of(&self, other: &ShownCall) -> bool {
        self.gesture.is_some()
            && self.gesture == other.gesture
            && (&self.client, &self.via) == (&other.client, &other.via)
    }

    /// What its remarks are, before the first of them is read.
    pub fn remark_word(&self) -> &'static str {
        match self.remarks.first() {
            Some(remark) if remark.starts_with("dry run") => "Dry run",
            Some(_) if self.remarks.len() > 1 => "Warnings",
            _ => "Warning",
        }
    }

    /// Of an entry of the list.
    pub fn of(entry: &Value) -> ShownCall {
        let text = |name: &str| entry.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let number = |name: &str| entry.get(name).and_then(Value::as_u64);
        let flag = |name: &str| entry.get(name) == Some(&Value::Bool(true));
        let warnings = entry.get("warnings").and_then(Value::as_array);
        let warnings = warnings.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned);
        let dry_run = flag("isDryRun").then(|| "dry run: nothing was kept".to_owned());
        let line = text("line");
        let (via, tool) = (text("via"), text("tool"));
        let has_failed = flag("isError") || number("status").is_some_and(|status| status != 200);
        let action = entry.get("arguments").and_then(|arguments| arguments.get("action")?.as_str());
        let asks =
            tool.starts_with("svc-read-") || tool == "svc-select" || tool == "svc-context" && action == Some("read");
        ShownCall {
            undoes: tool == "svc-manage" && action == Some("undo") && !has_failed,
            id: number("id").unwrap_or_default(),
            time: time_of_day(&text("at")),
            client: text("client"),
            is_question: matches!(via.as_str(), "window" | "page") && asks && !has_failed,
            via,
            tool,
            line: if line.is_empty() { "nothing changed".to_owned() } else { line },
            arguments: match entry.get("arguments") {
                Some(Value::Null) | None => format!("{}…", text("argumentsCut")),
                Some(arguments) => arguments.to_string(),
            },
            milliseconds: entry.get("milliseconds").and_then(Value::as_f64).unwrap_or_default(),
            has_failed,
            remarks: warnings.chain(dry_run).collect(),
            step: number("historyStep"),
            follows_step: number("followsStep"),
            gesture: entry.get("gesture").and_then(Value::as_str).map(str::to_owned),
        }
    }
}

/// What assistants are told, and what they remember. Of what cannot be read, why.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShownContext {
    /// `None` until it was read.
    pub global: Option<Result<String, String>>,
    /// Names of the entries and when they matter.
    pub memory: Vec<(String, String)>,
    /// The text of one of them.
    pub entry: Option<(String, String)>,
}
