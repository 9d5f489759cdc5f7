//! The class table: every class, child, property and function of the Live Object Model, as data.
//!
//! The table (`data/classes.json`) is the one statement of what exists, with which type, access, range and default.
//! Code reads it; no class is spelled out in code unless it behaves in a way that the table cannot say.

use foldhash::fast::FixedState;
use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::Value as Json;
use std::collections::HashMap;
use std::sync::LazyLock;

/// Found by name in a few nanoseconds: every read of the model looks here twice. The names are the table's own, so
/// nobody can choose them to collide.
pub type ByName<T> = IndexMap<String, T, FixedState>;

/// A class with everything it inherits folded in.
#[derive(Debug)]
pub struct Class {
    /// Name in the table, such as `Song.View`.
    pub name: String,
    /// The class it inherits from.
    pub extends: Option<String>,
    /// What the object calls itself; every view says `View`.
    pub type_name: String,
    pub children: ByName<Child>,
    pub properties: ByName<Property>,
    pub functions: ByName<Function>,
}

/// A child object or a list of them.
#[derive(Clone, Debug, Deserialize)]
pub struct Child {
    #[serde(rename = "type")]
    pub class: String,
    #[serde(default)]
    pub list: bool,
    access: String,
    #[serde(default)]
    pub reach: Reach,
}

impl Child {
    pub fn writable(&self) -> bool {
        self.access.contains("write")
    }
}

#[derive(Clone, Debug, Deserialize)]
pub struct Property {
    #[serde(rename = "type")]
    pub kind: ValueKind,
    pub access: Access,
    pub min: Option<f64>,
    pub max: Option<f64>,
    pub default: Option<Json>,
    #[serde(rename = "enum")]
    choices: Option<Json>,
    pub unit: Option<String>,
    #[serde(default)]
    pub reach: Reach,
    /// The numbers that may be written, when the table lists them.
    #[serde(skip)]
    pub numbers: Option<Vec<i64>>,
    /// What those numbers are called, in their order; none where the table lists bare numbers.
    #[serde(skip)]
    pub labels: Option<Vec<String>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum ValueKind {
    #[serde(rename = "bool")]
    Bool,
    #[serde(rename = "int")]
    Int,
    #[serde(rename = "float")]
    Float,
    #[serde(rename = "str")]
    Text,
    #[serde(rename = "dict")]
    Dict,
    #[serde(rename = "list[int]")]
    Ints,
    #[serde(rename = "list[bool]")]
    Bools,
    #[serde(rename = "list[str]")]
    Texts,
    #[serde(rename = "list")]
    List,
    #[serde(rename = "bang")]
    Bang,
    #[serde(rename = "Browser")]
    Browser,
}

impl ValueKind {
    /// The type as an object's `info` prints it.
    pub fn info_name(self) -> &'static str {
        match self {
            ValueKind::Bool => "bool",
            ValueKind::Int => "int",
            ValueKind::Float => "float",
            ValueKind::Text => "str",
            ValueKind::Dict => "dict",
            ValueKind::Ints => "IntVector",
            ValueKind::Bools | ValueKind::List => "list",
            ValueKind::Texts => "StringVector",
            ValueKind::Bang => "bang",
            ValueKind::Browser => "Browser",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Access {
    #[serde(rename = "r")]
    Read,
    #[serde(rename = "rw")]
    ReadWrite,
    #[serde(rename = "observe-only")]
    ObserveOnly,
}

/// From where a member can be used. Members that only Python reaches are unknown to the raw tool; tools may use them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reach {
    #[default]
    Documented,
    Both,
    Max,
    Python,
    Legacy,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Function {
    pub args: Vec<Argument>,
    pub returns: String,
    #[serde(default)]
    pub reach: Reach,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Argument {
    pub name: String,
    #[serde(rename = "type", default)]
    pub kind: Option<String>,
    #[serde(default)]
    pub optional: bool,
}

/// Everything in `data/classes.json`.
#[derive(Debug)]
pub struct ClassTable {
    pub classes: ByName<Class>,
    /// The 70 palette colours, 0xRRGGBB.
    pub palette: Vec<u32>,
    pub enums: HashMap<String, Json>,
}

#[derive(Deserialize)]
struct RawTable {
    enums: HashMap<String, Json>,
    palette: Vec<u32>,
    classes: ByName<RawClass>,
}

#[derive(Deserialize)]
struct RawClass {
    type_name: String,
    extends: Option<String>,
    children: ByName<Child>,
    properties: ByName<Property>,
    functions: ByName<Function>,
}

/// The table, read once.
pub fn table() -> &'static ClassTable {
    static TABLE: LazyLock<ClassTable> = LazyLock::new(|| {
        // The text is part of the library; a test reads it, so this cannot fail in a release.
        let raw: RawTable =
            serde_json::from_str(include_str!("data/classes.json")).expect("data/classes.json is well formed");
        raw.build()
    });
    &TABLE
}

/// The class of that name.
pub fn class(name: &str) -> Option<&'static Class> {
    table().classes.get(name)
}

/// The name of the class that `name` inherits from.
pub fn parent(name: &str) -> Option<&'static str> {
    class(name)?.extends.as_deref()
}

impl RawTable {
    fn build(self) -> ClassTable {
        let mut classes = ByName::default();
        for name in self.classes.keys() {
            let mut chain = Vec::new();
            let mut at = Some(name);
            while let Some(raw) = at.and_then(|n| self.classes.get(n)) {
                chain.push(raw);
                at = raw.extends.as_ref();
            }
            let mut class = Class {
                name: name.clone(),
                extends: chain.first().and_then(|raw| raw.extends.clone()),
                type_name: chain.first().map(|raw| raw.type_name.clone()).unwrap_or_default(),
                children: ByName::default(),
                properties: ByName::default(),
                functions: ByName::default(),
            };
            for raw in chain.into_iter().rev() {
                class.children.extend(raw.children.clone());
                class.functions.extend(raw.functions.clone());
                for (member, property) in &raw.properties {
                    let mut property = property.clone();
                    property.numbers = property.choices.as_ref().and_then(|choices| self.numbers(choices));
                    property.labels = property.choices.as_ref().and_then(|choices| self.labels(choices));
                    class.properties.insert(member.clone(), property);
                }
            }
            classes.insert(name.clone(), class);
        }
        ClassTable { classes, palette: self.palette, enums: self.enums }
    }

