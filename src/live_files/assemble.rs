//! What was read of a Set, put together as a document.

use super::automation;
use super::device_values::Reading;
use super::error::ReadError;
use super::live_set::{SetParts, TEMPOS};
use super::mixer::{USUAL_GROOVE_AMOUNT, send_level};
use super::routings;
use super::take_lanes::LaneParts;
use super::timeline::{self, meter_changes, tempo_points};
use super::tracks::TrackParts;
use super::walk::Walk;
use crate::music::SAME_POSITION_BEATS;
use crate::set::document::default_names::{return_letter, without_letter};
use crate::set::document::ids::{IdParts, SERIAL_END, Serial};
use crate::set::document::object_index::Index;
use crate::set::document::timeline_lane::Lane;
use crate::set::document::{Clip, CuePoint, Document, Envelope as ClipEnvelope, Groove};
use crate::set::document::{PlacedClip, Scene, SessionClip, TakeLane, Track, TrackKind};
use crate::set::edit::validate::validate;
use crate::set::model::routing_ids::SENDS_ARE_PRE;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Channels that MIDI tracks are sent on.
const MIDI_CHANNELS: usize = 16;

/// Puts the parts together; the document has passed the check that every one has to.
pub fn assemble(walk: &mut Walk, parts: SetParts) -> Result<Document, ReadError> {
    let SetParts { mut song, tracks, returns, sends_pre, main, cue_volume, scenes, locators, grooves } = parts;
    let missing = |what: &str| ReadError::Impossible(format!("it has no {what}"));
    let mut main = main.ok_or_else(|| missing("main track"))?;
    if tracks.is_empty() || scenes.is_empty() {
        return Err(missing(if tracks.is_empty() { "tracks" } else { "scenes" }));
    }
    let (mut tempos, mut meters) = (Vec::new(), Vec::new());
    if let Some(tempo) = main.mixer.tempo.take() {
        // What stands there must be a tempo, whatever an envelope says.
        walk.as_number("Tempo", &tempo.value, TEMPOS)?;
        let envelope = main.envelopes.take(tempo.automation_target);
        tempos = envelope.as_ref().map(tempo_points).unwrap_or_default();
        let value = envelope.map_or(tempo.value, |envelope| envelope.first_value);
        song.tempo_bpm = walk.as_number("Tempo", &value, TEMPOS)?;
    } else {
        walk.report.count_left_out("tempo, which the file does not say: 120 BPM", 1);
    }
    if let Some(signature) = main.mixer.signature.take() {
        walk.as_signature("TimeSignature", &signature.value)?;
        let envelope = main.envelopes.take(signature.automation_target);
        meters = envelope.as_ref().map(|envelope| meter_changes(walk, envelope)).unwrap_or_default();
        let value = envelope.map_or(signature.value, |envelope| envelope.first_value);
        song.signature = walk.as_signature("TimeSignature", &value)?;
    } else {
        walk.report.count_left_out("time signature, which the file does not say: 4/4", 1);
    }
    timeline::keep(walk, &mut song, tempos, meters);
    let amount = main.mixer.groove_amount;
    if amount != USUAL_GROOVE_AMOUNT {
        song.stored.insert("groove_amount".to_owned(), (amount / USUAL_GROOVE_AMOUNT).into());
    }
    name_sends(walk, tracks.iter().chain(&returns), &returns);
    let known = tracks.iter().filter_map(|parts| Some((parts.id?, parts.track.serial)));
    let mut placing = Placing {
        returns: returns.len(),
        scenes: &scenes,
        tracks: known.collect(),
        groups: HashMap::new(),
        midi_tracks: 0,
        drawn: automation::join(walk),
        grooves: grooves_of_clips(walk, &grooves),
    };
    let tracks = tracks.into_iter().enumerate().map(|(at, parts)| placing.track(walk, at, parts));
    let tracks = tracks.collect::<Result<Vec<_>, _>>()?;
    let returns = returns.into_iter().enumerate().map(|(at, parts)| placing.track(walk, at, parts));
    let mut returns = returns.collect::<Result<Vec<_>, _>>()?;
    for (track, _) in returns.iter_mut().zip(sends_pre).filter(|(_, is_pre)| *is_pre) {
        track.stored.insert(SENDS_ARE_PRE.to_owned(), true.into());
    }
    let mut main = placing.track(walk, 0, main)?;
    main.mixer.cue_volume = cue_volume.unwrap_or(main.mixer.cue_volume);
    let next_serial = walk.next_serial;
    if next_serial >= SERIAL_END {
        return Err(ReadError::TooLarge { what: "objects", limit: SERIAL_END.into() });
    }
    let mut document = Document {
        song: Arc::new(song),
        tracks: tracks.into_iter().map(Arc::new).collect(),
        returns: returns.into_iter().map(Arc::new).collect(),
        main: Arc::new(main),
        scenes: scenes.into_iter().map(Arc::new).collect(),
        cue_points: Arc::new(in_order(walk, locators)),
        grooves: Arc::new(grooves.into_values().collect()),
        next_serial,
        index: Index::new(),
    };
    document.rebuild_index();
    validate(&document).map_err(ReadError::Impossible)?;
    Ok(document)
}

