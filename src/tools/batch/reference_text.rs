//! How references are written in the texts of arguments, and how a text is filled with what they stand for.

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

/// The text with its references replaced.
pub fn fill_text(text: &str, stands_for: impl Fn(&Reference) -> Result<Vec<String>, String>) -> Result<String, String> {
    let mut items = vec![vec![]];
    let mut bracket = false;
    for piece in pieces(text)? {
        match piece {
            Piece::Reference(reference) => add(&mut items, stands_for(&reference)?),
            Piece::Plain(plain) => {
                let cut = plain.split(|c| {
                    bracket = (bracket || c == '[') && c != ']';
                    c == ',' && !bracket
                });
                for (at, part) in cut.enumerate() {
                    if at > 0 {
                        items.push(Vec::new());
                    }
                    add(&mut items, vec![part.to_owned()]);
                }
            }
        }
    }
    let items: Vec<String> = items.iter().map(|item| repeated(item)).collect::<Result<_, _>>()?;
    Ok(items.join(","))
}

fn add(items: &mut [Vec<Vec<String>>], part: Vec<String>) {
    if let Some(item) = items.last_mut() {
        item.push(part);
    }
}

/// An item of a list, once for each entry of the reference in it.
fn repeated(parts: &[Vec<String>]) -> Result<String, String> {
    let mut counts = parts.iter().map(Vec::len).filter(|count| *count > 1);
    let count = counts.next().unwrap_or(1);
    if counts.any(|other| other != count) {
        return Err("two references stand for lists of different lengths in one item; name their entries".to_owned());
    }
    let copy = |at: usize| parts.iter().filter_map(|part| part.get(at).or(part.first())).map(String::as_str).collect();
    Ok((0..count).map(copy).collect::<Vec<String>>().join(","))
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
        fill_text(text, |reference| match (reference.call, reference.entry) {
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
        })
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
