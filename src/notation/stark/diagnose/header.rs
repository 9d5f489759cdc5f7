//! The start of a line.

use super::line_text::{is_readable_line, line_end, odd_character_at, odd_character_within, shortened_line, word_at};
use crate::music::text::{Cursor, slice};
use crate::notation::closest_word::closest_word;
use crate::notation::stark::problem::{Finding, Problem};
use crate::notation::stark::token_parts::{BLANKS, header_kind, length, read_header};
use crate::notation::stark::vocabulary::DRUMS;

/// What is wrong at the start of a line.
pub(in crate::notation::stark) fn diagnose_header(text: &str, start: usize) -> Finding {
    let end = line_end(text, start);
    let line = slice(text, start..end);
    if let Some(odd) =
        odd_character_at(text, start).or_else(|| odd_character_within(text, start, start + head_length(line)))
    {
        // The rest of the line has no header to be read under.
        return Finding { resume: end, ..odd };
    }
    let finding = |at: usize, found: &str, problem, fix| {
        let found = if found.is_empty() { word_at(text, start) } else { found };
        Finding { at: start + at, found: found.to_owned(), problem, fix, resume: end }
    };
    if line.starts_with("```") {
        return finding(0, word_at(line, 0), Problem::Fence, None);
    }
    let word_end = line.find([':', ' ', '\t', '/']).unwrap_or(line.len());
    let word = slice(line, ..word_end);
    let mut cursor = Cursor::new(line);
    let named = header_kind(&mut cursor).is_some();
    if named && !cursor.peek().is_some_and(|b| b.is_ascii_alphanumeric()) {
        let name = cursor.since(0).to_owned();
        cursor.eat_while(BLANKS);
        if cursor.peek() == Some(b'/') && length(&mut cursor).is_none() {
            let word = word_at(line, cursor.pos()).split(':').next().unwrap_or("");
            return finding(cursor.pos(), word, Problem::Length, None);
        }
        let head = cursor.since(0).trim_end().to_owned();
        let rest = cursor.rest();
        if let Some(after) = rest.strip_prefix(['.', 't'])
            && after.trim_start_matches(' ').starts_with(':')
        {
            return finding(cursor.pos(), slice(rest, ..1), Problem::SecondModifier, None);
        }
        if let Some(after) = rest.trim_start().strip_prefix('\u{ff1a}') {
            let fix = is_readable_line(&format!("{head}:{after}")).then(|| ":".to_owned());
            let at = line.len() - rest.trim_start().len();
            return finding(at, "\u{ff1a}", Problem::NoColon, fix);
        }
        let with_colon = format!("{head}: {}", rest.trim_start());
        // With another header behind it, this one was no header of its own: `kick snare: X`.
        if !rest.contains(':') && is_readable_line(&with_colon) {
            return finding(0, &head, Problem::NoColon, Some(shortened_line(with_colon.trim_end())));
        }
        cursor.eat_while(BLANKS);
        let rest = cursor.rest();
        if let Some((extra, after)) = rest.split_once(':').filter(|(extra, _)| !extra.trim_end().is_empty()) {
            return extra_piece(&name, extra.trim_end(), after, |at, found, problem, fix| {
                finding(at.unwrap_or(cursor.pos()), found, problem, fix)
            });
        }
    }
    if is_next_line(text, start, line) {
        return finding(0, word_at(line, 0), Problem::NextLine, None);
    }
    let rest = slice(line, word_end..);
    finding(0, word, Problem::Header, line_with_known_name(word, rest))
}

/// A header in the middle of a line, whose first letters were read as tokens or which no one knows.
pub(super) fn header_inside(text: &str, from: usize, at: usize) -> Option<Finding> {
    let end = line_end(text, at);
    let before = text.get(from..at)?;
    let word_start = from + before.rfind([' ', '\t', '|']).map_or(0, |blank| blank + 1);
    let line = text.get(word_start..end)?;
    let colon = line.find([':', '|'])?;
    if !line.get(colon..)?.starts_with(':') {
        return None;
    }
    let word = line.get(..colon)?.trim_end();
    let name = word.split([' ', '\t', '/']).next().unwrap_or("");
    let length = word.get(name.len()..)?.trim_start();
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '#' | '-' | '\u{266f}' | '\u{266d}'));
    let is_length =
        length.is_empty() || length.starts_with('/') && length.bytes().all(|b| b"/.t0123456789".contains(&b));
    if name.is_empty() || !is_name || !is_length {
        return None;
    }
    let known = read_header(&mut Cursor::new(line)).is_some();
    let found = line.get(..=colon)?.to_owned();
    let finding = |problem, fix| Finding { at: word_start, found: found.clone(), problem, fix, resume: end };
    Some(if known {
        finding(Problem::NewLine(found.clone()), None)
    } else {
        finding(Problem::Header, line_with_known_name(name, line.get(name.len()..)?))
    })
}

/// Something between a header's word and its colon. `finding` takes the place, where it is not that of the piece.
fn extra_piece(
    name: &str,
    extra: &str,
    after: &str,
    finding: impl Fn(Option<usize>, &str, Problem, Option<String>) -> Finding,
) -> Finding {
    let whole = format!("{name}{extra}");
    if DRUMS.iter().any(|(long, short, _)| [*long, *short].iter().any(|known| whole.eq_ignore_ascii_case(known))) {
        return finding(Some(0), &format!("{name} {extra}"), Problem::Header, Some(whole));
    }
    let length = matches!(extra, "4" | "8" | "16").then(|| format!("/{extra}"));
    let fix = length.filter(|length| is_readable_line(&format!("{name} {length}:{after}")));
    let piece = extra.split([' ', '\t']).next().unwrap_or(extra);
    finding(None, piece, Problem::HeaderExtra(name.to_owned()), fix)
}

/// How far the header of a line reaches: to its colon, or over its first word.
fn head_length(line: &str) -> usize {
    let word = || line.find([' ', '\t']).unwrap_or(line.len());
    line.find([':', '|']).filter(|at| line.get(*at..).is_some_and(|rest| rest.starts_with(':'))).unwrap_or_else(word)
}

/// Whether this line holds the tokens that belong behind the header alone on the line before it.
fn is_next_line(text: &str, start: usize, line: &str) -> bool {
    let before = slice(text, ..start).trim_end_matches([' ', '\t', '\r', '\n']);
    let header = before.rsplit(['\r', '\n']).next().unwrap_or("").trim_start();
    let mut cursor = Cursor::new(header);
    read_header(&mut cursor).is_some() && cursor.is_at_end() && is_readable_line(&format!("{header} {line}"))
}

/// A line with the header that `word` is a slip of, if it can be read.
fn line_with_known_name(word: &str, rest: &str) -> Option<String> {
    let known = ["melody", "bass", "chords"].into_iter().chain(DRUMS.iter().map(|(long, _, _)| *long));
    let line = format!("{}{rest}", closest_word(word, known)?);
    is_readable_line(&line).then(|| shortened_line(line.trim_end()))
}
