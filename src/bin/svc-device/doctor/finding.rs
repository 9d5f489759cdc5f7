//! A line of what the doctor found.

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub level: Level,
    /// What it is about.
    pub subject: &'static str,
    /// How it stands; of what is wrong also what to do.
    pub text: String,
}

/// How it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    Fine,
    /// Nothing is broken; the user may want to do something.
    Note,
    Wrong,
}

impl Level {
    pub fn word(self) -> &'static str {
        match self {
            Level::Fine => "ok",
            Level::Note => "note",
            Level::Wrong => "WRONG",
        }
    }
}

impl Finding {
    pub fn fine(subject: &'static str, text: impl Into<String>) -> Finding {
        Finding { level: Level::Fine, subject, text: text.into() }
    }

    pub fn note(subject: &'static str, text: impl Into<String>) -> Finding {
        Finding { level: Level::Note, subject, text: text.into() }
    }

    pub fn wrong(subject: &'static str, text: impl Into<String>) -> Finding {
        Finding { level: Level::Wrong, subject, text: text.into() }
    }
}
