//! How tracks are heard.

use super::words::{Nearness, Sounds};
use crate::object_model::default_sound::DefaultSound;
use crate::object_model::native_devices::DeviceCategory;
use crate::set::document::device_tree::Device;
use crate::set::document::ids::Serial;
use crate::set::document::{BySolo, Clip, Track, TrackKind};
use crate::set::model::note_routes::{NoteRoute, NoteRoutes};
use crate::set::model::routing_ids;
use crate::set::model::set_state::SetState;
use crate::set::model::soloed_returns::SoloedReturns;
use std::sync::Arc;

/// The warp mode that is exact.
const RE_PITCH: u8 = 3;

/// Sides of the crossfader, as a track is assigned to them.
const SIDE_A: u8 = 0;
const SIDE_B: u8 = 2;

/// What is said of notes that go to other tracks.
struct NotesElsewhere {
    sounds: Sounds,
    plays_itself: bool,
}

impl SetState {
    pub(super) fn track_sounds(&self, track: &Track) -> Sounds {
        if let Some(why) = self.unheard(track) {
            return Sounds::silent(why);
        }
        let default = self.default_sound(track);
        let mut more = Vec::new();
        more.extend(self.unmoved(track));
        if track.kind == TrackKind::Audio
            && let Some(clips) = self.clip_sounds(track)
        {
            if clips.nearness == Nearness::Silent {
                return clips;
            }
            more.push(clips.why);
        }
        if let Some(told) = self.note_sounds(track) {
            if !told.plays_itself {
                return told.sounds;
            }
            more.push(told.sounds.why);
        }
        if track.kind == TrackKind::Midi {
            let mut instruments =
                track.devices.iter().filter(|device| device.category() == Some(DeviceCategory::Instrument)).peekable();
            let usual = default.unwrap_or(DefaultSound::Keys);
            let sounding = |device: &Arc<Device>| self.device_sounds(device, usual);
            match instruments.peek() {
                None => {
                    let Sounds { nearness, why } = Sounds::stand_in(usual);
                    let rest = self.together(track.devices.iter(), usual, more);
                    let why = if rest.why.is_empty() { why } else { format!("{why}; {}", rest.why) };
                    return Sounds { nearness, why };
                }
                Some(first) => {
                    let first = sounding(first);
                    if first.nearness == Nearness::Silent
                        && instruments.all(|d| sounding(d).nearness == Nearness::Silent)
                    {
                        return first;
                    }
                    let clips = track.session.iter().map(|entry| &entry.clip);
                    let placed = track.arrangement.iter().map(|placed| &placed.clip);
                    more.extend(track.unheard_notes(clips.chain(placed)));
                }
            }
        }
        self.together(track.devices.iter(), default.unwrap_or(DefaultSound::Keys), more)
    }

    /// What becomes of the notes of a MIDI track that go elsewhere.
    fn note_sounds(&self, track: &Track) -> Option<NotesElsewhere> {
        let routes = NoteRoutes::of(&self.document);
        let NoteRoute { leads_away, heard_by, is_ring, .. } = routes.get(track.serial)?;
        let name =
            |serial: Serial| self.document.track(serial).map_or_else(String::new, |t| self.document.track_name(t));
        if let Some(to) = leads_away.filter(|_| heard_by.is_empty()) {
            let name = name(to);
            let why = if *is_ring { "from where they come back" } else { "which does not monitor its input" };
            let sounds = Sounds::silent(format!("its notes go to {name}, {why}"));
            return Some(NotesElsewhere { sounds, plays_itself: false });
        }
        let mut why = Vec::new();
        if let Some(to) = leads_away {
            why.push(format!("its notes are played by {}", name(*to)));
        }
        if *is_ring {
            why.push("its notes do not come back to it".to_owned());
        }
        let sounds = Sounds::new(Nearness::Approximate, why.join(", "));
        (!sounds.why.is_empty()).then_some(NotesElsewhere { sounds, plays_itself: leads_away.is_none() })
    }

