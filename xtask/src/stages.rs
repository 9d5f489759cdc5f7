//! The minutes a long command spends on each of its stages.

use crate::shell::Outcome;
use std::fmt;
use std::time::{Duration, Instant};

#[derive(Default)]
pub struct Stages {
    done: Vec<(&'static str, Duration)>,
}

impl Stages {
    /// Announces a stage, does it, and notes the time it took, also when it failed.
    pub fn stage<T>(&mut self, name: &'static str, work: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
        println!("== {name}");
        let start = Instant::now();
        let outcome = work();
        self.done.push((name, start.elapsed()));
        outcome
    }

    pub fn total(&self) -> Duration {
        self.done.iter().map(|(_, duration)| *duration).sum()
    }
}

impl fmt::Display for Stages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut row = |name: &str, time: Duration| writeln!(f, "{name:<26} {:>6.1} min", time.as_secs_f64() / 60.0);
        for (name, duration) in &self.done {
            row(name, *duration)?;
        }
        row("in all", self.total())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::Problem;

    #[test]
    fn a_failed_stage_is_timed_too() {
        let mut stages = Stages::default();
        assert!(stages.stage("good", || Ok(())).is_ok());
        assert!(stages.stage("bad", || Err::<(), _>(Problem::new("no"))).is_err());
        stages.done[0].1 = Duration::from_secs(90);
        stages.done[1].1 = Duration::from_secs(6);
        assert_eq!(
            stages.to_string(),
            "good                          1.5 min\n\
             bad                           0.1 min\n\
             in all                        1.6 min\n"
        );
    }
}
