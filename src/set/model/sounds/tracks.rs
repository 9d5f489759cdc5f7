//! How tracks are heard.

use super::shut::naming;
use super::ways::about;
use super::words::{Nearness, Sounds};
use crate::object_model::default_sound::DefaultSound;
use crate::object_model::native_devices::DeviceCategory;
use crate::set::document::device_tree::Device;
use crate::set::document::ids::Serial;
use crate::set::document::{BySolo, Clip, Track, TrackKind};
use crate::set::model::note_routes::{NoteRoute, NoteRoutes};
use crate::set::model::set_state::SetState;
use crate::set::model::soloed_returns::SoloedReturns;
use std::sync::Arc;

/// The warp mode that is exact.
const RE_PITCH: u8 = 3;

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
                        && instruments.clone().all(|d| sounding(d).nearness == Nearness::Silent)
                    {
                        let name = instruments.peek().map_or("", |device| device.class_display_name());
                        return Sounds::silent(naming(name, &first.why));
                    }
                    let clips = track.session.iter().map(|entry| &entry.clip);
                    let clips: Vec<_> = clips.chain(track.arrangement.iter().map(|placed| &placed.clip)).collect();
                    let unheard = track.unheard_notes(clips.iter().copied());
                    if !unheard.is_empty() && !track.hears_notes(clips.iter().copied()) {
                        return Sounds::silent(unheard.join(", "));
                    }
                    more.extend(unheard);
                }
            }
        }
        // What an envelope moves may open it.
        let is_moved = |clip: &Arc<Clip>| !clip.envelopes.is_empty();
        let stands = track.automation.is_empty()
            && !track.session.iter().any(|entry| is_moved(&entry.clip))
            && !track.arrangement.iter().any(|placed| is_moved(&placed.clip));
        if stands && let Some(why) = self.shut_by_device(track) {
            return Sounds::silent(why);
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
        let unheard = |serial: &Serial| self.unheard(self.document.track(*serial)?);
        if let Some(to) = leads_away
            && let Some(why) = heard_by.iter().map(unheard).collect::<Option<Vec<_>>>()
        {
            let told = heard_by.iter().zip(why).find(|(by, _)| *by == to).map(|(_, why)| why).unwrap_or_default();
            let sounds = Sounds::silent(format!("its notes are played by {}, {}", name(*to), about(&told)));
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
        if let Some(why) = self.strip_shut(track) {
            return Some(why);
        }
        if self.document.by_solo(track) == BySolo::SendsAlone {
            let is_sent = SoloedReturns::of(&self.document).contains(track.serial);
            return (!is_sent).then(|| format!("{}, and nothing of it goes there", self.document.soloed_returns()));
        }
        if track.kind == TrackKind::Main { None } else { self.why_never_in_main(track) }
    }

    /// What audio clips are not, all in all; `None` where they are exact, and where there are none.
    fn clip_sounds(&self, track: &Track) -> Option<Sounds> {
        let session = track.session.iter().map(|entry| &entry.clip);
        let clips = session.chain(track.arrangement.iter().map(|placed| &placed.clip));
        let clips: Vec<&Arc<Clip>> = clips.filter(|clip| clip.audio().is_some()).collect();
        let fault = |clip: &Clip| clip.audio().and_then(|audio| self.why_not_played(audio));
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
