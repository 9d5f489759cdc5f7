//! Every device that can be made: made, read with everything, and every parameter written to both ends and to what it
//! began with, by what is shown.

use crate::support::Api;
use serde_json::{Value, json};

const CREATE: &str = "svc-create-device";

/// Parameters whose curve is known, and those that have labels.
#[derive(Default)]
struct Count {
    devices: usize,
    numbers: usize,
    labels: usize,
    raw: usize,
}

fn place(kind: &str) -> &'static str {
    if kind == "audioEffects" { "mt" } else { "t0" }
}

/// Makes the device with these parameters, reads it, takes it away again.
fn made(api: &Api, device: &str, place: &str, params: &Value) -> (Value, Value) {
    let entry = api.ok(CREATE, json!({"device": device, "path": place, "params": params}));
    let path = entry["path"].as_str().unwrap_or_else(|| panic!("{device}: {entry}")).to_owned();
    let read = api.ok("svc-read-device", json!({"path": path, "include": ["*"], "maxDepth": 3}));
    api.ok("svc-delete", json!({"type": "device", "path": path}));
    (entry, read)
}

fn value_at(read: &Value, id_at: usize) -> &Value {
    &read["parameters"][id_at]["value"]
}

#[test]
fn every_device_is_made_read_and_written_to_its_ends() {
    let api = Api::new();
    let list = api.ok(CREATE, json!({}));
    let mut count = Count::default();
    for (kind, names) in list.as_object().expect("kinds") {
        for device in names.as_array().expect("names") {
            let device = device.as_str().expect("a name");
            sweep(&api, device, place(kind), &mut count);
        }
    }
    assert_eq!(count.devices, 65);
    // As many as the device table has curves for, and labels.
    assert!(
        count.numbers > 760 && count.labels > 700 && count.raw > 800,
        "{} {} {}",
        count.numbers,
        count.labels,
        count.raw
    );
}

fn sweep(api: &Api, device: &str, place: &str, count: &mut Count) {
    let (entry, fresh) = made(api, device, place, &json!([]));
    assert!(entry["id"].is_string() && entry.get("detail").is_none(), "{device}: {entry}");
    for field in ["id", "path", "type", "parameters", "actions", "options"] {
        assert!(fresh.get(field).is_some(), "{device} {field}: {fresh}");
    }
    count.devices += 1;
    let none = Vec::new();
    let all = fresh["parameters"].as_array().unwrap_or(&none);
    let parameters: Vec<(usize, &Value)> = all.iter().enumerate().filter(|(_, p)| p.get("id").is_some()).collect();
    // Two parameters of one name cannot be told apart while the device is still to be made.
    let once = |name: &Value| parameters.iter().filter(|(_, p)| p["name"] == *name).count() == 1;
    let parameters: Vec<(usize, &Value)> = parameters.iter().copied().filter(|(_, p)| once(&p["name"])).collect();
    for end in ["min", "max", "value"] {
        let wanted = |p: &Value| -> Value {
            let words = p["alsoAccepts"].as_array().cloned().unwrap_or_default();
            let lowest = words.iter().find(|word| *word == "-inf" && p.get("unit").is_some());
            match (end, p["options"].as_array(), lowest) {
                ("min", Some(labels), _) => labels[0].clone(),
                ("max", Some(labels), _) => labels[labels.len() - 1].clone(),
                ("min", None, Some(word)) => word.clone(),
                _ => p[end].clone(),
            }
        };
        let sent: Vec<Value> = parameters.iter().map(|(_, p)| json!({"name": p["name"], "value": wanted(p)})).collect();
        let (entry, read) = made(api, device, place, &json!(sent));
        let written = entry["params"].as_array().cloned().unwrap_or_default();
        assert_eq!(written.len(), sent.len(), "{device}: {entry}");
        for (((at, p), item), asked) in parameters.iter().zip(&written).zip(&sent) {
            let case = format!("{device} {} {end} {}: {item}", p["name"], asked["value"]);
            assert_eq!(item["name"], p["name"], "{case}");
            assert!(item.get("ok").is_none() && item["id"].is_string(), "{case}");
            assert_eq!(*value_at(&read, *at), asked["value"], "{case}, read {}", read["parameters"][*at]);
            let is_raw = item["detail"].as_str().is_some_and(|text| text.contains("raw number"));
            match (p["options"].is_array(), is_raw, asked["value"].is_number()) {
                (true, ..) => assert!(item["value"] == asked["value"] && item.get("detail").is_none(), "{case}"),
                (_, true, _) => assert!(p.get("unit").is_none(), "{case}"),
                // A plain number that landed as it was sent is not said again.
                (_, _, true) => assert!(item.get("value").is_none() && item.get("detail").is_none(), "{case}"),
                _ => assert!(item["value"] == asked["value"] && item.get("detail").is_none(), "{case}"),
            }
            if end == "value" {
                count.labels += usize::from(p["options"].is_array());
                count.raw += usize::from(is_raw);
                count.numbers += usize::from(!is_raw && !p["options"].is_array());
            }
        }
    }
}
