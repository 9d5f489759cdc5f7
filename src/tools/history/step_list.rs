//! Steps as answers list them, and steps that are named.

use super::time_of_day;
use super::told_changes::ToldChange;
use crate::object_model::history::{Moment, SetChanges, StepFacts};
use crate::object_model::host_values::{Capability, SetVersion};
use crate::object_model::model::StepHistory;
use crate::object_model::{ModelError, Session};
use crate::tools::budget::Budget;
use crate::tools::error::ToolError;
use crate::tools::metered_session::MeteredSession;
use serde_json::{Map, Value, json};
use std::time::SystemTime;

/// Changes of one step that are told.
const MOST_OF_STEP: usize = 6;
/// What there is to say of steps that changed more than is told.
const MORE_CHANGES: &str = "moreChanges counts the objects that a step changed besides; \
                            svc-read-history {\"diff\": true, \"to\": N} tells all of step N";
/// The tool whose only steps are those of its restore.
const RESTORING_TOOL: &str = "svc-manage";
/// Steps of one undo or redo that are told.
const MOST_TOLD_STEPS: usize = 20;

/// Objects of one difference that are told at most.
pub const MOST_OBJECTS_TOLD: usize = 200;

/// The steps of a host within a call's budget.
pub struct Steps {
    history: Box<dyn StepHistory>,
    budget: Budget,
}

/// What is different between two moments.
pub struct Difference {
    pub changes: Vec<ToldChange>,
    /// Further objects that are different.
    pub more: usize,
}

impl Difference {
    /// Tells of changes that lead from one Set to the other.
    pub fn tell(before: &dyn Session, after: &dyn Session, found: &SetChanges) -> Result<Difference, ToolError> {
        let told = found.objects.iter().map(|change| ToldChange::read(before, after, change));
        let mut changes = told.collect::<Result<Vec<_>, _>>()?;
        ToldChange::join_moved(&mut changes, before, after)?;
        Ok(Difference { changes, more: found.more })
    }

    /// Puts the changes into an answer of which `most` were asked for.
    pub fn put_into(self, out: &mut Map<String, Value>, most: usize, otherwise: &str) {
        out.insert("changes".to_owned(), self.changes.into_iter().map(ToldChange::into_json).collect());
        if self.more > 0 {
            out.insert("more".to_owned(), json!(self.more));
            let how = match most < MOST_OBJECTS_TOLD {
                true => format!("send limit, up to {MOST_OBJECTS_TOLD}"),
                false => otherwise.to_owned(),
            };
            let detail = format!("more counts objects that differ besides; to see them {how}");
            out.insert("detail".to_owned(), json!(detail));
        }
    }
}

impl Steps {
    pub fn of(session: &dyn Session, budget: &Budget) -> Result<Steps, ModelError> {
        session.capability(Capability::History)?;
        Ok(Steps { history: session.history()?, budget: budget.clone() })
    }

    /// The newest first, undone ones before those done.
    pub fn all(&self) -> Vec<StepFacts> {
        self.history.steps()
    }

    pub fn now(&self) -> u64 {
        self.history.now()
    }

    pub fn oldest(&self) -> u64 {
        self.history.oldest()
    }

    /// Why undo goes back no further, where steps were dropped.
    pub fn cut(&self) -> Option<String> {
        self.history.is_cut().then(|| format!("older steps were dropped: {} are kept", self.history.bounds()))
    }

    /// Why there are no steps from before the oldest, where they ended with the loading of a Set.
    pub fn beginning(&self) -> Option<String> {
        let why = "the history begins with the Set as it was loaded; loading and a restart end the one before";
        self.history.began_with_a_load().then(|| why.to_owned())
    }

    /// The newest step, of those done, that something was gone after; `is_there` looks for it.
    pub fn taken_away_by(
        &self,
        is_there: impl Fn(&dyn Session) -> Result<bool, ToolError>,
    ) -> Result<Option<u64>, ToolError> {
        for step in self.all().into_iter().filter(|step| !step.undone) {
            let sides = (self.state(Moment::Before(step.number)), self.state(Moment::After(step.number)));
            if let (Some(before), Some(after)) = sides
                && is_there(&before)?
                && !is_there(&after)?
            {
                return Ok(Some(step.number));
            }
        }
        Ok(None)
    }

    /// Whether a step brought an object back.
    pub fn is_restore(&self, number: u64) -> bool {
        self.all().iter().any(|step| step.number == number && *step.label.tool == *RESTORING_TOOL)
    }

    /// The step whose Set a step began with.
    pub fn before(&self, number: u64) -> u64 {
        let mut older = self.all().into_iter().map(|step| step.number).filter(|other| *other < number);
        older.next().unwrap_or(self.oldest())
    }

