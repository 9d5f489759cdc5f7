//! Song: the playhead's functions, its texts, tapping, capturing.

use crate::music::Beats;
use crate::object_model::{ModelError, Value};
use crate::set::document::ids::Serial;
use crate::set::document::{Clip, Scene, Signature};
use crate::set::model::member_answer::MemberAnswer;
use crate::set::model::set_state::SetState;
use crate::set::runtime::launch_orders::TransportAction;
use crate::set::runtime::runtime_state::Playing;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Ticks of a sixteenth in beat texts.
const TICKS: f64 = 240.0;
/// Taps further apart than this start anew.
const TAP_GAP: Duration = Duration::from_secs(3);
/// Taps that count.
const TAPS: usize = 8;

impl SetState {
    pub(in crate::set::model) fn call_song_time(&mut self, function: &str, args: &[Value]) -> MemberAnswer<Value> {
        let song = self.document.song.clone();
        Some(match function {
            "jump_by" | "scrub_by" => match args.first().and_then(Value::as_f64).filter(|b| b.is_finite()) {
                Some(by) => {
                    let to = (self.runtime.position() + by).max(0.0);
                    self.runtime.order_transport(TransportAction::Jump { to });
                    Ok(Value::Nothing)
                }
                None => Err(ModelError::refused(format!("{function} takes a number of beats"))),
            },
            "get_current_beats_song_time" => Ok(position_text(self.shown_position(), song.signature).into()),
            "get_beats_loop_start" => Ok(position_text(song.loop_start, song.signature).into()),
            "get_beats_loop_length" => Ok(length_text(song.loop_length, song.signature).into()),
            "get_current_smpte_song_time" => {
                let seconds = self.shown_position() * 60.0 / song.tempo_bpm;
                match args.first().and_then(Value::as_i64).and_then(|format| smpte(seconds, format)) {
                    Some(text) => Ok(text.into()),
                    None => {
                        Err(ModelError::refused("a format is 0 (ms), 1 (24), 2 (25), 3 (30), 4 (30 drop) or 5 (29)"))
                    }
                }
            }
            "tap_tempo" => {
                self.tap(Instant::now());
                Ok(Value::Nothing)
            }
            "capture_and_insert_scene" => self.capture_scene(args.first()),
            "re_enable_automation" => {
                self.re_enable_all_automation();
                Ok(Value::Nothing)
            }
            // No selection in an Arrangement, no Link: nothing to do, as in a Live without them.
            "play_selection" | "force_link_beat_time" => Ok(Value::Nothing),
            _ => return self.call_song_locators(function),
        })
    }

    /// The tempo of the last taps, if it is one that a Set can have.
    pub(in crate::set::model) fn tap(&mut self, now: Instant) {
        let taps = &mut self.runtime.taps;
        if taps.last().is_some_and(|last| now.duration_since(*last) > TAP_GAP) {
            taps.clear();
        }
        taps.push(now);
        if taps.len() > TAPS {
            taps.remove(0);
        }
        let (Some(first), count) = (taps.first(), taps.len()) else { return };
        if count < 2 {
            return;
        }
        let gaps = f64::from(u32::try_from(count - 1).unwrap_or(1));
        let tempo = 60.0 * gaps / now.duration_since(*first).as_secs_f64();
        if (20.0..=999.0).contains(&tempo) {
            Arc::make_mut(&mut self.document.song).tempo_bpm = tempo;
        }
    }

    /// A new scene below the selected one with copies of the clips that play.
    fn capture_scene(&mut self, mode: Option<&Value>) -> Result<Value, ModelError> {
        let except_selected = match mode.map_or(Some(0), Value::as_i64) {
            Some(0) => false,
            Some(1) => true,
            _ => return Err(ModelError::refused("a capture mode is 0 (all) or 1 (all but the selected track)")),
        };
        let selected_track = self.selected("selected_track");
        let playing: Vec<(Serial, Arc<Clip>)> = self
            .runtime
            .launches
            .iter()
            .map(|launch| launch.track)
            .filter(|track| {
                !(except_selected && selected_track == Some(crate::set::model::object_ref::ObjectRef::Track(*track)))
            })
            .filter_map(|track| match self.runtime.track_play(track).playing {
                Playing::Clip(clip) => Some((track, self.document.clip(clip)?.clone())),
                _ => None,
            })
            .collect();
        let at = match self.selected("selected_scene") {
            Some(crate::set::model::object_ref::ObjectRef::Scene(scene)) => {
                self.document.scene_position(scene).unwrap_or(0) + 1
            }
            _ => self.document.scenes.len(),
        };
        let scene = self.document.fresh_serial()?;
        self.document.insert_scene(at, Scene::new(scene));
        for (track, clip) in playing {
            let copy = Clip { serial: self.document.fresh_serial()?, ..Clip::clone(&clip) };
            self.document.put_clip(track, scene, copy);
        }
        self.runtime.selection.scene = Some(scene);
        Ok(Value::Nothing)
    }
}

