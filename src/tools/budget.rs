//! What one call may use up: time, steps of work, objects, bytes of its answer.
//!
//! One [`Budget`] travels with each call through *prepare*, *apply* and *finish*; its copies share one count. Whoever
//! loops over targets, notes, files or entries spends from it. Each step at the object model is spent by
//! [`metered_session`](super::metered_session), so most loops need no line of their own. What is used up stays used up:
//! the call ends with it whatever its tool made of the error, and its thread is free. See D39 in `docs/decisions.md`.

use super::error::{ErrorKind, ToolError};
use crate::object_model::ModelError;
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Targets that one call may name, in all its lists together; a name twice counts twice.
pub const MAX_TARGETS: usize = 1_000;
/// Entries that a list of settings in a call may have, such as `params` or `sends`.
pub const MAX_LIST_ITEMS: usize = 1_000;
/// Steps of work of one call: a read or write at the object model, or a note that is looked at.
pub const MAX_STEPS: u64 = 100_000_000;
/// Objects that one call may name in its answer.
pub const MAX_OBJECTS: u64 = 250_000;
/// Bytes of one answer, as JSON.
pub const MAX_ANSWER_BYTES: u64 = 16 * 1024 * 1024;

/// The clock is looked at once in so many steps; must be a power of two.
const STEPS_PER_LOOK: u64 = 256;

/// See the [module](self).
#[derive(Clone, Debug, Default)]
pub struct Budget(Arc<Spent>);

#[derive(Debug, Default)]
struct Spent {
    time: Option<TimeLimit>,
    /// When a tool should begin nothing new.
    soft_deadline: Option<Instant>,
    steps: AtomicU64,
    objects: AtomicU64,
    answer_bytes: AtomicU64,
    /// Nobody waits for the call any more.
    abandoned: AtomicBool,
    used_up: OnceLock<UsedUp>,
    /// A tool was told to begin nothing new.
    was_late: AtomicBool,
    /// What is spent here is spent from this one instead.
    handed_over: OnceLock<Budget>,
}

/// How long a call may take.
#[derive(Clone, Copy, Debug)]
pub struct TimeLimit {
    pub started: Instant,
    pub timeout: Duration,
}

impl TimeLimit {
    pub fn deadline(&self) -> Instant {
        self.started + self.timeout
    }

    /// When a tool should begin nothing new: the time-out less 10 %, and less 50 ms at least.
    pub fn soft_deadline(&self) -> Instant {
        let margin = (self.timeout / 10).max(Duration::from_millis(50));
        self.started + self.timeout.saturating_sub(margin)
    }
}

/// What of a budget is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UsedUp {
    #[error(
        "it could not finish within {} ms; name fewer targets in one call, or allow it more with timeoutMs",
        .0.as_millis()
    )]
    Time(Duration),
    #[error(
        "the call needs more than its budget of {MAX_STEPS} steps of work; name fewer targets in one call, or include less"
    )]
    Steps,
    #[error(
        "the answer names more than {MAX_OBJECTS} objects, the most in one call; name fewer targets, or include less"
    )]
    Objects,
    #[error(
        "the answer is longer than {} MB, the most in one call; name fewer targets, or include less",
        MAX_ANSWER_BYTES / 1024 / 1024
    )]
    AnswerBytes,
    #[error("nobody waits for the answer any more")]
    Abandoned,
}

impl From<UsedUp> for ToolError {
    fn from(why: UsedUp) -> ToolError {
        ToolError { kind: ErrorKind::OverBudget, ..ToolError::new(why.to_string()) }
    }
}

impl From<UsedUp> for ModelError {
    fn from(why: UsedUp) -> ModelError {
        ModelError::OverBudget(why.to_string())
    }
}

impl Budget {
    pub fn new(time: TimeLimit) -> Budget {
        Budget(Arc::new(Spent { time: Some(time), soft_deadline: Some(time.soft_deadline()), ..Spent::default() }))
    }

    /// For a try that is dropped as a whole if it is not done in time: nothing of it is left for its answer.
    pub fn of_try(time: TimeLimit) -> Budget {
        Budget(Arc::new(Spent { time: Some(time), soft_deadline: Some(time.deadline()), ..Spent::default() }))
    }