    /// Why nothing of a track is heard, whatever it plays.
    fn unheard(&self, track: &Track) -> Option<String> {
        let chosen = |member: &str| track.stored.get(member).and_then(serde_json::Value::as_i64);
        if track.mute {
            return Some("it is muted".to_owned());
        }
        if self.document.is_muted(track) {
            return Some("its group is muted".to_owned());
        }
        match self.document.by_solo(track) {
            BySolo::LeftOut => return Some("another one is soloed".to_owned()),
            BySolo::SendsAlone if !SoloedReturns::of(&self.document).contains(track.serial) => {
                return Some(format!("{}, and nothing of it goes there", self.document.soloed_returns()));
            }
            BySolo::SendsAlone | BySolo::Heard => {}
        }
        if track.mixer.volume <= 0.0 {
            return Some("its volume is at -inf dB".to_owned());
        }
        let is_main = track.kind == TrackKind::Main;
        if is_main || self.is_sent_or_taken(track) {
            return None;
        }
        match (track.mixer.crossfade_assign, self.document.main.mixer.crossfader) {
            (SIDE_A, at) if at >= 1.0 => return Some("it is on side A, and the crossfader stands at B".to_owned()),
            (SIDE_B, at) if at <= -1.0 => return Some("it is on side B, and the crossfader stands at A".to_owned()),
            _ => {}
        }
        match chosen("output_routing_type")? {
            routing_ids::EXT_OUT => Some("it goes to Ext. Out, which is not there".to_owned()),
            routing_ids::SENDS_ONLY => Some("it goes to its sends alone, which are at -inf dB".to_owned()),
            other => {
                let to = routing_ids::track_of(other).filter(|to| Some(*to) != track.group && *to != track.serial)?;
                let to = self.document.tracks.find(to).filter(|to| to.kind == TrackKind::Audio)?;
                let name = self.document.track_name(to);
                (!routing_ids::monitors(to)).then(|| format!("it goes to {name}, which does not monitor its input"))
            }
        }
    }

    /// Whether something of a track goes to a return, or another track takes it as its input.
    fn is_sent_or_taken(&self, track: &Track) -> bool {
        let returns = self.document.returns.len();
        let own = routing_ids::of_track(track.serial);
        let takes = |other: &Track| {
            let from = other.stored.get("input_routing_type").and_then(serde_json::Value::as_i64);
            other.kind == TrackKind::Audio && from == Some(own) && routing_ids::monitors(other)
        };
        track.mixer.sends.iter().take(returns).any(|level| *level > 0.0)
            || self.document.tracks.iter().any(|other| takes(other))
    }

    /// What audio clips are not, all in all; `None` where they are exact, and where there are none.
    fn clip_sounds(&self, track: &Track) -> Option<Sounds> {
        let session = track.session.iter().map(|entry| &entry.clip);
        let clips = session.chain(track.arrangement.iter().map(|placed| &placed.clip));
        let clips: Vec<&Arc<Clip>> = clips.filter(|clip| clip.audio().is_some()).collect();
        let fault = |clip: &Clip| clip.audio().and_then(|audio| self.runtime.sample_faults.why(&audio.file_path));
        let faults: Vec<String> = clips.iter().filter_map(|clip| fault(clip)).collect();
        if let Some(first) = faults.first() {
            let all = faults.len() == clips.len();
            let of =
                if all { String::new() } else { format!("{} of {} clips are silent: ", faults.len(), clips.len()) };
            let nearness = if all { Nearness::Silent } else { Nearness::Approximate };
            return Some(Sounds::new(nearness, format!("{of}{first}")));
        }
        let exact = |clip: &Clip| clip.audio().is_none_or(|audio| !audio.warping || audio.warp_mode == RE_PITCH);
        (!clips.iter().all(|clip| exact(clip))).then(|| Sounds::new(Nearness::Approximate, "warped by grains"))
    }
}
