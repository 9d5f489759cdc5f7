//! The call of a tool that reads: its targets, what is gathered of each with the Set at hand or from a snapshot of it,
//! and its answer. See D24 in `docs/decisions.md`.

use crate::object_model::scope::{Part, Scope, Shape};
use crate::object_model::{ModelError, ObjectId, Session};
use crate::picture;
use crate::tools::address::targets::{self, Target, TargetKind};
use crate::tools::call::{CallContext, PreparedCall, prepared_read};
use crate::tools::error::ToolError;
use crate::tools::read::gathered::Gathered;
use crate::tools::read::target_scope;
use crate::tools::read::written::{AnswerStyle, Entries};
use crate::tools::report::target_result;
use crate::tools::report::write_targets;
use crate::tools::request::RequestContext;
use serde::Deserialize;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

/// What every tool that reads objects takes.
#[derive(Deserialize)]
pub struct ReadArgs {
    id: Option<String>,
    path: Option<String>,
    #[serde(default)]
    pub include: Vec<String>,
}

impl ReadArgs {
    /// Refuses a call about more than `most` objects, where `what` of each would be too much for one answer.
    pub fn at_most(&self, most: usize, what: &str) -> Result<(), ToolError> {
        let named = |list: &Option<String>| list.as_deref().map_or(0, |text| text.split(',').count());
        match named(&self.id) + named(&self.path) {
            count if count > most => Err(ToolError::new(format!(
                "{what} at most {most} in one call, and {count} are named; ask for the rest in further calls"
            ))),
            _ => Ok(()),
        }
    }
}

/// More targets than this are read away from the Set.
const FEW_TARGETS: usize = 8;

/// The call of a read tool: `read` gathers one object from a snapshot, and `shape` says what it reads of it; notes are
/// written away from it.
pub fn job(
    args: &ReadArgs,
    view: &RequestContext,
    wanted: TargetKind,
    shape: impl Fn() -> Shape + Send + 'static,
    read: impl Fn(&dyn Session, ObjectId) -> Result<Gathered, ToolError> + Send + 'static,
) -> Result<Box<dyn PreparedCall>, ToolError> {
    let targets = targets::read(wanted, args.id.as_ref(), args.path.as_ref())?;
    // What a clip includes is its own; a track or scene brings all its clips along.
    let nested = wanted != TargetKind::Clip && !args.include.is_empty();
    let mut style = style(view);
    // Pictures leave beside the text where the protocol has a place for them.
    style.as_text &= !args.include.iter().any(|word| word == picture::IMAGE_FIELD);
    Ok(job_in_style(
        targets,
        nested,
        style,
        move |session, target| target_scope::of_target(session, target, wanted, shape()),
        move |session, target, _| target.find(session, wanted),
        read,
    ))
}

/// How the answer of a request is written.
pub fn style(view: &RequestContext) -> AnswerStyle {
    AnswerStyle { notation: view.notation, json: view.json, as_text: view.as_text }
}

/// As [`job`], for targets that `find` finds in a way of its own; what it has to warn of it puts into the list.
/// `of_target` says what is read of one.
pub fn job_in_style<T: Copy + Eq + Hash + 'static>(
    targets: Vec<Target>,
    large: bool,
    style: AnswerStyle,
    of_target: impl Fn(&dyn Session, &Target) -> Result<Vec<Part>, ToolError> + Send + 'static,
    find: impl Fn(&dyn Session, &Target, &mut Vec<String>) -> Result<T, ToolError> + Send + 'static,
    read: impl Fn(&dyn Session, T) -> Result<Gathered, ToolError> + Send + 'static,
) -> Box<dyn PreparedCall> {
    let large = large || targets.len() > FEW_TARGETS;
    let targets: Arc<[Target]> = targets.into();
    let (of_scope, count) = (targets.clone(), targets.len());
    let parts = move |session: &dyn Session| target_scope::parts(session, &of_scope, &of_target);
    of_snapshot(large, style, count, parts, move |session, call, gathered| {
        each(session, call, gathered, &targets, &find, &read)
    })
}

