//! Every device that can be made: made, read with everything, and every parameter written as it is shown and read back.
//!
//! Each parameter stands, one after the other, at both ends, at what it began with and at places between, put there by
//! its raw number. What a read then shows (the number with its unit, the label as it is, in other letters and without
//! blanks, the raw number) is written back from somewhere else, and has to read the same.

use crate::support::Api;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const CREATE: &str = "svc-create-device";
const UPDATE: &str = "svc-update-device";

/// How many were written and read back, by what.
#[derive(Debug, Default, PartialEq)]
struct Count {
    devices: usize,
    parameters: usize,
    numbers: usize,
    labels: usize,
    raw: usize,
}

fn place(kind: &str) -> &'static str {
    if kind == "audioEffects" { "mt" } else { "t0" }
}

#[test]
fn every_parameter_of_every_device_is_written_as_it_is_shown() {
    let api = Api::raw_enabled();
    let list = api.ok(CREATE, json!({}));
    let mut count = Count::default();
    for (kind, names) in list.as_object().expect("kinds") {
        for device in names.as_array().expect("names") {
            let device = device.as_str().expect("a name");
            Sweep::of(&api, device, place(kind)).run(&mut count);
        }
    }
    assert_eq!((count.devices, count.parameters), (65, 2468), "{count:?}");
    // Of each parameter five places.
    assert_eq!(count.raw, 5 * 2468, "{count:?}");
    assert!(count.numbers > 8_000 && count.labels > 19_000, "{count:?}");
}

/// The raw number to put a parameter to, by its lowest, its highest and its first.
type Place<'a> = &'a dyn Fn(&[f64; 3]) -> f64;

struct Sweep<'a> {
    api: &'a Api,
    device: &'a str,
    path: String,
    /// By id: the raw ends and the default.
    raw: BTreeMap<String, [f64; 3]>,
}

