//! `docs/object-model.md`: what each member of the class table is on the embedded Set. The page is made from the table
//! and from the list of members without behaviour; this test makes it again and compares, and holds both against the
//! walk.
//!
//! `SVC_UPDATE_DOCS=1 cargo test …` writes the page.

use super::{Call, GROUPS, Group, Object, arrangement, clip, device, drum_rack, grooves, lines, rack};
use indexmap::IndexMap;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::hash::BuildHasher;
use svc_device::object_model::class::{Access, Class, Reach, table};
use svc_device::object_model::{ModelError, ObjectId, ObjectModel, Value};
use svc_device::set::SetState;
use svc_device::set::tables::plain_members::{PlainMember, plain_member};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/object-model.md");

const INTRO: &str = "\
# The Live Object Model on the embedded Set

Made from the class table by a test; do not edit. What each member is when no Live is running:

- **whole**: does here what it does in Live.
- **stored**: kept with the Set and read back; nothing else comes of it, for the reason given.
- **empty**: is there and never holds anything, for the reason given.
- **needs Live**: fails here as it does in Live when it cannot; the reason says what a running Live is needed for.

*Python* marks members that only Python reaches in Live: the raw tool does not know them, the named tools may use them.
*Legacy* marks old members that still work. *Watch only* members can be observed in Live and never read. Inherited members stand
with the class that has them first.
";

fn classes() -> Vec<&'static Class> {
    let mut all: Vec<&Class> = table().classes.values().collect();
    all.sort_by_key(|class| &class.name);
    all
}

