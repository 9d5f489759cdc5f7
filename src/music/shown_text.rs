//! Text that came with a file, on its way to a terminal: a name may hold signs that a terminal takes for orders, or
//! that fake a line.

use std::borrow::Cow;

/// The text with each sign that is not seen as itself written out, as JSON would: `\\u001b`. Line breaks too.
pub fn shown_line(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_order) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match is_order(c) {
            true => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| shown.push_str(&format!("\\u{unit:04x}"))),
            false => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// Whether a terminal acts on a sign, or shows others elsewhere because of it.
fn is_order(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{2028}' | '\u{2029}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}'
                | '\u{FEFF}' | '\u{E0000}'..='\u{E007F}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_to_a_terminal_are_written_out() {
        for (text, line) in [
            ("Größe 🎹 👩\u{200D}🎤", "Größe 🎹 👩\u{200D}🎤"),
            ("\x1b]52;c;eA==\x07", "\\u001b]52;c;eA==\\u0007"),
            ("a\nb\r\tc", "a\\u000ab\\u000d\\u0009c"),
            ("\u{9b}2J", "\\u009b2J"),
            ("a\u{202E}vaw.als", "a\\u202evaw.als"),
            ("\u{E0041}", "\\udb40\\udc41"),
        ] {
            assert_eq!(shown_line(text), line);
        }
    }
}
