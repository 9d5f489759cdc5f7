//! What the check ends with: a text to send.

use std::fmt::Write;

/// How a step went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Right,
    Wrong,
    LeftOut,
    /// The person ended the check here.
    Ended,
}

impl Outcome {
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Right => "right",
            Outcome::Wrong => "WRONG",
            Outcome::LeftOut => "left out",
            Outcome::Ended => "ended here",
        }
    }
}

/// What was seen so far.
#[derive(Debug, Default)]
pub struct Report {
    lines: Vec<(&'static str, Outcome, String)>,
}

impl Report {
    pub fn add(&mut self, step: &'static str, outcome: Outcome, saw: String) {
        self.lines.push((step, outcome, saw));
    }

    fn count(&self, outcome: Outcome) -> usize {
        self.lines.iter().filter(|(_, own, _)| *own == outcome).count()
    }

    /// Whether all steps were come to, and none was wrong.
    pub fn is_right(&self, steps: usize) -> bool {
        self.lines.len() == steps && self.count(Outcome::Wrong) + self.count(Outcome::Ended) == 0
    }

    pub fn text(&self, facts: &[(&'static str, String)], steps: usize) -> String {
        let (right, wrong) = (self.count(Outcome::Right), self.count(Outcome::Wrong));
        let not_reached = steps - self.lines.len().min(steps);
        let mut text = format!(
            "\n----- report, to send -----\nsvc-device {}, {} {}\n",
            svc_device::VERSION,
            std::env::consts::OS,
            std::env::consts::ARCH
        );
        for (name, fact) in facts {
            // A String takes any text, here and below.
            let _ = writeln!(text, "{name}: {fact}");
        }
        let left_out = self.count(Outcome::LeftOut);
        let _ = writeln!(text, "{right} right, {wrong} wrong, {left_out} left out, {not_reached} not reached");
        for (step, outcome, saw) in &self.lines {
            let _ = writeln!(text, "[{}] {step}: {saw}", outcome.word());
        }
        text + "----- end of the report -----"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_right_when_all_was_come_to_and_nothing_was_wrong() {
        let mut report = Report::default();
        report.add("connect", Outcome::Right, "host live".to_owned());
        assert!(!report.is_right(2));
        report.add("dialog", Outcome::LeftOut, "nobody".to_owned());
        assert!(report.is_right(2));
        let text = report.text(&[("Live", "12.1".to_owned())], 3);
        assert!(text.contains("1 right, 0 wrong, 1 left out, 1 not reached\n[right] connect: host live\n"), "{text}");
        report.add("undo", Outcome::Wrong, "a track is left".to_owned());
        let mut ended = Report::default();
        ended.add("undo", Outcome::Ended, "it is".to_owned());
        assert!(!ended.is_right(1), "nobody saw the end of it");
        assert!(!report.is_right(3) && report.text(&[], 3).contains("[WRONG] undo: a track is left"));
    }
}
