//! A scene comes back with the clips of its row.

use super::place_among;
use crate::music::text::counted;
use crate::object_model::ModelError;
use crate::set::document::ids::Serial;
use crate::set::document::{Clip, Document, Scene};
use crate::set::model::set_state::SetState;
use std::collections::HashSet;

impl SetState {
    pub(super) fn restore_scene(
        &mut self,
        then: &Document,
        serial: Serial,
        remarks: &mut Vec<String>,
    ) -> Result<(), ModelError> {
        let scene = then.scene(serial).ok_or(ModelError::NoObject)?;
        let row = |document: &Document| -> Vec<(Serial, Serial)> {
            let clip = |track| document.clip_in(track, serial).map(|clip| (track, clip.serial));
            document.index.row(serial).filter_map(clip).collect()
        };
        let (was, is) = (row(then), row(&self.document));
        let clips = |row: &[(Serial, Serial)]| row.iter().map(|(_, clip)| *clip).collect::<HashSet<_>>();
        let taken = self.compare_contents(then, &clips(&was), &clips(&is), remarks)?;
        for (track, _) in was.iter().chain(&is) {
            self.refuse_frozen(*track)?;
        }
        if self.document.edit_scene(serial, |place| *place = Scene::clone(scene)).is_none() {
            let order = |document: &Document| document.scenes.iter().map(|scene| scene.serial).collect::<Vec<_>>();
            let at = place_among(&order(then), &order(&self.document), serial);
            self.document.insert_scene(at, Scene::clone(scene));
        }
        for (track, _) in is {
            self.document.take_clip(track, serial);
        }
        let mut lost = 0;
        for (track, clip) in &was {
            let Some(clip) = then.clip(*clip).filter(|_| self.document.track(*track).is_some()) else {
                lost += 1;
                continue;
            };
            let mut clip = self.usable(Clip::clone(clip), remarks);
            if taken.0.contains(&clip.serial) {
                clip.serial = self.document.fresh_serial()?;
            }
            self.document.put_clip(*track, serial, clip);
        }
        taken.remark(&self.document, remarks);
        if lost > 0 {
            remarks.push(format!("{} could not come back: their tracks are gone", counted(lost, "clip")));
        }
        remarks.dedup();
        Ok(())
    }
}
