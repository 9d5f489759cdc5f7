//! What `svc-connect` teaches: Markdown fragments, composed for each request.
//!
//! A root document, `standard` or `basic` for small models, includes fragments in reading order, with a line such as
//! `@include {notation}`. A fragment goes when all tools that it explains are withheld, and a line when it names, as code, a
//! tool that the request does not see: each line speaks of one tool. The user's own files replace fragments, switch them off or
//! are included beside them.

mod fragments;
mod own;

use crate::notation::Notation;
use crate::user_store::front_matter;
use fragments::{FRAGMENTS, Fragment, ROOTS};
use std::borrow::Cow;

const INCLUDE: &str = "@include ";

/// What a request may be taught.
#[derive(Clone, Copy)]
pub struct Pupil<'a> {
    pub notation: Notation,
    pub small_model_mode: bool,
    /// Names of the tools that it sees.
    pub tools: &'a [&'static str],
    /// The user's own fragments, by name.
    pub own: &'a [(String, String)],
}

/// The skills, and what is wrong with the user's part in them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Composed {
    pub text: String,
    pub warnings: Vec<String>,
}

/// A fragment's text as it is to be used, and who wrote it.
struct Source<'a> {
    text: Cow<'a, str>,
    own: bool,
    enabled: bool,
}

impl Pupil<'_> {
    fn sees_one_of(&self, tools: &[&str]) -> bool {
        tools.is_empty() || tools.iter().any(|tool| self.tools.contains(tool))
    }

    fn source(&self, name: &str) -> Option<Source<'_>> {
        if let Some((_, text)) = self.own.iter().find(|(own, _)| own == name) {
            let (matter, body) = front_matter(text);
            let off = matter.iter().any(|(key, value)| key == "enabled" && value.eq_ignore_ascii_case("false"));
            // Without a root nothing at all would be taught.
            if !is_root(name) || !body.trim().is_empty() {
                return Some(Source { text: body.into(), own: true, enabled: !off });
            }
        }
        let built_in = ROOTS.iter().copied().chain(FRAGMENTS.iter().map(|f| (f.name, f.text)));
        let text = built_in.into_iter().find(|(built_in, _)| *built_in == name)?.1;
        Some(Source { text: text.into(), own: false, enabled: true })
    }

    /// A text without lines that speak of tools which this request does not see.
    fn seen(&self, text: &str) -> String {
        text.trim().lines().filter(|line| !self.names_another_tool(line)).collect::<Vec<_>>().join("\n")
    }

    fn names_another_tool(&self, line: &str) -> bool {
        let named = line.split('`').filter_map(|code| code.split_whitespace().next());
        named.into_iter().any(|word| word.starts_with("svc-") && !self.tools.contains(&word))
    }
}

/// The skills text of a request.
pub fn compose(pupil: &Pupil) -> Composed {
    let mut composed = Composed::default();
    let root = if pupil.small_model_mode { "basic" } else { "standard" };
    let Some(document) = pupil.source(root) else { return composed };
    let mut warn = |warning: String| composed.warnings.push(warning);
    if document.own && !document.enabled {
        warn(format!("skills/{root}.md cannot be switched off"));
    }
    let (mut parts, mut taught) = (vec![String::new()], Vec::new());
    for line in document.text.lines() {
        let Some(name) = included(line) else {
            if let Some(prose) = parts.last_mut() {
                prose.push_str(line);
                prose.push('\n');
            }
            continue;
        };
        let name = name.replace("{notation}", pupil.notation.name());
        let built_in = fragment(&name);
        let source = pupil.source(&name).filter(|_| !is_root(&name));
        let Some(source) = source else {
            warn(format!("skills: {root} includes \"{name}\", which is no fragment"));
            continue;
        };
        if !source.enabled || built_in.is_some_and(|f| !pupil.sees_one_of(f.for_tools)) {
            continue;
        }
        let mut text = String::new();
        for line in source.text.lines() {
            match included(line) {
                Some(inner) => warn(format!("skills/{name}.md: \"@include {inner}\" is skipped: only a root includes")),
                None => text.extend([line, "\n"]),
            }
        }
        taught.push(name);
        parts.extend([text, String::new()]);
    }
    for fragment in taught.iter().filter_map(|name| fragment(name)) {
        if let Some(needed) = fragment.needs.filter(|needed| !taught.iter().any(|name| name == needed)) {
            warn(format!("skills: {} builds on {needed}, which is left out", fragment.name));
        }
    }
    composed.warnings.extend(own::odd(pupil));
    let parts = parts.iter().map(|part| pupil.seen(part)).filter(|part| !part.is_empty());
    composed.text = parts.collect::<Vec<_>>().join("\n\n");
    composed
}

/// The part of a skills text under the heading that is called so, in small letters with hyphens.
pub fn section(skills: &str, called: &str) -> Option<String> {
    let heading = |line: &str| line.strip_prefix("# ").map(crate::user_store::slug);
    let mut lines = skills.lines().skip_while(|line| heading(line).as_deref() != Some(called));
    let first = lines.next()?;
    let rest = lines.take_while(|line| !line.starts_with("# "));
    Some(std::iter::once(first).chain(rest).collect::<Vec<_>>().join("\n").trim_end().to_owned())
}

fn included(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix(INCLUDE).map(str::trim)
}

fn fragment(name: &str) -> Option<&'static Fragment> {
    FRAGMENTS.iter().find(|fragment| fragment.name == name)
}

fn is_root(name: &str) -> bool {
    ROOTS.iter().any(|(root, _)| *root == name)
}

/// Layers of context that are empty; of those that there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Empty {
    pub project: bool,
    pub global: bool,
    pub memory: bool,
}

/// The last block: which context is empty, and what to do now.
pub fn next_step(pupil: &Pupil, empty: Empty) -> String {
    let mut text = String::from("# Next step\n\n");
    let has_context = pupil.tools.contains(&"svc-context");
    if has_context {
        let layers =
            [("project", empty.project), ("global", empty.global), ("memory", empty.memory && !pupil.small_model_mode)];
        let layers: Vec<&str> = layers.iter().filter(|(_, empty)| *empty).map(|(name, _)| *name).collect();
        if let Some((last, rest)) = layers.split_last() {
            let and = if rest.is_empty() { String::new() } else { format!("{} and ", rest.join(", ")) };
            text.push_str(&format!("Nothing is stored in {and}{last} context.\n\n"));
        }
    }
    text.push_str(
        "Tell the user that you are connected, give the overview in a sentence or two, and wait for what they want.",
    );
    if has_context && empty.global && empty.memory && !pupil.small_model_mode {
        text.push_str(
            "\n\nYou do not know this user yet. With the overview, ask one question that can be answered with yes or no: \
             whether they would like to tell you about their style and goals. Store what they tell in the global context \
             without asking again. Should they not want to, store that as a memory entry (name: no questions) and never ask \
             again.",
        );
    }
    text
}

#[cfg(test)]
mod tests;
