//! A clip, as every read shows it.

use crate::music::{Meter, Note, duration, position};
use crate::object_model::clip_facts::ClipFacts;
use crate::object_model::faders::clip_gain_db;
use crate::object_model::scope::Shape;
use crate::object_model::{ModelError, ObjectId, Session};
use crate::picture::{self, PianoRoll};
use crate::tools::address::model_read::{self, flag, int, number, text};
use crate::tools::address::path_format;
use crate::tools::address::path_resolve;
use crate::tools::clip::region::{self, Region};
use crate::tools::clip::time::{self, is_unwarped};
use crate::tools::error::ToolError;
use crate::tools::read::envelope_fields;
use crate::tools::read::gathered::{Gathered, GatheredNotes};
use crate::tools::read::rack_fields;
use crate::tools::timeline::place::shown_length;

/// What to add to a clip.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClipInclude {
    pub timing: bool,
    pub notes: bool,
    pub color: bool,
    pub sample: bool,
    pub warp: bool,
    pub envelopes: bool,
    /// Not a part of `*`: a picture costs a model more than all the rest.
    pub image: bool,
}

/// Where a clip is read: what its place already says is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nested {
    No,
    InTrack,
    InScene,
}

impl ClipInclude {
    pub fn from_words(words: &[String]) -> ClipInclude {
        let has = |word: &str| words.iter().any(|w| w == word || w == "*");
        ClipInclude {
            timing: has("timing"),
            notes: has("notes"),
            color: has("color"),
            sample: has("sample"),
            warp: has("warp"),
            envelopes: has("envelopes"),
            image: words.iter().any(|word| word == picture::IMAGE_FIELD),
        }
    }

    /// For clips inside a track or scene, which are read without envelopes, even with `*`.
    pub fn nested(words: &[String]) -> ClipInclude {
        ClipInclude { envelopes: false, ..ClipInclude::from_words(words) }
    }
}

/// What is read of a clip.
pub fn shape(include: ClipInclude, nested: Nested) -> Shape {
    let lane = || Shape::default().below("arrangement_clips", Shape::of(&["start_time", "end_time"]));
    let devices = || if include.image { rack_fields::drums_within() } else { rack_fields::racks_within() };
    let track = || Shape::default().below("devices", devices());
    let place = match (include.notes || include.image, nested) {
        // The clips of the lane are read anyway; they say how far an unwarped one sounds.
        (false, Nested::InTrack) => lane(),
        (true, Nested::InTrack) => lane().below("devices", devices()).below("canonical_parent", track()),
        (true, _) => track().below("canonical_parent", track()),
        (false, _) => Shape::default(),
    };
    let mut shape =
        Shape::of(&["is_midi_clip", "is_audio_clip", "is_arrangement_clip", "name", "muted", "has_envelopes"])
            .with(&["is_playing", "is_triggered", "is_recording", "is_overdubbing"])
            .with(&[
                "start_time",
                "end_time",
                "loop_start",
                "loop_end",
                "start_marker",
                "end_marker",
                "looping",
                "warping",
            ])
            .with(&["signature_numerator", "signature_denominator"])
            .with(&["color"])
            .with_if(include.sample, &["file_path", "gain", "pitch_coarse", "pitch_fine"])
            .with_if(include.warp, &["sample_length", "sample_rate", "warp_mode", "warp_markers"])
            .with_if(include.envelopes, &["automation_envelopes"])
            .below("canonical_parent", place);
    shape.notes = true;
    shape
}

/// Where to read what moves under an Arrangement clip, which has no envelopes of its own.
fn where_automation_is(session: &dyn Session, clip: ObjectId) -> Result<String, ModelError> {
    let place = path_format::tool_path(session, clip)?.unwrap_or_default();
    let track = place.split(['/', '[']).next().unwrap_or_default();
    Ok(format!(
        "an arrangement clip has no envelopes of its own; what moves there is automation of its track: svc-read-track \
         {{\"path\": \"{track}\", \"include\": [\"mixer\"]}} lists it for the mixer, svc-read-device with include \
         [\"param-values\"] for a device of {track}"
    ))
}

