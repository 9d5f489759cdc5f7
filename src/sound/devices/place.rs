//! What devices are looked at with.

use crate::object_model::default_sound::DefaultSound;
use crate::sound::samples::SampleCache;
use svc_sound::note_effects::PitchSet;

#[derive(Clone, Copy)]
pub struct Place<'a> {
    pub samples: &'a SampleCache,
    /// What plays for an instrument without code of its own.
    pub usual: DefaultSound,
    /// The Set's.
    pub scale: Option<PitchSet>,
    /// Clips move parameters of devices: what does nothing as it stands is there all the same.
    pub is_moved: bool,
}
