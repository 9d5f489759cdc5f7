//! The calls that a batch makes: found, checked and prepared as those of its own request are.

use super::catalogue::Catalogue;
use super::profile::Profile;
use super::sent_arguments::{ReadArguments, SentArguments, unchanged};
use super::types::CallFailure;
use crate::music::excerpt::excerpt;
use crate::tools::arguments::nearest::nearest;
use crate::tools::call::{InnerCall, InnerOutcome, PrepareInner, ViewNow};
use crate::tools::dry_run;
use crate::tools::error::{ErrorKind, ToolError};
use crate::tools::tool::Prepare;
use serde_json::{Map, Value};

/// Prepares calls as one request may make them.
pub struct RequestCalls {
    pub profile: Profile,
    pub published_only: bool,
    pub dry_run: bool,
    pub is_atomic: bool,
}

impl PrepareInner for RequestCalls {
    fn prepare(&self, tool: &str, arguments: Map<String, Value>, view: ViewNow<'_>) -> InnerCall {
        let mut warnings = Vec::new();
        let outcome = self.outcome(tool, arguments, view, &mut warnings).unwrap_or_else(InnerOutcome::Refused);
        InnerCall { outcome, warnings }
    }

    fn is_atomic(&self) -> bool {
        self.is_atomic
    }
}

impl RequestCalls {
    fn outcome(
        &self,
        name: &str,
        sent: Map<String, Value>,
        view: ViewNow<'_>,
        warnings: &mut Vec<String>,
    ) -> Result<InnerOutcome, ToolError> {
        let catalogue = Catalogue::shared().map_err(ToolError::new)?;
        if sent.keys().any(|name| super::arguments::is_dry_run(name)) {
            let why = "a batch is a dry run as a whole: send dryRun beside calls";
            return Err(ToolError::about("dryRun", why));
        }
        let Some(tool) = catalogue.find(name, &self.profile) else {
            let near = nearest(name, view()?.tools.iter().copied());
            let near = near.map_or_else(String::new, |near| format!("; the nearest is {near}"));
            return Err(ToolError::not_found(format!("no tool {} is enabled here{near}", excerpt(name))));
        };
        let read = SentArguments::new(catalogue, tool, &self.profile, sent, self.published_only);
        let (arguments, has_unknown) = match read.and_then(SentArguments::read) {
            Ok(ReadArguments::Taken { arguments, warnings: of_arguments, has_unknown }) => {
                warnings.extend(of_arguments);
                (arguments, has_unknown)
            }
            Ok(ReadArguments::Refused(refusal, of_arguments)) => {
                warnings.extend(of_arguments);
                return Err(refusal);
            }
            Err(failure) => return Err(refusal_of(failure, tool.name)),
        };
        if self.dry_run {
            dry_run::check(tool.name, &arguments).map_err(|why| why.and("leave it out of the dry run"))?;
        }
        let prepared = match tool.prepare {
            Prepare::Alone(prepare) => prepare(arguments),
            Prepare::Seeing(prepare) => prepare(arguments, &view()?),
        };
        match prepared {
            Ok(job) => Ok(InnerOutcome::Prepared(job)),
            Err(nothing) if has_unknown && nothing.kind == ErrorKind::NothingToWrite => {
                Ok(InnerOutcome::Unchanged(unchanged(&nothing)))
            }
            Err(refusal) => Err(refusal),
        }
    }
}

fn refusal_of(failure: CallFailure, tool: &str) -> ToolError {
    let text = failure.message();
    // Which tool it is about is said with the place of the call.
    ToolError::new(text.strip_prefix(tool).and_then(|rest| rest.strip_prefix(": ")).unwrap_or(text))
}
