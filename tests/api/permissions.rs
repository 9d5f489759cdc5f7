//! What a project file asks for: nothing of it is in force until this user has granted it to this project.

use crate::support::Api;
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};
use svc_device::device::Persistence;
use svc_device::device::recovery::JournalFolder;
use svc_device::service::Settings;

/// As a plugin: its state is a project's.
fn plugin(folder: &Path) -> Api {
    Api::keeping(Settings::default(), Persistence::Journal(JournalFolder::in_folder(folder.join("recovery"))))
}

fn config(api: &Api) -> Value {
    api.request("GET", "/config", "", "").json()
}

/// A project of somebody else that asks for everything.
fn project(api: &Api, id: &str, folders: &Value) -> String {
    let mut state: Value = serde_json::from_str(&api.saved()).unwrap();
    state["id"] = json!(id);
    state["settings"]["sampleFolder"] = json!(SAMPLES);
    state["settings"]["allowedFolders"] = folders.clone();
    state["settings"]["liveApiEnabled"] = json!(true);
    state.to_string()
}

fn in_force(api: &Api) -> Value {
    let config = config(api);
    json!([config["sampleFolder"], config["allowedFolders"], config["liveApiEnabled"]])
}

fn wait_until_in_force(api: &Api, wanted: &Value) {
    let end = Instant::now() + Duration::from_secs(10);
    while in_force(api) != *wanted {
        assert!(Instant::now() < end, "{} is in force, wanted {wanted}", in_force(api));
        std::thread::yield_now();
    }
}

fn wait_for_file(file: &Path) {
    let end = Instant::now() + Duration::from_secs(10);
    while !file.exists() {
        assert!(Instant::now() < end, "{} is not written", file.display());
        std::thread::yield_now();
    }
}

const SAMPLES: &str = "/usr/share";
const ID: &str = "0123456789abcdef0123456789abcd01";
const OTHER_ID: &str = "0123456789abcdef0123456789abcd02";

#[test]
fn a_project_gets_what_its_user_granted_and_no_more() {
    let home = tempfile::tempdir().unwrap();
    let folders = json!(["/usr/bin", "/usr/lib"]);
    let nothing = json!(["", [], false]);
    let all = json!([SAMPLES, folders, true]);
    let api = plugin(home.path());
    let text = project(&api, ID, &folders);
    api.device.load_state(&text);
    assert_eq!(in_force(&api), nothing);
    let request = config(&api)["permissionRequest"].clone();
    assert_eq!((&request["sampleFolder"], &request["allowedFolders"]), (&json!(SAMPLES), &folders));
    assert_eq!(request["liveApiEnabled"], true);
    assert!(request["text"].as_str().is_some_and(|text| text.starts_with("this project asks to read")), "{request}");

    let connect = api.envelope("svc-connect", "", &json!({}));
    assert!(connect["warnings"].to_string().contains("this project asks to read"), "{connect}");
    let refused = api.refused("svc-library", json!({ "inFolder": "/usr/bin" }));
    assert!(refused.contains("this project asks") && refused.contains("permissionRequest"), "{refused}");
    let raw = api.post("/api/tools/svc-live-api", "", &json!({ "operations": [] }));
    assert_eq!(raw.status, 404);
    assert!(raw.json()["error"].as_str().is_some_and(|text| text.contains("permissionRequest")), "{}", raw.json());
    let saved: Value = serde_json::from_str(&api.saved()).unwrap();
    assert_eq!(saved["settings"]["allowedFolders"], folders, "what is held is not lost from the project");

    let granted = api.post("/config", "", &json!({ "permissionRequest": "grant" })).json();
    assert_eq!(granted["permissionRequest"], Value::Null);
    assert_eq!(in_force(&api), all);
    api.device.load_state(&text);
    assert_eq!(in_force(&api), all, "the same project, again");
    wait_for_file(&home.path().join("grants.json"));
    api.device.load_state(&project(&api, OTHER_ID, &folders));
    assert_eq!(in_force(&api), nothing, "another project with the same wishes");
    drop(api);

    let api = plugin(home.path());
    api.device.load_state(&text);
    wait_until_in_force(&api, &all);
    assert_eq!(config(&api)["permissionRequest"], Value::Null, "granted before, by this user");
    api.device.load_state(&project(&api, ID, &json!(["/usr/bin", "/usr/lib", "/usr/sbin"])));
    wait_until_in_force(&api, &json!([SAMPLES, [], true]));
    let text = config(&api)["permissionRequest"]["text"].clone();
    assert!(text.as_str().is_some_and(|text| text.contains("/usr/sbin") && !text.contains(SAMPLES)), "{text}");
}

#[test]
fn what_is_dismissed_is_gone_and_what_the_user_sets_is_granted() {
    let home = tempfile::tempdir().unwrap();
    let api = plugin(home.path());
    api.device.load_state(&project(&api, ID, &json!(["/usr/bin"])));
    let dismissed = api.post("/config", "", &json!({ "permissionRequest": "dismiss" })).json();
    assert_eq!(dismissed["permissionRequest"], Value::Null);
    let saved: Value = serde_json::from_str(&api.saved()).unwrap();
    assert_eq!((&saved["settings"]["sampleFolder"], &saved["settings"]["allowedFolders"]), (&json!(""), &json!([])));

    api.device.load_state(&project(&api, ID, &json!(["/usr/bin"])));
    api.post("/config", "", &json!({ "allowedFolders": ["/tmp"] }));
    assert_eq!(in_force(&api), json!(["", ["/tmp"], false]), "an act of the user is in force at once");
    let text = api.saved();
    wait_for_file(&home.path().join("grants.json"));
    drop(api);
    let api = plugin(home.path());
    api.device.load_state(&text);
    wait_until_in_force(&api, &json!(["", ["/tmp"], false]));
    assert_eq!(config(&api)["permissionRequest"]["sampleFolder"], SAMPLES, "still asked for");
}

