//! The bill of materials, in CycloneDX's JSON.

use super::components::{CARGO, Component, Components};
use crate::workspace::{PACKAGE, Workspace};
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};

pub fn cyclone_dx(workspace: &Workspace, components: &Components) -> String {
    let version = &workspace.manifest.version;
    let own = Component {
        registry: CARGO,
        text: None,
        name: PACKAGE.to_owned(),
        version: version.clone(),
        licence: "MIT OR Apache-2.0".to_owned(),
        sha256: None,
    };
    let list: Vec<String> = components.0.iter().map(|part| component("library", part)).collect();
    format!(
        "{{\n\"bomFormat\": \"CycloneDX\",\n\"specVersion\": \"1.5\",\n\"serialNumber\": \"urn:uuid:{}\",\n\"version\": 1,\n\
         \"metadata\": {{\"component\": {}}},\n\"components\": [\n{}\n]\n}}\n",
        serial_number(version, components),
        component("application", &own),
        list.join(",\n")
    )
}

fn component(kind: &str, part: &Component) -> String {
    // The `@` of a scope is written by its number in a package URL.
    let url = format!("pkg:{}/{}@{}", part.registry, part.name.replace('@', "%40"), part.version);
    let mut text = format!(
        "{{\"type\": {}, \"bom-ref\": {}, \"name\": {}, \"version\": {}, \"purl\": {}",
        quoted(kind),
        quoted(&url),
        quoted(&part.name),
        quoted(&part.version),
        quoted(&url)
    );
    if let Some(sum) = &part.sha256 {
        let _ = write!(text, ", \"hashes\": [{{\"alg\": \"SHA-256\", \"content\": {}}}]", quoted(sum));
    }
    if !part.licence.is_empty() {
        let _ = write!(text, ", \"licenses\": [{{\"expression\": {}}}]", quoted(&part.licence));
    }
    text.push('}');
    text
}

/// The same for the same build, so that a release made twice is the same to the byte.
fn serial_number(version: &str, components: &Components) -> String {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        (salt, version).hash(&mut hasher);
        for part in &components.0 {
            (&part.name, &part.version, &part.sha256).hash(&mut hasher);
        }
        hasher.finish()
    };
    // Version 8 of UUIDs is for numbers that are made in one's own way.
    let (high, low) = (half(1) & !0xF000 | 0x8000, half(2) & !(0b11 << 62) | 0b10 << 62);
    let digits = format!("{high:016x}{low:016x}");
    let part = |from: usize, to: usize| digits.get(from..to).unwrap_or_default();
    [part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32)].join("-")
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            letter if (letter as u32) < 0x20 => {
                let _ = write!(quoted, "\\u{:04x}", letter as u32);
            }
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_quoted_as_json_wants_it() {
        assert_eq!(quoted("a\"b\\c\n\u{e9}"), "\"a\\\"b\\\\c\\u000a\u{e9}\"");
    }

    #[test]
    fn the_number_is_a_uuid_of_the_build() {
        let part = |name: &str| Component {
            registry: CARGO,
            text: None,
            name: name.to_owned(),
            version: "1".to_owned(),
            licence: String::new(),
            sha256: None,
        };
        let number = |version, names: &[&str]| {
            serial_number(version, &Components(names.iter().map(|name| part(name)).collect()))
        };
        let one = number("1.0.0", &["a", "b"]);
        assert_eq!(one, number("1.0.0", &["a", "b"]));
        for other in [number("1.0.1", &["a", "b"]), number("1.0.0", &["a"]), number("1.0.0", &["ab"])] {
            assert_ne!(one, other);
        }
        let lengths: Vec<usize> = one.split('-').map(str::len).collect();
        assert_eq!(lengths, [8, 4, 4, 4, 12], "{one}");
        assert_eq!(one.get(14..15), Some("8"), "{one}");
        assert!(one.get(19..20).is_some_and(|digit| "89ab".contains(digit)), "{one}");
    }
}
