//! The last calls, whoever made them and by whichever face, for those who look at what is going on.

use super::types::{Answer, CallFailure, CallRequest};
use crate::music::excerpt::excerpt;
use crate::object_model::history::{Caller, MadeStep, Moment, StepWay};
use crate::tools;
use crate::tools::history::time_of_day;
use crate::tools::history::told_commit::ToldCommit;
use parking_lot::Mutex;
use serde_json::{Map, Value, json};
use std::collections::VecDeque;
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Instant, SystemTime};

/// Calls that are kept.
const MOST_CALLS: usize = 200;
/// Bytes of a call's arguments that are kept.
const MOST_ARGUMENT_BYTES: usize = 2_000;
/// Characters of a refusal or a warning that are kept.
const MOST_TEXT_CHARS: usize = 400;
/// Warnings of a call that are kept.
const MOST_WARNINGS: usize = 10;
/// Objects that an entry lists.
const MOST_CHANGED: usize = 20;
/// Further arguments that a line tells.
const MOST_ASKED: usize = 4;
/// Arguments that say what a call is about.
const TELLING_ARGUMENTS: [&str; 9] = ["action", "path", "id", "ids", "paths", "file", "search", "query", "trackPath"];

/// The last calls.
#[derive(Default)]
pub struct CallLog {
    calls: Mutex<VecDeque<Arc<CallEntry>>>,
    count: AtomicU64,
}

/// A call that is being made.
pub struct BegunCall {
    at: SystemTime,
    started: Instant,
    caller: Caller,
    tool: String,
    arguments: KeptArguments,
}

/// A call that was answered.
pub struct CallEntry {
    /// Counts up over the device's life.
    pub id: u64,
    at: SystemTime,
    milliseconds: f64,
    caller: Caller,
    tool: String,
    arguments: KeptArguments,
    status: u16,
    is_error: bool,
    /// Why it was refused or failed.
    why: Option<String>,
    warnings: Vec<String>,
    is_dry_run: bool,
    /// The undo step that it made, 0 for none. One that a later call of the same gesture took in is that one's.
    step: AtomicU64,
    /// The step as it was when the call was answered.
    made: Option<MadeStep>,
    /// Where undo or redo led.
    stepped: Option<StepWay>,
    /// What the call itself changed, once somebody asked.
    told: OnceLock<ToldCommit>,
}

/// What a call did beside its answer.
#[derive(Default)]
pub struct CallOutcome {
    pub is_dry_run: bool,
    pub step: Option<MadeStep>,
    /// Where undo or redo led.
    pub stepped: Option<StepWay>,
}

/// Arguments as JSON, or how they begin.
struct KeptArguments {
    text: String,
    is_cut: bool,
}

impl KeptArguments {
    fn of(arguments: &Map<String, Value>) -> KeptArguments {
        let mut bounded = Bounded(Vec::with_capacity(128));
        let is_cut = serde_json::to_writer(&mut bounded, arguments).is_err();
        // Where it was cut within a character, that one is not whole.
        let text = match String::from_utf8(bounded.0) {
            Ok(text) => text,
            Err(error) => {
                let valid = error.utf8_error().valid_up_to();
                let mut bytes = error.into_bytes();
                bytes.truncate(valid);
                String::from_utf8(bytes).unwrap_or_default()
            }
        };
        KeptArguments { text, is_cut }
    }
}

/// Takes so many bytes and then fails, so that nobody writes what is not kept.
struct Bounded(Vec<u8>);

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let room = MOST_ARGUMENT_BYTES.saturating_sub(self.0.len());
        let taken = bytes.get(..room).unwrap_or(bytes);
        self.0.extend_from_slice(taken);
        if taken.is_empty() && !bytes.is_empty() { Err(std::io::ErrorKind::WriteZero.into()) } else { Ok(taken.len()) }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl BegunCall {
    pub fn of(request: &CallRequest) -> BegunCall {
        BegunCall {
            at: SystemTime::now(),
            started: Instant::now(),
            caller: request.who.clone(),
            tool: excerpt(&request.tool),
            arguments: KeptArguments::of(&request.arguments),
        }
    }
}

impl CallLog {
    /// Takes in a call that was answered.
    pub fn add(&self, begun: BegunCall, answer: &Result<Answer, CallFailure>, outcome: &CallOutcome) -> Arc<CallEntry> {
        let BegunCall { at, started, caller, tool, arguments } = begun;
        let (skipped, is_all_skipped) = answer.as_ref().map(not_done).unwrap_or_default();
        let (status, why) = match answer {
            Ok(answer) if answer.is_error => (200, answer.result.as_str().map(cut)),
            Ok(_) => (200, skipped.first().filter(|_| is_all_skipped).map(cut)),
            Err(CallFailure::NoSuchTool(why)) => (404, Some(cut(why))),
            Err(CallFailure::InvalidArguments { message, .. }) => (400, Some(cut(message))),
            Err(CallFailure::QueueFull(why)) => (503, Some(cut(why))),
            Err(CallFailure::TimedOut(why)) => (504, Some(cut(why))),
            Err(CallFailure::Internal(why)) => (500, Some(cut(why))),
        };
        let warnings = answer.as_ref().map_or(&[][..], |answer| &answer.warnings);
        let entry = Arc::new(CallEntry {
            id: self.count.fetch_add(1, Ordering::Relaxed) + 1,
            at,
            milliseconds: (started.elapsed().as_secs_f64() * 100_000.0).round() / 100.0,
            tool,
            arguments,
            status,
            is_error: answer.as_ref().map_or(true, |answer| answer.is_error),
            why,
            warnings: skipped.iter().chain(warnings).take(MOST_WARNINGS).map(cut).collect(),
            is_dry_run: outcome.is_dry_run,
            step: AtomicU64::new(outcome.step.map_or(0, |step| step.number)),
            made: outcome.step,
            stepped: outcome.stepped,
            told: OnceLock::new(),
            caller,
        });
        let mut calls = self.calls.lock();
        if let Some(MadeStep { number, took_in: Some(earlier), .. }) = outcome.step {
            let goes_on = |call: &&Arc<CallEntry>| call.step() == Some(earlier);
            calls.iter().filter(goes_on).for_each(|call| call.step.store(number, Ordering::Relaxed));
        }
        if calls.len() >= MOST_CALLS {
            calls.pop_front();
        }
        calls.push_back(entry.clone());
        entry
    }

