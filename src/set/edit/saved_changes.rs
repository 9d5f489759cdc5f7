//! What changed between two versions of a Set, as it is kept in a log beside the saved Set.
//!
//! Finding it looks only at what the two versions do not share, so it costs what the change cost. Clips are named one
//! by one; of a track its own values are written whole, of a list that was reordered the new order.

use crate::music::Beats;
use crate::set::document::device_tree::Device;
use crate::set::document::ids::Serial;
use crate::set::document::sequence::{Sequence, SequenceItem};
use crate::set::document::session_clips::SessionClips;
use crate::set::document::timeline_lane::Lane;
use crate::set::document::{
    Clip, CuePoint, Document, Envelope, Groove, MeterChange, PlacedClip, Scene, SessionClip, Song, TakeLane,
    TempoPoint, Track,
};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Arc;

/// See the [module](self). What is left out did not change.
#[derive(Debug, Serialize, Deserialize)]
pub struct SavedChanges {
    next_serial: Serial,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    /// Without its tempos and time signatures of the Arrangement, which are many and rarely others.
    song: Option<Arc<Song>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tempo_points: Option<Arc<Vec<TempoPoint>>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    meter_changes: Option<Arc<Vec<MeterChange>>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cue_points: Option<Arc<Vec<CuePoint>>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    grooves: Option<Arc<Vec<Groove>>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scenes: Option<ListChanges<Arc<Scene>>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tracks: Option<ListChanges<TrackChanges>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    returns: Option<ListChanges<TrackChanges>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    main: Option<TrackChanges>,
}

#[derive(Debug, Serialize, Deserialize)]
struct ListChanges<C> {
    /// All serials as they stand now, where one came, went or moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    order: Option<Vec<Serial>>,
    changed: Vec<C>,
}

/// A track that is new or another.
#[derive(Debug, Serialize, Deserialize)]
struct TrackChanges {
    /// The track without devices, clips, take lanes and automation.
    track: Track,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    devices: Option<Vec<Arc<Device>>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    take_lanes: Option<Vec<Arc<TakeLane>>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    automation: Option<Vec<Arc<Envelope>>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    slots: Vec<SlotChange>,
    /// Where Arrangement clips began that are gone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    left_places: Vec<Beats>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    placed: Vec<PlacedClip>,
}

#[derive(Debug, Serialize, Deserialize)]
struct SlotChange {
    scene: Serial,
    /// `None`: the slot is empty now.
    clip: Option<Arc<Clip>>,
}

impl SavedChanges {
    /// `None` where the two are the same.
    pub fn between(before: &Document, after: &Document) -> Option<SavedChanges> {
        fn other<T>(before: &Arc<T>, after: &Arc<T>) -> Option<Arc<T>> {
            (!Arc::ptr_eq(before, after)).then(|| after.clone())
        }
        let main = other(&before.main, &after.main).map(|main| Track::change(Some(&before.main), &main));
        let song = other(&before.song, &after.song).map(|song| {
            Arc::new(Song { tempo_points: Arc::default(), meter_changes: Arc::default(), ..Song::clone(&song) })
        });
        let changes = SavedChanges {
            next_serial: after.next_serial,
            song,
            tempo_points: other(&before.song.tempo_points, &after.song.tempo_points),
            meter_changes: other(&before.song.meter_changes, &after.song.meter_changes),
            cue_points: other(&before.cue_points, &after.cue_points),
            grooves: other(&before.grooves, &after.grooves),
            scenes: list_changes(&before.scenes, &after.scenes),
            tracks: list_changes(&before.tracks, &after.tracks),
            returns: list_changes(&before.returns, &after.returns),
            main,
        };
        let is_empty = changes.song.is_none()
            && changes.cue_points.is_none()
            && changes.grooves.is_none()
            && changes.scenes.is_none()
            && changes.tracks.is_none()
            && changes.returns.is_none()
            && changes.main.is_none();
        (!is_empty || before.next_serial != after.next_serial).then_some(changes)
    }

