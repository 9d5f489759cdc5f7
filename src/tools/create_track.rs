//! `svc-create-track`: MIDI, audio and return tracks.

use crate::object_model::{ObjectId, Session, Value as Model};
use crate::tools::address::model_read;
use crate::tools::address::path::{Path, TrackPath};
use crate::tools::address::path_format;
use crate::tools::address::path_parse;
use crate::tools::aliases::fold::{LARGEST_INDEX, NEW_TRACK_INDEX, PATHS};
use crate::tools::arguments::lists::{self, ListEntry};
use crate::tools::arguments::one_or_each::{self, Switch};
use crate::tools::arguments::values;
use crate::tools::arguments::values::Color;
use crate::tools::call::{CallContext, arguments, prepared};
use crate::tools::error::ToolError;
use crate::tools::read::settled::settled;
use crate::tools::read::track_fields::track_type;
use crate::tools::report::moved_paths::ListBefore;
use crate::tools::report::target_result::{self, Mention, STANDS_AT_END, TargetResult, add_detail};
use crate::tools::report::write_log::WriteLog;
use crate::tools::tool::AliasRule;
use crate::tools::tool::{Param, ParamAlias, ParamKind, Prepare, Tool};
use serde::Deserialize;
use serde_json::{Map, Value, json};

pub static TOOL: Tool = Tool {
    name: "svc-create-track",
    title: "Create Track",
    read_only: false,
    destructive: true,
    description: |_| "Adds tracks: t+ appends, t0 inserts there, rt+ adds a return. Later tracks shift.".to_owned(),
    params: &[
        Param::new(
            "path",
            ParamKind::Text,
            "place(s), comma-separated, counted from the Set as it is now; one t+ when omitted",
        ),
        Param::new("name", ParamKind::Text, "name(s)"),
        Param::new("color", ParamKind::Text, "#RRGGBB"),
        Param::new("type", ParamKind::Choice(&["midi", "audio"]), "kind of the new tracks; midi when omitted")
            .unpublished(&["return"]),
        Param::new("mute", ParamKind::Switch, "initial mute").hidden_in_small_model(),
        Param::new("solo", ParamKind::Switch, "initial solo").hidden_in_small_model(),
        Param::new("arm", ParamKind::Switch, "initial record arm").hidden_in_small_model(),
    ],
    aliases: &[PATHS, NEW_TRACK_INDEX, COUNT],
    left_out_in_small_model: false,
    reads_files: |_| false,
    small: |_| true,
    prepare: Prepare::Alone(|map| {
        let args: Args = arguments(map)?;
        let plan = Plan::read(args)?;
        Ok(prepared(move |session, call| plan.run(session, call)))
    }),
};

const COUNT: ParamAlias = ParamAlias {
    params: &[Param::new("count", ParamKind::IntegerIn(1, LARGEST_INDEX), "")],
    into: "path",
    rule: AliasRule::Count { of: "t+", at_most: MAX_TRACKS },
};

/// Tracks that one call makes at most.
const MAX_TRACKS: usize = 100;

#[derive(Deserialize)]
struct Args {
    path: Option<String>,
    name: Option<String>,
    color: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    mute: Option<Switch>,
    solo: Option<Switch>,
    arm: Option<Switch>,
}

/// Where a track goes, counted in the Set before the call.
#[derive(Clone, Copy, Debug, PartialEq)]
enum TrackPlace {
    End,
    At(usize),
    /// Returns are appended.
    Return,
}

impl TrackPlace {
    fn read(spelling: &str) -> Result<TrackPlace, ToolError> {
        let refuse = |why: &str| Err(ToolError::about("path", format!("{spelling}{why}")));
        match path_parse::parse(spelling).map_err(|e| ToolError::about("path", e))? {
            Path::NewTrack => Ok(TrackPlace::End),
            Path::Track(TrackPath::Regular(at)) => Ok(TrackPlace::At(at)),
            Path::NewReturn => Ok(TrackPlace::Return),
            Path::Track(TrackPath::Return(_)) => refuse(": return tracks can only be appended; write rt+"),
            _ => refuse(" is no place for a track; write t+, t0 or rt+"),
        }
    }
}

struct Plan {
    places: Vec<ListEntry<TrackPlace>>,
    names: Option<lists::ValueList>,
    colors: Option<Vec<Color>>,
    audio: bool,
    /// Members of a track and what they begin with.
    states: Vec<(&'static str, Switch)>,
    warning: Option<String>,
}

impl Plan {
    fn read(args: Args) -> Result<Plan, ToolError> {
        let returns = args.kind.as_deref() == Some("return");
        let path = args.path.filter(|text| !text.trim().is_empty());
        let mut text = path.unwrap_or_else(|| "t+".to_owned());
        let mut warning = None;
        if returns {
            // Every place that an earlier version could name is the end of the returns.
            text = vec!["rt+"; lists::split_targets("path", &text)?.len()].join(",");
            let shown = if text.len() > 80 { "rt+" } else { &text };
            warning =
                Some(format!("type \"return\" is deprecated and will be removed; send path: \"{shown}\" instead"));
        }
        let places = lists::read_each(lists::split_targets("path", &text)?, TrackPlace::read)?;
        let count = places.len();
        if count > MAX_TRACKS {
            return Err(ToolError::new(format!("path names {count} tracks; one call makes at most {MAX_TRACKS}")));
        }
        let colors = values::colors(args.color.as_ref(), count)?;
        let audio = args.kind.as_deref() == Some("audio");
        let states = [("mute", args.mute), ("solo", args.solo), ("arm", args.arm)];
        let mut switched = Vec::new();
        for (member, switch) in states {
            switched.extend(one_or_each::spread(member, switch, count)?.map(|switch| (member, switch)));
        }
        let states = switched;
        Ok(Plan { names: lists::spread("name", args.name.as_ref(), count)?, places, colors, audio, states, warning })
    }

