//! What the device writes for its user. Whoever started it may have closed these pipes; that must not end it.

use std::io::Write;

/// A line on stderr, with the program's name.
pub fn log(text: &str) {
    let _ = writeln!(std::io::stderr(), "svc-device: {text}");
}

/// A text on stdout, flushed at once.
pub fn print(text: &str) {
    let mut stdout = std::io::stdout();
    let _ = writeln!(stdout, "{text}");
    let _ = stdout.flush();
}

/// A text of somebody else's as one line of a terminal: what would move the cursor, or turn what is read around, is
/// spelled out.
pub fn escaped(text: &str) -> String {
    let turns = |c: char| matches!(c, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() || turns(c) {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn control_characters_are_spelled_out() {
        assert_eq!(escaped("Bass \u{1b}[2J\nKick\u{9b}1m\u{202e}"), "Bass \\u{1b}[2J\\nKick\\u{9b}1m\\u{202e}");
        assert_eq!(escaped("Möbel 鼓"), "Möbel 鼓");
    }
}
