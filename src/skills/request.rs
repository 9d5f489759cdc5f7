//! What a request may be taught: which tools it sees, and which text stands for a fragment.

use super::fragments::{FRAGMENTS, ROOTS};
use crate::notation::Notation;
use crate::user_store::front_matter;
use std::borrow::Cow;

const INCLUDE: &str = "@include ";
/// In front of lines for hosts that take back, and for those that do not.
const TAKES_BACK: &str = "@takes-back ";
const KEEPS: &str = "@keeps ";

/// What a request may be taught.
#[derive(Clone, Copy)]
pub struct SkillRequest<'a> {
    pub notation: Notation,
    pub small_model_mode: bool,
    /// Names of the tools that it sees.
    pub tools: &'a [&'static str],
    /// Whether the host carries calls out as if, and takes back what a failed one did.
    pub takes_back: bool,
    /// The user's own fragments: name and text.
    pub user_files: &'a [(String, String)],
}

/// A fragment's text as it is to be used, and who wrote it.
pub struct FragmentSource<'a> {
    pub text: Cow<'a, str>,
    pub is_users: bool,
    pub enabled: bool,
}

impl SkillRequest<'_> {
    /// Whether the request sees any of these tools. True when none is named.
    pub fn sees_one_of(&self, tools: &[&str]) -> bool {
        tools.is_empty() || tools.iter().any(|tool| self.tools.contains(tool))
    }

    /// The text of a fragment or root: the user's where there is one, else the built-in one. `None` when no such name
    /// is known.
    pub fn source(&self, name: &str) -> Option<FragmentSource<'_>> {
        if let Some((_, text)) = self.user_files.iter().find(|(file, _)| file == name) {
            let (matter, body) = front_matter(text);
            let off = matter.iter().any(|(key, value)| key == "enabled" && value.eq_ignore_ascii_case("false"));
            // Without a root nothing at all would be taught.
            if !is_root(name) || !body.trim().is_empty() {
                return Some(FragmentSource { text: body.into(), is_users: true, enabled: !off });
            }
        }
        let built_in = ROOTS.iter().copied().chain(FRAGMENTS.iter().map(|f| (f.name, f.text)));
        let text = built_in.into_iter().find(|(built_in, _)| *built_in == name)?.1;
        Some(FragmentSource { text: text.into(), is_users: false, enabled: true })
    }

    /// A text without the lines that speak of tools which this request does not see.
    pub fn visible_lines(&self, text: &str) -> String {
        text.trim().lines().filter(|line| !self.names_hidden_tool(line)).collect::<Vec<_>>().join("\n")
    }

    /// The line as it is taught on such a host; `None` of one for others.
    pub fn for_host<'a>(&self, line: &'a str) -> Option<&'a str> {
        match (line.strip_prefix(TAKES_BACK), line.strip_prefix(KEEPS)) {
            (Some(line), _) => Some(line).filter(|_| self.takes_back),
            (_, Some(line)) => Some(line).filter(|_| !self.takes_back),
            _ => Some(line),
        }
    }

    fn names_hidden_tool(&self, line: &str) -> bool {
        let named = line.split('`').filter_map(|code| code.split_whitespace().next());
        // A call may hold others.
        let inside = line.split('"').skip(1).step_by(2);
        named.chain(inside).any(|word| word.starts_with("svc-") && !self.tools.contains(&word))
    }
}

/// The name in an `@include` line.
pub fn included(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix(INCLUDE).map(str::trim)
}

pub fn is_root(name: &str) -> bool {
    ROOTS.iter().any(|(root, _)| *root == name)
}
