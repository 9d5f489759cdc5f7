//! What was read of a Set, put together as a document.

use super::automation;
use super::device_values::Reading;
use super::error::ReadError;
use super::limits::{Countable, TEMPOS};
use super::live_set::SetParts;
use super::mixer::{USUAL_GROOVE_AMOUNT, send_level};
use super::routings;
use super::side_chains;
use super::take_lanes::LaneParts;
use super::timeline::{self, Timeline, meter_changes, tempo_points};
use super::tracks::TrackParts;
use super::walk::Walk;
use crate::music::SAME_POSITION_BEATS;
use crate::set::document::default_names::{return_letter, without_letter};
use crate::set::document::ids::{IdParts, SERIAL_END, Serial};
use crate::set::document::object_index::Index;
use crate::set::document::timeline_lane::Lane;
use crate::set::document::{Clip, CuePoint, Document, Envelope as ClipEnvelope, Groove};
use crate::set::document::{PlacedClip, Scene, SessionClip, Song, TakeLane, Track, TrackKind};
use crate::set::edit::validate::validate;
use crate::set::model::routing_ids::SENDS_ARE_PRE;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Channels that MIDI tracks are sent on.
const MIDI_CHANNELS: usize = 16;

/// Puts the parts together; the document has passed the check that every one has to.
pub fn assemble(walk: &mut Walk, parts: SetParts) -> Result<Document, ReadError> {
    let SetParts { mut song, mut tracks, returns, sends_pre, main, cue_volume, mut scenes, locators, grooves } = parts;
    if tracks.is_empty() && returns.is_empty() && scenes.is_empty() && main.is_none() {
        return Err(ReadError::Impossible("it holds no tracks, no scenes and no main track".to_owned()));
    }
    let mut main = main.unwrap_or_else(|| {
        walk.report.count_left_out("main track, which the file does not have: as in a new Set", 1);
        TrackParts::new(walk.serial(), TrackKind::Main)
    });
    if tracks.is_empty() {
        walk.report.count_left_out("tracks, of which the file has none: an empty one", 1);
        tracks.push(TrackParts::new(walk.serial(), TrackKind::Midi));
    }
    if scenes.is_empty() {
        let used = tracks.iter().flat_map(|parts| &parts.clips).map(|(position, _)| position + 1).max();
        let used = used.unwrap_or(1).min(usize::try_from(Countable::Scenes.limit()).unwrap_or(1));
        walk.report.count_left_out("scenes, of which the file has none: as many as its clips need", 1);
        scenes.extend((0..used).map(|_| Scene::new(walk.serial())));
    }
    let timeline = begin(walk, &mut song, &mut main)?;
    timeline::keep(walk, &mut song, timeline);
    let amount = main.mixer.groove_amount;
    if amount != USUAL_GROOVE_AMOUNT {
        song.stored.insert("groove_amount".to_owned(), (amount / USUAL_GROOVE_AMOUNT).into());
    }
    name_sends(walk, tracks.iter().chain(&returns), &returns);
    let number = |parts: &TrackParts| Some((parts.id?, parts.track.serial));
    let sounding: HashMap<i64, Serial> = tracks.iter().chain(&returns).filter_map(number).collect();
    let known = tracks.iter().filter_map(number);
    let mut placing = Placing {
        returns: returns.len(),
        scenes: &scenes,
        tracks: known.collect(),
        open_groups: Vec::new(),
        midi_tracks: 0,
        drawn: automation::join(walk),
        grooves: grooves_of_clips(walk, &grooves),
    };
    let tracks = tracks.into_iter().enumerate().map(|(at, parts)| placing.track(walk, at, parts));
    let mut tracks = tracks.collect::<Result<Vec<_>, _>>()?;
    let returns = returns.into_iter().enumerate().map(|(at, parts)| placing.track(walk, at, parts));
    let mut returns = returns.collect::<Result<Vec<_>, _>>()?;
    for (track, _) in returns.iter_mut().zip(sends_pre).filter(|(_, is_pre)| *is_pre) {
        track.stored.insert(SENDS_ARE_PRE.to_owned(), true.into());
    }
    let mut main = placing.track(walk, 0, main)?;
    side_chains::join(walk, tracks.iter_mut().chain(&mut returns).chain([&mut main]), &sounding);
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

/// Gives a Set the tempo and the time signature that it begins with: the first of what is drawn for them, where there
/// is something; and how they go on.
fn begin(walk: &mut Walk, song: &mut Song, main: &mut TrackParts) -> Result<Timeline, ReadError> {
    let mut timeline = Timeline::default();
    if let Some(tempo) = main.mixer.tempo.take() {
        if let Some(envelope) = main.envelopes.take(tempo.automation_target) {
            timeline.tempo = tempo_points(walk, &envelope);
        }
        // Looked at either way: a value that cannot be is told.
        let stands = walk.as_number("Tempo", &tempo.value, TEMPOS)?;
        song.tempo_bpm = timeline.tempo.first().map_or(stands, |first| first.bpm);
    } else {
        walk.report.count_left_out("tempo, which the file does not say: 120 BPM", 1);
    }
    if let Some(signature) = main.mixer.signature.take() {
        if let Some(envelope) = main.envelopes.take(signature.automation_target) {
            timeline.meters = meter_changes(walk, &envelope)?;
        }
        let stands = walk.as_signature("TimeSignature", &signature.value)?;
        song.signature = timeline.meters.first().map_or(stands, |first| first.signature);
    } else {
        walk.report.count_left_out("time signature, which the file does not say: 4/4", 1);
    }
    Ok(timeline)
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
    /// Tracks by the number that the file knows them by, and the groups that the next track may stand in.
    tracks: HashMap<i64, Serial>,
    open_groups: Vec<Serial>,
    midi_tracks: usize,
    /// What is drawn in clips, and the grooves that they follow.
    drawn: BTreeMap<Serial, Vec<Arc<ClipEnvelope>>>,
    grooves: HashMap<Serial, Serial>,
}

impl Placing<'_> {
    fn track(&mut self, walk: &mut Walk, at: usize, parts: TrackParts) -> Result<Track, ReadError> {
        let TrackParts {
            id: _,
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
        self.group(walk, &mut track, group_id);
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
                Some(scene) if track.clip_at(scene.serial).is_some() => {
                    walk.report.count_left_out("clips in the slot of another", 1);
                }
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
        let has_lanes = !matches!(track.kind, TrackKind::Return | TrackKind::Main);
        for LaneParts { serial, name, clips } in take_lanes {
            if !has_lanes {
                walk.report.count_left_out("take lanes of tracks without an Arrangement", 1);
                continue;
            }
            let clips = self.lane(walk, clips);
            track.take_lanes.push(Arc::new(TakeLane { serial, name, clips }));
        }
        Ok(track)
    }

    /// Puts a track in its group, where that stands around it: in front, with nothing of another group between them.
    fn group(&mut self, walk: &mut Walk, track: &mut Track, group_id: Option<i64>) {
        let group = group_id.and_then(|id| self.tracks.get(&id).copied());
        let depth = group.and_then(|group| self.open_groups.iter().position(|open| *open == group));
        let is_lost = group_id.is_some() && depth.is_none();
        walk.report.count_left_out("groups of tracks that do not stand behind them", is_lost.into());
        self.open_groups.truncate(depth.map_or(0, |depth| depth + 1));
        track.group = self.open_groups.last().copied();
        if track.kind == TrackKind::Group {
            self.open_groups.push(track.serial);
        }
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
