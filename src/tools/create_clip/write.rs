//! Making the clips, one by one, and saying what came of each.

use super::content::{ClipContent, Contents};
use super::destination::{Destination, LaterPlace, left_to};
use super::making::{ClipHolder, PlaceBefore, is_on_take_lane, make_clip, prepare_place, stretch};
use super::plan::{Plan, refuse_if_all};
use super::report;
use super::task::{ClipTask, ClipWriter, MadeClip};
use crate::object_model::{ObjectId, Session};
use crate::tools::address::model_read;
use crate::tools::address::path::{LanePath, TrackPath};
use crate::tools::address::path_format;
use crate::tools::call::CallContext;
use crate::tools::clip::source_tempo;
use crate::tools::clip::transforms::ClipOrdinal;
use crate::tools::error::ToolError;
use crate::tools::read::settled::settled;
use crate::tools::report::target_result::{self, LeftTo, Mention, TargetResult, add_detail, result_of};
use crate::tools::report::write_log::WriteLog;
use crate::tools::timeline::copy;
use crate::tools::timeline::lane::{self, ClipSpan};
use crate::tools::timeline::lane_changes::LaneChanges;
use crate::tools::timeline::place::ClipPlace;
use crate::tools::timeline::take_lanes;
use serde_json::{Map, Value, json};

/// What goes where: each place and its content, or why there is none.
struct LookedUp {
    places: Vec<Result<ClipPlace, ToolError>>,
    contents: Vec<Result<ClipContent, ToolError>>,
    tempo: f64,
}

/// Makes the clips. Gives the answer, and the samples of the clips that were made.
pub fn run(
    mut plan: Plan,
    session: &mut dyn Session,
    call: &mut CallContext,
) -> Result<(Value, Vec<String>), ToolError> {
    plan.seed.tell_drawn(call.dry_run);
    if let Contents::Audio(audio) = &plan.contents {
        session.know_files(audio.facts.clone());
    }
    let destined = look_up(&mut plan, session)?;
    let LookedUp { places, contents, tempo } = &destined;
    warn(&mut plan, call, &destined);
    let left_to: Vec<_> = (0..places.len()).map(|at| left_to(places, contents, at, *tempo)).collect();
    let count = places.len();
    let (made, lanes) = (Vec::new(), LaneChanges::default());
    let mut writer = ClipWriter { plan: &plan, tempo: *tempo, random: plan.seed.transforms(), made, lanes };
    let mut entries: Vec<TargetResult> = Vec::new();
    session.look_ahead(&places.iter().flatten().map(ClipPlace::origin).collect::<Vec<_>>())?;
    let all = plan.destinations.iter().zip(places.iter().zip(contents)).zip(left_to).enumerate();
    for (at, ((destination, (place, content)), left_to)) in all {
        let spelling = destination.spelling.as_str();
        let left_to = left_to.map(|later| match later {
            LaterPlace::Same(by) => LeftTo::SamePlace(by),
            LaterPlace::Covers(by) => {
                let name = plan.destinations.get(by).map_or("", |later| later.spelling.as_str());
                LeftTo::Over { by, place: name.to_owned() }
            }
        });
        let ordinal = ClipOrdinal { index: at, count };
        session.begin_target(at);
        entries.push(result_of(Mention { key: "path", spelling }, left_to, Ok(()), call.is_late(), |()| {
            let (place, content) = (place.as_ref().map_err(Clone::clone)?, content.as_ref().map_err(Clone::clone)?);
            writer.write(session, &ClipTask { ordinal, place, spelling, content })
        }));
    }
    let ClipWriter { mut made, lanes, .. } = writer;
    for landed in session.land()? {
        if let (Some(entry), Some(place)) = (entries.get_mut(landed.target), plan.destinations.get(landed.target)) {
            entry.take_late_failures(Mention { key: "path", spelling: &place.spelling }, &landed);
        }
    }
    made.retain(|one| matches!(entries.get(one.at), Some(TargetResult::Written(_))));
    let used_files = match &plan.contents {
        Contents::Audio(audio) => made.iter().filter_map(|made| audio.files.get(made.at)).cloned().collect(),
        Contents::Midi(_) => Vec::new(),
    };
    report::report_covered(&plan, session, &made, &lanes, &mut entries)?;
    report::launch(&plan, session, call, &made, &mut entries)?;
    Ok((settled(session, target_result::answer(entries))?, used_files))
}

