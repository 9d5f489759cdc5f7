//! The overwrite guard: a model that should add a line often sends that line alone, and a document is lost. A new text
//! that keeps no line of the old one is therefore refused unless it is forced.

/// Letters and digits that a line needs to be looked for: "ok" is found anywhere.
const MIN_TELLING_LETTERS: usize = 8;
/// Longest piece of a line that is quoted, in characters.
const QUOTED_CHARS: usize = 80;

/// The lines that would be lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostLines {
    /// How many lines were looked for and would be lost.
    pub count: usize,
    /// The first of them.
    pub first: String,
    /// Whether these are all lines of the document, blank ones not counted.
    pub is_all: bool,
}

/// The lines that are lost when `incoming` replaces `existing` and keeps none of its lines. `None` when a line is kept,
/// or there was none, or `incoming` is blank, which is how a document is cleared.
///
/// A line is kept when it stands whole in one line of the new text. Marks of lists, quotes and emphasis, repeated
/// spaces, punctuation at the end and case do not count. Lines with eight letters and digits or more are looked for,
/// shorter ones only when there is no such line, headings only when there is nothing else.
pub fn lost_lines(existing: &str, incoming: &str) -> Option<LostLines> {
    if incoming.trim().is_empty() {
        return None;
    }
    let lines: Vec<&str> = existing.lines().filter(|line| !line.trim().is_empty()).collect();
    let told = |heading: bool| {
        let of_kind = lines.iter().filter(move |line| is_heading(line) == heading);
        of_kind.map(|line| (*line, normalized(line))).filter(|(_, line)| letter_count(line) > 0).collect::<Vec<_>>()
    };
    let mut vouching = told(false);
    if vouching.is_empty() {
        vouching = told(true);
    }
    if vouching.iter().any(|(_, line)| letter_count(line) >= MIN_TELLING_LETTERS) {
        vouching.retain(|(_, line)| letter_count(line) >= MIN_TELLING_LETTERS);
    }
    let new: Vec<String> = incoming.lines().map(normalized).collect();
    let kept = vouching.iter().any(|(_, old)| new.iter().any(|new| contains_as_words(new, old)));
    // A document of nothing but marks has nothing to lose.
    let (first, _) = vouching.first().filter(|_| !kept)?;
    let quoted = first.trim();
    let first = match quoted.char_indices().nth(QUOTED_CHARS) {
        Some((at, _)) => format!("{}…", quoted.get(..at).unwrap_or_default()),
        None => quoted.to_owned(),
    };
    Some(LostLines { count: vouching.len(), first, is_all: vouching.len() == lines.len() })
}

fn letter_count(line: &str) -> usize {
    line.chars().filter(|c| c.is_alphanumeric()).count()
}

fn is_heading(line: &str) -> bool {
    let line = line.trim_start();
    let marks = line.chars().take_while(|c| *c == '#').count();
    let rest = line.trim_start_matches('#');
    (1..=6).contains(&marks) && (rest.is_empty() || rest.starts_with([' ', '\t']))
}

/// A line in the form in which lines are compared.
fn normalized(line: &str) -> String {
    let mut rest = line.trim_start();
    while let Some(after) = after_mark(rest) {
        rest = after.trim_start();
    }
    let letters: String =
        rest.chars().filter(|c| !matches!(c, '*' | '_' | '`' | '~')).flat_map(char::to_lowercase).collect();
    let spaced = letters.split_whitespace().collect::<Vec<_>>().join(" ");
    spaced.trim_end_matches(|c: char| !c.is_alphanumeric()).to_owned()
}

/// What follows the mark of a heading, a quote, a list or a task box.
fn after_mark(line: &str) -> Option<&str> {
    let boxed = ["[ ]", "[x]", "[X]"].iter().find_map(|mark| line.strip_prefix(mark));
    let after = line.strip_prefix(['>']).or(boxed);
    let blank = |rest: &&str| rest.is_empty() || rest.starts_with([' ', '\t']);
    after
        .or_else(|| line.strip_prefix(['-', '*', '+', '•']).filter(blank))
        .or_else(|| is_heading(line).then(|| line.trim_start_matches('#')))
        .or_else(|| {
            let digits = line.bytes().take_while(u8::is_ascii_digit).count();
            let rest = line.get(digits..).filter(|_| (1..=4).contains(&digits))?;
            rest.strip_prefix(['.', ')']).filter(blank)
        })
}

