//! The front matter of Markdown files.

/// The `key: value` lines between two `---` at a text's beginning, and what follows them. Values in quotes are
/// unquoted.
pub fn front_matter(text: &str) -> (Vec<(String, String)>, &str) {
    let mut lines = text.split_inclusive('\n');
    let Some(open) = lines.next().filter(|line| line.trim_end() == "---") else { return (Vec::new(), text) };
    let (mut matter, mut read) = (Vec::new(), open.len());
    for line in lines {
        read += line.len();
        if line.trim_end() == "---" {
            return (matter, text.get(read..).unwrap_or_default());
        }
        if let Some((key, value)) = line.split_once(':') {
            matter.push((key.trim().to_owned(), unquoted(value.trim())));
        }
    }
    (Vec::new(), text)
}

/// Whether a text begins a front matter and never ends it; all of it is then taken as text.
pub fn has_unclosed_front_matter(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim_end);
    lines.next() == Some("---") && !lines.any(|line| line == "---")
}

fn unquoted(value: &str) -> String {
    let inner = |mark| value.strip_prefix(mark).and_then(|value| value.strip_suffix(mark));
    if let Some(text) = inner('"').and_then(|_| serde_json::from_str(value).ok()) {
        return text;
    }
    inner('\'').map_or_else(|| value.to_owned(), |text| text.replace("''", "'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matters() {
        for (text, matter, body) in [
            ("a\n---\n", &[][..], "a\n---\n"),
            ("---\nenabled: false\n---\nrest\n", &[("enabled", "false")], "rest\n"),
            ("---\r\na: \"x: \\\"y\\\"\"\r\nno key\r\n---\r\nrest", &[("a", "x: \"y\"")], "rest"),
            ("---\na: \"\nb: '\n---", &[("a", "\""), ("b", "'")], ""),
            ("---\na: 1\n", &[], "---\na: 1\n"),
            ("", &[], ""),
        ] {
            let (read, rest) = front_matter(text);
            let read: Vec<(&str, &str)> = read.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
            assert_eq!((read.as_slice(), rest), (matter, body), "{text:?}");
            assert_eq!(has_unclosed_front_matter(text), text.starts_with("---") && rest == text, "{text:?}");
        }
    }
}