    /// A try went well, and its call goes on: who holds a copy of the try's budget (a snapshot that is still to be
    /// read) spends from the call's from now on.
    pub fn hand_over(&self, to: &Budget) {
        // The first one stays; a try is handed over once.
        let _ = self.0.handed_over.set(to.clone());
    }

    /// The budget that is spent from.
    fn spent(&self) -> &Spent {
        match self.0.handed_over.get() {
            Some(of_call) => &of_call.0,
            None => &self.0,
        }
    }

    /// When a tool should begin nothing new: what is left to do is told to be sent again.
    pub fn is_late(&self) -> bool {
        let late = self.spent().soft_deadline.is_some_and(|soft| Instant::now() >= soft);
        if late {
            self.spent().was_late.store(true, Ordering::Relaxed);
        }
        late
    }

    /// Ends a call of which nothing is to be done if not all of it can be: an error when a tool was told to begin
    /// nothing new.
    pub fn refuse_a_part(&self) -> Result<(), UsedUp> {
        match self.spent().time {
            Some(time) if self.spent().was_late.load(Ordering::Relaxed) => Err(self.use_up(UsedUp::Time(time.timeout))),
            _ => Ok(()),
        }
    }

    /// The call is carried out once more from its beginning: what the first try did counts no more, but for its time.
    pub fn begin_anew(&self) {
        for spent in [&self.spent().steps, &self.spent().objects, &self.spent().answer_bytes] {
            spent.store(0, Ordering::Relaxed);
        }
    }

    /// Ends the call at its next look at the budget: its client is gone, or was told that its time is up.
    pub fn abandon(&self) {
        self.spent().abandoned.store(true, Ordering::Relaxed);
    }

    /// Spends steps of work. The clock is looked at now and then, so that a step costs next to nothing.
    pub fn spend(&self, steps: u64) -> Result<(), UsedUp> {
        // A call is worked on by one thread at a time.
        let before = self.spent().steps.load(Ordering::Relaxed);
        let after = before.saturating_add(steps);
        self.spent().steps.store(after, Ordering::Relaxed);
        if after > MAX_STEPS {
            return Err(self.use_up(UsedUp::Steps));
        }
        if before / STEPS_PER_LOOK == after / STEPS_PER_LOOK && before != 0 {
            return self.spent().used_up.get().map_or(Ok(()), |why| Err(*why));
        }
        self.check()
    }

    /// Spends an object that the answer names.
    pub fn spend_object(&self) -> Result<(), UsedUp> {
        let objects = self.spent().objects.load(Ordering::Relaxed).saturating_add(1);
        self.spent().objects.store(objects, Ordering::Relaxed);
        if objects > MAX_OBJECTS { Err(self.use_up(UsedUp::Objects)) } else { self.spend(1) }
    }

    /// Spends bytes of the answer.
    pub fn spend_answer(&self, bytes: usize) -> Result<(), UsedUp> {
        let bytes = self.spent().answer_bytes.load(Ordering::Relaxed).saturating_add(bytes as u64);
        self.spent().answer_bytes.store(bytes, Ordering::Relaxed);
        if bytes > MAX_ANSWER_BYTES { Err(self.use_up(UsedUp::AnswerBytes)) } else { self.spend(1) }
    }

    /// Looks at the clock, and at whether anything is used up.
    pub fn check(&self) -> Result<(), UsedUp> {
        if let Some(why) = self.spent().used_up.get() {
            return Err(*why);
        }
        if self.spent().abandoned.load(Ordering::Relaxed) {
            return Err(self.use_up(UsedUp::Abandoned));
        }
        match self.spent().time {
            Some(time) if Instant::now() >= time.deadline() => Err(self.use_up(UsedUp::Time(time.timeout))),
            _ => Ok(()),
        }
    }

    /// Whether the call has to end, as [`Budget::check`] finds it: for what reads files in *prepare*.
    pub fn is_over(&self) -> bool {
        self.check().is_err()
    }

    /// What is used up already, without a look at the clock.
    pub fn used_up(&self) -> Option<UsedUp> {
        self.spent().used_up.get().copied()
    }

