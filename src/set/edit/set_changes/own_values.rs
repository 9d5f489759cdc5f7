//! The own values of two versions of an object, side by side: by the names that the object model has for them, what it
//! holds left out.

use super::Item;
use crate::object_model::ObjectId;
use crate::set::document::device_tree::{Chain, Device, Rack};
use crate::set::document::ids::{IdParts, Serial};
use crate::set::document::session_clips::SessionClips;
use crate::set::document::timeline_lane::Lane;
use crate::set::document::{Clip, Content, Document, PlacedClip, Song, TakeLane, Track, TrackKind};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::sync::Arc;

#[derive(Default)]
pub struct OwnValues {
    /// Name, before, after; null where there is none.
    pub values: Vec<(String, Value, Value)>,
    pub parameters: Vec<ObjectId>,
}

/// What is different between two versions of one object.
pub fn different(before: &Document, after: &Document, old: &Item<'_>, new: &Item<'_>) -> OwnValues {
    match (old, new) {
        (Item::Song, Item::Song) => songs(&before.song, &after.song),
        (Item::Track(old), Item::Track(new)) => tracks(before, after, old, new),
        (Item::TakeLane(old), Item::TakeLane(new)) => by_name(take_lane(old), take_lane(new)),
        (Item::Scene(old), Item::Scene(new)) => by_name(fields(&***old), fields(&***new)),
        (Item::Device(old), Item::Device(new)) => devices(old, new),
        (Item::Chain(old), Item::Chain(new)) => by_name(chain(old), chain(new)),
        (Item::Cue(old), Item::Cue(new)) => by_name(fields(*old), fields(*new)),
        (Item::Groove(old), Item::Groove(new)) => by_name(fields(*old), fields(*new)),
        _ => match (old.clip(), new.clip()) {
            (Some(was), Some(is)) => {
                let mut all = by_name(clip(old), clip(new));
                all.add_list("expression", &was.expression, &is.expression);
                all
            }
            _ => OwnValues::default(),
        },
    }
}

impl OwnValues {
    /// A list that may be long: whether it is another, and of how many.
    fn add_list<T: PartialEq>(&mut self, name: &str, old: &Arc<Vec<T>>, new: &Arc<Vec<T>>) {
        if !Arc::ptr_eq(old, new) && old != new {
            self.values.push((name.to_owned(), json!([old.len()]), json!([new.len()])));
        }
    }
}

fn songs(old: &Song, new: &Song) -> OwnValues {
    let bare =
        |song: &Song| fields(&Song { tempo_points: Arc::default(), meter_changes: Arc::default(), ..song.clone() });
    let mut all = by_name(bare(old), bare(new));
    all.add_list("tempo_points", &old.tempo_points, &new.tempo_points);
    all.add_list("meter_changes", &old.meter_changes, &new.meter_changes);
    all
}

/// The fields of what is kept, with what is kept beside them under names of the object model.
fn fields(of: &impl Serialize) -> Map<String, Value> {
    // What the Set keeps is always an object of plain values.
    let Ok(Value::Object(mut map)) = serde_json::to_value(of) else { return Map::new() };
    map.remove("serial");
    if let Some(Value::Object(stored)) = map.remove("stored") {
        map.extend(stored);
    }
    map
}

fn by_name(mut before: Map<String, Value>, after: Map<String, Value>) -> OwnValues {
    let mut values = Vec::new();
    for (name, new) in after {
        let old = before.remove(&name).unwrap_or(Value::Null);
        if old != new {
            values.push((name, old, new));
        }
    }
    values.extend(before.into_iter().map(|(name, old)| (name, old, Value::Null)));
    OwnValues { values, parameters: Vec::new() }
}

fn clip(item: &Item<'_>) -> Map<String, Value> {
    let Some(whole) = item.clip() else { return Map::new() };
    let notes = Content::Midi(Arc::default());
    let mut map = fields(&Clip { content: notes, expression: Arc::default(), ..Clip::clone(whole) });
    map.remove("content");
    if let Some(audio) = whole.audio() {
        map.extend(fields(&**audio));
    }
    if let Item::Placed(PlacedClip { start, end, .. }) = item {
        map.insert("arrangement_length".to_owned(), json!(end - start));
    }
    map
}

fn take_lane(lane: &TakeLane) -> Map<String, Value> {
    fields(&TakeLane { clips: Lane::default(), ..lane.clone() })
}

fn chain(chain: &Chain) -> Map<String, Value> {
    fields(&Chain { devices: Vec::new(), ..chain.clone() })
}

/// A track's strip and settings. A send to a return track that only one side has came or went with that, and so did the
/// stop button of a scene.
fn tracks(before: &Document, after: &Document, old: &Track, new: &Track) -> OwnValues {
    let own = |track: &Track, document: &Document| {
        let mut map = fields(&Track {
            session: SessionClips::default(),
            arrangement: Lane::default(),
            devices: Vec::new(),
            take_lanes: Vec::new(),
            automation: Vec::new(),
            no_stop_button: Vec::new(),
            // It follows from the name and the notes.
            chosen_sound: None,
            ..track.clone()
        });
        if let Some(Value::Object(mut mixer)) = map.remove("mixer") {
            mixer.remove("sends");
            map.extend(mixer);
        }
        let both = |scene: &&Serial| before.scene(**scene).is_some() && after.scene(**scene).is_some();
        let without: Vec<&Serial> = track.no_stop_button.iter().filter(both).collect();
        map.insert("no_stop_button".to_owned(), json!(without));
        if track.kind != TrackKind::Main {
            for (to, level) in document.returns.iter().zip(&track.mixer.sends) {
                if before.returns.find(to.serial).is_some() && after.returns.find(to.serial).is_some() {
                    map.insert(format!("send {}", to.serial), json!(level));
                }
            }
        }
        map
    };
    by_name(own(old, before), own(new, after))
}

fn devices(old: &Device, new: &Device) -> OwnValues {
    let own = |device: &Device| {
        let mut map =
            fields(&Device { values: Vec::new(), rack: None, sample: None, unread: Vec::new(), ..device.clone() });
        map.remove("values");
        if let Some(sample) = &device.sample {
            map.insert("sample".to_owned(), json!(sample.file_path));
        }
        if let Some(rack) = &device.rack {
            map.extend(fields(&Rack { chains: Vec::new(), return_chains: Vec::new(), ..Rack::clone(rack) }));
        }
        map
    };
    let mut all = by_name(own(old), own(new));
    if let (Some(was), Some(is)) = (&old.sample, &new.sample)
        && was.file_path == is.file_path
    {
        let of_sample = by_name(fields(&**was), fields(&**is)).values.into_iter();
        all.values.extend(of_sample.map(|(name, was, is)| (format!("sample {name}"), was, is)));
    }
    for (index, (was, is)) in (0u16..).zip(old.values.iter().zip(&new.values)) {
        if was != is {
            all.parameters.push(IdParts::Parameter { device: new.serial, index }.id());
        }
    }
    all
}
