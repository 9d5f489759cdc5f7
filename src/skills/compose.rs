//! Putting the skills text of a request together.

use super::fragments::{FRAGMENTS, Fragment};
use super::request::{SkillRequest, included, is_root};
use super::user_files;

/// The skills, and what is wrong with the user's part in them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkillsText {
    pub text: String,
    pub warnings: Vec<String>,
}

/// The skills text of a request.
pub fn compose(request: &SkillRequest) -> SkillsText {
    let mut composed = SkillsText::default();
    let root = if request.small_model_mode { "basic" } else { "standard" };
    let Some(document) = request.source(root) else { return composed };
    let mut warn = |warning: String| composed.warnings.push(warning);
    if document.is_users && !document.enabled {
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
        let name = name.replace("{notation}", request.notation.name());
        let built_in = fragment(&name);
        let source = request.source(&name).filter(|_| !is_root(&name));
        let Some(source) = source else {
            warn(format!("skills: {root} includes \"{name}\", which is no fragment"));
            continue;
        };
        if !source.enabled || built_in.is_some_and(|f| !request.sees_one_of(f.for_tools)) {
            continue;
        }
        let mut text = String::new();
        for line in source.text.lines().filter_map(|line| request.for_host(line)) {
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
    composed.warnings.extend(user_files::problems(request));
    let parts = parts.iter().map(|part| request.visible_lines(part)).filter(|part| !part.is_empty());
    composed.text = parts.collect::<Vec<_>>().join("\n\n");
    composed
}

/// The part of a skills text under the heading whose slug (small letters with hyphens) is `slug`.
pub fn section(skills: &str, slug: &str) -> Option<String> {
    let heading = |line: &str| line.strip_prefix("# ").map(crate::user_store::slug);
    let mut lines = skills.lines().skip_while(|line| heading(line).as_deref() != Some(slug));
    let first = lines.next()?;
    let rest = lines.take_while(|line| !line.starts_with("# "));
    Some(std::iter::once(first).chain(rest).collect::<Vec<_>>().join("\n").trim_end().to_owned())
}

pub(super) fn fragment(name: &str) -> Option<&'static Fragment> {
    FRAGMENTS.iter().find(|fragment| fragment.name == name)
}