/// What every read of a clip shows; of a host that gives it member by member, read so.
fn facts(session: &dyn Session, clip: ObjectId) -> Result<ClipFacts, ModelError> {
    if let Some(facts) = session.clip_facts(clip)? {
        return Ok(facts);
    }
    let flag = |member| flag(session, clip, member);
    let number = |member| number(session, clip, member);
    let int = |member| int(session, clip, member);
    Ok(ClipFacts {
        is_midi_clip: flag("is_midi_clip")?,
        name: text(session, clip, "name")?,
        color: int("color")?,
        is_arrangement_clip: flag("is_arrangement_clip")?,
        is_playing: flag("is_playing")?,
        is_triggered: flag("is_triggered")?,
        is_recording: flag("is_recording")?,
        is_overdubbing: flag("is_overdubbing")?,
        muted: flag("muted")?,
        has_envelopes: flag("has_envelopes")?,
        signature: (int("signature_numerator")?, int("signature_denominator")?),
        looping: flag("looping")?,
        loop_start: number("loop_start")?,
        loop_end: number("loop_end")?,
        start_marker: number("start_marker")?,
        end_marker: number("end_marker")?,
    })
}

/// Reads a clip. `drums` says whether its track [plays drums](plays_drums), where that is known.
pub fn gather(
    session: &dyn Session,
    clip: ObjectId,
    include: ClipInclude,
    nested: Nested,
    drums: Option<bool>,
) -> Result<Gathered, ToolError> {
    let mut out = Gathered::default();
    out.set("id", clip.to_string());
    let now = facts(session, clip)?;
    let meter = Meter::new(now.signature.0, now.signature.1).map_err(|why| ToolError::new(why.to_string()))?;
    if nested != Nested::InTrack {
        out.set("type", if now.is_midi_clip { "midi" } else { "audio" });
    }
    if !now.name.is_empty() {
        out.set("name", now.name);
    }
    if nested == Nested::No {
        out.set("view", if now.is_arrangement_clip { "arrangement" } else { "session" });
    }
    if let Some(path) = path_format::tool_path(session, clip)? {
        out.set("path", path);
    }
    if now.is_arrangement_clip {
        let length = shown_length(session, clip)?;
        let song_meter = model_read::meter(session, model_read::song(session)?)?;
        let format = if is_unwarped(session, clip)? { duration::format_within } else { duration::format };
        out.set("arrangementLength", format(length, song_meter));
    }
    for (field, on) in [
        ("playing", now.is_playing),
        ("triggered", now.is_triggered),
        ("recording", now.is_recording),
        ("overdubbing", now.is_overdubbing),
        ("muted", now.muted),
    ] {
        out.set_if(on, field);
    }
    if !now.is_arrangement_clip && now.has_envelopes {
        out.set("envs", true);
        if include.envelopes {
            envelope_fields::gather(session, clip, meter, &mut out)?;
        }
    }
    if include.envelopes && now.is_arrangement_clip {
        out.add_detail(&where_automation_is(session, clip)?);
    }
    if let Some(kept) = session.kept_words(clip)? {
        out.add_detail(&kept);
    }
    if include.color {
        out.set("color", model_read::color_text(now.color));
    }
    if include.timing {
        let unit = if now.is_midi_clip { 1.0 } else { time::own_units_per_beat(session, clip)? };
        let start = now.loop_start / unit;
        let first_start = if now.looping { now.start_marker / unit } else { start };
        let region = Region { start, end: now.loop_end / unit, looping: now.looping, first_start };
        let unwarped = !now.is_midi_clip && is_unwarped(session, clip)?;
        timing(region, meter, unwarped, &mut out);
    }
    if !now.is_midi_clip {
        if include.image {
            out.add_detail("image shows notes, and an audio clip has none");
        }
        audio(session, clip, include, &mut out)?;
        return Ok(out);
    }
    let window = time::note_window_of((now.loop_start, now.loop_end), (now.start_marker, now.end_marker));
    let mut shown = session.notes(clip)?;
    shown.retain(|n| n.start >= window.0 && n.start < window.1);
    if include.image {
        out.roll = Some(roll(session, clip, shown.clone(), meter)?);
    }
    let all = shown.len();
    shown.retain(|n| !n.mute);
    let muted = all - shown.len();
    out.set("noteCount", shown.len());
    if include.notes {
        if muted > 0 {
            out.set("mutedNotes", muted);
        }
        let drums = drums.map_or_else(|| plays_drums(session, clip), Ok)?;
        out.notes = Some(GatheredNotes { notes: shown, meter, drums, spelling: session.spelling() });
    }
    Ok(out)
}

