//! What is written to one target, part by part. A failure after something landed keeps the target's entry, which says
//! what landed.

use crate::object_model::{ModelError, ObjectId, Session, Value as Model};
use crate::tools::address::model_read;
use crate::tools::address::path_format;
use crate::tools::arguments::values::Color;
use crate::tools::error::ToolError;
use crate::tools::report::target_result::add_detail;
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// One target's entry while it is written.
#[derive(Debug, Default)]
pub struct WriteLog {
    pub entry: Map<String, Value>,
    landed: Vec<Cow<'static, str>>,
    /// What does not suit this target, and why.
    refused: Vec<String>,
    /// What an item inside the entry says already.
    refused_inside: Vec<String>,
    /// Something that is asked was so already.
    is_unchanged: bool,
}

impl WriteLog {
    /// An entry that names the object.
    pub fn on(session: &dyn Session, id: ObjectId) -> Result<WriteLog, ModelError> {
        Ok(WriteLog { entry: path_format::id_and_path(session, id)?, ..WriteLog::default() })
    }

    /// A part of the write was carried out, or failed.
    pub fn record<T, E: Into<ToolError>>(
        &mut self,
        part: impl Into<Cow<'static, str>>,
        result: Result<T, E>,
    ) -> Result<T, ToolError> {
        let value = result.map_err(Into::into)?;
        self.landed.push(part.into());
        Ok(value)
    }

    /// A part of what is asked does not suit this target; the others go on. If it was all, the target is a skip.
    pub fn refuse(&mut self, why: impl Into<String>) {
        self.refused.push(why.into());
    }

    /// As [`WriteLog::refuse`], for what an item inside the entry says already: it is repeated only when the target is
    /// a skip.
    pub fn refuse_inside(&mut self, why: impl Into<String>) {
        self.refused_inside.push(why.into());
    }

    /// A part of what is asked was so already.
    pub fn record_unchanged(&mut self, why: impl AsRef<str>) {
        self.is_unchanged = true;
        add_detail(&mut self.entry, why);
    }

    /// Whether anything was carried out, or was so already.
    pub fn has_landed(&self) -> bool {
        !self.landed.is_empty() || self.is_unchanged
    }

    /// The host kept another value than was asked for.
    pub fn record_kept(&mut self, field: &'static str, value: impl Into<Value>) {
        self.entry.insert(field.to_owned(), value.into());
        add_detail(&mut self.entry, format!("{field} is not as asked"));
    }

    /// Writes a name, and says the one that is shown now; why, where that is another: a return keeps its letter, and
    /// `#` at the front stands for the number or letter of the place.
    pub fn name(&mut self, session: &mut dyn Session, id: ObjectId, wanted: &str) -> Result<(), ToolError> {
        self.record("name", session.set(id, "name", wanted.into()))?;
        let shown = model_read::text(session, id, "name")?;
        if shown != wanted && !wanted.is_empty() {
            let is_return = self.entry.get("path").and_then(Value::as_str).is_some_and(|path| path.starts_with("rt"));
            match (wanted.starts_with('#'), is_return) {
                (true, _) => add_detail(&mut self.entry, "# stands for its place"),
                (_, true) => add_detail(&mut self.entry, "a return keeps its letter"),
                _ => {}
            }
        }
        self.entry.insert("name".to_owned(), json!(shown));
        Ok(())
    }

    /// Writes a colour, and says which one of the palette it landed on where that is another.
    pub fn color(&mut self, session: &mut dyn Session, id: ObjectId, wanted: Color) -> Result<(), ToolError> {
        self.record("color", session.set(id, "color", Model::Int(wanted.0)))?;
        let wanted = wanted.to_string();
        let landed = model_read::color(session, id)?.filter(|landed| *landed != wanted);
        // Where a call dresses several clips under one entry, once is enough.
        if let Some(landed) = landed.filter(|_| !self.entry.contains_key("color")) {
            add_detail(&mut self.entry, format!("the palette has no {wanted}; {landed} is the nearest"));
            self.entry.insert("color".to_owned(), json!(landed));
        }
        Ok(())
    }

    /// The target's entry; its error, if nothing of it landed.
    pub fn end(mut self, outcome: Result<(), ToolError>) -> Result<Map<String, Value>, ToolError> {
        let nothing = self.landed.is_empty() && !self.is_unchanged;
        let refused = self.refused.join("; ");
        let all: Vec<String> = self.refused.into_iter().chain(self.refused_inside).collect();
        if self.landed.is_empty() && self.is_unchanged {
            self.entry.insert("changed".to_owned(), json!(false));
        }
        match outcome {
            Err(error) if nothing => Err(error),
            Ok(()) if nothing && !all.is_empty() => Err(ToolError::new(all.join("; "))),
            outcome => {
                if !refused.is_empty() {
                    add_detail(&mut self.entry, refused);
                }
                if let Err(error) = outcome {
                    let landed = if self.landed.is_empty() { "nothing".into() } else { self.landed.join(", ") };
                    add_detail(&mut self.entry, format!("{error}; already changed: {landed}"));
                }
                Ok(self.entry)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_landed_before_a_failure_is_said() {
        let fail = || Err::<(), _>(ToolError::new("no"));
        let steps = WriteLog::default;
        let mut nothing = steps();
        let outcome = nothing.record("name", fail());
        assert_eq!(nothing.end(outcome).unwrap_err().text, "no");
        let mut half = steps();
        let outcome = half.record("name", Ok::<_, ToolError>(())).and_then(|()| half.record("color", fail()));
        assert_eq!(half.end(outcome).unwrap()["detail"], "no; already changed: name");
        let mut all = steps();
        all.record("name", Ok::<_, ToolError>(())).unwrap();
        assert_eq!(all.end(Ok(())).unwrap(), Map::new());
    }

    #[test]
    fn what_does_not_suit_is_a_skip_when_it_was_all() {
        let mut only = WriteLog::default();
        only.refuse("pan: no");
        only.refuse("arm: no");
        assert_eq!(only.end(Ok(())).unwrap_err().text, "pan: no; arm: no");
        let mut beside = WriteLog::default();
        beside.refuse("pan: no");
        beside.record("name", Ok::<_, ToolError>(())).unwrap();
        assert_eq!(beside.end(Ok(())).unwrap()["detail"], "pan: no");
        let mut idle = WriteLog::default();
        idle.record_unchanged("is off");
        assert_eq!(idle.end(Ok(())).unwrap()["detail"], "is off");
    }
}