/// Looks up every place and works out every content. Everything that may refuse the call does so here, before the first
/// write.
fn look_up(plan: &mut Plan, session: &dyn Session) -> Result<LookedUp, ToolError> {
    let song = model_read::song(session)?;
    let song_meter = model_read::meter(session, song)?;
    let tempo = model_read::number(session, song, "tempo")?;
    Destination::number_new_lanes(session, &mut plan.destinations)?;
    let places = plan.destinations.iter().map(|place| place.find(session)).collect::<Result<Vec<_>, _>>()?;
    plan.check_regions(song_meter)?;
    let contents = (0..places.len()).map(|at| plan.content(at, song_meter)).collect();
    let contents = refuse_if_all(contents)?;
    let contents: Vec<_> = contents
        .into_iter()
        .zip(&places)
        .map(|(content, place)| content.and_then(|content| check_end(plan, session, place, content, tempo)))
        .collect();
    Ok(LookedUp { places, contents, tempo })
}

fn warn(plan: &mut Plan, call: &mut CallContext, destined: &LookedUp) {
    call.warnings.append(&mut plan.warnings);
    // Notes for all places are warned of once.
    let of_notes = if plan.contents.notes().len() > 1 { usize::MAX } else { 1 };
    for content in destined.contents.iter().flatten().take(of_notes) {
        if let ClipContent::Midi { parsed, .. } = content {
            parsed.warnings.iter().cloned().for_each(|warning| call.warn_once(warning));
        }
    }
    let contents = destined.contents.iter().enumerate().filter_map(|(at, content)| Some((at, content.as_ref().ok()?)));
    for warning in contents.flat_map(|(at, content)| plan.unheard(at, content)) {
        call.warn_once(warning);
    }
    if plan.take_lane_name.is_some() && !destined.places.iter().flatten().any(is_on_take_lane) {
        call.warnings.push("takeLaneName ignored: no clip goes to a take lane".to_owned());
    }
}

/// The content, where it ends on the timeline.
fn check_end(
    plan: &Plan,
    session: &dyn Session,
    place: &Result<ClipPlace, ToolError>,
    content: ClipContent,
    tempo: f64,
) -> Result<ClipContent, ToolError> {
    if let Ok(place) = place {
        let has_length = matches!(&plan.contents, Contents::Midi(midi) if midi.lengths.is_some());
        place.check_end(session, if has_length { "length" } else { "path" }, content.length(tempo))?;
    }
    Ok(content)
}

