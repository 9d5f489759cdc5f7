//! Moving what a list of the Set holds to another place in that list, with all that it holds.

use crate::set::document::ids::Serial;
use crate::set::document::{Document, Mixer};

impl Document {
    /// Moves a scene to a place among the others.
    pub fn move_scene(&mut self, serial: Serial, to: usize) -> Option<()> {
        let scene = self.scenes.remove(self.scene_position(serial)?)?;
        self.scenes.insert(to, scene);
        Some(())
    }

    /// Takes tracks out of the list, asks for a place among those that are left, and puts them there in their order.
    pub fn move_tracks(&mut self, serials: &[Serial], to: impl FnOnce(&Document) -> usize) -> Option<()> {
        let mut taken = Vec::with_capacity(serials.len());
        for serial in serials {
            taken.push(self.tracks.remove(self.track_position(*serial)?)?);
        }
        let to = to(self);
        for (at, track) in taken.into_iter().enumerate() {
            self.tracks.insert(to + at, track);
        }
        Some(())
    }

    /// Moves a return track to a place among the others; the sends to it move with it.
    pub fn move_return(&mut self, serial: Serial, to: usize) -> Option<()> {
        let from = self.return_position(serial)?;
        let track = self.returns.remove(from)?;
        self.returns.insert(to, track);
        let follow = |mixer: &mut Mixer| {
            if from < mixer.sends.len() {
                let level = mixer.sends.remove(from);
                mixer.sends.insert(to.min(mixer.sends.len()), level);
            }
        };
        self.tracks.edit_all(|track| follow(&mut track.mixer));
        self.returns.edit_all(|track| follow(&mut track.mixer));
        Some(())
    }
}
