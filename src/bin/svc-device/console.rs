//! Output for the user, line by line. A line holds other people's texts (names in a file, of processes, of folders), so
//! its control characters and line breaks are escaped: no name can fake a line. The user may have closed these pipes;
//! that must not end the device.

use std::io::Write;
use svc_device::music::shown_text::shown_line;

/// A line on stderr, with the program's name.
pub fn log(text: &str) {
    log_lines(&[text]);
}

/// Several lines on stderr in one piece, the first with the program's name.
pub fn log_lines<T: AsRef<str>>(lines: &[T]) {
    let lines: Vec<_> = lines.iter().map(|line| shown_line(line.as_ref())).collect();
    let _ = writeln!(std::io::stderr(), "svc-device: {}", lines.join("\n"));
}

/// A line on stdout, flushed at once.
pub fn print(text: &str) {
    print_own(&shown_line(text));
}

/// A text of several lines in which nothing is anybody else's, on stdout.
pub fn print_help(text: &'static str) {
    print_own(text);
}

fn print_own(text: &str) {
    let mut stdout = std::io::stdout();
    let _ = writeln!(stdout, "{text}");
    let _ = stdout.flush();
}
