//! Copies of clips: to slots, timelines and take lanes.

use super::lengths::Lengths;
use super::{Args, Made, Plan};
use crate::music::{Beats, Random, SAME_POSITION_BEATS};
use crate::notation::transforms::ClipKind;
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read;
use crate::tools::address::path::LanePath;
use crate::tools::address::path_format;
use crate::tools::arguments::action_params::sent;
use crate::tools::call::CallContext;
use crate::tools::clip::audio_clip;
use crate::tools::clip::notes::NoteWork;
use crate::tools::clip::transforms::{self, RandomSeed, TextErrors, Transforms};
use crate::tools::error::ToolError;
use crate::tools::report::target_result::{self, TargetResult, add_detail};
use crate::tools::report::write_log::WriteLog;
use crate::tools::timeline::copy::{self, Landed};
use crate::tools::timeline::lane::{self, ClipSpan, LaneBefore};
use crate::tools::timeline::length::{self, PendingRegion};
use crate::tools::timeline::order::{self, Area, ClipMove};
use crate::tools::timeline::overwritten::{self, Overwritten, PlacedBefore};
use crate::tools::timeline::place::{self, ClipPlace, Destination};
use serde_json::{Map, Value, json};

/// Whether one such place serves several clips.
pub fn is_shared(text: &str) -> Result<bool, ToolError> {
    Ok(Destination::read_list("toPath", text)?.iter().all(|to| !to.is_whole()))
}

pub struct Clips {
    to: Vec<Destination>,
    lengths: Option<Lengths>,
    work: NoteWork,
    chance: RandomSeed,
    lane_name: Option<String>,
}

/// A copy that can be made.
#[derive(Clone)]
struct Ready {
    clip: ObjectId,
    to: ClipPlace,
    length: Option<Beats>,
}

/// A copy that was made.
struct Done {
    entry: Map<String, Value>,
    clip: ObjectId,
    tiles: Vec<ObjectId>,
}

/// Why a copy cannot be made.
struct NotReady {
    /// The place it was meant for; `None` where there is no source.
    place: Option<String>,
    why: String,
    /// The transforms are wrong in its meter.
    is_unreadable: bool,
}

impl NotReady {
    fn at(place: String, why: ToolError) -> NotReady {
        NotReady { place: Some(place), why: why.text, is_unreadable: false }
    }
}

type Looked = Result<Ready, NotReady>;

impl Clips {
    pub fn read(
        args: &Args,
        places: Vec<String>,
        total: usize,
        warnings: &mut Vec<String>,
    ) -> Result<Clips, ToolError> {
        if places.is_empty() {
            return Err(ToolError::new(
                "toPath says where the copies go: a slot (t0/s1), the arrangement (t2[5|1]), a take lane (t2/l0[5|1]), [5|1] \
                 on the clip's own lane, or t2 at its own time",
            ));
        }
        let to = Destination::read_list("toPath", &places.join(","))?;
        let after = Transforms::read("transforms", args.transforms.as_ref().filter(|text| sent(Some(text))))?;
        let work = NoteWork { before: None, notes: None, after };
        let chance = RandomSeed::of(args.seed);
        if args.seed.is_some() && work.is_empty() {
            warnings.push("seed ignored: it is for transforms, and none were sent".to_owned());
        }
        Ok(Clips {
            to,
            lengths: Lengths::read(args.arrangement_length.as_ref(), total)?,
            work,
            chance,
            lane_name: args.take_lane_name.clone().filter(|name| sent(Some(name))),
        })
    }

