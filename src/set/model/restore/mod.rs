//! One object as it was after an earlier step, and everything else as it is. See D73 in `docs/decisions.md`.
//!
//! What the object held then comes along, and what it got since goes. What was put in its place since gives way; what
//! stood elsewhere then is never lost: there the call is refused. What it held then and stands elsewhere now stays
//! there, and comes back as a copy with an id of its own.

mod clips;
mod devices;
mod scenes;
mod tracks;

use crate::music::text::counted;
use crate::object_model::history::{Moment, Restored};
use crate::object_model::{ModelError, ObjectId};
use crate::set::document::Document;
use crate::set::document::ids::{IdParts, Serial};
use crate::set::document::object_index::Location;
use crate::set::model::set_state::SetState;
use std::collections::HashSet;

impl SetState {
    /// HostEdits::restore.
    pub(super) fn restore_object(&mut self, object: ObjectId, step: u64) -> Result<Restored, ModelError> {
        let then = self.history.document(Moment::After(step), &self.document);
        let then = then.ok_or_else(|| ModelError::refused(format!("the Set after step {step} is not kept")))?;
        let Some(IdParts::Made(serial)) = IdParts::from_id(object) else { return Err(not_restored()) };
        let before = self.document.clone();
        // Puts the Set back as it was where anything is refused.
        let remarks = self.adding_notes(|set| set.bring_back(&then, serial))?;
        Ok(Restored { changed: !self.document.same_as(&before), remarks })
    }

    fn bring_back(&mut self, then: &Document, serial: Serial) -> Result<Vec<String>, ModelError> {
        let mut remarks = Vec::new();
        match then.location(serial) {
            Some(Location::SessionClip { .. } | Location::PlacedClip { .. }) => {
                self.restore_clip(then, serial, &mut remarks)?;
            }
            Some(Location::Scene) => self.restore_scene(then, serial, &mut remarks)?,
            Some(Location::Track) => self.restore_track(then, serial, &mut remarks)?,
            Some(Location::Return | Location::Main) => self.restore_return_or_main(then, serial, &mut remarks)?,
            Some(Location::Device { .. }) => self.restore_device(then, serial, &mut remarks)?,
            Some(_) => return Err(not_restored()),
            None => return Err(ModelError::refused(format!("nothing had the id {serial} after that step"))),
        }
        Ok(remarks)
    }

    /// Compares what an object held with what it holds now.
    fn compare_contents(
        &self,
        then: &Document,
        was: &HashSet<Serial>,
        is: &HashSet<Serial>,
        remarks: &mut Vec<String>,
    ) -> Result<Taken, ModelError> {
        let (mut clips, mut devices) = (0, 0);
        for serial in is.difference(was) {
            if then.location(*serial).is_some() {
                let what = in_words(&self.document, *serial);
                return Err(ModelError::refused(format!(
                    "{what} is in it now and stood elsewhere then: restore that first, or move it away"
                )));
            }
            match self.document.location(*serial) {
                Some(Location::SessionClip { .. } | Location::PlacedClip { .. }) => clips += 1,
                Some(Location::Device { .. }) => devices += 1,
                _ => {}
            }
        }
        if let Some(list) = counted_list(clips, devices) {
            remarks.push(format!("{list} made in it since went"));
        }
        Ok(Taken(was.difference(is).copied().filter(|serial| self.document.location(*serial).is_some()).collect()))
    }

    /// Takes away what is in the place of what comes back, if it was made since.
    fn give_way(&mut self, then: &Document, serial: Serial, remarks: &mut Vec<String>) -> Result<(), ModelError> {
        let what = in_words(&self.document, serial);
        if then.location(serial).is_some() {
            return Err(ModelError::refused(format!(
                "{what} is in its place now and stood elsewhere then: restore that first, or move it away"
            )));
        }
        match self.document.location(serial) {
            Some(Location::SessionClip { track, scene }) => drop(self.document.take_clip(track, scene)),
            Some(Location::PlacedClip { .. }) => drop(self.document.take_placed(serial)),
            Some(Location::Device { .. }) => drop(self.document.take_device(serial)),
            _ => {}
        }
        remarks.push(format!("{what}, made since, was in its place and is gone"));
        Ok(())
    }
}

/// What an object held then and stands elsewhere now.
struct Taken(HashSet<Serial>);

impl Taken {
    fn remark(&self, set: &Document, remarks: &mut Vec<String>) {
        if let Some(first) = self.0.iter().min() {
            let more = if self.0.len() > 1 { " and more" } else { "" };
            remarks.push(format!(
                "{}{more} stands elsewhere now and stays there; a copy with an id of its own came back",
                in_words(set, *first)
            ));
        }
    }
}

fn not_restored() -> ModelError {
    ModelError::refused("clips, tracks, scenes and devices are brought back, each with what it holds; nothing else is")
}

/// `2 clips and 1 device`; `None` of nothing.
fn counted_list(clips: usize, devices: usize) -> Option<String> {
    match (clips, devices) {
        (0, 0) => None,
        (clips, 0) => Some(counted(clips, "clip")),
        (0, devices) => Some(counted(devices, "device")),
        (clips, devices) => Some(format!("{} and {}", counted(clips, "clip"), counted(devices, "device"))),
    }
}

/// `track "Lead" (id 12)`.
fn in_words(document: &Document, serial: Serial) -> String {
    let (what, name) = match document.location(serial) {
        Some(Location::Track | Location::Return | Location::Main) => {
            ("track", document.track(serial).and_then(|track| track.name.clone()))
        }
        Some(Location::Scene) => ("scene", document.scene(serial).map(|scene| scene.name.clone())),
        Some(Location::SessionClip { .. } | Location::PlacedClip { .. }) => {
            ("clip", document.clip(serial).map(|clip| clip.name.clone()))
        }
        Some(Location::Device { .. }) => ("device", document.device(serial).map(|device| device.shown_name())),
        Some(Location::Chain { .. }) => ("chain", document.chain(serial).map(|chain| chain.name.clone())),
        Some(Location::TakeLane { .. }) => ("take lane", document.take_lane(serial).map(|lane| lane.name.clone())),
        _ => ("object", None),
    };
    match name.filter(|name| !name.is_empty()) {
        Some(name) => format!("{what} \"{name}\" (id {serial})"),
        None => format!("{what} (id {serial})"),
    }
}

/// Why an object cannot come back: what it stood in is gone.
fn parent_gone(then: &Document, parent: Serial) -> ModelError {
    ModelError::refused(format!("{}, where it was, is gone: restore that first", in_words(then, parent)))
}

/// Where an object of a list comes back: behind the nearest that stood before it and is still there.
fn place_among(then: &[Serial], now: &[Serial], serial: Serial) -> usize {
    let before = then.iter().take_while(|other| **other != serial);
    let nearest = before.filter_map(|other| now.iter().position(|there| there == other)).last();
    nearest.map_or(0, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::place_among;

    #[test]
    fn an_object_comes_back_behind_what_stood_before_it() {
        for (then, now, want) in [
            (&[1, 2, 3][..], &[1, 3][..], 1),
            (&[1, 2, 3], &[3], 0),
            (&[1, 2, 3], &[9, 1, 8, 3], 2),
            (&[2], &[7, 8], 0),
            (&[1, 3, 2], &[3, 1], 1),
        ] {
            assert_eq!(place_among(then, now, 2), want, "{then:?} {now:?}");
        }
    }
}