impl ClipWriter<'_> {
    fn write(&mut self, session: &mut dyn Session, task: &ClipTask) -> Result<Map<String, Value>, ToolError> {
        let ClipTask { ordinal, place, spelling, content } = task;
        self.refuse_track(session, place, spelling)?;
        let planned = self.planned_notes(session, task)?;
        let holder = prepare_place(session, place, content.length(self.tempo) * stretch(content))?;
        let clip = self.make(session, &holder, task).map_err(|e| match &holder.created {
            Some(created) => ToolError::new(format!("{e}; made on the way: {created}")),
            None => e,
        })?;
        let mut log = WriteLog::on(session, clip)?;
        let kind = if matches!(self.plan.contents, Contents::Audio(_)) { "audio" } else { "midi" };
        log.entry.insert("type".to_owned(), json!(kind));
        log.record("clip", Ok::<_, ToolError>(()))?;
        let outcome = self.fill(session, clip, task, planned, &mut log);
        if let Some(created) = &holder.created {
            log.entry.insert("created".to_owned(), json!(created));
        }
        if !self.plan.ignored.is_empty() {
            let kind = if matches!(self.plan.contents, Contents::Audio(_)) { "an audio" } else { "a MIDI" };
            let ignored = self.plan.ignored.join(", ");
            add_detail(&mut log.entry, format!("{ignored} ignored: {spelling} is {kind} clip"));
        }
        if let Some(sounds) = session.sounds(clip)? {
            log.entry.insert("sounds".to_owned(), json!(sounds));
        }
        self.plan.blank.iter().for_each(|said| add_detail(&mut log.entry, said));
        let placed = match place {
            ClipPlace::Slot { .. } => None,
            ClipPlace::Timeline { .. } => Some(ClipSpan::read(session, clip)?),
        };
        self.lanes.begin(ordinal.index);
        self.lanes.add_own([clip]);
        self.made.push(MadeClip { at: ordinal.index, clip, place: (*place).clone(), placed });
        self.report_overwritten(session, &holder, spelling, &mut log)?;
        if is_on_take_lane(place) {
            add_detail(&mut log.entry, "on a take lane: seen when the track's take lanes are shown in the Arrangement");
            if let Some(name) = &self.plan.take_lane_name {
                log.record("takeLaneName", session.set(holder.object, "name", name.as_str().into()))?;
            }
        }
        log.end(outcome)
    }

    /// Makes the clip. An audio clip that may not stay as long as a host makes it becomes what it will be beside the
    /// others of its lane, so that it goes over nothing that it does not end up covering.
    fn make(&self, session: &mut dyn Session, holder: &ClipHolder, task: &ClipTask) -> Result<ObjectId, ToolError> {
        let ClipTask { ordinal, place, content, .. } = task;
        let (Contents::Audio(audio), PlaceBefore::Lane(before), ClipPlace::Timeline { lane, at }) =
            (&self.plan.contents, &holder.before, place)
        else {
            return make_clip(session, holder, place, content);
        };
        let changes = audio.values.warping.is_some() || audio.values.source_tempo.is_some();
        if !changes || !place.is_main_lane() || !before.holds_others(&[]) {
            return make_clip(session, holder, place, content);
        }
        let length = content.length(self.tempo) * stretch(content);
        let free = lane::find_free_start(session, holder.object, length, (*at, at + length))?;
        let waiting = make_clip(session, holder, &ClipPlace::Timeline { lane: *lane, at: free }, content)?;
        let mut unsaid = WriteLog::default();
        audio.values.write_warping(session, waiting, ordinal.index, &mut unsaid)?;
        if let Some(bpm) = audio.values.source_tempo.filter(|_| audio.values.warping.is_none()) {
            source_tempo::write(session, waiting, bpm)?;
        }
        let made = copy::duplicate_to(session, holder.object, waiting, *at)?;
        copy::remove_aside(session, waiting)?;
        Ok(made)
    }

    /// Says what became of the clips that were at the place.
    fn report_overwritten(
        &mut self,
        session: &dyn Session,
        holder: &ClipHolder,
        spelling: &str,
        log: &mut WriteLog,
    ) -> Result<(), ToolError> {
        match &holder.before {
            PlaceBefore::Slot { replaced, was_playing } => {
                if *replaced {
                    add_detail(&mut log.entry, format!("replaced the clip that was at {spelling}"));
                }
                if *was_playing {
                    add_detail(
                        &mut log.entry,
                        if self.plan.auto.is_some() {
                            "that clip was playing"
                        } else {
                            "that clip was playing and has stopped; launch the new one, or edit with svc-update-clip"
                        },
                    );
                }
            }
            PlaceBefore::Lane(before) => {
                self.lanes.record(session, before, &[])?;
            }
        }
        Ok(())
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
        match (&self.plan.contents, model_read::flag(session, track, "has_midi_input")?) {
            (Contents::Midi(_), false) if self.plan.contents.has_notes() => {
                return refuse(format!("{named} is an audio track; notes need a MIDI track"));
            }
            (Contents::Midi(_), false) => {
                return refuse(format!("{named} is an audio track; name the sampleFile of its clip, or a MIDI track"));
            }
            (Contents::Audio(_), true) => {
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