/// The notes as a picture.
fn roll(session: &dyn Session, clip: ObjectId, notes: Vec<Note>, meter: Meter) -> Result<PianoRoll, ToolError> {
    let Region { start, end, first_start, .. } = region::read(session, clip)?;
    let first_start = Some(first_start).filter(|first| (first - start).abs() >= crate::music::SAME_POSITION_BEATS);
    let color = model_read::int(session, clip, "color")?;
    let rack = track_of(session, clip)?.map(|track| path_resolve::first_drum_rack(session, track, 0)).transpose()?;
    let pads = rack.flatten().map(|rack| rack_fields::pad_names(session, rack)).transpose()?;
    let row_names = pads.into_iter().flatten().map(|(note, _, name)| (note, name)).collect();
    let color = u32::try_from(color).unwrap_or(0x4F_C3A1);
    Ok(PianoRoll { notes, meter, region: (start, end), first_start, color, row_names })
}

/// The file of an audio clip and what is done to it.
fn audio(session: &dyn Session, clip: ObjectId, include: ClipInclude, out: &mut Gathered) -> Result<(), ToolError> {
    if include.sample {
        out.set("sampleFile", text(session, clip, "file_path")?);
        let heard = crate::tools::clip::audio_clip::read(session, clip)?;
        let gain = crate::tools::mixer::mixer_strip::shown_db(clip_gain_db(number(session, clip, "gain")?));
        for (field, value) in [("gainDb", gain), ("pitchShift", model_read::rounded(heard.pitch_shift_semitones))] {
            if value != 0 {
                out.set(field, value);
            }
        }
    }
    if include.warp {
        out.set("sampleLength", model_read::int(session, clip, "sample_length")?);
        out.set("sampleRate", model_read::rounded(number(session, clip, "sample_rate")?));
        out.set("warping", flag(session, clip, "warping")?);
        out.set("warpMode", crate::tools::clip::audio_clip::warp_mode(session, clip)?);
        if let Some(bpm) = crate::tools::clip::source_tempo::read(session, clip)? {
            out.set("sourceTempo", model_read::rounded(bpm));
        }
    }
    Ok(())
}

/// The track that a clip is on.
fn track_of(session: &dyn Session, clip: ObjectId) -> Result<Option<ObjectId>, ToolError> {
    // A clip stands in its track, or in a slot or take lane of it.
    let mut track = model_read::child(session, clip, "canonical_parent")?;
    while let Some(id) = track
        && model_read::class(session, id)? != Some("Track")
    {
        track = model_read::child(session, id, "canonical_parent")?;
    }
    Ok(track)
}

/// Whether the clip's track holds a Drum Rack, alone or inside other racks: its notes are then written a pitch a line.
pub fn plays_drums(session: &dyn Session, clip: ObjectId) -> Result<bool, ToolError> {
    let Some(track) = track_of(session, clip)? else { return Ok(false) };
    Ok(path_resolve::first_drum_rack(session, track, 0)?.is_some())
}

/// Start and end of the region that sounds, with the notation's words for them.
fn timing(region: Region, meter: Meter, unwarped: bool, out: &mut Gathered) {
    let Region { start, end, looping, first_start } = region;
    out.set("timeSignature", meter.to_string());
    out.set("looping", looping);
    out.set("start", position::format(start, meter));
    // Nothing that is shown lies past the end of a file that bounds the region.
    if unwarped {
        out.set("end", position::format_within(end, meter));
        out.set("length", duration::format_within(end - start, meter));
    } else {
        out.set("end", position::format(end, meter));
        out.set("length", duration::format(end - start, meter));
    }
    if looping && (first_start - start).abs() >= crate::music::SAME_POSITION_BEATS {
        out.set("firstStart", position::format(first_start, meter));
    }
}