    /// The written numbers of an enum: `"@name"`, an object keyed by number, a list of numbers, or of texts that are
    /// counted.
    fn numbers(&self, choices: &Json) -> Option<Vec<i64>> {
        match choices {
            Json::String(name) => self.numbers(self.enums.get(name.strip_prefix('@')?)?),
            Json::Object(map) => map.keys().map(|key| key.parse().ok()).collect(),
            Json::Array(list) if list.iter().all(Json::is_string) => Some((0..).zip(list).map(|(at, _)| at).collect()),
            Json::Array(list) => list.iter().map(Json::as_i64).collect(),
            _ => None,
        }
    }

    fn labels(&self, choices: &Json) -> Option<Vec<String>> {
        let text = |label: &Json| label.as_str().map(str::to_owned);
        match choices {
            Json::String(name) => self.labels(self.enums.get(name.strip_prefix('@')?)?),
            Json::Object(map) => map.values().map(text).collect(),
            Json::Array(list) => list.iter().map(text).collect(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_whole() {
        let table = table();
        assert_eq!(table.classes.len(), 46);
        assert_eq!(table.palette.len(), 70);
        let song = &table.classes["Song"];
        assert_eq!(song.properties["clip_trigger_quantization"].numbers.as_ref().map(Vec::len), Some(14));
        assert_eq!(song.properties["signature_denominator"].numbers, Some(vec![1, 2, 4, 8, 16]));
        assert_eq!(song.properties["tempo"].access, Access::ReadWrite);
        let drift = &table.classes["DriftDevice"].properties["mod_matrix_target_1_index"];
        assert_eq!(drift.numbers.as_ref().map(Vec::len), Some(12), "texts are counted");
        assert_eq!(drift.labels.as_ref().and_then(|labels| labels.get(1)).map(String::as_str), Some("Osc 1 Gain"));
        let roar = &table.classes["RoarDevice"].properties["routing_mode_index"];
        assert_eq!(
            roar.labels.as_ref().map(|labels| labels.join(" ")).as_deref(),
            Some("Single Serial Parallel Multi Band Mid Side Feedback Delay")
        );
        let rack = &table.classes["DrumChain"];
        assert!(
            rack.properties.contains_key("in_note") && rack.children.contains_key("devices"),
            "inherits from Chain"
        );
    }
}
