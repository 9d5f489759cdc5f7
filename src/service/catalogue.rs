//! Which tools a request sees, and how they are described and checked for it. Schemas are compiled once.

use super::profile::Profile;
use super::schema;
use super::types::{Annotations, ToolDescriptor};
use crate::notation::Notation;
use crate::tools;
use crate::tools::request::RequestContext;
use crate::tools::tool::Tool;
use jsonschema::Validator;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The compiled catalogue.
pub struct Catalogue {
    validators: HashMap<(&'static str, Notation), Validator>,
}

/// A tool's description; its first sentence is enough for a small model.
fn description(tool: &Tool, view: &RequestContext) -> String {
    let whole = (tool.description)(view);
    match whole.find(". ") {
        Some(end) if view.small_model_mode => whole.get(..=end).unwrap_or_default().to_owned(),
        _ => whole,
    }
}

impl Catalogue {
    /// The one catalogue of the process, compiled on first use.
    pub fn shared() -> Result<&'static Catalogue, String> {
        static SHARED: LazyLock<Result<Catalogue, String>> = LazyLock::new(Catalogue::new);
        SHARED.as_ref().map_err(String::clone)
    }

    /// Compiles every tool's schema for every notation. The schemas are the library's own, so a failure is a fault of
    /// the build, and its text says so.
    fn new() -> Result<Catalogue, String> {
        let mut validators = HashMap::new();
        for tool in tools::registry::all() {
            for notation in Notation::ALL {
                let validator = jsonschema::validator_for(&schema::full(tool, notation))
                    .map_err(|e| format!("the schema of {} is broken: {e}", tool.name))?;
                validators.insert((tool.name, notation), validator);
            }
        }
        Ok(Catalogue { validators })
    }

    /// The tool of that name, if the request may call it.
    pub fn find(&self, name: &str, profile: &Profile) -> Option<&'static Tool> {
        tools::registry::all().iter().copied().find(|tool| tool.name == name && profile.allows(tool))
    }

    pub fn validator(&self, tool: &Tool, notation: Notation) -> Option<&Validator> {
        self.validators.get(&(tool.name, notation))
    }

    /// Every tool that is listed for the request, described for it.
    pub fn describe(&self, profile: &Profile, view: &RequestContext) -> Vec<ToolDescriptor> {
        let seen = tools::registry::all().iter().filter(|tool| profile.lists(tool));
        seen.map(|tool| ToolDescriptor {
            name: tool.name.to_owned(),
            title: tool.title.to_owned(),
            description: description(tool, view),
            annotations: Annotations { read_only_hint: tool.read_only, destructive_hint: tool.destructive },
            input_schema: schema::published(tool, view),
        })
        .collect()
    }
}
