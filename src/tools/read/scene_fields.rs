//! A scene, as every read shows it.

use crate::object_model::scope::Shape;
use crate::object_model::{ObjectId, Session};
use crate::tools::address::model_read::{self, flag, number, rounded, text};
use crate::tools::address::path_format;
use crate::tools::error::ToolError;
use crate::tools::read::clip_fields::{self, ClipInclude, Nested};
use crate::tools::read::gathered::Gathered;
use crate::tools::read::session_clips;
use crate::tools::scene::name::shown_number;
use crate::tools::scene::values::signature;

/// What to add to a scene.
#[derive(Clone, Copy, Debug, Default)]
pub struct SceneInclude {
    pub clips: bool,
    pub color: bool,
    pub clip: ClipInclude,
}

impl SceneInclude {
    pub fn from_words(words: &[String]) -> SceneInclude {
        let has = |word: &str| words.iter().any(|w| w == word || w == "*");
        SceneInclude { clips: has("clips"), color: has("color"), clip: ClipInclude::nested(words) }
    }
}

/// What is read of a scene.
pub fn shape(include: SceneInclude) -> Shape {
    let track = || Shape::default().below("canonical_parent", Shape::of(&["name"]));
    let clip = if include.clips { clip_fields::shape(include.clip, Nested::InScene) } else { Shape::default() };
    let clip = clip.below_if(include.clips, "canonical_parent", track);
    Shape::of(&["name", "tempo_enabled", "tempo", "is_triggered", "time_signature_enabled"])
        .with(&["time_signature_numerator", "time_signature_denominator"])
        .with_if(include.color, &["color"])
        .below("clip_slots", Shape::default().below("clip", clip))
}

pub fn gather(session: &dyn Session, scene: ObjectId, include: SceneInclude) -> Result<Gathered, ToolError> {
    let mut out = Gathered::default();
    out.set("id", scene.to_string());
    let number_text = shown_number(session, scene)?;
    out.set("path", path_format::tool_path(session, scene)?.unwrap_or_default());
    let name = text(session, scene, "name")?;
    out.set("name", if name.is_empty() { number_text } else { format!("{name} ({number_text})") });
    out.set("plainName", name);
    if include.clips {
        let list = session_clips::list(session, scene)?.into_iter();
        let list = list.map(|clip| in_track(session, clip, include.clip));
        out.lists.push(("clips", list.collect::<Result<_, _>>()?));
    } else {
        out.set("clipCount", session_clips::count(session, scene)?);
    }
    if flag(session, scene, "tempo_enabled")? {
        out.set("tempo", rounded(number(session, scene, "tempo")?));
    }
    if flag(session, scene, "time_signature_enabled")? {
        out.set("timeSignature", signature(session, scene)?);
    }
    if let Some(kept) = session.kept_words(scene)? {
        out.add_detail(&kept);
    }
    if include.color
        && let Some(color) = model_read::color(session, scene)?
    {
        out.set("color", color);
    }
    out.set_if(flag(session, scene, "is_triggered")?, "triggered");
    Ok(out)
}

/// A clip with the name of its track.
fn in_track(session: &dyn Session, clip: ObjectId, include: ClipInclude) -> Result<Gathered, ToolError> {
    let mut out = clip_fields::gather(session, clip, include, Nested::InScene, None)?;
    if let Some(slot) = model_read::child(session, clip, "canonical_parent")?
        && let Some(track) = model_read::child(session, slot, "canonical_parent")?
    {
        out.set("trackName", text(session, track, "name")?);
    }
    Ok(out)
}
