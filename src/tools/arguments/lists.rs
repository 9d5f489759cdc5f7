//! Comma lists and how they pair: N targets take one value for all, or N values by position.

use crate::tools::budget::MAX_TARGETS;
use crate::tools::error::ToolError;

/// Settings times targets of one call, where each target gets a list of them.
const MAX_WRITES: usize = 20_000;
/// Bytes of one value times the targets that it serves.
const MAX_SHARED_BYTES: usize = 4 * 1024 * 1024;

/// Cuts a target list at its commas, but not at those inside brackets or behind a backslash: locators' names may hold
/// them. A single comma at the end is harmless; any other empty item is refused.
pub fn split_targets(parameter: &str, text: &str) -> Result<Vec<String>, ToolError> {
    let trimmed = text.trim();
    let body = trimmed.strip_suffix(',').filter(|body| !body.ends_with('\\')).unwrap_or(trimmed);
    let (mut depth, mut is_escaped) = (0usize, false);
    let items = body.split(|c| {
        if std::mem::take(&mut is_escaped) {
            return false;
        }
        match c {
            '\\' => is_escaped = true,
            '[' => depth = depth.saturating_add(1),
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    let mut taken = Vec::new();
    let mut count = 0usize;
    for item in items.map(str::trim) {
        if item.is_empty() {
            let why = format!("entry {} of the list is empty; name one target between each two commas", count + 1);
            return Err(ToolError::about(parameter, why));
        }
        count += 1;
        if count <= MAX_TARGETS {
            taken.push(item.to_owned());
        }
    }
    refuse_too_many(parameter, count)?;
    Ok(taken)
}

/// One entry of a list as it was sent, and what it says, or why it cannot be read.
#[derive(Clone, Debug, PartialEq)]
pub struct ListEntry<T> {
    pub spelling: String,
    pub read: Result<T, ToolError>,
}

/// Reads each entry of a list. A lone one that cannot be read refuses the call, one of several fails by itself.
pub fn read_each<T>(
    spellings: Vec<String>,
    mut read: impl FnMut(&str) -> Result<T, ToolError>,
) -> Result<Vec<ListEntry<T>>, ToolError> {
    let read = |spelling: String| ListEntry { read: read(&spelling), spelling };
    let entries: Vec<ListEntry<T>> = spellings.into_iter().map(read).collect();
    match entries.as_slice() {
        [ListEntry { read: Err(why), .. }] => Err(why.clone()),
        _ => Ok(entries),
    }
}

/// Cuts a list of names at its commas; `\,` is a plain comma.
pub fn split_names(parameter: &str, text: &str) -> Result<Vec<String>, ToolError> {
    let names = cut_at_commas(text);
    if names.iter().any(String::is_empty) {
        return Err(ToolError::about(parameter, "the list has an empty entry; give one name between each two commas"));
    }
    refuse_too_many(parameter, names.len())?;
    Ok(names)
}

/// The trimmed items between commas; one behind the last comma, if it is empty, is none.
fn cut_at_commas(text: &str) -> Vec<String> {
    let mut items = vec![String::new()];
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let c = match c {
            '\\' if chars.peek() == Some(&',') => {
                chars.next();
                ','
            }
            ',' => {
                items.push(String::new());
                continue;
            }
            c => c,
        };
        if let Some(last) = items.last_mut() {
            last.push(c);
        }
    }
    let mut items: Vec<String> = items.into_iter().map(|item| item.trim().to_owned()).collect();
    if items.len() > 1 && items.last().is_some_and(String::is_empty) {
        items.pop();
    }
    items
}

/// Refuses more targets than one call may name.
pub fn refuse_too_many(parameter: &str, count: usize) -> Result<(), ToolError> {
    if count <= MAX_TARGETS {
        return Ok(());
    }
    let why = format!(
        "{count} are named, and a name twice counts twice; a call takes at most {MAX_TARGETS}, so send the rest in further \
         calls"
    );
    Err(ToolError::about(parameter, why))
}

/// Refuses a list of settings for several targets that comes to more writes than one call may make.
pub fn refuse_too_many_writes(parameter: &str, settings: usize, targets: usize) -> Result<(), ToolError> {
    let writes = settings.saturating_mul(targets);
    if writes <= MAX_WRITES {
        return Ok(());
    }
    let why = format!(
        "{settings} for {targets} targets are {writes} writes; a call makes at most {MAX_WRITES}, so name fewer targets"
    );
    Err(ToolError::about(parameter, why))
}

/// A value list spread over `count` targets. A text is cut at commas only when there are several targets (`\,` is a
/// plain comma then); one value serves all. One target has one text, as it was sent.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueList(Vec<String>);

impl ValueList {
    pub fn spread(parameter: &str, text: &str, count: usize) -> Result<ValueList, ToolError> {
        if count == 1 || text.trim().is_empty() {
            return Ok(ValueList(vec![text.to_owned()]));
        }
        let items = cut_at_commas(text);
        if items.iter().any(String::is_empty) {
            return Err(ToolError::about(
                parameter,
                "the list has an empty entry; give one value, or one for each target",
            ));
        }
        if let [one] = items.as_slice()
            && one.len().saturating_mul(count) > MAX_SHARED_BYTES
        {
            let why = format!("{} bytes are too long for {count} targets; shorten it, or name fewer", one.len());
            return Err(ToolError::about(parameter, why));
        }
        if items.len() != 1 && items.len() != count {
            return Err(ToolError::new(format!(
                "{parameter} has {} values for {count} targets; give one value, or one for each target (write \\, for a comma inside a value)",
                items.len()
            )));
        }
        Ok(ValueList(items))
    }

    /// The value of the target at that position.
    pub fn at(&self, position: usize) -> &str {
        self.0.get(position).or(self.0.first()).map_or("", String::as_str)
    }
}

/// An optional value list over `count` targets.
pub fn spread(parameter: &str, text: Option<&String>, count: usize) -> Result<Option<ValueList>, ToolError> {
    text.map(|text| ValueList::spread(parameter, text, count)).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn target_lists() {
        assert_eq!(split_targets("path", "t0, t1,").unwrap(), ["t0", "t1"]);
        assert_eq!(split_targets("path", "t0[loc:A, B],t1[5|1],[2|1]").unwrap(), ["t0[loc:A, B]", "t1[5|1]", "[2|1]"]);
        assert_eq!(split_targets("path", "t0[loc:A [B], C],t1").unwrap(), ["t0[loc:A [B], C]", "t1"]);
        assert_eq!(split_targets("path", r"loc:A\, B,9|1,loc:C\,").unwrap(), [r"loc:A\, B", "9|1", r"loc:C\,"]);
        assert_eq!(split_targets("path", r"t0[loc:A\[],t1[loc:B\]]").unwrap(), [r"t0[loc:A\[]", r"t1[loc:B\]]"]);
        for text in ["", ",", "a,,b", ",a", "a,,"] {
            assert!(split_targets("path", text).is_err(), "{text}");
        }
    }

    #[test]
    fn value_lists_pair_by_position() {
        let values = |text: &str, count| ValueList::spread("name", text, count).map(|v| v.0);
        assert_eq!(values("a, b", 1).unwrap(), ["a, b"]);
        assert_eq!(values(r"C:\a\,b", 1).unwrap(), [r"C:\a\,b"]);
        assert_eq!(values("a,b", 2).unwrap(), ["a", "b"]);
        assert_eq!(values("a", 3).unwrap(), ["a"]);
        assert_eq!(values(r"a\,b,c", 2).unwrap(), ["a,b", "c"]);
        assert_eq!(values(r"C:\x,b", 2).unwrap(), [r"C:\x", "b"]);
        assert_eq!(values("", 2).unwrap(), [""]);
        assert!(values("a,b", 3).is_err() && values("a,b,c", 2).is_err() && values("a,,b", 3).is_err());
        assert!(values(",", 2).is_err(), "not a blank for both");
    }
}
