//! Launch buttons: what pressing and letting go of a clip's, a slot's or a scene's does.

use crate::object_model::{ModelError, Value};
use crate::set::document::ids::Serial;
use crate::set::document::{Clip, Document};
use crate::set::model::set_state::SetState;
use crate::set::runtime::launch_orders::LaunchQuantum;
use crate::set::runtime::runtime_state::{Fired, Playing, TrackPlayState};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Launch modes of a clip; 0, trigger, starts it anew each time.
const GATE: u8 = 1;
const TOGGLE: u8 = 2;
const REPEAT: u8 = 3;

/// Why a launch that would record is refused.
pub(in crate::set::model) const NO_RECORDING: &str = "this records from an input, which takes a running Live";

/// How a launch button is pressed.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::set::model) struct ButtonPress {
    /// Instead of the clip's own launch quantization.
    pub quantum: Option<LaunchQuantum>,
    /// Takes over the position of what plays, whatever the clip is set to.
    pub legato: bool,
    /// Stays down until it is let go.
    pub held: bool,
}

/// The boundary that a number of Live's `quantization` enum stands for.
pub(in crate::set::model) fn quantum(number: i64) -> LaunchQuantum {
    let triplet = 2.0 / 3.0;
    match number {
        1 => LaunchQuantum::Bars(8),
        2 => LaunchQuantum::Bars(4),
        3 => LaunchQuantum::Bars(2),
        4 => LaunchQuantum::Bars(1),
        5 => LaunchQuantum::Beats(2.0),
        6 => LaunchQuantum::Beats(2.0 * triplet),
        7 => LaunchQuantum::Beats(1.0),
        8 => LaunchQuantum::Beats(triplet),
        9 => LaunchQuantum::Beats(0.5),
        10 => LaunchQuantum::Beats(0.5 * triplet),
        11 => LaunchQuantum::Beats(0.25),
        12 => LaunchQuantum::Beats(0.25 * triplet),
        13 => LaunchQuantum::Beats(0.125),
        _ => LaunchQuantum::None,
    }
}

impl SetState {
    pub(in crate::set::model) fn global_quantum(&self) -> LaunchQuantum {
        quantum(self.document.song.launch_quantization.into())
    }

    /// The clip's own launch quantization, or the Song's where the clip follows it.
    pub(in crate::set::model) fn clip_quantum(&self, clip: &Clip) -> LaunchQuantum {
        match clip.launch_quantization {
            0 => self.global_quantum(),
            own => quantum(i64::from(own) - 1),
        }
    }

    /// Whether the slot's clip plays; of a group, a member's clip in that scene.
    pub(in crate::set::model) fn slot_plays(&self, track: Serial, scene: Serial) -> bool {
        self.document.with_members(track).into_iter().any(|member| {
            let clip = self.document.clip_in(member, scene).map(|clip| clip.serial);
            clip.is_some_and(|clip| self.runtime.track_play(member).playing == Playing::Clip(clip))
        })
    }

    /// Whether the slot's launch or stop button blinks; of a group, a member's in that scene.
    pub(in crate::set::model) fn slot_waits(&self, track: Serial, scene: Serial) -> bool {
        self.document.with_members(track).into_iter().any(|member| match self.runtime.track_play(member).fired {
            Some(Fired::Clip(fired)) => self.document.clip_in(member, scene).is_some_and(|clip| clip.serial == fired),
            Some(Fired::Stop) => self.runtime.launch(member).is_some_and(|launch| launch.stop_slot == Some(scene)),
            None => false,
        })
    }

    /// `fire(record_length, launch_quantization)`: each may be left out, or null.
    pub(in crate::set::model) fn fire_function(
        &mut self,
        track: Serial,
        scene: Serial,
        args: &[Value],
    ) -> Result<Value, ModelError> {
        let given = |at: usize| args.get(at).filter(|value| **value != Value::Nothing);
        if given(0).is_some_and(|length| length.as_f64().is_none_or(|beats| beats <= 0.0)) {
            return Err(ModelError::refused("record_length is a number of beats above 0"));
        }
        let quantum = match given(1).map(Value::as_i64) {
            None => None,
            Some(Some(number @ 0..=13)) => Some(quantum(number)),
            Some(_) => return Err(ModelError::refused("launch_quantization is 0..=13")),
        };
        self.refuse_recording(track, scene)?;
        self.fire_slot(track, scene, &ButtonPress { quantum, ..ButtonPress::default() });
        Ok(Value::Nothing)
    }

