//! What one request sees of the device: its settings, with the request's headers over them.
//!
//! Rule: a header that is absent or not understood falls back to the device's setting; nothing is remembered.

use super::settings::Settings;
use crate::music::excerpt::excerpt;
use crate::notation::Notation;
use crate::object_model::history::{Caller, Via};
use crate::tools::live_api::LIVE_API_TOOL;
use crate::tools::tool::Tool;
use std::collections::BTreeSet;

/// The per-request headers, as they came. Names: see [`header`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProfileHeaders {
    pub disabled_tools: Option<String>,
    pub small_model_mode: Option<String>,
    pub notation: Option<String>,
    pub live_api: Option<String>,
    /// MCP only.
    pub format: Option<String>,
    /// Of each call; unlike the others it is refused when it is not understood.
    pub dry_run: Option<String>,
    /// What the client calls itself.
    pub client: Option<String>,
    /// Which of the client's gestures the call is a part of.
    pub gesture: Option<String>,
}

impl ProfileHeaders {
    /// Whether the call is a dry run.
    ///
    /// # Errors
    ///
    /// What was sent, where it is neither `true` nor `false`: a call that was meant as one must not be kept.
    pub fn asks_for_dry_run(&self) -> Result<bool, &str> {
        match self.dry_run.as_deref().map(str::trim) {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(other) => Err(other),
        }
    }
}

/// The longest name of a client or a gesture, in characters.
const MAX_NAME_CHARS: usize = 64;

/// The client that is the device's own page.
const PAGE: &str = "page";

impl ProfileHeaders {
    /// Refuses a client's or gesture's name that is none.
    ///
    /// # Errors
    ///
    /// A sentence that names the header.
    pub fn check_caller(&self) -> Result<(), String> {
        for (name, text) in [(header::CLIENT, &self.client), (header::GESTURE, &self.gesture)] {
            let is_fine = |text: &String| {
                (1..=MAX_NAME_CHARS).contains(&text.len()) && text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
            };
            if let Some(text) = text.as_ref().filter(|text| !is_fine(text)) {
                return Err(format!("{name} must be 1 to {MAX_NAME_CHARS} ASCII characters, not `{}`", excerpt(text)));
            }
        }
        Ok(())
    }

    /// Who calls by a face, known there by `name` unless the request says another.
    pub fn caller(&self, via: Via, name: &str) -> Caller {
        let named = self.client.as_deref().unwrap_or(name);
        let via = if via == Via::Rest && named == PAGE { Via::Page } else { via };
        Caller { gesture: self.gesture.as_deref().map(Into::into), ..Caller::new(via, named) }
    }
}

/// Names of the per-request headers.
pub mod header {
    pub const DISABLED_TOOLS: &str = "x-svc-disabled-tools";
    pub const SMALL_MODEL_MODE: &str = "x-svc-small-model-mode";
    pub const NOTATION: &str = "x-svc-notation";
    pub const LIVE_API: &str = "x-svc-live-api";
    pub const FORMAT: &str = "x-svc-format";
    pub const DRY_RUN: &str = "x-svc-dry-run";
    pub const CLIENT: &str = "x-svc-client";
    pub const GESTURE: &str = "x-svc-gesture";
}

/// A request's view of the device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    pub notation: Notation,
    pub small_model_mode: bool,
    /// Tools this request does not see. The raw tool is in here unless it is granted.
    pub disabled_tools: BTreeSet<String>,
}

impl Profile {
    /// The profile of a request: its headers over the device's settings. The raw tool's header is applied first and the
    /// disabled list after it, so naming the raw tool in the list always wins.
    pub fn resolve(settings: &Settings, headers: &ProfileHeaders) -> Profile {
        let flag = |text: &Option<String>| match text.as_deref().map(str::trim) {
            Some("true") => Some(true),
            Some("false") => Some(false),
            _ => None,
        };
        let mut disabled: BTreeSet<String> = settings.disabled_tools.clone();
        match flag(&headers.live_api) {
            Some(true) => {
                disabled.remove(LIVE_API_TOOL);
            }
            Some(false) => {
                disabled.insert(LIVE_API_TOOL.to_owned());
            }
            None if !settings.live_api_enabled() => {
                disabled.insert(LIVE_API_TOOL.to_owned());
            }
            None => {}
        }
        if let Some(list) = &headers.disabled_tools {
            disabled.extend(list.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned));
        }
        Profile {
            notation: headers
                .notation
                .as_deref()
                .and_then(|name| Notation::from_name(name.trim()))
                .unwrap_or(settings.notation),
            small_model_mode: flag(&headers.small_model_mode).unwrap_or(settings.small_model_mode),
            disabled_tools: disabled,
        }
    }

    /// Whether calls of the tool are answered.
    pub fn allows(&self, tool: &Tool) -> bool {
        !self.disabled_tools.contains(tool.name)
    }

    /// Whether the tool is listed and taught: small-model mode leaves some out, which may be called all the same.
    pub fn lists(&self, tool: &Tool) -> bool {
        let left_out = self.small_model_mode && tool.left_out_in_small_model;
        !left_out && self.allows(tool)
    }
}
