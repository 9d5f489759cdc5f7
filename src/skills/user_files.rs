//! What is wrong with the user's own files and would otherwise go unsaid: they have no effect, or not the one meant.

use super::fragments::{FRAGMENTS, ROOTS};
use super::request::{SkillRequest, included, is_root};
use crate::library::nearness;
use crate::notation::Notation;
use crate::user_store::{front_matter, has_unclosed_front_matter};

/// A remark for each file that has a problem.
pub fn problems(request: &SkillRequest) -> Vec<String> {
    request.user_files.iter().filter_map(|(name, text)| problem_of(request, name, text)).collect()
}

fn problem_of(request: &SkillRequest, name: &str, text: &str) -> Option<String> {
    if !replaceable_names().any(|known| known == name) && !is_included(request, name) {
        let near = replaceable_names().map(|known| (known, nearness(name, known).max(nearness(known, name))));
        let near = near.filter(|(_, near)| *near > 0.0);
        let nearest = near.max_by(|(a, near), (b, nearer)| near.total_cmp(nearer).then_with(|| b.len().cmp(&a.len())));
        let meant = nearest.map(|(known, _)| format!("; did you mean {known}.md?")).unwrap_or_default();
        return Some(format!(
            "skills/{name}.md has no effect: no fragment is called so, and no root includes it{meant}"
        ));
    }
    if has_unclosed_front_matter(text) {
        return Some(format!(
            "skills/{name}.md: the --- at its top is never closed by a second ---; all of it is taken as text"
        ));
    }
    let (matter, body) = front_matter(text);
    if is_root(name) && body.trim().is_empty() {
        return Some(format!(
            "skills/{name}.md has no text, and a root cannot be switched off: the one that comes with the device is taught"
        ));
    }
    (body.trim().is_empty() && !matter.iter().any(|(key, _)| key == "enabled")).then(|| {
        format!("skills/{name}.md is empty and teaches nothing; to switch the part off, write enabled: false between two --- lines")
    })
}

/// The names of fragments and roots: a file of that name replaces one.
fn replaceable_names() -> impl Iterator<Item = &'static str> {
    ROOTS.iter().map(|(root, _)| *root).chain(FRAGMENTS.iter().map(|fragment| fragment.name))
}

/// Whether one of the roots, as the user has them, includes the file in one of the notations.
fn is_included(request: &SkillRequest, name: &str) -> bool {
    ROOTS.iter().filter_map(|(root, _)| request.source(root)).any(|root| {
        root.text.lines().filter_map(included).any(|wanted| {
            Notation::ALL.into_iter().any(|notation| wanted.replace("{notation}", notation.name()) == name)
        })
    })
}
