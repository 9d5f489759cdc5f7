//! A commit as those are told who follow the Set: a line of words, and which objects are different.

use super::told_changes::{ToldChange, kind_word, word};
use crate::music::excerpt::with_short_quotations;
use crate::object_model::Session;
use crate::object_model::history::{ChangeKind, ChangedClass, SetChanges};
use crate::tools::address::path_format;
use crate::tools::error::ToolError;
use serde_json::{Value, json};

/// Objects that are listed at most; whoever needs the others looks at the Set anew.
pub const MOST_LISTED: usize = 200;
/// Changes that the line tells.
const MOST_OF_LINE: usize = 4;
/// Characters of the line.
const LONGEST_LINE: usize = 400;

/// See the [module](self).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToldCommit {
    pub line: String,
    /// `{id, path, class, kind}` each, at most [`MOST_LISTED`].
    pub changed: Vec<Value>,
    /// Further objects that are different.
    pub more: usize,
}

impl ToldCommit {
    /// Tells of `changes`, which lead from one Set to the other.
    pub fn of(before: &dyn Session, after: &dyn Session, changes: &SetChanges) -> Result<ToldCommit, ToolError> {
        let told = changes.objects.iter().take(MOST_OF_LINE).map(|change| ToldChange::read(before, after, change));
        let mut told = told.collect::<Result<Vec<_>, _>>()?;
        ToldChange::join_moved(&mut told, before, after)?;
        let shown = told.iter().filter(|change| !change.is_told_elsewhere());
        let mut line: Vec<String> = shown.map(|change| with_short_quotations(change.sentence())).collect();
        let rest = changes.objects.len().saturating_add(changes.more).saturating_sub(MOST_OF_LINE);
        line.extend((rest > 0).then(|| format!("and {rest} more")));
        let mut changed = Vec::new();
        for change in changes.objects.iter().take(MOST_LISTED) {
            let there = if change.kind == ChangeKind::Deleted { before } else { after };
            let path = match change.class {
                ChangedClass::Set => None,
                _ => path_format::tool_path(there, change.id)?,
            };
            let (class, kind) = (word(change.class), kind_word(change.kind));
            changed.push(json!({ "id": change.id.to_string(), "path": path, "class": class, "kind": kind }));
        }
        let left_out = changes.objects.len() - changed.len();
        Ok(ToldCommit { line: cut(line.join("; ")), changed, more: changes.more + left_out })
    }
}

fn cut(line: String) -> String {
    match line.char_indices().nth(LONGEST_LINE) {
        Some((at, _)) => format!("{}…", line.get(..at).unwrap_or_default()),
        None => line,
    }
}
