//! The tools, resources and prompts that the conformance suite calls, on the product's own layer of the protocol: our
//! [`Endpoint`], with another server behind it. What each answers is said by the suite.

use axum::body::Body;
use axum::http::{Request, Response, StatusCode};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper_util::rt::TokioIo;
use rmcp::model::*;
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use svc_device::mcp::Endpoint;

type Context = RequestContext<RoleServer>;

/// One red pixel.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
/// No samples.
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";

#[derive(Clone)]
struct Fixture;

/// Serves the fixture for as long as the process lives.
pub fn serve() -> SocketAddr {
    let (tell, address) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
            tell.send(listener.local_addr().expect("an address")).expect("somebody asks");
            let endpoint = Arc::new(Endpoint::new(Fixture));
            loop {
                let (stream, _) = listener.accept().await.expect("a connection");
                let endpoint = endpoint.clone();
                let answer = move |request| answer(endpoint.clone(), request);
                let service = hyper::service::service_fn(answer);
                let connection =
                    hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service);
                tokio::spawn(connection);
            }
        });
    });
    address.recv().expect("it listens")
}

async fn answer(endpoint: Arc<Endpoint<Fixture>>, request: Request<Incoming>) -> Result<Response<Body>, Infallible> {
    if request.method() != "POST" {
        let mut refusal = Response::new(Body::empty());
        *refusal.status_mut() = StatusCode::METHOD_NOT_ALLOWED;
        return Ok(refusal);
    }
    let (parts, body) = request.into_parts();
    let body = body.collect().await.map(|body| body.to_bytes()).unwrap_or_default();
    Ok(endpoint.answer(&parts, &body).await)
}

fn of<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).expect("the suite's own shapes")
}

/// As [`of`], for a result that is all there is to say.
fn complete<T: DeserializeOwned>(mut value: Value) -> T {
    value["resultType"] = json!("complete");
    of(value)
}

fn text(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}

fn ask_for(field: &str, kind: &str, message: &str) -> Value {
    json!({"method": "elicitation/create", "params": {
        "message": message,
        "requestedSchema": {"type": "object", "properties": {field: {"type": kind}}, "required": [field]},
    }})
}

fn sample(question: &str, tokens: u32) -> Value {
    json!({"method": "sampling/createMessage", "params": {
        "messages": [{"role": "user", "content": {"type": "text", "text": question}}],
        "maxTokens": tokens,
    }})
}

fn roots() -> Value {
    json!({"method": "roots/list", "params": {}})
}

/// A schema with the words of its newest form, which have to reach the client as they are.
fn rich_schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {"address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }},
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false,
    })
}

