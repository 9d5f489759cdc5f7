//! What the check ends with: a text to send.

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

    pub fn lines(&self, facts: &[(&'static str, String)], steps: usize) -> Vec<String> {
        let (right, wrong) = (self.count(Outcome::Right), self.count(Outcome::Wrong));
        let not_reached = steps - self.lines.len().min(steps);
        let system = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
        let mut lines = vec![
            String::new(),
            "----- report, to send -----".to_owned(),
            format!("svc-device {}, {system}", svc_device::VERSION),
        ];
        lines.extend(facts.iter().map(|(name, fact)| format!("{name}: {fact}")));
        let left_out = self.count(Outcome::LeftOut);
        lines.push(format!("{right} right, {wrong} wrong, {left_out} left out, {not_reached} not reached"));
        let steps = self.lines.iter();
        lines.extend(steps.map(|(step, outcome, saw)| format!("[{}] {step}: {saw}", outcome.word())));
        lines.push("----- end of the report -----".to_owned());
        lines
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
        let text = report.lines(&[("Live", "12.1".to_owned())], 3).join("\n");
        assert!(text.contains("1 right, 0 wrong, 1 left out, 1 not reached\n[right] connect: host live\n"), "{text}");
        report.add("undo", Outcome::Wrong, "a track is left".to_owned());
        let mut ended = Report::default();
        ended.add("undo", Outcome::Ended, "it is".to_owned());
        assert!(!ended.is_right(1), "nobody saw the end of it");
        assert!(!report.is_right(3) && report.lines(&[], 3).contains(&"[WRONG] undo: a track is left".to_owned()));
    }
}