    /// Makes the version before the version after. The document's index is not kept up, and its rules are not looked
    /// at: both are for who has applied all changes. The error says what does not fit.
    pub fn apply(self, document: &mut Document) -> Result<(), String> {
        document.next_serial = self.next_serial;
        if let Some(mut song) = self.song {
            let (tempos, meters) = (&document.song.tempo_points, &document.song.meter_changes);
            let next = Arc::make_mut(&mut song);
            next.tempo_points = self.tempo_points.unwrap_or_else(|| tempos.clone());
            next.meter_changes = self.meter_changes.unwrap_or_else(|| meters.clone());
            document.song = song;
        }
        document.cue_points = self.cue_points.unwrap_or_else(|| document.cue_points.clone());
        document.grooves = self.grooves.unwrap_or_else(|| document.grooves.clone());
        apply_list(&mut document.scenes, self.scenes)?;
        apply_list(&mut document.tracks, self.tracks)?;
        apply_list(&mut document.returns, self.returns)?;
        if let Some(main) = self.main {
            document.main = Track::changed(main, Some(&document.main))?;
        }
        Ok(())
    }
}

/// An object of a list whose changes are kept.
trait Recorded: SequenceItem + Sized {
    type Change;
    fn change(before: Option<&Arc<Self>>, after: &Arc<Self>) -> Self::Change;
    fn serial_of(change: &Self::Change) -> Serial;
    fn changed(change: Self::Change, before: Option<&Arc<Self>>) -> Result<Arc<Self>, String>;
}

fn list_changes<T: Recorded>(before: &Sequence<T>, after: &Sequence<T>) -> Option<ListChanges<T::Change>> {
    let (mut changed, mut is_other, mut same_order) = (Vec::new(), false, true);
    before.differences(after, |old, new| {
        is_other = true;
        same_order &= matches!((old, new), (Some(old), Some(new)) if old.serial() == new.serial());
        let Some(new) = new else { return };
        let old = before.find(new.serial());
        if old.is_none_or(|old| !Arc::ptr_eq(old, new)) {
            changed.push(T::change(old, new));
        }
    });
    let order = (!same_order).then(|| after.iter().map(|item| item.serial()).collect());
    is_other.then_some(ListChanges { order, changed })
}

fn apply_list<T: Recorded + Clone>(
    list: &mut Sequence<T>,
    changes: Option<ListChanges<T::Change>>,
) -> Result<(), String> {
    let Some(ListChanges { order, changed }) = changes else { return Ok(()) };
    let mut new: HashMap<Serial, Arc<T>> = HashMap::with_capacity(changed.len());
    for change in changed {
        let serial = T::serial_of(&change);
        new.insert(serial, T::changed(change, list.find(serial))?);
    }
    let absent = |serial: Serial| format!("nothing with the id {serial} is there to be changed");
    let Some(order) = order else {
        return new.into_iter().try_for_each(|(serial, item)| {
            list.edit(serial, |old| *old = T::clone(&item)).ok_or_else(|| absent(serial))
        });
    };
    let in_order = order
        .into_iter()
        .map(|serial| new.remove(&serial).or_else(|| list.find(serial).cloned()).ok_or_else(|| absent(serial)));
    let in_order: Vec<Arc<T>> = in_order.collect::<Result<_, _>>()?;
    *list = in_order.into_iter().collect();
    Ok(())
}

impl Recorded for Scene {
    type Change = Arc<Scene>;

    fn change(_: Option<&Arc<Scene>>, after: &Arc<Scene>) -> Arc<Scene> {
        after.clone()
    }

    fn serial_of(change: &Arc<Scene>) -> Serial {
        change.serial
    }

    fn changed(change: Arc<Scene>, _: Option<&Arc<Scene>>) -> Result<Arc<Scene>, String> {
        Ok(change)
    }
}

impl Recorded for Track {
    type Change = TrackChanges;

