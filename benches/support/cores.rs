//! Which core a process runs on.

use std::process::{Command, Stdio};

/// Whether processes can be kept on a core here.
pub fn can_place() -> bool {
    std::thread::available_parallelism().is_ok_and(|cores| cores.get() > 1) && place(std::process::id(), "0-1")
}

/// Keeps all threads of a process, and those that they start, on these cores.
pub fn place(process: u32, cores: &str) -> bool {
    let mut taskset = Command::new("taskset");
    taskset.args(["--all-tasks", "--pid", "--cpu-list", cores, &process.to_string()]).stdout(Stdio::null());
    taskset.status().is_ok_and(|status| status.success())
}
