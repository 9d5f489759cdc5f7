//! What a read shows of one object as values, for who looks at them rather than writing them.

use crate::notation::Notation;
use crate::tools::read::gathered::Gathered;
use crate::tools::read::written::{self, AnswerStyle};
use serde_json::{Map, Value};

/// What was gathered of an object, without what it holds.
pub fn plain_fields(gathered: Gathered) -> Map<String, Value> {
    let style = AnswerStyle { notation: Notation::Barbeat, json: true, as_text: false };
    match written::to_value(Gathered { fields: gathered.fields, ..Gathered::default() }, style) {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}
