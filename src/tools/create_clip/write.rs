//! Making the clips, one by one, and saying what came of each.

use super::content::{Content, Kind};
use super::plan::{Plan, refuse_if_all};
use super::room::{Cleared, Later, home, later, on_take_lane, put, stretch};
use crate::music::Random;
use crate::object_model::{ObjectId, Session};
use crate::tools::address::model_read;
use crate::tools::address::path::{LanePath, TrackPath};
use crate::tools::address::path_format;
use crate::tools::call::CallContext;
use crate::tools::clip::transforms::ClipOrdinal as Turn;
use crate::tools::error::ToolError;
use crate::tools::report::target_result::{self, TargetResult, add_detail};
use crate::tools::report::write_log::WriteLog;
use crate::tools::timeline::lane::ClipSpan;
use crate::tools::timeline::place::ClipPlace;
use crate::tools::timeline::take_lanes;
use serde_json::{Map, Value, json};

/// A clip that this call made.
pub struct Made {
    /// Which destination's.
    pub at: usize,
    pub clip: ObjectId,
    pub place: ClipPlace,
    /// Where it lay when it was made; `None` in a slot.
    pub placed: Option<ClipSpan>,
}

impl Plan {
    pub fn run(&mut self, session: &mut dyn Session, call: &mut CallContext) -> Result<Value, ToolError> {
        if let Kind::Audio(audio) = &self.kind {
            session.know_files(audio.facts.clone());
        }
        let song = model_read::song(session)?;
        let song_meter = model_read::meter(session, song)?;
        let tempo = model_read::number(session, song, "tempo")?;
        // Everything that may refuse comes before the first write.
        let places = self.destinations.iter().map(|place| place.find(session)).collect::<Result<Vec<_>, _>>()?;
        self.check_regions(song_meter)?;
        let contents = (0..places.len()).map(|at| self.content(at, song_meter)).collect();
        let contents = refuse_if_all(contents)?;
        let contents: Vec<_> = contents
            .into_iter()
            .zip(&places)
            .map(|(content, place)| content.and_then(|content| self.fits(session, place, content, tempo)))
            .collect();
        call.warnings.append(&mut self.warnings);
        if let Some(Content::Midi { parsed, .. }) = contents.iter().flatten().next() {
            call.warnings.extend(parsed.warnings.iter().cloned());
        }
        for warning in contents.iter().flatten().flat_map(|content| self.unheard(content)) {
            call.warn_once(warning);
        }
        if self.take_lane_name.is_some() && !places.iter().flatten().any(on_take_lane) {
            call.warnings.push("takeLaneName ignored: no clip goes to a take lane".to_owned());
        }
        let left_to: Vec<_> = (0..places.len()).map(|at| later(&places, &contents, at, tempo)).collect();
        let count = places.len();
        let mut random = self.chance.transforms();
        let mut made: Vec<Made> = Vec::new();
        let mut entries: Vec<TargetResult> = Vec::new();
        let all = self.destinations.iter().zip(places.iter().zip(&contents)).zip(left_to).enumerate();
        for (at, ((destination, (place, content)), left)) in all {
            let spelling = destination.spelling.as_str();
            if let Some(left) = left {
                entries.push(match left {
                    Later::Same(by) => TargetResult::superseded("path", spelling, by),
                    Later::Covers(by) => {
                        let name = self.destinations.get(by).map_or("", |later| later.spelling.as_str());
                        TargetResult::replaced("path", spelling, by, name)
                    }
                });
                continue;
            }
            let turn = Turn { index: at, count };
            if call.is_late() {
                entries.push(TargetResult::skip("path", spelling, target_result::NOT_REACHED));
                continue;
            }
            let written = match (place, content) {
                (Err(e), _) | (_, Err(e)) => Err(e.clone()),
                (Ok(place), Ok(content)) => {
                    self.write(session, at, (place, spelling), content, tempo, turn, &mut random, &mut made)
                }
            };
            entries.push(match written {
                Ok(steps) => TargetResult::Written(steps),
                Err(detail) => TargetResult::skip("path", spelling, detail.text),
            });
        }
        if let Kind::Audio(audio) = &self.kind {
            self.used_files.extend(made.iter().filter_map(|made| audio.files.get(made.at)).cloned());
        }
        self.settle(session, &made, &mut entries)?;
        self.launch(session, call, &made, &mut entries)?;
        target_result::answer(entries)
    }