/// Bars, beats, sixteenths and ticks, each counted from 0.
fn split(beats: Beats, signature: Signature) -> (i64, i64, i64, i64) {
    let beat_length = 4.0 / f64::from(signature.denominator.max(1));
    let ticks_per_beat = beat_length * 4.0 * TICKS;
    // Whole ticks first, so that float noise moves nothing over a bar line.
    let ticks = (beats * 4.0 * TICKS).round();
    let per_bar = ticks_per_beat * f64::from(signature.numerator.max(1));
    let bars = (ticks / per_bar).floor();
    let in_bar = ticks - bars * per_bar;
    let beat = (in_bar / ticks_per_beat).floor();
    let in_beat = in_bar - beat * ticks_per_beat;
    let sixteenth = (in_beat / TICKS).floor();
    (bars as i64, beat as i64, sixteenth as i64, (in_beat - sixteenth * TICKS) as i64)
}

/// `001.01.01.000` at 0.
fn position_text(beats: Beats, signature: Signature) -> String {
    let (bars, beat, sixteenth, ticks) = split(beats, signature);
    format!("{:03}.{:02}.{:02}.{ticks:03}", bars + 1, beat + 1, sixteenth + 1)
}

/// A length counts from nothing: `004.00.00.000` for four bars.
fn length_text(beats: Beats, signature: Signature) -> String {
    let (bars, beat, sixteenth, ticks) = split(beats, signature);
    format!("{bars:03}.{beat:02}.{sixteenth:02}.{ticks:03}")
}

/// `h:m:s:f`, frames (or milliseconds) in the format asked for.
fn smpte(seconds: f64, format: i64) -> Option<String> {
    let per_second = match format {
        0 => 1000.0,
        1 => 24.0,
        2 => 25.0,
        3 | 4 => 30.0,
        5 => 29.0,
        _ => return None,
    };
    let whole = seconds.floor();
    let frame = ((seconds - whole) * per_second).floor() as i64;
    let whole = whole as i64;
    let digits = if format == 0 { 3 } else { 2 };
    Some(format!("{:02}:{:02}:{:02}:{frame:0digits$}", whole / 3600, whole / 60 % 60, whole % 60))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_positions() {
        let meter = |numerator, denominator| Signature { numerator, denominator };
        for (beats, signature, want) in [
            (0.0, meter(4, 4), "001.01.01.000"),
            (5.25, meter(4, 4), "002.02.02.000"),
            (3.999_999_999, meter(4, 4), "002.01.01.000"),
            (1.5, meter(6, 8), "001.04.01.000"),
            (0.125, meter(4, 4), "001.01.01.120"),
        ] {
            assert_eq!(position_text(beats, signature), want);
        }
        assert_eq!(length_text(16.0, meter(4, 4)), "004.00.00.000");
        assert_eq!(smpte(3661.5, 2).as_deref(), Some("01:01:01:12"));
        assert_eq!(smpte(0.25, 0).as_deref(), Some("00:00:00:250"));
        assert_eq!(smpte(0.0, 9), None);
    }

    #[test]
    fn taps_set_the_tempo() {
        let mut set = SetState::alone();
        let start = Instant::now();
        for n in 0..4u32 {
            set.tap(start + Duration::from_millis(500) * n);
        }
        assert!((set.document.song.tempo_bpm - 120.0).abs() < 1e-6);
        set.tap(start + Duration::from_secs(60));
        assert!((set.document.song.tempo_bpm - 120.0).abs() < 1e-6, "a late tap starts anew");
    }
}
