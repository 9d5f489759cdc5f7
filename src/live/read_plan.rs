//! What a bulk read asks for, as the wire has it: parts, shapes, and the members that `all` stands for.

use super::known::{RANK_MEMBERS, ReadMembers};
use super::wire_value::reference;
use crate::object_model::ObjectId;
use crate::object_model::check::{self, Asker};
use crate::object_model::class::{self, Class};
use crate::object_model::scope::{Origin, Part, Shape};
use serde_json::{Map, Value as Json, json};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

/// Of a DeviceParameter its display is read beside its members, which is what tools show of it.
const PARAMETER: &str = "DeviceParameter";
/// Costly lists, and what is another at each look: read where they are asked for.
const LEFT_OUT: [&str; 12] = [
    "available_input_routing_types",
    "available_input_routing_channels",
    "available_output_routing_types",
    "available_output_routing_channels",
    "input_meter_level",
    "input_meter_left",
    "input_meter_right",
    "output_meter_level",
    "output_meter_left",
    "output_meter_right",
    "performance_impact",
    "warp_markers",
];

/// A bulk read in the making.
#[derive(Default)]
pub struct ReadPlan {
    parts: Vec<Json>,
    shapes: Vec<Json>,
    of_scope: HashMap<*const Shape, usize>,
    /// Keeps the shapes above where they are as long as their addresses are looked up.
    kept: Vec<Arc<Shape>>,
    of_members: HashMap<ReadMembers, usize>,
    of_class: HashMap<String, usize>,
    members: Members,
    /// The objects of the parts, where they were named by id, in the order of the parts.
    pub named: Vec<Option<ObjectId>>,
}

/// What the shapes' `all` stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Members {
    #[default]
    None,
    Usual,
    All,
}

impl ReadPlan {
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// What a scope names.
    pub fn scope(&mut self, parts: Vec<Part>) {
        for part in parts {
            let shape = self.shape(&part.shape);
            let of = match part.of {
                Origin::Id(id) => reference(id),
                Origin::Path(path) => json!({ "path": path }),
            };
            self.part(of, shape, None);
        }
    }

    /// What is looked at of any object of that class, `None` where it is not known.
    pub fn object(&mut self, id: ObjectId, class: Option<&Class>) {
        let shape = self.usual_look(class);
        self.part(reference(id), shape, Some(id));
    }

    /// The object that a step of the same program gives, and what is usually looked at.
    pub fn of_step(&mut self, step: usize, class: Option<&Class>) {
        let shape = self.usual_look(class);
        self.part(json!({ "step": step }), shape, None);
    }

    /// The object at a path, and what it stands in.
    pub fn path(&mut self, path: &str) {
        let words: Vec<&str> = path.split_whitespace().collect();
        let mut class = match words.first() {
            Some(&"live_set") => class::class("Song"),
            Some(&"live_app") => class::class("Application"),
            _ => None,
        };
        let mut at = String::new();
        let mut rest = words.iter().peekable();
        if let Some(root) = rest.next() {
            at.push_str(root);
        }
        loop {
            if !self.parts.iter().any(|part| part.pointer("/of/path").and_then(Json::as_str) == Some(&at)) {
                let shape = self.usual_look(class);
                self.part(json!({ "path": at }), shape, None);
            }
            let Some(name) = rest.next() else { break };
            let child = class.and_then(|class| class.children.get(*name));
            at = format!("{at} {name}");
            if child.is_none_or(|child| child.list)
                && let Some(index) = rest.next()
            {
                at = format!("{at} {index}");
            }
            class = child.and_then(|child| class::class(&child.class));
        }
    }

    /// What was read of an object before.
    pub fn again(&mut self, id: ObjectId, members: ReadMembers) {
        let shape = match self.of_members.get(&members) {
            Some(shape) => *shape,
            None => {
                let bare = self.bare();
                let below: Vec<Json> = members.children.iter().map(|name| json!([name, bare])).collect();
                let shape = self.add(json!({
                    "properties": members.properties, "counts": members.counts, "children": below,
                    "notes": members.notes, "display": members.display,
                }));
                self.of_members.insert(members, shape);
                shape
            }
        };
        self.part(reference(id), shape, Some(id));
    }

    fn part(&mut self, of: Json, shape: usize, named: Option<ObjectId>) {
        self.parts.push(json!({ "of": of, "shape": shape }));
        self.named.push(named);
    }