    pub fn run(
        &self,
        session: &mut dyn Session,
        call: &mut CallContext,
        plan: &Plan,
        found: &[Result<ObjectId, String>],
    ) -> Result<Vec<Made>, ToolError> {
        call.warnings.extend(self.to.iter().filter_map(|to| to.warning.clone()));
        let ready = self.look(session, plan, found)?;
        let slots = ready.iter().flatten().any(|ready| matches!(ready.to, ClipPlace::Slot { .. }));
        if slots && self.lengths.is_some() {
            call.warnings
                .push("arrangementLength ignored for copies in the session: they have no length there".to_owned());
        }
        let mut tiles = 0usize;
        for Ready { clip, to, length } in ready.iter().flatten() {
            if let Some(length) = length.filter(|_| is_main_lane(to)) {
                tiles = tiles.saturating_add(length::tiles_of(session, *clip, length, PendingRegion::default())?);
            }
        }
        length::check_tiles(tiles)?;
        let mut ways = Vec::new();
        for ready in &ready {
            ways.push(match ready {
                Ok(Ready { clip, to, length }) => {
                    let covers = place::length(session, *clip)?;
                    let covers = length.filter(|_| is_main_lane(to)).unwrap_or(covers);
                    let from = Area::of_clip(session, *clip)?;
                    Some(ClipMove { grows: from.clone(), from, to: Area::of(to, covers) })
                }
                Err(_) => None,
            });
        }
        let order = order::order(&ways)?;
        let replaced = |at: usize| order.replaced_by.get(at).copied().flatten();
        let mut random = self.chance.transforms();
        let mut own: Vec<ObjectId> = Vec::new();
        let mut done: Vec<Option<Result<Done, String>>> = ready.iter().map(|_| None).collect();
        let mut landed: Vec<Vec<PlacedBefore>> = vec![Vec::new(); ready.len()];
        for at in order.turns.iter().copied() {
            let (Some(Ok(ready)), None) = (ready.get(at), replaced(at)) else { continue };
            let place = transforms::ClipOrdinal { index: at, count: plan.copies.len() };
            let made = if call.is_late() {
                Err(target_result::NOT_REACHED.to_owned())
            } else if session.class_of(ready.clip)?.is_none() {
                Err("the clip was overwritten earlier in this call".to_owned())
            } else {
                self.write(session, call, plan, at, ready, place, &mut random, &mut own).map_err(|error| error.text)
            };
            if let (Some(landed), Ok(made)) = (landed.get_mut(at), &made) {
                let clips = std::iter::once(&made.clip).chain(&made.tiles);
                *landed = PlacedBefore::of_all(session, clips)?;
            }
            if let Some(slot) = done.get_mut(at) {
                *slot = Some(made);
            }
        }
        let fate = |at: usize| {
            let name = |by: usize| {
                let there = ready.get(by).and_then(|r| r.as_ref().ok());
                there.map_or_else(|| Ok(String::new()), |r| r.to.spelled(session))
            };
            overwritten::fate(session, &landed, &order.turns, &own, at, name)
        };
        let fates = (0..ready.len()).map(fate).collect::<Result<_, _>>()?;
        Ok(self.entries(session, plan, &ready, done, fates, &order)?)
    }

    /// Where each copy goes, if it can. An error refuses the call.
    fn look(
        &self,
        session: &dyn Session,
        plan: &Plan,
        found: &[Result<ObjectId, String>],
    ) -> Result<Vec<Looked>, ToolError> {
        let mut faults = TextErrors::default();
        faults.check_for(session, found.iter().flatten().copied(), &[&self.work])?;
        faults.refuse()?;
        let lengths = self.lengths.as_ref().map(|lengths| lengths.in_song(session)).transpose()?;
        let mut all = Vec::new();
        for (at, (source, to)) in plan.copies.iter().enumerate() {
            let clip = match found.get(*source) {
                Some(Ok(clip)) => *clip,
                Some(Err(why)) => {
                    all.push(Err(NotReady { place: None, why: why.clone(), is_unreadable: false }));
                    continue;
                }
                None => continue,
            };
            let Some(to) = to.and_then(|at| self.to.get(at)) else { continue };
            let length = lengths.as_ref().and_then(|lengths| lengths.get(at)).copied();
            all.push(match to.place(session, clip) {
                Err(error) => Err(NotReady::at(to.spelling.clone(), error)),
                Ok(place) => match place.check(session, clip).and_then(|()| fits(session, clip, &place, length)) {
                    Err(error) => Err(NotReady::at(place.spelled(session)?, error)),
                    Ok(()) => match self.readable(session, clip) {
                        Err(error) => {
                            Err(NotReady { is_unreadable: true, ..NotReady::at(place.spelled(session)?, error) })
                        }
                        Ok(()) => Ok(Ready { clip, to: place, length }),
                    },
                },
            });
        }
        // What no copy of the call can take is wrong with the call.
        let copied = || all.iter().filter(|looked| !matches!(looked, Err(NotReady { place: None, .. })));
        let unreadable = |looked: &&Looked| matches!(looked, Err(NotReady { is_unreadable: true, .. }));
        if let Some(Err(NotReady { why, .. })) = copied().find(unreadable)
            && copied().all(|looked| unreadable(&looked))
        {
            return Err(ToolError::new(why.clone()));
        }
        Ok(all)
    }

