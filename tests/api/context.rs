//! `svc-context`, and what `svc-connect` hands over of it, over HTTP and in the user's folder.

use crate::support::Api;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use svc_device::device::{Persistence, state_file::StateFile};
use svc_device::service::Settings;
use tempfile::TempDir;

const TOOL: &str = "svc-context";
const SMALL: &str = "x-svc-small-model-mode: true\r\n";

struct Desk {
    api: Api,
    folder: TempDir,
}

impl Desk {
    fn new() -> Desk {
        let folder = tempfile::tempdir().unwrap();
        let api = Api::keeping(Settings::default(), Persistence::File(StateFile::new(folder.path(), None)));
        Desk { api, folder }
    }

    fn content(&self, arguments: Value) -> String {
        let result = self.api.ok(TOOL, arguments);
        assert_eq!(result.as_object().map(serde_json::Map::len), Some(1), "{result}");
        result["content"].as_str().expect("a text").to_owned()
    }

    fn file(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.folder.path().join(name)).ok()
    }

    fn connected(&self, headers: &str) -> (Vec<String>, Vec<String>) {
        let envelope = self.api.envelope("svc-connect", headers, &json!({}));
        let texts = |member: &str| -> Vec<String> {
            let list = envelope[member].as_array().cloned().unwrap_or_default();
            list.iter().map(|text| text.as_str().expect("a text").to_owned()).collect()
        };
        (texts("appended"), texts("warnings"))
    }
}

#[test]
fn the_documents_are_read_and_written() {
    let desk = Desk::new();
    for (scope, file) in [("project", None), ("global", Some("context.md"))] {
        let with = |mut more: Value| {
            more["scope"] = json!(scope);
            more
        };
        assert_eq!(desk.content(with(json!({}))), "");
        let text = "I make slow techno.\nNever any claps, please.";
        assert_eq!(desk.content(with(json!({"action": "write", "content": text}))), text);
        assert_eq!(desk.content(with(json!({}))), text);
        let refused = desk.api.refused(TOOL, with(json!({"action": "write", "content": "All new"})));
        assert!(
            refused.contains("2 lines") && refused.contains("I make slow techno.") && refused.contains("force: true"),
            "{refused}"
        );
        assert_eq!(desk.content(with(json!({}))), text, "a refusal writes nothing");
        let more = format!("# Who\n- never any CLAPS, please\n{scope}");
        assert_eq!(desk.content(with(json!({"action": "write", "content": more}))), more);
        let forced = with(json!({"action": "write", "content": "All new", "force": true}));
        assert_eq!(desk.content(forced), "All new");
        assert_eq!(file.and_then(|file| desk.file(file)), file.map(|_| "All new".to_owned()));
        assert_eq!(desk.content(with(json!({"action": "write", "content": ""}))), "");
        assert_eq!(file.and_then(|file| desk.file(file)), None);
    }
    // The project's document is the setting, and settings are not guarded.
    desk.content(json!({"action": "write", "content": "about this Set"}));
    assert_eq!(desk.api.request("GET", "/config", "", "").json()["projectContext"], "about this Set");
    desk.api.post("/config", "", &json!({"projectContext": "other"}));
    assert_eq!(desk.content(json!({"action": "read"})), "other");
    let saved: Value = serde_json::from_str(&desk.api.saved()).unwrap();
    assert_eq!(saved["settings"]["projectContext"], "other", "it is saved with the Set");
}