/// What the Set's guard was held for: all of the read, or no more than a snapshot.
enum Read<F> {
    Done(Vec<Gathered>),
    Away(Box<dyn Session + Send>, F),
}

/// Takes what was gathered of each target, in their order.
type Take<'a> = &'a mut dyn FnMut(Gathered);

/// A read of `count` targets that gathers from a snapshot of the `parts`, where the host gives one. A `large` one does
/// so when the call is finished, and holds up nobody; it writes each target before the next is gathered.
pub fn of_snapshot<F>(
    large: bool,
    style: AnswerStyle,
    count: usize,
    parts: impl Fn(&dyn Session) -> Result<Vec<Part>, ModelError> + Send + 'static,
    gather: F,
) -> Box<dyn PreparedCall>
where
    F: FnOnce(&dyn Session, &mut CallContext, Take<'_>) -> Result<(), ToolError> + Send + 'static,
{
    fn all<F>(gather: F, session: &dyn Session, call: &mut CallContext) -> Result<Vec<Gathered>, ToolError>
    where
        F: FnOnce(&dyn Session, &mut CallContext, Take<'_>) -> Result<(), ToolError>,
    {
        let mut list = Vec::new();
        gather(session, call, &mut |one| list.push(one)).map(|()| list)
    }
    prepared_read(
        move |session, call| {
            let session: &dyn Session = session;
            if !large && session.reads_are_local() {
                return all(gather, session, call).map(Read::Done);
            }
            match session.snapshot(&Scope::new(&|| parts(session)))? {
                Some(snapshot) if large => Ok(Read::Away(snapshot, gather)),
                Some(snapshot) => all(gather, snapshot.as_ref(), call).map(Read::Done),
                None => all(gather, session, call).map(Read::Done),
            }
        },
        move |read, call| {
            let budget = call.budget.clone();
            let mut entries = Entries::new(style, count, &budget);
            match read {
                Read::Done(list) => list.into_iter().for_each(|one| entries.push(one)),
                Read::Away(snapshot, gather) => gather(snapshot.as_ref(), call, &mut |one| entries.push(one))?,
            }
            Ok(entries.finish().into())
        },
        |read| match read {
            Read::Done(list) => list.iter().any(Gathered::is_heavy),
            Read::Away(..) => true,
        },
    )
}

/// Reads each target, one that is named again only once. One that is not there is an entry with `ok: false`; alone, it
/// refuses the call.
fn each<T: Copy + Eq + Hash>(
    session: &dyn Session,
    call: &mut CallContext,
    take: Take<'_>,
    targets: &[Target],
    find: impl Fn(&dyn Session, &Target, &mut Vec<String>) -> Result<T, ToolError>,
    read: impl Fn(&dyn Session, T) -> Result<Gathered, ToolError>,
) -> Result<(), ToolError> {
    write_targets::warn_of_old_spellings(call, targets);
    let mut first: HashMap<T, usize> = HashMap::new();
    for (at, target) in targets.iter().enumerate() {
        // A read of one target runs to its end.
        let late = targets.len() > 1 && call.is_late();
        let found = if late {
            Err(ToolError::new(target_result::NOT_REACHED))
        } else {
            find(session, target, &mut call.warnings)
        };
        match found {
            Ok(found) => take(match *first.entry(found).or_insert(at) {
                before if before < at => Gathered { repeats: Some(before), ..Gathered::default() },
                _ => read(session, found)?,
            }),
            Err(why) if targets.len() == 1 || why.kind.ends_call() => return Err(why),
            Err(why) => {
                let mut miss = Gathered::default();
                miss.set(target.key, target.spelling.clone());
                miss.set("ok", false);
                miss.set("detail", why.text);
                take(miss);
            }
        }
    }
    Ok(())
}
