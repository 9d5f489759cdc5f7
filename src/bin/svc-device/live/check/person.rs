//! Who looks at Live while the check runs.

use crate::console::print;
use std::io::BufRead;

/// What somebody answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    Yes,
    /// It is otherwise: in their words.
    Sees(String),
    Ends,
}

/// The person before the screen, or nobody, who says yes.
pub struct Person {
    is_nobody: bool,
}

impl Person {
    pub fn new(is_nobody: bool) -> Person {
        Person { is_nobody }
    }

    /// Asks and waits for a line.
    pub fn ask(&self, question: &str) -> Answer {
        print(&format!("    > {question}"));
        if self.is_nobody {
            return Answer::Yes;
        }
        let mut line = String::new();
        match std::io::stdin().lock().read_line(&mut line) {
            Ok(read) if read > 0 => answer(&line),
            _ => Answer::Ends,
        }
    }
}

fn answer(line: &str) -> Answer {
    match line.trim() {
        "" => Answer::Yes,
        word if word.eq_ignore_ascii_case("y") || word.eq_ignore_ascii_case("yes") => Answer::Yes,
        word if word.eq_ignore_ascii_case("q") => Answer::Ends,
        word if word.eq_ignore_ascii_case("n") || word.eq_ignore_ascii_case("no") => Answer::Sees("no".to_owned()),
        words => Answer::Sees(words.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers() {
        for (line, expected) in [
            ("\n", Answer::Yes),
            ("Yes\n", Answer::Yes),
            ("q\n", Answer::Ends),
            ("n\n", Answer::Sees("no".to_owned())),
            ("  a track without a name \r\n", Answer::Sees("a track without a name".to_owned())),
        ] {
            assert_eq!(answer(line), expected, "{line:?}");
        }
    }
}