/// What envelopes may move of sends, which go to return tracks that are known by now.
fn name_sends<'a>(walk: &mut Walk, tracks: impl Iterator<Item = &'a TrackParts>, returns: &[TrackParts]) {
    for parts in tracks {
        for (target, to) in parts.mixer.send_targets.iter().zip(returns) {
            if let Some(target) = target {
                let id = IdParts::Send { track: parts.track.serial, return_track: to.track.serial }.id();
                walk.automated.insert(*target, (id, Reading::By(send_level)));
            }
        }
    }
}

/// Sorted by time; of several at one place the first.
fn in_order(walk: &mut Walk, mut locators: Vec<CuePoint>) -> Vec<CuePoint> {
    locators.sort_by(|a, b| a.time.total_cmp(&b.time));
    let all = locators.len();
    locators.dedup_by(|later, earlier| later.time <= earlier.time);
    walk.report.count_left_out("locators at the place of another", (all - locators.len()) as u64);
    locators
}

/// What a track has to know of the Set around it.
struct Placing<'a> {
    returns: usize,
    scenes: &'a [Scene],
    /// Tracks by the number that the file knows them by, and those of them that are groups and were placed.
    tracks: HashMap<i64, Serial>,
    groups: HashMap<i64, Serial>,
    midi_tracks: usize,
    /// What is drawn in clips, and the grooves that they follow.
    drawn: BTreeMap<Serial, Vec<Arc<ClipEnvelope>>>,
    grooves: HashMap<Serial, Serial>,
}

