//! What somebody sent, cut short where it is repeated to them: it may be of any length, and an answer may not.

use super::text::slice;

/// The most characters of what somebody sent that an error repeats.
pub const MAX_EXCERPT_CHARS: usize = 80;

/// The beginning of what somebody sent, short enough to be repeated in an answer; `…` stands for what is left out.
pub fn excerpt(text: &str) -> String {
    cut(text, MAX_EXCERPT_CHARS)
}

/// The same of a path, or of a sentence with several excerpts: 200 characters.
pub fn long_excerpt(text: &str) -> String {
    cut(text, 200)
}

fn cut(text: &str, max_chars: usize) -> String {
    match text.char_indices().nth(max_chars) {
        Some((end, _)) => format!("{}…", slice(text, ..end)),
        None => text.to_owned(),
    }
}

/// A sentence in which each quotation (`"..."`), and each word, is cut to an [`excerpt`]: what a caller sent may be of
/// any length. A sentence that is no longer than an excerpt comes back as it is.
pub fn with_short_quotations(text: String) -> String {
    if text.len() <= MAX_EXCERPT_CHARS {
        return text;
    }
    let mut short = String::with_capacity(text.len().min(4 * MAX_EXCERPT_CHARS));
    let mut rest = text.as_str();
    while let Some(start) = rest.find('"') {
        push_words(&mut short, slice(rest, ..start));
        let quoted = slice(rest, start + 1..);
        // A quotation ends where a sentence can go on; a mark inside of what was sent is followed by more of it.
        let ends = |(at, _): &(usize, &str)| {
            let next = slice(quoted, at + 1..).chars().next();
            next.is_none_or(|next| next.is_whitespace() || ",.;:)]…".contains(next))
        };
        let Some((end, _)) = quoted.match_indices('"').find(ends) else {
            push_words(&mut short, slice(rest, start..));
            return short;
        };
        short.push('"');
        short.push_str(&excerpt(slice(quoted, ..end)));
        short.push('"');
        rest = slice(quoted, end + 1..);
    }
    push_words(&mut short, rest);
    short
}

fn push_words(short: &mut String, words: &str) {
    for (index, word) in words.split(' ').enumerate() {
        if index > 0 {
            short.push(' ');
        }
        // Words of ours are not that long.
        short.push_str(&excerpt(word));
    }
}

/// The first of some names that somebody sent, each as an [`excerpt`], and how many more there are:
/// `one, two and 5 more`.
pub fn excerpt_of_list<T: AsRef<str>>(names: &[T]) -> String {
    const MAX_NAMES: usize = 5;
    // Short names all together take no more room than a long one.
    let mut room = 2 * MAX_EXCERPT_CHARS;
    let shown = names.iter().take(MAX_NAMES).enumerate().take_while(|(index, name)| {
        let chars = name.as_ref().chars().take(MAX_EXCERPT_CHARS).count();
        let fits = *index == 0 || chars <= room;
        room = room.saturating_sub(chars);
        fits
    });
    let shown: Vec<String> = shown.map(|(_, name)| excerpt(name.as_ref())).collect();
    match names.len().saturating_sub(shown.len()) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_sent_is_cut_short_in_a_sentence() {
        let long = "x".repeat(500);
        let cut = format!("{}…", "x".repeat(MAX_EXCERPT_CHARS));
        assert_eq!(long_excerpt(&long), format!("{}…", "x".repeat(200)));
        let marks = "ab\"cd".repeat(100);
        let cases = [
            ("a \"b\" c".to_owned(), "a \"b\" c".to_owned()),
            (format!("path: \"{long}\" is no path: \"{long}\"."), format!("path: \"{cut}\" is no path: \"{cut}\".")),
            (format!("no tool {long} here, not \"b\""), format!("no tool {cut} here, not \"b\"")),
            (format!("\"{marks}\" is none"), format!("\"{}…\" is none", &marks[..MAX_EXCERPT_CHARS])),
            (format!("a quotation \"{long} that never ends"), format!("a quotation \"{}… that never ends", &cut[..79])),
            ("Plain words of ours ".repeat(20), "Plain words of ours ".repeat(20)),
        ];
        for (text, short) in cases {
            assert_eq!(with_short_quotations(text.clone()), short, "{text}");
        }
    }

    #[test]
    fn lists_are_named_by_their_first() {
        let names = |count: usize, name: &str| excerpt_of_list(&vec![name; count]);
        assert_eq!(names(2, "a"), "a, a");
        assert_eq!(names(9, "a"), "a, a, a, a, a and 4 more");
        let long = "x".repeat(500);
        assert!(names(1000, &long).chars().filter(|c| *c == 'x').count() <= 200);
    }
}