/// Whether one line stands in another, not as a part of longer words.
fn contains_as_words(new: &str, old: &str) -> bool {
    new.match_indices(old).any(|(at, _)| {
        let before = new.get(..at).and_then(|text| text.chars().next_back());
        let after = new.get(at + old.len()..).and_then(|text| text.chars().next());
        ![before, after].into_iter().flatten().any(char::is_alphanumeric)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_kept_and_what_is_lost() {
        const DOC: &str = "# Style\n\n- I like *slow* techno.\n- No claps, ever!\nok";
        for (existing, incoming, lost) in [
            // Nothing to lose.
            ("", "new", None),
            (" \n\t\n", "new", None),
            ("---\n***", "new", None),
            (DOC, "", None),
            (DOC, " \n ", None),
            // One line kept is enough, whatever marks it has.
            (DOC, "- I like *slow* techno.", None),
            (DOC, "> 1. I LIKE   slow techno", None),
            (DOC, "Note: i like slow techno, mostly", None),
            (DOC, "* [x] __No claps, ever__", None),
            // Not kept: broken over lines, a part of it, a part of a word.
            (DOC, "I like slow\ntechno", Some(2)),
            (DOC, "I like slow", Some(2)),
            ("I like techno", "I like technology", Some(1)),
            ("slow techno", "Nonslow techno", Some(1)),
            // Short lines and headings do not stand for it.
            (DOC, "ok", Some(2)),
            (DOC, "# Style\nnew text", Some(2)),
            // Unless there is nothing else.
            ("ok\nyes", "well, ok", None),
            ("ok\nyes", "well", Some(2)),
            ("# My long heading", "## my long heading", None),
            ("# My long heading", "something", Some(1)),
            ("# A heading here\nok", "# A heading here", Some(1)),
            ("# A heading here\nok", "ok", None),
            ("#hashtag is no heading", "#hashtag is no heading!", None),
            ("12345678", "12345678", None),
            ("Größe: mittelgroß", "größe: MITTELGROß", None),
            ("first line here\r\nsecond line here\r\n", "Second line here", None),
        ] {
            assert_eq!(lost_lines(existing, incoming).map(|loss| loss.count), lost, "{existing:?} <- {incoming:?}");
        }
        let long = "x".repeat(200);
        assert_eq!(lost_lines(&format!("\n  - {long}"), "other").unwrap().first, format!("- {}…", "x".repeat(78)));
    }

    proptest! {
        /// Whatever is appended or put in front, what was there is kept.
        #[test]
        fn adding_is_never_refused(existing in "(\\PC{0,30}\n){0,5}", more in "(\\PC{0,30}\n){0,3}") {
            prop_assert_eq!(lost_lines(&existing, &format!("{existing}\n{more}")), None);
            prop_assert_eq!(lost_lines(&existing, &format!("{more}\n{existing}")), None);
        }

        /// One line of words is enough.
        #[test]
        fn one_long_line_is_enough(
            lines in proptest::collection::vec("[a-z]{8,12}( [a-z]{2,9}){0,3}", 1..6),
            at in 0_usize..6,
        ) {
            let kept = &lines[at % lines.len()];
            prop_assert_eq!(lost_lines(&lines.join("\n"), &format!("1. **{}**.", kept.to_uppercase())), None);
        }

        /// A text without a word of the old one is refused, and what is quoted was there.
        #[test]
        fn nothing_in_common_is_refused(existing in "[a-m]{1,9}( [a-m]{1,9}){0,3}(\n[a-m ]{0,20}){0,3}", new in "[n-z]{1,40}") {
            let lost = lost_lines(&existing, &new);
            prop_assert!(lost.as_ref().is_some_and(|lost| existing.contains(&lost.first)), "{:?}", lost);
        }

        #[test]
        fn any_text_is_fine(existing in "\\PC{0,80}", incoming in "\\PC{0,80}") {
            let lost = lost_lines(&existing, &incoming);
            prop_assert!(lost.is_none_or(|lost| lost.count > 0));
        }
    }
}
