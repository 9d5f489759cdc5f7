//! `subscriptions/listen`: a client of 2026-07-28 is told which of the resources that it names are other ones by now,
//! and when the lists of tools, resources and prompts are. It is fed by the same events as everybody who follows them.

use super::resources;
use super::toolbox::Toolbox;
use crate::events::{Event, Kind, Next, Reader};
use crate::service::{ProfileHeaders, ToolList};
use rmcp::ErrorData;
use rmcp::model::{ErrorCode, SubscriptionFilter};
use rmcp::service::{SubscriptionContext, SubscriptionSendError};
use serde_json::Value;
use std::collections::BTreeSet;
use std::future::Future;
use std::pin::pin;

/// Resources that one client follows.
const MOST_FOLLOWED: usize = 1_000;
/// More than a server has room for.
const TOO_MANY: i32 = -32000;

/// What of a client's wishes is served: lists, and resources that there are.
pub fn accepted(requested: &SubscriptionFilter) -> SubscriptionFilter {
    let mut accepted = requested.clone();
    if let Some(uris) = &mut accepted.resource_subscriptions {
        uris.retain(|uri| resources::find(uri).is_some());
        uris.truncate(MOST_FOLLOWED);
    }
    accepted
}

/// Tells the client of changes until it is gone.
pub async fn listen<T: Toolbox>(
    toolbox: &T,
    headers: &ProfileHeaders,
    context: &SubscriptionContext,
    gone: impl Future<Output = ()>,
) -> Result<(), ErrorData> {
    let begun = Reader::begin(toolbox.events(), None);
    let (mut reader, _) = begun.map_err(|full| ErrorData::new(ErrorCode(TOO_MANY), full.to_string(), None))?;
    let mut tools = toolbox.tools(headers);
    let (mut gone, mut cancelled) = (pin!(gone), pin!(context.cancelled()));
    loop {
        let news = Gathered::from(&mut reader, context.accepted());
        let told = async {
            if news.settings {
                tell_of_lists(toolbox.tools(headers), &mut tools, context).await?;
            }
            for uri in news.uris {
                context.sink().notify_resource_updated(uri).await?;
            }
            Ok::<(), SubscriptionSendError>(())
        };
        tokio::select! {
            biased;
            () = gone.as_mut() => return Ok(()),
            () = cancelled.as_mut() => return Ok(()),
            // Who cannot be told any more is gone.
            outcome = told => if outcome.is_err() { return Ok(()) },
        }
        tokio::select! {
            biased;
            () = gone.as_mut() => return Ok(()),
            () = cancelled.as_mut() => return Ok(()),
            () = reader.wait() => {}
        }
    }
}

/// Tells that the lists are other ones, where they are: all of them follow that of the tools.
async fn tell_of_lists(
    now: ToolList,
    tools: &mut ToolList,
    context: &SubscriptionContext,
) -> Result<(), SubscriptionSendError> {
    let names = |list: &ToolList| list.iter().map(|tool| tool.name.clone()).collect::<Vec<_>>();
    let is_same = names(tools) == names(&now);
    *tools = now;
    if is_same {
        return Ok(());
    }
    let (sink, accepted) = (context.sink(), context.accepted());
    if accepted.tools_list_changed == Some(true) {
        sink.notify_tool_list_changed().await?;
    }
    if accepted.resources_list_changed == Some(true) {
        sink.notify_resource_list_changed().await?;
    }
    if accepted.prompts_list_changed == Some(true) {
        sink.notify_prompt_list_changed().await?;
    }
    Ok(())
}

/// What is to be told of all that happened since the last look: each resource once, however often it changed.
#[derive(Default)]
struct Gathered {
    uris: BTreeSet<String>,
    settings: bool,
}

impl Gathered {
    fn from(reader: &mut Reader, accepted: &SubscriptionFilter) -> Gathered {
        let mut gathered = Gathered::default();
        let followed = accepted.resource_subscriptions.as_deref().unwrap_or_default();
        while let Some(next) = reader.take() {
            match next {
                Next::Gap => {
                    gathered.uris.extend(followed.iter().cloned());
                    gathered.settings = true;
                }
                Next::Event(Event { kind: Kind::Settings, .. }) => {
                    // What is taught follows the notation and the toolset.
                    gathered.uris.extend(followed.iter().filter(|uri| uri.starts_with("svc://skills")).cloned());
                    gathered.settings = true;
                }
                Next::Event(Event { kind: Kind::Set, data, .. }) => {
                    let event: Value = serde_json::from_str(&data).unwrap_or_default();
                    gathered.uris.extend(followed.iter().filter(|uri| is_updated(uri, &event)).cloned());
                }
                Next::Event(_) => {}
            }
        }
        gathered
    }
}

/// Whether a change of the Set is one of that resource.
fn is_updated(uri: &str, event: &Value) -> bool {
    let Some((kind, variable, _)) = resources::find(uri) else { return false };
    let changed = event["changed"].as_array().map_or(&[][..], Vec::as_slice);
    // Where tracks or scenes come and go, others are at other places.
    let shifts =
        |object: &Value| matches!(object["class"].as_str(), Some("track" | "scene")) && object["kind"] != "changed";
    match kind.tool {
        "svc-connect" => false,
        _ if event["readAnew"] == true => true,
        "svc-read-track" => {
            let track = format!("t{variable}");
            let is_there = |path: &str| {
                path.strip_prefix(&track).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '[']))
            };
            changed.iter().any(|object| shifts(object) || object["path"].as_str().is_some_and(is_there))
        }
        "svc-read-clip" => changed.iter().any(|object| object["id"] == variable || shifts(object)),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_change_updates_the_resources_that_show_it() {
        let object = |id: &str, path: &str, class: &str, kind: &str| json!({ "id": id, "path": path, "class": class, "kind": kind });
        let clip = json!({ "changed": [object("20", "t1/s0", "clip", "changed")], "readAnew": false });
        let placed = json!({ "changed": [object("21", "t1[1|1]", "clip", "made")], "readAnew": false });
        let track = json!({ "changed": [object("5", "t0", "track", "deleted")], "readAnew": false });
        let anew = json!({ "changed": [], "readAnew": true });
        for (uri, expected) in [
            ("svc://live-set", [true, true, true, true]),
            ("svc://tracks/1", [true, true, true, true]),
            ("svc://tracks/11", [false, false, true, true]),
            ("svc://clips/20", [true, false, true, true]),
            ("svc://clips/2", [false, false, true, true]),
            ("svc://skills", [false, false, false, false]),
            ("svc://nonsense", [false, false, false, false]),
        ] {
            let found = [&clip, &placed, &track, &anew].map(|event| is_updated(uri, event));
            assert_eq!(found, expected, "{uri}");
        }
    }
}
