//! Old and other spellings of parameters, folded onto the published ones.

pub mod clip_aliases;
pub mod copied_to;
pub mod fold;
