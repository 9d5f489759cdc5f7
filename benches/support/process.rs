//! What the system tells of a process. Reads `/proc`, so the numbers are Linux's; 0 where there is none.

pub fn read(process: u32, file: &str) -> String {
    std::fs::read_to_string(format!("/proc/{process}/{file}")).unwrap_or_default()
}

/// A number of `/proc/<pid>/status`; memory is in kB.
pub fn status(process: u32, field: &str) -> u64 {
    number_behind(&read(process, "status"), field)
}

pub fn number_behind(text: &str, field: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
    line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or_default()
}
