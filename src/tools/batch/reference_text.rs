//! How references are written in the texts of arguments, and how a text is filled with what they stand for.

use crate::tools::budget::UsedUp;
use std::collections::HashMap;

/// What is asked of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Member {
    Id,
    Path,
}

/// `$1.id`, `$1.2.path`, `$1.clips.2.id`: a call, an entry of it or all, of a list in that an entry or all, counted
/// from 1, and what of it.
#[derive(Debug, PartialEq)]
pub struct Reference<'a> {
    pub spelling: &'a str,
    pub call: usize,
    pub entry: Option<usize>,
    pub list: Option<ListReference<'a>>,
    pub member: Member,
}

#[derive(Debug, PartialEq)]
pub struct ListReference<'a> {
    pub field: &'a str,
    pub entry: Option<usize>,
}

/// A part of a text.
#[derive(Debug, PartialEq)]
enum Piece<'a> {
    Plain(&'a str),
    Reference(Reference<'a>),
}

/// The text with its references replaced. What they stand for is written out item by item, and `spend` is told of each
/// item how many bytes it takes before it is.
pub fn fill_text(
    text: &str,
    stands_for: impl Fn(&Reference) -> Result<Vec<String>, Unfilled>,
    spend: impl Fn(usize) -> Result<(), Unfilled>,
) -> Result<String, Unfilled> {
    let mut filled = Filled { text: String::new(), spend };
    // What a reference stands for is looked up once.
    let mut known: HashMap<&str, Vec<String>> = HashMap::new();
    let mut item: Vec<Part> = Vec::new();
    let mut bracket = false;
    let all = pieces(text)?;
    for piece in &all {
        if let Piece::Reference(reference) = piece
            && !known.contains_key(reference.spelling)
        {
            known.insert(reference.spelling, stands_for(reference)?);
        }
    }
    for piece in &all {
        match piece {
            Piece::Reference(reference) => {
                item.push(Part::Values(known.get(reference.spelling).map(Vec::as_slice).unwrap_or_default()));
            }
            Piece::Plain(plain) => {
                let cut = plain.split(|c| {
                    bracket = (bracket || c == '[') && c != ']';
                    c == ',' && !bracket
                });
                for (at, part) in cut.enumerate() {
                    if at > 0 {
                        filled.push_repeated(&item)?;
                        filled.text.push(',');
                        item.clear();
                    }
                    item.push(Part::Plain(part));
                }
            }
        }
    }
    filled.push_repeated(&item)?;
    Ok(filled.text)
}

/// Why a text is not filled.
#[derive(Clone, Debug, PartialEq)]
pub enum Unfilled {
    /// A clause about the argument.
    Wrong(String),
    UsedUp(UsedUp),
}

impl From<String> for Unfilled {
    fn from(why: String) -> Unfilled {
        Unfilled::Wrong(why)
    }
}

impl From<UsedUp> for Unfilled {
    fn from(why: UsedUp) -> Unfilled {
        Unfilled::UsedUp(why)
    }
}

/// A part of an item of a list.
#[derive(Clone, Copy)]
enum Part<'a> {
    Plain(&'a str),
    /// What a reference stands for.
    Values(&'a [String]),
}

impl<'a> Part<'a> {
    /// In that copy of the item.
    fn in_copy(self, at: usize) -> &'a str {
        match self {
            Part::Plain(text) => text,
            Part::Values(values) => values.get(at).or(values.first()).map_or("", String::as_str),
        }
    }
}

struct Filled<S> {
    text: String,
    spend: S,
}

impl<S: Fn(usize) -> Result<(), Unfilled>> Filled<S> {
    /// An item of a list, once for each entry of the reference in it.
    fn push_repeated(&mut self, parts: &[Part]) -> Result<(), Unfilled> {
        let mut counts = parts.iter().filter_map(|part| match part {
            Part::Values(values) if values.len() > 1 => Some(values.len()),
            _ => None,
        });
        let count = counts.next().unwrap_or(1);
        if counts.any(|other| other != count) {
            let why = "two references stand for lists of different lengths in one item; name their entries";
            return Err(why.to_owned().into());
        }
        for at in 0..count {
            (self.spend)(parts.iter().map(|part| part.in_copy(at).len()).sum::<usize>() + 1)?;
            if at > 0 {
                self.text.push(',');
            }
            parts.iter().for_each(|part| self.text.push_str(part.in_copy(at)));
        }
        Ok(())
    }
}

/// The references of a text, and what is between them.
fn pieces(text: &str) -> Result<Vec<Piece<'_>>, String> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        let (before, from) = rest.split_at(at);
        let dollars = from.len() - from.trim_start_matches('$').len();
        let (signs, after) = from.split_at(dollars);
        pieces.push(Piece::Plain(before));
        rest = after;
        let Some(length) = reference_length(after) else {
            pieces.push(Piece::Plain(signs));
            continue;
        };
        // Two signs are a plain one; an odd one is the reference's.
        pieces.push(Piece::Plain(signs.get(..dollars / 2).unwrap_or_default()));
        let (name, behind) = after.split_at(length);
        if dollars.is_multiple_of(2) {
            pieces.push(Piece::Plain(name));
        } else {
            let spelling = from.get(dollars - 1..dollars + length).unwrap_or_default();
            pieces.push(Piece::Reference(reference(spelling, name)?));
        }
        rest = behind;
    }
    pieces.push(Piece::Plain(rest));
    Ok(pieces)
}

