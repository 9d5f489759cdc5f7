//! Musical keys in names.

/// A key such as `Am`, `C#min` or `F minor`. A capital alone is no key: it may be anything.
pub fn find_key(stem: &str) -> Option<String> {
    let pieces: Vec<&str> =
        stem.split(|c: char| !(c.is_alphanumeric() || c == '#')).filter(|p| !p.is_empty()).collect();
    let alone = pieces.iter().find_map(|piece| parse_key(piece));
    let pairs = || pieces.windows(2).find_map(|pair| parse_key(&pair.join(" ")));
    pairs().or(alone)
}

/// The key that a text is, as `A minor` or `C# major`.
pub fn parse_key(text: &str) -> Option<String> {
    let mut chars = text.chars();
    let letter = chars.next().filter(|c| ('A'..='G').contains(c))?;
    let rest = chars.as_str();
    let (accidental, rest) = match rest.chars().next() {
        Some(c @ ('#' | 'b')) => (c.to_string(), rest.get(1..)?),
        _ => (String::new(), rest),
    };
    let mode = match rest.trim_start() {
        "m" | "min" | "minor" | "Min" | "Minor" => "minor",
        "maj" | "major" | "Maj" | "Major" => "major",
        _ => return None,
    };
    Some(format!("{letter}{accidental} {mode}"))
}