fn header_tool() -> Tool {
    of(json!({
        "name": "test_header_parameter",
        "description": "One parameter is repeated in a header.",
        "inputSchema": {"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}},
    }))
}

const PLAIN_TOOLS: [&str; 17] = [
    "test_logging_tool",
    "test_missing_capability",
    "test_streaming_elicitation",
    "test_simple_text",
    "test_image_content",
    "test_audio_content",
    "test_embedded_resource",
    "test_multiple_content_types",
    "test_error_handling",
    "test_input_required_result_elicitation",
    "test_input_required_result_sampling",
    "test_input_required_result_list_roots",
    "test_input_required_result_request_state",
    "test_input_required_result_multiple_inputs",
    "test_input_required_result_multi_round",
    "test_input_required_result_tampered_state",
    "test_input_required_result_capabilities",
];

/// Whether the request says that its client can do this.
fn client_can(context: &Context, what: &str) -> bool {
    let said = serde_json::to_value(&context.meta).unwrap_or_default();
    said["io.modelcontextprotocol/clientCapabilities"].get(what).is_some()
}

/// What the first round of a tool that needs more from its client asks for, and the state that goes with it.
fn first_round(tool: &str, context: &Context) -> Option<(Value, Option<&'static str>)> {
    Some(match tool {
        "test_input_required_result_elicitation" | "test_streaming_elicitation" => {
            (json!({"user_name": ask_for("name", "string", "What is your name?")}), None)
        }
        "test_input_required_result_sampling" => {
            (json!({"capital_question": sample("What is the capital of France?", 100)}), None)
        }
        "test_input_required_result_list_roots" => (json!({"client_roots": roots()}), None),
        "test_input_required_result_request_state" | "test_input_required_result_tampered_state" => {
            (json!({"confirm": ask_for("ok", "boolean", "Please confirm")}), Some("sealed-1"))
        }
        "test_input_required_result_multiple_inputs" => (
            json!({
                "user_name": ask_for("name", "string", "What is your name?"),
                "greeting": sample("Generate a greeting", 50),
                "client_roots": roots(),
            }),
            Some("sealed-1"),
        ),
        "test_input_required_result_multi_round" => {
            (json!({"step1": ask_for("name", "string", "Step 1: What is your name?")}), Some("sealed-1"))
        }
        "test_input_required_result_capabilities" => {
            let mut requests = json!({});
            if client_can(context, "sampling") {
                requests["question"] = sample("What now?", 50);
            }
            if client_can(context, "elicitation") {
                requests["name"] = ask_for("name", "string", "What is your name?");
            }
            (requests, None)
        }
        _ => return None,
    })
}

fn input_required(requests: Value, state: Option<&str>) -> InputRequiredResult {
    let mut result = json!({"resultType": "input_required", "inputRequests": requests});
    if let Some(state) = state {
        result["requestState"] = json!(state);
    }
    of(result)
}

impl ServerHandler for Fixture {
    fn get_info(&self) -> ServerConfig {
        let able =
            ServerCapabilities::builder().enable_tools().enable_resources().enable_prompts().enable_completions();
        ServerConfig::new(able.build()).with_server_info(Implementation::new("conformance-fixture", "1"))
    }

    async fn list_tools(&self, _: Option<PaginatedRequestParams>, _: Context) -> Result<ListToolsResult, ErrorData> {
        let plain = |name: &&str| {
            let schema = json!({"type": "object", "properties": {}});
            of::<Tool>(json!({"name": name, "description": "One of the suite's.", "inputSchema": schema}))
        };
        let mut tools: Vec<Tool> = PLAIN_TOOLS.iter().map(plain).collect();
        tools.push(of(json!({
            "name": "json_schema_2020_12_tool",
            "description": "Tool with JSON Schema 2020-12 features",
            "inputSchema": rich_schema(),
        })));
        tools.push(header_tool());
        Ok(ListToolsResult::with_all_items(tools))
    }

    /// Asked before a call, for the parameters that its headers repeat.
    fn get_tool(&self, name: &str) -> Option<Tool> {
        Some(header_tool()).filter(|tool| tool.name == name)
    }

    async fn call_tool(&self, request: CallToolRequestParams, context: Context) -> Result<CallToolResponse, ErrorData> {
        let name = request.name.as_ref();
        let resource = |uri: &str, kind: &str, text: &str| json!({"type": "resource", "resource": {"uri": uri, "mimeType": kind, "text": text}});
        let image = json!({"type": "image", "data": PNG, "mimeType": "image/png"});
        let result = match name {
            "test_simple_text" => text("This is a simple text response for testing."),
            "test_image_content" => json!({"content": [image]}),
            "test_audio_content" => json!({"content": [{"type": "audio", "data": WAV, "mimeType": "audio/wav"}]}),
            "test_embedded_resource" => json!({"content": [resource(
                "test://embedded-resource", "text/plain", "This is an embedded resource content.",
            )]}),
            "test_multiple_content_types" => json!({"content": [
                {"type": "text", "text": "Multiple content types test:"},
                image,
                resource("test://mixed-content-resource", "application/json", r#"{"test":"data","value":123}"#),
            ]}),
            "test_error_handling" => {
                let mut error = text("This tool intentionally returns an error for testing");
                error["isError"] = json!(true);
                error
            }
            "json_schema_2020_12_tool" | "test_header_parameter" | "test_logging_tool" => text("taken"),
            "test_missing_capability" if !client_can(&context, "sampling") => {
                let required = json!({"requiredCapabilities": {"sampling": {}}});
                return Err(ErrorData::new(ErrorCode(-32021), "this tool needs sampling", Some(required)));
            }
            "test_missing_capability" => text("taken"),
            name => return rounds(name, &request, &context),
        };
        Ok(complete::<CallToolResult>(result).into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: Context,
    ) -> Result<ListResourcesResult, ErrorData> {
        let resource = |uri: &str, kind: &str| of(json!({"uri": uri, "name": uri, "mimeType": kind}));
        Ok(ListResourcesResult::with_all_items(vec![
            resource("test://static-text", "text/plain"),
            resource("test://static-binary", "image/png"),
        ]))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: Context,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let template =
            json!({"uriTemplate": "test://template/{id}/data", "name": "data", "mimeType": "application/json"});
        Ok(ListResourceTemplatesResult::with_all_items(vec![of(template)]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: Context,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri.as_str();
        let id = uri.strip_prefix("test://template/").and_then(|rest| rest.strip_suffix("/data"));
        let mut contents = match (uri, id) {
            ("test://static-text", _) => {
                json!({"mimeType": "text/plain", "text": "This is the content of the static text resource."})
            }
            ("test://static-binary", _) => json!({"mimeType": "image/png", "blob": PNG}),
            (_, Some(id)) => {
                let data = json!({"id": id, "templateTest": true, "data": format!("Data for ID: {id}")});
                json!({"mimeType": "application/json", "text": data.to_string()})
            }
            _ => return Err(ErrorData::invalid_params("no such resource", Some(json!({"uri": uri})))),
        };
        contents["uri"] = json!(uri);
        Ok(complete::<ReadResourceResult>(json!({"contents": [contents]})).into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: Context,
    ) -> Result<ListPromptsResult, ErrorData> {
        let prompt = |name: &str, arguments: &[&str]| {
            let arguments: Vec<Value> =
                arguments.iter().map(|name| json!({"name": name, "description": name, "required": true})).collect();
            of(json!({"name": name, "description": "One of the suite's.", "arguments": arguments}))
        };
        Ok(ListPromptsResult::with_all_items(vec![
            prompt("test_simple_prompt", &[]),
            prompt("test_prompt_with_arguments", &["arg1", "arg2"]),
            prompt("test_prompt_with_embedded_resource", &["resourceUri"]),
            prompt("test_prompt_with_image", &[]),
            prompt("test_input_required_result_prompt", &[]),
        ]))
    }

    async fn get_prompt(&self, request: GetPromptRequestParams, _: Context) -> Result<GetPromptResponse, ErrorData> {
        let arguments = serde_json::to_value(&request.arguments).unwrap_or_default();
        let said = |name: &str| arguments[name].as_str().unwrap_or_default().to_owned();
        let user = |content: Value| json!({"role": "user", "content": content});
        let words = |text: &str| json!({"type": "text", "text": text});
        let messages = match request.name.as_str() {
            "test_simple_prompt" => json!([user(words("This is a simple prompt for testing."))]),
            "test_prompt_with_arguments" => {
                let text = format!("Prompt with arguments: arg1='{}', arg2='{}'", said("arg1"), said("arg2"));
                json!([user(words(&text))])
            }
            "test_prompt_with_embedded_resource" => json!([
                user(json!({"type": "resource", "resource": {
                    "uri": said("resourceUri"),
                    "mimeType": "text/plain",
                    "text": "Embedded resource content for testing.",
                }})),
                user(words("Please process the embedded resource above.")),
            ]),
            "test_prompt_with_image" => json!([
                user(json!({"type": "image", "data": PNG, "mimeType": "image/png"})),
                user(words("Please analyze the image above.")),
            ]),
            "test_input_required_result_prompt" => match &request.input_responses {
                None => {
                    let asked = ask_for("context", "string", "What context should the prompt use?");
                    return Ok(GetPromptResponse::InputRequired(input_required(json!({"user_context": asked}), None)));
                }
                Some(_) => json!([user(words("The prompt, in that context."))]),
            },
            _ => return Err(ErrorData::invalid_params("no such prompt", None)),
        };
        Ok(complete::<GetPromptResult>(json!({"messages": messages})).into())
    }

    // Nothing ever changes here, so there is never anything to announce.
    async fn subscribe(&self, _: SubscribeRequestParams, _: Context) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn unsubscribe(&self, _: UnsubscribeRequestParams, _: Context) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn complete(&self, _: CompleteRequestParams, _: Context) -> Result<CompleteResult, ErrorData> {
        Ok(of(json!({"completion": {"values": [], "total": 0, "hasMore": false}})))
    }
}

/// The tools that need something from their client before they answer.
fn rounds(name: &str, request: &CallToolRequestParams, context: &Context) -> Result<CallToolResponse, ErrorData> {
    let unknown = || ErrorData::invalid_params(format!("there is no tool {name}"), None);
    let (requests, state) = first_round(name, context).ok_or_else(unknown)?;
    let answers = serde_json::to_value(&request.input_responses).unwrap_or_default();
    let echoed = request.request_state.as_deref();
    if echoed.is_some_and(|state| !["sealed-1", "sealed-2"].contains(&state)) {
        return Err(ErrorData::invalid_params("the request state was changed on its way", None));
    }
    let keys: Vec<&String> = requests.as_object().into_iter().flat_map(serde_json::Map::keys).collect();
    let second = name.ends_with("multi_round") && echoed == Some("sealed-2");
    let is_named = !keys.iter().any(|key| *key == "user_name") || answers["user_name"]["content"]["name"].is_string();
    let all_there = answers.is_object() && keys.iter().all(|key| answers.get(key.as_str()).is_some()) && is_named;
    if !all_there && !second {
        return Ok(CallToolResponse::InputRequired(input_required(requests, state)));
    }
    if name.ends_with("multi_round") && !second {
        let asked = json!({"step2": ask_for("color", "string", "Step 2: What is your favorite color?")});
        return Ok(CallToolResponse::InputRequired(input_required(asked, Some("sealed-2"))));
    }
    let said = match name {
        "test_input_required_result_elicitation" => {
            format!("Hello, {}!", answers["user_name"]["content"]["name"].as_str().unwrap_or("stranger"))
        }
        "test_input_required_result_request_state" => "state-ok".to_owned(),
        _ => answers.to_string(),
    };
    Ok(complete::<CallToolResult>(text(&said)).into())
}
