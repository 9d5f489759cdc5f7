//! The class table, walked: every property of every object of a Set reads with its shape and its starting value, every
//! writable one reads back what was written, and every function answers good arguments as Live does and refuses bad
//! ones.
//!
//! The expectations in the files of this folder are written by hand from what Live documents, not taken from the
//! product's own table. A property's line is `name shape start [write [back]]`: shapes are b (0 or 1), i (whole
//! number), n (number), t (text, which arrives as a number when it is all digits), d (JSON text of a dictionary), I and
//! T (lists of numbers and texts), - (this object has no such member); `?` is any value of the shape. `back` is what
//! reads after the write where that is not what was written: each such line says why.

mod arrangement;
mod clip;
mod device;
mod drum_rack;
mod grooves;
mod group;
mod page;
mod rack;
mod simpler;
mod song;
mod special_devices;
mod special_effects;
mod test_only_devices;
mod track;
mod views;

use crate::support::Api;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Objects that are looked at in one Set.
struct Group {
    /// Makes the objects in a new Set.
    setup: fn(&Api),
    objects: &'static [Object],
    calls: &'static [Call],
}

struct Object {
    path: &'static str,
    /// Its name in the class table; a view's `type` says `View`.
    class: &'static str,
    /// The object's own lines.
    own: &'static str,
    /// Lines for the rest of its class.
    rest: &'static str,
}

/// A function, called with good and with bad arguments.
struct Call {
    path: &'static str,
    class: &'static str,
    function: &'static str,
    /// A JSON list; empty text where no arguments are good on this host. `<path>` stands for `id N` of the object
    /// there.
    good: &'static str,
    /// The shape of the good call's answer: `none` (`["id", 0]`), `id` (a new object), `refused` (1), or a property's.
    gives: &'static str,
    /// JSON lists: each answers 1 and changes nothing.
    bad: &'static [&'static str],
}

/// One file a family of classes.
const GROUPS: &[&Group] = &[
    &song::GROUP,
    &arrangement::GROUP,
    &arrangement::AUDIO_GROUP,
    &arrangement::MARKED_GROUP,
    &track::GROUP,
    &clip::GROUP,
    &device::GROUP,
    &views::GROUP,
    &grooves::GROUP,
    &group::GROUP,
    &rack::GROUP,
    &drum_rack::GROUP,
    &simpler::GROUP,
    &special_devices::GROUP,
    &special_effects::GROUP,
    &test_only_devices::GROUP,
];

impl Group {
    fn new_set(&self) -> Api {
        let api = Api::raw_enabled();
        (self.setup)(&api);
        api
    }
}

/// Changes the Set's document in a way that the object model does not offer. `serial` gives new ones.
pub fn change_document(api: &Api, change: impl FnOnce(&mut Value, &mut dyn FnMut() -> u64)) {
    let mut state: Value = serde_json::from_str(&api.saved()).expect("a state is JSON");
    let mut next = state["set"]["next_serial"].as_u64().expect("a number");
    change(&mut state["set"], &mut || {
        next += 1;
        next - 1
    });
    state["set"]["next_serial"] = next.into();
    api.device.load_state(&state.to_string());
    let taken: Value = serde_json::from_str(&api.saved()).expect("a state is JSON");
    assert_eq!(taken["set"], state["set"], "the document was taken as it is");
}

struct Line {
    name: &'static str,
    shape: &'static str,
    start: Option<Value>,
    write: Option<Value>,
    /// `None`: not looked at.
    back: Option<Value>,
}

fn lines(own: &'static str, rest: &'static str) -> Vec<Line> {
    let mut seen = BTreeSet::new();
    let all = own.lines().chain(rest.lines()).map(|line| line.split('#').next().unwrap_or_default());
    all.filter_map(|line| {
        let mut words = line.split_whitespace();
        let (name, shape) = (words.next()?, words.next().expect("a shape"));
        let mut value =
            || words.next().map(|word| if word == "?" { None } else { Some(serde_json::from_str(word).expect(word)) });
        let (start, write, back) = (value().expect("a start"), value().flatten(), value());
        seen.insert(name).then(|| Line { name, shape, start, back: back.unwrap_or_else(|| write.clone()), write })
    })
    .collect()
}

