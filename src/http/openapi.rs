//! `/openapi.json`: the tool routes and the settings as an OpenAPI 3.1 description. The tools are those that the
//! request sees, with the schemas that its list shows; what does not depend on the request is in `openapi/frame.json`.
//! See D32 in `docs/decisions.md`.

use super::backend::Backend;
use super::errors::{Refusal, check_method};
use super::made_once::MadeOnce;
use super::response::ok;
use super::rest::profile_headers;
use crate::service::LIVE_API_TOOL;
use crate::service::ToolDescriptor;
use crate::service::schema::LARGEST_INTEGER;
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::Response;
use axum::routing::any;
use serde_json::{Value, json};
use std::sync::Arc;

const FRAME: &str = include_str!("openapi/frame.json");
/// Arguments that go well on a new Set, by tool, in the notation `barbeat`.
const EXAMPLES: &str = include_str!("openapi/examples.json");

pub fn routes<B: Backend>() -> Router<Arc<B>> {
    let documents = Arc::new(MadeOnce::default());
    let openapi = move |State(backend): State<Arc<B>>, request: Request| {
        let documents = documents.clone();
        async move { openapi(&*backend, &documents, &request) }
    };
    Router::new().route("/openapi.json", any(openapi))
}

fn openapi(backend: &impl Backend, documents: &MadeOnce, request: &Request) -> Result<Response<Body>, Refusal> {
    check_method(request.method(), "GET, HEAD, OPTIONS")?;
    let tools = backend.tools(&profile_headers(request.headers()));
    let text = documents.get(&tools, || Some(document(&tools)?.to_string()));
    Ok(ok(text.ok_or(Refusal::Internal)?))
}

/// `None` where the frame is broken, which a test rules out.
fn document(tools: &[ToolDescriptor]) -> Option<Value> {
    let mut page: Value = serde_json::from_str(FRAME).ok()?;
    let examples: Value = serde_json::from_str(EXAMPLES).ok()?;
    *page.pointer_mut("/info/version")? = json!(crate::VERSION);
    let change = page.pointer_mut("/components/schemas/SettingsChange/properties")?;
    // The raw tool is a name only while it is on.
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).filter(|name| *name != LIVE_API_TOOL).collect();
    *change.pointer_mut("/tools/items/enum")? = json!(names);
    let absolute = if cfg!(windows) { r"^$|^[A-Za-z]:[\\/]+[^\\/]" } else { "^$|^/+[^/]" };
    for place in ["/sampleFolder/pattern", "/allowedFolders/items/pattern"] {
        *change.pointer_mut(place)? = json!(absolute);
    }
    let paths = page.get_mut("paths")?.as_object_mut()?;
    for tool in tools {
        paths.insert(format!("/api/tools/{}", tool.name), json!({ "post": operation(tool, examples.get(&tool.name)) }));
    }
    Some(page)
}

fn operation(tool: &ToolDescriptor, examples: Option<&Value>) -> Value {
    let reference = |kind: &str, name: &str| json!({ "$ref": format!("#/components/{kind}/{name}") });
    const PARAMETERS: [&str; 10] = [
        "format",
        "timeoutMs",
        "dryRun",
        "dryRunHeader",
        "disabledTools",
        "smallModelMode",
        "notation",
        "liveApi",
        "client",
        "gesture",
    ];
    let parameters: Vec<Value> = PARAMETERS.map(|name| reference("parameters", name)).into();
    let mut body = json!({ "schema": with_bounds(&tool.input_schema) });
    if let Some(examples) = examples {
        body["examples"] = examples.clone();
    }
    json!({
        "tags": ["tools"],
        "operationId": tool.name,
        "summary": tool.title,
        "description": tool.description,
        "parameters": parameters,
        "requestBody": { "required": true, "content": { "application/json": body } },
        "responses": {
            "200": {
                "description": "The tool ran: its result, or its refusal with `isError`.",
                "content": { "application/json": { "schema": reference("schemas", "Result") } },
            },
            "400": reference("responses", "Arguments"),
            "404": reference("responses", "NoTool"),
            "504": reference("responses", "TimedOut"),
            "default": reference("responses", "Refused"),
        },
    })
}

/// Whole numbers end where JSON clients stop keeping every one exact. The list leaves that to the validation, as models
/// read it; generated clients want it written down.
fn with_bounds(schema: &Value) -> Value {
    let mut schema = schema.clone();
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for property in properties.into_iter().flat_map(|map| map.values_mut()) {
        if property["type"] == "integer" && property.get("minimum").is_none() {
            property["minimum"] = json!(-LARGEST_INTEGER);
            property["maximum"] = json!(LARGEST_INTEGER);
        }
    }
    schema
}