/// Members that the class does not inherit.
fn own<T: 'static, S: BuildHasher + 'static>(
    class: &Class,
    members: impl Fn(&'static Class) -> &'static IndexMap<String, T, S>,
) -> Vec<(&'static str, &'static T)> {
    let whole: &'static Class = &table().classes[&class.name];
    let inherited = whole.extends.as_ref().map(|name| members(&table().classes[name]));
    let new = |name: &String| inherited.is_none_or(|above| !above.contains_key(name));
    members(whole).iter().filter(|(name, _)| new(name)).map(|(name, member)| (name.as_str(), member)).collect()
}

/// Whether the class above has it: a rack is a device without some of a device's members.
fn inherited(class: &Class, has: impl Fn(&Class) -> bool) -> bool {
    class.extends.as_ref().is_some_and(|above| has(&table().classes[above]))
}

#[derive(Default)]
struct Counts(BTreeMap<&'static str, usize>);

impl Counts {
    fn status(&mut self, class: &str, member: &str) -> (&'static str, &'static str) {
        let empty = NEVER_HELD.iter().find(|(of, child, _)| *of == class && *child == member);
        let (word, why) = match plain_member(class, member) {
            None if empty.is_some() => ("empty", empty.map_or("", |(_, _, why)| why)),
            None => ("whole", ""),
            Some(PlainMember::Stored(why)) => ("stored", why),
            Some(PlainMember::NeedsLive(why)) => ("needs Live", why),
        };
        *self.0.entry(word).or_default() += 1;
        (word, why)
    }
}

fn reach(reach: Reach) -> &'static str {
    match reach {
        Reach::Python => " *Python*",
        Reach::Legacy => " *Legacy*",
        Reach::Documented | Reach::Both | Reach::Max => "",
    }
}

fn page() -> String {
    let mut counts = Counts::default();
    let mut body = String::new();
    for class in classes() {
        let extends = class.extends.as_ref().map_or(String::new(), |above| format!(", a {above}"));
        let _ = write!(body, "\n## {}{extends}\n", class.name);
        let (children, properties, functions) =
            (own(class, |c| &c.children), own(class, |c| &c.properties), own(class, |c| &c.functions));
        if children.is_empty() && properties.is_empty() && functions.is_empty() {
            body.push_str("\nNo members of its own.\n");
            continue;
        }
        body.push_str("\n| Member | What it is | Here |\n|---|---|---|\n");
        let mut row = |name: &str, what: String, far: Reach| {
            let (word, why) = counts.status(&class.name, name);
            let why = if why.is_empty() { String::new() } else { format!(": {why}") };
            let _ = writeln!(body, "| `{name}` | {what}{} | {word}{why} |", reach(far));
        };
        for (name, child) in children {
            row(name, format!("{} {}", if child.list { "list of" } else { "child" }, child.class), child.reach);
        }
        for (name, property) in properties {
            let access = match property.access {
                Access::Read => "read",
                Access::ReadWrite => "read, write",
                Access::ObserveOnly => "watch only",
            };
            row(name, format!("{}, {access}", property.kind.info_name()), property.reach);
        }
        for (name, function) in functions {
            let args: Vec<String> = function
                .args
                .iter()
                .map(|arg| if arg.optional { format!("[{}]", arg.name) } else { arg.name.clone() })
                .collect();
            row(name, format!("function ({})", args.join(", ")), function.reach);
        }
    }
    let total: usize = counts.0.values().sum();
    let counted: Vec<String> = counts.0.iter().rev().map(|(word, n)| format!("{n} {word}")).collect();
    format!("{INTRO}\n{} classes, {total} members: {}.\n{body}", table().classes.len(), counted.join(", "))
}

#[test]
fn the_page_is_what_the_table_says() {
    let page = page();
    if std::env::var_os("SVC_UPDATE_DOCS").is_some() {
        std::fs::write(PAGE, &page).expect("docs/ is there");
    }
    let kept = std::fs::read_to_string(PAGE).unwrap_or_default();
    let first = kept.lines().zip(page.lines()).find(|(kept, made)| kept != made);
    assert!(kept == page, "docs/object-model.md is not what the table says; SVC_UPDATE_DOCS=1 writes it. {first:?}");
}

/// Classes of which no object can be had, with the reason.
const NEVER_THERE: &[(&str, &str)] =
    &[("this_device", "the device is no object of the Set it holds; the path answers nothing")];

/// The walk looks at every member, and what it finds is what the page says.
#[test]
fn the_walk_is_whole_and_agrees_with_the_page() {
    let objects = || GROUPS.iter().flat_map(|group| group.objects);
    let calls = || GROUPS.iter().flat_map(|group| group.calls);
    let mut wrong = Vec::new();
    for class in classes().into_iter().filter(|class| !NEVER_THERE.iter().any(|(name, _)| *name == class.name)) {
        let name = class.name.as_str();
        let mine: Vec<&Object> = objects().filter(|object| object.class == name).collect();
        if mine.is_empty() {
            wrong.push(format!("{name}: no object is looked at"));
            continue;
        }
        let reached = |far: Reach| far != Reach::Python;
        for (member, property) in &class.properties {
            let shapes: BTreeSet<&str> = mine
                .iter()
                .flat_map(|object| lines(object.own, object.rest))
                .filter(|line| line.name == member)
                .map(|line| line.shape)
                .collect();
            let readable = reached(property.reach) && property.access != Access::ObserveOnly;
            let fails = matches!(plain_member(name, member), Some(PlainMember::NeedsLive(_)));
            let answers = shapes.iter().any(|shape| *shape != "-");
            match (readable && !fails, shapes.is_empty(), answers) {
                (true, true, _) => wrong.push(format!("{name}.{member}: is not looked at")),
                (true, _, false) if !inherited(class, |c| c.properties.contains_key(member)) => {
                    wrong.push(format!("{name}.{member}: never answers"))
                }
                (false, _, true) => wrong.push(format!("{name}.{member}: answers")),
                _ => {}
            }
        }
        for (member, function) in own(class, |c| &c.functions).into_iter().filter(|(_, f)| reached(f.reach)) {
            let mine: Vec<&Call> = calls().filter(|call| call.class == name && call.function == member).collect();
            let works = mine.iter().any(|call| !call.good.is_empty() && call.gives != "refused");
            let fails = matches!(plain_member(name, member), Some(PlainMember::NeedsLive(_)));
            match (mine.is_empty(), works) {
                (true, _) => wrong.push(format!("{name}.{member}(): is not called")),
                (_, true) if fails => wrong.push(format!("{name}.{member}(): works")),
                (_, false) if !fails => wrong.push(format!("{name}.{member}(): never works")),
                _ => {}
            }
            let takes_something = !function.args.is_empty();
            if takes_something && !fails && mine.iter().all(|call| call.bad.is_empty()) {
                wrong.push(format!("{name}.{member}(): is never called with bad arguments"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} gaps:\n{}", wrong.len(), wrong.join("\n"));
}

/// What the raw tool does not know, the named tools may use: none of it is silently missing.
#[test]
fn members_that_only_python_reaches_answer_the_tools() {
    let mut wrong = BTreeSet::new();
    for group in GROUPS {
        let api = group.new_set();
        let mut set = SetState::alone();
        set.replace_document(api.document());
        for object in group.objects {
            let id = set.resolve(object.path).unwrap().unwrap_or_else(|| panic!("{} is there", object.path));
            let class = set.class_of(id).unwrap().expect("a class");
            let mut look = |member: &str, error: Option<ModelError>| {
                let listed = matches!(plain_member(&class.name, member), Some(PlainMember::NeedsLive(_)));
                let unable = matches!(error, Some(ModelError::Unable(_)));
                if listed != unable {
                    wrong.insert(format!("{}.{member}: {error:?}", class.name));
                }
            };
            for (member, property) in class.properties.iter().filter(|(_, p)| p.reach == Reach::Python) {
                if property.access != Access::ObserveOnly {
                    look(member, set.get(id, member).err());
                }
            }
            for (member, function) in class.functions.iter().filter(|(_, f)| f.reach == Reach::Python) {
                // Arguments that are no good are refused as such, not as something that is not there.
                let args = vec![Value::Int(0); function.args.len()];
                look(member, set.call(id, member, &args).err());
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.into_iter().collect::<Vec<_>>().join("\n"));
}

/// Objects beside those of the walk that hold something, and what has to be chosen first.
const HOLDERS: &[(&Group, &str, Option<&str>)] = &[
    (&arrangement::GROUP, "live_set", None),
    (&arrangement::GROUP, "live_set tracks 0", None),
    (&rack::GROUP, "live_set tracks 0 devices 0 chains 0 mixer_device", None),
    (&drum_rack::GROUP, "live_set tracks 0 devices 0 chains 0 mixer_device", None),
    (&device::GROUP, "live_set return_tracks 0 view", Some("select_device live_set return_tracks 0 devices 0")),
    (&clip::GROUP, "live_set view", Some("detail_clip live_set tracks 0 clip_slots 0 clip")),
    (&rack::GROUP, "live_set view", Some("selected_chain live_set tracks 0 devices 0 chains 0")),
    (&rack::GROUP, "live_set tracks 0 devices 0 view", Some("selected_chain live_set tracks 0 devices 0 chains 0")),
    (&grooves::GROUP, "live_set tracks 0 clip_slots 0 clip", Some("groove live_set groove_pool grooves 0")),
];

/// Children that hold nothing on this host, with the reason.
const NEVER_HELD: &[(&str, &str, &str)] = &[
    ("Song", "appointed_device", "no controller is there to appoint one"),
    ("Song.View", "selected_parameter", "a person selects parameters, with the mouse"),
];

/// Every child list and single child is there, and somewhere holds something.
#[test]
fn every_child_holds_something_somewhere() {
    let (mut looked, mut held) = (BTreeSet::new(), BTreeSet::new());
    let walked = GROUPS.iter().flat_map(|group| group.objects.iter().map(move |object| (*group, object.path, None)));
    let api_of = |group: &Group, point: Option<&str>, path: &str| {
        let api = group.new_set();
        if let Some((member, target)) = point.and_then(|text| text.split_once(' ')) {
            let target = json!(format!("id {}", api.id(target)));
            match member {
                "select_device" => api.call("live_set view", member, json!([target])),
                _ => api.set(path, member, target),
            };
        }
        api
    };
    for (group, path, point) in walked.chain(HOLDERS.iter().copied()) {
        let api = api_of(group, point, path);
        let id = ObjectId(api.id(path).parse().expect("a number"));
        let mut set = SetState::alone();
        set.replace_document(api.document());
        let class = set.class_of(id).unwrap().expect("a class");
        for (name, _) in class.children.iter().filter(|(_, child)| child.reach != Reach::Python) {
            let first = |above: &&&Class| {
                is_a(class, &above.name) && own(above, |c| &c.children).iter().any(|(n, _)| n == name)
            };
            let all = classes();
            let key = (all.iter().find(first).expect("a class has it first").name.as_str(), name.as_str());
            // The pair of one that is there, or the flat pairs of several.
            let got = api.get(path, name);
            if got.as_array().is_some_and(|ids| ids.len() >= 2 && ids[1] != 0) {
                held.insert(key);
            }
            looked.insert(key);
        }
    }
    let never: Vec<_> = looked.difference(&held).copied().collect();
    assert_eq!(never, NEVER_HELD.iter().map(|(class, child, _)| (*class, *child)).collect::<Vec<_>>());
}

fn is_a(class: &Class, name: &str) -> bool {
    class.name == name || inherited(class, |above| is_a(above, name))
}
