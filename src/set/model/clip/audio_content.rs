//! Clip: what only an audio clip has, and making one of a file.
//!
//! A new clip is warped, as if the file went at its own tempo where one is known, else at the Set's, and does not loop:
//! its length in beats is the file's.

use crate::object_model::audio::AudioFacts;
use crate::object_model::faders;
use crate::object_model::{ModelError, Value};
use crate::set::document::ids::Serial;
use crate::set::document::warp_markers;
use crate::set::document::{AudioContent, Clip, Content, Signature, TrackKind, WarpMarker};
use crate::set::model::clip::note_functions::dictionary;
use crate::set::model::member_answer::MemberAnswer;
use crate::set::model::object_ref::ObjectRef;
use crate::set::model::set_state::SetState;
use crate::set::model::track::arrangement_clips::number;
use serde_json::{Value as Json, json};
use std::path::Path;
use std::sync::Arc;

/// Members that only an audio clip has.
pub(in crate::set::model) const AUDIO_ONLY: [&str; 12] = [
    "available_warp_modes",
    "gain",
    "gain_display_string",
    "file_path",
    "warp_markers",
    "pitch_coarse",
    "pitch_fine",
    "sample_length",
    "sample_rate",
    "warp_mode",
    "warping",
    "ram_mode",
];

/// Every mode but REX (5), which only a REX file has.
const WARP_MODES: [i64; 6] = [0, 1, 2, 3, 4, 6];

impl Clip {
    /// The whole of a file.
    pub fn of_file(
        serial: Serial,
        path: &str,
        facts: &AudioFacts,
        color: u8,
        signature: Signature,
        tempo_bpm: f64,
    ) -> Clip {
        let name = Path::new(path).file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let tempo_bpm = facts.tempo_bpm.filter(|bpm| warp_markers::SEGMENT_BPM.contains(bpm)).unwrap_or(tempo_bpm);
        let beats = facts.seconds() * tempo_bpm / 60.0;
        let audio = AudioContent {
            file_path: path.to_owned(),
            sample_length: facts.frames,
            sample_rate_hz: facts.sample_rate_hz,
            channels: facts.channels,
            gain: 0.4,
            pitch_coarse: 0,
            pitch_fine: 0.0,
            warping: true,
            warp_mode: 0,
            ram_mode: false,
            warp_markers: warp_markers::straight(tempo_bpm),
            fades: None,
        };
        Clip {
            name,
            looping: false,
            content: Content::Audio(Arc::new(audio)),
            ..Clip::midi(serial, beats, color, signature)
        }
    }
}

/// The JSON that Live reads warp markers as; `sample_time` is in seconds.
pub(in crate::set::model) fn warp_markers(markers: &[WarpMarker]) -> Json {
    let one = |m: &WarpMarker| json!({"beat_time": m.beat_time, "sample_time": m.sample_time_seconds});
    json!({ "warp_markers": markers.iter().map(one).collect::<Vec<_>>() })
}

impl SetState {
    /// A clip of the file that an argument names.
    pub(in crate::set::model) fn audio_clip(&mut self, path: Option<&Value>, color: u8) -> Result<Clip, ModelError> {
        let path = path
            .and_then(Value::as_str)
            .ok_or_else(|| ModelError::refused("create_audio_clip takes the absolute path of an audio file as text"))?;
        let facts = self.audio_file(path)?;
        let serial = self.document.fresh_serial()?;
        let song = &self.document.song;
        Ok(Clip::of_file(serial, path, &facts, color, song.signature, song.tempo_bpm))
    }

    /// ClipSlot.create_audio_clip.
    pub(in crate::set::model) fn create_session_audio(
        &mut self,
        track: Serial,
        scene: Serial,
        path: Option<&Value>,
    ) -> Result<Value, ModelError> {
        let host = self.document.track(track).ok_or(ModelError::NoObject)?;
        if host.kind != TrackKind::Audio {
            return Err(ModelError::refused("only an audio track takes an audio clip"));
        }
        if host.clip_at(scene).is_some() {
            return Err(ModelError::refused("the slot holds a clip already"));
        }
        let color = host.color;
        let clip = self.audio_clip(path, color)?;
        let serial = clip.serial;
        self.document.put_clip(track, scene, clip);
        Ok(ObjectRef::Clip(serial).id().into())
    }

    /// A member of [`AUDIO_ONLY`].
    pub(in crate::set::model) fn read_clip_audio(&self, audio: &AudioContent, member: &str) -> MemberAnswer<Value> {
        Some(Ok(match member {
            "available_warp_modes" => Value::Ints(WARP_MODES.to_vec()),
            "gain" => audio.gain.into(),
            "gain_display_string" => faders::db_text_fine(faders::clip_gain_db(audio.gain)).into(),
            "file_path" => audio.file_path.as_str().into(),
            "warp_markers" => Value::Struct(warp_markers(&audio.warp_markers)),
            "pitch_coarse" => i64::from(audio.pitch_coarse).into(),
            "pitch_fine" => audio.pitch_fine.into(),
            "sample_length" => i64::try_from(audio.sample_length).unwrap_or(i64::MAX).into(),
            "sample_rate" => audio.sample_rate_hz.into(),
            "warp_mode" => i64::from(audio.warp_mode).into(),
            "warping" => audio.warping.into(),
            "ram_mode" => audio.ram_mode.into(),
            _ => return None,
        }))
    }