    /// The Set at a moment.
    pub fn state(&self, moment: Moment) -> Option<MeteredSession<Box<dyn Session + Send>>> {
        Some(MeteredSession::new(self.history.state(moment)?, self.budget.clone()))
    }

    /// The Set at a moment, as the host keeps it.
    pub fn version(&self, moment: Moment) -> Option<SetVersion> {
        self.history.state(moment)?.version()
    }

    /// What is different between two moments; `None` where one of them is not kept.
    pub fn difference(&self, from: Moment, to: Moment, most: usize) -> Result<Option<Difference>, ToolError> {
        let mut spend = |steps| Ok(self.budget.spend(steps)?);
        let (Some(before), Some(after)) = (self.state(from), self.state(to)) else { return Ok(None) };
        let Some(found) = self.history.changes(from, to, most, &mut spend)? else { return Ok(None) };
        Difference::tell(&before, &after, &found).map(Some)
    }

    /// What a step changed, object by object, untold.
    pub fn raw_changes(&self, step: u64) -> Result<Option<SetChanges>, ToolError> {
        let mut spend = |steps| Ok(self.budget.spend(steps)?);
        Ok(self.history.changes(Moment::Before(step), Moment::After(step), usize::MAX, &mut spend)?)
    }

    /// Why a step is none of those kept; `parameter` named it.
    pub fn not_kept(&self, parameter: &str, number: u64) -> ToolError {
        let newest = self.all().first().map_or(self.oldest(), |step| step.number);
        let range = match self.oldest() {
            oldest if oldest == newest => format!("only step {oldest} is kept, which is the Set as it is"),
            oldest => format!("kept are the steps {}, and svc-read-history lists them", self.kept_ranges(oldest)),
        };
        let why = self.cut().map_or_else(String::new, |why| format!(" ({why})"));
        ToolError::about(parameter, format!("there is no step {number}: {range}{why}"))
    }

    /// The steps that are kept, such as `from 0 to 3`, or `0, 5 to 9` where undone ones were dropped in between.
    fn kept_ranges(&self, oldest: u64) -> String {
        let mut numbers: Vec<u64> = self.all().iter().map(|step| step.number).chain([oldest]).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        for number in numbers {
            match ranges.last_mut() {
                Some((_, last)) if last.saturating_add(1) == number => *last = number,
                _ => ranges.push((number, number)),
            }
        }
        if let [(first, last)] = ranges.as_slice() {
            return format!("from {first} to {last}");
        }
        let told = |(first, last): &(u64, u64)| match first == last {
            true => first.to_string(),
            false => format!("{first} to {last}"),
        };
        ranges.iter().map(told).collect::<Vec<_>>().join(", ")
    }

    /// What a step is and did.
    pub fn told(&self, step: &StepFacts) -> Result<Map<String, Value>, ToolError> {
        let mut out = Map::new();
        let mut set = |field: &str, value: Value| drop(out.insert(field.to_owned(), value));
        set("step", json!(step.number));
        set("tool", json!(&*step.label.tool));
        let who = &step.label.who.name;
        if !who.is_empty() {
            set("who", json!(&**who));
        }
        let number = step.number;
        if let Some(found) = self.difference(Moment::Before(number), Moment::After(number), MOST_OF_STEP)? {
            let told = found.changes.iter().filter(|change| !change.is_told_elsewhere());
            set("changes", told.map(ToldChange::sentence).collect());
            if found.more > 0 {
                set("moreChanges", json!(found.more));
            }
        }
        Ok(out)
    }

    /// As [`Steps::told`], with when it was, and whether it was undone.
    pub fn told_with_time(&self, step: &StepFacts, now: SystemTime) -> Result<Value, ToolError> {
        let mut out = self.told(step)?;
        out.insert("at".to_owned(), json!(time_of_day::iso(step.at)));
        out.insert("age".to_owned(), json!(time_of_day::age(now.duration_since(step.at).unwrap_or_default())));
        if step.undone {
            out.insert("undone".to_owned(), json!(true));
        }
        Ok(Value::Object(out))
    }

    /// How to see what steps changed besides, where one of those told did.
    pub fn remark_on_more(told: &[Value]) -> Option<&'static str> {
        told.iter().any(|step| step.get("moreChanges").is_some()).then_some(MORE_CHANGES)
    }

    /// What several steps did that were undone or redone, in that order; of many the first.
    pub fn told_all(&self, steps: &[StepFacts]) -> Result<Vec<Value>, ToolError> {
        steps.iter().take(MOST_TOLD_STEPS).map(|step| self.told(step).map(Value::Object)).collect()
    }
}
