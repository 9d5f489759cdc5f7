//! What is known beforehand of a write to Live: whether the value stays what was sent, and whether Live's undo takes it
//! back.

use super::known::Known;
use crate::object_model::class::ValueKind;
use crate::object_model::{Class, ObjectId, Value, class, palette};
use serde_json::{Map, Value as Json, json};

/// Functions that change nothing.
pub fn is_pure(function: &str) -> bool {
    function.starts_with("get_")
        || matches!(
            function,
            "str_for_value"
                | "beat_to_sample_time"
                | "sample_to_beat_time"
                | "beat_time_to_seconds"
                | "is_cue_point_selected"
        )
}

/// Whether a property or function leaves a step in Live's undo: what is selected, shown or played does not.
pub fn is_undoable(class: &str, member: &str) -> bool {
    let is_shown = class.ends_with(".View") || class == "Application" || class == "Application.View";
    let is_played = matches!(
        member,
        "is_playing"
            | "current_song_time"
            | "start_playing"
            | "stop_playing"
            | "continue_playing"
            | "stop_all_clips"
            | "fire"
            | "fire_as_selected"
            | "stop"
            | "set_fire_button_state"
            | "jump_by"
            | "scrub_by"
            | "play_selection"
            | "jump_to_next_cue"
            | "jump_to_prev_cue"
            | "jump"
            | "undo"
            | "redo"
            | "back_to_arranger"
            | "trigger_session_record"
            | "tap_tempo"
            | "re_enable_automation"
    );
    !is_shown && !is_played
}

/// What a property will be read as once it is set, where that is sure: colours go to the palette; Live completes names
/// with `#`, gives back default names for blank ones, and puts letters before those of returns.
pub fn expected(class: &Class, path: &str, member: &str, value: &Value) -> Option<Json> {
    let kind = class.properties.get(member)?.kind;
    match (kind, value) {
        (ValueKind::Text, Value::Text(text)) => {
            let is_kept =
                member == "name" && !text.is_empty() && !text.contains('#') && !path.contains("return_tracks");
            is_kept.then(|| json!(text))
        }
        (ValueKind::Bool, Value::Bool(on)) => Some(json!(on)),
        (ValueKind::Int, Value::Int(rgb)) if member == "color" => Some(json!(palette::rgb(palette::nearest(*rgb)))),
        (ValueKind::Int, Value::Int(number)) if !matches!(member, "color" | "color_index") => Some(json!(number)),
        (ValueKind::Float, Value::Float(number)) => Some(json!(number)),
        _ => None,
    }
}

/// What of an object is no part of a copy of it.
pub fn is_of_the_moment(member: &str) -> bool {
    member.starts_with("is_playing")
        || member.starts_with("playing_")
        || member.contains("routing")
        || matches!(
            member,
            "is_triggered"
                | "is_recording"
                | "is_overdubbing"
                | "will_record_on_start"
                | "fired_slot_index"
                | "muted_via_solo"
                | "arm"
                | "is_part_of_selection"
        )
}

/// Whether a clip of a timeline that does not loop covers another span of it afterwards.
pub fn moves_an_edge(member: &str) -> bool {
    matches!(member, "loop_start" | "loop_end" | "start_marker" | "end_marker" | "looping" | "warping")
}

/// Whether no other member of the object changes with this one.
pub fn stands_alone(member: &str) -> bool {
    matches!(
        member,
        "name"
            | "mute"
            | "solo"
            | "arm"
            | "muted"
            | "color"
            | "color_index"
            | "fold_state"
            | "launch_mode"
            | "launch_quantization"
            | "legato"
            | "velocity_amount"
            | "metronome"
            | "signature_numerator"
            | "signature_denominator"
            | "crossfade_assign"
    )
}

/// What is sure of an object that a function makes.
pub fn members_of_made(function: &str, first: Option<&Value>) -> Map<String, Json> {
    let length = match first {
        Some(Value::Float(length)) => Some(*length),
        Some(Value::Int(length)) => Some(*length as f64),
        _ => None,
    };
    let track = |midi: bool| json!({ "is_foldable": false, "has_midi_input": midi, "has_audio_input": !midi, "is_frozen": false, "can_be_armed": true });
    let members = match function {
        "create_midi_track" => track(true),
        "create_audio_track" => track(false),
        // A new clip loops from its beginning to its end.
        "create_clip" => json!({
            "is_midi_clip": true, "is_audio_clip": false, "is_arrangement_clip": false, "looping": true,
            "loop_start": 0.0, "loop_end": length, "start_marker": 0.0, "end_marker": length, "length": length,
        }),
        "create_audio_clip" => json!({ "is_midi_clip": false, "is_audio_clip": true }),
        "create_midi_clip" => json!({ "is_midi_clip": true, "is_audio_clip": false, "is_arrangement_clip": true }),
        _ => json!({}),
    };
    members.as_object().cloned().unwrap_or_default()
}

/// The class of what a function makes, by its line in the class table.
pub fn made_class(returns: &str) -> Option<&'static Class> {
    class::class(returns.strip_prefix("object id of ")?)
}

/// The class of what a call makes: of a device by its name, and of a chain by its rack, as far as that is sure.
pub fn class_of_made(
    known: &Known,
    parent: ObjectId,
    function: &str,
    first: Option<&Value>,
    made: &'static Class,
) -> &'static Class {
    let rack = known.value(parent, "class_name", Some(ValueKind::Text));
    let sure = match (function, first, rack) {
        ("insert_device", Some(Value::Text(name)), _) if name == "Simpler" => "SimplerDevice",
        ("insert_chain", _, Some(Value::Text(rack))) if rack == "DrumGroupDevice" => "DrumChain",
        _ => return made,
    };
    class::class(sure).unwrap_or(made)
}

/// Where what a function makes will stand, as far as that is sure.
pub fn path_of_made(known: &Known, parent: ObjectId, function: &str, first: Option<&Value>) -> Option<String> {
    let path = known.path_of(parent)?;
    let list = match function {
        "create_midi_track" | "create_audio_track" => "tracks",
        "create_scene" => "scenes",
        "create_return_track" => "return_tracks",
        "create_clip" | "create_audio_clip" if path.contains(" clip_slots ") => return Some(format!("{path} clip")),
        _ => return None,
    };
    let at = match first {
        Some(Value::Int(at)) if *at >= 0 => usize::try_from(*at).ok()?,
        _ => known.count(parent, list)?,
    };
    Some(format!("{path} {list} {at}"))
}