    /// Whether the transforms are right in the meter that a copy of the clip has.
    fn readable(&self, session: &dyn Session, clip: ObjectId) -> Result<(), ToolError> {
        let (meter, kind) = (model_read::meter(session, clip)?, transforms::kind(session, clip)?);
        let mut faults = TextErrors::default();
        faults.check_in(self.work.transforms_for(kind), meter, kind);
        faults.refuse()
    }

    #[expect(clippy::too_many_arguments, reason = "one copy's turn needs all of the call")]
    fn write(
        &self,
        session: &mut dyn Session,
        call: &CallContext,
        plan: &Plan,
        at: usize,
        ready: &Ready,
        place: transforms::ClipOrdinal,
        random: &mut Random,
        own: &mut Vec<ObjectId>,
    ) -> Result<Done, ToolError> {
        let landed = copy_to(session, ready.clip, &ready.to, ready.length, own)?;
        let clip = landed.clip;
        own.push(clip);
        let mut steps = WriteLog::on(session, clip)?;
        steps.record("copy", Ok::<_, ToolError>(()))?;
        if let Some(created) = landed.created {
            steps.entry.insert("created".to_owned(), json!(created));
        }
        for detail in landed.details {
            add_detail(&mut steps.entry, detail);
        }
        let mut tiles = Vec::new();
        let outcome = (|| {
            plan.dress.write(session, clip, at, &mut steps)?;
            self.name_lane(session, clip, &mut steps)?;
            self.transform(session, clip, place, random, &mut steps)?;
            if let Some(length) = ready.length
                && matches!(ready.to, ClipPlace::Timeline { .. })
            {
                let done = steps.record("arrangementLength", length::set_length(session, call, clip, length, own))?;
                own.extend(&done.tiles);
                tiles = done.tiles;
                for detail in done.details {
                    add_detail(&mut steps.entry, detail);
                }
            }
            Ok(())
        })();
        Ok(Done { entry: steps.end(outcome)?, clip, tiles })
    }

    fn name_lane(&self, session: &mut dyn Session, clip: ObjectId, steps: &mut WriteLog) -> Result<(), ToolError> {
        let Some(name) = &self.lane_name else { return Ok(()) };
        let is_take_lane = |lane| model_read::class(session, lane).map(|class| class == Some("TakeLane"));
        match model_read::find(lane::of_clip(session, clip)?, is_take_lane)? {
            Some(lane) => steps.record("takeLaneName", session.set(lane, "name", name.as_str().into())),
            None => {
                steps.refuse("takeLaneName ignored: the copy is on no take lane");
                Ok(())
            }
        }
    }

    fn transform(
        &self,
        session: &mut dyn Session,
        clip: ObjectId,
        place: transforms::ClipOrdinal,
        random: &mut Random,
        steps: &mut WriteLog,
    ) -> Result<(), ToolError> {
        let Some(after) = &self.work.after else { return Ok(()) };
        let meter = model_read::meter(session, clip)?;
        let context = transforms::clip(session, clip, meter, place)?;
        match transforms::kind(session, clip)? {
            ClipKind::Midi => {
                let written = steps.record("transforms", self.work.write(session, clip, &context, random))?;
                if let Some(applied) = &written.applied {
                    transforms::tell(applied, &mut steps.entry);
                }
                transforms::tell_dropped(written.dropped, &mut steps.entry);
                self.chance.tell(&mut steps.entry);
                Ok(())
            }
            ClipKind::Audio => audio_clip::transform(after, &context, self.chance, random, session, clip, steps),
        }
    }