fn every_object() -> impl Iterator<Item = (&'static Group, &'static Object)> {
    GROUPS.iter().flat_map(|group| group.objects.iter().map(move |object| (*group, object)))
}

/// `get` answers a list for everything that is there; this unwraps it and checks it against the shape.
fn fits(shape: &str, answer: &Value) -> Result<Value, String> {
    let list = answer.as_array();
    let one = || list.filter(|l| l.len() == 1).and_then(|l| l.first());
    let fine = match shape {
        "-" => return if *answer == 1 { Ok(json!(1)) } else { Err(format!("{answer} is an answer")) },
        "b" => one().is_some_and(|v| *v == 0 || *v == 1),
        "i" => one().is_some_and(Value::is_i64),
        "n" => one().is_some_and(Value::is_number),
        "t" => one().is_some_and(|v| v.is_string() || v.is_u64()),
        "d" => one()
            .and_then(Value::as_str)
            .and_then(|t| serde_json::from_str::<Value>(t).ok())
            .is_some_and(|v| v.is_object()),
        "I" => list.is_some_and(|l| l.iter().all(Value::is_number)),
        "T" => list.is_some_and(|l| l.iter().all(Value::is_string)),
        other => panic!("{other} is no shape"),
    };
    match (fine, shape) {
        (false, _) => Err(format!("{answer} is no {shape}")),
        (true, "I" | "T") => Ok(answer.clone()),
        (true, _) => Ok(answer[0].clone()),
    }
}

/// Puts `id N` for each `<path>`.
fn with_ids(api: &Api, args: &str) -> String {
    let mut parts = args.split('<');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (path, rest) = part.split_once('>').expect("a path ends with >");
        out += &format!("id {}{rest}", api.id(path));
    }
    out
}

