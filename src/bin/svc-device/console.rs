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