#[test]
fn memory_entries() {
    let desk = Desk::new();
    let write = |name: &str, description: &str, content: &str| {
        let mut arguments = json!({"action": "write", "scope": "memory"});
        for (parameter, text) in [("name", name), ("description", description), ("content", content)] {
            arguments[parameter] = json!(text);
        }
        desk.content(arguments)
    };
    assert_eq!(desk.content(json!({"scope": "memory"})), "# Memory\n\nNo entries.");
    let index = write("Swing Hats", "hat feel: loose, never on the grid", "Keep 56% swing on hats.");
    assert_eq!(index, "# Memory\n- `swing-hats` - hat feel: loose, never on the grid");
    let index = write("bass!", "how bass goes", "Low.");
    assert_eq!(index, "# Memory\n- `bass` - how bass goes\n- `swing-hats` - hat feel: loose, never on the grid");
    assert_eq!(desk.content(json!({"scope": "memory"})), index);
    assert_eq!(desk.file("memory/MEMORY.md"), Some(format!("{index}\n")));
    assert_eq!(desk.content(json!({"scope": "memory", "name": "SWING hats"})), "Keep 56% swing on hats.");
    assert!(desk.content(json!({"scope": "memory", "name": "nothing"})).contains("no memory entry `nothing`"));
    // Not guarded: the same slug is an update.
    write("swing   hats", "new", "All new.");
    assert_eq!(desk.content(json!({"scope": "memory", "name": "swing-hats"})), "All new.");
    let index = desk.content(json!({"action": "delete", "scope": "memory", "name": "bass"}));
    assert_eq!(index, "# Memory\n- `swing-hats` - new");
    let again = desk.api.envelope(TOOL, "", &json!({"action": "delete", "scope": "memory", "name": "bass"}));
    assert_eq!((&again["isError"], &again["result"]["content"]), (&json!(false), &json!(index)), "{again}");
    assert_eq!(again["warnings"], json!(["nothing to delete: there is no memory entry `bass`"]), "{again}");
    // What a user does by hand is seen.
    fs::remove_file(desk.folder.path().join("memory/swing-hats.md")).unwrap();
    assert_eq!(desk.content(json!({"scope": "memory"})), "# Memory\n\nNo entries.");
    assert_eq!(desk.file("memory/MEMORY.md").as_deref(), Some("# Memory\n\nNo entries.\n"));
}

#[test]
fn names_stay_in_the_folder() {
    let desk = Desk::new();
    for name in ["../../escape", "/etc/passwd", "..\\..\\x", "a/../../b", "\u{0}x"] {
        let arguments = json!({"action": "write", "scope": "memory", "name": name, "description": "d", "content": "c"});
        let index = desk.content(arguments);
        assert!(!index.contains(".."), "{index}");
    }
    for name in ["..", "/", "memory", "MEMORY", "con", "Com1", "x".repeat(200).as_str()] {
        let arguments = json!({"action": "write", "scope": "memory", "name": name, "description": "d", "content": "c"});
        if name.len() < 200 {
            assert!(desk.api.refused(TOOL, arguments).contains("cannot name a memory entry"), "{name}");
        } else {
            desk.content(arguments);
        }
    }
    let inside = fs::read_dir(desk.folder.path().join("memory")).unwrap().count();
    assert_eq!(inside, 6, "two of the five are one entry; a long one and the list");
    let above: Vec<_> = fs::read_dir(desk.folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    let ours = |name: &str| {
        matches!(name, "memory" | "bridge" | "state.json" | "library.redb") || name.starts_with(".state.json.")
    };
    assert!(above.iter().all(|name| name.to_str().is_some_and(ours)), "{above:?}");
}

#[test]
fn refusals_write_nothing() {
    let desk = Desk::new();
    desk.content(json!({"action": "write", "scope": "global", "content": "kept"}));
    let before = desk.file("context.md");
    for (arguments, part) in [
        (json!({"action": "write"}), "needs content"),
        (json!({"action": "delete"}), "delete is for entries of scope memory"),
        (json!({"action": "delete", "scope": "global"}), "delete is for"),
        (json!({"action": "write", "scope": "global", "content": "kept", "name": "x"}), "name belongs to scope memory"),
        (json!({"scope": "global", "content": "x"}), "content belongs to action write"),
        (json!({"scope": "memory", "force": true}), "force belongs"),
        (json!({"action": "write", "scope": "global", "content": "k".repeat(10_001)}), "at most 10000"),
    ] {
        let refusal = desk.api.refused(TOOL, arguments.clone());
        assert!(refusal.contains(part), "{arguments}: {refusal}");
    }
    assert_eq!(desk.file("context.md"), before);
    assert!(desk.api.bad(TOOL, json!({"scope": "nobody"}))["details"].is_array());
    assert!(desk.api.bad(TOOL, json!({"force": "true"}))["details"].is_array());
}

#[test]
fn a_context_call_is_no_step_of_undo() {
    let desk = Desk::new();
    desk.content(json!({"action": "write", "content": "x"}));
    assert!(desk.api.refused("svc-manage", json!({"action": "undo"})).contains("nothing to undo"));
    assert_eq!(desk.content(json!({})), "x");
}

#[test]
fn a_device_without_a_folder_says_so() {
    let api = Api::new();
    assert_eq!(api.ok(TOOL, json!({"action": "write", "content": "here"}))["content"], "here");
    assert_eq!(api.ok(TOOL, json!({"scope": "global"}))["content"], "");
    for scope in ["global", "memory"] {
        let arguments = json!({"action": "write", "scope": scope, "content": "x"});
        let mut arguments = arguments;
        if scope == "memory" {
            arguments["name"] = json!("a");
            arguments["description"] = json!("b");
        }
        assert!(api.refused(TOOL, arguments).contains("no folder"), "{scope}");
    }
    let envelope = api.envelope("svc-connect", "", &json!({}));
    let next = envelope["appended"][2].as_str().expect("the next step");
    assert!(!next.contains("Nothing is stored") && !next.contains("do not know this user"), "{next}");
}

#[test]
fn odd_files_are_told_of_once_and_left_alone() {
    let desk = Desk::new();
    let put = |name: &str, bytes: &[u8]| {
        let file = desk.folder.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, bytes).unwrap();
    };
    put("context.md", b"\xff\xfe");
    put("memory/odd.md", b"\xff");
    put("memory/My Note.md", b"x");
    put("memory/good.md", b"plain");
    put("skills/context.md", b"\xff");
    put("skills/history.md", b"---\nenabled: false\n---\n");
    let (blocks, warnings) = desk.connected("");
    assert_eq!(warnings.len(), 4, "{warnings:?}");
    let folder = desk.folder.path().to_str().unwrap();
    for (warning, part) in warnings.iter().zip(["context.md", "memory/", "memory/", "skills/context.md"]) {
        assert!(warning.contains(part) && !warning.contains(folder), "{warning}");
    }
    assert!(blocks[0].contains("# What is remembered") && !blocks[0].contains("# Undo"), "the readable ones count");
    assert!(blocks[1].starts_with("Memory index.") && blocks[1].contains("- `good`"), "{}", blocks[1]);
    assert!(!blocks.last().unwrap().contains("global"), "what cannot be read is not empty");
    assert_eq!(desk.connected("").1, Vec::<String>::new(), "once");
    for arguments in [
        json!({"action": "write", "scope": "global", "content": "x", "force": true}),
        json!({"action": "write", "scope": "memory", "name": "odd", "description": "d", "content": "c"}),
        json!({"scope": "global"}),
        json!({"scope": "memory", "name": "odd"}),
    ] {
        let refusal = desk.api.refused(TOOL, arguments);
        assert!(refusal.contains("UTF-8") && !refusal.contains(folder), "{refusal}");
    }
    assert_eq!(fs::read(desk.folder.path().join("context.md")).unwrap(), b"\xff\xfe");
    assert_eq!(fs::read(desk.folder.path().join("memory/odd.md")).unwrap(), b"\xff");
}