    /// The launch button of an empty slot on an armed track records, which takes a running Live.
    pub(in crate::set::model) fn refuse_recording(&self, track: Serial, scene: Serial) -> Result<(), ModelError> {
        let host = self.document.track(track).ok_or(ModelError::NoObject)?;
        let records = self.is_armed(host) && host.clip_at(scene).is_none();
        if records { Err(ModelError::Unable(NO_RECORDING.to_owned())) } else { Ok(()) }
    }

    /// The launch button is let go: a clip that plays only while it is held stops, and nothing repeats any more.
    pub(in crate::set::model) fn release_slot(&mut self, track: Serial, scene: Serial) {
        for member in self.document.with_members(track) {
            let Some(clip) = self.document.clip_in(member, scene) else { continue };
            let (serial, gate, quantum) = (clip.serial, clip.launch_mode == GATE, self.clip_quantum(clip));
            let play = self.runtime.track_play(member);
            self.runtime.release_button(member);
            match play {
                TrackPlayState { fired: Some(Fired::Clip(fired)), .. } if gate && fired == serial => {
                    self.runtime.cancel_order(member);
                }
                TrackPlayState { playing: Playing::Clip(playing), fired: None } if gate && playing == serial => {
                    self.runtime.stop_track(member, quantum);
                }
                _ => {}
            }
        }
    }

    /// Launches what the slot holds; an empty slot with a stop button stops its track; a group's slot acts on the
    /// members.
    pub(in crate::set::model) fn fire_slot(&mut self, track: Serial, scene: Serial, press: &ButtonPress) {
        for member in self.document.with_members(track) {
            let Some(host) = self.document.track(member) else { continue };
            match host.clip_at(scene).cloned() {
                Some(clip) => self.fire_clip(member, &clip, press),
                None if host.no_stop_button.binary_search(&scene).is_err() => {
                    let quantum = press.quantum.unwrap_or_else(|| self.global_quantum());
                    self.runtime.stop_from(member, scene, quantum);
                }
                None => {}
            }
        }
    }

    /// What a clip's launch button does, by its launch mode.
    pub(in crate::set::model) fn fire_clip(&mut self, track: Serial, clip: &Clip, press: &ButtonPress) {
        let quantum = press.quantum.unwrap_or_else(|| self.clip_quantum(clip));
        if clip.launch_mode == TOGGLE && self.runtime.track_play(track).playing == Playing::Clip(clip.serial) {
            return self.runtime.stop_track(track, quantum);
        }
        self.runtime.fire(track, clip.serial, clip.legato || press.legato, quantum);
        if press.held && clip.launch_mode == REPEAT {
            self.runtime.hold_button(track, quantum);
        }
    }

    /// Launches every slot of a scene, stop buttons included, with the scene's own tempo and meter where it has them.
    /// Empty slots of armed tracks stop like the others: Live's *Start Recording on Scene Launch* is off.
    pub(in crate::set::model) fn fire_scene(&mut self, scene: Serial, press: &ButtonPress) {
        if let Some(own) =
            self.document.scene(scene).filter(|s| s.tempo_bpm.is_some() || s.signature.is_some()).cloned()
        {
            self.without_undo(|document| {
                let song = Arc::make_mut(&mut document.song);
                song.tempo_bpm = own.tempo_bpm.unwrap_or(song.tempo_bpm);
                song.signature = own.signature.unwrap_or(song.signature);
            });
        }
        // An empty slot acts only where something was launched. Every regular track has its own slot, so a group's slot
        // is not asked to do its members' part again.
        let launched = self.runtime.launches.iter().map(|launch| launch.track);
        let tracks: BTreeSet<Serial> = self.document.index.row(scene).chain(launched).collect();
        for track in tracks {
            self.fire_slot(track, scene, press);
        }
    }

    /// An edit that launching makes: it belongs to no undo step.
    pub(in crate::set::model) fn without_undo(&mut self, edit: impl Fn(&mut Document)) {
        edit(&mut self.document);
        self.edit_base(edit);
    }
}