    fn change(before: Option<&Arc<Track>>, after: &Arc<Track>) -> TrackChanges {
        let (no_clips, no_lane) = (SessionClips::default(), Lane::default());
        let mut changes = TrackChanges {
            track: Track {
                session: SessionClips::default(),
                arrangement: Lane::default(),
                devices: Vec::new(),
                take_lanes: Vec::new(),
                automation: Vec::new(),
                ..Track::clone(after)
            },
            devices: other_list(before.map(|before| &before.devices), &after.devices),
            take_lanes: other_list(before.map(|before| &before.take_lanes), &after.take_lanes),
            automation: other_list(before.map(|before| &before.automation), &after.automation),
            slots: Vec::new(),
            left_places: Vec::new(),
            placed: Vec::new(),
        };
        before.map_or(&no_clips, |before| &before.session).differences(&after.session, |old, new| {
            let scene = new.or(old).map(|entry| entry.scene);
            changes.slots.extend(scene.map(|scene| SlotChange { scene, clip: new.map(|entry| entry.clip.clone()) }));
        });
        before.map_or(&no_lane, |before| &before.arrangement).differences(&after.arrangement, |old, new| match new {
            Some(new) => changes.placed.push(new.clone()),
            None => changes.left_places.extend(old.map(|old| old.start)),
        });
        changes
    }

    fn serial_of(change: &TrackChanges) -> Serial {
        change.track.serial
    }

    fn changed(change: TrackChanges, before: Option<&Arc<Track>>) -> Result<Arc<Track>, String> {
        let TrackChanges { mut track, devices, take_lanes, automation, slots, left_places, placed } = change;
        if let Some(before) = before {
            track.devices.clone_from(&before.devices);
            track.take_lanes.clone_from(&before.take_lanes);
            track.automation.clone_from(&before.automation);
            track.session.clone_from(&before.session);
            track.arrangement.clone_from(&before.arrangement);
        }
        track.devices = devices.unwrap_or(track.devices);
        track.take_lanes = take_lanes.unwrap_or(track.take_lanes);
        track.automation = automation.unwrap_or(track.automation);
        for SlotChange { scene, clip } in slots {
            match clip {
                Some(clip) => track.session.insert(SessionClip { scene, clip }),
                None => drop(track.session.remove(scene)),
            }
        }
        for start in left_places {
            track.arrangement.remove(start).ok_or_else(|| format!("no clip begins at beat {start} that could go"))?;
        }
        for clip in placed {
            if !(clip.start >= 0.0 && clip.start.is_finite()) {
                return Err("a clip begins before the Arrangement does".to_owned());
            }
            track.arrangement.insert(clip);
        }
        Ok(Arc::new(track))
    }
}

/// The list, if any of it is another than before.
fn other_list<T>(before: Option<&Vec<Arc<T>>>, after: &[Arc<T>]) -> Option<Vec<Arc<T>>> {
    let before = before.map_or(&[][..], Vec::as_slice);
    let same = before.len() == after.len() && before.iter().zip(after).all(|(a, b)| Arc::ptr_eq(a, b));
    (!same).then(|| after.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_the_set_leaves_its_tempos_alone() {
        let mut before = Document::new_set();
        let point = |time, bpm| TempoPoint { time, bpm, bend: Some([0.1, 0.2, 0.3, 0.4]) };
        let signature = before.song.signature;
        let song = Arc::make_mut(&mut before.song);
        song.tempo_points = Arc::new(vec![point(0.0, 120.0), point(4.0, 90.0)]);
        song.meter_changes = Arc::new(vec![MeterChange { time: 2.0, signature }]);
        let mut after = before.clone();
        Arc::make_mut(&mut after.song).tempo_bpm = 99.0;
        let mut later = after.clone();
        Arc::make_mut(&mut later.song).tempo_points = Arc::default();
        let mut read = before.clone();
        for (from, to, holds_tempos) in [(&before, &after, false), (&after, &later, true), (&later, &before, true)] {
            let text = serde_json::to_string(&SavedChanges::between(from, to)).unwrap();
            assert_eq!(text.contains("tempo_points"), holds_tempos, "{text}");
            let changes: Option<SavedChanges> = serde_json::from_str(&text).unwrap();
            changes.unwrap().apply(&mut read).unwrap();
            assert_eq!(&read, to);
        }
    }
}