#[test]
fn the_users_own_state_needs_no_grants() {
    let home = tempfile::tempdir().unwrap();
    let api = Api::in_folder(home.path());
    api.post("/config", "", &json!({ "allowedFolders": ["/usr"], "liveApiEnabled": true }));
    assert_eq!(in_force(&api), json!(["", ["/usr"], true]));
    assert_eq!(config(&api)["permissionRequest"], Value::Null);
}

#[test]
fn what_the_settings_would_refuse_cannot_be_granted() {
    let home = tempfile::tempdir().unwrap();
    let api = plugin(home.path());
    let many: Vec<String> = (0..101).map(|n| format!("/{n}")).collect();
    for (folders, why) in [(json!(["/"]), "root"), (json!(["a"]), "absolute"), (json!(many), "at most 100")] {
        api.device.load_state(&project(&api, ID, &folders));
        let text = config(&api)["permissionRequest"]["text"].as_str().unwrap_or_default().to_owned();
        assert!(text.contains(why), "{text}");
        api.post("/config", "", &json!({ "permissionRequest": "grant" }));
        assert_eq!(in_force(&api), json!([SAMPLES, [], true]), "{why}");
    }
    // Folders are judged by the disk too, as those that the user names; the others are granted.
    let (file, link) = (home.path().join("file"), home.path().join("link"));
    std::fs::write(&file, "x").unwrap();
    let none = home.path().join("none");
    let mut cases = vec![(file, "not a file"), (none, "that is there")];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/", &link).unwrap();
        let (lost, pipe) = (home.path().join("lost"), home.path().join("pipe"));
        std::os::unix::fs::symlink("/nowhere/at/all", &lost).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        cases.extend([(link, "not the root"), (lost, "that is there"), (pipe, "not a file")]);
    }
    for (folder, why) in cases {
        api.device.load_state(&project(&api, ID, &json!(["/usr/bin", folder])));
        let request = config(&api)["permissionRequest"].clone();
        let text = request["text"].as_str().unwrap_or_default();
        assert!(text.contains(why) && text.contains("cannot be granted"), "{text}");
        assert_eq!(request.get("allowedFolders"), None, "{request}");
        let bare = api.post("/config", "", &json!({ "allowedFolders": [folder] }));
        assert_eq!(in_force(&api), json!([SAMPLES, [], true]), "granted before, {why}");
        let again = api.post("/config", "", &json!({ "permissionRequest": "grant" }));
        let (bare, again) = (bare.json(), again.json());
        let said = again["fields"]["permissionRequest"].as_str().unwrap_or_default();
        let wanted = bare["fields"]["allowedFolders"].as_str().unwrap_or("none");
        assert_eq!(said, format!("allowedFolders {wanted}"), "{bare}");
    }
    for bad in [json!("yes"), json!(true), Value::Null] {
        let reply = api.post("/config", "", &json!({ "permissionRequest": bad }));
        assert_eq!(reply.status, 400);
        assert!(reply.json()["fields"]["permissionRequest"].as_str().is_some_and(|why| why.contains("dismiss")));
    }
}

#[test]
fn a_project_with_a_context_that_is_too_long_is_not_read() {
    let home = tempfile::tempdir().unwrap();
    let api = plugin(home.path());
    let mut state: Value = serde_json::from_str(&api.saved()).unwrap();
    state["settings"]["projectContext"] = json!("x".repeat(10_001));
    api.device.load_state(&state.to_string());
    let held = config(&api)["heldState"].as_str().unwrap_or_default().to_owned();
    assert!(held.contains("projectContext") && held.len() < 600, "{held}");
}

/// A folder may come to be there after the project was opened; a link shows where it leads before it is granted.
#[cfg(unix)]
#[test]
fn a_request_shows_where_links_lead() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path().canonicalize().unwrap();
    let (private, link, late) = (home.join("private"), home.join("samples"), home.join("late"));
    std::fs::create_dir(&private).unwrap();
    std::os::unix::fs::symlink(&private, &link).unwrap();
    let api = plugin(&home);
    let signs = "/x\u{1b}[2J\ny\u{202e}";
    api.device.load_state(&project(&api, ID, &json!([link, signs, late])));
    let text = config(&api)["permissionRequest"]["text"].as_str().unwrap_or_default().to_owned();
    let led = format!("\"{}\", which leads to \"{}\"", link.display(), private.display());
    assert!(text.contains(&led) && text.contains("\\u001b[2J\\u000ay\\u202e"), "{text}");
    assert!(!text.contains(['\u{1b}', '\n', '\u{202e}']), "{text}");

    api.device.load_state(&project(&api, ID, &json!([late])));
    std::fs::create_dir(&late).unwrap();
    let granted = api.post("/config", "", &json!({ "permissionRequest": "grant" })).json();
    assert_eq!(granted["allowedFolders"], json!([late]));
}