    fn add(&mut self, shape: Json) -> usize {
        self.shapes.push(shape);
        self.shapes.len() - 1
    }

    /// Of an object its id, class and path alone.
    fn bare(&mut self) -> usize {
        self.usual_named("bare", |_| json!({}))
    }

    fn usual_named(&mut self, key: &str, make: impl FnOnce(&mut ReadPlan) -> Json) -> usize {
        if let Some(shape) = self.of_class.get(key) {
            return *shape;
        }
        let shape = make(self);
        let shape = self.add(shape);
        self.of_class.insert(key.to_owned(), shape);
        shape
    }

    /// The usual look at an object: its properties, the lengths of its lists, and its single children, so many levels
    /// down. Of the song also what tracks and scenes there are.
    fn usual(&mut self, class: Option<&Class>, depth: usize) -> usize {
        self.members = self.members.max(Members::Usual);
        let Some(class) = class else { return self.usual_named("any", |_| json!({ "all": true })) };
        let key = format!("{} {depth}", class.name);
        self.usual_named(&key, |plan| {
            let mut counts = Vec::new();
            let mut below = Vec::new();
            for (name, child) in &class.children {
                let of_child = class::class(&child.class);
                let is_rank = class.name == "Song" && ["tracks", "return_tracks", "scenes"].contains(&name.as_str());
                if child.list && is_rank {
                    let named = plan.usual_named("rank", |_| json!({ "properties": RANK_MEMBERS }));
                    below.push(json!([name, named]));
                } else if child.list {
                    counts.push(name);
                } else if name != "canonical_parent" && depth > 0 && class.name != "Song" {
                    below.push(json!([name, plan.usual(of_child, depth - 1)]));
                } else if !child.list {
                    below.push(json!([name, plan.bare()]));
                }
            }
            json!({ "all": true, "counts": counts, "children": below, "display": class.name == PARAMETER })
        })
    }

    /// As deep as tools look: of a track to the parameters of its mixer.
    fn usual_look(&mut self, class: Option<&Class>) -> usize {
        let is_track = class.is_some_and(|class| class.name == "Track");
        self.usual(class, if is_track { 2 } else { 1 })
    }

    fn shape(&mut self, shape: &Arc<Shape>) -> usize {
        if let Some(number) = self.of_scope.get(&Arc::as_ptr(shape)) {
            return *number;
        }
        self.kept.push(shape.clone());
        let number = self.add(Json::Null);
        self.of_scope.insert(Arc::as_ptr(shape), number);
        // Tracks before scenes: by then their slots are known, which scenes only show once more.
        let (scenes, others): (Vec<_>, Vec<_>) = shape.children.iter().partition(|(name, _)| *name == "scenes");
        let below = others.into_iter().chain(scenes);
        let below: Vec<Json> = below.map(|(name, below)| json!([name, self.shape(below)])).collect();
        if shape.all_properties {
            self.members = Members::All;
        }
        if let Some(place) = self.shapes.get_mut(number) {
            *place = json!({
                "properties": shape.properties,
                "all": shape.all_properties,
                "counts": shape.counts,
                "children": below,
                "notes": shape.notes,
                "display": shape.display,
            });
        }
        number
    }

    /// Puts the plan into a message.
    pub fn write_to(self, message: &mut Map<String, Json>) {
        message.insert("parts".to_owned(), self.parts.into());
        message.insert("shapes".to_owned(), self.shapes.into());
        let members = match self.members {
            Members::None => return,
            Members::Usual => &*USUAL,
            Members::All => &*ALL,
        };
        message.insert("members".to_owned(), members.clone());
    }
}

impl Members {
    fn max(self, other: Members) -> Members {
        if self == Members::All { self } else { other }
    }
}

static USUAL: LazyLock<Json> = LazyLock::new(|| members(|name| !LEFT_OUT.contains(&name)));
static ALL: LazyLock<Json> = LazyLock::new(|| members(|_| true));

/// The readable properties of every class.
fn members(is_read: impl Fn(&str) -> bool) -> Json {
    let readable = |class: &Class| -> Vec<String> {
        let names = class.properties.keys().filter(|name| check::readable(class, name, Asker::Tool).is_ok());
        names.filter(|name| is_read(name)).cloned().collect()
    };
    class::table()
        .classes
        .values()
        .map(|class| (class.name.clone(), json!(readable(class))))
        .collect::<Map<_, _>>()
        .into()
}