#[test]
fn connect_hands_over_each_layer_in_its_place() {
    let desk = Desk::new();
    let labels = ["Project context (this Live Set):", "Global context (all projects):", "Memory index.", "# Next step"];
    let starts = |headers: &str| {
        let (blocks, warnings) = desk.connected(headers);
        assert_eq!(warnings, Vec::<String>::new());
        assert!(blocks[0].starts_with("# "), "skills come first");
        let rest = blocks[1..].iter().map(|block| labels.iter().position(|l| block.starts_with(l)).expect(block));
        (rest.collect::<Vec<_>>(), blocks.last().cloned().unwrap())
    };
    let (order, next) = starts("");
    assert_eq!(order, [3]);
    assert!(next.contains("Nothing is stored in project, global and memory context."), "{next}");
    assert!(next.contains("You do not know this user yet"), "{next}");
    assert!(!starts(SMALL).1.contains("memory"), "small models have none");
    let withheld = starts("x-svc-disabled-tools: svc-context\r\n").1;
    assert!(!withheld.contains("Nothing is stored") && !withheld.contains("do not know"), "{withheld}");

    let memory = json!({"action": "write", "scope": "memory", "name": "No questions", "description": "asked, said no", "content": "Do not ask."});
    desk.content(memory);
    let (order, next) = starts("");
    assert_eq!(order, [2, 3]);
    assert!(!next.contains("do not know") && next.contains("project and global"), "{next}");
    desk.content(json!({"action": "write", "scope": "global", "content": "Techno."}));
    desk.content(json!({"action": "write", "content": "Slow."}));
    let (order, next) = starts("");
    assert_eq!(order, [0, 1, 2, 3]);
    assert!(!next.contains("Nothing is stored"), "{next}");
    assert_eq!(starts(SMALL).0, [0, 1, 2, 3]);
    let blocks = desk.connected("").0;
    assert_eq!(blocks[1], "Project context (this Live Set):\n\nSlow.");
    assert_eq!(blocks[2], "Global context (all projects):\n\nTechno.");
    assert!(blocks[3].ends_with("\n- `no-questions` - asked, said no"), "{}", blocks[3]);
}

