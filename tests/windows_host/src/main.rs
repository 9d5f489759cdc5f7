//! `svc-device-windows-host WHAT FILE [ARGS]`: does one thing on Windows that a test on Linux looks at. A thing that
//! goes wrong is a panic: its text on stderr, and exit code 101. What went well ends with a line `done` on stdout.

#[cfg(windows)]
fn main() -> std::process::ExitCode {
    use std::path::Path;
    use svc_device_windows_host::{console, editor, open_file, plugins};
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["clap-song", library] => plugins::clap_song(Path::new(library)),
        ["clap-life", library] => plugins::clap_life(Path::new(library)),
        ["clap-editor", library] => editor::clap(Path::new(library)),
        ["vst3-song", library] => plugins::vst3_song(Path::new(library)),
        ["vst3-life", library] => plugins::vst3_life(Path::new(library)),
        ["vst3-editor", library] => editor::vst3(Path::new(library)),
        ["console", program, arguments @ ..] => console::run(program, arguments),
        ["hold", file] => open_file::hold(Path::new(file)),
        _ => panic!("nothing is called {words:?}"),
    }
    println!("done");
    std::process::ExitCode::SUCCESS
}

#[cfg(not(windows))]
fn main() {}
