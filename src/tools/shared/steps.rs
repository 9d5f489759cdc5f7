//! What one target's write does, phrase by phrase: a failure after something landed keeps the entry and says what did.

use super::entry::add_detail;
use super::objects;
use crate::object_model::{ObjectId, Session};
use crate::tools::ToolError;
use serde_json::{Map, Value, json};

/// One target's entry while it is written.
#[derive(Debug)]
pub struct Steps {
    pub entry: Map<String, Value>,
    landed: Vec<&'static str>,
}

impl Steps {
    /// An entry that names the object.
    pub fn on(session: &dyn Session, id: ObjectId) -> Steps {
        let mut entry = Map::new();
        entry.insert("id".to_owned(), json!(id.to_string()));
        if let Some(path) = objects::tool_path(session, id) {
            entry.insert("path".to_owned(), json!(path));
        }
        Steps { entry, landed: Vec::new() }
    }

    /// A phrase was carried out, or failed.
    pub fn did<T, E: Into<ToolError>>(&mut self, phrase: &'static str, result: Result<T, E>) -> Result<T, ToolError> {
        let value = result.map_err(Into::into)?;
        self.landed.push(phrase);
        Ok(value)
    }

    /// Whether anything was carried out.
    pub fn has_landed(&self) -> bool {
        !self.landed.is_empty()
    }

    /// The host kept another value than was asked for.
    pub fn kept(&mut self, field: &'static str, value: impl Into<Value>) {
        self.entry.insert(field.to_owned(), value.into());
        add_detail(&mut self.entry, format!("{field} is not as asked"));
    }

    /// The target's entry; its error, if nothing of it landed.
    pub fn end(mut self, outcome: Result<(), ToolError>) -> Result<Map<String, Value>, ToolError> {
        match outcome {
            Err(error) if self.landed.is_empty() => Err(error),
            Err(error) => {
                add_detail(&mut self.entry, format!("{error}; already changed: {}", self.landed.join(", ")));
                Ok(self.entry)
            }
            Ok(()) => Ok(self.entry),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_landed_before_a_failure_is_said() {
        let fail = || Err::<(), _>(ToolError::new("no"));
        let steps = || Steps { entry: Map::new(), landed: Vec::new() };
        let mut nothing = steps();
        let outcome = nothing.did("name", fail());
        assert_eq!(nothing.end(outcome).unwrap_err().0, "no");
        let mut half = steps();
        let outcome = half.did("name", Ok::<_, ToolError>(())).and_then(|()| half.did("color", fail()));
        assert_eq!(half.end(outcome).unwrap()["detail"], "no; already changed: name");
        let mut all = steps();
        all.did("name", Ok::<_, ToolError>(())).unwrap();
        assert_eq!(all.end(Ok(())).unwrap(), Map::new());
    }
}
