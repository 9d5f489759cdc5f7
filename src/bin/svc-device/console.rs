//! What the device writes for its user. Signs of somebody else's that a terminal would act on are written out. Whoever
//! started it may have closed these pipes; that must not end it.

use std::io::Write;
use svc_device::music::shown_text::shown_lines;

/// A line on stderr, with the program's name.
pub fn log(text: &str) {
    let _ = writeln!(std::io::stderr(), "svc-device: {}", shown_lines(text));
}

/// A text on stdout, flushed at once.
pub fn print(text: &str) {
    let mut stdout = std::io::stdout();
    let _ = writeln!(stdout, "{}", shown_lines(text));
    let _ = stdout.flush();
}