    /// Steps of work so far.
    pub fn steps(&self) -> u64 {
        self.spent().steps.load(Ordering::Relaxed)
    }

    /// What was used up first is what the call is told.
    fn use_up(&self, why: UsedUp) -> UsedUp {
        *self.spent().used_up.get_or_init(|| why)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Spend = dyn Fn(&Budget) -> Result<(), UsedUp>;

    fn ends_in(ms: u64) -> Budget {
        Budget::new(TimeLimit { started: Instant::now(), timeout: Duration::from_millis(ms) })
    }

    #[test]
    fn what_is_used_up_stays_used_up_and_says_how_to_ask_for_less() {
        let over: [(&str, &Spend); 3] = [
            ("100000000 steps", &|budget| budget.spend(MAX_STEPS + 1)),
            ("250000 objects", &|budget| (0..=MAX_OBJECTS).try_for_each(|_| budget.spend_object())),
            ("16 MB", &|budget| budget.spend_answer(16 * 1024 * 1024 + 1)),
        ];
        for (words, spend) in over {
            let budget = Budget::default();
            assert_eq!((budget.spend(1), budget.used_up()), (Ok(()), None));
            let why = spend(&budget).expect_err(words);
            assert!(why.to_string().contains(words) && why.to_string().contains("name fewer targets"), "{why}");
            // Whatever is asked next, of whichever copy.
            let copy = budget.clone();
            assert_eq!([copy.spend(1), copy.spend_object(), copy.spend_answer(0), copy.check()], [Err(why); 4]);
            assert_eq!(budget.used_up(), Some(why));
        }
    }

    #[test]
    fn the_clock_is_seen_in_the_course_of_small_steps() {
        let (late, fine) = (ends_in(0), ends_in(3_600_000));
        assert!((0..STEPS_PER_LOOK).any(|_| late.spend(1).is_err()));
        assert!(matches!(late.used_up(), Some(UsedUp::Time(_))));
        assert!((0..10 * STEPS_PER_LOOK).all(|_| fine.spend(1).is_ok()));
        assert_eq!(fine.steps(), 10 * STEPS_PER_LOOK);
        fine.abandon();
        assert!((0..STEPS_PER_LOOK).any(|_| fine.spend(1).is_err()));
        assert_eq!(fine.used_up(), Some(UsedUp::Abandoned));
    }

    #[test]
    fn a_try_is_late_when_its_time_is_up() {
        let started = Instant::now();
        let of = |ms| TimeLimit { started, timeout: Duration::from_millis(ms) };
        assert!(!Budget::of_try(of(3_600_000)).is_late() && Budget::of_try(of(0)).is_late());
        // Less than the margin that an answer needs.
        let (call, of_try) = (Budget::default(), Budget::of_try(of(0)));
        let held = of_try.clone();
        of_try.hand_over(&call);
        assert_eq!((held.check(), held.spend(7)), (Ok(()), Ok(())));
        assert_eq!(call.steps(), 7);
        assert!(Budget::new(of(1)).is_late() && !Budget::of_try(of(60_000)).is_late());
    }

    #[test]
    fn what_was_told_that_it_is_late_is_not_done_by_half() {
        let (fine, late) = (ends_in(3_600_000), ends_in(0));
        assert_eq!((fine.is_late(), fine.refuse_a_part()), (false, Ok(())));
        assert_eq!(late.refuse_a_part(), Ok(()), "nobody asked");
        assert!(late.is_late() && matches!(late.refuse_a_part(), Err(UsedUp::Time(_))));
        assert!(late.used_up().is_some());
        fine.spend(MAX_STEPS).expect("it has as many");
        fine.begin_anew();
        assert_eq!((fine.steps(), fine.spend(MAX_STEPS)), (0, Ok(())));
    }

    #[test]
    fn a_soft_deadline_leaves_time_to_answer() {
        let started = Instant::now();
        for (ms, soft_ms) in [(30_000, 27_000), (500, 450), (200, 150), (20, 0)] {
            let limit = TimeLimit { started, timeout: Duration::from_millis(ms) };
            assert_eq!(limit.soft_deadline() - started, Duration::from_millis(soft_ms), "{ms}");
        }
    }
}
