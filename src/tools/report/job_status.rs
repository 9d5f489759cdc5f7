//! What is said of a job.

use crate::jobs::{JobState, JobStatus};
use serde_json::{Map, Value, json};

/// A job with its answer, or with why there is none.
pub fn whole(status: &JobStatus) -> Value {
    let mut object = outline(status);
    match &status.state {
        JobState::Done(result) => {
            object.insert("result".to_owned(), Value::clone(result));
        }
        JobState::Failed(why) | JobState::Cancelled(why) => {
            object.insert("detail".to_owned(), json!(why));
        }
        JobState::Waiting | JobState::Running => {}
    }
    Value::Object(object)
}

/// A job without its answer, as lists show it.
pub fn in_list(status: &JobStatus) -> Value {
    Value::Object(outline(status))
}

/// A job as events tell of it: without its answer, but with why there is none.
pub fn in_event(status: &JobStatus) -> Value {
    let mut object = outline(status);
    if let JobState::Failed(why) | JobState::Cancelled(why) = &status.state {
        object.insert("detail".to_owned(), json!(why));
    }
    Value::Object(object)
}

/// The answer of a call whose job goes on.
pub fn to_be_asked(status: &JobStatus) -> Value {
    let mut object = outline(status);
    let id = &status.id;
    let detail = format!(
        "this takes longer: svc-read-job {{\"id\": \"{id}\"}} says how far it is, and gives the answer for ten minutes after \
         its end; svc-manage {{\"action\": \"cancel\", \"id\": \"{id}\"}} ends it"
    );
    object.insert("detail".to_owned(), json!(detail));
    json!({ "job": object })
}

fn outline(status: &JobStatus) -> Map<String, Value> {
    let mut object = Map::new();
    let mut put = |name: &str, value: Value| object.insert(name.to_owned(), value);
    put("id", json!(status.id));
    put("tool", json!(status.tool));
    put("title", json!(status.title));
    put("state", json!(status.state.name()));
    if let Some(progress) = &status.progress {
        let mut shown = Map::new();
        shown.insert("done".to_owned(), json!(progress.done));
        if let Some(total) = progress.total {
            shown.insert("total".to_owned(), json!(total));
        }
        shown.insert("text".to_owned(), json!(progress.text));
        put("progress", Value::Object(shown));
    }
    object
}