    /// The newest first.
    pub fn all(&self) -> Vec<Arc<CallEntry>> {
        self.calls.lock().iter().rev().cloned().collect()
    }
}

impl CallEntry {
    pub fn step(&self) -> Option<u64> {
        Some(self.step.load(Ordering::Relaxed)).filter(|step| *step > 0)
    }

    /// The moments between which the Set became what this call made of it and nothing else, while they are kept.
    pub fn moments_of_its_own(&self) -> Option<(Moment, Moment)> {
        if let Some(StepWay { from, to }) = self.stepped {
            return Some((Moment::After(from), Moment::After(to)));
        }
        let made = self.made.filter(|made| made.took_in.is_none())?;
        let number = self.step().filter(|step| *step == made.number)?;
        Some((Moment::Before(number), Moment::After(number)))
    }

    /// Where it led when it was answered: of all commits that made a step only its own led there, and whatever steps
    /// back or on by the same way changes the same.
    pub fn way(&self) -> Option<StepWay> {
        self.made.map(|made| made.way()).or(self.stepped)
    }

    pub fn told(&self) -> Option<&ToldCommit> {
        self.told.get()
    }

    /// What it changed. The first word counts: later its step may be another one, or no longer be kept.
    pub fn tell(&self, told: ToldCommit) {
        let _ = self.told.set(told);
    }

    pub fn to_json(&self) -> Value {
        let KeptArguments { text, is_cut } = &self.arguments;
        let arguments: Value = if *is_cut { Value::Null } else { serde_json::from_str(text).unwrap_or_default() };
        let told = self.told();
        json!({
            "id": self.id,
            "at": time_of_day::iso_with_ms(self.at),
            "client": &*self.caller.name,
            "via": self.caller.via.name(),
            "tool": self.tool,
            "line": self.line(&arguments),
            "arguments": arguments,
            "argumentsCut": is_cut.then_some(text),
            "milliseconds": self.milliseconds,
            "status": self.status,
            "isError": self.is_error,
            "warnings": self.warnings,
            "historyStep": self.step(),
            "followsStep": self.step().and(self.made).map(|made| made.follows),
            "isDryRun": self.is_dry_run,
            "gesture": self.caller.gesture.as_deref(),
            "changed": told.map_or(&[][..], |told| told.changed.get(..MOST_CHANGED).unwrap_or(&told.changed)),
        })
    }

    /// What it did, in a line.
    fn line(&self, arguments: &Value) -> String {
        if let Some(why) = &self.why {
            return why.clone();
        }
        let told = self.told().map(|told| told.line.as_str()).filter(|line| !line.is_empty());
        match told {
            // What comes back looks like an edit unless it is said how it came.
            Some(told) if self.stepped.is_some() => format!("{}: {told}", self.asked(arguments)),
            Some(told) => told.to_owned(),
            None => self.asked(arguments),
        }
    }

    /// What was asked of it, in a line.
    fn asked(&self, arguments: &Value) -> String {
        let tool = tools::registry::all().iter().find(|tool| tool.name == self.tool);
        let title = tool.map_or(self.tool.as_str(), |tool| tool.title);
        let about = TELLING_ARGUMENTS.iter().filter_map(|name| match arguments.get(name)? {
            Value::String(text) => Some(excerpt(text)),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        });
        let mut about: Vec<String> = about.collect();
        if self.step().is_some() {
            about.extend(asked_values(arguments));
        }
        let head = if self.is_dry_run { format!("Dry run: {title}") } else { title.to_owned() };
        if about.is_empty() { head } else { format!("{head}: {}", about.join(" ")) }
    }
}

/// What a call asked for, as `name value`, where what it did is not kept apart from what others did.
fn asked_values(arguments: &Value) -> impl Iterator<Item = String> {
    let members = arguments.as_object().into_iter().flatten();
    let values = members.filter(|(name, _)| !TELLING_ARGUMENTS.contains(&name.as_str()));
    let spelled = values.filter_map(|(name, value)| match value {
        Value::String(text) => Some(format!("{name} \"{}\"", excerpt(text))),
        Value::Number(_) | Value::Bool(_) => Some(format!("{name} {value}")),
        _ => None,
    });
    spelled.take(MOST_ASKED)
}

/// Of an answer about several targets those that were left out, with why, and whether all were.
fn not_done(answer: &Answer) -> (Vec<String>, bool) {
    let entries = answer.result.as_value().and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let skipped = entries.iter().filter(|entry| entry.get("ok") == Some(&Value::Bool(false)));
    let why = |entry: &Value| {
        let detail = entry.get("detail").and_then(Value::as_str).unwrap_or("not done");
        let target = ["path", "id"].into_iter().find_map(|key| entry.get(key)?.as_str());
        target.map_or_else(|| detail.to_owned(), |target| format!("{target}: {detail}"))
    };
    let whys: Vec<String> = skipped.map(why).collect();
    let is_all = whys.len() == entries.len();
    (whys, is_all)
}

fn cut(text: impl AsRef<str>) -> String {
    let text = text.as_ref();
    match text.char_indices().nth(MOST_TEXT_CHARS) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}