    fn run(&self, session: &mut dyn Session, call: &mut CallContext) -> Result<Value, ToolError> {
        call.warnings.extend(self.warning.clone());
        let song = model_read::song(session)?;
        let before = model_read::count(session, song, "tracks")?;
        let inserts = self.places.iter().any(|place| matches!(place.read, Ok(TrackPlace::At(at)) if at < before));
        let tracks = inserts.then(|| ListBefore::read(session, song, "tracks")).transpose()?;
        // Indices count from the Set before the call: each insert moves up what is at or behind it.
        let mut made: Vec<usize> = Vec::new();
        let mut ids: Vec<Result<ObjectId, String>> = Vec::new();
        // What the host says of each, before a later one changes it.
        let mut remarks: Vec<Option<String>> = Vec::new();
        for (at, ListEntry { read, .. }) in self.places.iter().enumerate() {
            session.begin_target(at);
            let place = match read {
                Ok(place) if !call.is_late() => *place,
                missed => {
                    let why = missed.as_ref().err().map_or(target_result::NOT_REACHED, |why| why.text.as_str());
                    ids.push(Err(why.to_owned()));
                    remarks.push(None);
                    continue;
                }
            };
            let created = match place {
                TrackPlace::Return => session.call(song, "create_return_track", &[]),
                TrackPlace::End | TrackPlace::At(_) => {
                    let at = if let TrackPlace::At(at) = place { at.min(before) } else { before };
                    let index = at + made.iter().filter(|earlier| **earlier <= at).count();
                    let function = if self.audio { "create_audio_track" } else { "create_midi_track" };
                    let created = session.call(song, function, &[Model::Int(i64::try_from(index).unwrap_or(-1))]);
                    if created.is_ok() {
                        made.push(at);
                    }
                    created
                }
            };
            let id = created.map_err(ToolError::from);
            let id = id.and_then(|made| made.as_object().ok_or_else(|| ToolError::new("no track was made")));
            let id = target_result::or_detail(id)?;
            remarks.push(match &id {
                Ok(id) => session.remark(*id)?,
                Err(_) => None,
            });
            ids.push(id);
        }
        // Of one alone its own look at it tells.
        let landed = if self.places.len() > 1 { session.land()? } else { Vec::new() };
        for landed in landed {
            if let (Some(id), Some(why)) = (ids.get_mut(landed.target), landed.failed.first()) {
                *id = Err(why.to_string());
            }
        }
        let mut entries = Vec::new();
        for (at, ((ListEntry { spelling, read }, id), remark)) in self.places.iter().zip(ids).zip(remarks).enumerate() {
            session.begin_target(at);
            entries.push(match id {
                Err(detail) => TargetResult::skip("path", spelling, detail),
                Ok(id) => {
                    let mut entry = self.dress(session, at, id)?;
                    if let Ok(TrackPlace::At(asked)) = read
                        && *asked > before
                    {
                        let landed = entry.get("path").and_then(Value::as_str).unwrap_or_default().to_owned();
                        if landed != format!("t{asked}") {
                            let said = format!("t{asked} is past the end{STANDS_AT_END}{landed}");
                            add_detail(&mut entry, said);
                        }
                    }
                    if let Some(remark) = remark {
                        add_detail(&mut entry, remark);
                    }
                    TargetResult::Written(entry)
                }
            });
        }
        for landed in session.land()? {
            if let (Some(entry), Some(place)) = (entries.get_mut(landed.target), self.places.get(landed.target)) {
                entry.take_late_failures(Mention { key: "path", spelling: &place.spelling }, &landed);
            }
        }
        if let Some(tracks) = tracks {
            tracks.report(session, &[], entries.iter_mut())?;
        }
        settled(session, target_result::answer(entries))
    }

    fn dress(&self, session: &mut dyn Session, at: usize, id: ObjectId) -> Result<Map<String, Value>, ToolError> {
        let mut log = WriteLog::on(session, id)?;
        log.entry.insert("type".to_owned(), json!(track_type(session, id)?));
        // The track was made, so the target is no skip, whatever fails from here on.
        log.record("track", Ok::<_, ToolError>(()))?;
        let outcome = self.dress_in_steps(session, at, id, &mut log);
        let mut entry = log.end(outcome)?;
        if let Some(sounds) = session.sounds(id)? {
            entry.insert("sounds".to_owned(), json!(sounds));
        }
        if model_read::flag_if_any(session, id, "is_grouped")?
            && let Some(group) = model_read::child(session, id, "group_track")?
        {
            add_detail(&mut entry, format!("landed inside the group {}", path_format::path_and_id(session, group)?));
        }
        Ok(entry)
    }

    fn dress_in_steps(
        &self,
        session: &mut dyn Session,
        at: usize,
        id: ObjectId,
        log: &mut WriteLog,
    ) -> Result<(), ToolError> {
        if let Some(names) = &self.names {
            log.name(session, id, names.at(at))?;
        }
        if let Some(color) = self.colors.as_ref().and_then(|colors| colors.get(at)) {
            log.color(session, id, *color)?;
        }
        for (member, switch) in &self.states {
            let on = switch.at(at);
            if *member == "arm" && !model_read::flag_if_any(session, id, "can_be_armed")? {
                if on {
                    add_detail(&mut log.entry, "arm: a return track cannot be armed");
                }
                continue;
            }
            log.record(*member, session.set(id, member, on.into()))?;
        }
        Ok(())
    }
}