/// How long what stands behind the sign is, if it is of the form of a reference: `1.id`, `1.2.id`, `1.clips.2.id`.
fn reference_length(text: &str) -> Option<usize> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let mut at = digits(text);
    if at == 0 {
        return None;
    }
    let (mut numbers, mut words) = (0, 0);
    loop {
        let rest = text.get(at..)?;
        let part = rest.strip_prefix('.').unwrap_or_default();
        let length = part.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        let word = part.get(..length)?;
        match part.bytes().next() {
            // A field of a list has one of its entries behind it, or what is asked of all of them.
            Some(first) if first.is_ascii_alphabetic() && words < 2 => {
                at += 1 + length;
                (numbers, words) = (0, words + 1);
                if matches!(word, "id" | "path") || words == 2 {
                    return Some(at);
                }
            }
            Some(first) if first.is_ascii_digit() && numbers == 0 && digits(part) == length => {
                at += 1 + length;
                numbers += 1;
            }
            _ => return (words > 0).then_some(at),
        }
    }
}

fn reference<'a>(spelling: &'a str, name: &'a str) -> Result<Reference<'a>, String> {
    let unknown = || {
        format!(
            "{spelling}: a reference asks for id or path, of an entry ($1.2.id) or of what it lists ($1.clips.2.id, \
             counted from 1); the plain text is written ${spelling}"
        )
    };
    let number = |word: &str| word.parse::<usize>().map_err(|_| unknown());
    let mut words = name.split('.').peekable();
    let next_number = |words: &mut std::iter::Peekable<std::str::Split<'a, char>>| {
        words.next_if(|word| word.starts_with(|first: char| first.is_ascii_digit())).map(number).transpose()
    };
    let call = next_number(&mut words)?.ok_or_else(unknown)?;
    let entry = next_number(&mut words)?;
    let list = match words.next_if(|word| !matches!(*word, "id" | "path")) {
        Some(field) => Some(ListReference { field, entry: next_number(&mut words)? }),
        None => None,
    };
    let member = match words.next() {
        Some("id") => Member::Id,
        Some("path") => Member::Path,
        _ => return Err(unknown()),
    };
    Ok(Reference { spelling, call, entry, list, member })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Call 1 has one entry, 2, call 2 has 4 and 5, of any other nothing is known.
    fn filled(text: &str) -> Result<String, String> {
        let stands_for = |reference: &Reference| Ok(stands_for(reference)?);
        fill_text(text, stands_for, |_| Ok(())).map_err(|why| match why {
            Unfilled::Wrong(why) => why,
            Unfilled::UsedUp(why) => why.to_string(),
        })
    }

    fn stands_for(reference: &Reference) -> Result<Vec<String>, String> {
        match (reference.call, reference.entry) {
            (4, _) => match &reference.list {
                Some(ListReference { field: "clips", entry: None }) => Ok(vec!["8".to_owned(), "9".to_owned()]),
                Some(ListReference { field: "clips", entry: Some(number) }) => Ok(vec![(7 + number).to_string()]),
                _ => Err("no list".to_owned()),
            },
            (1, None | Some(1)) => Ok(vec!["2".to_owned()]),
            (2, None) => Ok(vec!["4".to_owned(), "5".to_owned()]),
            (2, Some(2)) => Ok(vec!["5".to_owned()]),
            (3, None) => Ok(["7", "8", "9"].map(str::to_owned).to_vec()),
            _ => Err(format!("none {}", reference.spelling)),
        }
    }

    /// What is filled in is counted before it is made.
    #[test]
    fn what_references_expand_to_is_counted() {
        let spent = std::cell::Cell::new(0);
        let spend = |bytes: usize| match spent.replace(spent.get() + bytes) {
            sum if sum > 1_000 => Err(Unfilled::Wrong("too much".to_owned())),
            _ => Ok(()),
        };
        let many = "$3.id,".repeat(100_000);
        let refused = fill_text(&many, |reference| Ok(stands_for(reference)?), spend);
        assert_eq!(refused, Err(Unfilled::Wrong("too much".to_owned())));
        assert!(spent.get() < 1_100, "{} bytes", spent.get());
    }

    #[test]
    fn references_in_a_text() {
        for (text, expected) in [
            ("", ""),
            ("t0/s0", "t0/s0"),
            ("$1.id", "2"),
            ("$1.path/s0", "2/s0"),
            ("$1.1.id", "2"),
            ("$2.id", "4,5"),
            ("$2.2.id", "5"),
            ("$2.path/s0", "4/s0,5/s0"),
            ("t0, $2.path/s0 ,t1", "t0, 4/s0 , 5/s0 ,t1"),
            ("$1.path/s0,$2.path/s0", "2/s0,4/s0,5/s0"),
            ("$2.path/d$2.id", "4/d4,5/d5"),
            ("$2.path[loc:A,B]", "4[loc:A,B],5[loc:A,B]"),
            ("from $1.id.", "from 2."),
            // No references.
            ("$5", "$5"),
            ("$1.50", "$1.50"),
            ("US$ and $$", "US$ and $$"),
            ("$.id $1 $1. $a.id $1.2.3.id", "$.id $1 $1. $a.id $1.2.3.id"),
            // Lists of entries.
            ("$4.clips.id", "8,9"),
            ("$4.clips.2.id", "9"),
            ("$4.1.clips.path/s0", "8/s0,9/s0"),
            ("from $4.clips.1.id.", "from 8."),
            // Plain signs before what would be one.
            ("$$1.id", "$1.id"),
            ("$$$1.id", "$2"),
            ("$$$$1.id", "$$1.id"),
        ] {
            assert_eq!(filled(text), Ok(expected.to_owned()), "{text}");
        }
        for (text, expected) in [
            ("$1.name", "asks for id or path, of an entry"),
            ("$1.name", "the plain text is written $$1.name"),
            ("$4.clips[0].id", "$4.clips: a reference asks for id or path"),
            ("$4.clips.name", "counted from 1"),
            ("$1.ids", "$1.ids"),
            ("$9.id", "none $9.id"),
            ("$99999999999999999999999.id", "id or path"),
            ("$2.id$3.id", "different lengths"),
        ] {
            let why = filled(text).expect_err(text);
            assert!(why.contains(expected), "{text}: {why}");
        }
    }
}