    #[allow(clippy::too_many_arguments, reason = "one clip's turn: its place, its content, its part in the call")]
    fn write(
        &self,
        session: &mut dyn Session,
        at: usize,
        (place, spelling): (&ClipPlace, &str),
        content: &Content,
        tempo: f64,
        turn: Turn,
        random: &mut Random,
        made: &mut Vec<Made>,
    ) -> Result<Map<String, Value>, ToolError> {
        self.refuse_track(session, place, spelling)?;
        let planned = self.planned_notes(session, content, place, turn, random)?;
        let home = home(session, place, content.length(tempo) * stretch(content))?;
        let clip = put(session, &home, place, content).map_err(|e| match &home.created {
            Some(created) => ToolError::new(format!("{e}; made on the way: {created}")),
            None => e,
        })?;
        let mut steps = WriteLog::on(session, clip)?;
        steps.record("clip", Ok::<_, ToolError>(()))?;
        let outcome = self.fill(session, clip, at, content, planned, turn, random, &mut steps);
        if let Some(created) = &home.created {
            steps.entry.insert("created".to_owned(), json!(created));
        }
        if !self.ignored.is_empty() {
            let kind = if matches!(self.kind, Kind::Audio(_)) { "an audio" } else { "a MIDI" };
            add_detail(&mut steps.entry, format!("{} ignored: {spelling} is {kind} clip", self.ignored.join(", ")));
        }
        let placed = match place {
            ClipPlace::Slot { .. } => None,
            ClipPlace::Timeline { .. } => Some(ClipSpan::read(session, clip)?),
        };
        made.push(Made { at, clip, place: place.clone(), placed });
        let own: Vec<ObjectId> = made.iter().map(|made| made.clip).collect();
        match &home.cleared {
            Cleared::Slot { replaced, was_playing } => {
                if *replaced {
                    add_detail(&mut steps.entry, format!("replaced the clip that was at {spelling}"));
                }
                if *was_playing {
                    add_detail(
                        &mut steps.entry,
                        if self.auto.is_some() {
                            "that clip was playing"
                        } else {
                            "that clip was playing and has stopped; launch the new one, or edit with svc-update-clip"
                        },
                    );
                }
            }
            Cleared::Lane(before) => {
                for phrase in before.account(session, &own)? {
                    add_detail(&mut steps.entry, phrase);
                }
            }
        }
        if on_take_lane(place) {
            add_detail(
                &mut steps.entry,
                "on a take lane: seen when the track's take lanes are shown in the Arrangement",
            );
            if let Some(name) = &self.take_lane_name {
                steps.record("takeLaneName", session.set(home.object, "name", name.as_str().into()))?;
            }
        }
        steps.end(outcome)
    }

    /// The content, where it ends on the timeline.
    fn fits(
        &self,
        session: &dyn Session,
        place: &Result<ClipPlace, ToolError>,
        content: Content,
        tempo: f64,
    ) -> Result<Content, ToolError> {
        if let Ok(place) = place {
            let asked =
                if matches!(&self.kind, Kind::Midi(midi) if midi.lengths.is_some()) { "length" } else { "path" };
            place.check_end(session, asked, content.length(tempo))?;
        }
        Ok(content)
    }

    /// Why no such clip goes there: found out before anything is changed.
    fn refuse_track(&self, session: &dyn Session, place: &ClipPlace, spelling: &str) -> Result<(), ToolError> {
        let (ClipPlace::Slot { track: at, .. } | ClipPlace::Timeline { lane: LanePath { track: at, .. }, .. }) = place;
        let track = model_read::track(session, TrackPath::Regular(*at))?;
        let refuse = |why: String| Err(ToolError::new(format!("{spelling}: {why}")));
        if model_read::flag(session, track, "is_foldable")? {
            return refuse(format!("t{at} is a group track and holds no clips"));
        }
        let named = path_format::path_and_id(session, track)?;
        match (&self.kind, model_read::flag(session, track, "has_midi_input")?) {
            (Kind::Midi(_), false) if self.kind.has_notes() => {
                return refuse(format!("{named} is an audio track; notes need a MIDI track"));
            }
            (Kind::Midi(_), false) => {
                return refuse(format!("{named} is an audio track; name the sampleFile of its clip, or a MIDI track"));
            }
            (Kind::Audio(_), true) => {
                return refuse(format!("{named} is a MIDI track; sampleFile needs an audio track"));
            }
            _ => {}
        }
        if model_read::flag(session, track, "is_frozen")? {
            return refuse(format!("{named} is frozen; unfreeze it first"));
        }
        match place {
            ClipPlace::Timeline { lane: LanePath { take_lane: Some(lane), .. }, .. } => {
                take_lanes::refusal(session, track, *lane)?.map_or(Ok(()), refuse)
            }
            _ => Ok(()),
        }
    }
}
