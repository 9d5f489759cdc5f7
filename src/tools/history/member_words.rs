//! Members of the object model that no read shows, in plain words and with plain values.

use super::shown_value::ShownValue;
use crate::object_model::{ObjectId, Session, Value as Model};
use serde_json::{Value, json};

/// A member as the host keeps it, before and after: `launch_mode` is told as `launch mode`, a list or a structure as
/// changed and no more.
pub fn told(
    before: &dyn Session,
    after: &dyn Session,
    id: ObjectId,
    member: &str,
    (was, is): (&Value, &Value),
) -> ShownValue {
    let own = member.rsplit_once('.').map_or(member, |(_, own)| own);
    let plain = |session: &dyn Session, kept: &Value| match session.get(id, own) {
        Ok(Model::Bool(on)) => json!(on),
        Ok(Model::Int(number)) => json!(number),
        Ok(Model::Float(number)) => json!(number),
        Ok(Model::Text(text)) => json!(text),
        _ if kept.is_array() || kept.is_object() => Value::Null,
        _ => kept.clone(),
    };
    let (old, new) = (plain(before, was), plain(after, is));
    let (old, new) = if old == new { (Value::Null, Value::Null) } else { (old, new) };
    ShownValue { name: own.replace('_', " "), old, new }
}
