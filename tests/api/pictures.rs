//! `svc-read-clip` with `image`: a piano roll, as a data URL over REST and as an image over MCP.

use crate::mcp::{MODERN, ask};
use crate::support::Api;
use serde_json::{Value, json};

/// Width and height in the head of a PNG.
fn png_size(bytes: &[u8]) -> (u32, u32) {
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    (number(16), number(20))
}

fn decoded(base64_text: &str) -> Vec<u8> {
    use base64::Engine;
    base64::engine::general_purpose::STANDARD.decode(base64_text).expect("base64")
}

fn of_url(url: &Value) -> Vec<u8> {
    decoded(url.as_str().expect("a data URL").strip_prefix("data:image/png;base64,").expect("a PNG"))
}

#[test]
fn a_clip_is_drawn() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C3 1|1,2", "name": "a", "length": "2bar"}));
    let read = |include: Value| api.ok("svc-read-clip", json!({"path": "t0/s0", "include": include}));
    let drawn = read(json!(["image"]));
    let picture = of_url(&drawn["image"]);
    assert_eq!(png_size(&picture).0, 960);
    assert_eq!(drawn["noteCount"], 2);
    // All is without it; beside it all is there.
    assert!(read(json!(["*"])).get("image").is_none());
    assert!(read(json!(["*", "image"]))["notes"].is_string());
    // What is heard is what is seen: other notes make another picture, a name does not.
    api.ok("svc-update-clip", json!({"path": "t0/s0", "name": "b"}));
    assert_eq!(of_url(&read(json!(["image"]))["image"]), picture);
    api.ok("svc-update-clip", json!({"path": "t0/s0", "notes": "E3 1|3"}));
    assert_ne!(of_url(&read(json!(["image"]))["image"]), picture);
}

#[test]
fn over_mcp_pictures_are_images() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s0,t0/s1", "notes": "C3 1|1,2"}));
    let arguments = json!({"path": "t0/s0,t0/s5,t0/s1", "include": ["image"]});
    let answer = ask(&api, MODERN, "", "tools/call", json!({"name": "svc-read-clip", "arguments": arguments}));
    let items = answer["content"].as_array().expect("items");
    let kinds: Vec<&str> = items.iter().map(|item| item["type"].as_str().expect("a type")).collect();
    assert_eq!(kinds, ["text", "image", "image"]);
    let text = items[0]["text"].as_str().expect("text");
    assert!(text.contains("picture 1") && text.contains("picture 2") && !text.contains("base64"), "{text}");
    for image in &items[1..] {
        assert_eq!(image["mimeType"], "image/png");
        png_size(&decoded(image["data"].as_str().expect("data")));
    }
}

#[test]
fn what_has_no_picture_says_why() {
    let api = Api::new();
    let many: Vec<String> = (0..9).map(|at| format!("t0/s{at}")).collect();
    let refusal = api.refused("svc-read-clip", json!({"path": many.join(","), "include": ["image"]}));
    assert!(refusal.contains("at most 8") && refusal.contains('9'), "{refusal}");
    // An empty clip has a picture of its empty bars.
    api.ok("svc-create-clip", json!({"path": "t0/s0", "length": "1bar"}));
    of_url(&api.ok("svc-read-clip", json!({"path": "t0/s0", "include": ["image"]}))["image"]);
}

#[test]
fn rows_of_a_drum_rack_are_named() {
    let api = Api::new();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "C1 1|1,2,3,4", "length": "1bar"}));
    let picture = || of_url(&api.ok("svc-read-clip", json!({"path": "t0/s0", "include": ["image"]}))["image"]);
    let plain = picture();
    let wav = format!("{}/tests/fixtures/audio/half.wav", env!("CARGO_MANIFEST_DIR"));
    let params = json!([{"name": "pC1/sample", "value": wav}, {"name": "pC1/name", "value": "Kick"}]);
    api.ok("svc-create-device", json!({"device": "Drum Rack", "path": "t0", "params": params}));
    let named = picture();
    assert_ne!(named, plain);
    let rename = |name: &str| {
        api.ok("svc-update-device", json!({"path": "t0/d0", "params": [{"name": "pC1/name", "value": name}]}));
    };
    rename("Snare");
    assert_ne!(picture(), named, "another name is another picture");
    rename("Kick");
    assert_eq!(picture(), named);
    assert_eq!(png_size(&named), png_size(&plain));
}
