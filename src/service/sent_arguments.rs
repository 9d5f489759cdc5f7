//! The arguments of a call as they were sent, and what comes of them.

use super::arguments;
use super::catalogue::Catalogue;
use super::profile::Profile;
use super::types::CallFailure;
use crate::notation::Notation;
use crate::tools;
use crate::tools::error::ToolError;
use crate::tools::tool::Tool;
use jsonschema::Validator;
use serde_json::{Map, Value, json};

/// Arguments as they were sent, with what they are checked against.
pub struct SentArguments {
    tool: &'static Tool,
    notation: Notation,
    validator: &'static Validator,
    sent: Map<String, Value>,
    published_only: bool,
}

/// What came of them: the arguments that the tool gets, with warnings, or a refusal.
pub enum ReadArguments {
    Taken {
        arguments: Map<String, Value>,
        warnings: Vec<String>,
        /// Some of what was sent is no argument of the tool, and was dropped.
        has_unknown: bool,
    },
    Refused(ToolError, Vec<String>),
}

impl SentArguments {
    /// With `published_only` a request in small-model mode is taken what its schemas show, and no more.
    pub fn new(
        catalogue: &'static Catalogue,
        tool: &'static Tool,
        profile: &Profile,
        sent: Map<String, Value>,
        published_only: bool,
    ) -> Result<SentArguments, CallFailure> {
        let notation = profile.notation;
        let validator = catalogue.validator(tool, notation);
        let validator = validator.ok_or_else(|| CallFailure::Internal(format!("{} has no schema", tool.name)))?;
        let published_only = published_only && profile.small_model_mode;
        Ok(SentArguments { tool, notation, validator, sent, published_only })
    }

    /// Checks them, and folds what was sent by other names onto the published parameters.
    pub fn read(self) -> Result<ReadArguments, CallFailure> {
        let SentArguments { tool, notation, validator, sent, published_only } = self;
        let (mut arguments, warning) = arguments::accept(tool, notation, validator, sent, published_only)
            .map_err(|bad| CallFailure::InvalidArguments { message: bad.message, details: bad.details })?;
        let has_unknown = warning.is_some();
        let mut warnings: Vec<String> = warning.into_iter().collect();
        Ok(match tools::aliases::fold::fold(tool, &mut arguments) {
            Ok(mut of_hidden) => {
                warnings.append(&mut of_hidden);
                ReadArguments::Taken { arguments, warnings, has_unknown }
            }
            Err(refusal) => ReadArguments::Refused(refusal, warnings),
        })
    }
}

/// The result of a call that had nothing to write, as all that it would write by was dropped.
pub fn unchanged(nothing: &ToolError) -> Value {
    json!({ "changed": false, "detail": nothing.to_string() })
}
