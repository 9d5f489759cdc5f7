//! The session as resources, for clients that show them: what the reading tools answer, under an address. A resource is
//! there for a request exactly when the tool behind it is.

use rmcp::model::{JsonObject, Resource, ResourceTemplate};
use serde_json::{Value, json};

const JSON: &str = "application/json";

/// A kind of resource.
pub struct ResourceKind {
    /// Its address, or, ending in `{…}`, the form of its addresses.
    uri: &'static str,
    name: &'static str,
    title: &'static str,
    description: &'static str,
    /// The tool that reads it.
    pub tool: &'static str,
    pub mime_type: &'static str,
    arguments: fn(&str) -> Option<Value>,
    pub content: ResourceContent,
}

/// What of a tool's answer a resource holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResourceContent {
    WholeResult,
    /// The first block behind the answer.
    FirstBlock,
    /// The part of that block under the heading that the address names.
    Section,
}

pub static RESOURCE_KINDS: [ResourceKind; 5] = [
    ResourceKind {
        uri: "svc://live-set",
        name: "live-set",
        title: "Live Set",
        description: "Overview of the session: tempo, time signature, tracks and scenes.",
        tool: "svc-read-live-set",
        mime_type: JSON,
        arguments: |_| Some(json!({ "include": ["*"] })),
        content: ResourceContent::WholeResult,
    },
    ResourceKind {
        uri: "svc://skills",
        name: "skills",
        title: "Skills",
        description: "How to use the tools: the note syntax and the ways of working.",
        tool: "svc-connect",
        mime_type: "text/markdown",
        arguments: |_| Some(json!({})),
        content: ResourceContent::FirstBlock,
    },
    ResourceKind {
        uri: "svc://skills/{part}",
        name: "skills-part",
        title: "Part of the skills",
        description: "One part of the skills by its heading in small letters with hyphens, such as library or session-and-arrangement.",
        tool: "svc-connect",
        mime_type: "text/markdown",
        arguments: |part| {
            let plain = !part.is_empty() && part.len() <= 80 && !part.contains('/');
            plain.then(|| json!({}))
        },
        content: ResourceContent::Section,
    },
    ResourceKind {
        uri: "svc://tracks/{n}",
        name: "track",
        title: "Track",
        description: "A track with its clips, notes and devices, by its number from 0.",
        tool: "svc-read-track",
        mime_type: JSON,
        arguments: |number| {
            // Digits alone: "+1" and "1,2" are other things in a tool's path.
            let plain = !number.is_empty() && number.len() <= 6 && number.bytes().all(|byte| byte.is_ascii_digit());
            plain.then(|| json!({ "path": format!("t{number}"), "include": ["*"] }))
        },
        content: ResourceContent::WholeResult,
    },
    ResourceKind {
        uri: "svc://clips/{id}",
        name: "clip",
        title: "Clip",
        description: "A clip with its notes, by its id.",
        tool: "svc-read-clip",
        mime_type: JSON,
        arguments: |id| {
            let plain = !id.is_empty() && id.len() <= 20 && id.bytes().all(|byte| byte.is_ascii_digit());
            plain.then(|| json!({ "id": id, "include": ["*"] }))
        },
        content: ResourceContent::WholeResult,
    },
];

impl ResourceKind {
    /// What comes before the variable part of the address, if it has one.
    fn prefix(&self) -> Option<&'static str> {
        self.uri.find('{').and_then(|at| self.uri.get(..at))
    }

    pub fn resource(&self) -> Option<Resource> {
        let shown = || {
            Resource::new(self.uri, self.name)
                .with_title(self.title)
                .with_description(self.description)
                .with_mime_type(self.mime_type)
        };
        self.prefix().is_none().then(shown)
    }

    pub fn template(&self) -> Option<ResourceTemplate> {
        let shown = |_| {
            ResourceTemplate::new(self.uri, self.name)
                .with_title(self.title)
                .with_description(self.description)
                .with_mime_type(self.mime_type)
        };
        self.prefix().map(shown)
    }
}

/// The kind of an address, its variable part, and what its tool is asked.
pub fn find(uri: &str) -> Option<(&'static ResourceKind, &str, JsonObject)> {
    RESOURCE_KINDS.iter().find_map(|kind| {
        let variable = match kind.prefix() {
            None if uri == kind.uri => "",
            None => return None,
            Some(prefix) => uri.strip_prefix(prefix)?,
        };
        match (kind.arguments)(variable)? {
            Value::Object(arguments) => Some((kind, variable, arguments)),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        let cases = [
            ("svc://live-set", Some(("svc-read-live-set", json!({"include": ["*"]})))),
            ("svc://skills", Some(("svc-connect", json!({})))),
            ("svc://skills/time-and-values", Some(("svc-connect", json!({})))),
            ("svc://skills/", None),
            ("svc://skills/a/b", None),
            ("svc://tracks/12", Some(("svc-read-track", json!({"path": "t12", "include": ["*"]})))),
            ("svc://clips/7", Some(("svc-read-clip", json!({"id": "7", "include": ["*"]})))),
            ("svc://live-set/", None),
            ("SVC://live-set", None),
            ("svc://tracks/", None),
            ("svc://tracks/1,2", None),
            ("svc://tracks/+1", None),
            ("svc://tracks/1/s0", None),
            ("svc://tracks/99999999999", None),
            ("svc://clips/1,2", None),
            ("svc://clips/x", None),
            ("svc://nonsense", None),
            ("", None),
        ];
        for (uri, expected) in cases {
            let found = find(uri).map(|(kind, _, arguments)| (kind.tool, Value::Object(arguments)));
            assert_eq!(found, expected, "{uri}");
        }
    }
}
