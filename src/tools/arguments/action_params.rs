//! Parameters of another action: a tool with actions publishes one schema, and what only other actions read is refused.

use crate::tools::error::ToolError;

/// A parameter, whether it was sent, and the actions that read it.
pub struct ParamScope<'a> {
    pub parameter: &'a str,
    pub sent: bool,
    pub read_by: &'a [&'a str],
}

/// Refuses the first parameter that was sent and that this call's action does not read. `selector` is the parameter
/// that chooses (`action`, `locatorOperation`), `chosen` what it has, `None` when it was not sent.
pub fn refuse_out_of_scope(selector: &str, chosen: Option<&str>, parameters: &[ParamScope]) -> Result<(), ToolError> {
    for ParamScope { parameter, sent: is_sent, read_by: to } in parameters {
        if !*is_sent || chosen.is_some_and(|chosen| to.contains(&chosen)) {
            continue;
        }
        let readers = match to.split_last() {
            Some((last, [])) => (*last).to_owned(),
            Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
            None => continue,
        };
        let has = chosen.map_or_else(|| format!("no {selector}"), |chosen| format!("{selector} {chosen}"));
        return Err(ToolError::new(format!("{parameter} belongs to {selector} {readers}; this call has {has}")));
    }
    Ok(())
}

/// Whether a text counts as sent: `null`, blank and the word `null` do not.
pub fn sent(text: Option<&String>) -> bool {
    text.is_some_and(|text| !matches!(text.trim(), "" | "null"))
}

/// The warning for a `toPath` that is there and blank: nothing goes anywhere by it.
pub fn blank_to_path(to_path: Option<&String>) -> Option<String> {
    let is_blank = to_path.is_some_and(|text| text.trim().is_empty());
    is_blank.then(|| "toPath ignored: it is blank, so nothing is moved by it".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_action_reads() {
        let table = |sent| {
            [
                ParamScope { parameter: "steps", sent, read_by: &["undo", "redo"] },
                ParamScope { parameter: "path", sent: false, read_by: &["add"] },
            ]
        };
        assert_eq!(refuse_out_of_scope("action", Some("undo"), &table(true)), Ok(()));
        assert_eq!(refuse_out_of_scope("action", Some("add"), &table(false)), Ok(()));
        let error = refuse_out_of_scope("action", Some("add"), &table(true)).unwrap_err().to_string();
        assert_eq!(error, "steps belongs to action undo and redo; this call has action add");
        assert!(refuse_out_of_scope("action", None, &table(true)).is_err());
        for (text, is_sent) in [("", false), (" ", false), ("null", false), ("0", true)] {
            assert_eq!(sent(Some(&text.to_owned())), is_sent, "{text}");
        }
    }
}
