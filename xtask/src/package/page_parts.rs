//! What of others is in the page that the device serves (`web/dist/`): npm's packages, which cargo knows nothing of.

use super::components::{Component, NPM};
use crate::shell::{Outcome, Problem};
use crate::workspace::{Workspace, read};

/// What esbuild puts into the page, with the file of its licence under `web/licences/`.
const BUNDLED: [(&str, &str); 3] = [
    ("@preact/signals", "preact-signals.txt"),
    ("@preact/signals-core", "preact-signals.txt"),
    ("preact", "preact.txt"),
];

pub fn of_page(workspace: &Workspace) -> Outcome<Vec<Component>> {
    let lock = read(&workspace.root.join("web/package-lock.json"))?;
    let part = |(name, file): (&str, &str)| {
        let version = version(&lock, name)
            .ok_or_else(|| Problem::new(format!("web/package-lock.json tells no version of {name}")))?;
        Ok(Component {
            registry: NPM,
            name: name.to_owned(),
            version: version.to_owned(),
            licence: "MIT".to_owned(),
            sha256: None,
            text: Some(read(&workspace.root.join("web/licences").join(file))?),
        })
    };
    BUNDLED.into_iter().map(part).collect()
}

/// The version in the entry of a package; npm writes it as the entry's first member.
fn version<'a>(lock: &'a str, name: &str) -> Option<&'a str> {
    let (_, entry) = lock.split_once(&format!("\"node_modules/{name}\": {{"))?;
    let (_, rest) = entry.split_once("\"version\": \"")?;
    rest.split_once('"').map(|(version, _)| version)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_page_names_its_packages_with_their_licences() {
        let workspace = Workspace::open().expect("the workspace");
        let parts = of_page(&workspace).expect("the page's packages");
        assert_eq!(parts.len(), BUNDLED.len());
        for part in &parts {
            assert!(part.version.starts_with(|first: char| first.is_ascii_digit()), "{part:?}");
            assert!(part.text.as_deref().is_some_and(|text| text.contains("Permission is hereby granted")), "{part:?}");
        }
        // The page itself carries the notice, which is what its licence asks for.
        let page = fs::read_to_string(workspace.root.join("web/dist/app.js")).expect("the built page");
        assert!(page.contains("Permission is hereby granted") && page.contains("Jason Miller"));
    }

    #[test]
    fn a_package_that_the_lock_does_not_name_has_no_version() {
        let lock = "\"node_modules/a\": {\n \"version\": \"1.2.3\",\n";
        assert_eq!((version(lock, "a"), version(lock, "b")), (Some("1.2.3"), None));
    }
}