#[test]
fn what_connecting_costs() {
    let desk = Desk::new();
    for notation in ["barbeat", "midi-json", "stark"] {
        for (headers, most) in [("", 6_500), (SMALL, 2_000)] {
            let headers = format!("{headers}x-svc-notation: {notation}\r\nx-svc-live-api: true\r\n");
            let reply = desk.api.post("/api/tools/svc-connect", &headers, &json!({}));
            let tokens = reply.json().to_string().len() / 4;
            assert!(tokens < most, "{notation}: {tokens} tokens, of {most} ({headers})");
        }
    }
}

#[test]
fn a_sidecar_belongs_to_an_opened_file() {
    let (data, project) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let sidecar = project.path().join("svc-context.md");
    let open = |context: &str| {
        let store = StateFile::new(data.path(), Some(project.path().join("song.json")));
        let settings = Settings { project_context: context.to_owned(), ..Settings::default() };
        Api::keeping(settings, Persistence::File(store))
    };
    let read = |file: &Path| fs::read_to_string(file).ok();
    let write =
        |api: &Api, text: &str| api.envelope(TOOL, "", &json!({"action": "write", "content": text, "force": true}));

    let api = open("");
    assert_eq!(read(&sidecar), None);
    write(&api, "A slow song.");
    assert_eq!(read(&sidecar).as_deref(), Some("A slow song."), "it is there when the call is answered");
    drop(api);
    // A device that was replaced, and an older Set.
    let api = open("");
    assert_eq!(api.ok(TOOL, json!({}))["content"], "A slow song.");
    drop(api);
    let api = open("Older.");
    assert_eq!(
        (api.ok(TOOL, json!({}))["content"].as_str(), read(&sidecar).as_deref()),
        (Some("Older."), Some("A slow song."))
    );
    write(&api, "Newer.");
    assert_eq!(read(&sidecar).as_deref(), Some("Newer."));
    write(&api, "");
    assert_eq!(read(&sidecar), None);
    drop(api);
    // One that cannot be read.
    fs::write(&sidecar, b"\xff").unwrap();
    let api = open("");
    let warned = write(&api, "Mine.");
    let text = warned["warnings"][0].as_str().expect("a warning");
    assert!(text.contains("svc-context.md") && !text.contains(project.path().to_str().unwrap()), "{text}");
    assert_eq!(warned["result"]["content"], "Mine.");
    assert_eq!(write(&api, "Mine again.").get("warnings"), None, "once");
    assert_eq!(fs::read(&sidecar).unwrap(), b"\xff");
}

/// A folder whose drive is gone for as long as this lives.
struct Gone {
    folder: PathBuf,
    away: tempfile::TempDir,
}

impl Gone {
    fn of(folder: &Path) -> Gone {
        let away = tempfile::tempdir().expect("a folder");
        fs::rename(folder, away.path().join("folder")).expect("moved away");
        std::os::unix::fs::symlink("/nowhere", folder).expect("a link to nowhere");
        Gone { folder: folder.to_owned(), away }
    }
}

impl Drop for Gone {
    fn drop(&mut self) {
        fs::remove_file(&self.folder).expect("the link");
        fs::rename(self.away.path().join("folder"), &self.folder).expect("moved back");
    }
}

#[test]
fn a_file_that_was_not_written_is_told_of_each_time() {
    let (data, project) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let store = StateFile::new(data.path(), Some(project.path().join("song.json")));
    let api = Api::keeping(Settings::default(), Persistence::File(store));
    let write = |scope: &str, content: &str| {
        let arguments = json!({"action": "write", "scope": scope, "content": content, "force": true});
        api.envelope(TOOL, "", &arguments)
    };
    let sidecar = project.path().join("svc-context.md");
    let gone = Gone::of(project.path());
    for content in ["A slow song.", "A slower song."] {
        let answer = write("project", content);
        let told = answer["warnings"].to_string();
        assert!(
            answer["isError"] == false && told.contains("svc-context.md beside the project could not be"),
            "{answer}"
        );
        assert_eq!(answer["result"]["content"], content, "the context itself is kept");
    }
    drop(gone);
    assert!(!write("project", "The slowest song.")["warnings"].to_string().contains("svc-context.md"));
    assert_eq!(fs::read_to_string(&sidecar).unwrap(), "The slowest song.");

    let gone = Gone::of(data.path());
    for _ in 0..2 {
        let answer = write("global", "Who I am.");
        let why = answer["result"].as_str().unwrap_or_default();
        assert!(answer["isError"] == true && why.contains("context.md could not be written"), "{answer}");
    }
    drop(gone);
    assert_eq!(write("global", "Who I am.")["isError"], false);
}
