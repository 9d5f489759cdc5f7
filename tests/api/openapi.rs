//! `/openapi.json`: it describes what is served, and its examples go well.

use crate::support::Api;
use serde_json::{Value, json};
use svc_device::device::Persistence;
use svc_device::device::state_file::StateFile;
use svc_device::service::Settings;

fn page(api: &Api, headers: &str) -> Value {
    api.request("GET", "/openapi.json", headers, "").json()
}

#[test]
fn every_listed_tool_has_a_path_with_the_listed_schema() {
    let api = Api::new();
    let profiles =
        ["", "x-svc-live-api: true\r\n", "x-svc-notation: midi-json\r\n", "x-svc-small-model-mode: true\r\n"];
    for headers in profiles {
        let page = page(&api, headers);
        assert_eq!((&page["openapi"], &page["info"]["version"]), (&json!("3.1.0"), &json!(svc_device::VERSION)));
        let tools = api.request("GET", "/api/tools", headers, "").json();
        let tools = tools["tools"].as_array().expect("tools");
        for tool in tools {
            let name = tool["name"].as_str().expect("a name");
            let post = &page["paths"][format!("/api/tools/{name}")]["post"];
            assert_eq!(post["operationId"], name);
            assert_eq!(post["description"], tool["description"]);
            let mut schema = post["requestBody"]["content"]["application/json"]["schema"].clone();
            for (property, listed) in tool["inputSchema"]["properties"].as_object().expect("properties") {
                // Only the bounds of whole numbers are added.
                if listed["type"] == "integer" && listed.get("minimum").is_none() {
                    let described = schema["properties"][property].as_object_mut().expect("a schema");
                    assert!(described.remove("minimum").is_some() && described.remove("maximum").is_some(), "{name}");
                }
            }
            assert_eq!(schema, tool["inputSchema"], "{name}");
        }
        let paths = page["paths"].as_object().expect("paths").keys();
        assert_eq!(paths.filter(|path| path.starts_with("/api/tools/")).count(), tools.len(), "{headers}");
    }
}

#[test]
fn every_path_is_served_and_every_reference_leads_somewhere() {
    let folder = tempfile::tempdir().expect("a folder");
    let settings = Settings { live_api_enabled: true, ..Settings::default() };
    let api = Api::keeping(settings, Persistence::File(StateFile::new(folder.path(), None)));
    let page = page(&api, "");
    for (path, methods) in page["paths"].as_object().expect("paths") {
        for method in methods.as_object().expect("methods").keys() {
            // A stream has no end to be read to.
            let method = if path == "/api/events" { "head" } else { method };
            let reply = api.request(&method.to_uppercase(), path, "", if method == "post" { "{}" } else { "" });
            // A file is no JSON, and there is none of that name.
            let served = match (path.as_str(), method) {
                ("/api/files", "post") => reply.status == 415,
                ("/api/files/{name}", _) => reply.status == 404,
                _ => matches!(reply.status, 200 | 400),
            };
            assert!(served, "{method} {path}: {}", reply.json());
        }
    }
    let mut open = vec![&page];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(list) => open.extend(list),
            Value::Object(map) => {
                if let Some(target) = map.get("$ref").and_then(Value::as_str) {
                    assert!(page.pointer(target.trim_start_matches('#')).is_some(), "{target}");
                }
                open.extend(map.values());
            }
            _ => {}
        }
    }
}

#[test]
fn examples_go_well() {
    let api = Api::raw_enabled();
    let fresh = api.saved();
    let page = page(&api, "");
    for (path, methods) in page["paths"].as_object().expect("paths") {
        let Some(tool) = path.strip_prefix("/api/tools/") else { continue };
        let examples = &methods["post"]["requestBody"]["content"]["application/json"]["examples"];
        for (name, example) in examples.as_object().into_iter().flatten() {
            api.device.load_state(&fresh);
            let answer = api.envelope(tool, "", &example["value"]);
            assert_eq!(answer["isError"], false, "{tool} {name}: {answer}");
            assert!(answer.get("warnings").is_none(), "{tool} {name}: {answer}");
        }
    }
}

/// The settings that are described are those that are served.
#[test]
fn the_settings_are_described() {
    let api = Api::new();
    let page = page(&api, "");
    let served = api.request("GET", "/config", "", "").json();
    for name in page["components"]["schemas"]["SettingsChange"]["properties"].as_object().expect("members").keys() {
        assert!(served.get(name).is_some(), "{name} is a setting");
        assert!(!page["components"]["schemas"]["Settings"]["properties"][name].is_null(), "{name} is described");
    }
}