impl Sweep<'_> {
    fn of<'a>(api: &'a Api, device: &'a str, place: &str) -> Sweep<'a> {
        let entry = api.ok(CREATE, json!({"device": device, "path": place}));
        assert!(entry["id"].is_string() && entry.get("detail").is_none(), "{device}: {entry}");
        let path = entry["path"].as_str().expect("a path").to_owned();
        let fresh = api.ok("svc-read-device", json!({"path": path, "include": ["*"], "maxDepth": 3}));
        for field in ["id", "path", "type", "parameters", "actions", "options"] {
            assert!(fresh.get(field).is_some(), "{device} {field}: {fresh}");
        }
        let mut sweep = Sweep { api, device, path, raw: BTreeMap::new() };
        for parameter in sweep.read() {
            let id = parameter["id"].as_str().expect("an id").to_owned();
            let get = |property: &str| json!({"type": "get", "property": property});
            let numbers = api.raw(&format!("id {id}"), json!([get("min"), get("max"), get("value")]));
            let number = |at: usize| {
                let value = &numbers[at];
                value.get(0).unwrap_or(value).as_f64().unwrap_or_else(|| panic!("{device} {parameter}: {value}"))
            };
            sweep.raw.insert(id, [number(0), number(1), number(2)]);
        }
        sweep
    }

    /// The parameters that the object model has, with their values.
    fn read(&self) -> Vec<Value> {
        let read = self.api.ok("svc-read-device", json!({"path": self.path, "include": ["param-values"]}));
        let all = read["parameters"].as_array().cloned().unwrap_or_default();
        all.into_iter().filter(|p| p.get("id").is_some()).collect()
    }

    fn write(&self, items: &[(String, Value)]) -> Vec<Value> {
        let params: Vec<Value> = items.iter().map(|(id, value)| json!({"id": id, "value": value})).collect();
        let entry = self.api.ok(UPDATE, json!({"path": self.path, "params": params}));
        entry["params"].as_array().cloned().unwrap_or_else(|| panic!("{}: {entry}", self.device))
    }

    /// Puts every parameter to a place of its raw range.
    fn put(&self, at: impl Fn(&[f64; 3]) -> f64) {
        let items: Vec<(String, Value)> =
            self.raw.iter().map(|(id, raw)| (id.clone(), json!(format!("{} raw", at(raw))))).collect();
        for entry in self.write(&items) {
            assert!(entry.get("ok").is_none(), "{}: {entry}", self.device);
        }
    }

    fn run(&self, count: &mut Count) {
        count.devices += 1;
        count.parameters += self.raw.len();
        let between = |t: f64| move |raw: &[f64; 3]| raw[0] + (raw[1] - raw[0]) * t;
        let places: [Place; 5] = [&|raw| raw[0], &|raw| raw[1], &|raw| raw[2], &between(0.3), &between(0.75)];
        for (which, at) in places.iter().enumerate() {
            self.put(at);
            let shown = self.read();
            for parameter in &shown {
                self.look(parameter, which == 2);
            }
            self.written_back(&shown, number_with_unit, true, &mut count.numbers);
            self.written_back(&shown, label, false, &mut count.labels);
            // How it is typed does not depend on the place.
            if which == 3 {
                for respelled in [label_in_capitals, label_in_small_letters, label_without_blanks] {
                    self.written_back(&shown, respelled, false, &mut count.labels);
                }
            }
            // The raw number comes back to the digit, or as the nearest step.
            self.put(at);
            assert_eq!(self.read(), shown, "{}", self.device);
            count.raw += shown.len();
        }
        self.api.ok("svc-delete", json!({"type": "device", "path": self.path}));
    }

    /// A number has its ends and a label; its unit is told where it has one. A step has its labels.
    fn look(&self, parameter: &Value, fresh: bool) {
        let case = format!("{} (fresh: {fresh}): {parameter}", self.device);
        let stepped = parameter["options"].is_array();
        assert_eq!(parameter["label"].is_string(), !stepped, "{case}");
        assert_eq!(parameter["min"].is_null(), stepped, "{case}");
        let told = parameter.to_string();
        assert!(!told.contains("raw") && !told.contains("measured"), "{case}");
        if stepped {
            let options = parameter["options"].as_array().expect("labels");
            assert!(options.contains(&parameter["value"]), "{case}");
        }
    }

    /// Writes what each parameter shows from another place of its range, and reads it again.
    fn written_back(&self, shown: &[Value], spell: fn(&Value) -> Option<Value>, exactly: bool, count: &mut usize) {
        self.put(|raw| raw[0] + (raw[1] - raw[0]) * 0.5);
        let spelled = shown.iter().filter_map(|p| Some((p["id"].as_str()?.to_owned(), spell(p)?)));
        let items: Vec<(String, Value)> = spelled.collect();
        if items.is_empty() {
            return;
        }
        let written = self.write(&items);
        assert_eq!(written.len(), items.len(), "{}", self.device);
        let now = self.read();
        for ((id, sent), entry) in items.iter().zip(&written) {
            let find = |list: &[Value]| list.iter().find(|p| p["id"] == **id).cloned().unwrap_or_default();
            let (before, after) = (find(shown), find(&now));
            let case = format!("{} {} {sent}: {entry}, was {before}, reads {after}", self.device, before["name"]);
            assert!(entry.get("ok").is_none(), "{case}");
            if exactly {
                assert_eq!(after["value"], before["value"], "{case}");
            } else {
                // A label has few digits; what it was written as is shown by the same one. A step has its label alone.
                assert_eq!(one_spelling(&after["label"]), one_spelling(&before["label"]), "{case}");
                assert!(before["label"].is_string() || after["value"] == before["value"], "{case}");
            }
            *count += 1;
        }
    }
}

/// `850 Hz`, `4`, `-inf`, `20L`; steps have none.
fn number_with_unit(parameter: &Value) -> Option<Value> {
    if parameter["options"].is_array() {
        return None;
    }
    let unit = parameter["unit"].as_str().filter(|unit| !matches!(*unit, "pan" | "note"));
    Some(match (&parameter["value"], unit) {
        (Value::Number(number), Some(unit)) => json!(format!("{number} {unit}")),
        (value, _) => value.clone(),
    })
}

fn label(parameter: &Value) -> Option<Value> {
    let label = if parameter["options"].is_array() { &parameter["value"] } else { &parameter["label"] };
    Some(label.clone())
}

/// As somebody might type it.
fn respelled(parameter: &Value, respell: fn(&str) -> String) -> Option<Value> {
    label(parameter)?.as_str().map(|label| json!(respell(label)))
}

fn label_in_capitals(parameter: &Value) -> Option<Value> {
    respelled(parameter, str::to_uppercase)
}

fn label_in_small_letters(parameter: &Value) -> Option<Value> {
    respelled(parameter, str::to_lowercase)
}

fn label_without_blanks(parameter: &Value) -> Option<Value> {
    respelled(parameter, |label| label.replace(' ', ""))
}

/// Live prints 1000 Hz of one fresh band, and 1.00 kHz everywhere else.
fn one_spelling(label: &Value) -> &str {
    label.as_str().map_or("", |label| if label == "1000 Hz" { "1.00 kHz" } else { label })
}