    /// What is said of each copy, once all are made.
    fn entries(
        &self,
        session: &dyn Session,
        plan: &Plan,
        ready: &[Looked],
        done: Vec<Option<Result<Done, String>>>,
        fates: Vec<Option<Overwritten>>,
        order: &order::Order,
    ) -> Result<Vec<Made>, ModelError> {
        let spelled =
            |at: usize| ready.get(at).and_then(|r| r.as_ref().ok()).map(|r| r.to.spelled(session)).transpose();
        let mut all = Vec::new();
        for (at, ((ready, done), fate)) in ready.iter().zip(done).zip(fates).enumerate() {
            let source = plan.copies.get(at).map_or(0, |(source, _)| *source);
            let place = spelled(at)?.unwrap_or_default();
            all.push(match (ready, done) {
                (Err(NotReady { place: None, why, .. }), _) => plan.no_source(source, why),
                (Err(NotReady { place: Some(place), why, .. }), _) => {
                    Made::from(TargetResult::skip("path", place, why))
                }
                (_, Some(Ok(mut done))) => {
                    let path = path_format::tool_path(session, done.clip)?.unwrap_or(place);
                    done.entry.insert("path".to_owned(), json!(path));
                    if let Some(Overwritten { is_gone, said }) = fate {
                        if is_gone {
                            done.entry.remove("id");
                        }
                        add_detail(&mut done.entry, said);
                    }
                    let mut more = Vec::new();
                    for tile in model_read::filter(done.tiles, |tile| model_read::is_there(session, tile))? {
                        more.push(TargetResult::Written(WriteLog::on(session, tile)?.entry));
                    }
                    Made { entry: TargetResult::Written(done.entry), more }
                }
                (_, Some(Err(why))) => Made::from(TargetResult::skip("path", place, why)),
                (_, None) => {
                    let by = order.replaced_by.get(at).copied().flatten().unwrap_or(at);
                    let taken = spelled(by)?.unwrap_or_default();
                    Made::from(TargetResult::replaced("path", place, by, &taken))
                }
            });
        }

        Ok(all)
    }
}

/// Whether a copy ends on the timeline. Only on a main lane does it take a length.
pub fn fits(session: &dyn Session, clip: ObjectId, to: &ClipPlace, length: Option<Beats>) -> Result<(), ToolError> {
    match length.filter(|_| is_main_lane(to)) {
        Some(length) => to.check_end(session, "arrangementLength", length),
        None => to.check_end(session, "toPath", place::length(session, clip)?),
    }
}

fn is_main_lane(to: &ClipPlace) -> bool {
    matches!(to, ClipPlace::Timeline { lane: LanePath { take_lane: None, .. }, .. })
}

/// Copies a clip to a place that was checked. One that is to be shorter there goes over no more than it will cover: it is cut
/// beside the clips of the lane first.
pub fn copy_to(
    session: &mut dyn Session,
    clip: ObjectId,
    to: &ClipPlace,
    length: Option<Beats>,
    own: &[ObjectId],
) -> Result<Landed, ToolError> {
    let (Some(length), &ClipPlace::Timeline { lane, at }) = (length.filter(|_| is_main_lane(to)), to) else {
        return copy::copy(session, clip, to, own);
    };
    let whole = place::length(session, clip)?;
    if length > whole - SAME_POSITION_BEATS {
        return copy::copy(session, clip, to, own);
    }
    let (track, _) = to.make(session)?;
    let free = lane::aside(session, track, whole, (at, at + length))?;
    let aside = copy::copy(session, clip, &ClipPlace::Timeline { lane, at: free }, own)?;
    let start = ClipSpan::read(session, aside.clip)?.start;
    session.set_clip_end(aside.clip, start + length)?;
    let before = LaneBefore::look(session, track, at, at + length)?;
    let made = session.call(track, "duplicate_clip_to_arrangement", &[aside.clip.into(), at.into()])?;
    let made = made.as_object().ok_or_else(|| ToolError::new("no clip was made"))?;
    session.call(track, "delete_clip", &[aside.clip.into()])?;
    let mut details = aside.details;
    details.extend(before.account(session, own)?);
    Ok(Landed { clip: made, created: None, details })
}
