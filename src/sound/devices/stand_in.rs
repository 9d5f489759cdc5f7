//! What plays where an instrument has no code of its own: a default sound, by the kind of the instrument where that
//! tells, else by the track's name and notes.

use crate::object_model::default_sound::DefaultSound;
use crate::object_model::device_sounds::{Heard, of_class};
use svc_sound::instruments::Role;

/// The engine's sound of that name.
pub fn role_of(sound: DefaultSound) -> Role {
    match sound {
        DefaultSound::Drums => Role::Drums,
        DefaultSound::Drums808 => Role::Drums808,
        DefaultSound::Drums909 => Role::Drums909,
        DefaultSound::Kick => Role::Kick,
        DefaultSound::Bass => Role::Bass,
        DefaultSound::Sub => Role::Sub,
        DefaultSound::Lead => Role::Lead,
        DefaultSound::Pluck => Role::Pluck,
        DefaultSound::Bell => Role::Bell,
        DefaultSound::Pad => Role::Pad,
        DefaultSound::Keys => Role::Keys,
        DefaultSound::Organ => Role::Organ,
        DefaultSound::Voice => Role::Voice,
        DefaultSound::Noise => Role::Noise,
    }
}

/// What plays for an instrument without code, `usual` being what the place it stands in asks for.
pub fn stand_in(class_name: &str, usual: DefaultSound) -> DefaultSound {
    match of_class(class_name).map(|line| line.heard) {
        Some(Heard::StandIn(Some(sound)) | Heard::Samples(Some(sound))) => sound,
        _ => usual,
    }
}