impl Placing<'_> {
    fn track(&mut self, walk: &mut Walk, at: usize, parts: TrackParts) -> Result<Track, ReadError> {
        let TrackParts {
            id,
            group_id,
            user_name,
            shown_name,
            mut track,
            mixer,
            clips,
            no_stop,
            arrangement,
            take_lanes,
            routings,
            envelopes,
        } = parts;
        track.automation = envelopes.join(walk);
        track.name = own_name(track.kind, at, user_name, &shown_name);
        if let Some(group_id) = group_id {
            let group = self.groups.get(&group_id).copied();
            let unknown = || format!("track {} is in the group {group_id}, which does not stand before it", at + 1);
            track.group = Some(group.ok_or_else(|| ReadError::Impossible(unknown()))?);
        }
        if let (TrackKind::Group, Some(id)) = (track.kind, id) {
            self.groups.insert(id, track.serial);
        }
        if track.kind == TrackKind::Midi {
            track.midi_channel = Some(self.midi_channel());
        }
        let strip = &mut track.mixer;
        (strip.volume, strip.panning, strip.split_stereo) = (mixer.volume, mixer.panning, mixer.split_stereo);
        (strip.left_split, strip.right_split) = (mixer.left_split, mixer.right_split);
        (strip.crossfade_assign, strip.crossfader) = (mixer.crossfade_assign, mixer.crossfader);
        (track.mute, track.solo) = (mixer.mute, mixer.solo);
        let sends = if track.kind == TrackKind::Main { 0 } else { self.returns };
        walk.report.count_left_out("sends to no return track", mixer.sends.len().saturating_sub(sends) as u64);
        strip.sends = mixer.sends;
        strip.sends.resize(sends, 0.0);
        for (position, mut clip) in clips {
            self.complete(&mut clip);
            match self.scenes.get(position) {
                Some(scene) => track.session.insert(SessionClip { scene: scene.serial, clip: Arc::new(clip) }),
                None => walk.report.count_left_out("clips below the last scene", 1),
            }
        }
        let no_stop = no_stop.iter().filter_map(|position| self.scenes.get(*position));
        track.no_stop_button = no_stop.map(|scene| scene.serial).collect();
        track.no_stop_button.sort_unstable();
        for target in routings {
            routings::take(walk, &mut track, &target, &self.tracks);
        }
        track.arrangement = self.lane(walk, arrangement);
        for LaneParts { serial, name, clips } in take_lanes {
            let clips = self.lane(walk, clips);
            track.take_lanes.push(Arc::new(TakeLane { serial, name, clips }));
        }
        Ok(track)
    }

    /// What a clip refers to, which was not known when it was read.
    fn complete(&mut self, clip: &mut Clip) {
        clip.envelopes = self.drawn.remove(&clip.serial).unwrap_or_default();
        clip.groove = self.grooves.get(&clip.serial).copied();
    }

    /// Lays Arrangement clips. Live keeps them apart; where two overlap nevertheless, the earlier ends where the later
    /// begins, as when a clip is laid on another.
    fn lane(&mut self, walk: &mut Walk, mut clips: Vec<PlacedClip>) -> Lane {
        let mut lane = Lane::default();
        clips.sort_by(|a, b| a.start.total_cmp(&b.start));
        let mut clips = clips.into_iter().peekable();
        while let Some(mut placed) = clips.next() {
            self.complete(Arc::make_mut(&mut placed.clip));
            if let Some(next) = clips.peek()
                && placed.end > next.start
            {
                if placed.end - next.start > SAME_POSITION_BEATS {
                    walk.report.count_left_out("parts of Arrangement clips under another", 1);
                }
                placed.end = next.start;
            }
            if placed.start < placed.end {
                lane.insert(placed);
            } else {
                walk.report.count_left_out("Arrangement clips under another", 1);
            }
        }
        lane
    }

    /// As a new track gets them: the lowest that is free, then one after the other.
    fn midi_channel(&mut self) -> u8 {
        let channel = self.midi_tracks % MIDI_CHANNELS;
        self.midi_tracks += 1;
        u8::try_from(channel).unwrap_or_default()
    }
}

/// The user's name of a track. Where there is none, Live shows one that it makes: of a number that follows the track's
/// position and what is on it, which the document cannot know.
fn own_name(kind: TrackKind, at: usize, user_name: String, shown_name: &str) -> Option<String> {
    if !user_name.is_empty() {
        return Some(user_name);
    }
    if shown_name.is_empty() || kind == TrackKind::Main {
        return None;
    }
    if kind == TrackKind::Return {
        return Some(without_letter(shown_name, return_letter(at)).to_owned());
    }
    let usual = match kind {
        TrackKind::Midi => "MIDI",
        TrackKind::Audio => "Audio",
        _ => "Group",
    };
    match shown_name.strip_prefix(&format!("{}-", at + 1)) {
        Some(what) if what == usual => None,
        Some(what) => Some(format!("#-{what}")),
        None => Some(shown_name.to_owned()),
    }
}

/// The groove that each clip follows.
fn grooves_of_clips(walk: &mut Walk, pool: &BTreeMap<i64, Groove>) -> HashMap<Serial, Serial> {
    let mut found = HashMap::new();
    for (clip, id) in std::mem::take(&mut walk.grooves_of_clips) {
        match pool.get(&id) {
            Some(groove) => drop(found.insert(clip, groove.serial)),
            None => walk.report.count_left_out("grooves of clips that are not in the pool", 1),
        }
    }
    found
}
