//! When all clips of the call are made: what became of the earlier ones, and launching.

use super::Auto;
use super::plan::Plan;
use super::task::MadeClip;
use crate::music::{Beats, SAME_POSITION_BEATS, duration};
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read;
use crate::tools::address::path_format;
use crate::tools::address::path_resolve;
use crate::tools::call::CallContext;
use crate::tools::clip::{notes, region};
use crate::tools::error::ToolError;
use crate::tools::report::target_result::{TargetResult, add_detail};
use crate::tools::timeline::lane::{self, ClipSpan};
use crate::tools::timeline::lane_changes::LaneChanges;
use crate::tools::timeline::place::ClipPlace;
use serde_json::json;

/// Says of each clip what later ones of the call did to it, and where it stands now.
pub fn report_covered(
    plan: &Plan,
    session: &dyn Session,
    made: &[MadeClip],
    lanes: &LaneChanges,
    entries: &mut [TargetResult],
) -> Result<(), ToolError> {
    for (nth, one) in made.iter().enumerate() {
        if let Some(TargetResult::Written(entry)) = entries.get_mut(one.at) {
            lanes.report(session, one.at, entry)?;
        }
        let (Some(ClipSpan { start, end, .. }), ClipPlace::Timeline { lane, .. }) = (one.placed, &one.place) else {
            continue;
        };
        let Some(TargetResult::Written(entry)) = entries.get_mut(one.at) else { continue };
        let on = |other: &&MadeClip| matches!(&other.place, ClipPlace::Timeline { lane: on, .. } if on == lane);
        let over = |other: &&MadeClip| other.placed.is_some_and(|other| other.start < end && start < other.end);
        let spelling = |at: usize| plan.destinations.get(at).map_or("", |place| place.spelling.as_str());
        let later: Vec<&MadeClip> = made.iter().skip(nth + 1).filter(on).filter(over).collect();
        let names = later.iter().map(|other| spelling(other.at)).collect::<Vec<_>>().join(", ");
        if model_read::class(session, one.clip)? != Some("Clip") {
            entry.clear();
            entry.insert("path".to_owned(), json!(spelling(one.at)));
            entry.insert("deleted".to_owned(), json!(true));
            add_detail(entry, format!("nothing of it is left: {names}, later in this call, cover it"));
            continue;
        }
        let now = ClipSpan::read(session, one.clip)?;
        let differ = |a: Beats, b: Beats| (a - b).abs() > SAME_POSITION_BEATS;
        if !differ(now.start, start) && !differ(now.end, end) {
            continue;
        }
        entry.insert("path".to_owned(), json!(path_format::tool_path(session, one.clip)?));
        // What its entry said when it was made may be other now.
        if entry.contains_key("noteCount") {
            entry.insert("noteCount".to_owned(), json!(notes::count_notes(session, one.clip)?.shown));
        }
        if entry.contains_key("length") {
            let region = region::read(session, one.clip)?;
            let length = duration::format_within(region.end - region.start, model_read::meter(session, one.clip)?);
            entry.insert("length".to_owned(), json!(length));
        }
        let holder = path_resolve::lane(session, *lane)?;
        let own = |clip: &ClipSpan| made.iter().any(|made| made.clip == clip.id);
        let tails: Vec<String> = lane::within(session, holder, now.end, end)?
            .into_iter()
            .filter(|clip| !own(clip))
            .map(|clip| path_format::path_and_id(session, clip.id))
            .collect::<Result<_, _>>()?;
        add_detail(
            entry,
            if tails.is_empty() {
                format!("shortened by {names}, later in this call")
            } else {
                format!("split by {names}, later in this call; it goes on at {}", tails.join(", "))
            },
        );
    }
    Ok(())
}

/// Launches what was made in the Session, if that was asked.
pub fn launch(
    plan: &Plan,
    session: &mut dyn Session,
    call: &mut CallContext,
    made: &[MadeClip],
    entries: &mut [TargetResult],
) -> Result<(), ModelError> {
    let Some(auto) = plan.auto else { return Ok(()) };
    let mut fired: Vec<ObjectId> = Vec::new();
    let mut any = false;
    for one in made {
        let ClipPlace::Slot { scene, .. } = one.place else { continue };
        any = true;
        let target = match auto {
            Auto::PlayClip => Ok(one.clip),
            Auto::PlayScene => model_read::scene(session, scene),
        };
        let launched = target.and_then(|target| {
            if !fired.contains(&target) {
                session.call(target, "fire", &[])?;
                fired.push(target);
            }
            Ok(())
        });
        let clock = session.clock()?;
        let Some(TargetResult::Written(entry)) = entries.get_mut(one.at) else { continue };
        match launched {
            Err(e) => add_detail(entry, format!("not launched: {e}")),
            Ok(()) if clock.led_by_daw && !clock.playing => {
                add_detail(entry, "armed: it starts when the DAW's transport does");
            }
            Ok(()) => {}
        }
    }
    if !any {
        call.warnings.push("auto ignored: no session clip was made to launch".to_owned());
    }
    Ok(())
}