/// The path of a sound file.
fn fixture(name: &str) -> String {
    format!("{}/tests/fixtures/audio/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn every_property_reads_with_its_shape_and_start() {
    let mut wrong = Vec::new();
    for (group, Object { path, class, own, rest }) in every_object() {
        let api = group.new_set();
        let kind = api.raw(path, json!([{"type": "get_property", "property": "type"}])).remove(0);
        let says = match *class {
            view if view.ends_with(".View") => "View",
            "CcControlDevice" | "DrumCellDevice" => "Device",
            class => class,
        };
        assert_eq!(kind, says, "{path}");
        for line in lines(own, rest) {
            match (fits(line.shape, &api.get(path, line.name)), &line.start) {
                (Err(why), _) => wrong.push(format!("{path} {}: {why}", line.name)),
                (Ok(got), Some(start)) if got != *start => {
                    wrong.push(format!("{path} {}: {got}, not {start}", line.name))
                }
                _ => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_writable_property_reads_back() {
    let mut wrong = Vec::new();
    for (group, Object { path, own, rest, .. }) in every_object() {
        for line in lines(own, rest) {
            let Some(value) = line.write else { continue };
            // A Set of its own for each, so that no write hides behind another.
            let api = group.new_set();
            let got = api.set(path, line.name, value.clone());
            if line.back.as_ref().is_some_and(|back| got != json!([back])) {
                wrong.push(format!("{path} {} = {value}: reads {got}", line.name));
            }
            // Saved and loaded, it is still there.
            let saved = api.saved();
            api.device.load_state(&saved);
            // The transport's own switches are pressed, not kept.
            let pressed = line.name.starts_with("nudge") || line.name.starts_with("is_ableton_link");
            let pressed = pressed || ["start_time", "record_mode", "session_record"].contains(&line.name);
            if line.back.is_some() && !pressed && !path.ends_with("view") {
                let after = api.get(path, line.name);
                if after != got {
                    wrong.push(format!("{path} {} = {value}: {after} after loading", line.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_not_writable_is_not_written() {
    let mut wrong = Vec::new();
    for (group, Object { path, own, rest, .. }) in every_object() {
        let api = group.new_set();
        let before = api.saved();
        for line in lines(own, rest).into_iter().filter(|line| line.write.is_none()) {
            // Of the right type, where the type takes it.
            for value in [json!(1), json!("x"), json!([1, 2])] {
                let writable_elsewhere = ["routing", "value", "display_value"].iter().any(|w| line.name.contains(w));
                if !writable_elsewhere {
                    api.set(path, line.name, value.clone());
                    if api.saved() != before {
                        wrong.push(format!("{path} {} = {value}", line.name));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Walks down from the Set and the application through every child that `info` lists, and reads all there is.
#[test]
fn every_live_object_reads_whole() {
    let api = clip::GROUP.new_set();
    let before = api.saved();
    let mut queue = vec!["live_set".to_owned(), "live_app".to_owned()];
    let mut seen = BTreeSet::new();
    let mut properties_read = 0;
    while let Some(path) = queue.pop() {
        let id = api.id(&path);
        if !seen.insert(id.clone()) {
            continue;
        }
        // The default devices have dozens of parameters each, all of one make.
        if seen.len() > 40 && path.contains("parameters") {
            continue;
        }
        let info = api.raw(&path, json!([{"type": "info"}])).remove(0);
        let info = info.as_str().expect("a text").to_owned();
        let named: Vec<(String, String)> = info
            .lines()
            .filter_map(|line| line.split_once(' '))
            .map(|(section, rest)| (section.to_owned(), rest.split(' ').next().unwrap_or_default().to_owned()))
            .collect();
        let properties: Vec<&String> = named.iter().filter(|(s, _)| s == "property").map(|(_, n)| n).collect();
        for chunk in properties.chunks(50) {
            let operations: Vec<Value> = chunk.iter().map(|name| json!({"type": "get", "property": name})).collect();
            for (name, got) in chunk.iter().zip(api.raw(&path, json!(operations))) {
                assert!(got.is_array(), "{path} {name}: {got}");
                properties_read += 1;
            }
        }
        for (section, child) in named.iter().filter(|(s, _)| s.starts_with("child")) {
            let ids = api.raw(
                &path,
                json!([{"type": "getChildIds", "property": child}, {"type": "getcount", "property": child}]),
            );
            let list = ids[0].as_array().expect("a list");
            assert_eq!(json!(list.len()), ids[1], "{path} {section} {child}");
            for id in list {
                let id = id.as_str().expect("an id");
                let found = api.raw_call(id, json!([{"type": "exists"}]));
                assert_eq!(found["results"][0]["result"], true, "{path} {child} {id}");
                let own = found["path"].as_str().expect("a path");
                assert_eq!(format!("id {}", api.id(own)), id, "{own} leads back to it");
                queue.push(own.to_owned());
            }
        }
    }
    assert!(seen.len() > 100 && properties_read > 1000, "{} objects, {properties_read} properties", seen.len());
    assert_eq!(api.saved(), before, "reading changes nothing");
}

#[test]
fn every_function_takes_good_arguments_and_refuses_bad_ones() {
    let mut wrong = Vec::new();
    for (group, call) in GROUPS.iter().flat_map(|group| group.calls.iter().map(move |call| (group, call))) {
        let Call { path, class, function, good, gives, bad } = call;
        let name = format!("{class}.{function}");
        let run = |api: &Api, args: &str| {
            let args = with_ids(api, args);
            let args: Value = serde_json::from_str(&args).unwrap_or_else(|e| panic!("{name} {args}: {e}"));
            api.raw(path, json!([{"type": "call", "method": function, "args": args}])).remove(0)
        };
        for args in *bad {
            let api = group.new_set();
            let before = api.saved();
            let got = run(&api, args);
            if got != 1 || api.saved() != before {
                wrong.push(format!("{path} {name}{args}: {got}, and the Set changed: {}", api.saved() != before));
            }
        }
        if !good.is_empty() {
            let got = run(&group.new_set(), good);
            let fine = match *gives {
                "none" => got == json!(["id", 0]),
                "id" => got[0] == "id" && got[1].as_u64().is_some_and(|id| id > 0),
                "refused" => got == 1,
                shape => fits(shape, &got).is_ok(),
            };
            if !fine {
                wrong.push(format!("{path} {name}{good}: {got} is no {gives}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