    pub(in crate::set::model) fn write_clip_audio(
        &mut self,
        clip: Serial,
        member: &str,
        value: &Value,
    ) -> MemberAnswer<()> {
        let number = value.as_f64().unwrap_or_default();
        let whole = value.as_i64().unwrap_or_default();
        let on = value.as_bool().unwrap_or_default();
        Some(match member {
            "gain" => self.edit_audio(clip, |audio| audio.gain = number),
            "pitch_coarse" => {
                self.edit_audio(clip, |audio| audio.pitch_coarse = i8::try_from(whole).unwrap_or_default())
            }
            "pitch_fine" => self.edit_audio(clip, |audio| audio.pitch_fine = number),
            "ram_mode" => self.edit_audio(clip, |audio| audio.ram_mode = on),
            "warp_mode" if !WARP_MODES.contains(&whole) => {
                Err(ModelError::refused("warp_mode must be one of available_warp_modes"))
            }
            "warp_mode" => self.edit_audio(clip, |audio| audio.warp_mode = u8::try_from(whole).unwrap_or_default()),
            "warping" => self.write_warping(clip, on),
            _ => return None,
        })
    }

    fn edit_audio<R>(&mut self, clip: Serial, edit: impl FnOnce(&mut AudioContent) -> R) -> Result<R, ModelError> {
        let edited = self.document.edit_clip(clip, |clip| match &mut clip.content {
            Content::Audio(audio) => Some(edit(Arc::make_mut(audio))),
            Content::Midi(_) => None,
        });
        edited.flatten().ok_or(ModelError::NoObject)
    }

    pub(in crate::set::model) fn call_clip_audio(
        &mut self,
        clip: Serial,
        function: &str,
        args: &[Value],
    ) -> MemberAnswer<Value> {
        let of = |warped: bool| {
            let audio = self.document.clip(clip).and_then(|clip| clip.audio()).cloned();
            let audio = audio.ok_or_else(|| ModelError::refused("only an audio clip has that"))?;
            let text = if warped { "the clip is not warped" } else { "the clip is warped" };
            if audio.warping == warped { Ok(audio) } else { Err(ModelError::refused(text)) }
        };
        let time = || number(args, 0).ok_or_else(|| ModelError::refused(format!("{function} takes a time")));
        Some(match function {
            "beat_to_sample_time" => of(true).and_then(|audio| {
                Ok((warp_markers::seconds_at(&audio.warp_markers, time()?) * audio.sample_rate_hz).into())
            }),
            "sample_to_beat_time" => of(true).and_then(|audio| {
                Ok(warp_markers::beat_at(&audio.warp_markers, time()? / audio.sample_rate_hz).into())
            }),
            "seconds_to_sample_time" => of(false).and_then(|audio| Ok((time()? * audio.sample_rate_hz).into())),
            "add_warp_marker" | "move_warp_marker" | "remove_warp_marker" => {
                of(true).and_then(|audio| self.edit_warp_markers(clip, &audio, function, args))
            }
            _ => return None,
        })
    }

    fn edit_warp_markers(
        &mut self,
        clip: Serial,
        audio: &AudioContent,
        function: &str,
        args: &[Value],
    ) -> Result<Value, ModelError> {
        let beat = || number(args, 0).ok_or_else(|| ModelError::refused(format!("{function} takes a beat time")));
        let old = &audio.warp_markers;
        let done = match function {
            "add_warp_marker" => {
                let dict = dictionary(args.first())?;
                let wrong =
                    || ModelError::refused("add_warp_marker takes {\"beat_time\": beats, \"sample_time\": seconds}");
                let beat = dict.get("beat_time").and_then(Json::as_f64).ok_or_else(wrong)?;
                let seconds = match dict.get("sample_time") {
                    None => None,
                    Some(seconds) => Some(seconds.as_f64().ok_or_else(wrong)?),
                };
                warp_markers::add(old, beat, seconds)
            }
            "move_warp_marker" => {
                let by = number(args, 1).ok_or_else(|| ModelError::refused("a distance is a number of beats"))?;
                warp_markers::shift(old, beat()?, by)
            }
            _ => warp_markers::remove(old, beat()?),
        };
        let markers = done.map_err(|why| ModelError::refused(why.to_string()))?;
        self.edit_audio(clip, |audio| audio.warp_markers = markers)?;
        Ok(Value::Nothing)
    }
}
